"""The pages' words for a fifth game, `tests/fifth_game`. The pages know only its texts."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import translation

from replays.language import words
from replays.language.names import Names
from tarock.games import GAMES, Game
from tarock.words import names as naming
from tarock.words.sentences import event_sentence
from tests.fifth_game.rules import Zweier

if not hasattr(words, "of"):
    pytest.skip("the pages do not take their words from the games' texts yet", allow_module_level=True)


@pytest.fixture(autouse=True)
def fifth_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "zweier", Game(Zweier))


SENTENCES = {
    "en": (
        "Forced on the dealer",
        "Kings",
        "Opponent",
        "declares Kings",
        "takes",
        "passes",
        "plays the King of hearts",
        "Declaring",
    ),
    "de": (
        "Dem Geber aufgezwungen",
        "Könige",
        "Gegner",
        "sagt Könige an",
        "nimmt",
        "passt",
        "spielt den Herz-König",
        "Ansagen",
    ),
    "cs": (
        "Vnuceno rozdávajícímu",
        "králové",
        "Soupeř",
        "ohlašuje: králové",
        "bere",
        "pasuje",
        "hraje srdcového krále",
        "Hlášení",
    ),
    "ja": (
        "ディーラーの強制",
        "キング",
        "相手",
        "キングを宣言",
        "テイク",
        "パス",
        "ハートのキングをプレイ",
        "宣言",
    ),
}


@pytest.mark.parametrize("language", SENTENCES)
def test_pages_have_words_for_it(language: str) -> None:
    with translation.override(language):
        assert (
            words.contract("zweier", "forced"),
            naming.item(words.of("zweier"), "kings"),
            naming.label(words.of("zweier")["sides"].get("opponent", "opponent")),
            event_sentence("declare", ["kings"], Names("zweier", {}), "long"),
            event_sentence("take", [], Names("zweier", {}), "long"),
            event_sentence("pass", [], Names("zweier", {}), "long"),
            event_sentence("play", ["HK"], Names("zweier", {}), "long"),
            words.of("zweier")["phases"].get("declaring"),
        ) == SENTENCES[language]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "four"), [("en", "four"), ("de", "vier"), ("cs", "čtyř"), ("ja", "[4四]")]
)
def test_the_front_page_does_not_say_how_many_games_there_are(
    client: Client, language: str, four: str
) -> None:
    page = client.get("/", headers={"accept-language": language}).content.decode()
    assert page.count('class="panel game-card') == 5
    said = re.findall(r'<meta name="description" content="([^"]+)"|<h2 id="games">([^<]+)', page)
    assert len(said) == 2
    assert not re.search(four, str(said), re.IGNORECASE)


def test_what_it_does_not_know_stays_as_it_was_written() -> None:
    assert naming.item(words.of("zweier"), "queens") == "queens"
    assert event_sentence("declare", [], Names("zweier", {}), "long") == "declare"
    assert words.contract("zweier", "solo") == "solo"
    assert naming.label(words.of("zweier")["sides"].get("A", "A")) == "A"
