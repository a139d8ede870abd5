"""Benchmark of pages and the API: in two large archives of different sizes, and on SQLite, where each time is
compared with that of an empty page.

The two large databases are measured alternately, each in a separate process, without a cache. If there are
several pages of a kind, each round requests a different one.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tools.bench import Options, apart, in_turns, p95, row
from tools.bench.database import fill, large, site_here, sizes, visitor

TURNS, ROUNDS = 4, 5
TARGET, ON_SQLITE = 60.0, 250.0
"""Limits for the 95th percentile in milliseconds: in a large archive, and on SQLite."""
GROWTH = 1.5
"""Limit for the median, as a multiple of the median with a tenth of the deals."""
SLOWEST = 5
"""Number of pages, slowest first, for which the plan of the slowest statement is printed."""

ADDRESSES = {
    "home": "/",
    "newest deals": "/deals/",
    "newest deals, page 100": "/deals/?page=100",
    "deals of a game": "/deals/?game={game}",
    "deals by day stored": "/deals/?order=stored",
    "deals by points": "/deals/?order=score",
    "deals of a player's name": "/deals/?player={name}",
    "deals of a declarer": "/deals/?player={name}&role=declarer",
    "deals of a player by own loss": "/deals/?player_id={player}&order=loss",
    "50,000 deals of a player, by own loss": "/deals/?player_id={always}&order=loss",
    "deals of a club": "/deals/?club={club_name}",
    "deals of a big club": "/deals/?club={big_name}",
    "illegal deals": "/deals/?verdict=illegal",
    "a text without a match": "/deals/?text=zzqx{n}",
    "a frequent text": "/deals/?text=vereinsabend",
    "a session's name": "/deals/?session=2024-05-{day}",
    "a place without a match": "/deals/?site=zzqx{n}",
    "a frequent clause": "/deals/?clause=taroky.pagat-announced",
    "a clause that one in 100 has": "/deals/?clause=taroky.pagat-ultimo",
    "a clause, gained": "/deals/?clause=taroky.pagat-announced&effect=gained",
    "a clause that none broke": "/deals/?clause=taroky.follow&effect=broken",
    "card points": "/deals/?points_from=50&points_to=55",
    "dates": "/deals/?date_from=2024-05-01&date_to=2024-05-{day}",
    "leaderboard": "/leaderboard/?game={game}&least={n}",
    "leaderboard by points in all": "/leaderboard/?game={game}&by=total",
    "leaderboard of a year": "/leaderboard/?game={game}&period=2024&least={n}",
    "leaderboard of a month": "/leaderboard/?game={game}&period=2024-05&least={n}",
    "leaderboard of the best evenings": "/leaderboard/?game={game}&best=5&least={n}",
    "leaderboard of a club": "/leaderboard/?game={game}&club={club_name}",
    "players": "/players/",
    "players, far on": "/players/?after={player}",
    "players by part of a name": "/players/?q={part}",
    "a player": "/players/{player}/",
    "a player of a big club": "/players/{big_player}/",
    "the player of 50,000 deals": "/players/{always}/",
    "sessions": "/sessions/",
    "sessions, far on": "/sessions/?after={session}",
    "sessions of a year": "/sessions/?year=2024",
    "sitemap": "/sitemap.xml",
    "sitemap, a part": "/sitemap-deals.xml?p={n}",
    "a session": "/sessions/{session}/",
    "clubs": "/clubs/",
    "a club": "/clubs/{club}/",
    "a club of 50,000, a season": "/clubs/{big}/",
    "a club of 50,000, all": "/clubs/{big}/?season=all",
    "a club's best evenings": "/clubs/{club}/season/?game={game}&best=5",
    "statistics of a game": "/statistics/?game={game}",
    "statistics of a club": "/clubs/{club}/statistics/?game={game}",
    "statistics of a club of 50,000": "/clubs/{big}/statistics/?game={game}",
    "explorer": "/explorer/?game={game}&tarocks={held}",
    "explorer, honours and Kings": "/explorer/?game={game}&tarocks={held}&honours=1&kings=1",
    "a deal": "/deals/{deal}/",
    "a replay": "/deals/{deal}/replay/",
    "API: deals": "/api/v1/deals",
    "API: deals of a text that none has": "/api/v1/deals?text=zzqx{n}",
    "API: deals of a club": "/api/v1/deals?club={club}",
    "API: deals of a clause": "/api/v1/deals?clause=taroky.pagat-ultimo",
    "API: a deal": "/api/v1/deals/{deal}",
    "API: changes": "/api/v1/changes",
    "API: changes, far on": "/api/v1/changes?after={change}",
    "API: explorer": "/api/v1/explorer?game={game}&tarocks={held}",
    "API: scores": "/api/v1/scores",
    "API: scores, far on": "/api/v1/scores?offset=3000",
    "API: scores of a game, by mean": "/api/v1/scores?game={game}&by=mean",
    "API: scores by verdict": "/api/v1/scores?verdict=verified",
    "API: scores of a text that none has": "/api/v1/scores?text=zzqx{n}",
}


def _values(number: int) -> list[dict[str, Any]]:
    """Return the values for the placeholders in the URLs, one dictionary per round."""
    from archive.models import Contribution, Deal, Player, Session, Space

    big = Space.objects.filter(name__regex=r"^Club \d+ (1|5|9|13|17)$").first()
    always = Player.objects.filter(name="Always There 1").first()
    if big is None or always is None:  # a database without copies
        big = Space.objects.filter(kind="club").order_by("-pk")[0]
        always = Player.objects.order_by("-whole_deals")[0]
    clubs = list(Space.objects.filter(kind="club").exclude(pk=big.pk).order_by("pk")[: 7 * number : 7])
    last = Deal.objects.order_by("-pk").values_list("pk", flat=True)[0]
    players = list(
        Player.objects.filter(whole_deals__range=(50, 400)).order_by("sort_name")[: 11 * number : 11]
    )
    in_big = list(Player.objects.filter(space=big).exclude(pk=always.pk).order_by("pk")[:number])
    sessions = list(Session.objects.order_by("pk")[: 97 * number : 97])
    deals = [Deal.objects.filter(pk__lte=last * n // number).order_by("-pk").values_list("pk", flat=True)[0]
             for n in range(1, number + 1)]  # fmt: skip
    change = Contribution.objects.order_by("-pk").values_list("feed_number", flat=True)[0] // 2
    games = ("taroky", "troggu", "strohmann", "grosstarock")
    return [
        {
            "n": n + 10, "day": f"{n % 28 + 1:02}", "game": games[n % 4], "held": 3 + n // 4 % 6,
            "big": big.pk, "big_name": big.name,
            "club": clubs[n % len(clubs)].pk, "club_name": clubs[n % len(clubs)].name, "always": always.pk,
            "player": players[n % len(players)].pk, "name": players[n % len(players)].name,
            "part": players[n % len(players)].name[1:4], "big_player": in_big[n % len(in_big)].pk,
            "session": sessions[n % len(sessions)].pk, "deal": deals[n], "change": change,
        }
        for n in range(number)
    ]  # fmt: skip


def measure(rounds: int) -> dict[str, list[float]]:
    """Request each URL once per round. Return the milliseconds of all rounds by the name of the URL, with
    those of the empty page under the key `between`."""
    from django.core.cache import cache

    get, values = visitor(), _values(rounds + 1)

    def empty() -> None:
        cache.clear()
        get("/bench-empty")

    ways: dict[str, Callable[[int], Any]] = {
        name: lambda n, address=address: get(address.format(**values[n]))  # type: ignore[misc]
        for name, address in ADDRESSES.items()
    }
    return in_turns(ways, empty, rounds, warm_up=1)


def on_sqlite(options: Options) -> None:
    """Fill an SQLite database, and print the time of each URL next to the time of an empty page."""
    with site_here():
        fill(options.deals)
        times = measure(TURNS * ROUNDS)
        least = statistics.median(times.pop("between"))
        row("an empty page of the site", f"{least:.2f} ms")
        for name, taken in times.items():
            middle, most = statistics.median(taken), p95(taken)
            figure = f"{middle:.1f} / {most:.0f} ms = {middle / least:.1f} ×"
            row(name, figure, f"≤ {ON_SQLITE:.0f} ms", most <= ON_SQLITE)


def at_two_sizes(options: Options) -> None:
    """Create both databases, measure them alternately, and print a Markdown table."""
    began, small = time.perf_counter(), options.deals
    urls = [large(options.server, small), large(options.server, 10 * small, f"tarock_bench_{small}")]
    row("both databases made", f"{time.perf_counter() - began:.0f} s")
    times: list[dict[str, list[float]]] = [{name: [] for name in ADDRESSES} for _ in urls]
    load = os.getloadavg()[0]
    for url, so_far in TURNS * list(zip(urls, times, strict=True)):
        measured = apart(_measure, url)
        for name, taken in so_far.items():
            taken += measured[name]
    print(f"\nLoad before and after: {load:.1f}, {os.getloadavg()[0]:.1f}\n")
    print(f"| | {small:,}: p50 / p95 | {10 * small:,}: p50 / p95 | p50, ratio | |\n|---|---|---|---|---|")
    medians = {}
    for name in ADDRESSES:
        one, ten = (statistics.median(taken[name]) for taken in times)
        slow, slowest = (p95(taken[name]) for taken in times)
        reached = "" if slowest <= TARGET and ten <= GROWTH * one else "NOT reached"
        print(
            f"| {name} | {one:.0f} / {slow:.0f} | {ten:.0f} / {slowest:.0f} | {ten / one:.1f} | {reached} |"
        )
        medians[name] = ten
    apart(_look_closer, urls[1], sorted(medians, key=medians.__getitem__)[-SLOWEST:])


def _measure(url: str) -> dict[str, list[float]]:
    with site_here(url):
        return measure(ROUNDS)


def _look_closer(url: str, slowest: list[str]) -> None:
    """Print the bytes per deal, and for each of these pages the plan of its slowest statement."""
    with site_here(url):
        sizes(2000)
        get, value = visitor(), _values(2)[1]
        for name in slowest:
            with CaptureQueriesContext(connection) as captured:
                get(ADDRESSES[name].format(**value))
            statement = max(captured.captured_queries, key=lambda query: float(query["time"]))
            whole = sum(float(query["time"]) for query in captured.captured_queries)
            print(f"\n--- {name}: {statement['time']} s of {whole:.3f}\n{statement['sql'][:1500]}")
            with connection.cursor() as cursor:
                cursor.execute("EXPLAIN (ANALYZE, BUFFERS) " + statement["sql"].replace("%", "%%"), [])
                print("\n".join(line for (line,) in cursor.fetchall()))
