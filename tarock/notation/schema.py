"""The JSON Schema of TGN's JSON form, for programs that check or generate records without this engine.

`schema.json` has the parts common to all games, and `games/<game>/schema.json` has the parts of one game. The
lines of a score sheet are derived from the fields of the outcome. `python -m tarock.notation.schema` prints
the whole schema.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import resources
from typing import Any

from tarock.core.game import NO_GAME, UNKNOWN_GAME, GameInfo
from tarock.core.outcome import Field, Part
from tarock.games import GAMES, Game
from tarock.notation.limits import MAX_RESULT, MAX_SHEET_LINES, MAX_SHEET_NUMBER, MAX_WORDS


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of one record in the JSON form, as a fresh copy.

    The schema describes the output of `tarock.notation.write_json`. The reader accepts some spellings that
    the schema does not, and rejects a few things that a schema can't express; `docs/notation.md` lists these
    differences.
    """
    whole = _part("tarock.notation")
    verbs = {verb for game in GAMES.values() for verb in game.info.verbs}
    whole["properties"]["game"]["enum"] = [*GAMES, UNKNOWN_GAME]
    whole["properties"]["events"]["items"]["prefixItems"][1]["enum"] = sorted(verbs | {"play"})
    whole["properties"]["sheet"]["maxItems"] = MAX_SHEET_LINES
    whole["properties"]["result"]["maxItems"] = MAX_RESULT
    whole["allOf"] = [
        {"if": {"properties": {"game": {"const": name}}}, "then": _game(game)} for name, game in GAMES.items()
    ]
    unknown = {"properties": {"game": {"const": UNKNOWN_GAME}}}
    whole["then"]["allOf"] = [{"if": unknown, "then": {"properties": {"options": _options(NO_GAME)}}}]
    return whole


def _game(game: Game) -> dict[str, Any]:
    part, info = _part(game.folder), game.info
    lines = [_line(one, info) for one in game.table.OUTCOME.fields().values()]
    part["properties"]["options"] = _options(info)
    part["properties"]["sheet"] = {"items": {"oneOf": lines}}
    if absent := list(_others_absent(info)):
        part["allOf"] = [*part.get("allOf", ()), *absent]
    return part


def _options(info: GameInfo) -> dict[str, Any]:
    """Return the schema of the options. It doesn't compare options with each other, and leaves the highest
    numbers to the reader."""
    found = [option.pattern for option in info.rules.table().values()]
    return {"items": {"pattern": f"^(?:{'|'.join(found)})$"}, "maxItems": len(found)}


def _line(one: Field, info: GameInfo) -> dict[str, Any]:
    """Return the schema of a sheet line. It allows incomplete lines and numbers out of bounds, because the
    check against the rules reports these."""
    words = [_word(part, info) for part in one.parts]
    many = bool(one.parts) and one.parts[-1].many
    return {
        "type": "array",
        "minItems": 1,
        "maxItems": MAX_WORDS if many else 1 + len(words),
        "prefixItems": [{"const": one.name}, *words],
        "items": words[-1] if many else False,
    }


def _word(part: Part, info: GameInfo) -> dict[str, Any]:
    found: list[dict[str, Any]] = []
    if plain := [*part.words, *(info.seat_letters(info.seats[-1]) if part.seats else ())]:
        found.append({"enum": plain})
    if part.pattern:
        found.append({"type": "string", "pattern": f"^{part.pattern}$"})
    if part.number:
        low, high = part.number
        limits = {"minimum": -MAX_SHEET_NUMBER, "maximum": MAX_SHEET_NUMBER}
        found.append({"description": f"{low} to {high}.", "type": "integer", **limits})
    return found[0] if len(found) == 1 else {"anyOf": found}


def _others_absent(info: GameInfo) -> Iterator[dict[str, Any]]:
    """Yield a condition for each table that lacks some seats of the largest table: no sheet line may name
    these seats."""
    letters = info.seat_letters(info.seats[-1])
    for number in info.seats:
        for dealer in info.seat_letters(number) if number in info.sits_out else letters[:1]:
            others = [seat for seat in letters if seat not in info.seating(number, dealer).active]
            if others:
                table: dict[str, Any] = {"players": {"minProperties": number, "maxProperties": number}}
                if number in info.sits_out:
                    table["dealer"] = {"const": dealer}
                absent = {"sheet": {"items": {"items": {"not": {"enum": others}}}}}
                yield {"if": {"properties": table}, "then": {"properties": absent}}


def _part(package: str) -> dict[str, Any]:
    """Return the contents of a package's schema file."""
    file = resources.files(package) / "schema.json"
    part: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return part


if __name__ == "__main__":
    json.dump(schema(), sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")
