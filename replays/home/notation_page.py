"""The published notation as a page, with a complete deal and a score sheet of each game to copy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from replays.language import words
from replays.language.names import Names
from tarock.analysis.sheets import sheet_of
from tarock.core.outcome import Field, When
from tarock.games import GAMES, games
from tarock.notation import read, write_text
from tarock.words import names as naming
from tarock.words.sheets import sheet_row, syntax

SAMPLES = {
    "strohmann": "strohmann-2-rostopschin",
    "taroky": "taroky-05-troika-level-3",
    "troggu": "troggu-01-misere",
    "grosstarock": "grosstarock-2-bole",
}
"""The name of the sample deal on the page, by game. A game may have no sample."""

SHEETS = {
    "strohmann": "strohmann-2-rostopschin",
    "taroky": "taroky-07-pagat-re",
    "troggu": "troggu-06-forced-tappist",
    "grosstarock": "grosstarock-1-void-name",
}
"""The name of the sample deal whose score sheet is shown, by game."""


@cache
def samples() -> tuple[tuple[str, str], ...]:
    """Return the sample deals to show, at most one per game, each as game and text."""
    return tuple((game.id, _text(SAMPLES[game.id])) for game in games() if game.id in SAMPLES)


def _text(name: str) -> str:
    path = Path(settings.BASE_DIR) / "deploy" / "samples" / f"{name}.tgn"
    return path.read_text(encoding="utf-8")


def sheet_samples() -> Iterator[tuple[str, str, list[_Field]]]:
    """Yield the score sheets of sample deals, at most one per game: the game, the text, and the game's
    fields."""
    for game in games():
        if game.id in SHEETS:
            yield game.id, _sheet_text(SHEETS[game.id]), _fields(game.id)


@cache
def _sheet_text(name: str) -> str:
    record = read(_text(name))[0].record
    assert record is not None
    sheet = sheet_of(record)
    assert sheet is not None
    # The samples' comments are about the play, which a score sheet does not record, so drop the comments.
    return write_text(replace(sheet, comments={}))


_Field = tuple[str, str, str, bool]
"""Syntax, name and condition of a field of a score sheet, and whether the field is optional."""


def _fields(game: str) -> list[_Field]:
    names = Names(game, {})
    return [
        (
            syntax(one, _("seat"), "|".join(_of_many_forms(one, game))),
            naming.label(names.name("field", one.name)),
            words.listed((_when(found, names) for found in one.when), "semicolon"),
            one.optional,
        )
        for one in GAMES[game].table.OUTCOME.fields().values()
    ]


def _of_many_forms(one: Field, game: str) -> Iterator[str]:
    """Yield the syntax of each item a field allows: `tarocks:N` (number), `cavallery:S` (suit), `jacks`."""
    pattern = "".join(part.pattern for part in one.parts)
    for name in words.of(game)["items"] if pattern else ():
        forms = (f"{name}{end}" for end in ("", ":10", ":S"))
        found = [form for form in forms if re.fullmatch(pattern, form, re.ASCII)]
        yield from (form.replace(":10", ":N") for form in found[:1])


def _when(found: When, names: Names) -> str:
    """Describe the condition for a field: a number of players, or a value that another field must or must not
    have."""
    if found.field == "seats":
        return words.colon(_("Number of players"), words.listed(map(str, found.values)))
    name = naming.label(names.name("field", found.field))
    if None in found.values:
        return _("not together with “%(field)s”") % {"field": name}
    lines = ((found.field, value) for value in found.values)
    return words.colon(name, words.listed(sheet_row(names.game, line, names)[1] for line in lines))
