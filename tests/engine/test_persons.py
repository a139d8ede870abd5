"""Equal names, names that look alike, and names of unknown players."""

from __future__ import annotations

import pytest

from tarock.analysis.verify import check_entry
from tarock.core.persons import folded, is_nobody, likeness, lookalikes, namesakes
from tarock.notation import read
from tarock.words.names import PlayerNames


@pytest.mark.parametrize(
    "written",
    [
        "Hana Ílová",
        "Hana I\u0301lova\u0301",
        "Hana\u00a0Ílová",
        "Hana  Ílová",
        " Hana\tÍlová ",
        "Hana\u3000Ílová",
        "Hana\u2009\u202fÍlová",
        "Ha\u00adna \ufeffÍlová\u200b",
    ],
)
def test_unicode_form_and_blanks_make_no_other_name(written: str) -> None:
    assert folded(written) == "Hana Ílová"


def test_case_accents_and_stops_make_another_name() -> None:
    names = ["Jan Novák", "jan novák", "Jan Novak", "J. Novák", "Jan Novák."]
    assert len(set(map(folded, names))) == len(names)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Jan Novák", "jan NOVÁK"),
        ("Jan Novák ml.", "Jan Novák ml"),
        ("J.Novák", "J. Novák"),
        ("D'Artagnan", "D’Artagnan"),
        ("Zdeněk Adámek", "Adámek Zdeněk"),
        ("Zdeněk Adámek", "Adámek, Zdeněk"),
        ("Čeněk Žák", "Cenek Zak"),
        ("Straße", "STRASSE"),
    ],
)
def test_names_that_may_be_one_person(one: str, other: str) -> None:
    assert likeness(one) == likeness(other)
    assert lookalikes([one, "Somebody Else", other, one]) == [sorted([one, other])]


@pytest.mark.parametrize(
    ("one", "other"), [("Jan Novák", "Jana Novák"), ("Jan Novák sen.", "Jan Novák"), ("Michal", "Michael")]
)
def test_names_of_two_persons(one: str, other: str) -> None:
    assert likeness(one) != likeness(other)
    assert lookalikes([one, other]) == []


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", "?", "???", "-", "–", "—", "...", "…", "?", "_", "−"),
        *("NN", "N.N.", "N. N.", "n.n", "Unknown", "UNKNOWN PLAYER", "unbekannt", "Unbekannter Spieler"),
        *("Neznámý", "neznamy", "Neznámá hráčka", "不明", "不明なプレイヤー", "名無し"),
    ],
)
def test_names_of_nobody(name: str) -> None:
    assert is_nobody(name)


@pytest.mark.parametrize("name", ["Nina", "N", "NNN", "Anna N.", "7", "♥", "☺", "Neznámek", "明", "Unknow"])
def test_names_of_somebody(name: str) -> None:
    assert not is_nobody(name)


SHEET = """
[TGN "1"]
[Game "strohmann"]
[A "{a}"]
[B "{b}"]
[Dealer "A"]
[Session "s"]
[Deal "1"]
sheet contract undeclared
sheet points A 40
"""


@pytest.mark.parametrize(
    ("a", "b", "warned"),
    [
        ("Jan Novák", "Jan Novák", True),
        ("Jan Novák", "Jan\u00a0Novák", True),
        ("Čeněk", "C\u030cene\u030ck", True),
        ("Jan Novák", "jan novák", False),
        ("Jan Novák", "Jan Novák sen.", False),
        ("?", "?", False),
        ("", "", False),
    ],
)
def test_one_name_at_two_seats_is_a_warning(a: str, b: str, warned: bool) -> None:
    checked = check_entry(read(SHEET.format(a=a, b=b))[0])
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
