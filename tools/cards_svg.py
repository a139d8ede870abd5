"""Drawings of the cards: one SVG sprite with a symbol for each of the 78 cards and for the back.

`python -m tools.cards_svg` writes `replays/static/replays/cards.svg`, and `cards-de.svg` … for languages with
other letters on the court cards; a test compares the files with this module. Digits and letters are paths, so
that a card needs no font. Parts in the colour of the suit use `currentColor`, so that a style sheet can
choose two or four colours. Custom properties set the colours of paper, ink and gold.

A card is 100 units wide and 160 units high. Index and suit sign are in the upper left corner, where a fanned
hand shows them, and upside down in the lower right corner.
"""

from __future__ import annotations

import math
import re

from replays.site.sprites import sprite_file
from tarock.core.cards import roman

WIDTH, HEIGHT = 100, 160
SUITS = "SHDC"
COURTS = "KQCJ"

LETTERS: dict[str, str] = {"de": "KDCB", "cs": "KDCJ"}
"""Letters on the court cards, for languages that don't use K Q C J: König, Dame, Cavall, Bube; král, dáma.
The Czech kaval and kluk also begin with a K, so their cards have the C and J of international packs."""

INK = "var(--card-ink,#22252b)"
PAPER = "var(--card-paper,#fffdf8)"
TAROCK_PAPER = "var(--card-tarock-paper,#f3eefc)"
GOLD = "var(--card-gold,#e0a92e)"
SKIN = "#f6d8ba"
LINE = "var(--card-line,#8d8a83)"

# Digits and letters as strokes in a box 22 high: (width, path).
GLYPHS: dict[str, tuple[float, str]] = {
    "0": (14, "M7 0A6 11 0 0 0 7 22A6 11 0 0 0 7 0Z"),
    "1": (9, "M1 5L7 0V22"),
    "2": (14, "M1 6A6 6 0 0 1 13 6C13 10.5 9 13.5 1 22H13.5"),
    "3": (14, "M1.5 0H12.5L6 8.7A6.6 6.7 0 1 1 1 19"),
    "4": (14, "M10 22V0L0.5 15.5H14"),
    "5": (14, "M12 0H3L2 9.6A6.4 6.5 0 1 1 1 19.5"),
    "6": (14, "M10.5 0C5 4.5 1 10 1 15.5A6 6.5 0 0 0 13 15.5A6 6.5 0 0 0 1 15.5"),
    "7": (14, "M1 0H13L5 22"),
    "8": (14, "M7 0A5.2 5.2 0 0 0 7 10.4A5.2 5.2 0 0 0 7 0ZM7 10.4A6.2 5.8 0 0 0 7 22A6.2 5.8 0 0 0 7 10.4Z"),
    "9": (14, "M3.5 22C9 17.5 13 12 13 6.5A6 6.5 0 0 0 1 6.5A6 6.5 0 0 0 13 6.5"),
    "K": (14, "M2 0V22M13 0L2 13M6 9L13.5 22"),
    "Q": (15, "M7.5 0A6.7 11 0 0 0 7.5 22A6.7 11 0 0 0 7.5 0ZM9 16L14.5 23"),
    "B": (14, "M2 0V22H7A6 5.9 0 0 0 7 10.2A5.1 5.1 0 0 0 7 0H2M2 10.2H7"),
    "C": (14, "M13 5A6.6 11 0 1 0 13 17"),
    "D": (14, "M2 0V22H5A8.5 11 0 0 0 5 0Z"),
    "J": (12, "M4 0H11V15.5A5 6.5 0 0 1 1 15.5V14"),
}
STROKE = 3.9

# Letters of a tarock's Roman numeral, as filled shapes in a box 24 high: (width, path).
ROMAN: dict[str, tuple[float, str]] = {
    "I": (10, "M0.5 0H9.5V1.8H7.2V22.2H9.5V24H0.5V22.2H2.8V1.8H0.5Z"),
    "V": (
        20,
        "M0 0H8.8V1.8H6.9L11.3 16.9L15 1.8H12.6V0H19.8V1.8H17.4L11.4 24H9.2L2 1.8H0Z",
    ),
    "X": (
        20,
        "M0 0H8.9V1.8H7.2L10.7 8.6L14 1.8H12V0H19.2V1.8H16.5L11.8 10.9L18 22.2H20V24H10.8V22.2H12.7"
        "L8.8 14.7L4.9 22.2H7.2V24H0V22.2H2.4L7.7 12.7L1.8 1.8H0Z",
    ),
}

# Suit signs in a box 20 by 20.
SIGNS: dict[str, str] = {
    "S": "M10 0C11 4.6 19.2 8 19.2 13.2A4.4 4.4 0 0 1 11.4 15.9C11.5 17.6 12.2 19 13.8 20H6.2"
    "C7.8 19 8.5 17.6 8.6 15.9A4.4 4.4 0 0 1 0.8 13.2C0.8 8 9 4.6 10 0Z",
    "H": "M10 20C8.8 15.4 0.6 11.6 0.6 5.6A4.9 4.9 0 0 1 10 3.8A4.9 4.9 0 0 1 19.4 5.6"
    "C19.4 11.6 11.2 15.4 10 20Z",
    "D": "M10 0C11.8 3.8 14.6 7.2 17.8 10C14.6 12.8 11.8 16.2 10 20C8.2 16.2 5.4 12.8 2.2 10"
    "C5.4 7.2 8.2 3.8 10 0Z",
    "C": "M10 0.2A4.4 4.4 0 0 1 13.3 7.5A4.5 4.5 0 1 1 11.2 14.6C11.4 17 12.2 19 13.8 20H6.2"
    "C7.8 19 8.6 17 8.8 14.6A4.5 4.5 0 1 1 6.7 7.5A4.4 4.4 0 0 1 10 0.2Z",
}
STAR = "M10 0L12.6 6.6L19.6 7L14.2 11.5L16 18.4L10 14.6L4 18.4L5.8 11.5L0.4 7L7.4 6.6Z"

_TOKEN = re.compile(r"[MLHVCQAZ]|-?\d*\.?\d+")
_ARITY = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4, "A": 7, "Z": 0}


def _number(value: float) -> str:
    """Format a coordinate with at most one decimal place; screens show no finer detail of a card."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def place(path: str, x: float, y: float, sx: float = 1.0, sy: float | None = None) -> str:
    """Return the path (absolute commands `MLHVCQAZ`) scaled by `sx`, `sy` and then moved to `x`, `y`. Two
    negative factors turn it upside down. Raise ValueError if only one is negative, because arcs
    can't be mirrored."""
    sy = sx if sy is None else sy
    if (sx < 0) != (sy < 0):
        raise ValueError("a mirrored path is not supported")
    tokens = _TOKEN.findall(path)
    out: list[str] = []
    i, command = 0, ""
    while i < len(tokens):
        if tokens[i] in _ARITY:
            command = tokens[i]
            i += 1
        values = [float(t) for t in tokens[i : i + _ARITY[command]]]
        i += _ARITY[command]
        if command == "H":
            moved = [x + values[0] * sx]
        elif command == "V":
            moved = [y + values[0] * sy]
        elif command == "A":
            rx, ry, turn, large, sweep, ax, ay = values
            moved = [rx * abs(sx), ry * abs(sy), turn, large, sweep, x + ax * sx, y + ay * sy]
        else:
            moved = [v * sx + x if k % 2 == 0 else v * sy + y for k, v in enumerate(values)]
        out.append(command + " ".join(_number(v) for v in moved))
    return "".join(out)


def turned(path: str) -> str:
    """Return the path rotated by 180° around the card's centre, for the lower half of the card."""
    return place(path, WIDTH, HEIGHT, -1, -1)


def _row(glyphs: dict[str, tuple[float, str]], text: str, gap: float) -> tuple[float, str]:
    """Return the width and path of a text, set from the origin with `gap` between its glyphs."""
    x, parts = 0.0, []
    for letter in text:
        width, path = glyphs[letter]
        parts.append(place(path, x, 0))
        x += width + gap
    return x - gap, "".join(parts)


def _index(text: str, sign: str | None) -> str:
    """Draw both corner indices: the rank as strokes, and below it the sign (if any) as a filled shape."""
    width, path = _row(GLYPHS, text, 4.2)
    scale = 1.22 if len(text) == 1 else 1.16
    across = min(scale, 25 / width) if len(text) > 1 else scale
    rank = place(path, 8.5 if len(text) > 1 else 9, 9.5, across, scale)
    out = (
        f'<path d="{rank}{turned(rank)}" fill="none" stroke="currentColor" stroke-width="{STROKE}" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )
    if sign:
        mark = place(sign, 7, 43, 1.04)
        out += f'<path d="{mark}{turned(mark)}" fill="currentColor"/>'
    return out


def _paper(fill: str) -> str:
    return (
        f'<rect x="1" y="1" width="98" height="158" rx="9" fill="{fill}" stroke="{LINE}" stroke-width="2"/>'
    )


_TAROCK_SHEET = (
    _paper(TAROCK_PAPER)
    + '<rect x="5" y="5" width="90" height="150" rx="6" fill="none" stroke="currentColor" '
    'stroke-width="1.2" opacity=".55"/>'
)

# Positions of the pips on the numeral cards. In the lower half, the pips are upside down.
_L, _M, _R = 39.5, 50.0, 60.5
_PIPS: dict[int, list[tuple[float, float]]] = {
    1: [(_M, 80)],
    2: [(_M, 44), (_M, 116)],
    3: [(_M, 44), (_M, 80), (_M, 116)],
    4: [(_L, 50), (_R, 50), (_L, 110), (_R, 110)],
    5: [(_L, 50), (_R, 50), (_M, 80), (_L, 110), (_R, 110)],
    6: [(_L, 50), (_R, 50), (_L, 80), (_R, 80), (_L, 110), (_R, 110)],
    7: [(_L, 48), (_R, 48), (_M, 64), (_L, 80), (_R, 80), (_L, 112), (_R, 112)],
    8: [(_L, 48), (_R, 48), (_M, 64), (_L, 80), (_R, 80), (_M, 96), (_L, 112), (_R, 112)],
    9: [*((x, y) for y in (42, 67, 93, 118) for x in (_L, _R)), (_M, 80)],
    10: [*((x, y) for y in (42, 67, 93, 118) for x in (_L, _R)), (_M, 54.5), (_M, 105.5)],
}


def pip_card(suit: str, rank: int) -> str:
    """Draw a numeral card: its index, and a suit sign for each pip."""
    size = 2.1 if rank == 1 else 1.2 if rank <= 3 else 0.9 if rank <= 8 else 0.76
    pips, half = [], 10 * size
    for x, y in _PIPS[rank]:
        up = 1 if y <= HEIGHT / 2 else -1
        pips.append(place(SIGNS[suit], x - up * half, y - up * half, up * size))
    return f'{_paper(PAPER)}<path d="{"".join(pips)}" fill="currentColor"/>{_index(str(rank), SIGNS[suit])}'


def _shape(path: str, fill: str, stroke: str = INK, width: float = 1.3) -> str:
    return (
        f'<path d="{path}" fill="{fill}" stroke="{stroke}" stroke-width="{width}" stroke-linejoin="round"/>'
    )


def _dots(points: list[tuple[float, float]], radius: float, fill: str) -> str:
    path = "".join(
        f"M{_number(x - radius)} {_number(y)}A{radius} {radius} 0 1 0 {_number(x + radius)} {_number(y)}"
        f"A{radius} {radius} 0 1 0 {_number(x - radius)} {_number(y)}Z"
        for x, y in points
    )
    return f'<path d="{path}" fill="{fill}"/>'


def _rotated(drawing: str) -> str:
    return f'<g transform="rotate(180 50 80)">{drawing}</g>'


_ROBE = "M24 80C26 66 36 59 47 57H63C76 59 86 66 88 80Z"
_COLLAR = "M40 59Q55 75 70 59L66 55.5Q55 66 44 55.5Z"
_HEAD = "M45 36A10 11.5 0 0 0 65 36V34A10 10 0 0 0 45 34Z"


def _king(suit: str) -> str:
    hair = "M42.5 33Q41 46 44 51H66Q69 46 67.5 33Z"
    beard = "M45 38Q44 56 55 59Q66 56 65 38Q62 43 55 42Q48 43 45 38Z"
    crown = "M43 30L39.5 13L48 20.5L55 10.5L62 20.5L70.5 13L67 30Z"
    sceptre = "M79.5 79V40H82.5V79Z"
    return (
        _shape(sceptre, GOLD)
        + _shape(place(SIGNS[suit], 71.5, 21, 0.95), "currentColor", INK, 1)
        + _shape(_ROBE, "currentColor")
        + _shape("M48 57L43 80H67L62 57Z", GOLD)
        + _shape(_COLLAR, PAPER)
        + _dots([(46.5, 62), (51, 66), (55, 67.6), (59, 66), (63.5, 62)], 1, INK)
        + _shape(hair, "#a9794a")
        + _shape(_HEAD, SKIN)
        + _shape(beard, "#a9794a")
        + _shape("M51 46Q55 44 59 46Q55 49 51 46Z", "#c4685d", INK, 0.7)
        + _dots([(51.2, 36), (58.8, 36)], 1.3, INK)
        + _shape(crown, GOLD)
        + _dots([(39.5, 12.5), (55, 9.5), (70.5, 12.5)], 2.4, GOLD)
        + _dots([(55, 25.5), (48.5, 26), (61.5, 26)], 1.6, "currentColor")
    )


def _queen(suit: str) -> str:
    hair = "M44 33A11 12 0 0 1 66 33C68 44 72 50 75 60Q68 66 62 58H48Q42 66 35 60C38 50 42 44 44 33Z"
    tiara = "M44 27L45 17L50 22L55 13L60 22L65 17L66 27Q55 22.5 44 27Z"
    flower = _dots(
        [(80 + 4.3 * math.cos(a), 46 + 4.3 * math.sin(a)) for a in (0.3, 1.56, 2.8, 4.1, 5.3)],
        3.3,
        "currentColor",
    )
    return (
        '<path d="M80 48V80M80 66Q86 64 88 58" fill="none" stroke="#4f8a4c" stroke-width="2"/>'
        + flower
        + _dots([(80, 46)], 2.4, GOLD)
        + _shape(hair, "#d59a3c")
        + _shape(_ROBE, "currentColor")
        + _shape("M45 57.5Q55 76 65 57.5L60.5 55V48H49.5V55Z", SKIN)
        + _dots([(47.4, 60.6), (50.4, 64), (55, 65.6), (59.6, 64), (62.6, 60.6)], 1.5, GOLD)
        + _shape("M51 72H59L57.5 80H52.5Z", GOLD)
        + _shape("M46 34A9 12 0 0 0 64 34A9 9 0 0 0 46 34Z", SKIN)
        + _shape("M45 35Q46 26 55 25.5Q64 26 65 35Q60 31 55 27.5Q50 31 45 35Z", "#d59a3c", INK, 1)
        + _dots([(51.3, 36.5), (58.7, 36.5)], 1.2, INK)
        + '<path d="M52.4 42.4Q55 44.8 57.6 42.4Q55 41.2 52.4 42.4Z" fill="#c0392b"/>'
        + _shape(tiara, GOLD)
        + _dots([(45, 16.5), (55, 12.5), (65, 16.5)], 1.9, PAPER)
        + _dots([(55, 21)], 1.5, "currentColor")
    )


def _cavalier(suit: str) -> str:
    horse = (
        "M36 80C36 74 38 70 37 66L30 70Q24 76 18 72L15 66C18 58 25 51 31 45L33 36L39 43C50 48 56 60 57 80Z"
    )
    mane = "M39 43C50 48 56 60 57 80H63C64 62 56 48 43 41Z"
    hat = "M47 26Q62 17 78 26L74 28.5Q62 24 51 28.5Z"
    return (
        _shape("M50 80C50 68 54 60 60 57H68C80 60 86 68 87 80Z", "currentColor")
        + _shape("M62 57L60 80H71L69 57Z", GOLD)
        + _shape("M54 34Q52 44 55 48H71Q74 44 72 34Z", "#7a5230")
        + _shape("M54.5 33A8.5 11 0 0 0 71.5 33A8 8 0 0 0 54.5 33Z", SKIN)
        + _dots([(60, 34.5), (66.5, 34.5)], 1.2, INK)
        + '<path d="M58.5 40Q63.2 37.6 68 40" fill="none" stroke="#7a5230" stroke-width="2" '
        'stroke-linecap="round"/>'
        + _shape("M54 26Q54 15 63 15Q71 15 71.5 26Q62 22.5 54 26Z", "currentColor")
        + _shape("M70 20Q82 8 89 16Q86 26 72 25Z", PAPER)
        + _shape(hat, GOLD)
        + _shape(mane, "#8a5a33")
        + _shape(horse, "#c99a62")
        + _dots([(30, 55)], 1.6, INK)
        + _dots([(19.5, 67)], 1.1, INK)
        + '<path d="M25 63L33 68M28 50Q34 58 34.5 68M33 62Q46 70 52 80" fill="none" stroke="currentColor" '
        'stroke-width="2"/>'
    )


def _jack(suit: str) -> str:
    beret = "M41 28Q38 17 52 15Q68 12 70 24Q70 28 66 29Q55 24 44 30Z"
    return (
        _shape("M82 79V30H84.5V79Z", "#8a5a33")
        + _shape("M83.2 16L86.5 30H80ZM80 32Q72 33 71 44Q76 40 80 41ZM86.5 32L91 36L86.5 40Z", "#c8ccd2")
        + _shape("M43 31Q40 47 45 52H65Q70 47 67 31Z", "#5b3d26")
        + _shape(_ROBE, "currentColor")
        + _shape("M55 60L34 80H42L55 68L68 80H76Z", GOLD)
        + _shape("M45 57Q55 64 65 57L62 53H48Z", PAPER)
        + _shape(_HEAD, SKIN)
        + _shape("M45 36Q45 28 55 28Q65 28 65 36Q62 31.5 55 31.5Q48 31.5 45 36Z", "#5b3d26", INK, 1)
        + _dots([(51.4, 37.5), (58.6, 37.5)], 1.2, INK)
        + f'<path d="M52 42.5Q55 44.5 58 42.5" fill="none" stroke="{INK}" stroke-width="1.1" '
        'stroke-linecap="round"/>'
        + _shape(beret, "currentColor")
        + _shape("M47 22Q36 20 33 8Q46 7 52 19Z", GOLD)
    )


_FIGURES = {"K": _king, "Q": _queen, "C": _cavalier, "J": _jack}


def court_card(suit: str, rank: str, letter: str = "") -> str:
    """Draw a court card: a half figure, drawn twice, and the index with `letter` or, if empty, `rank`."""
    half = f"<g>{_FIGURES[rank](suit)}</g>"
    return (
        f"{_paper(PAPER)}{half}{_rotated(half)}"
        f'<path d="M12 80H88" stroke="{INK}" stroke-width="1.6"/>{_index(letter or rank, SIGNS[suit])}'
    )


def _number_plate(number: int) -> str:
    """Draw the Roman numeral in the middle, at most 40 high, and as large as the card's width allows."""
    width, path = _row(ROMAN, roman(number), 1.6)
    scale = min(40 / 24, 80 / width)
    tall = min(40 / 24, scale * 1.25)
    return f'<path d="{place(path, 50 - width * scale / 2, 80 - 12 * tall, scale, tall)}" fill="{INK}"/>'


def _rays(count: int, upper: bool) -> str:
    """Return the path of `count` leaves that fan out above the number or, if `upper` is false, below it."""
    spread, radius, length, side = math.radians(88), 43.0, 9.5, 4.2
    step = min(spread / max(count - 1, 1), math.radians(20))
    leaves = []
    for k in range(count):
        angle = (k - (count - 1) / 2) * step + (0 if upper else math.pi)
        ux, uy = math.sin(angle), -math.cos(angle)
        x, y = 50 + radius * ux, 80 + (radius + 3) * uy
        inner = f"{_number(x - ux * length)} {_number(y - uy * length)}"
        outer = f"{_number(x + ux * length)} {_number(y + uy * length)}"
        left = f"{_number(x + uy * side)} {_number(y - ux * side)}"
        right = f"{_number(x - uy * side)} {_number(y + ux * side)}"
        leaves.append(f"M{inner}Q{left} {outer}Q{right} {inner}Z")
    return "".join(leaves)


_PAGAT = (  # the juggler's wand, cup and balls
    _shape("M38 52L42 34H60L64 52Z", "currentColor")
    + _shape("M36 52H66V56H36Z", GOLD)
    + _dots([(51, 26)], 5, GOLD)
    + _dots([(76, 53)], 4, "currentColor")
    + f'<path d="M66 44L84 22" stroke="{INK}" stroke-width="3" stroke-linecap="round"/>'
    + _dots([(84, 22)], 3, GOLD)
)
_MOND = (  # a moon, because the name suggests one to players
    _shape("M58 12A22 22 0 1 0 76 48A18 18 0 1 1 58 12Z", GOLD)
    + _dots([(50.5, 31)], 1.7, INK)
    + f'<path d="M51 43Q54 46 58 45" fill="none" stroke="{INK}" stroke-width="1.6" stroke-linecap="round"/>'
    + f'<path d="{place(STAR, 66, 22, 0.6)}" fill="currentColor"/>'
)


def tarock_card(number: int) -> str:
    """Draw a tarock: its number in Roman numerals, and that number of leaves. Pagat, Mond and Fool have
    pictures."""
    if number == 0:
        return fool_card()
    if picture := {1: _PAGAT, 21: _MOND}.get(number):
        body = f"<g>{picture}</g>{_rotated(picture)}"
    else:
        rays = _rays((number + 1) // 2, True) + _rays(number // 2, False)
        body = f'<path d="{rays}" fill="{GOLD}" stroke="currentColor" stroke-width=".9"/>'
    return f"{_TAROCK_SHEET}{body}{_number_plate(number)}{_index(str(number), None)}"


def fool_card() -> str:
    """Draw the Fool (Sküs, Bättler): a jester with cap and bells, and a star as the index."""
    half = (
        "<g>"
        + _shape("M22 80C25 68 38 62 50 62H58C72 62 84 68 86 80Z", "currentColor")
        + _shape("M54 62H58C72 62 84 68 86 80H54Z", GOLD)
        + _shape("M32 62L38 70L43 63L48 72L54 64L60 72L65 63L70 70L76 62Q66 54 54 54Q42 54 32 62Z", PAPER)
        + _shape("M42 36A12 15 0 0 0 66 36Q54 28 42 36Z", SKIN)
        + _shape("M41 40Q41 29 54 29V14Q44 16 38 22Q30 26 27 39Q34 34 38 36Q40 37 41 40Z", "currentColor")
        + _shape("M67 40Q67 29 54 29V14Q64 16 70 22Q78 26 81 39Q74 34 70 36Q68 37 67 40Z", GOLD)
        + _shape("M47 22Q50 8 60 7Q56 12 61 22Q57 17 54 17Q50 17 47 22Z", "#c0392b")
        + _dots([(27, 42), (81, 42), (61, 6.5)], 3.2, GOLD)
        + "".join(
            f'<path d="M{x - 3.2} {y}A3.2 3.2 0 1 0 {x + 3.2} {y}A3.2 3.2 0 1 0 {x - 3.2} {y}Z" fill="none" '
            f'stroke="{INK}" stroke-width="1.1"/>'
            for x, y in ((27, 42), (81, 42), (61, 6.5))
        )
        + _dots([(49.4, 39), (58.6, 39)], 1.5, INK)
        + '<path d="M47.5 44Q54 51 60.5 44Q54 47 47.5 44Z" fill="#c0392b"/>'
        + "</g>"
    )
    star = place(STAR, 7.5, 8.5, 1.15)
    return (
        f"{_TAROCK_SHEET}{half}{_rotated(half)}"
        f'<path d="M12 80H88" stroke="{INK}" stroke-width="1.6"/>'
        f'<path d="{star}{turned(star)}" fill="currentColor"/>'
    )


def back() -> str:
    """Draw the back of a card: a lattice."""
    lattice = []
    for k in range(-HEIGHT, WIDTH + HEIGHT, 12):
        # Falling and rising lines within the frame 10…90 by 10…150.
        x1, y1 = max(10, k), 10 + max(0, 10 - k)
        x2 = min(90, k + 140)
        y2 = 10 + (x2 - k)
        if x1 < x2 and y1 < 150:
            y2 = min(150, y2)
            x2 = min(x2, x1 + y2 - y1)
            lattice.append(f"M{x1} {y1}L{x2} {y1 + x2 - x1}")
            lattice.append(f"M{100 - x1} {y1}L{100 - x2} {y1 + x2 - x1}")
    return (
        f'{_paper("var(--card-back,#2d4f7c)")}<rect x="8" y="8" width="84" height="144" rx="5" fill="none" '
        f'stroke="var(--card-back-line,#dfe8f3)" stroke-width="2"/><path d="{"".join(lattice)}" fill="none" '
        f'stroke="var(--card-back-line,#dfe8f3)" stroke-width="1.6" opacity=".75"/>'
    )


def faces(language: str = "en") -> dict[str, str]:
    """Return the content of every symbol by its name: the 78 card codes, and `back`."""
    drawn: dict[str, str] = {}
    for suit in SUITS:
        for rank, letter in zip(COURTS, LETTERS.get(language, COURTS), strict=True):
            drawn[suit + rank] = court_card(suit, rank, letter)
        for number in range(10, 0, -1):
            drawn[f"{suit}{number}"] = pip_card(suit, number)
    for number in range(22):
        drawn[f"T{number}"] = tarock_card(number)
    drawn["back"] = back()
    return drawn


def sprite(language: str = "en") -> str:
    """Return the whole sprite, with the letters of a language on the court cards."""
    symbols = "\n".join(
        f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{body}</symbol>'
        for name, body in faces(language).items()
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{symbols}\n</svg>\n'


if __name__ == "__main__":
    for spoken in ("en", *LETTERS):
        sprite_file(spoken).write_text(sprite(spoken), encoding="utf-8")
