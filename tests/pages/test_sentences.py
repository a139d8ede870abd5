"""Every sentence that the engine makes of deals, read as a player reads it: in four languages, with names,
cards and announcements in words."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import translation

from replays.language.names import Names
from tarock.analysis import audit
from tarock.analysis.commentary import reasons
from tarock.analysis.verify import check
from tarock.core.cards import CARDS
from tarock.core.findings import Finding
from tarock.core.record import Record
from tarock.games import GAMES
from tarock.notation import read, write_json
from tarock.view import remark
from tarock.words import sentences
from tarock.words.clauses import LANGUAGES
from tests.engine.driver import TABLE_IDS, TABLES, deals
from tests.engine.mutations import Deal as Played
from tests.engine.mutations import spoiled
from tests.engine.wrong import WRONG

#: Players whose names are no words of a language or a notation; one that ends in a full stop.
PEOPLE = ("Žofie", "Bořek", "Ülo", "Čeněk", "Ødd", "Fanny Ö.", "Žyž", "Ğül")
#: Words that only the notation has: verbs with what they name, items with a colon, placeholders, options.
_VERBS = "|".join(sorted({verb for game in GAMES.values() for verb in game.table.info.verbs}))
_ITEMS = "|".join(
    sorted({i.partition(":")[0] for game in GAMES.values() for i in game.table.info.items}, key=len)
)
RAW = (
    re.compile(rf"\b(?:{_ITEMS}):\w", re.ASCII),
    re.compile(r"\b[SHDC](?:[KQCJ]|\d{1,2})\b|\bT\d{1,2}\b", re.ASCII),
    re.compile(r"[{}]|\bNone\b|settle-uncontested|half-cavallery|kralovske-honery"),
    re.compile(rf"\b(?:{_VERBS}) (?:first|second|troika|bole|null|pagat|valat)\b", re.ASCII),
)
#: Verbs of the notation that are English words, if they appear in another form.
FOREIGN = re.compile(r"\b(?:discard|announce|refuse|surrender|varsava|alone|take|bid|play|call)\b", re.ASCII)
#: Quoted input.
QUOTED = re.compile(r"says “[^”]*”|sagt „[^“]*“|říká „[^“]*“|「[a-zA-Z0-9: ]+と発言」")
#: Brackets, quotes and points that stand twice, and numbers that go with another form.
DOUBLED = re.compile(r"\(\(|\)\)|「「|」」|“{2}|”{2}|„„|““|\(\)|\.\.|,,|  |:\s*:|：：|「」|“”|„“")
ONE = re.compile(
    r"(?<![\d,.])1 (?:cards|tarocks|tricks|points|chips|Karten|Tarocks|Stiche|karet|karty|taroků)\b"
)


def read_through(text: str, language: str) -> None:
    """Whether a sentence is one for players."""
    plain = text
    for name in PEOPLE:
        plain = plain.replace(name, "N.")
    plain = plain.replace("N..", "N.")
    # Words of no game are quoted as they were written.
    plain = QUOTED.sub("N", plain)
    for pattern in RAW:
        assert not pattern.search(plain), (language, text)
    if language != "en":
        assert not FOREIGN.search(plain), (language, text)
        assert "“" not in plain.replace("„", "").partition("“")[0], (language, text)
    if language == "ja":
        assert not re.search(r"[ぁ-んァ-ヶ一-龠」)]:", plain), text
        assert "としてを" not in plain, text
    assert not DOUBLED.search(plain), (language, text)
    assert not ONE.search(plain), (language, text)
    assert text == text.strip() != ""


def named(record: Record) -> Names:
    return Names(record.game, dict(zip(record.seats, PEOPLE, strict=False)))


def sentences_of(record: Record, seen: set[Any]) -> Iterator[str]:
    """Yield the sentences about a deal, in the active language; some of each kind."""
    names, result = named(record), check(record)

    def new(*kind: object) -> bool:
        fresh = kind not in seen
        seen.add(kind)
        return fresh

    for line in result.lines:
        if new(line.clause, line.sentences):
            yield names.sentence(sentences.line, line)
    for note in audit.notes(record):
        if new(note.clause, note.kind, note.values.get("card")):
            yield names.sentence(sentences.note, note)
    for happening in result.happenings:
        if new(happening.clause, happening.kind, happening.values.get("card")):
            yield names.sentence(sentences.happening, happening)
    for found, event in zip(reasons(record), record.events, strict=False):
        if found and new(found["clause"], found["kind"], found["reason"], found["suit"], found["choices"]):
            yield remark.play(found, event[0], event[2], names).text
    if new(record.game, "heading", str(result.facts.get("result")), str(result.facts.get("called"))):
        yield from sentences.heading(result.facts, names)
    if result.error is not None:
        yield from wrong(result.error, record, seen)


def wrong(found: Finding, record: Record, seen: set[Any]) -> Iterator[str]:
    """Yield the error of a deal, and its place."""
    kind = (found.clause, found.reason, str(found.values.get("said"))[:9])
    if kind not in seen:
        seen.add(kind)
        yield named(record).sentence(sentences.finding, found)
        yield sentences.place(record, found.event or 0, named(record))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "players"), TABLES, ids=TABLE_IDS)
def test_what_is_told_of_deals_is_said_as_players_say_it(game: str, players: int, language: str) -> None:
    seen: set[Any] = set()
    with translation.override(language):
        for record in deals(game, players, 60):
            for text in sentences_of(record, seen):
                read_through(text, language)
    assert len(seen) > 20


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "players"), TABLES, ids=TABLE_IDS)
def test_what_is_told_of_broken_deals_is_said_as_players_say_it(
    game: str, players: int, language: str
) -> None:
    seen: set[Any] = set()
    rng = random.Random(f"{game} {players} reading")
    with translation.override(language):
        for record in deals(game, players, 10):
            played = Played(write_json(record), rng)
            for _, form, _, _ in spoiled(played):
                entry = read(json.dumps(form))[0]
                if entry.record is None:
                    continue
                error = check(entry.record).error
                assert error is not None
                for text in wrong(error, entry.record, seen):
                    read_through(text, language)
    assert len(seen) > 8


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_finding_is_said_as_players_say_it(language: str) -> None:
    seen: set[Any] = set()
    with translation.override(language):
        for _, deal, _ in WRONG:
            found = deal.verdict()
            for text in wrong(found.error, deal.record(), seen):
                if found.error.reason not in ("no-item", "no-bid"):
                    read_through(text, language)
    assert len(seen) > 70


def test_cards_have_their_article_or_case() -> None:
    said = {
        "en": ["plays the Bättler", "discards the Mond and the Pagat"],
        "de": ["spielt den Bättler", "legt den Mond und den Pagat ab"],
        "cs": ["hraje Bättlera", "odkládá monda a pagáta"],
        "ja": ["ベトラーをプレイ", "切札21、パガットを捨て札"],
    }
    for language, expected in said.items():
        with translation.override(language):
            names = Names("troggu", {})
            assert [names.name("event", "play T0"), names.name("event", "discard T21 T1")] == expected


def test_a_led_skus_and_a_call_are_said_with_the_card() -> None:
    said = {
        "en": ("plays the Sküs as hearts", "plays XVII, “Ros!”"),
        "de": ("spielt den Sküs als Herz", "spielt XVII, „Ros!“"),
        "cs": ("hraje škýze jako srdce", "hraje XVII, „Ros!“"),
        "ja": ("スキュース(ハートとして)をプレイ", "切札17(ロス！)をプレイ"),
    }
    for language, (skus, call) in said.items():
        with translation.override(language):
            assert Names("grosstarock", {}).name("event", "play T0(H)") == skus
            assert Names("strohmann", {}).name("event", "play T17(ros)") == call


def test_what_fits_no_verb_is_quoted() -> None:
    with translation.override("de"):
        assert Names("taroky", {}).name("event", "pass the salt") == "sagt „pass the salt“"


def test_no_card_is_left_without_a_name() -> None:
    for language in LANGUAGES:
        with translation.override(language):
            names = Names("grosstarock", {})
            assert len({names.name("card", code, "acc") for code in CARDS}) == 78
