"""JSON answers for the evening page: the form of a deal, and the standings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Annotated, Any, NamedTuple

from tarock.analysis.verify import Check, check, table_warnings, warnings
from tarock.core import seating
from tarock.core.findings import NotationError
from tarock.core.game import GameInfo
from tarock.core.options import POINT
from tarock.core.outcome import paid_at_once
from tarock.core.payments import payments
from tarock.core.persons import folded, is_nobody, lookalikes, told_apart
from tarock.core.record import Record
from tarock.core.scoring import add_up
from tarock.games import GAMES, game, games, profiles_of
from tarock.notation import read_rules, read_value
from tarock.view.answers.fields import OPEN, BadQuestion, Count, Language
from tarock.view.entry.sheet_form import Choice, FormField, Row, Tap, form_fields, reseated, tapped
from tarock.view.finding import FindingView
from tarock.view.page_json import Json, clause_json
from tarock.view.score import line_view
from tarock.words import clauses, sentences
from tarock.words.amounts import amount, unit_name
from tarock.words.house_rules import rule_lines
from tarock.words.names import PlayerNames, label

DealNumber = Annotated[int, range(1, 10**9)]
"""Number of a deal, as in the tag `Deal`."""


class Deal(NamedTuple):
    """The sheet of a deal; other keys are ignored. Most values may have any type, because the record reader
    checks them."""

    n: DealNumber
    players: Any = None
    dealer: Any = None
    options: list[Any] = []
    lines: list[Any] = []
    comment: str = ""


class ThrownIn(NamedTuple):
    """A deal that was thrown in, with its players, if known, in the order of play from forehand."""

    n: DealNumber
    turn: tuple[str, ...] = ()


class Setup(NamedTuple):
    """The settings of an evening that the engine needs; other keys are ignored."""

    game: str
    name: str = ""
    date: str = ""
    place: str = ""
    table: tuple[str, ...] = ()
    dealer: str = ""
    seats: Count = 0  # number of seats in each deal; 0: as many as the game allows
    options: tuple[str, ...] = ()
    rules: str = ""  # name of the rule set that the options make up
    thrown_in: tuple[DealNumber | ThrownIn, ...] = ()


def record_form(
    deal: Mapping[str, Any],
    game: str,
    name: str,
    date: str,
    place: str,
    options: Sequence[str] = (),
    rules: str = "",
) -> Json:
    """Return the JSON form of the record for a deal of an evening: its sheet, with the tags of the evening.

    `deal`: see `Deal`; its values may have any type. `options`, `rules`: those of the evening; a deal with
    other options is not by these rules.
    """
    own = deal.get("options") == [*options]
    tags = {"Session": name, "Date": date, "Site": place, "Rules": rules if own else ""}
    form: Json = {
        "tgn": 1,
        "game": game,
        "dealer": deal.get("dealer"),
        "players": deal.get("players"),
        "options": deal.get("options"),
        "tags": {key: value for key, value in tags.items() if value} | {"Deal": str(deal.get("n"))},
        "sheet": deal.get("lines"),
    }
    if deal.get("comment"):
        form["comments"] = {"0": [deal["comment"]]}
    return form


def form_answer(
    *,
    deal: Annotated[Deal, OPEN],
    setup: Annotated[Setup, OPEN],
    tap: Tap | None = None,
    was: dict[str, Any] | None = None,
    language: Language = "en",
) -> Json:
    """Return the form for a deal after a tap, and the results for the entered lines.

    `tap`: None for the first form; `was`: the names by seat for which the lines were entered, if the players
    have changed seats since. In the answer, `paid` has the points so far, in games whose players pay during
    the deal. While there are `warnings` (the same name at two seats, or an impossible date), the page does
    not save the deal.

    :raises NotationError: if the deal, the setup or the tap is invalid.
    """
    if was:
        now = _record(deal._replace(lines=[]), setup)
        seat_of = {now.players[seat]: seat for seat in now.active}
        named = {seat: folded(name) for seat, name in was.items() if isinstance(name, str)}
        seats = {seat: seat_of[name] for seat, name in named.items() if name in seat_of}
        deal = deal._replace(lines=reseated(setup.game, deal.lines, seats))
    record = _record(deal, setup)
    lines = tapped(record, tap)
    record = replace(record, sheet=lines)
    checked = check(record)
    names = PlayerNames(record.game, record.players, language)
    table = GAMES[record.game].table
    begun, odd = paid_at_once(table.OUTCOME, record.seating, record.rules, lines)
    fields = form_fields(record, (*checked.errors, *odd), names)
    beside = {id(finding) for one in fields for finding in one.findings}
    paid = begun and add_up(record.seats, table.settle(begun))
    unit = _unit(record)
    return {
        "lines": [list(line) for line in lines],
        "fields": [_field_json(one, names) for one in fields],
        "findings": [FindingView(one, names).as_json() for one in checked.errors if id(one) not in beside],
        "warnings": [FindingView(one, names).as_json() for one in warnings(record)],
        "out": [name for seat, name in record.players.items() if seat not in record.active],
        "verdict": checked.verdict,
        "score": checked.score,
        "paid": paid,
        "amounts": _amounts(checked.score or paid or {}, unit, language),
        "sheet": [
            line_view(line, names).as_json() | {"amounts": _amounts(line.points, unit, language)}
            for line in checked.lines
        ],
    }


def _unit(record: Record) -> str:
    """Return what 1 of the score is."""
    return str(record.rules.unit)


def _amounts(points: Mapping[str, int], unit: str, language: str) -> dict[str, str]:
    """Return signed points with their unit, as text."""
    return {of: amount(number, unit, language, signed=True, money=False) for of, number in points.items()}


def _record(deal: Deal, setup: Setup) -> Record:
    """Return the record of a deal, with its lines in the order in which they were entered."""
    # A sheet needs at least one line, so read it with a placeholder line before the first tap.
    form = deal._asdict() | {"lines": deal.lines or [["points"]]}
    evening = (setup.game, setup.name or "–", setup.date, setup.place, setup.options, setup.rules)
    record = read_value(record_form(form, *evening))
    entered = {tuple(line): number for number, line in enumerate(deal.lines)}
    sheet = sorted(record.sheet or (), key=lambda line: entered.get(line, 0))
    players = {seat: folded(name) for seat, name in record.players.items()}
    return replace(record, players=players, sheet=tuple(sheet) if deal.lines else ())


def _field_json(one: FormField, names: PlayerNames) -> Json:
    return {
        "name": one.name,
        "label": one.label,
        "needed": one.needed,
        "stated": one.stated,
        "rows": [_form_row_json(row) for row in one.rows],
        "findings": [FindingView(finding, names).as_json() for finding in one.findings],
        **clause_json(one.clause, names),
    }


def _form_row_json(row: Row) -> Json:
    choices = [_choice_json(choice) for choice in row.choices]
    return row._asdict() | {"choices": choices, "number": row.number and row.number._asdict()}


def _choice_json(choice: Choice) -> Json:
    return choice._asdict() | {"then": [_choice_json(one) for one in choice.then]}


# --- the evening --------------------------------------------------------------------------------------------


def games_answer(*, language: Language = "en") -> Json:
    """Return the games that can be played: names, numbers of seats, direction of play, options that the
    source leaves to each table, and published rule sets with their options."""
    found = []
    for info in games():
        words = clauses.words(info.id, language)
        open_ones = [slug for slug, option in info.rules.table().items() if option.of_source]
        options = [{"word": slug, "label": label(words["options"][slug])} for slug in open_ones]
        name = clauses.book(info.id, language).name
        game = {"id": info.id, "name": name, "seats": list(info.seats), "direction": info.direction}
        names = sentences.Names(info.id, language)
        rules = [
            {"name": one.name, "title": sentences.rules_name(one.name, names), "options": list(one.words)}
            for one in profiles_of(info.id)
        ]
        found.append(game | {"options": options, "rules": rules})
    return {"games": found}


def rules_answer(
    *, game: str, options: tuple[str, ...] = (), rules: str = "", language: Language = "en"
) -> Json:
    """Return the options of a rule set that differ from the source of the rules, as sentences, the unit of
    its amounts (empty for plain points), and its faults. `rules`: its name."""
    if game not in GAMES:
        raise BadQuestion("There is no such game.")
    words, findings = read_rules(options, rules, GAMES[game].info)
    names = PlayerNames(game, {}, language)
    lines = [] if findings else rule_lines(game, words, language)
    return {
        "lines": [line.sentence for line in lines if line.differs],
        "unit": "" if findings else _unit_of(game, words),
        "findings": [FindingView(finding, names).as_json() for finding in findings],
    }


def _unit_of(game_id: str, options: Sequence[str]) -> str:
    unit = str(GAMES[game_id].info.rules.of(options).unit)
    return "" if unit == POINT else unit


def table_answer(
    *,
    table: tuple[str, ...] = (),
    date: str = "",
    name: str | None = None,
    known: tuple[str, ...] = (),
    language: Language = "en",
) -> Json:
    """Return errors in the date and in the players' names at a table, and suggestions for a typed name.

    `table`: names in the order of the seats; `name`: another name, as it was typed; `known`: names of the
    club's players. In the answer, `name` is the name as it will be stored, and `alike` lists the names at the
    table or in `known` that may mean the same person. `alike` is empty if a known player has exactly this
    name.
    """
    alike: list[str] = []
    if name is not None:
        name = told_apart([*table, name])[-1]
        of_club = [folded(one) for one in known]
        if name not in of_club:
            groups = lookalikes([name, *table, *of_club])
            alike = [one for group in groups if name in group for one in group if one != name]
        table = (*table, name)
    findings = _findings(table, date, language)
    return {"findings": findings, "name": name, "alike": alike}


def _findings(table: Sequence[str], date: str, language: str) -> list[Json]:
    names = PlayerNames("common", {}, language)
    players = {str(seat): name for seat, name in enumerate(table)}
    return [FindingView(one, names).as_json() for one in table_warnings(players, date)]


def evening_answer(
    *,
    setup: Annotated[Setup, OPEN],
    deals: tuple[Annotated[Deal, OPEN], ...] = (),
    dealer: str | None = None,
    out: tuple[str, ...] = (),
    language: Language = "en",
) -> Json:
    """Return the state of an evening: its deals in order with running totals, the standings, the payments
    that settle it (none if each player keeps a separate account), the next deal.

    `dealer` and `out`: the dealer of the next deal and the players who sit out, by default those whose turn
    it is. A thrown-in deal may be given by its number alone. Points of an unknown player are not added up,
    and neither are those of deals by other rules than the evening's (`other_rules` of their rows).
    While there are `findings` (as in `table_answer`), the page does not continue.
    """
    totals: Counter[str] = Counter()
    played: Counter[str] = Counter()
    # The players of each deal are in the order of play from forehand on.
    thrown_in = (one if isinstance(one, ThrownIn) else ThrownIn(one) for one in setup.thrown_in)
    players: dict[int, Sequence[str]] = {one.n: one.turn for one in thrown_in}
    rows, players_pay = [], True
    for number, deal in sorted({deal.n: deal for deal in deals}.items()):
        try:
            record = _record(deal, setup)
        except NotationError as bad:
            malformed = Check(number, "malformed", errors=(bad.finding,))
            rows.append(_row_json(malformed, None, setup, totals, language))
            continue
        checked = check(record, number)
        if checked.score is not None and not _by_other_rules(record, setup):
            players_pay = players_pay and game(record.game).zero_sum(len(record.seats))
            for seat in _known_active(record):
                totals[record.players[seat]] += checked.score[seat]
                played[record.players[seat]] += 1
        at = record.seats.index(record.seating.forehand)
        players[number] = [record.players[seat] for seat in (*record.seats[at:], *record.seats[:at])]
        rows.append(_row_json(checked, record, setup, totals, language))
    by_name = {name: totals[name] for name in sorted(totals)}
    unit = str(info.rules.of(setup.options).unit) if (info := _info(setup)) else POINT
    order = {name: at for at, name in enumerate(_table(setup))}
    place = seating.places(totals)
    standings = [
        {
            "place": place[name],
            "name": name,
            "deals": played[name],
            "total": totals[name],
            "amount": amount(totals[name], unit, language, signed=True),
        }
        for name in sorted(totals, key=lambda name: (place[name], order.get(name, len(order)), name))
    ]
    return {
        "deals": rows,
        "standings": standings,
        "unit": "" if unit == POINT else unit_name(unit, language),
        "payments": [
            payment._asdict() | {"amount": amount(payment.points, unit, language)}
            for payment in payments(by_name if players_pay else {})
        ],
        "next": _next(setup, players, dealer, out),
        "findings": _findings(setup.table, setup.date, language),
    }


def _info(setup: Setup) -> GameInfo | None:
    """Return the game of an evening; None for a game that this engine doesn't have."""
    return GAMES[setup.game].info if setup.game in GAMES else None


def _by_other_rules(record: Record, setup: Setup) -> bool:
    return record.options != setup.options


def _known_active(record: Record) -> list[str]:
    """Return the active seats of a deal, except those of unknown players."""
    return [seat for seat in record.active if not is_nobody(record.players[seat])]


def _row_json(
    checked: Check, record: Record | None, setup: Setup, totals: Mapping[str, int], language: str
) -> Json:
    """Return the row of a deal; `record` is None if the deal is not a valid sheet."""
    names = PlayerNames(checked.game or "common", record.players if record else {}, language)
    heading = sentences.heading(checked.facts, names)
    points = checked.score or {}
    seats = _known_active(record) if record and points else ()
    score = {names.players[seat]: points[seat] for seat in seats}
    return {
        "n": checked.n,
        "heading": names.capitalised(names.between("comma").join(heading)),
        "details": names.between("semicolon").join(_details(checked, language)),
        "verdict": checked.verdict,
        "score": score or None,
        "amounts": _amounts(score, _unit(record), language) if record else {},
        "other_rules": record is not None and _by_other_rules(record, setup),
        "totals": dict(totals),
        "findings": [FindingView(one, names).as_json() for one in checked.errors],
    }


def _details(checked: Check, language: str) -> list[str]:
    """Return what the points of a deal come from: the card points, as “42:28” or, if the game was doubled,
    “42:28 ×2”, and the titles of the bonuses. Empty without a score."""
    if checked.score is None:
        return []
    counted = ":".join(map(str, (checked.facts.get("card_points") or {}).values()))
    doubled = (checked.facts.get("doubles") or {}).get("game", 1)
    titles = (clauses.clause(slug, language).title for slug in dict.fromkeys(checked.facts["bonuses"]))
    return [*filter(None, [f"{counted} ×{doubled}" if counted and doubled > 1 else counted]), *titles]


def _next(setup: Setup, players: Mapping[int, Sequence[str]], dealer: str | None, out: Sequence[str]) -> Any:
    """Return the seating of the next deal; None if there are too few players. `players`: deal number →
    players."""
    table = _table(setup)
    info = _info(setup)
    seats = seating.seats_at(info, len(table), setup.seats) if info else 0
    if info is None or not seats:
        return None
    by_turn = seating.next_dealer(table, setup.dealer, [players[n] for n in sorted(players)])
    number = max(players, default=0) + 1
    found = seating.seated(info, table, seats, dealer if dealer in table else by_turn, number, out)
    return asdict(found) | {"options": setup.options}


def _table(setup: Setup) -> list[str]:
    """Return the players at the table, without duplicates."""
    return list(dict.fromkeys(told_apart(setup.table)))
