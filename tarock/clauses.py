"""The texts of the rules: one clause for each thing an event can break or a score line can cite.

A clause is named by its slug, ``<game>.<name>`` or ``common.<name>``, which never changes: findings and score
lines carry it, and the rules pages, the command line and the API show the text behind it. The texts are data,
``data/clauses/<language>/<game>.json``; English is complete, and where another language lacks a text the
English one is given.

The data file of a game maps each slug to an object:

``title``, ``text``
    The text is a list of paragraphs. It is plain, except that a line in a paragraph that begins with ``- ``
    is a list item, that words between back-ticks are notation, and that a slug named in it is a reference.
``kind``
    ``seed`` (the game's document says so), ``ruling`` (the archive had to decide), or ``seed+ruling`` (both).
``reason``
    For rulings: what the document leaves open, and what was decided.
``place`` or ``source``
    Where in the game's document the rule stands; or, for what stands in none, where it comes from instead.

``_game`` introduces the game and names its document; ``_sections`` groups the slugs in reading order.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

LANGUAGES: tuple[str, ...] = ("en", "de", "cs", "ja")
"""The languages that clause texts can be asked for; the first is the one the others fall back to."""

BOOKS: tuple[str, ...] = ("common", "strohmann", "taroky", "troggu", "grosstarock")
"""The data files, in the order in which the rules are shown: what is common to all games, then each game."""

KINDS: tuple[str, ...] = ("seed", "ruling", "seed+ruling")
"""Where a clause comes from: the game's document, a decision of the archive, or both."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of the rules, in one language."""

    slug: str
    """The name that never changes: ``taroky.follow``."""
    game: str
    """The game's id, or ``common``."""
    title: str
    text: str
    """The rule. Paragraphs are separated by blank lines; see the module for the little markup in it."""
    kind: str
    """One of :data:`KINDS`."""
    reason: str
    """For rulings: what the document leaves open and what the archive decided. Empty for ``seed``."""
    source: str
    """The document and the place in it, for people to look it up."""
    section: str
    """The id of the section of the rules it stands in: ``deal``, ``bidding`` …"""
    section_title: str

    @property
    def is_ruling(self) -> bool:
        """Whether the archive had to decide something here."""
        return self.kind != "seed"

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """The text's paragraphs."""
        return tuple(self.text.split("\n\n"))


@dataclass(frozen=True, slots=True)
class Section:
    """Some clauses of one game under a heading, in reading order."""

    id: str
    title: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """The rules of one game, or what is common to all, in one language: introduction and clauses."""

    game: str
    """The game's id, or ``common``."""
    name: str
    native: tuple[tuple[str, str], ...]
    """What the game is called where it comes from: (language, name)."""
    description: str
    seats: str
    pack: str
    document: str
    """The document that the rules are taken from: author, year, and whom it follows."""
    sections: tuple[Section, ...]
    by_slug: Mapping[str, Clause]

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """All clauses, in reading order."""
        return tuple(self.by_slug.values())


def _load(game: str, language: str) -> dict[str, Any]:
    """The data file of ``game`` in ``language``; empty if that language has none."""
    file = resources.files("tarock") / "data" / "clauses" / language / (game + ".json")
    if not file.is_file():
        return {}
    data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return data


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "\n\n".join(text)


@cache
def _book(game: str, language: str) -> Book:
    original = _load(game, LANGUAGES[0])
    translated = _load(game, language) if language != LANGUAGES[0] else {}
    about: dict[str, Any] = {**original["_game"], **translated.get("_game", {})}
    titles: dict[str, str] = translated.get("_sections", {})

    def make(slug: str, section: str, section_title: str) -> Clause:
        entry: dict[str, Any] = {**original[slug], **translated.get(slug, {})}
        place = entry.get("place")
        return Clause(
            slug=slug,
            game=game,
            title=entry["title"],
            text=_joined(entry["text"]),
            kind=entry["kind"],
            reason=_joined(entry.get("reason", "")),
            source=f"{about['document']}: {place}" if place else entry["source"],
            section=section,
            section_title=section_title,
        )

    sections = []
    for row in original["_sections"]:
        title = titles.get(row["id"], row["title"])
        sections.append(
            Section(row["id"], title, tuple(make(slug, row["id"], title) for slug in row["clauses"]))
        )
    return Book(
        game=game,
        name=about["name"],
        native=tuple((code, name) for code, name in about["native"]),
        description=about["description"],
        seats=about["seats"],
        pack=about["pack"],
        document=about["document"],
        sections=tuple(sections),
        by_slug=MappingProxyType({c.slug: c for section in sections for c in section.clauses}),
    )


def book(game: str, language: str = "en") -> Book:
    """The rules of ``game`` (or ``common``) with introduction and sections.

    ``language`` may carry a region (``de-AT``). An unknown language, and what a known one has no text for, is
    in English. Raises :class:`KeyError` for a game that has no rules here.
    """
    if game not in BOOKS:
        raise KeyError(game)
    code = language.partition("-")[0].lower()
    return _book(game, code if code in LANGUAGES else LANGUAGES[0])


def books(language: str = "en") -> tuple[Book, ...]:
    """The rules of all games, what is common to them first."""
    return tuple(book(game, language) for game in BOOKS)


def clause(slug: str, language: str = "en") -> Clause:
    """The clause of that slug, in ``language`` or, where that has no text for it, in English.

    Raises :class:`KeyError` for a slug that is no clause.
    """
    game = slug.partition(".")[0]
    if game not in BOOKS:
        raise KeyError(slug)
    return book(game, language).by_slug[slug]


def clauses(game: str | None = None, language: str = "en") -> tuple[Clause, ...]:
    """The clauses of one game (or ``common``) in reading order; without ``game``, of all of them.

    Raises :class:`KeyError` for a game that has no rules here.
    """
    if game is not None:
        return book(game, language).clauses
    return tuple(c for b in books(language) for c in b.clauses)


def rulings(game: str | None = None, language: str = "en") -> tuple[Clause, ...]:
    """The clauses where the archive had to decide, each with its ``reason``, in reading order."""
    return tuple(c for c in clauses(game, language) if c.is_ruling)
