"""The layout of a sheet: tables next to each other and below each other, titles, and rows of headers."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise

from tarock.tables.cells import date_in, is_blank, is_date, read_number
from tarock.tables.result import Place, Sentence
from tarock.tables.words import fold, role_of, role_of_row
from tarock.tables.workbook import Cell, Sheet

_MOST_EMPTY_ROWS = 20
_KEYS = ("date", "deal", "name")


@dataclass
class Area:
    """A part of a sheet with a table of its own. If `turned`, its rows are the sheet's columns.

    `titles`: the cells above the table.
    """

    sheet: Sheet
    rows: list[int]
    columns: list[int]
    cells: list[list[Cell]]
    titles: list[Cell] = field(default_factory=list)
    turned: bool = False

    def place(self, row: int | None, column: int | None, code: str, **values: str) -> Place:
        """Return the place of a row, column or cell of the area in the sheet."""
        at = (
            self.rows[row] if row is not None else None,
            self.columns[column] if column is not None else None,
        )
        number, letter = reversed(at) if self.turned else at
        return Place(self.sheet.name, number, letters(letter), Sentence(code, values))


@dataclass
class Section:
    """A table with one header: a label and a second label for each column, and the indexes of its rows.

    `titles`: the cells above it; `days`: row → the date that is written above the row.
    """

    area: Area
    titles: list[Cell]
    labels: list[str]
    seconds: list[str]
    rows: list[int] = field(default_factory=list)
    days: dict[int, Cell] = field(default_factory=dict)

    @property
    def body(self) -> list[int]:
        """The rows that don't begin with a word such as `Total`."""
        cells = self.area.cells
        return [row for row in self.rows if not role_of_row(_label(_first(cells[row])))]

    def cut_titles(self) -> list[Cell]:
        """Remove and return the dates below the last row: they are titles of the next table."""
        below = [row for row in self.days if self.rows and row > self.rows[-1]]
        return [self.days.pop(row) for row in below]


def letters(column: int | None) -> str:
    """Return a column's letters, counted from 0: A, …, Z, AA. Nothing for no column."""
    text = ""
    while column is not None and column >= 0:
        text = chr(ord("A") + column % 26) + text
        column = column // 26 - 1
    return text


def areas(sheet: Sheet) -> list[Area]:
    """Return the areas of a sheet, from left to right."""
    width = max(map(len, sheet.rows.values()), default=0)
    cells = [[*row, *[""] * (width - len(row))] for row in sheet.rows.values()]
    whole = Area(sheet, list(sheet.rows), list(range(width)), cells)
    edges = [0, *_starts(whole), width]
    found = [_cut(whole, start, end) for start, end in pairwise(edges)]
    return [_turned(area) for area in found if area.cells]


def sections(area: Area) -> tuple[list[Section], list[Place]]:
    """Return the tables of an area that have a header of their own, and the rows that are left out."""
    found: list[Section] = []
    left_out = _empty_rows(area)
    pending: list[int] = []  # titles, unless rows of the table follow
    for at, cells in enumerate(area.cells):
        kind = kind_of_row(cells)
        section = found[-1] if found else None
        if kind == "data" and not section and role_of_row(_label(_first(cells))):
            left_out.append(area.place(at, None, "rank"))
        elif kind == "data":
            if section is None:
                section = Section(area, [], [""] * len(cells), [""] * len(cells))
                found.append(section)
            left_out += [area.place(row, None, "no-row") for row in pending]
            pending = []
            section.rows.append(at)
        elif kind == "label" and _is_header(area, section, at, bool(pending)):
            labels = [_label(cell) for cell in cells]
            if section and not section.rows and not pending and area.rows[at] - area.rows[at - 1] == 1:
                section.labels, section.seconds = _merged(section.labels, labels)
            else:
                titles = section.cut_titles() if section else []
                titles += [cell for row in pending for cell in area.cells[row] if not is_blank(cell)]
                found.append(Section(area, titles, labels, [""] * len(labels)))
            pending = []
        elif kind == "title" and section and (day := _day(cells)):
            section.days[at] = day
        elif kind == "title" and role_of_row(_label(_first(cells))) == "":
            pending.append(at)
        else:
            left_out.append(area.place(at, None, "total" if kind == "title" else "no-row"))
    left_out += [area.place(row, None, "no-row") for row in pending]
    if found:
        found[0].titles[:0] = area.titles
    return [section for section in found if section.rows], left_out


def kind_of_row(cells: list[Cell]) -> str:
    """Return `data`, `label` (texts only), or `title` (a single cell)."""
    filled = [cell for cell in cells if not is_blank(cell)]
    numbers = sum(read_number(cell) is not None and not isinstance(cell, date) for cell in filled)
    if len(filled) < 2:
        marked = any(cell != "" for cell in cells if is_blank(cell))
        return "data" if filled and marked else "title"
    return "data" if numbers or any(map(is_date, filled)) else "label"


def _empty_rows(area: Area) -> list[Place]:
    if area.turned:
        return []
    found = []
    for before, after in pairwise(area.rows):
        if after - before <= _MOST_EMPTY_ROWS:
            found += [Place(area.sheet.name, row, "", Sentence("empty")) for row in range(before + 1, after)]
    return found


def _is_header(area: Area, section: Section | None, at: int, has_title: bool) -> bool:
    """Return whether a row of texts is a header. Within a table, a note about a deal is none."""
    if section is None or not section.rows or has_title or area.rows[at] - area.rows[at - 1] > 1:
        return True
    texts = [fold(_label(cell)) for cell in area.cells[at] if not is_blank(cell)]
    known = set(map(fold, section.labels))
    return sum(text in known for text in texts) * 2 >= len(texts)


def _merged(upper: list[str], lower: list[str]) -> tuple[list[str], list[str]]:
    """Return labels and second labels of a header in two rows, where a label above is for several columns."""
    roles = [role_of(label) or fold(label) for label in lower if label]
    if len(set(roles)) == len(roles):
        return [below or above for above, below in zip(upper, lower, strict=True)], [""] * len(lower)
    labels: list[str] = []
    for above, below in zip(upper, lower, strict=True):
        labels.append(above or (labels[-1] if labels and below else ""))
    return (
        [above or below for above, below in zip(labels, lower, strict=True)],
        [below if above else "" for above, below in zip(labels, lower, strict=True)],
    )


def _starts(area: Area) -> list[int]:
    """Return the columns, after the first one, at which another table begins."""
    header = next((at for at, cells in enumerate(area.cells) if kind_of_row(cells) == "label"), None)
    if header is None:
        return []
    body = area.cells[header:]
    labels = [next((_label(row[at]) for row in body[:2] if not is_blank(row[at])), "") for at in area.columns]
    filled = [any(not is_blank(row[at]) for row in body) for at in area.columns]
    first = next((fold(label) for label in labels if label), "")
    found = []
    for at in area.columns[1:]:
        follows_gap = filled[at] and not filled[at - 1] and any(filled[:at])
        end = next((column for column in area.columns[at:] if not filled[column]), len(labels))
        parts = labels[at:end]
        is_same = fold(labels[at]) == first and role_of(labels[at]) in ("date", "deal")
        has_key = any(role_of(label) in _KEYS for label in parts) or _repeats(parts, labels[:at])
        titled = any(_day([cell]) for row in area.cells[:header] for cell in row[at:end])
        if is_same or (follows_gap and (has_key or titled)):
            found.append(at)
    return found


def _repeats(labels: list[str], others: list[str]) -> bool:
    return bool(set(map(fold, filter(None, labels))) & set(map(fold, filter(None, others))))


def _cut(area: Area, start: int, end: int) -> Area:
    """Return some columns of an area, with the rows above the header as titles."""
    rows = [at for at, cells in enumerate(area.cells) if any(cell != "" for cell in cells[start:end])]
    cells = [area.cells[at][start:end] for at in rows]
    header = next(
        (at for at, row in enumerate(cells) if _is_turned(cells, at) or _is_last_label(cells, at)), 0
    )
    has_two = header and not _is_turned(cells, header) and kind_of_row(cells[header - 1]) == "label"
    if has_two and not _is_metadata(cells[header - 1]):
        header -= 1
    titles = [cell for row in cells[:header] for cell in row if not is_blank(cell)]
    numbers = [area.rows[at] for at in rows[header:]]
    return Area(area.sheet, numbers, area.columns[start:end], cells[header:], titles)


def _is_last_label(cells: list[list[Cell]], at: int) -> bool:
    """Return whether a row has only labels, and rows of the table, or a date above them, follow."""
    follows = at + 1 < len(cells) and kind_of_row(cells[at + 1]) != "label"
    return follows and kind_of_row(cells[at]) == "label" and not _is_metadata(cells[at])


def _is_metadata(cells: list[Cell]) -> bool:
    """Return whether a row is something like `Place: | Prague`."""
    return _label(_first(cells)).endswith((":", "："))


def _turned(area: Area) -> Area:
    """Return an area with rows and columns exchanged if it has a row for each player."""
    if not _is_turned(area.cells, 0):
        return area
    header = ["" if role_of(_label(cell)) in ("name", "date", "deal") else cell for cell in area.cells[0]]
    cells = [list(column) for column in zip(header, *area.cells[1:], strict=True)]
    return Area(area.sheet, area.columns, area.rows, cells, area.titles, turned=True)


def _is_turned(cells: list[list[Cell]], at: int) -> bool:
    """Return whether a row's cells are dates or numbers that count on, with names below its beginning."""
    filled = [cell for cell in cells[at] if not is_blank(cell)]
    heads = [cell for cell in filled if is_date(cell) or isinstance(read_number(cell), int)]
    if len(heads) < 2 or len(filled) - len(heads) > 3 or at + 1 >= len(cells):
        return False
    numbers = [read_number(cell) for cell in heads if not is_date(cell)]
    first = cells[at].index(heads[0])
    counted = len(numbers) > 2 and numbers == list(
        range(int(numbers[0] or 0), int(numbers[0] or 0) + len(numbers))
    )
    if first == 0 or not (counted or not numbers):
        return False
    below = [row for row in cells[at + 1 :] if any(not is_blank(cell) for cell in row)]
    named = sum(any(_is_text(cell) for cell in row[:first]) for row in below)
    return named * 10 >= len(below) * 9


def _is_text(cell: Cell) -> bool:
    return isinstance(cell, str) and not is_blank(cell) and read_number(cell) is None and not is_date(cell)


def _first(cells: list[Cell]) -> Cell:
    return next((cell for cell in cells if not is_blank(cell)), "")


def _label(cell: Cell) -> str:
    return " ".join(str(cell).split())


def _day(cells: list[Cell]) -> Cell | None:
    """Return the cell that contains a date, of a row with nothing else."""
    cell = _first(cells)
    return cell if is_date(cell) or (isinstance(cell, str) and date_in(cell, 2000)) else None
