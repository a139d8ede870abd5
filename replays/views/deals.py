"""Browsing deals; one deal, its verdict, its downloads, its audit."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

import tarock.audit
import tarock.replay
from archive import conf, selectors
from archive.models import Deal
from replays import commentary, frames, presenters, sentences, sharing
from replays.forms import DealFilter
from replays.markup import audit as markup
from replays.markup.text import esc, joined
from replays.markup.verdicts import badge, history
from replays.sentences import Names
from replays.views.common import deal_or_404, page_of
from replays.views.kept import kept
from tarock.notation import dump_json
from tarock.position import Position

SUGGESTIONS = 8
MOST_OTHERS = 20
"""So many further contributions are listed on a deal's page."""


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
    listed = selectors.deals(selectors.Filters(**wanted)) if form.is_valid() else Deal.objects.none()
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
    record = found.record
    known = {"Date", "Event", "Site", "Session", "Deal"}
    others = selectors.contributions(found).exclude(pk=found.lead_id)
    return render(
        request,
        "replays/deal.html",
        {
            "deal": found,
            "tags": [(name, value) for name, value in record.tags.items() if name not in known],
            "comments": list(record.comments.get(0, ())),
            "verdict": presenters.verdict(found.lead.verdict),
            "finding": presenters.finding_words(found),
            "facts": presenters.facts(found),
            "history": selectors.history(found),
            "others": list(others[: MOST_OTHERS + 1]),
            "most_others": MOST_OTHERS,
            "has_original": _has_original(found),
        },
    )


def _has_original(found: Deal) -> bool:
    """Whether the bytes that a deal was read from are still kept."""
    days = conf.retention_days()
    return not days or found.stored_at > timezone.now() - timedelta(days=days)


@require_safe
def audit(request: HttpRequest, pk: int) -> HttpResponse:
    """The stored score sheet, line by line with its clauses, what nearly scored, and which slip explains a
    disputed claim; or where and why a record breaks a rule. And every answer the engine ever gave."""
    found = deal_or_404(pk)
    stamp = repr(
        (found.hex_digest, found.engine_version, found.verified_at, found.lead_id, found.lead.verdict)
    )
    return kept(request, stamp, lambda: _audit(request, found))


def _audit(request: HttpRequest, found: Deal) -> HttpResponse:
    position = None
    verdict = presenters.verdict(found.lead.verdict)
    head = f'<p class="verdict-line">{badge(verdict)} <span>{esc(verdict.meaning)}</span></p>\n'
    if found.finding:
        position, told = _fault(found)
    else:
        told = _score(found)
    body = joined((head, told, history(selectors.history(found))))
    root = f"{request.scheme}://{request.get_host()}"
    link = sharing.Link(found, position.step if position else 0)
    shared = sharing.shared(root, link, position, found.players.values())
    slots = markup.slots(found, shared, root + request.path)
    return frames.page(request, "replays/audit.html", {**slots, "body": body}, {"fault": bool(position)})


def _fault(found: Deal) -> tuple[presenters.Position | None, SafeString]:
    """The position at the fault of a deal that is not sound, and what is told of it."""
    fault = presenters.fault(found.finding, found.record)
    if fault is None:
        return None, _score(found)
    state = tarock.replay.position(found.record, fault.event)
    position = presenters.table(state)
    return position, markup.fault(found, fault, _hand(found, state), position)


def _score(found: Deal) -> SafeString:
    """What is told of a deal that has a score."""
    players, sheet = found.players, found.lines
    claimed = ""
    if found.lead.verdict == "disputed":
        claim = found.lead.claimed
        claimed = markup.differences(
            presenters.differences(claim, found.score, players),
            commentary.explanations(sheet, found.score, claim, players),
            bool(found.score),
        )
    totals = [presenters.Cell(seat, points) for seat, points in selectors.totals_after(found).items()]
    names = Names(found.game, players)
    missed = commentary.notes(tarock.audit.notes(found.record), names)
    played = sentences.heading(found.checked.facts, names)
    return joined(
        (
            claimed,
            markup.sheet(found, played, presenters.lines(sheet, list(players), names), totals),
            markup.notes(missed, found.pk),
            markup.countings(presenters.countings(found.checked.countings, players, found.game)),
        )
    )


def _hand(found: Deal, position: Position) -> list[presenters.Face]:
    """The cards that the seat in question holds at the fault."""
    finding = found.finding
    hand = position.hands.get((finding and finding.seat) or position.turn or "")
    legal = {choice.partition("(")[0] for choice in (finding and finding.legal) or ()}
    return presenters.faces(presenters.in_hand_order(hand.cards or () if hand else ()), found.game, legal)


def _download(body: str, media_type: str, name: str) -> HttpResponse:
    response = HttpResponse(body, content_type=f"{media_type}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_safe
def tgn(request: HttpRequest, pk: int) -> HttpResponse:
    """The deal as canonical text; 404 where text cannot hold it."""
    text = deal_or_404(pk).canonical
    if text is None:
        raise Http404
    return _download(text, "application/vnd.tgn", f"deal-{pk}.tgn")


@require_safe
def json(request: HttpRequest, pk: int) -> HttpResponse:
    """The deal in its JSON form."""
    return _download(dump_json(deal_or_404(pk).record), "application/json", f"deal-{pk}.json")


@require_safe
def original(request: HttpRequest, pk: int) -> HttpResponse:
    """What was first sent for this deal, exactly; always as a download, whatever is in it. 404 once it is not
    kept any more."""
    found = selectors.original(deal_or_404(pk).lead)
    if found is None:
        raise Http404
    return _download(found.text, "text/plain", f"deal-{pk}-original.{found.form}")
