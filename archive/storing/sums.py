"""Recompute stored sums after rows have changed.

Sums are never incremented: the process that finds a `Mark` recomputes the marked sums from their rows. No
other code writes sums. If the process is killed, the marks stay, and the next process continues.

An evening is recomputed from its contributions, and a person from the cells of their evenings. So the cost of
a change depends on the size of the evening, not on the size of the archive.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping
from datetime import date
from functools import partial
from typing import Any

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    Max,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce, ExtractYear, Length, Replace

from archive import access, database, hands, packed_sheets
from archive.figures import COLUMNS, DealFacts, Lines
from archive.models import (
    CELL_VALUES,
    CHOSEN,
    MADE,
    SCORED,
    Cell,
    Contribution,
    ContributionQuerySet,
    Deal,
    Figure,
    Mark,
    Player,
    RuleSet,
    Seat,
    Session,
    Tally,
    Total,
    counted,
    person_seated,
)
from archive.triggers import DAYS
from tarock.analysis.verify import check
from tarock.core.game import UNKNOWN_GAME
from tarock.core.options import POINT
from tarock.games import GAMES
from tarock.notation import read_one

MOST = 1000
"""Maximum number of marks handled in one transaction."""

_BLOCKS = 8
"""Maximum number of blocks of deals recomputed in one transaction. A full block takes about 0.3 seconds."""

_LOCK = 7_265_042
"""Key of the lock that lets only one process recompute sums at a time."""

Row = dict[str, Any]


def settle(seconds: float = 60.0, *, figures: bool = True) -> int:
    """Recompute marked sums for up to about `seconds`. Return the number of marks handled. Return
    immediately if another process is recomputing sums. Without `figures`, leave the statistics for later:
    they take three quarters of the time for a block of deals."""
    began, done = time.monotonic(), 0
    while time.monotonic() - began < seconds:
        marks = database.retry_transient(partial(_settle_some, figures))
        done += marks
        if marks < MOST:
            break
    return done


def _settle_some(figures: bool) -> int:
    """Handle the oldest marks and, if few are waiting, a block of the full recomputation. Call in a
    transaction. Return the number of marks handled, or `MOST` if any are left."""
    if not database.try_lock(_LOCK):
        return 0
    due = Mark.objects.all() if figures else Mark.objects.exclude(kind="figures")
    marks = list(due.exclude(kind="all").order_by("pk")[:MOST])
    evenings = {mark.number for mark in marks if mark.kind == "evening"}
    of_deals = ("deals", "figures")
    deals = set(sorted({mark.number for mark in marks if mark.kind in of_deals})[:_BLOCKS])
    marks = [mark for mark in marks if mark.kind not in of_deals or mark.number in deals]
    if len(marks) < MOST and len(deals) < _BLOCKS and (walk := Mark.objects.filter(kind="all").first()):
        evenings |= evenings_of_block(walk.number)
        deals.add(walk.number)
        _go_on(walk)
    elif not marks:
        return 0
    players = {mark.number for mark in marks if mark.kind == "player"}
    # A marked player became an alias or stopped being one, which changes the cells of all their evenings.
    of_players = Cell.objects.filter(player__in=players).order_by().values_list("evening", flat=True)
    others = set(of_players.distinct()) - evenings if players else ()
    Mark.objects.bulk_create((Mark(kind="evening", number=one) for one in others), batch_size=5000)
    persons = _compute_persons(players | _compute_evenings(evenings))
    blocks = {
        "deals": deals,
        "sessions": {evening // Tally.BLOCK for evening in evenings if evening > 0},
        "players": {person // Tally.BLOCK for person in persons},
    }
    for kind, numbers in blocks.items():
        Tally.objects.filter(kind=kind, block__in=numbers).delete()
        database.insert(Tally, [row for block in sorted(numbers) for row in tally_rows(kind, block)])
    if figures:
        Figure.objects.filter(block__in=deals).delete()
        for block in sorted(deals):
            database.insert(Figure, list(figure_rows(block)))
    else:
        waiting = Mark.objects.filter(kind="figures", number__in=deals).values_list("number", flat=True)
        Mark.objects.bulk_create(Mark(kind="figures", number=block) for block in deals - set(waiting))
    Mark.objects.filter(pk__in=[mark.pk for mark in marks]).delete()
    return MOST if due.exists() else len(marks)


def mark_all() -> None:
    """Schedule the recomputation of all sums. `settle` recomputes one block at a time, whenever few other
    marks are waiting."""
    Mark.objects.filter(kind="all").delete()
    Mark.objects.create(kind="all", number=0)


def evenings_of_block(block: int) -> set[int]:
    """Return the evenings of all contributions to the deals in a block. Two queries."""
    first = block * Tally.BLOCK
    rows = Contribution.objects.filter(deal__gte=first, deal__lt=first + Tally.BLOCK).order_by()
    sessions = rows.filter(session__isnull=False).values_list("session_id", flat=True).distinct()
    days = rows.filter(session=None).values_list("space_id", "played_on").distinct()
    return {*sessions, *(evening_of_day(*row) for row in days)}


def _go_on(walk: Mark) -> None:
    """Move the full recomputation to the next block with deals, or finish it."""
    later = Deal.objects.filter(pk__gte=(walk.number + 1) * Tally.BLOCK).order_by("pk")
    following = later.values_list("pk", flat=True).first()
    if following is None:
        walk.delete()
    else:
        Mark.objects.filter(pk=walk.pk).update(number=following // Tally.BLOCK)


# --- evenings -----------------------------------------------------------------------------------------------


def evening_of_day(space: int, day: date | None) -> int:
    """Return the number (`Cell.evening`) of the evening formed by a space's deals without a session on this
    day, or by its undated deals without a session."""
    return -(space * DAYS + (day.toordinal() if day else 0))


def _compute_evenings(evenings: Collection[int]) -> set[int]:
    """Recompute cells and session figures of evenings. Return the players who have or had cells in these
    evenings."""
    stored = Cell.objects.filter(evening__in=evenings)
    players = set(stored.order_by().values_list("player_id", flat=True))
    stored.delete()
    rows = list(cells_of_evenings(evenings))
    database.insert(Cell, rows)
    _update_where_other(Session, session_figures([evening for evening in evenings if evening > 0]))
    return players | {row["player"] for row in rows}


def cells_of_evenings(evenings: Collection[int]) -> Iterator[Row]:
    """Yield the cells of these evenings, computed from the rows of their contributions."""
    if sessions := [evening for evening in evenings if evening > 0]:
        totals = Contribution.objects.filter(session__in=sessions)
        public, whole = EveningTotals(totals.filter(visibility="public")), EveningTotals(totals)
        seats = Seat.objects.filter(contribution__session__in=sessions)
        for row in cell_rows(seats, F("contribution__session_id")):
            if not row["is_total"]:
                of = row["evening"], row["game"], row["rules"], row["player"]
                row |= {"in_public_total": of in public, "in_whole_total": of in whole}
            yield row
    for evening in evenings:
        if evening < 0:
            space, day = divmod(-evening, DAYS)
            of_day = Q(contribution__played_on=date.fromordinal(day) if day else None)
            seats = Seat.objects.filter(of_day, contribution__session__isnull=True, contribution__space=space)
            yield from cell_rows(seats, Value(evening))


class EveningTotals:
    """The players and rule sets of the totals, among these contributions, that count for their evening."""

    def __init__(self, contributions: ContributionQuerySet) -> None:
        # Look for totals first, because hardly any evening has one.
        totals = contributions.evening_totals().order_by()
        columns = totals.values_list("pk", "session_id", "deal__game", "deal__rules_id", "deal__rules__unit")
        of = {pk: (session, *_covers(game, rules, unit)) for pk, session, game, rules, unit in columns}
        # Only a total of an unknown game depends on the units of the deals.
        unknown = any(game == UNKNOWN_GAME for _session, game, _rules in of.values())
        self._units = dict(RuleSet.objects.values_list("pk", "unit")) if unknown else {}
        seats = Seat.objects.filter(contribution__in=list(of), player__isnull=False).order_by()
        rows = seats.values_list("contribution_id", person_seated()) if of else ()
        self._counted = {(*of[pk], person) for pk, person in rows}

    def __contains__(self, of: tuple[int, str, int, int]) -> bool:
        """Return whether a total counts instead of a player's deals by a rule set. `of`: id of the session,
        game, id of the rule set, id of the player."""
        session, _game, rules, person = of
        unit = self._units.get(rules, POINT)
        return of in self._counted or (session, UNKNOWN_GAME, unit, person) in self._counted


def _covers(game: str, rules: int | None, unit: str | None) -> tuple[str, int | str]:
    """Return the game and the rule set of the deals that a total counts for or, for an unknown game, their
    unit. `rules`, `unit`: of the total; None for the source rules."""
    return game, (unit or POINT) if game == UNKNOWN_GAME else rules or 0


_DEAL = "contribution__deal__"
_TOTAL = ContributionQuerySet.is_evening_total("contribution__")

ROLES = {
    "declarer_": Q(seat=F(_DEAL + "declarer")),
    "partner_": Q(seat=F(_DEAL + "partner"), **{_DEAL + "declarer__isnull": False})
    & ~Q(seat=F(_DEAL + "declarer")),
    "alone_": Q(**{_DEAL + "declarer__isnull": True}),
    "": Q(),
}
"""Conditions for the roles of a seat, by the prefix of the role's columns (`MADE`). The total comes last,
because its annotation `points` hides the column `points` of `Seat` from later annotations."""


def cell_rows(seats: QuerySet[Seat], evening: Any) -> Iterator[Row]:
    """Sum up the results of seats by person, evening, day and game. Yield `Cell` rows. One query."""
    scored = Q(contribution__verdict__in=SCORED, points__isnull=False)
    sheet = scored & Q(contribution__deal__kind="sheet")
    stated = Q(contribution__verdict="stated", points__isnull=False)
    number = Sum(Coalesce("contribution__deals_played", 1), filter=stated & _TOTAL)
    made = {
        "sheet_deals": Count("contribution", filter=sheet, distinct=True),
        "sheet_points": Coalesce(Sum("points", filter=sheet), 0),
        "stated_deals": Count("contribution", filter=stated & ~_TOTAL, distinct=True) + Coalesce(number, 0),
        "stated_points": Coalesce(Sum("points", filter=stated), 0),
    }
    for prefix, role in ROLES.items():
        # A person with two names can have two seats in a record, so count each contribution only once.
        made[prefix + "deals"] = Count("contribution", filter=scored & role, distinct=not prefix)
        made[prefix + "won"] = Count("contribution", filter=scored & role & Q(points__gt=0))
        made[prefix + "points"] = Coalesce(Sum("points", filter=scored & role), 0)
    parts = Case(
        When(contribution__played_on=None, then=0),
        default=3 - (Length("contribution__date") - Length(Replace("contribution__date", Value("??")))) / 2,
        output_field=IntegerField(),
    )
    is_public = Case(
        When(contribution__visibility="public", then=Value(1)), default=Value(0), output_field=IntegerField()
    )
    sat = seats.filter(contribution__visibility__in=CHOSEN, player__isnull=False).order_by()
    keys = {
        "evening": evening,
        "played_on": F("contribution__played_on"),
        "game": F(_DEAL + "game"),
        "rules": Coalesce(F(_DEAL + "rules_id"), 0),
        "date_parts": parts,
        "is_public": is_public,
        "is_total": Case(When(_TOTAL, then=Value(1)), default=Value(0), output_field=IntegerField()),
    }
    seated = Count("contribution", distinct=True)
    for row in sat.values(person=person_seated(), **keys).annotate(seated=seated, **made):
        flags = {name: bool(row.get(name)) for name in _FLAGS}
        yield {"player": row.pop("person"), **row, **flags}


_FLAGS = ("is_public", "is_total", "in_public_total", "in_whole_total")
"""Boolean columns of a cell."""


def session_figures(sessions: Collection[int]) -> dict[int, Row]:
    """Return the `Session.FIGURES` of these sessions by id, computed from their contributions. One query."""
    rows = Contribution.objects.filter(session__in=sessions, visibility__in=CHOSEN).order_by()
    public = Q(visibility="public")
    sums = rows.values("session").annotate(
        public_deals=Count("pk", filter=public),
        public_first=Min("played_on", filter=public),
        public_last=Max("played_on", filter=public),
        whole_deals=Count("pk"),
        whole_first=Min("played_on"),
        whole_last=Max("played_on"),
    )
    nothing = dict.fromkeys(Session.FIGURES) | {"public_deals": 0, "whole_deals": 0}
    return {pk: dict(nothing) for pk in sessions} | {row.pop("session"): row for row in sums}


def _update_where_other(model: type[Session] | type[Player], figures: Mapping[int, Row]) -> None:
    """Write the figures that differ from the stored ones. Skip deleted rows. `figures`: new values by id."""
    stored = model.objects.filter(pk__in=figures).order_by()
    there = {row.pop("pk"): row for row in stored.values("pk", *model.FIGURES)}
    database.update(
        model, [{"id": pk, **row} for pk, row in figures.items() if pk in there and there[pk] != row]
    )


# --- persons ------------------------------------------------------------------------------------------------


def _compute_persons(players: Collection[int]) -> set[int]:
    """Recompute the totals and deal counts of the persons to whom these players belong. Return the ids of the
    players and of these persons."""
    heads = dict(
        Player.objects.filter(pk__in=players).order_by().values_list("pk", Coalesce("same_as", "pk"))
    )
    # Deleted players and aliases lose their totals and get no new ones.
    persons = {*players, *heads.values()}
    rows = list(total_rows(set(heads.values())))
    Total.objects.filter(person__in=persons).delete()
    database.insert(Total, rows)
    figures = {person: {"public_deals": 0, "whole_deals": 0} for person in persons}
    for person, column, deals in seated_deals(set(heads.values())):
        figures[person][column] = deals
    _update_where_other(Player, figures)
    return persons


def total_rows(persons: Collection[int]) -> Iterator[Row]:
    """Compute the totals of persons from their cells. Yield `Total` rows. Four queries."""
    cells = Cell.objects.filter(player__in=persons).order_by()
    sums = {name: Sum(name) for name in MADE}
    for year in (Value(0), Coalesce(ExtractYear("played_on"), 0)):
        rows = cells if isinstance(year, Value) else cells.filter(played_on__isnull=False)
        by_view = []
        for seen, view in ((rows.filter(is_public=True), "public"), (rows, "whole")):
            keyed = seen.values("game", "rules", person=F("player"), year=year)
            summed = keyed.annotate(seated=Sum("seated"), **_of_counts(view), **sums)
            by_view.append({(row["person"], row["game"], row["rules"], row["year"]): row for row in summed})
        public, whole = by_view
        for key, row in whole.items():
            same = key in public and public[key]["seated"] == row["seated"]
            views = [(row, "both" if same else "whole")]
            if key in public and not same:
                views.append((public[key], "public"))
            for made, view in views:
                yield {name: value for name, value in made.items() if name != "seated"} | {"view": view}


def _of_counts(view: str) -> dict[str, Any]:
    """Return the columns of `Total` that depend on what counts, as expressions over the cells of a person.
    They must come before all other sums, whose names hide columns of `Cell`."""
    sums: dict[str, Any] = {"evenings": _evenings(counted("computed", view))}
    for count in ("verified", "all"):
        condition = counted(count, view)
        sums[f"{count}_evenings"] = _evenings(condition)
        for what, cells in CELL_VALUES[count].items():
            sums[f"{count}_{what}"] = Coalesce(Sum(cells, filter=condition), 0)
    for what in ("stated_deals", "stated_points"):
        sums[what] = Coalesce(Sum(what, filter=Q(**{f"in_{view}_total": False})), 0)
    return sums


def _evenings(condition: Q) -> Count:
    return Count("evening", distinct=True, filter=condition)


def seated_deals(persons: Collection[int]) -> Iterator[tuple[int, str, int]]:
    """Yield (person id, column of `Player`, number) for each nonzero deal count of these persons: the column
    is `public_deals` for public deals, `whole_deals` for all deals. Two queries."""
    cells = Cell.objects.filter(player__in=persons).order_by()
    for column, seen in (("public_deals", cells.filter(is_public=True)), ("whole_deals", cells)):
        for person, deals in seen.values_list("player").annotate(deals=Sum("seated")):
            yield person, column, deals


# --- tallies ------------------------------------------------------------------------------------------------


def tally_rows(kind: str, block: int) -> Iterator[Row]:
    """Yield the `Tally` rows for a block of ids. One query."""
    ids = range(block * Tally.BLOCK, (block + 1) * Tally.BLOCK)
    row = {"kind": kind, "block": block, "game": "", "verdict": ""}
    if kind != "deals":
        counted = Session.objects.all() if kind == "sessions" else Player.objects.filter(same_as=None)
        number = counted.filter(pk__range=(ids.start, ids.stop - 1), public_deals__gt=0).count()
        if number:
            yield row | {"number": number}
        return
    public = access.listed().order_by()
    earlier = public.filter(deal=OuterRef("deal"), pk__lt=OuterRef("pk"))
    firsts = public.filter(~Exists(earlier), deal__gte=ids.start, deal__lt=ids.stop)
    for game, verdict, number in firsts.values_list("deal__game", "verdict").annotate(number=Count("pk")):
        yield row | {"game": game, "verdict": verdict, "number": number}


def figure_rows(block: int) -> Iterator[Row]:
    """Yield the `Figure` rows for a block of deal ids. Two queries."""
    ids = {"deal__gte": block * Tally.BLOCK, "deal__lt": (block + 1) * Tally.BLOCK}
    scored = Contribution.objects.filter(**ids, verdict__in=SCORED, visibility__in=CHOSEN)
    seats = Seat.objects.filter(contribution__in=scored.order_by(), points__isnull=False).order_by()
    points: dict[int, dict[str, int]] = {}
    for pk, seat, number in seats.values_list("contribution_id", "seat", "points"):
        points.setdefault(pk, {})[seat] = number
    rows = scored.order_by("pk").values_list(
        "pk", "deal_id", "space_id", "visibility", "deal__rules_id", *COLUMNS
    )
    found: dict[tuple[int, bool, str, int], Lines] = {}
    shown: set[int] = set()
    dated: set[tuple[int, int, str]] = set()
    for pk, deal_id, space, visibility, rules, *columns in rows:
        deal, is_public = DealFacts(*columns), visibility == "public"
        for of in (space, 0) if is_public and deal_id not in shown else (space,):
            lines = found.setdefault((of, is_public, deal.game, rules or 0), Lines())
            lines.add(deal, points.get(pk, {}))
        for of in (space, 0) if is_public else (space,):
            # Two public contributions to a deal may have other dates, and a search finds the deal by both.
            if (of, deal_id, deal.month) not in dated:
                found[of, is_public, deal.game, rules or 0].add_month(deal, points.get(pk, {}))
                dated.add((of, deal_id, deal.month))
        if is_public:
            shown.add(deal_id)
    for (space, is_public, game, rules), lines in found.items():
        for (topic, key, role), line in lines.by_key.items():
            row = {"space": space, "is_public": is_public, "block": block, "game": game, "rules": rules}
            row |= {"topic": topic, "key": key, "role": role, "deals": line.deals, "seats": line.seats}
            yield row | {"won": line.won, "points": line.points}


def fill_hands() -> int:
    """Fill in the hands and the doubles of at most `MOST` deals that an earlier release stored, which may
    still be running. Return the number of deals changed."""
    deals = Deal.objects.filter(doubles=None).order_by("pk").values_list("pk", "kind", "text", "game")[:MOST]
    rows = []
    for pk, kind, text, game in deals:
        has_doubles = game in GAMES and bool(GAMES[game].table.STAKES)
        record = read_one(text) if kind == "played" or has_doubles else None
        doubles = packed_sheets.pack_doubles(check(record)) if record and has_doubles else ""
        packed = hands.pack(record) if record and kind == "played" else ""
        rows.append({"id": pk, "hands": packed, "doubles": doubles})
    database.update(Deal, rows)
    return len(rows)


def fill_sort_names() -> int:
    """Fill in missing sort keys of at most `MOST` players that were created by an earlier release, which may
    still be running. Return the number of players changed."""
    players = list(Player.objects.filter(sort_name=None).select_related("same_as")[:MOST])
    names = [Player._meta.get_field(name) for name in ("sort_name", "sort_name_cs")]
    rows = [{"id": one.pk, **{field.name: field.pre_save(one, False) for field in names}} for one in players]
    database.update(Player, rows)
    return len(players)
