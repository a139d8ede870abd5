"""Dates that are too late or too early, and the date that was probably meant."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from tarock.analysis.verify import check_entry, warnings
from tarock.core.dates import date_finding, latest_day, likely_date
from tarock.notation import read

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("hour", "latest"), [(0, date(2026, 11, 26)), (9, date(2026, 11, 26)), (10, date(2026, 11, 27))]
)
def test_tomorrow_is_that_of_the_farthest_time_zone(hour: int, latest: date) -> None:
    # In UTC+14 the 26th begins at 10:00 UTC of the 25th.
    assert latest_day(NOON.replace(hour=hour)) == latest


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("2026-11-25", None),
        ("2026-11-27", None),
        ("2026-11-28", "date-too-late"),
        ("2026-11-??", None),
        ("2026-12-??", "date-too-late"),
        ("2026-??-??", None),
        ("2027-??-??", "date-too-late"),
        ("9999-12-31", "date-too-late"),
        ("????-12-31", None),
        ("", None),
        ("1700-01-01", None),
        ("1700-??-??", None),
        ("1699-12-31", "date-too-early"),
        ("0026-11-01", "date-too-early"),
    ],
)
def test_dates_after_tomorrow_or_before_1700_are_found(written: str, reason: str | None) -> None:
    found = date_finding(written, NOON)
    assert (found and found.reason) == reason


@pytest.mark.parametrize(
    ("written", "suggestion"),
    [
        ("2206-11-01", "2026-11-01"),  # two digits changed places
        ("2062-11-01", "2026-11-01"),
        ("2027-01-05", "2026-01-05"),  # one other digit
        ("2027-12-05", "2025-12-05"),  # December 2026 is still to come
        ("2026-12-24", "2025-12-24"),
        ("9999-12-31", "2025-12-31"),  # no year of late looks like it
        ("0026-11-01", "2026-11-01"),
        ("1026-11-??", "2026-11-??"),
        ("3332-02-29", "2024-02-29"),  # the last year with such a day
    ],
)
def test_the_likely_date(written: str, suggestion: str) -> None:
    assert likely_date(written, latest_day(NOON)) == suggestion
    found = date_finding(written, NOON)
    assert found is not None
    assert found.values["suggestion"] == suggestion


def test_the_verdict_does_not_depend_on_today() -> None:
    text = """
[TGN "1"]
[Game "strohmann"]
[A "Resi"]
[B "Poldi"]
[Dealer "A"]
[Date "2026-11-28"]
[Session "s"]
[Deal "1"]
sheet contract undeclared
sheet points A 40
"""
    entry = read(text)[0]
    assert entry.record is not None
    assert check_entry(entry).verdict == "computed"
    assert [one.reason for one in warnings(entry.record, NOON)] == ["date-too-late"]
    assert list(warnings(entry.record, NOON.replace(year=2030))) == []
