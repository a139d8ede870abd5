"""The search filters for deals. The fields of `Filters` determine the queries, the parameters of the API, the
search form on the pages, and the description of the results."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from functools import reduce
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from archive import lookups
from archive.access import Viewer
from archive.addresses import Key
from archive.figures import SEAT_ROLES
from archive.hands import MOST, Hand
from archive.models import COUNTS, KINDS, VERDICTS, Contribution, ContributionQuerySet, Player, Session
from archive.reading.conditions import (
    OTHER_SIDE,
    by_rules,
    cites,
    dealt,
    effect_on_seat,
    held_by_seat,
    in_relation,
    prefixed,
)
from archive.reading.holding import clubs_holding, sessions_holding, with_text
from archive.storing.sums import ROLES
from tarock.games import GAMES, games
from tarock.words.clauses import clauses

EFFECTS = ("gained", "lost", "broken")
"""Effects of a clause that a search can require."""

ORDERS = ("played", "stored", "score", "gain", "loss")
"""Orders for a list of deals. `played`: latest played first, undated deals at the end; `stored`: latest
stored first; `score`: by the highest score of any seat, without deals that have no score, and only deals by
the source rules if no rules are chosen; `gain`, `loss`: by the points of the player in the filters, from the
highest or from the lowest, without deals in which the player has no points."""

OUTCOMES = ("won", "lost")
"""Outcomes of a deal for a player: points above or below 0."""

_GOOD = ("verified", "computed")
"""Verdicts of deals whose score follows from the rules, unless the players claim another one."""

_SIGNS = {"gained": "+", "lost": "-"}

MOST_CITING = 1000
"""Maximum number of deal ids listed in a query for the deals that cite a clause."""

MOST_HELD = 1000
"""Maximum number of deal ids listed in a query for the deals with a hand, and of deals that the statistics of
a hand count."""

MOST_POINTS = 1_000_000_000
"""Maximum number of points in the filters for points."""

MOST_NAMES = 7
"""Maximum number of player names in one search."""

_MOST_WORDS = 200
"""Maximum number of words of a hand that a search looks up in the index. If more words fit,
the latest deals already contain enough of these hands."""

ForDeal = str | Callable[[Any, "Filters"], Q]
ForContribution = str | Callable[[ContributionQuerySet, Any, "Filters"], ContributionQuerySet]


@dataclass(frozen=True, slots=True)
class Filter:
    """A search criterion.

    `kind`: kind of value, which decides how the API and the pages parse it; `meaning`: description of the API
    parameter, empty if the API has none; `deal`, `contribution`: condition on the deal or on the
    contribution, either a column with a lookup or a function of the value and all criteria; `parameter`: name
    of the API parameter, if it differs from the field's name; `label`: label of the field on pages, empty if
    the pages have none; `choices`: values of a `choice` in the API; `least`, `most`: limits for a number or
    for the length of a text; `needs`: another criterion that this criterion requires; `lacking`: message
    shown on pages if the required criterion is missing; `instead`: criteria that do as well.
    """

    kind: str
    meaning: str = ""
    deal: ForDeal | None = None
    contribution: ForContribution | None = None
    parameter: str = ""
    label: str = ""
    choices: Callable[[], Sequence[Any]] = tuple
    least: int = 0
    most: int | None = None
    needs: str = ""
    lacking: str = ""
    instead: tuple[str, ...] = ()

    def is_given(self, value: Any) -> bool:
        """Return whether this value narrows a search. The number 0 does; the id 0 does not."""
        return value is not None if self.kind == "number" else bool(value)


def _filter(kind: str, meaning: str = "", default: Any = None, **options: Any) -> Any:
    return field(default=default, metadata={"filter": Filter(kind, meaning, **options)})


def _contains(column: str) -> ForContribution:
    """Return a filter for contributions in which this column contains each word of the text."""
    return lambda found, text, _filters: found.filter(
        lookups.holding(Contribution, [column], lookups.words(text))
    )


def _session(
    found: ContributionQuerySet, session: Session | int | str, _filters: Filters
) -> ContributionQuerySet:
    if isinstance(session, str):
        return found.filter(session__in=sessions_holding(session))
    return found.filter(session=session)


def _with_players(
    found: ContributionQuerySet, names: Sequence[str], _filters: Filters
) -> ContributionQuerySet:
    for name in names:
        found = found.with_player(name)
    return found


def _player(
    found: ContributionQuerySet, player: Player | int | str, filters: Filters
) -> ContributionQuerySet:
    """Return the contributions with this player. If the filters have a role, the player must have had it. If
    they have a clause and the effect `gained` or `lost`, the player must have gained or lost points by it."""
    seat = Q()
    if filters.role == "opponent":
        # Opponents are known only in scored deals, because until a deal ends the partner may be unknown.
        seat &= OTHER_SIDE & Q(points__isnull=False)
    elif filters.role:
        seat &= ROLES[f"{filters.role}_"]
    if filters.outcome:
        seat &= Q(points__gt=0) if filters.outcome == "won" else Q(points__lt=0)
    elif filters.scored:
        seat &= Q(points__isnull=False)
    if filters.score_from is not None:
        seat &= Q(points__gte=filters.score_from)
    if filters.score_to is not None:
        seat &= Q(points__lte=filters.score_to)
    if hand := filters.hand:
        seat &= held_by_seat(hand)
    if filters.clause and filters.effect in _SIGNS:
        seat &= effect_on_seat(filters.clause, _SIGNS[filters.effect])
    if filters.doubled:
        seat &= effect_on_seat(filters.doubled, _SIGNS.get(filters.effect or "", "+-"), "doubles")
    if filters.newest:
        seat &= Q(contribution__gte=filters.newest)
    if filters.with_player and filters.relation:
        seat &= in_relation(filters.with_player, filters.relation)
    return found.with_player(player, seat)


def _clause(slug: str, filters: Filters) -> Q:
    condition = Q(game=game) if (game := slug.partition(".")[0]) in GAMES else Q()
    if filters.effect == "broken":
        return condition & Q(clauses=slug, verdict__in=("illegal", "incomplete"))
    citing = lookups.newest_citing(slug, MOST_CITING + 1)
    if len(citing) <= MOST_CITING:
        condition &= Q(pk__in=citing)
    elif not filters.effect:
        return condition & (Q(clauses=slug) | cites(slug))
    return condition & _effect(slug, filters)


def _doubled(stake: str, filters: Filters) -> Q:
    """Return the condition that a stake was doubled, with the effect in the filters on the side that doubled
    it. If the filters name a player, `_player` checks the effect, and that it was the player's side."""
    sign = "" if filters.player else _SIGNS.get(filters.effect or "", "")
    # The first condition is that of the index.
    return Q(doubles__gt="") & cites(stake, sign, "doubles")


def _effect(slug: str, filters: Filters) -> Q:
    """Return the condition that the clause had the effect in the filters on the declarer. If the filters name
    a player, require only a score line of the clause: `_player` checks the effect on the player's seat."""
    if filters.effect not in _SIGNS:
        return Q()
    return cites(slug, "" if filters.player else _SIGNS[filters.effect])


def newest_holding(hand: Hand, filters: Filters, most: int) -> list[int] | None:
    """Return the ids of at most `most` deals of the game in the filters in which a seat was dealt a hand,
    latest first. Return None if the index can't find them quickly."""
    words = [
        word
        for game in ([filters.game] if filters.game else GAMES)
        for word in hand.words(list(GAMES).index(game))
    ]
    if len(words) > _MOST_WORDS:
        return None
    return lookups.newest_holding(words, hand.pattern(), most, filters.after or 0)


def held(hand: Hand, newest: list[int] | None) -> Q:
    """Return the condition that a seat was dealt a hand. `newest`: what `newest_holding` returns for one deal
    more than `MOST_HELD`."""
    if newest is not None and len(newest) <= MOST_HELD:
        return Q(pk__in=newest)
    return Q(hands__regex=hand.pattern())


def _ids(found: ContributionQuerySet, ids: Sequence[Key], _filters: Filters) -> ContributionQuerySet:
    whole = {key.deal for key in ids if key.contribution is None}
    alone = [Q(deal=key.deal, pk=key.contribution) for key in ids if key.contribution is not None]
    return found.filter(reduce(Q.__or__, alone, Q(deal__in=whole)))


@dataclass(frozen=True, slots=True)
class Filters:
    """Search criteria for deals. A deal must meet all given criteria; None and "" mean no restriction.

    `verdict`: verdict on the contribution, which is `disputed` if the contribution claims another score;
    `player`: an object, an id or a name; `session`: an object, an id or part of a name; `ids`: keys that may
    name a contribution; `with_player`: id of another player with points; `relation`: of the two, as in
    `statistics.Together`; `scored`: one of the `COUNTS`; `newest`: id of the first contribution; `sender`: id
    of a user. Names and texts match in any spelling (`archive.lookups`), and texts match word by word.
    """

    game: str | None = _filter(
        "choice",
        "Only deals of this game.",
        label=_("Game"),
        choices=lambda: [(game.id, game.name) for game in games()],
        deal="game",
    )
    kind: str | None = _filter(
        "choice",
        "Only deals recorded this way: `played`, cards and events; `sheet`, only the score sheet; `result`, "
        "only points.",
        label=_("Kind of record"),
        choices=lambda: KINDS,
        deal="kind",
    )
    verdict: str | None = _filter(
        "choice",
        "Only deals with this verdict.",
        label=_("Verdict"),
        choices=lambda: VERDICTS,
        contribution="verdict",
    )
    rules: str | None = _filter(
        "rules",
        "Only deals by these rules: `seed`, the source rules of the games; the name of a published rule set, "
        "`vysocina@1`, or of a version of a club's rules, `kotva@2`; or options that differ from the source "
        "rules, as in a record, separated by spaces.",
        label=_("Rules"),
        most=1000,
        deal=lambda text, _filters: by_rules(text),
    )
    player: Player | int | str | None = _filter(
        "player",
        "Only deals with a player of this name, in any spelling: `kjaer` is Kjær.",
        label=_("Player"),
        contribution=_player,
    )
    role: str | None = _filter(
        "choice",
        "Only deals in which the player had this role or, without a player, the hand; opponents are known "
        "only in scored deals.",
        label=_("Role"),
        choices=lambda: SEAT_ROLES,
        needs="player",
        instead=("tarocks", "honours", "kings", "scored"),
        lacking=_("Name the player."),
    )
    with_players: tuple[str, ...] = _filter(
        "names",
        "Only deals that also have players of these names, separated by commas.",
        (),
        label=_("Together with"),
        most=500,
        contribution=_with_players,
    )
    date_from: date | None = _filter(
        "day",
        "Only deals played on this day or later.",
        label=_("Played from"),
        contribution=lambda found, day, _filters: found.played_between(day, None),
    )
    date_to: date | None = _filter(
        "day",
        "Only deals played on this day or earlier.",
        label=_("to"),
        contribution=lambda found, day, _filters: found.played_between(None, day),
    )
    space: int | None = _filter(
        "id", "Only deals as the club of this number describes them.", parameter="club", contribution="space"
    )
    club: str | None = _filter(
        "text",
        "Only deals of clubs whose name contains these words, in any order.",
        parameter="club_name",
        label=_("Club"),
        contribution=lambda found, name, _filters: found.filter(space__in=clubs_holding(name)),
    )
    session: Session | int | str | None = _filter(
        "text",
        "Only deals of sessions whose name contains these words, in any order, on any date.",
        label=_("Session"),
        contribution=_session,
    )
    event: str | None = _filter(
        "text",
        "Only deals whose event contains these words, in any order.",
        label=_("Event"),
        contribution=_contains("event_search"),
    )
    site: str | None = _filter(
        "text",
        "Only deals whose place contains these words, in any order.",
        label=_("Where"),
        contribution=_contains("site_search"),
    )
    text: str | None = _filter(
        "text",
        "Only deals whose event, place, session, comments and other tags contain these words, in any order.",
        label=_("Text"),
        contribution=lambda found, text, _filters: with_text(found, text),
    )
    contract: str | None = _filter(
        "text", "Only deals with this contract.", label=_("Contract"), most=100, deal="contract"
    )
    result: str | None = _filter(
        "text",
        "Only deals with this result, as in `facts.result`: `won`.",
        label=_("Result"),
        most=20,
        deal="result",
    )
    points_from: int | None = _filter(
        "number",
        "Only deals in which the declarer’s side has at least this number of card points.",
        label=_("Declarer’s card points from"),
        most=1000,
        deal="card_points__gte",
    )
    points_to: int | None = _filter(
        "number",
        "Only deals in which the declarer’s side has at most this number of card points.",
        label=_("up to"),
        most=1000,
        deal="card_points__lte",
    )
    score_from: int | None = _filter(
        "number",
        "Only deals in which the player, or without one the winner, has at least this number of points.",
        label=_("Points of the player or the winner from"),
        least=-MOST_POINTS,
        most=MOST_POINTS,
        deal=lambda points, filters: Q() if filters.player else Q(highest__gte=points),
    )
    score_to: int | None = _filter(
        "number",
        "Only deals in which the player, or without one the winner, has at most this number of points.",
        label=_("up to"),
        least=-MOST_POINTS,
        most=MOST_POINTS,
        deal=lambda points, filters: Q() if filters.player else Q(highest__lte=points),
    )
    tarocks: int | None = _filter(
        "number",
        "Only deals in which a player, or the `player`, was dealt this number of tarocks.",
        label=_("Tarocks in the hand"),
        most=MOST[0],
    )
    honours: int | None = _filter(
        "number",
        "Only deals in which this hand has this number of honours: of Sküs, Mond and Pagat.",
        label=_("Honours in the hand"),
        most=MOST[1],
    )
    kings: int | None = _filter(
        "number",
        "Only deals in which this hand has this number of Kings.",
        label=_("Kings in the hand"),
        most=MOST[2],
    )
    position: int | None = _filter(
        "number",
        "Only deals in which this hand was dealt to this seat: 1 for forehand, 2 for the next player …",
        label=_("Seat of the hand"),
        least=1,
        most=8,
    )
    lost_from: int | None = _filter(
        "number",
        "Only deals in which a card of the last tricks cost at least this, seen with all cards open. With a "
        "player, only for that player and members of their club.",
        least=1,
        deal="hindsight__dearest__gte",
    )
    clause: str | None = _filter(
        "choice",
        "Only deals whose score has a line of this clause, or that broke it.",
        label=_("Bonus, announcement or rule"),
        choices=lambda: [(clause.slug, clause.title) for clause in clauses()],
        deal=_clause,
    )
    effect: str | None = _filter(
        "choice",
        "Only deals in which the `clause` gave the player (without one, the declarer) points, took some, or "
        "was broken.",
        label=_("Effect"),
        choices=lambda: EFFECTS,
        needs="clause",
        instead=("doubled",),
        lacking=_("Choose a bonus, an announcement or a rule."),
    )
    doubled: str | None = _filter(
        "choice",
        "Only deals in which this stake was doubled, with a `player` by their side first. The `effect` is "
        "then that of the stake on the side that doubled it first.",
        label=_("Doubled"),
        choices=lambda: list(dict.fromkeys(stake for one in GAMES.values() for stake in one.table.STAKES)),
        deal=_doubled,
    )
    seats: int | None = _filter(
        "number",
        "Only deals with this number of players.",
        label=_("Number of players"),
        least=2,
        most=8,
        deal="players_count",
    )
    ids: tuple[Key, ...] = _filter(
        "keys",
        "Only these deals, separated by commas: ids, `12`, or keys, `12-45`; at most 500.",
        (),
        deal=lambda ids, _filters: Q(pk__in={key.deal for key in ids}),
        contribution=_ids,
    )
    digest: tuple[bytes, ...] = _filter(
        "digests",
        "Only deals with these digests, separated by commas; at most 500.",
        (),
        deal="digest__in",
    )
    with_player: int | None = _filter(
        "id",
        contribution=lambda found, pk, _filters: found.with_player(pk, Q(points__isnull=False)),
    )
    relation: str | None = _filter("choice", needs="with_player", lacking=_("Name the player."))
    outcome: str | None = _filter(
        "choice",
        label=_("Points of the player"),
        choices=lambda: OUTCOMES,
        needs="player",
        lacking=_("Name the player."),
    )
    scored: str | None = _filter(
        "choice",
        "Only deals with a score: `verified`, with cards; `computed`, also score sheets; `all`, also "
        "results.",
        choices=lambda: COUNTS,
        contribution=lambda found, count, _filters: found.counted(count),
    )
    newest: int | None = _filter("id", contribution="pk__gte")
    sender: int | None = _filter(
        "own",
        "With `true`: only deals that you sent; this needs a token.",
        parameter="mine",
        contribution="part__upload__user",
    )
    public: bool = _filter(
        "flag",
        "With `true`: only public deals, without others that you may see.",
        default=False,
        contribution=lambda found, _on, _filters: found.filter(visibility="public"),
    )
    without_guests: bool = _filter(
        "flag", default=False, contribution=lambda found, _on, _filters: found.without_guests()
    )
    good: bool = _filter(
        "flag", default=False, contribution=lambda found, _on, _filters: found.filter(verdict__in=_GOOD)
    )
    after: int | None = _filter("number", "Only deals with a higher id.", deal="pk__gt")
    before: int | None = _filter("number", "Only deals with a lower id.", deal="pk__lt")
    since: datetime | None = _filter(
        "moment",
        "Only deals stored at this time or later: `2026-11-22` (in UTC) or `2026-11-22T20:15:00Z`.",
        deal="stored_at__gte",
    )
    until: datetime | None = _filter(
        "moment_end",
        "Only deals stored before this time; of a day, until its end (in UTC).",
        deal="stored_at__lt",
    )

    @property
    def given(self) -> dict[str, tuple[Filter, Any]]:
        """The criteria that narrow this search, with their values, by name."""
        values = {name: (row, getattr(self, name)) for name, row in FILTERS.items()}
        return {name: (row, value) for name, (row, value) in values.items() if row.is_given(value)}

    def parameters(self, *, of_api: bool = False) -> dict[str, str]:
        """Return this search as query parameters of the list of deals on the pages, or of that of the API.
        Its criteria must be words, numbers and ids, not objects or several values."""
        found = {}
        for name, (row, value) in self.given.items():
            called = f"{name}_id" if row.kind == "player" else (row.parameter if of_api else "") or name
            found[called] = "true" if value is True else str(value)
        return found

    def may_be_used_by(self, viewer: Viewer) -> bool:
        """Return whether a viewer may search by these criteria. The losses of a player over
        all deals are only for this player and for the members of their club."""
        named = self.player or self.with_player or self.with_players
        if not self.lost_from or not named or viewer.operator or self.space in viewer.roles:
            return True
        if self.with_player or self.with_players or isinstance(self.player, str):
            return False
        own = Q(space__in=list(viewer.roles)) | Q(pk__in=viewer.players)
        return Player.objects.meant_by(self.player).filter(own).exists()

    @property
    def hand(self) -> Hand | None:
        """The hand that a seat was dealt, if the filters have one."""
        hand = Hand(self.tarocks, self.honours, self.kings, self.position)
        return hand if any(number is not None for number in hand) else None

    @property
    def is_by_clause(self) -> bool:
        """Whether to start from the deals whose score cites the clause: the filters have a clause, no effect
        or one other than `broken`, and no criteria on contributions."""
        narrower = any(row.contribution for row, _value in self.given.values())
        return bool(self.clause) and self.effect != "broken" and not narrower

    @property
    def is_of_one_space(self) -> bool:
        """Whether all matching contributions are of one space, so that no two are to the same deal."""
        ids = (self.player, self.session)
        return bool(self.space) or any(one and not isinstance(one, str) for one in ids)

    @property
    def narrows_seats(self) -> bool:
        """Whether a criterion other than the player is on the player's seat."""
        words = self.role or self.outcome or self.scored or self.relation or self.clause or self.doubled
        return bool(words or self.hand) or (self.score_from, self.score_to) != (None, None)

    def apply_to_citing(self, contributions: ContributionQuerySet) -> ContributionQuerySet:
        """Apply all criteria except `clause` to contributions whose deals all cite the clause."""
        found = dataclasses.replace(self, clause=None).apply(contributions)
        effect = _effect(self.clause or "", self)
        return found.filter(prefixed(effect, "deal__")) if effect else found

    @property
    def deal_condition(self) -> Q:
        """The criteria on the deal itself, as a condition on columns of `Deal`."""
        condition = Q()
        for row, value in self.given.values():
            if row.deal:
                condition &= row.deal(value, self) if callable(row.deal) else Q(**{row.deal: value})
        if self.hand:
            condition &= held(self.hand, newest_holding(self.hand, self, MOST_HELD + 1))
        if self.role and not self.player:
            condition &= dealt(self.hand, self.role)
        return condition

    def apply_to_contributions(self, contributions: ContributionQuerySet) -> ContributionQuerySet:
        """Apply only the criteria on contributions, not those on their deals."""
        for row, value in self.given.values():
            if callable(row.contribution):
                contributions = row.contribution(contributions, value, self)
            elif row.contribution:
                contributions = contributions.filter(**{row.contribution: value})
        return contributions

    def apply(self, contributions: ContributionQuerySet, of_deal: Q | None = None) -> ContributionQuerySet:
        """Apply all criteria, both on contributions and on their deals. `of_deal`: condition on the deals in
        place of `deal_condition`."""
        condition = self.deal_condition if of_deal is None else of_deal
        return self.apply_to_contributions(
            contributions.filter(prefixed(condition, "deal__")) if condition else contributions
        )

    def after_id(self, number: int, *, newest_first: bool) -> Filters:
        """Return these criteria, limited to deals after this id in the given order."""
        if newest_first:
            before = number if self.before is None else min(number, self.before)
            return dataclasses.replace(self, before=before)
        return dataclasses.replace(self, after=max(number, self.after or 0))


FILTERS: dict[str, Filter] = {one.name: one.metadata["filter"] for one in fields(Filters)}
"""All criteria by their field name in `Filters`."""


def lacking(given: Mapping[str, Any]) -> Iterator[tuple[str, Filter]]:
    """Yield the name and the `Filter` of each given criterion whose required criterion is missing."""
    for name, row in FILTERS.items():
        needed = (row.needs, *row.instead)
        if row.needs and given.get(name) and all(given.get(one) in (None, "") for one in needed):
            yield name, row


def split_names(text: str) -> tuple[str, ...]:
    """Return the comma-separated names in a text, at most `MOST_NAMES`."""
    return tuple(name.strip() for name in text.split(",") if name.strip())[:MOST_NAMES]
