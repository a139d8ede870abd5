"""Clauses in the reader's language, split into paragraphs, lists, notation and references."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from django.utils.translation import get_language

from replays.language.cards import pack
from tarock.core.cards import CARDS, in_hand_order, parse_card
from tarock.view import cards as faces
from tarock.view.cards import Face
from tarock.words import clauses
from tarock.words.clauses import Clause, book_names


def clause(slug: str | None) -> Clause | None:
    """Return the clause with this slug in the reader's language, or None if the slug is unknown."""
    return clauses.find(slug or "", get_language() or "en")


class Piece(NamedTuple):
    """A part of a line."""

    kind: str
    """`text`, `code` (notation), or `clause` (a reference, with the slug as its text)."""
    text: str
    clause: Clause | None = None


class Block(NamedTuple):
    """A paragraph with one line, or a list with one line per item."""

    listed: bool
    lines: list[list[Piece]]


_CODE_OR_SLUG = re.compile(rf"`([^`]*)`|(?<![\w.-])((?:{'|'.join(book_names())})\.[a-z]+(?:-[a-z]+)*)")


def blocks(text: str) -> Iterator[Block]:
    """Yield the paragraphs and lists of a clause's text or reason."""
    for paragraph in text.split("\n\n"):
        plain: list[str] = []
        items: list[str] = []
        for line in paragraph.split("\n"):
            if line.startswith("- "):
                items.append(line[2:])
            elif items:
                items[-1] += " " + line
            else:
                plain.append(line)
        if plain:
            yield Block(False, [_pieces(" ".join(plain))])
        if items:
            yield Block(True, [_pieces(item) for item in items])


def _pieces(line: str) -> list[Piece]:
    pieces, at = [], 0
    for match in _CODE_OR_SLUG.finditer(line):
        code, slug = match.groups()
        named = clause(slug)
        if slug and named is None:
            continue
        pieces.append(Piece("text", line[at : match.start()]))
        pieces.append(Piece("clause", slug, named) if slug else Piece("code", code))
        at = match.end()
    pieces.append(Piece("text", line[at:]))
    return [piece for piece in pieces if piece.text]


MOST_CARDS = 3
_CARD = re.compile(r"\b(?:T\d{1,2}|[SHDC](?:10|[1-9KQCJ]))\b")
_TAROCK = re.compile(r"\btarock ([IVX]+)\b")
_TRULL = ("T0", "T21", "T1")


def cards_of(clause: Clause) -> list[Face]:
    """Return the first few cards, in hand order, that a clause mentions by code, as a tarock with its number,
    or by a trull card's name.
    The search uses the English text, because other languages decline the names."""
    english = clauses.clause(clause.slug)
    text, called = f"{english.title} {english.text} {english.record}", faces.pack(clause.game, "en")
    codes = {code for code in _CARD.findall(text) if parse_card(code) is not None}
    codes |= {CARDS[card] for name in _TAROCK.findall(text) if (card := parse_card(name)) is not None}
    codes |= {c for c in _TRULL if re.search(rf"\b{called[c].name.partition(' (')[0]}\b", text)}
    return [pack(clause.game)[code] for code in in_hand_order(codes)[:MOST_CARDS]]
