"""Addresses of the pages."""

from django.urls import URLPattern, URLResolver, path

from replays.views import account, deals, home, language, people, replay, rules, share, uploads

app_name = "replays"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("upload/", uploads.upload, name="upload"),
    path("uploads/", uploads.uploads, name="uploads"),
    path("uploads/<int:pk>/", uploads.result, name="upload-result"),
    path("uploads/<int:pk>/original", uploads.original, name="upload-original"),
    path("deals/", deals.deals, name="deals"),
    path("deals/<int:pk>/", deals.deal, name="deal"),
    path("deals/<int:pk>/status", deals.status, name="deal-status"),
    path("deals/<int:pk>/replay", replay.replay, name="replay"),
    path("deals/<int:pk>/audit", deals.audit, name="audit"),
    path("deals/<int:pk>/deal.tgn", deals.tgn, name="deal-tgn"),
    path("deals/<int:pk>/deal.json", deals.json, name="deal-json"),
    path("deals/<int:pk>/original", deals.original, name="deal-original"),
    path("deals/<int:pk>/embed/", share.embed, name="deal-embed"),
    path("deals/<int:pk>/position.png", share.position_png, name="deal-picture"),
    path("deals/<int:pk>/print/", share.print_page, name="deal-print"),
    path("oembed", share.oembed, name="oembed"),
    path("rules/", rules.rules, name="rules"),
    path("rules/clause/<str:slug>/", rules.clause, name="clause"),
    path("rules/<str:game>/", rules.game, name="rules-game"),
    path("players/", people.players, name="players"),
    path("players/<int:pk>/", people.player, name="player"),
    path("sessions/", people.sessions, name="sessions"),
    path("sessions/<int:pk>/", people.session, name="session"),
    path("language", language.language, name="language"),
    path("accounts/token/", account.token, name="token"),
    path("robots.txt", home.robots, name="robots"),
    path("favicon.ico", home.favicon, name="favicon"),
]
