"""Views of deals: search, page, audit and downloads."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_safe

from archive.access import Viewer
from archive.addresses import Key
from archive.publishing import export
from archive.reading import clubs, players, sessions, uploads, variations
from archive.reading.deals import contributions_to
from archive.reading.filters import MOST_CITING, Filters
from archive.shown import ShownDeal
from archive.web import downloads
from replays.deal import sharing
from replays.deal.about import AboutDeal
from replays.deal.address import Address
from replays.deal.analysis import analysis_of
from replays.deal.audit_page import FaultAudit, ScoreAudit
from replays.deal.decisive import decisive
from replays.deal.facts import facts
from replays.deal.forms import DealFilter
from replays.deal.hindsight import hindsight_view
from replays.deal.score_sheet import written
from replays.deal.steps import Steps
from replays.language import words
from replays.language.names import Names
from replays.site.common import (
    MOST_YEARS,
    ONLY_POINTS,
    DealPaginator,
    deal_or_404,
    delimiter_of,
    download,
    is_about,
    nonempty_query,
    too_many,
    without_empty,
)
from replays.site.paths import path
from tarock.notation import dump_json
from tarock.view.finding import FindingView

SUGGESTIONS = 8
FORMS = ("tgn", "jsonl", "csv")
"""Formats in which the deals of a search can be downloaded."""
MOST_OTHERS = 20
"""Maximum number of other contributions listed on a deal's page."""


@require_safe
def deals(request: HttpRequest) -> HttpResponse:
    """Show the deals of a search. Redirect from a URL with empty fields to the URL without them."""
    if shorter := without_empty(request):
        return shorter
    form, viewer = DealFilter(request.GET), request.viewer
    suggestions: list[str] = []
    page, years, chosen = None, [], None
    if form.is_valid():
        filters, suggestions = with_player(form.filters, request, viewer)
        wanted = request.GET.get("page")
        paginator = DealPaginator(filters, viewer, wanted, form.cleaned_data["order"] or "played")
        page = paginator.get_page(wanted)
        form.names = _names(filters, viewer)
        years = clubs.seasons_of(None, viewer, MOST_YEARS)
        first, last = filters.date_from, filters.date_to
        chosen = first.year if first and last and first.year == last.year else None
    query = nonempty_query(request)
    query.pop("page", None)
    return render(
        request,
        "deal/deals.html",
        {
            "form": form,
            "page": page,
            "filtered": bool(form.active_filters or form.errors),
            "forms": FORMS,
            "query_string": query.urlencode(),
            "suggestions": suggestions,
            "may_change": bool(viewer.roles),
            "most_citing": MOST_CITING,
            "years": years,
            "chosen": chosen,
        },
    )


def _names(filters: Filters, viewer: Viewer) -> dict[str, str]:
    """Return the names of the player, the other player and the session that the filters name by id, by the
    name of their form field. Leave out those that the viewer may not see."""
    names = {}
    for field, pk in {"player_id": filters.player, "with_player_id": filters.with_player}.items():
        with contextlib.suppress(ObjectDoesNotExist):
            if isinstance(pk, int):
                names[field] = players.get_player(pk, viewer).display_name
    with contextlib.suppress(ObjectDoesNotExist):
        if filters.space:
            names["space"] = clubs.get_club(filters.space).name
    with contextlib.suppress(ObjectDoesNotExist):
        if isinstance(filters.session, int):
            names["session_id"] = words.session_name(sessions.get_session(filters.session, viewer))
    return names


def with_player(filters: Filters, request: HttpRequest, viewer: Viewer) -> tuple[Filters, list[str]]:
    """Return the filters and the player names to suggest. If the name in the filters is part of only one
    player's name, complete it; otherwise suggest the names that contain it."""
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
    audit if the deal is a score sheet, which has no other page. A result has only this page."""
    viewer = request.viewer
    deal = deal_or_404(key, viewer)
    if deal.is_sheet:
        return HttpResponseRedirect(path("audit", key))
    is_about(request, deal.contribution.space)
    about = _about(request, deal)
    if deal.is_result:
        return render(request, "deal/result.html", {"deal": deal, "about": about})
    others = (
        contributions_to(deal.pk, viewer).without_guests(but=viewer.roles).exclude(pk=deal.contribution.pk)
    )
    moment = _moment(deal)
    return render(
        request,
        "deal/deal.html",
        {
            "deal": deal,
            "about": about,
            "finding": FindingView(deal.finding, about.names, deal.record) if deal.finding else None,
            "facts": facts(deal, about.names),
            **moment,
            "hindsight": hindsight_view(deal, about.names),
            "others": list(others[: MOST_OTHERS + 1]),
            "most_others": MOST_OTHERS,
            "variations": variations.of_deal(deal, viewer),
            **sharing.preview(request, deal, moment["position"], moment["told"]),
        },
    )


def _moment(deal: ShownDeal) -> dict[str, Any]:
    """Return the template context of the moment that decided the deal: the table, with a description, and the
    chart."""
    analysis = analysis_of(deal)
    found = decisive(deal, analysis)
    steps = Steps(deal, analysis, Address(found.step))
    position = steps.frame(steps.state).position
    deed = None if found.event is None else steps.deed(found.event)
    return {
        "position": position,
        "position_words": sharing.picture_words(deal, position),
        "deed": deed,
        "told": deed.text if deed else position.happened,
        "chart": steps.chart(found.step),
    }


def _about(request: HttpRequest, deal: ShownDeal) -> AboutDeal:
    """Return the values on a deal's page that do not depend on the play."""
    root = f"{request.scheme}://{request.get_host()}"
    options = None if deal.is_result else deal.record.rules
    return AboutDeal(deal, Names(deal.game, deal.players, options), request.viewer, root)


@require_safe
def audit(request: HttpRequest, key: Key) -> HttpResponse:
    """Show the stored score sheet with its clauses, near misses, the slip that explains a disputed claim, and
    past verdicts; or the event at which a record breaks a rule, with the reason."""
    deal = deal_or_404(key, request.viewer)
    if deal.is_result:
        raise Http404(ONLY_POINTS)
    about = _about(request, deal)
    score = ScoreAudit(deal, about.names, about.viewer)
    if deal.is_sheet:
        is_about(request, deal.contribution.space)
        lines = written(deal.record, deal.checked.errors, about.names)
        preview = {"shared": None}
        if deal.contribution.visibility == "public":
            texts = words.listed([sharing.result(deal), sharing.occasion(deal)], "semicolon")
            title = sharing.title(deal)
            preview = sharing.picture_preview(request, title, texts, "sheet-picture", key, framed=True)
        context = {"deal": deal, "about": about, "sheet": score, "written": lines, **preview}
        return render(request, "deal/score_sheet.html", context)
    finding = deal.finding
    fault = FaultAudit(deal, about.names, finding) if finding and finding.event is not None else None
    return render(
        request,
        "deal/audit.html",
        {
            "deal": deal,
            "about": about,
            "fault": fault,
            "audit": score,
            "hindsight": hindsight_view(deal, about.names),
            **sharing.preview(request, deal, fault.position if fault else None),
        },
    )


@require_safe
def tgn(request: HttpRequest, key: Key) -> HttpResponse:
    """Return the deal in canonical text form, or 404 if the deal has no text form."""
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
    """Return the original bytes of this deal to members of its space, always as an attachment. Return 404
    once the bytes have been deleted."""
    viewer = request.viewer
    contribution = deal_or_404(key, viewer).contribution
    sent = uploads.original_of(contribution) if viewer.may_see_original(contribution) else None
    if sent is None:
        raise Http404
    return download(sent.text, "text/plain", f"deal-{key}-original.{sent.form}")
