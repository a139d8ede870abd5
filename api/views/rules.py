"""Views for the engine's games and the clauses of their rules."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.serializers.rules import ClauseListQuery, ClauseSerializer, GameSerializer
from api.views.base import ApiView
from tarock import games
from tarock.words import clauses


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
