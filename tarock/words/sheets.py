"""Lines of a score sheet as text, generated from the description of the fields (`tarock.core.outcome`).

>>> sheet_line("taroky", ("points", "bidder", 60), Names("taroky"))
'Card points, bidder’s side: 60'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tarock.core.game import SEATS
from tarock.core.outcome import Field, Part, Word
from tarock.core.record import Line
from tarock.games import GAMES
from tarock.words.sentences import Names, number

#: Table of word names → kind of thing that the words name (`Names.name`).
_KINDS = {
    "contracts": "contract",
    "sides": "side",
    "items": "item",
    "stakes": "stake",
    "cards": "card",
    "sheet_words": "sheet_word",
}


def sheet_row(game: str, line: Line, names: Names) -> tuple[str, str]:
    """Return the label and the statement of a sheet line, as text: (“Card points, bidder’s side”, “60”). The
    statement is empty for a line that has only a label. The line may be incomplete."""
    one = GAMES[game].table.OUTCOME.fields()[str(line[0])]
    given = list(word_names(one, line[1:], names))
    key = one.key if len(given) > one.key else 0
    comma = names.between("comma")
    return comma.join((names.name("field", one.name), *given[:key])), comma.join(given[key:])


def sheet_line(game: str, line: Line, names: Names) -> str:
    """Return a sheet line as text: “Card points, bidder’s side: 60”."""
    label, stated = sheet_row(game, line, names)
    form = str(names.words["sheet_line"])
    return form.format(field=label, words=stated) if stated else label


def words_of_line(line: Line, names: Names) -> str:
    """Return the statement of a sheet line, including its key: “bidder’s side, 60”; “…” if the line breaks
    off before its first word; the name of the field if the field has no words."""
    one = GAMES[names.game].table.OUTCOME.fields()[str(line[0])]
    if not one.parts:
        return names.name("field", one.name)
    return names.between("comma").join(word_names(one, line[1:], names)) or "…"


def syntax(one: Field, seat: str = "SEAT", items: str = "ITEM") -> str:
    """Return the syntax of a field's lines: `points bidder|opponents|SEAT 0–70`. Optional words are in
    brackets. `seat`, `items`: placeholders for a seat and for the declarations of a game."""
    return " ".join((one.name, *(_choices(part, seat, items) for part in one.parts)))


def _choices(part: Part, seat: str, items: str) -> str:
    choices = [*part.words, *([seat] if part.seats else [])]
    if part.number:
        choices.append("{}–{}".format(*part.number))
    text = ("|".join(choices) or items) + (" …" if part.many else "")
    return f"[{text}]" if part.optional else text


def word_names(one: Field, given: Iterable[Word], names: Names) -> Iterator[str]:
    """Yield the names of the words in a line, after the name of the field."""
    for at, word in enumerate(given):
        yield word_name(one, at, word, names)


def word_name(one: Field, at: int, word: Word, names: Names) -> str:
    """Return the name of a word in a line. `at`: position of the word after the name of the field, from 0."""
    part = one.parts[min(at, len(one.parts) - 1)]
    if isinstance(word, int):
        form = names.words["sheet_numbers"].get(one.name)
        # Only trick numbers need words of their own (“trick 3”), so other numbers have no form.
        return str(form).format(nth=number(word)) if form else number(word)
    if part.seats and word in SEATS:
        return names.name("seat", word)
    return names.name(_KINDS[part.table], word, "alone" if part.table == "cards" else "")
