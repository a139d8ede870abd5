"""Score sheets of deals whose cards were recorded as well."""

from __future__ import annotations

from archive import access
from archive.access import Viewer
from archive.models import Contribution


def sheet_and_cards(contribution: Contribution, viewer: Viewer) -> tuple[Contribution, Contribution] | None:
    """Return a covered sheet and the contribution with the cards that covers it. `contribution`: one of the
    two, as returned by `archive.reading.deals.get_deal`. None if it is neither, or if the viewer may not read
    the other one. Two queries if the other one may exist."""
    is_sheet = contribution.visibility == "covered"
    if not is_sheet and not contribution.has_sheet:
        return None
    others = access.readable(viewer).select_related("deal").prefetched(viewer.roles).order_by("pk")
    if is_sheet:
        other = others.filter(pk=contribution.replaced_by_id).first()
    else:
        other = others.filter(replaced_by=contribution.pk, visibility="covered").first()
    if other is None:
        return None
    return (contribution, other) if is_sheet else (other, contribution)
