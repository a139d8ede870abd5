"""The names of players: spelling variants in a file, and names that look like a known player's."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import SequenceMatcher

from tarock.core.persons import folded, likeness
from tarock.tables.result import Choices, Sentence

_SIMILAR = 0.85


def settle_names(
    names: Iterable[str], known: Iterable[str], apart: Callable[[str, str], bool], choices: Choices
) -> dict[str, str]:
    """Return name → the player's name. A name that may be another's variant becomes a question.

    `names`: the most frequent first; `known`: names of known players; `apart`: whether two names have points
    in the same row, so that they are two players.
    """
    settled: dict[str, str] = {}
    players = {_plain(name): name for name in known}
    of_club = list(players.values())
    for name in names:
        if name.startswith("Column ") and name not in players.values():
            what = Sentence("ask-column-name", {"column": name.removeprefix("Column ")})
            settled[name] = choices.choose(f"name:{name}", what, of_club, free=True).strip()[:60] or name
            continue
        same = players.get(_plain(name))
        near = (
            [] if same else [one for one in players.values() if is_near(name, one) and not apart(name, one)]
        )
        if near:
            what = Sentence("ask-name", {"name": name, "other": near[0]})
            answer = choices.choose(f"name:{name}", what, (*near[:5], name), free=True)
            same = " ".join(answer.split())[:60] or name
        elif same and same != name:
            what = Sentence("same-name", {"name": name, "other": same})
            same = choices.choose(f"name:{name}", what, (same, name), same)
        settled[name] = same or name
        players.setdefault(_plain(settled[name]), settled[name])
    return settled


def is_near(name: str, other: str) -> bool:
    """Return whether two names may be one player's: accents, order, initials, a missing or a wrong letter."""
    words, others = sorted((likeness(name).split(), likeness(other).split()), key=len)
    if not words or words == others:
        return bool(words)
    left, full = list(others), 0
    for word in sorted(words, key=len, reverse=True):
        match = next((one for one in left if one == word), None)
        full += match is not None
        match = match or next((one for one in left if one[0] == word[0] and 1 in (len(one), len(word))), None)
        if match is None:
            break
        left.remove(match)
    else:
        if full:
            return True
    one, two = " ".join(words), " ".join(others)
    if min(len(one), len(two)) < 4 or abs(len(one) - len(two)) > 3:
        return False
    matcher = SequenceMatcher(None, one, two, autojunk=False)
    return matcher.quick_ratio() >= _SIMILAR and matcher.ratio() >= _SIMILAR


def _plain(name: str) -> str:
    return folded(name).casefold()
