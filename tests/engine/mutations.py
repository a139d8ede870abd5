"""The ways in which one thing is spoiled in a legal deal."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from tests.engine.oracle import GAMES as ORACLES
from tests.engine.oracle.play import FIVES, KINGS, Play, of_suit

Form = dict[str, Any]
#: The spoiled deal, the event that is wrong now, and the clauses that may be named.
Spoiled = tuple[Form, int, set[str]]


class Deal:
    """A legal deal, with the hands as they were before each event."""

    def __init__(self, form: Form, rng: random.Random) -> None:
        self.form, self.rng = form, rng
        self.game: str = form["game"]
        self.events: list[list[str]] = form["events"]
        play: Play = ORACLES[self.game](form)
        play.before_play()
        self.oracle = play
        #: Before each play: hands, the legal cards, the trick so far and the dead Bättler's seat.
        self.hands: dict[int, dict[str, list[str]]] = {}
        self.legal: dict[int, set[str]] = {}
        self.trick: dict[int, list[tuple[str, str]]] = {}
        self.dead: dict[int, str] = {}
        for number, event in enumerate(self.events):
            if event[1] == "play":
                self.hands[number] = {seat: list(hand) for seat, hand in play.hands.items()}
                self.legal[number] = set(play.may_play(event[0]))
                self.trick[number] = list(play.trick)
                self.dead[number] = getattr(play, "dead", "")
                play.put_card(event[0], event[2])
        self.plays = sorted(self.legal)

    def changed(self, number: int, event: list[str]) -> Form:
        """The deal with one event another one."""
        return {**self.form, "events": [*self.events[:number], event, *self.events[number + 1 :]]}

    def some(self, numbers: list[int], count: int = 3) -> list[int]:
        return self.rng.sample(numbers, min(count, len(numbers)))


def card_of(event: list[str]) -> str:
    return event[2].partition("(")[0]


def revoke(deal: Deal) -> Iterator[Spoiled]:
    """A card that the seat holds and may not play."""
    numbers = [n for n in deal.plays if set(deal.hands[n][deal.events[n][0]]) - deal.legal[n]]
    for n in deal.some(numbers):
        seat = deal.events[n][0]
        hand = deal.hands[n][seat]
        wrong = deal.rng.choice(sorted(set(hand) - deal.legal[n]))
        yield deal.changed(n, [seat, "play", wrong]), n, {which(deal, n, seat, hand, wrong)}


def which(deal: Deal, n: int, seat: str, hand: list[str], wrong: str) -> str:
    """The clause that a held card breaks: `follow`, or what else forbids a card that the duties allow."""
    play = deal.oracle
    if deal.game == "troggu" and wrong == "T0" and deal.dead[n] == seat:
        return "troggu.bettler-withheld"
    led = deal.trick[n][0][1][0] if deal.trick[n] else None
    if led is None:
        allowed = list(hand)
    else:
        allowed = of_suit(hand, led) or of_suit(hand, "T") or list(hand)
    if deal.game == "taroky" and wrong in allowed:
        return "taroky.varsava-play" if play.varsava else "taroky.hold-pagat"  # type: ignore[attr-defined]
    return f"{deal.game}.follow"


def foreign(deal: Deal) -> Iterator[Spoiled]:
    """A card in another's hand, or in the talon."""
    for n in deal.some(deal.plays):
        seat = deal.events[n][0]
        others = [c for s, hand in deal.hands[n].items() if s != seat for c in hand]
        others += [c for c in deal.form["deal"].get("talon", []) if c not in deal.hands[n][seat]]
        if others:
            yield deal.changed(n, [seat, "play", deal.rng.choice(others)]), n, {"common.not-held"}


def played_before(deal: Deal) -> Iterator[Spoiled]:
    for n in deal.some(deal.plays[1:]):
        earlier = [card_of(deal.events[k]) for k in deal.plays if k < n]
        yield deal.changed(n, [deal.events[n][0], "play", deal.rng.choice(earlier)]), n, {"common.not-held"}


def wrong_seat(deal: Deal) -> Iterator[Spoiled]:
    """The event of another seat; bolé and null wait for nobody's turn."""
    numbers = [n for n, e in enumerate(deal.events) if not {"bole", "null"} & set(e[2:])]
    for n in deal.some(numbers, 4):
        seat, *rest = deal.events[n]
        other = deal.rng.choice([s for s in deal.form["players"] if s != seat])
        yield deal.changed(n, [other, *rest]), n, {"common.turn"}


def wrong_leader(deal: Deal) -> Iterator[Spoiled]:
    """The right cards of a trick, but led by the next seat."""
    for n in deal.some([n for n in deal.plays if not deal.trick[n]]):
        form = deal.changed(n, deal.events[n])
        size = len(deal.oracle.active)
        trick = form["events"][n : n + size]
        if all(e[1] == "play" for e in trick):
            form["events"][n : n + size] = trick[1:] + trick[:1]
            yield form, n, {"common.turn"}


def extra(deal: Deal) -> Iterator[Spoiled]:
    for event in ([deal.rng.choice(list(deal.form["players"])), "pass"], list(deal.events[-1])):
        form = deal.changed(0, deal.events[0])
        form["events"].append(event)
        yield form, len(deal.events), {"common.after-end"}


def unknown_verb(deal: Deal) -> Iterator[Spoiled]:
    """A verb that the phase lacks."""
    rest = "alone" if deal.game == "taroky" else "varsava"
    for n in deal.some([n for n, e in enumerate(deal.events) if not {"bole", "null"} & set(e[2:])]):
        seat, verb = deal.events[n][0], deal.events[n][1]
        wrong = {"play": "take", "discard": "solo", "announce": "bid", "pass": "level"}.get(verb, rest)
        yield deal.changed(n, [seat, wrong]), n, {"common.unexpected"}


def too_many(deal: Deal) -> Iterator[Spoiled]:
    """A word too much, a card too few."""
    for n in deal.some(
        [n for n, e in enumerate(deal.events) if e[1] in ("pass", "take", "solo", "bid", "level")]
    ):
        yield deal.changed(n, [*deal.events[n], "x"]), n, {"common.count"}
    for n in [n for n, e in enumerate(deal.events) if e[1] == "discard"]:
        yield deal.changed(n, deal.events[n][:-1]), n, {"common.count"}
        yield deal.changed(n, [*deal.events[n], deal.events[n][2]]), n, {"common.count"}


def bad_discard(deal: Deal) -> Iterator[Spoiled]:
    """A 5-point card (or a forbidden tarock) is put away instead of one that may go."""
    hands = {seat: list(cards) for seat, cards in deal.form["deal"].items() if len(seat) == 1}
    talon = list(deal.form["deal"].get("talon", []))
    for n, event in enumerate(deal.events):
        if event[1] != "discard":
            continue
        seat, put = event[0], event[2:]
        if deal.events[n - 1][1:] == ["level", "2"]:
            talon = talon[3:] + talon[:3]
        held = hands[seat] + talon[: len(put)]
        talon = talon[len(put) :]
        hands[seat] = [c for c in held if c not in put]
        fives = ["T21", *KINGS] if deal.game == "grosstarock" else FIVES
        wrong = [c for c in fives if c in held and c not in put]
        if wrong and not set(put) & set(KINGS):
            yield deal.changed(n, [seat, "discard", wrong[0], *put[1:]]), n, {f"{deal.game}.discard"}
        if len(put) > 1:
            yield deal.changed(n, [seat, "discard", put[1], *put[1:]]), n, {"common.item"}
        others = [c for s, cards in hands.items() if s != seat for c in cards if c not in held]
        yield deal.changed(n, [seat, "discard", others[0], *put[1:]]), n, {"common.not-held"}


MUTATIONS: list[Callable[[Deal], Iterator[Spoiled]]] = [
    *(revoke, foreign, played_before, wrong_seat, wrong_leader),
    *(extra, unknown_verb, too_many, bad_discard),
]


def spoiled(deal: Deal) -> Iterator[tuple[Callable[..., Any], Form, int, set[str]]]:
    """A deal broken in every way: the mutation, the record, the event, the clauses."""
    for mutation in MUTATIONS:
        for form, number, clauses in mutation(deal):
            yield mutation, form, number, clauses
