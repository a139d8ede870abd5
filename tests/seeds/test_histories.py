"""Histories: a step with a fault at each of its points; random ones, with several steps at the same time, in
an order, and with a fault, that a seed decides."""

from __future__ import annotations

import json
import logging
import os
import time
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from archive import access, database
from archive.access import EVERYBODY, Viewer
from archive.models import Chunk, Contribution, Evening, Member, Part, Space, Upload, Webhook
from archive.publishing import dumps
from archive.storing import evenings, feed, sums, sums_check
from tarock.notation import read_one
from tests.archive.test_evenings import points
from tests.archive.test_files import whole
from tests.archive.test_sequences import check_what_is_seen, what_is_listed
from tests.seeds.failures import check_rows, picture, without_servers
from tests.seeds.scheduler import FAULTS, KINDS, Clock, History, Scheduler, in_words
from tests.seeds.steps import MACHINERY, STEPS, THEMES, VIEWERS, Call, Site, is_in_doubt
from tests.support import samples

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer"),
]

KEPT = Path(__file__).with_name("kept.txt")
"""Seeds of failures that were found and fixed, one per line."""

SEED = os.environ.get("SEED", "")
"""A seed to replay."""

SECONDS = int(os.environ.get("SECONDS", "0"))
"""Seconds for which fresh seeds are tried."""

MOST = int(os.environ.get("HISTORIES", "0")) or 10**9
"""Number of histories after which no fresh seeds are tried."""


START = os.environ.get("START", "").split()
"""Steps with which all fresh seeds begin. They make likely what only few histories would try."""


# --- what holds after a history -----------------------------------------------------------------------------


class Archive:
    """The site, and the check of its histories. `pictures`: those that were checked already; `ends`: the
    picture in the end by what was left when the steps had ended; `end`: that of the last history."""

    def __init__(self, site: Site, scheduler: Scheduler) -> None:
        self.site, self.scheduler = site, scheduler
        self.pictures: set[str] = set()
        self.ends: dict[str, Any] = {}
        self.histories = 0

    def run(self, history: History, *, thorough: bool = False) -> None:
        """Run a history, repeat the requests that had no response, and check the archive. `thorough`: check
        all rows before anything is repeated, too."""
        self.histories += 1
        site = self.site
        calls = site.reset(history.steps)
        actions = [lambda call=call: site.carry_out(call) for call in calls]
        try:
            actors = self.scheduler.run(history, actions)
            for actor in actors:
                if actor.error and not is_in_doubt(actor.error, has_failed=actor.has_failed):
                    raise actor.error
            self.check_between()
            # The site of a campaign has a wrong score, which is right only in the end.
            if thorough and "campaign" not in history.steps:
                self.check_all()
            left = self.what_is_left(history, calls)
            if left not in self.ends:
                self.finish(calls)
                self.check(history, calls)
                self.ends[left] = picture()
            self.end = self.ends[left]
        except BaseException as error:
            error.add_note(self.told(history))
            raise

    def what_is_left(self, history: History, calls: list[Call]) -> str:
        """Return all that decides how a history ends once its steps have ended."""
        found = sorted(path for path in self.site.folder.iterdir() if path.is_file())
        folder = [(path.name, path.read_bytes()) for path in found]
        waiting = [model.objects.filter(due_at__gt=timezone.now()).count() for model in (Part, Webhook)]
        left = history.steps, calls, folder, waiting, self.site.broker.messages, self.site.received
        return f"{picture()} {left}"

    def order(self, history: History) -> list[str]:
        """Return the points of the last history in words, in their order."""
        return [f"{n} {history.steps[n]:12} {in_words(point)}" for n, point in self.scheduler.trace]

    def told(self, history: History) -> str:
        """Return a history in words, and the command that replays it."""
        command = f"A history failed. To replay it: make seeds SEED='{history}'"
        return "\n".join([command, "", *self.order(history)])

    def finish(self, calls: list[Call]) -> None:
        """Repeat what had no response, as users, phones and programs do, until nothing is left to do."""
        self.site.recover()
        for call in calls:
            if not call.outcome and call.name not in MACHINERY:
                self.site.carry_out(call)
                self.site.recover()
        for call in calls:
            if call.name.startswith(("enter", "change")) and call.upload and call.outcome == "accepted":
                try:
                    evenings.check_stored(call.upload)
                except evenings.Conflict:
                    call.outcome = "refused"

    def check_between(self) -> None:
        """Check what holds even when processes have just died."""
        months = dumps._index(self.site.folder).months.values()
        listed = {file.name for month in months for file in month.files}
        assert all((self.site.folder / name).is_file() for name in listed)
        assert self.scheduler.torn not in listed, "a file was published before it was on the disk"
        assert self.site.broker.early == []

    def check(self, history: History, calls: list[Call]) -> None:
        """Check that nothing is lost, doubled or wrong, and that everybody has what they may see."""
        unfinished = [*Part.objects.exclude(state="done"), *Chunk.objects.exclude(state="done")]
        assert not unfinished
        assert not Upload.objects.filter(finished_at=None).exists()
        assert Member.objects.filter(space=self.site.club, role="owner").exists()
        self.check_uploads(calls)
        self.check_evening(calls)
        self.check_followers(calls)
        self.check_webhook()
        if "dump" in history.steps:
            dumps.write(self.site.folder, current=True, now=timezone.now())
            whole(self.site.folder)
        self.check_all(with_sums="settle" in history.steps)

    def check_all(self, *, with_sums: bool = False) -> None:
        """Check rows and sums, unless the same rows were checked before. `with_sums`: check these anyway."""
        now = json.dumps(picture(), default=str)
        if now not in self.pictures or with_sums:
            sums.settle()
            assert list(sums_check.check()) == []
        if now not in self.pictures:
            self.check_rows()
            self.pictures.add(now)

    def check_rows(self) -> None:
        """Check all rows, and what each viewer sees of them."""
        ben = access.viewer(self.site.ben)
        rows = check_rows(ben, self.site.club.pk)
        for viewer in (EVERYBODY, access.viewer(self.site.ada), ben):
            seen = access.listed(viewer).values_list("pk", flat=True)
            assert set(seen) == what_is_listed(viewer, rows).keys()
        if len(self.pictures) % _SELDOM == 0:
            check_what_is_seen(EVERYBODY, lambda rows: [])

    def check_uploads(self, calls: list[Call]) -> None:
        """Each deal that was sent is there, once for each space."""
        names = {call.name for call in calls}
        troggu = bytes.fromhex(read_one(samples.TROGGU).digest)
        seven = bytes.fromhex(read_one(samples.TAROKY).digest)
        for digest in {troggu, seven}:
            rows = Contribution.objects.filter(deal__digest=digest).values_list("space", flat=True)
            times = set(Counter(rows).values())
            # Ben's own deal may be deleted with his account.
            assert times == {1} or (not times and digest == troggu and "delete-ben" in names), (
                "the deal is stored, and once for each space"
            )
        sent = {call.name: call for call in calls if call.upload and call.outcome == "accepted"}
        own = {self.site.club.pk: ("send", "send-again", "send-ben"), self.site.empty.pk: ("send-empty",)}
        for space, senders in own.items():
            if any(name in sent for name in senders):
                assert Contribution.objects.filter(space=space, deal__digest=troggu).count() == 1
        sheets = Contribution.objects.filter(session__name="June").values_list("space", flat=True)
        times = set(Counter(sheets).values())
        # So may the evening, after Ben has adopted it.
        assert times == {1} or (not times and {"adopt-ben", "delete-ben"} <= names), (
            "the sheet is stored, and once for each space"
        )
        assert Space.objects.filter(pk=self.site.empty.pk).exists() or "send-empty" not in sent

    def check_evening(self, calls: list[Call]) -> None:
        """Of the phones that change the same version, one has won, and its change is there."""
        there = points(Evening.objects.get())
        for number, name, first in ((1, "change", 60), (2, "enter", None)):
            won = [call for call in calls if call.name.startswith(name) and call.outcome == "accepted"]
            if number == 1 and any(call.name == "undo" for call in calls):
                continue
            expected = {_POINTS[call.name] for call in won} or {first}
            bases: dict[str, set[str | None]] = {}
            for call in won:
                bases.setdefault(call.name, set()).add(call.base)
            # A step that occurs twice sends its request again; only one of its versions was changed.
            on_base = Counter(base for known in bases.values() if len(known) == 1 for base in known)
            assert set(on_base.values()) <= {1}, "two phones have changed the same version"
            assert there.get(number) in expected
        changed = [call for call in calls if call.name in _SETTINGS and call.outcome == "accepted"]
        evening = Evening.objects.get()
        assert evening.version == 1 + len({call.name for call in changed}) or "hide-club" in [
            call.name for call in calls
        ]
        assert len({call.name for call in changed}) <= 1, "they all changed the first version"

    def check_followers(self, calls: list[Call]) -> None:
        """A follower of the feed who goes on has what somebody has who begins now."""
        for call in calls:
            if call.name in VIEWERS and call.outcome != "refused":
                begun = Call(call.name)
                for one in (call, begun):
                    STEPS[call.name](self.site, one)
                assert _without_gone(call) == _without_gone(begun)

    def check_webhook(self) -> None:
        """The receiver has the latest change of each deal, and can tell by its id what it got again."""
        site = self.site
        latest: dict[str, dict[str, Any]] = {}
        contents: dict[str, Any] = {}
        for message, body in site.received:
            data = json.loads(body)["data"]
            assert contents.setdefault(message, data) == data
            for entry in data["changes"]:
                if entry["change"] >= latest.get(entry["deal"], entry)["change"]:
                    latest[entry["deal"]] = entry
        assert all(contents[one] != contents[other] for one, other in combinations(contents, 2))
        webhook = site.club.webhooks.get()
        if webhook.stopped_at is not None:  # its owner has left the club
            return
        assert webhook.after == feed.latest()
        viewer = Viewer(roles={site.club.pk: "member"})
        for entry in feed.changes(site.first, 1000, viewer, space=site.club.pk).entries:
            assert latest.get(str(entry.key)) == entry.as_json


_SELDOM = 20
"""Number of new pictures of which one is also compared with what the searches and lists show."""

_POINTS = {"change-a": 50, "change-b": 40, "enter-a": 55, "enter-b": 45}
_SETTINGS = {"set-stake", "set-name", "end"}


def _without_gone(call: Call) -> dict[str, Any]:
    return {key: entry for key, entry in call.mirror.items() if entry["kind"] != "withdrawn"}


# --- the histories ------------------------------------------------------------------------------------------


SWITCHES = st.sampled_from([1, 1, 2, 6]).flatmap(
    lambda most: st.lists(st.integers(1, 40), min_size=1, max_size=most)
)
"""Often only one switch: most defects of order need one at the right point, and further ones hide them."""


@st.composite
def histories(draw: Any) -> History:
    """Steps that change the same rows, with workers, sweeper, clock and broker between them."""
    theme = THEMES[draw(st.sampled_from(list(THEMES)))]
    requests = st.sampled_from(draw(st.lists(st.sampled_from(theme), min_size=1, max_size=3, unique=True)))
    any_step = st.one_of(requests, requests, st.sampled_from(["work", "work", *MACHINERY]))
    steps = [*START, *draw(st.lists(any_step, min_size=0 if START else 2, max_size=6 - len(START)))]
    switches = draw(SWITCHES)
    kinds = FAULTS if "dump" not in steps else (*FAULTS, "power", "power")
    fault = st.tuples(st.integers(0, len(steps) - 1), st.integers(1, 60), st.sampled_from(kinds))
    return History(tuple(steps), tuple(switches), draw(st.none() | fault))


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[Archive]:
    settings.WEBHOOKS_TO_PRIVATE_ADDRESSES = True
    folder = tmp_path / "dumps"
    folder.mkdir()
    for limit in ("LOCK", "IDLE", "STATEMENT"):  # the seed decides, not the speed of the machine
        monkeypatch.setattr(database, f"_{limit}_TIMEOUT", "600s")
    monkeypatch.setattr(database, "_MAX_SECONDS", 600)
    monkeypatch.setattr(timezone, "datetime", Clock)
    monkeypatch.setattr("tarock.notation.pieces.PIECE", 1000)
    scheduler = Scheduler()
    logging.disable()
    site = Site(scheduler, folder)
    servers = without_servers(monkeypatch, site.broker, site.receiver)
    with scheduler.watched(folder), scheduler.at_work(), servers:
        yield Archive(site, scheduler)


def kept(file: Path = KEPT) -> list[str]:
    lines = file.read_text().splitlines()
    return SEED.splitlines() or [line for line in lines if line and not line.startswith("#")]


def try_fresh(archive: Any, strategy: st.SearchStrategy[History], *, each: int = 200) -> None:
    """Try fresh seeds. Each round of Hypothesis, of `each` histories, has its own seed. Hypothesis makes a
    failure shorter before it shows it."""
    failed: list[History] = []
    tried: set[History] = set()
    began, phases = time.monotonic(), [Phase.generate, Phase.shrink]
    number = int.from_bytes(os.urandom(4))

    try:
        while time.monotonic() - began < SECONDS and archive.histories < MOST:
            number += 1

            @seed(number)
            @settings(
                max_examples=min(each, MOST - archive.histories),
                phases=phases[:1] if os.environ.get("BROKEN") else phases,
                database=None,
                deadline=None,
                suppress_health_check=list(HealthCheck),
                report_multiple_bugs=False,
            )
            @given(strategy)
            def run(history: History) -> None:
                # After the time, Hypothesis only repeats a history that has failed. It draws many twice.
                if failed or (time.monotonic() - began < SECONDS and history not in tried):
                    tried.add(history)
                    failed.append(history)
                    archive.run(history)
                    failed.pop()

            run()
            connection.cursor().execute("VACUUM")
    finally:
        seconds, number = time.monotonic() - began, archive.histories
        print(
            f"\n{number} histories in {seconds:.0f} s, {number / seconds:.1f} a second, "
            f"{len(archive.pictures)} different pictures",
            flush=True,
        )


def test_a_seed_decides_the_order_and_who_waits(archive: Archive) -> None:
    seed = "change-a work change-b work-newest >12 >9 1@30:ended"
    history = History((*seed.split()[:4],), (12, 9), (1, 30, "ended"))
    assert (History.parse(seed), str(history)) == (history, seed)
    orders = []
    for _ in range(2):
        archive.run(history)
        orders.append(archive.order(history))
    assert orders[0] == orders[1]
    assert any("[SELECT pg_advisory_xact_lock(%s)]" in line for line in orders[0])
    with pytest.raises(ValueError, match="kind of refused, unanswered, killed, ended, power"):
        History.parse("work 0@1:asleep")


OPERATIONS = {
    "send send-again work": 0,
    "work work": 0,
    "work send work-newest work": 3,
    "work campaign work work": 2,
    "correct-a correct-a": 0,
    "withdraw withdraw": 0,
    "merge merge": 0,
    "adopt-ada adopt-ada": 0,
    "enter-a enter-a": 0,
    "change-a change-a": 0,
    "dump dump": 0,
    "dump withdraw send-own work work dump dump": 5,
    "withdraw merge deliver deliver": 2,
}
"""Seeds without a fault, and the step to which faults happen. It is repeated immediately, and in the end."""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", OPERATIONS)
def test_an_operation_that_fails_at_any_point_can_be_repeated(seed: str, kind: str, archive: Archive) -> None:
    """In the end, the archive is as after the operation without a failure. Every point in `make seeds`, every
    18th in `make test`, and other ones for each kind and operation."""
    steps, step = tuple(seed.split()), OPERATIONS[seed]
    archive.run(History(steps), thorough=True)
    expected, lasting = archive.end, archive.scheduler.lasting(step)
    assert len(lasting) > 1, "there are points"
    every, first = (1, 0) if SECONDS else (18, (6 * KINDS.index(kind) + list(OPERATIONS).index(seed)) % 18)
    for point, lasts in enumerate(lasting):
        if point and (lasts or kind == "refused") and point % every == first:
            history = History(steps, (), (step, point, kind))
            archive.run(history, thorough=True)
            assert archive.end == expected, archive.told(history)


def test_kept_seeds_no_longer_fail(archive: Archive) -> None:
    for one in kept():
        archive.run(History.parse(one))


@pytest.mark.skipif(not SECONDS or bool(SEED), reason="fresh seeds are tried by `make seeds`")
def test_fresh_seeds_do_not_fail(archive: Archive) -> None:
    try_fresh(archive, histories())
