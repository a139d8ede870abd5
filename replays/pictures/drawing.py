"""Pictures of 1200 by 630 pixels for link previews, drawn as SVG and rendered as PNG."""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

import resvg_py
from markupsafe import escape

from replays.pictures import lettering
from replays.site.sprites import SPRITE, symbols
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


class Box(NamedTuple):
    """A rectangle on the picture."""

    x: float
    y: float
    width: float
    height: float


@functools.cache
def _cards() -> dict[str, str]:
    """Map card codes to SVG symbols. CSS custom properties are replaced by their defaults, because the
    renderer does not support them."""
    return {code: re.sub(r"var\(--[\w-]+,(#\w+)\)", r"\1", card) for code, card in symbols(SPRITE).items()}


def colour_of(points: int) -> str:
    """Return the colour for points won or lost."""
    return GAIN if points > 0 else LOSS if points < 0 else LIGHT


def _box(x: float, y: float, width: float, height: float) -> str:
    return f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'


def _fill(fill: str, stroke: str = "", stroke_width: float = 0) -> str:
    return f'fill="{fill}"' + (f' stroke="{stroke}" stroke-width="{stroke_width}"' if stroke else "")


class Drawing:
    """The SVG shapes of a picture, in drawing order. They begin with the felt and a bar along the top."""

    def __init__(self, bar: float) -> None:
        self._shapes: list[str] = []
        self._symbols: dict[str, str] = {}
        self.rect(Box(0, 0, WIDTH, HEIGHT), FELT)
        self.rect(Box(0, 0, WIDTH, bar), BAR_FILL)
        self.rect(Box(0, bar, WIDTH, 4), FELT_EDGE)

    def rect(
        self, box: Box, fill: str, radius: float = 0, stroke: str = "", stroke_width: float = 1.5
    ) -> None:
        painted = _fill(fill, stroke, stroke_width)
        self._shapes.append(f'<rect {_box(*box)} rx="{radius}" {painted}/>')

    def circle(self, x: float, y: float, radius: float, fill: str) -> None:
        self._shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" {_fill(fill)}/>')

    def path(self, d: str, fill: str, stroke: str = "", stroke_width: float = 3) -> None:
        self._shapes.append(f'<path d="{d}" {_fill(fill, stroke, stroke_width)}/>')

    def text(
        self, text: str, x: float, y: float, size: float, fill: str = LIGHT, anchor: str = "start"
    ) -> None:
        if text:
            how = f'font-size="{size}" {_fill(fill)} text-anchor="{anchor}"'
            self._shapes.append(f'<text x="{x:.1f}" y="{y:.1f}" {how}>{escape(text)}</text>')

    def star(self, x: float, y: float, size: float, fill: str) -> None:
        at = f"translate({x:.1f} {y:.1f}) scale({size / 20})"
        self._shapes.append(f'<path d="{STAR}" transform="{at}" {_fill(fill)}/>')

    def line(self, points: str, stroke: str, stroke_width: float) -> None:
        """Draw a line through points, written as in `x,y x,y`."""
        self.path(f"M{points.replace(' ', 'L')}", "none", stroke, stroke_width)

    def card(self, face: Face, x: float, y: float, width: float) -> None:
        self._symbols[face.code] = _cards()[face.code]
        colour = SUIT_COLOURS.get(face.suit, "#1b1e23")
        self._shapes.append(
            f'<use href="#{face.code}" {_box(x, y, width, width * ASPECT)} color="{colour}"/>'
        )

    def svg(self) -> str:
        size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
        fonts = ", ".join(font.family for font in lettering.fonts())
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}\n font-family="{fonts}"><defs>'
        # Clipping each card would take a fifth of the time to render a picture.
        cards = "".join(self._symbols.values()).replace("<symbol", '<symbol overflow="visible"')
        return "\n".join([head, f"{cards}</defs>", *self._shapes, "</svg>"])


def png(picture: str, width: int = WIDTH) -> bytes:
    """Render the SVG `picture` as a PNG that is `width` pixels wide, without using system fonts."""
    fonts = lettering.files("".join(re.findall(r"<text[^>]*>([^<]*)", picture)))
    drawn = resvg_py.svg_to_bytes(svg_string=picture, width=width, skip_system_fonts=True, font_files=fonts)
    return bytes(drawn)
