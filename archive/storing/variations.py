"""Save and delete users' and guests' variations of deals."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.utils import timezone

from archive.database import storable
from archive.errors import ArchiveError
from archive.models import Deal, GuestVariations, Variations
from tarock.analysis.variations import Variation

MOST = 500
"""Maximum number of deals for which a user or a guest's device can save variations."""

GUESTS_RETENTION = timedelta(days=90)
"""Time since the last change after which a guest's variations are deleted."""


class Conflict(ArchiveError):
    """The saved variations are newer than the version in the request. Nothing was changed."""

    code = "changed_meanwhile"
    message = "The variations that are saved are not of this version; nothing was saved."


class TooMany(ArchiveError):
    """The owner has already saved variations for the maximum number of deals."""

    code = "refused"
    message = f"Variations are saved with {MOST} deals already, which is the most."


def save(
    deal: Deal, owner: AbstractBaseUser | bytes, lines: Sequence[Variation], visibility: str, version: int
) -> Variations | GuestVariations:
    """Save a user's or a guest's variations of a deal. Replace characters that the database can't store.

    `owner`: the user, or the digest of the key of a guest's device, whose variations always have the
    visibility `link`; `version`: the version to overwrite, 0 if nothing is saved yet.

    :raises Conflict: if the saved version is a different one.
    :raises TooMany: if the owner has already saved variations for `MOST` deals.
    """
    rows = [line.as_json() for line in lines]
    for row in rows:
        row |= {name: storable(row[name]) for name in ("name", "comment")}
    model, of_owner = _owned(owner)
    columns: dict[str, Any] = {"lines": rows}
    if model is Variations:
        columns["visibility"] = visibility
    if version == 0:
        if model._default_manager.filter(**of_owner).count() >= MOST:
            raise TooMany
        try:
            with transaction.atomic():
                return model._default_manager.create(deal_id=deal.pk, **of_owner, **columns)
        except IntegrityError:
            raise Conflict from None
    own = model._default_manager.filter(deal=deal.pk, **of_owner)
    if not own.filter(version=version).update(version=version + 1, changed_at=timezone.now(), **columns):
        raise Conflict
    return own.get()


def remove(deal: Deal, owner: AbstractBaseUser | bytes) -> bool:
    """Delete an owner's variations of a deal permanently. Return whether there were any."""
    model, of_owner = _owned(owner)
    return bool(model._default_manager.filter(deal=deal.pk, **of_owner).delete()[0])


def _owned(owner: AbstractBaseUser | bytes) -> tuple[type[Variations | GuestVariations], dict[str, Any]]:
    """Return the model of an owner's variations, and the column that names the owner."""
    return (GuestVariations, {"device": owner}) if isinstance(owner, bytes) else (Variations, {"user": owner})


def expire(now: datetime) -> None:
    """Delete the variations that guests saved longer than `GUESTS_RETENTION` ago."""
    GuestVariations.objects.filter(changed_at__lt=now - GUESTS_RETENTION).delete()
