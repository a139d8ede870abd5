"""The options of a game and its published rule sets as a table, for the documentation and the rules pages."""

from __future__ import annotations

from typing import NamedTuple

from tarock.core.options import Option, shown
from tarock.games import GAMES, Profile, profiles_of
from tarock.words.sentences import Names, rules_name


class Cell(NamedTuple):
    """The value of an option in a rule set, and its origin (see `Profile.origins`)."""

    value: str
    origin: str  # empty if the rule set does not list the option, so that it has the default
    reason: str  # in words; may be empty


class Row(NamedTuple):
    """An option, with its value in each rule set."""

    option: Option
    meaning: str
    cells: tuple[Cell, ...]

    @property
    def default(self) -> str:
        return shown(self.option.default)

    @property
    def differs(self) -> bool:
        """Whether a rule set has another value than the source."""
        return any(cell.value != self.default for cell in self.cells)


class RuleSets(NamedTuple):
    """The options of a game, and the rule sets that differ from the source."""

    profiles: tuple[Profile, ...]
    titles: tuple[str, ...]
    sources: tuple[str, ...]
    rows: tuple[Row, ...]


def rules_source(profile: Profile, names: Names) -> str:
    """Return the source of a published rule set, with the note on it: “http://… (at second hand)”."""
    note = names.words["origins"].get(profile.source_note)
    return f"{profile.source} ({note})" if note else profile.source


def rule_sets(game: str, language: str = "en") -> RuleSets:
    """Return the options and the published rule sets of a game."""
    names, rules = Names(game, language), GAMES[game].info.rules
    found = tuple(one for one in profiles_of(game) if one.words)
    values = [rules.of(profile.words) for profile in found]
    rows = []
    for slug, option in rules.table().items():
        origins = (profile.origins.get(slug, ("", "")) for profile in found)
        cells = tuple(
            Cell(shown(value.value(slug)), letter, names.words["origins"].get(reason, ""))
            for value, (letter, reason) in zip(values, origins, strict=True)
        )
        rows.append(Row(option, str(names.words["options"][slug]), cells))
    titles = tuple(rules_name(profile.name, names) for profile in found)
    return RuleSets(found, titles, tuple(rules_source(profile, names) for profile in found), tuple(rows))
