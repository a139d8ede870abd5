"""Dates of play: detecting dates that are too late or too early, and suggesting corrections."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from operator import ne

from tarock.core.findings import Finding

EARLIEST_YEAR = 1700
"""Earliest year that a date can have. Tarock is older, but earlier deals were not written down."""

_AHEAD = timedelta(days=1, hours=14)
"""One day, plus the UTC offset of the time zone that is furthest ahead (14 hours)."""


def latest_day(now: datetime | None = None) -> date:
    """Return the latest date of a deal at `now`, in UTC: tomorrow's date in the time zone furthest ahead."""
    return ((now or datetime.now(UTC)) + _AHEAD).date()


def first_day(written: str) -> date | None:
    """Return the first day that a record's date may mean: 1 November 2026 for `2026-11-??`. Return None
    if the date has no year or does not exist."""
    try:
        return date.fromisoformat(written.replace("-??", "-01"))
    except ValueError:
        return None


def date_finding(written: str, now: datetime | None = None) -> Finding | None:
    """Return a finding with a suggested correction (`likely_date`) if a date is after `latest_day` or before
    1700. Return None for any other date, including a date without a year."""
    day, latest = first_day(written), latest_day(now)
    if day is None or (day <= latest and day.year >= EARLIEST_YEAR):
        return None
    reason = "date-too-late" if day > latest else "date-too-early"
    values = {"found": written, "suggestion": likely_date(written, latest), "year": EARLIEST_YEAR}
    return Finding(reason, values)


def likely_date(written: str, latest: date) -> str:
    """Return the date with the year that was probably meant: of the last twenty years, the latest one
    with the same digits in another order or with one different digit, otherwise the latest possible year.

    >>> likely_date("2206-11-01", date(2026, 11, 25))
    '2026-11-01'
    >>> likely_date("2026-12-24", date(2026, 11, 25))
    '2025-12-24'
    """
    year, rest = written[:4], written[4:]
    years = [f"{number}" for number in range(latest.year, EARLIEST_YEAR - 1, -1)]
    slips = [other for other in years[:20] if sorted(other) == sorted(year) or sum(map(ne, other, year)) == 1]
    likely = (other + rest for other in (*slips, *years))
    return next(day for day in likely if (first := first_day(day)) is not None and first <= latest)
