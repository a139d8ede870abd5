"""The peers' side of the bench: runs in an environment of its own, where python-chess and OpenSpiel are.

`python peers.py chess|tarok NUMBER`: makes its inputs from a fixed seed, says how many there are, and then,
for every line it gets, goes through them once and answers with the seconds each took, as a line of JSON.
"""

from __future__ import annotations

import gc
import io
import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any

CHESS_PLIES = 80
TAROK_CARDS = 48


def chess_games(number: int) -> list[Callable[[], object]]:
    """The reading of a file of games of exactly 80 plies: seeded random legal play, as python-chess itself
    writes it. Tells the seconds a game takes."""
    import chess
    import chess.pgn

    chance = random.Random(1)
    games: list[str] = []
    while len(games) < number:
        board = chess.Board()
        while board.ply() < CHESS_PLIES and not board.is_game_over():
            board.push(chance.choice(list(board.legal_moves)))
        if board.ply() == CHESS_PLIES:
            games.append(str(chess.pgn.Game.from_board(board)))
    text = "\n\n".join(games) + "\n"

    def read() -> float:
        file = io.StringIO(text)
        start = time.perf_counter()
        found = [chess.pgn.read_game(file) for _ in range(number)]
        took = time.perf_counter() - start
        if [game.end().ply() for game in found] != [CHESS_PLIES] * number:
            raise AssertionError("not all games were read")
        return took / number

    return [read]


def tarok_deals(number: int) -> list[Callable[[], object]]:
    """Replays of deals of OpenSpiel's tarok (four players) in which all 48 cards are played; every action is
    looked up among the legal ones before it is applied."""
    import pyspiel

    chance = random.Random(5)
    replays: list[Callable[[], object]] = []
    seed = 0
    while len(replays) < number:
        seed += 1
        name = f"tarok(players=4,rng_seed={seed})"
        state = pyspiel.load_game(name).new_initial_state()
        actions = []
        while not state.is_terminal():
            actions.append(chance.choice(state.legal_actions()))
            state.apply_action(actions[-1])
        # Four bids and what goes with the contract come before the cards.
        if len(actions) > TAROK_CARDS + 4:
            replays.append(lambda name=name, actions=actions: _replay(pyspiel, name, actions))
    return replays


def _replay(pyspiel: Any, name: str, actions: list[int]) -> float:
    # The deal is dealt anew from the same seed; only the replay is timed, so that it is told from here.
    state = pyspiel.load_game(name).new_initial_state()
    start = time.perf_counter()
    for action in actions:
        if action not in state.legal_actions():
            raise AssertionError("the replay met an illegal action")
        state.apply_action(action)
    return time.perf_counter() - start


def main(what: str, number: int) -> None:
    """Answers round by round until the input ends."""
    items = {"chess": chess_games, "tarok": tarok_deals}[what](number)
    print(len(items), flush=True)
    for _ in sys.stdin:
        gc.disable()
        times = []
        for item in items:
            start = time.perf_counter()
            told = item()
            took = time.perf_counter() - start
            times.append(told if isinstance(told, float) else took)
        gc.enable()
        print(json.dumps(times), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
