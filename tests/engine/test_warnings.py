"""Warnings: equal names, names that look alike, unknown players, and dates that are too late or too early."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from tarock.analysis.verify import check_entry, warnings
from tarock.core.dates import date_finding, latest_day, likely_date
from tarock.core.persons import folded, is_nobody, likeness, lookalikes, namesakes
from tarock.notation import read
from tarock.words.names import PlayerNames

SAME = ["Hana Ílová", "Hana I\u0301lova\u0301", "Hana\u00a0Ílová", "Hana  Ílová", " Hana\tÍlová ",
        "Hana\u3000Ílová", "Hana\u2009\u202fÍlová", "Ha\u00adna \ufeffÍlová\u200b"]  # fmt: skip


def test_case_accents_and_stops_make_another_name_unicode_form_and_blanks_do_not() -> None:
    assert {*map(folded, SAME)} == {"Hana Ílová"}
    names = ["Jan Novák", "jan novák", "Jan Novak", "J. Novák", "Jan Novák."]
    assert len(set(map(folded, names))) == len(names)


@pytest.mark.parametrize(("one", "other"), [
    *(("Jan Novák", "jan NOVÁK"), ("Jan Novák ml.", "Jan Novák ml"), ("J.Novák", "J. Novák")),
    *(("D'Artagnan", "D’Artagnan"), ("Zdeněk Adámek", "Adámek Zdeněk"), ("Čeněk Žák", "Cenek Zak")),
    *(("Zdeněk Adámek", "Adámek, Zdeněk"), ("Straße", "STRASSE")),
    *(("D'Artagnan", "Dartagnan"), ("Niccolo' Rossi", "Niccolò Rossi")),
])  # fmt: skip
def test_names_that_may_be_one_person(one: str, other: str) -> None:
    assert likeness(one) == likeness(other)
    assert lookalikes([one, "Somebody Else", other, one]) == [sorted([one, other])]


@pytest.mark.parametrize(
    ("one", "other"), [("Jan Novák", "Jana Novák"), ("Jan Novák sen.", "Jan Novák"), ("Michal", "Michael")]
)
def test_names_of_two_persons(one: str, other: str) -> None:
    assert likeness(one) != likeness(other)
    assert lookalikes([one, other]) == []


def test_groups_of_names_that_look_alike_are_sorted_and_leave_out_unknown_players() -> None:
    names = ["N.N.", "n n", "Žák  Jan", "Jan Zak", "eva", "Eva"]
    assert lookalikes(names) == [["Eva", "eva"], ["Jan Zak", "Žák Jan"]]


NOBODY = [
    *("", " ", "?", "???", "-", "–", "—", "...", "…", "?", "_", "−", "\u200b"),
    *("NN", "N.N.", "N. N.", "n.n", "Unknown", "UNKNOWN PLAYER", "unbekannt", "Unbekannter Spieler"),
    *("Neznámý", "neznamy", "Neznámá hráčka", "不明", "不明なプレイヤー", "名無し"),
]
SOMEBODY = ["Nina", "N", "NNN", "Anna N.", "7", "♥", "☺", "Neznámek", "明", "Unknow"]


def test_names_of_nobody_and_of_somebody() -> None:
    assert [name for name in NOBODY if not is_nobody(name)] == []
    assert [name for name in SOMEBODY if is_nobody(name)] == []


SHEET = """
[TGN "1"]
[Game "strohmann"]
[A "{a}"]
[B "{b}"]
[Dealer "A"]
[Date "{date}"]
[Session "s"]
[Deal "1"]
sheet contract undeclared
sheet points A 40
"""


@pytest.mark.parametrize(("a", "b", "warned"), [
    ("Jan Novák", "Jan Novák", True),
    ("Jan Novák", "Jan\u00a0Novák", True),
    ("Čeněk", "C\u030cene\u030ck", True),
    ("Jan Novák", "jan novák", False),
    ("Jan Novák", "Jan Novák sen.", False),
    ("?", "?", False),
    ("", "", False),
])  # fmt: skip
def test_one_name_at_two_seats_is_a_warning(a: str, b: str, warned: bool) -> None:
    checked = check_entry(read(SHEET.format(a=a, b=b, date="2026-11-20"))[0])
    assert checked.verdict == "computed"
    assert [one.reason for one in checked.warnings] == ["same-name"] * warned
    if warned:
        assert checked.as_json()["warnings"][0]["values"]["seats"] == ["A", "B"]


def test_of_three_namesakes_all_seats_are_named() -> None:
    assert namesakes({"A": "Jan", "B": "Eva", "C": "Jan", "D": " Jan "}) == [("Jan", ("A", "C", "D"))]


def test_sentences_call_an_unknown_player_by_the_seat() -> None:
    names = PlayerNames("taroky", {"A": "jan", "B": "?", "C": "", "D": "N.N."}, "en")
    assert names.name("seat", "B") == "unknown player B"
    assert names.capitalised(f"{names.name('seat', 'C')} leads") == "Unknown player C leads"
    assert names.capitalised("jan leads") == "jan leads"


NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("hour", "latest"), [(0, date(2026, 11, 26)), (9, date(2026, 11, 26)), (10, date(2026, 11, 27))]
)
def test_tomorrow_is_that_of_the_farthest_time_zone(hour: int, latest: date) -> None:
    # In UTC+14 the 26th begins at 10:00 UTC of the 25th.
    assert latest_day(NOON.replace(hour=hour)) == latest


@pytest.mark.parametrize(("written", "reason"), [
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
])  # fmt: skip
def test_dates_after_tomorrow_or_before_1700_are_found(written: str, reason: str | None) -> None:
    found = date_finding(written, NOON)
    assert (found and (found.reason, found.values["year"])) == (reason and (reason, 1700))


def test_a_month_may_begin_on_the_latest_day() -> None:
    assert date_finding("2026-12-??", NOON.replace(day=28)) is not None
    assert date_finding("2026-12-??", NOON.replace(day=29)) is None


@pytest.mark.parametrize(
    ("written", "suggestion"),
    [
        ("2206-11-01", "2026-11-01"),  # two digits changed places
        ("2206-11-27", "2026-11-27"),  # the latest possible day
        ("7200-05-05", "2007-05-05"),  # the last twenty years begin in 2026 - 19 = 2007
        ("2907-05-05", "2007-05-05"),
        ("2906-05-05", "2026-05-05"),
        ("2062-11-01", "2026-11-01"),
        ("2027-01-05", "2026-01-05"),  # one other digit
        ("2027-12-05", "2025-12-05"),  # December 2026 is still to come
        ("2026-12-24", "2025-12-24"),
        ("9999-12-31", "2025-12-31"),  # no year of late looks like it
        ("9026-12-31", "2025-12-31"),  # nor does one that is over
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
    entry = read(SHEET.format(a="Resi", b="Poldi", date="2026-11-28"))[0]
    assert entry.record is not None
    assert check_entry(entry).verdict == "computed"
    assert [one.reason for one in warnings(entry.record, NOON)] == ["date-too-late"]
    assert list(warnings(entry.record, NOON.replace(year=2030))) == []
