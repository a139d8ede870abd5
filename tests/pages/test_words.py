"""What cards, events and announcements are called."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import translation

from replays.language import words
from replays.language.names import Names
from tarock.core.cards import CARDS
from tarock.words import names as naming
from tarock.words.clauses import LANGUAGES
from tarock.words.sentences import event_sentence


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


def test_every_card_has_a_name_of_its_own() -> None:
    assert len({naming.card_name(words.of(), code) for code in CARDS}) == 78
    assert len({naming.card_short(words.of(), code) for code in CARDS}) == 78


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
        (
            "taroky",
            "announce",
            ["flek:pagat", "re:game"],
            "announces flek (×2) on the pagat and re (×4) on the game",
            "",
        ),
        (
            "grosstarock",
            "announce",
            ["tarocks:11", "cavallery:S"],
            "announces 11 tarocks and full cavalry in spades",
            "",
        ),
        ("taroky", "level", ["2"], "takes level 2", "takes level 2"),
        ("taroky", "varsava", [], "says Varšava", "says Varšava"),
        ("taroky", "pass", ["the", "salt"], "pass the salt", "pass the salt"),
        ("taroky", "bid", [], "bids", "bids"),
        ("taroky", "juggle", ["T1"], "juggle T1", "juggle T1"),
    ],
)
def test_events_in_words(game: str, verb: str, args: list[str], said: str, short: str) -> None:
    names = Names(game, {})
    assert event_sentence(verb, args, names, "long") == said
    alone = said.removeprefix("announces ").replace(" and ", ", ")
    assert event_sentence(verb, args, names, "short") == (short or alone)


@pytest.mark.parametrize(
    ("game", "choice", "shown"),
    [
        ("troggu", "T5", "tarock V"),
        ("grosstarock", "T0(T)", "Sküs as tarocks"),
        ("taroky", "bid first", "bids First Duty"),
        ("taroky", "flek:game", "flek (×2) on the game"),
        ("grosstarock", "tarocks", "tarocks"),
        ("grosstarock", "pass", "passes"),
    ],
)
def test_choices_in_words(game: str, choice: str, shown: str) -> None:
    assert Names(game, {}).choice(choice) == shown


def test_points_have_their_sign() -> None:
    assert [words.points(n) for n in (5, 0, -5, None)] == ["+5", "0", "−5", "–"]
