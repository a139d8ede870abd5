"""Model fields: keywords stored as small integers, compressed texts, names to search and sort by, users."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models

from tarock.core.game import UNKNOWN_GAME
from tarock.games import GAMES


def user_or_null() -> Any:
    """Return a field for the user who made a row; null if nobody was signed in or the account was deleted."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )


_LETTERS = str.maketrans("øłđæœ", "oldao")
"""Replacements for letters that Unicode doesn't decompose into a letter and a mark."""


def searchable(text: str) -> str:
    """Return a text in the form that searches compare. Two texts have the same form if they differ only in
    case (in any alphabet), in diacritical marks (“Dvorak” finds “Dvořák”), or in their encoding.

    This is the canonical caseless match of the Unicode standard (3.13, D145), except that it ignores marks.
    The databases can't do this: SQLite folds only ASCII letters, and PostgreSQL only those of its locale.
    """
    if text.isascii():
        return text.lower()  # same result, in a tenth of the time
    bare = re.sub("[\u0300-\u036f]", "", normalize("NFD", normalize("NFD", text).casefold()))
    return normalize("NFC", bare).translate(_LETTERS)


class SearchNameField(models.CharField):
    """The `searchable` form of the row's `searchable_name` or else `name`. Set by `save` and
    `bulk_create`."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        row: Any = model_instance
        value = searchable(getattr(row, "searchable_name", row.name))
        setattr(model_instance, self.attname, value)
        return value


# Not every PostgreSQL is built with ICU, and SQLite is not, so this module defines the sort order of names.
SORT_LETTERS = ("øØłŁđĐæÆœŒß", "oOlLdDaAoOs")
"""Letters that Unicode doesn't decompose, and the letters that replace them in sort keys."""
AFTER = "\U0010fffd"
"""A character that sorts after all letters, so that “c” followed by it sorts after “cz”."""


def sort_key(name: str, language: str) -> str:
    """Return the sort key of a name in a language. Marks are ignored, except that in Czech, č, ř, š and ž
    sort after c, r, s and z, and ch sorts after h."""
    key = normalize("NFKD", name)
    if language == "cs":
        key = re.sub("([cCrRsSzZ])\u030c", rf"\1{AFTER}", key)
    key = re.sub("[\u0300-\u036f]", "", key).translate(str.maketrans(*SORT_LETTERS)).lower()
    return key.replace("ch", f"h{AFTER}") if language == "cs" else key


class SortNameField(models.BinaryField):
    """The sort key of the row's display name in a language: its `sort_key`, then the name to break ties. Set
    by `save` and `bulk_create`. Stored as bytes, because all databases sort bytes alike."""

    def __init__(self, language: str = "en", *args: Any, **kwargs: Any) -> None:
        self.language = language
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        name, path, args, kwargs = super().deconstruct()
        return name, path, [self.language, *args], kwargs

    def pre_save(self, model_instance: models.Model, add: bool) -> bytes:
        value = self.of(getattr(model_instance, "display_name"))  # noqa: B009 - no attribute of every model
        setattr(model_instance, self.attname, value)
        return value

    def of(self, name: str) -> bytes:
        """Return the bytes stored for a name."""
        return f"{sort_key(name, self.language)}\0{name}".encode(errors="replace")


_DICTIONARY = Path(__file__).with_name("dictionary.txt").read_bytes()
"""Dictionary for zlib: a deal and two score sheets of each game. With it, a deal takes 310 bytes instead of
630, and a sheet 80 instead of 190. Never change it, because stored texts can't be read without it."""

# Texts of a few kB need only a low level, a small window and little memory. Each text needs a fresh copy.
_PACKER = zlib.compressobj(3, zlib.DEFLATED, 13, 5, zlib.Z_DEFAULT_STRATEGY, _DICTIONARY)


class PackedTextField(models.BinaryField):
    """A text compressed by zlib with a preset dictionary, because the texts resemble each other."""

    def from_db_value(self, value: bytes | None, *_: Any) -> str | None:
        return None if value is None else zlib.decompressobj(13, _DICTIONARY).decompress(value).decode()

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        return super().get_db_prep_value(self.pack(value), connection, prepared)

    @staticmethod
    def pack(value: str | bytes) -> bytes:
        """Compress a text. Return bytes unchanged, because they are already compressed."""
        if not isinstance(value, str):
            return value
        packer = _PACKER.copy()
        return packer.compress(value.encode()) + packer.flush()

    def get_default(self) -> str:
        return ""


class WordField(models.SmallIntegerField):
    """One of a few keywords, stored as its position in the list of keywords. An empty string is stored as
    null. Add new keywords only at the end of the list, because the database stores positions."""

    if TYPE_CHECKING:  # instances have the keyword itself, which Django's types can't express

        def __get__(self, row: models.Model, model: type[models.Model]) -> str: ...

        def __set__(self, row: models.Model, word: str) -> None: ...

    def __init__(self, *args: Any, words: Sequence[str], **kwargs: Any) -> None:
        self.words = tuple(words)
        self.numbers = {word: number for number, word in enumerate(self.words)}
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        name, path, args, kwargs = super().deconstruct()
        return name, path, args, {**kwargs, "words": self.words}

    def from_db_value(self, value: int | None, *_: Any) -> str:
        return "" if value is None else self.words[value]

    def to_python(self, value: Any) -> str:
        if value in (None, "", *self.words):
            return value or ""
        raise ValidationError(f"“{value}” is none of: {', '.join(self.words)}")

    def get_prep_value(self, value: Any) -> int | None:
        return value if isinstance(value, int) else self.number(value)

    def number(self, word: str | None) -> int | None:
        """Return the number stored for a keyword, or None for an empty string. Raise ValueError for an
        unknown keyword."""
        if not word:
            return None
        try:
            return self.numbers[word]
        except KeyError:
            raise ValueError(f"“{word}” is none of: {', '.join(self.words)}") from None

    def formfield(self, **kwargs: Any) -> Any:
        """Return None, because no form has a field for these keywords."""
        return None


class GameField(WordField):
    """The id of a game, stored as its position in the engine's list of games. The unknown game of a result
    has the number `UNKNOWN`, which does not depend on the length of this list."""

    UNKNOWN = 7  # the largest number with three bits, for `archive.storing.sheets.Place`

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, words=tuple(GAMES), **kwargs)
        self.numbers[UNKNOWN_GAME] = self.UNKNOWN

    def from_db_value(self, value: int | None, *_: Any) -> str:
        return UNKNOWN_GAME if value == self.UNKNOWN else super().from_db_value(value)

    def to_python(self, value: Any) -> str:
        return UNKNOWN_GAME if value == UNKNOWN_GAME else super().to_python(value)

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        """Omit the keywords, so that a new game needs no migration."""
        name, path, args, kwargs = super().deconstruct()
        del kwargs["words"]
        return name, path, args, kwargs
