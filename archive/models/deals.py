"""Deals, and the engine's verdicts on deals."""

from __future__ import annotations

from functools import cached_property

from django.db import models
from django.db.models import Q

from archive import packed_sheets
from archive.fields import GameField, PackedTextField, WordField
from archive.models.constants import DEAL_SCORED, DEAL_VERDICTS, KINDS, PLACES
from archive.models.rules import RuleSet
from archive.rules import Rules
from tarock.core.findings import Finding
from tarock.core.game import SEATS
from tarock.core.scoring import ScoreLine
from tarock.games import game


class Judged(models.Model):
    """The engine's answer for a deal. `clauses`: the clauses that the score lines cite, each with its effect
    on the seats; `sheet`: the score lines. For a deal without a score, they contain the broken clause and the
    finding instead. `archive.packed_sheets` packs both columns."""

    verdict = WordField(words=DEAL_VERDICTS)
    engine_version = models.CharField(max_length=20)
    verified_at = models.DateTimeField()
    clauses = models.TextField(blank=True, default="")
    sheet = PackedTextField()

    class Meta:
        abstract = True

    @property
    def has_score(self) -> bool:
        """Whether the deal has a score."""
        return self.verdict in DEAL_SCORED


class Deal(Judged):
    """The cards and the events of a deal, or its score sheet or its result, and the engine's verdict.
    `digest`: hash of the cards and events, the same for all copies of the deal (`archive.storing.copies`);
    for a sheet or a result, hash of the part and position of its first record. `rules`: null for the source
    rules. `place`: session, game and number of a sheet or a result as one integer (`archive.storing.sheets`).
    `hands`, `doubles`: null until the sweeper has filled them, for a deal that an earlier release stored.
    `text`: the JSON form of the deal, with seat letters in place of names, and without the sender's details.
    Ids increase in the order in which deals become visible."""

    kind = WordField(words=KINDS, default="played")
    digest = models.BinaryField(max_length=32)
    place = models.BigIntegerField(null=True, blank=True)
    game = GameField()
    rules = models.ForeignKey(RuleSet, null=True, blank=True, on_delete=models.PROTECT, db_index=False)
    players_count = models.PositiveSmallIntegerField()
    dealer = WordField(words=SEATS, null=True, blank=True)
    declarer = WordField(words=SEATS, null=True, blank=True)
    partner = WordField(words=SEATS, null=True, blank=True)
    card_points = models.SmallIntegerField(null=True, blank=True, help_text="Of the declarer’s side.")
    highest = models.IntegerField(null=True, blank=True, help_text="The most points that a seat has.")
    contract = models.CharField(max_length=100, blank=True, default="")
    result = models.CharField(max_length=20, blank=True, default="", help_text="How it ended: won, lost …")
    text = PackedTextField()
    hands = models.TextField(  # noqa: DJ001 - null and an empty text differ
        null=True, blank=True, help_text="As `archive.hands` packs them."
    )
    doubles = models.TextField(  # noqa: DJ001 - null and an empty text differ
        null=True, blank=True, help_text="As `archive.packed_sheets` packs them."
    )
    stored_at = models.DateTimeField()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["digest"], name="deal_digest"),
            # The indexes leave out the id, so that rows with the same value share one entry.
            models.Index(fields=["game", "highest"], name="deal_game_score"),
            models.Index(fields=["contract"], name="deal_contract"),
            models.Index(fields=["highest"], name="deal_score"),
            models.Index(fields=["id"], condition=Q(kind="sheet"), name="deal_sheet"),
            models.Index(fields=["rules"], condition=Q(rules__isnull=False), name="deal_rules"),
            # Only for the sweeper of the previous release.
            models.Index(fields=["id"], condition=Q(hands__isnull=True), name="deal_without_hands"),
            models.Index(fields=["id"], condition=Q(doubles__isnull=True), name="deal_without_doubles"),
            models.Index(fields=["id"], condition=Q(doubles__gt=""), name="deal_doubled"),
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
        """Whether the deal is a score sheet without cards."""
        return self.kind == "sheet"

    @property
    def is_result(self) -> bool:
        """Whether only the points of the players are known."""
        return self.kind == "result"

    @property
    def is_played(self) -> bool:
        """Whether the deal was recorded with its cards and events."""
        return self.kind == "played"

    @property
    def rule_set(self) -> Rules:
        """The rules by which the deal is scored."""
        return Rules(self.game) if self.rules is None else self.rules.rules

    @property
    def active(self) -> tuple[str, ...]:
        """The seats that played the deal, excluding any that sat out; all places of a result."""
        if self.is_result:
            return PLACES[len(SEATS) :][: self.players_count]
        return game(self.game).seating(self.players_count, self.dealer).active

    @property
    def hex_digest(self) -> str:
        return bytes(self.digest).hex()

    @property
    def slugs(self) -> list[str]:
        """Slugs of the clauses that the score cites, in the order of its lines, or of the broken clause."""
        return [one.partition("=")[0] for one in self.clauses.split()]

    @cached_property
    def lines(self) -> tuple[ScoreLine, ...]:
        """The score lines that were stored with the verdict; empty if the deal has no score."""
        return packed_sheets.lines(self.clauses, self.sheet) if self.has_score else ()

    @property
    def stored_finding(self) -> Finding | None:
        """The finding that was stored with the verdict: a broken rule or missing data. None if the deal has a
        score."""
        return None if self.has_score else packed_sheets.finding(self.clauses, self.sheet)


class FormerVerdict(Judged):
    """An earlier answer of the engine for a deal, stored when a later check changed the answer."""

    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="former")

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"deal {self.deal_id} by engine {self.engine_version}"
