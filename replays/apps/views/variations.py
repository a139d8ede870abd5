"""Variations of a deal: the board at a step of the deal, and the saved variations."""

from __future__ import annotations

import secrets
from typing import Any
from uuid import UUID

from csp.decorators import csp_replace
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe
from rest_framework import serializers

from archive import tokens
from archive.access import EVERYBODY
from archive.addresses import Key
from archive.models import SHARING, GuestVariations, Variations
from archive.reading import variations as saved_variations
from archive.shown import ShownDeal
from archive.storing import variations as storing
from archive.web import throttles
from archive.web.errors import ApiError
from replays.apps.answers import JsonView, count, read_body
from replays.apps.views.board import board_context
from replays.deal.analysis import analysis_of
from replays.language.names import Names, finding_text
from replays.site.common import download, found_or_404, played_or_404
from replays.site.device import GUEST_COOKIE
from replays.site.jinja import url
from replays.site.paths import path
from tarock.analysis.variations import LONGEST_COMMENT, LONGEST_NAME, MOST, Variation, read_variations
from tarock.core.findings import NotationError
from tarock.notation import write_json
from tarock.view.answers.variations import variations_answer
from tarock.view.page_json import text_of


@never_cache
@ensure_csrf_cookie
@require_safe
def try_card(request: HttpRequest, key: Key) -> HttpResponse:
    """Show the board at `?step=N` of a deal, so that the user can play another card. With `view=B`, N counts
    steps in B's view, and the user must confirm before the board shows all hands."""
    deal = played_or_404(key, request.viewer)
    analysis = analysis_of(deal)
    address = analysis.address(request.GET)
    step = analysis.count(address.eyes).moment(address.step)
    own = saved_variations.own(deal, request.viewer, _device(request))
    return _board(request, deal, own, step, confirm=bool(address.view or address.closed))


@never_cache
@ensure_csrf_cookie
@require_safe
def of_key(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show saved variations on the board, which opens where the first one branches off."""
    found, deal = found_or_404(saved_variations.by_key, key, request.viewer)
    first = found.lines[0] if found.lines else {"id": 0, "step": 0}
    return _board(request, deal, found, first["step"], line=first["id"], confirm=False)


def _device(request: HttpRequest) -> bytes:
    """Return the digest of the key of a guest's device; empty without a key."""
    key = request.COOKIES.get(GUEST_COOKIE, "")
    return tokens.digest(key) if key else b""


def _board(
    request: HttpRequest,
    deal: ShownDeal,
    saved: Variations | GuestVariations | None,
    step: int,
    *,
    line: int = 0,
    confirm: bool,
) -> HttpResponse:
    trial = {
        "record": write_json(deal.record),
        "digest": deal.record.digest,
        "number": deal.pk,
        "step": step,
        "line": line,
        "confirm": confirm,
        **_saved_json(saved, request),
        "guest": request.viewer.user is None,
        "most": MOST,
        "longest": {"name": LONGEST_NAME, "comment": LONGEST_COMMENT},
        "addresses": {
            "replay": path("replay", deal.key),
            "save": path("deal-variations", deal.key),
            "login": f"{url('account_login')}?next={path('try', deal.key)}",
        },
    }
    context = board_context(request, "board/variations") | {"trial": trial, "deal": deal}
    context["space"] = deal.contribution.space
    return render(request, "deal/try.html", context)


def _saved_json(saved: Variations | GuestVariations | None, request: HttpRequest) -> dict[str, Any]:
    if saved is None:
        return {"saved": None, "variations": []}
    about = {
        "mine": saved.is_of(request.viewer.user, _device(request)),
        "by": saved.by,
        "visibility": saved.visibility,
        "version": saved.version,
        "address": path("variations", saved.key),
        "embed": path("variations-embed", saved.key),
    }
    return {"saved": about, "variations": saved.lines}


@require_safe
@csp_replace({"frame-ancestors": ["*"]})
@xframe_options_exempt
def embed(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show saved variations and their score sheets in a frame on another site, without a script."""
    found, deal = found_or_404(saved_variations.by_key, key, EVERYBODY)
    language = Names(deal.game, deal.players).language
    answer = variations_answer(record=write_json(deal.record), variations=found.lines, language=language)
    context = {"deal": deal, "saved": found, "answer": answer, "full": path("variations", found.key)}
    return render(request, "apps/variations_embed.html", context)


@require_safe
def line_text(request: HttpRequest, key: UUID, number: int) -> HttpResponse:
    """Return a variation as a TGN record that refers to the original deal."""
    found, deal = found_or_404(saved_variations.by_key, key, request.viewer)
    lines = [one for one in read_variations(found.lines, deal.record) if one.number == number]
    text = text_of(lines[0].record) if lines else None
    if text is None:
        raise Http404
    return download(text, "text/x-tgn", f"deal-{deal.pk}-variation-{number}.tgn")


class VariationsSerializer(serializers.Serializer[Any]):
    """The variations to save, their visibility, and the saved version that they replace (0 if none)."""

    variations = serializers.ListField()
    visibility = serializers.ChoiceField(SHARING)
    version = serializers.IntegerField(min_value=0, max_value=2**31 - 1)


@method_decorator(never_cache, name="dispatch")
class OfDeal(JsonView):
    """The variations of a deal that the user saved, or that a guest shared, whose device gets a key in a
    cookie. A change based on an old version gets a 409 with the saved variations."""

    sentences = JsonView.sentences | {
        "refused": gettext_lazy(
            "You have saved variations of the maximum number of deals. Remove the variations of another "
            "deal first."
        )
    }

    def put(self, request: HttpRequest, key: Key) -> HttpResponse:
        deal = _deal(request, key)
        sent = read_body(request, VariationsSerializer).validated_data
        lines = _read(sent["variations"], deal)
        is_guest = not request.user.is_authenticated
        if is_guest:
            count(request, throttles.GuestVariations())
            request.COOKIES.setdefault(GUEST_COOKIE, secrets.token_urlsafe())
        owner = _device(request) if is_guest else request.user
        try:
            saved = storing.save(deal.deal, owner, lines, sent["visibility"], sent["version"])
        except storing.Conflict:
            there = saved_variations.own(deal, request.viewer, _device(request))
            return JsonResponse(_saved_json(there, request), status=409)
        response = JsonResponse(_saved_json(saved, request))
        if is_guest:
            response.set_cookie(
                GUEST_COOKIE,
                request.COOKIES[GUEST_COOKIE],
                storing.GUESTS_RETENTION,
                path=settings.SESSION_COOKIE_PATH,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response

    def delete(self, request: HttpRequest, key: Key) -> HttpResponse:
        storing.remove(
            _deal(request, key).deal, request.user if request.user.is_authenticated else _device(request)
        )
        return JsonResponse({"saved": None})


def _deal(request: HttpRequest, key: Key) -> ShownDeal:
    """Return the deal; raise `ApiError` if the viewer may not see it."""
    try:
        return played_or_404(key, request.viewer)
    except Http404:
        raise ApiError(
            "not_found", _("There is no such deal, or you don’t have permission to see it.")
        ) from None


def _read(value: object, deal: ShownDeal) -> list[Variation]:
    try:
        return read_variations(value, deal.record)
    except NotationError as bad:
        message = finding_text(bad.finding, deal.game, deal.players)
        raise ApiError("malformed", message, pointer=f"/variations{bad.finding.pointer}") from None
