"""Each operation with a failure at its first step, its second, and so on until the last, and then repeated.
In the end, the archive is as after the operation without a failure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import ProgrammingError, connection
from django.db.models import F
from django.utils import timezone

from archive import access, database, tasks
from archive.access import Viewer
from archive.errors import Unavailable
from archive.models import Contribution, Evening, Part, Player, Space, Upload, Webhook
from archive.publishing import dumps, webhooks
from archive.storing import corrections, evenings, feed, players, spaces, sums, sums_check, sweeper, uploads
from tarock.notation import read_one
from tests.archive.dumping import NOW
from tests.archive.test_evenings import begin, duty
from tests.archive.test_files import whole
from tests.seeds.failures import (
    KINDS,
    Broker,
    Killed,
    Receiver,
    Saved,
    Steps,
    check_rows,
    picture,
    without_servers,
)
from tests.support import samples
from tests.support.storing import stored

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no connection to lose"),
]

LATER = timedelta(hours=2)
"""Longer than a claim, a pause between attempts, and the time after which an upload counts as interrupted."""


@dataclass
class World:
    """A club with a member, and the servers and the folder that the archive uses."""

    steps: Steps
    broker: Broker
    receiver: Receiver
    folder: Path

    def __post_init__(self) -> None:
        self.ada = get_user_model().objects.create_user("ada")
        self.club = spaces.found_club("Tarok", by=self.ada)
        self.base = ""

    @property
    def viewer(self) -> Viewer:
        return access.viewer(self.ada)

    def work(self) -> None:
        """Take the messages from the broker, and run their tasks."""
        while self.broker.messages:
            task, number = self.broker.messages.pop(0)
            getattr(tasks, task)(number)

    def left(self) -> tuple[Any, ...]:
        """Return what an operation has left outside the archive's rows, and the work that must wait."""
        files = {path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}
        waiting = [model.objects.filter(due_at__gt=timezone.now()).count() for model in (Part, Webhook)]
        return files, waiting, list(self.broker.messages), list(self.receiver.messages)

    def recover(self) -> None:
        """Let time pass if work is left, and do what the sweeper and the workers do then."""
        Webhook.objects.update(due_at=F("due_at") - LATER)
        if not Upload.objects.filter(finished_at=None).exists():
            return
        Part.objects.update(due_at=F("due_at") - LATER)
        Upload.objects.update(received_at=F("received_at") - LATER, accepted_at=F("accepted_at") - LATER)
        sweeper.clean()
        sweeper.sweep()
        self.work()


# --- operations ---------------------------------------------------------------------------------------------


def receive(world: World) -> None:
    """Receive two deals and a text that is none."""
    chunks, how = [f"{samples.TAROKY}\n{samples.MALFORMED}\n{samples.SHEET}".encode()], {"limit": 10**6}
    if uploads.find_earlier(world.ada, "k", chunks, about="", **how) is None:
        uploads.receive(chunks, user=world.ada, space=world.club, key="k", **how)


def receive_parts(world: World) -> None:
    """Receive them in several parts."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("tarock.notation.pieces.PIECE", 1000)
        receive(world)


def send(world: World) -> None:
    receive(world)
    world.work()


def store_deal(world: World) -> None:
    stored(samples.TAROKY, space=world.club, user=world.ada)


def correct(world: World) -> None:
    """Correct names, session and score of a deal."""
    said = Contribution.objects.select_related("deal").get()
    record = samples.DISPUTED.replace("table 2", "table 3")
    corrections.correct(said, read_one(record), by=world.ada, key="k")


def withdraw(world: World) -> None:
    said = Contribution.objects.get()
    corrections.set_visibility(said, "withdrawn", by=world.ada, key="k")


def merge(world: World) -> None:
    by_name = {player.name: player for player in Player.objects.all()}
    players.merge(by_name["Anna"], by_name["Alena"])


def store_two_names(world: World) -> None:
    stored(samples.SHEET, samples.TAROKY.replace("Alena", "Anna"), space=world.club, user=world.ada)


def store_as_guest(world: World) -> None:
    """A deal that the user has already, and one that they don't have."""
    stored(samples.TAROKY, user=world.ada)
    stored(samples.TAROKY, samples.SHEET, space=spaces.guest())


def claim(world: World) -> None:
    """Sign in on the device of a guest."""
    if guest := Space.objects.filter(kind="guest").first():
        spaces.adopt(guest, spaces.own(world.ada), by=world.ada)


def begin_evening(world: World) -> None:
    begin(world.club, by=world.ada)


def enter(world: World, *, base: str = "", points: int = 60) -> None:
    evening = Evening.objects.select_related("session__space").get()
    record = evenings.read_deal(evening, 1, duty(points))
    how = {"viewer": world.viewer, "by": world.ada, "key": f"k{points}"}
    upload = evenings.enter(evening, 1, record, base=base, **how)
    world.work()
    if upload is not None and Upload.objects.get(pk=upload.pk).is_finished:
        evenings.check_stored(upload)


def enter_first(world: World) -> None:
    begin_evening(world)
    enter(world)
    world.base = evenings.version(Contribution.objects.get())


def change_entry(world: World) -> None:
    enter(world, base=world.base, points=50)


def store_months(world: World) -> None:
    """Store deals and dumps of two months. One month changes afterwards, and the other loses its deal."""
    for text, month in ((samples.TAROKY, 10), (samples.TROGGU, 11)):
        stored(text, space=world.club, user=world.ada)
        deal = Contribution.objects.latest("pk").deal
        deal.stored_at = NOW.replace(month=month, day=1)
        deal.save()
    dump(world)
    stored(samples.SHEET, space=world.club, user=world.ada)
    deal = Contribution.objects.latest("pk").deal
    deal.stored_at = NOW.replace(day=2)
    deal.save()
    corrections.set_visibility(Contribution.objects.earliest("pk"), "withdrawn", by=world.ada)


def dump(world: World) -> None:
    dumps.write(world.folder, current=True, now=NOW)


def add_webhook(world: World) -> None:
    webhooks.add(world.club, "http://127.0.0.1:80/hook", by=world.ada)
    stored(samples.TAROKY, samples.SHEET, space=world.club, user=world.ada)


def deliver(world: World) -> None:
    for pk in webhooks._due(timezone.now()):
        while webhooks.deliver(pk):
            pass


def nothing(world: World) -> None:
    pass


OPERATIONS: dict[str, tuple[Callable[[World], None], Callable[[World], None]]] = {
    "upload": (nothing, send),
    "upload in parts": (nothing, receive_parts),
    "correction": (store_deal, correct),
    "withdrawal": (store_deal, withdraw),
    "merge": (store_two_names, merge),
    "claim": (store_as_guest, claim),
    "deal of an evening": (begin_evening, enter),
    "change of an evening's deal": (enter_first, change_entry),
    "first dump": (store_deal, dump),
    "next dump": (store_months, dump),
    "webhook": (add_webhook, deliver),
}


# --- what holds after any failure ---------------------------------------------------------------------------


def check(world: World) -> None:
    """Check what holds at any time: sums, feed, verdicts, and rows that belong together."""
    sums.settle()
    assert list(sums_check.check()) == []
    check_rows(world.viewer, world.club.pk)


def check_listed(world: World) -> None:
    """Check that each file that the index of the dumps lists is there, even between two files."""
    months = dumps._index(world.folder).months.values()
    assert all((world.folder / file.name).is_file() for month in months for file in month.files)


def check_finished(world: World) -> None:
    """Check that no work is left, that the files are whole, and that the receiver has everything."""
    assert not Part.objects.exclude(state="done").exists()
    assert not Upload.objects.filter(finished_at=None).exists()
    assert world.broker.early == []
    if (world.folder / "dumps.json").exists():
        whole(world.folder)
    for webhook in Webhook.objects.all():
        assert (webhook.after, webhook.stopped_at) == (feed.latest(), None)
        assert len({message for message, _ in world.receiver.messages}) == 1


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[World]:
    settings.WEBHOOKS_TO_PRIVATE_ADDRESSES = True
    steps = Steps()
    (tmp_path / "dumps").mkdir()
    world = World(steps, Broker(steps), Receiver(steps), tmp_path / "dumps")
    servers = without_servers(monkeypatch, world.broker, lambda: world.receiver)
    with steps.watched(world.folder), servers:
        yield world


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_that_fails_at_any_step_can_be_repeated(name: str, kind: str, world: World) -> None:
    prepare, run = OPERATIONS[name]
    prepare(world)
    before = Saved(world.folder)
    repeated: list[Any] = []
    pictures: list[Any] = []

    def fail(number: int) -> None:
        """Carry the operation out, with a failure at this step."""
        with world.steps.failing(number, kind):
            try:
                run(world)
            except (Killed, Unavailable, *database.AWAY, OSError):
                pass
            except ProgrammingError:
                assert kind == "killed"
        connection.close()

    def checked() -> Any:
        """Return the picture of the archive. Check the archive if it had no such picture before."""
        if (found := picture()) not in pictures:
            pictures.append(found)
            check(world)
        return found

    def repeat() -> Any:
        """Repeat the operation without a failure, immediately and later. Return the picture in the end."""
        with suppress(uploads.KeyInUse):
            run(world)
        world.recover()
        run(world)
        world.work()
        check_finished(world)
        return checked()

    fail(0)
    expected = repeat()
    for number in count(1):
        before.put_back()
        world.broker.messages.clear()
        world.receiver.messages.clear()
        fail(number)
        if number > len(world.steps.names):
            break
        check_listed(world)
        # Failures that leave the same state need only one repetition.
        if (left := (checked(), *world.left())) not in repeated:
            repeated.append(left)
            assert repeat() == expected, f"step {number}: {world.steps.names[number - 1]}"
    assert number > 1, "there are steps"
