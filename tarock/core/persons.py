"""Names of people, sessions and places: comparing names, and recognising the names of unknown players."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import count
from unicodedata import category, combining, normalize

_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")
"""Invisible characters: soft hyphen, zero-width space, word joiner, byte-order mark."""

_NO_LETTERS = re.compile(r"[.,'’‘ʼ`´′]")
"""Full stops, commas and apostrophes, which comparisons ignore."""

_BETWEEN_LETTERS = re.compile(r"(?<=\w)['’‘ʼ`´′](?=\w)")
"""Apostrophes within a word, which don't separate words: `D'Artagnan` is one word."""


def folded(name: str) -> str:
    """Return a name in the form in which names are stored and compared: in Unicode NFC, without invisible
    characters, with single spaces, and without whitespace at the ends.

    >>> folded("Ota\\u00a0 Maly\\u0301 ")
    'Ota Malý'
    """
    # Skip normalization for ASCII names, which are the most common and don't need it. Skip the substitution
    # for printable names, because invisible characters are not printable. Both together take 0.6 µs.
    text = name if name.isascii() else normalize("NFC", name)
    if not text.isprintable():
        text = _INVISIBLE.sub("", text)
    return " ".join(text.split())


def likeness(name: str) -> str:
    """Return a key for finding similar names. The key ignores case, accents, full stops, commas, apostrophes
    and word order. Names with equal keys may belong to the same person, but need not.

    >>> likeness("D’Artagnan, Ch.") == likeness("ch D'Artagnan")
    True
    """
    return " ".join(sorted(_words(name)))


def _words(name: str) -> list[str]:
    """Return the case-folded words of a name, without accents, full stops, commas and apostrophes."""
    bare = _BETWEEN_LETTERS.sub("", normalize("NFKD", name).casefold())
    return _NO_LETTERS.sub(" ", "".join(one for one in bare if not combining(one))).split()


_NOBODY = frozenset(
    "".join(_words(name))
    for name in (
        *("N.N.", "Unknown", "Unknown player"),
        *("Unbekannt", "Unbekannte", "Unbekannter", "Unbekannter Spieler", "Unbekannte Spielerin"),
        *("Neznámý", "Neznámá", "Neznámý hráč", "Neznámá hráčka"),
        *("不明", "不詳", "不明なプレイヤー", "名無し"),
    )
)
"""Names for an unknown player in the four languages, normalized and without spaces (see `is_nobody`)."""


def is_nobody(name: str) -> bool:
    """Return whether a name means an unknown player: it is empty, consists of punctuation (`?`, `-`), or
    is `N.N.` or a word such as “Unknown”.

    >>> [is_nobody(name) for name in ("", "??", "N. N.", "neznámý hráč", "Nina", "♥", "7")]
    [True, True, True, True, False, False, False]
    """
    return "".join(_words(name)) in _NOBODY or all(category(one)[0] in "PZC" or one == "−" for one in name)


def namesakes(players: Mapping[str, str]) -> list[tuple[str, tuple[str, ...]]]:
    """Return each name that several seats share, with its seats. Leave out the names of unknown players.

    >>> namesakes({"A": "Jan Novák", "B": "?", "C": "Jan  Novák", "D": "?"})
    [('Jan Novák', ('A', 'C'))]
    """
    names = list(map(folded, players.values()))
    if len(set(names)) == len(names):
        return []
    seats: dict[str, list[str]] = {}
    for seat, name in zip(players, names, strict=True):
        seats.setdefault(name, []).append(seat)
    return [(name, tuple(own)) for name, own in sorted(seats.items()) if len(own) > 1 and not is_nobody(name)]


def told_apart(names: Iterable[str]) -> list[str]:
    """Return the folded names of the players at a table, with a different name for each unknown player.

    >>> told_apart(["?", "Jan", "?", "N.N.", "N.N.", "Jan "])
    ['?', 'Jan', '??', 'N.N.', '???', 'Jan']
    """
    table: list[str] = []
    for name in map(folded, names):
        if name in table and is_nobody(name):
            name = next("?" * number for number in count(1) if "?" * number not in table)
        table.append(name)
    return table


def lookalikes(names: Iterable[str]) -> list[list[str]]:
    """Return sorted groups of different names that may belong to the same person (see `likeness`)."""
    groups: dict[str, set[str]] = {}
    for name in names:
        if not is_nobody(name):
            groups.setdefault(likeness(name), set()).add(folded(name))
    return sorted(sorted(group) for group in groups.values() if len(group) > 1)
