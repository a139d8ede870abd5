"""What lists and standings cost where 100,000 deals are stored: times beside an empty page.

    python -m tools.bench.lists [--deals 100000] [--database URL]

Without a database one of its own is made (SQLite) and filled with the simulator's deals of all games, as
twenty clubs'; one that is named must be empty, or have been filled so before. Each page is asked for in turns
with an empty one, as `tools.bench.pages` does; another of its kind every time, where there is one.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.test import Client
from django.urls import path

from tools.bench import pages, row
from tools.bench.archive import texts

CLUBS = 20
AT_LEAST = 50.0
"""Milliseconds in which a list may come, if they are more than so many times an empty page:"""
TIMES = 4.0


def fill(number: int) -> None:
    """Store so many deals of twenty clubs, unless there are some."""
    from django.contrib.auth.models import User

    from archive.models import Deal
    from archive.storing import intake, spaces, uploads

    if Deal.objects.exists():
        return
    user = User.objects.create_user("ada")
    each = -(-number // CLUBS)
    for club in range(CLUBS):
        space = spaces.found_club(f"Club {club}", by=user)
        data = "\n".join(texts(each, 1000 + club)).encode()
        upload = uploads.receive([data], limit=10**10, user=user, space=space, send=False)
        for pk in upload.parts.values_list("pk", flat=True):
            intake.store(pk)
    with connection.cursor() as cursor:
        # As the database does by itself when it has time.
        cursor.execute("VACUUM")
        cursor.execute("ANALYZE")


def _ways(get: Callable[[str], None]) -> dict[str, Callable[[int], Any]]:
    from archive.models import Player, Session, Space

    clubs = list(Space.objects.filter(kind="club").order_by("pk").values_list("pk", flat=True))
    names = list(Player.objects.order_by().values_list("name", flat=True).distinct())
    players = list(Player.objects.order_by("pk").values_list("pk", flat=True)[:500])
    sessions = list(Session.objects.order_by("pk").values_list("pk", flat=True)[:500])
    by = {
        "first page": "/deals/",
        "page 100": "/deals/?page=100",
        "of a game": "/deals/?game=taroky",
        "of a player": "/deals/?player={name}",
        "of a declarer": "/deals/?player={name}&role=declarer",
        "of a club": "/deals/?club=club+{club}",
        "a text that many have": "/deals/?text=wien",
        "a text that none has": "/deals/?text=zz{n}",
        "a place": "/deals/?site=wien",
        "a session": "/deals/?session=2024-05-{day:02}",
        "a clause": "/deals/?clause=taroky.pagat-announced",
        "a clause, lost": "/deals/?clause=taroky.pagat-announced&effect=lost",
        "card points": "/deals/?points_from=50&points_to=55",
        "dates": "/deals/?date_from=2024-05-01&date_to=2024-05-{day:02}",
        "illegal ones": "/deals/?verdict=illegal",
        "by day stored": "/deals/?order=stored",
        "by points": "/deals/?order=score",
        "leaderboard of a game": "/leaderboard/?game=taroky&least={n}",
        "leaderboard of a club": "/leaderboard/?game=taroky&club=club+{club}&least={n}",
        "leaderboard of a month": "/leaderboard/?game=taroky&period=2024-05&least={n}",
        "page of a club": "/clubs/{space}/",
        "page of a player": "/players/{player}/",
        "page of a session": "/sessions/{session}/",
        "all sessions": "/sessions/",
        "all players": "/players/",
        "home": "/",
    }

    def ask(address: str, n: int) -> None:
        values = {"name": names[n % len(names)], "club": n % CLUBS, "n": n + 1, "day": n % 28 + 1}
        values |= {"space": clubs[n % len(clubs)], "player": players[7 * n % len(players)]}
        get(address.format(**values, session=sessions[7 * n % len(sessions)]))

    return {name: partial(ask, address) for name, address in by.items()}


def measure() -> None:
    """Prints the figures."""
    from archive.models import Deal
    from deploy import urls

    def empty(request: HttpRequest) -> HttpResponse:
        return render(request, "base.html")

    urls.urlpatterns += [path("bench-empty", empty)]
    client = Client(headers={"host": "localhost"})

    def get(address: str) -> None:
        answer = client.get(address)
        assert answer.status_code == 200, (address, answer.status_code)

    row("deals stored", str(Deal.objects.count()))
    middle = pages._in_turns(_ways(get), lambda: get("/bench-empty"))
    least = middle.pop("between")
    row("an empty page of the site", f"{least:.2f} ms")
    limit = max(TIMES * least, AT_LEAST)
    for name, taken in middle.items():
        row(name, f"{taken:.1f} ms = {taken / least:.1f} ×", f"≤ {limit:.0f} ms", taken <= limit)


def report(number: int = 100_000, database: str = "") -> None:
    """Makes the site and prints the figures."""
    with pages.site_here(database):
        fill(number)
        measure()


def main() -> None:
    """Prints the figures of one database."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.lists")
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--database", default="", help="address of a database, as in DATABASE_URL")
    arguments = parser.parse_args()
    report(arguments.deals, arguments.database)


if __name__ == "__main__":
    main()
