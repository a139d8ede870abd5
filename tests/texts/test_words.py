"""The words of the games: the same in every language, and enough for all that the engine says."""

from __future__ import annotations

import re

import pytest

from tarock.games import GAMES
from tarock.words.clauses import LANGUAGES, book_names, words
from tests.texts.test_clauses import data_of
from tests.texts.test_languages import QUOTES

PLACEHOLDER = re.compile(r"\{[^{}]*\}")
#: Verbs whose words have something put into them.
FILLED = {"play": "card", "discard": "cards", "announce": "items", "bid": "contract", "call": "card",
          "level": "level"}  # fmt: skip


#: Separators of lists, with the blank that follows them.
BETWEEN = {("comma",), ("semicolon",), ("and",), ("or",)}


def written(game: str, language: str) -> dict[tuple[str, ...], str]:
    """Return the words of one data file: (table, key) or (word,) → text."""
    found: dict[tuple[str, ...], str] = {}
    for name, entry in data_of(game, language)["_words"].items():
        if isinstance(entry, str):
            found[name,] = entry
        else:
            found.update({(name, key): word for key, word in entry.items()})
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", book_names())
def test_every_language_has_the_same_words_with_the_same_placeholders(game: str, language: str) -> None:
    english, other = written(game, "en"), written(game, language)
    assert list(other) == list(english)
    assert words(game, language)["native"] == words(game)["native"]
    opening, closing = QUOTES.get(language, "“”")
    for key, word in other.items():
        assert (word.strip() if key not in BETWEEN else word) == word != "", key
        # A tarock's number is in Roman numerals or in figures.
        places = PLACEHOLDER.findall(word.replace("{number}", "{numeral}"))
        assert sorted(places) == sorted(PLACEHOLDER.findall(english[key])), key
        assert word.count(opening) == word.count(closing), key
        assert PLACEHOLDER.sub("", word).count("{") == 0, key


@pytest.mark.parametrize("game", GAMES)
def test_there_are_words_for_all_that_a_game_knows(game: str) -> None:
    table, said = GAMES[game].table, words(game)
    assert set(said["phases"]) == {*table.PHASES, "over"}
    assert set(table.info.verbs) <= set(said["verbs"])
    assert {*said["items"], *(f"{r}:{s}" for r in said["raises"] for s in said["stakes"])} == {
        *table.info.items
    }
    assert tuple(said["options"]) == tuple(table.info.rules.table())
    assert said["fool"]
    assert set(said["native"]) <= {*said["contracts"], "declarer", "forehand"}
    assert ("talon" in said) == any(table.info.talon.values())
    for verb, word in said["verbs"].items():
        assert {found.strip("{}") for found in PLACEHOLDER.findall(word)} == {
            *FILLED.get(verb, "").split()
        }, verb
    for raised in said["raises"].values():
        assert PLACEHOLDER.findall(raised) == ["{stake}"]


@pytest.mark.parametrize("game", GAMES)
def test_there_are_words_for_all_that_a_sheet_states(game: str) -> None:
    named, fields = words(game), GAMES[game].table.OUTCOME.fields()
    assert list(named["sheet_fields"]) == list(fields)
    parts = [part for one in fields.values() for part in one.parts]
    assert set(named["sheet_words"]) == {w for p in parts if p.table == "sheet_words" for w in p.words}
    for part in parts:
        if part.table not in ("", "cards", "items"):
            assert set(part.words) <= set(named[part.table])
    for field, word in named["sheet_numbers"].items():
        assert any(part.number for part in fields[field].parts)
        assert PLACEHOLDER.findall(word) == ["{nth}"]


def test_a_game_s_own_words_win_and_the_common_ones_stay() -> None:
    assert words("common")["fool"] == words("grosstarock")["fool"] == "Sküs"
    assert words("taroky")["fool"] == "Škýz"
    assert words("taroky")["verbs"]["pass"] == words("common")["verbs"]["pass"] == "passes"
    assert words("taroky")["verbs"]["bid"] == "bids {contract}"
    assert "bid" not in words("troggu")["verbs"]
    assert dict(words("strohmann")["raises"]) == {}, "a table that is not needed is empty"


def test_what_a_language_lacks_is_english(monkeypatch: pytest.MonkeyPatch) -> None:
    from tarock.words import clauses

    files = {
        ("common", "en"): {"fool": "Fool", "verbs": {"pass": "passes", "play": "plays"}},
        ("common", "de"): {"verbs": {"pass": "passt"}},
        ("taroky", "en"): {"verbs": {"bid": "bids"}, "talon": "talon"},
    }
    monkeypatch.setattr(clauses, "load", lambda game, code: {"_words": files.get((game, code), {})})
    found = clauses._words.__wrapped__("taroky", "de")
    assert (found["fool"], found["talon"]) == ("Fool", "talon")
    assert found["verbs"] == {"pass": "passt", "play": "plays", "bid": "bids"}


def test_words_are_read_once_and_can_t_be_changed() -> None:
    said = words("troggu", "ja")
    assert words("troggu", "ja-JP") is said
    assert words("taroky", "fr") == words("taroky") == words("taroky", "EN-gb")
    with pytest.raises(TypeError):
        said["fool"] = "x"  # type: ignore[index]
    with pytest.raises(TypeError):
        said["verbs"]["pass"] = "x"
    with pytest.raises(KeyError):
        words("bridge")
