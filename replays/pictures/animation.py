"""Animated WebP files made of several pictures of a table."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image

from replays.pictures import drawing

WIDTH = 800
MOST = 600_000
"""Maximum size of an animation, in bytes."""
_QUALITIES = (75, 50, 25, 5)
"""WebP qualities to try until a file is small enough. Three tricks of eight seats (25 frames) take 370 kB."""


def webp(pictures: Sequence[str], seconds: Sequence[float]) -> bytes:
    """Return the SVGs as an animated WebP that repeats forever. `seconds`: how long to show each picture."""
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
