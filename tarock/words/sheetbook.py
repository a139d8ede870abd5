"""Generate the tables of fields in `docs/sheets.md` from the descriptions of the outcomes.

`python -m tarock.words.sheetbook docs/sheets.md` updates the tables of the page. A test checks that these are
current.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tarock.core.outcome import Field
from tarock.games import GAMES
from tarock.words.clauses import words
from tarock.words.sheets import syntax

#: A table in the page, between a line that names its game and an end line.
_TABLE = re.compile(r"(<!-- fields of (\w+) -->\n).*?(<!-- end -->\n)", re.DOTALL)


def table(game: str) -> str:
    """Return the fields of a game as a Markdown table."""
    kind, names = GAMES[game].table.OUTCOME, words(game)["sheet_fields"]
    rows = ["| Line | What it is | Needed | Lines | Clause |", "|---|---|---|---|---|"]
    for one in kind.fields().values():
        line = "sheet " + syntax(one).replace("|", "\\|")
        cells = (f"`{line}`", names[one.name], "; ".join(_needed(one)), _number(one), f"`{one.clause}`")
        rows.append("| " + " | ".join(cells) + " |")
    return "\n" + "\n".join(rows) + "\n\n"


def _needed(one: Field) -> Iterator[str]:
    yield "may be left out" if one.optional else "yes"
    for field, values in one.when:
        if field == "seats":
            yield "only with {} players".format(" or ".join(map(str, values)))
        elif None in values:
            yield f"not with `{field}`"
        else:
            yield "only with `{} {}`".format(field, "\\|".join(values))


def _number(one: Field) -> str:
    if not one.key:
        return "one"
    known = {"sides": "side or seat", "sheet_words": "word"}
    keys = [
        "seat" if part.seats and not part.words else known.get(part.table, part.table.removesuffix("s"))
        for part in one.parts
    ]
    return "one for each " + " and ".join(keys[: one.key]) + (", in order" if one.ordered else "")


def filled(page: str) -> str:
    """Return a page with its tables updated."""
    return _TABLE.sub(lambda found: found[1] + table(found[2]) + found[3], page)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
