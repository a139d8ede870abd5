"""What the page of an evening needs of the engine, as JSON: the form of a deal, and how things stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from tarock import clauses, evening, sentences
from tarock.entry_form import FormField, Row, Tap, form_fields, tapped
from tarock.findings import Finding, NotationError
from tarock.games import games
from tarock.naming import PlayerNames, label
from tarock.notation import read_value
from tarock.notation.faults import quoted
from tarock.page_json import Json, clause_json, finding_json, language_of, line_json, list_in, object_in
from tarock.persons import folded, is_nobody, lookalikes, told_apart
from tarock.record import Record
from tarock.verify import Check, check, table_warnings, warnings

#: As in the tag `Deal`.
_MOST_DEALS = 10**9


def record_form(deal: Mapping[str, Any], setup: Mapping[str, Any]) -> Json:
    """The JSON form of the record of a deal of an evening: its sheet, with the tags that the evening has.

    `deal`: `n`, `players`, `dealer`, `options`, `lines`, `comment`; `setup`: `game`, `name`, `date`, `place`.
    """
    tags = {"Session": setup.get("name"), "Date": setup.get("date"), "Site": setup.get("place")}
    form: Json = {
        "tgn": 1,
        "game": setup.get("game"),
        "dealer": deal.get("dealer"),
        "players": deal.get("players"),
        "options": deal.get("options", []),
        "tags": {name: value for name, value in tags.items() if value} | {"Deal": str(deal.get("n"))},
        "sheet": deal.get("lines"),
    }
    if deal.get("comment"):
        form["comments"] = {"0": [deal["comment"]]}
    return form


def form_answer(question: Mapping[str, Any]) -> Json:
    """The form of a deal after a tap, and what follows from it.

    `deal`, `setup`: see `record_form`; `tap`: see `tarock.entry_form.Tap`, none to begin with; `language`.
    While there are `warnings` (one name at two seats, a date that can't be true), the page does not save it.

    :raises NotationError: if there can be no such sheet.
    """
    record = _record(question)
    tap = question.get("tap")
    lines = tapped(record, _tap(tap) if isinstance(tap, dict) else None)
    record = replace(record, sheet=lines)
    checked = check(record)
    names = PlayerNames(record.game, record.players, language_of(question))
    fields = form_fields(record, checked.errors, names)
    beside = {id(finding) for one in fields for finding in one.findings}
    return {
        "lines": [list(line) for line in lines],
        "fields": [_field_json(one, names) for one in fields],
        "findings": [finding_json(one, names) for one in checked.errors if id(one) not in beside],
        "warnings": [finding_json(one, names) for one in warnings(record)],
        "verdict": checked.verdict,
        "score": checked.score,
        "sheet": [line_json(line, names) for line in checked.lines],
    }


def _record(question: Mapping[str, Any]) -> Record:
    """The record of the deal in a question, its lines in the order in which they were entered."""
    deal, setup = object_in(question, "deal"), object_in(question, "setup")
    lines = deal.get("lines") or []
    # A sheet has a line at least: before the first tap it is read with one that is then left out.
    stand_in = [["points"]]
    name = setup.get("name") or "–"
    record = read_value(record_form({**deal, "lines": lines or stand_in}, {**setup, "name": name}))
    entered = {tuple(line): number for number, line in enumerate(lines)}
    sheet = sorted(record.sheet or (), key=lambda line: entered.get(line, 0))
    players = {seat: folded(name) for seat, name in record.players.items()}
    return replace(record, players=players, sheet=tuple(sheet) if lines else ())


def _number(deal: object) -> int:
    """The number of a deal."""
    found = deal.get("n") if isinstance(deal, dict) else None
    if type(found) is not int or not 0 < found < _MOST_DEALS:
        raise NotationError(Finding("no-deal-number", {"found": quoted(found)}, pointer="/n"))
    return found


def _tap(tap: Mapping[str, Any]) -> Tap:
    place, key, word = tap.get("place"), tap.get("key"), tap.get("word")
    return Tap(
        field=str(tap.get("field")),
        key=tuple(one for one in key if isinstance(one, str | int)) if isinstance(key, list) else (),
        place=place if isinstance(place, int) and place >= 0 else 0,
        word=word if isinstance(word, str | int) else None,
    )


def _field_json(one: FormField, names: PlayerNames) -> Json:
    return {
        "name": one.name,
        "label": one.label,
        "needed": one.needed,
        "stated": one.stated,
        "rows": [_form_row_json(row) for row in one.rows],
        "findings": [finding_json(finding, names) for finding in one.findings],
        **clause_json(one.clause, names),
    }


def _form_row_json(row: Row) -> Json:
    choices = [choice._asdict() for choice in row.choices]
    return row._asdict() | {"choices": choices, "number": row.number and row.number._asdict()}


# --- the evening --------------------------------------------------------------------------------------------


def games_answer(question: Mapping[str, Any]) -> Json:
    """The games that can be played: names, numbers of seats, options."""
    language = language_of(question)
    found = []
    for info in games():
        words = clauses.words(info.id, language)
        options = [{"word": word, "label": label(words["options"].get(word, word))} for word in info.options]
        name = clauses.book(info.id, language).name
        found.append({"id": info.id, "name": name, "seats": list(info.seats), "options": options})
    return {"games": found}


def table_answer(question: Mapping[str, Any]) -> Json:
    """What is wrong with the players of a table and the date, and whom a typed name may mean.

    `table`: names in the order of the seats; `date`; `name`: one more, as it was typed, None without one;
    `known`: names of players of the club; `language`. The answer has the `name` as it is stored, and `alike`:
    the names at the table or known that may be the same person's; none for the very name of a known player.
    """
    table, name, alike = _names(question, "table"), None, []
    if isinstance(question.get("name"), str):
        name = told_apart([*table, question["name"]])[-1]
        known = [folded(one) for one in _names(question, "known")]
        if name not in known:
            groups = lookalikes([name, *table, *known])
            alike = [one for group in groups if name in group for one in group if one != name]
        table.append(name)
    findings = _findings(table, question.get("date"), language_of(question))
    return {"findings": findings, "name": name, "alike": alike}


def _findings(table: Sequence[str], date: object, language: str) -> list[Json]:
    """The findings on the players of a table and the date."""
    names = PlayerNames("common", {}, language)
    players = {str(seat): name for seat, name in enumerate(table)}
    return [finding_json(one, names) for one in table_warnings(players, str(date or ""))]


def evening_answer(question: Mapping[str, Any]) -> Json:
    """How an evening stands: its deals in order with running totals, the places, and the next deal.

    `setup`: `game`, `name`, `table`, `dealer`, `seats`, `thrown_in` …; `deals`: see `record_form`; `dealer`
    and `out`: who deals the next deal, and who sits out, if it is not by turn; `language`. A deal that was
    thrown in has its number `n` and, as `next` had it, the `turn` of its table; or is only a number.

    Points of an unknown player count for nobody. While there are `findings` (as for a table), the page does
    not go on.

    :raises NotationError: if a deal has no number.
    """
    setup, language = object_in(question, "setup"), language_of(question)
    deals = {_number(deal): deal for deal in list_in(question, "deals")}
    totals: Counter[str] = Counter()
    played: Counter[str] = Counter()
    # In the order of play from forehand on.
    players = dict(map(_thrown_in, list_in(setup, "thrown_in")))
    rows = []
    for number, deal in sorted(deals.items()):
        try:
            record = _record({"deal": deal, "setup": setup})
        except NotationError as bad:
            rows.append(_bad_row_json(number, bad.finding, totals, language))
            continue
        checked = check(record)
        if checked.score is not None:
            for seat in _known_active(record):
                totals[record.players[seat]] += checked.score[seat]
                played[record.players[seat]] += 1
        players[number] = _in_turn(record)
        rows.append(_row_json(number, record, checked, totals, language))
    order = {name: at for at, name in enumerate(_table(setup))}
    place = evening.places(totals)
    standings = [
        {"place": place[name], "name": name, "deals": played[name], "total": totals[name]}
        for name in sorted(totals, key=lambda name: (place[name], order.get(name, len(order)), name))
    ]
    return {
        "deals": rows,
        "standings": standings,
        "next": _next(question, setup, players),
        "findings": _findings(_names(setup, "table"), setup.get("date"), language),
    }


def _known_active(record: Record) -> list[str]:
    """The seats that play a deal, without those of unknown players."""
    return [seat for seat in record.active if not is_nobody(record.players[seat])]


def _thrown_in(deal: object) -> tuple[int, Sequence[str]]:
    """The number of a deal that was thrown in, and its `turn`, if known."""
    if not isinstance(deal, dict):
        return _number({"n": deal}), ()
    return _number(deal), [name for name in list_in(deal, "turn") if isinstance(name, str)]


def _in_turn(record: Record) -> Sequence[str]:
    """The players of a deal in the order of play, from forehand on."""
    at = record.seats.index(record.seating.forehand)
    return [record.players[seat] for seat in (*record.seats[at:], *record.seats[:at])]


def _row_json(number: int, record: Record, checked: Check, totals: Mapping[str, int], language: str) -> Json:
    names = PlayerNames(record.game, record.players, language)
    heading = sentences.heading(checked.facts, names)
    score = checked.score and {record.players[seat]: checked.score[seat] for seat in _known_active(record)}
    return {
        "n": number,
        "heading": names.capitalised(names.between("comma").join(heading)),
        "verdict": checked.verdict,
        "score": score or None,
        "totals": dict(totals),
        "findings": [finding_json(one, names) for one in checked.errors],
    }


def _bad_row_json(number: int, finding: Finding, totals: Mapping[str, int], language: str) -> Json:
    """The row of a deal that is no sheet."""
    found = [finding_json(finding, PlayerNames("common", {}, language))]
    return {
        "n": number,
        "heading": "",
        "verdict": "malformed",
        "score": None,
        "totals": dict(totals),
        "findings": found,
    }


def _table(setup: Mapping[str, Any]) -> list[str]:
    """The players at the table, each once."""
    return list(dict.fromkeys(told_apart(_names(setup, "table"))))


def _names(question: Mapping[str, Any], key: str) -> list[str]:
    return [name for name in list_in(question, key) if isinstance(name, str)]


def _next(question: Mapping[str, Any], setup: Mapping[str, Any], players: Mapping[int, Sequence[str]]) -> Any:
    """Who plays the next deal; None with too few at the table. `players`: of each deal, by its number."""
    table = _table(setup)
    info = next((info for info in games() if info.id == setup.get("game")), None)
    wanted = setup.get("seats")
    seats = evening.seats_at(info, len(table), wanted if isinstance(wanted, int) else 0) if info else 0
    if info is None or not seats:
        return None
    by_turn = evening.next_dealer(table, str(setup.get("dealer")), [players[n] for n in sorted(players)])
    deals = question.get("dealer")
    out = [name for name in list_in(question, "out") if isinstance(name, str)]
    number = max(players, default=0) + 1
    found = evening.seated(info, table, seats, deals if deals in table else by_turn, number, out)
    return asdict(found) | {"options": list_in(setup, "options")}
