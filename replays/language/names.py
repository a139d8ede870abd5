"""The names that pages insert into the engine's sentences (`tarock.words.names`), in the reader's
language."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import get_language

from tarock.core.findings import Finding
from tarock.core.options import Options
from tarock.words import sentences
from tarock.words.names import PlayerNames


class Names(PlayerNames):
    """The names in a deal of a game. `players`: names by seat; `options`: the deal's, for its clauses."""

    def __init__(self, game: str, players: Mapping[str, str], options: Options | None = None) -> None:
        super().__init__(game, players, get_language() or "en", options)


def finding_text(finding: Finding, game: str = "", players: Mapping[str, str] | None = None) -> str:
    """Return a finding as a sentence. Omit the game and players if the record could not be read."""
    return Names(game, players or {}).sentence(sentences.finding, finding)
