"""Suggestions for slips in a text."""

from __future__ import annotations

import pytest

from tarock.notation import read
from tarock.view.entry.suggestions import suggestions
from tarock.view.entry.typed import straightened
from tests.support import samples

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


@pytest.mark.parametrize(("right", "written", "word", "meant"), [
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
])  # fmt: skip
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
    """They are the cards of the pack that no other place has, and go to the end of its line. If two places
    lack some, or a card is unknown, the owner is unknown."""
    text = slip(" C7 T21 T18 T11 T8 T7", " T18 T11 T8 T7 ; two are missing")
    (finding,) = read(text)[0].errors
    assert (finding.reason, finding.values["cards"]) == ("cards-missing", ["C7", "T21"])
    (one,) = suggestions(text, finding, "en")
    mended = text[: one.start] + one.text + text[one.end :]
    assert read(mended)[0].errors == ()
    for both in (text.replace(" DQ D4", " D4"), text.replace(" DQ D4", " ? D4")):
        assert {error.reason for error in read(both)[0].errors} == {"wrong-size"}


@pytest.mark.parametrize(("missing", "written", "found"), [
    # B's Queen of hearts is written in German: with her in B's hand C7 and T21 are those that lie nowhere.
    (" C7 T21", "HD", [("HD", ["HQ"]), ("", [" C7 T21"])]),
    # No language has such a card: it is one of the three that lie nowhere.
    (" C7 T21", "zz", [("zz", ["HQ", "C7", "T21"]), ("", [])]),
    # Each of the two may be the one or the other.
    (" C7", "zz", [("zz", ["HQ", "C7"]), ("", [" HQ", " C7"])]),
    ("", "zz", [("zz", ["HQ"])]),
])  # fmt: skip
def test_missing_cards_beside_a_word_that_cannot_be_read(
    missing: str, written: str, found: list[tuple[str, list[str]]]
) -> None:
    """They are missing at C, and B's HQ is written otherwise."""
    text = slip(missing, "").replace(" HQ HJ", f" {written} HJ")
    assert suggested(text, "de")[:2] == found


def dealt_twice(text: str) -> list[tuple[str, str]]:
    """For the one fault of a text: of each suggestion the place, and the line of this place with it."""
    (finding,) = read(text)[0].errors
    assert finding.reason == "dealt-twice"
    rows = []
    for one in suggestions(text, finding, "en"):
        mended = text[: one.start] + one.text + text[one.end :]
        assert read(mended)[0].errors == ()
        rows.append((one.place, next(line for line in mended.splitlines() if f"deal {one.place} " in line)))
    return rows


def test_a_card_dealt_twice_is_where_it_is_played() -> None:
    """D1 is at B and in place of SC at C; in trick 4 B plays it. Before the play, either may have the SC."""
    whose = ("C", "deal C SC S9 H3 DK DC CC C7 T21 T18 T11 T8 T7")
    assert dealt_twice(samples.DEALT_TWICE) == [whose]
    unplayed = samples.DEALT_TWICE[: samples.DEALT_TWICE.index("{ the deal of the evening }")]
    assert dealt_twice(unplayed) == [("B", "deal B SK SJ S10 HQ HJ H4 SC D3 CQ C10 T5 T3"), whose]


@pytest.mark.parametrize(("right", "written"), [(" T3\n", " T3 T20\n"), (" SK SJ", " SK SK SJ")])
def test_a_card_too_many(right: str, written: str) -> None:
    """B has thirteen cards: T20, which is A's, or one of his own a second time."""
    assert dealt_twice(slip(right, written)) == [("B", "deal B SK SJ S10 HQ HJ H4 D1 D3 CQ C10 T5 T3")]


def test_two_cards_dealt_twice_in_the_second_record_of_an_input() -> None:
    """SC and S9 lie nowhere: what was likelier meant by D1 is one of them, at either place; the rest of the
    record does not tell, with another fault in it."""
    text = samples.ANNOTATED + "\n" + samples.DEALT_TWICE.replace("deal C D1 S9", "deal C D1 D3")
    (entry,) = [entry for entry in read(text) if entry.errors]
    assert [error.reason for error in entry.errors] == ["dealt-twice", "dealt-twice"]
    found = [suggestions(text, error, "en") for error in entry.errors]
    assert [{text[one.start : one.end] for one in rows} for rows in found] == [{"D1"}, {"D3"}]
    expected = [("B", "SC"), ("B", "S9"), ("C", "SC")]
    assert [[(one.place, one.text) for one in rows] for rows in found] == [expected] * 2


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


EVENT, DEAL, SCORE = '[Event "Hlučín club evening"]', '[Deal "7"]', '[Score "A=105 B=-105 C=-105 D=105"]'
SIGNS = [
    *((EVENT, f"[Event {signs[0]}Hlučín club evening{signs[1]}]")
      for signs in ("“”", "„“", "»«", "«»", "''", "‘’", "＂＂", '"”', ("", ""), ('"', ""), ("", '"'))),
    (EVENT, '［Event "Hlučín club evening"］'), (EVENT, '[Event\u00a0"Hlučín club evening"]'),
    (EVENT, '[Event "Hlučín club evening"'), (DEAL, '[Deal "7."]'), (DEAL, "[Deal “７”]"),
    ('[Date "2026-11-20"]', '[Date "２０２６-１１-２０"]'), (SCORE, '[Score "A=105, B=-105, C=-105, D=105"]'),
    (SCORE, '[Score "A: 105 B: −105 C: –105 D: 105"]'),
    (SCORE, '[Score "A:105;B:-105;C:-105;D:105"]'),
    (SCORE, '[Score "Alena=105 Bořek=-105 Cyril=-105 Dana=105"]'), ("A bid first", "Ａ　bid　first"),
    ("deal talon CK S8 HK H1 S7 DJ", "deal talon CK\u00a0S8 HK H1 S7 DJ"),
    ("1. A T20 T5 T7 T15", "１．A T20 T5 T7 T15"),
]  # fmt: skip


@pytest.mark.parametrize(("right", "written"), SIGNS)
def test_signs_of_phones_and_word_processors(right: str, written: str) -> None:
    """Quotes, blanks, digits, minus signs, and a noted score: the line is suggested in plain ones."""
    text = slip(right, written)
    assert suggested(text)[0] == (written, [right])
    assert read(straightened(text))[0].record == read(TAROKY)[0].record


def test_quotes_within_a_value_stay() -> None:
    for written, meant in (("“A „B“ c”", "A „B“ c"), ('"A "B" c"', 'A "B" c'), ("“A \\ c”", "A \\ c")):
        record = read(straightened(slip(EVENT, f"[Event {written}]")))[0].record
        assert record is not None
        assert record.tags["Event"] == meant


@pytest.mark.parametrize("text", [samples.ANNOTATED, samples.SHEET, samples.TAROKY])
def test_what_can_be_read_stays_as_it_is(text: str) -> None:
    text = text.replace('[Event "', '[Event "“ｘ”\u00a0–') + "{ “ｘ”\u00a0– }\n"
    assert straightened(text) == text
