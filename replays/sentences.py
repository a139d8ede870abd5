"""What the engine has to say (`tarock.sentences`), as pages say it: in the reader's language, seats by their
players' names, cards as signs, what was announced or bid in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import get_language

from replays import words
from tarock import sentences
from tarock.findings import Finding
from tarock.scoring import CountedPart, Happening, Note, ScoreLine


class Names(sentences.Names):
    """How the pages of a deal name things. ``players``: names by seat."""

    def __init__(self, game: str, players: Mapping[str, str]) -> None:
        super().__init__(game, get_language() or "en")
        self.players = players

    def name(self, kind: str, code: str, form: str = "") -> str:
        """A thing of a kind by its code, in a form."""
        if kind == "seat":
            return self.players.get(code, code)
        if kind == "card":
            return words.card_in_text(code, self.game, form)
        if kind in ("item", "contract"):
            said = words.item(code, self.game, form)
            return said if said != code else words.contract(self.game, code, form)
        if kind == "event":
            verb, *args = code.split()
            return words.event_in_text(verb, args, self.game)
        return words.choice(code, self.game) if kind == "choice" else super().name(kind, code, form)

    def sentence(self, text: str) -> str:
        """A sentence with its first letter a capital, unless that is a player's name."""
        return text if text.startswith(tuple(filter(None, self.players.values()))) else words.label(text)


def _said(say: Callable[[Any, sentences.Names], str], found: Any, names: Names) -> str:
    # What an older engine stored may have no sentence any more: its clause still stands beside it.
    try:
        return names.sentence(say(found, names))
    except KeyError:
        return ""


def reckoning(line: ScoreLine, names: Names) -> str:
    """How a line of the score sheet was reckoned."""
    return _said(sentences.line, line, names)


def note(found: Note, names: Names) -> str:
    """What nearly scored, or failed."""
    return _said(sentences.note, found, names)


def happening(found: Happening, names: Names) -> str:
    """What the rules did by themselves, as a position or an outline tells it."""
    return _said(sentences.happening, found, names)


def counted(part: CountedPart, names: Names) -> str:
    """Where cards of a counting come from, and how many they are."""
    return names.sentence(sentences.counted(part, names))


def play(reason: Mapping[str, Any], seat: str, names: Names) -> str:
    """How a clause of the game makes a choice of card other than the duty to follow alone would."""
    return _said(lambda found, names: sentences.play(found, seat, names), reason, names)


def finding(found: Finding | None, names: Names) -> str:
    """What is wrong with a record; empty where nothing is, or where it may not be told."""
    if found is None:
        return ""
    return _said(sentences.finding, found, names)


def fault(found: Finding, names: Names) -> str:
    """What is wrong with a record that was not kept."""
    return _said(sentences.finding, found, names)
