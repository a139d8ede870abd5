"""Pictures of 1200 by 630 pixels for link previews, drawn as SVG and rendered as PNG."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

import resvg_py

from replays.pictures import lettering
from replays.site.jinja import written
from replays.site.sprites import SPRITE
from tarock.view.cards import Face

WIDTH, HEIGHT = 1200, 630
ASPECT = 1.6
"""Height of a card divided by its width."""
FELT, FELT_EDGE, BAR_FILL, PLATE_FILL = "#2e6a53", "#1f4c3b", "#14352a", "#163a2d"
LIGHT, DIM, MARK = "#f4f8f4", "#b9cfc4", "#ffd34d"
GAIN, LOSS = "#8fe3ad", "#ffaca6"
SUIT_COLOURS = {"S": "#1b1e23", "H": "#c01f33", "D": "#c01f33", "C": "#1b1e23", "T": "#47378a"}
STAR = "M10 0L12.6 6.6L19.6 7L14.2 11.5L16 18.4L10 14.6L4 18.4L5.8 11.5L0.4 7L7.4 6.6Z"
"""The SVG path of a star, 20 units wide and high."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the picture."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class _Shape:
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
    """Map card codes to SVG symbols. CSS custom properties are replaced by their defaults, because the
    renderer does not support them."""
    plain = re.sub(r"var\(--[\w-]+,(#\w+)\)", r"\1", SPRITE.read_text(encoding="utf-8"))
    return {symbol[1]: symbol[0] for symbol in re.finditer(r'<symbol id="(\w+)".*?</symbol>', plain)}


def colour_of(points: int) -> str:
    """Return the colour for points won or lost."""
    return GAIN if points > 0 else LOSS if points < 0 else LIGHT


class Drawing:
    """The shapes of a picture, from bottom to top. It begins with the felt and a bar along the top."""

    def __init__(self, bar: float) -> None:
        self.shapes: list[_Rect | _Circle | _Path | _Text | _Card] = []
        self.rect(Box(0, 0, WIDTH, HEIGHT), FELT)
        self.rect(Box(0, 0, WIDTH, bar), BAR_FILL)
        self.rect(Box(0, bar, WIDTH, 4), FELT_EDGE)

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

    def line(self, points: str, stroke: str, stroke_width: float) -> None:
        """Draw a line through points, written as in `x,y x,y`."""
        self.shapes.append(_Path(f"M{points.replace(' ', 'L')}", "none", stroke, stroke_width))

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


def png(picture: str, width: int = WIDTH) -> bytes:
    """Return the SVG of a picture as PNG, `width` pixels wide. No system fonts are used."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=picture,
            width=width,
            skip_system_fonts=True,
            font_files=lettering.files("".join(re.findall(r"<text[^>]*>([^<]*)", picture))),
        )
    )
