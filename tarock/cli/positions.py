"""Text of positions and deals for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tarock.analysis.position import Position
from tarock.analysis.replay import outline, position
from tarock.cli.terminal import fold_text, plain, table
from tarock.core.cards import BIT
from tarock.core.record import Record
from tarock.games import game
from tarock.words import sentences
from tarock.words.sentences import Names, fill


def _cards(cards: Sequence[str] | None, count: int, visible: Sequence[str] = ()) -> str:
    """Return cards as text. If they are hidden, give the cards in `visible` and the number of the others."""
    words = [*(visible if cards is None else cards)]
    if cards is None and count > len(words):
        words.append(f"({count - len(words)} hidden)")
    return " ".join(words) or "–"


def _people(state: Position) -> list[list[str]]:
    rows = []
    for seat in state.seats:
        name = f"{seat} {plain(state.players[seat])}"
        if seat == state.sitting:
            rows.append([" ", name, "sits out", ""])
            continue
        seats = {"dealer": state.dealer, "declarer": state.declarer, "partner": state.partner}
        roles = [role for role, holder in seats.items() if holder == seat]
        hand = state.hands[seat]
        mark = "→" if seat == state.turn else " "
        rows.append([mark, name, ", ".join(roles), _cards(hand.cards, hand.count, hand.shown)])
    return rows


def _talon_and_stock(state: Position) -> list[str]:
    """Return a line each for the talon and the stock (whose cards stay hidden), unless they are empty."""
    stock = game(state.game).stock.get(len(state.seats), 0)
    heaps = (("talon", state.talon.cards, state.talon.count), ("stock", None, stock))
    return [f"    {name} {_cards(cards, count)}" for name, cards, count in heaps if count]


def _taken(state: Position, seat: str) -> str:
    """Return the number of tricks that a seat has won, and its points if they are known."""
    won = state.won.get(seat, 0)
    own = state.points and state.points.get(seat)
    if own is None:
        return fill("{tricks:# trick/# tricks}", {"tricks": won})
    values = {"tricks": won, "points": own}
    return fill("{tricks:# trick/# tricks}, {points:# point/# points}", values)


def _stands(state: Position) -> str:
    words = []
    if state.contract:
        level = f" level {state.level}" if state.level else ""
        words.append(f"contract {state.contract}{level}")
    if state.called:
        words.append(f"called {state.called}")
    words += [f"{stake} × {factor}" for stake, factor in state.doubles.items()]
    words += [f"{a.seat} {a.item}" for a in state.announced if a.seat]
    return ", ".join(words)


def position_lines(state: Position) -> list[str]:
    """Return a position as lines of text."""
    phase = state.phase
    head = f"step {state.step} of {state.steps} · {phase}"
    if state.trick:
        head += f" · trick {state.trick.number}"
    if state.view:
        head += f" · as {state.view} sees it"
    lines = [head]
    last = state.last
    if last:
        lines.append(f"  last: {last.seat} {last.words}")
    lines += [f"    {sentences.happening(happening)}" for happening in state.happenings]
    lines += [f"  {{ {plain(text)} }}" for text in state.comments]
    stands = _stands(state)
    if stands:
        lines.append(f"  {stands}")
    rows = _people(state)
    if phase in ("play", "over"):
        for row, seat in zip(rows, state.seats, strict=True):
            row.insert(3, "" if seat == state.sitting else _taken(state, seat))
    lines += table(rows, indent="  ")
    piles = []
    for where, pile in state.piles.items():
        if pile.count:
            values = {"top": pile.top or "face down", "cards": pile.count}
            about = fill("top {top}, {cards:# card/# cards}", values)
            piles.append([where, about, " ".join(pile.cards or [])])
    lines += table(piles, indent="    ")
    lines += _talon_and_stock(state)
    for seat, put_by in state.discards.items():
        lines.append(f"    discards of {seat} {_cards(put_by.cards, put_by.count, put_by.shown)}")
    if state.trick and state.trick.plays:
        cards = (f"{p.seat} {p.card}" + (f"({p.says})" if p.says else "") for p in state.trick.plays)
        on_table = "  ".join(cards)
        winning = state.trick.winning
        lines.append(f"  on the table: {on_table}" + (f"  ({winning} is winning)" if winning else ""))
    if state.side_points:
        names = Names(state.game)
        sides = (f"{names.name('side', side)} {count}" for side, count in state.side_points.items())
        lines.append("  points: " + ", ".join(sides))
    if state.turn and state.legal:
        lines += fold_text(_choices(state), "  ", "    ", at_hyphens=False)
    if state.error:
        broken = f" ({state.error.clause})" if state.error.clause else ""
        lines.append(f"  !!{broken} {plain(sentences.message(state.error, state.game))}")
    return lines


def _choices(state: Position) -> str:
    seat, legal = state.turn or "", state.legal or ()
    if state.phase != "exchange":
        return f"{seat} may: {', '.join(legal)}"
    # A seat discards as many cards as it has taken, or one if it has yet to take its talon card.
    size = game(state.game).hands[len(state.seats)]
    wanted = max(state.hands[seat].count - size, 1)
    cards, words = [w for w in legal if w in BIT], [w for w in legal if w not in BIT]
    sentence = f"{seat} may discard {wanted} of: {', '.join(cards)}"
    return sentence + (f"; or say: {', '.join(words)}" if words else "")


def deal_lines(record: Record, view: str | None) -> list[str]:
    """Return a whole deal as lines of text: the hands, the bids and announcements, and the tricks."""
    start = position(record, 0, view)
    lines = table(_people(replace(start, turn=None)), indent="  ")
    piles = [[where, _cards(pile.cards, pile.count)] for where, pile in start.piles.items()]
    lines += table(piles, indent="    ")
    lines += _talon_and_stock(start)
    lines.append("")
    trick: list[str] = []
    notes: list[str] = []
    for row in outline(record, view):
        texts = [f"{{ {plain(text)} }}" for text in row.comments]
        happenings = [sentences.happening(happening) for happening in row.happenings]
        if row.verb == "play":
            card = " ".join(row.args)
            if not trick:
                trick.append(f"{row.trick:>4}. {row.seat}")
            trick.append(card)
            notes += [f"{card}: {text}" for text in (*happenings, *texts)]
            if row.winner:
                lines.append(f"{' '.join(trick):<27} → {row.winner}")
                lines += [f"        {note}" for note in notes]
                trick, notes = [], []
        else:
            lines.append("  ".join(["", f"{row.seat} {row.words}", *texts]))
            lines += [f"        {text}" for text in happenings]
    if trick:
        lines.append(" ".join(trick))
        lines += [f"        {note}" for note in notes]
    lines += [f"  {{ {plain(text)} }}" for text in record.comments.get(0, ())]
    end = position(record, len(record.events), view)
    if end.error:
        lines += position_lines(end)
    return lines
