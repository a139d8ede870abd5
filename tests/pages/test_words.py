"""What cards, events and announcements are called."""

from __future__ import annotations

import pytest

from replays import words
from tarock.cards import CARDS


@pytest.mark.parametrize(
    ("code", "game", "name"),
    [
        ("HK", "", "King of hearts"),
        ("CC", "", "Cavalier of clubs"),
        ("D10", "", "10 of diamonds"),
        ("T19", "", "tarock XIX"),
        ("T1", "", "Pagat (tarock I)"),
        ("T21", "", "Mond (tarock XXI)"),
        ("T0", "strohmann", "Sküs"),
        ("T0", "taroky", "Škýz"),
        ("T0", "troggu", "Bättler"),
        ("nonsense", "", "nonsense"),
        ("T99", "", "T99"),
    ],
)
def test_card_names(code: str, game: str, name: str) -> None:
    assert words.card_name(code, game) == name


def test_every_card_has_a_name_of_its_own() -> None:
    assert len({words.card_name(code) for code in CARDS}) == 78
    assert len({words.card_short(code) for code in CARDS}) == 78


@pytest.mark.parametrize(
    ("verb", "args", "said"),
    [
        ("play", ["HK"], "plays King of hearts"),
        ("play", ["T17(ros)"], "plays tarock XVII, “Ros!”"),
        ("play", ["T0(H)"], "plays Sküs, as hearts"),
        ("play", [], "plays a card"),
        ("bid", ["first"], "bids First Duty"),
        ("pass", [], "passes"),
        ("call", ["T19"], "calls tarock XIX"),
        ("discard", ["S8", "H1"], "discards 8 of spades, 1 of hearts"),
        ("discard", [], "discards"),
        ("announce", ["flek:pagat", "re:game"], "announces flek (×2) on the pagat, re (×4) on the game"),
        ("announce", ["tarocks:11", "cavallery:S"], "announces 11 tarocks, full cavalry in spades"),
        ("level", ["2"], "takes level 2"),
        ("varsava", [], "says Varšava"),
        ("pass", ["the", "salt"], "pass the salt"),
        ("juggle", ["T1"], "juggle T1"),
    ],
)
def test_events_in_words(verb: str, args: list[str], said: str) -> None:
    game = "taroky" if verb in ("bid", "varsava") else "grosstarock"
    assert words.event(verb, args, game) == said


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("A must follow hearts, holding HK H10", "A must follow hearts, holding ♥K ♥10"),
        ("T17 and T18 called", "XVII and XVIII called"),
        ("the last trick with T1: 20", "the last trick with Pagat: 20"),
        ("T22 taroky.T1 A/1 C (S7)", "T22 taroky.T1 A/1 C (♠7)"),
    ],
)
def test_card_codes_in_a_sentence_become_signs(sentence: str, shown: str) -> None:
    assert words.codes_to_signs(sentence) == shown


@pytest.mark.parametrize(
    ("choice", "shown"),
    [
        ("T5", "tarock V"),
        ("T0(T)", "Sküs, as tarocks"),
        ("bid first", "bids First Duty"),
        ("flek:game", "flek (×2) on the game"),
        ("pass", "passes"),
    ],
)
def test_choices_in_words(choice: str, shown: str) -> None:
    game = "taroky" if choice.startswith("bid") else "grosstarock"
    assert words.choice(choice, game) == shown


def test_points_have_their_sign() -> None:
    assert [words.points(n) for n in (5, 0, -5, None)] == ["+5", "0", "−5", "–"]
