"""The search criteria for deals, and the queries that they make."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from datetime import date, datetime
from functools import reduce
from typing import Any

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce

from archive import packed_sheets
from archive.addresses import Key
from archive.fields import searchable
from archive.models import ContributionQuerySet, Player, Session, Space
from tarock.game import SEATS
from tarock.games import GAMES

SEAT_ROLES = ("declarer", "partner", "opponent")
"""What a player may have been in a deal."""


EFFECTS = ("gained", "lost", "broken")
"""What a clause may have done in a deal."""


ORDERS = ("played", "stored", "score")
"""How a list of deals may be sorted: the latest played first, those without a day at the end; the latest
stored first; the highest score of a seat, of those with a score."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What is asked of deals; all that is given must hold, None or "" asks for nothing.

    ``verdict``: on what is said of the deal, `disputed` where another score is claimed; ``player``: a player,
    a number, or a name; ``role``: what he was, one of `SEAT_ROLES` (an opponent in deals with a score alone);
    ``with_players``: names of others who sat there; ``session``: a session, a number, or a part of its name;
    ``space``: a club's number, ``club``: a part of its name; ``event``, ``site``: a part of them; ``text``: a
    part of these, of the session's name, of tags or comments; ``result``: how it ended for the declarer;
    ``points_from``, ``points_to``: card points of his side; ``clause``: the slug of a clause that the score
    cites, or that was broken; ``effect``: one of `EFFECTS`, gained and lost by the player who is asked for,
    else by the declarer; ``seats``: number of players; ``ids``: deals, each perhaps as one contribution says
    it; ``digest``: deals by their digests; ``sender``: the number of the user who sent it;
    ``without_guests``: nothing that was sent without signing in; ``after``, ``before``: numbers of deals, not
    included; ``since``, ``until``: when it was stored, the end not included. Names and parts in any case,
    with or without marks.
    """

    game: str | None = None
    verdict: str | None = None
    player: Player | int | str | None = None
    role: str | None = None
    with_players: tuple[str, ...] = ()
    date_from: date | None = None
    date_to: date | None = None
    session: Session | int | str | None = None
    space: int | None = None
    club: str | None = None
    event: str | None = None
    site: str | None = None
    text: str | None = None
    contract: str | None = None
    result: str | None = None
    points_from: int | None = None
    points_to: int | None = None
    clause: str | None = None
    effect: str | None = None
    seats: int | None = None
    ids: tuple[Key, ...] = ()
    digest: tuple[bytes, ...] = ()
    sender: int | None = None
    without_guests: bool = False
    after: int | None = None
    before: int | None = None
    since: datetime | None = None
    until: datetime | None = None

    @property
    def of_deal(self) -> Q:
        """What is asked of the deal itself, as columns of `Deal`."""
        equal = {"game": self.game, "contract": self.contract, "result": self.result}
        condition = Q(**{name: value for name, value in equal.items() if value})
        if self.seats:
            condition &= Q(players_count=self.seats)
        bounds = {
            "card_points__gte": self.points_from,
            "card_points__lte": self.points_to,
            "pk__gt": self.after,
            "pk__lt": self.before,
            "stored_at__gte": self.since,
            "stored_at__lt": self.until,
        }
        condition &= Q(**{column: value for column, value in bounds.items() if value is not None})
        if self.ids:
            condition &= Q(pk__in={key.deal for key in self.ids})
        if self.digest:
            condition &= Q(digest__in=self.digest)
        return condition & self._clause if self.clause else condition

    @property
    def _clause(self) -> Q:
        slug = self.clause or ""
        condition = Q(game=game) if (game := slug.partition(".")[0]) in GAMES else Q()
        if self.effect == "broken":
            return condition & Q(clauses=slug)
        sign = {"gained": "+", "lost": "-"}[self.effect] if self.effect and not self.player else ""
        cited = Q(clauses__startswith=f"{slug}={sign}") | Q(clauses__contains=f" {slug}={sign}")
        return condition & (cited if self.effect else cited | Q(clauses=slug))

    def _effect_on_seat(self) -> Q:
        """Whether the clause gave a seat points, or took some."""
        condition, sign = Q(), "-" if self.effect == "lost" else "+"
        for number in range(len(SEATS)):
            pattern = packed_sheets.gave(self.clause or "", number, sign)
            condition |= Q(seat=number, contribution__deal__clauses__regex=pattern)
        return condition

    def apply_to_contributions(self, contributions: ContributionQuerySet) -> ContributionQuerySet:
        """Those of these contributions that fit, whatever deal they are to."""
        contributions = contributions.played_between(self.date_from, self.date_to)
        if self.verdict:
            contributions = contributions.filter(verdict=self.verdict)
        if self.ids:
            whole = {key.deal for key in self.ids if key.contribution is None}
            alone = [
                Q(deal=key.deal, pk=key.contribution) for key in self.ids if key.contribution is not None
            ]
            contributions = contributions.filter(reduce(Q.__or__, alone, Q(deal__in=whole)))
        if self.sender is not None:
            contributions = contributions.filter(part__upload__user=self.sender)
        if self.without_guests:
            contributions = contributions.without_guests()
        if self.player:
            contributions = contributions.with_player(self.player, self._as_he_was())
        for name in self.with_players:
            contributions = contributions.with_player(name)
        if isinstance(self.session, str) and self.session:
            contributions = contributions.filter(session__in=_holding(Session.objects.all(), self.session))
        elif self.session:
            contributions = contributions.filter(session=self.session)
        if self.space:
            contributions = contributions.filter(space=self.space)
        if self.club:
            contributions = contributions.filter(
                space__in=_holding(Space.objects.filter(kind="club"), self.club)
            )
        if self.event:
            contributions = contributions.filter(event_search__contains=searchable(self.event))
        if self.site:
            contributions = contributions.filter(site_search__contains=searchable(self.site))
        if self.text:
            part = searchable(self.text)
            condition = Q(event_search__contains=part) | Q(site_search__contains=part)
            condition |= Q(text_search__contains=part)
            contributions = contributions.filter(
                condition | Q(session__in=_holding(Session.objects.all(), self.text))
            )
        return contributions

    def _as_he_was(self) -> Q:
        """What is asked of the seat of the player beside who he is."""
        condition = Q()
        declarer, partner = F("contribution__deal__declarer"), F("contribution__deal__partner")
        if self.role in ("declarer", "partner"):
            condition &= Q(seat=declarer if self.role == "declarer" else partner)
        elif self.role:
            # Before a deal is over the rules may not say who is the partner.
            condition &= Q(contribution__deal__declarer__isnull=False, points__isnull=False)
            condition &= ~Q(seat=declarer) & ~Q(seat=Coalesce(partner, declarer))
        if self.clause and self.effect in ("gained", "lost"):
            condition &= self._effect_on_seat()
        return condition

    def apply(self, contributions: ContributionQuerySet) -> ContributionQuerySet:
        """Those of these contributions that fit, by what they say and by the deal."""
        condition = self.of_deal
        return self.apply_to_contributions(
            contributions.filter(_prefixed(condition, "deal__")) if condition else contributions
        )

    def after_id(self, number: int, *, newest_first: bool) -> Filters:
        """The same, and only deals that stand behind the one of this number."""
        if newest_first:
            before = number if self.before is None else min(number, self.before)
            return dataclasses.replace(self, before=before)
        return dataclasses.replace(self, after=max(number, self.after or 0))


def _holding(named: QuerySet[Any], part: str) -> QuerySet[Any]:
    """The sessions or clubs whose name holds this."""
    return named.filter(search_name__contains=searchable(part)).order_by().values("pk")


def _prefixed(condition: Q, prefix: str) -> Q:
    """What is asked of a row, asked of a row that is come to from another."""
    made = [
        _prefixed(one, prefix) if isinstance(one, Q) else (prefix + one[0], one[1])
        for one in condition.children
    ]
    return Q.create(made, condition.connector, condition.negated)
