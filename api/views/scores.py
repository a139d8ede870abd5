"""Views for the score of a deal, and for players' points over many deals."""

from __future__ import annotations

from dataclasses import replace

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.links import next_url
from api.pagination import paged
from api.serializers.scores import (
    PlayerScorePageSerializer,
    ScoreListQuery,
    ScoreSheetSerializer,
    SheetSerializer,
)
from api.views.base import ApiView
from api.views.deals import deal_or_404, filters_of, state_of
from archive.addresses import Key
from archive.publishing import export
from archive.reading import scores
from archive.web.throttles import ScoresThrottle


class Score(ApiView):
    @extend_schema(
        operation_id="get_score",
        summary="Get the verdict and the score, line by line",
        responses=ScoreSheetSerializer,
    )
    def get(self, request: Request, key: Key) -> Response:
        """Return the verdict on a deal, its score and the calculation."""
        deal = deal_or_404(key, self.viewer)
        self.unless_known(*state_of(deal))
        contribution = deal.contribution
        checked = replace(
            deal.checked,
            verdict=contribution.verdict,
            score=deal.score,
            lines=deal.lines,
            claim=contribution.claimed,
        )
        sheet = self.serialize(SheetSerializer, checked)
        found = export.entry(deal, ("finding", "engine_version", "verified_at"))
        return Response({"deal": str(contribution.key), **sheet, **found})


class Scores(ApiView):
    query_serializer = ScoreListQuery
    throttle_classes = [*ApiView.throttle_classes, ScoresThrottle]

    @extend_schema(
        operation_id="list_scores",
        summary="List points per player",
        responses=PlayerScorePageSerializer,
    )
    def get(self, request: Request) -> Response:
        """Return each player's result by the rules of each game over the scored deals that match the filters,
        sorted by rank. Each set of rules has a ranking of its own, the source rules first; `rules=seed`
        returns only these. With filters other than game, rules, player, club and days, only the latest 2,000
        matching deals count. With `best_evenings` but neither club nor player, only the latest results of a
        player on an evening count: about 5,000 if you filter by game, otherwise 1,250 for each game.
        `is_partial` says whether more deals or results match. Deals don't count for a player who sat out.
        An evening is a session or, for deals without a session, a day. Unless the operator sets another
        limit, 30 requests per minute are allowed; further ones get a 429."""
        query = self.params
        limit, offset = query.pop("limit"), query.pop("offset")
        choice = scores.Choice(
            query.pop("by"),
            query.pop("least_deals"),
            query.pop("least_evenings"),
            query.pop("best_evenings", None),
            query.pop("count"),
        )
        filters = filters_of(query, self.viewer)
        window = slice(offset, offset + limit + 1)
        found = scores.player_scores(filters, self.viewer, choice, window=window)
        following = next_url(request, offset=offset + limit) if len(found) > limit else None
        page = {"next": following, "is_partial": found.is_partial, "results": found[:limit]}
        return paged(self.serialize(PlayerScorePageSerializer, page))
