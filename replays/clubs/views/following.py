"""Views to follow players, sessions and clubs, the feeds of their deals, and the weekly mail."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from archive.access import EVERYBODY
from archive.addresses import number_of
from archive.models import Player, Session, Space
from archive.reading import deals
from archive.reading import following as reading
from archive.reading.filters import Filters
from archive.shown import ShownDeal
from archive.storing import following as storing
from replays.clubs.weekly_mail import MOST, address_of
from replays.site.common import found_or_404
from replays.site.feeds import DealsFeed
from replays.site.paths import path


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def following(request: HttpRequest) -> HttpResponse:
    """List what the user follows, with the latest deals. POST with `kind`, `number` and `action` (`follow` or
    `unfollow`) changes it, and leads back to the page of the thing. POST with the action `mail` or `no-mail`
    starts or stops the weekly mail."""
    viewer = request.viewer
    if request.POST.get("action") == "no-mail":
        storing.stop_mails(request.user.pk)
        return HttpResponseRedirect(path("following"))
    if request.POST.get("action") == "mail":
        if address_of(request.user):
            storing.get_mails(request.user, get_language())
        return HttpResponseRedirect(path("following"))
    if request.method == "POST":
        kind, number = request.POST.get("kind", ""), number_of(request.POST.get("number"), 17) or 0
        if kind not in reading.LOOKUPS:
            raise Http404
        if request.POST.get("action") == "unfollow":
            storing.unfollow(request.user, kind, number)
        else:
            thing = found_or_404(reading.get_followed, kind, number, viewer)
            try:
                storing.follow(request.user, kind, thing.pk)
            except storing.TooMany:
                limit = _("You already follow %(number)d players, sessions and clubs. That’s the limit.")
                messages.error(request, limit % {"number": storing.MOST})
        there = request.POST.get("page") == "following"
        return HttpResponseRedirect(path("following") if there else path(kind, number))
    follows = reading.followed(viewer)
    context = {
        "follows": follows,
        "deals": reading.latest(follows, viewer, MOST),
        "address": address_of(request.user),
        "mail": reading.weekly_mail(viewer),
    }
    return render(request, "clubs/following.html", context)


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop_mail(request: HttpRequest, word: str) -> HttpResponse:
    """Show the page of a mail's link that stops the weekly mail, and stop it on POST. Mail programs send the
    POST for their users (RFC 8058), so it needs neither a signed-in user nor a CSRF token: the word of the
    link is signed."""
    user = storing.stopped_by(word)
    if user is not None and request.method == "POST":
        storing.stop_mails(user)
    context = {"is_ours": user is not None, "is_stopped": request.method == "POST"}
    return render(request, "clubs/stop_mail.html", context, status=404 if user is None else 200)


class FollowedFeed(DealsFeed):
    """The Atom feed of the public deals of a player, session or club, those stored last first."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def get_object(self, request: HttpRequest, pk: int) -> Player | Session | Space:
        """Return the thing. A feed has no reader who is signed in."""
        return found_or_404(reading.get_followed, self.kind, pk, EVERYBODY)

    def title(self, thing: Player | Session | Space) -> str:
        """Return the name of the thing."""
        return thing.display_name if isinstance(thing, Player) else thing.name

    def link(self, thing: Player | Session | Space) -> str:
        """Return the URL of the thing's page."""
        return path(self.kind, thing.pk)

    def items(self, thing: Player | Session | Space) -> list[ShownDeal]:
        """Return the latest deals."""
        if isinstance(thing, Space):
            filters = Filters(space=thing.pk)
        else:
            filters = Filters(player=thing) if isinstance(thing, Player) else Filters(session=thing)
        return deals.deals_by_id(deals.find_ids(filters, EVERYBODY, "stored", self.MOST), filters, EVERYBODY)


def feed(kind: str) -> Callable[..., HttpResponse]:
    """Return the view of the feeds of players, sessions or clubs."""
    return require_safe(FollowedFeed(kind))
