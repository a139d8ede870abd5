"""The plain reading of Grosstarock."""

from __future__ import annotations

from tests.engine.oracle.play import KINGS, Line, Play, best_of, follow, threes, worth


class Grosstarock(Play):
    def before_play(self) -> None:
        self.declared: list[tuple[str, str]] = []
        self.spoke: list[tuple[str, str, int]] = []
        self.debt: tuple[str, str] | None = None
        plays = 0
        for event in self.events:
            if event[1] == "discard":
                self.exchange(event, self.talon)
            elif event[1] == "announce":
                for word in event[2:]:
                    if word in ("bole", "null"):
                        self.spoke.append((event[0], word, plays // len(self.active) + 1))
                    else:
                        self.declared.append((event[0], word))
            elif event[1] == "play":
                plays += 1
        self.named = ""

    def led(self) -> str | None:
        if not self.trick:
            return None
        if self.trick[0][1] == "T0":
            if self.named:
                return self.named
            return self.trick[1][1][0] if len(self.trick) > 1 else None
        return self.trick[0][1][0]

    def may_play(self, seat: str) -> list[str]:
        hand = [c for c in self.hands[seat] if c != "T0"]
        cards = follow(hand, self.led())
        return cards + (["T0"] if "T0" in self.hands[seat] else [])

    def played(self, seat: str, card: str, token: str) -> None:
        if card == "T0" and len(self.trick) == 1:
            name = token[3]
            others = [c for s in self.active if s != seat for c in self.hands[s]]
            self.named = name if any(c[0] == name for c in others) else ""

    def wins(self) -> str:
        led = self.led()
        assert led
        return best_of([p for p in self.trick if p[1] != "T0"], led)[0]

    def trick_over(self, winner: str, plays: list[tuple[str, str]]) -> None:
        number = len(self.told.tricks)
        if self.debt and self.debt[0] == winner:
            self.pay_card([c for _, c in plays], self.debt[1], winner)
            self.debt = None
        for seat, card in plays:
            if card == "T0" and number <= 22:
                if self.told.taken[seat]:
                    self.pay_card(list(self.told.taken[seat]), winner, seat)
                else:
                    self.debt = (seat, winner)

    def each(self, seat: str, amount: int) -> dict[str, int]:
        """With two players nobody pays: the amount is on the seat's own account."""
        return {seat: amount} if len(self.active) == 2 else super().each(seat, amount)

    def lines(self) -> list[Line]:
        won, taken = self.told.won, self.told.taken
        found: list[Line] = []
        two = len(self.active) == 2
        for seat, item in self.declared:
            name, _, n = item.partition(":")
            start = {
                "tarocks": (10, 10),
                "matadors": (10, 3),
                "skus-matadors": (5, 3),
                "kings": (5, 3),
                "ladons": (15, 16),
            }
            if name in start:
                amount = start[name][0] + 5 * (int(n) - start[name][1])
            else:
                amount = 10 if name == "cavallery" else 5
            slug = "declare-four" if name in ("queens", "cavaliers", "jacks") else f"declare-{name}"
            found.append((f"grosstarock.{slug}", self.each(seat, amount)))
        sweeper = next((s for s in self.active if won[s] == 25), "")
        without = [s for s in self.active if not won[s]]
        null = without[0] if len(without) == 1 and not two else ""
        back = dict.fromkeys(self.active, 0)
        for number, (plays, winner) in enumerate(self.told.tricks, 1):
            special = False
            for seat, card in plays:
                if card == "T1":
                    slug, amount = ("pagat-ultimo", 15) if number == 25 else ("pagat", 5)
                elif card in KINGS:
                    slug, amount = ("king-ultimo", 10) if number == 25 else ("king", 5)
                else:
                    continue
                special = True
                if two and sweeper == seat and number == 25:
                    continue
                points = self.each(seat, amount if seat == winner else -amount)
                found.append((f"grosstarock.{slug}", points))
                if null and seat == null and winner != seat:
                    for s in self.active:
                        back[s] -= points[s]
                elif null and seat == winner:
                    back[null] += amount
                    back[seat] -= amount
            if number == 25 and not special and not (two and sweeper):
                found.append(("grosstarock.last-trick", self.each(winner, 5)))
        if two:
            return found + self.for_two(sweeper, found)
        for item, maker in (("bole", sweeper), ("null", null)):
            said = {s: n for s, i, n in self.spoke if i == item}
            if maker and maker not in said:
                found.append((f"grosstarock.{item}", self.each(maker, 26)))
            for seat, n in said.items():
                if item == "bole":
                    good = bad = 52 if n == 1 else 38 if n <= 13 else 31
                else:
                    good, bad = (36, 10) if n == 1 else (31, 5)
                found.append((f"grosstarock.{item}", self.each(seat, good if seat == maker else -bad)))
        if any(back.values()):
            found.append(("grosstarock.null-refund", back))
        if not sweeper and not null:
            count = {s: threes(taken[s] + self.put[s]) for s in self.active}
            assert sum(count.values()) == 78
            found.append(("grosstarock.card-points", {s: c - 26 for s, c in count.items()}))
        return found

    def for_two(self, sweeper: str, before: list[Line]) -> list[Line]:
        """The tout, the card points by twos, and what is taken off both accounts."""
        found: list[Line] = [("grosstarock.two-tout", {sweeper: 25})] if sweeper else []
        piles = {s: self.told.taken[s] + self.put[s] for s in self.active}
        count = {s: sum(map(worth, cards)) - len(cards) // 2 for s, cards in piles.items()}
        above = sum(worth(c) - 1 for cards in piles.values() for c in cards)
        assert sum(count.values()) == 27 + above
        found.append(("grosstarock.two-count", count))
        account = {s: sum(points.get(s, 0) for _, points in before + found) for s in self.active}
        found.append(("grosstarock.two-score", dict.fromkeys(self.active, -min(account.values()))))
        return found
