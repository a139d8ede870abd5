"""A puzzle prepared for its pages, without the names of the players: the table, the question, the choices,
and after an answer the line that shows what the card costs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from archive.models import Puzzle
from replays.language import words
from replays.language.cards import face
from replays.language.names import Names
from tarock.analysis import replay, variations
from tarock.analysis.position import Position
from tarock.analysis.puzzles import POINTS, RESULT, with_line
from tarock.analysis.verify import Check, check
from tarock.core.cards import in_hand_order
from tarock.core.record import Record
from tarock.view.cards import Face
from tarock.view.moves import MoveGroup, move_groups
from tarock.view.table import TableView, table_view
from tarock.words import names as naming

THEMES = {RESULT: gettext_lazy("Save the game"), POINTS: gettext_lazy("Save points")}
"""Titles of the themes that are no clauses."""

DIFFICULTIES = {
    "easy": gettext_lazy("Easy"),
    "medium": gettext_lazy("Medium"),
    "hard": gettext_lazy("Hard"),
    "new": gettext_lazy("Not rated yet"),
}


def theme_title(game: str, theme: str) -> str:
    """Return the title of a theme: that of its clause, or what the puzzle saves."""
    return str(THEMES.get(theme, "")) or naming.label(Names(game, {}).clause_title(theme)) or theme


@dataclass(frozen=True, slots=True)
class Choice:
    """A card that may be played, or (without a face) a bid or another call."""

    token: str
    name: str
    face: Face | None


@dataclass(frozen=True, slots=True)
class Change:
    """Points of a clause for the seat after the right card, and after the card that was tried."""

    clause: str
    right: int
    instead: int


@dataclass(frozen=True)
class PuzzlePage:
    """A puzzle, and the card that the reader tried: `card` is empty before that. `wanted`: how many cards of
    the line the reader wants to see."""

    puzzle: Puzzle
    card: str = ""
    wanted: int = 0

    @cached_property
    def record(self) -> Record:
        return self.puzzle.record

    @cached_property
    def names(self) -> Names:
        players = {seat: _("Player %(letter)s") % {"letter": seat} for seat in self.record.players}
        return Names(self.puzzle.game, players, self.record.rules)

    @cached_property
    def begin(self) -> Position:
        """The position to solve."""
        return replay.position(self.record, self.puzzle.step)

    @property
    def seat(self) -> str:
        return self.begin.turn or ""

    @property
    def player(self) -> str:
        return self.names.players[self.seat]

    @property
    def theme(self) -> str:
        return theme_title(self.puzzle.game, self.puzzle.theme)

    @property
    def stake(self) -> str:
        """The least that a wrong card costs."""
        losses = [loss for loss, _line in self.puzzle.choices.values() if loss]
        return self._amount(min(losses))

    def _amount(self, number: int) -> str:
        return words.amount(number, self.record.rules.unit)

    @property
    def aim(self) -> str:
        """Scores after the right card: of both players or, of more than two, only of the player on turn."""
        score = self._solved.score or {}
        shown = score if len(score) == 2 else {self.seat: score[self.seat]}
        unit, players = self.record.rules.unit, self.names.players
        return words.listed(f"{players[seat]} {words.points(n, unit)}" for seat, n in shown.items())

    @property
    def choices(self) -> list[Choice]:
        """The cards to choose from, sorted like a hand."""
        tokens = self.puzzle.choices
        cards = in_hand_order(dict.fromkeys(token.partition("(")[0] for token in tokens))
        return [
            Choice(token, naming.card_token(self.names.words, token), face(card, self.puzzle.game))
            for card in cards
            for token in tokens
            if token.partition("(")[0] == card
        ]

    @property
    def hand(self) -> list[Face]:
        """All cards of the seat on turn."""
        codes = self.begin.hands[self.seat].cards or ()
        return [face(code, self.puzzle.game) for code in in_hand_order(codes)]

    @cached_property
    def table(self) -> TableView:
        """The position to solve, or a position of the line."""
        state = replay.position(self.line, self.puzzle.step + self.at) if self.card else self.begin
        return table_view(state, self.names, bottom=self.seat)

    # -- after the answer ----------------------------------------------------------------------------

    @property
    def is_right(self) -> bool:
        return self.puzzle.is_right(self.card)

    @property
    def tried(self) -> str:
        """The name of the card that was tried."""
        return naming.label(naming.card_token(self.names.words, self.card))

    @property
    def loss(self) -> str:
        return self._amount(self.puzzle.choices[self.card][0])

    @cached_property
    def line(self) -> Record:
        """The deal with best play after the card that was tried."""
        return self._after(self.card)

    def _after(self, token: str) -> Record:
        return with_line(self.record, self.puzzle.step, self.puzzle.choices[token][1])

    @property
    def at(self) -> int:
        """How many cards of the line the table shows."""
        return min(self.wanted, self.last) if self.card and self.wanted else 0

    @property
    def last(self) -> int:
        """The number of cards of the line."""
        return len(self.line.events) - self.puzzle.step

    @property
    def moves(self) -> list[MoveGroup]:
        """The cards of the line, trick by trick."""
        return move_groups(replay.outline(self.line)[self.puzzle.step :], self.names)

    @property
    def changes(self) -> list[Change]:
        """The clauses that pay the seat something else than after the right card."""
        rows = variations.difference(self._solved, self._checked)
        pairs = [(row.clause, row.before.get(self.seat, 0), row.after.get(self.seat, 0)) for row in rows]
        return [Change(*pair) for pair in pairs if pair[1] != pair[2]]

    @cached_property
    def _checked(self) -> Check:
        return check(self.line)

    @cached_property
    def _solved(self) -> Check:
        right = next(token for token in self.puzzle.choices if self.puzzle.is_right(token))
        return check(self._after(right))
