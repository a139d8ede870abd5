"""A score sheet in both forms, and how it is altered."""

from __future__ import annotations

from typing import Any

from tests.engine.sheets import sheet

TAGS = """\
[TGN "1"]
[Game "taroky"]
[A "Alena"]
[B "Bořek"]
[C "Cyril"]
[D "Dana"]
[Dealer "D"]
[Session "June"]
[Deal "7"]
[Score "A=105 B=-105 C=-105 D=105"]
"""
LINES = """\
sheet contract first
sheet bidder A
sheet partner D
sheet points bidder 60
sheet points opponents 10
sheet hand A tarocky
sheet hand B barvicky
sheet double pagat flek B
sheet double pagat re A
sheet pagat announced A made
"""
#: 60 - 35 = 25; the announced pagat 20, twice doubled 80; tarocky 5 and barvicky -5: 105.
SHEET = f"{TAGS}\n{LINES}"
FORM: dict[str, Any] = {
    "tgn": 1,
    "game": "taroky",
    "dealer": "D",
    "players": {"A": "Alena", "B": "Bořek", "C": "Cyril", "D": "Dana"},
    "options": [],
    "tags": {"Session": "June", "Deal": "7"},
    "sheet": [["contract", "first"], ["bidder", "A"], ["partner", "D"], ["points", "bidder", 60],
     ["points", "opponents", 10], ["hand", "A", "tarocky"], ["hand", "B", "barvicky"],
     ["double", "pagat", "flek", "B"], ["double", "pagat", "re", "A"], ["pagat", "announced", "A", "made"]],
    "comments": {},
    "score": {"A": 105, "B": -105, "C": -105, "D": 105},
}  # fmt: skip


def sheet_of_game(game: str, seats: str, *lines: str, score: str = "") -> str:
    """Return a score sheet as text: a game, its seats (the last one deals) and its lines."""
    return sheet(game, "\n".join(lines), len(seats), score=score)
