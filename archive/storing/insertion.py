"""Inserting a batch of checked records: new deals, contributions, seats. Call with the insert lock held."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef

from archive import access, database
from archive.access import Viewer
from archive.models import DEAL_SCORED, Contribution, Deal, Part, Player, Seat, Session, Upload
from archive.storing import feed, sheets
from archive.storing.contribution_data import ContributionData, differences, ensure, from_contribution
from archive.storing.verdicts import contribution_verdict
from tarock.notation import Entry
from tarock.record import Record


@dataclass(slots=True)
class Incoming:
    """A well-formed record on its way into the database: its deal, its contribution, and the outcome."""

    entry: Entry
    record: Record
    digest: bytes
    data: ContributionData
    columns: dict[str, Any]
    """Columns of its contribution, made from ``data``."""
    deal_columns: dict[str, Any] | None = None
    """Columns of its deal, with the engine's verdict; None before the check."""
    score: dict[str, int] | None = None
    check_seconds: float = 0.0
    """What the engine took to check it; 0 if it was not checked."""
    check_error: str = ""
    """The traceback of a fault of ours in checking it."""
    deal: int = 0
    outcome: str = "known"
    differs: str = ""
    error: str = ""
    """The traceback of a fault of ours in checking or storing it."""

    def place(self, space: int) -> sheets.Place | None:
        """Its place in the sessions of a space; None without a session or a number."""
        session, number = self.data.session, self.data.number
        return (space, session, number) if session and number is not None else None


@dataclass(slots=True)
class StoredDeal:
    """A deal in the archive, as far as the verdict on another contribution to it needs it."""

    id: int
    verdict: str
    score: dict[str, int] | None = None
    new: bool = False


def stored_deals(digests: Iterable[bytes]) -> dict[bytes, StoredDeal]:
    """The deals with these digests that are in the archive."""
    wanted = list(set(digests))
    rows = Deal.objects.filter(digest__in=wanted).values_list("digest", "id", "verdict")
    return {bytes(digest): StoredDeal(*columns) for digest, *columns in rows} if wanted else {}


def insert(
    batch: Sequence[Incoming], known: Mapping[bytes, StoredDeal], part: Part, upload: Upload, now: datetime
) -> dict[bytes, StoredDeal]:
    """Insert the new deals and contributions of a batch, and set the outcomes of its records. Returns the new
    deals by digest.

    ``known``: the deals in the archive with the digests of the batch, and the sheets at its places.
    """
    firsts: dict[bytes, Incoming] = {}
    for incoming in batch:
        if incoming.digest not in known:
            firsts.setdefault(incoming.digest, incoming)
    added: dict[bytes, StoredDeal] = {}
    rows = []
    pks = database.reserve_ids(Deal, len(firsts)) if firsts else range(0)
    for pk, (digest, first) in zip(pks, firsts.items(), strict=True):
        assert first.deal_columns is not None
        added[digest] = StoredDeal(pk, first.deal_columns["verdict"], first.score, new=True)
        rows.append({"id": pk, "digest": digest, "stored_at": now, "verified_at": now, **first.deal_columns})
    database.insert(Deal, rows)
    new = _new_contributions(batch, known, added, part, upload)
    _insert_contributions(new, part, upload)
    # Few places have a sheet, and those that do are among the known deals.
    there = known.keys() | added.keys()
    places = {one.place(upload.space_id) for one, _ in new} - {None}
    sheets.cover(place for place in places if place and sheets.digest(place) in there)
    return added


def _new_contributions(
    batch: Sequence[Incoming],
    known: Mapping[bytes, StoredDeal],
    added: Mapping[bytes, StoredDeal],
    part: Part,
    upload: Upload,
) -> list[tuple[Incoming, StoredDeal]]:
    """The records of a batch that are the first of their space to their deals. Sets the outcomes of all."""
    own, visible = _contributed({known[one.digest].id for one in batch if one.digest in known}, upload)
    new: dict[int, tuple[Incoming, StoredDeal]] = {}
    for incoming in batch:
        incoming.outcome, incoming.differs = "known", ""
        deal = known.get(incoming.digest) or added[incoming.digest]
        incoming.deal = deal.id
        if before := own.get(deal.id):
            if before.is_first and (before.part_id, before.n) == (part.pk, incoming.entry.n):
                incoming.outcome = "stored"  # by this part, when it was read before
            elif before.fingerprint != incoming.columns["fingerprint"]:
                contribution = Contribution.objects.prefetched().select_related("deal").get(pk=before.id)
                incoming.differs = _differences(from_contribution(contribution), incoming, upload)
        elif deal.id in new:
            earlier, _deal = new[deal.id]
            if earlier.columns["fingerprint"] != incoming.columns["fingerprint"]:
                incoming.differs = _differences(earlier.data, incoming, upload)
        else:
            new[deal.id] = incoming, deal
            incoming.outcome = "known" if deal.id in visible else "stored"
    return list(new.values())


def _contributed(deals: Iterable[int], upload: Upload) -> tuple[dict[int, Any], set[int]]:
    """The contributions to these deals in the upload's space, by deal; and the deals that its sender can see:
    the sender does not learn that others are in the archive already.

    ``is_first``: whether the sender sees no earlier contribution to the deal.
    """
    if not deals:
        return {}, set()
    viewer = access.viewer(upload.user) if upload.user else Viewer(roles={upload.space_id: "owner"})
    listed = access.listed(viewer).order_by()
    visible = set(listed.filter(deal__in=deals).values_list("deal_id", flat=True))
    earlier = listed.filter(deal=OuterRef("deal"), pk__lt=OuterRef("pk"))
    own = Contribution.objects.filter(deal__in=deals, space=upload.space_id).order_by()
    own = own.annotate(is_first=~Exists(earlier))
    rows = own.values_list("deal_id", "id", "part_id", "n", "fingerprint", "is_first", named=True)
    return {row.deal_id: row for row in rows}, visible


def _differences(before: ContributionData, incoming: Incoming, upload: Upload) -> str:
    """The names of the details that differ, with blanks between them."""
    return " ".join(differences(before, incoming.data, upload.space_id))


def _insert_contributions(new: Sequence[tuple[Incoming, StoredDeal]], part: Part, upload: Upload) -> None:
    if not new:
        return
    players = ensure(Player, upload.space_id, {name for one, _ in new for name in one.data.players})
    sessions = ensure(Session, upload.space_id, {one.data.session for one, _ in new} - {""})
    _refresh({deal.id: deal for _, deal in new if not deal.new})
    contributions: list[dict[str, Any]] = []
    seats: list[dict[str, Any]] = []
    pks = database.reserve_ids(Contribution, len(new))
    for pk, number, (incoming, deal) in zip(pks, feed.reserve_numbers(len(new)), new, strict=True):
        contributions.append(
            {
                "id": pk,
                "deal": deal.id,
                "space": upload.space_id,
                "visibility": upload.visibility,
                "part": part.pk,
                "n": incoming.entry.n,
                "verdict": contribution_verdict(incoming.record.score, deal.verdict, deal.score),
                "session": sessions.get(incoming.data.session),
                "feed_number": number,
                "feed_kind": "stored",
                "was_public": upload.visibility == "public",
                **incoming.columns,
            }
        )
        # A seat that sat out has no points, not 0.
        points = {seat: deal.score[seat] for seat in incoming.record.active} if deal.score else {}
        for seat, name in incoming.record.players.items():
            seats.append(
                {"contribution": pk, "seat": seat, "player": players[name], "points": points.get(seat)}
            )
    database.insert(Contribution, contributions)
    database.insert(Seat, seats)


def _refresh(deals: dict[int, StoredDeal]) -> None:
    """Fetch the scores of deals, by id, and their verdicts: a campaign may have changed them."""
    if not deals:
        return
    for pk, verdict in Deal.objects.filter(pk__in=deals).values_list("pk", "verdict"):
        deals[pk].verdict, deals[pk].score = verdict, {} if verdict in DEAL_SCORED else None
    seats = Seat.objects.filter(contribution__deal__in=deals).order_by()
    for pk, seat, points in seats.values_list("contribution__deal_id", "seat", "points"):
        score = deals[pk].score
        if score is not None:
            score[seat] = points or 0
