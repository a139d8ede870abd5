"""The drawn cards: one sprite, made by its script, with every card in it."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from replays.language.cards import pack_rows
from replays.language.clauses import cards_of
from replays.site.sprites import OWN, SPRITE
from tarock.core.cards import CARDS
from tarock.words.clauses import clause
from tools import cards_svg

SVG = "{http://www.w3.org/2000/svg}"


def test_the_sprite_is_what_the_script_makes() -> None:
    """Whoever changes the drawing runs ``python -m tools.cards_svg``."""
    assert SPRITE.read_text(encoding="utf-8") == cards_svg.sprite()
    assert set(cards_svg.LETTERS) == OWN


def test_every_card_is_drawn_once_and_no_two_are_alike() -> None:
    root = ET.fromstring(cards_svg.sprite())
    symbols = {
        symbol.get("id"): ET.tostring(symbol[0]) + b"".join(map(ET.tostring, symbol)) for symbol in root
    }
    assert set(symbols) == {*CARDS, "back"}
    assert len(set(symbols.values())) == 79


def test_a_pack_is_laid_out_in_rows() -> None:
    """Of 54 cards each suit has eight, of 62 ten, of 78 fourteen; the Fool begins."""
    sizes = {"taroky": 8, "troggu": 10, "grosstarock": 14}
    for game, size in sizes.items():
        rows = pack_rows(game)
        assert [len(row) for row in rows] == [11, 11, size, size, size, size]
        assert [rows[0][0].code, rows[1][-1].code] == ["T0", "T1"]
        assert [row[0].code for row in rows[2:]] == ["SK", "HK", "DK", "CK"]


@pytest.mark.parametrize(
    ("slug", "language", "codes"),
    [
        ("taroky.hand-trul", "en", ["T0", "T21", "T1"]),
        ("taroky.hand-trul", "cs", ["T0", "T21", "T1"]),
        ("strohmann.uhu", "de", ["T2"]),
        ("troggu.bettler-withheld", "en", ["T0"]),
        ("taroky.forehand-must-bid", "en", []),
    ],
)
def test_the_cards_that_a_clause_speaks_of(slug: str, language: str, codes: list[str]) -> None:
    assert [face.code for face in cards_of(clause(slug, language))] == codes


def test_only_shapes_are_drawn() -> None:
    """No picture from elsewhere, no font, no script, nothing that a strict policy would forbid."""
    tags, attributes = set(), set()
    for element in ET.fromstring(cards_svg.sprite()).iter():
        tags.add(element.tag.removeprefix(SVG))
        attributes |= set(element.attrib)
    assert tags == {"svg", "symbol", "g", "path", "rect"}
    assert not attributes & {"style", "href", "class"}


@pytest.mark.parametrize(("suit", "sign"), cards_svg.SIGNS.items())
def test_a_numeral_card_has_as_many_signs_as_it_counts(suit: str, sign: str) -> None:
    closed = sign.count("Z")
    for rank in range(1, 11):
        pips = cards_svg.pip_card(suit, rank).split("<path")[1]
        assert pips.count("Z") == rank * closed


@pytest.mark.parametrize(
    ("number", "numeral"),
    [(1, "I"), (4, "IV"), (9, "IX"), (14, "XIV"), (18, "XVIII"), (19, "XIX"), (21, "XXI")],
)
def test_roman_numerals(number: int, numeral: str) -> None:
    assert cards_svg.roman(number) == numeral


def test_a_path_is_scaled_moved_and_turned() -> None:
    path = "M1 2H3V4L5 6Q1 1 2 2A1 2 0 0 1 3 3Z"
    assert cards_svg.place(path, 10, 20, 2) == "M12 24H16V28L20 32Q12 22 14 24A2 4 0 0 1 16 26Z"
    assert cards_svg.turned("M1 2H3") == "M99 158H97"
    with pytest.raises(ValueError, match="mirrored"):
        cards_svg.place(path, 0, 0, 1, -1)
