"""The ways in which one thing is spoiled in a legal deal."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from tests.engine.oracle import GAMES as ORACLES
from tests.engine.oracle.play import FIVES, KINGS, Play, of_suit

NTH = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]


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


def false_item(deal: Deal) -> Iterator[Spoiled]:
    """An announcement that is not true, or unknown, or given twice."""
    spoken = [n for n, e in enumerate(deal.events) if e[1] in ("announce", "pass") and announcing(deal, n)]
    for n in deal.some(spoken):
        seat = deal.events[n][0]
        yield deal.changed(n, [seat, "announce", "uhu"]), n, {"common.item"}
        yield deal.changed(n, [seat, "announce"]), n, {"common.count"}
        hand = deal.hands[deal.plays[0]][seat] if deal.plays else []
        if not hand:
            continue
        if deal.game == "taroky":
            tarocks, fives = of_suit(hand, "T"), [c for c in hand if c in FIVES]
            truth = {
                "taroky": len(tarocks) >= 10,
                "tarocky": len(tarocks) in (8, 9),
                "barvy": tarocks in ([], ["T1"]),
                "barvicky": len(tarocks) == 2 or (len(tarocks) == 1 and tarocks != ["T1"]),
                "trul": {"T0", "T21", "T1"} <= set(hand),
                "honery": len(fives) >= 4,
                "kralovske-honery": set(KINGS) <= set(hand),
            }
            clauses = {item: {f"taroky.hand-{item}"} for item in truth}
            first = sum(1 for e in deal.events[4:n] if e[1] in ("announce", "pass")) < 4
            if not first:
                clauses = {item: {"taroky.announce-order"} for item in truth}
        else:
            kings = sum(1 for c in (*KINGS, "T0", "T21", "T1") if c in hand)
            ladons = sum(1 for c in hand if c == "T0" or (c[0] != "T" and c[1:].isdigit()))
            truth = {
                f"kings:{kings}": kings >= 3,
                f"kings:{kings + 1}": False,
                f"ladons:{ladons}": ladons >= 16,
                f"ladons:{ladons + 1}": False,
                "queens": {"SQ", "HQ", "DQ", "CQ"} <= set(hand),
                "cavallery:H": {"HK", "HQ", "HC", "HJ"} <= set(hand),
                f"tarocks:{len(of_suit(hand, 'T')) + 1}": False,
            }
            names = {"queens": "declare-four"}
            clauses = {i: {f"grosstarock.{names.get(i, 'declare-' + i.partition(':')[0])}"} for i in truth}
        for item, true in truth.items():
            if not true:
                yield deal.changed(n, [seat, "announce", item]), n, clauses[item]
        true_items = [item for item, true in truth.items() if true]
        if true_items:
            yield deal.changed(n, [seat, "announce", true_items[0], true_items[0]]), n, {"common.item"}


def announcing(deal: Deal, n: int) -> bool:
    """Whether an event is of the phase of announcements (Taroky) or declarations (Grosstarock)."""
    if deal.game == "taroky":
        return n >= 4 and not any(e[1] == "varsava" for e in deal.events) and n < (deal.plays or [0])[0]
    return deal.game == "grosstarock" and 1 <= n <= 3


def second_valat(deal: Deal) -> Iterator[Spoiled]:
    said = [n for n, e in enumerate(deal.events) if e[1] == "announce" and "valat" in e[2:]]
    if not said:
        return
    spoken = [n for n, e in enumerate(deal.events) if n >= 4 and e[1] in ("announce", "pass")]
    at = spoken.index(said[0]) + 1
    if at < 4:
        n = spoken[at]
        yield deal.changed(n, [deal.events[n][0], "announce", "valat"]), n, {"taroky.announce-valat"}


def pagat_early(deal: Deal) -> Iterator[Spoiled]:
    """The announced T1 is played while another card is legal."""
    by = getattr(deal.oracle, "pagat_by", "")
    for n in deal.plays:
        seat = deal.events[n][0]
        if by and seat == by and "T1" in deal.hands[n][seat] and card_of(deal.events[n]) != "T1":
            led = deal.trick[n][0][1][0] if deal.trick[n] else None
            hand = deal.hands[n][seat]
            follows = led is None or (of_suit(hand, led) or of_suit(hand, "T") or hand)
            if follows is True or "T1" in follows:
                yield deal.changed(n, [seat, "play", "T1"]), n, {"taroky.hold-pagat"}
                return


def dead_bettler(deal: Deal) -> Iterator[Spoiled]:
    numbers = [
        n
        for n in deal.plays
        if deal.dead[n] == deal.events[n][0] and len(deal.hands[n][deal.events[n][0]]) > 1
    ]
    for n in deal.some(numbers):
        yield deal.changed(n, [deal.events[n][0], "play", "T0"]), n, {"troggu.bettler-withheld"}


def skus(deal: Deal) -> Iterator[Spoiled]:
    """The Sküs led without a name, or named when it is not led."""
    for n in deal.plays:
        seat, _, token = deal.events[n]
        if card_of(deal.events[n]) == "T0":
            wrong = "T0" if "(" in token else "T0(H)"
            yield deal.changed(n, [seat, "play", wrong]), n, {"grosstarock.skus-lead"}


def late_word(deal: Deal) -> Iterator[Spoiled]:
    """Bolé in mid-trick, null before the 14th trick, bolé before the 21st; with two players neither is ever
    announced."""
    for n in deal.some([n for n in deal.plays if deal.trick[n]], 1):
        form = deal.changed(0, deal.events[0])
        form["events"].insert(n, [deal.events[n][0], "announce", "bole"])
        yield form, n, {"common.unexpected"}
    for trick, word in ((14, "null"), (21, "bole")):
        active = deal.oracle.active
        n = deal.plays[len(active) * (trick - 1)]
        form = deal.changed(0, deal.events[0])
        seat = deal.rng.choice(active)
        form["events"].insert(n, [seat, "announce", word])
        if len(active) == 2:
            yield form, n, {"common.unexpected" if seat == deal.events[n][0] else "common.turn"}
        else:
            yield form, n, {f"grosstarock.announce-{word}"}


def bidding(deal: Deal) -> Iterator[Spoiled]:
    """A bid that is too low, or said where it may not be."""
    if deal.game == "taroky":
        yield deal.changed(0, [deal.events[0][0], "pass"]), 0, {"taroky.forehand-must-bid"}
        yield deal.changed(0, [deal.events[0][0], "bid", "second"]), 0, {"taroky.forehand-must-bid"}
        yield deal.changed(1, [deal.events[1][0], "bid", "first"]), 1, {"taroky.bid"}
        seat = deal.events[1][0]
        if "T1" not in deal.form["deal"][seat] and deal.events[0][2] == "first":
            yield deal.changed(1, [seat, "bid", "second"]), 1, {"taroky.bid-second"}
    elif deal.game == "troggu":
        taken = [n for n, e in enumerate(deal.events) if e[1] == "take"]
        if taken and taken[0] + 1 < len(deal.form["players"]):
            n = taken[0] + 1
            yield deal.changed(n, [deal.events[n][0], "take"]), n, {"troggu.bid"}


MUTATIONS: list[tuple[Callable[[Deal], Iterator[Spoiled]], set[str]]] = [
    *((one, set()) for one in (revoke, foreign, played_before, wrong_seat, wrong_leader)),
    *((one, set()) for one in (extra, unknown_verb, too_many)),
    (bad_discard, {"taroky", "troggu", "grosstarock"}),
    (false_item, {"taroky", "grosstarock"}),
    *((one, {"taroky"}) for one in (second_valat, pagat_early)),
    (dead_bettler, {"troggu"}),
    *((one, {"grosstarock"}) for one in (skus, late_word)),
    (bidding, {"taroky", "troggu"}),
]


def spoiled(deal: Deal) -> Iterator[tuple[Callable[..., Any], Form, int, set[str]]]:
    """A deal broken in every way that its game knows: the mutation, the record, the event, the clauses."""
    for mutation, only in MUTATIONS:
        if not only or deal.game in only:
            for form, number, clauses in mutation(deal):
                yield mutation, form, number, clauses
