"""A position as a picture of 1200 by 630, for previews where a link is shared: SVG first, then PNG.

It is drawn from the same prepared position as the page (`tarock.table_page`) and the same card faces
(`replays.pictures.sprites`): what the engine hides from a view is not there to be drawn. Nothing in it is a
word of some language: names, numbers, signs and cards.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

import resvg_py

from replays.jinja import written
from replays.pictures import lettering
from replays.pictures.sprites import SPRITE
from tarock.faces import Face
from tarock.games import game
from tarock.table_page import Pile, SeatView, TableView, TrickView

WIDTH, HEIGHT = 1200, 630
VERSION = "3"
"""To be raised when pictures come to look different: it is part of their cache keys and ETags."""

BAR = 62
EDGE = 14
PLATE = 34
ASPECT = 1.6
"""How much higher than wide a card is."""
PEEK = 0.37
"""The part of a card's width that shows its index."""

FELT, FELT_EDGE, BAR_FILL, PLATE_FILL = "#2e6a53", "#1f4c3b", "#14352a", "#163a2d"
STAR = "M10 0L12.6 6.6L19.6 7L14.2 11.5L16 18.4L10 14.6L4 18.4L5.8 11.5L0.4 7L7.4 6.6Z"
"""In a box of 20 by 20."""
LIGHT, DIM, MARK = "#f4f8f4", "#b9cfc4", "#ffd34d"
SUIT_COLOURS = {"S": "#1b1e23", "H": "#c01f33", "D": "#c01f33", "C": "#1b1e23", "T": "#47378a"}


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the picture."""

    x: float
    y: float
    width: float
    height: float


# --- where things lie ---------------------------------------------------------------------------------------

# Seats by their slot (0 nearest, then clockwise): those below, on the left, above, on the right; the rows
# from left to right.
_PLACES: dict[int, tuple[list[int], list[int], list[int], list[int]]] = {
    2: ([0], [], [1], []),
    3: ([0], [], [1, 2], []),
    4: ([0], [1], [2], [3]),
    5: ([0], [1], [2, 3], [4]),
    6: ([0], [1], [2, 3, 4], [5]),
    7: ([1, 0, 6], [], [2, 3, 4, 5], []),
    8: ([1, 0, 7], [2], [3, 4, 5], [6]),
}


def places(number: int) -> tuple[dict[int, Box], Box]:
    """The box of each slot at a table of ``number`` seats, and the one in the middle."""
    below, left, above, right = _PLACES[number]
    top, bottom = BAR + EDGE, HEIGHT - EDGE
    row = 182.0
    boxes: dict[int, Box] = {}
    for slots, y in ((above, top), (below, bottom - row)):
        # A single hand needs no more room than the widest one, and leaves the corners free.
        share = (WIDTH - 2 * EDGE) / max(len(slots), 1)
        for n, slot in enumerate(slots):
            boxes[slot] = Box(EDGE + n * share + 10, y, share - 20, row)
    side = 286.0
    for slots, x in ((left, EDGE), (right, WIDTH - EDGE - side)):
        for slot in slots:
            boxes[slot] = Box(x, top + row, side, bottom - top - 2 * row)
    inner = EDGE + (side if left else 0) + 8
    return boxes, Box(inner, top + row + 6, WIDTH - 2 * inner, bottom - top - 2 * row - 12)


# --- drawing ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Shape:
    """Something on the picture, as the template writes it."""

    x: float
    y: float
    fill: str


@dataclass(frozen=True, slots=True)
class _Rect(_Shape):
    kind = "rect"
    width: float
    height: float
    radius: float = 0
    stroke: str = ""
    stroke_width: float = 1.5


@dataclass(frozen=True, slots=True)
class _Circle(_Shape):
    kind = "circle"
    radius: float
    stroke = ""


@dataclass(frozen=True, slots=True)
class _Path:
    kind = "path"
    d: str
    fill: str
    stroke: str = ""
    stroke_width: float = 3
    transform: str = ""


@dataclass(frozen=True, slots=True)
class _Text(_Shape):
    kind = "text"
    text: str
    size: float
    anchor: str


@dataclass(frozen=True, slots=True)
class _Card:
    kind = "card"
    code: str
    x: float
    y: float
    width: float
    height: float
    colour: str


@functools.cache
def _cards() -> dict[str, str]:
    """The card faces by their codes, without custom properties, which the renderer does not know: their
    defaults instead."""
    plain = re.sub(r"var\(--[\w-]+,(#\w+)\)", r"\1", SPRITE.read_text(encoding="utf-8"))
    return {symbol[1]: symbol[0] for symbol in re.finditer(r'<symbol id="(\w+)".*?</symbol>', plain)}


class _Drawing:
    """The shapes of a picture, one upon the other."""

    def __init__(self) -> None:
        self.shapes: list[_Rect | _Circle | _Path | _Text | _Card] = []

    def rect(
        self, box: Box, fill: str, radius: float = 0, stroke: str = "", stroke_width: float = 1.5
    ) -> None:
        self.shapes.append(_Rect(box.x, box.y, fill, box.width, box.height, radius, stroke, stroke_width))

    def circle(self, x: float, y: float, radius: float, fill: str) -> None:
        self.shapes.append(_Circle(x, y, fill, radius))

    def path(self, d: str, fill: str, stroke: str = "", stroke_width: float = 3) -> None:
        self.shapes.append(_Path(d, fill, stroke, stroke_width))

    def text(
        self, text: str, x: float, y: float, size: float, fill: str = LIGHT, anchor: str = "start"
    ) -> None:
        if text:
            self.shapes.append(_Text(x, y, fill, text, size, anchor))

    def star(self, x: float, y: float, size: float, fill: str) -> None:
        at = f"translate({x:.1f} {y:.1f}) scale({size / 20})"
        self.shapes.append(_Path(STAR, fill, transform=at))

    def card(self, face: Face, x: float, y: float, width: float) -> None:
        colour = SUIT_COLOURS.get(face.suit, "#1b1e23")
        self.shapes.append(_Card(face.code, x, y, width, width * ASPECT, colour))

    def svg(self) -> str:
        used = dict.fromkeys(shape.code for shape in self.shapes if isinstance(shape, _Card))
        return written(
            "picture.svg",
            {
                "width": WIDTH,
                "height": HEIGHT,
                "fonts": (lettering.latin().family, lettering.japanese().family),
                "cards": [_cards()[code] for code in used],
                "shapes": self.shapes,
            },
        )


def _fan(drawing: _Drawing, rows: Sequence[Sequence[Face]], box: Box) -> None:
    """A hand in its box: in one row or in two, whichever lets the cards be larger; indices always show."""
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


def _piles(drawing: _Drawing, piles: Sequence[Pile], box: Box) -> None:
    """The straw men beside the hand: what lies beneath peeps out on the right of the open card."""
    share = box.width / len(piles)
    width = min(box.height / ASPECT, (share - 12) / (1 + 3 * PEEK), 84.0)
    y = box.y + (box.height - width * ASPECT) / 2
    for n, pile in enumerate(piles):
        cards = [*([pile.top] if pile.top else []), *pile.under]
        x = box.x + n * share + 6
        for k, card in reversed(list(enumerate(cards))):
            drawing.card(card, x + k * width * PEEK, y, width)


def _plate(drawing: _Drawing, seat: SeatView, box: Box) -> None:
    """Letter, name, what the seat is in this deal, how many tricks it has; framed where it is on turn."""
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
        # Two cards, one upon the other, and how often.
        for dx, dy in ((0, -2), (5, 2)):
            drawing.rect(Box(x + dx, y + PLATE / 2 - 9 + dy, 11, 16), LIGHT, 2, PLATE_FILL, 1)
        drawing.text(tricks, x + 23, y + PLATE / 2 + 7, size, LIGHT)


def _seat(drawing: _Drawing, seat: SeatView, box: Box) -> None:
    _plate(drawing, seat, box)
    room = Box(box.x, box.y + PLATE + 2, box.width, box.height - PLATE - 4)
    if seat.piles:
        hand = room.width * 0.56
        _fan(drawing, seat.rows, Box(room.x, room.y, hand - 20, room.height))
        _piles(drawing, seat.piles, Box(room.x + hand, room.y, room.width - hand, room.height))
    else:
        _fan(drawing, seat.rows, room)


def _trick(drawing: _Drawing, trick: TrickView, box: Box) -> None:
    """The cards of the trick in the order of play, whose they are below; the winning one framed, ticked."""
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


def _row(drawing: _Drawing, cards: Sequence[Face], box: Box, largest: float) -> None:
    width = min(box.height / ASPECT, box.width / (1 + 0.5 * (len(cards) - 1)), largest)
    step = min(width * 1.06, (box.width - width) / max(len(cards) - 1, 1))
    x = box.x + (box.width - width - step * (len(cards) - 1)) / 2
    for n, card in enumerate(cards):
        drawing.card(card, x + n * step, box.y + (box.height - width * ASPECT) / 2, width)


def svg(position: TableView, about: str = "", *, steps: bool = True) -> str:
    """The picture of a position; ``about`` (an event, a date) stands beside the name of the game.

    With ``steps`` it says how many steps there are in all.
    """
    drawing = _Drawing()
    drawing.rect(Box(0, 0, WIDTH, HEIGHT), FELT_EDGE)
    drawing.rect(Box(0, BAR, WIDTH, HEIGHT - BAR), FELT)
    drawing.rect(Box(0, 0, WIDTH, BAR), BAR_FILL)
    fraction = f"{position.step} / {position.steps}" if steps else str(position.step)
    drawing.text(fraction, WIDTH - 24, 42, 28, DIM, "end")
    used = lettering.width(fraction, 28) + 60
    if position.view:
        # An eye, and whose.
        x = WIDTH - used - 30
        drawing.text(position.view, x, 42, 28, MARK)
        drawing.path(f"M{x - 52} 31q21 -19 42 0q-21 19 -42 0z", "none", MARK)
        drawing.circle(x - 31, 31, 6.5, MARK)
        used += 110
    # The same name for everybody: a picture has no language, so it can be kept and shared by caches.
    name = game(position.game).name
    drawing.text(name, 24, 44, 34)
    at = 24 + lettering.width(name, 34) + 24
    drawing.text(lettering.fit(about, 26, WIDTH - at - used), at, 43, 26, DIM)
    boxes, middle = places(position.size)
    for seat in position.seats:
        _seat(drawing, seat, boxes[seat.slot])
    trick = position.trick if position.trick and position.trick.plays else None
    talon = position.talon
    if trick and talon:
        # The talon that nobody took lies beside the trick to the end.
        _row(drawing, talon, Box(middle.x, middle.y + 40, middle.width * 0.2, middle.height - 80), 40)
        middle = Box(middle.x + middle.width * 0.22, middle.y, middle.width * 0.78, middle.height)
    elif talon:
        _row(drawing, talon, middle, 84)
    if trick:
        _trick(drawing, trick, middle)
    return drawing.svg()


def png(picture: str, width: int = WIDTH) -> bytes:
    """The PNG of an SVG made here, ``width`` pixels wide; needs no font of the system."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=picture,
            width=width,
            skip_system_fonts=True,
            font_files=lettering.files("".join(re.findall(r"<text[^>]*>([^<]*)", picture))),
        )
    )
