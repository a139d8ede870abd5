"""Write the icons of the installable app from the site's logo: `python -m tools.icons`."""

from __future__ import annotations

from pathlib import Path

import resvg_py

STATIC = Path(__file__).resolve().parent.parent / "replays" / "static" / "replays"
SIZES = (192, 512)


def icon(size: int) -> bytes:
    """Return the logo on the site's green as a PNG, with a margin for phones that crop it to a circle."""
    favicon = (STATIC / "favicon.svg").read_text(encoding="utf-8").strip()
    mark = favicon.partition(">")[2].removesuffix("</svg>")
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 56 56">'
        '<rect width="56" height="56" fill="#1d5c48"/>'
        f'<svg x="12" y="12" width="32" height="32" viewBox="0 0 32 32">{mark}</svg></svg>'
    )
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size))


if __name__ == "__main__":
    for size in SIZES:
        (STATIC / f"icon-{size}.png").write_bytes(icon(size))
