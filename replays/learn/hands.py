"""Ten hands of each game, from easy to hard. The reader chooses a card or says something, and the engine's
clauses say why that is right or wrong."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import resources
from typing import Any

from django.utils.translation import get_language, gettext_lazy

from archive.models import Puzzle
from replays.language.cards import face
from replays.language.words import first_sentence
from replays.puzzles.page import Choice, PuzzlePage
from tarock.analysis import commentary, replay
from tarock.analysis.fold import fold
from tarock.core.cards import BIT
from tarock.core.record import Event, Record
from tarock.notation import read_one
from tarock.view import remark
from tarock.view.finding import FindingView
from tarock.view.table import TableView, table_view
from tarock.words import clauses
from tarock.words import names as naming

QUESTIONS = {
    "play": gettext_lazy("Which card may %(player)s play?"),
    "calls": gettext_lazy("Which card may %(player)s play, and with which call?"),
    "take": gettext_lazy("With which card does %(player)s take the trick?"),
    "discard": gettext_lazy("Which of these cards may %(player)s discard?"),
    "say": gettext_lazy("What may %(player)s say?"),
    "best": gettext_lazy("Which card is best for %(player)s?"),
}


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand as `tools.hands` composes it. `puzzle` has the record up to the question, the clause that is the
    point as its theme, and the choices: null for a right one, the slug of a clause for one that breaks it. If
    `ask` is `best`, each choice has what the card costs, and its line."""

    ask: str
    puzzle: Puzzle


# The hands never change, and reading their records takes longer than showing one of them.
@cache
def hands(game: str) -> tuple[Hand, ...]:
    """Return the ten hands of a game; none if none were composed."""
    file = resources.files("replays.learn") / "hands" / f"{game}.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    return tuple(_hand(game, **json.loads(line)) for line in lines)


def _hand(game: str, ask: str, clause: str, text: str, choices: dict[str, Any]) -> Hand:
    step = len(read_one(text).events)
    return Hand(ask, Puzzle(game=game, text=text, step=step, theme=clause, choices=choices))


@dataclass(frozen=True)
class HandPage(PuzzlePage):
    """A hand for its page, with the cards that the seat on turn sees. `card`: what the reader chose; only
    then the table of a best card is open, and shows the line."""

    ask: str = "best"

    @property
    def question(self) -> str:
        return str(QUESTIONS[self.ask]) % {"player": self.player}

    @property
    def choices(self) -> list[Choice]:
        return [Choice(token, self._name(token), self._face(token)) for token in self.puzzle.choices]

    def _face(self, token: str) -> Any:
        """Return the face of a choice that begins with a card. The other cards of a discard are left out."""
        code = token.partition(" ")[0].partition("(")[0]
        return face(code, self.puzzle.game) if code in BIT else None

    def _name(self, token: str) -> str:
        if self.ask == "say":
            return naming.label(self.names.event(token))
        return naming.label(naming.card_token(self.names.words, token.partition(" ")[0]))

    # -- after the answer ----------------------------------------------------------------------------

    @property
    def is_right(self) -> bool:
        return super().is_right if self.ask == "best" else self.puzzle.choices[self.card] is None

    @property
    def at(self) -> int:
        return super().at if self.ask == "best" else 0

    @property
    def tried(self) -> str:
        return self._name(self.card)

    @property
    def event(self) -> Event:
        """The event that the reader chose."""
        verb = {"say": (), "discard": ("discard",)}.get(self.ask, ("play",))
        return (self.seat, *verb, *self.card.split())

    @cached_property
    def after(self) -> Record:
        """The deal up to the event that the reader chose."""
        return replace(self.record, events=[*self.record.events, self.event])

    @cached_property
    def finding(self) -> FindingView | None:
        """Why the event is illegal; None if it is legal."""
        done = fold(self.after)
        return FindingView(done.finding, self.names, self.after) if done.illegal and done.finding else None

    @cached_property
    def table(self) -> TableView:
        if self.card and self.ask == "best":
            return super().table
        record = self.after if self.card and not self.finding else self.record
        state = replay.position(record, len(record.events), self.seat)
        # Legal cards would be marked, and the end of a part of a deal is an error.
        return table_view(replace(state, legal=None, error=None), self.names)

    @property
    def answer(self) -> tuple[str, str]:
        """The reason why the choice is right or wrong, and its clause."""
        if self.finding:
            return self.finding.text, self.finding.clause
        reason = commentary.reason(self.after, self.puzzle.step) if self.ask == "play" else None
        if reason:
            said = remark.play(reason, self.seat, self.card, self.names)
            return said.text, said.slug
        wrong = self.puzzle.choices[self.card]
        slug = wrong if isinstance(wrong, str) else self.puzzle.theme
        return first_sentence(clauses.clause(slug, get_language() or "en").rule), slug
