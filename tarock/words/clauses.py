"""The texts of the rules. Each rule that an event can break or a score line can cite is a clause.

A clause is identified by its slug, `<game>.<name>` or `common.<name>`, which never changes. Findings and
score lines carry the slug; the rules pages, the command line and the API show its text. The texts are data
files, stored with their game in `games/<game>/texts/<language>.json`; texts common to all games are in
`texts/<language>.json`. English is complete; a text missing in another language falls back to English.

A data file maps each slug to an object:

`title`, `text`
    The text is a list of paragraphs. It is plain, except that a line in a paragraph that begins with `- `
    is a list item, that words between back-ticks are notation, and that a slug named in it is a reference.
`record`
    Paragraphs about how the rule is written in a record, for clauses with a notation of their own. The
    `text` is for players and has no notation.
`kind`
    `seed` (the game's document says so), `ruling` (the archive had to decide), or `seed+ruling` (both).
`reason`
    For rulings: the gap in the document, and the decision.
`place` or `source`
    The place of the rule in the game's document; or, for a rule without one, its source.

`_game` introduces the game and names its document; `_sections` groups the slugs in reading order.

`_words` holds the names of things: tables such as `contracts`, `phases`, `items` or `verbs`, and single words
such as `fool`. `units` has the names of the units, and `unit_amounts` amounts with their unit in all number
forms, the last also for numbers with decimals. `profiles` has the names of published rule sets, and `origins`
the reasons for their values and the notes on their sources. A word can contain placeholders such as `{card}`.
A table whose name ends in `_nom`, `_acc` or `_dat` holds the words with their article or in that case, if
they differ. `sheet_fields` names the fields of a score sheet, and `sheet_words` the words in its lines that
are in no other table. `sheet_numbers` has the words for a trick number in the lines of a field, with `{nth}`
for the number. See `words`.

`_terms` holds the glossary (`tarock.words.terms`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from tarock.core.options import Options
from tarock.games import GAMES

LANGUAGES: tuple[str, ...] = ("en", "de", "cs", "ja")
"""The languages of the clause texts; the first is the fallback for the others."""


WORD_TABLES: tuple[str, ...] = (
    "contracts",
    "phases",
    "results",
    "sides",
    "items",
    "raises",
    "stakes",
    "options",
    "profiles",
    "origins",
    "qualifiers",
    "verbs",
    "native",
    "sheet_fields",
    "sheet_words",
    "sheet_numbers",
)
"""Tables of words that every game has. A table that a game does not need is empty."""

KINDS: tuple[str, ...] = ("seed", "ruling", "seed+ruling")
"""Possible origins of a clause: the game's document, a decision of the archive, or both."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of the rules, in one language."""

    slug: str
    """Name of the clause, which never changes: `taroky.follow`."""
    game: str
    """The game's id, or `common`."""
    title: str
    rule: str
    """Text of the rule, for players. Paragraphs are separated by blank lines; the module's docstring
    describes the markup."""
    text: str
    """The rule and, if it has options, their values."""
    record: str
    """How the rule is written in a record; empty for a clause without a notation of its own."""
    kind: str
    """One of `KINDS`."""
    reason: str
    """For rulings: the gap in the document and the decision of the archive. Empty for `seed`."""
    source: str
    """The document and the place in it."""

    @property
    def is_ruling(self) -> bool:
        """Whether this clause contains a decision of the archive."""
        return self.kind != "seed"

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """Paragraphs of the text."""
        return tuple(self.text.split("\n\n"))


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the rules: clauses of one game under a heading, in reading order."""

    id: str
    title: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """The rules of one game, or the rules common to all games, in one language: introduction and clauses."""

    game: str
    """The game's id, or `common`."""
    name: str
    native: tuple[tuple[str, str], ...]
    """Native names of the game, as (language, name)."""
    description: str
    seats: str
    pack: str
    document: str
    """The source of the rules: author, year, and earlier sources."""
    sections: tuple[Section, ...]
    by_slug: Mapping[str, Clause]

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """All clauses, in reading order."""
        return tuple(self.by_slug.values())


def book_names() -> tuple[str, ...]:
    """Return the names of all rule books in order: `common`, then each game."""
    return ("common", *GAMES)


def load(game: str, language: str) -> dict[str, Any]:
    """Return the contents of the data file of `game` (or `common`) in `language`; empty if there is no file.

    The texts of a game are in the same package as its rules. Raises `KeyError` for any other name.
    """
    package = "tarock.words" if game == "common" else GAMES[game].folder
    file = resources.files(package) / "texts" / (language + ".json")
    if not file.is_file():
        return {}
    data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return data


def _options_part(slug: str, options: Options | None, language: str) -> str:
    """Return the paragraph about the options that a clause reads, each with its value; empty without any.
    `options`: values, by default those of the source rules."""
    game = slug.partition(".")[0]
    if game not in GAMES:
        return ""
    rules, said = GAMES[game].info.rules, words(game, language)
    values = options or rules.default()
    lines = [
        said["option_line"].format(word=values.word(one), what=said["options"][one])
        for one, option in rules.table().items()
        if slug in option.clauses
    ]
    return "\n- ".join(["\n\n" + said["option_lines"], *lines]) if lines else ""


def by_options(slug: str, options: Options, language: str) -> Clause:
    """Return the clause with this slug, whose text says the values that its options have in a deal. Raises
    `KeyError` if there is no such clause."""
    found, language = clause(slug, language), short_code(language)
    return replace(found, text=found.rule + _options_part(slug, options, language))


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "\n\n".join(text)


# The text files do not change while the program runs. Without the cache, each clause lookup takes 0.7 ms.
@cache
def _book(game: str, language: str) -> Book:
    original = load(game, LANGUAGES[0])
    translated = load(game, language) if language != LANGUAGES[0] else {}
    about: dict[str, Any] = {**original["_game"], **translated.get("_game", {})}
    titles: dict[str, str] = translated.get("_sections", {})

    def make(slug: str) -> Clause:
        entry: dict[str, Any] = {**original[slug], **translated.get(slug, {})}
        place, rule = entry.get("place"), _joined(entry["text"])
        return Clause(
            slug=slug,
            game=game,
            title=entry["title"],
            rule=rule,
            text=rule + _options_part(slug, None, language),
            record=_joined(entry.get("record", "")),
            kind=entry["kind"],
            reason=_joined(entry.get("reason", "")),
            source=f"{about['document']}: {place}" if place else entry["source"],
        )

    sections = tuple(
        Section(row["id"], titles.get(row["id"], row["title"]), tuple(map(make, row["clauses"])))
        for row in original["_sections"]
    )
    return Book(
        game=game,
        name=about["name"],
        native=tuple((code, name) for code, name in about["native"]),
        description=about["description"],
        seats=about["seats"],
        pack=about["pack"],
        document=about["document"],
        sections=sections,
        by_slug=MappingProxyType({c.slug: c for section in sections for c in section.clauses}),
    )


def short_code(language: str) -> str:
    """Return the text language for `language`, which may include a region (`de-AT`); English by default."""
    code = language.partition("-")[0].lower()
    return code if code in LANGUAGES else LANGUAGES[0]


def book(game: str, language: str = "en") -> Book:
    """Return the rules of `game` (or `common`) with introduction and sections.

    `language` may include a region (`de-AT`). An unknown language, or a text missing in a known language,
    falls back to English. Raises `KeyError` for a game that has no rules here.
    """
    if game not in book_names():
        raise KeyError(game)
    return _book(game, short_code(language))


def books(language: str = "en") -> tuple[Book, ...]:
    """Return the rules of all games, starting with the common rules."""
    return tuple(book(game, language) for game in book_names())


def clause(slug: str, language: str = "en") -> Clause:
    """Return the clause with this slug in `language`; texts missing in that language are in English.

    Raises `KeyError` if there is no such clause.
    """
    return book(slug.partition(".")[0], language).by_slug[slug]


def find(slug: str, language: str = "en") -> Clause | None:
    """Return the clause with this slug, like `clause`, but return None if there is no such clause."""
    try:
        return clause(slug, language)
    except KeyError:
        return None


def clauses(game: str | None = None, language: str = "en") -> tuple[Clause, ...]:
    """Return the clauses of one game (or `common`) in reading order; without `game`, all clauses.

    Raises `KeyError` for a game that has no rules here.
    """
    if game is not None:
        return book(game, language).clauses
    return tuple(c for b in books(language) for c in b.clauses)


def _over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Merge two mappings, including nested tables. Values in `above` override those in `below`."""
    merged = {**below, **above}
    for key, table in above.items():
        if isinstance(table, Mapping) and isinstance(below.get(key), Mapping):
            merged[key] = {**below[key], **table}
    return merged


# Like the clauses, the words do not change. Without the cache, each word that a page uses takes 0.9 ms.
@cache
def _words(game: str, language: str) -> Mapping[str, Any]:
    merged: dict[str, Any] = {table: {} for table in WORD_TABLES}
    for name in dict.fromkeys(("common", game)):
        for code in dict.fromkeys((LANGUAGES[0], language)):
            merged = _over(merged, load(name, code).get("_words", {}))
    return MappingProxyType(
        {key: MappingProxyType(word) if isinstance(word, dict) else word for key, word in merged.items()}
    )


def words(game: str, language: str = "en") -> Mapping[str, Any]:
    """Return the words for things in `game` (or `common`). A game's own words override the common words.

    A value is a word or a table of words; the tables in `WORD_TABLES` are always present. `language` is
    handled as in `book`. Raises `KeyError` for a game that has no texts here.

    >>> words("troggu")["talon"], words("troggu", "de")["verbs"]["call"].format(card="Herz-König")
    ('Tapp', 'ruft Herz-König')
    """
    if game not in book_names():
        raise KeyError(game)
    return _words(game, short_code(language))
