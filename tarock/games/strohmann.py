"""Strohmanntarock: two players, 54 cards, three face-down piles of four each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tarock.cards import BIT, CARDS, INDEX, KINGS, TAROCKS
from tarock.games.info import INFO
from tarock.games.table import Illegal, Table, Trick
from tarock.record import Event, Record
from tarock.scoring import Counting, Note, ScoreLine, counting, in_threes

#: The bonus of each of the last three tricks, counted from the end: the tarock it must hold, and the clause.
_LAST_TRICKS = (("T1", "strohmann.pagat-ultimo"), ("T2", "strohmann.uhu"), ("T3", "strohmann.kakadu"))
_CALLS = {"T17(ros)": INDEX["T17"], "T18(topschin)": INDEX["T18"]}
_OPENED = KINGS | TAROCKS


class Strohmann(Table):
    """A deal of Strohmanntarock. `hands` includes the face-up tops of the piles (`strohmann.pile-card`)."""

    info = INFO["strohmann"]
    __slots__ = ("piles", "tops")

    def __init__(self, record: Record) -> None:
        self.piles = {s: [list(record.in_order(f"{s}/{p}")) for p in (1, 2, 3)] for s in record.active}
        self.tops = dict.fromkeys(record.active, 0)
        super().__init__(record)

    def begin(self) -> None:
        self.enter("bidding", self.forehand)

    def bid(self, event: Event) -> None:
        """`take` or `pass` (`strohmann.bid`)."""
        self.arguments(event, 0, 0)
        if event[1] == "take":
            self.declarer = event[0]
        elif event[0] == self.forehand:
            self.turn = self.dealer
            return
        for seat in self.active:
            for pile in self.piles[seat]:
                self._open(seat, pile)
        self.enter("play", self.forehand)

    def _open(self, seat: str, pile: list[str]) -> None:
        """Turns up the top of a pile; a King or tarock goes into the hand and the next is turned up
        (`strohmann.reveal`)."""
        while pile:
            bit = BIT[pile[0]]
            self.hands[seat] |= bit
            if not bit & _OPENED:
                self.tops[seat] |= bit
                return
            del pile[0]

    def qualified(self, token: str) -> tuple[int, int]:
        """`T17(ros)` and `T18(topschin)`; either call on another card is `strohmann.call-misplaced`."""
        code, _, call = token.partition("(")
        if call not in ("ros)", "topschin)"):
            raise Illegal("common.item", f"{token}: the calls are (ros) and (topschin)")
        card = INDEX[code]
        if not BIT[code] & self.hands[self.turn or ""]:
            raise Illegal("common.not-held", f"{self.turn} does not hold {code}")
        if token not in _CALLS:
            raise Illegal("strohmann.call-misplaced", f"“{call[:-1]}” is not called with {code}")
        return card, BIT[code]

    def lay(self, seat: str, card: int, bit: int, token: str) -> None:
        if bit & self.tops[seat]:
            # The next card is turned up at once, before the other player's card (strohmann.pile-card).
            self.tops[seat] ^= bit
            for pile in self.piles[seat]:
                if pile and pile[0] == CARDS[card]:
                    del pile[0]
                    super().lay(seat, card, bit, token)
                    self._open(seat, pile)
                    return
        super().lay(seat, card, bit, token)

    def tokens(self, card: int) -> list[str]:
        code = CARDS[card]
        return [code, *(t for t, c in _CALLS.items() if c == card)]

    def phase_events(self) -> Iterator[Event]:
        if self.phase == "bidding" and self.turn:
            yield (self.turn, "take")
            yield (self.turn, "pass")

    def piles_shown(self) -> dict[str, tuple[list[str], bool]]:
        return {
            f"{seat}/{p + 1}": (pile, bool(pile) and bool(BIT[pile[0]] & self.tops[seat]))
            for seat in self.active
            for p, pile in enumerate(self.piles[seat])
        }

    def contract_words(self) -> dict[str, Any]:
        contract = None if self.phase == "bidding" else self._contract()
        return super().contract_words() | {"contract": contract}

    def _contract(self) -> str:
        """Whether somebody has undertaken to win; settled once the bidding is over."""
        return "take" if self.declarer else "undeclared"

    def points_of(self, seat: str) -> int:
        return in_threes(self.taken[seat])

    def countings(self) -> list[Counting]:
        return [counting(s, s, [("tricks", s, self.taken[s])], "threes") for s in self.active]

    def settle(self) -> list[ScoreLine]:
        lines = [self._game()]
        for back, (code, clause) in enumerate(_LAST_TRICKS):
            trick = self.tricks[-1 - back]
            if trick.set & BIT[code]:
                line = ScoreLine(
                    clause,
                    {trick.winner: 1},
                    {"trick": trick.number, "card": code},
                    f"{code} in trick {trick.number}, won by {trick.winner}: 1",
                    (trick.event, trick.event + 1),
                )
                lines.append(line)
        lines += self._rostopschin()
        return lines

    def _game(self) -> ScoreLine:
        """`strohmann.valat`, `strohmann.game` or `strohmann.game-undeclared`."""
        points = {s: self.points_of(s) for s in self.active}
        for seat, won in self.won.items():
            if won == 27:
                return ScoreLine("strohmann.valat", {seat: 12}, {"tricks": 27}, "all 27 tricks: 12")
        quantity: dict[str, Any] = {"card_points": points}
        if self.declarer is None:
            for seat, count in points.items():
                if count >= 36:
                    words = f"{count} card points, 36 or more without a declarer: 2"
                    return ScoreLine("strohmann.game-undeclared", {seat: 2}, quantity, words)
            return ScoreLine(
                "strohmann.game-undeclared", {}, quantity, "35 to 35 without a declarer: nothing"
            )
        declarer, opponent = self.declarer, self.next[self.declarer]
        count = points[declarer]
        band, winner, score = (
            ("45 or more", declarer, 4)
            if count >= 45
            else ("36 to 44", declarer, 3)
            if count >= 36
            else ("27 to 35", opponent, 4)
            if count >= 27
            else ("26 or fewer", opponent, 5)
        )
        words = f"the declarer has {count} card points, {band}: {score} to {winner}"
        return ScoreLine(
            "strohmann.game", {winner: score}, quantity | {"declarer": declarer, "band": band}, words
        )

    def _rostopschin(self) -> Iterator[ScoreLine]:
        """`strohmann.rostopschin`: T17 called and won, and T18 called and won in the very next trick."""
        for first, second in zip(self.tricks, self.tricks[1:], strict=False):
            called = ((first, "T17(ros)"), (second, "T18(topschin)"))
            if first.winner == second.winner and all(self._won_with(t, c) for t, c in called):
                events = tuple(t.event + t.cards.index(c) for t, c in called)
                words = f"T17 and T18 called and won in tricks {first.number} and {second.number}: 1"
                quantity = {"tricks": [first.number, second.number]}
                yield ScoreLine("strohmann.rostopschin", {first.winner: 1}, quantity, words, events)

    @staticmethod
    def _won_with(trick: Trick, token: str) -> bool:
        return token in trick.cards and trick.seats[trick.cards.index(token)] == trick.winner

    def missed(self) -> list[Note]:
        notes = [
            n
            for back, (code, clause) in enumerate(_LAST_TRICKS)
            for n in self.one_off(code, 27 - back, clause)
        ]
        scored = {e for line in self._rostopschin() for e in line.events}
        for token in _CALLS:
            found = self.trick_with(token)
            if found is not None and found[2] not in scored:
                trick, seat, event = found
                values = {"seat": seat, "card": token, "trick": trick.number}
                notes.append(Note("strohmann.rostopschin", "call-in-vain", values, (event,)))
        for seat, won in self.won.items():
            if won == 26:
                notes.append(
                    Note("strohmann.valat", "tricks-near", {"side": seat, "tricks": 26, "wanted": 27})
                )
        if self.declarer and max(self.won.values()) < 27:
            points = self.points_of(self.declarer)
            if points + 1 in (27, 36, 45):
                values = {"side": self.declarer, "points": points, "wanted": points + 1}
                notes.append(Note("strohmann.game", "points-near", values))
        return notes

    def facts(self) -> dict[str, Any]:
        points = {s: self.points_of(s) for s in self.active}
        winner = next((s for s, c in points.items() if c >= 36), None)
        return {
            "declarer": self.declarer,
            "partner": None,
            "contract": self._contract(),
            "result": "drawn"
            if winner is None and self.declarer is None
            else ("won" if winner == self.declarer else "lost")
            if self.declarer
            else "won",
            "card_points": points,
            "tricks": dict(self.won),
            "announcements": [],
        }

    PHASES = {"bidding": {"take": bid, "pass": bid}, "play": {"play": Table.play}}
