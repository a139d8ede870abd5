"""The rows of a session's table: each deal in words, with its remarks and what each player gained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from archive.models import Seated
from archive.reading.sessions import SessionRow, SessionTable
from replays.language import words
from replays.language.verdicts import Verdict, verdict
from tarock import games
from tarock.core.options import POINT


@dataclass(frozen=True, slots=True)
class Cell:
    """A player's points in a deal. `total`: their points in all deals of this game so far, None before their
    first deal; `out`: whether the player sat out, or was away between two of their deals."""

    points: int | None
    total: int | None
    out: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A deal in words. `contract`: the contract's name, with the unit of the points if the session has
    several rules, or the name of game and rules if there was no contract; `played`: the contract's name,
    after that of game and rules if there are several."""

    row: SessionRow
    number: str
    contract: str
    played: str
    declarer: str
    partner: str
    dealer: str
    card_points: str
    verdict: Verdict
    cells: list[Cell]
    remarks: list[str]


def rows(
    table: SessionTable, counted: Mapping[int, Mapping[str, int]], first: int = 0, last: int | None = None
) -> list[Row]:
    """Return the rows of a session from index `first` up to but not including `last`. `counted`: card points
    of each side or seat, by deal id."""
    names = {player.pk: player.display_name for player in table.players}
    # For each row, the deal before it, which shows whose turn it is to deal.
    before = [None, *table.rows][first:last]
    several = len({row.rules for row in table.rows}) > 1
    there: dict[int | None, range] = {}  # for each player, the rows from their first deal to their last
    for at, row in enumerate(table.rows):
        for player in row.seats.values():
            there[player] = range(there.get(player, range(at, at)).start, at + 1)
    return [
        _row(
            row,
            previous,
            table,
            names,
            counted.get(row.key.deal, {}),
            several,
            {player for player, span in there.items() if at in span} - {*row.seats.values()},
        )
        for at, (previous, row) in enumerate(zip(before, table.rows[first:last], strict=False), first)
    ]


def _row(
    row: SessionRow,
    before: SessionRow | None,
    table: SessionTable,
    names: Mapping[int, str],
    counted: Mapping[str, int],
    several: bool,
    away: set[int | None],
) -> Row:
    remarks = []
    if expected := _dealer_by_turn(before, row, table.thrown_in):
        values = {"dealer": _name(row, row.dealer, names), "expected": names[expected]}
        remarks.append(_("%(dealer)s dealt, though it was %(expected)s’s turn.") % values)
    if not row.is_scored:
        remarks.append(_("No score."))
    elif not is_even(row):
        remarks.append(_("The points do not add up to 0."))
    cells = [
        Cell(
            points=row.points.get(player.pk),
            total=row.totals.get(player.pk),
            out=player.pk in row.sat_out or player.pk in away,
        )
        for player in table.players
    ]
    game = words.rules_name(row.rules) if several else ""
    contract = words.contract(row.game, row.contract)
    unit = f" · {row.rules.unit}" if several and contract and row.rules.unit != POINT else ""
    return Row(
        row=row,
        number=number_of(row),
        contract=f"{contract}{unit}" or game,
        played=words.colon(game, contract) if game and contract else contract or game,
        declarer=_name(row, row.declarer, names),
        partner=_name(row, row.partner, names),
        dealer=_name(row, row.dealer, names),
        card_points=":".join(str(points) for points in counted.values()),
        verdict=verdict(row.verdict),
        cells=cells,
        remarks=remarks,
    )


def _name(row: SessionRow, seat: str, names: Mapping[int, str]) -> str:
    """Return the name of the player at a seat of a deal, or an empty string if `seat` is empty."""
    if not seat:
        return ""
    person = row.seats[seat]
    return names[person] if person is not None else words.seat_name(Seated(seat, None, None, row.names[seat]))


def _dealer_by_turn(before: SessionRow | None, row: SessionRow, thrown_in: frozenset[int]) -> int | None:
    """Return the id of the player whose turn it was to deal, if another player dealt; otherwise None. The
    turn moves by one seat per deal. It is unknown after a change of players, if the deal numbers don't show
    how many deals were in between, and after a thrown-in deal, because clubs differ in who deals next."""
    if before is None or set(before.seats.values()) != set(row.seats.values()) or row.names:
        return None
    if not (before.dealer and row.dealer):
        return None
    deals_since = 1
    if row.number is not None and before.number is not None:
        deals_since = row.number - before.number
        if thrown_in.intersection(range(before.number + 1, row.number)):
            return None
    elif row.number != before.number:
        return None
    if deals_since < 1:
        return None
    order = list(before.seats)
    turn = before.seats[order[(order.index(before.dealer) + deals_since) % len(order)]]
    return None if turn == row.seats[row.dealer] else turn


def number_of(row: SessionRow) -> str:
    """Return the number of a row in the table; that of its deal, with a №, if it has none of its own."""
    return str(row.number) if row.number is not None else f"№ {row.key.deal}"


def is_even(row: SessionRow) -> bool:
    """Return whether the points of a deal add up to 0. Also return True if they don't have to in this game,
    or if a player is unknown."""
    return not is_zero_sum(row) or bool(row.names) or sum(row.points.values()) == 0


def is_zero_sum(row: SessionRow) -> bool:
    """Return whether the points of a deal at this number of seats always add up to zero."""
    return row.game in games.GAMES and not games.game(row.game).may_leave_rest(len(row.seats))
