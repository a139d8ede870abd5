"""python-chess for the case `engine`; runs in a separate environment.

`python peers.py NUMBER` generates games of exactly 80 random legal plies, always the same ones, as PGN text.
For each line on its standard input, the program parses all games and prints the seconds per game.
"""

from __future__ import annotations

import gc
import io
import random
import sys
import time

import chess
import chess.pgn

PLIES = 80


def games(number: int) -> str:
    """Return `number` random games as the text of a PGN file."""
    chance = random.Random(1)
    written: list[str] = []
    while len(written) < number:
        board = chess.Board()
        while board.ply() < PLIES and not board.is_game_over():
            board.push(chance.choice(list(board.legal_moves)))
        if board.ply() == PLIES:
            written.append(str(chess.pgn.Game.from_board(board)))
    return "\n\n".join(written) + "\n"


def seconds(text: str, number: int) -> float:
    """Parse all games in a PGN text; return the seconds per game."""
    file = io.StringIO(text)
    gc.disable()
    start = time.perf_counter()
    found = [chess.pgn.read_game(file) for _ in range(number)]
    took = time.perf_counter() - start
    gc.enable()
    if [game.end().ply() for game in found] != [PLIES] * number:
        raise AssertionError("not all games were read")
    return took / number


if __name__ == "__main__":
    count = int(sys.argv[1])
    text = games(count)
    for _ in sys.stdin:
        print(seconds(text, count), flush=True)
