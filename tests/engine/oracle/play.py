"""The tricks of a deal as the plain reading has them, common to all games."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.engine.builder import BLACK, RED

KINGS = ["SK", "HK", "DK", "CK"]
FIVES = [*KINGS, "T0", "T21", "T1"]
CANON = (
    [s + r for s in "SHDC" for r in (BLACK if s in "SC" else RED)]
    + ["T0"]
    + [f"T{n}" for n in range(21, 0, -1)]
)

Line = tuple[str, dict[str, int]]


def worth(card: str) -> int:
    """The value of a card, blanks 1."""
    if card in FIVES:
        return 5
    return {"Q": 4, "C": 3, "J": 2}.get(card[1:], 1) if card[0] != "T" else 1


def threes(cards: list[str]) -> int:
    """Counting in threes: v − 2·(n ÷ 3), less 1 for one or two left over."""
    n = len(cards)
    return sum(map(worth, cards)) - 2 * (n // 3) - (1 if n % 3 else 0)


def height(card: str) -> int:
    """The higher, the stronger, within tarocks (Fool on top) or within a suit."""
    if card[0] == "T":
        return 22 if card == "T0" else int(card[1:])
    return -(BLACK if card[0] in "SC" else RED).index(card[1:])


def best_of(plays: list[tuple[str, str]], led: str) -> tuple[str, str]:
    """Seat and card that win: the highest tarock, else the highest of the suit led."""
    tarocks = [p for p in plays if p[1][0] == "T"]
    pool = tarocks or [p for p in plays if p[1][0] == led]
    return max(pool, key=lambda p: height(p[1]))


def of_suit(hand: list[str], suit: str) -> list[str]:
    return [c for c in hand if c[0] == suit]


def follow(hand: list[str], led: str | None) -> list[str]:
    """Follow suit, else a tarock, else any card."""
    if led is None:
        return list(hand)
    return of_suit(hand, led) or of_suit(hand, "T") or list(hand)


@dataclass
class Told:
    """The oracle's answer on a deal: the legal cards at each play, by event number; and, for a complete deal,
    the lines that move points, the score, the tricks won, the seats' tricks."""

    legal: dict[int, set[str]] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    score: dict[str, int] = field(default_factory=dict)
    won: dict[str, int] = field(default_factory=dict)
    taken: dict[str, list[str]] = field(default_factory=dict)
    tricks: list[tuple[list[tuple[str, str]], str]] = field(default_factory=list)


class Play:
    """The tricks of one deal, card by card; games change what may be played and who wins."""

    def __init__(self, form: dict[str, Any]) -> None:
        self.form = form
        self.seats = list(form["players"])
        dealer = form["dealer"]
        self.active = list(self.seats)
        if form["game"] == "grosstarock" and len(self.seats) == 4:
            self.active.remove(self.seats[(self.seats.index(dealer) + 2) % 4])
        self.dealer = dealer
        self.forehand = self.seats[(self.seats.index(dealer) + 1) % len(self.seats)]
        self.hands = {s: list(form["deal"][s]) for s in self.active}
        self.talon = list(form["deal"].get("talon", []))
        self.put: dict[str, list[str]] = {s: [] for s in self.active}
        self.events = [tuple(e) for e in form["events"]]
        self.told = Told(won=dict.fromkeys(self.active, 0), taken={s: [] for s in self.active})
        self.up: dict[str, str] = {}
        self.trick: list[tuple[str, str]] = []

    def after(self, seat: str) -> str:
        return self.active[(self.active.index(seat) + 1) % len(self.active)]

    def before_play(self) -> None:
        """Move the cards of exchanges, and record the announcements."""

    def exchange(self, event: tuple[str, ...], drawn: list[str]) -> None:
        """A seat takes cards into the hand and puts those of its event away."""
        self.hands[event[0]] += drawn
        for card in event[2:]:
            self.hands[event[0]].remove(card)
            self.put[event[0]].append(card)

    def pay_card(self, heap: list[str], creditor: str, owner: str) -> None:
        """The lowest card of a heap, the last of equal ones, goes to the creditor; the Fool comes back."""
        taken = self.told.taken
        least = min(map(worth, heap))
        card = max((c for c in heap if worth(c) == least), key=CANON.index)
        taken[next(s for s in self.active if card in taken[s])].remove(card)
        taken[creditor].append(card)
        taken[creditor].remove("T0")
        taken[owner].append("T0")

    def may_play(self, seat: str) -> list[str]:
        led = self.trick[0][1][0] if self.trick else None
        return follow(self.hands[seat], led)

    def wins(self) -> str:
        return best_of(self.trick, self.trick[0][1][0])[0]

    def played(self, seat: str, card: str, token: str) -> None:
        """After a card was laid."""

    def trick_over(self, winner: str, plays: list[tuple[str, str]]) -> None:
        """After the cards went to the winner."""

    def lines(self) -> list[Line]:
        raise NotImplementedError

    def run(self) -> Told:
        self.before_play()
        for number, event in enumerate(self.events):
            if event[1] == "play":
                self.told.legal[number] = set(self.may_play(event[0]))
                self.put_card(event[0], event[2])
        if self.told.tricks and not any(self.hands.values()):
            self.score()
        return self.told

    def put_card(self, seat: str, token: str) -> None:
        """One card to the trick, and what follows from it."""
        card = token.partition("(")[0]
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        self.played(seat, card, token)
        if len(self.trick) == len(self.active):
            winner = self.wins()
            plays, self.trick = self.trick, []
            self.told.won[winner] += 1
            self.told.taken[winner] += [c for _, c in plays]
            self.told.tricks.append((plays, winner))
            self.trick_over(winner, plays)

    def score(self) -> None:
        rows = [(slug, {s: p for s, p in points.items() if p}) for slug, points in self.lines()]
        self.told.lines = [row for row in rows if row[1]]
        self.told.score = {s: sum(points.get(s, 0) for _, points in self.told.lines) for s in self.seats}

    def each(self, seat: str, amount: int) -> dict[str, int]:
        """`amount` to a seat from each of the others."""
        others = [s for s in self.active if s != seat]
        return {seat: amount * len(others), **dict.fromkeys(others, -amount)}
