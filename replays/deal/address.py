"""What an address of the replay asks for: a step of a deal, and how one looks at it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import Http404

from archive.addresses import number_of

OPENED, EVERYBODY = "all", "none"
"""Eyes that are no seat's: they see all cards, or only what everybody at the table does."""


@dataclass(frozen=True, slots=True)
class Address:
    """A step, from where one looks at it, and what may be told."""

    step: int = 0
    """As asked for; the engine clips what is beyond the end."""
    seat: str | None = None
    """The seat that sits nearest."""
    hands: str = "all"
    """Whose hands are open: the ``seat``'s alone, ``all``, or ``none``."""
    spoilers: bool = True
    """Whether anything may be told of what comes later."""
    guess: bool = False
    """Whether the plays of the seat are to be guessed before they are shown."""
    right: int = 0
    """How many plays were guessed right so far,"""
    wrong: int = 0
    """and how many were not."""

    @property
    def view(self) -> str | None:
        """The seat from whose eyes one looks; None where all hands are open, or all are face down."""
        return self.seat if self.hands == "seat" else None

    @property
    def closed(self) -> bool:
        """Whether all hands lie face down, so that only what everybody knows is seen."""
        return self.hands == "none"

    @property
    def eyes(self) -> str:
        """Through whose eyes one looks, and who counts the steps so: a seat, `OPENED`, or `EVERYBODY`."""
        return EVERYBODY if self.closed else self.view or OPENED

    @property
    def limited(self) -> bool:
        """Whether nothing may be told that comes after the step: to no seat is it known."""
        return self.eyes != OPENED or not self.spoilers

    @property
    def parts(self) -> dict[str, str]:
        """The query without the step."""
        parts = {"view": self.seat} if self.seat else {}
        if self.closed or (self.seat and not self.view):
            parts["hands"] = self.hands
        if not self.spoilers:
            parts["spoilers"] = "off"
        if self.guess:
            tally = {"right": self.right, "wrong": self.wrong}
            parts |= {"guess": "1"} | {name: str(number) for name, number in tally.items() if number}
        return parts

    @property
    def prefix(self) -> str:
        """The query of any step of the same; the number of the step is to be written behind it."""
        return "?" + urlencode({**self.parts, "step": ""})

    @property
    def query(self) -> str:
        """``?view=B&step=12``; the step is named even where it is the first: this moment is meant."""
        return f"{self.prefix}{self.step}"


def read(query: Mapping[str, str], seats: Collection[str]) -> Address:
    """What ``step=N&view=B&hands=all`` asks for; a step that is no number is the beginning.

    ``hands`` is ``seat`` (from that seat's eyes, as without it), ``all`` or ``none``; ``spoilers=off`` tells
    nothing beforehand; ``guess=1`` has the plays of the view's seat guessed, ``right`` and ``wrong`` say how
    it went so far.

    :raises Http404: if nobody sits at that seat.
    """
    step = min(number_of(query.get("step"), 5) or 0, 10_000)
    seat = query.get("view") or None
    if seat is not None and seat not in seats:
        raise Http404
    hands = query.get("hands", "")
    if hands not in ("all", "none"):
        hands = "seat" if seat else "all"
    guess = query.get("guess") == "1" and hands == "seat"
    tally = (number_of(query.get(name), 3) or 0 if guess else 0 for name in ("right", "wrong"))
    return Address(step, seat, hands, query.get("spoilers") != "off" and not guess, guess, *tally)
