"""The plain reading of Troggu."""

from __future__ import annotations

from tests.engine.oracle.play import Line, Play, best_of, follow, of_suit, worth


class Troggu(Play):
    def before_play(self) -> None:
        self.tappist = ""
        self.solo = False
        self.called: str | None = None
        for event in self.events:
            if event[1] in ("take", "solo"):
                self.tappist, self.solo = event[0], event[1] == "solo"
        if not self.tappist and len(self.active) >= 7:
            for card in ("T1", "T0"):
                self.tappist = next((s for s in self.active if card in self.hands[s]), self.tappist)
        for event in self.events:
            if event[1] == "discard":
                self.exchange(event, self.talon)
            elif event[1] == "call":
                self.called = event[2]
        self.dead = ""
        holder = [s for s in self.active if self.called in self.hands[s]]
        self.partner = holder[0] if holder and holder[0] != self.tappist else ""

    def led(self) -> str | None:
        """The suit led; a dead Bättler that is led leaves it to the next card."""
        for seat, card in self.trick:
            if not (card == "T0" and seat == self.dead):
                return card[0]
        return None

    def bound_to_tarock(self, seat: str) -> bool:
        """Whether a tarock would have to be played, and the Bättler is the only one."""
        hand, led = self.hands[seat], self.led()
        if led is None or of_suit(hand, "T") != ["T0"]:
            return False
        return led == "T" or not of_suit(hand, led)

    def may_play(self, seat: str) -> list[str]:
        hand = self.hands[seat]
        if seat == self.dead and len(hand) > 1:
            return follow([c for c in hand if c != "T0"], self.led())
        if self.bound_to_tarock(seat):
            return list(hand)
        return follow(hand, self.led())

    def played(self, seat: str, card: str, token: str) -> None:
        # As it was before the card was laid: had he to play a tarock, and was the Bättler the only one?
        last = self.trick.pop()
        self.hands[seat].append(card)
        if card != "T0" and self.bound_to_tarock(seat):
            self.dead = seat
        self.hands[seat].remove(card)
        self.trick.append(last)

    def wins(self) -> str:
        plays = [p for p in self.trick if not (p[1] == "T0" and p[0] == self.dead)]
        return best_of(plays, plays[0][1][0])[0]

    def side(self, seat: str) -> list[str]:
        if not self.tappist:
            return [seat]
        own = [s for s in self.active if s in (self.tappist, self.partner)]
        return own if seat in own else [s for s in self.active if s not in own]

    def trick_over(self, winner: str, plays: list[tuple[str, str]]) -> None:
        if not self.dead or (self.dead, "T0") not in plays or winner in self.side(self.dead):
            return
        heap = [c for s in self.side(self.dead) for c in self.told.taken[s]]
        if heap:
            self.pay_card(heap, winner, self.dead)

    def lines(self) -> list[Line]:
        taken, won = self.told.taken, self.told.won
        if not self.tappist:
            count = {s: sum(map(worth, taken[s])) for s in self.active}
            top = [s for s in self.active if count[s] == max(count.values())]
            rest = [s for s in self.active if s not in top]
            paid = {s: -len(rest) for s in top} | {s: len(top) for s in rest}
            return [("troggu.misere", paid if rest else {})]
        own = self.side(self.tappist)
        rest = [s for s in self.active if s not in own]
        mine = [c for s in own for c in taken[s]] + (self.talon if self.solo else self.put[self.tappist])
        count = sum(map(worth, mine))
        slug = "troggu.partner-split" if self.partner else "troggu.solo" if self.solo else "troggu.game"
        if count == 57:
            return [(slug, {})]
        good = count > 57
        losers, lost = (rest, 114 - count) if good else (own, count)
        m = 3 if sum(won[s] for s in losers) == 0 else 2 if lost <= 30 else 1
        m *= 2 if self.solo else 1
        m *= 1 if good else -1
        paid = dict.fromkeys(rest, -m)
        if self.partner:
            paid |= {self.partner: 2 * m, self.tappist: (len(rest) - 2) * m}
        else:
            paid |= {self.tappist: len(rest) * m}
        return [(slug, paid)]
