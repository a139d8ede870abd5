"""The seating of the next evening, based on the ranks in the last evening or in a season."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from archive.reading.scores import Score
from archive.reading.sessions import Standing
from tarock.core.game import SEATS
from tarock.core.seating import tables_by_place
from tarock.games import game

MOST_TABLES = 50


@dataclass(frozen=True, slots=True)
class Placed:
    """A player with a rank in the standings."""

    pk: int
    name: str
    place: int


def placed(rows: Iterable[Score | Standing]) -> list[Placed]:
    """Return the players of a ranking or of a session's standings, in the same order."""
    return [
        Placed(row.person, row.name, row.place)
        if isinstance(row, Score)
        else Placed(row.player.pk, row.player.display_name, row.place)
        for row in rows
    ]


class SeatingForm(forms.Form):
    """The tables of the next evening, and the players who are coming (by default, all players)."""

    tables = forms.IntegerField(min_value=1, max_value=MOST_TABLES, label=gettext_lazy("Tables"))
    seats = forms.IntegerField(min_value=2, max_value=len(SEATS), label=gettext_lazy("Players per table"))
    order = forms.ChoiceField(
        choices=[
            ("places", gettext_lazy("Strongest players together")),
            ("snake", gettext_lazy("Mixed")),
        ],
        label=gettext_lazy("Who sits with whom"),
    )
    player = forms.TypedMultipleChoiceField(required=False, coerce=int, label=gettext_lazy("Who is coming"))

    def __init__(self, data: Any, players: Sequence[Placed], name: str) -> None:
        usual = game(name).usual_seats
        first: dict[str, Any] = {
            "tables": max(1, min(MOST_TABLES, len(players) // usual)),
            "seats": usual,
            "order": "places",
            "player": [player.pk for player in players],
        }
        super().__init__(data if "tables" in data else None, initial=first)
        self.fields["player"].choices = [(player.pk, player.name) for player in players]
        self.players, self.name = players, name
        self.values = self.cleaned_data if self.is_valid() else first

    @property
    def present(self) -> set[int]:
        """Ids of the players who are coming."""
        return set(self.values["player"])

    @property
    def seating(self) -> tuple[list[list[Placed]], list[Placed]]:
        """The tables, and the players without a seat. An invalid form uses the initial values."""
        present = self.present
        coming = [player for player in self.players if player.pk in present]
        values = self.values
        return tables_by_place(coming, values["tables"], values["seats"], snake=values["order"] == "snake")

    def remark(self, table: Sequence[Placed]) -> str:
        """Return a warning if the table has too few players for the game; empty otherwise."""
        least = min(game(self.name).seats)
        if len(table) >= least:
            return ""
        return _("Too few players: this game needs at least %(number)d.") % {"number": least}
