"""Storing a part of an upload: read, check, and write deals with their verdicts, in one transaction.

A deal is never there without its verdict, and a part is stored as a whole or not at all; done twice it
changes nothing. A record that breaks the rules gets a verdict. An exception in our own code marks the record
that it belongs to, never its neighbours, and is never a verdict.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

import tarock
from archive import access, database, packed_sheets
from archive.access import Viewer
from archive.fields import packed
from archive.models import (
    DEAL_VERDICTS,
    FEED_KINDS,
    VERDICTS,
    VISIBILITIES,
    Contribution,
    Deal,
    Part,
    Player,
    Seat,
    Session,
    Upload,
    UploadItem,
)
from archive.storing import claims, corrections, feed
from archive.storing.contribution_data import (
    SEARCH,
    ContributionData,
    NotStorable,
    differences,
    ensure,
    first_day,
    from_contribution,
    from_record,
    verdict_on,
)
from tarock.findings import Finding
from tarock.game import SEATS
from tarock.games import GAMES
from tarock.notation import Entry, dump_json, read_piece
from tarock.record import Record
from tarock.verify import Check, check

logger = logging.getLogger(__name__)

_GAME_NUMBERS = {game: number for number, game in enumerate(GAMES)}
# --- a record on its way ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Verdict:
    """The engine's answer on a deal that may be new: what is stored of it, in the order of `_DEAL` from the
    digest on. All of it is made before the turn to store comes."""

    verdict: str
    score: dict[str, int] | None
    columns: tuple[Any, ...]


@dataclass(slots=True)
class _Sent:
    """A good record on its way: the deal, what is said of it, and what becomes of it."""

    entry: Entry
    record: Record
    digest: bytes
    data: ContributionData
    search: tuple[str, str, str]
    checked: _Verdict | None = None
    unchecked: str = ""
    """The traceback of a fault of ours in checking it."""
    deal: int = 0
    outcome: str = "known"
    differs: str = ""
    error: str = ""
    """The traceback of a fault of ours in checking or storing it."""


@dataclass(slots=True)
class _Stored:
    """A deal that the archive has: its number, and what is needed to judge another contribution to it."""

    id: int
    verdict: str
    score: dict[str, int] | None = None
    new: bool = False


@dataclass(slots=True)
class _Contributed:
    """A contribution that the archive has, as far as it is compared with a new one of the same space."""

    id: int
    part: int
    n: int
    fingerprint: int
    first: bool = False
    """Whether it is the first one to its deal that its sender sees."""


_MOST_PLACES = 100
"""Faulty records of a part with a row of their own; further ones share a row while their faults are alike."""

_MOST_FAULTY = 1000
"""Faulty records after which the rest of a part is not read: it holds no more than some 300 deals."""


@dataclass(slots=True)
class _Storing:
    """The storing of one part: what was read, and what of it is there."""

    part: Part
    now: datetime
    sent: list[_Sent] = field(default_factory=list)
    items: list[tuple[Any, ...]] = field(default_factory=list)
    records: int = 0
    upload: Upload = field(init=False)
    deals: dict[bytes, _Stored] = field(default_factory=dict)
    """The deals that the archive has."""
    faulty: int = 0
    """Faulty records so far."""
    alike: tuple[str, tuple[Finding, ...]] | None = None
    """Outcome and findings, wherever in the input, of the last row for faulty records."""

    def refuse(self, entry: Entry, outcome: str, findings: tuple[Finding, ...]) -> None:
        """Note what is wrong with a record."""
        self.faulty += 1
        alike = outcome, tuple([finding.anywhere for finding in findings])
        follows = alike == self.alike and self.items[-1][1] == entry.n - 1
        if follows and self.faulty > _MOST_PLACES:
            first, _last, *rest = self.items[-1]
            self.items[-1] = first, entry.n, *rest
            return
        self.items.append(_item(entry, outcome, findings=findings))
        self.alike = alike


def store(part_id: int) -> Part | None:
    """Take a part that waits, and store it. Returns the part, or None when there was nothing to take."""
    part = claims.claim(Part, part_id)
    if part is None:
        return None
    try:
        with claims.renewed(part):
            storing = _read(part)
            database.retry_transient(lambda: _write(storing))
    except Exception as error:
        claims.give_back(part, error)
        finish(Upload.objects.filter(pk=part.upload_id))
    return part


def finish(uploads: QuerySet[Upload]) -> None:
    """Note which of these uploads have no part left to be stored."""
    rest = Part.objects.open().filter(upload=OuterRef("pk"))
    received = uploads.filter(accepted_at__isnull=False, finished_at__isnull=True)
    received.filter(~Exists(rest)).update(finished_at=timezone.now())


# --- reading ------------------------------------------------------------------------------------------------


def _read(part: Part) -> _Storing:
    """Read all records of a part, and check those whose deals are not stored yet."""
    storing = _Storing(part, timezone.now())
    for entry in _entries(part):
        storing.records += 1
        if storing.faulty == _MOST_FAULTY:
            rest = Finding("too-many-faults", {"number": storing.faulty}, line=entry.line)
            storing.items.append(_item(entry, "malformed", findings=(rest,)))
            break
        if entry.record is None:
            storing.refuse(entry, "malformed", entry.errors)
            continue
        try:
            digest = bytes.fromhex(entry.record.digest)
            data = from_record(entry.record)
            storing.sent.append(_Sent(entry, entry.record, digest, data, data.search))
        except NotStorable as reason:
            storing.refuse(entry, "refused", (Finding(*reason.args),))
        except Exception:
            logger.exception("record %s of %s could not be prepared", entry.n, part)
            storing.items.append(_item(entry, "failed", error=traceback.format_exc()))
            storing.alike = None
    known = _known(sent.digest for sent in storing.sent)
    for sent in storing.sent:
        if sent.digest not in known:
            _check(sent)
    return storing


def _entries(part: Part) -> Iterable[Entry]:
    """The records of a part; of an upload that has none, one entry that says so."""
    n = -1
    for entry in read_piece(part.piece):
        n = entry.n
        yield entry
    if n < 0 and part.last and not part.number:
        yield Entry(0, None, (Finding("nothing", line=1, column=1, pointer=""),), "", 1, part.form)


def _check(sent: _Sent) -> None:
    """Ask the engine; an exception is ours, and this record's alone."""
    try:
        sent.checked = _verdict(sent)
    except Exception:
        logger.exception("a record could not be checked")
        sent.unchecked = traceback.format_exc()


# --- writing ------------------------------------------------------------------------------------------------


def _write(storing: _Storing) -> None:
    """Store what was read, in a transaction; nothing of it if another did so meanwhile."""
    database.insert_lock()
    if not claims.undone(storing.part).exists():
        logger.warning("%s was stored by another worker", storing.part)
        return
    # Others stored meanwhile or removed, the upload may be another space's now, and this may be a second try.
    storing.upload = Upload.objects.get(pk=storing.part.upload_id)
    storing.deals = _known(sent.digest for sent in storing.sent)
    for sent in storing.sent:
        if sent.digest not in storing.deals and sent.checked is None and not sent.unchecked:
            _check(sent)
        sent.error = "" if sent.digest in storing.deals else sent.unchecked
    _keep([sent for sent in storing.sent if not sent.error], storing)
    part = storing.part
    if storing.upload.replaces_id is not None and storing.records == 1 and part.last and not part.number:
        for sent in storing.sent:
            corrections.put_in_place(storing.upload, sent.deal)
    _write_result(storing)


def _keep(batch: Sequence[_Sent], storing: _Storing) -> None:
    """Store records in a savepoint; if that fails, each half of them, until the one at fault is alone."""
    if not batch:
        return
    try:
        with transaction.atomic():
            made = _insert(batch, storing)
    except database.AWAY:
        raise  # the database, not a record
    except Exception:
        if len(batch) == 1:
            logger.exception("record %s of %s could not be stored", batch[0].entry.n, storing.part)
            batch[0].error = traceback.format_exc()
            return
        middle = len(batch) // 2
        _keep(batch[:middle], storing)
        _keep(batch[middle:], storing)
    else:
        storing.deals |= made


def _insert(batch: Sequence[_Sent], storing: _Storing) -> dict[bytes, _Stored]:
    """Insert the deals that are new and what is new of what is said of them; the new deals by digest."""
    known, part = storing.deals, storing.part
    firsts: dict[bytes, _Sent] = {}
    for sent in batch:
        if sent.digest not in known:
            firsts.setdefault(sent.digest, sent)
    made: dict[bytes, _Stored] = {}
    numbers = iter(database.reserve_ids(Deal, len(firsts)) if firsts else ())
    contributed, visible = _contributed(
        [known[sent.digest].id for sent in batch if sent.digest in known], storing.upload
    )
    contributions: list[tuple[_Sent, _Stored]] = []
    for sent in batch:
        sent.outcome, sent.differs = "known", ""
        deal = known.get(sent.digest) or made.get(sent.digest)
        if deal is None:
            assert sent.checked is not None
            deal = _Stored(next(numbers), sent.checked.verdict, sent.checked.score, new=True)
            made[sent.digest] = deal
        sent.deal = deal.id
        before = contributed.get(deal.id)
        if before is None:
            contributions.append((sent, deal))
            contributed[deal.id] = _Contributed(0, part.pk, sent.entry.n, sent.data.fingerprint)
            sent.outcome = "known" if deal.id in visible else "stored"
        elif before.first and (before.part, before.n) == (part.pk, sent.entry.n):
            sent.outcome = "stored"  # this part did it when it was read before
        elif before.fingerprint != sent.data.fingerprint:
            sent.differs = _differences(before, sent, batch, storing.upload.space_id)
    _insert_contributions(contributions, firsts, storing)
    return made


def _contributed(deals: list[int], upload: Upload) -> tuple[dict[int, _Contributed], set[int]]:
    """What was said of these deals before in the space that the upload was sent to, by deal; and those of the
    deals that its sender can see: that another one is stored already he is not told."""
    if not deals:
        return {}, set()
    viewer = access.viewer(upload.user) if upload.user else Viewer(roles={upload.space_id: "owner"})
    listed = access.listed(viewer).order_by()
    visible = set(listed.filter(deal__in=deals).values_list("deal_id", flat=True))
    earlier = listed.filter(deal=OuterRef("deal"), pk__lt=OuterRef("pk"))
    rows = Contribution.objects.filter(deal__in=deals, space=upload.space_id).order_by()
    found = rows.values_list("deal_id", "id", "part_id", "n", "fingerprint", ~Exists(earlier))
    return {deal: _Contributed(*rest) for deal, *rest in found}, visible


def _differences(before: _Contributed, sent: _Sent, batch: Sequence[_Sent], space: int) -> str:
    """What is said otherwise than before in the same space, as words with blanks between them."""
    if before.id:
        old = from_contribution(Contribution.objects.whole().get(pk=before.id))
    else:
        old = next(other.data for other in batch if other.entry.n == before.n)
    return " ".join(differences(old, sent.data, space))


JUDGED = (
    "verdict", "engine_version", "clauses", "sheet",
    "declarer", "partner", "card_points", "highest", "contract", "result",
)  # fmt: skip
"""The columns of a deal that hold the engine's answer."""

_DEAL = (
    "id",
    "stored_at",
    "verified_at",
    "digest",
    "game",
    "players_count",
    "dealer",
    "text",
    *JUDGED,
)
_CONTRIBUTION = (
    "id", "deal", "space", "visibility", "part", "n", "verdict", "session", "number", "date", "played_on",
    "event", "site", "claim", "tags", "comments", "fingerprint", "feed_number", "feed_kind", "was_public",
    *SEARCH,
)  # fmt: skip


def _insert_contributions(
    new: Sequence[tuple[_Sent, _Stored]], firsts: dict[bytes, _Sent], storing: _Storing
) -> None:
    if not new:
        return
    upload = storing.upload
    players = ensure(Player, upload.space_id, {name for sent, _ in new for name in sent.data.players})
    sessions = ensure(Session, upload.space_id, {sent.data.session for sent, _ in new} - {""})
    _look_again({deal.id: deal for _, deal in new if not deal.new})
    now = database.adapter(Deal, "stored_at")(storing.now)
    day = database.adapter(Contribution, "played_on")
    visibility, is_public = VISIBILITIES.index(upload.visibility), upload.visibility == "public"
    kind = FEED_KINDS.index("stored")
    deals: list[tuple[Any, ...]] = []
    contributions: list[tuple[Any, ...]] = []
    seats: list[tuple[Any, ...]] = []
    pks = database.reserve_ids(Contribution, len(new))
    for pk, change, (sent, deal) in zip(pks, feed.numbers(len(new)), new, strict=True):
        if firsts.get(sent.digest) is sent:
            assert sent.checked is not None
            deals.append((deal.id, now, now, *sent.checked.columns))
        verdict = VERDICTS.index(verdict_on(sent.record.score, deal.verdict, deal.score))
        data = sent.data
        contributions.append((
            pk, deal.id, upload.space_id, visibility, storing.part.pk, sent.entry.n, verdict,
            sessions.get(data.session), data.number, data.date, day(first_day(data.date)),
            data.event, data.site, data.claim, data.tags, data.comments, data.fingerprint,
            change, kind, is_public, *sent.search,
        ))  # fmt: skip
        # Who sat out made nothing, not 0 points: it is no deal of his.
        points = {seat: deal.score[seat] for seat in sent.record.active} if deal.score else {}
        for number, (seat, name) in enumerate(sent.record.players.items()):
            seats.append((pk, number, players[name], points.get(seat)))
    database.insert(Deal, _DEAL, deals)
    database.insert(Contribution, _CONTRIBUTION, contributions)
    database.insert(Seat, ("contribution", "seat", "player", "points"), seats)


def _verdict_of(checked: Check) -> str:
    """The verdict on the deal, whatever was claimed."""
    return "verified" if checked.verdict == "disputed" else checked.verdict


def bare(record: Record) -> str:
    """The deal of a record and nothing that a sender adds, in the JSON form: letters stand for names. It can
    write whatever can be read, is read faster than text, and most who ask want it so."""
    alone = replace(record, players={seat: seat for seat in record.players}, tags={}, comments={}, score=None)
    return dump_json(alone)


def judged(checked: Check) -> tuple[Any, ...]:
    """The values of the columns `JUDGED`, words and seats by their numbers, the sheet as text."""
    facts, score = checked.facts, checked.score
    declarer, partner = facts.get("declarer"), facts.get("partner")
    answer = DEAL_VERDICTS.index(_verdict_of(checked)), tarock.__version__, *packed_sheets.pack(checked)
    return (
        *answer,
        SEATS.index(declarer) if declarer else None,
        SEATS.index(partner) if partner else None,
        _card_points(facts) if score else None,
        max(score.values()) if score else None,
        facts.get("contract_played") or "",
        (facts.get("result") or "") if score else "",
    )


def _card_points(facts: dict[str, Any]) -> int | None:
    """The card points of the declarer's side. A side is called by its seat, or by a word for which the facts
    have the seat."""
    declarer, points = facts.get("declarer"), facts.get("card_points") or {}
    own = (found for side, found in points.items() if declarer in (side, facts.get(side)))
    return next(own, None) if declarer else None


def _verdict(sent: _Sent) -> _Verdict:
    """What the engine says of a deal."""
    record, checked = sent.record, check(sent.record)
    seats = len(record.players), SEATS.index(record.dealer)
    verdict, version, clauses, sheet, *found = judged(checked)
    deal = (sent.digest, _GAME_NUMBERS[record.game], *seats, packed(bare(record)))
    columns = (*deal, verdict, version, clauses, packed(sheet), *found)
    return _Verdict(_verdict_of(checked), checked.score, columns)


def _known(digests: Iterable[bytes]) -> dict[bytes, _Stored]:
    """Those of these deals that the archive has."""
    wanted = list(set(digests))
    rows = Deal.objects.filter(digest__in=wanted).values_list("digest", "id", "verdict")
    return {bytes(digest): _Stored(*found) for digest, *found in rows} if wanted else {}


def _look_again(deals: dict[int, _Stored]) -> None:
    """Fill in the scores of deals (by number) that the archive has, and the verdicts as they are now: they
    may have been verified anew since they were found."""
    if not deals:
        return
    for pk, verdict in Deal.objects.filter(pk__in=deals).values_list("pk", "verdict"):
        deals[pk].verdict, deals[pk].score = verdict, {} if verdict == "verified" else None
    seats = Seat.objects.filter(contribution__deal__in=deals).order_by()
    for pk, seat, points in seats.values_list("contribution__deal_id", "seat", "points"):
        score = deals[pk].score
        if score is not None:
            score[seat] = points or 0


# --- the result ---------------------------------------------------------------------------------------------


def _item(
    entry: Entry, outcome: str, *, findings: tuple[Finding, ...] = (), error: str = ""
) -> tuple[Any, ...]:
    """The row for a record that was not kept."""
    packed_findings = database.storable(packed_sheets.findings_text(findings)) if findings else ""
    number = UploadItem.OUTCOMES.index(outcome)
    line = findings[0].line if findings else None
    return entry.n, entry.n, number, None, line or entry.line, "", packed_findings, database.storable(error)


def _write_result(storing: _Storing) -> None:
    """Write down what became of each record, and that the part is stored."""
    part = storing.part
    rows: list[Sequence[Any]] = [*storing.items]
    run: list[Any] | None = None
    for sent in storing.sent:
        n = sent.entry.n
        if sent.error:
            rows.append(_item(sent.entry, "failed", error=sent.error))
            continue
        outcome = UploadItem.OUTCOMES.index(sent.outcome)
        follows = (
            run is not None and run[1] == n - 1 and run[2] == outcome and not run[5] and not sent.differs
        )
        if run is not None and follows and run[3] + n - run[0] == sent.deal:
            run[1] = n
            continue
        run = [n, n, outcome, sent.deal, sent.entry.line, sent.differs, "", ""]
        rows.append(run)
    counts = dict.fromkeys(UploadItem.OUTCOMES, 0)
    for row in rows:
        counts[UploadItem.OUTCOMES[row[2]]] += row[1] - row[0] + 1
    part.items.all().delete()
    columns = ("part", "n", "last", "outcome", "deal_id", "line", "differs", "finding", "error")
    database.insert(UploadItem, columns, [(part.pk, *row) for row in sorted(rows, key=lambda row: row[0])])
    claims.undone(part).update(state="done", error="", records=storing.records, **counts)
    finish(Upload.objects.filter(pk=part.upload_id))
