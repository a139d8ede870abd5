"""A position as a picture, for link previews.

The picture uses the same prepared position as the page (`tarock.view.table`) and the same card faces
(`replays.site.sprites`), so it cannot show what the engine hides from a view. Only the caption depends on the
language; everything else is names, numbers, signs and cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from replays.pictures import lettering
from replays.pictures.drawing import (
    ASPECT,
    DIM,
    HEIGHT,
    LIGHT,
    MARK,
    PLATE_FILL,
    WIDTH,
    Box,
    Drawing,
    colour_of,
)
from tarock.games import game
from tarock.view.cards import Face
from tarock.view.table import Pile, SeatView, TableView, TrickView

VERSION = "6"
"""Version of the pictures in cache keys and ETags. Increase it when the pictures change."""

BAR, TALL_BAR = 62, 112
"""Height of the top bar in pixels, without and with a caption."""
EDGE = 14
PLATE = 34
PEEK = 0.37
"""Fraction of a card's width that must stay uncovered so that the index is visible."""


@dataclass(frozen=True, slots=True)
class Caption:
    """A picture's caption. `points`: the points that the sentence `text` mentions, negative if they were
    lost; 0 if it mentions none."""

    text: str
    points: int = 0


# For each number of seats, the slots (0 is nearest, then clockwise) at the bottom, left, top and right of the
# table. The bottom and top slots are listed from left to right.
_PLACES: dict[int, tuple[list[int], list[int], list[int], list[int]]] = {
    2: ([0], [], [1], []),
    3: ([0], [], [1, 2], []),
    4: ([0], [1], [2], [3]),
    5: ([0], [1], [2, 3], [4]),
    6: ([0], [1], [2, 3, 4], [5]),
    7: ([1, 0, 6], [], [2, 3, 4, 5], []),
    8: ([1, 0, 7], [2], [3, 4, 5], [6]),
}


def places(number: int, bar: int = BAR) -> tuple[dict[int, Box], Box]:
    """Return the box of each slot of a table with `number` seats, and the box in the middle of the table."""
    below, left, above, right = _PLACES[number]
    top, bottom = bar + EDGE, HEIGHT - EDGE
    row = 182.0 if bar == BAR else 170.0
    boxes: dict[int, Box] = {}
    for slots, y in ((above, top), (below, bottom - row)):
        # A single hand gets the whole width, and its cards are centred, so the corners stay free.
        share = (WIDTH - 2 * EDGE) / max(len(slots), 1)
        for n, slot in enumerate(slots):
            boxes[slot] = Box(EDGE + n * share + 10, y, share - 20, row)
    side = 286.0
    for slots, x in ((left, EDGE), (right, WIDTH - EDGE - side)):
        for slot in slots:
            boxes[slot] = Box(x, top + row, side, bottom - top - 2 * row)
    inner = EDGE + (side if left else 0) + 8
    return boxes, Box(inner, top + row + 6, WIDTH - 2 * inner, bottom - top - 2 * row - 12)


def _fan(drawing: Drawing, rows: Sequence[Sequence[Face]], box: Box) -> None:
    """Draw a hand in its box, in one or two rows, as large as possible. All indices stay visible."""
    cards = [card for row in rows for card in row]
    if not cards:
        return
    best_width, best = 0.0, [cards]
    for lines in ([cards], [list(row) for row in rows if row]):
        longest = max(len(line) for line in lines)
        tall = box.height / (ASPECT * (1 + 0.42 * (len(lines) - 1)))
        fits = min(tall, box.width / (1 + PEEK * (longest - 1)), 104.0)
        if fits > best_width * 1.01:
            best_width, best = fits, lines
    width = best_width
    used = width * ASPECT * (1 + 0.42 * (len(best) - 1))
    y = box.y + (box.height - used) / 2
    for line in best:
        step = min(width * 0.72, (box.width - width) / max(len(line) - 1, 1))
        x = box.x + (box.width - width - step * (len(line) - 1)) / 2
        for n, card in enumerate(line):
            drawing.card(card, x + n * step, y, width)
        y += width * ASPECT * 0.42


def _piles(drawing: Drawing, piles: Sequence[Pile], box: Box) -> None:
    """Draw the straw men next to the hand. Covered cards stick out to the right of the open card."""
    share = box.width / len(piles)
    width = min(box.height / ASPECT, (share - 12) / (1 + 3 * PEEK), 84.0)
    y = box.y + (box.height - width * ASPECT) / 2
    for n, pile in enumerate(piles):
        cards = [*([pile.top] if pile.top else []), *pile.under]
        x = box.x + n * share + 6
        for k, card in reversed(list(enumerate(cards))):
            drawing.card(card, x + k * width * PEEK, y, width)


def _plate(drawing: Drawing, seat: SeatView, box: Box) -> None:
    """Draw a seat's letter, name, roles and number of tricks, framed if the seat is on turn."""
    size = 20.0
    roles = [role.key for role in seat.roles]
    tricks = str(seat.tricks) if seat.tricks else ""
    around = 44 + 25 * len(roles) + (34 + lettering.width(tricks, size) if tricks else 0)
    name = lettering.fit(seat.name, size, min(box.width, 420.0) - around - 12)
    wide = around + lettering.width(name, size) + 12
    x, y = box.x + (box.width - wide) / 2, box.y
    drawing.rect(Box(x, y + 2, wide, PLATE - 4), PLATE_FILL, 15, MARK if seat.on_turn else "", 3)
    fill = DIM if seat.sits_out else LIGHT
    drawing.circle(x + 16, y + PLATE / 2, 13, MARK if seat.on_turn else DIM)
    drawing.text(seat.letter, x + 16, y + PLATE / 2 + 7, size, PLATE_FILL, "middle")
    x += 36
    drawing.text(name, x, y + PLATE / 2 + 7, size, fill)
    x += lettering.width(name, size) + 8
    for role in roles:
        if role in ("declarer", "partner"):
            drawing.star(x, y + PLATE / 2 - 10, 20, MARK if role == "declarer" else DIM)
        else:
            drawing.rect(Box(x, y + PLATE / 2 - 10, 20, 20), "none", 4, DIM)
            sign = "D" if role == "dealer" else "1"
            drawing.text(sign, x + 10, y + PLATE / 2 + 5.5, 15, DIM, "middle")
        x += 25
    if tricks:
        # Draw two overlapping cards as a symbol for tricks, and the number of tricks.
        for dx, dy in ((0, -2), (5, 2)):
            drawing.rect(Box(x + dx, y + PLATE / 2 - 9 + dy, 11, 16), LIGHT, 2, PLATE_FILL, 1)
        drawing.text(tricks, x + 23, y + PLATE / 2 + 7, size, LIGHT)


def _seat(drawing: Drawing, seat: SeatView, box: Box) -> None:
    _plate(drawing, seat, box)
    room = Box(box.x, box.y + PLATE + 2, box.width, box.height - PLATE - 4)
    if seat.piles:
        hand = room.width * 0.56
        _fan(drawing, seat.rows, Box(room.x, room.y, hand - 20, room.height))
        _piles(drawing, seat.piles, Box(room.x + hand, room.y, room.width - hand, room.height))
    else:
        _fan(drawing, seat.rows, room)


def _trick(drawing: Drawing, trick: TrickView, box: Box) -> None:
    """Draw the trick in order of play, with the seats below the cards. The winner is framed and ticked."""
    tag = 28
    width = min((box.height - tag) / ASPECT, box.width / len(trick.plays) - 14, 100.0)
    step = width + min(22.0, (box.width - width * len(trick.plays)) / len(trick.plays))
    x = box.x + (box.width - step * len(trick.plays) + step - width) / 2
    y = box.y + (box.height - tag - width * ASPECT) / 2
    for play in trick.plays:
        if play.wins:
            drawing.rect(Box(x - 5, y - 5, width + 10, width * ASPECT + 10), MARK, 12)
        drawing.card(play.card, x, y, width)
        middle, base = x + width / 2, y + width * ASPECT + 24
        drawing.text(play.seat, middle, base, 20, MARK if play.wins else LIGHT, "middle")
        if play.leads:
            drawing.path(f"M{middle - 24:.1f} {base - 14:.1f}l11 7l-11 7z", LIGHT)
        if play.wins:
            drawing.path(f"M{middle + 12:.1f} {base - 7:.1f}l5 6l9 -13", "none", MARK, 3.5)
        x += step


def _row(drawing: Drawing, cards: Sequence[Face], box: Box, largest: float) -> None:
    width = min(box.height / ASPECT, box.width / (1 + 0.5 * (len(cards) - 1)), largest)
    step = min(width * 1.06, (box.width - width) / max(len(cards) - 1, 1))
    x = box.x + (box.width - width - step * (len(cards) - 1)) / 2
    for n, card in enumerate(cards):
        drawing.card(card, x + n * step, box.y + (box.height - width * ASPECT) / 2, width)


def svg(position: TableView, about: str = "", caption: Caption | None = None, *, steps: bool = True) -> str:
    """Return the picture of a position as SVG. `about` (an event, a date) is printed next to the name of the
    game, and the `caption` above both. With `steps` the picture also shows the total number of steps."""
    bar = TALL_BAR if caption else BAR
    drawing = Drawing(bar)
    if caption:
        _caption(drawing, caption)
    _bar(drawing, position, about, bar - 20, steps=steps)
    boxes, middle = places(position.size, bar)
    for seat in position.seats:
        _seat(drawing, seat, boxes[seat.slot])
    trick = position.trick if position.trick and position.trick.plays else None
    talon = position.talon
    if trick and talon:
        # Nobody took the talon, so it stays on the table. Draw it to the left of the trick.
        _row(drawing, talon, Box(middle.x, middle.y + 40, middle.width * 0.2, middle.height - 80), 40)
        middle = Box(middle.x + middle.width * 0.22, middle.y, middle.width * 0.78, middle.height)
    elif talon:
        _row(drawing, talon, middle, 84)
    if trick:
        _trick(drawing, trick, middle)
    return drawing.svg()


def _bar(drawing: Drawing, position: TableView, about: str, base: float, *, steps: bool) -> None:
    """Draw the bar with game, occasion, view and step."""
    size = 34 if base < BAR else 24
    fraction = f"{position.step} / {position.steps}" if steps else str(position.step)
    drawing.text(fraction, WIDTH - 24, base, size - 6, DIM, "end")
    used = lettering.width(fraction, size - 6) + 60
    if position.view:
        # Draw an eye and the letter of the view's seat.
        x = WIDTH - used - 30
        drawing.text(position.view, x, base, 28, MARK)
        drawing.path(f"M{x - 52} {base - 11}q21 -19 42 0q-21 19 -42 0z", "none", MARK)
        drawing.circle(x - 31, base - 11, 6.5, MARK)
        used += 110
    # Use the English name for all readers, because a picture without a caption has no language.
    name = game(position.game).name
    drawing.text(name, 24, base + 1, size)
    at = 24 + lettering.width(name, size) + 24
    about_size = min(26, size)
    drawing.text(lettering.fit(about, about_size, WIDTH - at - used), at, base + 1, about_size, DIM)


def _caption(drawing: Drawing, caption: Caption) -> None:
    """Draw a caption as large as possible, with the points in colour."""
    room = WIDTH - 48.0
    text = lettering.drawable(caption.text)
    size = max(20.0, min(40.0, 39.9 * room / max(lettering.width(text, 40), 1)))
    before, points, after = lettering.fit(text, size, room).rpartition(str(abs(caption.points)))
    x = 24.0
    for part, fill in ((before, LIGHT), (points, colour_of(caption.points)), (after, LIGHT)):
        drawing.text(part, x, 51, size, fill)
        x += lettering.width(part, size)
