"""The address of a step of the replay: which step of a deal, seen through whose eyes."""

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
    """A step, the eyes through which it is seen, and what may be known of later steps."""

    step: int = 0
    """As requested; the engine clips what is beyond the end."""
    seat: str | None = None
    """The seat that sits nearest."""
    hands: str = "all"
    """Whose hands are open: the `seat`'s alone, `all`, or `none`."""
    spoilers: bool = True
    """Whether later steps may be known."""
    guess: bool = False
    """Whether the reader guesses the plays of the seat before they are shown."""
    right: int = 0
    """The plays guessed right so far,"""
    wrong: int = 0
    """and those guessed wrong."""

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
        """The eyes that see and count the steps: a seat, `OPENED`, or `EVERYBODY`."""
        return EVERYBODY if self.closed else self.view or OPENED

    @property
    def limited(self) -> bool:
        """Whether nothing after the step may be known, as no seat knows it."""
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
        """The query of any step seen so, up to the number of the step."""
        return "?" + urlencode({**self.parts, "step": ""})

    @property
    def query(self) -> str:
        """`?view=B&step=12`; the step is named even if it is the first."""
        return f"{self.prefix}{self.step}"


def read(query: Mapping[str, str], seats: Collection[str]) -> Address:
    """Parse `step=N&view=B&hands=all`; a step that is no number is the beginning.

    `hands` is `seat` (seen by that seat, the default with `view`), `all` or `none`. With
    `spoilers=off` later steps are secret; with `guess=1` the reader guesses the plays of the view's seat,
    and `right` and `wrong` count the guesses so far.

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
