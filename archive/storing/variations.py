"""Save and delete users' variations of deals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.utils import timezone

from archive.database import storable
from archive.errors import ArchiveError
from archive.models import Deal, Variations
from tarock.analysis.variations import Variation

MOST = 500
"""Maximum number of deals for which a user can save variations."""


class Conflict(ArchiveError):
    """The saved variations are newer than the version in the request. Nothing was changed."""

    code = "changed_meanwhile"
    message = "The variations that are saved are not of this version; nothing was saved."


class TooMany(ArchiveError):
    """The user has already saved variations for the maximum number of deals."""

    code = "refused"
    message = f"Variations are saved with {MOST} deals already, which is the most."


def save(
    deal: Deal, user: AbstractBaseUser, lines: Sequence[Variation], visibility: str, version: int
) -> Variations:
    """Save a user's variations of a deal. Replace characters that the database can't store. `version`: the
    version to overwrite; 0 if nothing is saved yet.

    :raises Conflict: if the saved version is a different one.
    :raises TooMany: if the user has already saved variations for `MOST` deals.
    """
    rows = [line.as_json() for line in lines]
    for row in rows:
        row |= {name: storable(row[name]) for name in ("name", "comment")}
    columns: dict[str, Any] = {"lines": rows, "visibility": visibility}
    if version == 0:
        if user.variations.count() >= MOST:
            raise TooMany
        try:
            with transaction.atomic():
                return Variations.objects.create(deal_id=deal.pk, user=user, **columns)
        except IntegrityError:
            raise Conflict from None
    own = Variations.objects.filter(deal=deal.pk, user=user, version=version)
    if not own.update(version=version + 1, changed_at=timezone.now(), **columns):
        raise Conflict
    return Variations.objects.get(deal=deal.pk, user=user)


def remove(deal: Deal, user: AbstractBaseUser) -> bool:
    """Delete a user's variations of a deal permanently. Return whether there were any."""
    return bool(Variations.objects.filter(deal=deal.pk, user=user).delete()[0])
