"""Hand-worked deals: each complete, its calculation written out from the rules, not by the engine.

A file begins with remarks: a title and the calculation. The expected results are read from it: a line
`clause: …: A +25, B −25` for each line that moves points, `A, D (bidder) win tricks … = 60.` for the card
points of a side, and in the end the score.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tarock.analysis.verify import Check, check
from tarock.notation import read_one
from tests.support.samples import TAROKY

_LINE = re.compile(r"^([a-z-]+):(?: .*:)? ((?:[A-H] [+−]\d+(?:, )?)+)$", re.MULTILINE)
_SIDE = re.compile(
    r"^([A-H](?:, [A-H])*)(?: \((\w+)\))? wins? (?:no trick|tricks? \d).*?(?:(\d+)|no card)\.$",
    re.MULTILINE | re.DOTALL,
)
_DEAD = re.compile(r"^Dead Bättler: ([A-H])\.$", re.MULTILINE)


def _points(words: str) -> dict[str, int]:
    """`A +25, B −25` as numbers by seat."""
    pairs = (word.split() for word in words.split(", "))
    return {seat: int(number.replace("−", "-")) for seat, number in pairs}


@dataclass(frozen=True)
class Worked:
    """A deal and its calculation on paper, with the result."""

    calculation: str
    text: str

    def check(self) -> Check:
        return check(read_one(self.text))

    @property
    def lines(self) -> list[tuple[str, dict[str, int]]]:
        """Each line that moves points: its clause, and the points by seat."""
        game = read_one(self.text).game
        return [(f"{game}.{name}", _points(words)) for name, words in _LINE.findall(self.calculation)]

    @property
    def score(self) -> dict[str, int]:
        return _points(self.calculation.strip().rpartition("Score: ")[2].removesuffix("."))

    @property
    def card_points(self) -> dict[str, int]:
        """The card points by side, or by seat where each player counts alone."""
        return {side or seats: int(n or 0) for seats, side, n in _SIDE.findall(self.calculation)}

    @property
    def dead_bettler(self) -> str | None:
        """The seat of the dead Bättler."""
        return (found := _DEAD.search(self.calculation)) and found[1]


#: The sample of the specification without its claim. `taroky-re.tgn` has its calculation only.
_SAMPLE = TAROKY.replace('[Score "A=105 B=-105 C=-105 D=105"]\n', "")


def _read(file: Path) -> Worked:
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    remarks = [line.removeprefix("; ") for line in lines if line.startswith(";")]
    return Worked("".join(remarks), "".join(lines[len(remarks) :]) or _SAMPLE)


#: Every deal by the name of its file, as `TAROKY_RE`.
WORKED = {
    file.stem.upper().replace("-", "_"): _read(file) for file in sorted(Path(__file__).parent.glob("*.tgn"))
}
