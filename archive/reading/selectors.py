"""Reading from the archive: what pages and API show, each question once, with a fixed number of queries.

Nothing else reads the tables. Who asks is a `access.Viewer`; what he may not see is not there for him. A deal
is shown by a contribution: the first that he sees of those that were asked for.
"""

from __future__ import annotations

import dataclasses
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import reduce
from math import inf
from typing import TYPE_CHECKING, Any

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    Max,
    Min,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Sum,
    When,
)
from django.db.models.functions import Coalesce
from django.utils import timezone

from archive import access, packed_sheets
from archive.access import EVERYBODY, Viewer
from archive.addresses import Key
from archive.database import by_name
from archive.fields import searchable
from archive.models import (
    BATCH,
    CHOSEN,
    PLAYED,
    Campaign,
    Chunk,
    Contribution,
    ContributionQuerySet,
    Deal,
    DealQuerySet,
    Invitation,
    Member,
    Part,
    Player,
    Seat,
    Session,
    Space,
    Upload,
    UploadItem,
    Webhook,
    display_name,
    name_seated,
    person_seated,
)
from archive.storing.contribution_data import SEARCH
from tarock.findings import Finding
from tarock.game import SEATS
from tarock.games import GAMES
from tarock.notation import read_piece

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser


# --- deals --------------------------------------------------------------------------------------------------


ROLES = ("declarer", "partner", "opponent")
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
    a number, or a name; ``role``: what he was, one of `ROLES` (an opponent in deals with a score alone);
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
            pattern = packed_sheets.effect_pattern(self.clause or "", number, sign)
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
    for one in contributions.order_by("deal_id", "id").fetch_all():
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


def deal(key: Key | int, viewer: Viewer = EVERYBODY) -> Deal:
    """One deal with all that its pages show: by the contribution that its key names, or else by the first of
    those that the viewer's own spaces make, or of all that he may see, those first that were not sent without
    signing in. Two queries.

    :raises Deal.DoesNotExist: if there is none with this number, or he may not see what is said of it.
    """
    pk, contribution = key if isinstance(key, Key) else Key(key)
    found = access.readable(viewer).filter(deal=pk).select_related("deal").prefetched()
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
    whole = Prefetch("contributions", queryset=contributions.defer(*SEARCH).prefetched(), to_attr="fitting")
    seen = Deal.objects.filter(
        Exists(contributions.filter(deal=OuterRef("pk"))), stored_at__gte=first, stored_at__lt=end
    )
    return seen.order_by("pk").prefetch_related(whole)


def contributions(deal: Deal, viewer: Viewer = EVERYBODY) -> ContributionQuerySet:
    """What is said of a deal, as far as it is listed for the viewer, the first one first."""
    return access.listed(viewer).filter(deal=deal).with_sender().prefetched()


def contribution(pk: int) -> Contribution:
    """What a link to a deal names (`access.opened_by`), for whoever has the link.

    :raises Contribution.DoesNotExist: if there is none with this number.
    """
    return Contribution.objects.get(pk=pk)


def contribution_count(space: int) -> int:
    """How many contributions a space has, withdrawn and replaced ones too."""
    return Contribution.objects.filter(space=space).count()


def visibilities(contributions: ContributionQuerySet) -> dict[str, int]:
    """How many of these contributions are public, unlisted and for members. One query."""
    rows = contributions.filter(visibility__in=CHOSEN).order_by().values_list("visibility")
    return dict.fromkeys(CHOSEN, 0) | dict(rows.annotate(number=Count("pk")))


def in_space(space: Space) -> ContributionQuerySet:
    """All contributions of a space, withdrawn and replaced ones too."""
    return Contribution.objects.filter(space=space)


def changeable(filters: Filters, viewer: Viewer) -> ContributionQuerySet:
    """The contributions that fit and that the viewer can change many of at once (`access.changeable`)."""
    return filters.apply(access.changeable(viewer))


def webhooks(viewer: Viewer) -> QuerySet[Webhook]:
    """The webhooks of the spaces that a viewer owns."""
    return Webhook.objects.filter(space__in=viewer.spaces("owner")).select_related("space")


@dataclass(frozen=True, slots=True)
class Original:
    """What was sent for a deal: its text as it was sent, the form (`tgn` or `json`), and when it came."""

    text: str
    form: str
    received_at: datetime


def original(contribution: Contribution) -> Original | None:
    """What a contribution was read from; None if the bytes are not kept any more."""
    part = Part.objects.select_related("upload").filter(pk=contribution.part_id).first()
    if part is None:
        return None
    return _original(part, contribution.n)


def original_of(upload: Upload, n: int) -> Original | None:
    """The ``n``-th record of an upload as it was sent, from 0, as far as its parts are done; None if there is
    none, or its bytes are not kept any more. Two queries."""
    found = _place_of(upload, n)
    return (
        _original(Part.objects.select_related("upload").get(pk=found[0]), found[1])
        if found is not None
        else None
    )


def _place_of(upload: Upload, n: int) -> tuple[int, int] | None:
    """The number of the part in which the ``n``-th record of an upload stands, as far as its parts are done,
    and the record's position in it. One query."""
    for pk, state, records in upload.parts.order_by("number").values_list("pk", "state", "records"):
        if state not in ("done", "failed") or n < 0:
            break
        if n < records:
            return pk, n
        n -= records
    return None


def _original(part: Part, n: int) -> Original | None:
    entry = part.entry(n)
    return None if entry is None else Original(entry.source, entry.form, part.upload.received_at)


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


@dataclass(frozen=True, slots=True)
class Counts:
    """How much the archive holds, for the home page."""

    deals: int
    players: int
    sessions: int
    by_game: dict[str, int]
    by_verdict: dict[str, int]


def counts() -> Counts:
    """Numbers of deals (by game, by verdict), players and sessions that everybody sees. Three queries."""
    by_game: dict[str, int] = {}
    by_verdict: dict[str, int] = {}
    contributions = access.listed()
    earlier = contributions.filter(deal=OuterRef("deal"), pk__lt=OuterRef("pk"))
    rows = contributions.filter(~Exists(earlier)).order_by().values_list("deal__game", "verdict")
    for game, verdict, number in rows.annotate(number=Count("pk")):
        by_game[game] = by_game.get(game, 0) + number
        by_verdict[verdict] = by_verdict.get(verdict, 0) + number
    return Counts(
        deals=sum(by_game.values()),
        players=players().count(),
        sessions=sessions().count(),
        by_game=by_game,
        by_verdict=by_verdict,
    )


# --- players and scores -------------------------------------------------------------------------------------


def players(search: str = "", language: str = "en", viewer: Viewer = EVERYBODY) -> QuerySet[Player]:
    """Players whose deals the viewer sees, by name, as a reader of the language sorts them, each with its
    space; only those whose name holds ``search``, whatever its case and marks. A player with several names is
    one."""
    seats = Seat.objects.filter(access.is_listed(viewer, "contribution__")).order_by()
    own, others = (seats.filter(**{relation: OuterRef("pk")}) for relation in ("player", "player__same_as"))
    query = Player.objects.filter(Exists(own) | Exists(others), same_as=None).select_related("space")
    if search:
        query = query.filter(pk__in=Player.objects.holding(search).with_aliases())
    return query.order_by(by_name(display_name(), language), "name", "pk")


def deal_counts(players: Iterable[Player], viewer: Viewer = EVERYBODY) -> dict[int, int]:
    """The numbers of deals, as far as the viewer sees them, of these players, under all their names. Two
    queries."""
    pks = [player.pk for player in players]
    persons = Player.objects.filter(pk__in=pks).with_aliases().order_by().values_list("pk", flat=True)
    seats = Seat.objects.filter(access.is_listed(viewer, "contribution__"), player__in=list(persons))
    rows = (
        # There is one contribution of a space to a deal, and a player is of one space.
        seats.order_by().values_list(person_seated()).annotate(number=Count("contribution", distinct=True))
    )
    return dict.fromkeys(pks, 0) | dict(rows)


def is_player(name: str) -> bool:
    """Whether somebody has this name, whatever its case and marks. One query."""
    return Player.objects.named(name).exists()


def player(pk: int, viewer: Viewer = EVERYBODY) -> Player:
    """One player, or the person whose other name it is, with his space.

    :raises Player.DoesNotExist: if there is none with this number, or the viewer sees no deal of his.
    """
    found = Player.objects.select_related("space", "same_as__space").get(pk=pk).head
    known = viewer.operator or found.space_id in viewer.roles
    if not known and not access.listed(viewer).with_player(found).exists():
        raise Player.DoesNotExist
    return found


def _counting(contributions: ContributionQuerySet) -> QuerySet[Seat]:
    """The seats whose points count: those of these contributions, where there is a score."""
    return Seat.objects.filter(contribution__in=contributions.scored(), points__isnull=False).order_by()


def player_scores(
    filters: Filters | None = None, viewer: Viewer = EVERYBODY
) -> QuerySet[Seat, dict[str, Any]]:
    """What each player has in each game from the deals that fit: rows ``game``, ``name``, ``person``
    (number), ``club`` (its number, None without one), ``club_name``, ``deals``, ``total``; game by game, most
    points first.

    Deals that have a score count, by what the rules give, not by what was claimed. Each club's players are
    its own. With a player in the filters only his rows. One query.
    """
    filters = filters or Filters()
    seats = _counting(filters.apply(access.listed(viewer)))
    if filters.player:
        seats = seats.filter(player__in=_persons(filters.player))
    return (
        seats.values(
            game=F("contribution__deal__game"),
            person=person_seated(),
            name=name_seated(),
            club=Case(When(player__space__kind="club", then="player__space")),
            club_name=F("player__space__name"),
        )
        .annotate(deals=Count("contribution", distinct=True), total=Sum("points"))
        .order_by("game", "-total", "name", "person")
    )


@dataclass(frozen=True, slots=True)
class Ranked:
    """A player's place in a ranking, which equal shares share; ``mean``: his points a deal."""

    place: int
    player: Player
    deals: int
    total: int
    mean: float


def ranking(
    filters: Filters, viewer: Viewer = EVERYBODY, *, least: int = 10, by: str = "mean", most: int = 100
) -> list[dict[str, Any]]:
    """The players with the most points, a deal (``mean``) or in all (``total``), from the deals that fit, of
    those with at least so many deals; counted as `player_scores` does: rows ``person``, ``deals``, ``total``,
    ``mean``. One query."""
    return list(
        _counting(filters.apply(access.listed(viewer)))
        .values(person=person_seated())
        .annotate(deals=Count("contribution", distinct=True), total=Sum("points"))
        .annotate(mean=F("total") * 1.0 / F("deals"))
        .filter(deals__gte=least)
        .order_by(f"-{by}", "-total", "person")[:most]
    )


def ranked(rows: Sequence[dict[str, Any]], by: str = "mean") -> list[Ranked]:
    """A `ranking` with its players and their places. One query."""
    players = Player.objects.select_related("space").in_bulk([row["person"] for row in rows])
    found: list[Ranked] = []
    for number, row in enumerate(rows, start=1):
        same = number > 1 and row[by] == rows[number - 2][by]
        place = found[-1].place if same else number
        if player := players.get(row["person"]):
            found.append(Ranked(place, player, row["deals"], row["total"], float(row["mean"])))
    return found


def _persons(player: Player | int | str) -> QuerySet[Player]:
    """Those that a filter means, with their other names."""
    if isinstance(player, str):
        return Player.objects.named(player).with_aliases()
    return Player.objects.filter(pk=player.pk if isinstance(player, Player) else player).with_aliases()


def managed(pk: int, viewer: Viewer) -> tuple[Player, Member]:
    """A player himself (not the person whose other name he is), and what the viewer is in his space.

    :raises Player.DoesNotExist: if there is none with this number, or the viewer is no member of his space.
    """
    found = Player.objects.select_related("space", "same_as").get(pk=pk)
    member = membership(viewer, found.space)
    if member is None:
        raise Player.DoesNotExist
    return found, member


def persons_in(space: Space) -> QuerySet[Player]:
    """The players of a space who sat at a table under one of their names, by name; not those whose name was
    corrected in all deals."""
    seats = Seat.objects.order_by()
    own, others = (seats.filter(**{relation: OuterRef("pk")}) for relation in ("player", "player__same_as"))
    return space.players.filter(Exists(own) | Exists(others), same_as=None)


def names_in(space: Space) -> list[str]:
    """The names of the players of a space, as they are written, for who may correct them."""
    return list(space.players.order_by("name").values_list("name", flat=True))


# --- clubs --------------------------------------------------------------------------------------------------


def membership(viewer: Viewer, space: Space) -> Member | None:
    """What the viewer is in a space; None if he is no user, or no member of it."""
    if viewer.user is None or space.pk not in viewer.roles:
        return None
    return Member.objects.filter(space=space, user=viewer.user).first()


def memberships(viewer: Viewer) -> QuerySet[Member]:
    """What a viewer is in his clubs and his own space, each with the space."""
    return Member.objects.filter(user=viewer.user).select_related("space").order_by("space_id")


def own_players(viewer: Viewer) -> set[int]:
    """The numbers of the players that the viewer is himself. One query for a user, else none."""
    if viewer.user is None:
        return set()
    own = Member.objects.filter(user=viewer.user, player__isnull=False).order_by()
    return set(own.values_list("player_id", flat=True))


def clubs(language: str = "en") -> QuerySet[Space]:
    """All clubs, as a reader of the language sorts their names."""
    return Space.objects.filter(kind="club").order_by(by_name(F("name"), language), "name")


def own_clubs(viewer: Viewer, role: str = "member") -> QuerySet[Space]:
    """The clubs in which the viewer has this role, or one that may do more."""
    return Space.objects.filter(kind="club", pk__in=viewer.spaces(role))


def upload_space(viewer: Viewer) -> Space | None:
    """The club to which a viewer is likely to send deals: that of his last upload, else one that he runs;
    None if it is his own space. Two queries for a member of clubs."""
    clubs = own_clubs(viewer).in_bulk()
    if not clubs:
        return None
    sent = Upload.objects.filter(user=viewer.user).order_by("-id")
    last = sent.values_list("space", flat=True).first()
    return clubs.get(last) or next((clubs[pk] for pk in viewer.spaces("secretary") if pk in clubs), None)


def club(pk: int) -> Space:
    """One club.

    :raises Space.DoesNotExist: if there is none with this number.
    """
    return Space.objects.get(pk=pk, kind="club")


def members(club: Space) -> QuerySet[Member]:
    """Who is what in a club, the owners first, each with the player that he is."""
    return club.members.select_related("user", "player")


def guest(pk: int | None) -> Space | None:
    """The space of a browser from which something was sent without signing in; None if there is none."""
    return Space.objects.filter(pk=pk, kind="guest").first()


def seasons(space: Space, viewer: Viewer = EVERYBODY) -> list[int]:
    """The years in which deals were played that a space has and the viewer sees, the latest first."""
    days = access.listed(viewer).filter(space=space, played_on__isnull=False)
    return [day.year for day in days.dates("played_on", "year", order="DESC")]


def standings(
    space: Space, viewer: Viewer = EVERYBODY, season: int | None = None
) -> QuerySet[Seat, dict[str, Any]]:
    """What the players of a space have in each game from a season, or ever, as `player_scores` has it."""
    filters = Filters(space=space.pk)
    if season is not None:
        filters = Filters(space=space.pk, date_from=date(season, 1, 1), date_to=date(season, 12, 31))
    return player_scores(filters, viewer)


def invitations(club: Space) -> QuerySet[Invitation]:
    """The invitations to a club that have not ended, the latest first."""
    return club.invitations.filter(ends_at__gt=timezone.now()).select_related("made_by")


# --- sessions -----------------------------------------------------------------------------------------------


def sessions(viewer: Viewer = EVERYBODY, space: int | None = None) -> QuerySet[Session]:
    """Sessions of which the viewer sees a deal, or those of a space, those played last first, each with its
    space, ``deal_count``, ``first_day``, ``last_day``; those without a day come at the end."""
    contributions = access.listed(viewer).filter(session=OuterRef("pk")).order_by()
    found = Session.objects.all() if space is None else Session.objects.filter(space=space)
    return (
        found.filter(Exists(contributions))
        .select_related("space")
        .annotate(
            deal_count=Subquery(
                contributions.values("session").annotate(number=Count("deal")).values("number")
            ),
            first_day=Subquery(contributions.values("session").annotate(day=Min("played_on")).values("day")),
            last_day=Subquery(contributions.values("session").annotate(day=Max("played_on")).values("day")),
        )
        .order_by(F("last_day").desc(nulls_last=True), "-id")
    )


def played_in(sessions: Iterable[Session], viewer: Viewer = EVERYBODY) -> list[tuple[int, str, str]]:
    """Which games were played in these sessions, and where, as far as the viewer sees their deals: rows of
    the session's number, game and site, those of the first deals first. One query."""
    pks = [session.pk for session in sessions]
    contributions = access.listed(viewer).filter(session__in=pks).order_by()
    rows = (
        contributions.values_list("session", "deal__game", "site").annotate(first=Min("pk")).order_by("first")
    )
    return [(session, game, site) for session, game, site, _first in rows]


def session(pk: int, viewer: Viewer = EVERYBODY) -> Session:
    """One session, with its space.

    :raises Session.DoesNotExist: if there is none with this number, or the viewer sees no deal of it.
    """
    found = Session.objects.select_related("space").get(pk=pk)
    if found.space_id not in viewer.roles and not access.in_session(pk, viewer).exists():
        raise Session.DoesNotExist
    return found


# --- uploads ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an upload is: records by what became of them, bytes and parts that are done.

    ``failed``: records, and parts given up, through a fault of ours.
    """

    records: int
    stored: int
    known: int
    malformed: int
    refused: int
    failed: int
    parts: int
    parts_done: int
    size: int
    size_done: int
    finished: bool

    @property
    def expected(self) -> int:
        """How many records there are in all, as far as the bytes that were read let one guess."""
        return self.records * self.size // self.size_done if self.size_done else 0


def progress(upload: Upload) -> Progress:
    """How far an upload is. One query."""
    return progress_of([upload])[upload.pk]


def progress_of(uploads: Sequence[Upload]) -> dict[int, Progress]:
    """How far each of some uploads is, by their numbers. One query."""
    sums = {name: Sum(name) for name in ("records", *Part.COUNTS)}
    rows = Part.objects.filter(upload__in=uploads).order_by().values("upload")
    counted = {
        row.pop("upload"): row
        for row in rows.annotate(
            **sums,
            parts=Count("pk"),
            parts_done=Count("pk", filter=Q(state__in=["done", "failed"])),
            given_up=Count("pk", filter=Q(state="failed")),
        )
    }
    nothing = dict.fromkeys([*sums, "parts", "parts_done", "given_up"], 0)
    return {upload.pk: _progress(upload, {**counted.get(upload.pk, nothing)}) for upload in uploads}


def _progress(upload: Upload, found: dict[str, int]) -> Progress:
    found["failed"] += found.pop("given_up")
    parts, ended = found["parts"], found["parts_done"]
    size_done = upload.size * ended // parts if parts else 0
    return Progress(**found, size=upload.size, size_done=size_done, finished=upload.is_finished)


def _with_counts(query: QuerySet[Upload]) -> QuerySet[Upload]:
    """Uploads with ``records`` and the number of each outcome, and how many parts are not done."""
    sums = {f"{name}_count": Coalesce(Sum(f"parts__{name}"), 0) for name in ("records", *Part.COUNTS)}
    return query.annotate(**sums).order_by("-id")


def uploads_of(user: AbstractBaseUser) -> QuerySet[Upload]:
    """What this user sent, latest first; ``stored_count``, ``known_count`` … are numbers of records."""
    return _with_counts(Upload.objects.filter(user=user))


def accepted_uploads(user: AbstractBaseUser, before: int | None = None) -> QuerySet[Upload]:
    """What this user sent and has come in whole, before the one of this number if there is one, latest first;
    how far each is says `progress_of`."""
    found = Upload.objects.filter(user=user, accepted_at__isnull=False).order_by("-id")
    return found if before is None else found.filter(pk__lt=before)


def uploads_to(space: int) -> QuerySet[Upload]:
    """What was sent to a space, as `uploads_of` has them."""
    return _with_counts(Upload.objects.filter(space=space))


def upload(pk: int, viewer: Viewer) -> Upload:
    """One upload that has come in whole, if the viewer may see it.

    :raises Upload.DoesNotExist: if there is none with this number, or it is somebody else's.
    """
    found = Upload.objects.select_related("user", "space").get(pk=pk, accepted_at__isnull=False)
    if not viewer.may_see_upload(found):
        raise Upload.DoesNotExist
    return found


def verdicts_of(upload: Upload) -> dict[str, int]:
    """How many of the deals of an upload, also of those that were there before, have which verdict. A query,
    and one for every hundred parts whose deals do not follow one another."""
    items = UploadItem.objects.filter(part__upload=upload, outcome__in=("stored", "known")).order_by(
        "deal_id"
    )
    runs: list[list[int]] = []
    for first, n, last in items.values_list("deal_id", "n", "last"):
        if runs and first <= runs[-1][1] + 1:
            runs[-1][1] = max(runs[-1][1], first + last - n)
        else:
            runs.append([first, first + last - n])
    found: dict[str, int] = {}
    for at in range(0, len(runs), 100):
        wanted = Q()
        for first, last in runs[at : at + 100]:
            wanted |= Q(deal__gte=first, deal__lte=last)
        contributions = Contribution.objects.filter(wanted, space=upload.space_id).order_by()
        rows = contributions.values_list("verdict").annotate(Count("pk"))
        for verdict, number in rows:
            found[verdict] = found.get(verdict, 0) + number
    return found


def parts_at(upload: Upload, places: Iterable[tuple[int, int]]) -> dict[tuple[int, int], Part]:
    """The parts that hold these places (line, column) of an upload, with their bytes. Two queries."""
    starts = list(upload.parts.order_by("number").values_list("line", "column", "pk"))
    numbers = {place: starts[max(0, bisect_right(starts, (*place, inf)) - 1)][2] for place in places}
    parts = Part.objects.in_bulk(set(numbers.values()))
    return {place: parts[number] for place, number in numbers.items()}


def upload_bytes(upload: Upload) -> Iterator[bytes]:
    """The bytes of an upload as they came, part by part."""
    for pk in list(upload.parts.order_by("number").values_list("pk", flat=True)):
        yield Part.objects.only("data").get(pk=pk).bytes


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one record of an upload.

    ``n``: its position, from 0; ``outcome``: one of ``UploadItem.OUTCOMES``; ``deal``: id of the deal;
    ``contribution``: id of this sender's contribution to it; ``verdict``: on that; ``digest``: of the deal,
    in hex; ``differs``: the fields in which an earlier contribution of the sender differs; ``findings``: all
    that is wrong with a record that was not stored; ``line``: where it begins, or the first fault.
    """

    n: int
    outcome: str
    line: int | None
    deal: int | None = None
    contribution: int | None = None
    digest: str | None = None
    verdict: str | None = None
    differs: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def finding(self) -> Finding | None:
        """The first thing that is wrong."""
        return self.findings[0] if self.findings else None


def results(upload: Upload, after: int = -1, most: int = 1000, wrong_only: bool = False) -> list[Result]:
    """What became of the records of an upload after that position, in their order; as far as its parts are
    done one after the other. With ``wrong_only`` those alone that were not kept, or say something else than
    before. Four queries."""
    parts, offset = {}, 0
    for pk, state, records in upload.parts.order_by("number").values_list("pk", "state", "records"):
        if state not in ("done", "failed"):
            break
        if offset + records > after:
            parts[pk] = offset
        offset += records
        if offset > after + 1 + most and not wrong_only:
            break
    items = UploadItem.objects.filter(part__in=list(parts)).order_by("part__number", "n")
    if wrong_only:
        items = items.exclude(outcome__in=["stored", "known"], differs="")
    found: list[Result] = []
    for item in items.iterator(chunk_size=2000):
        offset = parts[item.part_id]
        first = max(item.n, after + 1 - offset)
        for n in range(first, min(item.last + 1, first + most - len(found))):
            deal = None if item.deal_id is None else item.deal_id + n - item.n
            found.append(_result(item, offset + n, deal, first=n == item.n))
        if len(found) == most:
            break
    return _with_deals(found, upload.space_id)


def _result(item: UploadItem, n: int, deal: int | None, *, first: bool) -> Result:
    """The result of a record; of the ``first`` one of a row the place is known."""
    findings = item.findings if first else tuple(finding.anywhere for finding in item.findings)
    line = item.line if first else None
    return Result(n, item.outcome, line, deal, differs=tuple(item.differs.split()), findings=findings)


def _with_deals(results: list[Result], space: int) -> list[Result]:
    """The results with the digests of their deals and the verdicts on what the space says of them."""
    numbers = {result.deal for result in results if result.deal is not None}
    if not numbers:
        return results
    first, last = min(numbers), max(numbers)
    near = Q(pk__in=numbers) if last - first >= 2 * len(numbers) else Q(pk__gte=first, pk__lte=last)
    rows = Deal.objects.filter(near).order_by().values_list("pk", "digest", "verdict")
    deals = {pk: (bytes(digest).hex(), verdict) for pk, digest, verdict in rows}
    own = Contribution.objects.filter(deal__in=numbers, space=space).order_by()
    own_contributions = {
        deal: (pk, verdict) for deal, pk, verdict in own.values_list("deal_id", "pk", "verdict")
    }
    return [
        result
        if result.deal is None or result.deal not in deals
        else dataclasses.replace(
            result,
            contribution=own_contributions.get(result.deal, (None, ""))[0],
            digest=deals[result.deal][0],
            verdict=own_contributions.get(result.deal, (None, ""))[1] or deals[result.deal][1],
        )
        for result in results
    ]


def failures(upload: Upload) -> Iterator[str]:
    """The texts of the records of an upload that were not kept, as they were sent, each with an end of line
    after it; part by part. Of bytes that are kept no more there is nothing."""
    lost = UploadItem.objects.filter(part__upload=upload, deal_id__isnull=True)
    rows: dict[int, set[int]] = {}
    for pk, n, last in lost.order_by("part__number", "n").values_list("part_id", "n", "last"):
        rows.setdefault(pk, set()).update(range(n, last + 1))
    for pk, wanted in rows.items():
        part = Part.objects.get(pk=pk)
        for entry in read_piece(part.piece) if part.data else ():
            if entry.n in wanted or entry.n >= part.records:
                yield entry.source.rstrip("\n") + "\n"


def sessions_of(deals: Iterable[int], space: int) -> list[Session]:
    """The sessions of a space in which these deals were played, the latest first. One query."""
    contributions = Contribution.objects.filter(deal__in=set(deals), space=space, session=OuterRef("pk"))
    return list(Session.objects.filter(Exists(contributions), space=space).order_by("-id"))


def to_explain(deals: Iterable[int], space: int) -> dict[int, Deal]:
    """Deals by their numbers, shown as the space says them, with what is wrong with them. Three queries."""
    contributions = Contribution.objects.filter(space=space).defer(*SEARCH)
    return Deal.objects.defer("text").represented_by(contributions).in_bulk(set(deals))


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


def mended(upload: Upload, records: Iterable[int]) -> dict[int, tuple[int, int | None]]:
    """Those of these records of an upload (numbers from 0) that were sent again, mended: the upload that has
    them, and the deal that they are, if it is stored. One query."""
    item = UploadItem.objects.filter(part__upload=OuterRef("pk"), part__number=0, n=0)
    sent = Upload.objects.filter(mends=upload, mends_record__in=set(records), accepted_at__isnull=False)
    rows = sent.annotate(deal=Subquery(item.values("deal_id")[:1])).order_by("pk")
    found: dict[int, tuple[int, int | None]] = {}
    for record, pk, deal in rows.values_list("mends_record", "pk", "deal"):
        if deal is not None or not found.get(record, (0, None))[1]:
            found[record] = pk, deal
    return found


def record_of(upload: Upload, n: int) -> tuple[Part, int, Contribution]:
    """Where the ``n``-th record of an upload (from 0) stands, its part and its position in that, and what the
    space that it was sent to says of its deal now. Five queries.

    :raises LookupError: if there is no such record, or it was not kept.
    """
    found = _place_of(upload, n)
    if found is None:
        raise LookupError(n)
    pk, at = found
    part = Part.objects.get(pk=pk)
    item = part.items.filter(n__lte=at, last__gte=at, deal_id__isnull=False).first()
    if item is None:
        raise LookupError(n)
    contributions = Contribution.objects.with_sender().prefetched().select_related("deal")
    return part, at, contributions.get(deal=item.deal_id + at - item.n, space=upload.space_id)


def was_loaded(raw: bytes, filename: str) -> bool:
    """Whether the command line sent exactly this file before and all of it was stored."""
    faulty = Part.objects.filter(Q(state="failed") | Q(failed__gt=0)).values("upload")
    before = Upload.objects.filter(
        source="cli", filename=filename, size=len(raw), finished_at__isnull=False
    ).exclude(pk__in=faulty)
    return any(b"".join(upload_bytes(upload)) == raw for upload in before)


# --- for the operator ---------------------------------------------------------------------------------------


def faulty_items() -> QuerySet[UploadItem]:
    """Records that could not be stored through a fault of ours, the latest first."""
    return UploadItem.objects.filter(outcome="failed").select_related("part").order_by("-pk")


def faults() -> int:
    """How many records, parts and chunks failed through a fault of ours. Three queries."""
    return (
        faulty_items().count()
        + Part.objects.filter(state="failed").count()
        + Chunk.objects.filter(Q(state="failed") | Q(faulty__gt=0)).count()
    )


@dataclass(frozen=True, slots=True)
class CampaignState:
    """A campaign, and how far it is."""

    campaign: Campaign
    state: str
    checked: int
    changed: int
    faulty: int
    waiting: int


def campaign(pk: int) -> CampaignState:
    """How far a campaign is.

    :raises Campaign.DoesNotExist: if there is none with this number.
    """
    found = Campaign.objects.get(pk=pk)
    sums = {name: Coalesce(Sum(name), 0) for name in ("checked", "changed", "faulty")}
    waiting = Count("pk", filter=~Q(state__in=["done", "failed"]))
    return CampaignState(found, found.state, **found.chunks.order_by().aggregate(**sums, waiting=waiting))
