"""Views of sessions: pages, printed reports, and downloads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from archive.access import Viewer
from archive.addresses import number_of
from archive.models import Session
from archive.publishing import export
from archive.reading.clubs import own_space, seasons_of
from archive.reading.evenings import evening_of
from archive.reading.following import is_following
from archive.reading.hindsight import dearest_of
from archive.reading.sessions import (
    SessionTable,
    card_points,
    deals_in_session,
    find_sessions,
    get_session,
    has_unlisted,
    same_named,
    session_table,
)
from archive.rules import Rules
from archive.shown import ShownDeal
from archive.storing.evenings import Conflict, change, may_run, setup_of
from replays.clubs import session_page, session_rows
from replays.clubs.forms import StakeForm
from replays.deal.hindsight import Cost, costs_by_rules
from replays.deal.sharing import picture_preview
from replays.language import words
from replays.site.common import (
    MOST_YEARS,
    count_of,
    delimiter_of,
    download,
    found_or_404,
    is_about,
    page_of,
    session_url,
    step_of,
    user_of,
)
from replays.site.paths import path

ROWS = 100
"""Number of deals per page of a session."""

MOST_DATES = 30
"""Maximum number of links from a session page to sessions with the same name on other dates."""


@require_safe
def sessions(request: HttpRequest) -> HttpResponse:
    """List all sessions, or those of `?year=2026`, the latest first."""
    viewer = request.viewer
    years = seasons_of(None, viewer, MOST_YEARS)
    chosen = next((year for year in years if str(year) == request.GET.get("year")), None)
    page = find_sessions(viewer, step=step_of(request), year=chosen)
    context = {
        "page": page,
        "sessions": session_page.listed(page.rows, viewer),
        "own_season": own_space(viewer) is not None,
        "years": years,
        "chosen": chosen,
    }
    return render(request, "clubs/sessions.html", context)


def session_or_404(request: HttpRequest, pk: int) -> tuple[Session, SessionTable]:
    """Return the session and the deals in it that the viewer may see; raise `Http404` if the session is
    hidden from them."""
    session = found_or_404(get_session, pk, request.viewer)
    return session, session_table(session, request.LANGUAGE_CODE, request.viewer, count_of(request))


@require_safe
def session(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a session with its deals, running totals, ranks, and remarks on its deal numbers. If it has
    unlisted deals, members also see the link to share it."""
    session, table = session_or_404(request, pk)
    viewer = request.viewer
    is_about(request, session.space)
    page = page_of(request, table.rows, ROWS)
    counted = card_points(row.key.deal for row in page.object_list)
    first = page.start_index() - 1 if table.rows else 0
    form = stake_form(request, session)
    at_table = getattr(session, "evening", None)
    by_link = at_table is not None and at_table.visibility == "unlisted"
    member = viewer.is_at_least("member", session.space_id)
    link = session_url(request, session) if member and (by_link or has_unlisted(session, viewer)) else ""
    evening = session_page.evening(session, table, form.value)
    is_over = at_table is None or at_table.has_ended
    shared_link = request.build_absolute_uri(path("session", pk)) if session.public_deals else link
    choices = session.space.choices if at_table and may_run(at_table, viewer) else ()
    return render(
        request,
        "clubs/session.html",
        {
            **_preview(request, session, evening),
            "session": session,
            "is_followed": is_following("session", session.pk, viewer),
            "evening": evening,
            "form": form,
            "money": money_query(form, request),
            "count": count_of(request),
            "has_choice": has_choice(request, table),
            "rows": session_rows.rows(table, counted, first, first + ROWS),
            "page": page,
            "link": link,
            "message": session_page.message(evening, shared_link, is_over=is_over),
            "is_over": is_over,
            "dearest_cards": _dearest_cards(session, table, viewer) if is_over else {},
            "same_named": same_named(session, viewer),
            "most_dates": MOST_DATES,
            "editable": evening_of(session, viewer),
            "choices": [(word, words.VISIBILITIES[word]) for word in choices],
        },
    )


def _dearest_cards(
    session: Session, table: SessionTable, viewer: Viewer
) -> dict[Rules, tuple[ShownDeal, Cost]]:
    """Return the card that cost most in hindsight, by rules."""
    return costs_by_rules(dearest_of(session, [row.key.deal for row in table.rows if row.is_played], viewer))


@require_POST
def set_visibility(request: HttpRequest, pk: int) -> HttpResponse:
    """Set the visibility of an evening, which applies to its existing and future deals."""
    session, _table = session_or_404(request, pk)
    evening, wanted = getattr(session, "evening", None), request.POST.get("visibility", "")
    if evening is None or wanted not in session.space.choices or not may_run(evening, request.viewer):
        raise Http404
    setup = replace(setup_of(evening), visibility=wanted)
    version = number_of(request.POST.get("version")) or 1
    try:
        change(evening, setup, version, viewer=request.viewer, by=user_of(request))
    except Conflict:
        messages.error(
            request, _("Somebody else changed the evening in the meantime. Check it, and save again.")
        )
    else:
        who = words.VISIBILITIES[wanted]
        messages.success(request, _("Who can see this evening now: %(who)s.") % {"who": who})
    return HttpResponseRedirect(path("session", pk))


def _preview(request: HttpRequest, session: Session, evening: session_page.Evening) -> dict[str, Any]:
    """Return the template context for a session's link preview. A session without public deals has none."""
    if not session.public_deals:
        return {"shared": None}
    club = session.space.name if session.space.kind == "club" else ""
    about = " · ".join(filter(None, [club, evening.days, evening.games]))
    return picture_preview(request, session.name, about, "session-picture", session.pk)


def stake_form(request: HttpRequest, session: Session) -> StakeForm:
    """Return the form with the stake from the URL. If the URL has no stake and the viewer is a member, use
    the stake of the evening."""
    evening = getattr(session, "evening", None)
    if "stake" in request.GET or not evening or not request.viewer.is_at_least("member", session.space_id):
        return StakeForm(request.GET)
    return StakeForm({"stake": evening.stake, "currency": evening.currency})


def money_query(form: StakeForm, request: HttpRequest) -> str:
    """Return the query string that passes a valid stake, and what counts, to another page; empty if there is
    no stake and everything counts."""
    stake, count = form.value, count_of(request)
    query = {"stake": stake.amount, "currency": stake.currency} if stake else {}
    query |= {"count": count} if count != "all" else {}
    return "?" + urlencode(query) if query else ""


def has_choice(request: HttpRequest, table: SessionTable) -> bool:
    """Return whether a session has anything but cards, or whether some of it was left out."""
    return count_of(request) != "all" or bool(table.totals) or any(not row.is_played for row in table.rows)


@require_safe
def print_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the report of a session for printing, with room for signatures."""
    session, table = session_or_404(request, pk)
    counted = card_points(row.key.deal for row in table.rows)
    form = stake_form(request, session)
    evening = session_page.evening(session, table, form.value)
    evening.remarks.extend(form.remarks)
    return render(
        request,
        "clubs/protocol.html",
        {
            "session": session,
            "evening": evening,
            "rows": session_rows.rows(table, counted),
            "address": request.build_absolute_uri(path("session", pk)),
        },
    )


@require_safe
def csv(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Return the table of a session as CSV, for a spreadsheet."""
    session, table = session_or_404(request, pk)
    counted = card_points(row.key.deal for row in table.rows)
    stake = stake_form(request, session).value
    return download(
        session_page.as_csv(table, counted, stake, delimiter_of(request)),
        "text/csv",
        f"session-{pk}.csv",
    )


@require_safe
def records(request: HttpRequest, pk: int, form: str) -> HttpResponseBase:
    """Return the records of a session: as text (`tgn`), in which a comment replaces each record that has no
    text form, or as JSON, one per line (`jsonl`)."""
    deals = deals_in_session(found_or_404(get_session, pk, request.viewer), request.viewer)
    return download(export.written(form, deals), export.MEDIA_TYPES[form], f"session-{pk}.{form}")
