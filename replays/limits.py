"""Limits of pictures drawn and texts checked in a minute, counted like the API's requests; and the client's
address. (Downloads: `archive.limits`.)"""

from __future__ import annotations

import math

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import ngettext

from archive.limits import Throttle


def client_address(request: HttpRequest) -> str:
    """The address a request comes from, seen through as many reverse proxies as the settings name.

    Whatever stands further left in ``X-Forwarded-For`` was written by the client and counts for nothing.
    """
    return str(Pictures().get_ident(request))


class Pictures(Throttle):
    """The limit of the whole site, ``PICTURES_PER_MINUTE`` (a picture takes a fifth of a second)."""

    scope = "pictures"

    def get_rate(self) -> str:
        """The rate as the settings have it now."""
        return f"{settings.PICTURES_PER_MINUTE}/min"

    def get_cache_key(self, request: HttpRequest, view: None) -> str:
        """One counter for all."""
        return self.cache_format % {"scope": self.scope, "ident": "all"}


class OwnPictures(Pictures):
    """The limit of one address: a third of that."""

    def get_rate(self) -> str:
        """A third."""
        return f"{max(1, settings.PICTURES_PER_MINUTE // 3)}/min"

    def get_cache_key(self, request: HttpRequest, view: None) -> str:
        """A counter for each address."""
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


class Checks(Throttle):
    """The limit of checks by one browser: as fast as one types, and a little more."""

    scope = "checks"
    rate = "240/min"

    def get_cache_key(self, request: HttpRequest, view: None) -> str:
        """A counter for each address."""
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


def wait_before_check(request: HttpRequest) -> int:
    """Count a check; returns 0, or the seconds to wait."""
    return _wait(request, Checks())


def wait_before_picture(request: HttpRequest) -> int:
    """Count a picture that has to be drawn; returns 0, or the seconds to wait. Cached ones are not
    counted."""
    return _wait(request, OwnPictures(), Pictures())


def _wait(request: HttpRequest, *throttles: Throttle) -> int:
    for throttle in throttles:
        if not throttle.allow_request(request, None):
            return math.ceil(throttle.wait())
    return 0


def over_quota(seconds: int) -> str:
    """The message to a sender over his quota: when he may send again."""
    minutes = (seconds + 59) // 60
    why = ngettext(
        "You have sent as much as is taken in an hour. Try again in %(n)d minute.",
        "You have sent as much as is taken in an hour. Try again in %(n)d minutes.",
        minutes,
    )
    return why % {"n": minutes}
