"""Views of puzzles."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.pagination import page_of, paged
from api.serializers.puzzles import (
    PuzzleDetailSerializer,
    PuzzleListQuery,
    PuzzlePageSerializer,
)
from api.views.base import ApiView, found
from archive.models import Puzzle
from archive.reading import puzzles


class Puzzles(ApiView):
    query_serializer = PuzzleListQuery

    @extend_schema(
        operation_id="list_puzzles",
        summary="List puzzles, newest first",
        responses=PuzzlePageSerializer,
    )
    def get(self, request: Request) -> Response:
        """List the composed puzzles and those from public deals. They name no players, and disappear with
        their deals."""
        chosen = {name: self.params[name] for name in ("game", "theme") if name in self.params}
        among = puzzles.public().filter(**chosen).rated().order_by("-pk").defer("text", "deal__text")

        def rows(last: int | None, most: int) -> list[Puzzle]:
            return list((among if last is None else among.filter(pk__lt=last))[:most])

        page: dict[str, Any] = page_of(rows, request, self.params["limit"], self.params.get("cursor"))
        return paged(self.serialize(PuzzlePageSerializer, page))


class OnePuzzle(ApiView):
    @extend_schema(
        operation_id="get_puzzle",
        summary="Get a puzzle with its solution",
        responses=PuzzleDetailSerializer,
    )
    def get(self, request: Request, pk: int) -> Response:
        """Return a puzzle with its deal, and for each card what it costs and the line that shows it."""
        return Response(self.serialize(PuzzleDetailSerializer, found(puzzles.get_puzzle, pk, self.viewer)))
