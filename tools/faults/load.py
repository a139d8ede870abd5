"""The deals that are sent during a fault, and a check that all of them were stored correctly."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db import connection

from tarock.analysis.verify import Check, check
from tarock.notation import read
from tools.bench import texts
from tools.site import Refused, Site

if TYPE_CHECKING:
    from archive.models import Contribution

PAUSE = 0.8
"""Seconds between two files from a client, so that files keep arriving during the whole fault."""

PATIENCE = 120
"""Maximum seconds until a file is accepted, and from then until it is stored."""


def deals(number: int, seed: int) -> list[str]:
    """Return deals of all games as text. In every sixteenth deal, change the claim, swap two cards, or cut
    off the end."""
    deals = texts(number, seed)
    chance = random.Random(seed)
    chance.shuffle(deals)
    for at in range(0, len(deals), 16):
        deals[at] = _altered(deals[at], chance)
    return deals


def _altered(text: str, chance: random.Random) -> str:
    lines = text.rstrip("\n").split("\n")
    how = chance.randrange(3)
    if how == 0:
        return "\n".join(lines[: -chance.randrange(1, 4)]) + "\n"
    if how == 1:
        words = lines[-2].split()
        words[-1], words[-2] = words[-2], words[-1]
        return "\n".join([*lines[:-2], " ".join(words), lines[-1]]) + "\n"
    seats = [line[1] for line in lines if line[:1] == "[" and line[2:4] == ' "']
    score = " ".join(f"{seat}={n}" for n, seat in enumerate(seats))
    head = next(n for n, line in enumerate(lines) if line.startswith("[Dealer"))
    rest = [line for line in lines if not line.startswith("[Score")]
    return "\n".join([*rest[: head + 1], f'[Score "{score}"]', *rest[head + 1 :]]) + "\n"


@dataclass
class Load:
    """Files that are sent during a fault, and their results. `accepted`: URLs of a file's uploads, by its
    index; `seen`: number of responses by status, and other counts to print."""

    site: Site
    files: list[bytes]
    accepted: dict[int, list[str]] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)
    stop: threading.Event = field(default_factory=threading.Event)
    errors: list[str] = field(default_factory=list)

    def run(self, clients: int = 2) -> list[threading.Thread]:
        """Start clients that each send a share of the files; return the clients' threads."""
        threads = [threading.Thread(target=self._client, args=(n, clients)) for n in range(clients)]
        for thread in threads:
            thread.start()
        return threads

    def _client(self, first: int, step: int) -> None:
        for number in range(first, len(self.files), step):
            self.send(number)
            time.sleep(PAUSE)

    def send(self, number: int) -> None:
        """Send a file again and again until it is accepted, for at most `PATIENCE` seconds."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                report = self.site.send(self.files[number], timeout=20)
            except Refused as refused:
                self.seen[str(refused.status or "no answer")] += 1
                time.sleep(0.5)
            else:
                self.seen[str(report["status"])] += 1
                self.accepted.setdefault(number, []).append(report["url"])
                return
        self.errors.append(f"file {number} was never accepted")


def compare(load: Load) -> dict[str, int]:
    """Count the deals of the accepted files that are lost, doubled (stored twice) or wrong."""
    from archive import access

    connection.close()  # a fault may have cut this connection
    everything = access.readable(access.Viewer(operator=True)).select_related("deal").prefetched()
    found: Counter[str] = Counter(lost=0, doubled=0, wrong=0)
    for number in load.accepted:
        for entry in read(load.files[number]):
            if entry.record is None:
                continue
            stored = list(everything.filter(deal__digest=bytes.fromhex(entry.record.digest)))
            if stored:
                found["doubled"] += len(stored) > 1
                found["wrong"] += not _same(stored[0], check(entry.record))
            else:
                found["lost"] += 1
    return dict(found)


def _same(contribution: Contribution, expected: Check) -> bool:
    from archive.shown import shown

    deal = shown(contribution)
    stored, cited = (one and (one.clause, one.event) for one in (deal.stored_finding, expected.error))
    return bool(
        contribution.verdict == expected.verdict
        and deal.score == expected.score
        and deal.lines == expected.lines
        and stored == cited
    )
