"""The clause texts: complete, well formed, and held together with the engine that cites them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import tarock
from tarock.games import GAMES
from tarock.games import game as info_of
from tarock.words.clauses import KINDS, Book, book, book_names, books, clause, clauses

SOURCE = Path(tarock.__file__).resolve().parent
SLUG = re.compile(r"(?:common|strohmann|taroky|troggu|grosstarock)\.[a-z]+(?:-[a-z]+)*")
ALL = {c.slug: c for c in clauses()}


def text_file(game: str, language: str) -> Path:
    """Return the path of the texts of a game, or of the common ones."""
    folder = SOURCE / "words" if game == "common" else SOURCE / "games" / game
    return folder / "texts" / f"{language}.json"


def data_of(game: str, language: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text_file(game, language).read_text(encoding="utf-8"))
    return found


def test_every_slug_in_the_engine_has_a_text() -> None:
    """A slug with a name put in, such as `f"taroky.hand-{item}"`, is that of some clause."""
    cited = set()
    for path in SOURCE.rglob("*.py"):
        code = path.read_text(encoding="utf-8")
        cited |= set(re.findall(rf'"({SLUG.pattern})"', code))
        cited |= set(re.findall(r'f"((?:[a-z]+|\{[\w.]+\})\.(?:[a-z]+-)*(?:[a-z]+|\{\w+\}))"', code))
    shapes = {slug: re.sub(r"\\{[^}]+\\}", "[a-z-]+", re.escape(slug)) for slug in cited}
    assert len(cited) > 90
    assert [slug for slug in cited if not any(re.fullmatch(shapes[slug], known) for known in ALL)] == []


@pytest.mark.parametrize("game", book_names())
def test_data_file_lists_each_slug_in_one_section(game: str) -> None:
    keys = re.findall(r'^  "([^"]+)": ', text_file(game, "en").read_text(encoding="utf-8"), re.MULTILINE)
    data = data_of(game, "en")
    assert keys == list(data), "a slug twice in one file"
    listed = [slug for section in data["_sections"] for slug in section["clauses"]]
    assert sorted(listed) == sorted(key for key in data if key.startswith(f"{game}."))
    assert len({section["id"] for section in data["_sections"]}) == len(data["_sections"])


@pytest.mark.parametrize("game", book_names())
def test_clauses_are_well_formed_and_name_clauses(game: str) -> None:
    for entry in clauses(game):
        slug = entry.slug
        assert SLUG.fullmatch(slug), slug
        assert (slug.partition(".")[0], entry.game) == (game, game), slug
        assert entry.kind in KINDS, slug
        assert 3 <= len(entry.title) <= 70, slug
        assert len(entry.text) > 60, slug
        assert bool(entry.reason) == (entry.kind != "seed"), slug
        assert entry.source, slug
        for text in (entry.title, entry.text, entry.record, entry.reason, entry.source):
            assert text == text.strip(), slug
            assert text.count("`") % 2 == 0, slug
            assert not re.search(r"\.\./|seed \d|\d{3}_[0-9a-f]|/work|http|  ", text), slug
        named = SLUG.findall(f"{entry.text}\n{entry.record}\n{entry.reason}")
        assert set(named) <= set(ALL), slug


#: Keys of a data file: those with sentences, and all.
SENTENCES = {"_faults", "_heading", "_places", "_countings", "_plays", "_slips", "_table", "_tables"}
TABLES = SENTENCES | {"_game", "_sections", "_words", "_terms"}


def test_data_files_hold_no_keys_that_nothing_reads() -> None:
    for game in book_names():
        for slug, entry in data_of(game, "en").items():
            if slug.startswith(f"{game}."):
                sentences = {"lines", "notes", "happenings", "findings", "plays"}
                rule = {"title", "text", "record", "kind", "reason", "place", "source"}
                assert set(entry) <= rule | sentences, slug
                assert ("place" in entry) != ("source" in entry), slug
            elif not slug.startswith("_"):
                # A game's own sentence for a broken clause that is common to all.
                assert (set(entry), slug in ALL) == ({"findings"}, True), slug
            else:
                assert slug in TABLES


def test_clauses_of_exchanges_say_what_happens_and_those_of_the_last_pagat_score() -> None:
    for game in GAMES:
        info, data = info_of(game), data_of(game, "en")
        assert all(data[slug]["happenings"] for slug in info.handing_over)
        assert all(data[slug]["lines"] for slug in info.ultimo)
    assert len([game for game in GAMES if info_of(game).ultimo]) == 3


@pytest.mark.parametrize("each", books(), ids=lambda b: b.game)
def test_book_introduces_its_game_and_tells_its_clauses_apart(each: Book) -> None:
    assert min(map(len, (each.name, each.description, each.seats, each.pack, each.document))) > 3
    assert each.sections
    assert all(section.title for section in each.sections)
    assert len({c.title for c in each.clauses}) == len(each.clauses)
    if each.game != "common":
        info = info_of(each.game)
        assert f"{info.pack} cards" in each.pack
        assert each.seats.startswith(str(info.seats[0]))
        assert each.native


def test_clause_is_found_by_its_slug() -> None:
    found = clause("troggu.forced-tappist")
    assert (found.game, found.kind, found.is_ruling) == ("troggu", "seed+ruling", True)
    assert [section.id for section in book("troggu").sections if found in section.clauses] == ["bidding"]
    assert "tarock I" in found.text
    assert found.source.startswith("Akagiri Yūji, “Troggu” (1999), after John McLeod's pagat.com: ")
    assert not clause("taroky.follow").is_ruling
    slugs = ("taroky.nothing", "bridge.follow", "taroky", "", "_game", "taroky._game")
    for find, name in (*((clause, slug) for slug in slugs), (clauses, "bridge"), (book, "../en/taroky")):
        with pytest.raises(KeyError):
            find(name)


def test_unknown_language_is_english_and_a_region_is_ignored() -> None:
    english = clause("taroky.follow")
    assert clause("taroky.follow", "fr") == clause("taroky.follow", "") == english
    assert clause("taroky.follow", "en-GB") == clause("taroky.follow", "EN") == english
    assert clause("taroky.follow", "de-AT") == clause("taroky.follow", "de") != english
