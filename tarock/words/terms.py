"""The glossary: words of the table that a newcomer doesn't know, explained in a sentence or two.

The terms are in the text files, in the table `_terms`; those of all games are in `words/texts`. A term has
its `word`, an explanation as `text`, and in `forms` its other forms in the sentences of that language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from tarock.words.clauses import LANGUAGES, load, short_code


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the glossary. `slug` is the same in all languages."""

    slug: str
    word: str
    text: str
    forms: tuple[str, ...]


def terms(game: str, language: str = "en") -> tuple[Term, ...]:
    """Return the terms of a game, after those of all games. Languages are handled as in `clauses.book`."""
    found: dict[str, Term] = {}
    for name in ("common", game):
        for slug, row in load(name, short_code(language)).get("_terms", {}).items():
            found[slug] = Term(slug, row["word"], row["text"], tuple(row.get("forms", ())))
    return tuple(found.values())


# Japanese has no spaces between words, but a term in katakana ends where the katakana ends: “ダイヤモンド”, a
# suit, doesn't contain “モンド”.
_JAPANESE = (r"(?:(?<![ァ-ヶー])|(?![ァ-ヶ]))", r"(?:(?![ァ-ヶー])|(?<![ァ-ヶー]))")


# The text files do not change while the program runs. Without the cache, each marked text takes 0.8 ms.
@cache
def _pattern(game: str, language: str) -> tuple[re.Pattern[str], dict[str, Term]]:
    by_word: dict[str, Term] = {}
    for term in terms(game, language):
        for word in (term.word, *term.forms):
            by_word.setdefault(word, term)
            by_word.setdefault(word[0].upper() + word[1:], term)
    words = "|".join(map(re.escape, sorted(by_word, key=len, reverse=True)))
    edges = _JAPANESE if language == LANGUAGES[-1] else (r"(?<!\w)", r"(?!\w)")
    return re.compile(f"{edges[0]}(?:{words}){edges[1]}" if words else "(?!)"), by_word


def marked(text: str, game: str, language: str = "en") -> Iterator[tuple[str, Term | None]]:
    """Yield a sentence in pieces, each with the term that it is a form of, or with None.

    >>> [(piece, term and term.slug) for piece, term in marked("She says flek.", "taroky")]
    [('She says ', None), ('flek', 'flek'), ('.', None)]
    >>> [piece for piece, term in marked("ダイヤモンドとモンド", "strohmann", "ja") if term]
    ['モンド']
    """
    pattern, by_word = _pattern(game, short_code(language))
    start = 0
    for match in pattern.finditer(text):
        if match.start() > start:
            yield text[start : match.start()], None
        yield match[0], by_word[match[0]]
        start = match.end()
    if start < len(text):
        yield text[start:], None
