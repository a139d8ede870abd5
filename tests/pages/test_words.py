"""Words and sentences of pages: what cards, events and days are called, and every sentence that the engine
makes of deals, read as a player reads it, in four languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from itertools import chain
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import translation

from replays.language import words
from replays.language.names import Names
from tarock.analysis import audit
from tarock.analysis.commentary import reasons
from tarock.analysis.verify import check
from tarock.core.findings import Finding
from tarock.core.record import Record
from tarock.games import GAMES, Game, profiles
from tarock.view import remark
from tarock.words import names as naming
from tarock.words import sentences
from tarock.words.clauses import LANGUAGES
from tarock.words.sentences import event_sentence
from tests import conformance
from tests.engine.driver import TABLE_IDS, TABLES, deals
from tests.engine.wrong import WRONG
from tests.fifth_game.rules import Zweier
from tests.pages.languages import ENGLISH

pytestmark = pytest.mark.usefixtures("sweeper")


@pytest.mark.parametrize(
    ("code", "game", "name"),
    [("HK", "", "King of hearts"), ("CC", "", "Cavalier of clubs"), ("D10", "", "10 of diamonds"),
     ("T19", "", "tarock XIX"), ("T1", "", "Pagat (tarock I)"), ("T21", "", "Mond (tarock XXI)"),
     ("T0", "strohmann", "Sküs"), ("T0", "taroky", "Škýz"), ("T0", "troggu", "Bättler"),
     ("nonsense", "", "nonsense"), ("T99", "", "T99")],
)  # fmt: skip
def test_card_names(code: str, game: str, name: str) -> None:
    assert naming.card_name(words.of(game), code) == name


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("2026-11-21", ["21 November 2026", "21. November 2026", "21. listopadu 2026", "2026年11月21日"]),
        (date(2026, 3, 1), ["1 March 2026", "1. März 2026", "1. března 2026", "2026年3月1日"]),
        ("2026-11-??", ["November 2026", "November 2026", "listopad 2026", "2026年11月"]),
        ("2026-??-??", ["2026", "2026", "2026", "2026年"]),
        ("????-02-29", ["29 February", "29. Februar", "29. února", "2月29日"]),
        ("????-02-??", ["February", "Februar", "únor", "2月"]),
        ("2026-??-21", ["2026", "2026", "2026", "2026年"]),
        ("????-??-??", ["", "", "", ""]),
        ("", ["", "", "", ""]),
        (None, ["", "", "", ""]),
    ],
)
def test_a_day_is_written_as_the_reader_writes_it(said: date | str | None, expected: list[str]) -> None:
    for language, day in zip(LANGUAGES, expected, strict=True):
        with translation.override(language):
            assert words.day(said) == day


def test_a_moment_is_a_day_and_a_time_in_the_operators_zone(settings: Any) -> None:
    winter, summer = datetime(2026, 11, 21, 23, 5, tzinfo=UTC), datetime(2026, 7, 1, 9, 5, tzinfo=UTC)
    for zone, when, language, said in [
        ("UTC", winter, "en", "21 November 2026, 23:05 UTC"),
        ("Europe/Prague", winter, "en", "22 November 2026, 00:05 CET"),
        ("Europe/Prague", summer, "en", "1 July 2026, 11:05 CEST"),
        ("Europe/Prague", winter, "cs", "22. listopadu 2026, 00:05 CET"),
        ("Asia/Tokyo", winter, "ja", "2026年11月22日 08:05 JST"),
        ("America/Sao_Paulo", winter, "en", "21 November 2026, 20:05 UTC-03"),
        ("Asia/Kathmandu", winter, "en", "22 November 2026, 04:50 UTC+0545"),
    ]:
        settings.PAGES_TIME_ZONE = ZoneInfo(zone)
        with translation.override(language):
            assert words.moment(when) == said


@pytest.mark.parametrize(
    ("game", "verb", "args", "said", "short"),
    [
        ("taroky", "play", ["HK"], "plays the King of hearts", "♥K"),
        ("strohmann", "play", ["T17(ros)"], "plays tarock XVII, “Ros!”", "XVII, “Ros!”"),
        ("grosstarock", "play", ["T0(H)"], "plays the Sküs as hearts", "Sküs as hearts"),
        ("grosstarock", "play", [], "plays a card", "plays a card"),
        ("taroky", "bid", ["first"], "bids First Duty", "First Duty"),
        ("troggu", "pass", [], "passes", "passes"),
        ("taroky", "call", ["T19"], "calls tarock XIX", "calls XIX"),
        ("taroky", "discard", ["S8", "H1"], "discards the 8 of spades and the 1 of hearts", "discards ♠8 ♥1"),
        ("taroky", "discard", [], "discards", "discards"),
        ("taroky", "announce", ["flek:pagat", "re:game"],
         "announces flek (×2) on the pagat and re (×4) on the game", ""),
        ("grosstarock", "announce", ["tarocks:11", "cavallery:S"],
         "announces 11 tarocks and full cavalry in spades", ""),
        ("taroky", "level", ["2"], "takes level 2", "takes level 2"),
        ("taroky", "varsava", [], "says Varšava", "says Varšava"),
        ("taroky", "pass", ["the", "salt"], "pass the salt", "pass the salt"),
        ("taroky", "bid", [], "bids", "bids"),
        ("taroky", "juggle", ["T1"], "juggle T1", "juggle T1"),
    ],
)  # fmt: skip
def test_events_in_words(game: str, verb: str, args: list[str], said: str, short: str) -> None:
    names = Names(game, {})
    assert event_sentence(verb, args, names, "long") == said
    alone = said.removeprefix("announces ").replace(" and ", ", ")
    assert event_sentence(verb, args, names, "short") == (short or alone)


@pytest.mark.parametrize(
    ("game", "choice", "shown"),
    [("troggu", "T5", "tarock V"), ("grosstarock", "T0(T)", "Sküs as tarocks"),
     ("taroky", "bid first", "bids First Duty"), ("taroky", "flek:game", "flek (×2) on the game"),
     ("grosstarock", "tarocks", "tarocks"), ("grosstarock", "pass", "passes")],
)  # fmt: skip
def test_choices_in_words(game: str, choice: str, shown: str) -> None:
    assert Names(game, {}).choice(choice) == shown


def test_points_have_their_sign() -> None:
    assert [words.points(n) for n in (5, 0, -5, None)] == ["+5", "0", "−5", "–"]
    assert [words.mean(points) for points in (27.818, -50, -0.001)] == ["+27.82", "−50.00", "0.00"]
    with translation.override("cs"):
        assert words.mean(-87.272) == "−87,27"


@pytest.fixture
def fifth_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth game, `tests/fifth_game`. The pages know only its texts."""
    profiles()  # Remembered for the whole process, and the fifth game has none.
    monkeypatch.setitem(GAMES, "zweier", Game(Zweier))


@pytest.mark.usefixtures("fifth_game")
def test_pages_have_words_for_a_fifth_game() -> None:
    """A word that its texts do not know stays as it was written."""
    for language, expected in {
        "en": "Forced on the dealer|Kings|Opponent|declares Kings|Declaring",
        "ja": "ディーラーの強制|キング|相手|キングを宣言|宣言",
    }.items():
        with translation.override(language):
            names, texts = Names("zweier", {}), words.of("zweier")
            assert [
                words.contract("zweier", "forced"),
                naming.item(texts, "kings"),
                naming.label(texts["sides"].get("opponent", "opponent")),
                event_sentence("declare", ["kings"], names, "long"),
                texts["phases"].get("declaring"),
            ] == expected.split("|")
            assert naming.item(texts, "queens") == "queens"
            assert event_sentence("declare", [], names, "long") == "declare"
            assert words.contract("zweier", "solo") == "solo"
            assert naming.label(texts["sides"].get("A", "A")) == "A"


@pytest.mark.django_db
@pytest.mark.usefixtures("fifth_game")
def test_the_front_page_does_not_count_the_games(client: Client) -> None:
    page = client.get("/").text
    assert page.count('class="panel game-card') == 5
    said = re.findall(r'<meta name="description" content="([^"]+)"|<h2 id="games">([^<]+)', page)
    assert len(said) == 2
    assert "four" not in str(said).casefold()


#: Players whose names are no words of a language or a notation; one that ends in a full stop.
PEOPLE = ("Žofie", "Bořek", "Ülo", "Čeněk", "Ødd", "Fanny Ö.", "Žyž", "Ğül")
#: Words that only the notation has: verbs with what they name, items with a colon, placeholders, options.
_VERBS = "|".join(sorted({verb for game in GAMES.values() for verb in game.table.info.verbs}))
_ITEMS = {item.partition(":")[0] for game in GAMES.values() for item in game.table.info.items}
RAW = re.compile(
    rf"\b(?:{'|'.join(sorted(_ITEMS, key=len))}):\w|\b[SHDC](?:[KQCJ]|\d{{1,2}})\b|\bT\d{{1,2}}\b"
    r"|[{}<]|\bNone\b|settle-uncontested|half-cavallery|kralovske-honery"
    rf"|\b(?:{_VERBS}) (?:first|second|troika|bole|null|pagat|valat)\b",
    re.ASCII,
)
SEAT = re.compile(r"(?<![♠♥♦♣])\b[A-H]\b")
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
    plain = text
    for name in PEOPLE:
        plain = plain.replace(name, "N.")
    plain = plain.replace("N..", "N.")
    # Words of no game are quoted as they were written.
    plain = QUOTED.sub("N", plain)
    assert not RAW.search(plain), (language, text)
    assert not SEAT.search(plain), (language, text)
    if language != "en":
        assert not FOREIGN.search(plain), (language, text)
        assert not ENGLISH.search(plain), (language, text)
        assert "“" not in plain.replace("„", "").partition("“")[0], (language, text)
    if language == "ja":
        assert not re.search(r"[ぁ-んァ-ヶ一-龠」)]:", plain), text
        assert "としてを" not in plain, text
    assert not DOUBLED.search(plain), (language, text)
    assert not ONE.search(plain), (language, text)
    assert text == text.strip() != ""


Saying = Callable[[Names], list[str]]
"""A sentence about a deal, by the names in a language."""


def read_in_each_language(say: Saying, record: Record) -> list[list[str]]:
    """Read a sentence in each language, English first."""
    found = []
    for language in LANGUAGES:
        with translation.override(language):
            found.append(say(Names(record.game, dict(zip(record.seats, PEOPLE, strict=False)))))
        for text in found[-1]:
            read_through(text, language)
    return found


def sayings(record: Record, seen: set[Any]) -> Iterator[Saying]:
    """Yield sentences about a deal, some of each kind."""
    result = check(record)

    def new(*kind: object) -> bool:
        fresh = kind not in seen
        seen.add(kind)
        return fresh

    def in_words(sentence: Any, what: Any) -> Saying:
        return lambda names: [names.sentence(sentence, what)]

    def play(found: Any, event: Any) -> Saying:
        return lambda names: [remark.play(found, event[0], event[2], names).text]

    for line in result.lines:
        if new(line.clause, line.sentences):
            yield in_words(sentences.line, line)
    for note in audit.notes(record):
        if new(note.clause, note.kind, note.values.get("card")):
            yield in_words(sentences.note, note)
    for happening in result.happenings:
        if new(happening.clause, happening.kind, happening.values.get("card")):
            yield in_words(sentences.happening, happening)
    for found, event in zip(reasons(record), record.events, strict=False):
        if found and new(found["clause"], found["kind"], found["reason"], found["suit"], found["choices"]):
            yield play(found, event)
    if new(record.game, "heading", str(result.facts.get("result")), str(result.facts.get("called"))):
        yield lambda names: [*sentences.heading(result.facts, names)]
    if result.error is not None:
        yield from wrong(result.error, record, seen)


def wrong(found: Finding, record: Record, seen: set[Any]) -> Iterator[Saying]:
    kind = (found.clause, found.reason, str(found.values.get("said"))[:9])
    if kind not in seen:
        seen.add(kind)
        yield lambda names: [
            names.sentence(sentences.finding, found),
            sentences.place(record, found.event or 0, names),
        ]


@pytest.mark.parametrize(("game", "players"), TABLES, ids=TABLE_IDS)
def test_deals_are_described_as_players_do(game: str, players: int) -> None:
    """No figure of the English sentence is missing (another language may write more numbers so)."""
    figures = re.compile(r"\d+")
    seen: set[Any] = set()
    for record in deals(game, players, 60):
        for say in sayings(record, seen):
            english, *others = read_in_each_language(say, record)
            for text, said in zip(chain(*others), english * len(others), strict=True):
                if not re.search("declare|announced|uncontested", said):
                    # (An item's own words, “ten tarocks or more”, may be figures in another language.)
                    assert set(figures.findall(text)) >= set(figures.findall(said)), text
    assert len(seen) > 20


def test_findings_are_described_as_players_do() -> None:
    """Of the illegal conformance deals, too."""
    seen: set[Any] = set()
    wrongs = [build().record() for _, build, _ in WRONG]
    illegal = (name for name, row in conformance.deals().items() if row["expect"]["verdict"] == "illegal")
    for record in chain(wrongs, map(conformance.record, illegal)):
        assert record is not None
        error = check(record).error
        assert error is not None
        for say in wrong(error, record, seen):
            if error.reason not in ("no-item", "no-bid"):
                read_in_each_language(say, record)
    assert len(seen) > 90


def test_cards_have_their_article_or_case() -> None:
    """A led Sküs and a call are said with the card; what fits no verb is quoted."""
    events = [
        ("troggu", "play T0"), ("troggu", "discard T21 T1"), ("grosstarock", "play T0(H)"),
        ("strohmann", "play T17(ros)"), ("taroky", "pass the salt"),
    ]  # fmt: skip
    said = {
        "en": "plays the Bättler|discards the Mond and the Pagat|plays the Sküs as hearts|plays XVII, “Ros!”",
        "de": "spielt den Bättler|legt den Mond und den Pagat ab|spielt den Sküs als Herz|spielt XVII, „Ros!“"
        "|sagt „pass the salt“",
        "cs": "hraje Bättlera|odkládá monda a pagáta|hraje škýze jako srdce|hraje XVII, „Ros!“",
        "ja": "ベトラーをプレイ|切札21、パガットを捨て札|スキュース(ハートとして)をプレイ"
        "|切札17(ロス！)をプレイ",
    }
    for language, expected in said.items():
        with translation.override(language):
            told = [Names(game, {}).name("event", event) for game, event in events]
            assert told[: expected.count("|") + 1] == expected.split("|")
