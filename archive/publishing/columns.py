"""What others learn of a deal: one list, of which NDJSON, CSV, the dumps' table of results, the API's answers
with their description, and the table in docs/api.md are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from archive.models import Contribution, Deal, Seated
from tarock import sentences

Json = dict[str, Any]


Get = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Column:
    """A fact about a deal as a contribution gives it, or about one of its seats.

    ``kind``: of the value in JSON, by which the API describes it; ``meaning``: for readers of the API;
    ``get``: its value, from the deal, the contribution and, of a seat, who sat there; ``null``: whether there
    may be none; ``arrow``: its type in the table of results, which has it then; ``texts``: the deal's columns
    of text that it is read from, which few readers want; ``in_json``: whether JSON and CSV have it.
    """

    kind: str
    meaning: str
    get: Get
    null: bool = False
    arrow: str = ""
    texts: tuple[str, ...] = ()
    in_json: bool = True


def _session(_deal: Deal, contribution: Contribution) -> str | None:
    return contribution.session.name if contribution.session else None


def _finding(deal: Deal, _contribution: Contribution) -> Json | None:
    # This reads the record again, to find the place in its text.
    return None if deal.finding is None else sentences.finding_json(deal.finding, deal.game)


def _players(_deal: Deal, contribution: Contribution) -> list[Json]:
    # Written out, since the getters of `SEAT_COLUMNS` would cost a stream some percent.
    return [
        {"seat": seat, "player": player.display_name, "player_id": player.head.pk, "points": points}
        for seat, player, points in contribution.seated
    ]


def _role(deal: Deal, _contribution: Contribution, seated: Seated) -> str | None:
    """What a seat was; opponents are known in deals with a score alone."""
    if deal.declarer == seated.seat:
        return "declarer"
    if deal.partner == seated.seat:
        return "partner"
    return "opponent" if deal.declarer and deal.has_score else None


COLUMNS: dict[str, Column] = {
    "id": Column(
        "integer", "Number of the deal, whoever says what of it.", lambda deal, _: deal.pk, arrow="int64"
    ),
    "deal": Column(
        "key",
        "The deal as a contribution says it, `12-45`: the numbers of both.",
        lambda _, contribution: str(contribution.key),
        arrow="string",
    ),
    # The address depends on the site that is asked: `export.entry` fills it in.
    "url": Column("url", "Address of the deal.", lambda _, contribution: None),
    "digest": Column(
        "digest",
        "SHA-256 of the deal as played: the same deal has the same digest. Of a sheet, that of its club, "
        "session and number.",
        lambda deal, _: deal.hex_digest,
        arrow="string",
    ),
    "kind": Column(
        "kind",
        "What is recorded of it: `played`, its cards and events, or `sheet`, its score sheet alone.",
        lambda deal, _: deal.kind,
        arrow="string",
    ),
    "game": Column("game", "The game.", lambda deal, _: deal.game, arrow="string"),
    "seats": Column(
        "integer", "Number of players.", lambda deal, _: deal.players_count, arrow="int8", in_json=False
    ),
    "verdict": Column(
        "verdict", "What the engine found.", lambda _, contribution: contribution.verdict, arrow="string"
    ),
    "players": Column("players", "Who sat where.", _players),
    "dealer": Column("seat", "Seat of the dealer.", lambda deal, _: deal.dealer, arrow="string"),
    "date": Column(
        "string",
        "As written, unknown parts as `??`; empty if not.",
        lambda _, contribution: contribution.date,
        arrow="string",
    ),
    "played_on": Column(
        "day",
        "The first day that the date allows.",
        lambda _, contribution: contribution.played_on,
        null=True,
        arrow="date32",
        in_json=False,
    ),
    "event": Column(
        "string", "As written; empty if not.", lambda _, contribution: contribution.event, arrow="string"
    ),
    "site": Column(
        "string",
        "The place as written; empty if not.",
        lambda _, contribution: contribution.site,
        arrow="string",
    ),
    "club": Column(
        "integer",
        "Number of the club whose words these are; null for a person’s own.",
        lambda _, contribution: contribution.space.club,
        null=True,
        arrow="int64",
    ),
    "club_name": Column(
        "string",
        "Name of that club.",
        lambda _, contribution: contribution.space.club_name,
        null=True,
        arrow="string",
    ),
    "session": Column("string", "Name of the session.", _session, null=True, arrow="string"),
    "deal_number": Column(
        "integer",
        "Number within the session.",
        lambda _, contribution: contribution.number,
        null=True,
        arrow="int32",
    ),
    "declarer": Column(
        "seat",
        "Seat of the declarer, if the game and the deal had one.",
        lambda deal, _: deal.declarer or None,
        null=True,
        arrow="string",
    ),
    "partner": Column(
        "seat",
        "Seat of the declarer’s partner.",
        lambda deal, _: deal.partner or None,
        null=True,
        arrow="string",
    ),
    "contract": Column(
        "string", "Empty where none came about.", lambda deal, _: deal.contract, arrow="string"
    ),
    "result": Column(
        "string",
        "How it ended: `won`, `lost` …; empty without a score.",
        lambda deal, _: deal.result,
        arrow="string",
    ),
    "card_points": Column(
        "integer",
        "Of the declarer’s side.",
        lambda deal, _: deal.card_points,
        null=True,
        arrow="int16",
    ),
    "clauses": Column(
        "strings",
        "Those that the score cites, or the one that was broken.",
        lambda deal, _: deal.slugs,
    ),
    "score": Column(
        "points",
        "Seat → points, for a deal played to its end by the rules.",
        lambda deal, _: deal.score,
        null=True,
    ),
    "claim": Column(
        "points",
        "The score its players wrote down.",
        lambda _, contribution: contribution.claimed,
        null=True,
    ),
    "engine_version": Column(
        "string", "The engine that found the verdict.", lambda deal, _: deal.engine_version, arrow="string"
    ),
    "verified_at": Column("time", "When it found that.", lambda deal, _: deal.verified_at),
    "stored_at": Column(
        "time",
        "When the deal came. It does not grow with the numbers: go on by these.",
        lambda deal, _: deal.stored_at,
        arrow="time",
    ),
    "record": Column(
        "record",
        "The record in the JSON form of TGN, as the contribution says it.",
        lambda deal, _: deal.form,
        texts=("text",),
    ),
    "finding": Column("finding", "What is wrong with it.", _finding, null=True, texts=("text", "sheet")),
}

SEAT_COLUMNS: dict[str, Column] = {
    "seat": Column("seat", "The seat.", lambda _, __, seated: seated.seat, arrow="string"),
    "player": Column(
        "string", "The player’s name.", lambda _, __, seated: seated.player.display_name, arrow="string"
    ),
    "player_id": Column(
        "integer",
        "Number of the player: each club has its own.",
        lambda _, __, seated: seated.player.head.pk,
        arrow="int64",
    ),
    "role": Column("string", "What the seat was.", _role, null=True, arrow="string", in_json=False),
    "points": Column(
        "integer", "Null without a score.", lambda _, __, seated: seated.points, null=True, arrow="int32"
    ),
    "claim": Column(
        "integer",
        "What was written down.",
        lambda _, contribution, seated: (contribution.claimed or {}).get(seated.seat),
        null=True,
        arrow="int32",
        in_json=False,
    ),
}


def _json_get(column: Column) -> Get:
    """The value of a column, for JSON."""
    if column.kind != "time":
        return column.get
    return lambda *of: column.get(*of).isoformat().replace("+00:00", "Z")


_GETS = {name: _json_get(column) for name, column in COLUMNS.items()}


def as_json(deal: Deal | None, contribution: Contribution, names: Iterable[str]) -> Json:
    """The values of some columns, for JSON. The deal may be left out where only facts that are the
    contribution's own are wanted."""
    return {name: _GETS[name](deal, contribution) for name in names}
