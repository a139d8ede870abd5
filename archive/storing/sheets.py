"""Score sheets without cards: by what they are known again, and whether the cards were recorded, too.

A sheet is known by its space, session and number. Where a played deal with a score stands there as well, the
two are one entry: the sheet is `covered`, so that it counts nowhere, and is compared with the cards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from archive.models import CHOSEN, SCORED, Change, Contribution
from archive.storing import feed
from tarock.record import Record

Place = tuple[int, str, int]
"""Where a deal stands on a club's sheets: id of the space, name of the session, number."""


def digest(place: Place) -> bytes:
    """The digest of the sheet at a place. Without cards two deals of an evening may have the same sheet, so
    its content is no part of it."""
    space, session, number = place
    return hashlib.sha256(f"sheet {space} {number} {session}".encode()).digest()


def digest_of(record: Record, space: int) -> bytes:
    """The digest by which the deal of a record is known in the archive."""
    if record.sheet is None:
        return bytes.fromhex(record.digest)
    return digest((space, record.tags["Session"], int(record.tags["Deal"])))


def places_of(contributions: Iterable[int]) -> set[Place]:
    """The places of these contributions, of those that have one."""
    rows = Contribution.objects.filter(pk__in=contributions, session__isnull=False, number__isnull=False)
    return set(rows.order_by().values_list("space_id", "session__name", "number"))


def cover(places: Iterable[Place]) -> None:
    """Cover the sheets at these places where a played deal with a score counts, and uncover the others. Call
    with the insert lock held, after every change of what stands or counts there."""
    by_digest = {digest(place): place for place in places}
    if not by_digest:
        return
    contributions = Contribution.objects.filter(visibility__in=(*CHOSEN, "covered")).order_by()
    sheets = list(contributions.filter(deal__digest__in=list(by_digest)).select_related("deal", "space"))
    if not sheets:
        return
    found = [by_digest[bytes(sheet.deal.digest)] for sheet in sheets]
    rows = Contribution.objects.filter(visibility__in=CHOSEN, verdict__in=SCORED, deal__kind="played")
    rows = rows.filter(
        space__in={space for space, _, _ in found},
        session__name__in={session for _, session, _ in found},
        number__in={number for _, _, number in found},
    )
    played: dict[Place, Contribution] = {}
    for one in rows.select_related("session").order_by("pk"):
        assert one.session is not None
        assert one.number is not None
        played.setdefault((one.space_id, one.session.name, one.number), one)
    for sheet, place in zip(sheets, found, strict=True):
        cards = played.get(place)
        if cards is not None and (sheet.visibility != "covered" or sheet.replaced_by_id != cards.pk):
            _set(sheet, "covered", cards)
        elif cards is None and sheet.visibility == "covered":
            _set(sheet, _before(sheet), None)


def _set(sheet: Contribution, visibility: str, cards: Contribution | None) -> None:
    before, sheet.visibility, sheet.replaced_by = sheet.visibility, visibility, cards
    if before != "covered":
        sheet.covered_visibility = before
    sheet.was_public = sheet.was_public or visibility == "public"
    sheet.save(update_fields=["visibility", "covered_visibility", "replaced_by", "was_public"])
    if before != visibility:
        feed.note([sheet.pk], "shown")
        Change.objects.create(contribution=sheet, what={"visibility": (before, visibility)})


def _before(sheet: Contribution) -> str:
    """The visibility that a covered sheet gets back: what it had, or its space's, or that of the deal that
    covered it, whichever fewest may see."""
    cards = sheet.replaced_by.visibility if sheet.replaced_by else ""
    words = (sheet.covered_visibility, sheet.space.visibility, cards)
    return max((word for word in words if word in CHOSEN), key=CHOSEN.index)
