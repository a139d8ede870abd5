"""Benchmark of replay and audit: bytes of all steps, script time and server time.

This process serves a site in a temporary folder (SQLite, simulated deals). Server times are medians of many
rounds. Each round requests a deal that was never shown before, then another step of that deal, and so on.
Before each of these pages, it requests an empty page for comparison: the site's base template without
content, through the same middleware. Chromium measures the script time while the arrow key is pressed.
"""

from __future__ import annotations

import gzip
import http.client
import json
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

from django.test import Client

from deploy.gunicorn_conf import collect_less
from tarock.analysis.simulate import simulate
from tarock.notation import write_json, write_text
from tools.bench import Options, in_turns, p95, row, texts
from tools.bench.database import site_here, visitor
from tools.bench.loading import browser, served
from tools.site import measured_site

ROUNDS = 40
WARM_UP = 3
SEED = 20261122
STEPS = 40
LONG = 56
"""Minimum number of events of a complete deal: in Strohmanntarock, two of bidding and 27 tricks."""
EMPTY_PAGES = 12.0
"""Limit for the time of a further step or an audit, as a multiple of an empty page's time."""
TAPS, TAP, LATER = 78, 30.0, 1.5
"""Minimum number of events of a long deal; limit for the p95 of taps on its board, in milliseconds; and limit
for a tap at the end, as a multiple of a tap at the beginning."""
CLIENTS, PATIENCE = 4, 150.0
"""Number of simultaneous clients, and limit for the p95 of the response time in milliseconds."""
FRAMES, MILLISECONDS = 60.0, 16.0


def _deals(game: str, players: int) -> Iterator[int]:
    """Store simulated deals of a game, and yield their ids. Leave out short deals, because a Taroky deal can
    end after the bidding."""
    from archive.reading.uploads import results_of
    from archive.storing import intake, uploads

    wanted, seed = 2 * (ROUNDS + WARM_UP), 0
    while wanted > 0:
        seed += 1
        for record in simulate(game, players=players, deals=20, seed=seed):
            if len(record.events) < LONG:
                continue
            upload = uploads.receive([write_text(record).encode()], limit=10_000_000, send=False)
            intake.store(upload.parts.get().pk)
            (result,) = results_of(upload)
            assert result.deal is not None
            yield result.deal
            wanted -= 1


def _server_times(numbers: dict[str, list[int]]) -> None:
    get = visitor()
    first, other = "first page of a deal never shown before", "another step of a deal shown before"
    again = "its deal shown before"
    actions: dict[str, Callable[[int], Any]] = {"bare": lambda n: get("/bench-bare")}
    for name, deals in numbers.items():
        for kind, what, page in (
            ("replay", first, "replay/?step={}"),
            ("replay", other, "replay/?step={1}"),
            ("replay", "all its steps for the script", "frames.json"),
            ("replay", "from a seat's eyes, first", "replay/?step={}&view=A"),
            ("audit", first, "audit/"),
            ("audit", again, "audit/"),
        ):
            of = deals[::2] if kind == "replay" else deals[1::2]
            actions[f"{kind}, {name}: {what}"] = lambda n, of=of, page=page: get(
                f"/deals/{of[n]}/{page.format(_step(n), _step(n) + 1)}"
            )
    taken = in_turns(actions, lambda: get("/bench-empty"), ROUNDS, WARM_UP)
    middle = {name: statistics.median(times) for name, times in taken.items()}
    row("an answer without a page, through the middleware", f"{middle['bare']:.2f} ms")
    row("an empty page of the site", f"{middle['between']:.2f} ms")
    for name in list(actions)[1:]:
        times = middle[name] / middle["between"]
        measured = name.endswith((other, again))
        target = (f"≤ {EMPTY_PAGES:.0f} ×", times <= EMPTY_PAGES) if measured else ()
        row(name, f"{middle[name]:.1f} ms = {times:.1f} ×", *target)


def _step(number: int) -> int:
    """Return the step to request in a round. Together, the rounds cover all stages of a deal."""
    return 2 + 7 * number % (LONG - 6)


def _taps() -> None:
    """Measure the request that a tap on an evening's board makes, at the beginning and end of long deals."""
    from archive.web import throttles

    throttles.Questions.rate = "1000000/min"
    client = Client(headers={"host": "localhost"})
    taken: dict[str, list[float]] = {"beginning": [], "end": []}

    def tap(record: dict[str, Any], events: int, known: int, where: str = "") -> Any:
        question = {"ask": "board", "record": record | {"events": record["events"][:events]}, "known": known}
        body = json.dumps(question | {"language": "en"})
        start = time.perf_counter()
        answer = client.post("/evenings/ask", body, content_type="application/json")
        if where:
            taken[where].append((time.perf_counter() - start) * 1e3)
        return answer.json()

    collect_less()
    for record in simulate("grosstarock", players=3, deals=4 * (ROUNDS + WARM_UP), seed=3):
        # Drop the claimed score and the comments, because players don't tap them.
        form = write_json(replace(record, comments={}, score=None))
        if len(form["events"]) < TAPS:
            continue
        last = len(form["events"]) - 1
        groups = tap(form, last - 1, 0)["groups"]
        tap(form, 1, 0, "beginning")
        tap(form, last, groups[-2]["moves"][-1][0], "end")
    early, late = (statistics.median(times[WARM_UP:]) for times in taken.values())
    row("a tap at the beginning of a deal of 78 cards", f"{early:.1f} ms")
    row("  at its end", f"{late:.1f} ms = {late / early:.2f} ×", f"≤ {LATER} ×", late / early <= LATER)
    slowest = max(map(p95, taken.values()))
    row("  the slower of the two: p95", f"{slowest:.1f} ms", f"≤ {TAP:.0f} ms", slowest <= TAP)


def _together() -> None:
    """Measure a further step and an audit when several clients request them simultaneously."""
    with measured_site(embedded=True) as site:
        report = site.send("\n".join(texts(40, SEED)).encode())
        site.finished(report["url"])
        deals = [deal["id"] for deal in site.api("GET", "/api/v1/deals?limit=40")["results"]]
        for name, path in (("a further step", "replay/?step={}"), ("audit", "audit/?{}")):
            paths = [[f"/deals/{deal}/{path.format(step)}" for step in range(10)] for deal in deals]
            with ThreadPoolExecutor(CLIENTS) as pool:
                most = p95([t for times in pool.map(partial(_each, site.port), paths) for t in times])
            limit = f"≤ {PATIENCE:.0f} ms"
            row(f"{name}, {CLIENTS} clients: p95", f"{most:.1f} ms", limit, most <= PATIENCE)


def _each(port: int, addresses: list[str]) -> list[float]:
    """Request URLs one after another, and return how long each request took in milliseconds, leaving out the
    first."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    taken = []
    for address in addresses:
        start = time.perf_counter()
        connection.request("GET", address, headers={"Accept-Encoding": "gzip"})
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200, address
        taken.append((time.perf_counter() - start) * 1e3)
    connection.close()
    return taken[1:]


def _weights(number: int) -> None:
    client = Client(headers={"host": "localhost"})
    frames = client.get(f"/deals/{number}/frames.json").content
    weight = len(gzip.compress(frames, 6)) / 1000
    name = "all steps of a deal of 27 tricks, compressed"
    row(name, f"{weight:.1f} kB", f"≤ {FRAMES:.0f}", weight <= FRAMES)
    row("  the same before compression", f"{len(frames) / 1000:.0f} kB")


def _in_the_browser(number: int) -> None:
    with served() as root, browser() as chrome:
        if chrome is None:
            return
        page = chrome.new_page()
        session = page.context.new_cdp_session(page)
        page.goto(f"{root}/deals/{number}/replay/?step=1")
        page.wait_for_load_state("networkidle")
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.evaluate(
            "window.shift = 0; new PerformanceObserver((list) => {"
            "for (const one of list.getEntries()) window.shift += one.value}"
            ").observe({type: 'layout-shift', buffered: false})"
        )

        def script() -> float:
            found = session.send("Performance.getMetrics")["metrics"]
            return 1e3 * next(m["value"] for m in found if m["name"] == "ScriptDuration")

        taken = []
        for step in range(2, STEPS + 2):
            before = script()
            page.keyboard.press("ArrowRight")
            page.wait_for_selector(f'#stage[data-step="{step}"]', state="attached")
            page.wait_for_timeout(60)
            taken.append(script() - before)
        middle, most = statistics.median(taken), max(taken)
        name = "script of a step in the browser, median"
        row(name, f"{middle:.1f} ms", f"≤ {MILLISECONDS:.0f}", middle <= MILLISECONDS)
        row("  the longest of them", f"{most:.1f} ms")
        row("layout shift of these steps: hands that close ranks", f"{page.evaluate('window.shift'):.3f}")


def report(options: Options) -> None:
    """Print the figures for deals of 27 tricks (Strohmanntarock) and for deals with many calls (Taroky)."""
    with site_here():
        long = list(_deals("strohmann", 2))
        _server_times({"27 tricks": long, "Taroky": list(_deals("taroky", 4))})
        _taps()
        _together()
        _weights(long[0])
        _in_the_browser(long[0])
