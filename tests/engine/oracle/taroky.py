"""The plain reading of Czech Taroky."""

from __future__ import annotations

from tests.engine.oracle.play import Line, Play, best_of, of_suit, threes


class Taroky(Play):
    def before_play(self) -> None:
        self.contract = self.bidder = ""
        self.level = 1
        self.called: str | None = None
        self.varsava = False
        self.items: list[tuple[str, str]] = []
        self.factor = {"game": 1, "pagat": 1, "valat": 1}
        self.pagat_by = self.valat_by = ""
        first_discard = True
        for event in self.events:
            seat, verb, words = event[0], event[1], event[2:]
            if verb == "bid":
                self.contract, self.bidder = words[0], seat
            elif verb == "varsava":
                self.varsava = True
            elif verb == "call":
                self.called = words[0]
            elif verb == "level":
                self.level = int(words[0])
                if self.level == 2:
                    self.talon = self.talon[3:] + self.talon[:3]
            elif verb == "discard":
                number = len(words) if first_discard else 1
                first_discard = False
                self.exchange(event, self.talon[:number])
                self.talon = self.talon[number:]
            elif verb == "announce":
                for word in words:
                    if word == "pagat":
                        self.pagat_by = seat
                    elif word == "valat":
                        self.valat_by = seat
                    elif ":" in word:
                        kind, stake = word.split(":")
                        self.factor[stake] = {"flek": 2, "re": 4, "sub": 8}[kind]
                    else:
                        self.items.append((seat, word))
        if self.contract == "second":
            self.pagat_by = self.bidder
        self.partner = ""
        if self.called:
            owner = [s for s in self.active if self.called in self.hands[s] + self.put[s]]
            self.partner = owner[0] if owner and owner[0] != self.bidder else ""

    def may_play(self, seat: str) -> list[str]:
        cards = super().may_play(seat)
        if self.varsava:
            if "T1" in cards and of_suit(self.hands[seat], "T") != ["T1"]:
                cards.remove("T1")
            if self.trick:
                led = self.trick[0][1][0]
                better = [c for c in cards if best_of([*self.trick, (seat, c)], led)[1] == c]
                return better or cards
            return cards
        if seat == self.pagat_by and "T1" in cards and len(cards) > 1:
            cards.remove("T1")
        return cards

    def own(self, side: str) -> list[str]:
        mine = [s for s in self.active if s in (self.bidder, self.partner)]
        return mine if side == "bidder" else [s for s in self.active if s not in mine]

    def side(self, seat: str) -> str:
        return "bidder" if seat in self.own("bidder") else "opponents"

    def settle(self, side: str, amount: int) -> dict[str, int]:
        win, lose = self.own(side), self.own("opponents" if side == "bidder" else "bidder")
        if len(win) == len(lose):
            return {s: amount if s in win else -amount for s in self.active}
        lone = 3 * amount
        return {
            s: (lone if len(win) == 1 else amount) if s in win else -(lone if len(lose) == 1 else amount)
            for s in self.active
        }

    def lines(self) -> list[Line]:
        if self.varsava:
            return [self.pay()]
        flip = {"bidder": "opponents", "opponents": "bidder"}
        heap: dict[str, list[str]] = {"bidder": [], "opponents": list(self.talon)}
        for s in self.active:
            heap[self.side(s)] += self.told.taken[s] + self.put[s]
        count = {side: threes(cards) for side, cards in heap.items()}
        assert sum(count.values()) == 70
        found: list[Line] = []
        if count["bidder"] == 35:
            found.append(("taroky.game-tie", self.settle("opponents", self.factor["game"])))
        else:
            side = max(count, key=lambda x: count[x])
            rate = {"first": 1, "second": 1, "troika": self.level, "solo": 6}[self.contract]
            found.append(("taroky.game", self.settle(side, (count[side] - 35) * rate * self.factor["game"])))
        plays, winner = self.told.tricks[-1]
        by = next((s for s, c in plays if c == "T1"), "")
        if self.pagat_by:
            side = self.side(self.pagat_by)
            good = by == winner == self.pagat_by
            line = self.settle(side if good else flip[side], 20 * self.factor["pagat"])
            found.append(("taroky.pagat-announced", line))
        elif by:
            side = self.side(by)
            found.append(("taroky.pagat-ultimo", self.settle(side if by == winner else flip[side], 10)))
        swept = [x for x in flip if sum(self.told.won[s] for s in self.own(x)) == 12]
        if self.valat_by:
            side = self.side(self.valat_by)
            line = self.settle(side if swept == [side] else flip[side], 140 * self.factor["valat"])
            found.append(("taroky.valat-announced", line))
        if swept and not (self.valat_by and swept == [self.side(self.valat_by)]):
            found.append(("taroky.valat", self.settle(swept[0], 70)))
        worths = {"tarocky": 5, "barvicky": 5, "trul": 5, "honery": 5, "taroky": 10, "barvy": 10}
        for seat, item in self.items:
            found.append((f"taroky.hand-{item}", self.settle(self.side(seat), worths.get(item, 10))))
        return found

    def pay(self) -> Line:
        count = {s: threes(self.told.taken[s]) for s in self.active}
        most = max(count.values())
        order = [self.forehand]
        while len(order) < 4:
            order.append(self.after(order[-1]))
        top = [s for s in order if count[s] == most]
        rest = [s for s in order if s not in top]
        unit = 10 if most <= 29 else 20 if most <= 39 else 40
        paid = dict.fromkeys(self.active, 0)
        for s in rest:
            sum_due = unit if self.told.won[s] else 2 * unit
            paid[s] += sum_due
            share = [sum_due // len(top)] * len(top)
            for i in range(sum_due - sum(share)):
                share[i] += 1
            for t, part in zip(top, share, strict=True):
                paid[t] -= part
        return ("taroky.varsava-pay" if len(top) == 1 else "taroky.varsava-tie", paid)
