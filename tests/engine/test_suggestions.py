"""What is suggested for slips in a text."""

from __future__ import annotations

import pytest

from tarock.notation import read
from tarock.suggestions import suggestions
from tests import samples

TAROKY = samples.ANNOTATED


def suggested(text: str, language: str = "en") -> list[tuple[str, list[str]]]:
    """The faulty words of a text, each with what is suggested for it."""
    rows = []
    for finding in read(text)[0].errors:
        found = suggestions(text, finding, language)
        rows.append((text[found[0].start : found[0].end] if found else "", [one.text for one in found]))
    return rows


def slip(right: str, written: str) -> str:
    """The sample with a word written otherwise, once."""
    assert right in TAROKY
    return TAROKY.replace(right, written, 1)


@pytest.mark.parametrize(
    ("right", "written", "word", "meant"),
    [
        ('"2026-11-20"', '"20.11.2026"', "20.11.2026", ["2026-11-20"]),
        ('"2026-11-20"', '"11/12/26"', "11/12/26", ["2026-12-11", "2026-11-12"]),
        ('"2026-11-20"', '"2026年11月20日"', "2026年11月20日", ["2026-11-20"]),
        ('"2026-11-20"', '"31.2.2026"', "", []),
        ('[Game "taroky"]', '[Game "Czech Taroky"]', "Czech Taroky", ["taroky"]),
        ('[Game "taroky"]', '[Game "Tarokky"]', "Tarokky", ["taroky"]),
        ("\n2. ", "\n3. ", "3.", ["2."]),
        ("deal talon", "deal tallon", "tallon", ["talon"]),
        ('[Dealer "D"]', '[Dealer "Dana"]', "Dana", ["D"]),
        (" pass", " passt", "passt", ["pass"]),
        (" pass", " パス", "パス", ["pass"]),
        (" bid", " bietet", "bietet", ["bid"]),
    ],
)
def test_a_word_of_another_spelling_or_language(
    right: str, written: str, word: str, meant: list[str]
) -> None:
    assert suggested(slip(right, written))[0] == (word, meant)


@pytest.mark.parametrize("written", ["HD", "QH", "♥Q", "♥D", "HQ,"])
def test_a_card_as_people_write_it(written: str) -> None:
    """The Queen of hearts: in German `HD`, as pages print it, rank before suit, with a comma behind it."""
    rows = suggested(TAROKY.replace(" HQ", f" {written}"), "de")
    assert rows == [(written, ["HQ"])] * 2


def test_a_letter_is_read_in_the_language_of_the_reader_first() -> None:
    """`B` is the German Bube; no other language has such a card."""
    assert suggested(TAROKY.replace(" HJ", " HB"), "cs") == [("HB", ["HJ"])] * 2


def test_the_cards_that_one_place_lacks() -> None:
    """They are those of the pack that lie nowhere else, and go to the end of its line. Where two places lack
    some, or a card is not known, nobody can say whose they are."""
    text = slip(" C7 T21 T18 T11 T8 T7", " T18 T11 T8 T7 ; two are missing")
    (finding,) = read(text)[0].errors
    assert (finding.reason, finding.values["cards"]) == ("cards-missing", ["C7", "T21"])
    (one,) = suggestions(text, finding, "en")
    mended = text[: one.start] + one.text + text[one.end :]
    assert read(mended)[0].errors == ()
    for both in (text.replace(" DQ D4", " D4"), text.replace(" DQ D4", " ? D4")):
        assert {error.reason for error in read(both)[0].errors} == {"wrong-size"}


def test_points_of_a_seat() -> None:
    text = slip("A=105 B=-105 C=-105 D=105", "A:5 B+3 C=1 D−9")
    assert suggested(text) == [("A:5", ["A=5"])]
    assert suggested(text.replace("A:5", "A=5").replace("B+3", "b-3")) == [("b-3", ["B=-3"])]


def test_nothing_is_suggested_in_json_or_where_nothing_is_like_it() -> None:
    assert suggested('{"tgn": 1, "game": "tarokky"}')[0] == ("", [])
    assert suggested(slip('[Game "taroky"]', '[Game "whist"]'))[0] == ("", [])
    assert suggested(slip(" pass", " xyz"))[0] == ("", [])


def test_in_the_second_record_of_an_input() -> None:
    """Lines are counted from the beginning of the input, and the game is that of the record."""
    text = samples.ANNOTATED + "\n" + slip(" pass", " passt")
    (entry,) = [entry for entry in read(text) if entry.errors]
    (one,) = suggestions(text, entry.errors[0], "en")
    assert text[one.start - 2 : one.end] == text[one.start - 2] + " passt"
    assert text[: one.start].count("\n") + 1 == entry.errors[0].line
