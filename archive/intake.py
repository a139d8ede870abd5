"""Storing a part of an upload: read, check, and write deals with their verdicts, in one transaction.

A deal is never there without its verdict, and a part is stored as a whole or not at all; done twice it
changes nothing. A record that breaks the rules gets a verdict. An exception in our own code marks the record
that it belongs to, never its neighbours, and is never a verdict.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

import tarock
from archive import database, sheets, work
from archive.fields import packed
from archive.models import (
    DEAL_VERDICTS,
    NAME_LENGTH,
    VERDICTS,
    Contribution,
    Deal,
    Part,
    Player,
    Seat,
    Session,
    Upload,
    UploadItem,
)
from tarock.findings import Finding, NotWritable
from tarock.game import SEATS
from tarock.games import GAMES
from tarock.notation import Entry, dump_json, read_piece, write_text
from tarock.record import Record
from tarock.verify import Check, check

logger = logging.getLogger(__name__)

_GAME_NUMBERS = {game: number for number, game in enumerate(GAMES)}
_OWN_TAGS = ("Date", "Event", "Site", "Session", "Deal")
"""Tags that a contribution has columns for."""


class _NotKept(Exception):
    """A well-formed record that the archive cannot hold; the message says why, in words for its sender."""


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
    """A good record on its way: the record, and what its sender says beside the deal."""

    entry: Entry
    record: Record
    digest: bytes
    players: list[str]
    session: str
    number: int | None
    date: str
    played_on: date | None
    event: str
    site: str
    claim: str
    tags: str
    comments: str
    said: int
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
    lead: int
    score: dict[str, int] | None = None


@dataclass(slots=True)
class _Said:
    """A contribution that the archive has, as far as it is compared with a new one of the same sender."""

    id: int
    part: int
    n: int
    said: int


@dataclass(slots=True)
class _Storing:
    """The storing of one part: what was read, and what of it is there."""

    part: Part
    user: int | None
    now: datetime
    sent: list[_Sent] = field(default_factory=list)
    items: list[tuple[Any, ...]] = field(default_factory=list)
    records: int = 0
    known: dict[bytes, _Stored] = field(default_factory=dict)
    """The deals that the archive had when the part was read."""
    deals: dict[bytes, _Stored] = field(default_factory=dict)
    """Those that it has by now."""


def store(part_id: int, *, again: bool = False) -> Part | None:
    """Take a part that waits, and store it. Returns the part, or None when there was nothing to take.

    ``again``: see `work.claim`.
    """
    part = work.claim(Part, part_id, again=again)
    if part is None:
        return None
    try:
        storing = _read(part)
        database.patiently(lambda: _write(storing))
    except Exception:
        work.give_back(part)
        finish(Upload.objects.filter(pk=part.upload_id))
    return part


def finish(uploads: QuerySet[Upload]) -> None:
    """Note which of these uploads have no part left to be stored."""
    rest = Part.objects.open().filter(upload=OuterRef("pk"))
    kept = uploads.filter(kept_at__isnull=False, finished_at__isnull=True)
    kept.filter(~Exists(rest)).update(finished_at=timezone.now())


# --- reading ------------------------------------------------------------------------------------------------


def _read(part: Part) -> _Storing:
    """Read all records of a part, and check those whose deals are not stored yet."""
    user = Upload.objects.values_list("user_id", flat=True).get(pk=part.upload_id)
    storing = _Storing(part, user, timezone.now())
    for entry in _entries(part):
        storing.records += 1
        if entry.record is None:
            storing.items.append(_item(entry, "malformed", finding=entry.error))
            continue
        try:
            storing.sent.append(_prepare(entry, entry.record))
        except _NotKept as reason:
            storing.items.append(_item(entry, "refused", finding=Finding(*reason.args)))
        except Exception:
            logger.exception("record %s of %s could not be prepared", entry.n, part)
            storing.items.append(_item(entry, "failed", error=traceback.format_exc()))
    storing.known = _known(sent.digest for sent in storing.sent)
    for sent in storing.sent:
        if sent.digest not in storing.known:
            _check(sent)
    return storing


def _entries(part: Part) -> Iterable[Entry]:
    """The records of a part; of an upload that has none, one entry that says so."""
    n = -1
    for entry in read_piece(part.piece):
        n = entry.n
        yield entry
    if n < 0 and part.last and not part.number:
        yield Entry(0, None, Finding("nothing", line=1, column=1, pointer=""), "", 1, part.form)


def _check(sent: _Sent) -> None:
    """Ask the engine; an exception is ours, and this record's alone."""
    try:
        sent.checked = _verdict(sent)
    except Exception:
        logger.exception("a record could not be checked")
        sent.unchecked = traceback.format_exc()


def _prepare(entry: Entry, record: Record) -> _Sent:
    """A good record with what its sender says.

    :raises _NotKept: when it holds what the archive's database cannot.
    """
    tags = record.tags
    session, day = tags.get("Session", ""), tags.get("Date", "")
    for reason, name in [("name-too-long", name) for name in record.players.values()] + [
        ("session-too-long", session)
    ]:
        if len(name) > NAME_LENGTH:
            raise _NotKept(reason, {"found": len(name), "limit": NAME_LENGTH})
    number = _deal_number(tags.get("Deal", ""))
    columns = {name: tags.get(name, "") for name in _OWN_TAGS} | {"Deal": str(number or "")}
    rest = {name: value for name, value in tags.items() if columns.get(name) != value}
    players = list(record.players.values())
    texts = columns["Event"], columns["Site"], _written(record.score), _json(rest), _json(record.comments)
    if not database.is_storable("".join([*players, session, *texts])):
        raise _NotKept("not-storable")
    beside = players, session, number, day, *texts
    return _Sent(
        entry,
        record,
        bytes.fromhex(record.digest),
        *beside[:4],
        first_day(day),
        *beside[4:],
        int.from_bytes(hashlib.sha256(repr(beside).encode()).digest()[:8], "big", signed=True),
    )


def _json(value: dict[Any, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else ""


def first_day(date_text: str) -> date | None:
    """The first day that a date with unknown parts (``2026-11-??``) allows; None if there is no such day."""
    found = re.fullmatch(r"(\d{4})-(\d\d|\?\?)-(\d\d|\?\?)", date_text)
    if found is None:
        return None
    year, month, day = (1 if part == "??" else int(part) for part in found.groups())
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _deal_number(text: str) -> int | None:
    """The tag ``Deal`` as a number, where it is one that the database holds and gives back as it was."""
    return int(text) if re.fullmatch(r"[1-9][0-9]{0,8}", text) else None


# --- writing ------------------------------------------------------------------------------------------------


def _write(storing: _Storing) -> None:
    """Store what was read, in a transaction; nothing of it if another did so meanwhile."""
    database.in_turn()
    if not work.undone(storing.part).exists():
        logger.warning("%s was stored by another worker", storing.part)
        return
    # Others stored meanwhile, and this may be a second try.
    rest = _known(sent.digest for sent in storing.sent if sent.digest not in storing.known)
    storing.deals = storing.known | rest
    for sent in storing.sent:
        sent.error = "" if sent.digest in storing.deals else sent.unchecked
    _keep([sent for sent in storing.sent if not sent.error], storing)
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
    numbers = iter(database.reserve(Deal, len(firsts)) if firsts else ())
    said = _said([known[sent.digest].id for sent in batch if sent.digest in known], storing)
    contributions: list[tuple[_Sent, _Stored]] = []
    for sent in batch:
        sent.outcome, sent.differs = "known", ""
        deal = known.get(sent.digest) or made.get(sent.digest)
        if deal is None:
            assert sent.checked is not None
            deal = made[sent.digest] = _Stored(next(numbers), sent.checked.verdict, 0)
        sent.deal = deal.id
        before = said.get((deal.id, sent.said)) or said.get((deal.id, None))
        if before is None:
            contributions.append((sent, deal))
            mine = _Said(0, part.pk, sent.entry.n, sent.said)
            said[deal.id, sent.said] = mine
            if storing.user is not None:
                said[deal.id, None] = mine
            sent.outcome = "stored" if firsts.get(sent.digest) is sent else "known"
        elif (before.part, before.n) == (part.pk, sent.entry.n) and deal.lead == before.id:
            sent.outcome = "stored"  # this part did it when it was read before
        elif before.said != sent.said:
            sent.differs = _differences(before, sent, batch)
    _insert_contributions(contributions, firsts, storing)
    return made


def _said(deals: list[int], storing: _Storing) -> dict[tuple[int, int | None], _Said]:
    """What the same sender said of these deals before, by deal and what was said; for a user, who says one
    thing of a deal, also by the deal alone."""
    found: dict[tuple[int, int | None], _Said] = {}
    rows = Contribution.objects.filter(deal__in=deals, user=storing.user).order_by("-id") if deals else ()
    for row in rows and rows.values_list("deal_id", "id", "part_id", "n", "said"):
        found[row[0], row[4]] = one = _Said(*row[1:])
        if storing.user is not None:
            found[row[0], None] = one
    return found


def _differences(before: _Said, sent: _Sent, batch: Sequence[_Sent]) -> str:
    """What a sender says otherwise than he did before, as words with blanks between them."""
    if not before.id:
        was = next(other for other in batch if other.entry.n == before.n)
        old: dict[str, Any] = {name: getattr(was, name) for name in _COMPARED}
    else:
        row = (
            Contribution.objects.select_related("session").prefetch_related("seats__player").get(pk=before.id)
        )
        old = {name: getattr(row, name) for name in _COMPARED if name not in ("players", "session")}
        old |= {
            "session": row.session.name if row.session else "",
            "players": [seat.player.name for seat in row.seats.all()],
        }
    return " ".join(name for name in _COMPARED if old[name] != getattr(sent, name))


_COMPARED = ("players", "session", "number", "date", "event", "site", "claim", "tags", "comments")

JUDGED = ("verdict", "engine_version", "clauses", "sheet", "declarer", "contract")
"""The columns of a deal that hold the engine's answer."""

_DEAL = (
    "id",
    "lead",
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
    "id", "deal", "user", "part", "n", "verdict", "session", "number", "date", "played_on", "event", "site",
    "claim", "tags", "comments", "said",
)  # fmt: skip


def _insert_contributions(
    new: Sequence[tuple[_Sent, _Stored]], firsts: dict[bytes, _Sent], storing: _Storing
) -> None:
    if not new:
        return
    players = _ensure(Player, {name for sent, _ in new for name in sent.players})
    sessions = _ensure(Session, {sent.session for sent, _ in new if sent.session})
    _look_again(deal for _, deal in new if deal.lead)
    now = database.ready(Deal, "stored_at")(storing.now)
    day = database.ready(Contribution, "played_on")
    deals: list[tuple[Any, ...]] = []
    contributions: list[tuple[Any, ...]] = []
    seats: list[tuple[Any, ...]] = []
    for pk, (sent, deal) in zip(database.reserve(Contribution, len(new)), new, strict=True):
        if firsts.get(sent.digest) is sent:
            assert sent.checked is not None
            deal.lead = pk
            deals.append((deal.id, pk, now, now, *sent.checked.columns))
            deal.score = sent.checked.score
        verdict = verdict_on(sent.record.score, deal.verdict, deal.score)
        row = (pk, deal.id, storing.user, storing.part.pk, sent.entry.n, VERDICTS.index(verdict))
        row += (
            sessions.get(sent.session),
            sent.number,
            sent.date,
            day(sent.played_on),
            sent.event,
            sent.site,
        )
        contributions.append((*row, sent.claim, sent.tags, sent.comments, sent.said))
        points = deal.score or {}
        for number, (seat, name) in enumerate(sent.record.players.items()):
            seats.append((pk, number, players[name], points.get(seat)))
    database.insert(Deal, _DEAL, deals)
    database.insert(Contribution, _CONTRIBUTION, contributions)
    database.insert(Seat, ("contribution", "seat", "player", "points"), seats)


def verdict_on(claim: dict[str, int] | None, verdict: str, score: dict[str, int] | None) -> str:
    """The verdict on what a sender says: that on the deal, or `disputed` if he claims another score."""
    return "disputed" if score is not None and claim not in (None, score) else verdict


def _written(score: dict[str, int] | None) -> str:
    """A score as it is written in a record, in the order of the seats."""
    return " ".join([f"{seat}={points}" for seat, points in sorted((score or {}).items())])


def _verdict_of(checked: Check) -> str:
    """The verdict on the deal, whatever was claimed."""
    return "verified" if checked.verdict == "disputed" else checked.verdict


def bare(record: Record) -> str:
    """The deal of a record and nothing that a sender adds, in canonical text (or JSON where text cannot
    write it): letters stand for names."""
    alone = replace(record, players={seat: seat for seat in record.players}, tags={}, comments={}, score=None)
    try:
        return write_text(alone)
    except NotWritable:
        return dump_json(alone)


def judged(checked: Check) -> tuple[Any, ...]:
    """The values of the columns `JUDGED`, words and seats by their numbers, the sheet as text."""
    declarer, contract = checked.facts.get("declarer"), checked.facts.get("contract") or ""
    answer = DEAL_VERDICTS.index(_verdict_of(checked)), tarock.__version__, *sheets.pack(checked)
    return (*answer, SEATS.index(declarer) if declarer else None, contract)


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
    rows = Deal.objects.filter(digest__in=wanted).values_list("digest", "id", "verdict", "lead_id")
    return {bytes(digest): _Stored(*found) for digest, *found in rows} if wanted else {}


def _look_again(deals: Iterable[_Stored]) -> None:
    """Fill in the scores of deals that the archive has, and the verdicts as they are now: they may have been
    verified anew since they were found."""
    leads = {deal.lead: deal for deal in deals}
    if not leads:
        return
    there = Deal.objects.filter(pk__in=[deal.id for deal in leads.values()])
    for lead, verdict in there.values_list("lead_id", "verdict"):
        leads[lead].verdict, leads[lead].score = verdict, {} if verdict == "verified" else None
    scored = [lead for lead, deal in leads.items() if deal.score is not None]
    seats = Seat.objects.filter(contribution__in=scored)
    for lead, seat, points in seats.values_list("contribution_id", "seat", "points"):
        score = leads[lead].score
        assert score is not None
        score[seat] = points


def _ensure(model: type[Player] | type[Session], names: set[str]) -> dict[str, int]:
    """The ids of the rows with these names, by name; those that are missing are made."""
    found = dict(model.objects.filter(name__in=names).values_list("name", "id"))
    missing = sorted(names - found.keys())
    if missing:
        made = model.objects.bulk_create([model(name=name) for name in missing])
        found |= {row.name: row.pk for row in made}
    return found


# --- the result ---------------------------------------------------------------------------------------------


def _item(entry: Entry, outcome: str, *, finding: Finding | None = None, error: str = "") -> tuple[Any, ...]:
    """The row for a record that was not kept."""
    told = database.storable(sheets.finding_text(finding)) if finding is not None else ""
    number = UploadItem.OUTCOMES.index(outcome)
    line = finding.line if finding is not None and finding.line else entry.line
    return entry.n, entry.n, number, None, line, "", told, database.storable(error)


def _write_result(storing: _Storing) -> None:
    """Write down what became of each record, and that the part is stored."""
    part = storing.part
    rows: list[tuple[Any, ...]] = [*storing.items]
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
        rows.append(run)  # type: ignore[arg-type]
    counts = dict.fromkeys(UploadItem.OUTCOMES, 0)
    for row in rows:
        counts[UploadItem.OUTCOMES[row[2]]] += row[1] - row[0] + 1
    part.items.all().delete()
    columns = ("part", "n", "last", "outcome", "deal_id", "line", "differs", "finding", "error")
    database.insert(UploadItem, columns, [(part.pk, *row) for row in sorted(rows, key=lambda row: row[0])])
    work.undone(part).update(state="done", error="", records=storing.records, **counts)
    finish(Upload.objects.filter(pk=part.upload_id))
