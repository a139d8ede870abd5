"""Insert a batch of checked records as new deals, contributions and seats. Call with the insert lock held."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, Exists, Min, OuterRef, Q, When

from archive import access, database
from archive.access import Viewer
from archive.models import (
    CHOSEN,
    DEAL_SCORED,
    Contribution,
    Deal,
    Part,
    RuleSet,
    Seat,
    Upload,
    evening_visibilities,
)
from archive.rules import rules_of_record
from archive.storing import copies, feed, names, sheets
from archive.storing.contribution_data import ContributionData, differences, from_contribution
from archive.storing.verdicts import contribution_verdict, kind_of
from tarock.core.findings import Finding
from tarock.core.game import UNKNOWN_GAME
from tarock.core.record import Record
from tarock.notation import Entry


@dataclass(slots=True)
class Incoming:
    """A well-formed record that is about to be stored, with its deal, its contribution and its outcome.
    `digest`: the digest of the deal; for a sheet or a result, empty until `identify` sets it."""

    entry: Entry
    record: Record
    digest: bytes
    data: ContributionData
    columns: dict[str, Any]
    """Columns of the contribution, computed from `data`."""
    warnings: tuple[Finding, ...]
    deal_columns: dict[str, Any] | None = None
    """Columns of the deal, including the engine's verdict; None before the check."""
    score: dict[str, int] | None = None
    check_seconds: float = 0.0
    """Time that the engine took for the check, in seconds; 0 if the record was not checked."""
    check_error: str = ""
    """Traceback of an error in our own code during the check."""
    deal: int = 0
    contribution: int = 0
    """Id of the contribution if it is new; otherwise 0."""
    is_public: bool = False
    """Whether the contribution is both new and public."""
    outcome: str = "known"
    differs: str = ""
    error: str = ""
    """Traceback of an error in our own code, during the check or while storing the record."""

    @property
    def is_checked(self) -> bool:
        """Whether the engine has checked the record or failed on it."""
        return self.deal_columns is not None or bool(self.check_error)

    @property
    def table(self) -> dict[str, str]:
        """Players' names by seat."""
        return dict(zip(self.record.players, self.data.players, strict=True))

    def persons(self, known: Mapping[str, names.Known]) -> sheets.Persons:
        """Return the persons at the seats of the record (see `names.person_of`)."""
        return frozenset(names.person_of(name, known) for name in self.data.players)

    def place(self, sessions: Mapping[names.SessionKey, int]) -> sheets.Place | None:
        """Return the place of the deal in its session; None if it has none, or if its session is not among
        `sessions`."""
        session, record = sessions.get(self.data.session_key), self.record
        return sheets.place(session, record.game, self.data.number)


@dataclass(slots=True)
class StoredDeal:
    """The data of a stored deal that is needed to compute the verdict on another contribution."""

    id: int
    verdict: str
    score: dict[str, int] | None = None
    new: bool = False


def stored_deals(digests: Iterable[bytes], upload: Upload) -> tuple[dict[bytes, StoredDeal], set[bytes]]:
    """Return, by digest, the stored deals that an upload may contribute to: deals in its own space, deals
    that are or were public, and deals that the sender can see. The id of any other deal would reveal that the
    deal exists (`archive.storing.copies`). Also return which of the digests belong to a stored deal, even a
    hidden one. At most four queries."""
    wanted = list(set(digests))
    found = Deal.objects.filter(digest__any_of=wanted) if wanted else Deal.objects.none()
    rows = found.values_list("id", "digest", "verdict")
    deals = {pk: (bytes(digest), verdict) for pk, digest, verdict in rows}
    if not deals:
        return {}, set()
    own = Q(space=upload.space_id)
    usable = own | Q(was_public=True) | access.is_listed(_sender(upload))
    rank = Min(Case(When(own, then=0), When(was_public=True, then=1), default=2))
    visible = Contribution.objects.filter(usable, deal__in=list(deals)).order_by().values("deal_id")
    ranked = visible.annotate(rank=rank).order_by("-rank", "-deal_id").values_list("deal_id", flat=True)
    usable_deals = {deals[pk][0]: StoredDeal(pk, deals[pk][1]) for pk in ranked}
    return usable_deals, {digest for digest, _ in deals.values()}


def _sender(upload: Upload) -> Viewer:
    """Return the sender of an upload as a viewer."""
    return access.viewer(upload.user) if upload.user else Viewer(roles={upload.space_id: "owner"})


def identify(batch: Sequence[Incoming], part: Part, upload: Upload) -> None:
    """Set the digest of each sheet and result in a batch: the digest of an earlier one of the same deal or
    evening in the archive or in the batch, or a new digest if there is none. Call with the insert lock
    held."""
    found = [incoming for incoming in batch if not incoming.record.is_played]
    if not found:
        return
    space = upload.space_id
    sessions = names.find_sessions(space, {incoming.data.session_key for incoming in found})
    there = sheets.at({place for incoming in found if (place := incoming.place(sessions))})
    known = names.known_players(space, {name for incoming in found for name in incoming.data.players})
    of_batch: dict[tuple[Any, ...], list[tuple[bytes, sheets.Persons]]] = {}
    for incoming in found:
        place, persons = incoming.place(sessions), incoming.persons(known)
        kind, number = kind_of(incoming.record), incoming.data.number
        game = incoming.record.game if number is not None else UNKNOWN_GAME
        key = (*incoming.data.session_key, kind, game, number)
        entries = there.get(place, ()) if place else ()
        stored = [(one.digest, one.persons) for one in entries if one.kind == kind]
        candidates = of_batch.setdefault(key, stored)
        # An evening has only one table, so all its sheets are from the same table.
        same = (
            one
            for one, at in candidates
            if upload.source == "evening" or sheets.same_deal(number, at, persons)
        )
        incoming.digest = next(same, b"")
        if not incoming.digest:
            incoming.digest = sheets.digest(part, incoming.entry.n)
            candidates.append((incoming.digest, persons))


def insert(
    batch: Sequence[Incoming],
    known: Mapping[bytes, StoredDeal],
    taken: Collection[bytes],
    part: Part,
    upload: Upload,
    now: datetime,
) -> dict[bytes, StoredDeal]:
    """Insert the new deals and contributions of a batch, and set the outcomes of its records. Return the new
    deals by digest. `known`: the stored deals that the upload may contribute to, by digest; `taken`: the
    digests in the batch that belong to any stored deal, even a hidden one."""
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
    RuleSet.keep(rules_of_record(first.record) for first in firsts.values())
    database.insert(Deal, rows)
    new = _new_contributions(batch, known, added, part, upload)
    sessions = _insert_contributions(new, part, upload)
    _cover_sheets(new, sessions)
    if published := {incoming.contribution: deal.id for incoming, deal in new if incoming.is_public}:
        digests = {deal.id: incoming.digest for incoming, deal in new if incoming.digest in taken}
        moved = copies.publish(published, digests, [deal.id for deal in added.values()])
        for incoming, deal in new:
            deal.id = moved.get(incoming.contribution, deal.id)
        for incoming in batch:
            incoming.deal = (known.get(incoming.digest) or added[incoming.digest]).id
    return added


def _cover_sheets(
    new: Sequence[tuple[Incoming, StoredDeal]], sessions: Mapping[names.SessionKey, int]
) -> None:
    """Store the places of new sheets and results. Cover or uncover those at the places of all new
    contributions, and set `differs` of the new records."""
    placed = [(incoming, place, deal) for incoming, deal in new if (place := incoming.place(sessions))]
    rows = [{"id": deal.id, "place": at.key} for one, at, deal in placed if not one.record.is_played]
    database.update(Deal, rows)
    differ = sheets.cover({place for _, place, _ in placed})
    for incoming, _ in new:
        incoming.differs = differ.get(incoming.contribution, "")


def _new_contributions(
    batch: Sequence[Incoming],
    known: Mapping[bytes, StoredDeal],
    added: Mapping[bytes, StoredDeal],
    part: Part,
    upload: Upload,
) -> list[tuple[Incoming, StoredDeal]]:
    """Set the outcomes of all records in a batch. Return the records for which the upload's space needs a new
    contribution, each with its deal."""
    own, visible = _contributed({known[one.digest].id for one in batch if one.digest in known}, upload)
    new: dict[int, tuple[Incoming, StoredDeal]] = {}
    for incoming in batch:
        incoming.outcome, incoming.differs = "known", ""
        deal = known.get(incoming.digest) or added[incoming.digest]
        incoming.deal = deal.id
        before = None
        if mine := own.get(deal.id):
            if mine.is_first and (mine.part_id, mine.n) == (part.pk, incoming.entry.n):
                incoming.outcome = "stored"  # an earlier attempt stored this part
            elif mine.fingerprint != incoming.columns["fingerprint"]:
                contribution = Contribution.objects.prefetched().select_related("deal").get(pk=mine.id)
                before = from_contribution(contribution)
        elif deal.id in new:
            before = new[deal.id][0].data
        else:
            new[deal.id] = incoming, deal
            incoming.outcome = "known" if deal.id in visible else "stored"
        if before is not None:
            incoming.differs = " ".join(differences(before, incoming.data, upload.space_id))
    return list(new.values())


def _contributed(deals: Iterable[int], upload: Upload) -> tuple[dict[int, Any], set[int]]:
    """Return the contributions of the upload's space to these deals, by deal id, and the ids of the deals
    that the sender can see. The sender must not learn of other deals. Each contribution has `is_first`:
    whether the sender sees no earlier contribution to the deal."""
    if not deals:
        return {}, set()
    listed = access.listed(_sender(upload)).order_by()
    visible = set(listed.filter(deal__in=deals).values_list("deal_id", flat=True))
    earlier = listed.filter(deal=OuterRef("deal"), pk__lt=OuterRef("pk"))
    own = Contribution.objects.filter(deal__in=deals, space=upload.space_id).order_by()
    own = own.annotate(is_first=~Exists(earlier))
    rows = own.values_list("deal_id", "id", "part_id", "n", "fingerprint", "is_first", named=True)
    return {row.deal_id: row for row in rows}, visible


def _insert_contributions(
    new: Sequence[tuple[Incoming, StoredDeal]], part: Part, upload: Upload
) -> dict[names.SessionKey, int]:
    """Insert contributions with their seats. Return the ids of their sessions by key."""
    if not new:
        return {}
    tables = names.seat(upload.space_id, [one.table for one, _ in new])
    sessions = names.make_sessions(upload.space_id, {one.data.session_key for one, _ in new})
    evenings = evening_visibilities(sessions.values())
    _refresh({deal.id: deal for _, deal in new if not deal.new})
    contributions: list[dict[str, Any]] = []
    seats: list[dict[str, Any]] = []
    pks = database.reserve_ids(Contribution, len(new))
    numbers = feed.reserve_numbers(len(new))
    for pk, number, (incoming, deal), table in zip(pks, numbers, new, tables, strict=True):
        incoming.contribution = pk
        session = sessions.get(incoming.data.session_key)
        visibility = evenings.get(session, upload.visibility)
        if upload.source != "evening":
            visibility = max(visibility, upload.visibility, key=CHOSEN.index)
        incoming.is_public = visibility == "public"
        contributions.append(
            {
                "id": pk,
                "deal": deal.id,
                "space": upload.space_id,
                "visibility": visibility,
                "part": part.pk,
                "n": incoming.entry.n,
                "verdict": contribution_verdict(incoming.record.score, deal.verdict, deal.score),
                "session": session,
                "feed_number": number,
                "feed_kind": "stored",
                "was_public": incoming.is_public,
                **incoming.columns,
            }
        )
        # The points of a seat that sat out are null, not 0.
        points = {seat: deal.score[seat] for seat in incoming.record.active} if deal.score else {}
        seats += [
            {
                "contribution": pk,
                "seat": seat,
                "player": who.player,
                "name": who.name,
                "points": points.get(seat),
            }
            for seat, who in table.items()
        ]
    database.insert(Contribution, contributions)
    database.insert(Seat, seats)
    return sessions


def _refresh(deals: dict[int, StoredDeal]) -> None:
    """Fetch the current verdicts and scores of stored deals, for the verdicts on new contributions. `deals`:
    the objects to update, by id."""
    if not deals:
        return
    for pk, verdict in Deal.objects.filter(pk__in=deals).values_list("pk", "verdict"):
        deals[pk].verdict, deals[pk].score = verdict, {} if verdict in DEAL_SCORED else None
    seats = Seat.objects.filter(contribution__deal__in=deals).order_by()
    for pk, seat, points in seats.values_list("contribution__deal_id", "seat", "points"):
        score = deals[pk].score
        if score is not None:
            score[seat] = points or 0
