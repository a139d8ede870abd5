"""Small deals for tests: a few named cards, the rest filled in; then bids and plays, line by line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from tarock.analysis.position import Position
from tarock.analysis.replay import position
from tarock.analysis.verify import Check, check
from tarock.core.cards import indices, names
from tarock.core.findings import Illegal
from tarock.core.record import Event, Record
from tarock.core.table import Table
from tarock.games import start
from tarock.notation import read_one
from tarock.words import sentences

SEATS = "ABCDEFGH"
BLACK = [*"KQCJ", *(str(n) for n in range(10, 0, -1))]
RED = [*"KQCJ", *(str(n) for n in range(1, 11))]
#: Sizes of hand and talon, from the deal clauses: game → players → (hand, talon).
SIZES = {
    "strohmann": {2: (15, 0)},
    "taroky": {4: (12, 6)},
    "troggu": {3: (18, 8), 4: (13, 10), 5: (11, 7), 6: (9, 8), 7: (8, 6), 8: (7, 6)},
    "grosstarock": {2: (25, 3), 3: (25, 3), 4: (25, 3)},
}


def pack_of(game: str) -> list[str]:
    """Every card of the game's pack in canonical order, spelt out from the rules' table of packs."""
    low = {"strohmann": 4, "taroky": 4, "troggu": 6, "grosstarock": 10}[game]
    cards = []
    for suit in "SHDC":
        ranks = BLACK if suit in "SC" else RED
        cards += [suit + r for r in ranks[: 4 + low]]
    return [*cards, "T0", *(f"T{n}" for n in range(21, 0, -1))]


def cards(words: str) -> list[str]:
    """The cards of a line: `SK-S8` is a run of the suit's order, `T12-T9` too, `T0` the Fool."""
    found: list[str] = []
    for word in words.split():
        first, _, last = word.partition("-")
        if not last:
            found.append(first)
            continue
        suit = first[0]
        order = (
            [f"T{n}" for n in range(21, 0, -1)]
            if suit == "T"
            else [suit + r for r in (BLACK if suit in "SC" else RED)]
        )
        found += order[order.index(first) : order.index(last) + 1]
    return found


def places(game: str, players: int, dealer: str) -> dict[str, int]:
    hand, talon = SIZES[game][players]
    seats = list(SEATS[:players])
    if game == "grosstarock" and players == 4:
        seats.remove(SEATS[(SEATS.index(dealer) + 2) % 4])
    found = dict.fromkeys(seats, hand)
    if game == "strohmann":
        found |= {f"{s}/{p}": 4 for s in seats for p in (1, 2, 3)}
    if talon:
        found["talon"] = talon
    return found


def fill(
    game: str, players: int, dealer: str, given: dict[str, str], without: dict[str, str] | None = None
) -> dict[str, list[str]]:
    """Return a whole deal: the given cards, and the rest so that no place gets a card of a suit that it must
    not have.

    `without` maps a place to suit letters, or to single cards (`"H T21"` is no hearts and no Mond); `A+` is
    A's hand with all its piles. The remaining cards are the `stock`, which is none of the deal's places.
    """
    sizes = places(game, players, dealer)
    if stock := len(pack_of(game)) - sum(sizes.values()):
        sizes["stock"] = stock
    deal: dict[str, list[str]] = {where: cards(given.get(where, "")) for where in sizes}
    assert set(given) <= set(sizes), f"no such place: {set(given) - set(sizes)}"
    named = [c for hand in deal.values() for c in hand]
    assert len(named) == len(set(named)), f"named twice: {sorted(c for c in named if named.count(c) > 1)}"
    rest = [c for c in pack_of(game) if c not in named]
    barring = without or {}
    barred = {w: {*barring.get(w, "").split(), *barring.get(f"{w[0]}+", "").split()} for w in sizes}
    free = {where: sizes[where] - len(hand) for where, hand in deal.items()}
    assert all(n >= 0 for n in free.values()), free
    holds: dict[str, list[str]] = {where: [] for where in sizes}

    def fits(card: str, where: str) -> bool:
        return card not in barred[where] and card[0] not in barred[where]

    def put(card: str, seen: set[str]) -> bool:
        for where in sizes:
            if where in seen or not fits(card, where):
                continue
            seen.add(where)
            if len(holds[where]) < free[where]:
                holds[where].append(card)
                return True
            for other in list(holds[where]):
                holds[where].remove(other)
                if put(other, seen):
                    holds[where].append(card)
                    return True
                holds[where].append(other)
        return False

    for card in rest:
        assert put(card, set()), f"{card} fits nowhere"
    return {where: hand + holds[where] for where, hand in deal.items() if where != "stock"}


def choices(table: Table) -> Iterator[Event]:
    """Every legal next event of the seat on turn, one by one (discards can be very many)."""
    seat = table.turn
    if seat is not None and "discard" in table.verbs:
        number, ways = table.discard_choices()
        for fixed, pool in ways:
            for extra in combinations(indices(pool), number - fixed.bit_count()):
                mask = fixed | sum(1 << card for card in extra)
                yield (seat, "discard", *names(mask))
    yield from table.moves()


class Deal:
    """A deal in the making. `say` adds lines of TGN; nothing is checked before `record`, `verdict` or
    `table`."""

    def __init__(
        self,
        game: str,
        given: dict[str, str] | None = None,
        *,
        players: int | None = None,
        dealer: str | None = None,
        without: dict[str, str] | None = None,
        options: Iterable[str] = (),
    ) -> None:
        number = players or {"strohmann": 2, "taroky": 4, "troggu": 4, "grosstarock": 3}[game]
        #: Forehand is A unless said otherwise.
        dealer = dealer or SEATS[number - 1]
        self.seats = list(SEATS[:number])
        self.active = [s for s in places(game, number, dealer) if len(s) == 1]
        self.form: dict[str, Any] = {
            "tgn": 1,
            "game": game,
            "dealer": dealer,
            "players": {s: f"Player {s}" for s in self.seats},
            "options": list(options),
            "tags": {},
            "deal": fill(game, number, dealer, given or {}, without),
            "events": [],
            "comments": {},
        }

    def say(self, *lines: str) -> Deal:
        """Add events: `A bid first`, `BCD pass`, or a trick `A: T1 T2 T3 T4` from its leader on, round the
        active seats."""
        for line in lines:
            for part in line.split("\n"):
                words = part.split()
                if not words:
                    continue
                if words[0].endswith(":"):
                    at = self.active.index(words[0][0])
                    for i, card in enumerate(words[1:]):
                        self.form["events"].append([self.active[(at + i) % len(self.active)], "play", card])
                else:
                    self.form["events"] += [[seat, *words[1:]] for seat in words[0]]
        return self

    def passes(self, seats: str) -> Deal:
        return self.say(f"{seats} pass") if seats else self

    def hand(self, where: str) -> list[str]:
        return list(self.form["deal"][where])

    def also(self, *lines: str) -> Deal:
        twin = object.__new__(Deal)
        twin.seats, twin.active = self.seats, self.active
        twin.form = json.loads(json.dumps(self.form))
        return twin.say(*lines)

    def record(self) -> Record:
        return read_one(json.dumps(self.form))

    def verdict(self) -> Check:
        return check(self.record())

    def table(self) -> Table:
        """Return the table after all events, which must be legal."""
        record = self.record()
        table = start(record)
        for number, event in enumerate(record.events):
            try:
                table.apply(event)
            except Illegal as illegal:
                raise AssertionError(f"event {number} {event}: {illegal.clause}: {illegal}") from illegal
        return table

    def position(self, view: str | None = None) -> Position:
        return position(self.record(), len(self.form["events"]), view)

    def play_out(self, prefer: Iterable[str] = (), *, low: bool = True) -> Deal:
        """Plays the rest card by card: a preferred card as soon as it is legal, else the legal card of the
        least (or, without `low`, of the most) strength. Passes where the turn is to speak."""
        wanted = list(prefer)
        table = self.table()
        while not table.over:
            seat = table.turn
            assert seat is not None
            if table.phase != "play":
                event: tuple[str, ...] = (seat, "pass")
            else:
                legal = [e[2] for e in choices(table) if e[1] == "play"]
                card = next((c for c in wanted if c in legal), None)
                if card is None:
                    order = sorted(legal, key=strength)
                    card = order[0] if low else order[-1]
                event = (seat, "play", card)
            table.apply(event)
            self.form["events"].append(list(event))
        return self


def strength(token: str) -> tuple[int, int]:
    """A rough order of cards by what they win: plain suits before tarocks, the Fool on top."""
    code = token.partition("(")[0]
    if code[0] == "T":
        return 1, 22 if code == "T0" else int(code[1:])
    order = BLACK if code[0] in "SC" else RED
    return 0, -order.index(code[1:])


def points(found: Check, clause: str) -> dict[str, int]:
    """The points of the one line of a clause, entries of 0 left out."""
    lines = [line for line in found.lines if line.clause == clause]
    assert len(lines) == 1, f"{len(lines)} lines of {clause}: {[line.clause for line in found.lines]}"
    return {seat: p for seat, p in sorted(lines[0].points.items()) if p}


def comparable(lines: Iterable[tuple[str, Mapping[str, int]]]) -> list[tuple[str, dict[str, int]]]:
    """Clauses with their points in any order, what moves none and entries of 0 left out."""
    rows = [(clause, {seat: p for seat, p in sorted(points.items()) if p}) for clause, points in lines]
    return sorted((row for row in rows if row[1]), key=str)


def no_line(found: Check, clause: str) -> bool:
    return not any(any(line.points.values()) for line in found.lines if line.clause == clause)


def assert_illegal(
    deal: Deal,
    clause: str,
    *,
    seat: str | None = None,
    event: int | None = None,
    legal: Iterable[str] | None = None,
    includes: Iterable[str] = (),
    excludes: Iterable[str] = (),
) -> Check:
    """The last event (or the one named) is illegal by just that clause; `legal` are all choices, in any
    order."""
    found = deal.verdict()
    number = len(deal.form["events"]) - 1 if event is None else event
    assert found.verdict == "illegal", f"{found.verdict}, expected {clause}"
    message = sentences.message(found.error, found.game or "")
    assert found.error.event == number, f"event {found.error.event} ({message}), expected {number}"
    assert found.error.clause == clause, f"{found.error.clause} ({message}), expected {clause}"
    assert found.error.seat == (seat or deal.form["events"][number][0])
    choices = found.error.legal
    assert choices is not None
    assert len(choices) == len(set(choices))
    if legal is not None:
        assert sorted(choices) == sorted(legal)
    assert set(includes) <= set(choices), f"{set(includes) - set(choices)} not among {choices}"
    assert not set(excludes) & set(choices)
    return found


def assert_legal(deal: Deal) -> Check:
    found = deal.verdict()
    assert found.verdict in ("verified", "disputed", "incomplete"), f"{found.error}"
    return found
