"""The URLs of the API, under `/api/v1/`."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path, re_path

from api.views import (
    base,
    campaigns,
    certificates,
    changes,
    corrections,
    deals,
    dumps,
    hindsight,
    imports,
    me,
    puzzles,
    replay,
    root,
    rules,
    scores,
    uploads,
    variations,
    verify,
)

app_name = "api"

endpoints: list[URLPattern | URLResolver] = [
    path("", root.Root.as_view(), name="root"),
    path("deals", deals.Deals.as_view(), name="deals"),
    path("deals/<deal:key>", deals.OneDeal.as_view(), name="deal"),
    path("deals/<deal:key>/original", deals.Original.as_view(), name="deal-original"),
    path("deals/<deal:key>/hindsight", hindsight.Hindsight.as_view(), name="deal-hindsight"),
    path("deals/<deal:key>/replay", replay.Replay.as_view(), name="deal-replay"),
    path("deals/<deal:key>/replay/positions", replay.Positions.as_view(), name="deal-positions"),
    path("deals/<deal:key>/replay/positions/<int:step>", replay.OnePosition.as_view(), name="deal-position"),
    path("deals/<deal:key>/score", scores.Score.as_view(), name="deal-score"),
    path("deals/<deal:key>/certificate", certificates.Certificate.as_view(), name="deal-certificate"),
    path("deals/<deal:key>/correction", corrections.Correction.as_view(), name="deal-correction"),
    path("deals/<deal:key>/visibility", corrections.Visibility.as_view(), name="deal-visibility"),
    path("deals/<deal:key>/move", corrections.Move.as_view(), name="deal-move"),
    path("deals/<deal:key>/variations", variations.OfDeal.as_view(), name="deal-variations"),
    path("deals/visibility", corrections.VisibilityOfMany.as_view(), name="deals-visibility"),
    path("scores", scores.Scores.as_view(), name="scores"),
    path("games", rules.Games.as_view(), name="games"),
    path("games/<str:game>", rules.OneGame.as_view(), name="game"),
    path("clauses", rules.Clauses.as_view(), name="clauses"),
    path("clauses/<str:slug>", rules.OneClause.as_view(), name="clause"),
    path("rules", rules.Rules.as_view(), name="rules"),
    path("settle", rules.Settle.as_view(), name="settle"),
    path("uploads", uploads.Uploads.as_view(), name="uploads"),
    path("uploads/<int:pk>", uploads.OneUpload.as_view(), name="upload"),
    path("uploads/<int:pk>/records/<int:n>/adopt", corrections.Adopt.as_view(), name="adopt"),
    path("imports", imports.Imports.as_view(), name="imports"),
    path("dumps", dumps.Dumps.as_view(), name="dumps"),
    path("dumps/<str:name>", dumps.Dump.as_view(), name="dump"),
    path("puzzles", puzzles.Puzzles.as_view(), name="puzzles"),
    path("puzzles/<int:pk>", puzzles.OnePuzzle.as_view(), name="puzzle"),
    path("positions", verify.Standing.as_view(), name="positions"),
    path("variations", variations.ScoredVariations.as_view(), name="variations"),
    path("variations/<uuid:key>", variations.OneSaved.as_view(), name="saved-variations"),
    path("variations/<uuid:key>/records/<int:number>", variations.OneRecord.as_view(), name="variation"),
    path("verify", verify.Verify.as_view(), name="verify"),
    path("changes", changes.Changes.as_view(), name="changes"),
    path("webhooks", changes.Webhooks.as_view(), name="webhooks"),
    path("webhooks/<int:pk>", changes.OneWebhook.as_view(), name="webhook"),
    path("webhooks/<int:pk>/start", changes.StartWebhook.as_view(), name="webhook-start"),
    path("webhooks/<int:pk>/adopt", changes.AdoptWebhook.as_view(), name="webhook-adopt"),
    path("campaigns", campaigns.Campaigns.as_view(), name="campaigns"),
    path("campaigns/<int:pk>", campaigns.OneCampaign.as_view(), name="campaign"),
    path("campaigns/<int:pk>/stop", campaigns.Stop.as_view(), name="campaign-stop"),
    path("campaigns/<int:pk>/resume", campaigns.Resume.as_view(), name="campaign-resume"),
    path("me", me.Me.as_view(), name="me"),
    path("schema", root.Schema.as_view(), name="schema"),
    path("schema/tgn.json", root.TgnSchema.as_view(), name="tgn-schema"),
    path("docs", root.Docs.as_view(), name="docs"),
    path("guide", root.Guide.as_view(), name="guide"),
]

# Match all other URLs under the API's root, so that errors there are in the API's format, too.
urlpatterns = [*endpoints, re_path(r"", base.NoSuchPath.as_view(endpoints=endpoints), name="nothing")]
