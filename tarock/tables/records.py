"""The rows of a table as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tarock.tables.result import Recognised


def json_forms(
    found: Recognised, game: str, rules: str = "", options: Sequence[str] = ()
) -> Iterator[dict[str, Any]]:
    """Yield the JSON form of a result for each row. `game`: the game of all rows, or `?` if it is unknown;
    `rules`, `options`: name and options of the rules by which all points were counted."""
    for row in found.rows:
        tags = {
            "Date": row.date and row.date.isoformat(),
            "Session": row.session,
            "Deal": row.deal and str(row.deal),
            "Played": row.played and str(row.played),
            "Rules": rules,
        }
        yield {
            "tgn": 1,
            "game": game,
            **({"options": list(options)} if options else {}),
            "tags": {name: value for name, value in tags.items() if value},
            "result": [[player, points] for player, points in row.points.items()],
        }
