"""Deals and their contributions.

A deal is shown as described by its first matching contribution that the viewer may see.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import reduce
from math import inf

from django.db.models import Case, Count, Exists, F, Max, Min, OuterRef, Q, Sum, Value, When
from django.db.models.functions import Greatest, Trunc

from archive import access, lookups, packed_sheets
from archive.access import EVERYBODY, Viewer
from archive.addresses import Key
from archive.models import (
    BATCH,
    CHOSEN,
    PLAYED,
    UNDATED,
    Cell,
    Chunk,
    Contribution,
    ContributionQuerySet,
    Deal,
    Hindsight,
    Judged,
    Player,
    Removed,
    Seat,
    Space,
    Tally,
)
from archive.reading.filters import MOST_CITING, Filters
from archive.reading.holding import clubs_holding, sessions_holding
from archive.rules import SEED
from archive.shown import ShownDeal, shown
from archive.storing.contribution_data import SEARCH
from archive.storing.verdicts import contribution_verdict

_LATEST_PLAYED = PLAYED.desc(), F("deal_id").desc()

_SORTED_BY_DAY = Greatest("played_on", Value(UNDATED)).desc(), F("deal_id").desc()
"""The order of `_LATEST_PLAYED`, written to match no index, because sorting is faster for few
contributions."""

MOST_CLUBS = 10
"""Maximum number of clubs that are searched one by one for the latest deals."""


class Ids(list[int]):
    """Ids of deals. `is_partial`: whether the search covered only the `MOST_CITING` deals stored last,
    because more deals cite the clause."""

    is_partial = False


def find_ids(filters: Filters, viewer: Viewer, order: str, limit: int) -> Ids:
    """Return the ids of matching deals. `order`: one of the `ORDERS`, or `oldest`; `played` sorts a deal by
    its first matching contribution. Makes one query, and more if the filters have players, clubs or a
    clause."""
    listed = access.listed(viewer)
    if order == "played" and filters.is_by_clause:
        return _latest_citing(filters, viewer, limit)
    if order in ("gain", "loss") and filters.player:
        return _by_points_of(filters.player, filters, viewer, order, limit)
    if order == "score":
        # Amounts by different rules can't be compared.
        filters = replace(filters, rules=filters.rules or SEED)
        contributions = filters.apply_to_contributions(listed).filter(deal=OuterRef("pk"))
        deals = Deal.objects.filter(filters.deal_condition, Exists(contributions), highest__isnull=False)
        return Ids(deals.order_by("-highest", "-id").values_list("pk", flat=True)[:limit])
    fitting = filters.apply(listed).values_list("deal_id", flat=True)
    if order == "played" and filters.is_of_one_space:
        # Of one player or session, sorting all deals is faster than reading all players' deals by day.
        by_day = _LATEST_PLAYED if filters.space and not filters.player else _SORTED_BY_DAY
        return Ids(fitting.order_by(*by_day)[:limit])
    if order == "played":
        earlier = filters.apply_to_contributions(listed).filter(deal=OuterRef("deal"), pk__lt=OuterRef("pk"))
        return _latest_played(fitting.filter(~Exists(earlier)), filters, limit)
    return Ids(fitting.order_by("deal_id" if order == "oldest" else "-deal_id").distinct()[:limit])


def _by_points_of(
    player: Player | int | str, filters: Filters, viewer: Viewer, order: str, limit: int
) -> Ids:
    """Return the ids of the matching deals, sorted by the player's points: `gain` or `loss` first."""
    names = Player.objects.meant_by(player).with_aliases().order_by()
    if not filters.narrows_seats:
        filters = replace(filters, player=None)
    seats = Seat.objects.filter(
        player__in=list(names.values_list("pk", flat=True)),
        points__isnull=False,
        contribution__in=filters.apply(access.listed(viewer)).order_by().values("pk"),
    )
    seats = seats.order_by("-points" if order == "gain" else "points", "-contribution")
    # Two players of the same name can have sat in the same deal, and several spaces can have it.
    rows = seats.values_list("contribution__deal", flat=True)[: 4 * limit]
    return Ids(list(dict.fromkeys(rows))[:limit])


def top_by_rules(contributions: ContributionQuerySet, column: str) -> list[int]:
    """Return, for each rule set, the id of the contribution with the largest value of a column; among equals,
    the first one. At most two queries."""
    rules = ("deal__game", "deal__rules")
    largest = contributions.order_by().values_list(*rules).annotate(largest=Max(column))
    tops = [Q(**dict(zip(rules, of, strict=True)), **{column: number}) for *of, number in largest]
    if not tops:
        return []
    first: dict[tuple[str, int | None], int] = {}
    found = contributions.filter(reduce(Q.__or__, tops)).order_by("pk")
    for pk, game, of in found.values_list("pk", *rules):
        first.setdefault((game, of), pk)
    return [*first.values()]


def count(filters: Filters, viewer: Viewer, most: int) -> int | None:
    """Return the number of matching deals, or None if it is greater than `most` and the stored sums don't
    contain it. Reads at most `most` deals, unordered. At most four queries."""
    if (known := _stored_count(filters, viewer)) is not None:
        return known
    found = filters.apply(access.listed(viewer)).order_by().values_list("deal_id", flat=True)[: most + 1]
    return len(set(found)) if len(found) <= most else None


def _stored_count(filters: Filters, viewer: Viewer) -> int | None:
    """Return the number of matching deals from the stored sums, or None if they don't contain it."""
    given = filters.given.keys()
    if given <= {"game"} and not viewer.roles:
        tallies = Tally.objects.filter(kind="deals", **({"game": filters.game} if filters.game else {}))
        return tallies.aggregate(number=Sum("number"))["number"] or 0
    if given <= {"game", "player"} and filters.player and not isinstance(filters.player, str):
        player = Player.objects.meant_by(filters.player).select_related("same_as").first()
        cells = Cell.objects.filter(player=player.head if player else None)
        if filters.game:
            cells = cells.filter(game=filters.game)
        if player and player.space_id not in viewer.roles:
            cells = cells.filter(is_public=True)
        return cells.aggregate(number=Sum("seated"))["number"] or 0
    return None


def _latest_played(first: ContributionQuerySet, filters: Filters, limit: int) -> Ids:
    """Return the ids of the deals that these contributions describe, latest first. Reading all deals by day
    would be slow for clubs or sessions with only a few old deals. So if few clubs match, search them one by
    one; if few sessions match, sort all their deals."""
    if filters.club and len(clubs := clubs_holding(filters.club)) <= MOST_CLUBS:
        rows = [
            row
            for club in clubs
            for row in first.filter(space=club)
            .order_by(*_LATEST_PLAYED)
            .values_list(PLAYED, "deal_id")[:limit]
        ]
        return Ids(deal for _day, deal in sorted(rows, reverse=True)[:limit])
    name = filters.session
    if name and isinstance(name, str) and isinstance(sessions_holding(name), list):
        return Ids(first.order_by(*_SORTED_BY_DAY)[:limit])
    return Ids(first.order_by(*_LATEST_PLAYED)[:limit])


def _latest_citing(filters: Filters, viewer: Viewer, limit: int) -> Ids:
    """Return the ids of the matching deals that cite the clause, latest first. If more than `MOST_CITING`
    deals cite the clause, search only those stored last."""
    citing = lookups.newest_citing(filters.clause or "", MOST_CITING + 1)
    listed = access.listed(viewer)
    earlier = listed.filter(deal=OuterRef("deal"), pk__lt=OuterRef("pk"))
    first = filters.apply_to_citing(listed.filter(deal__in=citing[:MOST_CITING]))
    first = first.filter(~Exists(earlier)).order_by(*_LATEST_PLAYED)
    ids = Ids(first.values_list("deal_id", flat=True)[:limit])
    ids.is_partial = len(citing) > MOST_CITING
    return ids


_HIDDEN_COLUMNS = (
    *SEARCH,
    "fingerprint",
    "played_on",
    "replaced_by",
    "part",
    "n",
    "deal__highest",
    "deal__players_count",
)
"""Columns for searching and sorting. They are never shown, so queries defer them."""


def deals_by_id(
    ids: Sequence[int],
    filters: Filters,
    viewer: Viewer,
    without: Sequence[str] = ("text", "sheet"),
) -> list[ShownDeal]:
    """Return the deals with these ids, in the order of `ids`, each with its first matching contribution.
    `without`: columns of `Deal` to defer. Five queries."""
    later = (*_HIDDEN_COLUMNS, *(f"deal__{column}" for column in without))
    contributions = filters.apply_to_contributions(access.listed(viewer)).filter(deal__in=ids)
    contributions = contributions.select_related("deal__hindsight").defer(*later)
    by_id = _first_of_each(contributions.order_by("deal_id", "id").fetch_all(viewer.roles))
    return [by_id[pk] for pk in ids if pk in by_id]


def readable_by_id(ids: Iterable[int], viewer: Viewer) -> dict[int, ShownDeal]:
    """Return by id those of these deals that the viewer may read by URL, also withdrawn and corrected ones,
    each with its first contribution. At most five queries."""
    contributions = access.readable(viewer).filter(deal__in=set(ids)).select_related("deal", "replaced_by")
    return _first_of_each(contributions.order_by("deal_id", "id").prefetched(viewer.roles))


def iter_deals(
    filters: Filters | None = None,
    viewer: Viewer = EVERYBODY,
    *,
    newest_first: bool = False,
    limit: int | None = None,
    without: Sequence[str] = ("sheet",),
) -> Iterator[ShownDeal]:
    """Iterate over all matching deals, or the first `limit`, in order of their ids, each with its
    contribution as in `deals_by_id`. Deals stored during the iteration are included or, with `newest_first`,
    left out. Six queries per batch. Opens no transaction, so a slow client blocks nothing."""
    filters = filters or Filters()
    left = inf if limit is None else limit
    while size := min(BATCH, left):
        batch = find_ids(filters, viewer, "stored" if newest_first else "oldest", int(size))
        yield from deals_by_id(batch, filters, viewer, without)
        if len(batch) < size:
            return
        filters = filters.after_id(batch[-1], newest_first=newest_first)
        left -= size


def get_deal(key: Key | int, viewer: Viewer = EVERYBODY) -> ShownDeal:
    """Return a deal with everything that its pages show, as described by the contribution in the key. If the
    key has none, choose the first contribution from the viewer's own spaces or, if there is none, the first
    that the viewer may see, with contributions of signed-in users before those of guests. A contribution from
    the viewer's spaces is also found under the former id of its deal. At most three queries.

    :raises Deal.DoesNotExist: if there is no such deal, or the viewer may see none of its contributions.
    """
    pk, number = key if isinstance(key, Key) else Key(key)
    contributions = access.readable(viewer).select_related("deal__hindsight").prefetched(viewer.roles)
    if number is not None:
        contributions = contributions.filter(pk=number)
    own = Q(visibility__in=CHOSEN, space__in=list(viewer.roles))
    public = Q(visibility="public")
    own_first = Case(
        When(own, then=0), When(public & ~Q(space__kind="guest"), then=1), When(public, then=2), default=3
    )
    contributions = contributions.with_sender().with_has_sheet().order_by(own_first, "id")
    moved = Removed.objects.filter(deal_id=pk, space__in=list(viewer.roles)).values("contribution_id")
    contribution = contributions.filter(deal=pk).first() or contributions.filter(pk__in=moved).first()
    if contribution is None:
        raise Deal.DoesNotExist
    return shown(contribution)


def deals_of(contributions: Collection[int], viewer: Viewer = EVERYBODY) -> dict[int, ShownDeal]:
    """Return the deals of those of these contributions that the viewer may see, by contribution, without
    their records. At most three queries."""
    found = access.listed(viewer).prefetched(viewer.roles).select_related("deal", "deal__rules")
    return {
        pk: shown(one) for pk, one in found.defer("deal__text", "deal__sheet").in_bulk(contributions).items()
    }


def sheet_and_cards(contribution: Contribution, viewer: Viewer) -> tuple[Contribution, Contribution] | None:
    """Return a covered sheet and the contribution with the cards that covers it. `contribution`: one of the
    two, as returned by `get_deal`. None if it is neither, or if the viewer may not read the other one. Two
    queries if the other one may exist."""
    is_sheet = contribution.visibility == "covered"
    if not is_sheet and not contribution.has_sheet:
        return None
    others = access.readable(viewer).select_related("deal").prefetched(viewer.roles).order_by("pk")
    if is_sheet:
        other = others.filter(pk=contribution.replaced_by_id).first()
    else:
        other = others.filter(replaced_by=contribution.pk, visibility="covered", deal__kind="sheet").first()
    if other is None:
        return None
    return (contribution, other) if is_sheet else (other, contribution)


def latest_verified(today: date, count: int, *, house: bool = False) -> list[ShownDeal]:
    """Return the latest `count` verified public deals up to `today`, without deals of guests; within a day,
    the newest comes first. `house`: only deals that the operator loaded. At most four queries."""
    contributions = access.listed().filter(played_on__lte=today, verdict="verified")
    if house:
        # Filter by space ids: a filter by kind could make a database without statistics read all deals.
        spaces = list(Space.objects.filter(kind="house").values_list("pk", flat=True))
        contributions = contributions.filter(space__in=spaces)
    else:
        contributions = contributions.without_guests()
    ids = list(contributions.order_by(*_LATEST_PLAYED).values_list("deal_id", flat=True)[: 3 * count])
    unique = list(dict.fromkeys(ids))[:count]
    by_id = _first_of_each(contributions.filter(deal__in=unique).select_related("deal").prefetched())
    return [by_id[pk] for pk in unique]


def _first_of_each(contributions: Iterable[Contribution]) -> dict[int, ShownDeal]:
    """Return the deals of these contributions by id, each with its first contribution."""
    by_id: dict[int, ShownDeal] = {}
    for one in contributions:
        if one.deal_id not in by_id:
            by_id[one.deal_id] = shown(one)
    return by_id


def months_of_deals() -> dict[datetime, tuple[int, ...]]:
    """Return, for each month in which public deals were stored, numbers that change whenever these deals or
    their contributions change: the number of contributions, and the maximum and the sum of their feed
    numbers. Keys: starts of the months (UTC), in order. One query over all contributions."""
    month = Trunc("deal__stored_at", "month", tzinfo=UTC)
    rows = access.listed().order_by().values_list(month.copy())
    changes = rows.annotate(number=Count("pk"), last=Max("feed_number"), sum=Sum("feed_number"))
    return {first: tuple(int(number) for number in numbers) for first, *numbers in changes.order_by(month)}


def months_of_hindsight() -> dict[datetime, tuple[object, ...]]:
    """Return, for each month as in `months_of_deals`, what changes if hindsight of its deals is computed: the
    number of deals, and the first and last version of the engine. One query over all hindsight."""
    month = Trunc("deal__stored_at", "month", tzinfo=UTC)
    rows = Hindsight.objects.order_by().values_list(month.copy())
    rows = rows.annotate(Count("pk"), Min("engine_version"), Max("engine_version"))
    return {first: tuple(values) for first, *values in rows}


def stored_between(first: datetime, end: datetime, batch: int) -> Iterator[list[ShownDeal]]:
    """Iterate in id order over the public deals stored at or after `first` and before `end`. Yields a list
    per deal, with one item for each of its public contributions. Six queries per batch of `batch` deals."""
    contributions = access.listed().defer(*SEARCH)
    seen = Deal.objects.filter(
        Exists(access.listed().filter(deal=OuterRef("pk"))), stored_at__gte=first, stored_at__lt=end
    )
    seen = seen.select_related("rules", "hindsight")
    last = 0
    while deals := list(seen.order_by("pk").filter(pk__gt=last)[:batch]):
        by_id: dict[int, list[ShownDeal]] = {deal.pk: [] for deal in deals}
        whole = {deal.pk: deal for deal in deals}
        for one in contributions.filter(deal__in=by_id).order_by("deal_id", "id").fetch_all():
            by_id[one.deal_id].append(ShownDeal(whole[one.deal_id], one))
        yield from filter(None, by_id.values())
        last = deals[-1].pk


def contributions_to(deal: int, viewer: Viewer = EVERYBODY) -> ContributionQuerySet:
    """Return the contributions to a deal that are listed for the viewer, oldest first."""
    return access.listed(viewer).filter(deal=deal).with_sender().prefetched()


def get_contribution(pk: int) -> Contribution:
    """Return the contribution with this id. Use only for viewers who have its link (`access.opened_by`).

    :raises Contribution.DoesNotExist: if there is no such contribution.
    """
    return Contribution.objects.get(pk=pk)


def count_visibilities(contributions: ContributionQuerySet) -> dict[str, int]:
    """Count these contributions by visibility: public, unlisted or members only. One query."""
    rows = contributions.filter(visibility__in=CHOSEN).order_by().values_list("visibility")
    return dict.fromkeys(CHOSEN, 0) | dict(rows.annotate(number=Count("pk")))


def contributions_in(space: Space | int) -> ContributionQuerySet:
    """Return all contributions in a space, including withdrawn and replaced ones."""
    return Contribution.objects.filter(space=space)


def changeable_contributions(filters: Filters, viewer: Viewer) -> ContributionQuerySet:
    """Return the matching contributions that the viewer may change in bulk (`access.changeable`)."""
    return filters.apply(access.changeable(viewer))


def state_in(space: int, deals: Iterable[int], viewer: Viewer) -> tuple[dict[int, Key], dict[int, int]]:
    """Return two mappings by deal id for these deals in a space: the keys of the deals that the viewer may
    change, and the id of the corrected deal for each deal that was replaced. One query."""
    may = Exists(access.changeable(viewer).filter(pk=OuterRef("pk")))
    contributions = Contribution.objects.filter(deal__in=set(deals), space=space).annotate(may=may).order_by()
    rows = list(contributions.values_list("deal_id", "pk", "may", "visibility", "replaced_by__deal_id"))
    return (
        {deal: Key(deal, pk) for deal, pk, may, *_ in rows if may},
        {deal: place for deal, *_, visibility, place in rows if place and visibility == "replaced"},
    )


def to_explain(deals: Iterable[int], space: int) -> dict[int, ShownDeal]:
    """Return these deals by id, as the space's contributions describe them, to explain their findings. Two
    queries."""
    contributions = access.sent_to(space).filter(deal__in=set(deals)).defer(*SEARCH, "deal__text")
    return _first_of_each(contributions.select_related("deal").prefetched())


@dataclass(frozen=True, slots=True)
class Answer:
    """The verdict on a contribution from one check by the engine. `before`: the previous verdict, None for
    the first check."""

    verdict: str
    engine_version: str
    verified_at: datetime
    before: str | None


def verdict_by(answer: Judged, contribution: Contribution) -> str:
    """Return the verdict on a contribution according to a stored answer of the engine."""
    seats = [seated.seat for seated in contribution.seated]
    score = packed_sheets.score(seats, answer.sheet) if answer.has_score else None
    return contribution_verdict(contribution.claimed, answer.verdict, score)


def past_verdicts(shown_deal: ShownDeal) -> list[Answer]:
    """Return the verdicts on a contribution, latest first, one for each stored answer of the engine. If
    another engine version has confirmed the current verdict since, that check comes first. Two queries."""
    deal, contribution = shown_deal.deal, shown_deal.contribution
    rows = [
        (verdict_by(former, contribution), former.engine_version, former.verified_at)
        for former in deal.former.order_by("-id")
    ]
    rows.insert(0, (contribution.verdict, deal.engine_version, deal.verified_at))
    again = Chunk.objects.done_with(deal.pk, deal.pk).filter(done_at__gt=deal.verified_at)
    for chunk in again.exclude(engine_version=deal.engine_version).order_by("-done_at"):
        if deal.pk not in (chunk.excepted or []) and chunk.campaign.game in ("", deal.game):
            rows.insert(0, (contribution.verdict, chunk.engine_version, chunk.done_at))
            break
    before = [verdict for verdict, *_rest in rows[1:]]
    return [Answer(*row, was) for row, was in zip(rows, [*before, None], strict=True)]
