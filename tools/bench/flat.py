"""What pages and the API cost in an archive of 100,000 deals and in one of a million.

    python -m tools.bench.flat [--server URL] [--turns 4] [--rounds 5] [--markdown FILE] [--explain 5]
    python -m tools.bench.flat --sqlite FILE [--rounds 20]

The two databases are made by `tools.bench.million` on a PostgreSQL server (a throw-away one, or that of the
address, with a superuser), where they stay for the next time. They are measured in turns, each by a process
of its own. Every address is asked for without cache, another of its kind each time where there is one.
``--markdown`` writes the table of `docs/scaling.md`, ``--explain`` prints the plans of the slowest
statements. With ``--sqlite`` a file is filled with 100,000 deals, and measured.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tools.bench import lists, pages, row
from tools.servers import Stopper, postgres

SIZES = (100_000, 1_000_000)
TARGET = 60.0
"""Milliseconds in which 95 of 100 answers come."""
ON_SQLITE = 250.0
"""And in an archive of 100,000 deals on SQLite."""
GROWTH = 1.5
"""How many times as long as with a tenth of the deals."""

ADDRESSES = {
    "home": "/",
    "newest deals": "/deals/",
    "newest deals, page 100": "/deals/?page=100",
    "deals of a game": "/deals/?game={game}",
    "deals by day stored": "/deals/?order=stored",
    "deals by points": "/deals/?order=score",
    "deals of a player's name": "/deals/?player={name}",
    "deals of a club": "/deals/?club={club_name}",
    "deals of a big club": "/deals/?club={big_name}",
    "illegal deals": "/deals/?verdict=illegal",
    "a text that none has": "/deals/?text=zzqx{n}",
    "a text that many have": "/deals/?text=vereinsabend",
    "a session's name": "/deals/?session=2024-05-{day}",
    "a place that none has": "/deals/?site=zzqx{n}",
    "a clause that many have": "/deals/?clause=taroky.pagat-announced",
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
    "a session": "/sessions/{session}/",
    "clubs": "/clubs/",
    "a club": "/clubs/{club}/",
    "a club of 50,000, a season": "/clubs/{big}/",
    "a club of 50,000, all": "/clubs/{big}/?season=all",
    "a club's best evenings": "/clubs/{club}/season/?game={game}&best=5",
    "a deal": "/deals/{deal}/",
    "a replay": "/deals/{deal}/replay/",
    "API: deals": "/api/v1/deals",
    "API: deals of a text that none has": "/api/v1/deals?text=zzqx{n}",
    "API: deals of a club": "/api/v1/deals?club={club}",
    "API: deals of a clause": "/api/v1/deals?clause=taroky.pagat-ultimo",
    "API: a deal": "/api/v1/deals/{deal}",
    "API: changes": "/api/v1/changes",
    "API: changes, far on": "/api/v1/changes?after={change}",
    "API: scores": "/api/v1/scores",
    "API: scores, far on": "/api/v1/scores?offset=3000",
    "API: scores of a game, by mean": "/api/v1/scores?game={game}&by=mean",
    "API: scores by verdict": "/api/v1/scores?verdict=verified",
    "API: scores of a text that none has": "/api/v1/scores?text=zzqx{n}",
}


def _values(number: int) -> list[dict[str, Any]]:
    """What is put into the addresses, round by round."""
    from archive.models import Contribution, Deal, Player, Session, Space

    big = Space.objects.filter(name__regex=r"^Club \d+ (1|5|9|13|17)$").first()
    always = Player.objects.filter(name="Always There 1").first()
    if big is None or always is None:  # where nothing was copied
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
            "n": n + 10, "day": f"{n % 28 + 1:02}", "game": games[n % 4], "big": big.pk, "big_name": big.name,
            "club": clubs[n % len(clubs)].pk, "club_name": clubs[n % len(clubs)].name, "always": always.pk,
            "player": players[n % len(players)].pk, "name": players[n % len(players)].name,
            "part": players[n % len(players)].name[1:4], "big_player": in_big[n % len(in_big)].pk,
            "session": sessions[n % len(sessions)].pk, "deal": deals[n], "change": change,
        }
        for n in range(number)
    ]  # fmt: skip


def measure(rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each address, round by round."""
    from django.core.cache import cache

    client = Client(headers={"host": "localhost"})
    times: dict[str, list[float]] = {name: [] for name in ADDRESSES}
    values = _values(rounds + 1)
    for number, value in enumerate(values):
        for name, address in ADDRESSES.items():
            cache.clear()
            began = time.perf_counter()
            response = client.get(address.format(**value))
            if getattr(response, "streaming", False):
                b"".join(response.streaming_content)
            took = (time.perf_counter() - began) * 1e3
            assert response.status_code == 200, (address.format(**value), response.status_code)
            if number:
                times[name].append(took)
    return times


def p50(values: list[float]) -> float:
    """The middle of some times."""
    return statistics.median(values)


def p95(values: list[float]) -> float:
    """The time that 95 of 100 stay within."""
    return statistics.quantiles(values, n=20)[-1]


def table(small: dict[str, list[float]], large: dict[str, list[float]]) -> list[str]:
    """Print the times of both sizes and their ratios; returns the rows of a table in Markdown."""
    lines = ["| | 10⁵: p50 / p95 | 10⁶: p50 / p95 | p50, ratio |", "|---|---|---|---|"]
    for name in ADDRESSES:
        one, ten = small[name], large[name]
        growth = p50(ten) / p50(one)
        figures = [f"{p50(values):.0f} / {p95(values):.0f}" for values in (one, ten)]
        good = p95(ten) <= TARGET and growth <= GROWTH
        row(name, f"{', '.join(figures)} ms, {growth:.1f} ×", f"{TARGET:.0f} ms", good)
        lines.append(f"| {name} | {' | '.join(figures)} | {growth:.1f} |")
    return lines


def sizes() -> None:
    """Print the bytes a deal, table by table."""
    from django.apps import apps

    from archive.models import Deal

    number, total = Deal.objects.count(), 0
    with connection.cursor() as cursor:
        for model in apps.get_app_config("archive").get_models():
            name = model._meta.db_table
            cursor.execute("SELECT pg_table_size(%s), pg_indexes_size(%s)", [name, name])
            heap, indexes = cursor.fetchone()
            total += heap + indexes
            if heap + indexes > number:
                row(f"bytes a deal: {name}", f"{heap / number:.0f} + {indexes / number:.0f}")
    row("bytes a deal in all", f"{total / number:.0f}", "1950", total / number <= 1950)


def explain(worst: list[str], value: dict[str, Any]) -> None:
    """Print the plan of the slowest statement of each of these."""
    client = Client(headers={"host": "localhost"})
    for name in worst:
        with CaptureQueriesContext(connection) as captured:
            client.get(ADDRESSES[name].format(**value))
        slowest = max(captured.captured_queries, key=lambda query: float(query["time"]))
        whole = sum(float(query["time"]) for query in captured.captured_queries)
        print(f"\n--- {name}: {slowest['time']} s of {whole:.3f}")
        print(slowest["sql"][:1500])
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN (ANALYZE, BUFFERS) " + slowest["sql"].replace("%", "%%"), [])
            print("\n".join(line for (line,) in cursor.fetchall()))


def _run(*arguments: str) -> None:
    """Run a program of this package in a process of its own: each has one database."""
    subprocess.run([sys.executable, "-m", *arguments], check=True)


def on_postgres(server: str, turns: int, rounds: int, markdown: Path | None, plans: int) -> None:
    """Make both databases, measure them in turns, and print."""
    began, root = time.perf_counter(), server.rpartition("/")[0]
    urls = [f"{root}/tarock_flat_{size}" for size in SIZES]
    for size, url, before in zip(SIZES, urls, ("template0", f"tarock_flat_{SIZES[0]}"), strict=True):
        with psycopg.connect(server, autocommit=True) as connected:
            name = url.rpartition("/")[2]
            if not connected.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
                connected.execute(f"CREATE DATABASE {name} TEMPLATE {before}")
        _run("tools.bench.million", "--database", url, "--deals", str(size))
    row("both made", f"{time.perf_counter() - began:.0f} s", "600 s", time.perf_counter() - began <= 600)
    times: list[dict[str, list[float]]] = [{name: [] for name in ADDRESSES} for _ in SIZES]
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "times.json")
        for url, so_far in turns * list(zip(urls, times, strict=True)):
            _run("tools.bench.flat", "--measure", url, "--rounds", str(rounds), "--json", str(file))
            for name, values in json.loads(file.read_text()).items():
                so_far[name] += values
    row("load before and after", f"{load:.1f}, {os.getloadavg()[0]:.1f}")
    lines = table(*times)
    if markdown:
        markdown.write_text("\n".join(lines) + "\n")
    worst = sorted(ADDRESSES, key=lambda name: -p50(times[1][name]))[:plans]
    _run("tools.bench.flat", "--measure", urls[1], "--rounds", "0", "--explain", "|".join(worst))


def on_sqlite(file: Path, rounds: int) -> None:
    """Fill a file, measure, and print."""
    with pages.site_here(f"sqlite:///{file.resolve()}"):
        from archive.storing import sums

        lists.fill(SIZES[0])
        while sums.fill_sort_names():
            pass
        sums.settle(float("inf"))
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        for name, values in measure(rounds).items():
            figure = f"{p50(values):.0f} / {p95(values):.0f} ms"
            row(name, figure, f"{ON_SQLITE:.0f} ms", p95(values) <= ON_SQLITE)


def main() -> None:
    """Make the databases, measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.flat")
    parser.add_argument("--server", default="", help="address of a PostgreSQL, with a database to connect to")
    parser.add_argument("--sqlite", type=Path)
    parser.add_argument("--turns", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--markdown", type=Path)
    parser.add_argument("--explain", default="5", help="how many plans")
    parser.add_argument("--measure", default="", help=argparse.SUPPRESS)
    parser.add_argument("--json", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.sqlite:
        on_sqlite(arguments.sqlite, arguments.rounds)
    elif arguments.measure:
        with pages.site_here(arguments.measure):
            if arguments.json:
                arguments.json.write_text(json.dumps(measure(arguments.rounds)))
            else:
                sizes()
                explain(arguments.explain.split("|"), _values(2)[1])
    else:
        server = arguments.server or postgres(Stopper()).url
        on_postgres(server, arguments.turns, arguments.rounds, arguments.markdown, int(arguments.explain))


if __name__ == "__main__":
    main()
