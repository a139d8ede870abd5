"""A score sheet entered as on a phone: only what the form offers is tapped."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from tarock.core.outcome import in_order
from tarock.core.record import Line, Record
from tarock.games import GAMES
from tarock.view.answers.questions import answer

SETUP = {"name": "June", "date": "2026-11-24", "place": "Hlučín"}
#: More taps than any sheet needs.
_MOST = 120


def ask(question: dict[str, Any]) -> dict[str, Any]:
    """Ask the engine as a page does: JSON there, JSON back."""
    found: dict[str, Any] = json.loads(answer(json.dumps(question)))
    return found


class Form:
    """The form of a deal while it is entered. `answer`: the last answer; `taps`: their number."""

    def __init__(
        self,
        game: str,
        players: int = 4,
        dealer: str = "",
        options: tuple[str, ...] = (),
        language: str = "en",
    ) -> None:
        seats = "ABCDEFGH"[:players]
        self.setup = SETUP | {"game": game}
        self.language = language
        self.taps = 0
        self.deal: dict[str, Any] = {
            "n": 1,
            "players": {seat: f"Player {seat}" for seat in seats},
            "dealer": dealer or seats[-1],
            "options": list(options),
            "lines": [],
        }
        self.answer = self._ask(None)

    @property
    def lines(self) -> list[Line]:
        return [tuple(line) for line in self.answer["lines"]]

    @property
    def text(self) -> str:
        """The lines in canonical order, as a text."""
        kind = GAMES[self.setup["game"]].table.OUTCOME
        return "\n".join(" ".join(map(str, line)) for line in in_order(kind, self.lines))

    @property
    def findings(self) -> list[tuple[str, str]]:
        """All findings, each with its field, empty for none."""
        beside = [(one["name"], found["text"]) for one in self.answer["fields"] for found in one["findings"]]
        return beside + [("", found["text"]) for found in self.answer["findings"]]

    def field(self, name: str) -> dict[str, Any] | None:
        return next((one for one in self.answer["fields"] if one["name"] == name), None)

    def rows(self, name: str, *key: str | int, place: int = 0) -> list[dict[str, Any]]:
        rows = (self.field(name) or {"rows": []})["rows"]
        return [row for row in rows if tuple(row["key"]) == key and row["place"] == place]

    def words(self, name: str, *key: str | int, place: int = 0) -> list[str | int]:
        return [choice["word"] for row in self.rows(name, *key, place=place) for choice in row["choices"]]

    def signed(self, name: str, *key: str | int, word: str | int | None) -> list[str | int]:
        """The words that can be tapped together with a word."""
        choices = [one for row in self.rows(name, *key) for one in row["choices"] if one["word"] == word]
        return [then["word"] for one in choices for then in one["then"]]

    def numbers(self, name: str) -> list[tuple[str | int, dict[str, Any]]]:
        """The numbers that can be entered for a field, each with the first word of its line."""
        rows = (self.field(name) or {"rows": []})["rows"]
        return [(row["key"][0], row["number"]) for row in rows if row["number"]]

    def tap(
        self,
        name: str,
        *key: str | int,
        word: str | int | None = "",
        place: int = 0,
        then: str | int | None = None,
    ) -> Form:
        """Tap a word, or enter a number, that the form offers; None takes a number away. `then`: the word
        after it, if the form offers both as one choice."""
        rows = self.rows(name, *key, place=place)
        assert rows, f"no row for {name} {key} {place}: {self.text}"
        offered = word in self.words(name, *key, place=place) or any(
            _takes(row["number"], word) for row in rows
        )
        assert offered, f"{name} {key} {place} offers no {word}: {rows}"
        assert then is None or then in self.signed(name, *key, word=word)
        self.answer = self._ask({"field": name, "key": list(key), "place": place, "word": word, "then": then})
        self.taps += 1
        return self

    def after(self, *taps: str) -> str:
        """Make taps that are written like lines: field, key, word, and the word after it, if both are one
        choice; `-` takes a number away. Return the text."""
        for tap in taps:
            name, *words = (int(word) if word.isdigit() else word for word in tap.split())
            keys = (words[:number] for number in range(len(words) - 1, 0, -1))
            key = next((key for key in keys if self.rows(str(name), *key)), [])
            word, *then = words[len(key) :] or [""]
            self.tap(str(name), *key, word=None if word == "-" else word, then=then[0] if then else None)
        return self.text

    def look(self, **more: Any) -> dict[str, Any]:
        """Ask for the form of the deal without a tap. `more`: further fields of the question."""
        return self._ask(None, **more)

    def _ask(self, tap: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
        question = {"ask": "form", "setup": self.setup, "deal": self.deal, "language": self.language}
        found = ask(question | more | ({"tap": tap} if tap else {}))
        assert "error" not in found, (found["error"], tap)
        self.deal["lines"] = found["lines"]
        return found


def _takes(number: dict[str, Any] | None, word: str | int | None) -> bool:
    """Whether a number can be entered in a row."""
    if number is None or word is None:
        return number is not None and number["value"] is not None
    text = str(word).removeprefix(number["prefix"])
    within = text.isdigit() and number["low"] <= int(text) <= (number["high"] or int(text))
    return within and str(word).startswith(number["prefix"])


def enter(form: Form, wanted: tuple[Line, ...]) -> None:
    """Enter these lines, whatever is there already, by taps alone."""
    kind = GAMES[form.setup["game"]].table.OUTCOME
    while _next_tap(form, wanted):
        assert form.taps < _MOST, (form.text, wanted)
    assert in_order(kind, form.lines) == in_order(kind, wanted)


def _next_tap(form: Form, wanted: tuple[Line, ...]) -> bool:
    """Tap what brings the sheet nearer to the wanted lines; False if nothing is left to tap."""
    fields = GAMES[form.setup["game"]].table.OUTCOME.fields()

    def head(line: Line) -> Line:
        one = fields[str(line[0])]
        steps = [at for at, part in enumerate(one.parts[: one.key]) if part.steps]
        return line[: 1 + (steps[0] if steps else one.key)]

    there = {head(line): line for line in form.lines}
    heads = {head(line) for line in wanted}
    for line in wanted:
        begin = head(line)
        if begin not in there and not form.rows(str(line[0]), *begin[1:]):
            # It may need another one: a double what is doubled.
            continue
        has = there.get(begin, begin)
        if has == line and begin in there:
            continue
        place, words, target = 0, has[len(begin) :], line[len(begin) :]
        if not target:
            form.tap(str(line[0]), *begin[1:])
            return True
        many = fields[str(line[0])].parts[-1].many
        if many:
            word = next(iter([w for w in words if w not in target] + [w for w in target if w not in words]))
            _tap_item(form, begin, str(word), word in words)
            return True
        place = next(at for at in range(len(target) + 1) if target[at : at + 1] != words[at : at + 1])
        parts = fields[str(line[0])].parts[len(begin) - 1 :]
        place -= bool(parts[place].signs)
        then = target[place + 1] if parts[place + 1 :] and parts[place + 1].signs else None
        form.tap(str(line[0]), *begin[1:], word=(target[place:] or words[place:])[0], place=place, then=then)
        return True
    for begin, line in there.items():
        if begin not in heads:
            word = "" if line == begin else line[len(begin)]
            form.tap(str(line[0]), *begin[1:], word=word)
            return True
    return False


def _tap_item(form: Form, begin: Line, word: str, there: bool) -> None:
    """Tap one of several words; one with another number than the form offers first as it is offered."""
    name, *key = begin
    offered = form.words(str(name), *key)
    if word not in offered and not there:
        stem = word.partition(":")[0] + ":"
        form.tap(str(name), *key, word=next(one for one in offered if str(one).startswith(stem)))
    if word in form.words(str(name), *key) or not there:
        form.tap(str(name), *key, word=word)


def as_entered(record: Record, lines: tuple[Line, ...], left_out: int = 0) -> tuple[Line, ...]:
    """The lines of a sheet as the form has them: of doubles the highest, without the seat; no trick numbers
    that change nothing; without the card points that are the rest. `left_out`: the number of the side, or
    seat, whose points these are."""
    kind = GAMES[record.game].table.OUTCOME
    highest: dict[Line, Line] = {}
    for line in without_tricks(lines):
        steps = kind.fields()[str(line[0])].parts[1:2]
        key = line[:2] if steps and steps[0].steps else line
        if key != line:
            line = max(line[:3], highest.get(key, line[:3]), key=lambda one: steps[0].rank(one[2]))
        highest[key] = line
    entered = [*highest.values()]
    points = [line for line in entered if line[0] == "points"]
    total = sum(int(line[2]) for line in points)
    known = {"strohmann": 70, "taroky": 70, "troggu": 114, "grosstarock": 78}[record.game]
    fixed = not any(line in entered for line in (("contract", "varsava"), ("contract", "misere")))
    if points and fixed and not (record.game == "grosstarock" and len(record.active) == 2):
        assert total == known
        entered.remove(points[left_out % len(points)])
    return tuple(entered)


def without_tricks(lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines of a sheet at Grosstarock without the numbers of tricks, apart from those of the prices."""
    found: list[Line] = []
    for line in lines:
        *words, last = line
        if line[0] == "card" and isinstance(last, int):
            line = tuple(words)
        elif line[0] == "announce":
            line = (*words, next(price for price in (1, 13, 20) if price >= int(last)))
        found.append(line)
    return tuple(found)
