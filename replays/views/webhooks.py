"""Webhooks: addresses that receive the changes of a club or of a user's own space; for its owners."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from archive.addresses import number_of
from archive.models import Space, Webhook
from archive.publishing import webhooks
from archive.reading import clubs
from archive.storing import spaces
from replays.paths import path
from replays.views.clubs import club_or_404


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def of_club(request: HttpRequest, pk: int) -> HttpResponse:
    """A club's webhooks."""
    club = club_or_404(pk)
    if not request.viewer.is_at_least("owner", club):
        raise Http404
    return _page(request, club, path("club-webhooks", pk))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def own(request: HttpRequest) -> HttpResponse:
    """The webhooks of the user's own space."""
    return _page(request, spaces.own(request.user), path("webhooks"))


def _page(request: HttpRequest, space: Space, here: str) -> HttpResponse:
    """The webhooks of a space with their logs; ``action`` adds one (``url``), removes one or sends again
    (``number``)."""
    own = clubs.webhooks_of(request.viewer).filter(space=space)
    wrong = url = ""
    if request.method == "POST":
        if request.POST.get("action") == "add":
            url = request.POST.get("url", "").strip()
            wrong = _add(request, space, url)
        else:
            _act(request, own.filter(pk=_number(request)).first())
        if not wrong:
            return HttpResponseRedirect(here)
    rows = [(webhook, webhooks.secret(webhook), webhook.deliveries.all()[:10]) for webhook in own]
    context = {"space": space, "webhooks": rows, "most": webhooks.MOST, "address": url, "wrong": wrong}
    return render(request, "replays/webhooks.html", context, status=400 if wrong else 200)


def _add(request: HttpRequest, space: Space, url: str) -> str:
    """Add a webhook; returns an error message, empty without one."""
    try:
        webhooks.add(space, url, by=request.user)
    except webhooks.WrongAddress:
        return _("Enter a full address that begins with https:// and contains no password.")
    except webhooks.TooMany:
        return _("There can be no more webhooks than these. Remove one first.")
    messages.success(request, _("From now on changes are sent to this address."))
    return ""


def _act(request: HttpRequest, webhook: Webhook | None) -> None:
    if webhook is None:
        raise Http404
    if request.POST.get("action") == "end":
        webhook.delete()
        messages.success(request, _("Nothing more is sent to this address."))
    else:
        webhooks.start_again(webhook)
        messages.success(request, _("It will be sent again at once."))


def _number(request: HttpRequest) -> int:
    return number_of(request.POST.get("number")) or 0
