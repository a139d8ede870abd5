"""The cells of a file: text with separators, cells pasted from a page, and spreadsheets (XLSX, XLS, ODS)."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from io import BytesIO
from pathlib import Path, PurePath

from tarock.notation.packed import Content, files_in, is_packed, sample_lines
from tarock.tables import workbook_child

Cell = str | int | Decimal | date
"""The value of a cell. An empty cell is an empty string."""

LARGEST = 16 * 1024 * 1024
"""Maximum size of a file, in bytes."""
_MOST_ROWS, _MOST_CELLS, _MOST_COLUMNS, _MOST_FILES = 50_000, 2_000_000, 256, 100
_TABLES = (".csv", ".tsv", ".txt", ".xlsx", ".xls", ".ods")
"""Endings of the files that are read in a packed file."""
_SECONDS = 20
_SEPARATORS = "\t;|,"
_WHOLE = re.compile(r"-?[1-9][0-9]{0,6}|0")


class Unreadable(ValueError):
    """Error for a file whose cells can't be read.

    `reason`: code of the sentence; `values`: values for it; `choices`: encodings that fit, if the encoding is
    unclear; `about`: the key of the answer that chooses one.
    """

    def __init__(self, reason: str, choices: tuple[str, ...] = (), about: str = "", **values: str) -> None:
        super().__init__(reason)
        self.reason, self.choices, self.about, self.values = reason, choices, about, values


@dataclass
class Sheet:
    """A sheet: the cells of each row by its number, counted from 1, without empty rows.

    `name`: the sheet's name; empty for text. `epoch`: 1900 or 1904, from which dates stored as numbers count.
    `why`: code of the sentence why the sheet, or the file in a packed file, has no rows; empty if it has.
    """

    name: str = ""
    rows: dict[int, list[Cell]] = field(default_factory=dict)
    epoch: int = 1900
    why: str = ""


def read_sheets(data: bytes, answers: Mapping[str, str] | None = None) -> list[Sheet]:
    """Return the sheets of a file, or of the files in a packed one. Raise Unreadable.

    `answers`: `encoding` for a text that fits several encodings, `encoding:NAME` for a file in a packed one.
    """
    if len(data) > LARGEST:
        raise Unreadable("too-large")
    if _is_workbook(data):
        sheets = _read_spreadsheet(data)
    elif is_packed(data):
        sheets = _read_packed(data, answers or {})
    else:
        sheets = [read_text(_decoded(data, "encoding", answers or {}))]
    for sheet in sheets:
        width = max(map(len, sheet.rows.values()), default=0)
        if len(sheet.rows) > _MOST_ROWS or width > _MOST_COLUMNS or width * len(sheet.rows) > _MOST_CELLS:
            raise Unreadable("too-large")
    return [sheet for sheet in sheets if sheet.rows or sheet.why]


def _is_workbook(data: bytes) -> bool:
    if not data.startswith(b"PK"):
        return data.startswith(b"\xd0\xcf\x11\xe0")
    try:
        names = zipfile.ZipFile(BytesIO(data)).namelist()
    except (zipfile.BadZipFile, ValueError, OSError, RuntimeError, NotImplementedError):
        return b"xl/" in data or b"opendocument.spreadsheet" in data
    return "content.xml" in names or any(name.startswith("xl/") for name in names)


def _read_packed(data: bytes, answers: Mapping[str, str]) -> list[Sheet]:
    """Return the sheets of each file, named after it. A file that can't be read has a sheet without rows."""
    sheets: list[Sheet] = []
    size = 0
    for number, (path, chunks, _more) in enumerate(files_in([data])):
        name = PurePath(path)
        content = b"".join(chunks)
        size += len(content)
        if content == data:
            raise Unreadable("packed")
        if size > LARGEST or number == _MOST_FILES:
            raise Unreadable("too-large")
        if path and name.suffix.lower() not in _TABLES:
            sheets.append(Sheet(path, why="other-file"))
            continue
        try:
            if is_packed(content) and not _is_workbook(content):
                raise Unreadable("packed")
            own = read_sheets(content, {"encoding": answers.get(f"encoding:{path}", "")})
        except Unreadable as error:
            if error.choices:
                raise Unreadable(error.reason, error.choices, f"encoding:{path}", **error.values) from None
            sheets.append(Sheet(path, why=error.reason))
            continue
        for sheet in own:
            sheet.name = f"{name.stem} {sheet.name}".strip() if len(own) > 1 else name.stem or sheet.name
        sheets += own
    return sheets


def read_text(text: str) -> Sheet:
    """Return the cells of a text with separators, such as CSV, or cells that were pasted."""
    text = text.lstrip("\ufeff").replace("\x1a", "").replace("\0", "")
    lines = text.splitlines()
    separator = _separator([line for line in lines if line.strip()])
    if lines and lines[0].lower().startswith("sep="):  # a line for Excel
        separator, lines[0] = lines[0][4:5] or "\t", ""
    reader = csv.reader((line + "\n" for line in lines), delimiter=separator)
    rows: dict[int, list[Cell]] = {}
    before = 0
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows[before + 1] = [_number_or_text(cell.strip()) for cell in cells]
            before = reader.line_num
    except csv.Error:
        raise Unreadable("not-a-table") from None
    return Sheet(rows=rows)


def _number_or_text(cell: str) -> Cell:
    """Return a plain whole number as such, as spreadsheets do. Later, it is read several times."""
    return int(cell) if _WHOLE.fullmatch(cell) else cell


def _separator(lines: list[str]) -> str:
    """Return the separator that most lines contain equally often. A comma may also be a decimal comma."""
    best, most = ";", 0
    for sign in _SEPARATORS:
        counts = [line.count(sign) for line in lines[:200] if sign in line]
        same = max((counts.count(number) for number in set(counts)), default=0)
        if same > most * 1.2:
            best, most = sign, same
    return best


def _decoded(data: bytes, about: str, answers: Mapping[str, str]) -> str:
    content = Content([data], answers.get(about, ""))
    text = b"".join(content).decode("utf-8", "surrogateescape")
    if not re.search("[\udc80-\udcff]", text):
        return text
    lines = sample_lines(data)
    if not lines:
        raise Unreadable("not-a-table")
    raise Unreadable("encoding-unclear", tuple(lines), about, found=" / ".join(lines.values()))


def _read_spreadsheet(data: bytes) -> list[Sheet]:
    command = [sys.executable, "-I", str(Path(workbook_child.__file__))]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise Unreadable("too-large") from None
    if done.returncode:
        by_signal = done.returncode < 0 or done.returncode == workbook_child.TOO_LARGE
        reasons = {workbook_child.LOCKED: "password", workbook_child.NO_READER: "no-reader"}
        raise Unreadable("too-large" if by_signal else reasons.get(done.returncode, "damaged"))
    sheets: list[Sheet] = []
    for line in done.stdout.splitlines():
        first, *cells = json.loads(line, parse_float=Decimal)
        if isinstance(first, str):
            sheets.append(Sheet(first, epoch=cells[0], why="hidden-sheet" if cells[1] else ""))
        else:
            sheets[-1].rows[first] = [_cell(value) for value in cells]
    return sheets


def _cell(value: object) -> Cell:
    if isinstance(value, dict):
        try:
            return date.fromisoformat(value["date"])
        except ValueError:
            return str(value["date"])
    if isinstance(value, bool):
        return str(value).upper()
    return value.strip() if isinstance(value, str) else value  # type: ignore[return-value]
