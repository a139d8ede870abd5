"""Mails: requests store them, the sweeper sends them; nothing is lost, and no request waits."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from datetime import timedelta
from email import message_from_bytes, policy
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from archive.models import Mail
from archive.publishing import mails
from archive.reading import operation
from tools.outside import MailServer, mail_server, silent_server

pytestmark = pytest.mark.django_db

RESET = "/accounts/password/reset/"


@pytest.fixture(autouse=True)
def _as_on_the_site(settings: Any) -> None:
    settings.EMAIL_BACKEND = "archive.publishing.mails.Backend"
    settings.EMAIL_TRANSPORT = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "127.0.0.1"
    settings.EMAIL_TIMEOUT = 0.3


@pytest.fixture
def server(settings: Any) -> Iterator[MailServer]:
    with mail_server() as it:
        settings.EMAIL_PORT = it.port
        yield it


@pytest.fixture
def silence(settings: Any) -> Iterator[None]:
    with silent_server() as settings.EMAIL_PORT:
        yield


def write(to: str = "eva@example.org", **more: Any) -> None:
    mail.EmailMessage("Přes síť", "Grüße", "archive@example.org", [to], **more).send()


def make_due() -> None:
    Mail.objects.update(due_at=timezone.now())


def test_a_mail_is_sent_as_it_was_written_and_then_deleted(server: MailServer) -> None:
    sender, to = "Archive <archive@example.org>", ["eva@example.org"]
    message = mail.EmailMultiAlternatives("Přes síť", "Grüße", sender, to, bcc=["ben@example.org"])
    message.attach_alternative("<p>Grüße", "text/html")
    message.send()
    assert not server.mails
    assert operation.get_figures().mails == 1
    mails.send_due()
    (sent,) = server.mails
    parsed = message_from_bytes(sent, policy=policy.default)
    assert (parsed["Subject"], parsed["From"]) == ("Přes síť", "Archive <archive@example.org>")
    assert [part.get_content().strip() for part in parsed.iter_parts()] == ["Grüße", "<p>Grüße"]
    assert b"ben@example.org" not in sent
    assert not Mail.objects.exists()
    assert (operation.get_figures().mails, operation.get_work().mails_sent) == (0, 1)


def test_a_mail_belongs_to_its_transaction_and_two_processes_send_it_once(server: MailServer) -> None:
    with transaction.atomic():
        write()
        transaction.set_rollback(True)
    mails.send_due()
    write()
    Mail.objects.update(due_at=timezone.now() + timedelta(minutes=5))  # another has just claimed it
    mails.send_due()
    assert not server.mails


@pytest.mark.parametrize("fault", ["refuses", "down", "silent"])
def test_it_is_tried_again_after_growing_pauses(fault: str, server: MailServer, settings: Any) -> None:
    write()
    if fault == "refuses":
        server.refusal = "451 not now"
    port = settings.EMAIL_PORT
    with silent_server() as silent:
        settings.EMAIL_PORT = {"refuses": port, "down": 9, "silent": silent}[fault]
        pauses = []
        for _ in range(5):
            make_due()
            mails.send_due()
            pauses.append(round((Mail.objects.get().due_at - timezone.now()) / timedelta(minutes=1)))
    assert pauses == [1, 4, 16, 60, 60]
    assert not server.mails
    figures = operation.get_figures(timezone.now() + timedelta(minutes=10))
    assert (figures.mails, 590 < figures.mail_oldest < 700) == (1, True)
    server.refusal, settings.EMAIL_PORT = "", port
    mails.send_due()
    assert not server.mails, "it isn't due"
    make_due()
    mails.send_due()
    assert (len(server.mails), Mail.objects.exists()) == (1, False)


def test_one_bad_mail_holds_up_no_other(server: MailServer) -> None:
    write("nobody@example.org")
    Mail.objects.update(sender="\n")
    write()
    mails.send_due()
    assert (len(server.mails), Mail.objects.get().recipients) == (1, ["nobody@example.org"])


def test_it_is_given_up_after_two_days(silence: None, caplog: Any) -> None:
    write()
    Mail.objects.update(created_at=timezone.now() - timedelta(days=2))
    mails.send_due()
    assert (Mail.objects.exists(), operation.get_work().mails_given_up) == (False, 1)
    assert [record.levelno for record in caplog.records] == [logging.WARNING], "an error would be mailed"


def test_an_error_without_a_database_is_no_second_error(settings: Any) -> None:
    settings.ADMINS = [("operator", "operator@example.org")]
    with transaction.atomic():
        connection.set_rollback(True)  # as after a failed statement
        mail.mail_admins("an error", "of ours", fail_silently=True)
        connection.set_rollback(False)
    assert not Mail.objects.exists()
    mail.mail_admins("an error", "of ours", fail_silently=True)
    assert Mail.objects.get().recipients == ["operator@example.org"]


@pytest.fixture
def eva() -> User:
    return User.objects.create_user("eva", email="eva@example.org", password="tarock and tea")


def test_no_page_waits_for_the_mail_server(settings: Any, eva: User) -> None:
    settings.EMAIL_TRANSPORT = "to.nowhere"  # whoever sends a mail at once fails
    settings.ADMINS = [("operator", "operator@example.org")]
    pages = {}
    for address in ("eva@example.org", "nobody@example.org"):
        pages[address] = Client().post(RESET, {"email": address}, follow=True).content.decode()
    signed_in = Client()
    signed_in.force_login(eva)
    added = {"email": "new@example.org", "action_add": ""}
    page = signed_in.post("/accounts/email/", added, follow=True).content.decode()
    assert "on its way to new@example.org" in page
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    given = {"username": "ben", "email": "ben@example.org"}
    given |= dict.fromkeys(("password1", "password2"), "tea and tarock")
    page = Client().post("/accounts/signup/", given, follow=True).content.decode()
    assert "spam" in page
    logging.getLogger("django.request").error("an error")
    assert Mail.objects.count() == 5
    known, unknown = (re.sub(r'value="\w{64}"', "", page) for page in pages.values())
    assert (known, "few minutes" in known, "spam" in known) == (unknown, True, True)


def test_a_reset_link_arrives(server: MailServer, eva: User) -> None:
    Client().post(RESET, {"email": "eva@example.org"})
    mails.send_due()
    (sent,) = server.mails
    body = message_from_bytes(sent, policy=policy.default).get_content()
    (link,) = re.findall(r"/accounts/password/reset/key/\S+", body)
    assert Client().get(link, follow=True).status_code == 200
