"""What a phone sends of an evening at the table, checked."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from django import forms

from archive.models import NAME_LENGTH, Evening
from archive.storing.evenings import FIELDS, MOST_DEALS
from tarock.games import GAMES
from tarock.notation import NoName, read_name

MOST_NAMES = 60
"""The most players at a table."""


class EveningForm(forms.ModelForm):
    """The setup of an evening. ``name``: of its session; ``version``: which one is changed, 0 for a new one;
    ``space``: the id of a club, none for one's own space. Messages are for the log of a developer: the page
    sends nothing that could be wrong."""

    name = forms.CharField(max_length=NAME_LENGTH - 10)
    version = forms.IntegerField(min_value=0)
    ended = forms.BooleanField(required=False)
    space = forms.IntegerField(required=False, min_value=1)

    class Meta:
        model = Evening
        fields: ClassVar = [*FIELDS]

    @property
    def setup(self) -> dict[str, Any]:
        """The columns of the evening."""
        return {name: self.cleaned_data[name] for name in FIELDS}

    def clean_name(self) -> str:
        """A name that a record can have."""
        return self._name(self.cleaned_data["name"])

    def clean_game(self) -> str:
        """The id of a game."""
        game = str(self.cleaned_data["game"])
        if game not in GAMES:
            raise forms.ValidationError(f"There is no game {game!r}.")
        return game

    def clean_table(self) -> list[str]:
        """Names, each once."""
        names = self._list("table", str, MOST_NAMES)
        return list(dict.fromkeys(map(self._name, names)))

    def clean_thrown_in(self) -> list[int]:
        """Numbers of deals, each once."""
        numbers = self._list("thrown_in", int, MOST_DEALS)
        if not all(1 <= number <= MOST_DEALS for number in numbers):
            raise forms.ValidationError(f"Deals have numbers from 1 to {MOST_DEALS}.")
        return sorted(set(numbers))

    def clean_options(self) -> list[str]:
        """Options of tables; those of the game are checked beside it."""
        return self._list("options", str, 20)

    def clean_date(self) -> str:
        """A day, or nothing."""
        day = str(self.cleaned_data["date"])
        if day and not re.fullmatch(r"\d{4}-\d\d-\d\d", day, re.ASCII):
            raise forms.ValidationError("A date is written YYYY-MM-DD.")
        return day

    def clean_stake(self) -> str:
        """A decimal number, or nothing."""
        stake = str(self.cleaned_data["stake"]).replace(",", ".")
        if stake and not re.fullmatch(r"\d{1,5}(\.\d{1,4})?", stake, re.ASCII):
            raise forms.ValidationError("A stake is a decimal number such as 0.10.")
        return stake

    def clean(self) -> dict[str, Any]:
        """Check what goes together."""
        given = super().clean() or {}
        info = GAMES[given["game"]].info if "game" in given else None
        if info and not set(given.get("options", ())) <= set(info.options):
            self.add_error("options", f"The options of {info.id} are: {', '.join(info.options) or 'none'}.")
        if info and given.get("seats") and given["seats"] not in info.seats:
            self.add_error("seats", f"A deal of {info.id} has {', '.join(map(str, info.seats))} players.")
        return given

    def _name(self, name: str) -> str:
        try:
            return read_name(name)
        except NoName as fault:
            raise forms.ValidationError(f"{name!r} is no name: {fault}") from None

    def _list(self, name: str, kind: type, most: int) -> list[Any]:
        # Of a field that may be left out an empty list is None.
        found = self.cleaned_data[name] or []
        if not isinstance(found, list) or len(found) > most:
            raise forms.ValidationError(f"This is a list of {most} values at most.")
        if not all(isinstance(one, kind) and not isinstance(one, bool) for one in found):
            raise forms.ValidationError(f"Each value is of the type {kind.__name__}.")
        return found
