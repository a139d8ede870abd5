"""Write the letter widths of the two fonts for names: `python -m tools.advances`. The site needs them to draw
names into preview pictures. A test compares `advances.json` with the fonts."""

from __future__ import annotations

import json

from fontTools.ttLib import TTFont

from replays.pictures.lettering import ADVANCES, FOLDER


def measured(name: str) -> dict[str, str]:
    """Map each letter width in a font, in thousandths of the font size, to the letters that have it."""
    font = TTFont(FOLDER / name)
    found: dict[str, str] = {}
    for code, glyph in sorted(font.getBestCmap().items()):
        if chr(code).isprintable():
            advance = str(round(1000 * font["hmtx"][glyph][0] / font["head"].unitsPerEm))
            found[advance] = found.get(advance, "") + chr(code)
    return found


def advances() -> str:
    """Return the content of `advances.json`."""
    fonts = {path.name: measured(path.name) for path in sorted(FOLDER.glob("*.ttf"))}
    return json.dumps(fonts, ensure_ascii=False, indent=0) + "\n"


if __name__ == "__main__":
    ADVANCES.write_text(advances(), encoding="utf-8")
