"""Reading from the archive: what pages and API show, each question once, with a fixed number of queries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from django.db.models import Count, F, Max, Min, Prefetch, Q, QuerySet, Sum, Window
from django.db.models.functions import Lag

from archive.models import (
    Deal,
    DealQuerySet,
    Player,
    ScoreLine,
    Session,
    Upload,
    UploadItem,
    VerificationRun,
)
from tarock.notation import read_one
from tarock.record import Record

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

PENDING = "pending"
"""The filter word for deals that have no verdict yet."""


# --- deals --------------------------------------------------------------------------------------------------


def deals(
    *,
    game: str | None = None,
    verdict: str | None = None,
    player: Player | int | str | None = None,
    date_from: date | None = None,
    date_to: date | None = None,
    session: Session | int | str | None = None,
    contract: str | None = None,
) -> DealQuerySet:
    """Deals that fit all filters given, newest first, with seating, players and session; None or "" is no
    filter.

    ``verdict`` is a verdict or ``pending``; ``player`` a player, an id, or a name in any case; ``session`` a
    session, an id, or a name. The long texts stay in the database (``.defer(None)`` brings them). Two
    queries, however many deals.
    """
    return (
        _filtered(
            game=game,
            verdict=verdict,
            player=player,
            date_from=date_from,
            date_to=date_to,
            session=session,
            contract=contract,
        )
        .newest_first()
        .without_texts()
        .select_related("session")
        .with_seating()
    )


def _filtered(
    *,
    game: str | None = None,
    verdict: str | None = None,
    player: Player | int | str | None = None,
    date_from: date | None = None,
    date_to: date | None = None,
    session: Session | int | str | None = None,
    contract: str | None = None,
) -> DealQuerySet:
    query = Deal.objects.played_between(date_from, date_to)
    if game:
        query = query.filter(game=game)
    if verdict:
        query = query.pending() if verdict == PENDING else query.filter(verdict=verdict)
    if player:
        query = query.with_player(player)
    if session:
        query = query.in_session(session)
    if contract:
        query = query.filter(contract=contract)
    return query


def deal(pk: int) -> Deal:
    """One deal with everything a page about it shows: seating, score lines, session, who sent it. Three
    queries.

    :raises Deal.DoesNotExist: if there is none with this number.
    """
    return (
        Deal.objects.select_related("session", "uploaded_by")
        .with_seating()
        .prefetch_related(Prefetch("score_lines", queryset=ScoreLine.objects.order_by("position")))
        .get(pk=pk)
    )


def stamp(pk: int) -> str | None:
    """What changes when a deal's verdict does; None if there is no such deal, or no verdict yet. One small
    query."""
    row = Deal.objects.filter(pk=pk).values_list("digest", "verdict", "engine_version", "verified_at").first()
    return repr(row) if row is not None and row[1] else None


def record_of(deal: Deal) -> Record:
    """The record of a stored deal, as the engine takes it."""
    return read_one(deal.record)


def history(deal: Deal | int) -> QuerySet[VerificationRun]:
    """Every answer that the engine gave on a deal, the latest first.

    ``previous_verdict`` on each is the answer before it (None on the first): a change between engine versions
    shows.
    """
    return (
        VerificationRun.objects.filter(deal=deal, state=VerificationRun.State.DONE)
        .annotate(previous_verdict=Window(Lag("verdict"), order_by=F("id").asc()))
        .order_by("-id")
    )


def runs_of(deal: Deal | int) -> QuerySet[VerificationRun]:
    """All runs of a deal, failed and waiting ones too, the latest first: for the operator."""
    return VerificationRun.objects.filter(deal=deal).order_by("-id")


def failed_runs() -> QuerySet[VerificationRun]:
    """Runs in which our own code raised, the latest first: for the operator, never for visitors."""
    return (
        VerificationRun.objects.filter(state=VerificationRun.State.FAILED)
        .select_related("deal")
        .defer("deal__record", "deal__text", "deal__original", "deal__countings")
        .order_by("-finished_at", "-id")
    )


def contracts(game: str | None = None) -> list[str]:
    """The contracts that occur among verified deals (of one game), by name: for a filter's choices."""
    query = _filtered(game=game).exclude(contract="")
    return list(query.order_by("contract").values_list("contract", flat=True).distinct())


@dataclass(frozen=True, slots=True)
class Counts:
    """How much the archive holds, for the home page."""

    deals: int
    pending: int
    players: int
    sessions: int
    by_game: dict[str, int]
    by_verdict: dict[str, int]


def counts() -> Counts:
    """Numbers of deals (by game, by verdict), players and sessions. Three queries."""
    by_game: dict[str, int] = {}
    by_verdict: dict[str, int] = {}
    for row in Deal.objects.order_by().values("game", "verdict").annotate(number=Count("pk")):
        by_game[row["game"]] = by_game.get(row["game"], 0) + row["number"]
        by_verdict[row["verdict"]] = by_verdict.get(row["verdict"], 0) + row["number"]
    pending = by_verdict.pop("", 0)
    return Counts(
        deals=sum(by_game.values()),
        pending=pending,
        players=Player.objects.count(),
        sessions=Session.objects.count(),
        by_game=by_game,
        by_verdict=by_verdict,
    )


# --- players and scores -------------------------------------------------------------------------------------


def players(search: str = "") -> QuerySet[Player]:
    """Players by name, each with ``deal_count``; only those whose name holds ``search``, in any case."""
    query = Player.objects.annotate(deal_count=Count("seats__deal", distinct=True)).order_by("name")
    return query.filter(pk__in=Player.objects.holding(search)) if search else query


def is_player(name: str) -> bool:
    """Whether somebody has exactly this name, in any case. One query."""
    return Player.objects.named(name).exists()


def player(pk: int) -> Player:
    """One player.

    :raises Player.DoesNotExist: if there is none with this number.
    """
    return Player.objects.get(pk=pk)


def player_scores(
    *,
    game: str | None = None,
    verdict: str | None = None,
    player: Player | int | str | None = None,
    date_from: date | None = None,
    date_to: date | None = None,
    session: Session | int | str | None = None,
    contract: str | None = None,
) -> QuerySet[Player, dict[str, Any]]:
    """What each player has in all from the deals that fit the filters: rows ``player`` (the name),
    ``player_id``, ``deals``, ``points``, most points first.

    Deals that have a score count, by what the rules give, not by what was claimed. With ``player`` only that
    player's row. One query; the adding up is the database's.
    """
    fitting = _filtered(
        game=game,
        verdict=verdict,
        player=player,
        date_from=date_from,
        date_to=date_to,
        session=session,
        contract=contract,
    ).scored()
    query = Player.objects.filter(seats__deal__in=fitting.values("pk"), seats__points__isnull=False)
    if isinstance(player, str) and player:
        query = query.filter(pk__in=Player.objects.named(player))
    elif player:
        query = query.filter(pk=player.pk if isinstance(player, Player) else player)
    return (
        query.order_by()
        .values(player=F("name"), player_id=F("id"))
        .annotate(deals=Count("seats__deal", distinct=True), points=Sum("seats__points"))
        .order_by("-points", "player")
    )


def scores_by_game(player: Player | int) -> QuerySet[Deal, dict[str, Any]]:
    """One player's deals and points per game: rows ``game``, ``deals``, ``points``. One query."""
    return (
        Deal.objects.filter(seating__player=player, seating__points__isnull=False)
        .order_by()
        .values("game")
        .annotate(deals=Count("pk", distinct=True), points=Sum("seating__points"))
        .order_by("game")
    )


# --- sessions -----------------------------------------------------------------------------------------------


def sessions() -> QuerySet[Session]:
    """Sessions, that of the latest deal first, each with ``deal_count``, ``first_day``, ``last_day``."""
    return Session.objects.annotate(
        deal_count=Count("deals"),
        first_day=Min("deals__played_on"),
        last_day=Max("deals__played_on"),
        newest=Max("deals__created_at"),
    ).order_by(F("newest").desc(nulls_last=True), "-id")


def session(pk: int) -> Session:
    """One session.

    :raises Session.DoesNotExist: if there is none with this number.
    """
    return Session.objects.get(pk=pk)


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One deal of a session: what each player made in it, if it has a score, and has in all after it."""

    deal: Deal
    points: dict[int, int]
    totals: dict[int, int]


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place in a session; equal totals share the place."""

    place: int
    player: Player
    deals: int
    total: int


@dataclass(frozen=True, slots=True)
class SessionTable:
    """A session as it stands on paper: a row a deal, a column a player, running totals, and the places."""

    players: list[Player] = field(default_factory=list)
    rows: list[SessionRow] = field(default_factory=list)
    standings: list[Standing] = field(default_factory=list)


def session_table(session: Session | int) -> SessionTable:
    """The deals of a session in the order played (by number, then as they came in) with running totals. Two
    queries.

    Points and totals are keyed by player id; deals without a score (pending ones too) stand there and add
    nothing.
    """
    query = (
        Deal.objects.filter(session=session)
        .without_texts()
        .with_seating()
        .order_by(F("deal_number").asc(nulls_last=True), "created_at", "id")
    )
    players: dict[int, Player] = {}
    totals: dict[int, int] = {}
    played: dict[int, int] = {}
    rows = []
    for deal in query:
        points: dict[int, int] = {}
        for seat in deal.seating.all():
            players.setdefault(seat.player_id, seat.player)
            if seat.points is not None:
                points[seat.player_id] = points.get(seat.player_id, 0) + seat.points
        for player_id, number in points.items():
            totals[player_id] = totals.get(player_id, 0) + number
            played[player_id] = played.get(player_id, 0) + 1
        rows.append(SessionRow(deal=deal, points=points, totals=dict(totals)))
    return SessionTable(players=list(players.values()), rows=rows, standings=_places(players, totals, played))


def _places(players: dict[int, Player], totals: dict[int, int], played: dict[int, int]) -> list[Standing]:
    ranked = sorted(totals, key=lambda player_id: (-totals[player_id], players[player_id].name))
    by_total: dict[int, int] = {}
    for number, player_id in enumerate(ranked, start=1):
        by_total.setdefault(totals[player_id], number)
    return [Standing(by_total[totals[pk]], players[pk], played[pk], totals[pk]) for pk in ranked]


# --- uploads ------------------------------------------------------------------------------------------------


def uploads_of(user: AbstractBaseUser) -> QuerySet[Upload]:
    """What this user sent, latest first, without the bytes; ``stored``, ``known``, ``wrong`` are counts."""
    outcome = UploadItem.Outcome
    return (
        Upload.objects.filter(user=user)
        .defer("raw", "error")
        .annotate(
            stored=Count("items", filter=Q(items__outcome=outcome.STORED)),
            known=Count("items", filter=Q(items__outcome=outcome.KNOWN)),
            wrong=Count("items", filter=Q(items__outcome__in=[outcome.MALFORMED, outcome.REFUSED])),
        )
        .order_by("-received_at", "-id")
    )


def upload(pk: int) -> Upload:
    """One upload with what became of each record in it and the deals they are, without the bytes: two
    queries.

    :raises Upload.DoesNotExist: if there is none with this number.
    """
    return _with_items(Upload.objects.all()).get(pk=pk)


def upload_for(user: AbstractBaseUser | AnonymousUser, pk: int) -> Upload:
    """The upload, if this user may see it: who sent it, and the operator.

    :raises Upload.DoesNotExist: if there is none, or it is somebody else's.
    """
    query = Upload.objects.all()
    if not getattr(user, "is_staff", False):
        query = query.filter(user=user) if user.is_authenticated else query.none()
    return _with_items(query).get(pk=pk)


def was_loaded(raw: bytes, filename: str) -> bool:
    """Whether the command line sent exactly this file before and all went well with it."""
    before = Upload.objects.filter(source=Upload.Source.CLI, filename=filename, size=len(raw), error="")
    return before.filter(raw=raw).exists()


def _with_items(query: QuerySet[Upload]) -> QuerySet[Upload]:
    # By a join: SQLite fails on the query that Django makes to fetch a thousand deals for their items.
    texts = [f"deal__{name}" for name in Deal.TEXTS]
    items = UploadItem.objects.order_by("n").select_related("deal").defer(*texts)
    return query.defer("raw", "error").prefetch_related(Prefetch("items", queryset=items))


def verdicts(deal_ids: Iterable[int]) -> dict[int, str]:
    """The verdicts of these deals as they stand now (or ``pending``): for pages that wait. One query."""
    rows = Deal.objects.filter(pk__in=list(deal_ids)).values_list("pk", "verdict")
    return {pk: verdict or PENDING for pk, verdict in rows}
