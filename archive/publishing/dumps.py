"""Dumps: files with all public deals, by the month (UTC) in which the deals were stored.

Each month has four files, which `docs/operations.md` describes: the records as TGN; the metadata that TGN
doesn't contain, one line per record; and in Parquet, a table of results and one of what cards cost in
hindsight. `archive.publishing.restore` rebuilds the archive from the first two. Deals are read and written a
few hundred at a time, to save memory.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.utils import timezone

import tarock
from archive import conf, files
from archive.models import Player, Space
from archive.publishing.columns import COLUMNS, SEAT_COLUMNS, as_json
from archive.reading.deals import months_of_deals, months_of_hindsight, stored_between
from archive.shown import ShownDeal
from tarock.analysis import chain
from tarock.analysis.hindsight import rated
from tarock.core.record import Record
from tarock.notation import NotWritable, read_one, write_json, write_text

BATCH = 500
"""Number of deals held in memory at a time."""

_ROWS = 10_000
"""Number of rows of a table held in memory at a time."""

SUMS = "SHA256SUMS"
"""Name of the file with the checksums of the months' files, in the format of `sha256sum`."""

LICENSE = "LICENSE.txt"
"""Name of the file that states the licence of the data."""

LOG = "dumps.log"
"""Name of the log: a line for each file that was published or deleted (`tarock.analysis.chain`)."""

TEXTS = (SUMS, LICENSE, LOG)
"""Names of the text files that don't belong to a month."""

log = logging.getLogger(__name__)

_INDEX = "dumps.json"

_FORM = 4
"""Version of the format. Increase it after any change to the files, so that all months are rewritten."""


tgn_name = "tarock-{}.tgn.zst".format
metadata_name = "metadata-{}.ndjson.zst".format
results_name = "results-{}.parquet".format
cards_name = "cards-{}.parquet".format
"""Functions that return the names of a month's files. The month is a text such as `2026-11`."""


class Busy(Exception):
    """Another process is writing dumps to the folder."""


@dataclass(frozen=True, slots=True)
class File:
    """A file of a dump. `size`: size in bytes; `sha256`: checksum in hex."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Month:
    """The dump of a month (`2026-11`). `records`: number of records, one per contribution; `state`: two
    hashes, one of the feed entries of its deals and one of everything else that the files depend on."""

    month: str
    deals: int
    records: int
    files: tuple[File, ...]
    state: str = ""


@dataclass(frozen=True, slots=True)
class _Index:
    """The dumps in a folder, by month, and the time of the last complete run."""

    months: dict[str, Month]
    written_at: str = ""


def _index(folder: Path) -> _Index:
    """Read the index. If it is missing or unreadable, there is none, and the next run writes all months."""
    try:
        index = json.loads((folder / _INDEX).read_text(encoding="utf-8"))
        months = [
            Month(**(month | {"files": tuple([File(**file) for file in month["files"]])}))
            for month in index["months"]
        ]
        return _Index({month.month: month for month in months}, str(index["written_at"]))
    except FileNotFoundError:
        return _Index({})
    except (ValueError, TypeError, KeyError) as fault:
        log.warning("the index of the dumps can't be read, and will be rewritten: %r", fault)
        return _Index({})


def months() -> list[Month]:
    """Return the dumps that the archive offers, latest month first."""
    folder = conf.dump_dir()
    return list(_index(folder).months.values())[::-1] if folder else []


def file(name: str) -> tuple[Path, str] | None:
    """Return the path and the checksum of a file that the archive offers; None if there is no such file. The
    checksum is empty for the files that don't belong to a month (`TEXTS`)."""
    folder = conf.dump_dir()
    if folder is None:
        return None
    sums = {file.name: file.sha256 for month in months() for file in month.files} | dict.fromkeys(TEXTS, "")
    path = folder / name
    return (path, sums[name]) if name in sums and path.is_file() else None


def newest_line() -> str | None:
    """Return the hash of the log's newest line; None if the archive has published no dumps."""
    folder = conf.dump_dir()
    return chain.newest(_read_log(folder)) if folder and (folder / LOG).exists() else None


def _read_log(folder: Path) -> str:
    return (folder / LOG).read_text(encoding="utf-8", errors="surrogateescape")


def are_due(now: datetime | None = None) -> bool:
    """Return whether the archive writes dumps and has not written today's (UTC) yet."""
    folder, now = conf.dump_dir(), now or timezone.now()
    return folder is not None and _index(folder).written_at[:10] < now.astimezone(UTC).date().isoformat()


def month_of(at: datetime) -> str:
    """Return the month (UTC) that contains this time, such as `2026-11`."""
    return at.astimezone(UTC).strftime("%Y-%m")


class NoMonth(ValueError):
    """The text is not a month."""


def _bounds(month: str) -> tuple[datetime, datetime]:
    """Return the start of a month (UTC) and the start of the next month."""
    try:
        first = datetime.strptime(month, "%Y-%m").replace(tzinfo=UTC)
    except ValueError:
        raise NoMonth(month) from None
    return first, first.replace(year=first.year + first.month // 12, month=first.month % 12 + 1)


def write(
    folder: Path,
    only: str = "",
    *,
    current: bool = False,
    nightly: bool = False,
    now: datetime | None = None,
) -> list[Month]:
    """Write the dumps and return the months that were written. Write all past months and, if `current` is
    true, also the current one. With `only`, write just that month. A month that is already in the folder is
    rewritten only if something in it has changed. The files of a month without public deals are deleted.

    `nightly`: until a new month begins, rewrite only those months in the folder whose deals have changed, so
    that withdrawn and hidden deals disappear from the files. Other changes, such as a new engine or a new
    name of a club, wait for the new month.

    :raises Busy: if another process is writing to the folder.
    :raises NoMonth: if `only` is not a month.
    """
    now = now or timezone.now()
    only = only and month_of(_bounds(only)[0])
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder):
        index = _index(folder)
        nightly = nightly and index.written_at[:7] == month_of(now)
        states = _states()
        over = [] if nightly else [month for month in states if current or month < month_of(now)]
        written = []
        for month in [only] if only else sorted({*over, *index.months}):
            if _is_written(folder, index.months.get(month), states.get(month, ""), nightly):
                continue
            with TemporaryDirectory(dir=folder, prefix=".writing-") as scratch:
                dumped = _write_month(month, Path(scratch), states.get(month, ""))
                _put(folder, Path(scratch), month, dumped, index)
            if dumped is not None:
                written.append(dumped)
        _save(folder, index, index.written_at if only else now.astimezone(UTC).isoformat(timespec="seconds"))
        return written


def _states() -> dict[str, str]:
    """Map each month to its state: a hash of its deals' feed entries, a hyphen, and a hash of its hindsight,
    club names, aliases, licence and program version. A month's files depend on nothing else."""
    spaces = Space.objects.exclude(name="").order_by("pk").values_list("pk", "kind", "name", "place")
    aliases = Player.objects.filter(same_as__isnull=False).order_by("pk").values_list("pk", "same_as")
    common = [*spaces, *aliases, conf.data_license(), tarock.__version__, _FORM]
    analysed = months_of_hindsight()
    return {
        month_of(first): f"{_hash(numbers)}-{_hash([*common, analysed.get(first)])}"
        for first, numbers in months_of_deals().items()
    }


def _hash(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()


def _is_written(folder: Path, month: Month | None, state: str, nightly: bool) -> bool:
    """Return whether the files of a month exist and are up to date. `nightly`: compare only the deals, and
    ignore, for example, new names of clubs and a new version of the program."""
    if month is None:
        return False
    deals, _, _rest = month.state.partition("-")
    if not (month.state == state or (nightly and state.startswith(f"{deals}-"))):
        return False
    paths = [(folder / file.name, file.size) for file in month.files]
    return all(path.is_file() and path.stat().st_size == size for path, size in paths)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Lock the folder against other processes that write dumps. Delete what killed processes left in it."""
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy(folder) from None
        for left in folder.glob(".writing-*"):
            for path in left.iterdir():
                path.unlink()
            left.rmdir()
        yield


def _put(folder: Path, scratch: Path, month: str, written: Month | None, index: _Index) -> None:
    """Move changed files of a month from `scratch` into place, log them, delete obsolete ones, and update the
    index. If this is interrupted, the index still has the old state, and the next run does it again."""
    before = index.months.pop(month, None)
    entries = []
    if written is not None:
        index.months[month] = written
        if written != before or not all((folder / file.name).is_file() for file in written.files):
            for file in written.files:
                files.move(scratch / file.name, folder / file.name)
                entries.append((file, _reason(before, written)))
    kept = {file.name for file in written.files} if written is not None else set()
    obsolete = [file for file in before.files if file.name not in kept] if before is not None else []
    _log(folder, month, [*entries, *((file, "deleted") for file in obsolete)])
    _save(folder, index, index.written_at)
    for file in obsolete:
        (folder / file.name).unlink(missing_ok=True)


def _reason(before: Month | None, written: Month) -> str:
    """Return why a month is written: it is `new`, its `deals` changed, or something `else` did, such as the
    engine or a club's name."""
    if before is None:
        return "new"
    return "else" if before.state.partition("-")[0] == written.state.partition("-")[0] else "deals"


def _log(folder: Path, month: str, entries: list[tuple[File, str]]) -> None:
    """Add a line for each published or deleted file to the log: time, month, name, SHA-256, reason, and the
    hash of the line before."""
    now = timezone.now().astimezone(UTC).isoformat(timespec="seconds")
    before = _read_log(folder) if (folder / LOG).exists() else ""
    lines = [f"{now} {month} {file.name} {file.sha256} {reason}" for file, reason in entries]
    if lines:
        files.append(folder / LOG, chain.continued(before, lines))


def _save(folder: Path, index: _Index, written_at: str) -> None:
    """Write the index, the checksums and the licence."""
    months = [index.months[month] for month in sorted(index.months)]
    sums = "".join([f"{file.sha256}  {file.name}\n" for month in months for file in month.files])
    license = conf.data_license()
    description = {
        "written_at": written_at,
        "license": license._asdict(),
        "months": [asdict(month) for month in months],
    }
    terms = f"The data in these files are under the licence {license.id}:\n{license.url}\n"
    for name, text in ((SUMS, sums), (LICENSE, terms), (_INDEX, json.dumps(description, indent=1) + "\n")):
        files.write(folder / name, text)


def _write_month(month: str, folder: Path, state: str) -> Month | None:
    """Write the files of a month into a folder and return the month, or None if it has no public deals."""
    import pyarrow  # not in web servers, which only list files: it takes 50 MB of memory

    deals = records = texts = 0
    with ExitStack() as stack:
        tgn = stack.enter_context(pyarrow.CompressedOutputStream(str(folder / tgn_name(month)), "zstd"))
        path = str(folder / metadata_name(month))
        facts = stack.enter_context(pyarrow.CompressedOutputStream(path, "zstd"))
        results = stack.enter_context(_table(folder / results_name(month), _RESULTS_TYPES))
        cards = stack.enter_context(_table(folder / cards_name(month), CARDS))
        for described in stored_between(*_bounds(month), BATCH):
            deals += 1
            bare = read_one(described[0].deal.text)
            for shown in described:
                records += 1
                record = shown.contribution.record(bare)
                line = _metadata(shown)
                if not shown.is_played:
                    # The stored digest of a sheet or a result is valid only in this archive, so write the
                    # record's own digest.
                    line["sheet"] = record.digest
                try:
                    text = write_text(record)
                    tgn.write((text if not texts else f"\n{text}").encode())
                    texts += 1
                except NotWritable:
                    line["record"] = write_json(record)
                facts.write((json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n").encode())
            results(_rows(described[0]))
            cards(_rated(described[0], bare))
    names = tgn_name, metadata_name, results_name, cards_name
    files = tuple([_file(folder / name(month)) for name in names])
    return Month(month, deals, records, files, state) if deals else None


@contextmanager
def _table(path: Path, types: Mapping[str, str]) -> Iterator[Callable[[Iterable[dict[str, Any]]], None]]:
    """Create a table in Parquet, and return a function that adds rows. `types`: Arrow's type of each column;
    `time` is a time in UTC."""
    import pyarrow
    from pyarrow import parquet

    time, license = pyarrow.timestamp("us", "UTC"), conf.data_license()
    fields = [(name, time if kind == "time" else getattr(pyarrow, kind)()) for name, kind in types.items()]
    schema = pyarrow.schema(fields, {"license": f"{license.id} {license.url}"})
    rows: list[dict[str, Any]] = []

    def add(new: Iterable[dict[str, Any]], most: int = _ROWS) -> None:
        rows.extend(new)
        if len(rows) >= most:
            writer.write_table(pyarrow.Table.from_pylist(rows, schema))
            rows.clear()

    with parquet.ParquetWriter(str(path), schema, compression="zstd") as writer:
        yield add
        add((), 1)


def _file(path: Path) -> File:
    with path.open("rb") as opened:
        return File(path.name, path.stat().st_size, hashlib.file_digest(opened, "sha256").hexdigest())


def _metadata(shown: ShownDeal) -> dict[str, Any]:
    """Return the metadata that a record doesn't contain, such as space, session and verdict."""
    contribution = shown.contribution
    space = contribution.space
    names = ("id", "deal", "digest", "stored_at", "verdict", "engine_version")
    return as_json(shown, contribution, names) | {
        "stored_at": shown.stored_at.astimezone(UTC).isoformat(),
        "space": {"number": space.pk, "kind": space.kind, "name": space.name, "place": space.place},
        "session": contribution.session_id,
    }


RESULTS = (
    "id", "deal", "digest", "kind", "game", "rules", "unit", "seats", "stored_at", "date", "played_on",
    "club", "club_name", "session", "session_id", "session_date", "deal_number", "event", "site", "dealer",
    "declarer", "partner", "contract", "result", "card_points", "verdict", "engine_version",
)  # fmt: skip
"""Columns of the table of results, which has one row per deal and seat. `SEAT_COLUMNS` follow these columns.
Unknown values are null, even where JSON has an empty string."""

_RESULTS_TYPES = {
    name: "time" if one.kind == "time" else one.arrow
    for name, one in {**{name: COLUMNS[name] for name in RESULTS}, **SEAT_COLUMNS}.items()
}

CARDS = {
    "id": "int64", "deal": "string", "step": "int16", "seat": "string", "card": "string", "loss": "int32",
    "best": "string", "engine_version": "string",
}  # fmt: skip
"""Columns of the table of cards, which has one row per card that was analysed, and their types."""


def _rows(deal: ShownDeal) -> Iterator[dict[str, Any]]:
    """Yield the rows of a deal for the table of results, one per seat."""
    contribution = deal.contribution
    about = {name: COLUMNS[name].get(deal, contribution) for name in RESULTS}
    about = {name: None if value == "" else value for name, value in about.items()}
    for seated in contribution.seated:
        yield about | {name: one.get(deal, contribution, seated) for name, one in SEAT_COLUMNS.items()}


def _rated(deal: ShownDeal, record: Record) -> Iterator[dict[str, Any]]:
    """Yield the rows of a deal for the table of cards."""
    if deal.hindsight is None:
        return
    about = {"id": deal.pk, "deal": str(deal.key), "engine_version": deal.hindsight.engine_version}
    for card in rated(record, deal.hindsight.read(deal.game)):
        yield about | {name: value for name, value in card._asdict().items() if name in CARDS}
