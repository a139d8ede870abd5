"""Create and find API tokens, and delete them after a change of password. A token's secret is shown only
once, and only its SHA-256 is stored. The secret is so long and random that a slow hash would add no security.
Its prefix makes leaked tokens recognizable."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Q
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.utils import timezone

from archive.database import AWAY
from archive.models import SCOPES, Token

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser

MOST = 20
"""Maximum number of tokens per user."""

_PREFIX = "tarock_"
_RANDOM_BYTES = 24
_NOTED_EVERY = timedelta(minutes=5)
"""Interval between updates of a token's last use, so that not every request writes to the database."""


class TooMany(ValueError):
    """The user already has `MOST` tokens."""


def allowed(user: AbstractBaseUser) -> tuple[str, ...]:
    """Return the scopes that a user's token may have. Only staff may have the scope that runs campaigns."""
    return SCOPES if getattr(user, "is_staff", False) else SCOPES[:-1]


def make(
    user: AbstractBaseUser,
    name: str,
    *,
    scopes: Iterable[str] = (),
    lasts: timedelta | None = None,
    ends_with_password: bool = True,
) -> tuple[Token, str]:
    """Create a token. Return the token and its secret, which can't be read again. `lasts`: time until the
    token expires, None for never; `ends_with_password`: whether a change of password deletes the token.

    :raises TooMany: if the user already has `MOST` tokens.
    """
    secret = _PREFIX + secrets.token_hex(_RANDOM_BYTES)
    with transaction.atomic():
        # Lock the user, so that the second of two simultaneous requests counts the first one's token.
        get_user_model().objects.select_for_update().get(pk=user.pk)
        if Token.objects.filter(user=user.pk).count() >= MOST:
            raise TooMany
        token = Token.objects.create(
            user_id=user.pk,
            name=name,
            digest=digest(secret),
            scopes=[scope for scope in SCOPES if scope in set(scopes)],
            ends_with_password=ends_with_password,
            expires_at=timezone.now() + lasts if lasts else None,
        )
    return token, secret


def find(secret: str) -> Token | None:
    """Return the valid token with this secret and record its use, or return None. The token's user is fetched
    as well, so that callers need no further query."""
    token = Token.objects.select_related("user").filter(digest=digest(secret)).first()
    if token is None or token.has_expired or not token.user.is_active:
        return None
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at < now - _NOTED_EVERY:
        noted_before = Q(last_used_at=None) | Q(last_used_at__lt=now - _NOTED_EVERY)
        with suppress(*AWAY):  # continue even if the database can't write
            Token.objects.filter(noted_before, pk=token.pk).update(last_used_at=now)
    return token


@receiver(post_save, sender=settings.AUTH_USER_MODEL, dispatch_uid="end_with_password")
def _end_with_password(instance: Any, created: bool, **_signal: Any) -> None:
    """Delete a user's `ends_with_password` tokens when the password changes, on the site or elsewhere."""
    # `set_password` leaves the new password in the instance until it is saved. A mere upgrade of the hash
    # leaves no password there, so the tokens stay.
    if instance._password is not None and not created:
        Token.objects.filter(user=instance.pk, ends_with_password=True).delete()


def digest(secret: str) -> bytes:
    """Return the SHA-256 of a secret, under which it is stored."""
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).digest()
