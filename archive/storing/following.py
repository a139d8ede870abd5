"""Follow players, sessions and clubs, and get a weekly mail about them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.core import signing
from django.db.models import QuerySet
from django.utils import timezone

from archive import database
from archive.errors import ArchiveError
from archive.models import Follow, Player, WeeklyMail
from archive.storing import queue

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser

MOST = 200
"""Maximum number of things that a user can follow."""

WEEK = timedelta(days=7)
"""Time between two weekly mails to a user, and between the opt-in and the first."""

_RETRY = timedelta(days=1)
"""Time after which a mail is tried again whose worker was lost or failed."""

_UNSETTLED = timedelta(minutes=2)
"""Time that storing a deal takes at most. A mail leaves out younger deals, because other deals with the same
time of storing may still appear; the next mail has them all."""

_MOST_MAILS = 200
"""Maximum number of weekly mails that one call of `queue_mails` queues. More would delay other mails, because
one thread sends all of them. If the queue is that long, the messages of the last call may still be in it, so
nothing is queued."""

_STOPS = signing.TimestampSigner(salt="weekly mail")
_STOP_AGE = timedelta(days=90)


class TooMany(ArchiveError):
    """The user follows the maximum number of things."""

    code = "refused"
    message = f"Nobody can follow more than {MOST} players, sessions and clubs."


@database.holding_insert_lock
def follow(user: AbstractBaseUser, kind: str, pk: int) -> None:
    """Follow a thing: `player`, `session` or `club`. Does nothing if the user follows it already.

    :raises TooMany: if the user follows `MOST` things.
    :raises Gone: if the thing was deleted meanwhile.
    """
    if Follow.objects.filter(user=user).count() >= MOST:
        raise TooMany
    Follow.objects.get_or_create(user=user, **{f"{kind}_id": pk})


def unfollow(user: AbstractBaseUser, kind: str, pk: int) -> None:
    """Stop following a thing."""
    follows_of(user.pk, kind, pk).delete()


def follows_of(user: int, kind: str, pk: int) -> QuerySet[Follow]:
    """Return the rows that say that a user follows a thing. A player can have one for each of their names."""
    names = Player.objects.filter(pk=pk).with_aliases() if kind == "player" else [pk]
    return Follow.objects.filter(user=user, **{f"{kind}__in": names})


def allow(player: Player, *, allowed: bool) -> None:
    """Allow that others follow a player, or forbid it, which ends all that do."""
    person = player.head
    person.can_be_followed = allowed
    person.save(update_fields=["can_be_followed"])
    if not allowed:
        Follow.objects.filter(player__in=person.all_names()).delete()


@database.holding_insert_lock
def get_mails(user: AbstractBaseUser, language: str) -> None:
    """Send the user a weekly mail in this language. If they get it already, change only its language."""
    later = {"language": language, "due_at": timezone.now() + WEEK}
    WeeklyMail.objects.update_or_create({"language": language}, user=user, create_defaults=later)


def stop_mails(user: int) -> None:
    """Stop the weekly mail to the user with this id."""
    WeeklyMail.objects.filter(user=user).delete()


def stop_word(user: int) -> str:
    """Return the signed word in the link that stops the weekly mail to a user without signing in."""
    return _STOPS.sign(user)


def stopped_by(word: str) -> int | None:
    """Return the id of the user whose mail a word of `stop_word` stops; None if the word is not ours or older
    than 90 days."""
    try:
        return int(_STOPS.unsign(word, max_age=_STOP_AGE))
    except signing.BadSignature:
        return None


def queue_mails() -> None:
    """Send a message for each weekly mail that is due, the longest due first."""
    due = WeeklyMail.objects.filter(due_at__lte=timezone.now()).order_by("due_at")
    users = list(due.values_list("pk", flat=True)[:_MOST_MAILS])
    if users and (queue.length(queue.HINDSIGHT) or 0) < _MOST_MAILS:
        queue.send(queue.WEEKLY_MAIL, reversed(users), queue.HINDSIGHT)


def claim_mail(user: int) -> WeeklyMail | None:
    """Claim the weekly mail to a user, and return it; None if it isn't due, or another worker makes it."""
    now = timezone.now()
    rows = WeeklyMail.objects.filter(pk=user)
    if not rows.filter(due_at__lte=now).update(due_at=now + _RETRY):
        return None
    return rows.filter(due_at=now + _RETRY).select_related("user").first()


def covered_until(mail: WeeklyMail) -> datetime:
    """Return the time up to which a claimed mail covers the deals."""
    return mail.due_at - _RETRY - _UNSETTLED


def finish_mail(mail: WeeklyMail) -> bool:
    """Make the next mail due in a week. Return False if the mail was stopped meanwhile or another worker
    claimed it. Call this in the transaction that stores the mail."""
    held = WeeklyMail.objects.filter(pk=mail.pk, due_at=mail.due_at)
    return bool(held.update(since=covered_until(mail), due_at=mail.due_at - _RETRY + WEEK))
