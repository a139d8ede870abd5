"""Logs of Grosstarock at Board Game Arena: from the site's notifications to records in the JSON form.

A log is JSON: notifications one a line, in an array, or in packets. Each has a `type` and `args`. Unknown
types are ignored, because the site mixes in its own. The site has other rules of settlement, so a record has
no score.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from tarock.core.cards import CARDS
from tarock.core.findings import Finding

_LOOKED_AT = 100_000
"""Number of characters at the beginning of a text in which a log has one of its notifications."""
_LOG = re.compile(r'"type"\s*:\s*"(?:newDeal|newHand|declare|discarded|playCard|nameSuit)"\s*,')
_SUITS = "HCDST"
_COURTS = {11: "J", 12: "C", 13: "Q", 14: "K"}
_KING, _SKUS, _MOND, _PAGAT = 14, "T0", "T21", "T1"
_TRICKS, _SEATS = 25, 3
_DISCARDS = 3
_ORDER = ("tarocks", "matadors", "kings", "cavallery", "half-cavallery")
"""Declarations in the order of a record."""
_WRONG = (KeyError, ValueError, TypeError, AttributeError, IndexError, OverflowError)
"""Errors raised when a notification contains an unknown value."""
_TALON = "From a log of Board Game Arena, which doesn’t say what the talon was. It’s shown as the discards."


class _Event(NamedTuple):
    """A notification: its position in the log, counted from 1, and its line in the text, counted from 1."""

    number: int
    line: int
    table: str
    time: Any
    type: str
    args: Any

    @property
    def finding(self) -> Finding:
        return self.fault("log-event", event=self.number, found=self.type[:60])

    def fault(self, reason: str, **values: Any) -> Finding:
        return Finding(reason, values, line=self.line, column=1, pointer="")


class _Fault(Exception):
    """Error for a deal that can't be written down. `finding`: why, and the line of the log."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.reason)
        self.finding = finding


class _Table:
    """A table of the site: names by player, the names in the order of a table of results, and the deals."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.listed: list[str] = []
        self.deals: list[list[_Event]] = []

    def add(self, event: _Event) -> None:
        """Add a notification to the last deal, and note the names in it."""
        args = event.args if isinstance(event.args, dict) else {}
        for key in ("player_id", "playerId", "dealer_id"):
            if name := args.get("name" if key == "playerId" else "player_name"):
                self.names[str(args.get(key))] = str(name)
        if event.type == "scoreTable":
            listed = re.findall(r'"player_name": "([^"]*)"', json.dumps(args, ensure_ascii=False))
            self.listed = list(dict.fromkeys(listed)) or self.listed
        if event.type == "newDeal":
            self.deals.append([])
        if self.deals:
            self.deals[-1].append(event)


def is_log(text: str) -> bool:
    """Return whether a JSON text is a log, judging by its beginning."""
    return _LOG.search(text, 0, _LOOKED_AT) is not None


def read_log(text: str) -> Iterator[tuple[int, dict[str, Any] | Finding]]:
    """Yield the line and the JSON form of each deal in a log, or why it can't be written down."""
    tables: dict[str, _Table] = {}
    end: Finding | None = None
    try:
        for event in _events(text):
            tables.setdefault(event.table, _Table()).add(event)
    except _Fault as fault:
        end = fault.finding
    for table in tables.values():
        for events in table.deals:
            try:
                yield events[0].line, _Deal(events, table).form()
            except _Fault as fault:
                yield fault.finding.line or 1, fault.finding
    if end or not any(table.deals for table in tables.values()):
        end = end or Finding("log-without-deals", line=1, column=1, pointer="")
        yield end.line or 1, end


def _events(text: str) -> Iterator[_Event]:
    """Yield the notifications of a log. Private ones have no table, and belong to that of the one before."""
    decode, blanks = json.JSONDecoder().raw_decode, re.compile(r"[\s,\x1a\ufeff]*")
    at, line, number, table = 0, 1, 0, ""
    while (start := blanks.match(text, at).end()) < len(text):  # type: ignore[union-attr]
        line += text.count("\n", at, start)
        try:
            value, at = decode(text, start)
        except (ValueError, RecursionError):
            raise _Fault(Finding("no-json", line=line, column=1, pointer="")) from None
        waiting = [(value, None)]
        while waiting:
            value, time = waiting.pop()
            if isinstance(value, dict):
                channel = str(value.get("channel", ""))
                table = channel.removeprefix("/table/t") if channel.startswith("/table/") else table
                table, time = str(value.get("table") or table), value.get("time", time)
                if isinstance(value.get("type"), str) and "args" in value:
                    number += 1
                    yield _Event(number, line, table, time, value["type"], value["args"])
                    continue
                value = list(value.values())
            if isinstance(value, list):
                waiting += [(one, time) for one in reversed(value)]
        line += text.count("\n", start, at)


class _Deal:
    """A deal, as its notifications tell it. `plays`: player, card, and the suit that a leading Sküs names."""

    def __init__(self, events: list[_Event], table: _Table) -> None:
        self.first, self.table = events[0], table
        self.cards: dict[int, str] = {}
        self.hands: dict[int, set[str]] = {}
        self.discards: list[int] = []
        self.melds: dict[int, tuple[_Event, list[Any]]] = {}
        self.plays: list[list[Any]] = []
        for event in events:
            try:
                self._read(event)
            except _WRONG:
                raise _Fault(event.finding) from None

    def _read(self, event: _Event) -> None:
        args = event.args
        if event.type == "newDeal":
            self.dealer, self.inactive = int(args["dealer_id"]), int(args.get("inactive_id") or 0)
            self.number = int(args["current_hand"])
        elif event.type == "newHand":
            for card in args["cards"].values():
                self.hands.setdefault(int(card["location_arg"]), set()).add(self._card(card))
        elif event.type == "discarded":
            self.discards = [int(card) for card in args["cards"]]
        elif event.type == "declare":
            self.melds.setdefault(int(args["player_id"]), (event, list(args["declarations"])))
        elif event.type == "playCard":
            self.plays.append([int(args["player_id"]), self._card(args["card"]), ""])
        elif event.type == "nameSuit":
            self.plays[-1][2] = _SUITS[_one_of(args["display_suit"], range(1, 6)) - 1]
        elif event.type == "returnToHand" and args.get("card"):
            returned = [int(args["player"]), self._card(args["card"])]
            if self.plays.pop()[:2] != returned:
                raise ValueError(returned)

    def _card(self, card: dict[str, Any]) -> str:
        """Return the code of a card, and note its number. Red pips are numbered by strength."""
        suit = _SUITS[_one_of(card["type"], range(1, 6)) - 1]
        value = _one_of(card["type_arg"], range(1, 23 if suit == "T" else 15))
        if suit == "T":
            code = f"T{value % 22}"
        else:
            pip = 11 - value if suit in "HD" else value
            code = suit + _COURTS.get(value, str(pip))
        self.cards[int(card["id"])] = code
        return code

    def form(self) -> dict[str, Any]:
        """Return the JSON form of the deal."""
        active = list(self.melds)
        if len(active) == 2 and len({play[0] for play in self.plays}) == 2:
            raise _Fault(self.first.fault("log-of-two"))
        if len(active) != _SEATS or active[0] != self.dealer:
            raise _Fault(self.first.fault("log-incomplete", found=len(self.plays)))
        order = [*active[:2], self.inactive, *active[2:]] if self.inactive else active
        seats, players = self._seats(order)
        hands, talon = self._hands(active)
        comments = {"0": [_TALON]}
        events: list[list[str]] = [[seats[self.dealer], "discard", *talon]]
        for player, (event, melds) in self.melds.items():
            try:
                items, notes = _items(melds, set(hands[player]))
            except _WRONG:
                raise _Fault(event.finding) from None
            events.append([seats[player], "announce", *items] if items else [seats[player], "pass"])
            if notes:
                comments[str(len(events))] = notes
        for at, (player, card, suit) in enumerate(self.plays):
            is_led = at % _SEATS == 0
            if card == _SKUS and is_led and not suit and at + 1 < len(self.plays):
                suit = self.plays[at + 1][1][0]  # nothing is named in the last trick
            events.append([seats[player], "play", f"{card}({suit})" if suit and is_led else card])
        tags = {"Site": "Board Game Arena", "Deal": str(self.number)}
        if self.first.table:
            tags["Session"] = f"Board Game Arena {self.first.table}"
        if day := _day(self.first.time):
            tags["Date"] = day
        return {
            "tgn": 1,
            "game": "grosstarock",
            "dealer": seats[self.dealer],
            "players": players,
            "options": [],
            "tags": tags,
            "deal": {seat: hands[player] for player, seat in seats.items() if player in hands}
            | {"talon": talon},
            "events": events,
            "comments": comments,
        }

    def _seats(self, order: list[int]) -> tuple[dict[int, str], dict[str, str]]:
        """Return the seat of each player, and the names by seat. A table of results lists the players from A
        on; without one, A is the player with the lowest number."""
        names, listed = self.table.names, self.table.listed
        known = [names.get(str(player), "?") for player in order]
        first = known.index(listed[0]) if listed and listed[0] in known else order.index(min(order))
        seats = dict(zip(order[first:] + order[:first], "ABCD", strict=False))
        unnamed = [name for name in listed if name not in known] or ["?"]
        return seats, {seat: names.get(str(player), unnamed[0]) for player, seat in seats.items()}

    def _hands(self, active: list[int]) -> tuple[dict[int, list[str]], list[str]]:
        """Return the hands after the discard, and the discards. A finished deal has them in its plays; of any
        other, all hands and the discards must be in the log."""
        played: dict[int, list[str]] = {player: [] for player in active}
        for player, card, _suit in self.plays:
            played.setdefault(player, []).append(card)
        told = {self.cards.get(card, "") for card in self.discards}
        if len(self.plays) == _TRICKS * _SEATS:
            cards = {card for hand in played.values() for card in hand}
            talon = [card for card in CARDS if card not in cards]
            hands = played
        else:
            hands = {player: sorted(self.hands.get(player, set()) - told) for player in active}
            talon = sorted(told)
        wrong = any(len(hands[player]) != _TRICKS for player in active) or len(hands) != _SEATS
        differs = any(not set(hands.get(player, ())) | told >= hand for player, hand in self.hands.items())
        if wrong or len(talon) != _DISCARDS or (told and (set(talon) != told or differs)):
            raise _Fault(self.first.fault("log-incomplete", found=len(self.plays)))
        return hands, talon


def _items(melds: list[dict[str, Any]], hand: set[str]) -> tuple[list[str], list[str]]:
    """Return the declarations as a record writes them, and the others as comments. Matadors and Kings are
    counted in the hand, because the site counts other cards."""
    items, notes = [], []
    for meld in melds:
        name, number = str(meld["bonus_name"]), meld.get("bonus_arg", "")
        if "Trumps" in name:
            items.append(f"tarocks:{int(number)}")
        elif "Matadors" in name:
            items.append(f"matadors:{_matadors(hand)}")
        elif "Kings" in name:
            items.append(f"kings:{len(hand & {'SK', 'HK', 'DK', 'CK', _SKUS, _MOND, _PAGAT})}")
        elif name.startswith(("Full Cavalry", "Abundant Cavalry")):
            items.append(f"cavallery:{_SUITS[_one_of(number, range(1, 5)) - 1]}")
        elif name.startswith("Half Cavalry"):
            suit = _SUITS[_one_of(number, range(1, 5)) - 1]
            if int(meld["bonus_arg2"]) == _KING:
                notes.append(f"Declared a half cavallery without the King: {suit}.")
            else:
                items.append(f"half-cavallery:{suit}")
        elif name.startswith("discarded"):
            shown = f"{number}, {meld['bonus_arg2']}"
            notes.append(f"Showed a card of a declaration that had to be discarded: {shown}.")
        else:
            raise ValueError(name)
    return sorted(items, key=lambda item: _ORDER.index(item.partition(":")[0])), notes


def _matadors(hand: set[str]) -> int:
    """Return the number of matadors: the Sküs, and the runs from the Mond down and from the Pagat up."""
    run: set[int] = set()
    for numbers in (range(21, 0, -1), range(1, 22)):
        for number in numbers:
            if f"T{number}" not in hand:
                break
            run.add(number)
    return 1 + len(run)


def _one_of(value: Any, numbers: range) -> int:
    """Return a number, which the site writes as such or as text. Raise ValueError if it is another one."""
    if int(value) not in numbers:
        raise ValueError(value)
    return int(value)


def _day(time: Any) -> str:
    """Return the date of a packet's time, in seconds since 1970; empty if there is none."""
    try:
        return datetime.fromtimestamp(int(time), UTC).date().isoformat()
    except (ValueError, TypeError, OverflowError, OSError):
        return ""
