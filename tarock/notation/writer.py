"""Writing records as canonical text and in the JSON form."""

from __future__ import annotations

import json
import re
from typing import Any

from tarock.core.cards import UNKNOWN
from tarock.core.findings import NotWritable
from tarock.core.record import Record
from tarock.notation.keys import OPTIONAL_TAGS

_NOT_IN_NAME = re.compile("[{};]")


def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _name(name: str) -> str:
    """Return a name as a JSON string without the characters that begin or end a comment or a remark."""
    return _NOT_IN_NAME.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(name, ensure_ascii=False))


def _comments(comments: dict[int, list[str]], count: int) -> str:
    return "".join(f" {{ {text} }}" for text in comments.get(count, ()))


def write_text(record: Record) -> str:
    """Return the canonical text of a record, ending in a line feed.

    Raise NotWritable for a record that the text form cannot express: a seat plays out of turn, or a trick
    breaks off before the record ends.
    """
    info = record.info
    tags = {"TGN": "1", "Game": record.game}
    if record.result is None:
        tags |= {**record.players, "Dealer": record.dealer}
    tags |= {name: record.tags[name] for name in OPTIONAL_TAGS[:-1] if name in record.tags}
    if record.options:
        tags["Options"] = " ".join(record.options)
    if record.score is not None:
        tags["Score"] = " ".join(f"{seat}={points}" for seat, points in record.score.items())
    tags |= {name: value for name, value in record.tags.items() if name not in tags}
    lines = [f"[{name} {_quoted(value)}]" for name, value in tags.items()]
    lines.append("")
    for where, _ in info.places(len(record.players), record.dealer) if record.is_played else ():
        if set(record.deal[where]) != {UNKNOWN}:
            lines.append(f"deal {where} {' '.join(record.deal[where])}")
    lines += [f"{{ {text} }}" for text in record.comments.get(0, ())]
    lines += ["sheet " + " ".join(map(str, line)) for line in record.sheet or ()]
    for place, points in (record.result or {}).items():
        lines.append(f"result {points} {_name(record.players[place])}")
    lines += _move_lines(record) if record.is_played else ()
    return "\n".join(lines) + "\n"


def _move_lines(record: Record) -> list[str]:
    lines: list[str] = []
    events, comments, turns = record.events, record.comments, record.seating.turns
    tricks = 0
    i = 0
    while i < len(events):
        event = events[i]
        if event[1] != "play":
            i += 1
            lines.append(" ".join(event) + (_comments(comments, i) if comments else ""))
            continue
        tricks += 1
        words = [f"{tricks}. {event[0]}"]
        turn = turns[event[0]]
        for expected, event in zip(turn, events[i : i + len(turn)], strict=False):
            if event[1] != "play" or event[0] != expected or len(event) != 3:
                raise NotWritable(
                    f"event {i} ({' '.join(event)}) cannot be written as text: "
                    f"card {len(words)} of trick {tricks} is {expected}'s to play",
                    i,
                )
            i += 1
            words.append(event[2] + _comments(comments, i) if comments else event[2])
        lines.append(" ".join(words))
    return lines


def write_json(record: Record) -> dict[str, Any]:
    """Return the JSON form of a record, as values for `json.dumps`."""
    if record.result is not None:
        return {
            "tgn": 1,
            "game": record.game,
            **({"options": list(record.options)} if record.options else {}),
            "tags": dict(record.tags),
            "result": [[record.players[place], points] for place, points in record.result.items()],
            "comments": _all_comments(record),
        }
    form: dict[str, Any] = {
        "tgn": 1,
        "game": record.game,
        "dealer": record.dealer,
        "players": dict(record.players),
        "options": list(record.options),
        "tags": dict(record.tags),
        **_played(record),
        "comments": _all_comments(record),
    }
    if record.score is not None:
        form["score"] = dict(record.score)
    return form


def _all_comments(record: Record) -> dict[str, list[str]]:
    return {str(count): list(texts) for count, texts in record.comments.items()}


def _played(record: Record) -> dict[str, Any]:
    """Return the JSON form of a record's deal and events, or of its sheet lines."""
    if record.sheet is not None:
        return {"sheet": [list(line) for line in record.sheet]}
    return {
        "deal": {where: list(cards) for where, cards in record.deal.items() if set(cards) != {UNKNOWN}},
        "events": [list(event) for event in record.events],
    }


def dump_json(record: Record) -> str:
    """Return the JSON form as one line of compact JSON, with non-ASCII characters unescaped."""
    return json.dumps(write_json(record), separators=(",", ":"), ensure_ascii=False)
