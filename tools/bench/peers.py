"""The other side of the bench: runs in an environment of its own, where python-chess is.

`python peers.py chess NUMBER`: makes its inputs from a fixed seed, says how many there are, and then,
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

CHESS_PLIES = 80


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


def main(what: str, number: int) -> None:
    """Answers round by round until the input ends."""
    items = {"chess": chess_games}[what](number)
    print(len(items), flush=True)
    for _ in sys.stdin:
        gc.disable()
        times = []
        for item in items:
            start = time.perf_counter()
            result = item()
            took = time.perf_counter() - start
            times.append(result if isinstance(result, float) else took)
        gc.enable()
        print(json.dumps(times), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
