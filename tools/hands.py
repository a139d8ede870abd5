"""Compose the hands with which newcomers practise, from simulated deals: `python -m tools.hands [game …]`.

Each game has ten hands, from easy to hard. A hand is the first position of simulated deals that teaches its
point: every wrong choice breaks the same clause, loses the trick, or costs points whatever cards the others
hold, as far as samples of their hands show.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from archive.kernel.solver import solve
from tarock.analysis import endings
from tarock.analysis.fold import fold
from tarock.analysis.puzzles import differing, highest
from tarock.analysis.simulate import simulate
from tarock.core.cards import INDEX, SUIT_SET, TAROCKS, VALUE, bits, in_hand_order, indices, names
from tarock.core.record import Event, Record
from tarock.core.table import Table
from tarock.games import games, start
from tarock.notation import write_text
from tools.puzzles import nameless

FOLDER = Path(__file__).resolve().parent.parent / "replays" / "learn" / "hands"
SEED = 44
#: Most cards in a hand from which a card is played, and most of them that may be played.
HELD, MOST = 8, 2
#: Samples of the hidden hands in which the right card must be the best one.
LAYOUTS = 30
TRICKS = 3
#: Most deals that are simulated for a hand.
MOST_DEALS = 4000
BIDS = "pass, bid first, bid second, bid troika, bid solo"
TAROKY = "announce tarocky, announce taroky, announce barvicky, announce pagat"
DECLARED = "taroky.hand-tarocky taroky.hand-taroky taroky.hand-barvicky taroky.announce-pagat"
KINGS = ", ".join(f"announce kings:{number}" for number in range(3, 7))
CAVALRY = ", ".join(f"announce cavallery:{suit}" for suit in "SHDC")

Row = dict[str, Any]
Ask = Callable[[Table], dict[str, Any] | None]


def verdict(table: Table, event: Event) -> tuple[str, str]:
    """Return the clause that an event breaks and the key of its sentence; empty if it is legal."""
    record = replace(table.record, events=[*table.record.events[: table.step], event], score=None)
    illegal = fold(record).illegal
    return (illegal.clause, illegal.reason) if illegal else ("", "")


def judged(
    table: Table, events: dict[str, Event], clauses: set[str], reason: str = ""
) -> dict[str, Any] | None:
    """Return the choices with the clause that each one breaks; None unless some are legal, and the others
    break one of these clauses for the reason."""
    found = {token: verdict(table, event) for token, event in events.items()}
    wrong = [row for row in found.values() if row[0]]
    if not wrong or len(wrong) == len(found):
        return None
    if any(clause not in clauses or (reason and key != reason) for clause, key in wrong):
        return None
    return {token: clause or None for token, (clause, _reason) in found.items()}


def play(
    table: Table, *, clause: str, reason: str = "", led: str = "", pile: bool = False, wrong: int = 3
) -> Any:
    """Choose a card: at least `wrong` cards break the clauses, one of them the first one. `led`: letter of
    the suit led; `pile`: whether only cards on piles may be played."""
    seat = str(table.turn)
    if table.phase != "play":
        return None
    hand, legal = table.hands[seat], table.playable(seat)
    most = MOST if wrong > 1 else HELD
    if not 3 <= hand.bit_count() <= HELD or legal.bit_count() > most or (hand & ~legal).bit_count() < wrong:
        return None
    if led and not table.led & SUIT_SET[led]:
        return None
    if pile:
        tops = bits(c[0] for where, (c, top) in table.visible_piles().items() if top and where[0] == seat)
        if legal & ~tops:
            return None
    events = {card: (seat, "play", card) for card in in_hand_order(names(hand))}
    found = judged(table, events, {*clause.split()}, reason)
    return found if found and clause.split()[0] in found.values() else None


def calls(table: Table, *, clause: str, tokens: str) -> Any:
    """Choose a card with or without a call."""
    seat = str(table.turn)
    if table.phase != "play":
        return None
    found = judged(table, {token: (seat, "play", token) for token in tokens.split()}, {clause})
    return found if found and list(found.values()).count(None) == 2 else None


def take(table: Table, *, clause: str = "common.trick", fool: bool = False) -> Any:
    """Choose the card that takes the trick as the last player: one that may be played wins, two or more lose,
    and none is illegal."""
    seat = str(table.turn)
    if table.phase != "play" or len(table.trick) != len(table.active) - 1:
        return None
    hand, legal = table.hands[seat], table.playable(seat)
    if hand.bit_count() > HELD or legal.bit_count() < 3 or ("T0" in names(legal)) != fool:
        return None
    found: dict[str, Any] = {}
    for card in in_hand_order(names(hand)):
        broken, _reason = verdict(table, (seat, "play", card))
        if not broken:
            after = table.twin()
            after.apply((seat, "play", card))
            won = after.tricks[-1].winner == seat
            broken = "" if won else "grosstarock.skus-keeps" if card == "T0" else "common.trick"
        found[card] = broken or None
    right = [card for card, broken in found.items() if broken is None]
    return found if len(right) == 1 and (fool or right[0][0] != "T" or table.led & TAROCKS) else None


def say(table: Table, *, clauses: str, tokens: str, reason: str = "", right: int = 1, yes: str = "") -> Any:
    """Choose what to say: the illegal choices break one of the clauses."""
    if table.phase == "play" or table.turn is None:
        return None
    events = {token: (table.turn, *token.split()) for token in tokens.split(", ")}
    found = judged(table, events, set(clauses.split()), reason)
    return found if found and list(found.values()).count(None) == right and not found.get(yes) else None


def discard(table: Table, *, clause: str, reason: str) -> Any:
    """Choose one card to discard, together with cheap cards: two choices are wrong, and two are right."""
    seat = str(table.turn)
    if "discard" not in table.verbs or len(table.discard_choices()[1]) > 1:
        return None
    number, ((fixed, pool),) = table.discard_choices()
    free = sorted(names(pool), key=lambda card: (card[0] == "T", VALUE[INDEX[card]]))
    kept = sorted(names(table.hands[seat] & ~pool), key=lambda card: -VALUE[INDEX[card]])
    if fixed or len(free) < number + 1 or len(kept) < 2:
        return None
    filler, chosen = free[: number - 1], {*kept[:2], free[number - 1], free[-1]}
    tokens = [" ".join([card, *filler]) for card in in_hand_order(chosen)]
    return judged(table, {token: (seat, "discard", *token.split()) for token in tokens}, {clause}, reason)


def best(table: Table, *, theme: str, own: str = "") -> Any:
    """Choose the best card, which isn't simply the highest one. It is right whatever the others hold; every
    other card changes what the clause pays."""
    seat, cards = str(table.turn), endings.choices(table) if table.phase == "play" else []
    left = table.total - len(table.tricks)
    if left > TRICKS or len(cards) < 3 or any("(" in token for token in cards) or (own and own not in cards):
        return None
    if not endings.sides_of(table) or (
        len(table.active) > 2 and not set(table.active) <= {*table.known_sides(seat)}
    ):
        return None
    try:
        values = solve(table, []).values or {}
        top = max(values.values())
        right = [token for token in cards if values[token] == top]
        if len(right) > 1 or INDEX[right[0]] == highest(map(INDEX.__getitem__, cards)):
            return None
        lines = {}
        for token in cards:
            after = table.fork()
            after.play_cards([(seat, "play", token)])
            rest = () if after.over else solve(after, []).best or ()
            lines[token] = [(seat, "play", token), *rest]
        _result, sheet = endings.settled(table, lines[right[0]])
        for token in set(cards) - {*right}:
            if theme not in differing(sheet, endings.settled(table, lines[token])[1]):
                return None
        better = 0
        for layout in layouts(table, Random(SEED)):
            other = solve(layout, []).values or {}
            if other[right[0]] < max(other.values()):
                return None
            better += list(other.values()).count(other[right[0]]) == 1
        if better < LAYOUTS // 2:
            return None
    except endings.Limit:
        return None
    return {token: [top - values[token], " ".join(event[2] for event in lines[token])] for token in cards}


def layouts(table: Table, random: Random) -> Iterator[Table]:
    """Yield the table with the hidden cards of the others dealt again, as the seat on turn may imagine them:
    nobody holds a suit in which they didn't follow."""
    seat = str(table.turn)
    others = [each for each in table.active if each != seat]
    lacks = dict.fromkeys(others, 0)
    for trick in table.tricks:
        led = trick.cards[0].partition("(")[0]
        suit = SUIT_SET[led[0]]
        for each, token in zip(trick.seats, trick.cards, strict=True):
            if each in lacks and token[0] != led[0] and token[:2] != "T0":
                lacks[each] |= suit | (0 if token[0] == "T" else TAROCKS)
    hidden = [n for each in others for n in indices(table.hands[each])]
    for _ in range(LAYOUTS):
        random.shuffle(hidden)
        twin, at = table.twin(), 0
        for each in others:
            size = table.hands[each].bit_count()
            twin.hands[each] = sum(1 << n for n in hidden[at : at + size])
            at += size
        if not any(twin.hands[each] & lacks[each] for each in others):
            yield twin


def hands(game: str) -> Iterator[Row]:
    """Yield the hands of a game in their order."""
    for number, (players, ask, options) in enumerate(HANDS[game]):
        yield next(
            filter(
                None,
                (
                    _hand(record, ask, options)
                    for record in simulate(game, players=players, deals=MOST_DEALS, seed=SEED + number)
                ),
            ),
            {"ask": ask.__name__, "missing": options},
        )


def _hand(record: Record, ask: Ask, options: dict[str, Any]) -> Row | None:
    """Return the first position of a deal in which the question has one answer."""
    table = start(record)
    for number, event in enumerate(record.events):
        choices = ask(table, **options)
        if choices:
            cut = replace(nameless(record), events=record.events[:number])
            point = next(iter(options.values()), "common.trick").split()[0]
            return {"ask": ask.__name__, "clause": point, "text": write_text(cut), "choices": choices}
        table.apply(event)
    return None


HANDS: dict[str, list[tuple[int, Any, dict[str, Any]]]] = {
    "strohmann": [
        (2, play, {"clause": "strohmann.follow", "reason": "suit"}),
        (2, play, {"clause": "strohmann.follow", "reason": "tarock"}),
        (2, play, {"clause": "strohmann.follow", "reason": "suit", "led": "T"}),
        (2, take, {}),
        (2, play, {"clause": "strohmann.follow", "reason": "suit", "pile": True}),
        (2, calls, {"clause": "strohmann.call-misplaced", "tokens": "T17(ros) T17(topschin) T18(ros) T18"}),
        (2, best, {"theme": "strohmann.pagat-ultimo", "own": "T1"}),
        (2, best, {"theme": "strohmann.uhu", "own": "T2"}),
        (2, best, {"theme": "strohmann.kakadu", "own": "T3"}),
        (2, best, {"theme": "strohmann.game"}),
    ],
    "taroky": [
        (4, play, {"clause": "taroky.follow", "reason": "suit"}),
        (4, play, {"clause": "taroky.follow", "reason": "tarock"}),
        (4, take, {}),
        (4, discard, {"clause": "taroky.discard", "reason": "never"}),
        (4, say, {"clauses": "taroky.forehand-must-bid", "tokens": BIDS, "right": 3}),
        (4, say, {"clauses": "taroky.call", "tokens": "call T19, call T18, call T20, call HK"}),
        (4, say, {"clauses": DECLARED, "tokens": TAROKY, "yes": "announce tarocky"}),
        (4, play, {"clause": "taroky.hold-pagat taroky.follow", "wrong": 2}),
        (4, best, {"theme": "taroky.pagat-ultimo", "own": "T1"}),
        (4, best, {"theme": "taroky.game"}),
    ],
    "troggu": [
        (4, play, {"clause": "troggu.follow", "reason": "suit"}),
        (3, play, {"clause": "troggu.follow", "reason": "tarock"}),
        (4, play, {"clause": "troggu.follow", "reason": "suit", "led": "T"}),
        (5, take, {}),
        (4, say, {"clauses": "troggu.bid", "tokens": "take, solo, pass", "right": 2}),
        (4, discard, {"clause": "troggu.discard", "reason": "never"}),
        (7, say, {"clauses": "troggu.call", "tokens": "call T0, call T21, call T20, alone", "right": 2}),
        (4, play, {"clause": "troggu.bettler-withheld troggu.follow", "wrong": 1}),
        (3, best, {"theme": "troggu.game"}),
        (4, best, {"theme": "troggu.game"}),
    ],
    "grosstarock": [
        (3, play, {"clause": "grosstarock.follow", "reason": "suit"}),
        (3, play, {"clause": "grosstarock.follow", "reason": "tarock"}),
        (3, take, {}),
        (3, discard, {"clause": "grosstarock.discard", "reason": "never"}),
        (3, play, {"clause": "grosstarock.follow", "reason": "suit-or-skus"}),
        (3, take, {"clause": "grosstarock.skus-keeps", "fool": True}),
        (3, say, {"clauses": "grosstarock.declare-kings", "tokens": KINGS}),
        (3, say, {"clauses": "grosstarock.declare-cavallery", "tokens": CAVALRY}),
        (2, best, {"theme": "grosstarock.pagat-ultimo", "own": "T1"}),
        (2, best, {"theme": "grosstarock.last-trick"}),
    ],
}
"""Number of players, question and point of each hand."""


if __name__ == "__main__":
    for game in sys.argv[1:] or [info.id for info in games()]:
        rows = list(hands(game))
        text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
        (FOLDER / f"{game}.jsonl").write_text(text, encoding="utf-8")
