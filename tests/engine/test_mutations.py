"""One thing is spoiled in a legal deal; it is found at its event, under the right clause.

Which event and which clause it must be is worked out here, from the plain reading of the rules (`oracle`).
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest

from tarock import sentences
from tarock.cards import BIT
from tarock.notation import read_one, write_json
from tarock.position import Move
from tarock.replay import outline, unjudged
from tarock.verify import Check, check
from tests.engine.driver import DEALS, TABLE_IDS, TABLES, deals
from tests.engine.oracle import FIVES, KINGS, Play, of_suit
from tests.engine.oracle import GAMES as ORACLES

NTH = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
ALL = pytest.mark.parametrize(("game", "players"), TABLES, ids=TABLE_IDS)

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
    """A card that lies in a trick already."""
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
    """Something after the end."""
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
    """A valat beside a valat."""
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
    """A dead Bättler is played before the last trick."""
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
    (revoke, set()),
    (foreign, set()),
    (played_before, set()),
    (wrong_seat, set()),
    (wrong_leader, set()),
    (extra, set()),
    (unknown_verb, set()),
    (too_many, set()),
    (bad_discard, {"taroky", "troggu", "grosstarock"}),
    (false_item, {"taroky", "grosstarock"}),
    (second_valat, {"taroky"}),
    (pagat_early, {"taroky"}),
    (dead_bettler, {"troggu"}),
    (skus, {"grosstarock"}),
    (late_word, {"grosstarock"}),
    (bidding, {"taroky", "troggu"}),
]


def illegal(form: Form, number: int, clauses: set[str]) -> Check:
    """The event of that number is illegal by one of the clauses."""
    found = check(read_one(json.dumps(form)))
    assert (found.verdict, found.error.event) == ("illegal", number), (found.error, form)
    assert found.error.clause in clauses, (clauses, found.error, form)
    assert found.error.seat == form["events"][number][0]
    return found


def spoiled(deal: Deal) -> Iterator[tuple[Callable[..., Any], Form, int, set[str]]]:
    """A deal broken in every way that its game knows: the mutation, the record, the event, the clauses."""
    for mutation, only in MUTATIONS:
        if not only or deal.game in only:
            for form, number, clauses in mutation(deal):
                yield mutation, form, number, clauses


@ALL
def test_what_is_spoiled_is_found(game: str, players: int) -> None:
    rng = random.Random(f"{game} {players} mutations")
    tried: Counter[str] = Counter()
    for record in deals(game, players, max(30, DEALS // 20)):
        deal = Deal(write_json(record), rng)
        for mutation, form, number, clauses in spoiled(deal):
            if form["events"] == deal.events:
                continue
            tried[mutation.__name__] += 1
            found = illegal(form, number, clauses)
            if mutation in (revoke, foreign, played_before):
                cards = {w.partition("(")[0] for w in found.error.legal or () if " " not in w}
                assert cards == deal.legal[number], (mutation.__name__, found.error, form)
    expected = {m.__name__ for m, only in MUTATIONS if not only or game in only}
    rare = {"second_valat", "pagat_early", "dead_bettler"}
    assert expected - rare <= set(tried), f"never tried: {expected - set(tried)}"


def test_the_rare_ones_are_tried_too() -> None:
    """Over all deals of a game each of the rare faults comes up and is found."""
    rng = random.Random("rare")
    tried: Counter[str] = Counter()
    for game, players, mutation in (
        ("taroky", 4, second_valat),
        ("taroky", 4, pagat_early),
        ("troggu", 3, dead_bettler),
        ("troggu", 4, dead_bettler),
    ):
        for record in deals(game, players, 120):
            for form, number, clauses in mutation(Deal(write_json(record), rng)):
                illegal(form, number, clauses)
                tried[mutation.__name__] += 1
    assert min(tried[m.__name__] for m in (second_valat, pagat_early, dead_bettler)) >= 5


@ALL
def test_what_follows_a_fault_is_shown(game: str, players: int) -> None:
    """As the record has it, whatever nonsense that is: of a spoiled deal, and of one in disorder."""
    rng = random.Random(f"{game} {players} unjudged")
    for record in deals(game, players, 2):
        deal = Deal(write_json(record), rng)
        for mutation, only in MUTATIONS:
            if not only or game in only:
                for form, number, _ in islice(mutation(deal), 1):
                    if form["events"] != deal.events:
                        follows(form, number)
        mixed = rng.sample(deal.events, len(deal.events))
        more = rng.choices(deal.events, k=20)
        for events in (mixed, deal.events + more, [[rng.choice(record.seats), *e[1:]] for e in mixed]):
            follows({**deal.form, "events": events, "comments": {}}, None)
        assert not list(unjudged(record))


def follows(form: Form, number: int | None) -> None:
    """There is a position and a row for each event from the illegal one on, and each card lies where it was
    played to."""
    record = read_one(json.dumps(form))
    error = check(record).error
    assert error.event == number or number is None
    first, size = error.event, len(record.active)
    states, rows = zip(*unjudged(record), strict=True)
    assert len(outline(record)) == first
    json.dumps([states[0].as_json(), *(row.as_json() for row in rows)])
    assert len(states) == len(rows) == len(record.events) - first
    for n, (state, row) in enumerate(zip(states, rows, strict=True), first):
        assert not state.judged
        assert not row.judged
        assert (state.step, state.steps, state.error) == (n + 1, len(record.events), error)
        assert (row.event, row.seat, row.verb, *row.args) == (n, *record.events[n])
        assert state.last == Move(row.event, row.seat, row.verb, row.args, row.words)
        for heap in (*state.hands.values(), *state.piles.values()):
            assert len(heap.cards) == len(set(heap.cards)) == heap.count
        cards = [word.partition("(")[0] for word in row.args] if row.verb == "play" else []
        if row.verb != "play":
            assert (state.said[-1].event, row.trick) == (n, None)
        elif all(card in BIT for card in cards):
            trick = state.trick
            assert (trick.number, trick.winning) == (row.trick, None)
            assert 0 < len(trick.plays) <= size
            assert [(play.seat, play.card) for play in trick.plays][-1] == (row.seat, cards[-1])
            assert not {*cards} & {card for hand in state.hands.values() for card in hand.cards}
        if all(
            len(event) == 3 and event[2].partition("(")[0] in BIT
            for event in record.events
            if event[1] == "play"
        ):
            place = sentences.place(record, n)
            assert row.trick is None or place == f"trick {row.trick}, {NTH[len(state.trick.plays) - 1]} card"


@ALL
def test_what_is_missing_makes_it_incomplete(game: str, players: int) -> None:
    rng = random.Random(f"{game} {players} missing")
    for record in deals(game, players, 20):
        form = write_json(record)
        for cut in {len(form["events"]) - 1, rng.randrange(len(form["events"])), 0}:
            short = dict(form, events=form["events"][:cut], comments={})
            found = check(read_one(json.dumps(short)))
            assert found.verdict == "incomplete"
            assert (found.error.event, found.error.clause) == (cut, None)
            expected = form["events"][cut]
            assert found.error.seat == expected[0] or {"bole", "null"} & set(expected)
            assert found.score is None


@ALL
def test_a_missing_trick_in_the_middle_is_found_no_earlier(game: str, players: int) -> None:
    """Without one trick in the middle the events before it are all right."""
    for record in deals(game, players, 20):
        deal = Deal(write_json(record), random.Random(0))
        if not deal.plays:
            continue
        size = len(deal.oracle.active)
        first = deal.plays[size * (len(deal.plays) // size // 2)]
        form = deal.changed(0, deal.events[0])
        del form["events"][first : first + size]
        found = check(read_one(json.dumps(form)))
        assert found.verdict in ("illegal", "incomplete")
        assert found.error.event >= first
