"""Browsing deals; one deal, its verdict, its downloads, its audit."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

import tarock.audit
import tarock.replay
from archive import selectors
from archive.models import Deal
from replays import commentary, frames, presenters, sentences, sharing
from replays.audited import Audited, audited
from replays.forms import DealFilter
from replays.markup import audit as markup
from replays.markup.text import esc, joined
from replays.markup.verdicts import badge, history
from replays.sentences import Names
from replays.story import record_of
from replays.views.common import deal_or_404, page_of
from replays.views.kept import kept

SUGGESTIONS = 8


@require_safe
def deals(request: HttpRequest) -> HttpResponse:
    """The deals, the newest first, narrowed by what the form says."""
    form = DealFilter(request.GET)
    wanted: dict[str, Any] = dict(form.cleaned_data) if form.is_valid() else {}
    suggestions: list[str] = []
    name = wanted.get("player")
    if name and not selectors.is_player(name):
        # A part of a name will do where it fits one player alone; else those it fits are offered.
        found = list(selectors.players(name).values_list("name", flat=True)[: SUGGESTIONS + 1])
        if len(found) == 1:
            wanted["player"] = found[0]
        else:
            suggestions = found[:SUGGESTIONS]
    listed = (
        selectors.deals(**{k: v or None for k, v in wanted.items()})
        if form.is_valid()
        else Deal.objects.none()
    )
    return render(
        request,
        "replays/deals.html",
        {
            "form": form,
            "page": page_of(request, listed),
            "filtered": any(wanted.values()) or bool(form.errors),
            "player": wanted.get("player", ""),
            "suggestions": suggestions,
        },
    )


@require_safe
def deal(request: HttpRequest, pk: int) -> HttpResponse:
    """One deal: who played, what is said of it, where to go on."""
    found = deal_or_404(pk)
    record = selectors.record_of(found)
    known = {"Date", "Event", "Site", "Session", "Deal"}
    return render(
        request,
        "replays/deal.html",
        {
            "deal": found,
            "tags": [(name, value) for name, value in record.tags.items() if name not in known],
            "comments": list(record.comments.get(0, ())),
            **_verdict_context(found),
            "history": list(selectors.history(found)),
        },
    )


def _verdict_context(found: Deal) -> dict[str, Any]:
    return {
        "verdict": presenters.verdict(found.verdict),
        "finding": presenters.finding_words(found),
        "facts": presenters.facts(found),
        "waiting": found.is_pending,
    }


@never_cache
@require_safe
def status(request: HttpRequest, pk: int) -> HttpResponse:
    """The part of a deal's page that its verdict changes, for a page that waits for it."""
    found = deal_or_404(pk)
    return render(request, "replays/_verdict.html", {"deal": found, **_verdict_context(found)})


@require_safe
def audit(request: HttpRequest, pk: int) -> HttpResponse:
    """The stored score sheet, line by line with its clauses, what nearly scored, and which slip explains a
    disputed claim; or where and why a record breaks a rule. And every answer the engine ever gave."""
    found = audited(pk)
    if found is None:
        raise Http404
    return kept(request, found.stamp, lambda: _audit(request, found))


def _audit(request: HttpRequest, found: Audited) -> HttpResponse:
    position = None
    if not found.verdict:
        deal = deal_or_404(found.pk)
        told = render_to_string("replays/_verdict.html", {"deal": deal, **_verdict_context(deal)}, request)
        body = joined((f'<div aria-live="polite">{told}</div>\n',))
    else:
        verdict = presenters.verdict(found.verdict)
        head = f'<p class="verdict-line">{badge(verdict)} <span>{esc(verdict.meaning)}</span></p>\n'
        if found.finding:
            position, told = _fault(found)
        else:
            told = _score(found)
        body = joined((head, told, history(found.history())))
    switches = {"waiting": not found.verdict, "fault": position is not None}
    root = f"{request.scheme}://{request.get_host()}"
    link = sharing.Link(found, position.step if position else 0)
    shared = sharing.shared(root, link, position, found.players.values())
    slots = markup.slots(found, shared, root + request.path)
    return frames.page(request, "replays/audit.html", {**slots, "body": body}, switches)


def _fault(found: Audited) -> tuple[presenters.Position | None, SafeString]:
    """The position at the fault of a deal that is not sound, and what is told of it."""
    record = record_of(found.source)
    fault = presenters.fault(found.finding, found.players, found.game, record.events)
    if fault is None:
        return None, _score(found)
    state = tarock.replay.position(record, fault.event)
    position = presenters.table(state)
    return position, markup.fault(found, fault, _hand(found, state), position)


def _score(found: Audited) -> SafeString:
    """What is told of a deal that has a score."""
    record, players, sheet = record_of(found.source), found.players, found.lines()
    claimed = ""
    if found.verdict == "disputed":
        claimed = markup.differences(
            presenters.differences(found.claim, found.score, players),
            commentary.explanations(sheet, found.score, found.claim, players),
            bool(found.score),
        )
    totals = [presenters.Cell(seat, points) for seat, points in sorted(found.totals().items())]
    names = Names(found.game, players)
    missed = commentary.notes(tarock.audit.notes(record), names)
    played = sentences.heading(found.facts, names)
    return joined(
        (
            claimed,
            markup.sheet(found, played, presenters.lines(sheet, list(players), names), totals),
            markup.notes(missed, found.pk),
            markup.countings(presenters.countings(found.countings, players, found.game)),
        )
    )


def _hand(found: Audited, position: dict[str, Any]) -> list[presenters.Face]:
    """The cards that the seat in question holds at the fault."""
    seat = (found.finding or {}).get("seat") or position["turn"]
    cards = position["hands"].get(seat, {}).get("cards") or []
    legal = {choice.partition("(")[0] for choice in (found.finding or {}).get("legal") or []}
    return presenters.faces(presenters.in_hand_order(cards), found.game, legal)


def _download(body: str, media_type: str, name: str) -> HttpResponse:
    response = HttpResponse(body, content_type=f"{media_type}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_safe
def tgn(request: HttpRequest, pk: int) -> HttpResponse:
    """The deal as canonical text; 404 where text cannot hold it."""
    found = deal_or_404(pk)
    if found.text is None:
        raise Http404
    return _download(found.text, "application/vnd.tgn", f"deal-{pk}.tgn")


@require_safe
def json(request: HttpRequest, pk: int) -> HttpResponse:
    """The deal in its JSON form."""
    return _download(deal_or_404(pk).record, "application/json", f"deal-{pk}.json")


@require_safe
def original(request: HttpRequest, pk: int) -> HttpResponse:
    """What was sent for this deal, exactly; always as a download, whatever is in it."""
    found = deal_or_404(pk)
    return _download(found.original, "text/plain", f"deal-{pk}-original.{found.original_form}")
