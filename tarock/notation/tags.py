"""Reading the tags in a record's text."""

from __future__ import annotations

import re
from typing import Any

from tarock.core.game import SEATS, GameInfo
from tarock.games import GAMES
from tarock.notation.deal_part import any_dealer
from tarock.notation.faults import Faults, Malformed, quoted
from tarock.notation.keys import KNOWN_TAGS, SEAT_TAGS, STRUCTURAL_TAGS
from tarock.notation.source import TAG, Source

PLAIN_TAG = re.compile(r'^\[([A-Za-z][A-Za-z0-9_-]*) "([^"\\\n]*)"\]$', re.MULTILINE)
_TAG_START = re.compile(r"\[[ \t]*([A-Za-z][A-Za-z0-9_-]*)[ \t]+")
_ESCAPE = re.compile(r"\\(.)")
_SCORE_PART = re.compile(r"(\S+)=(-?\d{1,10})", re.ASCII)
#: Tags that every record needs in addition to the players, by key of the JSON form.
_NEEDED = {"tgn": "TGN", "game": "Game", "dealer": "Dealer"}


class Tags:
    """The tags of a record's text, converted to the JSON form."""

    def __init__(self, source: Source, faults: Faults) -> None:
        self.source, self.faults = source, faults
        #: Keys and values of the JSON form that come from tags.
        self.form: dict[str, Any] = {"players": {}, "options": [], "tags": {}}
        self.rows: dict[str, int] = {}  # tag in lower case → line number

    def read(self, number: int, start: int) -> int:
        """Read the tag that begins at this position of a line, and return the position after the tag."""
        line = self.source.lines[number]
        found = TAG.match(line, start)
        if found is not None:
            self.add(found[1], found[2], number)
            return found.end()
        begun = _TAG_START.match(line, start)
        if begun is None:
            self.lose_all()
        else:
            self.faults.unread.add(_key_of(begun[1]))
        at = start if begun is None else begun.end()
        reason = "no-tag" if begun is None else "no-tag-value"
        raise Malformed(reason, offset=self.source.starts[number] + at, found=quoted(line[at : at + 30]))

    def lose_all(self) -> None:
        """Mark the required tags and the players as unread, because an unreadable line may be any of them."""
        self.faults.unread.update((*_NEEDED, "players"))

    def add(self, given: str, value: str, number: int) -> None:
        """Add the tag of a line to the JSON form."""
        form, lowered = self.form, given.lower()
        name = KNOWN_TAGS.get(lowered, given)
        if lowered in self.rows:
            self.faults.unread.update(["players"] if name in SEAT_TAGS else _NEEDED)
            raise Malformed("tag-twice", offset=self._offset(number, 1), found=name)
        self.rows[lowered] = number
        if "\\" in value:
            value = _ESCAPE.sub(r"\1", value)
        if name in SEAT_TAGS:
            form["players"][name] = value
        elif name not in STRUCTURAL_TAGS:
            form["tags"][name] = value
        elif name == "TGN":
            form["tgn"] = 1 if value == "1" else value
        elif name == "Options":
            form["options"] = [option for option in value.split(" ") if option]
        elif name == "Score":
            form["score"] = self._score(value)
        else:
            form[name.lower()] = value

    def _score(self, value: str) -> dict[str, int]:
        points: dict[str, int] = {}
        for part in value.split():
            found = _SCORE_PART.fullmatch(part)
            if found is None or found[1] in points:
                at = self.offset("score") + value.find(part)
                raise Malformed("no-score", "/score", offset=at, found=quoted(part))
            points[found[1]] = int(found[2])
        return points

    def finish(self, line: int | None, *, is_result: bool = False) -> tuple[GameInfo, int, str] | None:
        """Add a fault for each missing tag, at the line after the tags (or at the end if `line` is None). A
        result needs no dealer. Return the game, the number of seats and the dealer; None if the seats are
        unknown because of faults."""
        faults, form = self.faults, self.form
        for key, name in _NEEDED.items():
            if key not in self.rows and key not in faults.unread and not (is_result and key == "dealer"):
                offset = len(self.source.text) if line is None else self.source.word(line, 0)
                faults.unread.add(key)
                faults.note(Malformed("tag-missing", "", offset=offset, tag=name))
        game = GAMES.get(form.get("game", ""))
        seats = tuple([seat for seat in SEATS if seat in form["players"]])
        number = len(seats)
        if game is None or number not in game.info.seats or "players" in faults.unread:
            return None
        dealer = form["dealer"] if form.get("dealer") in seats else any_dealer(game.info, number)
        if dealer is None or seats != tuple(SEATS[:number]):
            return None
        return game.info, number, dealer

    def offset(self, key: str) -> int:
        """Return the offset of a tag's value, given the tag or its JSON key; 0 if there is no such tag."""
        row = self.rows.get(key.lower())
        return 0 if row is None else self._offset(row, 2)

    def _offset(self, number: int, part: int) -> int:
        """Return the offset of the name (1) or the value (2) of the tag in a line."""
        found = TAG.search(self.source.lines[number])
        assert found is not None
        return self.source.starts[number] + found.start(part)


def _key_of(given: str) -> str:
    """Return the key of the JSON form that a tag sets."""
    name = KNOWN_TAGS.get(given.lower(), given)
    return "players" if name in SEAT_TAGS else name.lower()
