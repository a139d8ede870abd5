"""Addresses of the pages.

A page's address ends with a slash, a file's does not; asked for the other way, each leads to itself. (For
pages Django sees to that.)
"""

from collections.abc import Callable

from django.http import HttpResponseBase
from django.urls import URLPattern, path
from django.views.generic import RedirectView

from replays.views import account, deals, home, language, people, replay, rules, share, uploads

app_name = "replays"


def _file(route: str, view: Callable[..., HttpResponseBase], name: str) -> list[URLPattern]:
    """The address of a file, or of what only programs ask for."""
    there = RedirectView.as_view(pattern_name=f"replays:{name}", permanent=True, query_string=True)
    return [path(route, view, name=name), path(f"{route}/", there)]


urlpatterns: list[URLPattern] = [
    path("", home.home, name="home"),
    path("upload/", uploads.upload, name="upload"),
    path("uploads/", uploads.uploads, name="uploads"),
    path("uploads/<int:pk>/", uploads.result, name="upload-result"),
    *_file("uploads/<int:pk>/original", uploads.original, name="upload-original"),
    path("deals/", deals.deals, name="deals"),
    path("deals/<int:pk>/", deals.deal, name="deal"),
    path("deals/<int:pk>/replay/", replay.replay, name="replay"),
    *_file("deals/<int:pk>/frames.json", replay.frames, name="frames"),
    path("deals/<int:pk>/audit/", deals.audit, name="audit"),
    *_file("deals/<int:pk>/deal.tgn", deals.tgn, name="deal-tgn"),
    *_file("deals/<int:pk>/deal.json", deals.json, name="deal-json"),
    *_file("deals/<int:pk>/original", deals.original, name="deal-original"),
    path("deals/<int:pk>/embed/", share.embed, name="deal-embed"),
    *_file("deals/<int:pk>/position.png", share.position_png, name="deal-picture"),
    path("deals/<int:pk>/print/", share.print_page, name="deal-print"),
    *_file("oembed", share.oembed, name="oembed"),
    path("rules/", rules.rules, name="rules"),
    path("rules/clause/", RedirectView.as_view(pattern_name="replays:rules")),
    path("rules/clause/<str:slug>/", rules.clause, name="clause"),
    path("rules/<str:game>/", rules.game, name="rules-game"),
    path("players/", people.players, name="players"),
    path("players/<int:pk>/", people.player, name="player"),
    path("sessions/", people.sessions, name="sessions"),
    path("sessions/<int:pk>/", people.session, name="session"),
    *_file("language", language.language, name="language"),
    path("accounts/token/", account.token, name="token"),
    *_file("robots.txt", home.robots, name="robots"),
    *_file("favicon.ico", home.favicon, name="favicon"),
]
