"""The options of a deal: the numbers and switches by which a table differs from the source of its rules.

Each game declares its options as the fields of a subclass of `Options`, next to the clauses that read them.
The parser, the JSON Schema, the documentation and the checks are derived from these declarations.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple, Self

Value = int | bool | str
#: Highest price of anything.
MOST = 100_000
#: Unit of the source rules.
POINT = "point"
#: Clause of the options that all games have, and of findings about options as a whole.
CLAUSE = "common.options"
_NUMBER = re.compile(r"0|[1-9]\d{0,8}", re.ASCII)
_WORD = re.compile(r"[a-z]{1,12}", re.ASCII)
_SWITCH = {"yes": True, "no": False}


def shown(value: Value) -> str:
    """Return a value as text: `yes` or `no` for a switch."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


class Option(NamedTuple):
    """The declaration of an option. Its kind is the kind of its default: a number, a switch or a word."""

    slug: str
    clause: str  # clause that reads the option
    default: Value
    low: int  # lowest and highest number
    high: int
    #: Another option and its value that make this option meaningless.
    idle: tuple[str, Value] | None = None
    also: tuple[str, ...] = ()  # other clauses that read the option
    of_source: bool = False  # whether the source itself leaves this to each table

    @property
    def clauses(self) -> tuple[str, ...]:
        """All clauses that read the option."""
        return (self.clause, *self.also)

    @property
    def kind(self) -> str:
        """`switch`, `number` or `word`."""
        return {bool: "switch", int: "number", str: "word"}[type(self.default)]

    @property
    def expected(self) -> str:
        """The possible values, for an error message."""
        return {"switch": "yes no", "number": f"{self.low}–{self.high}", "word": "a–z (1–12)"}[self.kind]

    @property
    def pattern(self) -> str:
        """Regular expression for the canonical words of the option, without the bounds of a number."""
        if self.kind == "switch":
            return self.word(not self.default)
        return f"{self.slug}=" + ("[a-z]{1,12}" if self.kind == "word" else "(?:0|[1-9][0-9]{0,5})")

    def read(self, text: str) -> Value | None:
        """Return the value that a text says, None if it says none of the possible values. The empty text is
        what a bare slug says: yes for a switch."""
        if self.kind == "switch":
            return _SWITCH.get(text or "yes")
        if self.kind == "word":
            return text if _WORD.fullmatch(text) else None
        return int(text) if _NUMBER.fullmatch(text) and self.low <= int(text) <= self.high else None

    def word(self, value: Value) -> str:
        """Return the option with a value as a canonical word of the notation."""
        if value is True:
            return self.slug
        return f"{self.slug}=no" if value is False else f"{self.slug}={value}"


def option(default: Any, clause: str = CLAUSE, low: int = 0, high: int = MOST, **more: Any) -> Any:
    """Return a dataclass field that declares an option. Take the same arguments as `Option`."""
    more |= {"clause": clause, "default": default, "low": low, "high": high}
    return field(default=default, metadata=more)


@dataclass(frozen=True)
class Options:
    """The values of the options of a deal. The options that all games have are declared here.

    `unit`: what 1 of the score is, as a label; `stake`: factor of every amount, before rounding and cap.
    """

    unit: str = option(POINT)
    stake: int = option(1, low=1, high=1000)

    # The table depends only on the class, and the default values are shared by all records without options.
    @classmethod
    @cache
    def table(cls) -> Mapping[str, Option]:
        """Return the options of this game: slug → declaration."""
        slugs = {one.name: one.name.replace("_", "-") for one in dataclasses.fields(cls)}
        return {slugs[one.name]: Option(slugs[one.name], **one.metadata) for one in dataclasses.fields(cls)}

    @classmethod
    @cache
    def default(cls) -> Self:
        """Return the values of the source rules."""
        return cls()

    @classmethod
    def is_of_source(cls, words: Iterable[str]) -> bool:
        """Return whether a deal with these options is by the source rules, which leave some options to each
        table."""
        return all(cls.table()[word.partition("=")[0]].of_source for word in words)

    @classmethod
    def of(cls, words: Iterable[str]) -> Self:
        """Return the values that the valid words of a record state. All others are the defaults."""
        if not words:
            return cls.default()
        values: dict[str, Any] = {}
        for word in words:
            slug, _, text = word.partition("=")
            values[slug.replace("-", "_")] = cls.table()[slug].read(text)
        return cls(**values)

    def value(self, slug: str) -> Value:
        """Return the value of an option."""
        found: Value = getattr(self, slug.replace("-", "_"))
        return found

    def word(self, slug: str) -> str:
        """Return an option with its value, such as `refuse=no` or `cap=0`."""
        return f"{slug}={shown(self.value(slug))}"

    def words(self) -> tuple[str, ...]:
        """Return the options that differ from the default as words in canonical order."""
        rows = ((one, self.value(slug)) for slug, one in self.table().items())
        return tuple(sorted(one.word(value) for one, value in rows if value != one.default))
