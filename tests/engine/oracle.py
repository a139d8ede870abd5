"""A second, plain reading of the rules of play and settlement, with lists of card codes and no speed in mind.

It says for every card of a play which cards were legal, and scores a finished deal. It was written from the
clauses, without a look at the engine, and shares no code with it. What is said before the play is taken as
right.
"""

from __future__ import annotations

from copy import copy
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
    """What the oracle says of a deal: the legal cards at each play, by event number; and when it was complete
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
        """Moves the cards of exchanges, and notes what was said."""

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

    def turn(self) -> str:
        """Who plays next, once a trick has been begun or won."""
        return self.after(self.trick[-1][0]) if self.trick else self.told.tricks[-1][1]

    def ways(self, card: str) -> list[str]:
        """The tokens by which a card may be played now."""
        return [card]

    def fork(self) -> Play:
        """A copy that may go on in its own way; what was legal before is not in it."""
        twin = copy(self)
        for name in ("hands", "piles"):
            if hasattr(self, name):
                setattr(twin, name, {where: list(cards) for where, cards in getattr(self, name).items()})
        twin.up = dict(self.up)
        twin.trick = list(self.trick)
        taken = {seat: list(cards) for seat, cards in self.told.taken.items()}
        twin.told = Told(won=dict(self.told.won), taken=taken, tricks=list(self.told.tricks))
        return twin

    def score(self) -> None:
        rows = [(slug, {s: p for s, p in points.items() if p}) for slug, points in self.lines()]
        self.told.lines = [row for row in rows if row[1]]
        self.told.score = {s: sum(points.get(s, 0) for _, points in self.told.lines) for s in self.seats}

    def each(self, seat: str, amount: int) -> dict[str, int]:
        """`amount` to a seat from each of the others."""
        others = [s for s in self.active if s != seat]
        return {seat: amount * len(others), **dict.fromkeys(others, -amount)}


class Strohmann(Play):
    def before_play(self) -> None:
        self.piles = {f"{s}/{p}": list(self.form["deal"][f"{s}/{p}"]) for s in "AB" for p in (1, 2, 3)}
        self.declarer = next((e[0] for e in self.events if e[1] == "take"), None)
        for name in self.piles:
            self.turn_up(name)

    def turn_up(self, name: str) -> None:
        pile = self.piles[name]
        while pile:
            card = pile.pop(0)
            self.hands[name[0]].append(card)
            if card[0] != "T" and card[1:] != "K":
                self.up[card] = name
                return

    def played(self, seat: str, card: str, token: str) -> None:
        if card in self.up:
            self.turn_up(self.up.pop(card))

    def ways(self, card: str) -> list[str]:
        return {"T17": ["T17", "T17(ros)"], "T18": ["T18", "T18(topschin)"]}.get(card, [card])

    def lines(self) -> list[Line]:
        count = {s: threes(self.told.taken[s]) for s in "AB"}
        other = {"A": "B", "B": "A"}
        found: list[Line] = []
        swept = [s for s in "AB" if self.told.won[s] == 27]
        if swept:
            found.append(("strohmann.valat", {swept[0]: 12}))
        elif self.declarer:
            d = self.declarer
            if count[d] >= 45:
                found.append(("strohmann.game", {d: 4}))
            elif count[d] >= 36:
                found.append(("strohmann.game", {d: 3}))
            elif count[d] >= 27:
                found.append(("strohmann.game", {other[d]: 4}))
            else:
                found.append(("strohmann.game", {other[d]: 5}))
        else:
            for s in "AB":
                if count[s] >= 36:
                    found.append(("strohmann.game-undeclared", {s: 2}))
        for back, card, slug in ((1, "T1", "pagat-ultimo"), (2, "T2", "uhu"), (3, "T3", "kakadu")):
            plays, winner = self.told.tricks[-back]
            if card in [c for _, c in plays]:
                found.append((f"strohmann.{slug}", {winner: 1}))
        tokens = [e for e in self.events if e[1] == "play"]
        for i in range(26):
            first, second = tokens[2 * i : 2 * i + 2], tokens[2 * i + 2 : 2 * i + 4]
            one = [e[0] for e in first if e[2] == "T17(ros)" and e[0] == self.told.tricks[i][1]]
            two = [e[0] for e in second if e[2] == "T18(topschin)" and e[0] == self.told.tricks[i + 1][1]]
            if one and one == two:
                found.append(("strohmann.rostopschin", {one[0]: 1}))
        return found


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

    def ways(self, card: str) -> list[str]:
        return [f"T0({s})" for s in "SHDCT"] if card == "T0" and not self.trick else [card]

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


GAMES = {"strohmann": Strohmann, "taroky": Taroky, "troggu": Troggu, "grosstarock": Grosstarock}


def tell(form: dict[str, Any]) -> Told:
    """What the oracle says of a record in JSON form whose events are legal."""
    return GAMES[form["game"]](form).run()
