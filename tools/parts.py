"""The scripts of the table, made of their parts: `python -m tools.parts` joins them.

A page requests one file; a test compares each file with its parts.
"""

from __future__ import annotations

from pathlib import Path

REPLAYS = Path(__file__).resolve().parent.parent / "replays"
FILES = {
    "replay.js": ("table.js", "panel.js", "steps.js", "moves.js", "hands.js"),
    "board/table.js": ("table.js", "panel.js"),
    "opening.js": ("table.js", "opening.js"),
}
"""Each file with its parts in their order."""


def joined(name: str) -> str:
    """The contents of a file: its parts, one after the other."""
    return "".join((REPLAYS / "parts" / part).read_text(encoding="utf-8") for part in FILES[name])


def path(name: str) -> Path:
    """Where the file lies for the site."""
    return REPLAYS / "static" / "replays" / name


if __name__ == "__main__":
    for file in FILES:
        path(file).write_text(joined(file), encoding="utf-8")
