"""The front page of a signed-in user: running evenings, clubs, the last evening, and the latest deals, also
of what they follow."""

from __future__ import annotations

from typing import Any

from archive.access import Viewer
from archive.database import by_name
from archive.reading import deals, following, sessions
from archive.reading.clubs import own_clubs
from archive.reading.evenings import in_course
from archive.reading.filters import Filters
from archive.shown import ShownDeal
from replays.clubs import session_page

LATEST = 8
"""Number of latest deals on the page."""


def own_page(viewer: Viewer, language: str) -> dict[str, Any]:
    """Return the template context of the page."""
    clubs = list(own_clubs(viewer).order_by(by_name("name", language), "name"))
    latest = latest_deals(viewer)
    return {
        "clubs": clubs,
        "evenings": in_course(viewer),
        "evening": _last_evening(latest, viewer, language),
        "deals": latest,
        "followed": following.latest(following.followed(viewer), viewer, LATEST),
    }


def latest_deals(viewer: Viewer) -> list[ShownDeal]:
    """Return the latest deals that the user played, as the players linked to their memberships; if no player
    is linked, those that the user sent."""
    played = [Filters(player=player) for player in sorted(viewer.players)]
    searches = played or [Filters(sender=viewer.user)]
    found: dict[int, ShownDeal] = {}
    for filters in searches:
        ids = deals.find_ids(filters, viewer, "played", LATEST)
        found |= {deal.pk: deal for deal in deals.deals_by_id(ids, filters, viewer)}
    by_day = sorted(found.values(), key=_moment, reverse=True)
    return by_day[:LATEST]


def _moment(deal: ShownDeal) -> tuple[str, int, int]:
    contribution = deal.contribution
    # Deals of unknown days come last in their month or year, as in `find_ids`.
    return str(contribution.date or "").replace("??", "01"), contribution.number or 0, deal.pk


def _last_evening(latest: list[ShownDeal], viewer: Viewer, language: str) -> session_page.Evening | None:
    """Return the evening of the latest of these deals, or None if it belongs to none."""
    session = latest[0].contribution.session if latest else None
    if session is None:
        return None
    return session_page.evening(session, sessions.session_table(session, language, viewer))
