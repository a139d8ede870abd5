"""Restore an archive from dumps (`archive.publishing.dumps`). All files are checked before anything is
stored. Records are stored like uploads: the engine computes new verdicts, and deals get new ids in the same
order."""

from __future__ import annotations

import hashlib
import io
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
from archive.models import Contribution, Deal, Space
from archive.publishing import dumps
from archive.reading.uploads import results_of
from archive.storing import intake, spaces, uploads
from archive.storing.contribution_data import NotStorable, from_record
from archive.storing.names import SessionKey, make_sessions
from tarock.core.persons import folded
from tarock.notation import Entry, read_file, read_stored

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser

_TRIES = 20
"""Maximum number of records compared with the archive to find the existing space of a user or guest."""


class NotEmpty(Exception):
    """The archive already has deals."""


class Broken(ValueError):
    """A file is damaged or missing; the message contains its name and the error. Nothing was stored."""


class Stopped(Exception):
    """A record could not be stored because of an error in the archive. Earlier records stay stored."""


@dataclass(slots=True)
class Restored:
    """Numbers of records in the dumps, by outcome."""

    stored: int = 0
    known: int = 0
    differ: int = 0
    """Number of records whose details differ from those in the archive. The archive's details stay."""
    other_verdicts: int = 0
    """Number of records for which this engine computed a verdict other than the one in the dump."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A record of a dump with its metadata. `place`: index among the records of its deal, from 0."""

    entry: Entry
    metadata: dict[str, Any]
    place: int = 0

    @property
    def space(self) -> int:
        """Id of the record's space in the dumps."""
        return int(self.metadata["space"]["number"])


@dataclass(slots=True)
class _Contents:
    """The spaces and sessions found in the dumps. `space_fields`, `spaces` and `tries` map the id of a space
    in the dumps to its fields, to the archive's space for it, and to the number of records compared to find
    that space."""

    space_fields: dict[int, dict[str, str]] = field(default_factory=dict)
    sessions: dict[tuple[int, SessionKey], int] = field(default_factory=dict)
    """Maps the id, name and date of each session in the dumps to the id of its space."""
    spaces: dict[int, Space] = field(default_factory=dict)
    tries: dict[int, int] = field(default_factory=dict)


def restore(
    paths: Iterable[Path], *, into_existing: bool = False, owner: AbstractBaseUser | None = None
) -> Restored:
    """Store the records of these dumps (folders or files). `owner`: owner of new clubs.

    Restore all dumps of an archive in one call. Only clubs can be recognized by name, so separate calls would
    split the spaces of users. `into_existing`: allow an archive that already has deals; deals that are
    already in it are not stored again.

    :raises NotEmpty: if the archive has deals and `into_existing` is false.
    :raises Broken: if a dump is damaged or incomplete. Nothing was stored.
    :raises NeedsOwner: if there are new clubs and no owner for them. Nothing was stored.
    :raises Stopped: if a record can't be stored because of an error in our own code.
    """
    if not into_existing and Deal.objects.exists():
        raise NotEmpty
    contents, months = _Contents(), _months(paths)
    for folder, month in months:
        for row in _rows(folder, month):
            _note_space(row, contents, into_existing)
    _make_missing(contents, owner)
    done = Restored()
    for folder, month in months:
        for batch in _batches(_rows(folder, month)):
            # Store the first contribution to each deal, then the second, and so on. This keeps the deals in
            # order, and a deal with contributions from two clubs doesn't split the batch into more uploads.
            by_place = sorted(batch, key=lambda row: row.place)
            for (space, _form), rows in groupby(by_place, lambda row: (row.space, row.entry.form)):
                _store(list(rows), contents.spaces[space], month, done)
    return done


# --- reading ------------------------------------------------------------------------------------------------


def _months(paths: Iterable[Path]) -> list[tuple[Path, str]]:
    """Verify the checksums of these dumps. Return the folder and month of each, earliest month first."""
    months = set()
    for path in paths:
        names = _sums(path) if path.is_dir() else [path.name]
        here = {match[1] for name in names if (match := re.fullmatch(r"[a-z]+-(\d{4}-\d\d)\..*", name))}
        if not here:
            raise Broken(f"{path}: there is no dump")
        months |= {(path if path.is_dir() else path.parent, month) for month in here}
    for folder, month in months:
        sums = _sums(folder)
        for name in (dumps.tgn_name(month), _metadata_name(folder, month)):
            try:
                with (folder / name).open("rb") as opened:
                    right = hashlib.file_digest(opened, "sha256").hexdigest() == sums.get(name)
            except OSError as fault:
                raise Broken(f"{folder / name}: {fault.strerror}") from fault
            if not right:
                raise Broken(f"{folder / name}: it is broken: its sum is not the one in {dumps.SUMS}")
    return sorted(months, key=lambda one: (one[1], one[0]))


def _sums(folder: Path) -> dict[str, str]:
    """Return the checksums of the files in a folder, by name."""
    try:
        lines = (folder / dumps.SUMS).read_text(encoding="utf-8").splitlines()
    except OSError as fault:
        raise Broken(f"{folder / dumps.SUMS}: {fault.strerror}") from fault
    return {name.lstrip(" *"): word for word, _, name in (line.partition(" ") for line in lines)}


def _metadata_name(folder: Path, month: str) -> str:
    """Return the name of the file with a month's metadata. Before 1.0.0 it was `beside-…`."""
    name, former = dumps.metadata_name(month), f"beside-{month}.ndjson.zst"
    return former if (folder / former).exists() and not (folder / name).exists() else name


_FORMER_VERDICTS = {"reckoned": "computed"}
"""Maps the former names of verdicts, used in dumps from before 1.0.0, to the current names."""


def _rows(folder: Path, month: str) -> Iterator[_Row]:
    """Yield the records of a month with their metadata.

    :raises Broken: if one of the two files can't be read, or if they don't belong together.
    """
    import pyarrow

    names = folder / dumps.tgn_name(month), folder / _metadata_name(folder, month)
    try:
        tgn, metadata = (pyarrow.input_stream(str(name), compression="zstd") for name in names)
        with tgn, metadata:
            entries, texts, deal, place = read_file(tgn, any_length=True), 0, 0, 0
            for n, line in enumerate(io.BufferedReader(metadata)):
                fields = json.loads(line)
                fields["verdict"] = _FORMER_VERDICTS.get(fields["verdict"], fields["verdict"])
                place = place + 1 if fields["id"] == deal else 0
                deal = fields["id"]
                if "record" in fields:
                    entry = read_stored(json.dumps(fields.pop("record"), ensure_ascii=False))
                else:
                    entry, texts = next(entries), texts + 1
                if entry.record is None or entry.record.digest != fields.get("sheet", fields["digest"]):
                    raise Broken(f"{names[0]}: record {n} is not the one that {names[1].name} speaks of")
                yield _Row(entry, fields, place)
            if texts and next(entries, None) is not None:
                raise Broken(f"{names[0]}: it has more records than {names[1].name}")
    except (OSError, ValueError, KeyError, TypeError, StopIteration) as fault:
        if isinstance(fault, Broken):
            raise
        raise Broken(f"{names[0]}, {names[1].name}: they cannot be read: {fault!r}") from fault


def _batches(rows: Iterable[_Row]) -> Iterator[list[_Row]]:
    """Yield the records in batches of a few hundred, without splitting a deal."""
    batch: list[_Row] = []
    for row in rows:
        if len(batch) >= dumps.BATCH and not row.place:
            yield batch
            batch = []
        batch.append(row)
    yield batch


# --- spaces and sessions ------------------------------------------------------------------------------------


def _note_space(row: _Row, contents: _Contents, into_existing: bool) -> None:
    """Add a record's space and session to `contents`. With `into_existing`, also look for an unnamed space in
    the archive."""
    number, space = row.space, row.metadata["space"]
    assert row.entry.record is not None
    contents.space_fields[number] = {name: str(space[name]) for name in ("kind", "name", "place")}
    if contents.space_fields[number]["kind"] not in Space.KINDS:
        raise Broken(f"“{space['kind']}” is no kind of space")
    if row.metadata["session"] is not None:
        tags = row.entry.record.tags
        key = folded(tags.get("Session", "")), tags.get("Date", "")
        contents.sessions[row.metadata["session"], key] = number
    tries = contents.tries.get(number, 0)
    has_no_name = space["kind"] in ("own", "guest")
    if into_existing and has_no_name and number not in contents.spaces and tries < _TRIES:
        contents.tries[number] = tries + 1
        if same := _find_space(row, contents.spaces.values()):
            contents.spaces[number] = same


def _find_space(row: _Row, taken: Iterable[Space]) -> Space | None:
    """Return the archive's space that has an identical contribution to the same deal, or None. Use this for
    spaces without a name. `taken`: spaces that already match other spaces in the dumps."""
    assert row.entry.record is not None
    if not row.entry.record.is_played:
        return None
    try:
        data = from_record(row.entry.record, any_date=True)
    except NotStorable:
        return None
    same = Contribution.objects.filter(
        deal__digest=bytes.fromhex(row.metadata["digest"]),
        fingerprint=data.fingerprint,
        space__kind=row.metadata["space"]["kind"],
    )
    one = same.exclude(space__in=list(taken)).order_by("pk").select_related("space").first()
    return one.space if one is not None else None


@database.holding_insert_lock  # because intake also creates sessions
def _make_missing(contents: _Contents, owner: AbstractBaseUser | None) -> None:
    """Create the missing spaces and sessions in the order of their ids in the dumps."""
    spaces.remove_abandoned()
    for number, about in sorted(contents.space_fields.items()):
        if number not in contents.spaces:
            contents.spaces[number] = spaces.find_or_make(**about, owner=owner)
    for (_, key), number in sorted(contents.sessions.items()):
        make_sessions(contents.spaces[number].pk, {key})


def _store(rows: list[_Row], space: Space, month: str, done: Restored) -> None:
    """Store records of a space with the `stored_at` of the dumps, and count the outcomes in `done`."""
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
            {"id": result.deal, "stored_at": datetime.fromisoformat(row.metadata["stored_at"])}
            for row, result in new
        ]
        database.update(Deal, times)
    if len(both) < len(rows) or any(
        # Sheets and results are not compared, because their digests differ from archive to archive.
        result.digest is None or ("sheet" not in row.metadata and result.digest != row.metadata["digest"])
        for row, result in both
    ):
        raise Stopped(f"upload {upload.pk} could not be stored: the admin has the traceback")
    done.stored += len(new)
    done.known += len(rows) - len(new)
    done.differ += sum(bool(result.differs) for _, result in both)
    done.other_verdicts += sum(result.verdict != row.metadata["verdict"] for row, result in both)
