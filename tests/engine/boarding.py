"""A deal entered on the board: the record is sent with one event more after each tap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tarock.core.record import Record
from tarock.notation import write_json
from tests.engine.tapping import ask

Json = dict[str, Any]


def board(record: Record, events: int, language: str = "en", ask: Callable[[Json], Json] = ask) -> Json:
    """The board after the first events of a record."""
    form = write_json(record)
    form["events"] = form["events"][:events]
    form["comments"] = {at: texts for at, texts in form["comments"].items() if int(at) <= events}
    return ask({"ask": "board", "record": form, "language": language})


def offers(found: Json, event: list[str]) -> bool:
    """Whether an answer offers an event: in its list, or by its cards or items."""
    if any(choice["event"] == event for choice in found["choices"]):
        return True
    seat, verb, *words = event
    many, more = found["many"], found["more"]
    if many and (seat, verb) == (many["seat"], many["verb"]):
        rest = [
            {*words} - {*way["all_of"]}
            for way in many["ways"]
            if {*way["all_of"]} <= {*words} <= {*way["all_of"], *way["rest_of"]}
        ]
        return bool(rest) and len({*words}) == len(words) == many["number"] and {*words} <= {*many["cards"]}
    if more and (seat, verb) == (more["seat"], more["verb"]):
        items = {row["item"] for row in more["items"]}
        return (
            bool(words)
            and {*words} <= items
            and len({*words}) == len(words)
            and not any({*pair} <= {*words} for pair in more["apart"])
        )
    return False
