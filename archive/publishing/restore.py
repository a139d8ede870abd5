"""Making an archive of dumps (`archive.publishing.dumps`): the records go the way of everything that is sent.

Everything is looked at before anything is stored. The engine judges anew; numbers are given anew, in the same
order.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.db import transaction

from archive import database
from archive.models import Contribution, Deal, Session, Space
from archive.publishing import dumps
from archive.reading.uploads import results_of
from archive.storing import intake, spaces, uploads
from archive.storing.contribution_data import NotStorable, ensure, from_record
from tarock.notation import Entry, read_file, read_stored

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser

_TRIES = 20
"""By so many of its records it is looked whether somebody's own space is there already."""


class NotEmpty(Exception):
    """There are deals in the archive."""


class Broken(ValueError):
    """A file is not what was dumped, with its name and what is wrong with it. Nothing was stored."""


class Stopped(Exception):
    """A record could not be stored through a fault of ours; what was stored before it stays."""


@dataclass(slots=True)
class Restored:
    """What became of the records of the dumps."""

    stored: int = 0
    known: int = 0
    differ: int = 0
    """Those of which the archive says something else, which stands."""
    judged_otherwise: int = 0
    """Those on which this engine has another verdict than the one that dumped them."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A record of a dump, what is said beside it, and its place among those of its deal."""

    entry: Entry
    beside: dict[str, Any]
    place: int = 0

    @property
    def space(self) -> int:
        """The number that its space has in the dumps."""
        return int(self.beside["space"]["number"])


@dataclass(slots=True)
class _Found:
    """What stands in the dumps beside records, and the spaces that take the place of those in them."""

    about: dict[int, dict[str, str]] = field(default_factory=dict)
    sessions: dict[int, tuple[int, str]] = field(default_factory=dict)
    spaces: dict[int, Space] = field(default_factory=dict)
    tries: dict[int, int] = field(default_factory=dict)


def restore(
    paths: Iterable[Path], *, into_existing: bool = False, owner: AbstractBaseUser | None = None
) -> Restored:
    """Store what is in these dumps (folders, or files of them). ``owner``: who is to own the clubs that are
    made; without one they have no members.

    Of one call are all dumps of one archive, else what people sent for themselves comes apart: only clubs
    have names. With ``into_existing`` an archive may have deals: those it has are known.

    :raises NotEmpty: if it has, and may not.
    :raises Broken: before anything is stored.
    :raises Stopped: if our own code fails.
    """
    if not into_existing and Deal.objects.exists():
        raise NotEmpty
    found, months = _Found(), _months(paths)
    for folder, month in months:
        for row in _rows(folder, month):
            _look(row, found, into_existing)
    database.retry_transient(lambda: _make(found, owner))
    done = Restored()
    for folder, month in months:
        for batch in _batches(_rows(folder, month)):
            # The first that is said of each deal, then the second …: in the order of deals, but not an
            # upload for each record of a deal that two clubs have.
            in_turn = sorted(batch, key=lambda row: row.place)
            for (space, _form), rows in groupby(in_turn, lambda row: (row.space, row.entry.form)):
                _store(list(rows), found.spaces[space], month, done)
    return done


# --- reading ------------------------------------------------------------------------------------------------


def _months(paths: Iterable[Path]) -> list[tuple[Path, str]]:
    """The folders and months of the dumps, the earliest month first, once the sums of their files are
    right."""
    found = set()
    for path in paths:
        names = _sums(path) if path.is_dir() else [path.name]
        here = {match[1] for name in names if (match := re.fullmatch(r"[a-z]+-(\d{4}-\d\d)\..*", name))}
        if not here:
            raise Broken(f"{path}: there is no dump")
        found |= {(path if path.is_dir() else path.parent, month) for month in here}
    for folder, month in found:
        sums = _sums(folder)
        for name in (dumps.tgn_name(month), dumps.beside_name(month)):
            try:
                with (folder / name).open("rb") as opened:
                    right = hashlib.file_digest(opened, "sha256").hexdigest() == sums.get(name)
            except OSError as fault:
                raise Broken(f"{folder / name}: {fault.strerror}") from fault
            if not right:
                raise Broken(f"{folder / name}: it is broken: its sum is not the one in {dumps.SUMS}")
    return sorted(found, key=lambda one: (one[1], one[0]))


def _sums(folder: Path) -> dict[str, str]:
    """The sums of the files in a folder, by name."""
    try:
        lines = (folder / dumps.SUMS).read_text(encoding="utf-8").splitlines()
    except OSError as fault:
        raise Broken(f"{folder / dumps.SUMS}: {fault.strerror}") from fault
    return {name.lstrip(" *"): word for word, _, name in (line.partition(" ") for line in lines)}


def _rows(folder: Path, month: str) -> Iterator[_Row]:
    """The records of a month, each with what is said beside it.

    :raises Broken: if the two files are not of each other.
    """
    import pyarrow

    names = folder / dumps.tgn_name(month), folder / dumps.beside_name(month)
    try:
        tgn, beside = (pyarrow.input_stream(str(name), compression="zstd") for name in names)
        with tgn, beside:
            entries, texts, deal, place = read_file(tgn, any_length=True), 0, 0, 0
            for n, line in enumerate(_lines(beside)):
                fields = json.loads(line)
                place = place + 1 if fields["id"] == deal else 0
                deal = fields["id"]
                if "record" in fields:
                    entry = read_stored(json.dumps(fields.pop("record"), ensure_ascii=False))
                else:
                    entry, texts = next(entries), texts + 1
                if entry.record is None or entry.record.digest != fields["digest"]:
                    raise Broken(f"{names[0]}: record {n} is not the one that {names[1].name} speaks of")
                yield _Row(entry, fields, place)
            if texts and next(entries, None) is not None:
                raise Broken(f"{names[0]}: it has more records than {names[1].name}")
    except (OSError, ValueError, KeyError, TypeError, StopIteration) as fault:
        if isinstance(fault, Broken):
            raise
        raise Broken(f"{names[0]}, {names[1].name}: they cannot be read: {fault!r}") from fault


def _lines(stream: Any) -> Iterator[bytes]:
    rest = b""
    while piece := stream.read(1 << 16):
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole


def _batches(rows: Iterable[_Row]) -> Iterator[list[_Row]]:
    """The records by some hundred, all of a deal together."""
    batch: list[_Row] = []
    for row in rows:
        if len(batch) >= dumps.BATCH and not row.place:
            yield batch
            batch = []
        batch.append(row)
    yield batch


# --- spaces and sessions ------------------------------------------------------------------------------------


def _look(row: _Row, found: _Found, into_existing: bool) -> None:
    """Note whose a record is, and its session."""
    number, space = row.space, row.beside["space"]
    assert row.entry.record is not None
    found.about[number] = {name: str(space[name]) for name in ("kind", "name", "place")}
    if found.about[number]["kind"] not in Space.KINDS:
        raise Broken(f"“{space['kind']}” is no kind of space")
    if row.beside["session"] is not None:
        found.sessions[row.beside["session"]] = number, row.entry.record.tags.get("Session", "")
    tries = found.tries.get(number, 0)
    if into_existing and space["kind"] in ("own", "guest") and number not in found.spaces and tries < _TRIES:
        found.tries[number] = tries + 1
        if same := _same(row, found.spaces.values()):
            found.spaces[number] = same


def _same(row: _Row, taken: Iterable[Space]) -> Space | None:
    """The space that says the same of a deal; it has no name to be known by."""
    assert row.entry.record is not None
    try:
        data = from_record(row.entry.record)
    except NotStorable:
        return None
    contributions = Contribution.objects.filter(
        deal__digest=bytes.fromhex(row.beside["digest"]), fingerprint=data.fingerprint
    )
    contributions = contributions.filter(space__kind=row.beside["space"]["kind"]).exclude(
        space__in=list(taken)
    )
    one = contributions.order_by("pk").select_related("space").first()
    return one.space if one is not None else None


def _make(found: _Found, owner: AbstractBaseUser | None) -> None:
    """Make the spaces, and the sessions in their order, that are not there."""
    database.insert_lock()  # with intake, which makes sessions too
    spaces.remove_abandoned()
    for number, about in sorted(found.about.items()):
        if number not in found.spaces:
            found.spaces[number] = spaces.restored(**about, owner=owner)
    for _, (number, name) in sorted(found.sessions.items()):
        ensure(Session, found.spaces[number].pk, {name} - {""})


# --- storing ------------------------------------------------------------------------------------------------


def _store(rows: list[_Row], space: Space, month: str, done: Restored) -> None:
    """Send records of a space to it, and store them here and now, each new deal with the time when it was
    stored before."""
    raw = "\n".join([row.entry.source.rstrip("\n") + "\n" for row in rows]).encode()
    with transaction.atomic():
        upload = uploads.receive(
            [raw],
            limit=len(raw),
            space=space,
            visibility="public",
            source="cli",
            filename=dumps.tgn_name(month),
            send=False,
        )
        for pk in upload.parts.values_list("pk", flat=True):
            intake.store(pk)
        both = list(zip(rows, results_of(upload, most=len(rows)), strict=False))
        new = [(row, result) for row, result in both if result.outcome == "stored"]
        times = [
            {"id": result.deal, "stored_at": datetime.fromisoformat(row.beside["stored_at"])}
            for row, result in new
        ]
        database.update(Deal, times)
    if [result.digest for _, result in both] != [row.beside["digest"] for row in rows]:
        raise Stopped(f"upload {upload.pk} could not be stored: the admin has the traceback")
    done.stored += len(new)
    done.known += len(rows) - len(new)
    done.differ += sum(bool(result.differs) for _, result in both)
    done.judged_otherwise += sum(result.verdict != row.beside["verdict"] for row, result in both)
