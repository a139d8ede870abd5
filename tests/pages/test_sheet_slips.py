"""The slips that would explain the score written down on a sheet, in words, on its page."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.engine.sheet_sample import SHEET
from tests.storing import deal_of

from .conftest import text_of

pytestmark = pytest.mark.django_db


def _page(client: Client, each: int, language: str = "en") -> str:
    text = SHEET.replace('"A=105 B=-105 C=-105 D=105"', f'"A={each} B={-each} C={-each} D={each}"')
    client.cookies["django_language"] = language
    return text_of(client, f"/deals/{deal_of(text).key}/audit/")


#: The sheet scores 25 + 80 + 5 - 5 = 105: what each of the two gets by the score written down, and the slip.
SLIPS = [
    (
        106,
        "Points miscounted: the score written down fits “Card points, bidder’s side: 61”, not “Card points",
    ),
    (55, "Points swapped: the score written down fits “Card points, bidder’s side: 10”, not “"),
    (-55, "not “Pagat: announced, Alena, made”."),
    (185, "is added."),
    (65, "The score written down fits without “"),
]


@pytest.mark.parametrize(("each", "sentence"), SLIPS)
def test_a_slip_is_named(client: Client, each: int, sentence: str) -> None:
    page = _page(client, each)
    assert sentence in page
    assert "No single slip explains the difference." not in page


def test_without_a_slip_the_page_says_so(client: Client) -> None:
    assert "No single slip explains the difference." in _page(client, 999)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "Verzählt: Das aufgeschriebene Ergebnis passt zu „"),
        ("cs", "Špatně spočítané body: zapsané skóre vychází s „"),
        ("ja", "点の数え違い：書かれた得点は「"),
    ],
)
def test_a_slip_in_every_language(client: Client, language: str, sentence: str) -> None:
    assert sentence in _page(client, 106, language)
