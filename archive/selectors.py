"""Reading from the archive: what pages and API show, each question once, with a fixed number of queries.

Nothing else reads the tables. A deal is shown with what its first sender said of it (its *lead*).
"""

from __future__ import annotations

import dataclasses
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Any

from django.db.models import Count, F, Max, Min, Prefetch, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from archive.database import by_name, sort_key
from archive.models import (
    Campaign,
    Chunk,
    Contribution,
    Deal,
    DealQuerySet,
    Part,
    Player,
    Seat,
    Session,
    Upload,
    UploadItem,
)
from tarock.findings import Finding
from tarock.notation import read_piece

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser


# --- deals --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Filters:
    """What is asked of deals; all that is given must hold, None or "" asks for nothing.

    ``verdict``: as it is shown, `disputed` where the lead claims another score; ``player``: a player, a
    number, or a name in any case; ``session``: a session, a number, or a name.
    """

    game: str | None = None
    verdict: str | None = None
    player: Player | int | str | None = None
    date_from: date | None = None
    date_to: date | None = None
    session: Session | int | str | None = None
    contract: str | None = None

    def of(self, deals: DealQuerySet) -> DealQuerySet:
        """Those of these deals that fit."""
        deals = deals.played_between(self.date_from, self.date_to)
        if self.game:
            deals = deals.filter(game=self.game)
        if self.verdict:
            deals = deals.filter(lead__verdict=self.verdict)
        if self.player:
            deals = deals.with_player(self.player)
        if isinstance(self.session, str) and self.session:
            deals = deals.filter(lead__session__name=self.session)
        elif self.session:
            deals = deals.filter(lead__session=self.session)
        if self.contract:
            deals = deals.filter(contract=self.contract)
        return deals


def deals(filters: Filters | None = None) -> DealQuerySet:
    """Deals that fit, newest first, with lead, session and seats. The long texts stay in the database
    (``.defer(None)`` brings them). Two queries, however many deals."""
    fitting = (filters or Filters()).of(Deal.objects.all())
    return fitting.order_by("-id").without_texts().with_lead()


def deal(pk: int) -> Deal:
    """One deal with all that its pages show. Two queries.

    :raises Deal.DoesNotExist: if there is none with this number.
    """
    return Deal.objects.with_lead().select_related("lead__user").get(pk=pk)


def latest_verified(today: date, number: int) -> list[Deal]:
    """The verified deals that were played last, up to ``today``, the newest of a day first. Three queries."""
    dated = Contribution.objects.filter(played_on__lte=today, verdict="verified", deal__lead=F("pk"))
    numbers = list(dated.order_by("-played_on", "-deal_id").values_list("deal_id", flat=True)[:number])
    found = Deal.objects.with_lead().in_bulk(numbers)
    return [found[pk] for pk in numbers]


def contributions(deal: Deal) -> QuerySet[Contribution]:
    """What each sender said of a deal, the first one first."""
    seats = Seat.objects.select_related("player").order_by("seat")
    query = deal.contributions.select_related("session", "user").order_by("id")
    return query.prefetch_related(Prefetch("seats", queryset=seats))


@dataclass(frozen=True, slots=True)
class Original:
    """What was sent for a deal: its text as it was sent, and the form (`tgn` or `json`)."""

    text: str
    form: str


def original(contribution: Contribution) -> Original | None:
    """What a contribution was read from; None if the bytes are not kept any more."""
    part = Part.objects.filter(pk=contribution.part_id).first()
    if part is None or not part.data:
        return None
    entry = next(islice(read_piece(part.piece), contribution.n, None), None)
    return None if entry is None else Original(entry.source, entry.form)


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
    return [Answer(*row, was) for row, was in zip(rows, [*before, None], strict=True)]


@dataclass(frozen=True, slots=True)
class Counts:
    """How much the archive holds, for the home page."""

    deals: int
    players: int
    sessions: int
    by_game: dict[str, int]
    by_verdict: dict[str, int]


def counts() -> Counts:
    """Numbers of deals (by game, by verdict), players and sessions. Three queries."""
    by_game: dict[str, int] = {}
    by_verdict: dict[str, int] = {}
    for row in Deal.objects.order_by().values("game", "lead__verdict").annotate(number=Count("pk")):
        by_game[row["game"]] = by_game.get(row["game"], 0) + row["number"]
        verdict = row["lead__verdict"]
        by_verdict[verdict] = by_verdict.get(verdict, 0) + row["number"]
    return Counts(
        deals=sum(by_game.values()),
        players=Player.objects.count(),
        sessions=Session.objects.count(),
        by_game=by_game,
        by_verdict=by_verdict,
    )


# --- players and scores -------------------------------------------------------------------------------------


def players(search: str = "", language: str = "en") -> QuerySet[Player]:
    """Players by name, as a reader of the language sorts them, each with ``deal_count``; only those whose
    name holds ``search``, in any case."""
    number = Count("seats__contribution__deal", distinct=True)
    query = Player.objects.annotate(deal_count=number).order_by(by_name("name", language), "name")
    return query.filter(pk__in=Player.objects.holding(search)) if search else query


def is_player(name: str) -> bool:
    """Whether somebody has exactly this name, in any case. One query."""
    return Player.objects.named(name).exists()


def player(pk: int) -> Player:
    """One player.

    :raises Player.DoesNotExist: if there is none with this number.
    """
    return Player.objects.get(pk=pk)


def _counting(deals: DealQuerySet) -> QuerySet[Seat]:
    """The seats whose points count: those of the leads of these deals, where there is a score."""
    leads = deals.scored().order_by().values("lead_id")
    return Seat.objects.filter(contribution__in=leads, points__isnull=False).order_by()


def player_scores(filters: Filters | None = None) -> QuerySet[Seat, dict[str, Any]]:
    """What each player has in all from the deals that fit: rows ``name``, ``player_id``, ``deals``,
    ``total``, most points first.

    Deals that have a score count, by what the rules give, not by what was claimed, and with the names that
    their first senders gave. With a player in the filters only his row. One query.
    """
    filters = filters or Filters()
    seats = _counting(filters.of(Deal.objects.all()))
    if isinstance(filters.player, str) and filters.player:
        seats = seats.filter(player__in=Player.objects.named(filters.player))
    elif filters.player:
        seats = seats.filter(player=filters.player)
    return (
        seats.values("player_id", name=F("player__name"))
        .annotate(deals=Count("contribution__deal", distinct=True), total=Sum("points"))
        .order_by("-total", "name")
    )


def scores_by_game(player: Player | int) -> QuerySet[Seat, dict[str, Any]]:
    """One player's deals and points per game: rows ``game``, ``deals``, ``total``. One query."""
    return (
        _counting(Deal.objects.with_player(player))
        .filter(player=player)
        .values(game=F("contribution__deal__game"))
        .annotate(deals=Count("contribution__deal", distinct=True), total=Sum("points"))
        .order_by("game")
    )


# --- sessions -----------------------------------------------------------------------------------------------


def sessions() -> QuerySet[Session]:
    """Sessions, that of the latest deal first, each with ``deal_count``, ``first_day``, ``last_day``."""
    return Session.objects.annotate(
        deal_count=Count("contributions__deal", distinct=True),
        first_day=Min("contributions__played_on"),
        last_day=Max("contributions__played_on"),
        newest=Max("contributions__deal"),
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


def session_table(session: Session | int, language: str = "en") -> SessionTable:
    """The deals of a session in the order played (by number, then as they came in) with running totals. Two
    queries.

    Points and totals are keyed by player id; deals without a score stand there and add nothing. Players with
    equal totals stand as a reader of the language sorts them.
    """
    query = (
        Deal.objects.filter(lead__session=session)
        .without_texts()
        .with_lead()
        .order_by(F("lead__number").asc(nulls_last=True), "id")
    )
    players: dict[int, Player] = {}
    totals: dict[int, int] = {}
    played: dict[int, int] = {}
    rows = []
    for deal in query:
        points: dict[int, int] = {}
        for seat in deal.seats:
            players.setdefault(seat.player_id, seat.player)
            if seat.points is not None:
                points[seat.player_id] = points.get(seat.player_id, 0) + seat.points
        for player_id, number in points.items():
            totals[player_id] = totals.get(player_id, 0) + number
            played[player_id] = played.get(player_id, 0) + 1
        rows.append(SessionRow(deal=deal, points=points, totals=dict(totals)))
    standings = _places(players, totals, played, language)
    return SessionTable(players=list(players.values()), rows=rows, standings=standings)


def totals_after(deal: Deal) -> dict[str, int]:
    """What the player of each seat has in all after this deal in the session it belongs to, by seat; empty
    without a session or a score. One query."""
    if deal.lead.session_id is None or deal.verdict != "verified":
        return {}
    found: dict[int, int] = {}
    seats = (
        Seat.objects.filter(
            contribution__session=deal.lead.session_id, contribution=F("contribution__deal__lead")
        )
        .order_by(F("contribution__number").asc(nulls_last=True), "contribution__deal_id")
        .values_list("contribution__deal_id", "player_id", "points")
    )
    reached = False
    for pk, player, points in seats:
        if reached and pk != deal.pk:
            break
        reached = reached or pk == deal.pk
        found[player] = found.get(player, 0) + (points or 0)
    return {seat.seat: found[seat.player_id] for seat in deal.seats}


def _places(
    players: dict[int, Player], totals: dict[int, int], played: dict[int, int], language: str
) -> list[Standing]:
    ranked = sorted(totals, key=lambda pk: (-totals[pk], sort_key(players[pk].name, language)))
    by_total: dict[int, int] = {}
    for number, player_id in enumerate(ranked, start=1):
        by_total.setdefault(totals[player_id], number)
    return [Standing(by_total[totals[pk]], players[pk], played[pk], totals[pk]) for pk in ranked]


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
    done = Q(state__in=["done", "failed"])
    sums = {name: Coalesce(Sum(name), 0) for name in ("records", *Part.COUNTS)}
    found = upload.parts.order_by().aggregate(
        **sums,
        parts=Count("pk"),
        parts_done=Count("pk", filter=done),
        given_up=Count("pk", filter=Q(state="failed")),
    )
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


def uploads_without_account(numbers: list[int]) -> QuerySet[Upload]:
    """Those of these uploads that were sent without signing in, as `uploads_of` has them."""
    return _with_counts(Upload.objects.filter(pk__in=numbers, user=None))


def upload(pk: int) -> Upload:
    """One upload that has come in whole.

    :raises Upload.DoesNotExist: if there is none with this number.
    """
    return Upload.objects.select_related("user").get(pk=pk, kept_at__isnull=False)


def upload_for(user: AbstractBaseUser | AnonymousUser, pk: int) -> Upload:
    """The upload, if this user may see it: who sent it, and the operator.

    :raises Upload.DoesNotExist: if there is none, or it is somebody else's.
    """
    found = upload(pk)
    if not getattr(user, "is_staff", False) and (not user.is_authenticated or found.user_id != user.pk):
        raise Upload.DoesNotExist
    return found


def verdicts_of(upload: Upload) -> dict[str, int]:
    """How many of the deals that an upload stored have which verdict. A query, and one for every hundred
    parts whose deals do not follow one another."""
    items = UploadItem.objects.filter(part__upload=upload, outcome="stored").order_by("deal_id")
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
            wanted |= Q(pk__gte=first, pk__lte=last)
        rows = Deal.objects.filter(wanted).order_by().values_list("lead__verdict").annotate(Count("pk"))
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

    ``n``: its position, from 0; ``outcome``: one of ``UploadItem.OUTCOMES``; ``deal``: number of the deal it
    is; ``verdict``: on what this sender said of it; ``digest``: of the deal, in hex; ``differs``: what he
    said otherwise when he sent the same deal before; ``finding``: what is wrong with a record that was not
    kept; ``line``: where it begins.
    """

    n: int
    outcome: str
    line: int | None
    deal: int | None = None
    digest: str | None = None
    verdict: str | None = None
    differs: tuple[str, ...] = ()
    finding: Finding | None = None


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
            line = item.line if n == item.n else None
            found.append(_result(item, offset + n, line, deal))
        if len(found) == most:
            break
    return _with_deals(found, upload.user_id, parts)


def _result(item: UploadItem, n: int, line: int | None, deal: int | None) -> Result:
    return Result(n, item.outcome, line, deal, differs=tuple(item.differs.split()), finding=item.found)


def _with_deals(results: list[Result], user: int | None, offsets: dict[int, int]) -> list[Result]:
    """The results with the digests of their deals and the verdicts on what the sender said of them: in that
    very record (`offsets`: position of the first record of each part), or else when he said it first."""
    numbers = {result.deal for result in results if result.deal is not None}
    if not numbers:
        return results
    first, last = min(numbers), max(numbers)
    near = Q(pk__in=numbers) if last - first >= 2 * len(numbers) else Q(pk__gte=first, pk__lte=last)
    rows = Deal.objects.filter(near).order_by().values_list("pk", "digest", "lead__verdict")
    deals = {pk: (bytes(digest).hex(), verdict) for pk, digest, verdict in rows}
    here: dict[int, str] = {}
    before: dict[int, str] = {}
    own = Contribution.objects.filter(deal__in=numbers, user=user).order_by("-id")
    for deal, part, n, verdict in own.values_list("deal_id", "part_id", "n", "verdict"):
        before[deal] = verdict
        if part in offsets:
            here[offsets[part] + n] = verdict
    return [
        result
        if result.deal is None
        else dataclasses.replace(
            result,
            digest=deals[result.deal][0],
            verdict=here.get(result.n) or before.get(result.deal) or deals[result.deal][1],
        )
        for result in results
    ]


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
