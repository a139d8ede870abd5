"""Outgoing mail. Requests only store mails, and the sweeper's process sends them. Thus no request waits for
the mail server, and no mail is lost while the mail server, Redis or a process is down. One thread sends all
mails, so a slow mail server delays nothing but mail. After a crash between sending and deleting, a mail is
sent twice with the same `Message-ID`."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta
from email.message import Message
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import Error, transaction
from django.utils import timezone

from archive import counters
from archive.models import Mail

logger = logging.getLogger(__name__)

LONGEST_PAUSE = timedelta(hours=1)
"""Longest pause between two attempts. The first pause is one minute, and each further pause is four times as
long as the previous one."""

GIVEN_UP_AFTER = timedelta(days=2)
"""Age at which the archive gives up on an unsent mail, a day before the links in the mail expire."""

_LEASE = timedelta(minutes=5)
"""Time that an attempt may take before another process tries to send the mail."""


class Backend(BaseEmailBackend):
    """The site's email backend. It stores mails in the caller's transaction; `send_due` sends them later."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        mails = [
            Mail(
                sender=message.from_email,
                recipients=message.recipients(),
                message=message.message().as_bytes(),
            )
            for message in email_messages
            if message.recipients()
        ]
        try:
            with transaction.atomic():
                Mail.objects.bulk_create(mails)
        except Error:
            if not self.fail_silently:
                raise
            return 0
        return len(mails)


class _Stored(EmailMessage):
    """A stored mail that Django's email backends can send."""

    def __init__(self, mail: Mail) -> None:
        super().__init__(from_email=mail.sender, to=mail.recipients)
        self._bytes = bytes(mail.message)

    def message(self, **_options: Any) -> Message:
        return _Bytes(self._bytes)


class _Bytes(Message):
    """A mail that has already been serialized."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self._content = content

    def as_bytes(self, *_options: Any, linesep: str = "\n", **_more: Any) -> bytes:
        """Return the mail with `linesep` at the end of each line, because SMTP requires CRLF."""
        return self._content.replace(b"\n", linesep.encode())


def send_due() -> None:
    """Send all mails that are due, one after another."""
    due = Mail.objects.filter(due_at__lte=timezone.now()).order_by("due_at")
    for pk in list(due.values_list("pk", flat=True)):
        _send(pk)


def _send(pk: int) -> None:
    """Send a mail, unless another process is sending it. After a failure, set the time of the next attempt,
    or delete the mail if it is too old."""
    now = timezone.now()
    own = Mail.objects.filter(pk=pk)
    if not own.filter(due_at__lte=now).update(due_at=now + _LEASE):
        return
    mail = own.get()
    try:
        get_connection(settings.EMAIL_TRANSPORT).send_messages([_Stored(mail)])
    except Exception as error:  # catch any error, because the other mails must not wait
        if now - mail.created_at >= GIVEN_UP_AFTER:
            # Log only a warning, because an error would be mailed to the operator.
            logger.warning("Mail %s is given up after %s attempts: %s", pk, mail.failures + 1, error)
            own.delete()
            counters.add({"mails_given_up": 1})
            return
        logger.warning("Mail %s could not be sent and will be tried again: %s", pk, error)
        pause = min(LONGEST_PAUSE, timedelta(minutes=1) * 4 ** min(mail.failures, 9))
        own.update(failures=mail.failures + 1, due_at=timezone.now() + pause)
    else:
        own.delete()
        counters.add({"mails_sent": 1})
