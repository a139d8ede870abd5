"""The values for a session's page and printed report, its picture, and its CSV file."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from archive.access import EVERYBODY, Viewer
from archive.models import Player, Session
from archive.publishing import export
from archive.reading.sessions import (
    EveningTotal,
    SessionTable,
    Standing,
    played_in,
    session_table,
)
from archive.rules import Rules
from replays.clubs import standings
from replays.clubs.session_rows import Row, is_even, is_zero_sum, number_of, rows
from replays.clubs.totals import WIDE, Link, Totals, totals
from replays.language import words
from replays.language.money import Stake
from replays.site.paths import path
from tarock import games
from tarock.core.options import POINT
from tarock.core.payments import Payment, payments

MOST_GAPS = 12
"""Maximum number of gaps in the deal numbers, or of duplicate numbers, to list."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result by one rule set in a session. `rules`: the rule set; `game`: name of the game and its rules,
    unless all deals of the session are by the source rules of one game; `unit`: unit of the points;
    `places`: the standings by rank; `columns`: the standings in the order of the table's columns, None for a
    player without a standing; `chart`, `wide`: the running totals in two sizes; `stake`: money per point, if
    players pay for points; `payments`: the payments that settle the evening; `dearest`: the deal in which the
    most points changed hands, None if there is only one deal."""

    rules: Rules
    game: str
    unit: str
    places: list[Standing]
    columns: list[Standing | None]
    chart: Totals | None
    wide: Totals | None
    stake: Stake | None
    payments: list[Payment[Player]]
    dearest: Row | None

    def written(self, payment: Payment[Player]) -> str:
        """Return a payment as text, with its money if it is known: “Petr → Jana: 12 (1,20 Kč)”."""
        money = f" ({self.stake.paid(payment.points)})" if self.stake else ""
        people = f"{payment.payer.display_name} → {payment.recipient.display_name}"
        return words.colon(people, f"{words.amount(payment.points, self.unit)}{money}")


@dataclass(frozen=True, slots=True)
class Evening:
    """A session without its rows: heading, players and results. `sheets`: numbers of the deals recorded
    without cards; `sums`: whether the points of every deal add up to 0, None if they don't have to; `totals`:
    stated totals of the evening."""

    session: Session
    days: str
    places: str
    games: str
    players: list[Player]
    remarks: list[str]
    results: list[Result]
    sheets: str
    sums: bool | None
    totals: list[EveningTotal]
    rules: TableRules | None = None


@dataclass(frozen=True, slots=True)
class TableRules:
    """The rules by which the deals of a session were entered at the table. `name`: what the table calls them,
    or their options."""

    rules: Rules
    name: str

    @property
    def text(self) -> str:
        """The rules as text, with the unit: “Rules: hlucin-club@1 · Amounts in h: 100 h = 1 Kč”."""
        named = _("Rules: %(rules)s") % {"rules": self.name}
        return " · ".join(filter(None, [named, words.unit_note(self.rules.unit)]))


def rules_of(session: Session) -> TableRules | None:
    """Return the rules of a session that was entered at a table; None for the rules of the source."""
    evening = getattr(session, "evening", None)
    if evening is None or not evening.options:
        return None
    name = evening.rules or words.options(evening.game, evening.options)
    return TableRules(Rules.of(evening.game, evening.options), name)


def _named(rules: Rules, at_table: TableRules | None) -> str:
    """Return the name of a rule set, as the table calls it if these are its rules."""
    return words.rules_name(rules, at_table.name if at_table and at_table.rules == rules else "")


def evening(session: Session, table: SessionTable, stake: Stake | None = None) -> Evening:
    """Return a session's heading, players and results. `stake`: money per point."""
    scored, at_table = [row for row in table.rows if row.is_scored], rules_of(session)
    return Evening(
        session=session,
        days=_days([row.date for row in table.rows]) or words.day(session.date),
        places=words.listed(dict.fromkeys(row.site for row in table.rows if row.site)),
        games=words.listed(words.game_name(game) for game in _games(table)),
        players=table.players,
        remarks=[*_numbers(table), *(_unpaid(table) if stake else ()), *_counted(table)],
        results=[_result(table, rules, stake, _named(rules, at_table)) for rules in table.standings],
        sheets=words.listed(_runs([row.number for row in table.rows if row.is_sheet and row.number])),
        sums=all(map(is_even, scored)) if any(map(is_zero_sum, scored)) else None,
        totals=table.totals,
        rules=at_table,
    )


def message(evening: Evening, link: str, *, is_over: bool) -> str:
    """Return the points of an evening, and the payments if it is over, as a text to send to the players.
    `link`: URL of its page, or empty."""
    lines = [words.session_name(evening.session), *([evening.rules.text] if evening.rules else [])]
    for result in evening.results:
        points = words.listed(
            f"{one.player.display_name} {words.points(one.total, result.unit)}" for one in result.places
        )
        lines.append(words.colon(result.game, points) if result.game else points)
        lines += map(result.written, result.payments if is_over else ())
    return "\n".join(filter(None, [*lines, link]))


def picture(session: Session, club: str = "", *, by_club: bool = False, viewer: Viewer = EVERYBODY) -> str:
    """Return a picture of a session as SVG. It shows the rules with the most scored deals, of those that the
    `viewer` may see. The `club` is printed below the session's name; with `by_club`, the club is the
    title."""
    table = session_table(session, get_language() or "en", viewer)
    days = _days([row.date for row in table.rows])
    scored = [row for row in table.rows if row.is_scored]
    numbers = Counter(row.rules for row in scored)
    parts, chart, rows = [days], None, []
    if table.standings:
        rules = max(table.standings, key=lambda one: numbers[one])
        parts.append(_named(rules, rules_of(session)))
        of_rules = [row for row in scored if row.rules == rules]
        runs = {
            str(one.player.pk): [row.totals.get(one.player.pk, 0) for row in of_rules]
            for one in table.standings[rules][: standings.MOST_ROWS]
        }
        is_run = not any(total.counts for total in table.totals)
        chart = totals(runs if is_run else {}, [number_of(row) for row in of_rules])
        colours = (
            {curve.name: standings.curve_colour(curve.number) for curve in chart.curves} if chart else {}
        )
        rows = [
            standings.Row(
                one.place,
                one.player.display_name,
                one.total,
                colours.get(str(one.player.pk), ""),
                rules.unit,
            )
            for one in table.standings[rules]
        ]
    title, other = (club, session.name) if by_club else (session.name, club)
    return standings.svg(title, " · ".join(filter(None, [other, *parts])), rows, chart)


def _result(table: SessionTable, rules: Rules, stake: Stake | None, name: str) -> Result:
    places = table.standings[rules]
    standings = {standing.player.pk: standing for standing in places}
    scored = [row for row in table.rows if row.is_scored and row.rules == rules]
    runs = {
        name: [row.totals.get(pk, 0) for row in scored]
        for pk, name in _apart(table.players).items()
        if pk in standings
    }
    # The running totals don't lead to the standings if a stated total counts instead of deals.
    if any(total.counts and total.covers(rules) for total in table.totals):
        runs = {}
    numbers = [number_of(row) for row in scored]
    names = _apart(table.players)
    links = [
        Link(
            path("deal", row.key),
            words.colon(
                number,
                words.listed(f"{names[pk]} {words.points(row.points[pk], rules.unit)}" for pk in row.points),
            ),
        )
        for row, number in zip(scored, numbers, strict=True)
    ]
    is_paid = rules in _paid_rules(table)
    # Of several ways with the same number of payments, the order decides; the app orders by name, too.
    by_name = sorted(places, key=lambda one: one.player.name)
    dearest = max(scored, key=lambda row: sum(map(abs, row.points.values()))) if len(scored) > 1 else None
    at = table.rows.index(dearest) if dearest else 0
    return Result(
        rules=rules,
        game=name if len(table.standings) > 1 or rules.options else "",
        unit=rules.unit,
        places=places,
        columns=[standings.get(player.pk) for player in table.players],
        chart=totals(runs, numbers, links=links),
        wide=totals(runs, numbers, WIDE, links=links),
        stake=stake if is_paid and rules.unit == POINT else None,
        payments=payments({one.player: one.total for one in by_name} if is_paid else {}),
        dearest=rows(table, {}, at, at + 1)[0] if dearest else None,
    )


def _paid_rules(table: SessionTable) -> set[Rules]:
    """Return the rules of a session by which players pay each other in every deal. In games where each player
    keeps a separate account, nobody pays (`grosstarock.two-account`; Strohmanntarock)."""
    unpaid = {row.rules for row in table.rows if row.is_scored and not is_zero_sum(row)}
    return table.standings.keys() - unpaid


def _games(table: SessionTable) -> list[str]:
    """Return the games of a session, in the order played, then those of stated totals."""
    return list(dict.fromkeys([row.game for row in table.rows] + [total.game for total in table.totals]))


def _counted(table: SessionTable) -> Iterator[str]:
    """Yield a remark if a stated total counts instead of deals of the session."""
    if table.rows and any(total.counts for total in table.totals):
        yield _("The stated total of the evening counts instead of the deals of its players.")


def _unpaid(table: SessionTable) -> Iterator[str]:
    """Yield a remark for each game in which players don't pay for points."""
    unpaid = table.standings.keys() - _paid_rules(table)
    for game in dict.fromkeys(rules.game for rules in table.standings if rules in unpaid):
        if game in games.GAMES:
            yield _(
                "%(game)s: points are not converted to money, because each of the two players keeps a "
                "separate account and neither pays the other."
            ) % {"game": words.game_name(game)}


def listed(sessions: Sequence[Session], viewer: Viewer) -> list[tuple[Session, str, str]]:
    """Return each session with its games and the places where it was played."""
    played = played_in(sessions, viewer)
    rows = []
    for session in sessions:
        own = [(game, site) for pk, game, site in played if pk == session.pk]
        games = words.listed(words.game_name(game) for game in dict.fromkeys(game for game, _site in own))
        places = words.listed(dict.fromkeys(site for _game, site in own if site))
        rows.append((session, games, places))
    return rows


def _apart(players: Sequence[Player]) -> dict[int, str]:
    """Map player ids to names; append the id to names that occur twice."""
    names = {player.pk: player.display_name for player in players}
    number = Counter(names.values())
    return {pk: f"{name} {pk}" if number[name] > 1 else name for pk, name in names.items()}


def _days(dates: Sequence[str]) -> str:
    """Return the days of a session in words: all of them if there are at most three, otherwise the first and
    the last."""
    days = sorted({day for day in dates if words.day(day)})
    if len(days) > 3:
        return f"{words.day(days[0])} – {words.day(days[-1])}"
    return words.listed(words.day(day) for day in days)


def _runs(numbers: Sequence[int]) -> Iterator[str]:
    """Yield the sorted numbers as texts, with consecutive numbers joined as in “4–7”."""
    for _offset, run in itertools.groupby(enumerate(sorted(set(numbers))), lambda pair: pair[1] - pair[0]):
        found = [number for _place, number in run]
        yield str(found[0]) if len(found) == 1 else f"{found[0]}–{found[-1]}"


def _numbers(table: SessionTable) -> Iterator[str]:
    """Yield remarks on missing numbers, deals that were thrown in, and numbers that occur twice."""
    numbers = sorted(row.number for row in table.rows if row.number is not None)
    thrown_in = table.thrown_in.difference(numbers)
    gaps = [
        str(low + 1) if low + 2 == high else f"{low + 1}–{high - 1}"
        for low, high in itertools.pairwise([0, *sorted([*numbers, *thrown_in])])
        if high > low + 1
    ]
    if gaps:
        listed = gaps[:MOST_GAPS] + ["…"] * (len(gaps) > MOST_GAPS)
        yield _("Missing numbers: %(numbers)s.") % {"numbers": words.listed(listed)}
    if thrown_in:
        yield _("Thrown in: %(numbers)s.") % {"numbers": words.listed(_runs([*thrown_in]))}
    twice = dict.fromkeys(str(one) for one, next_one in itertools.pairwise(numbers) if one == next_one)
    if twice:
        listed = [*twice][:MOST_GAPS] + ["…"] * (len(twice) > MOST_GAPS)
        yield _("Duplicate numbers: %(numbers)s.") % {"numbers": words.listed(listed)}


# --- CSV ----------------------------------------------------------------------------------------------------

HEAD = (
    "number", "deal", "date", "place", "game", "rules", "unit", "contract", "verdict", "kind", "dealer",
    "declarer", "partner", "card_points",
)  # fmt: skip


def as_csv(
    table: SessionTable,
    counted: Mapping[int, Mapping[str, int]],
    stake: Stake | None = None,
    delimiter: str = ",",
) -> str:
    """Return a session as CSV (RFC 4180), one row per deal, then one per stated total of the evening. Each
    player has columns for the points, the running total by these rules and, if there is a stake and players
    pay for points, the money for the deal. The points of players who sat out are empty."""
    head = [*HEAD]
    for player in table.players:
        head += [player.display_name, f"{player.display_name} (total)"]
        head += [f"{player.display_name} (money)"] if stake else []
    lines = [export.line(head, delimiter)]
    paid = _paid_rules(table)
    for shown in rows(table, counted):
        row = shown.row
        of_rules = (row.game, row.rules.text, row.rules.unit)
        columns = (row.date, row.site, *of_rules, row.contract, row.verdict, row.kind)
        people = (shown.dealer, shown.declarer, shown.partner)
        cells: list[Any] = [row.number, row.key.deal, *columns, *people, shown.card_points]
        for cell in shown.cells:
            made = cell.points
            cells += [made, cell.total]
            if stake:
                is_paid = made is not None and row.rules in paid and row.rules.unit == POINT
                cells.append(stake.of(made) if made is not None and is_paid else None)
        lines.append(export.line(cells, delimiter))
    for total in table.totals:
        of_rules = (total.game, total.rules.text, total.rules.unit)
        cells = [None, total.key.deal, "", "", *of_rules, "", "stated", "result", "", "", "", None]
        for player in table.players:
            cells += [total.points.get(player.pk), None, *([None] if stake else [])]
        lines.append(export.line(cells, delimiter))
    return "".join(lines)
