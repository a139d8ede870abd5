"""The JSON Schema of TGN's JSON form, for programs that check or generate records without this engine.

`schema.json` beside this file holds the parts common to all games, `games/<game>/schema.json` those of each
game. `python -m tarock.schema` prints both in one.
"""

from __future__ import annotations

import json
import sys
from importlib import resources
from typing import Any

from tarock.games import GAMES, Game


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of one record in the JSON form, a fresh copy at each call.

    It describes what `tarock.notation.write_json` writes. The reader forgives some spelling that the schema
    does not, and refuses a few things that a schema can't express; `docs/notation.md` says which.
    """
    whole = _part("tarock")
    verbs = {verb for game in GAMES.values() for verb in game.info.verbs}
    whole["properties"]["game"]["enum"] = list(GAMES)
    whole["properties"]["events"]["items"]["prefixItems"][1]["enum"] = sorted(verbs | {"play"})
    whole["allOf"] = [
        {"if": {"properties": {"game": {"const": name}}}, "then": _part(_package(game))}
        for name, game in GAMES.items()
    ]
    return whole


def _package(game: Game) -> str:
    """The package of a game's rules, with its texts and its schema."""
    return game.table.__module__.rpartition(".")[0]


def _part(package: str) -> dict[str, Any]:
    """The schema file of a package."""
    file = resources.files(package) / "schema.json"
    part: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return part


if __name__ == "__main__":
    json.dump(schema(), sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")
