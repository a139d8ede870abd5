"""Serializers for the results of a hand."""

from __future__ import annotations

from typing import Any

from django.utils.http import urlencode
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.links import link
from api.serializers.fields import GameField, Json
from api.serializers.filters import parameter
from archive.figures import SEAT_ROLES
from archive.models import Player
from archive.reading.figures import Explored


class ExplorerQuery(serializers.Serializer):
    """Query parameters for a hand."""

    game = GameField(help_text="Game of the deals.")

    def get_fields(self) -> dict[str, serializers.Field]:
        """Add the numbers of the hand and the rules, which have the same meaning in a search."""
        hand = {name: parameter(name) for name in ("tarocks", "honours", "kings", "position", "rules")}
        hand["tarocks"] = parameter("tarocks", required=True)
        return super().get_fields() | hand


class ContractSerializer(serializers.Serializer):
    """The deals with a contract in which the seat with the hand had a role."""

    contract = serializers.CharField(help_text="The contract played; empty in games without contracts.")
    role = serializers.ChoiceField(choices=SEAT_ROLES, help_text="Role of the seat with the hand.")
    deals = serializers.IntegerField(help_text="Number of deals.")
    won = serializers.IntegerField(help_text="Number of times that a seat with the hand got points above 0.")
    mean = serializers.FloatField(help_text="Average points of a seat with the hand.")
    url = serializers.URLField(help_text="URL of the list of these deals.")


class ExploredSerializer(serializers.Serializer):
    """The results of a hand in the deals of a player, in those of a club, or in all public deals."""

    whose = serializers.SerializerMethodField(
        help_text="`player`, deals of the user; `club`, deals of one of their clubs; `public`, public deals."
    )
    name = serializers.CharField(help_text="Name of the player or the club; empty for public deals.")
    deals = serializers.IntegerField(
        help_text="Number of deals in which a seat was dealt such a hand; 0 if fewer than 20."
    )
    is_partial = serializers.BooleanField(help_text="Whether older deals with such a hand were left out.")
    url = serializers.SerializerMethodField(help_text="URL of the list of these deals.")
    contracts = serializers.SerializerMethodField(help_text="The deals by contract and role.")

    @extend_schema_field({"type": "string", "enum": ["player", "club", "public"]})
    def get_whose(self, explored: Explored) -> str:
        if explored.whose is None:
            return "public"
        return "player" if isinstance(explored.whose, Player) else "club"

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_url(self, explored: Explored) -> str:
        return self._url(explored)

    @extend_schema_field(ContractSerializer(many=True))
    def get_contracts(self, explored: Explored) -> list[Json]:
        return [
            {
                "contract": contract,
                "role": role,
                "deals": line.deals,
                "won": line.won,
                "mean": round(line.mean, 2),
                "url": self._url(explored, contract=contract, role=role),
            }
            for (_topic, contract, role), line in sorted(explored.lines.by_key.items())
        ]

    def _url(self, explored: Explored, **more: Any) -> str:
        given = explored.filters.parameters(of_api=True)
        query = urlencode(given | {name: value for name, value in more.items() if value})
        return f"{link(self.context['request'], 'deals')}?{query}"
