"""Stored sums over deals, recomputed from the deals' rows after every change (`archive.storing.sums`)."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from archive.fields import GameField, WordField
from archive.figures import SEAT_ROLES, TOPICS
from archive.models.constants import VERDICTS
from archive.models.players import Player

MADE = tuple(
    f"{prefix}{what}"
    for prefix in ("", "declarer_", "partner_", "alone_")
    for what in ("deals", "won", "points")
)
"""Columns of a player's results: number of scored deals, number of deals with a positive score, and points;
in total and in each role. Opponents have no columns: their results are the total minus the other roles."""


class Mark(models.Model):
    """A note that some stored sums may no longer agree with the rows they were computed from. Database
    triggers (`archive.triggers`) insert marks in the transaction that changes the rows. `number`: for
    `evening`, as in `Cell.evening`; for `deals`, a block of deals (`Tally`); for `player`, a player's id; for
    `all`, the next block of a full recomputation; for `figures`, a block of deals of which only the `Figure`
    rows are out of date."""

    KINDS = ("evening", "deals", "player", "all", "figures")

    kind = WordField(words=KINDS)
    number = models.BigIntegerField()

    class Meta:
        indexes = [models.Index(fields=["kind", "number"], name="mark_of")]

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"


class Made(models.Model):
    """A player's results in some deals; see `MADE`."""

    deals = models.IntegerField()
    won = models.IntegerField()
    points = models.IntegerField()
    declarer_deals = models.IntegerField()
    declarer_won = models.IntegerField()
    declarer_points = models.IntegerField()
    partner_deals = models.IntegerField()
    partner_won = models.IntegerField()
    partner_points = models.IntegerField()
    alone_deals = models.IntegerField()
    alone_won = models.IntegerField()
    alone_points = models.IntegerField()

    class Meta:
        abstract = True


class Cell(Made):
    """A person's results by one rule set on one day of an evening, under all their names. `rules`: id of the
    rule set of the game, 0 for the source rules. `evening`: id of the
    session or, for deals without a session, a negative number made from space and day (`evening_of_day`).
    `is_public`: true for results from public contributions, false for results from the other contributions
    that count. `is_total`: whether these are stated totals of the evening, which count instead of the
    person's other results of the evening, namely for members if `in_whole_total` of the other cells is true,
    and for the public if `in_public_total` is. `deals` and `points` come from cards and score sheets,
    `sheet_deals` and `sheet_points` only from sheets; `stated_deals` and `stated_points` come from results,
    and are not included in the others. `date_parts`: number of known parts of the date: 3 for a day, 2 for a
    month, 1 for a year, 0 for none. `seated`: number of deals in which the person sat, with or without a
    score."""

    player = models.ForeignKey(
        Player, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    evening = models.BigIntegerField()
    played_on = models.DateField(null=True)
    game = GameField()
    rules = models.BigIntegerField(db_default=0)
    date_parts = models.SmallIntegerField()
    is_public = models.BooleanField()
    seated = models.IntegerField()
    is_total = models.BooleanField(db_default=False)
    in_public_total = models.BooleanField(db_default=False)
    in_whole_total = models.BooleanField(db_default=False)
    sheet_deals = models.IntegerField(db_default=0)
    sheet_points = models.IntegerField(db_default=0)
    stated_deals = models.BigIntegerField(db_default=0)
    stated_points = models.BigIntegerField(db_default=0)

    class Meta:
        indexes = [
            models.Index(fields=["player"], name="cell_of_player"),
            models.Index(fields=["evening"], name="cell_of_evening"),
            models.Index(fields=["game", "played_on"], name="cell_of_day"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.game}, evening {self.evening}"


CELL_VALUES = {
    "verified": {"deals": F("deals") - F("sheet_deals"), "points": F("points") - F("sheet_points")},
    "computed": {"deals": F("deals"), "points": F("points")},
    "all": {"deals": F("deals") + F("stated_deals"), "points": F("points") + F("stated_points")},
}
"""For each of the `COUNTS`, the number of deals and points in a cell, as query expressions."""


def counted(count: str, view: str) -> Q:
    """Return the condition that a cell has deals that count (`COUNTS`) in this view (`public` or `whole`)."""
    if count == "verified":
        return Q(deals__gt=F("sheet_deals"))
    if count == "computed":
        return Q(deals__gt=0)
    return (Q(deals__gt=0) | Q(stated_deals__gt=0)) & Q(**{f"in_{view}_total": False})


class Total(Made):
    """A person's results by one rule set of a game (`rules`, as in `Cell`), in one year or in all years
    (`year` 0): the sum of the person's cells.
    `view`: `public` for public deals; `whole` for all deals that members of the space can see; `both` if the
    two are equal and share a row. `verified_…` count only deals with cards, `all_…` also results, and
    `stated_…` is the part of `all_…` that comes from results. All of these are null in rows that the previous
    release wrote."""

    VIEWS = ("public", "whole", "both")

    person = models.ForeignKey(
        Player, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    year = models.SmallIntegerField()
    game = GameField()
    rules = models.BigIntegerField(db_default=0)
    view = WordField(words=VIEWS)
    evenings = models.IntegerField()
    verified_deals = models.IntegerField(null=True)
    verified_points = models.IntegerField(null=True)
    verified_evenings = models.IntegerField(null=True)
    all_deals = models.BigIntegerField(null=True)
    all_points = models.BigIntegerField(null=True)
    all_evenings = models.IntegerField(null=True)
    stated_deals = models.BigIntegerField(null=True)
    stated_points = models.BigIntegerField(null=True)

    class Meta:
        indexes = [models.Index(fields=["game", "year"], name="total_of_game")]
        constraints = [
            models.UniqueConstraint(
                fields=["person", "game", "rules", "year", "view"], name="total_once_of_rules"
            )
        ]

    def __str__(self) -> str:
        return f"{self.person_id} in {self.game}, {self.year or 'all years'}, {self.view}"


class Tally(models.Model):
    """Number of public deals, or of sessions or players with public deals, among `BLOCK` consecutive ids.
    Deals are counted by game and by the verdict on their first public contribution."""

    KINDS = ("deals", "sessions", "players")
    BLOCK = 4096

    kind = WordField(words=KINDS)
    block = models.BigIntegerField()
    game = GameField(null=True)
    verdict = WordField(words=VERDICTS, null=True)
    number = models.IntegerField()

    class Meta:
        indexes = [models.Index(fields=["kind", "block"], name="tally_of_block")]
        constraints = [models.CheckConstraint(condition=Q(number__gt=0), name="tally_of_something")]

    def __str__(self) -> str:
        return f"{self.number} {self.kind} in block {self.block}"


class Figure(models.Model):
    """A line of the statistics (`archive.figures.Line`) of the scored deals in a block of ids, as in `Tally`:
    the public deals of the archive (`space` 0), or a space's public deals or its other deals that count
    (`is_public`). `rules`: as in `Cell`."""

    space = models.BigIntegerField()
    is_public = models.BooleanField()
    block = models.BigIntegerField()
    game = GameField()
    rules = models.BigIntegerField()
    topic = WordField(words=TOPICS)
    key = models.CharField(max_length=100)
    role = WordField(words=SEAT_ROLES, null=True)
    deals = models.IntegerField()
    seats = models.IntegerField()
    won = models.IntegerField()
    points = models.BigIntegerField()

    class Meta:
        indexes = [
            models.Index(fields=["block"], name="figure_of_block"),
            models.Index(fields=["space", "game", "rules"], name="figure_of_space"),
        ]

    def __str__(self) -> str:
        return f"{self.topic} {self.key} in block {self.block}"
