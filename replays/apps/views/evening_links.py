"""Pages that the links to an evening open: a friend joins, and a guest gets the evening back."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from archive import access
from archive.models import Evening
from archive.reading.clubs import guest_space
from archive.reading.evenings import get_joinable
from archive.storing import spaces
from archive.web import throttles
from archive.web.viewer import GUEST, JOINED
from replays.apps.evening_form import FriendSerializer, first_error
from replays.site.common import too_many, user_of
from replays.site.paths import path

_MOST_JOINED = 20
"""Maximum number of evenings that a browser remembers having joined."""


def _app(evening: Evening) -> HttpResponse:
    return HttpResponseRedirect(f"{path('evenings')}#{evening.key}")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, key: str) -> HttpResponse:
    """Ask a friend for a `name`, and let this browser enter deals of one evening. Redirect members to it."""
    if wait := throttles.seconds_to_wait(request, throttles.Entries()):
        return too_many(request, wait)
    try:
        evening = get_joinable(key)
    except Evening.DoesNotExist:
        return render(request, "apps/join.html", status=404)
    viewer, error = request.viewer, ""
    if evening.session.space_id in (*viewer.roles, request.session.get(GUEST)) or viewer.friend_at(evening):
        return _app(evening)
    if request.method == "POST":
        form = FriendSerializer(data={"name": request.POST.get("name", "")})
        if form.is_valid():
            joined = {**request.session.get(JOINED, {}), str(evening.key): [key, form.validated_data["name"]]}
            request.session[JOINED] = dict(list(joined.items())[-_MOST_JOINED:])
            return _app(evening)
        error = first_error(form.errors)[1]
    context = {"evening": evening, "error": error}
    return render(request, "apps/join.html", context, status=400 if error else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def recover(request: HttpRequest, word: str) -> HttpResponse:
    """Give a guest's evening, with the guest's other evenings, to this browser or to the signed-in user. If
    another guest uses this browser, their evenings stay, too."""
    evening = access.recovered_by(word)
    if evening is None:
        return render(request, "apps/recover.html", status=404)
    lost, user, own = evening.session.space, user_of(request), guest_space(request.session.get(GUEST))
    if user is None and own == lost:
        return _app(evening)
    if request.method == "POST":
        if user is not None:
            spaces.adopt(lost, spaces.own(user), by=user)
        elif own is not None:
            spaces.adopt(lost, own, by=None)
        else:
            request.session[GUEST] = lost.pk
        return _app(evening)
    return render(request, "apps/recover.html", {"evening": evening})
