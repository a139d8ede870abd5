"""What pages and the API cost in an archive of 100,000 deals and in one of a million.

    python -m tools.bench.flat --database URL [--deals 1000000] [--rounds 20] [--json FILE] [--explain 5]

The database is made, or filled up, by `tools.bench.million`. Every address is asked for in this process
without cache, another of its kind each time where there is one. ``--json`` writes the times to a file,
``--beside`` reads those of another size, and prints the ratios; ``--explain`` prints the plans of the slowest
statements.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tools.bench import million, row

TARGET = 60.0
"""Milliseconds in which 95 of 100 answers come."""
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
    "a clause that many broke": "/deals/?clause=taroky.pagat-announced",
    "a clause that none broke": "/deals/?clause=taroky.follow&effect=broken",
    "card points": "/deals/?points_from=50&points_to=55",
    "dates": "/deals/?date_from=2024-05-01&date_to=2024-05-{day}",
    "leaderboard": "/leaderboard/?game={game}&least={n}",
    "leaderboard by points in all": "/leaderboard/?game={game}&by=total",
    "leaderboard of a year": "/leaderboard/?game={game}&period=2024&least={n}",
    "leaderboard of a month": "/leaderboard/?game={game}&period=2024-05&least={n}",
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
    "a deal": "/deals/{deal}/",
    "a replay": "/deals/{deal}/replay/",
    "API: deals": "/api/v1/deals",
    "API: deals of a text that none has": "/api/v1/deals?text=zzqx{n}",
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

    big = Space.objects.filter(name__regex=r"^Club \d+ (1|5|9|13|17)$", pk__gt=million.APART).first()
    assert big is not None
    always = Player.objects.get(name="Always There 1")
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


def table(times: dict[str, list[float]], beside: dict[str, list[float]]) -> None:
    """Print the times, and beside those of a smaller archive the ratios."""
    for name, values in times.items():
        figure, good = f"{p50(values):.0f} / {p95(values):.0f} ms", p95(values) <= TARGET
        if name in beside:
            small = beside[name]
            growth = p50(values) / p50(small)
            figure = f"{p50(small):.0f} / {p95(small):.0f}, {figure}, {growth:.1f} ×"
            good = good and growth <= GROWTH
        row(name, figure, f"{TARGET:.0f} ms", good)


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


def main() -> None:
    """Make the database, measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.flat")
    parser.add_argument("--database", required=True)
    parser.add_argument("--deals", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--beside", type=Path)
    parser.add_argument("--explain", type=int, default=0)
    arguments = parser.parse_args()
    million.make(arguments.database, arguments.deals, measured=lambda: _report(arguments))


def _report(arguments: argparse.Namespace) -> None:
    times = measure(arguments.rounds)
    beside = json.loads(arguments.beside.read_text()) if arguments.beside else {}
    table(times, beside)
    sizes()
    if arguments.json:
        arguments.json.write_text(json.dumps(times))
    worst = sorted(times, key=lambda name: -p50(times[name]))[: arguments.explain]
    explain(worst, _values(2)[1])


if __name__ == "__main__":
    main()
