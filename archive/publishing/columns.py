"""The exported columns of a deal. NDJSON, CSV, the dumps' table of results, the API's responses and schema,
and the table in docs/api.md all come from this list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from archive.models import Contribution, Seated
from archive.shown import ShownDeal
from tarock.words import json_forms

Json = dict[str, Any]
Get = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Column:
    """An exported value of a deal as a contribution describes it, or of one of the deal's seats.

    `kind`: type in JSON, for the API's description; `meaning`: description for API users; `get`: function
    that returns the value for a deal, a contribution and, in a seat column, the seated player; `null`:
    whether the value can be null; `arrow`: type in the dumps' table of results, ignored for times; `texts`:
    large text columns of the deal that `get` reads, which queries for other columns can defer; `in_json`:
    whether JSON and CSV contain the column.
    """

    kind: str
    meaning: str
    get: Get
    null: bool = False
    arrow: str = "string"
    texts: tuple[str, ...] = ()
    in_json: bool = True


def _of_deal(name: str) -> Get:
    of = attrgetter(f"deal.{name}")
    return lambda shown, _contribution: of(shown)


def _of_contribution(path: str) -> Get:
    of = attrgetter(path)
    return lambda _deal, contribution: of(contribution)


def _seated(path: str) -> Get:
    of = attrgetter(path)
    return lambda _deal, _contribution, seated: of(seated)


def _of_session(name: str) -> Get:
    return lambda _deal, contribution: contribution.session and getattr(contribution.session, name)


def _finding(deal: ShownDeal, _contribution: Contribution) -> Json | None:
    # The engine parses the record again here, because the finding's position in the text is not stored.
    return None if deal.finding is None else json_forms.finding_json(deal.finding, deal.game)


def _players(_deal: ShownDeal, contribution: Contribution) -> list[Json]:
    # Written out, because calling the getters of `SEAT_COLUMNS` would slow down streams by a few percent.
    return [
        {"seat": seat.seat, "player": seat.display_name, "player_id": seat.person, "points": seat.points}
        for seat in contribution.seated
    ]


def _role(deal: ShownDeal, _contribution: Contribution, seated: Seated) -> str | None:
    """Return the role of a seat, or None if it is unknown. Opponents are known only in scored deals."""
    if deal.declarer == seated.seat:
        return "declarer"
    if deal.partner == seated.seat:
        return "partner"
    return "opponent" if deal.declarer and deal.has_score else None


COLUMNS: dict[str, Column] = {
    "id": Column(
        "integer", ("Id of the deal, the same for all its contributions."), _of_deal("pk"), arrow="int64"
    ),
    "deal": Column(
        "key",
        "Key of the deal as a contribution describes it, `12-45`: the numbers of both.",
        lambda _, contribution: str(contribution.key),
    ),
    # The URL depends on the host in the request, so `export.entry` fills it in.
    "url": Column("url", "URL of the deal.", lambda _, contribution: None),
    "digest": Column(
        "digest",
        "SHA-256 of the deal as played: the same deal has the same digest. For a sheet or a result, a "
        "value assigned by this archive, because two deals may have the same sheet; corrections don't "
        "change it.",
        _of_deal("hex_digest"),
    ),
    "kind": Column(
        "kind",
        "Recorded part of the deal: `played`, its cards and events; `sheet`, only its score sheet; `result`, "
        "only points of players, of a deal or, without a deal number, of a whole evening.",
        _of_deal("kind"),
    ),
    "game": Column("game", "The game; `?` if unknown, as in some totals of an evening.", _of_deal("game")),
    "unit": Column(
        "string",
        "Unit of the points: `point`, `h` (haléř), `cent` …",
        lambda deal, _: deal.deal.rule_set.unit,
    ),
    "seats": Column("integer", "Number of players.", _of_deal("players_count"), arrow="int8", in_json=False),
    "verdict": Column("verdict", "The verdict.", _of_contribution("verdict")),
    "players": Column("players", "The players by seat.", _players),
    "dealer": Column(
        "seat", "Seat of the dealer; null for a result.", lambda deal, _: deal.dealer or None, null=True
    ),
    "date": Column(
        "string", ("Date as written, unknown parts as `??`; empty if not given."), _of_contribution("date")
    ),
    "played_on": Column(
        "day",
        "The first day that the date can be.",
        _of_contribution("played_on"),
        null=True,
        arrow="date32",
        in_json=False,
    ),
    "event": Column("string", "Event as written; empty if not given.", _of_contribution("event")),
    "site": Column("string", "Place as written; empty if not given.", _of_contribution("site")),
    "club": Column(
        "integer",
        "Id of the club that gave these details; null for a person’s own.",
        _of_contribution("space.club"),
        null=True,
        arrow="int64",
    ),
    "club_name": Column("string", "Name of that club.", _of_contribution("space.club_name"), null=True),
    "session": Column("string", "Name of the session.", _of_session("name"), null=True),
    "session_id": Column(
        "integer",
        "Id of the session. Sessions with the same name and different dates are different sessions.",
        _of_session("pk"),
        null=True,
        arrow="int64",
    ),
    "session_date": Column(
        "string",
        "Date of the session as written, unknown parts as `??`; empty without one.",
        _of_session("date"),
        null=True,
    ),
    "deal_number": Column(
        "integer", "Number within the session.", _of_contribution("number"), null=True, arrow="int32"
    ),
    "declarer": Column(
        "seat",
        "Seat of the declarer, if the game and the deal had one.",
        lambda deal, _: deal.declarer or None,
        null=True,
    ),
    "partner": Column(
        "seat", "Seat of the declarer’s partner.", lambda deal, _: deal.partner or None, null=True
    ),
    "contract": Column("string", "The contract; empty if there was none.", _of_deal("contract")),
    "result": Column("string", "The result: `won`, `lost` …; empty without a score.", _of_deal("result")),
    "card_points": Column(
        "integer", "Card points of the declarer’s side.", _of_deal("card_points"), null=True, arrow="int16"
    ),
    "clauses": Column("strings", "Clauses that the score cites, or the broken one.", _of_deal("slugs")),
    "score": Column(
        "points",
        "Seat → points, for a deal played to its end by the rules, and for a result.",
        lambda shown, _: shown.score,
        null=True,
    ),
    "claim": Column("points", "The score its players wrote down.", _of_contribution("claimed"), null=True),
    "engine_version": Column(
        "string", ("Version of the engine that computed the verdict."), _of_deal("engine_version")
    ),
    "verified_at": Column("time", "Time when the engine computed the verdict.", _of_deal("verified_at")),
    "stored_at": Column(
        "time",
        "Time when the deal was stored. It does not grow with the ids: continue a list by ids.",
        _of_deal("stored_at"),
    ),
    "rules": Column(
        "rules",
        "The rules of the deal: their name, their unit, and the values of all options.",
        lambda deal, _: deal.deal.rule_set.text,
    ),
    "losses": Column(
        "points",
        "Seat → points that its cards in the last tricks cost in hindsight, with all cards open; null if "
        "they have no values or are not analysed yet.",
        lambda shown, _: shown.losses,
        null=True,
    ),
    "record": Column(
        "record",
        "The record in the JSON form of TGN, with the details of the contribution.",
        lambda shown, _: shown.form,
        texts=("text",),
    ),
    "finding": Column(
        "finding", "The error in the deal’s record.", _finding, null=True, texts=("text", "sheet")
    ),
}

SEAT_COLUMNS: dict[str, Column] = {
    "seat": Column(
        "place", "The seat; for a player of a result, the number of the line, from 1.", _seated("seat")
    ),
    "player": Column("string", "The player’s name.", _seated("display_name")),
    "player_id": Column(
        "integer",
        "Id of the player: each club has its own. Null for an unknown player, and where two seats have "
        "the same name.",
        _seated("person"),
        null=True,
        arrow="int64",
    ),
    "role": Column("string", "Role of the seat.", _role, null=True, in_json=False),
    "points": Column(
        "integer", ("Points of the seat; null without a score."), _seated("points"), null=True, arrow="int32"
    ),
    "claim": Column(
        "integer",
        "Points written down.",
        lambda _, contribution, seated: (contribution.claimed or {}).get(seated.seat),
        null=True,
        arrow="int32",
        in_json=False,
    ),
    "loss": Column(
        "integer",
        "Points that the cards of the seat cost in hindsight.",
        lambda shown, _, seated: (shown.losses or {}).get(seated.seat),
        null=True,
        arrow="int32",
        in_json=False,
    ),
}


def _rules(deal: ShownDeal, contribution: Contribution) -> Json:
    return deal.deal.rule_set.as_json(deal.record, contribution.rules_label)


def _json_get(column: Column) -> Get:
    if column.kind == "rules":
        return _rules
    if column.kind != "time":
        return column.get
    return lambda *of: column.get(*of).isoformat().replace("+00:00", "Z")


_GETS = {name: _json_get(column) for name, column in COLUMNS.items()}


def as_json(deal: ShownDeal | None, contribution: Contribution, names: Iterable[str]) -> Json:
    """Map column names to their JSON values. `deal` may be None if all columns are about the contribution."""
    return {name: _GETS[name](deal, contribution) for name in names}
