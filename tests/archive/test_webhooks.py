"""Webhooks: what a receiver is sent, what becomes of what he does not take, and where nothing is sent."""

from __future__ import annotations

import base64
import json
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpcore
import pytest
import standardwebhooks
from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.http import http_date

from archive.models import Contribution, Delivery, Member, Space, Webhook
from archive.publishing import outgoing, webhooks
from archive.reading.operation import get_figures
from archive.storing import corrections, feed, removal, spaces
from tests.support import samples
from tests.support.storing import stored
from tools.waiting import eventually


@dataclass
class Receiver:
    """A server that records requests, and answers as configured."""

    url: str = ""
    status: int = 204
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    slow: bool = False
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    @property
    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(body)["data"] for _headers, body in self.got]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    it = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            it.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
            if it.slow:  # a head without an end, a byte at a time
                end = time.monotonic() + 30
                with suppress(OSError):
                    while time.monotonic() < end:
                        self.wfile.write(b"H")
                        time.sleep(0.05)
                return
            self.send_response(it.status)
            for name, value in {**it.headers, "Content-Length": str(len(it.body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(it.body)

        def log_message(self, *_args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        it.url = f"http://127.0.0.1:{server.server_port}/hook?x=1"
        yield it
        server.shutdown()


@pytest.fixture(autouse=True)
def _private(settings: Any) -> None:
    settings.WEBHOOKS_TO_PRIVATE_ADDRESSES = True


@pytest.fixture
def club(ada: Any) -> Space:
    return spaces.found_club("Tarok", by=ada)


@pytest.fixture
def webhook(club: Space, receiver: Receiver, ada: Any) -> Webhook:
    return webhooks.add(club, receiver.url, by=ada)


pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def now_due(webhook: Webhook) -> Webhook:
    """The webhook as it is, its pause being over."""
    Webhook.objects.filter(pk=webhook.pk).update(due_at=timezone.now())
    return refreshed(webhook)


def refreshed(webhook: Webhook) -> Webhook:
    webhook.refresh_from_db()
    return webhook


def send(webhook: Webhook, *numbers: int, **how: Any) -> bool:
    """Store deals in the webhook's club, and deliver what is due."""
    stored(*map(samples.dealt, numbers), space=webhook.space, **how)
    return webhooks.deliver(webhook.pk)


def test_it_is_told_what_changes_in_its_space_from_now_on(club, receiver, ada, ben, monkeypatch) -> None:
    stored(samples.dealt(1), user=ada, space=club)
    webhook = webhooks.add(club, receiver.url, by=ada)
    assert not webhooks.deliver(webhook.pk)
    stored(samples.dealt(2), user=ada, space=club, visibility="members")
    stored(samples.dealt(3), user=ben)
    assert webhooks.deliver(webhook.pk)
    (message,) = receiver.messages
    said = Contribution.objects.get(space=club, visibility="members")
    assert [(change["kind"], change["deal"]) for change in message["changes"]] == [("stored", str(said.key))]
    assert (message["space"], message["club"], message["club_name"]) == (club.pk, club.pk, "Tarok")
    corrections.set_visibility(said, "withdrawn", by=ada)
    assert webhooks.deliver(webhook.pk)
    assert receiver.messages[1]["changes"][0]["kind"] == "withdrawn"
    assert refreshed(webhook).after == feed.latest() == receiver.messages[1]["last"]
    assert not webhooks.deliver(webhook.pk), "nothing is sent twice"
    # Many changes are many messages.
    monkeypatch.setattr(webhooks, "_AT_ONCE", 2)
    sent = [send(webhook, *range(10, 15)), *(webhooks.deliver(webhook.pk) for _ in range(3))]
    assert sent == [True, True, True, False]
    told = [[change["change"] for change in message["changes"]] for message in receiver.messages[2:]]
    first = told[0][0]
    assert told == [[first, first + 1], [first + 2, first + 3], [first + 4]]


def test_a_message_is_signed_as_the_standard_says(webhook, club, receiver, ada, settings) -> None:
    """The standard's own library agrees."""
    send(webhook, 1)
    headers, body = receiver.got[0]
    assert headers["webhook-signature"].startswith("v1,")
    assert abs(int(headers["webhook-timestamp"]) - time.time()) < 60
    former = webhooks.secret(webhook)
    assert len(base64.b64decode(former.removeprefix("whsec_"))) == 32
    assert standardwebhooks.Webhook(former).verify(body, headers) == json.loads(body)
    with pytest.raises(standardwebhooks.WebhookVerificationError):
        standardwebhooks.Webhook(former).verify(body.replace(b"stored", b"hidden"), headers)
    assert webhooks.secret(webhooks.add(club, receiver.url, by=ada)) != former
    # While the site's key is changed, former secrets are good.
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key of the site"
    assert webhooks.secret(webhook) != former
    send(webhook, 2)
    headers, body = receiver.got[1]
    for secret in (former, webhooks.secret(webhook)):
        assert standardwebhooks.Webhook(secret).verify(body, headers) == json.loads(body)
    settings.SECRET_KEY_FALLBACKS = []
    send(webhook, 3)
    headers, body = receiver.got[2]
    with pytest.raises(standardwebhooks.WebhookVerificationError):
        standardwebhooks.Webhook(former).verify(body, headers)


def test_what_is_not_taken_is_sent_again_after_a_pause(webhook, club, receiver) -> None:
    receiver.status, receiver.body = 500, "kaputt ♥".encode() * 200
    assert not send(webhook, 1)
    assert not webhooks.deliver(webhook.pk), "not before the pause is over"
    assert len(receiver.got) == 1
    pause = refreshed(webhook).due_at - timezone.now()
    assert timedelta() < webhooks.PAUSES[0] - pause < timedelta(seconds=30)
    delivery = Delivery.objects.get()
    assert (delivery.status, delivery.number, delivery.is_taken) == (500, 1, False)
    assert delivery.response.startswith("kaputt ♥")
    assert not webhooks.deliver(now_due(webhook).pk)
    receiver.status, receiver.body = 200, b""
    stored(samples.dealt(2), space=club)
    assert webhooks.deliver(now_due(webhook).pk)
    first, second, third = receiver.got
    assert first[0]["webhook-id"] == second[0]["webhook-id"], "the receiver can tell"
    assert receiver.messages[0] == receiver.messages[1]
    assert third[0]["webhook-id"] != first[0]["webhook-id"], "who drops known ids misses nothing of it"
    assert len(receiver.messages[2]["changes"]) == 2
    assert (refreshed(webhook).failures, webhook.after) == (0, feed.latest())


def test_the_id_names_the_contents(webhook, receiver) -> None:
    """Also where another message has the same changes at its ends."""
    receiver.status = 500
    send(webhook, 1, 2, 3)
    middle = Contribution.objects.order_by("pk")[1]
    Contribution.objects.filter(pk=middle.pk).update(feed_kind="verdict")
    webhooks.deliver(now_due(webhook).pk)
    before, after = receiver.messages
    assert before["last"] == after["last"]
    assert before["changes"] != after["changes"]
    assert len({headers["webhook-id"] for headers, _body in receiver.got}) == 2


@pytest.mark.django_db(transaction=True)
def test_a_club_is_told_of_what_is_removed_for_good(webhook, club, receiver, dispatcher, ada) -> None:
    stored(samples.dealt(1), user=ada, space=club)
    stored(samples.dealt(2), user=ada, space=club, visibility="members")
    keys = sorted(str(said.key) for said in Contribution.objects.all())
    for said in Contribution.objects.all():
        corrections.set_visibility(said, "withdrawn", by=ada)
    assert webhooks.deliver(webhook.pk)
    removal.purge(timezone.now())
    dispatch(dispatcher)
    kinds = [(change["kind"], change["deal"]) for change in receiver.messages[-1]["changes"]]
    assert (len(receiver.messages), sorted(kinds)) == (2, [("withdrawn", key) for key in keys])
    assert refreshed(webhook).after == feed.latest()


@pytest.mark.parametrize(
    ("status", "tries", "reason"), [(500, len(webhooks.PAUSES) + 1, "given_up"), (410, 1, "gone")]
)
def test_a_webhook_that_stopped_goes_on_where_it_was(status, tries, reason, webhook, receiver) -> None:
    receiver.status = status
    stored(samples.dealt(1), space=webhook.space)
    for failures in range(tries):
        assert (now_due(webhook).failures, webhook.reason, webhook.stopped_at) == (failures, None, None)
        assert not webhooks.deliver(webhook.pk)
    assert now_due(webhook).reason == reason
    assert webhook.stopped_at is not None
    assert not webhooks.deliver(webhook.pk)
    assert len(receiver.got) == tries
    receiver.status = 204
    webhooks.start_again(webhook)
    assert webhooks.deliver(webhook.pk)
    assert receiver.messages[-1] == receiver.messages[0], "nothing is lost"
    assert now_due(webhook).reason is None


def test_retry_after_is_followed_within_bounds_after_some_answers(webhook, receiver) -> None:
    stored(samples.dealt(1), space=webhook.space)
    for value, minutes in (
        ("3600", 60), (lambda: http_date(time.time() + 7200), 120), ("1", 1), ("999999999999", 1440),
        (lambda: http_date(time.time() + 10**7), 1440), (lambda: http_date(time.time() - 10**7), 1),
        ("soon", 1), ("-5", 1), ("²", 1),
    ):  # fmt: skip
        for status in (429, 503):
            began, receiver.status = timezone.now(), status
            receiver.headers = {"Retry-After": value() if callable(value) else value}
            Webhook.objects.update(failures=0, due_at=began)
            webhooks.deliver(webhook.pk)
            since = refreshed(webhook).due_at - timedelta(minutes=minutes)
            assert began - timedelta(seconds=2) <= since <= timezone.now(), (status, value)
            assert webhook.failures == 1
    receiver.status, receiver.headers = 500, {"Retry-After": "3600"}
    Webhook.objects.update(failures=0, due_at=timezone.now())
    webhooks.deliver(webhook.pk)
    assert refreshed(webhook).due_at - timezone.now() < webhooks.PAUSES[1]


def test_only_those_given_up_are_a_matter_for_the_operator(webhook) -> None:
    for reason, number in (("gone", 0), ("owner_left", 0), ("given_up", 1), (None, 1)):
        Webhook.objects.update(stopped_at=timezone.now(), stopped=reason)
        assert get_figures().webhooks_stopped == number, reason


def test_the_log_is_not_kept_forever(webhook, monkeypatch) -> None:
    monkeypatch.setattr(webhooks, "_LOG_LENGTH", 2)
    for n in range(3):
        send(webhook, n)
    last = feed.latest()
    assert [one.last for one in Delivery.objects.all()] == [last, last - 1]


LOSSES: dict[str, Any] = {
    "leaves": lambda member: spaces.leave(member),
    "is demoted": lambda member: spaces.set_role(member, "secretary"),
    "is demoted elsewhere": lambda member: Member.objects.filter(pk=member.pk).update(role="member"),
    "deletes the account": lambda member: removal.delete_account(member.user, with_contributions=False),
    "is deactivated": lambda member: User.objects.filter(pk=member.user_id).update(is_active=False),
}
"""Ways to lose the role that a webhook needs."""


@pytest.mark.parametrize("loss", LOSSES)
def test_a_webhook_stops_when_its_owner_is_no_owner_of_the_club(
    loss, club, receiver, dispatcher, ada, ben
) -> None:
    member = Member.objects.create(space=club, user=ben, role="owner")
    webhook, other, idle = (webhooks.add(club, receiver.url, by=user) for user in (ben, ada, ben))
    stored(samples.dealt(1), user=ada, space=club, visibility="members")
    Webhook.objects.filter(pk=idle.pk).update(after=feed.latest())
    LOSSES[loss](member)
    assert not webhooks.deliver(webhook.pk)
    assert (receiver.got, refreshed(webhook).reason) == ([], "owner_left")
    assert webhook.stopped_at is not None
    assert webhooks.deliver(other.pk), "those of other owners go on"
    dispatcher.start_due()
    assert refreshed(idle).reason == "owner_left", "one with nothing to send stops, too"


def test_a_promotion_stops_nothing_and_a_former_owner_who_is_owner_again_can_start_it(
    webhook, club, receiver, ada, ben
) -> None:
    member = Member.objects.create(space=club, user=ben)
    spaces.set_role(member, "owner")
    spaces.leave(Member.objects.create(space=spaces.found_club("Brno", by=ada), user=ben))
    assert now_due(webhook).reason is None
    webhook = webhooks.add(club, receiver.url, by=ben)
    spaces.set_role(member, "member")
    stored(samples.dealt(1), user=ada, space=club)
    spaces.set_role(member, "owner")
    assert not webhooks.deliver(webhook.pk), "it does not start by itself"
    webhooks.start_again(webhook)
    assert webhooks.deliver(webhook.pk)


def test_who_takes_a_webhook_over_gets_a_new_secret_and_misses_nothing(club, receiver, ada, ben) -> None:
    member = Member.objects.create(space=club, user=ben, role="owner")
    webhook = webhooks.add(club, "https://hooks.example/secret-of-ben", by=ben)
    former = webhooks.secret(webhook)
    Delivery.objects.create(webhook=webhook, after=0, last=0, number=1, status=400, response="token", took=1)
    stored(samples.dealt(1), user=ada, space=club, visibility="members")
    spaces.leave(member)
    assert refreshed(webhook).url_for(ada.pk) == "https://hooks.example/…"
    assert webhook.url_for(ben.pk) == webhook.url
    assert not webhook.log_for(ada.pk).exists()
    with pytest.raises(webhooks.WrongAddress):
        webhooks.adopt(webhook, "ftp://a.example/", by=ada)
    webhooks.adopt(webhook, receiver.url, by=ada)
    assert (refreshed(webhook).made_by, webhook.reason) == (ada, None)
    assert [one.response for one in webhook.log_for(ada.pk)] == [""]
    assert webhooks.deliver(webhook.pk)
    headers, body = receiver.got[0]
    assert len(receiver.messages[0]["changes"]) == 1
    assert standardwebhooks.Webhook(webhooks.secret(webhook)).verify(body, headers)
    with pytest.raises(standardwebhooks.WebhookVerificationError):
        standardwebhooks.Webhook(former).verify(body, headers)


@pytest.fixture
def dispatcher() -> Iterator[webhooks.Dispatcher]:
    it = webhooks.Dispatcher()
    yield it
    finish(it)


def finish(dispatcher: webhooks.Dispatcher) -> None:
    """Wait until the queue is empty."""
    assert eventually(lambda: not dispatcher._waiting, 60)


def dispatch(dispatcher: webhooks.Dispatcher) -> None:
    dispatcher.start_due()
    finish(dispatcher)


@pytest.mark.django_db(transaction=True)
def test_all_that_are_due_are_told(club, receiver, dispatcher, ada, ben) -> None:
    told = webhooks.add(club, receiver.url, by=ada)
    quiet = webhooks.add(spaces.own(ben), receiver.url, by=ben)
    dispatch(dispatcher)
    assert receiver.got == []
    stored(samples.dealt(1), user=ada, space=club)
    for _again in range(2):
        dispatch(dispatcher)
        assert len(receiver.got) == 1
        for webhook in (told, quiet):
            assert refreshed(webhook).after == feed.latest(), "a webhook without changes moves on, too"


@pytest.mark.django_db(transaction=True)
def test_no_webhook_waits_for_anothers_backlog(club, receiver, dispatcher, ada, ben, monkeypatch) -> None:
    """With one thread and a backlog of five messages, the other's one message is the second of all."""
    monkeypatch.setattr(webhooks, "_AT_ONCE", 1)
    monkeypatch.setattr(dispatcher, "_threads", ThreadPoolExecutor(1))
    backlog = webhooks.add(club, f"{receiver.url}&backlog", by=ada)
    webhooks.add(spaces.own(ben), f"{receiver.url}&good", by=ben)
    Webhook.objects.filter(pk=backlog.pk).update(due_at=timezone.now() - timedelta(seconds=5))
    stored(*(samples.dealt(n) for n in range(5)), user=ada, space=club)
    stored(samples.dealt(9), user=ben)
    dispatch(dispatcher)
    clubs = [message["club_name"] for message in receiver.messages]
    assert clubs == ["Tarok", None, "Tarok", "Tarok", "Tarok", "Tarok"]


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_for_a_receiver_that_hangs(club, receiver, dispatcher, ada, ben) -> None:
    held = socket.create_server(("127.0.0.1", 0))  # takes connections, and never answers
    try:
        slow = webhooks.add(club, f"http://127.0.0.1:{held.getsockname()[1]}/", by=ada)
        webhooks.add(spaces.own(ben), receiver.url, by=ben)
        stored(samples.dealt(1), user=ada, space=club)
        dispatcher.start_due()
        connection, _address = held.accept()
        stored(samples.dealt(2), user=ben)
        dispatcher.start_due()
        eventually(lambda: receiver.got, 8)
        assert len(receiver.got) == 1
        assert refreshed(slow).failures == 0, "it is still being waited for"
        connection.close()
    finally:
        held.close()


def test_a_slow_receiver_has_so_long_and_no_redirect_is_followed(receiver) -> None:
    receiver.status, receiver.headers = 302, {"Location": receiver.url}
    assert outgoing.post(receiver.url, b"{}", {}, seconds=5, private=True).status == 302
    assert len(receiver.got) == 1
    receiver.slow = True
    # Each byte comes in time, but the whole does not.
    with pytest.raises(outgoing.Unreachable, match="ReadTimeout"):
        outgoing.post(receiver.url, b"{}", {}, seconds=0.4, private=True)


def test_nothing_is_sent_to_private_addresses() -> None:
    for host in (
        "127.0.0.1", "localhost", "[::1]", "10.1.2.3", "192.168.0.1", "169.254.169.254", "[::ffff:10.0.0.1]",
        "[64:ff9b::a00:1]", "[64:ff9b:1::7f00:1]", "[::127.0.0.1]", "[::ffff:0:127.0.0.1]", "[fec0::1]",
        "192.0.0.8", "[::ffff:192.0.0.8]", "[ff02::1]", "[fd00::1]", "0.0.0.0", "100.64.0.1",
        "2130706433", "[2002:7f00:1::]",
    ):  # fmt: skip
        with pytest.raises(outgoing.Unreachable, match="private"):
            outgoing.post(f"http://{host}:9/", b"{}", {}, seconds=5)


def test_what_is_connected_to_is_what_was_checked(monkeypatch) -> None:
    """A host name whose second lookup gives another address gains nothing: it is looked up once."""
    asked: list[str] = []
    connected: list[str] = []

    def look_up(host: str, port: int, **_how: Any) -> list[Any]:
        asked.append(host)
        address = "93.184.216.34" if len(asked) == 1 else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    def connect(self: Any, host: str, port: int, timeout: float, **_how: Any) -> Any:
        connected.append(host)
        raise httpcore.ConnectError("as far as this")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", connect)
    with pytest.raises(outgoing.Unreachable, match="as far as this"):
        outgoing.post("https://receiver.example/", b"{}", {}, seconds=5)
    assert (asked, connected) == (["receiver.example"], ["93.184.216.34"])


def test_each_address_of_a_host_is_tried_within_one_limit(receiver, monkeypatch) -> None:
    """One that refuses or is silent has its share of the time, not all of it."""
    port = int(receiver.url.split(":")[2].split("/")[0])
    connect = httpcore.SyncBackend.connect_tcp
    waited: list[float] = []

    def connect_tcp(self: Any, host: str, port: int, timeout: float, **how: Any) -> Any:
        if host == "refuses":
            raise httpcore.ConnectError("refused")
        if host == "is silent":
            waited.append(timeout)
            time.sleep(timeout)
            raise httpcore.ConnectTimeout("silent")
        return connect(self, host, port, timeout, **how)

    def look_up(*hosts: str) -> None:
        found = [(2, 1, 6, "", (host, port)) for host in hosts]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_how: found)

    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", connect_tcp)
    look_up("refuses", "is silent", "127.0.0.1")
    url = f"http://receiver.example:{port}/"
    assert outgoing.post(url, b"{}", {}, seconds=4, private=True).status == 204
    look_up(*["is silent"] * 3)
    waited.clear()
    with pytest.raises(outgoing.Unreachable):
        outgoing.post(url, b"{}", {}, seconds=1, private=True)
    assert sum(waited) <= 1


def test_no_name_server_is_waited_for_and_no_name_may_have_a_private_address(monkeypatch) -> None:
    end = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_how: end.wait())
    with pytest.raises(outgoing.Unreachable, match="not found in time"):
        outgoing.post("https://receiver.example/", b"{}", {}, seconds=1)
    end.set()
    found = [(2, 1, 6, "", (address, 443)) for address in ("93.184.216.34", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_how: found)
    with pytest.raises(outgoing.Unreachable, match="private"):
        outgoing.post("https://receiver.example/", b"{}", {}, seconds=5)


def test_an_address_that_is_none(club, ada, settings) -> None:
    settings.WEBHOOKS_TO_PRIVATE_ADDRESSES = False
    for url in (
        "", "receiver.example", "http://receiver.example/", "ftp://receiver.example/", "https:///x",
        "https://u:p@a.example/", "https://a.example:0/", "https://a.example:99999/", "https://a.example/#x",
        "https://á.example/", "https://a.example/ b", "https://[/",
    ):  # fmt: skip
        with pytest.raises(webhooks.WrongAddress):
            webhooks.add(club, url, by=ada)
    assert not Webhook.objects.exists()


def test_a_space_has_so_many(club, ada) -> None:
    for n in range(webhooks.MOST):
        webhooks.add(club, f"https://receiver.example/{n}", by=ada)
    with pytest.raises(webhooks.TooMany):
        webhooks.add(club, "https://receiver.example/", by=ada)
