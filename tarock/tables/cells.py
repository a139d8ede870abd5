"""Numbers and dates in cells, as people write them."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta
from decimal import Decimal

from tarock.tables.words import fold
from tarock.tables.workbook import Cell

Number = int | Decimal

_ABSENT = re.compile(r"[-–—−ー/.*x×]*|n/?a|abw\.?|fehlt|chybí|欠|休", re.IGNORECASE)
_UNIT = re.compile(
    r"\s*(?:kč|kc|hal\.?|h|€|eur|kr\.?|,-|円|点|points?|pts?\.?|pkt\.?|punkte|p\.?|b\.?|bodů)$", re.I
)
_THOUSANDS = re.compile(r"\d{1,3}(?:[., '’]\d{3})+(?=[.,]\d{1,2}$|$)")
_NUMBER = re.compile(r"([-+]?)\s*(\d+(?:\.\d+)?)")
_MINUS = str.maketrans("−–—‒▲△▼", "-------")
_AMOUNT = re.compile(r"[-+]?\d{1,7}(?:[.,]\d{1,2})?")
"""Most amounts: read without the slower patterns below, and never dates."""
_LARGEST = 10**12

_STARTS = (
    *("jan led", "feb uno", "marz marc mart mrz bre", "apr dub", "may mai maj kve", "jun cerven cervn cvn"),
    *("jul cervenc cervenec cvc", "aug srp", "sep zar", "oct okt rij", "nov lis", "dec dez pro"),
)
_MONTHS = {start: month for month, starts in enumerate(_STARTS, 1) for start in starts.split()}
"""Beginnings of the months' names in English, German, Danish and Czech, without accents."""
_WEEKDAY = re.compile(
    r"^(?:den\s+)?(?:mo|di|mi|do|fr|sa|so|tu|we|th|su|po|ut|st|ct|pa|ne|man|tir|ons|tor|fre|lor|lør|son|søn)"
    r"[a-zø]*\.?(?:\s*,\s*|\s+)(?:den\s+|d\.\s*)?|^den\s+"
)
_YEAR = r"(?P<y>\d{4}|'?\d{2})"
_DATES = [
    re.compile(pattern)
    for pattern in (
        r"(?P<y>\d{4})\s*[-/.年]\s*(?P<m>\d{1,2})\s*[-/.月]\s*(?P<d>\d{1,2})\s*日?",
        r"(?P<era>令和|平成|昭和|[rhs])\s*(?P<y>\d{1,2}|元)\s*[年.]\s*(?P<m>\d{1,2})\s*[月.]\s*(?P<d>\d{1,2})\s*日?",
        r"(?P<m>\d{1,2})\s*月\s*(?P<d>\d{1,2})\s*日",
        rf"(?P<d>\d{{1,2}})\s*[.-]\s*(?P<m>\d{{1,2}})\s*[.-]\s*{_YEAR}",
        rf"(?P<one>\d{{1,2}})\s*/\s*(?P<two>\d{{1,2}})(?:\s*/\s*{_YEAR})?",
        r"(?P<d>\d{1,2})\s*\.\s*(?P<m>\d{1,2})\s*\.",
        rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?[\s-]*(?P<word>[a-z]{{3,9}})\.?,?(?:[\s-]*{_YEAR})?",
        rf"(?P<word>[a-z]{{3,9}})\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?(?:,?\s+{_YEAR})?",
        r"(?P<y>(?:19|20)\d{2})(?P<m>\d{2})(?P<d>\d{2})",
    )
]
_ERAS = {"令和": 2018, "r": 2018, "平成": 1988, "h": 1988, "昭和": 1925, "s": 1925}


def size(number: Number) -> Number:
    """Return the absolute value."""
    return -number if number < 0 else number


def is_blank(cell: Cell) -> bool:
    """Return whether a cell is empty, or has a sign for a player who was absent."""
    return isinstance(cell, str) and _ABSENT.fullmatch(cell) is not None


def read_number(cell: Cell) -> Number | None:
    """Return the number in a cell; null if there is none. A decimal that is whole is an integer."""
    if isinstance(cell, int):
        return cell if -_LARGEST <= cell <= _LARGEST else None
    if isinstance(cell, date):
        return None
    if isinstance(cell, str) and _AMOUNT.fullmatch(cell):
        cell = Decimal(cell.replace(",", "."))
    elif isinstance(cell, str):
        text = unicodedata.normalize("NFKC", cell).translate(_MINUS).strip()
        if not any(map(str.isdigit, text)):
            return None
        text = _UNIT.sub("", re.sub(r"^\((.+)\)$", r"-\1", text))
        text = re.sub(r"^([^-+]+)([-+])$", r"\2\1", text)
        text = _THOUSANDS.sub(lambda found: re.sub(r"\D", "", found[0]), text).replace(",", ".")
        found = _NUMBER.fullmatch(text)
        if not found or len(text) > 20:
            return None
        cell = Decimal(found[1] + found[2])
    if size(cell) > _LARGEST:
        return None
    return int(cell) if cell == int(cell) else cell


def read_date(cell: Cell, month_first: bool = False, year: int | None = None, epoch: int = 0) -> date | None:
    """Return the date in a cell; null if there is none, or the date doesn't exist.

    `month_first`: for dates with slashes; `year`: for dates without one; `epoch`: 1900 or 1904, where numbers
    can be dates, which is so in a column of dates.
    """
    if isinstance(cell, date):
        return cell
    if isinstance(cell, str):
        plain = _plain(cell)
        for found in (pattern.fullmatch(plain) for pattern in _DATES):
            if found and (made := _made(found.groupdict(), month_first, year)):
                return made
    number = read_number(cell) if epoch else None
    if isinstance(number, int) and 15_000 < number < 70_000:
        return (
            date(1904, 1, 1) + timedelta(number) if epoch == 1904 else date(1899, 12, 30) + timedelta(number)
        )
    return None


def is_date(cell: Cell) -> bool:
    """Return whether a cell reads like a date, possibly without a year. Plain numbers do not."""
    if not isinstance(cell, str):
        return isinstance(cell, date)
    if not 4 <= len(cell) <= 60 or _AMOUNT.fullmatch(cell) or not any(map(str.isdigit, cell)):
        return False  # most cells, and soon known
    orders = (False, True) if has_two_orders(cell) else (False,)
    return any(read_date(cell, order, 2000) for order in orders)


def has_two_orders(cell: Cell) -> bool:
    """Return whether a date begins with day or month, and only other dates tell which."""
    return isinstance(cell, str) and "/" in cell and _DATES[4].fullmatch(_plain(cell)) is not None


def date_in(text: str, year: int | None) -> date | None:
    """Return the first date that occurs in a title or a sheet's name."""
    plain = _plain(text)
    for pattern in _DATES:
        for found in re.finditer(rf"(?<![\w.])(?:{pattern.pattern})(?!\w)", plain):
            if made := _made(found.groupdict(), False, year):
                return made
    return None


def year_in(text: str, month: int = 0) -> int | None:
    """Return the year in a text. Of a season such as 2025/26, months before August belong to the second."""
    found = re.search(r"(?<!\d)((?:19|20)\d\d)(?!\d)(\s*[/–-]\s*(?:20)?\d\d(?!\d))?", text)
    return None if not found else int(found[1]) + (found[2] is not None and 0 < month < 8)


def _plain(text: str) -> str:
    """Return a date without accents, weekday and time."""
    text = unicodedata.normalize("NFKC", text).casefold().strip()
    text = "".join(sign for sign in unicodedata.normalize("NFD", text) if not unicodedata.combining(sign))
    text = re.sub(r"\s*\([^)]*\)\s*$|(?<=\d)[t ]\s*\d{1,2}:\d\d.*$", "", text)
    return _WEEKDAY.sub("", text)


def _made(parts: dict[str, str | None], month_first: bool, year: int | None) -> date | None:
    if parts.get("one"):
        parts["d"], parts["m"] = parts["one"], parts["two"]
        if month_first:
            parts["d"], parts["m"] = parts["m"], parts["d"]
    month = int(parts.get("m") or 0) or _month(parts.get("word") or "")
    written = parts.get("y")
    if written is not None:
        year = 1 if written == "元" else int(written.lstrip("'"))
        if era := parts.get("era"):
            year += _ERAS[era]
        elif year < 100:
            year += 2000 if year < 70 else 1900
    try:
        return date(year, month, int(parts["d"] or 0)) if year and 1850 < year < 2150 else None
    except ValueError:
        return None


def _month(word: str) -> int:
    """Return the number of a month by its name in one of the languages, or 0."""
    folded = fold(word)
    if folded == "mar":
        return 3
    longest = max((start for start in _MONTHS if folded.startswith(start)), key=len, default="")
    return _MONTHS.get(longest, 0)
