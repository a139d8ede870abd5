"""Adoption of deals that visitors entered before they signed up."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import user_signed_up
from django.contrib.auth.base_user import AbstractBaseUser
from django.dispatch import receiver
from django.http import HttpRequest

from archive.database import AWAY
from archive.reading.clubs import guest_space
from archive.reading.evenings import has_evenings
from archive.storing import spaces
from archive.web.viewer import GUEST
from replays.site.device import MADE_HERE


@receiver(user_signed_up, dispatch_uid="take_evenings_over")
def take_evenings_over(request: HttpRequest, user: AbstractBaseUser, **_signal: Any) -> None:
    """If a guest entered evenings, move them and all other deals from this browser to the new user. Have the
    scripts do the same with data that was not sent."""
    request.session[MADE_HERE] = True
    try:
        guest = guest_space(request.session.get(GUEST))
        if guest is not None and has_evenings(guest):
            spaces.adopt(guest, spaces.own(user), by=user)
            request.session.pop(GUEST, None)
    except AWAY:
        pass  # Don't fail the sign-up: the user can still adopt the deals on the uploads page.
