"""URLs of the pages.

The URL of a page ends with a slash, the URL of a file does not. A missing or extra slash causes a redirect:
Django's middleware adds the slash for pages, and the routes from `_file` remove it for files.
"""

from collections.abc import Callable

from django.http import HttpResponseBase
from django.urls import URLPattern, path
from django.views.generic import RedirectView

from replays.apps.views import board, engine, evening_links, evenings, evenings_data, variations
from replays.clubs.views import (
    clubs,
    figures,
    following,
    house_rules,
    leaderboard,
    own,
    people,
    seating,
    sessions,
    webhooks,
)
from replays.clubs.views import pictures as club_pictures
from replays.collections import views as collections
from replays.deal.views import corrections, deals, pictures, replay, settling, share
from replays.home.views import account, home, rules, sitemap
from replays.learn import views as learn
from replays.puzzles import views as puzzles
from replays.uploads.views import editor, imports, uploads

app_name = "replays"


def _file(route: str, view: Callable[..., HttpResponseBase], name: str, **values: str) -> list[URLPattern]:
    """Return the route of a file or script endpoint, and a redirect from its URL with a trailing slash.
    `values`: further arguments of the view."""
    there = RedirectView.as_view(pattern_name=f"replays:{name}", permanent=True, query_string=True)
    return [path(route, view, values, name), path(f"{route}/", there)]


urlpatterns: list[URLPattern] = [
    path("", own.root, name="home"),
    path("upload/", uploads.upload, name="upload"),
    path("import/", imports.bring_in, name="import"),
    path("uploads/", uploads.upload_list, name="uploads"),
    path("uploads/<int:pk>/", uploads.result, name="upload-result"),
    path("uploads/<int:pk>/withdraw/", uploads.withdraw, name="upload-withdraw"),
    *_file("uploads/<int:pk>/original", uploads.original, name="upload-original"),
    path("uploads/<int:pk>/records/<int:number>/edit/", editor.of_upload, name="upload-edit"),
    path("uploads/<int:pk>/records/<int:number>/encoding/", uploads.read_as, name="upload-encoding"),
    path("check/", editor.check, name="check"),
    path("check/own/", engine.own_check, name="own-check"),
    *_file("uploads/<int:pk>/failures", uploads.failures, name="upload-failures"),
    path("deals/", deals.deals, name="deals"),
    *_file("deals/deals.<str:form>", deals.download_deals, name="deals-download"),
    path("deals/visibility/", corrections.set_visibilities, name="deals-visibility"),
    path("evenings/", evenings.evenings, name="evenings"),
    *_file("evenings/ask", engine.ask, name="evenings-ask"),
    *_file("evenings/manifest.webmanifest", engine.manifest, name="evenings-manifest"),
    *_file("evenings/sw.js", engine.service_worker, name="evenings-service-worker"),
    *_file("evenings/engine/<str:version>/worker.js", engine.worker, name="engine-worker"),
    *_file("evenings/engine/<str:version>/tarock.zip", engine.package, name="engine-zip"),
    *_file("evenings/start.json", evenings_data.Start.as_view(), name="evenings-start"),
    *_file("evenings/<uuid:key>/state.json", evenings_data.State.as_view(), name="evening-state"),
    *_file("evenings/<uuid:key>/setup", evenings_data.SetUp.as_view(), name="evening-setup"),
    *_file("evenings/<uuid:key>/link", evenings_data.JoinLink.as_view(), name="evening-link"),
    path("evenings/join/<slug:key>/", evening_links.join, name="evening-join"),
    path("evenings/recover/<str:word>/", evening_links.recover, name="evening-recover"),
    *_file("evenings/<uuid:key>/deals/<int:number>", evenings_data.Deal.as_view(), name="evening-deal"),
    path("board/", board.board, name="board"),
    path("leaderboard/", leaderboard.leaderboard, name="leaderboard"),
    *_file("leaderboard/leaderboard.csv", leaderboard.public_csv, name="leaderboard-csv"),
    path("statistics/", figures.archive_statistics, name="statistics"),
    path("explorer/", figures.explorer, name="explorer"),
    path("clubs/<int:pk>/statistics/", figures.club_statistics, name="club-statistics"),
    path("clubs/<int:pk>/season/", leaderboard.club_season, name="club-season"),
    *_file("clubs/<int:pk>/season/season.csv", leaderboard.public_csv, name="club-season-csv"),
    path("clubs/<int:pk>/season/seating/", seating.after_club_season, name="club-seating"),
    path("accounts/season/seating/", seating.after_own_season, name="own-seating"),
    path("accounts/season/", leaderboard.own_season, name="own-season"),
    *_file("accounts/season/season.csv", leaderboard.own_season_csv, name="own-season-csv"),
    path("puzzles/", puzzles.puzzles, name="puzzles"),
    path("puzzles/<int:pk>/", puzzles.puzzle, name="puzzle"),
    path("collections/", collections.collections, name="collections"),
    path("collections/<uuid:key>/", collections.collection, name="collection"),
    *_file("collections/<uuid:key>/collection.tgn", collections.records, name="collection-tgn"),
    *_file("collections/<uuid:key>/feed.xml", collections.feed, name="collection-feed"),
    path("dumps/", home.dump_list, name="dumps"),
    path("learn/<str:game>/", learn.learn, name="learn"),
    *_file("learn/<str:game>/frames.json", learn.frames, name="learn-frames"),
    path("learn/<str:game>/rules/", learn.rules, name="learn-rules"),
    path("learn/<str:game>/quiz/", learn.questions, name="learn-quiz"),
    path("learn/<str:game>/words/", learn.glossary, name="learn-words"),
    path("notation/", rules.notation, name="notation"),
    path("notation/sheets/", rules.score_sheets, name="notation-sheets"),
    path("deals/<deal:key>/", deals.deal, name="deal"),
    path("deals/<deal:key>/edit/", editor.of_deal, name="deal-edit"),
    path("deals/<deal:key>/form/", evenings.deal_form, name="deal-form"),
    path("deals/<deal:key>/board/", board.edit, name="deal-board"),
    path("deals/<deal:key>/collect/", collections.collect, name="collect"),
    path("deals/<deal:key>/replay/", replay.replay, name="replay"),
    *_file("deals/<deal:key>/frames.json", replay.frames, name="frames"),
    path("deals/<deal:key>/try/", variations.try_card, name="try"),
    *_file("deals/<deal:key>/variations.json", variations.OfDeal.as_view(), name="deal-variations"),
    path("variations/<uuid:key>/", variations.of_key, name="variations"),
    path("variations/<uuid:key>/embed/", variations.embed, name="variations-embed"),
    *_file("variations/<uuid:key>/<int:number>.tgn", variations.line_text, name="variation-tgn"),
    path("deals/<deal:key>/audit/", deals.audit, name="audit"),
    path("deals/<deal:key>/settle/", settling.settle, name="settle"),
    *_file("deals/<deal:key>/settle.png", settling.settle_png, name="settle-picture"),
    *_file("deals/<deal:key>/deal.tgn", deals.tgn, name="deal-tgn"),
    *_file("deals/<deal:key>/deal.json", deals.json, name="deal-json"),
    *_file("deals/<deal:key>/original", deals.original, name="deal-original"),
    path("deals/<deal:key>/embed/", share.embed, name="deal-embed"),
    *_file("deals/<deal:key>/position.png", pictures.position_png, name="deal-picture"),
    *_file("deals/<deal:key>/tricks.webp", pictures.tricks_webp, name="deal-animation"),
    *_file("deals/<deal:key>/sheet.png", club_pictures.sheet_png, name="sheet-picture"),
    path("deals/<deal:key>/print/", share.print_page, name="deal-print"),
    *_file("oembed", share.oembed, name="oembed"),
    path("rules/", rules.rules, name="rules"),
    path("rules/clause/", RedirectView.as_view(pattern_name="replays:rules")),
    path("rules/clause/<str:slug>/", rules.clause, name="clause"),
    path("rules/<str:game>/", rules.game, name="rules-game"),
    path("rules/<str:game>/options/", rules.options, name="rules-options"),
    path("deals/<deal:key>/correct/", corrections.correct, name="correct"),
    path("deals/<deal:key>/visibility/", corrections.set_visibility, name="show"),
    path("deals/<deal:key>/count/", corrections.count_deals, name="deal-count"),
    path("deals/<deal:key>/move/", corrections.move, name="deal-move"),
    path("shared/<str:word>/", corrections.shared, name="shared"),
    path("uploads/<int:pk>/records/<int:number>/adopt/", corrections.adopt, name="adopt"),
    path("following/", following.following, name="following"),
    path("following/mail/<str:word>/", following.stop_mail, name="stop-mail"),
    *_file("players/<int:pk>/feed.xml", following.feed("player"), name="player-feed"),
    *_file("sessions/<int:pk>/feed.xml", following.feed("session"), name="session-feed"),
    *_file("clubs/<int:pk>/feed.xml", following.feed("club"), name="club-feed"),
    path("clubs/", clubs.clubs, name="clubs"),
    path("clubs/new/", clubs.found_club, name="club-new"),
    path("clubs/<int:pk>/", clubs.club, name="club"),
    *_file("clubs/<int:pk>/club.png", club_pictures.club_png, name="club-picture"),
    path("clubs/<int:pk>/settings/", clubs.settings, name="club-settings"),
    path("clubs/<int:pk>/rules/", house_rules.club_rules, name="club-rules"),
    path("clubs/<int:pk>/rules/<str:game>/", house_rules.price_list, name="club-rules-print"),
    path("clubs/<int:pk>/rules/<str:game>/change/", house_rules.change_rules, name="club-rules-change"),
    path("clubs/<int:pk>/webhooks/", webhooks.manage, name="club-webhooks"),
    path("accounts/webhooks/", webhooks.manage, name="webhooks"),
    path("clubs/<int:pk>/invitations/", clubs.invite, name="invite"),
    path("clubs/<int:pk>/members/<int:number>/", clubs.member, name="member"),
    path("clubs/<int:pk>/removed/<int:number>/", clubs.readmit, name="readmit"),
    path("join/<slug:key>/", clubs.join, name="join"),
    path("uploads/adopt/", clubs.adopt, name="adopt-guest"),
    path("players/", people.player_list, name="players"),
    path("players/<int:pk>/", people.player, name="player"),
    *_file("players/<int:pk>/player.png", club_pictures.player_png, name="player-picture"),
    path("players/<int:pk>/manage/", people.manage, name="player-manage"),
    path("sessions/", sessions.sessions, name="sessions"),
    path("sessions/<int:pk>/", sessions.session, name="session"),
    path("sessions/<int:pk>/print/", sessions.print_page, name="session-print"),
    path("sessions/<int:pk>/seating/", seating.after_session, name="session-seating"),
    path("sessions/<int:pk>/visibility/", sessions.set_visibility, name="session-visibility"),
    *_file("sessions/<int:pk>/session.png", club_pictures.session_png, name="session-picture"),
    *_file("sessions/<int:pk>/session.csv", sessions.csv, name="session-csv"),
    *_file("sessions/<int:pk>/session.tgn", sessions.records, name="session-tgn", form="tgn"),
    *_file("sessions/<int:pk>/session.jsonl", sessions.records, name="session-jsonl", form="jsonl"),
    *_file("language", home.language, name="language"),
    path("terms/", account.terms, name="terms"),
    path("privacy/", account.privacy, name="privacy"),
    path("accounts/delete/", account.delete, name="account-delete"),
    path("accounts/token/", account.token, name="token"),
    path("accounts/token/<int:pk>/", account.change_token, name="token-change"),
    *_file("site.png", club_pictures.site_png, name="site-picture"),
    *_file("site.webmanifest", home.manifest, name="manifest"),
    *_file("robots.txt", home.robots, name="robots"),
    *_file("sitemap.xml", sitemap.index, name="sitemap"),
    *_file("sitemap-<str:section>.xml", sitemap.part, name="sitemap-part"),
    *_file("favicon.ico", home.favicon, name="favicon"),
]
