"""The rule sets of stored deals."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import models
from django.db.models import Q

from archive.fields import GameField
from archive.rules import Rules
from tarock.core.options import POINT


class RuleSet(models.Model):
    """Options of a game that differ from the source rules, by the id of `Rules`. Rows are never changed."""

    id = models.BigIntegerField(primary_key=True)
    game = GameField()
    options = models.TextField(help_text="As in a record, separated by spaces.")
    unit = models.CharField(max_length=12)

    def __str__(self) -> str:
        return f"{self.game}: {self.options}"

    @property
    def rules(self) -> Rules:
        """The rule set as a value."""
        return Rules(self.game, tuple(self.options.split()))

    @classmethod
    def keep(cls, found: Iterable[Rules]) -> None:
        """Store the rule sets among these that have options. Makes no query if there are none."""
        rows = [
            cls(id=one.id, game=one.game, options=" ".join(one.options), unit=one.unit)
            for one in set(found)
            if one.options
        ]
        if rows:
            cls.objects.bulk_create(rows, ignore_conflicts=True)

    @classmethod
    def by_id(cls, ids: Iterable[int | None]) -> dict[int, Rules]:
        """Return rule sets by id. The source rules (0 or None) are left out. Makes at most one query."""
        wanted = set(ids) - {0, None}
        return {one.pk: one.rules for one in cls.objects.filter(pk__in=wanted)} if wanted else {}


def of_unit(unit: str, path: str) -> Q:
    """Return the condition that deals are scored in a unit. `path`: path to the rule set of the deal."""
    condition = Q(**{f"{path}__unit": unit})
    return condition | Q(**{f"{path}__isnull": True}) if unit == POINT else condition
