"""Animated pictures: some pictures of a table, one after the other, as WebP."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image

from replays.pictures import drawing

WIDTH = 800
MOST = 600_000
"""Bytes of an animated picture."""
_QUALITIES = (75, 50, 25, 5)
"""One after the other, until it is small enough. Three tricks of eight seats have 25 pictures and 370 kB."""


def webp(pictures: Sequence[str], seconds: Sequence[float]) -> bytes:
    """Return an endless animation of some SVGs of a picture, each shown for a number of seconds."""
    frames = [Image.open(io.BytesIO(drawing.png(svg, WIDTH))).convert("RGB") for svg in pictures]
    made = b""
    for quality in _QUALITIES:
        file = io.BytesIO()
        frames[0].save(
            file,
            "WEBP",
            save_all=True,
            append_images=frames[1:],
            duration=[round(1000 * one) for one in seconds],
            loop=0,
            quality=quality,
            method=2,
        )
        made = file.getvalue()
        if len(made) <= MOST:
            break
    return made
