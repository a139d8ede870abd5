"""Generate the overview of the rules in `docs/rules.md` from the clause texts.

`python -m tarock.words.rulebook` prints the overview. A test compares the file with the output.
"""

from __future__ import annotations

import sys

from tarock.games import GAMES
from tarock.words.clauses import Book, Clause, books
from tarock.words.rule_sets import Cell, rule_sets

_INTRODUCTION = """\
# The rules

<!-- Made by `python -m tarock.words.rulebook`; a test compares. Change the texts instead. -->

Every rule by which the archive checks or scores a deal is a **clause**. Its name, the slug, never changes. A
finding names the clause that was broken, and a score line names the clause that it follows from. The full
texts are on the site's rules pages, in the API (`/api/v1/clauses/<slug>`) and in the command line
(`tarock rules <slug>`).

The clauses follow four documents, one for each game. Where a document is silent, garbled or has lost a list
or a digit, the archive had to decide. Each such decision is a **ruling**; all of them are
[listed below](#rulings) with their reasons, so that a club can see where its own custom may differ.
"""


_ORIGINS = (
    "S: the source says so. I: inferred. A: the source is silent, so the value of the source rules applies,",
    "converted by the price of a card point. Values without a letter are the defaults.",
)


def _game(book: Book) -> list[str]:
    native = ", ".join(dict.fromkeys(f"{name} ({code})" for code, name in book.native))
    lines = [f"## {book.name}", "", book.description, ""]
    if native:
        lines += [f"- Native name: {native}", f"- Players: {book.seats}", f"- Pack: {book.pack}"]
    lines += [f"- Source: {book.document}", ""]
    if book.game in GAMES:
        lines += _options(book.game)
    for section in book.sections:
        lines += [f"**{section.title}**", ""]
        lines += [f"- `{c.slug}` {c.title}{_mark(c)}" for c in section.clauses]
        lines.append("")
    return lines


def _options(game: str) -> list[str]:
    """Return the table of a game's options. Columns: option, default, possible values, meaning, clause. Then
    the table of its published rule sets, with the options in which one differs."""
    found = rule_sets(game)
    lines = ["**Options**", "", "| option | default | values | meaning | clause |"]
    lines.append("| --- | --- | --- | --- | --- |")
    for row in found.rows:
        option = row.option
        cells = (f"`{option.slug}`", row.default, option.expected, row.meaning, f"`{option.clause}`")
        lines.append(f"| {' | '.join(cells)} |")
    if not found.profiles:
        return [*lines, "", f"Published rule sets: `{game}-seed@1`, which has no options.", ""]
    names = [f"`{profile.name}`" for profile in found.profiles]
    lines += ["", f"**Published rule sets** (`{game}-seed@1` has no options)", ""]
    lines += [f"| option | source rules | {' | '.join(names)} |", f"| --- | --- |{' --- |' * len(names)}"]
    notes: list[str] = []
    for row in (row for row in found.rows if row.differs):
        values = [_value(cell, notes) for cell in row.cells]
        lines.append(f"| {' | '.join([f'`{row.option.slug}`', row.default, *values])} |")
    lines += ["", *_ORIGINS, ""]
    lines += [f"- Source of {name}: {source}" for name, source in zip(names, found.sources, strict=True)]
    lines += [f"- {number}: {note}" for number, note in enumerate(notes, 1)]
    return [*lines, ""]


def _value(cell: Cell, notes: list[str]) -> str:
    """Return a value with its origin and the number of its reason. Add a new reason to `notes`."""
    if cell.reason and cell.reason not in notes:
        notes.append(cell.reason)
    number = f" ({notes.index(cell.reason) + 1})" if cell.reason else ""
    return f"{cell.value} {cell.origin}{number}".strip()


def _mark(clause: Clause) -> str:
    return f" ([ruling](#{anchor(clause.slug)}))" if clause.is_ruling else ""


def anchor(slug: str) -> str:
    """Return the id that most Markdown renderers give to a heading that is a slug."""
    return slug.replace(".", "")


def overview() -> str:
    """Return the text of `docs/rules.md`: the games with their clauses, and all rulings with reasons."""
    lines = [_INTRODUCTION]
    every = books()
    for book in (*every[1:], every[0]):
        lines += _game(book)
    lines += ["## Rulings", ""]
    for book in (*every[1:], every[0]):
        found = [clause for clause in book.clauses if clause.is_ruling]
        lines += [f"### {book.name}: {len(found)} rulings", ""]
        for clause in found:
            lines += [f"#### {clause.slug}", "", f"**{clause.title}.** {clause.reason}", ""]
            lines += [f"*{clause.source}*", ""]
    return "\n".join(lines).rstrip("\n") + "\n"


if __name__ == "__main__":
    sys.stdout.write(overview())
