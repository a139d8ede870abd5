"""Deals and the engine's verdicts on them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import orjson
from django.db import models
from django.db.models import Prefetch, Q

from archive import packed_sheets
from archive.addresses import Key
from archive.fields import GameField, PackedTextField, WordField
from archive.models.constants import DEAL_SCORED, DEAL_VERDICTS, KINDS
from tarock.analysis.verify import Check, check_entry, placed
from tarock.core.findings import Finding
from tarock.core.game import SEATS
from tarock.core.record import Record
from tarock.core.scoring import ScoreLine
from tarock.games import game
from tarock.notation import Entry, NotWritable, dump_json, read_one, read_stored, write_text

if TYPE_CHECKING:
    from archive.models.contributions import Contribution, ContributionQuerySet, Seated


class DealQuerySet(models.QuerySet["Deal"]):
    """Queries for deals."""

    def represented_by(self, contributions: ContributionQuerySet) -> DealQuerySet:
        """Prefetch with each deal the first of these contributions as its representative, with session, space
        and players in seat order."""
        first = Prefetch("contributions", queryset=contributions.prefetched()[:1], to_attr="fitting")
        return self.prefetch_related(first)


class Judged(models.Model):
    """The engine's answer on a deal.

    `clauses`: the clauses that the lines of the sheet cite, with the seats that gained or lost by each, or
    the one that was broken; `sheet`: the lines, or the finding; both as `archive.packed_sheets` packs them.
    """

    verdict = WordField(words=DEAL_VERDICTS)
    engine_version = models.CharField(max_length=20)
    verified_at = models.DateTimeField()
    clauses = models.TextField(blank=True, default="")
    sheet = PackedTextField()

    class Meta:
        abstract = True

    @property
    def has_score(self) -> bool:
        """Whether there is a score by the rules."""
        return self.verdict in DEAL_SCORED


class Deal(Judged):
    """The cards and the events of a deal, or its score sheet, and the engine's verdict on it.

    `digest`: that of the cards and events, which hidden copies share (`archive.storing.copies`), or, of a
    sheet, that of the record that brought it; `place`: of a sheet, its session, game and number
    (`archive.storing.sheets`); `text` is its JSON form with letters for names and without the sender's
    details. Ids grow in the order in which deals become visible.
    """

    kind = WordField(words=KINDS, default="played")
    digest = models.BinaryField(max_length=32)
    place = models.BigIntegerField(null=True, blank=True)
    game = GameField()
    players_count = models.PositiveSmallIntegerField()
    dealer = WordField(words=SEATS)
    declarer = WordField(words=SEATS, null=True, blank=True)
    partner = WordField(words=SEATS, null=True, blank=True)
    card_points = models.SmallIntegerField(null=True, blank=True, help_text="Of the declarer’s side.")
    highest = models.IntegerField(null=True, blank=True, help_text="The most points that a seat has.")
    contract = models.CharField(max_length=100, blank=True, default="")
    result = models.CharField(max_length=20, blank=True, default="", help_text="How it ended: won, lost …")
    text = PackedTextField()
    stored_at = models.DateTimeField()

    fitting: list[Contribution]
    """The first matching contribution, see `DealQuerySet.represented_by`."""

    objects = DealQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["digest"], name="deal_digest"),
            # Of few values each, without the id: rows of one value share an entry.
            models.Index(fields=["game", "highest"], name="deal_game_score"),
            models.Index(fields=["contract"], name="deal_contract"),
            models.Index(fields=["highest"], name="deal_score"),
            models.Index(fields=["id"], condition=Q(kind="sheet"), name="deal_sheet"),
            models.Index(fields=["place"], condition=Q(place__isnull=False), name="deal_place"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(verdict__in=DEAL_VERDICTS), name="deal_verdict_known"),
            models.CheckConstraint(condition=Q(game__gte=0), name="deal_game_known"),
            models.CheckConstraint(condition=Q(kind__in=KINDS), name="deal_kind_known"),
        ]

    def __str__(self) -> str:
        return f"deal {self.pk} ({self.game})"

    @property
    def is_sheet(self) -> bool:
        """Whether the cards were not recorded."""
        return self.kind == "sheet"

    @property
    def active(self) -> tuple[str, ...]:
        """The seats that played: all but the one that sat out."""
        return game(self.game).seating(self.players_count, self.dealer).active

    @property
    def hex_digest(self) -> str:
        return bytes(self.digest).hex()

    @cached_property
    def representative(self) -> Contribution:
        """The contribution that represents the deal: who played, when, what was claimed. It is the first
        matching one of the query, else the first of all."""
        return self.fitting[0] if "fitting" in self.__dict__ else self.contributions.prefetched()[0]

    @property
    def key(self) -> Key:
        """The key in the deal's addresses: its id, and that of its representative, if there are other
        contributions."""
        return Key(self.pk, None if self.representative.is_alone else self.representative.pk)

    @property
    def seats(self) -> list[Seated]:
        """The players and points by seat, in seat order, of the representative."""
        return self.representative.seated

    @property
    def players(self) -> dict[str, str]:
        """The players' names by seat."""
        return {seat.seat: seat.display_name for seat in self.seats}

    @property
    def score(self) -> dict[str, int] | None:
        """Points by seat, the sums of the lines; None for a deal without a score."""
        if not self.has_score:
            return None
        return {seat.seat: seat.points or 0 for seat in self.seats}

    @cached_property
    def record(self) -> Record:
        """The deal as a record, with the details of the representative."""
        return self.representative.record(read_one(self.text))

    @property
    def form(self) -> dict[str, Any]:
        """The JSON form of that record, as values for `json.dumps`."""
        return self.representative.json_form(orjson.loads(self.text))

    @property
    def record_to_correct(self) -> Record:
        """The same with the players' names as they were written: for those who may correct them."""
        return self.representative.record(read_one(self.text), as_written=True)

    @cached_property
    def canonical(self) -> str | None:
        """That record in canonical text; None where text cannot write it."""
        try:
            return write_text(self.record)
        except NotWritable:
            return None

    @property
    def slugs(self) -> list[str]:
        """The clauses that its score cites, in the order of the sheet, or the one that was broken."""
        return [one.partition("=")[0] for one in self.clauses.split()]

    @cached_property
    def lines(self) -> tuple[ScoreLine, ...]:
        """The score sheet that was stored with the verdict."""
        return packed_sheets.lines(self.clauses, self.sheet) if self.has_score else ()

    @cached_property
    def checked(self) -> Check:
        """The engine's check of the deal now: countings, facts, happenings, and the place of a finding in the
        canonical text."""
        return check_entry(self._entry)

    @cached_property
    def _entry(self) -> Entry:
        return read_stored(self.canonical or dump_json(self.record))

    @property
    def stored_finding(self) -> Finding | None:
        """The broken rule, or what is missing, that was stored with the verdict; None if there is a score."""
        return None if self.has_score else packed_sheets.finding(self.clauses, self.sheet)

    @cached_property
    def finding(self) -> Finding | None:
        """The stored finding, with its place in the canonical text."""
        finding = self.stored_finding
        return None if finding is None else placed(self._entry, finding)


class FormerVerdict(Judged):
    """An earlier answer of the engine, stored when the answer or the version of the engine changed."""

    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="former")

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"deal {self.deal_id} by engine {self.engine_version}"
