"""What several views need: one deal or a 404, pages of a list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest

import tarock.public
import tarock.replay
from archive import selectors
from archive.models import Deal
from replays import presenters
from replays.deal import sharing
from tarock.position import Position
from tarock.record import Record
from tarock.replay import Count

PER_PAGE = 25
OPENED, EVERYBODY = "all", "none"
"""In an address, the count of all events, and of those that every seat sees: all hands are face down then."""


def deal_or_404(pk: int) -> Deal:
    """The deal with what its pages show.

    :raises Http404: if there is none.
    """
    try:
        return selectors.deal(pk)
    except Deal.DoesNotExist:
        raise Http404 from None


def preview(request: HttpRequest, deal: Deal, position: presenters.Position | None = None) -> dict[str, Any]:
    """What other sites are told of a page of a deal (`templates/parts/preview.jinja`): it shows what the
    page shows. One without a position stands for the deal as dealt."""
    root = f"{request.scheme}://{request.get_host()}"
    link = sharing.Link(deal, position.step if position else 0)
    shared = sharing.shared(root, link, position, deal.players.values())
    return {"shared": shared, "address": root + request.path}


def page_of(request: HttpRequest, items: Any, per_page: int = PER_PAGE) -> Page:
    """The page of a list that ``?page=`` names; one beyond the end is the last."""
    return Paginator(items, per_page).get_page(request.GET.get("page"))


@dataclass(frozen=True, slots=True)
class Look:
    """What an address of the replay asks for: a step, and from where one looks at it."""

    step: int
    """As asked for; the engine clips what is beyond the end."""
    seat: str | None
    """The seat that sits nearest."""
    view: str | None
    """The seat from whose eyes one looks; None where all hands are open, or all are face down."""
    closed: bool = False
    """Whether all hands lie face down, so that only what everybody knows is seen."""
    spoilers: bool = True
    """Whether anything may be told of what comes later."""
    guess: bool = False
    """Whether the plays of the view's seat are to be guessed before they are shown."""

    @property
    def address(self) -> presenters.Address:
        """The query that leads to other steps of the same."""
        return presenters.Address(
            view=self.view,
            bottom=None if self.view else self.seat,
            closed=self.closed,
            spoilers=self.spoilers,
            guess=self.guess,
        )

    @property
    def limited(self) -> bool:
        """Whether nothing may be told that comes after the step: to no seat is it known."""
        return self.view is not None or self.closed or not self.spoilers

    def state(self, record: Record, counted: Count | None = None) -> Position:
        """The engine's position, its events counted so if that is known already; it is asked for nothing that
        is not to be seen."""
        if self.closed:
            return tarock.public.position(record, self.step, counted)
        return tarock.replay.position(record, self.step, self.view, counted)

    def position(self, record: Record) -> presenters.Position:
        """The table as it is looked at."""
        return presenters.table(self.state(record), bottom=self.seat)


def counted_by(way: Look | presenters.Address) -> str:
    """How steps are counted that way: by what a seat sees, by what everybody sees, or all of them; as
    ``from`` says it in an address."""
    return EVERYBODY if way.closed else way.view or OPENED


def _count(record: Record, by: str) -> Count:
    if by == EVERYBODY:
        return tarock.public.count(record)
    return tarock.replay.count(record, None if by == OPENED else by)


def look(query: Mapping[str, str], record: Record) -> Look:
    """What ``step=N&view=B&hands=all`` asks for; a step that is no number is the beginning.

    ``hands`` is ``seat`` (from that seat's eyes, as without it), ``all`` or ``none``; ``spoilers=off`` tells
    nothing beforehand; ``guess=1`` has the plays of the view's seat guessed. Steps are counted as the view
    counts, or as another does: ``from=C`` is a seat, ``from=all`` open hands, ``from=none`` hands face down.

    :raises Http404: if nobody sits at that seat.
    """
    text = query.get("step") or ""
    step = min(int(text), 10_000) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    seat = query.get("view") or None
    if seat is not None and seat not in record.seats:
        raise Http404
    hands = query.get("hands")
    view = None if hands in ("all", "none") else seat
    guess = query.get("guess") == "1" and view is not None
    found = Look(step, seat, view, hands == "none", query.get("spoilers") != "off" and not guess, guess)
    came, here = query.get("from"), counted_by(found)
    if came in (*record.seats, OPENED, EVERYBODY) and came != here:
        return replace(found, step=_count(record, here).step(_count(record, came).moment(step)))
    return found
