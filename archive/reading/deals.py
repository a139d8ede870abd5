"""Deals and their contributions.

A deal is represented by a contribution: the first matching one that the viewer may see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from math import inf

from django.db.models import Case, Count, Exists, F, OuterRef, Prefetch, Q, When

from archive import access
from archive.access import EVERYBODY, Viewer
from archive.addresses import Key
from archive.models import (
    BATCH,
    CHOSEN,
    PLAYED,
    Contribution,
    ContributionQuerySet,
    Deal,
    DealQuerySet,
    Space,
)
from archive.reading.filters import Filters
from archive.storing.contribution_data import SEARCH

_LATEST_PLAYED = PLAYED.desc(), F("deal_id").desc()


def find_ids(filters: Filters, viewer: Viewer, order: str, most: int) -> list[int]:
    """The numbers of the deals of which something that fits is said, in one of the `ORDERS`, by the first
    such contribution, or ``oldest`` first; so many at most. One query, or two where a player is asked for."""
    listed = access.listed(viewer)
    if order == "score":
        contributions = filters.apply_to_contributions(listed).filter(deal=OuterRef("pk"))
        found = Deal.objects.filter(filters.of_deal, Exists(contributions), highest__isnull=False)
        return list(found.order_by("-highest", "-id").values_list("pk", flat=True)[:most])
    fitting = filters.apply(listed).values_list("deal_id", flat=True)
    if order == "played":
        earlier = filters.apply_to_contributions(listed).filter(deal=OuterRef("deal"), pk__lt=OuterRef("pk"))
        first = fitting.filter(~Exists(earlier))
        return list(first.order_by(*_LATEST_PLAYED)[:most])
    return list(fitting.order_by("deal_id" if order == "oldest" else "-deal_id").distinct()[:most])


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
"""Columns by which deals are found or sorted, and which nobody is told."""


def deals_by_id(
    numbers: Sequence[int],
    filters: Filters,
    viewer: Viewer,
    without: Sequence[str] = ("text", "sheet"),
) -> list[Deal]:
    """The deals of these numbers, in this order, each shown by the first contribution that fits; but for the
    columns that the reader does `without`. Five queries."""
    contributions = (
        filters.apply_to_contributions(access.listed(viewer)).filter(deal__in=numbers).select_related("deal")
    )
    contributions = contributions.defer(*_HIDDEN_COLUMNS, *(f"deal__{column}" for column in without))
    found: dict[int, Deal] = {}
    for one in contributions.order_by("deal_id", "id").together():
        if one.deal_id not in found:
            found[one.deal_id] = one.represented_deal
            # Else the two hold each other, and a stream takes twice the memory until both are found.
            Contribution.deal.field.delete_cached_value(one)
    return [found[pk] for pk in numbers if pk in found]


def iter_deals(
    filters: Filters | None = None,
    viewer: Viewer = EVERYBODY,
    *,
    newest_first: bool = False,
    limit: int | None = None,
    without: Sequence[str] = ("sheet",),
) -> Iterator[Deal]:
    """All deals of which something that fits is said, or the first so many, by number, as `deals_by_id` has
    them. Of those that come in meanwhile the oldest first sees all, the newest first none. Six queries a
    batch and no transaction: who reads slowly holds nothing up."""
    filters = filters or Filters()
    left = inf if limit is None else limit
    while size := min(BATCH, left):
        batch = find_ids(filters, viewer, "stored" if newest_first else "oldest", int(size))
        yield from deals_by_id(batch, filters, viewer, without)
        if len(batch) < size:
            return
        filters = filters.after_id(batch[-1], newest_first=newest_first)
        left -= size


def get_deal(key: Key | int, viewer: Viewer = EVERYBODY) -> Deal:
    """One deal with all that its pages show: by the contribution that its key names, or else by the first of
    those that the viewer's own spaces make, or of all that he may see, those first that were not sent without
    signing in. Two queries.

    :raises Deal.DoesNotExist: if there is none with this number, or he may not see what is said of it.
    """
    pk, contribution = key if isinstance(key, Key) else Key(key)
    found = access.readable(viewer).filter(deal=pk).select_related("deal").whole()
    if contribution is not None:
        found = found.filter(pk=contribution)
    own = Q(visibility__in=CHOSEN, space__in=list(viewer.roles))
    counted = Q(visibility__in=CHOSEN)
    own_first = Case(
        When(own, then=0), When(counted & ~Q(space__kind="guest"), then=1), When(counted, then=2), default=3
    )
    representative = found.with_sender().order_by(own_first, "id").first()
    if representative is None:
        raise Deal.DoesNotExist
    return representative.represented_deal


def latest_verified(today: date, number: int) -> list[Deal]:
    """The verified deals that were played last, up to ``today``, the newest of a day first, as everybody sees
    them; none that was sent without signing in. Four queries."""
    contributions = access.listed().without_guests().filter(played_on__lte=today, verdict="verified")
    numbers = list(contributions.order_by(*_LATEST_PLAYED).values_list("deal_id", flat=True)[: 3 * number])
    unique = list(dict.fromkeys(numbers))[:number]
    found = Deal.objects.represented_by(contributions).in_bulk(unique)
    return [found[pk] for pk in unique]


def months_of_deals() -> list[datetime]:
    """When the months (UTC) began in which deals were stored that everybody sees, in their order. One
    query."""
    seen = Deal.objects.filter(Exists(access.listed().filter(deal=OuterRef("pk"))))
    return list(seen.order_by().datetimes("stored_at", "month", tzinfo=UTC))


def stored_between(first: datetime, end: datetime) -> DealQuerySet:
    """The deals that everybody sees and that were stored from a time on and before another, by number, each
    with all that everybody sees said of it (``fitting``). Three queries, however many deals."""
    contributions = access.listed()
    whole = Prefetch("contributions", queryset=contributions.defer(*SEARCH).whole(), to_attr="fitting")
    seen = Deal.objects.filter(
        Exists(contributions.filter(deal=OuterRef("pk"))), stored_at__gte=first, stored_at__lt=end
    )
    return seen.order_by("pk").prefetch_related(whole)


def contributions_to(deal: Deal, viewer: Viewer = EVERYBODY) -> ContributionQuerySet:
    """What is said of a deal, as far as it is listed for the viewer, the first one first."""
    return access.listed(viewer).filter(deal=deal).with_sender().whole()


def get_contribution(pk: int) -> Contribution:
    """What a link to a deal names (`access.opened_by`), for whoever has the link.

    :raises Contribution.DoesNotExist: if there is none with this number.
    """
    return Contribution.objects.get(pk=pk)


def contribution_count(space: int) -> int:
    """How many contributions a space has, withdrawn and replaced ones too."""
    return Contribution.objects.filter(space=space).count()


def count_visibilities(contributions: ContributionQuerySet) -> dict[str, int]:
    """How many of these contributions are public, unlisted and for members. One query."""
    rows = contributions.filter(visibility__in=CHOSEN).order_by().values_list("visibility")
    return dict.fromkeys(CHOSEN, 0) | dict(rows.annotate(number=Count("pk")))


def contributions_in(space: Space) -> ContributionQuerySet:
    """All contributions of a space, withdrawn and replaced ones too."""
    return Contribution.objects.filter(space=space)


def changeable_contributions(filters: Filters, viewer: Viewer) -> ContributionQuerySet:
    """The contributions that fit and that the viewer can change many of at once (`access.changeable`)."""
    return filters.apply(access.changeable(viewer))


def state_in(space: int, deals: Iterable[int], viewer: Viewer) -> tuple[dict[int, Key], dict[int, int]]:
    """What became of these deals in a space: the keys of those that the viewer may change, and those in whose
    place a corrected record stands, with its deal. One query."""
    may = Exists(access.changeable(viewer).filter(pk=OuterRef("pk")))
    found = Contribution.objects.filter(deal__in=set(deals), space=space).annotate(may=may).order_by()
    rows = list(found.values_list("deal_id", "pk", "may", "replaced_by__deal_id"))
    return (
        {deal: Key(deal, pk) for deal, pk, may, _ in rows if may},
        {deal: place for deal, _, _, place in rows if place},
    )


def to_explain(deals: Iterable[int], space: int) -> dict[int, Deal]:
    """Deals by their numbers, shown as the space says them, with what is wrong with them. Three queries."""
    contributions = Contribution.objects.filter(space=space).defer(*SEARCH)
    return Deal.objects.defer("text").represented_by(contributions).in_bulk(set(deals))


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that the engine gave on a deal, and its answer before that; None on the first."""

    verdict: str
    engine_version: str
    verified_at: datetime
    before: str | None


def history(deal: Deal) -> list[Answer]:
    """Every answer that is kept of a deal, the latest first. One query."""
    rows = list(deal.former.order_by("-id").values_list("verdict", "engine_version", "verified_at"))
    rows.insert(0, (deal.verdict, deal.engine_version, deal.verified_at))
    before = [verdict for verdict, *_rest in rows[1:]]
    return [
        Answer(verdict, version, at, was)
        for (verdict, version, at), was in zip(rows, [*before, None], strict=True)
    ]
