"""The options of a rule set in words, line by line: the price list of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tarock.core.options import MOST, Option, Options, Value, shown
from tarock.games import game, profiles
from tarock.words.amounts import amount, unit_name
from tarock.words.clauses import words
from tarock.words.names import label
from tarock.words.sentences import number


class RuleLine(NamedTuple):
    """One option of a rule set. `name`: what the option means; `value`, `default`: its value here and by the
    source rules, as text with unit; `origin`: see `games.Profile`; `reason`: its reason in words. Both are
    empty if nothing is known."""

    slug: str
    clause: str
    name: str
    value: str
    default: str
    differs: bool
    sentence: str  # “Price of a card point in First Duty: 5 h”
    origin: str = ""
    reason: str = ""


def rule_lines(game_id: str, options: Sequence[str], language: str, profile: str = "") -> list[RuleLine]:
    """Return all options of a game with the values of a rule set. `options`: its valid words; `profile`: the
    published rule set that the values come from, whose origins apply to equal values."""
    kind = game(game_id).rules
    values, default = kind.of(options), kind.default()
    published = profiles().get(profile)
    table, form = words(game_id, language), str(words("common", language)["sheet_line"])
    named, reasons = table["options"], table["origins"]
    lines = []
    for slug, one in kind.table().items():
        value, name = values.value(slug), label(named[slug])
        text = value_text(one, value, values, language)
        origin = ("", "")
        if published and kind.of(published.words).value(slug) == value:
            letter, reason = published.origins.get(slug, ("A" if published.origins else "S", ""))
            origin = letter, reasons.get(reason, "")
        usual, differs = value_text(one, one.default, default, language), value != one.default
        sentence = form.format(field=name, words=text)
        lines.append(RuleLine(slug, one.clause, name, text, usual, differs, sentence, *origin))
    return lines


def value_text(one: Option, value: Value, options: Options, language: str) -> str:
    """Return the value of an option as text: “yes”, “30 cents (0.30 €)”. An amount is multiplied by the
    stake, as it is in a deal: “3 × 10 = 30 cents”."""
    if isinstance(value, bool):
        return str(words("common", language)["switch"][shown(value)])
    if isinstance(value, str):
        return unit_name(value, language)
    if one.high != MOST or not value:
        return number(value)
    paid = amount(value * options.stake, options.unit, language)
    return f"{value} × {options.stake} = {paid}" if options.stake > 1 else paid
