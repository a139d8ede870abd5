"""Reading the moves of a record's text: deal lines, event lines and trick lines, or the lines of a sheet or
a result."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Mapping
from operator import getitem, itemgetter
from typing import Any

from tarock.core.cards import looks_like_card, parse_card
from tarock.core.game import Arguments, GameInfo
from tarock.core.record import Event
from tarock.notation.events import PLAYED, trick_plays, verb_list, verbs
from tarock.notation.faults import Faults, Malformed, escape, quoted
from tarock.notation.source import Source

_NUMBER = re.compile(r"(\d{1,4})\.", re.ASCII)


class Moves:
    """The deal and the events in a record's text, or the lines of its sheet or result, converted to the JSON
    form.
    Plays in canonical spelling already become `Event` tuples."""

    def __init__(self, source: Source, faults: Faults) -> None:
        self.source, self.faults = source, faults
        self.deal: dict[str, list[str]] = {}
        self.events: list[list[str] | Event] = []
        self.sheet: list[list[str]] = []
        self.sheet_rows: list[int] = []  # line number of each sheet line
        self.result: list[list[str]] = []
        self.result_rows: list[int] = []  # line number of each line of a result
        self.deal_rows: dict[str, int] = {}  # place of the deal → line number
        #: For each line with events: number of its first event, line number, and index of the first card
        #: among its words (0 if the line is not a trick).
        self.event_rows: list[tuple[int, int, int]] = []
        #: Number of tricks read, and the text of the next trick's number; empty if any number is accepted.
        self.tricks, self.next_trick = 0, "1."
        #: Fault of a short trick, added only if more moves follow, because the last trick may be incomplete.
        self.short: Malformed | None = None
        self.turns: Mapping[str, tuple[str, ...]] = {}  # `Seating.turns`
        self.plays: dict[str, tuple[dict[str, Event], ...]] = {}  # see `trick_plays`
        self.verbs: Mapping[str, Arguments] = {}  # `GameInfo.verbs`

    def begin(self, info: GameInfo, number: int, dealer: str) -> None:
        """Set the game and the seats, which are needed to read any move."""
        self.verbs = info.verbs
        self.turns = info.seating(number, dealer).turns
        self.plays = trick_plays(info, number, dealer)

    def lose_line(self) -> None:
        """Accept any number for the next trick, because the unreadable line may have been a trick."""
        self.next_trick = ""

    def read(self, words: list[str], line: int) -> None:
        """Read the words of a line. While the seats are unknown, read only the lines of a result."""
        head = words[0]
        if head.lower() == "result":
            self._read_result(line)
            return
        if self.result_rows:
            offset = self.source.word(line, 0)
            raise Malformed("no-result-line", "/result", offset=offset, found=quoted(head))
        if not self.plays:
            return
        # Check for the most frequent lines first: the next trick, and events with a canonical seat.
        if head == self.next_trick:
            self._read_trick(words, line)
        elif head in self.plays:
            self._read_event(words, line)
        elif head[-1] == "." and is_trick(head):
            self._read_trick(words, line)
        elif head == "deal" or head.lower() == "deal":
            self._read_place(words, line)
        elif head.lower() == "sheet":
            self.sheet_rows.append(line)
            self.sheet.append(words[1:])
        else:
            self._read_event(words, line)

    def _read_result(self, line: int) -> None:
        words = self.source.take_apart(self.source.starts[line]).words
        if self.deal or self.events or self.sheet:
            raise Malformed("beside-result", "/result", offset=words[0][1], found=quoted(words[0][0]))
        self.result_rows.append(line)
        # Also add a line with a fault, so that the rest is still read as a result.
        self.result.append(["", "0"])
        if len(words) < 3 or words[2][0][0] != '"':
            number = min(2, len(words) - 1)
            raise Malformed(
                "no-result-name", "/result", offset=words[number][1], found=quoted(words[number][0])
            )
        if len(words) > 3:
            raise Malformed("result-too-long", "/result", offset=words[3][1], found=quoted(words[3][0]))
        try:
            name = json.loads(words[2][0])
        except ValueError:
            found = quoted(words[2][0])
            raise Malformed("no-result-name", "/result", offset=words[2][1], found=found) from None
        self.result[-1] = [name, words[1][0]]

    def _read_place(self, words: list[str], line: int) -> None:
        if self.events:
            if "deal-among-events" in [fault.reason for fault in self.faults.found]:
                return
            raise Malformed("deal-among-events", offset=self.source.word(line, 0))
        if len(words) < 2:
            raise Malformed("deal-without-place", offset=self.source.word(line, 0))
        given = words[1]
        place = given.lower() if given.lower() in ("talon", "stock") else given.upper()
        if place in self.deal:
            offset = self.source.word(line, 1)
            raise Malformed("place-twice", f"/deal/{escape(place)}", offset=offset, place=place)
        self.deal_rows[escape(place)] = line
        self.deal[place] = words[2:]

    def _read_event(self, words: list[str], line: int) -> None:
        if self.short is not None:
            self._note_short(self.short)
        number = len(self.events)
        if words[0] not in self.plays and words[0].upper() not in self.plays:
            self.lose_line()
            found, trick = quoted(words[0]), self.tricks + 1
            if self.sheet:
                raise Malformed("no-sheet-line", "/sheet", offset=self.source.word(line, 0), found=found)
            expected = " ".join(self.turns)
            raise self._fault("no-line", number, line, 0, found=found, expected=expected, trick=trick)
        self.event_rows.append((number, line, 0))
        verb = words[1] if len(words) > 1 else ""
        # In the text form, plays are written only in trick lines, so reject the verb `play`.
        if verb.lower() != "play" and (verb in self.verbs or verb.lower() in verbs()):
            self.events.append(words)
            return
        self.events.append(())
        if len(words) < 2:
            raise self._fault("no-verb", number, line, 0)
        expected = " ".join(verb_list())
        raise self._fault("unknown-verb", number, line, 1, found=quoted(words[1]), expected=expected)

    def _read_trick(self, words: list[str], line: int) -> None:
        if self.short is not None:
            self._note_short(self.short)
        first = len(self.events)
        lost = words[0] != self.next_trick and self._is_lost(words[0], line)
        self.tricks += 1
        self.next_trick = "" if lost else f"{self.tricks + 1}."
        if len(words) < 3:
            raise self._fault("trick-without-card", first, line, 0, trick=self.tricks)
        plays = self.plays.get(words[1]) or self.plays.get(words[1].upper())
        if plays is None:
            found, expected = quoted(words[1]), " ".join(self.turns)
            raise self._fault("no-leader", first, line, 1, found=found, expected=expected)
        self.event_rows.append((first, line, 2))
        cards = words[2:]
        if len(cards) == len(plays):
            try:
                self.events += list(map(getitem, plays, cards))
                return
            except KeyError:
                pass
        self._read_cards(cards, first, self.turns[words[1].upper()], line)

    def _is_lost(self, given: str, line: int) -> bool:
        """Continue the numbering from an unexpected trick number. Return whether the number is wrong, and add
        a fault if so. After an unreadable line or a wrong number, any number is accepted."""
        number = int(given[:-1])
        wrong = number != self.tricks + 1 and bool(self.next_trick)
        if wrong:
            event, trick = len(self.events), self.tricks + 1
            self.faults.note(self._fault("trick-number", event, line, 0, found=quoted(given), trick=trick))
        self.tricks = number - 1
        return wrong

    def _read_cards(self, cards: list[str], first: int, turn: tuple[str, ...], line: int) -> None:
        """Read a trick line with the wrong number of cards, or with a card in another spelling."""
        size, sound = len(turn), True
        for i, (seat, word) in enumerate(zip(turn, cards, strict=False)):
            if _is_card(word):
                self.events.append([seat, "play", word])
                continue
            sound = False
            self.events.append(())
            self.faults.note(self._fault("no-card", first + i, line, 2 + i, found=quoted(word), size=size))
        # An invalid word may be two cards or half a card, so count the cards only if every word is a card.
        if sound and len(cards) > size:
            found = quoted(cards[size])
            self.faults.note(
                self._fault("trick-too-long", first + size, line, 2 + size, found=found, size=size)
            )
        if sound and len(cards) < size:
            self.short = Malformed("short-trick", offset=self.source.word(line, 0), size=size)

    def _note_short(self, fault: Malformed) -> None:
        """Add the fault of a trick with too few cards, because more moves follow."""
        self.short = None
        self.faults.note(fault)

    def _fault(self, reason: str, event: int, line: int, word: int, **values: Any) -> Malformed:
        """Return a fault in an event, located at a word of a line."""
        offset = self.source.word(line, word)
        return Malformed(reason, f"/events/{event}", event=event, offset=offset, **values)

    def event_offset(self, event: int, word: int) -> int:
        """Return the offset of a word of an event."""
        at = bisect_right(self.event_rows, event, key=itemgetter(0)) - 1
        number, line, first_card = self.event_rows[at]
        # Every card of a trick line is an event, so count from the first card.
        return self.source.word(line, first_card + event - number if first_card else word)

    def sheet_offset(self, number: int, word: int) -> int:
        """Return the offset of a word of a sheet line."""
        words = self.source.take_apart(self.source.starts[self.sheet_rows[number]]).words
        return words[min(1 + word, len(words) - 1)][1]

    def result_offset(self, number: int, part: int | None) -> int:
        """Return the offset of a line of a result, or of its name (0) or points (1)."""
        return self.source.word(self.result_rows[number], 0 if part is None else 2 - part)

    def sheet_fault(self, *, beside: bool) -> int:
        """Return the number of the line to report for a fault of the whole sheet: its first line or, with
        `beside`, the first line that makes the record have both a sheet and moves."""
        others = (*self.deal_rows.values(), *(row[1] for row in self.event_rows))
        return max(self.sheet_rows[0], min(others)) if beside and others else self.sheet_rows[0]

    def deal_offset(self, place: str, card: int | None) -> int:
        """Return the offset of a place of the deal, or of one of its cards. If the text lacks the place,
        return the offset of the first move or, without moves, 0."""
        if place in self.deal_rows:
            return self.source.word(self.deal_rows[place], 1 if card is None else 2 + card)
        lines = (*self.deal_rows.values(), *(row[1] for row in self.event_rows))
        return self.source.word(lines[0], 0) if lines else 0


def is_trick(head: str) -> bool:
    """Return whether the first word of a line is a trick number."""
    return _NUMBER.fullmatch(head) is not None


def _is_card(word: str) -> bool:
    found = PLAYED.fullmatch(word)
    return found is not None and (parse_card(found[1]) is not None or looks_like_card(found[1]))
