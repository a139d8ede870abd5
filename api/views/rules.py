"""Views for the engine's games and the clauses of their rules."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from api.bodies import whole
from api.serializers.rules import (
    ClauseListQuery,
    ClauseSerializer,
    GameRulesSerializer,
    GameSerializer,
    RulesQuery,
)
from api.serializers.settle import SettlementsSerializer, SettleQuery, settled
from api.views.base import ApiView
from api.views.uploads import BODY
from archive.web.errors import ApiError
from tarock import games
from tarock.core.game import GameInfo
from tarock.core.options import shown
from tarock.notation import read
from tarock.notation.pieces import PIECE
from tarock.words import clauses, sentences
from tarock.words.rule_sets import rules_source

MOST_SETTLED = 50
"""Maximum number of records that one request can settle. A deal is scored up to a hundred times to find the
options that make a difference."""


class Games(ApiView):
    @extend_schema(
        operation_id="list_games",
        tags=["rules"],
        summary="List the games",
        responses=GameSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """List the games that the archive supports."""
        return Response(self.serialize(GameSerializer, games.games(), many=True))


class OneGame(ApiView):
    @extend_schema(operation_id="get_game", tags=["rules"], summary="Get a game", responses=GameSerializer)
    def get(self, request: Request, game: str) -> Response:
        """Return a game and its fixed properties, such as the pack and the numbers of players."""
        chosen: Any = next((known for known in games.games() if known.id == game), None)
        if chosen is None:
            raise Http404
        return Response(self.serialize(GameSerializer, chosen))


class Clauses(ApiView):
    query_serializer = ClauseListQuery

    @extend_schema(
        operation_id="list_clauses",
        tags=["rules"],
        summary="List clauses and rulings",
        responses=ClauseSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """List all clauses, or those of one game, in the order of the rules."""
        chosen = clauses.clauses(self.params.get("game"))
        return Response(self.serialize(ClauseSerializer, chosen, many=True))


class OneClause(ApiView):
    @extend_schema(
        operation_id="get_clause", tags=["rules"], summary="Get a clause", responses=ClauseSerializer
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return the clause with this slug. Score lines and findings cite clauses by slug."""
        clause = clauses.find(slug)
        if clause is None:
            raise Http404
        return Response(self.serialize(ClauseSerializer, clause))


class Rules(ApiView):
    query_serializer = RulesQuery

    @extend_schema(
        operation_id="list_rules",
        tags=["rules"],
        summary="List the options of the games and the published rule sets",
        responses=GameRulesSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """List the options of all games, or of one, each with its kind, range, default and clause, and the
        published rule sets with the origin of their values."""
        wanted = self.params.get("game")
        found = [_rules(info) for info in games.games() if wanted in (None, info.id)]
        return Response(self.serialize(GameRulesSerializer, found, many=True))


def _rules(info: GameInfo) -> dict[str, Any]:
    names = sentences.english(info.id)
    options = [
        {
            "slug": slug,
            "kind": option.kind,
            "low": option.low if option.kind == "number" else None,
            "high": option.high if option.kind == "number" else None,
            "default": shown(option.default),
            "clause": option.clause,
            "clauses": option.clauses,
            "sentence": names.words["options"][slug],
        }
        for slug, option in info.rules.table().items()
    ]
    profiles, why = [], names.words["origins"]
    for profile in games.profiles_of(info.id):
        values = info.rules.of(profile.words)
        rows = [
            {"option": slug, "value": shown(values.value(slug)), "origin": origin, "reason": why.get(key, "")}
            for slug, (origin, key) in profile.origins.items()
        ]
        title = sentences.rules_name(profile.name, names)
        about = {"name": profile.name, "title": title, "source": rules_source(profile, names)}
        profiles.append(about | {"options": profile.words, "values": rows})
    return {"game": info.id, "options": options, "profiles": profiles}


class Settle(ApiView):
    permission_classes = [AllowAny]
    scope = ""
    send_serializer = SettleQuery

    @extend_schema(
        operation_id="settle",
        tags=["rules"],
        summary="Settle records by another rule set",
        request=BODY,
        responses=SettlementsSerializer,
    )
    def post(self, request: Request) -> Response:
        """Send up to 50 records, and name a published rule set or list options; without both, the rules are
        those of the game's document. The response compares the settlement by each record's own options with
        that by these rules, line by line, with the options that make each difference. If a deal could not
        have been played so, the response names the event and the clause, and nothing is settled. The records
        are not changed or stored, and you don't need a token.
        """
        entries = read(whole(request, PIECE))
        if len(entries) > MOST_SETTLED:
            raise ApiError("too_large", f"The body has {len(entries)} records; send {MOST_SETTLED} at most.")
        name, text = self.params.get("rules", ""), self.params.get("options", "")
        results = [settled(entry, name, text) for entry in entries]
        form = {"records": len(results), "results": results}
        return Response(self.serialize(SettlementsSerializer, form))
