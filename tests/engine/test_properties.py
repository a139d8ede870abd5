"""Properties of every deal: `DEALS` of each game and number of players."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from itertools import combinations

from tarock.analysis.replay import position
from tarock.analysis.verify import check
from tarock.core.cards import bits
from tarock.core.findings import Illegal
from tarock.core.record import Event, Record
from tarock.core.table import Table
from tarock.games import game as game_info
from tarock.games import start
from tarock.notation import read_one, write_json
from tests.engine.builder import comparable, pack_of
from tests.engine.driver import ALL, DEALS, accepts, choices, copied, deals, in_play
from tests.engine.oracle import tell
from tests.engine.oracle.play import worth


@ALL
def test_score_and_lines_are_those_of_the_plain_reading(game: str, players: int) -> None:
    info = game_info(game)
    for record in deals(game, players, DEALS):
        form = write_json(record)
        found = check(read_one(json.dumps(form)))
        assert found.verdict == "verified", (found.error, form)
        told = tell(form)
        assert found.score is not None
        if told.tricks:
            lines = [(line.clause, line.points) for line in found.lines]
            assert comparable(lines) == comparable(told.lines), form
            assert found.score == told.score
            assert found.facts["tricks"] == told.won
            for number, legal in told.legal.items():
                assert form["events"][number][2].partition("(")[0] in legal
        assert {s: sum(line.points.get(s, 0) for line in found.lines) for s in record.seats} == found.score
        if info.zero_sum(players):
            assert sum(found.score.values()) == 0
        elif info.difference:
            assert min(found.score.values()) == 0
        counts = found.as_json()["counts"]
        assert sum(c["value"] for c in counts) == total_value(record, bool(told.tricks))
        whole = not (found.facts.get("varsava") or found.facts.get("misere") or info.stock.get(players))
        if told.tricks and len(counts) and whole:
            assert sum(c["points"] for c in counts) == info.points


def total_value(record: Record, played: bool) -> int:
    """Return the sum of the values of all counted cards: the pack, less those that belong to nobody."""
    if not played:
        return 0
    cards = in_play(record)
    spoken = {e[1] for e in record.events}
    if "varsava" in spoken or (record.game == "troggu" and not spoken & {"take", "solo", "discard"}):
        cards = [c for c in cards if c not in record.deal["talon"]]
    return sum(map(worth, cards))


SUM = re.compile(r"((?:[\d(][\d()×−+ ]*)) = ([−-]?\d+)")


@ALL
def test_the_audit_adds_up(game: str, players: int) -> None:
    """The displayed score is correct: countings have the cards of their side, written sums are right, events
    are events, points go from some seats to others."""
    keys = {"declarer", "partner", "contract", "result", "card_points", "tricks", "bonuses", "announcements"}
    for record in deals(game, players, DEALS):
        found = check(record)
        told = tell(write_json(record))
        assert keys - {"card_points"} <= found.facts.keys()
        shown = found.as_json()
        json.dumps(shown)
        for counting in shown["counts"]:
            cards = [card for part in counting["parts"] for card in part["cards"]]
            assert len(cards) == len(set(cards)) == counting["cards"]
            assert sum(map(worth, cards)) == counting["value"]
            by_twos = counting["scheme"] == "twos"
            assert by_twos == (game == "grosstarock" and players == 2)
            less = 2 * counting["threes"] + (1 if counting["rest"] else 0)
            less = counting["pairs"] if by_twos else less if counting["scheme"] == "threes" else 0
            assert counting["points"] == counting["value"] - less
            sets, none = ("pairs", "threes") if by_twos else ("threes", "pairs")
            assert (counting[sets], counting["rest"]) == divmod(len(cards), 2 if by_twos else 3)
            assert counting[none] == 0
            assert counting["points"] == found.facts["card_points"][counting["side"]]
            taken = {
                c
                for part in counting["parts"]
                if part["what"] in ("tricks", "kept", "exchange")
                for c in part["cards"]
            }
            if told.tricks:
                assert taken == {c for seat in counting["seats"] for c in told.taken[seat]}
        for line in shown["lines"]:
            assert line["calculation"]
            for left, right in SUM.findall(line["calculation"]):
                plain = left.replace("×", "*").replace("−", "-")
                if plain.count("(") == plain.count(")"):
                    assert eval(plain) == int(right.replace("−", "-")), line["calculation"]
            assert all(0 <= event < len(record.events) for event in line["events"])
            assert line["to"] == [s for s, p in line["points"].items() if p > 0]
            assert line["from"] == [s for s, p in line["points"].items() if p < 0]


@ALL
def test_every_card_is_somewhere_once_at_every_step(game: str, players: int) -> None:
    rng = random.Random(f"{game} {players} cards")
    for record in deals(game, players, DEALS):
        pack = bits(in_play(record))
        table = start(record)
        for event in [None, *record.events]:
            if event is not None:
                table.apply(event)
            heaps = [*table.hands.values(), *table.taken.values(), *table.discards.values(), table.trick_set]
            closed = [pile[1:] if open_top else pile for pile, open_top in table.visible_piles().values()]
            heaps += [bits(table.talon), *map(bits, closed)]
            together = 0
            for heap in heaps:
                assert not together & heap, (record, table.step)
                together |= heap
            assert together == pack, (record, table.step)
        for step in {0, len(record.events), *rng.sample(range(len(record.events)), 2)}:
            cards_of_position(record, step)


def cards_of_position(record: Record, step: int) -> None:
    at = position(record, step)
    assert at.step == step
    where: Counter[str] = Counter(at.talon.cards)
    assert at.talon.count == len(at.talon.cards)
    for heap in [*at.hands.values(), *at.piles.values(), *at.discards.values()]:
        where.update(heap.cards)
        assert len(heap.cards) == heap.count
        assert set(getattr(heap, "shown", ())) <= set(heap.cards)
    for trick in [*at.tricks, *([at.trick] if at.trick else [])]:
        where.update(play.card for play in trick.plays)
    assert where == Counter(in_play(record)), (record, step)
    assert sum(at.won.values()) == len(at.tricks)
    assert at.over == (step == len(record.events))
    assert (at.turn is None) == at.over


@ALL
def test_every_choice_is_accepted_and_every_other_refused(game: str, players: int) -> None:
    """On one step of every deal the whole vocabulary of the seat on turn is tried, discards and announcements
    of several items by sample. At every play, what is legal is what the plain reading says."""
    rng = random.Random(f"{game} {players}")
    for record in deals(game, players, DEALS):
        form = write_json(record)
        told = tell(form)
        table = start(record)
        spoken = [n for n, event in enumerate(record.events) if event[1] != "play"]
        some = rng.choice(spoken) if rng.random() < 0.6 else rng.randrange(len(record.events))
        for number, event in enumerate(record.events):
            if number in told.legal:
                cards = {w.partition("(")[0] for w in table.legal() if " " not in w}
                assert cards == told.legal[number], (form, number)
            if number == some:
                try_everything(table, rng)
            table.apply(event)
        assert table.legal() == []
        assert list(choices(table)) == []


def in_any_order(event: Event) -> Event:
    """The event with its cards or items sorted: a player may say them in any order, a choice lists one."""
    return (*event[:2], *sorted(event[2:]))


def try_everything(table: Table, rng: random.Random) -> None:
    found: list[Event] = []
    for n, choice in enumerate(choices(table)):
        found.append(choice)
        if n > 1000:
            break
    known = set(map(in_any_order, found))
    whole = len(found) <= 1000
    if whole:
        assert len(known) == len(found)
    for choice in rng.sample(found, min(30, len(found))):
        assert accepts(table, choice), choice
    scratch = copied(table)
    for event in vocabulary(table, rng):
        if in_any_order(event) in known:
            assert accepts(table, event), event
        elif whole and event[1] != "discard":
            try:
                scratch.apply(event)
            except Illegal:
                continue
            raise AssertionError(f"{event} is accepted, but no choice")
    legal = table.legal()
    assert scratch.legal() == legal, "a refused event leaves the table as it was"
    assert scratch.hands == table.hands
    assert len(legal) == len(set(legal))
    said = "\n".join(map(" ".join, found))
    for word in legal:
        assert word in said or not whole, word


def vocabulary(table: Table, rng: random.Random) -> list[Event]:
    """Return words and cards that the seat on turn, or another, might say or play, right or wrong."""
    record, seat = table.record, table.turn
    info = game_info(record.game)
    pack = pack_of(record.game)
    events: list[Event] = [(str(seat), "play", card) for card in pack]
    events += [(str(seat), "call", card) for card in pack]
    names = ("S", "H", "D", "C", "T", "ros", "topschin")
    events += [
        (str(seat), "play", f"{card}({name})") for card in ("T0", "T17", "T18", "T1", "SK") for name in names
    ]
    for verb in ("pass", "take", "solo", "varsava", "alone", "refuse", "surrender", "discard", "announce"):
        events.append((str(seat), verb))
    events += [(str(seat), "bid", word) for word in ("first", "second", "troika", "solo")]
    events += [(str(seat), "level", word) for word in "1234"]
    items = list(info.items)
    for name in ("tarocks", "matadors", "skus-matadors", "kings", "ladons"):
        if name in items:
            items.remove(name)
            items += [f"{name}:{n}" for n in range(27)]
    for name in ("cavallery", "half-cavallery"):
        if name in items:
            items.remove(name)
            items += [f"{name}:{s}" for s in "SHDCT"]
    events += [(str(seat), "announce", item) for item in items]
    pairs = list(combinations(items, 2))
    events += [(str(seat), "announce", *pair) for pair in rng.sample(pairs, min(20, len(pairs)))]
    for other in table.seats:
        if other != seat:
            events += [(other, "pass"), (other, "announce", "flek:game"), (other, "announce", "kings:3")]
            events += [(other, "play", rng.choice(pack)) for _ in range(3)]
    return events
