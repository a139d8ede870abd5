"""Views of deals: search, page, audit and downloads."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from archive import access, conf
from archive.access import Viewer
from archive.addresses import Key
from archive.models import evening_visibilities
from archive.publishing import certificates, export
from archive.reading import players, sheets, uploads, variations
from archive.reading.clubs import own_clubs
from archive.reading.deals import contributions_to, history
from archive.reading.filters import MOST_CITING, Filters
from archive.shown import ShownDeal
from archive.storing import corrections
from archive.web import downloads
from replays.deal import score_sheet, sharing
from replays.deal.address import Address
from replays.deal.analysis import analysis_of
from replays.deal.audit_page import FaultAudit, ScoreAudit
from replays.deal.decisive import decisive
from replays.deal.facts import facts
from replays.deal.forms import DealFilter
from replays.deal.score_sheet import Compared, ScoreSheet
from replays.deal.sharing import preview
from replays.deal.steps import Steps
from replays.language import words
from replays.language.names import Names
from replays.language.verdicts import verdict
from replays.site.common import (
    DealPaginator,
    deal_or_404,
    delimiter_of,
    download,
    is_about,
    nonempty_query,
    too_many,
    without_empty,
)
from replays.site.forms import CHOICES
from replays.site.paths import path
from tarock.analysis.verify import warnings
from tarock.notation import agreed, dump_json
from tarock.view.finding import FindingView
from tarock.words import names as naming
from tarock.words import sentences

SUGGESTIONS = 8
FORMS = ("tgn", "jsonl", "csv")
"""Formats in which the deals of a search can be downloaded."""
MOST_OTHERS = 20
"""Maximum number of other contributions listed on a deal's page."""


def may_edit(viewer: Viewer, deal: ShownDeal) -> bool:
    """Return whether the viewer may replace the record of a deal."""
    return deal.contribution.visibility != "replaced" and viewer.may_change(deal.contribution)


@require_safe
def deals(request: HttpRequest) -> HttpResponse:
    """Show the deals of a search. Redirect from a URL with empty fields to the URL without them."""
    if shorter := without_empty(request):
        return shorter
    form, viewer = DealFilter(request.GET), request.viewer
    suggestions: list[str] = []
    page = None
    if form.is_valid():
        filters, suggestions = with_player(form.filters, request, viewer)
        wanted = request.GET.get("page")
        paginator = DealPaginator(filters, viewer, wanted, form.cleaned_data["order"] or "played")
        page = paginator.get_page(wanted)
    query = nonempty_query(request)
    query.pop("page", None)
    return render(
        request,
        "deal/deals.html",
        {
            "form": form,
            "page": page,
            "filtered": bool(form.active_filters or form.errors),
            "forms": [(end, end.upper()) for end in FORMS],
            "query_string": query.urlencode(),
            "suggestions": suggestions,
            "may_change": bool(viewer.roles),
            "most_citing": MOST_CITING,
        },
    )


def with_player(filters: Filters, request: HttpRequest, viewer: Viewer) -> tuple[Filters, list[str]]:
    """Return the filters and the names to suggest. If the player's name fits only one player, complete the
    name; otherwise suggest the names that fit."""
    name = filters.player
    if not name or not isinstance(name, str) or players.is_player(name):
        return filters, []
    holding = players.player_page(name, request.LANGUAGE_CODE, viewer, size=SUGGESTIONS + 1)
    matching = [player.display_name for player in holding]
    if len(matching) == 1:
        return replace(filters, player=matching[0]), []
    return filters, matching[:SUGGESTIONS]


@require_safe
def download_deals(request: HttpRequest, form: str) -> HttpResponseBase:
    """Stream the deals of a search as a file."""
    search, viewer = DealFilter(request.GET), request.viewer
    if form not in FORMS or not search.is_valid():
        raise Http404
    filters, _suggestions = with_player(search.filters, request, viewer)
    rows = export.search(form, filters, viewer, newest_first=True, delimiter=delimiter_of(request))
    try:
        body = downloads.Download(request, rows if request.method == "GET" else ())
    except downloads.Wait as wait:
        return too_many(request, wait.seconds, running=wait.running)
    return download(body, export.MEDIA_TYPES[form], f"deals.{form}")


@require_safe
def deal(request: HttpRequest, key: Key) -> HttpResponse:
    """Show the players, facts and contributions of a deal, with links to its other pages. Redirect to the
    audit for a score sheet, which has no other page."""
    viewer = request.viewer
    deal = deal_or_404(key, viewer)
    if deal.is_sheet:
        return HttpResponseRedirect(path("audit", key))
    names = _names(deal)
    others = (
        contributions_to(deal.pk, viewer).without_guests(but=viewer.roles).exclude(pk=deal.contribution.pk)
    )
    return render(
        request,
        "deal/deal.html",
        {
            **_about(request, deal),
            "finding": FindingView(deal.finding, names, deal.record) if deal.finding else None,
            "facts": facts(deal, names),
            **_moment(deal),
            "others": list(others[: MOST_OTHERS + 1]),
            "most_others": MOST_OTHERS,
            "variations": variations.of_deal(deal, viewer),
            "has_certificate": certificates.are_given() and deal.contribution.verdict == "verified",
            **preview(request, deal),
        },
    )


def _moment(deal: ShownDeal) -> dict[str, Any]:
    """Return the table at the moment that decided the deal, and its description."""
    analysis = analysis_of(deal)
    found = decisive(deal, analysis)
    steps = Steps(deal, analysis, Address(found.step))
    position = steps.frame(steps.state).position
    return {
        "position": position,
        "position_words": sharing.picture_words(deal, position),
        "deed": None if found.event is None else steps.deed(found.event),
    }


def _names(deal: ShownDeal) -> Names:
    return Names(deal.game, deal.players)


def _about(request: HttpRequest, deal: ShownDeal) -> dict[str, Any]:
    """Return the parts of a deal's page that do not depend on the play."""
    viewer, record, contribution = request.viewer, deal.record, deal.contribution
    is_about(request, contribution.space)
    known = {"Date", "Event", "Site", "Session", "Deal", "Agreed"}
    return {
        "deal": deal,
        "tags": [(name, value) for name, value in record.tags.items() if name not in known],
        "agreed": agreed(record),
        "comments": list(record.comments.get(0, ())),
        "verdict": verdict(contribution.verdict, deal.is_sheet),
        "warnings": [_names(deal).sentence(sentences.finding, one) for one in warnings(record)],
        "answers": history(deal),
        **_corrections(request, deal),
        "may_edit": may_edit(viewer, deal),
        "has_certificate": False,
        "has_original": viewer.may_see_original(contribution) and _has_original(deal),
    }


def _corrections(request: HttpRequest, deal: ShownDeal) -> dict[str, Any]:
    """Return the corrections of a contribution, and the changes that the viewer may make."""
    contribution, viewer, names = deal.contribution, request.viewer, _names(deal)
    is_member = viewer.is_at_least("member", contribution.space_id)
    may, root = viewer.may_change(contribution), f"{request.scheme}://{request.get_host()}"
    session = contribution.session_id
    of_evening = evening_visibilities([session]).get(session) if may and session else None
    return {
        "may_change": may,
        "is_member": is_member,
        "visibilities": [row for row in CHOICES if not of_evening or row[0] == of_evening],
        "of_evening": of_evening,
        "clubs": _clubs_to_move_to(viewer) if may and viewer.may_move(contribution) else [],
        "link": root + path("shared", access.link_to(contribution))
        if may and contribution.visibility == "unlisted"
        else "",
        "changes": [_change(change, is_member, names) for change in corrections.history(contribution)],
        "former": access.readable(viewer)
        .filter(replaced_by=contribution)
        .exclude(visibility="covered")
        .order_by("-id")
        .first(),
        "latter": access.readable(viewer).filter(pk=contribution.replaced_by_id).first(),
    }


def _clubs_to_move_to(viewer: Viewer) -> list[tuple[int, str]]:
    """Return the viewer's clubs: id, and name with the visibility that moved deals get."""
    clubs = own_clubs(viewer)
    return [(club.pk, f"{club.name} ({words.VISIBILITIES[club.visibility]})") for club in clubs]


def _change(change: corrections.Changed, is_member: bool, names: Names) -> dict[str, Any]:
    """Return a correction in words. Only members see names as they were written."""

    def in_words(value: Any) -> str:
        if change.word == "players":
            return words.listed(value) if is_member else ""
        if change.word in ("tags", "comments"):
            return ""
        return str(words.VISIBILITIES[value] if change.word == "visibility" else value or "")

    label = naming.label(str(words.DETAILS[change.word]))
    if change.word == "sheet":
        before, after = score_sheet.rewritten(change.before, change.after, names)
    else:
        before, after = in_words(change.before), in_words(change.after)
    return {"label": label, "user": change.user, "at": change.at, "before": before, "after": after}


def _has_original(deal: ShownDeal) -> bool:
    """Return whether the original bytes of a deal are still stored."""
    days = conf.retention_days()
    return not days or deal.stored_at > timezone.now() - timedelta(days=days)


@require_safe
def audit(request: HttpRequest, key: Key) -> HttpResponse:
    """Show the stored score sheet with its clauses, near misses, the slip that explains a disputed claim, and
    past verdicts; or the place where a record breaks a rule, with the reason."""
    viewer = request.viewer
    deal = deal_or_404(key, viewer)
    if deal.is_sheet:
        return _score_sheet(request, deal)
    names, finding = _names(deal), deal.finding
    fault = FaultAudit(deal, names, finding) if finding and finding.event is not None else None
    return render(
        request,
        "deal/audit.html",
        {
            "deal": deal,
            "verdict": verdict(deal.contribution.verdict),
            "agreed": agreed(deal.record),
            "fault": fault,
            "audit": ScoreAudit(deal, names, viewer),
            "answers": history(deal),
            "compared": _compared(deal, viewer),
            **preview(request, deal, fault.position if fault else None),
        },
    )


def _score_sheet(request: HttpRequest, deal: ShownDeal) -> HttpResponse:
    """Show the page of a deal recorded only as a score sheet."""
    viewer = request.viewer
    context = {"sheet": ScoreSheet(deal, _names(deal), viewer), "compared": _compared(deal, viewer)}
    return render(request, "deal/score_sheet.html", _about(request, deal) | context)


def _compared(deal: ShownDeal, viewer: Viewer) -> Compared | None:
    """Return the deal's sheet and cards for comparison, if both were recorded and the viewer may see both."""
    both = sheets.sheet_and_cards(deal.contribution, viewer)
    return Compared(*both) if both else None


@require_safe
def tgn(request: HttpRequest, key: Key) -> HttpResponse:
    """Return the deal as canonical text; 404 if text cannot express it."""
    text = deal_or_404(key, request.viewer).canonical
    if text is None:
        raise Http404
    return download(text, "application/vnd.tgn", f"deal-{key}.tgn")


@require_safe
def json(request: HttpRequest, key: Key) -> HttpResponse:
    """Return the deal as JSON."""
    return download(
        dump_json(deal_or_404(key, request.viewer).record), "application/json", f"deal-{key}.json"
    )


@require_safe
def original(request: HttpRequest, key: Key) -> HttpResponse:
    """Return the bytes that were sent for this deal, to members of its space. The response is always an
    attachment. 404 once the bytes are deleted."""
    viewer = request.viewer
    contribution = deal_or_404(key, viewer).contribution
    sent = uploads.original_of(contribution) if viewer.may_see_original(contribution) else None
    if sent is None:
        raise Http404
    return download(sent.text, "text/plain", f"deal-{key}-original.{sent.form}")
