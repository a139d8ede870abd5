"""The choice of a deal's rules in the text of its record: for each rule set, the tags that state it.

>>> [(one.name, one.text) for one in rules_choices('[Game "strohmann"]\\n', None, {}, "en")][:2]
[('Rules of the source', ''), ('Mayr/Sedlaczek', '[Rules "mayr-sedlaczek@1"]\\n')]
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tarock.core.record import Record
from tarock.games import GAMES, profiles_of
from tarock.words.sentences import Names, rules_name

#: The lines before the first move.
_HEAD = re.compile(r"(?:[ \t]*(?:[\[;][^\n]*)?(?:\n|\Z))*")
_GAME = re.compile(r'^[ \t]*\[game\s+"([^"]*)"\s*\][^\n]*(?:\n|\Z)', re.IGNORECASE | re.MULTILINE)
_RULES = re.compile(
    r'^[ \t]*\[(?:rules|options)\s+"(?:[^"\\\n]|\\.)*"\s*\][^\n]*(?:\n|\Z)', re.IGNORECASE | re.MULTILINE
)


class RulesChoice(NamedTuple):
    """A rule set, and the replacement for the characters from `start` to `end` that states it."""

    start: int
    end: int
    text: str
    name: str  # name for people
    is_chosen: bool


def rules_choices(
    text: str, record: Record | None, own: Mapping[str, Mapping[str, Sequence[str]]], language: str
) -> list[RulesChoice]:
    """Return the rule sets by which the deal of a TGN text can be played: the published ones, then others.
    None for a text without a known game, as in JSON. `text`: text of one record; `record`: the record, if the
    text is valid; `own`: game → name of each other rule set → its options."""
    head = _HEAD.match(text)
    game = _GAME.search(head[0]) if head else None
    if head is None or game is None or game[1].lower() not in GAMES:
        return []
    tags = [*_RULES.finditer(head[0])]
    start, end = (tags[0].start(), tags[-1].end()) if tags else (game.end(), game.end())
    before = text[start:end]
    others, names = _RULES.sub("", before), Names(game[1].lower(), language)
    rows = [(one.name, one.words, False) for one in profiles_of(names.game)]
    rows += [(name, tuple(words), True) for name, words in own.get(names.game, {}).items()]
    found = []
    for name, words, is_own in rows:
        stated = f'[Rules "{name}"]\n' if words else ""
        if is_own:
            stated += f'[Options "{" ".join(words)}"]\n'
        is_chosen = stated + others == before or (record is not None and _is_by(record, words))
        found.append(RulesChoice(start, end, stated + others, rules_name(name, names), is_chosen))
    return found


def _is_by(record: Record, words: tuple[str, ...]) -> bool:
    """Return whether a deal has these options, or for none, whether it is by the source rules."""
    return record.options == words if words else record.info.rules.is_of_source(record.options)
