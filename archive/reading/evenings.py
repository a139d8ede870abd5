"""Evenings at the table, for viewers who may enter deals: members of the space, the guest who owns it, and
friends who joined."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Max, OuterRef, Subquery
from django.db.models.functions import Coalesce

import tarock
from archive import access
from archive.access import Viewer
from archive.addresses import Key
from archive.database import by_name
from archive.models import CHOSEN, Change, Contribution, Evening, Seat, Session, Space, person_seated
from archive.shown import shown
from archive.storing.evenings import comment_of, version
from tarock.analysis.sheets import sheet_lines
from tarock.core.record import Line

MOST_PLAYERS = 200
"""Maximum number of suggested player names in a space."""

MOST_EVENINGS = 20
"""Maximum number of suggested running evenings."""


def get_evening(key: uuid.UUID, viewer: Viewer) -> Evening:
    """Return an evening with its session and space.

    :raises Evening.DoesNotExist: if there is no such evening, or the viewer has no role in its space and did
        not join it.
    """
    return Evening.objects.select_related("session__space").get(access.is_at_table(viewer), key=key)


def get_joinable(key: str) -> Evening:
    """Return the running evening whose link for friends has this key.

    :raises Evening.DoesNotExist: if the evening has ended, or the link was revoked.
    """
    return Evening.objects.select_related("session__space").get(join_key=key, ended_at=None)


def evening_of(session: Session, viewer: Viewer) -> Evening | None:
    """Return the evening of a session if the viewer may open it in the app, else None. Makes one query, or
    none if the evening was fetched with the session."""
    evening: Evening | None = getattr(session, "evening", None)
    return evening if viewer.is_at_least("member", session.space_id) else None


def spaces_of(viewer: Viewer, language: str) -> list[Space]:
    """Return the spaces in which the viewer may enter deals, sorted by name. One query."""
    spaces = Space.objects.filter(pk__in=viewer.spaces("member"))
    return list(spaces.order_by(by_name(F("name"), language), "pk"))


def has_evenings(space: Space) -> bool:
    """Return whether any evening was started in a space. One query."""
    return Evening.objects.filter(session__space=space).exists()


def in_course(viewer: Viewer, space: Space | None = None) -> list[Evening]:
    """Return at most `MOST_EVENINGS` running evenings (in one space, if given) whose deals the viewer may
    enter, latest changes first. One query."""
    evenings = Evening.objects.filter(access.is_at_table(viewer), ended_at=None)
    if space is not None:
        evenings = evenings.filter(session__space=space)
    return list(evenings.select_related("session__space").order_by("-changed_at", "-id")[:MOST_EVENINGS])


def last_in(spaces: Collection[int]) -> dict[int, Evening]:
    """Map the ids of these spaces to their latest evening, whether it is running or has ended. One query."""
    latest = Evening.objects.filter(session__space=OuterRef("pk")).order_by("-date", "-id").values("pk")[:1]
    wanted = Space.objects.filter(pk__in=spaces).order_by().values(last=Subquery(latest))
    evenings = Evening.objects.filter(pk__in=wanted).select_related("session__space")
    return {evening.session.space_id: evening for evening in evenings}


def players_of(spaces: Collection[int]) -> dict[int, list[str]]:
    """Map the ids of these spaces to the names of their players as written, one name per person, at most
    `MOST_PLAYERS` per space. The persons who played most recently come first. One query."""
    seats = Seat.objects.filter(
        contribution__space__in=spaces, contribution__visibility__in=CHOSEN, player__isnull=False
    )
    rows = (
        seats.order_by()
        .values(
            space=F("player__space"),
            person=person_seated(),
            called=Coalesce("player__same_as__name", "player__name"),
        )
        .annotate(day=Max("contribution__played_on"), last=Max("contribution"))
        .order_by(F("day").desc(nulls_last=True), "-last", "called")
    )
    names: dict[int, list[str]] = {space: [] for space in spaces}
    for row in rows:
        if len(names[row["space"]]) < MOST_PLAYERS:
            names[row["space"]].append(row["called"])
    return names


@dataclass(frozen=True, slots=True)
class EveningDeal:
    """A deal of an evening, with the fields of the entry form. `players`: names by seat, as written in the
    space; `kind`: `sheet`, or `played` if the cards were recorded; `lines`: lines of the score sheet, or
    those that a sheet of the played deal would have, empty without a score; `score`: points of each seat as
    scored by the rules, None without a score; `entered_by`: name of the user or the friend who entered the
    deal, empty for a guest; `key`: key in the URLs of the deal's pages."""

    n: int
    game: str
    players: dict[str, str]
    dealer: str
    options: tuple[str, ...]
    lines: tuple[Line, ...]
    comment: str
    kind: str
    version: str
    verdict: str
    score: dict[str, int] | None
    entered_by: str
    key: Key

    @property
    def as_json(self) -> dict[str, Any]:
        """The deal as a JSON object, without its key."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "key"}


_ENTERED_AGAIN = Change.objects.filter(contribution=OuterRef("pk"), what__visibility__0="withdrawn")
_ENTERED_BY = Coalesce(
    # Whoever enters a deal again after it was deleted is the one who entered it.
    Subquery(_ENTERED_AGAIN.order_by("-id").values(name=Coalesce("user__username", "friend"))[:1]),
    "part__upload__user__username",
    "part__upload__friend",
)


def deals_of(evening: Evening, viewer: Viewer, number: int | None = None) -> list[EveningDeal]:
    """Return the deals of an evening in order of their numbers, or only the deal with `number`. There is one
    deal per number: the score sheet if it counts, otherwise the deal recorded with its cards. Without
    `number`, leave out the session's deals of other games. Five queries."""
    wanted = {"deal__game": evening.game, "number__isnull": False} if number is None else {"number": number}
    viewer = viewer.at_table(evening)
    contributions = access.in_session(evening.session_id, viewer).filter(**wanted)
    contributions = contributions.exclude(deal__kind="result")
    contributions = contributions.annotate(entered_by=_ENTERED_BY)
    rows = contributions.select_related("deal").order_by("number", "pk").fetch_all(viewer.roles)
    by_number: dict[int | None, Contribution] = {}
    for one in sorted(rows, key=lambda one: not one.deal.is_sheet):
        by_number.setdefault(one.number, one)
    return sorted(map(_deal, by_number.values()), key=lambda deal: deal.n)


def _deal(one: Contribution) -> EveningDeal:
    deal = shown(one)
    record = deal.record
    assert one.number is not None
    return EveningDeal(
        n=one.number,
        game=record.game,
        # Use the name of the person, not an alias, because the table adds up points by name.
        players={seat.seat: seat.player.head.name if seat.player else seat.name for seat in one.seated},
        dealer=record.dealer,
        options=record.options,
        lines=sheet_lines(record) or (),
        comment=comment_of(record),
        kind=one.deal.kind,
        version=version(one),
        verdict=one.verdict,
        score=deal.score,
        entered_by=one.entered_by,
        key=Key(one.deal_id, None if one.is_alone else one.pk),
    )


def deal_at(evening: Evening, number: int, viewer: Viewer) -> EveningDeal | None:
    """Return the deal of an evening with this number, or None if there is none."""
    return next(iter(deals_of(evening, viewer, number)), None)


def state_version(evening: Evening, viewer: Viewer) -> str:
    """Return a hash that changes whenever the evening, one of its deals or the viewer's part in it changes.
    One query."""
    # A change raises the last feed number, and a removal lowers the count, so together they show both.
    deals = Contribution.objects.filter(session=evening.session_id).order_by()
    counted = deals.aggregate(number=Count("pk"), last=Max("feed_number"))
    own = evening.pk, evening.version, evening.session.name, evening.visibility_of_new
    seen_by = evening.session.space_id, viewer.friend_at(evening)
    parts = *own, *seen_by, counted["number"], counted["last"], tarock.__version__
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
