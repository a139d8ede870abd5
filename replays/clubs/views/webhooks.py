"""Pages on which owners of a space manage its webhooks: URLs to which changes in the space are sent."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import F
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from archive.addresses import number_of
from archive.models import Space, Webhook
from archive.publishing import webhooks
from archive.reading import clubs
from archive.storing import spaces
from replays.clubs.views.clubs import own_club
from replays.site import versions


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def manage(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """Show and change the webhooks of the user's own space or, with a club's id, of a club that they own.
    `action`: `add` one for `url`, or `end`, `start` (resume) or `adopt` (with a new `url`) webhook `number`.
    Only a webhook's owner sees its secret and log."""
    space = spaces.own(request.user) if pk is None else own_club(request, pk, "owner")
    own = clubs.webhooks_of(request.viewer).filter(space=space)
    wrong = url = ""
    number = number_of(request.POST.get("number")) or 0
    if request.method == "POST":
        action, url = request.POST.get("action"), request.POST.get("url", "").strip()
        if action in ("add", "adopt"):
            webhook = None if action == "add" else get_object_or_404(own, pk=number)
            wrong = _set_url(request, space, url, webhook)
        else:
            _act(request, get_object_or_404(own, pk=number))
        if not wrong:
            return HttpResponseRedirect(request.path)
    user = request.user.pk
    rows = [(one, webhooks.secret(one), one.url_for(user), one.log_for(user)[:10]) for one in own]
    context = {"space": space, "webhooks": rows, "address": url, "wrong": wrong, "number": number}
    return render(request, "clubs/webhooks.html", context, status=400 if wrong else 200)


def _set_url(request: HttpRequest, space: Space, url: str, webhook: Webhook | None) -> str:
    """Add a webhook for `url` or, if given, adopt `webhook`. Return an error message, empty on success."""
    try:
        if webhook is None:
            webhooks.add(space, url, by=request.user)
        else:
            row = Webhook.objects.filter(pk=webhook.pk).values(owner=F("made_by__username"))
            change = partial(webhooks.adopt, webhook, url, by=request.user)
            versions.change(request, lambda: row.first() or {}, change)
    except webhooks.WrongAddress:
        return _("Enter a full URL that begins with https:// and contains no password.")
    except webhooks.TooMany:
        return _("You have the maximum number of webhooks. Remove one first.")
    messages.success(request, _("From now on changes are sent to this URL."))
    return ""


def _act(request: HttpRequest, webhook: Webhook) -> None:
    if request.POST.get("action") == "end":
        webhook.delete()
        messages.success(request, _("Changes are no longer sent to this URL."))
    elif webhook.made_by_id == request.user.pk:
        webhooks.start_again(webhook)
        messages.success(request, _("Waiting messages are now being sent again."))
