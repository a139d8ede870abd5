"""What the app for an evening asks of the archive, and sends to it: JSON, for the page `/evenings/` alone."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import get_conditional_response
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_safe

from archive import database
from archive.errors import ArchiveError, Unavailable
from archive.models import Contribution, Evening, Space, Upload
from archive.reading import clubs
from archive.reading.evenings import (
    deals_of,
    find_evening,
    last_evenings,
    players_of,
    recent_evenings,
    spaces_for,
    state_of,
)
from archive.storing import evenings, spaces, uploads
from archive.web import problems, throttles, waiting
from archive.web.viewer import GUEST
from replays.evening_forms import EveningForm
from replays.paths import path
from replays.views.common import user_of
from tarock import sentences
from tarock.findings import NotationError
from tarock.sheets import sheet_lines

MOST_BYTES = 64_000
"""The largest request: an evening has a few hundred bytes a player, a deal some two thousand."""

_WAIT = 2.0
"""Seconds that an answer waits for a deal to be stored."""

Json = dict[str, Any]
T = TypeVar("T")


class Refused(Exception):
    """A request that is answered with a status and a reason."""

    def __init__(self, status: int, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.status, self.body = status, {"error": {"code": code, "message": message}, **more}


def _answered(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer what a view refuses, and what the archive refuses, as JSON."""

    @never_cache
    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Refused as refused:
            return JsonResponse(refused.body, status=refused.status)
        except database.AWAY:
            error: ArchiveError = Unavailable()
        except ArchiveError as fault:
            error = fault
        body = {"error": {"code": error.code, "message": str(error)}}
        response = JsonResponse(body, status=problems.CODES[error.code].status)
        if error.seconds:
            response["Retry-After"] = str(error.seconds)
        return response

    return answered


def _body(request: HttpRequest) -> Json:
    """The object in a request."""
    if int(request.META.get("CONTENT_LENGTH") or 0) > MOST_BYTES:
        raise Refused(413, "too_large", f"A request has {MOST_BYTES} bytes at most.")
    try:
        found = json.loads(request.body)
    except (ValueError, RecursionError):
        raise Refused(400, "bad_request", "This is no JSON.") from None
    if not isinstance(found, dict):
        raise Refused(400, "bad_request", "This is no object.")
    return found


# --- which evenings there are -------------------------------------------------------------------------------


@ensure_csrf_cookie
@_answered
@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """What an evening is started with: the viewer's clubs and own space, their players and last evenings."""
    viewer = request.viewer
    found = spaces_for(viewer)
    last = last_evenings(found)
    rows: list[Json] = [
        {
            "id": space.club,
            "name": space.club_name or "",
            "place": space.place,
            "players": players_of(space),
            "last": _setup(last[space.pk]) if space.pk in last else None,
        }
        for space in found
    ]
    if all(row["id"] is not None for row in rows):
        rows.append({"id": None, "name": "", "place": "", "players": [], "last": None})
    user = user_of(request)
    return JsonResponse(
        {
            "spaces": rows,
            "evenings": [_setup(evening) for evening in recent_evenings(viewer)],
            "user": user.get_username() if user else "",
        }
    )


def _setup(evening: Evening) -> Json:
    """An evening as phones have it."""
    session = evening.session
    return {
        "key": str(evening.key),
        "space": session.space.club,
        "name": session.name,
        **{name: getattr(evening, name) for name in evenings.FIELDS},
        "ended": evening.is_ended,
        "version": evening.version,
    }


# --- one evening --------------------------------------------------------------------------------------------


def _evening(request: HttpRequest, key: UUID) -> Evening:
    """An evening of one of the viewer's spaces."""
    evening = find_evening(key)
    if evening is None or not request.viewer.is_at_least("member", evening.session.space_id):
        if not request.user.is_authenticated:
            raise Refused(403, "signed_out", "Sign in to enter deals of this evening.")
        raise Refused(404, "not_found", "There is no such evening.")
    return evening


@_answered
@require_safe
def state(request: HttpRequest, key: UUID) -> HttpResponse:
    """How an evening stands: its setup and its deals. 304 while nothing has changed."""
    evening = _evening(request, key)
    etag = f'"{hashlib.sha256(repr(state_of(evening)).encode()).hexdigest()[:32]}"'
    known = get_conditional_response(request, etag)
    if known is not None and known.status_code == 304:
        return known
    session = evening.session_id
    response = JsonResponse(
        {
            "setup": _setup(evening),
            "session": session,
            "address": path("session", session),
            "print": path("session-print", session),
            "deals": [_deal(contribution) for contribution in deals_of(evening)],
        }
    )
    response["ETag"] = etag
    return response


def _deal(contribution: Contribution) -> Json:
    """A deal as phones have it, with the names as they were written."""
    deal = contribution.represented_deal
    record = deal.record_to_correct
    return {
        "n": contribution.number,
        "players": record.players,
        "dealer": record.dealer,
        "options": list(record.options),
        "lines": [list(line) for line in sheet_lines(record) or ()],
        "comment": " ".join(record.comments.get(0, ())),
        "kind": deal.kind,
        "version": evenings.version_of(contribution),
        "verdict": contribution.verdict,
        "address": path("deal", deal.key),
        "audit": path("audit", deal.key),
    }


@_answered
@require_http_methods(["PUT"])
def setup(request: HttpRequest, key: UUID) -> HttpResponse:
    """Start an evening, or change it."""
    body = _body(request)
    form = EveningForm(body)
    if not form.is_valid():
        field, errors = next(iter(form.errors.items()))
        raise Refused(400, "bad_request", f"{field}: {' '.join(errors)}", field=field)
    given = form.cleaned_data
    evening = find_evening(key)
    if evening is None:
        space = _space(request, given["space"])
        evening = evenings.start(key, space, given["name"], form.setup, by=user_of(request))
        return JsonResponse({"setup": _setup(evening)}, status=201)
    evening = _evening(request, key)
    if given["version"]:
        try:
            evenings.change(evening, form.setup, version=given["version"], ended=given["ended"])
        except evenings.Changed as changed:
            raise Refused(409, changed.code, str(changed), setup=_setup(evening)) from None
    return JsonResponse({"setup": _setup(evening)})


def _space(request: HttpRequest, club: int | None) -> Space:
    """The space of a new evening: a club of the viewer's, his own, or that of this browser."""
    if club is not None:
        found = clubs.own_clubs(request.viewer).filter(pk=club).first()
        if found is None and not request.user.is_authenticated:
            raise Refused(403, "signed_out", "Sign in to start an evening of this club.")
        if found is None:
            raise Refused(404, "not_found", "You are no member of this club.")
        return found
    if request.user.is_authenticated:
        return spaces.own(request.user)
    guest = clubs.guest_space(request.session.get(GUEST))
    if guest is None:
        guest = spaces.guest()
        request.session[GUEST] = guest.pk
    return guest


# --- its deals ----------------------------------------------------------------------------------------------


@_answered
@require_http_methods(["PUT", "DELETE"])
def deal(request: HttpRequest, key: UUID, number: int) -> HttpResponse:
    """Enter, correct or withdraw the deal with a number."""
    evening = _evening(request, key)
    body = _body(request)
    version, by = str(body.get("base") or ""), user_of(request)
    there = evenings.entered(evening, number)
    if there is not None and evening.is_ended and not request.viewer.may_change(there):
        raise Refused(403, "ended", "The evening is over, and this is not yours to correct.")
    if request.method == "DELETE":
        _unless_changed(evening, number, lambda: evenings.withdraw(evening, number, version, by=by))
        return JsonResponse({})
    given = body.get("deal")
    if not isinstance(given, dict) or given.get("n") != number or not number <= evenings.MOST_DEALS:
        raise Refused(400, "bad_request", f"Deals have numbers from 1 to {evenings.MOST_DEALS}.", field="n")
    try:
        record = evenings.record_of(evening, given)
    except NotationError as fault:
        message = sentences.message(fault.finding)
        raise Refused(400, "malformed", message, field=fault.finding.pointer) from None
    upload = _unless_changed(
        evening,
        number,
        lambda: evenings.enter(
            evening,
            record,
            version,
            by=by,
            address=throttles.client_address(request),
            key=_idempotency_key(request),
            limit=MOST_BYTES,
        ),
    )
    if upload is not None and not _is_stored(upload):
        return JsonResponse({}, status=202)
    now = evenings.entered(evening, number)
    if now is None:
        raise Refused(400, "refused", "This deal was not stored; the page of its upload says why.")
    if upload is not None and evenings.is_other(record, now):
        raise Refused(409, "already_there", "This was changed meanwhile.", deal=_deal(now))
    evenings.compare(evening, now, body.get("score"), body.get("engine"))
    return JsonResponse({"deal": _deal(now)}, status=200 if upload is None else 201)


def _unless_changed(evening: Evening, number: int, action: Callable[[], T]) -> T:
    """What an action returns; a refusal with the deal that is there now, if another phone has changed it."""
    try:
        return action()
    except evenings.Changed as changed:
        now = evenings.entered(evening, number)
        gone = now is None or now.visibility == "withdrawn"
        raise Refused(
            409, changed.code, str(changed), deal=None if gone or now is None else _deal(now)
        ) from None


def _idempotency_key(request: HttpRequest) -> str:
    key = request.headers.get("Idempotency-Key", "")
    return key if re.fullmatch("[!-~]{1,255}", key) else ""


def _is_stored(upload: Upload) -> bool:
    """Whether an upload is stored, within a moment."""
    until = time.monotonic() + _WAIT
    with waiting.place() as free:
        return uploads.wait(upload, max(0.0, until - time.monotonic()) if free else 0.0)
