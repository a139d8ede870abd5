"""The simulator: the same for the same seed, in sessions as people play them, and never wrong."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from itertools import groupby, pairwise

import pytest

from tarock.analysis.simulate import SimulationError, simulate
from tarock.core.bots import Scene
from tarock.games import GAMES, games, start
from tests.engine.driver import ALL


@ALL
def test_same_seed_same_deals(game: str, players: int) -> None:
    first = [r.digest for r in simulate(game, players=players, deals=20, seed=9)]
    assert first == [r.digest for r in simulate(game, players=players, deals=20, seed=9)]
    assert first[:7] == [r.digest for r in simulate(game, players=players, deals=7, seed=9)]
    other = [r.digest for r in simulate(game, players=players, deals=20, seed=10)]
    assert not set(first) & set(other)
    assert len(set(first)) == 20


def test_another_process_deals_the_same() -> None:
    """Whatever order its sets have."""
    code = (
        "from tarock.analysis.simulate import simulate\n"
        "for g, p in (('strohmann', 2), ('taroky', 4), ('troggu', 7), ('grosstarock', 4)):\n"
        "    print(*(r.digest for r in simulate(g, players=p, deals=40, seed=1)))\n"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "12345")
    ]
    assert told[0] == told[1]
    assert len(told[0].split()) == 160


@ALL
def test_deals_are_in_sessions_as_people_play_them(game: str, players: int) -> None:
    records = list(simulate(game, players=players, deals=120, seed=3))
    claims = [r.score is not None for r in records]
    assert 36 < sum(claims) < 108, "a part of the records claims its score"
    assert not any(r.comments for r in records)
    names = {name for record in records for name in record.players.values()}
    assert any(not name.isascii() for name in names)
    sessions = [[*deals] for _, deals in groupby(records, key=lambda record: record.tags["Session"])]
    assert len(sessions) > 2
    letters = "ABCDEFGH"[:players]
    for deals in sessions:
        first = deals[0]
        assert len({*first.players.values()}) == players
        assert {r.tags["Date"] for r in deals} == {first.tags["Session"][:10]}
        assert all(r.players == first.players for r in deals)
        assert [r.tags["Deal"] for r in deals] == [str(i + 1) for i in range(len(deals))]
        for before, after in pairwise(deals):
            assert after.dealer == letters[(letters.index(before.dealer) + 1) % players]
    assert all(len(deals) % players == 0 for deals in sessions[:-1]), "everybody deals equally often"


def test_bots_are_looked_up_when_a_deal_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    class Others(GAMES["strohmann"].bots):
        scene = Scene("Ada Bob", ("At home",), ("Here",))

    monkeypatch.setattr("tarock.games.strohmann.bots.StrohmannBots", Others)
    for record in simulate("strohmann", deals=5, seed=1):
        assert set(record.players.values()) == {"Ada", "Bob"}


def test_a_table_of_no_number_is_the_usual_one() -> None:
    for info in games():
        assert [len(r.seats) for r in simulate(info.id, deals=1, seed=1)] == [info.usual_seats]


def test_a_grosstarock_player_declares_ladons_once(monkeypatch: pytest.MonkeyPatch) -> None:
    record = next(simulate("grosstarock", deals=1, seed=1))
    table = start(record)
    monkeypatch.setattr(
        type(table), "legal_words", lambda _: ["pass", "announce ladons:18", "announce ladons:17"]
    )
    players = GAMES["grosstarock"].bots(table, random.Random(1))
    said = Counter(players.in_declaring("A") for _ in range(500))
    assert set(said) == {("A", "announce", "ladons:18"), ("A", "announce", "ladons:17"), ("A", "pass")}
    assert said["A", "announce", "ladons:18"] > said["A", "announce", "ladons:17"] > said["A", "pass"] > 0


@pytest.mark.parametrize(("arguments", "word"), [
    ({"game": "bridge", "deals": 1, "seed": 1}, "bridge"),
    ({"game": "taroky", "players": 3, "deals": 1, "seed": 1}, "expected 4"),
    ({"game": "grosstarock", "players": 5, "deals": 1, "seed": 1}, "expected 2 or 3 or 4"),
    ({"game": "troggu", "deals": -1, "seed": 1}, "-1"),
    ({"game": "taroky", "deals": 1, "seed": 1, "options": ["cap=x"]}, "expected for cap"),
    (
        {"game": "troggu", "deals": 1, "seed": 1, "options": ["settle-uncontested"]},
        "expected an option of Troggu",
    ),
])  # fmt: skip
def test_what_no_table_allows_is_refused_at_once(arguments: dict, word: str) -> None:
    with pytest.raises(SimulationError, match=word):
        simulate(**arguments)
