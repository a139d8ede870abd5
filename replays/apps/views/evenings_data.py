"""JSON views of the evening app: its spaces and players, the state of an evening, and changes from phones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import segno
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import get_conditional_response
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import ensure_csrf_cookie

from archive import access
from archive.access import Viewer
from archive.database import storable
from archive.models import Evening, Space
from archive.reading import clubs
from archive.reading.evenings import (
    EveningDeal,
    deal_at,
    deals_of,
    get_evening,
    in_course,
    last_in,
    players_of,
    spaces_of,
    state_version,
)
from archive.storing import evenings, spaces
from archive.web import throttles
from archive.web.errors import ApiError
from archive.web.viewer import GUEST, JOINED
from replays.apps.answers import JsonView, count, read_body
from replays.apps.engine import engine
from replays.apps.evening_form import (
    DEAL_KEYS,
    EntrySerializer,
    SetupSerializer,
    WithdrawalSerializer,
    setup_json,
)
from replays.language.names import finding_text
from replays.site.common import guest_space_of, session_url, user_of
from replays.site.paths import path
from replays.uploads.views.uploads import wait_for
from tarock.analysis.verify import warnings


class EveningView(JsonView):
    """Base view for requests of the evening app's script."""

    sentences = JsonView.sentences | {
        "refused": gettext_lazy(
            "This evening already has deals of another game. Start a new evening for this game."
        ),
        "permission_denied": gettext_lazy(
            "Only the person who started the evening and the club’s secretaries and owners can change "
            "this. After the evening has ended, members can change only their own entries, and friends who "
            "joined can change none."
        ),
    }


def _invalid(message: str, pointer: str | None = None) -> ApiError:
    return ApiError("invalid_parameter", message, pointer=pointer)


def _key_of(request: HttpRequest) -> str:
    key: str = request.headers.get("Idempotency-Key", "")
    if not (key.isascii() and key.isprintable() and len(key) <= evenings.KEY_LENGTH):
        raise _invalid("The header Idempotency-Key is no key.")
    return key


def _viewer(request: HttpRequest) -> Viewer:
    """Return the viewer, who also gets access to evenings started in this browser before signing in."""
    viewer: Viewer = request.viewer
    guest = request.session.get(GUEST)
    if not guest or guest in viewer.roles:
        return viewer
    roles = {**viewer.roles, guest: "owner"}
    return Viewer(viewer.user, viewer.operator, roles, viewer.links, viewer.players, viewer.joined)


def _missing(request: HttpRequest, key: UUID | None = None) -> ApiError:
    """Return the error for an evening or club that is missing or not the viewer's; ask guests to sign in.
    `key`: the evening's key."""
    if str(key) in request.session.get(JOINED, {}):
        return ApiError(
            "permission_denied", _("The link with which you joined no longer works. Ask for a new one.")
        )
    if not request.user.is_authenticated:
        return ApiError(
            "not_authenticated", _("When you sign in, the entries on this phone are sent automatically.")
        )
    return ApiError("not_found", _("There is no such evening, or you are not a member of its club."))


def _evening(request: HttpRequest, key: UUID, viewer: Viewer) -> Evening:
    evening = _find(key, viewer)
    if evening is None:
        raise _missing(request, key)
    return evening


def _find(key: UUID, viewer: Viewer) -> Evening | None:
    try:
        return get_evening(key, viewer)
    except Evening.DoesNotExist:
        return None


@method_decorator((never_cache, ensure_csrf_cookie), name="dispatch")
class Start(EveningView):
    """The data that a phone needs to start an evening."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Return the viewer's spaces (with the players and last evening of each) and evenings in progress."""
        viewer, own_kind = _viewer(request), "own" if request.user.is_authenticated else "guest"
        own_clubs = spaces_of(viewer, request.LANGUAGE_CODE)
        own = next((space for space in own_clubs if space.kind == own_kind), None)
        offered = [own, *(space for space in own_clubs if space.kind == "club")]
        numbers = [space.pk for space in offered if space]
        players, last, rules = players_of(numbers), last_in(numbers), clubs.house_rules_of(numbers)
        rows = []
        for space in offered:
            pk, of_kind = space.pk if space else 0, space or Space(kind=own_kind)
            rows.append(
                {
                    "id": space.club if space else None,
                    "name": space.name if space else "",
                    "place": space.place if space else "",
                    "choices": of_kind.choices,
                    "visibility": of_kind.evening_visibility,
                    "players": players.get(pk, []),
                    "rules": {
                        game: {"name": one.name, "options": one.options}
                        for game, one in rules.get(pk, {}).items()
                    },
                    "last": setup_json(last[pk]) if pk in last else None,
                }
            )
        running = [setup_json(evening) for evening in in_course(viewer)]
        user = request.user.get_username() if request.user.is_authenticated else ""
        return JsonResponse({"spaces": rows, "evenings": running, "user": user})


@method_decorator(cache_control(private=True, no_cache=True), name="dispatch")
class State(EveningView):
    """The state of an evening."""

    def get(self, request: HttpRequest, key: UUID) -> HttpResponse:
        """Return the evening with its deals, or a 304 if nothing has changed."""
        viewer = _viewer(request)
        evening = _evening(request, key, viewer)
        etag = f'"{state_version(evening, viewer)}"'
        not_modified: HttpResponse | None = get_conditional_response(request, etag=etag)
        if not_modified is not None:
            return not_modified
        space, visibility = evening.session.space, evening.visibility_of_new
        friend, runs = viewer.friend_at(evening), evenings.may_run(evening, viewer)
        shows, is_guest = visibility == "unlisted" and not friend, space.kind == "guest"
        recovery = path("evening-recover", access.recovery_link(evening))
        response = JsonResponse(
            {
                "setup": setup_json(evening),
                "session": evening.session_id,
                "address": "" if friend else path("session", evening.session_id),
                "visibility": visibility,
                "choices": space.choices if runs else [],
                "link": session_url(request, evening.session) if shows else "",
                "friend": friend,
                "recovery": request.build_absolute_uri(recovery) if runs and is_guest else "",
                "deals": [_deal_json(deal, friend) for deal in deals_of(evening, viewer)],
            }
        )
        response["ETag"] = etag
        return response


def _deal_json(deal: EveningDeal | None, friend: str) -> dict[str, Any] | None:
    """Return the JSON form of a deal, with the URLs of its pages. A friend may not open them."""
    if deal is None:
        return None
    pages = {} if friend else {"address": path("deal", deal.key), "audit": path("audit", deal.key)}
    return deal.as_json | pages


@method_decorator(never_cache, name="dispatch")
class JoinLink(EveningView):
    """The link with which friends join an evening."""

    def put(self, request: HttpRequest, key: UUID) -> HttpResponse:
        """Return the link and its QR code as SVG. Create the link if there is none."""
        viewer = _viewer(request)
        join_key = evenings.let_friends_join(_evening(request, key, viewer), viewer)
        link = request.build_absolute_uri(path("evening-join", join_key))
        return JsonResponse(
            {"link": link, "picture": segno.make(link).svg_inline(light="#fff", omitsize=True)}
        )

    def delete(self, request: HttpRequest, key: UUID) -> HttpResponse:
        """Revoke the link."""
        viewer = _viewer(request)
        evenings.revoke_join_link(_evening(request, key, viewer), viewer)
        return JsonResponse({})


@method_decorator(never_cache, name="dispatch")
class SetUp(EveningView):
    """The setup of an evening."""

    def put(self, request: HttpRequest, key: UUID) -> HttpResponse:
        """Start an evening or change its setup. A change based on an old version gets a 409 with the current
        setup."""
        form = read_body(request, SetupSerializer)
        sent = form.validated_data
        if sent["key"] != key:
            raise _invalid("The key is another than that of the address.", "/key")
        viewer, by = _viewer(request), user_of(request)
        if sent["version"] == 0 and _find(key, viewer) is None:
            count(request, throttles.NewEvenings())
            space = _space(request, viewer, sent["space"])
            _check_visibility(space, sent["visibility"])
            made = evenings.start(key, space, form.setup, by=by)
            if made is not None:
                return JsonResponse({"setup": setup_json(made)}, status=201)
        evening = _evening(request, key, viewer)
        _check_visibility(evening.session.space, sent["visibility"])
        try:
            evening = evenings.change(evening, form.setup, sent["version"], viewer=viewer, by=by)
        except evenings.Conflict:
            return JsonResponse({"setup": setup_json(_evening(request, key, viewer))}, status=409)
        return JsonResponse({"setup": setup_json(evening)})


def _check_visibility(space: Space, visibility: str) -> None:
    if visibility and visibility not in space.choices:
        raise _invalid("Choose one of the visibilities of the space.", "/visibility")


def _space(request: HttpRequest, viewer: Viewer, number: int | None) -> Space:
    """Return the space for a new evening: the club `number`, the user's own space, or this browser's guest
    space, which is created if it does not exist yet."""
    if number is not None:
        club = clubs.own_clubs(viewer).filter(pk=number).first()
        if club is None:
            raise _missing(request)
        return club
    if request.user.is_authenticated:
        return spaces.own(request.user)
    return guest_space_of(request)


@method_decorator(never_cache, name="dispatch")
class Deal(EveningView):
    """A deal of an evening. A change based on an old version gets a 409 with the stored deal."""

    def put(self, request: HttpRequest, key: UUID, number: int) -> HttpResponse:
        return self._answer(request, key, number, _enter)

    def delete(self, request: HttpRequest, key: UUID, number: int) -> HttpResponse:
        return self._answer(request, key, number, _withdraw)

    def _answer(
        self, request: HttpRequest, key: UUID, number: int, change: Callable[..., int]
    ) -> HttpResponse:
        viewer = _viewer(request)
        evening = _evening(request, key, viewer)
        if not 1 <= number <= evenings.MOST_DEALS:
            raise _invalid(_("An evening can’t have that many deals."), "/deal/n")
        friend = viewer.friend_at(evening)
        try:
            status = change(request, evening, number, viewer)
        except evenings.Conflict:
            return JsonResponse({"deal": _deal_json(deal_at(evening, number, viewer), friend)}, status=409)
        there = None if status == 202 else deal_at(evening, number, viewer)
        if there is None and status in (200, 201) and request.method == "PUT":
            status = 409  # Another phone withdrew the deal after this change, so there is none to return.
        return JsonResponse({"deal": _deal_json(there, friend)}, status=status)


def _withdraw(request: HttpRequest, evening: Evening, number: int, viewer: Viewer) -> int:
    base = read_body(request, WithdrawalSerializer).validated_data["base"]
    how = {"base": base, "viewer": viewer, "by": user_of(request), "key": _key_of(request)}
    evenings.withdraw(evening, number, **how)
    return 200


def _enter(request: HttpRequest, evening: Evening, number: int, viewer: Viewer) -> int:
    sent = read_body(request, EntrySerializer).validated_data
    given = sent["deal"]
    if unknown := sorted(set(given) - set(DEAL_KEYS)):
        raise _invalid("This is not known here.", f"/deal/{unknown[0]}")
    if given.get("n", number) != number:
        raise _invalid("The number is another than that of the address.", "/deal/n")
    try:
        record = evenings.read_deal(evening, number, given)
    except evenings.BadDeal as bad:
        message = storable(finding_text(bad.finding, evening.game))
        raise ApiError("malformed", message, pointer=f"/deal{bad.field}") from None
    for finding in warnings(record):
        field = "/deal/players" if finding.reason == "same-name" else None
        raise _invalid(storable(finding_text(finding, evening.game)), field)
    upload = evenings.enter(
        evening,
        number,
        record,
        base=sent["base"],
        viewer=viewer,
        by=user_of(request),
        key=_key_of(request),
        address=throttles.client_address(request),
    )
    if sent["engine"] == engine().version:
        evenings.compare(evening, record, sent["score"])
    if upload is None:
        return 200
    wait_for(request, [upload])
    upload.refresh_from_db(fields=["finished_at"])
    if not upload.is_finished:
        return 202
    evenings.check_stored(upload)
    return 201
