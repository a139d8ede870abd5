"""A small archive, and the steps of its users, workers, sweeper and clock that histories consist of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.db import IntegrityError
from django.db.models import Model
from django.test import Client
from django.utils import timezone

from archive import access, database, tasks
from archive.access import EVERYBODY, Viewer
from archive.errors import ArchiveError, Unavailable
from archive.models import (
    CHOSEN,
    Campaign,
    Contribution,
    Deal,
    Evening,
    Member,
    Player,
    Session,
    Space,
    Upload,
    Webhook,
)
from archive.packed_sheets import pack
from archive.publishing import dumps, webhooks
from archive.storing import (
    campaigns,
    corrections,
    evenings,
    feed,
    players,
    removal,
    spaces,
    sums,
    sweeper,
    uploads,
)
from tarock.analysis.verify import check
from tarock.notation import read_one
from tests.archive.test_evenings import begin, duty
from tests.seeds.failures import Broker, Receiver, Saved
from tests.seeds.scheduler import Clock, Killed, Scheduler
from tests.support import samples
from tests.support.storing import receive, store, stored

REFUSED = (
    ArchiveError,
    corrections.AnotherDeal,
    players.AtOneTable,
    spaces.LastMember,
    spaces.LastOwner,
    spaces.NameTaken,
    spaces.NotEmpty,
)
"""Errors with which the archive refuses a request. The pages and the API have a response for each."""


def is_in_doubt(error: BaseException, *, has_failed: bool) -> bool:
    """Return whether a step may end with this error, so that its caller repeats it. `has_failed`: whether
    there was a fault. Without one, the archive asks for a repetition only if a space was just deleted."""
    if has_failed:
        return isinstance(error, LOST)
    return isinstance(error, Unavailable) and isinstance(error.__cause__, IntegrityError)


LOST = (Killed, Unavailable, *database.AWAY, OSError)
"""Errors after which the user does not know whether the archive has carried out the request."""

EIGHT = samples.ILLEGAL.replace("Alena", "Anna")
"""Another deal, with Anna instead of Alena."""

LATER = timedelta(hours=2)
"""Longer than any lease, and than any pause between the first attempts."""


@dataclass
class Call:
    """A step of a history, and what its caller remembers. `outcome`: `accepted`, `refused`, or empty as long
    as the caller doesn't know."""

    name: str
    outcome: str = ""
    upload: Upload | None = None
    base: str | None = None
    mirror: dict[str, Any] = field(default_factory=dict)
    last: int = 0


class Site:
    """The archive at the beginning of each history, its users, the broker, and a webhook's receiver.

    Ada and Ben own a club, to which deals 7 and 8, a score sheet, and an evening with one deal belong; they
    also own an empty club. A guest has sent a sheet. The part with Ben's own deal waits for a worker.
    """

    def __init__(self, steps: Scheduler, folder: Path) -> None:
        self.steps, self.folder = steps, folder
        self.broker = Broker(steps)
        self.received: list[tuple[str, bytes]] = []
        make = get_user_model().objects.create_user
        self.ada, self.ben = make("ada"), make("ben")
        self.club, self.empty = (spaces.found_club(name, by=self.ada) for name in ("Tarok", "Empty"))
        Member.objects.create(space=self.club, user=self.ben, role="owner")
        for user in (self.ada, self.ben):
            spaces.own(user)
        self.guest = spaces.guest()
        stored(samples.TAROKY, EIGHT, space=self.club, user=self.ada)
        stored(samples.SHEET, space=self.guest)
        self.seven, self.eight, self.guests = Contribution.objects.order_by("pk")
        # Deal 7 is in the dump of an earlier month.
        Deal.objects.filter(pk=self.seven.deal_id).update(stored_at=timezone.now() - timedelta(days=40))
        self.evening = begin(self.club, by=self.ada)
        body = evenings.read_deal(self.evening, 1, duty(60))
        how = {"base": "", "viewer": access.viewer(self.ada), "by": self.ada}
        self.link = evenings.let_friends_join(self.evening, how["viewer"])
        upload = evenings.enter(self.evening, 1, body, **how)
        assert upload is not None
        store(upload)
        self.waiting = receive(samples.TROGGU, user=self.ben)
        self.webhook = webhooks.add(self.club, "http://127.0.0.1:80/hook", by=self.ada)
        self.first = feed.latest()
        sums.settle()
        self.broker.messages.clear()
        self.sequence = 0
        self._saved = Saved(folder)

    def reset(self, names: Iterable[str]) -> list[Call]:
        """Put everything back, and return the calls of a history with these steps."""
        names = list(names)
        self._saved.put_back()
        self.received.clear()
        self.broker.early.clear()
        self.broker.messages[:] = [("store_part", self.waiting.parts.get().pk)]
        Clock.ahead = timedelta()
        if "campaign" in names:
            # As if the engine had been wrong before.
            clauses, sheet = pack(check(read_one(samples.ILLEGAL)))
            wrong = {"verdict": "illegal", "clauses": clauses, "sheet": sheet, "engine_version": "0"}
            Deal.objects.filter(pk=self.seven.deal_id).update(**wrong)
        return [Call(name) for name in names]

    def receiver(self) -> Receiver:
        """Return the other end of a connection to the webhook's receiver."""
        receiver = Receiver(self.steps)
        receiver.messages = self.received
        return receiver

    def carry_out(self, call: Call) -> None:
        """Carry out the step of a call."""
        try:
            STEPS[call.name](self, call)
        except REFUSED as reason:
            if isinstance(reason, Unavailable):
                raise
            call.outcome = "refused"
        else:
            call.outcome = call.outcome or "accepted"

    def recover(self) -> None:
        """Do what the workers and the webhooks do, and let time pass, until nothing is left to do."""
        for _ in range(8):
            self.work()
            self.deliver()
            running = Campaign.objects.filter(state="running").exists()
            waiting = Webhook.objects.filter(stopped_at=None).exclude(after=feed.latest())
            if not (running or Upload.objects.filter(finished_at=None).exists() or waiting.exists()):
                return
            Clock.ahead += LATER
            self.sweep()

    def work(self) -> None:
        """Run the tasks of all messages, as workers do."""
        while self.broker.messages:
            task, number = self.broker.messages.pop(0)
            getattr(tasks, task)(number)

    def sweep(self) -> None:
        """Do what the sweeper does."""
        sweeper.clean()
        sweeper.sweep()

    def signed_in(self, name: str) -> Any:
        """Return a user who sends a request, unless the account was deleted before."""
        user = getattr(self, name)
        if not get_user_model().objects.filter(pk=user.pk).exists():
            raise ArchiveError("You are signed out.")
        return user

    def deliver(self) -> None:
        """Send the changes to the webhook, as the sweeper does."""
        for pk in webhooks._due(timezone.now()):
            while webhooks.deliver(pk):
                pass


# --- requests -----------------------------------------------------------------------------------------------


def _send(site: Site, call: Call, *, space: str, by: str | None, text: str, key: str) -> None:
    """Send records as the API does. The same key is the same request, which a client repeats."""
    user, chunks = site.signed_in(by) if by else None, [text.encode()]
    target = spaces.own(user) if space == "own" else getattr(site, space)
    if not Space.objects.filter(pk=target.pk).exists():
        raise ArchiveError("There is no such space.")
    if by and (earlier := uploads.find_earlier(user, key, chunks, limit=10**6, about="")):
        call.upload = earlier
        return
    call.upload = uploads.receive(chunks, limit=10**6, user=user, space=target, key=key if by else "")


def _change_entry(site: Site, call: Call, *, number: int, points: int = 0) -> None:
    """Change or enter a deal of the evening on a phone, which has shown the deal before; without points, take
    it back."""
    if call.base is None:
        deals = site.evening.session.contributions.filter(number=number, visibility__in=CHOSEN)
        call.base = next(map(evenings.version, deals), "")
    evening = Evening.objects.select_related("session__space").get(pk=site.evening.pk)
    how: Any = {"base": call.base, "viewer": access.viewer(site.ada), "by": site.ada, "key": call.name}
    if points:
        call.upload = evenings.enter(
            evening, number, evenings.read_deal(evening, number, duty(points)), **how
        )
    else:
        evenings.withdraw(evening, number, **how)


def _set_up(site: Site, _call: Call, **changes: Any) -> None:
    """Change the settings of the evening, on a phone that shows the version at the beginning."""
    evening = Evening.objects.select_related("session__space").get(pk=site.evening.pk)
    setup = replace(evenings.setup_of(site.evening), **changes)
    evenings.change(evening, setup, site.evening.version, viewer=access.viewer(site.ada), by=site.ada)


def _correct(site: Site, _call: Call, *, table: int) -> None:
    record = read_one(samples.DISPUTED.replace("table 2", f"table {table}"))
    said = Contribution.objects.select_related("deal").get(pk=site.seven.pk)
    corrections.correct(said, record, by=site.ada, key=f"table {table}")


def _replace(site: Site, call: Call) -> None:
    """Send the cards again, corrected: a new deal in place of deal 8."""
    if call.upload is None:
        text = samples.UNFINISHED.replace('[Deal "9"]', '[Deal "8"]')
        call.upload = uploads.receive([text.encode()], limit=10**6, user=site.ada, space=site.club,
                                      replaces=site.eight, source="api")  # fmt: skip


def _player(name: str) -> Player:
    return Player.objects.get(name=name, space__kind="club")


def _rename(_site: Site, _call: Call) -> None:
    if not Player.objects.filter(name="Emil").exists():
        players.rename(_player("Cyril"), "Emil")


def _adopt(site: Site, _call: Call, *, by: str) -> None:
    """Sign in on the guest's device."""
    if guest := Space.objects.filter(pk=site.guest.pk).first():
        user = site.signed_in(by)
        spaces.adopt(guest, spaces.own(user), by=user)


def _move(site: Site, _call: Call) -> None:
    """Move Ben's deal, once it is stored, to the club."""
    if own := Contribution.objects.filter(space=spaces.own(site.signed_in("ben"))).first():
        corrections.move(own, site.club, by=site.ben)


def _leave(site: Site, _call: Call, *, by: str) -> None:
    if member := Member.objects.filter(space=site.club, user=getattr(site, by)).first():
        spaces.leave(member)


def _delete_club(site: Site, _call: Call) -> None:
    if club := Space.objects.filter(pk=site.empty.pk).first():
        spaces.delete_club(club)


def _delete_account(site: Site, _call: Call) -> None:
    if ben := get_user_model().objects.filter(pk=site.ben.pk).first():
        # He has not agreed to delete the club.
        removal.delete_account(ben, with_contributions=True)


def _start_campaign(site: Site, _call: Call) -> None:
    if not Campaign.objects.exists():
        campaigns.start(by=site.ada)


# --- machinery ----------------------------------------------------------------------------------------------


def _work(site: Site, _call: Call, *, which: int = 0) -> None:
    """Take a message, and run its task."""
    with site.steps.step("take a message", _no_broker, _no_broker):
        message = site.broker.messages.pop(which) if site.broker.messages else None
    if message:
        getattr(tasks, message[0])(message[1])


def _no_broker() -> None:
    raise ConnectionError("the broker is away")


def _wait(_site: Site, _call: Call, *, time: timedelta) -> None:
    Clock.ahead += time


def _dump(site: Site, _call: Call) -> None:
    with suppress(dumps.Busy):
        dumps.write(site.folder, current=True)


def _follow(site: Site, call: Call) -> None:
    """Follow the feed of changes from its beginning, one change at a time."""
    more = True
    while more:
        changes = feed.changes(call.last, 1, VIEWERS[call.name](site))
        for entry in changes.entries:
            call.mirror[str(entry.key)] = entry.as_json
        call.last, more = changes.last, changes.more


def _look(_site: Site, call: Call) -> None:
    """As a stranger, open a list, and the pages of the first and the last row."""
    pages, model = PAGES[call.name.removeprefix("look-")]
    ids = model.objects.order_by("pk").values_list("pk", flat=True)
    for page in (pages, *(f"{pages}{pk}/" for pk in {ids.first(), ids.last()})):
        # Clients of other threads would raise an error of this request, too.
        status = Client(raise_request_exception=False).get(page).status_code
        if status == 503:
            raise Unavailable
        assert status in (200, 302, 404), (page, status)


PAGES: dict[str, tuple[str, type[Model]]] = {
    "session": ("/sessions/", Session),
    "player": ("/players/", Player),
    "deal": ("/deals/", Deal),
    "club": ("/clubs/", Space),
}
"""Lists, and what a page of each is about."""

VIEWERS: dict[str, Callable[[Site], Viewer]] = {
    "follow": lambda site: EVERYBODY,
    "follow-club": lambda site: Viewer(roles={site.club.pk: "member"}),
}

BOTH = f"{samples.TROGGU}\n{samples.MALFORMED}\n{samples.SHEET}"
"""Two deals, and a text that is none."""

MACHINERY: dict[str, Callable[[Site, Call], object]] = {
    "work": _work,
    "work-newest": partial(_work, which=-1),
    "double": lambda site, call: site.broker.messages.extend([*site.broker.messages]),
    "lose": lambda site, call: site.broker.messages.clear(),
    "sweep": lambda site, call: site.sweep(),
    "settle": lambda site, call: sums.settle(),
    "seconds": partial(_wait, time=timedelta(seconds=20)),
    "hours": partial(_wait, time=LATER),
    "deliver": lambda site, call: site.deliver(),
    "follow": _follow,
    "follow-club": _follow,
    **{f"look-{name}": _look for name in PAGES},
}
"""Steps that nobody repeats if they fail, because the next turn does the same."""

STEPS: dict[str, Callable[[Site, Call], object]] = {
    **MACHINERY,
    "send": partial(_send, space="club", by="ada", text=BOTH, key="k"),
    "send-again": partial(_send, space="club", by="ada", text=BOTH, key="k"),
    "send-ben": partial(_send, space="club", by="ben", text=samples.TROGGU, key="k"),
    "send-own": partial(_send, space="own", by="ada", text=BOTH, key="own"),
    "send-guest": partial(_send, space="guest", by=None, text=samples.TROGGU, key=""),
    "send-empty": partial(_send, space="empty", by="ada", text=samples.TROGGU, key="empty"),
    "change-a": partial(_change_entry, number=1, points=50),
    "change-b": partial(_change_entry, number=1, points=40),
    "enter-a": partial(_change_entry, number=2, points=55),
    "enter-b": partial(_change_entry, number=2, points=45),
    "undo": partial(_change_entry, number=1),
    "set-stake": partial(_set_up, stake="1"),
    "set-name": partial(_set_up, name="Wednesday"),
    "end": partial(_set_up, ended=True),
    "correct-a": partial(_correct, table=3),
    "correct-b": partial(_correct, table=4),
    "replace": _replace,
    "withdraw": lambda site, call: corrections.set_visibility(site.seven, "withdrawn", by=site.ada),
    "show": lambda site, call: corrections.set_visibility(site.seven, "public", by=site.ada),
    "hide": lambda site, call: corrections.set_visibility(site.eight, "members", by=site.ada),
    "hide-guests": lambda site, call: corrections.set_visibility(site.guests, "unlisted", by=site.ada),
    "merge": lambda site, call: players.merge(_player("Anna"), _player("Alena")),
    "part": lambda site, call: players.unmerge(_player("Anna")),
    "rename": _rename,
    "adopt-ada": partial(_adopt, by="ada"),
    "adopt-ben": partial(_adopt, by="ben"),
    "move": _move,
    "leave-ada": partial(_leave, by="ada"),
    "leave-ben": partial(_leave, by="ben"),
    "hide-club": lambda site, call: spaces.set_visibility(site.club, "members", by=site.ada, all_deals=True),
    "delete-empty": _delete_club,
    "delete-ben": _delete_account,
    "campaign": _start_campaign,
    "dump": _dump,
}

THEMES: dict[str, tuple[str, ...]] = {
    "uploads": ("send", "send-again", "send-ben", "send-own", "send-guest", "move", "send-empty",
                "delete-empty", "delete-ben"),
    "evening": ("change-a", "change-b", "enter-a", "enter-b", "undo", "set-stake", "set-name", "end"),
    "changes": ("correct-a", "correct-b", "replace", "withdraw", "show", "hide", "campaign", "hide-club"),
    "people": ("merge", "part", "rename", "adopt-ada", "adopt-ben", "send-guest", "hide-guests",
               "leave-ada", "leave-ben", "send-own", "delete-ben"),
    "dumps": ("dump", "withdraw", "send", "merge", "change-a"),
}  # fmt: skip
"""Steps that change the same rows."""
