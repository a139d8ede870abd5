"""The rows of a table: for each deal or evening its date, number and the points of its players."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, cast

from tarock.core.persons import folded
from tarock.notation.limits import MAX_POINTS
from tarock.notation.names import NoName, read_name
from tarock.tables.cells import (
    Number,
    date_in,
    has_two_orders,
    is_blank,
    is_date,
    read_date,
    read_number,
    size,
    year_in,
)
from tarock.tables.columns import Columns
from tarock.tables.layout import Section
from tarock.tables.result import Choices, Place, Sentence
from tarock.tables.words import is_english, role_of_row
from tarock.tables.workbook import Cell

_LONGEST_NAME = 60


@dataclass
class Entry:
    """A deal or an evening. `row`: index in the section; `broken`: players whose cell has a fault.

    If `dropped`, its date has a fault: it isn't brought in, but running totals go on from it.
    """

    row: int
    day: date | None = None
    session: str = ""
    deal: int | None = None
    played: int | None = None
    points: dict[str, Number] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    dropped: bool = False


@dataclass
class Table:
    """The entries of a section. `totals`: index and amounts of each total row.

    `dated`, `numbered`: whether it has a column of dates and of deals; `one_each`: a row for each player;
    `order`: the names above columns.
    """

    section: Section
    columns: Columns
    entries: list[Entry] = field(default_factory=list)
    totals: list[tuple[int, dict[str, Number]]] = field(default_factory=list)
    left_out: list[Place] = field(default_factory=list)
    faults: list[Place] = field(default_factory=list)
    dated: bool = False
    numbered: bool = False
    one_each: bool = False
    order: list[str] = field(default_factory=list)

    @property
    def sheet(self) -> str:
        """The name of the sheet."""
        return self.section.area.sheet.name

    def place(self, entry: Entry, code: str, **values: str) -> Place:
        """Return the place of an entry's row, with a sentence about it."""
        return self.section.area.place(entry.row, None, code, **values)

    @property
    def players(self) -> list[str]:
        """The players, in the order of their columns or rows."""
        appear = [name for entry in self.entries for name in entry.points]
        return list(dict.fromkeys([*self.order, *appear]))


class Days:
    """The reader of dates. It knows the year that titles and names of sheets state for dates without one."""

    def __init__(self, cells: Iterable[tuple[str, str, Cell]], choices: Choices, years: list[str]) -> None:
        self._choices, self._years = choices, years
        self._slashed, self._is_english = "", True
        self._readable: Counter[tuple[str, bool]] = Counter()  # sheet, and whether dates begin with the month
        for sheet, label, cell in cells:
            if has_two_orders(cell):
                self._slashed = self._slashed or str(cell)
                self._is_english &= is_english(label)
                for order in (False, True):
                    if read_date(cell, order, 2000):
                        self._readable.update([(sheet, order), ("", order)])

    def start(self, around: str, sheet: str) -> None:
        """Begin a table. `around`: the titles and the sheet's name, where the year may be."""
        self.around, self._last = around, cast("date | None", None)
        self.month_first = bool(self._slashed) and self._is_month_first(sheet)

    def read(self, cell: Cell, epoch: int = 0) -> date | None:
        """Return the date in a cell; null if there is none, or its year is unknown."""
        found = read_date(cell, self.month_first, None, epoch) or self._without_year(cell)
        self._last = found or self._last
        return found

    def inside(self, texts: Iterable[Cell]) -> date | None:
        """Return the first date in titles."""
        for text in texts:
            year = self._year(0) if isinstance(text, str) else None
            if found := read_date(text, self.month_first, year) or date_in(str(text), year):
                return found
        return None

    def _is_month_first(self, sheet: str) -> bool:
        """Return whether dates with slashes begin with the month. The sheet's dates show it, or else those of
        the file; if none does, ask."""
        assumed = "" if self._is_english else "day-month"
        for dates in ("", sheet):
            day, month = self._readable[dates, False], self._readable[dates, True]
            if day != month:
                assumed = "day-month" if day > month else "month-day"
        what = Sentence("ask-order", {"found": self._slashed})
        orders = ("day-month", "month-day")
        return self._choices.choose("order", what, orders, assumed, sheet=sheet) == "month-day"

    def _year(self, month: int) -> int | None:
        texts = (self.around, *self._years)
        return next((year for text in texts if (year := year_in(text, month))), None)

    def _without_year(self, cell: Cell) -> date | None:
        """Return a date without a year. After December, the next year begins."""
        found = read_date(cell, self.month_first, 2000)
        if found is None:
            return None
        year = self._year(found.month)
        if year is None:
            what = Sentence("ask-year", {"found": str(cell)})
            answer = self._choices.choose("year", what, (), free=True)
            year = int(answer) if re.fullmatch(r"(?:19|20)\d\d", answer) else None
        if year and self._last and (self._last.year, self._last.month - 6) > (year, found.month):
            year = self._last.year + 1
        elif year and self._last and self._last.year > year:
            year = self._last.year
        return read_date(cell, self.month_first, year) if year else None


def read_table(section: Section, columns: Columns, days: Days) -> Table:
    """Return the entries of a section; rows that can't be read become faults or are left out."""
    return _Reader(section, columns, days).read()


class _Reader:
    def __init__(self, section: Section, columns: Columns, days: Days) -> None:
        self.section, self.columns, self.days = section, columns, days
        self.table = Table(section, columns, dated="date" in columns.keys, numbered="deal" in columns.keys)
        self.table.one_each = len(columns.pairs) == 1
        self.names = {at: self._name(name, None, at) for at, name in columns.players.items()}
        self.table.order = [name for name in self.names.values() if name]
        self.groups: dict[tuple[Any, ...], list[Entry]] = {}
        self.sums: dict[str, Number] = {}
        self.since: dict[str, Number] = {}
        self.last = Entry(0)

    def read(self) -> Table:
        area = self.section.area
        self.days.start(" ".join(map(str, [*self.section.titles, area.sheet.name])), area.sheet.name)
        self.last.day = self.days.inside([*self.section.titles, area.sheet.name])
        for at in self.section.rows:
            for row in [row for row in self.section.days if row < at]:
                day = self.section.days.pop(row)
                self.last.day = self.days.read(day) or self.days.inside([day])
            if word := self._word(at):
                self._leave_out(at, word)
            else:
                self._read_row(at)
        return self.table

    def _word(self, at: int) -> str:
        """Return what a row without points of its own contains, such as `total`; else an empty string."""
        cells = self.section.area.cells[at][: self.columns.first_points + 1]
        for cell in cells:
            if isinstance(cell, str) and (word := role_of_row(cell)):
                return word
        return "total" if self._is_total(at) else ""

    def _is_total(self, at: int) -> bool:
        """Return whether a row without date and number is the sum of the rows above it."""
        cells = self.section.area.cells[at]
        keys = [cells[column] for role, column in self.columns.keys.items() if role != "played"]
        is_last = at == self.section.rows[-1]
        if self.columns.pairs or len(self.table.entries) < 2 or not all(map(is_blank, keys)):
            return False
        amounts = self._amounts(at)
        sums = (self.sums, self.since)
        return (bool(keys) or is_last) and any(amounts.values()) and amounts in sums

    def _amounts(self, at: int) -> dict[str, Number]:
        cells = self.section.area.cells[at]
        found = {name: read_number(cells[column]) for column, name in self.names.items()}
        return {name: number for name, number in found.items() if number is not None}

    def _leave_out(self, at: int, word: str) -> None:
        self.table.left_out.append(self.section.area.place(at, None, word))
        if word in ("total", "running") and not self.columns.pairs:
            self.table.totals.append((at, self._amounts(at)))
            self.since = {}

    def _read_row(self, at: int) -> None:
        cells, area = self.section.area.cells[at], self.section.area
        entry = Entry(at, self.last.day, self.last.session)
        faults = self._read_keys(entry, cells)
        missing = faults + self._read_points(entry, cells)
        if not entry.points and not any(re.search(r"\d", str(place.what.values)) for place in missing):
            self.table.left_out.append(area.place(at, None, "no-row" if missing else "nobody"))
            return
        self.table.faults += missing
        entry.dropped = bool(faults)
        self._add(entry)

    def _read_keys(self, entry: Entry, cells: list[Cell]) -> list[Place]:
        keys, area, faults = self.columns.keys, self.section.area, []
        if "date" in keys and not is_blank(cell := cells[keys["date"]]):
            entry.day = self.days.read(cell, area.sheet.epoch)
            if entry.day is None:
                code = "no-year" if is_date(cell) else "no-date"
                faults.append(area.place(entry.row, keys["date"], code, found=str(cell)))
        if "session" in keys and not is_blank(cell := cells[keys["session"]]):
            entry.session = " ".join(str(cell).split())[:_LONGEST_NAME]
        if "deal" in keys and (found := re.search(r"\d{1,6}", str(cells[keys["deal"]]))):
            entry.deal = int(found[0])
        if "played" in keys and isinstance(number := read_number(cells[keys["played"]]), int):
            entry.played = number if 0 < number < 1000 else None
        self.last = Entry(entry.row, entry.day, entry.session)
        return faults

    def _read_points(self, entry: Entry, cells: list[Cell]) -> list[Place]:
        """Read the points into an entry, and return the faults."""
        area, faults = self.section.area, []
        read = list(self.names.items())
        read += [
            (at, self._name(str(cells[name]), entry.row, name))
            for name, at in self.columns.pairs
            if not is_blank(cells[name])
        ]
        for at, name in read:
            cell = cells[at]
            if is_blank(cell) or not name:
                continue
            number = read_number(cell)
            if number is None:
                faults.append(area.place(entry.row, at, "no-number", found=str(cell)[:60]))
                entry.broken.add(name)
            elif size(number) > MAX_POINTS:
                faults.append(area.place(entry.row, at, "number-too-large", found=str(cell)[:60]))
                entry.broken.add(name)
            elif name in entry.points:
                faults.append(area.place(entry.row, at, "twice", player=name))
            else:
                entry.points[name] = number
        return faults

    def _name(self, text: str, row: int | None, column: int) -> str:
        try:
            name = folded(read_name(text))
        except NoName:
            name = ""
        if not name or len(name) > _LONGEST_NAME:
            self.table.faults.append(self.section.area.place(row, column, "no-name", found=text[:60]))
            return ""
        return name

    def _add(self, entry: Entry) -> None:
        """Store an entry. Of a table with a row for each player, rows with the same keys become one entry."""
        for name, number in entry.points.items():
            self.sums[name] = self.sums.get(name, 0) + number
            self.since[name] = self.since.get(name, 0) + number
        if self.table.one_each and not entry.dropped:
            group = self.groups.setdefault((entry.day, entry.session, entry.deal), [])
            names = entry.points.keys() | entry.broken
            for other in group:
                if not names & (other.points.keys() | other.broken):
                    other.points.update(entry.points)
                    other.broken |= entry.broken
                    other.played = other.played or entry.played
                    return
            group.append(entry)
        self.table.entries.append(entry)
