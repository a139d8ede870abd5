"""The weekly mail about what a user follows."""

from __future__ import annotations

import re
from datetime import timedelta
from email import message_from_bytes, policy
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail, signing
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from archive.access import viewer
from archive.models import Contribution, Deal, Follow, Player, Space, WeeklyMail
from archive.publishing import mails
from archive.reading.following import get_followed
from archive.shown import ShownDeal
from archive.storing import following, players, queue, removal, spaces, sums
from replays import tasks
from replays.clubs import weekly_mail
from tests.support import samples
from tools.outside import mail_server

from .conftest import Store, missing, page_at, page_of, present

pytestmark = pytest.mark.django_db

SITE = "https://tarock.example"


@pytest.fixture(autouse=True)
def _site(settings: Any) -> None:
    settings.SITE_URL = SITE


@pytest.fixture
def reader(borek: User) -> User:
    """Bořek, who has confirmed his address and gets the mail."""
    EmailAddress.objects.create(user=borek, email="borek@example.org", primary=True, verified=True)
    following.get_mails(borek, "en")
    return borek


@pytest.fixture
def deal(store: Store, club: Space, alena: User) -> ShownDeal:
    """A public deal of Alena's club."""
    deal = store(samples.ANNOTATED, user=alena, space=club)[0]
    sums.settle()
    return deal


def pass_time(days: float = 7.1) -> None:
    """Make everything older."""
    for model, columns in ((WeeklyMail, ("since", "due_at")), (Deal, ("stored_at",))):
        for row in model.objects.all():  # type: ignore[attr-defined]
            earlier = {name: getattr(row, name) - timedelta(days=days) for name in columns}
            model.objects.filter(pk=row.pk).update(**earlier)  # type: ignore[attr-defined]


def sent(user: User) -> list[mail.EmailMessage]:
    """Run the task of the mail, and return the new mails."""
    before = len(mail.outbox)
    tasks.weekly_mail(user.pk)
    return mail.outbox[before:]


def stop_path(message: mail.EmailMessage) -> str:
    header = message.extra_headers["List-Unsubscribe"]
    assert header.startswith(f"<{SITE}/following/mail/")
    return header.strip("<>").removeprefix(SITE)


def test_a_user_turns_it_on_and_off(other: Client, borek: User) -> None:
    def press(action: str, language: str = "en") -> str:
        other.post("/following/", {"action": action}, headers={"Accept-Language": language})
        return page_at(other, "/following/").text

    EmailAddress.objects.create(user=borek, email="borek@example.org", primary=True, verified=False)
    assert "email address that you have confirmed" in press("mail")
    assert "Send me the weekly mail" not in press("mail")
    assert not WeeklyMail.objects.exists()
    EmailAddress.objects.update(verified=True)
    assert "Send me the weekly mail" in page_at(other, "/following/").text
    assert "It goes to borek@example.org. Language: English." in press("mail")
    row = WeeklyMail.objects.get()
    assert (row.user, row.language) == (borek, "en")
    assert timedelta(days=6.9) < row.due_at - timezone.now() <= timedelta(days=7)
    assert "Use the language of this page" not in page_at(other, "/following/").text
    # Another language leaves the time of the next mail.
    text = press("mail", "de")
    assert "Language: Deutsch." in text
    assert "Use the language of this page" in text
    assert WeeklyMail.objects.get().due_at == row.due_at
    assert "Send me the weekly mail" in press("no-mail")
    assert not WeeklyMail.objects.exists()


def test_it_lists_new_deals_once_and_comes_at_most_once_a_week(
    reader: User, store: Store, deal: ShownDeal, club: Space, alena: User
) -> None:
    following.follow(reader, "club", club.pk)
    assert sent(reader) == [], "it isn't due"
    pass_time()
    (message,) = sent(reader)
    assert message.to == ["borek@example.org"]
    assert message.subject == "New from those you follow"
    wanted = "New deals of the players", "Czech Taroky: First Duty", "Alena +105"
    assert missing(message.body, *wanted, f"{SITE}/deals/{deal.pk}/", f"{SITE}/following/") == []
    assert f"{SITE}{stop_path(message)}" in message.body
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    pass_time()
    assert sent(reader) == [], "there is nothing new"
    new = store(samples.many(1), user=alena, space=club)[0]
    pass_time(6.9)
    assert sent(reader) == [], "the week isn't over"
    pass_time(0.2)
    (message,) = sent(reader)
    assert f"/deals/{new.pk}/" in message.body
    assert f"/deals/{deal.pk}/" not in message.body
    # Turning it off and on brings no second mail.
    following.stop_mails(reader.pk)
    following.get_mails(reader, "en")
    assert sent(reader) == []


def test_deals_of_the_last_minutes_wait_for_the_next_mail(reader: User, deal: ShownDeal, club: Space) -> None:
    following.follow(reader, "club", club.pk)
    pass_time()
    Deal.objects.update(stored_at=timezone.now())
    assert sent(reader) == []
    pass_time()
    assert len(sent(reader)) == 1


@pytest.mark.parametrize(
    ("visibility", "stranger", "member"),
    [("public", 1, 1), ("members", 0, 1), ("unlisted", 0, 1), ("withdrawn", 0, 0)],
)
def test_it_has_what_its_reader_may_see_now(
    visibility: str, stranger: int, member: int, reader: User, deal: ShownDeal, club: Space, alena: User
) -> None:
    """Of an evening for members, for example, only members get the deals."""
    for kind, pk in (("club", club.pk), ("session", deal.contribution.session_id)):
        following.follow(reader, kind, pk)
    Contribution.objects.update(visibility=visibility)
    pass_time()
    row = WeeklyMail.objects.get()
    assert len(sent(reader)) == stranger
    spaces.join(spaces.invite(club, by=alena), reader)
    row.save()
    assert len(sent(reader)) == member


def test_the_operator_gets_what_lists_show(reader: User, deal: ShownDeal, club: Space) -> None:
    User.objects.filter(pk=reader.pk).update(is_staff=True)
    following.follow(reader, "club", club.pk)
    Contribution.objects.update(visibility="members")
    pass_time()
    assert sent(reader) == []


def test_a_player_appears_by_their_pseudonym_or_not_at_all(reader: User, deal: ShownDeal) -> None:
    cyril = Player.objects.get(name="Cyril")
    players.set_pseudonym(cyril, "C. & Co")
    following.follow(reader, "player", cyril.pk)
    pass_time()
    row = WeeklyMail.objects.get()
    (message,) = sent(reader)
    assert missing(message.body, "C. & Co") + present(message.body, "Cyril", "&amp;") == []
    following.allow(cyril, allowed=False)
    row.save()
    assert not Follow.objects.exists()
    with pytest.raises(Player.DoesNotExist):
        get_followed("player", cyril.pk, viewer(reader))
    assert sent(reader) == []


def test_a_user_without_confirmed_address_or_account_gets_none(
    reader: User, deal: ShownDeal, club: Space
) -> None:
    following.follow(reader, "club", club.pk)
    pass_time()
    row = WeeklyMail.objects.get()
    EmailAddress.objects.update(verified=False)
    assert sent(reader) == []
    EmailAddress.objects.update(verified=True)
    User.objects.filter(pk=reader.pk).update(is_active=False)
    row.save()
    assert sent(reader) == []
    pk = reader.pk
    removal.delete_account(reader, with_contributions=False)
    assert not WeeklyMail.objects.exists()
    tasks.weekly_mail(pk)
    assert mail.outbox == []
    # The link in an earlier mail says that there are no more mails.
    assert "no longer get" in page_of(Client().post(f"/following/mail/{following.stop_word(pk)}/")).text


def test_it_is_in_the_language_of_its_reader(reader: User, deal: ShownDeal, club: Space) -> None:
    following.follow(reader, "club", club.pk)
    pass_time()
    row = WeeklyMail.objects.get()
    for language, words in (
        ("de", ("Neue Spiele", "Ich folge: https")), ("cs", ("Nová rozdání", "Sleduji: https")),
        ("ja", ("新しい", "フォロー中：https")),
    ):  # fmt: skip
        row.language = language
        row.save()
        (message,) = sent(reader)
        assert missing(message.body, *words) == []


def test_one_click_stops_it_without_signing_in(reader: User, deal: ShownDeal, club: Space) -> None:
    following.follow(reader, "club", club.pk)
    pass_time()
    path = stop_path(sent(reader)[0])
    browser = Client(enforce_csrf_checks=True)
    page = page_at(browser, path)
    assert "Stop the weekly mail" in page.text
    assert WeeklyMail.objects.exists(), "a link that is only opened stops nothing"
    for _again in range(2):
        page = page_of(browser.post(path, {"List-Unsubscribe": "One-Click"}))
        assert "You no longer get the weekly mail." in page.text
        assert not WeeklyMail.objects.exists()
    # An old mail also stops mails that were turned on again.
    following.get_mails(reader, "en")
    browser.post(path)
    assert not WeeklyMail.objects.exists()
    assert Follow.objects.exists()


def test_a_wrong_or_old_link_stops_nothing(reader: User, monkeypatch: pytest.MonkeyPatch) -> None:
    good = following.stop_word(reader.pk)
    forged = signing.TimestampSigner(salt="unlisted").sign(reader.pk)
    words = ["x", f"{good}x", f"{reader.pk + 1}{good[len(str(reader.pk)) :]}", forged]
    monkeypatch.setattr(following, "_STOP_AGE", timedelta(seconds=-1))
    for word in (*words, good):
        for ask in (Client().get, Client().post):
            page = page_of(ask(f"/following/mail/{word}/"), 404)
            assert "too old" in page.text
            assert "Stop the weekly mail" not in page.text
    assert WeeklyMail.objects.exists()


def test_a_stopped_or_failed_mail_is_not_sent(
    reader: User, deal: ShownDeal, club: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    following.follow(reader, "club", club.pk)
    pass_time()
    row, latest = WeeklyMail.objects.get(), weekly_mail.reading.latest

    def failing(*_given: Any) -> Any:
        raise ZeroDivisionError

    def stopping(*given: Any) -> Any:
        following.stop_mails(reader.pk)
        return latest(*given)

    monkeypatch.setattr(weekly_mail.reading, "latest", failing)
    with pytest.raises(ZeroDivisionError):
        tasks.weekly_mail(reader.pk)
    # It is claimed, so it is tried again in a day, and has what is new since the last mail.
    assert sent(reader) == []
    claimed = WeeklyMail.objects.get()
    assert claimed.since == row.since
    assert timedelta(hours=23) < claimed.due_at - timezone.now() <= timedelta(days=1)
    monkeypatch.setattr(weekly_mail.reading, "latest", stopping)
    row.save()
    assert sent(reader) == []
    monkeypatch.setattr(weekly_mail.reading, "latest", latest)
    row.save()
    assert len(sent(reader)) == 1


def test_a_mail_program_gets_a_link_that_stops_it(
    reader: User, deal: ShownDeal, club: Space, settings: Any
) -> None:
    """In one line of the header, however long it is."""
    following.follow(reader, "club", club.pk)
    pass_time()
    settings.EMAIL_BACKEND = "archive.publishing.mails.Backend"
    settings.EMAIL_TRANSPORT = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_TIMEOUT = "127.0.0.1", 1
    with mail_server() as server:
        settings.EMAIL_PORT = server.port
        for _again in range(2):
            tasks.weekly_mail(reader.pk)
            mails.send_due()
        (content,) = server.mails
    raw, parsed = content.decode(), message_from_bytes(content, policy=policy.default)
    link = rf"^List-Unsubscribe:\s+<{re.escape(SITE)}/following/mail/\S+/>\r?$"
    assert re.search(link, raw, re.MULTILINE)
    assert re.search(r"^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$", raw, re.MULTILINE)
    assert "Taroky" in parsed.get_content()


def test_the_sweeper_queues_those_that_are_due(
    reader: User, alena: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages: list[tuple[str, list[int], str]] = []
    monkeypatch.setattr(queue, "send", lambda task, pks, name: messages.append((task, list(pks), name)))
    monkeypatch.setattr(queue, "length", lambda name: 0)
    following.get_mails(alena, "en")
    following.queue_mails()
    assert messages == []
    pass_time()
    WeeklyMail.objects.filter(user=alena).update(due_at=timezone.now() - timedelta(days=3))
    call_command("sweep")
    wanted = "replays.tasks.weekly_mail", [reader.pk, alena.pk], "hindsight"
    assert [one for one in messages if "mail" in one[0]] == [wanted], "the last id is sent first"
    monkeypatch.setattr(following, "_MOST_MAILS", 1)
    messages.clear()
    following.queue_mails()
    assert messages == [(wanted[0], [alena.pk], wanted[2])]
    monkeypatch.setattr(queue, "length", lambda name: 1)
    following.queue_mails()
    assert len(messages) == 1, "the queue may still have them"


def test_the_worker_knows_the_task() -> None:
    from deploy.celery import app

    app.loader.import_default_modules()
    assert queue.WEEKLY_MAIL in app.tasks
