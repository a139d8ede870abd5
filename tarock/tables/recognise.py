"""Recognising a table of results: sheets of cells become deals or evenings with the points of each player."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import PurePath

from tarock.notation.limits import MAX_RESULT
from tarock.tables.cells import Number, size
from tarock.tables.columns import Columns, read_columns
from tarock.tables.layout import Section, areas, letters, sections
from tarock.tables.meaning import Days, Entry, Table, read_table
from tarock.tables.names import settle_names
from tarock.tables.result import Choices, Place, Question, Recognised, ResultRow, Sentence
from tarock.tables.words import fold
from tarock.tables.workbook import Cell, Sheet, Unreadable, read_sheets

MOST_PLAYERS = 200
"""Maximum number of players in a file."""
_MOST_COMPARED = 1000
"""Number of rows by which running totals are recognised."""
_UNNAMED_SHEET = re.compile(r"(?:sheet|tabelle|tabulka|list|ark|table|シート)?\s*\d*")


def recognise_file(
    data: bytes, filename: str = "", known: Sequence[str] = (), answers: Mapping[str, str] | None = None
) -> Recognised:
    """Return the meaning of a file. A file that can't be read has the kind `refuse`, and one fault says why.

    `known`: names of known players; `answers`: the choices that were made, by `about` of each question, and
    corrected cells as `cell:SHEET:ROW:COLUMN`.
    """
    answers = answers or {}
    try:
        sheets = read_sheets(data, answers)
    except Unreadable as error:
        what = Sentence(error.reason, error.values)
        if not error.choices:
            return Recognised(faults=[Place("", None, "", what)])
        question = Question(error.about, Sentence("ask-encoding", error.values), error.choices)
        return Recognised("question", questions=[question])
    return recognise(sheets, filename, known, answers)


def recognise(
    sheets: Sequence[Sheet],
    filename: str = "",
    known: Sequence[str] = (),
    answers: Mapping[str, str] | None = None,
) -> Recognised:
    """Return the meaning of sheets (see `recognise_file`)."""
    choices = Choices(answers or {})
    found = Recognised()
    _fill(found, sheets, PurePath(filename).stem, known, choices)
    found.questions, found.assumed = list(choices.questions.values()), list(choices.assumed.values())
    if found.questions:
        found.kind = "question"
    return found


def _fill(
    found: Recognised, sheets: Sequence[Sheet], stem: str, known: Sequence[str], choices: Choices
) -> None:
    """Store the meaning of the sheets in `found`, and the questions in `choices`."""
    parts = _parts([_corrected(sheet, choices.answers) for sheet in sheets], choices, found)
    days = Days(_dates(parts), choices, [stem])
    tables = [read_table(section, columns, days) for section, columns in parts]
    for table in tables:
        found.left_out += table.left_out
        found.faults += table.faults
    tables = [table for table in tables if not all(entry.dropped for entry in table.entries)]
    names = {name for table in tables for name in table.players}
    if not tables or len(names) > MOST_PLAYERS:
        values = {"count": len(names), "most": MOST_PLAYERS}
        what = Sentence("too-many-players", values) if tables else Sentence("no-points")
        found.faults.append(Place("", None, "", what))
        return
    _settle_names(tables, known, choices)
    kinds = [_kind(table, choices) for table in tables]
    for table, kind in zip(tables, kinds, strict=True):
        if _is_running(table, choices):
            _take_differences(table, kind, found)
    kept = _without_repeated(tables, kinds, found)
    _convert(kept, choices, found)
    _check_totals(kept, found)
    found.rows = _rows(kept, stem, choices, found)
    with_points = {name for row in found.rows for name in row.points}
    order = dict.fromkeys(name for table, _ in kept for name in table.players)
    found.players = [name for name in order if name in with_points]
    has_deals = any(row.deal is not None for row in found.rows)
    found.kind = "deal" if has_deals else "evening" if found.rows else "refuse"


def _corrected(sheet: Sheet, answers: Mapping[str, str]) -> Sheet:
    """Return a sheet with the cells that were corrected."""
    prefix = f"cell:{sheet.name}:"
    fixes = {about[len(prefix) :]: text for about, text in answers.items() if about.startswith(prefix)}
    if not fixes:
        return sheet
    rows = {
        row: [fixes.get(f"{row}:{letters(at)}", cell) for at, cell in enumerate(cells)]
        for row, cells in sheet.rows.items()
    }
    return replace(sheet, rows=rows)


def _parts(sheets: Iterable[Sheet], choices: Choices, found: Recognised) -> list[tuple[Section, Columns]]:
    """Return each section that has points of players, with its columns."""
    parts = []
    for sheet in sheets:
        if sheet.why:
            places = found.left_out if sheet.why in ("hidden-sheet", "other-file") else found.faults
            places.append(Place(sheet.name, None, "", Sentence(sheet.why)))
        for area in areas(sheet):
            below, left_out = sections(area)
            found.left_out += left_out
            for section in below:
                if columns := read_columns(section, choices):
                    found.columns_out += columns.left_out
                    parts.append((section, columns))
                else:
                    found.left_out += [area.place(row, None, "no-row") for row in section.rows]
    return parts


def _dates(parts: Iterable[tuple[Section, Columns]]) -> Iterator[tuple[str, str, Cell]]:
    """Yield the cells of all columns of dates, with their sheet and header."""
    for section, columns in parts:
        if (at := columns.keys.get("date")) is not None:
            for row in section.rows:
                yield section.area.sheet.name, section.labels[at], section.area.cells[row][at]


def _settle_names(tables: Sequence[Table], known: Sequence[str], choices: Choices) -> None:
    counts = Counter(name for table in tables for entry in table.entries for name in entry.points)
    groups = {frozenset(entry.points) for table in tables for entry in table.entries}

    def apart(name: str, other: str) -> bool:
        return any(name in group and other in group for group in groups)

    players = settle_names([name for name, _ in counts.most_common()], known, apart, choices)
    for table in tables:
        for entry in table.entries:
            entry.points = _renamed(entry.points, players)
            entry.broken = {players.get(name, name) for name in entry.broken}
        table.order = [players.get(name, name) for name in table.order]
        table.totals = [(count, _renamed(amounts, players)) for count, amounts in table.totals]


def _renamed(points: dict[str, Number], players: dict[str, str]) -> dict[str, Number]:
    renamed = {players.get(name, name): number for name, number in points.items()}
    return renamed if len(renamed) == len(points) else points


def _kind(table: Table, choices: Choices) -> str:
    """Return whether the entries of a table are deals or evenings."""
    if table.numbered:
        return "deal"
    if "played" in table.columns.keys:
        return "evening"
    entries = [entry for entry in table.entries if not entry.dropped]
    days = {entry.day for entry in entries}
    names = {entry.session for entry in entries if entry.session}
    assumed = ""
    if table.dated:
        assumed = "evening" if len(days) * 10 >= len(entries) * 8 else "deal"
    elif "session" in table.columns.keys:
        assumed = "evening" if len(names) * 10 >= len(entries) * 8 else "deal"
    elif table.one_each or days != {None}:
        assumed = "evening" if len(entries) == len(days) else "deal"
    sheet = table.sheet
    return choices.choose("kind", Sentence("ask-kind"), ("deal", "evening"), assumed, sheet=sheet) or "deal"


def _is_running(table: Table, choices: Choices) -> bool:
    """Return whether a table contains running totals: by its header, total row, or amounts."""
    entries = table.entries
    if len(entries) < 2:
        return False
    raw = [entry.points for entry in entries[:_MOST_COMPARED]]
    steps = _steps(raw)
    assumed = "points"
    if table.columns.running:
        assumed = "running"
    elif table.totals and table.totals[-1][0] > entries[-1].row and len(entries) > 2:
        stated = table.totals[-1][1]
        last = {name: number for entry in entries for name, number in entry.points.items()}
        if last == stated != _sums(entries):
            assumed = "running"
    elif len(entries) > 3 and _size(raw[:1]) * len(steps) <= 3 * _size(steps):
        settled = sum(map(_is_settlement, steps)) >= 0.8 * len(steps)
        if settled and sum(map(_is_settlement, raw)) < 0.5 * len(raw):
            assumed = "running"
        elif len(entries) > 5 and 2 * _size(steps) < _size(raw):
            assumed = ""
    if assumed == "points" and not any(about.startswith("running") for about in choices.answers):
        return False
    what, sheet = Sentence("ask-running"), table.sheet
    return choices.choose("running", what, ("points", "running"), assumed, sheet=sheet) == "running"


def _steps(raw: Sequence[dict[str, Number]]) -> list[dict[str, Number]]:
    last: dict[str, Number] = {}
    steps = []
    for points in raw:
        steps.append({name: number - last.get(name, 0) for name, number in points.items()})
        last |= points
    return steps


def _sums(entries: Iterable[Entry]) -> dict[str, Number]:
    sums: dict[str, Number] = {}
    for entry in entries:
        for name, number in entry.points.items():
            sums[name] = sums.get(name, 0) + number
    return sums


def _size(rows: Iterable[dict[str, Number]]) -> Number:
    return sum(size(number) for points in rows for number in points.values())


def _is_settlement(points: dict[str, Number]) -> bool:
    """Return whether amounts look like a deal's: they add up to zero, and one is a multiple of all others."""
    amounts = {size(number) for number in points.values() if number}
    if not amounts or sum(points.values()) != 0:
        return False
    return len(amounts) <= 2 and max(amounts) % min(amounts) == 0 and max(amounts) <= 4 * min(amounts)


def _take_differences(table: Table, kind: str, found: Recognised) -> None:
    """Replace running totals by differences. Those of deals may begin at zero again with each date."""
    last: dict[str, Number | None] = {}
    day: date | None = None
    entries = []
    for entry in table.entries:
        if kind == "deal" and entry.day != day and _begins_again(entry.points, last):
            last = {}
        day = entry.day
        unknown = [name for name in entry.points if last.get(name, 0) is None]
        points = {name: number - (last.get(name, 0) or 0) for name, number in entry.points.items()}
        last |= entry.points
        last |= dict.fromkeys(entry.broken)
        if unknown:
            found.faults.append(table.place(entry, "after-fault"))
        else:
            entries.append(replace(entry, points=points))
    table.entries = entries


def _begins_again(points: dict[str, Number], last: Mapping[str, Number | None]) -> bool:
    return _size([points]) <= sum(size(number - (last.get(name) or 0)) for name, number in points.items())


def _without_repeated(
    tables: Sequence[Table], kinds: Sequence[str], found: Recognised
) -> list[tuple[Table, str]]:
    """Return the tables without those that repeat the sums of others, and evenings whose deals are known."""
    with_deals = {
        entry.day
        for table, kind in zip(tables, kinds, strict=True)
        for entry in table.entries
        if kind == "deal" and entry.day
    }
    kept = []
    for table, kind in zip(tables, kinds, strict=True):
        others = [entry for other in tables if other is not table for entry in other.entries]
        is_single = len(table.entries) == 1 and not table.dated and len(table.entries[0].points) > 1
        if kind == "evening" and is_single and len(others) > 1:
            sums = _sums(others)
            if all(sums.get(name) == number for name, number in table.entries[0].points.items()):
                found.left_out += [
                    table.section.area.place(row, None, "standing") for row in table.section.rows
                ]
                continue
        if kind == "evening":
            repeated = [entry for entry in table.entries if entry.day in with_deals]
            found.left_out += [table.place(entry, "in-deals") for entry in repeated]
            table.entries = [entry for entry in table.entries if entry.day not in with_deals]
        kept.append((table, kind))
    return kept


def _convert(tables: Sequence[tuple[Table, str]], choices: Choices, found: Recognised) -> None:
    """Convert amounts with decimals to points. How many points a unit has requires an answer."""
    amounts = (number for table, _ in tables for entry in table.entries for number in entry.points.values())
    decimals = {number for number in amounts if isinstance(number, Decimal)}
    if not decimals:
        return
    digits = max(len(str(number.normalize()).partition(".")[2]) for number in decimals)
    what = Sentence("ask-unit", {"found": str(min(decimals, key=lambda number: (size(number), number)))})
    units = [str(10**digits), str(10 ** (digits + 1))]
    for table, _ in tables:
        answer = choices.choose("unit", what, units, free=True, sheet=table.sheet)
        factor = Decimal(
            answer.replace(",", ".") if re.fullmatch(r"\d{1,6}(?:[.,]\d{1,6})?", answer) else units[0]
        )
        for entry in table.entries:
            for name, number in entry.points.items():
                if number * factor != int(number * factor):
                    found.faults.append(table.place(entry, "not-whole", found=str(number)))
                    entry.broken.add(name)
                    break
            entry.points = {name: int(number * factor) for name, number in entry.points.items()}
        table.totals = [
            (at, {name: int(number * factor) for name, number in amounts.items()})
            for at, amounts in table.totals
        ]


def _check_totals(tables: Sequence[tuple[Table, str]], found: Recognised) -> None:
    """Compare the file's total rows with our sums. A total row is for all rows, or those since the last."""
    for table, _ in tables:
        stated: dict[str, Number] = {}
        start = 0
        for at, amounts in table.totals:
            everything = _sums(entry for entry in table.entries if entry.row < at)
            since = _sums(entry for entry in table.entries if start <= entry.row < at)
            if start and _distance(amounts, since) < _distance(amounts, everything):
                stated = {name: stated.get(name, 0) + number for name, number in amounts.items()}
            else:
                stated = dict(amounts)
            start = at
        brought = [entry for entry in table.entries if not entry.broken and not entry.dropped]
        ours = _sums(entry for entry in brought if entry.row < start)
        for name, number in stated.items():
            before = found.total_check.get(name, (0, 0))
            found.total_check[name] = (before[0] + int(number), before[1] + int(ours.get(name, 0)))


def _distance(amounts: dict[str, Number], sums: dict[str, Number]) -> Number:
    return sum(size(number - sums.get(name, 0)) for name, number in amounts.items())


def _rows(
    tables: Sequence[tuple[Table, str]], stem: str, choices: Choices, found: Recognised
) -> list[ResultRow]:
    """Return the rows that have no fault, each with its session, and deals with their number in it."""
    rows = []
    for session, entries in _sessions(tables, stem, choices).items():
        given = [entry.deal for _, _, entry in entries]
        is_numbered = None not in given and len(set(given)) == len(given)
        if not is_numbered and any(given) and entries[0][1] == "deal":
            what = Sentence("renumbered", {"session": session})
            choices.choose(f"numbers:{session}", what, ("order",), "order")
        for number, (table, kind, entry) in enumerate(entries, 1):
            place = table.place(entry, "too-many-players")
            if len(entry.points) > MAX_RESULT:
                values = {"count": len(entry.points), "most": MAX_RESULT}
                found.faults.append(replace(place, what=Sentence("too-many-players", values)))
            elif not entry.broken and not entry.dropped:
                deal = None if kind == "evening" else entry.deal if is_numbered else number
                row = place.row or table.section.area.columns[0]
                points = {name: int(amount) for name, amount in entry.points.items()}
                at = (place.sheet, row, place.column)
                rows.append(ResultRow(*at, session, entry.day, deal, entry.played, points))
    return rows


def _sessions(
    tables: Sequence[tuple[Table, str]], stem: str, choices: Choices
) -> dict[str, list[tuple[Table, str, Entry]]]:
    """Return the entries by session: the name of the sheet or file, and if it has several, the date."""
    keys: dict[tuple[str, str, date | None, int], list[tuple[Table, str, Entry]]] = {}
    for table, kind in tables:
        sheet = table.sheet
        for entry in table.entries:
            alone = (
                id(entry) if kind == "evening" else id(table) if not entry.day and not entry.session else 0
            )
            keys.setdefault((sheet, entry.session, entry.day, alone), []).append((table, kind, entry))
    counts = Counter(sheet for sheet, *_ in keys)
    numbers: Counter[str] = Counter()
    found: dict[str, list[tuple[Table, str, Entry]]] = {}
    for (sheet, session, day, _), entries in keys.items():
        named = "" if _UNNAMED_SHEET.fullmatch(fold(sheet)) else sheet
        about = f"session:{sheet}"
        base = named or stem or choices.answers.get(about, "")
        if base:
            base = choices.choose(about, Sentence("ask-session"), (), base, free=True).strip()
        numbers[sheet] += 1
        label = str(session or day or numbers[sheet])
        name = base if base and counts[sheet] == 1 else f"{base} {label}".strip()
        unique, copies = name, 1
        while unique in found:
            copies += 1
            unique = f"{name} ({copies})"
        found[unique] = entries
    return found
