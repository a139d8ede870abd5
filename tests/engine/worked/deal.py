"""A deal calculated by hand, and the parser of the expected results in the calculation."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tarock.analysis.verify import Check, check
from tarock.notation import read_one

_LINE = re.compile(r"^([a-z-]+):(?: .*:)? ((?:[A-H] [+−]\d+(?:, )?)+)$", re.MULTILINE)
_SIDE = re.compile(
    r"^([A-H](?:, [A-H])*)(?: \((\w+)\))? wins? (?:no trick|tricks? \d).*?(?:(\d+)|no card)\.$",
    re.MULTILINE | re.DOTALL,
)


def _points(words: str) -> dict[str, int]:
    """`A +25, B −25` as numbers by seat."""
    pairs = (word.split() for word in words.split(", "))
    return {seat: int(number.replace("−", "-")) for seat, number in pairs}


@dataclass(frozen=True)
class Worked:
    """A deal and its calculation on paper, with the result."""

    title: str
    calculation: str
    text: str
    dead_bettler: str | None = None

    def check(self) -> Check:
        """The engine's answer on it."""
        return check(read_one(self.text))

    @property
    def lines(self) -> list[tuple[str, dict[str, int]]]:
        """Each line that moves points: its clause, and the points by seat."""
        game = read_one(self.text).game
        return [(f"{game}.{name}", _points(words)) for name, words in _LINE.findall(self.calculation)]

    @property
    def score(self) -> dict[str, int]:
        """The points of every seat."""
        return _points(self.calculation.strip().rpartition("Score: ")[2].removesuffix("."))

    @property
    def card_points(self) -> dict[str, int]:
        """The card points by side, or by seat where each is for himself."""
        return {side or seats: int(n or 0) for seats, side, n in _SIDE.findall(self.calculation)}
