"""Fields that several serializers share."""

from __future__ import annotations

import json
from functools import partial
from operator import attrgetter
from typing import Any

from rest_framework import serializers

from api.links import link
from api.values import ValueSerializer
from archive.addresses import WHOLE_KEY
from archive.database import storable
from archive.publishing.columns import COLUMNS
from tarock import games
from tarock.core.findings import Finding
from tarock.core.game import SEATS, UNKNOWN_GAME

Json = dict[str, Any]

MOST_NUMBER = 2**63 - 1
"""Largest integer that the databases can store."""


def encodable(value: Json) -> Json:
    """Replace lone surrogates, which names and findings can contain but a UTF-8 response can't."""
    return json.loads(storable(json.dumps(value, ensure_ascii=False)))


def game_choices() -> list[tuple[str, str]]:
    return [(game.id, game.name) for game in games.games()]


def seat_points(**kwargs: Any) -> serializers.DictField:
    return serializers.DictField(child=serializers.IntegerField(), **kwargs)


class LinkField(serializers.URLField):
    """URL of a view. `of`: paths of the serialized object's attributes that are the arguments of the URL."""

    def __init__(self, view: str, *of: str, **kwargs: Any) -> None:
        super().__init__(source="*", read_only=True, **kwargs)
        self.view, self.of = view, [attrgetter(path) for path in of]

    def to_representation(self, value: Any) -> str:
        return link(self.context["request"], self.view, *(get(value) for get in self.of))


class TextsField(serializers.ListField):
    """A list of texts."""

    child = serializers.CharField()


CursorField = partial(
    serializers.CharField,
    required=False,
    max_length=200,
    help_text="Cursor from the `next` URL of the previous page.",
)
IdField = partial(serializers.IntegerField, min_value=1, max_value=MOST_NUMBER)
GAMES = game_choices()
GameField = partial(serializers.ChoiceField, choices=GAMES)
STORED_GAMES = [*game_choices(), (UNKNOWN_GAME, "unknown")]
StoredGameField = partial(serializers.ChoiceField, choices=STORED_GAMES)
SeatField = partial(serializers.RegexField, f"^[{SEATS}]$")
PlaceField = partial(serializers.RegexField, f"^([{SEATS}]|[1-9][0-9]?)$")
DealKeyField = partial(serializers.RegexField, f"^{WHOLE_KEY}$", help_text=COLUMNS["deal"].meaning)
DigestField = partial(serializers.RegexField, "^[0-9a-f]{64}$")


class FindingSerializer(ValueSerializer):
    of = Finding
    message = serializers.CharField(help_text="Human-readable error message.")
