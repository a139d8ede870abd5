"""Webhooks: each receives the new changes in its space from the feed. Messages are signed as
https://www.standardwebhooks.com specifies. A message that is not accepted is sent again after a pause, before
any later message, until the receiver accepts it or too many attempts have failed and the webhook stops. The
webhook's position in the feed is stored, so a webhook that a user restarts continues from there."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import logging
import secrets
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Lock
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.crypto import salted_hmac

from archive.access import Viewer
from archive.errors import ArchiveError
from archive.models import Contribution, Delivery, Removed, Space, Webhook, WebhookQuerySet
from archive.publishing import outgoing
from archive.storing import feed

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser

logger = logging.getLogger(__name__)

MOST = 5
"""Maximum number of webhooks in a space."""

PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 360, 720, 1440, 1440))
"""Pauses after consecutive failures, about three days in total. After one more failure, the webhook stops."""

_LONGEST_PAUSE = timedelta(days=1)
"""Longest pause that a receiver can request with `Retry-After`."""

_AT_ONCE = 100
"""Maximum number of changes in one message."""

_SECONDS = 10
"""Time limit for a response, in seconds."""

_LEASE = timedelta(seconds=3 * _SECONDS)
"""Time that a thread may spend on a message before another thread tries it."""

_LOG_LENGTH = 50
"""Maximum number of deliveries in a webhook's log."""

_THREADS = 16
"""Maximum number of messages sent at the same time. A thread mostly waits for the response."""


class TooMany(ArchiveError):
    """The space already has `MOST` webhooks."""

    code = "invalid_parameter"
    field = "club"
    message = f"There are {MOST} already; end one first."


class WrongAddress(ArchiveError):
    """The URL is not allowed. The message is the reason."""

    code = "invalid_parameter"
    field = "url"


def add(space: Space, url: str, *, by: AbstractBaseUser) -> Webhook:
    """Create a webhook that receives changes from now on.

    :raises WrongAddress: if this URL is not allowed.
    :raises TooMany: if the space already has `MOST` webhooks.
    """
    _check(url)
    if space.webhooks.count() >= MOST:
        raise TooMany
    return Webhook.objects.create(
        space=space, url=url, key=secrets.token_urlsafe(18), made_by=by, after=feed.latest()
    )


def adopt(webhook: Webhook, url: str, *, by: AbstractBaseUser) -> None:
    """Make another owner of the space the owner of a webhook, and send it the changes that it missed.

    The webhook gets a new secret, because the former owner knows the old one, and the new owner's URL, so
    that nothing is sent to a URL that the new owner doesn't know. Responses from the old URL are deleted.

    :raises WrongAddress: if the URL is not allowed.
    """
    _check(url)
    Webhook.objects.filter(pk=webhook.pk).update(made_by=by, url=url, key=secrets.token_urlsafe(18))
    webhook.deliveries.update(response="")
    start_again(webhook)


def _check(url: str) -> None:
    if wrong := outgoing.check(url, private=settings.WEBHOOKS_TO_PRIVATE_ADDRESSES):
        raise WrongAddress(wrong)


def start_again(webhook: Webhook) -> None:
    """Restart a webhook, even after too many failures, and make its waiting changes due immediately."""
    Webhook.objects.filter(pk=webhook.pk).update(stopped_at=None, failures=0, due_at=timezone.now())


def secret(webhook: Webhook, key: str | None = None) -> str:
    """Return the secret with which the receiver verifies messages. The secret is derived from the webhook's
    own key and the site's `SECRET_KEY` (or another `key`), so backups of the database don't contain it."""
    digest = salted_hmac("archive.webhooks", webhook.key, secret=key, algorithm="sha256").digest()
    return f"whsec_{base64.b64encode(digest).decode()}"


def signatures(webhook: Webhook, message: str, at: int, body: bytes) -> str:
    """Return the signatures of a message, one for each of the site's keys, so that receivers' secrets stay
    valid while the site's key is being changed. `message`: id of the message; `at`: Unix time."""
    signed = f"{message}.{at}.".encode() + body
    signatures = []
    for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        raw = base64.b64decode(secret(webhook, key).removeprefix("whsec_"))
        signatures.append(f"v1,{base64.b64encode(hmac.digest(raw, signed, hashlib.sha256)).decode()}")
    return " ".join(signatures)


class Dispatcher:
    """Pool of threads that send messages. After each message, a webhook with more changes goes to the end of
    the queue, so that no webhook waits for the backlog of another."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_THREADS)
        self._waiting: set[int] = set()
        self._lock = Lock()

    def start_due(self) -> None:
        """Queue every webhook that is due, and return without waiting."""
        for pk in _due(timezone.now()):
            self._queue(pk)

    def _queue(self, pk: int) -> None:
        with self._lock:
            if pk in self._waiting:
                return
            self._waiting.add(pk)
        self._threads.submit(self._turn, pk)

    def _turn(self, pk: int) -> None:
        taken = False
        try:
            taken = deliver(pk)
        except Exception:
            logger.exception("sending to webhook %s failed", pk)
        finally:
            connection.close()  # the thread's own connection, which Django would leave open
        if taken:
            self._threads.submit(self._turn, pk)
        else:
            with self._lock:
                self._waiting.discard(pk)


def _due(now: datetime) -> Iterable[int]:
    """Return the ids of the webhooks that are due and have new changes. Move all other due webhooks to the
    end of the feed, and stop webhooks without an owner."""
    Webhook.objects.without_owner().stop("owner_left")
    end = feed.latest()
    waiting = Webhook.objects.filter(stopped_at=None, due_at__lte=now, after__lt=end)
    first = waiting.order_by("after").values_list("after", flat=True).first()
    if first is None:
        return []
    new = (first + 1, end)
    changed = Contribution.objects.filter(feed_number__range=new).order_by().values_list("space", flat=True)
    removed = Removed.objects.filter(id__range=new).order_by().values_list("space", flat=True)
    spaces = {*changed.distinct(), *removed.distinct()}
    waiting.exclude(space__in=spaces).update(after=end)
    return waiting.filter(space__in=spaces).order_by("due_at").values_list("pk", flat=True)


def deliver(pk: int) -> bool:
    """Send the next message to a webhook, unless another thread is already sending it. Return whether the
    message was accepted, in which case there may be more to send."""
    own = Webhook.objects.filter(pk=pk)
    now = timezone.now()
    own.without_owner().stop("owner_left")
    if not own.filter(stopped_at=None, due_at__lte=now).update(due_at=now + _LEASE):
        return False
    webhook = own.select_related("space").first()
    if webhook is None:  # deleted since
        return False
    viewer = Viewer(roles={webhook.space_id: "member"})
    changes = feed.changes(webhook.after, _AT_ONCE, viewer, space=webhook.space_id)
    if not changes.entries:
        own.update(after=changes.end, due_at=timezone.now())
        return False
    delivery, pause = _send(webhook, changes)
    _note(own, webhook, delivery, pause)
    return delivery.is_taken


def _send(webhook: Webhook, changes: feed.Changes) -> tuple[Delivery, timedelta]:
    """Send changes to a webhook. Return the unsaved delivery, and the pause that the receiver requests."""
    now = timezone.now()
    data = {
        "space": webhook.space_id,
        "club": webhook.space.club,
        "club_name": webhook.space.club_name,
        "changes": [entry.as_json for entry in changes.entries],
        "last": changes.last,
    }
    message = _message_id(webhook, data)
    body = json.dumps(
        {"type": "changes", "timestamp": now.isoformat(), "data": data}, ensure_ascii=False
    ).encode()
    at = int(now.timestamp())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "tarock-archive",
        "webhook-id": message,
        "webhook-timestamp": str(at),
        "webhook-signature": signatures(webhook, message, at, body),
    }
    first = changes.entries[0].number
    delivery = Delivery(
        webhook=webhook, at=now, after=first - 1, last=changes.last, number=len(changes.entries)
    )
    began, pause = time.monotonic(), timedelta()
    private = settings.WEBHOOKS_TO_PRIVATE_ADDRESSES
    try:
        answer = outgoing.post(webhook.url, body, headers, seconds=_SECONDS, private=private)
        delivery.status, delivery.response = answer.status, answer.text.replace("\0", "")
        if answer.status in (429, 503):
            pause = min(timedelta(seconds=answer.retry_after), _LONGEST_PAUSE)
    except outgoing.Unreachable as reason:
        delivery.response = str(reason)[:500]
    delivery.took = round(1000 * (time.monotonic() - began))
    return delivery, pause


def _message_id(webhook: Webhook, data: dict[str, Any]) -> str:
    """Return an id derived from the content, so that all attempts to send the message have the same id."""
    contents = json.dumps(data, sort_keys=True).encode()
    return f"msg_{webhook.pk}_{data['last']}_{hashlib.sha256(contents).hexdigest()[:16]}"


def _note(own: WebhookQuerySet, webhook: Webhook, delivery: Delivery, pause: timedelta) -> None:
    """Store a delivery, delete the oldest ones, and set the time of the next delivery or stop the webhook."""
    delivery.save()
    old = webhook.deliveries.order_by("-pk").values_list("pk", flat=True)[_LOG_LENGTH:]
    Delivery.objects.filter(pk__in=list(old)).delete()
    now = timezone.now()
    if delivery.is_taken:
        own.update(after=delivery.last, failures=0, due_at=now)
    elif delivery.status == 410:
        own.stop("gone")
    elif webhook.failures < len(PAUSES):
        pause = max(pause, PAUSES[webhook.failures])
        own.update(failures=webhook.failures + 1, due_at=now + pause)
    else:
        own.stop("given_up")
