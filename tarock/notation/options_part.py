"""Reading the options of a deal, and the name of the rules that they make up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from tarock.core.findings import Finding
from tarock.core.game import GameInfo
from tarock.core.options import CLAUSE, Option, Value, shown
from tarock.games import profiles
from tarock.notation.faults import Enough, Faults, Malformed, quoted
from tarock.notation.keys import RULES_TAG
from tarock.notation.values import read_list, read_string

_RULES = re.compile(r"(?=.{3,64}\Z)[a-z0-9-]+@[1-9]\d*", re.ASCII)
_POINTER = f"/tags/{RULES_TAG}"


def is_rules_name(text: str) -> bool:
    """Return whether a text has the form of a rule set's name, such as `vysocina@1`."""
    return bool(_RULES.fullmatch(text))


def read_options(value: object, info: GameInfo, faults: Faults) -> tuple[str, ...] | None:
    """Return the options that differ from the default, in canonical form. None if some are invalid."""
    given = read_list(value, "/options")
    if not given:
        return ()
    table = info.rules.table()
    before, seen, numbers = len(faults.found), set[str](), dict[str, int]()
    for number, word in enumerate(given):
        option = faults.attempt(_read, word, number, table, seen, info)
        if option is not None:
            numbers[option.slug] = number
    if len(faults.found) > before:
        return None
    options = info.rules.of(given)
    for slug, number in numbers.items():
        one = table[slug]
        if one.idle and options.value(slug) != one.default and options.value(one.idle[0]) == one.idle[1]:
            other = table[one.idle[0]].word(one.idle[1])
            fault = Malformed(
                "option-idle", f"/options/{number}", clause=one.clause, found=quoted(given[number])
            )
            fault.values["other"] = quoted(other)
            faults.note(fault)
    return options.words() if len(faults.found) == before else None


def read_rules(
    options: Sequence[object], name: str, info: GameInfo
) -> tuple[tuple[str, ...], tuple[Finding, ...]]:
    """Return the options, in canonical form, of a rule set outside a record, and its faults. `options`: words
    as in the tag, none for all of a published rule set; `name`: its name, which may be empty."""
    faults, words = Faults(), None
    with suppress(Enough):
        words = read_options(list(options), info, faults)
        if name and not is_rules_name(name):
            faults.note(Malformed("rules-name", _POINTER, clause=CLAUSE, found=quoted(name)))
        elif name and words is not None:
            words = check_rules(name, bool(options), words, info, faults)
    return words or (), tuple(fault.finding() for fault in faults.found)


def _read(
    value: object, number: int, table: dict[str, Option], seen: set[str], info: GameInfo
) -> Option | None:
    """Return the option that a word of a record states. Raise Malformed if it is not valid."""
    pointer = f"/options/{number}"
    word = read_string(value, pointer)
    slug, sign, text = word.partition("=")
    one = table.get(slug)
    if one is None:
        expected = " ".join(table)
        raise Malformed(
            "unknown-option", pointer, clause=CLAUSE, found=quoted(word), game=info.id, expected=expected
        )
    if slug in seen:
        raise Malformed("option-twice", pointer, clause=one.clause, found=quoted(slug))
    seen.add(slug)
    if one.read(text) is None or (sign and not text):
        raise Malformed(
            "option-value", pointer, clause=one.clause, found=quoted(word), option=slug, expected=one.expected
        )
    return one


def check_rules(
    name: str, are_given: bool, options: tuple[str, ...], info: GameInfo, faults: Faults
) -> tuple[str, ...]:
    """Return the options of a record with the rules `name`. A published profile fills in options that are not
    given. Add a fault for rules of another game, for rules that differ from the options, and for rules that
    nobody has published if there are no options."""
    profile = profiles().get(name)
    if profile is None:
        if not options:
            faults.note(Malformed("rules-unknown", _POINTER, clause=CLAUSE, found=quoted(name)))
        return options
    if profile.game != info.id:
        fault = Malformed("rules-game", _POINTER, clause=CLAUSE, found=quoted(name), game=profile.game)
        faults.note(fault)
        return options
    if not are_given:
        return profile.words
    stated, published = info.rules.of(options), info.rules.of(profile.words)
    for slug, one in info.rules.table().items():
        values: tuple[Value, Value] = stated.value(slug), published.value(slug)
        if values[0] != values[1]:
            fault = Malformed("rules-differ", _POINTER, clause=one.clause, profile=quoted(name), option=slug)
            fault.values["found"], fault.values["expected"] = map(shown, values)
            faults.note(fault)
    return options
