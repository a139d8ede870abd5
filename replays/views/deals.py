"""Browsing deals; one deal, its verdict, its downloads, its audit."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from archive import conf, selectors
from archive.models import Deal
from replays import presenters
from replays.deal import audit as audits
from replays.forms import DealFilter
from replays.views.common import deal_or_404, page_of, preview
from tarock.notation import dump_json

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
        holding = selectors.players(name, request.LANGUAGE_CODE)
        found = list(holding.values_list("name", flat=True)[: SUGGESTIONS + 1])
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
            "answers": presenters.history(selectors.history(found)),
            "others": list(others[: MOST_OTHERS + 1]),
            "most_others": MOST_OTHERS,
            "has_original": _has_original(found),
            **preview(request, found),
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
    told = audits.audit(found)
    return render(
        request,
        "replays/audit.html",
        {
            "deal": found,
            "verdict": presenters.verdict(found.lead.verdict),
            "wrong" if isinstance(told, audits.Wrong) else "score": told,
            "answers": presenters.history(selectors.history(found)),
            **preview(request, found, told.position if isinstance(told, audits.Wrong) else None),
        },
    )


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
