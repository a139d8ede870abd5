"""The child process that reads a spreadsheet: the file on standard input, JSON lines on standard output.

The first value of a line is a sheet's name, or the number of a row, counted from 1. Empty rows and the rows
of hidden sheets are left out. The process limits its own memory and processor time. Exit status 3: the file
can't be read; 4: it has a password; 5: it is too large; 6: python-calamine isn't installed. A file that asks
for too much memory ends the process by a signal.
"""

from __future__ import annotations

import io
import json
import math
import re
import resource
import sys
import zipfile
from datetime import date, datetime
from typing import Any

UNREADABLE, LOCKED, TOO_LARGE, NO_READER = 3, 4, 5, 6
_MEMORY, _SECONDS = 280 * 1024 * 1024, 10
_MOST_WRITTEN, _MOST_COLUMNS, _LONGEST_CELL = 16 * 1024 * 1024, 256, 300


def main() -> int:
    """Read the spreadsheet, write its cells, and return the exit status."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        from python_calamine import (
            CalamineError,
            CalamineWorkbook,
            PasswordError,
            SheetTypeEnum,
            SheetVisibleEnum,
        )
    except ImportError:
        return NO_READER
    try:
        data = sys.stdin.buffer.read()
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        left, epoch = _MOST_WRITTEN, 1904 if _counts_from_1904(data) else 1900
        for sheet in book.sheets_metadata:
            if sheet.typ == SheetTypeEnum.WorkSheet:
                is_hidden = sheet.visible != SheetVisibleEnum.Visible
                left = _write([sheet.name[:_LONGEST_CELL], epoch, is_hidden], left)
                if not is_hidden:
                    left = _write_rows(book.get_sheet_by_name(sheet.name), left)
    except PasswordError:
        return LOCKED
    except (MemoryError, OverflowError):
        return TOO_LARGE
    except (CalamineError, ValueError, OSError, LookupError, TypeError):
        return UNREADABLE
    return 0 if left >= 0 else TOO_LARGE


def _write_rows(sheet: Any, left: int) -> int:
    top, first = sheet.start or (0, 0)
    if (sheet.end or (0, 0))[1] >= _MOST_COLUMNS:
        raise OverflowError
    for number, cells in enumerate(sheet.iter_rows(), top + 1):
        if left < 0:
            break
        row = [_value(cell) for cell in cells]
        if any(cell != "" for cell in row):
            left = _write([number, *[""] * first, *row], left)
    return left


def _write(line: list[object], left: int) -> int:
    text = json.dumps(line) + "\n"
    sys.stdout.write(text)
    return left - len(text)


def _value(cell: object) -> object:
    """Return a cell as a JSON value. A date is an object with the date as its only value."""
    if isinstance(cell, datetime | date):
        return {"date": cell.isoformat()[:10]}
    if not isinstance(cell, int | float | str):
        return str(cell)
    if isinstance(cell, float):
        if not math.isfinite(cell):
            return str(cell)
        rounded = round(cell, 6)  # a formula's 0.30000000000000004
        return int(rounded) if rounded.is_integer() else rounded
    return cell[:_LONGEST_CELL] if isinstance(cell, str) else cell


def _counts_from_1904(data: bytes) -> bool:
    """Return whether an XLSX file counts days from 1904, as old Macs do."""
    if not data.startswith(b"PK"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed, packed.open("xl/workbook.xml") as file:
            return re.search(rb'date1904="(?:1|true)"', file.read(100_000)) is not None
    except (zipfile.BadZipFile, KeyError, OSError, RuntimeError, NotImplementedError, EOFError):
        return False


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    sys.exit(status)
