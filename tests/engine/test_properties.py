"""What must hold of every deal: 100 of each game and number of players, `TAROCK_DEALS` says otherwise."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from tarock import public
from tarock.cards import bits
from tarock.findings import Illegal
from tarock.games import game as game_info
from tarock.games import start
from tarock.notation import read_one, write_json, write_text
from tarock.position import Move, Step
from tarock.record import Event, Record
from tarock.replay import count, last_step, outline, position
from tarock.table import Table
from tarock.verify import check
from tests.engine.builder import comparable, pack_of
from tests.engine.driver import DEALS, TABLE_IDS, TABLES, accepts, choices, copied, deals
from tests.engine.oracle import tell, worth

ALL = pytest.mark.parametrize(("game", "players"), TABLES, ids=TABLE_IDS)
#: The slowest (all spellings, whole positions) is held to a part of the deals.
FEW = max(10, DEALS // 10)


@ALL
def test_score_and_lines_are_those_of_the_plain_reading(game: str, players: int) -> None:
    """Verdict, tricks, lines and score agree with `oracle`, which knows the rules but not the engine."""
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
    """What the values of all cards that were counted add up to: the pack, less those that are nobody's."""
    if not played:
        return 0
    cards = in_play(record)
    spoken = {e[1] for e in record.events}
    if "varsava" in spoken or (record.game == "troggu" and not spoken & {"take", "solo", "discard"}):
        cards = [c for c in cards if c not in record.deal["talon"]]
    return sum(map(worth, cards))


def in_play(record: Record) -> list[str]:
    """The cards of the pack but those of a stock."""
    return [card for card in pack_of(record.game) if any(card in cards for cards in record.deal.values())]


SUM = re.compile(r"((?:[\d(][\d()×−+ ]*)) = ([−-]?\d+)")


@ALL
def test_the_audit_adds_up(game: str, players: int) -> None:
    """What is shown of a score is true: countings hold the cards of their side, sums written out are right,
    events are events, points go from some seats to others."""
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
            assert line["reckoning"]
            for left, right in SUM.findall(line["reckoning"]):
                plain = left.replace("×", "*").replace("−", "-")
                if plain.count("(") == plain.count(")"):
                    assert eval(plain) == int(right.replace("−", "-")), line["reckoning"]
            assert all(0 <= event < len(record.events) for event in line["events"])
            assert line["to"] == [s for s, p in line["points"].items() if p > 0]
            assert line["from"] == [s for s, p in line["points"].items() if p < 0]


@ALL
def test_every_card_is_somewhere_once_at_every_step(game: str, players: int) -> None:
    """At every step the cards of the table's places make up the pack, without a stock; some steps are looked
    at as positions."""
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
    scratch = copied(table)  # a refused event leaves it as it was: `test_a_refused_event_changes_nothing`
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
    assert len(legal) == len(set(legal))
    said = "\n".join(map(" ".join, found))
    for word in legal:
        assert word in said or not whole, word


def vocabulary(table: Table, rng: random.Random) -> list[Event]:
    """What the seat on turn might say or play at all, right or wrong, and what others might."""
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


@ALL
def test_a_refused_event_changes_nothing(game: str, players: int) -> None:
    rng = random.Random(f"{game} {players} refused")
    for record in deals(game, players, 6):
        table = start(record)
        for event in record.events:
            before = position(record, table.step)
            for wrong in rng.sample(vocabulary(table, rng), 12):
                if not accepts(table, wrong):
                    with pytest.raises(Illegal):
                        table.apply(wrong)
            assert table.step == before.step
            assert tuple(table.legal()) == before.legal
            table.apply(event)
        assert table.over


@ALL
def test_text_and_json_say_the_same(game: str, players: int) -> None:
    for record in deals(game, players, DEALS):
        text = write_text(record)
        form = write_json(record)
        from_text, from_json = read_one(text), read_one(json.dumps(form))
        assert from_text == from_json == record
        assert from_text.digest == from_json.digest == record.digest
        assert write_text(from_text) == text
        assert write_json(from_text) == form


@ALL
def test_sloppy_spelling_reads_to_the_same_record(game: str, players: int) -> None:
    rng = random.Random(f"{game} {players} sloppy")
    for record in deals(game, players, FEW):
        text = write_text(record)
        for sloppy in (lower(text), roman(text), zeroes(text), crlf(text), blanks(text), shuffled(text, rng)):
            found = read_one(sloppy)
            assert found == record, sloppy
            assert found.digest == record.digest
            assert write_text(found) == text
        again = read_one(crlf(blanks(shuffled(roman(lower(text)), rng))))
        assert again == record


def split(text: str) -> tuple[str, str]:
    tags, _, moves = text.partition("\n\n")
    return tags, moves


def lower(text: str) -> str:
    """Everything outside the values of tags small; seat letters and names of tags, too."""
    tags, moves = split(text)
    return re.sub(r"(?m)^\[(\w+)", lambda m: "[" + m[1].lower(), tags) + "\n\n" + moves.lower()


UNITS = ("", "I", "II", "III", "IIII", "V", "VI", "VII", "VIII", "VIIII")
ROMAN = {n: "X" * (n // 10) + UNITS[n % 10] for n in range(1, 22)}


def roman(text: str) -> str:
    tags, moves = split(text)
    return tags + "\n\n" + re.sub(r"\b[Tt](\d+)\b", lambda m: ROMAN.get(int(m[1]), m[0]), moves)


def zeroes(text: str) -> str:
    tags, moves = split(text)
    return tags + "\n\n" + re.sub(r"\b([SHDCT])(\d)\b", r"\g<1>0\2", moves)


def crlf(text: str) -> str:
    return "\ufeff" + text.replace("\n", "\r\n")


def blanks(text: str) -> str:
    tags, moves = split(text)
    tags = re.sub(r'(?m)^\[(\w+) "(.*)"\]$', '  [ \\1\t  "\\2"  ]  ', tags)
    return "\n" + tags.replace("\n", "\n\n") + "\n\n\n" + moves.replace(" ", "   ").replace("\n", "  \n\n\t")


def shuffled(text: str, rng: random.Random) -> str:
    """Tags in any order, and deal lines, too."""
    tags, moves = split(text)
    lines = tags.split("\n")
    rng.shuffle(lines)
    body = moves.split("\n")
    dealt = [line for line in body if line.lower().startswith("deal ")]
    rest = body[len(dealt) :]
    rng.shuffle(dealt)
    return "\n".join(lines) + "\n\n" + "\n".join(dealt + rest)


def some_steps(record: Record, rng: random.Random) -> list[int]:
    """The end, and a few more, of which some are before the play."""
    spoken = [n for n, event in enumerate(record.events) if event[1] != "play"]
    steps = {len(record.events), *rng.sample(spoken, min(2, len(spoken))), rng.randrange(len(record.events))}
    return sorted(steps)


CARD = re.compile(r"(?<![\w-])(?:[SHDC](?:K|Q|C|J|10|[1-9])|T(?:2[01]|1\d|\d))(?![\w-])")


def words_of(value: Any) -> set[str]:
    """Every card code in any string of a JSON value, but for players' names and pile names."""
    if isinstance(value, str):
        return set(CARD.findall(value))
    if isinstance(value, dict):
        return set().union(*(words_of(v) for v in value.values()), *(words_of(k) for k in value))
    if isinstance(value, list | tuple):
        return set().union(*map(words_of, value))
    return set()


def open_to(record: Record, step: int, view: str) -> set[str]:
    """The cards that a seat may know of after `step` events: its own as dealt, drawn and put away, what was
    played, shown by the rules, and named aloud. The tops of the piles lie open once the bidding is over."""
    known = set(record.deal.get(view, ()))
    plain = position(record, step)
    for trick in [*plain.tricks, *([plain.trick] if plain.trick else [])]:
        known |= {play.card for play in trick.plays}
    for seat, put in plain.discards.items():
        known |= set(put.cards) if seat == view else set(put.shown)
    known |= set(plain.hands[view].cards) if view in plain.hands else set()
    known |= {pile.top for pile in plain.piles.values() if pile.top}
    for where, pile in plain.piles.items():
        # What has gone from a pile was played, or taken into the hand where both saw it.
        known |= set(record.deal[where]) - set(pile.cards)
    if record.game == "troggu" and plain.declarer and not {"take", "solo"} & {e[1] for e in record.events}:
        # Whoever must be Tappist says why.
        known.add("T1" if "T0" in record.deal["talon"] else "T0")
    for event in record.events[:step]:
        if event[1] == "call":
            known.add(event[2])
    return known


@ALL
def test_a_view_shows_no_hidden_card(game: str, players: int) -> None:
    """No code of a card that the seat may not know stands anywhere in what it is shown, at any step."""
    rng = random.Random(f"{game} {players} views")
    for record in deals(game, players, DEALS):
        for view in rng.sample(record.seats, 1):
            rows, counted = outline(record, view), count(record, view)
            for step in some_steps(record, rng):
                shown = replace(position(record, counted.step(step), view), players={})
                allowed = open_to(record, step, view)
                if record.game == "taroky" and shown.turn == view and shown.phase == "calling":
                    # The cards that may be named are words of the rules; T19 may be named whoever holds it.
                    allowed |= {"T16", "T17", "T18", "T19"}
                if record.game == "troggu" and shown.phase == "calling":
                    allowed |= set(pack_of("troggu"))
                assert words_of(shown.as_json()) <= allowed, (write_text(record), step, view, shown)
                if shown.step:
                    row = rows[shown.step - 1]
                    assert words_of([row.args, row.words]) <= allowed
                    if row.verb == "discard" and row.seat != view:
                        assert not set(row.args) - open_to(record, step, view)


@ALL
def test_a_view_of_a_deal_broken_off_shows_no_hidden_card(game: str, players: int) -> None:
    """What is said of a record that ends, or breaks a rule, at a seat's turn names no card that the seat has
    not seen."""
    rng = random.Random(f"{game} {players} broken off")
    for record in deals(game, players, FEW):
        form = write_json(record)
        for step in some_steps(record, rng)[:-1]:
            cut = read_one(json.dumps(form | {"events": form["events"][:step]}))
            seat = record.events[step][0]
            wrong = [seat, "play", rng.choice(record.deal[seat])]
            spoiled = read_one(json.dumps(form | {"events": [*form["events"][:step], wrong]}))
            for found in (cut, spoiled):
                for view in record.seats:
                    end = position(found, 10_000, view)
                    allowed = open_to(record, step, view)
                    if end.phase == "calling" and end.turn == view:
                        allowed |= set(pack_of(game))
                    if end.error is None:
                        continue
                    if end.error.clause and view == seat:
                        allowed.add(wrong[2])
                    told = end.as_json()["error"]
                    assert words_of(told) <= allowed, (write_text(record), step, view, told)
                    assert told["message"]


@ALL
def test_a_view_hides_sides_until_they_are_shown(game: str, players: int) -> None:
    rng = random.Random(f"{game} {players} sides")
    for record in deals(game, players, DEALS):
        partner = check(record).facts.get("partner")
        if not partner:
            continue
        for view in rng.sample(record.seats, 2):
            for step in some_steps(record, rng):
                public = partner_is_public(record, step, partner)
                shown = position(record, count(record, view).step(step), view)
                assert shown.side_points is None
                if public:
                    continue
                if view != partner:
                    assert shown.partner is None, (write_text(record), step, view)
                    assert partner not in shown.sides, (write_text(record), step, view, shown.sides)


def partner_is_public(record: Record, step: int, partner: str) -> bool:
    """Whether the partner was seen: he played the called card, put it away openly, or said his side."""
    called = next(e[2] for e in record.events if e[1] == "call")
    for event in record.events[:step]:
        if event[0] == partner and event[1] in ("play", "discard") and called in event[2:]:
            return True
        shows = [item for item in event[2:] if ":" in item or item in ("pagat", "valat")]
        if event[0] == partner and event[1] == "announce" and shows:
            return True
    return False


@ALL
def test_views_of_deals_that_differ_in_hidden_cards_are_alike(game: str, players: int) -> None:
    """Two deals with the same public events, and the same cards of one seat, look alike to it at every step
    before the difference comes out: two cards change places between the others' hands, piles, the talon or
    the stock."""
    rng = random.Random(f"{game} {players} twins")
    compared = 0
    for record in deals(game, players, 2 * FEW):
        form = write_json(record)
        if game_info(game).stock.get(players):
            form["deal"]["stock"] = [card for card in pack_of(game) if card not in in_play(record)]
        spots = [(where, i) for where, cards in form["deal"].items() for i in range(len(cards))]
        for view in rng.sample(record.active, 1):
            for _ in range(2):
                (one, i), (two, k) = rng.sample(spots, 2)
                if view in (one, two) or one == two:
                    continue
                first, second = form["deal"][one][i], form["deal"][two][k]
                twin = json.loads(json.dumps(form))
                twin["deal"][one][i], twin["deal"][two][k] = second, first
                other = read_one(json.dumps(twin))
                steps = alike_until(record, other, view, {first, second})
                # Both must be legal that far: an end in sight would tell them apart.
                for step in {*range(steps + 1)} & {
                    *some_steps(record, rng),
                    steps,
                    rng.randint(0, max(steps, 0)),
                }:
                    counts = count(record, view), count(other, view)
                    ours = [c.step(step) for c in counts]
                    if counts[0].moment(ours[0]) != counts[1].moment(ours[1]):
                        continue  # one of the two ends while somebody else has a turn
                    mine, theirs = (
                        replace(position(deal, at, view), steps=0, error=None)
                        for deal, at in zip((record, other), ours, strict=True)
                    )
                    assert mine == theirs, (write_text(record), one, two, first, second, step, view)
                compared += steps
    assert compared > 2 * FEW


def alike_until(record: Record, other: Record, view: str, cards: set[str]) -> int:
    """The last step up to which a seat has seen the same in both deals."""
    last = min(last_step(record), last_step(other))
    forced = record.game == "troggu" and not {"take", "solo"} & {e[1] for e in record.events}
    if forced and len(record.seats) >= 7 and cards & {"T0", "T1"}:
        # Who must be Tappist when all pass says where the Fool and the Pagat are.
        return -1
    low, high = -1, last
    while low < high:  # what was seen once stays known: halve the way
        step = (low + high + 1) // 2
        if cards & (open_to(record, step, view) | open_to(other, step, view)):
            high = step - 1
        else:
            low = step
    return low


@ALL
def test_clipping_and_outline(game: str, players: int) -> None:
    for record in deals(game, players, 5):
        total = len(record.events)
        assert last_step(record) == total
        assert position(record, total + 5) == position(record, total)
        assert position(record, -3) == position(record, 0)
        rows = outline(record)
        assert [r.event for r in rows] == list(range(total))
        assert [(r.seat, r.verb, *r.args) for r in rows] == record.events
        assert [r.phase for r in rows] == [position(record, n).phase for n in range(total)]


def _move(row: Step) -> Move:
    return Move(row.event, row.seat, row.verb, row.args, row.words)


@ALL
def test_a_view_counts_what_it_sees(game: str, players: int) -> None:
    """No number in a view depends on what is hidden: each is a place in its own outline. A moment looked at
    from elsewhere is the same moment."""
    hidden = 0
    rng = random.Random(f"{game} {players} counts")
    # Only where something is hidden is there anything to count.
    for record in deals(game, players, DEALS if game == "taroky" else FEW):
        total = last_step(record)
        for view in rng.sample(record.seats, 1):
            counted, rows = count(record, view), outline(record, view)
            hidden += total - counted.steps
            assert last_step(record, view) == counted.steps == len(rows)
            assert [row.event for row in rows] == list(range(len(rows)))
            seen = [(e[0], e[1]) for n, e in enumerate(record.events) if counted.number(n) is not None]
            assert [(row.seat, row.verb) for row in rows] == seen
            assert [e for e in record.events if e[0] == view] == [
                (row.seat, row.verb, *row.args) for row in rows if row.seat == view
            ]
            for step in {rng.randint(0, counted.steps), counted.steps}:
                assert counted.step(counted.moment(step)) == step
                shown = position(record, step, view)
                assert (shown.step, shown.steps) == (step, counted.steps)
                assert shown.last == (_move(rows[step - 1]) if step else None)
                # At the end of the deal what was put away lies open.
                open_words = {n: " ".join(record.events[e][1:]) for n, e in enumerate(counted.events)}
                assert [(s.event, s.seat, s.words) for s in shown.said] == [
                    (
                        row.event,
                        row.seat,
                        open_words[row.event] if shown.over and row.verb == "discard" else row.words,
                    )
                    for row in rows[:step]
                    if row.verb != "play"
                ]
                for trick in shown.tricks:
                    led = rows[trick.event]
                    assert (led.trick, led.seat) == (trick.number, trick.leader)
                for announced in shown.announced:
                    assert rows[announced.event].seat == announced.seat
        everybody = public.count(record)
        rows = public.outline(record)
        assert [row.event for row in rows] == list(range(everybody.steps))
        step = rng.randint(0, everybody.steps)
        shown = public.position(record, step)
        assert (shown.step, shown.steps) == (step, everybody.steps)
    assert (hidden > 0) == (game == "taroky")
