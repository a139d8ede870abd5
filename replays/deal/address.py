"""The query string of a replay step's URL, which identifies the step and the view."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import Http404

from archive.addresses import number_of

_KEY = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
OPENED, EVERYBODY = "all", "none"
"""Views that belong to no seat: `OPENED` shows all cards, `EVERYBODY` shows only what everybody at the table
sees."""


@dataclass(frozen=True, slots=True)
class Address:
    """A step of the replay, the view in which it is shown, and whether later steps are secret."""

    step: int = 0
    """The requested step. For a step beyond the end, the engine uses the last step."""
    seat: str | None = None
    """The seat at the bottom of the table."""
    hands: str = "all"
    """Open hands: `seat` (only the hand of that seat), `all`, or `none`."""
    spoilers: bool = True
    """Whether later steps may be shown."""
    guess: bool = False
    """Whether the reader guesses each play of `seat` before it is shown."""
    right: int = 0
    """Number of plays guessed right so far."""
    wrong: int = 0
    """Number of plays guessed wrong so far."""
    collection: str = ""
    """Key of the collection whose notes are shown."""

    @property
    def view(self) -> str | None:
        """The seat whose view is shown; None if all hands are open or all are face down."""
        return self.seat if self.hands == "seat" else None

    @property
    def closed(self) -> bool:
        """Whether all hands are face down, so that the page shows only what everybody at the table knows."""
        return self.hands == "none"

    @property
    def eyes(self) -> str:
        """The view in which steps are shown and counted: a seat, `OPENED`, or `EVERYBODY`."""
        return EVERYBODY if self.closed else self.view or OPENED

    @property
    def limited(self) -> bool:
        """Whether to hide everything after the step, because hands are hidden or later steps are secret."""
        return self.eyes != OPENED or not self.spoilers

    @property
    def parts(self) -> dict[str, str]:
        """The query parameters without the step."""
        parts = {"view": self.seat} if self.seat else {}
        if self.closed or (self.seat and not self.view):
            parts["hands"] = self.hands
        if not self.spoilers:
            parts["spoilers"] = "off"
        if self.collection:
            parts["collection"] = self.collection
        if self.guess:
            tally = {"right": self.right, "wrong": self.wrong}
            parts |= {"guess": "1"} | {name: str(number) for name, number in tally.items() if number}
        return parts

    @property
    def prefix(self) -> str:
        """The query string up to `step=`, for links to other steps of this view."""
        return "?" + urlencode({**self.parts, "step": ""})

    @property
    def query(self) -> str:
        """The query string, as in `?view=B&step=12`. It contains the step even if it is 0."""
        return f"{self.prefix}{self.step}"


def read(query: Mapping[str, str], seats: Collection[str]) -> Address:
    """Parse `step=N&view=B&hands=all`. A step that is not a number is 0.

    `hands` is `seat` (that seat's view, the default with `view`), `all` or `none`. With `spoilers=off` later
    steps are secret. With `guess=1` the reader guesses the plays of the view's seat, and `right` and `wrong`
    count the guesses so far. `collection` is the key of a collection whose notes are shown.

    :raises Http404: if `view` is not a seat of the deal.
    """
    step = min(number_of(query.get("step"), 5) or 0, 10_000)
    seat = query.get("view") or None
    if seat is not None and seat not in seats:
        raise Http404
    hands = query.get("hands", "")
    if hands not in ("all", "none"):
        hands = "seat" if seat else "all"
    guess = query.get("guess") == "1" and hands == "seat"
    right, wrong = (number_of(query.get(name), 3) or 0 if guess else 0 for name in ("right", "wrong"))
    collection = query.get("collection", "")
    if not _KEY.fullmatch(collection):
        collection = ""
    spoilers = query.get("spoilers") != "off" and not guess
    return Address(step, seat, hands, spoilers, guess, right, wrong, collection)
