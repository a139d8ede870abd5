"""The simulator: the same for the same seed, in sessions as people play them, and never wrong."""

from __future__ import annotations

import doctest
import hashlib
import os
import random
import subprocess
import sys
from collections import Counter
from itertools import pairwise

import pytest

import tarock.analysis.simulate
from tarock.analysis.simulate import SimulationError, simulate
from tarock.core.bots import Scene
from tarock.games import GAMES, games, start
from tarock.games import game as info_of
from tarock.notation import write_text
from tests.engine.driver import ALL


def test_the_examples_run() -> None:
    found = doctest.testmod(tarock.analysis.simulate)
    assert found.attempted
    assert not found.failed


@ALL
def test_same_seed_same_deals(game: str, players: int) -> None:
    first = [r.digest for r in simulate(game, players=players, deals=20, seed=9)]
    assert first == [r.digest for r in simulate(game, players=players, deals=20, seed=9)]
    assert first[:7] == [r.digest for r in simulate(game, players=players, deals=7, seed=9)]
    other = [r.digest for r in simulate(game, players=players, deals=20, seed=10)]
    assert not set(first) & set(other)
    assert len(set(first)) == 20


def test_another_process_deals_the_same() -> None:
    code = (
        "import hashlib\n"
        "from tarock.notation import write_text\n"
        "from tarock.analysis.simulate import simulate\n"
        "h = hashlib.sha256()\n"
        "for g, p in (('strohmann', 2), ('taroky', 4), ('troggu', 7), ('grosstarock', 4)):\n"
        "    for r in simulate(g, players=p, deals=40, seed=1):\n"
        "        h.update(write_text(r).encode())\n"
        "print(h.hexdigest())\n"
    )
    here = hashlib.sha256()
    for game, players in (("strohmann", 2), ("taroky", 4), ("troggu", 7), ("grosstarock", 4)):
        for record in simulate(game, players=players, deals=40, seed=1):
            here.update(write_text(record).encode())
    for hash_seed in ("0", "12345"):
        environment = os.environ | {"PYTHONHASHSEED": hash_seed}
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == here.hexdigest()


@ALL
def test_dealers_move_on_and_deals_are_numbered(game: str, players: int) -> None:
    records = list(simulate(game, players=players, deals=120, seed=3))
    sessions: dict[str, list] = {}
    for record in records:
        sessions.setdefault(record.tags["Session"], []).append(record)
    assert len(sessions) > 2
    for name, deals in sessions.items():
        letters = "ABCDEFGH"[:players]
        for before, after in pairwise(deals):
            assert after.dealer == letters[(letters.index(before.dealer) + 1) % players]
            assert after.players == before.players
            assert after.tags["Date"] == before.tags["Date"]
        assert [r.tags["Deal"] for r in deals] == [str(i + 1) for i in range(len(deals))]
        assert name.startswith(deals[0].tags["Date"])
    whole = list(sessions.values())[:-1]
    assert all(len(deals) % players == 0 for deals in whole), "everybody deals equally often"


def test_names_are_distinct_and_have_diacritics() -> None:
    for info in games():
        names = set()
        for record in simulate(info.id, players=info.seats[-1], deals=60, seed=2):
            assert len(set(record.players.values())) == len(record.players)
            names |= set(record.players.values())
        assert any(not name.isascii() for name in names)


def test_bots_are_looked_up_when_a_deal_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    class Others(GAMES["strohmann"].bots):
        scene = Scene("Ada Bob", ("At home",), ("Here",))

    monkeypatch.setattr("tarock.games.strohmann.bots.StrohmannBots", Others)
    for record in simulate("strohmann", deals=5, seed=1):
        assert set(record.players.values()) == {"Ada", "Bob"}


def test_a_part_of_the_records_claims_its_score() -> None:
    claims = [r.score is not None for r in simulate("taroky", deals=200, seed=8)]
    assert 60 < sum(claims) < 180
    assert not any(r.comments for r in simulate("taroky", deals=50, seed=8))


def test_a_table_of_no_number_is_the_usual_one() -> None:
    usual = {"strohmann": 2, "taroky": 4, "troggu": 3, "grosstarock": 3}
    for info in games():
        assert info_of(info.id).usual_seats == usual[info.id]
        assert [len(r.seats) for r in simulate(info.id, deals=1, seed=1)] == [usual[info.id]]


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
    (
        {"game": "troggu", "deals": 1, "seed": 1, "options": ["settle-uncontested"]},
        "expected an option of Troggu",
    ),
])  # fmt: skip
def test_what_no_table_allows_is_refused_at_once(arguments: dict, word: str) -> None:
    with pytest.raises(SimulationError, match=word):
        simulate(**arguments)
