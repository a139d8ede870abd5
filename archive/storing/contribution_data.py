"""Convert records to the details of contributions: names, session, number, date, claim, comments."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from archive import database
from archive.fields import searchable
from archive.models import NAME_LENGTH, Contribution
from archive.storing.names import SessionKey, known_players, person_of
from tarock.analysis.variations import origin_of
from tarock.core.dates import date_finding, first_day
from tarock.core.persons import folded
from tarock.core.record import Record
from tarock.notation import read_one
from tarock.notation.keys import PLAYED_TAG

WORDS = ("sheet", "players", "session", "number", "date", "event", "site", "claim", "tags", "comments")
"""Names of the details, in the order in which differences are listed."""

_COLUMNS = WORDS[3:]
"""Details that have a column with the same name."""

SEARCH = ("event_search", "site_search", "text_search")
"""Search columns: event, site, and the text of tags and comments."""

_OWN_TAGS = ("Date", "Event", "Site", "Session", "Deal")
"""Tags that have their own column."""


class NotStorable(Exception):
    """A well-formed record can't be stored in the archive. The arguments are those of a `Finding`."""


@dataclass(frozen=True, slots=True)
class ContributionData:
    """The details of a contribution, as stored in its columns. `players`: the names in seat order; `sheet`:
    the statements of a score sheet, one per line, or the game and the points of a result, which are stored
    with the deal; empty if the record has cards."""

    sheet: str
    players: tuple[str, ...]
    session: str
    number: int | None
    date: str
    event: str
    site: str
    claim: str
    tags: str
    comments: str

    @property
    def session_key(self) -> SessionKey:
        """Name and date of the session."""
        return self.session, self.date

    @property
    def columns(self) -> dict[str, Any]:
        """The values of a contribution's columns, including the search columns but not the session."""
        text = " ".join([*_texts(self.tags), *_texts(self.comments)])
        search = searchable(self.event), searchable(self.site), searchable(text)
        return {
            **{word: getattr(self, word) for word in _COLUMNS},
            "deals_played": self._played,
            "played_on": None if date_finding(self.date) else first_day(self.date),
            "fingerprint": self.fingerprint,
            **dict(zip(SEARCH, search, strict=True)),
        }

    @property
    def _played(self) -> int | None:
        """The number of deals that the total of an evening states, or None."""
        is_total = bool(self.sheet) and self.number is None
        played = json.loads(self.tags).get(PLAYED_TAG) if is_total and self.tags else None
        return None if played is None else int(played)

    @property
    def fingerprint(self) -> int:
        """Hash of all details, as a signed 64-bit integer."""
        digest = hashlib.sha256(repr([getattr(self, word) for word in WORDS]).encode()).digest()
        return int.from_bytes(digest[:8], "big", signed=True)


def from_record(record: Record, *, any_date: bool = False) -> ContributionData:
    """Return the details of a record, with normalized names (`core.persons.folded`).

    :raises NotStorable: if the record is a variation, a name is too long, the database can't store a text,
        or, without `any_date`, the date is in the future or before 1700.
    """
    if origin_of(record) is not None:
        raise NotStorable("is-variation")
    tags = record.tags
    session, players = folded(tags.get("Session", "")), tuple(map(folded, record.players.values()))
    wrong = None if any_date else date_finding(tags.get("Date", ""))
    if wrong:
        raise NotStorable(wrong.reason, wrong.values)
    for reason, name in [("name-too-long", name) for name in players] + [("session-too-long", session)]:
        if len(name) > NAME_LENGTH:
            raise NotStorable(reason, {"found": len(name), "limit": NAME_LENGTH})
    number = _deal_number(tags.get("Deal", "")) if record.is_played else _known_number(tags)
    rest = {
        name: value
        for name, value in tags.items()
        if name not in _OWN_TAGS or (name == "Deal" and value != str(number or ""))
    }
    data = ContributionData(
        sheet=_sheet(record),
        players=players,
        session=session,
        number=number,
        date=tags.get("Date", ""),
        event=tags.get("Event", ""),
        site=folded(tags.get("Site", "")),
        claim=" ".join([f"{seat}={points}" for seat, points in sorted((record.score or {}).items())]),
        tags=_json(rest),
        comments=_json(record.comments),
    )
    written = "".join([*players, session, data.event, data.site, data.claim, data.tags, data.comments])
    if database.storable(written) != written:
        raise NotStorable("not-storable")
    return data


def from_contribution(contribution: Contribution) -> ContributionData:
    """Return the details of a stored contribution, as sent or as last corrected."""
    deal = contribution.deal
    return ContributionData(
        sheet="" if deal.is_played else _sheet(read_one(deal.text)),
        players=tuple(seat.written for seat in contribution.seated),
        session=contribution.session.name if contribution.session else "",
        **{word: getattr(contribution, word) for word in _COLUMNS},
    )


def _sheet(record: Record) -> str:
    """Return the statements of a score sheet (dealer, options, lines) or of a result (game, options, points
    in the order of the players) as text; empty if the record has cards."""
    if record.result is not None:
        return " ".join([record.game, *record.options, *map(str, record.result.values())])
    if record.sheet is None:
        return ""
    lines = [("dealer", record.dealer), *([("options", *record.options)] if record.options else [])]
    return "\n".join([" ".join(map(str, line)) for line in (*lines, *record.sheet)])


def differences(before: ContributionData, now: ContributionData, space: int) -> list[str]:
    """Return the names of the details that differ. Two names of the same player count as equal."""
    names = [word for word in WORDS if getattr(before, word) != getattr(now, word)]
    if "players" in names:
        known = known_players(space, {*before.players, *now.players})
        old, new = ([person_of(name, known) for name in data.players] for data in (before, now))
        if old == new:
            names.remove("players")
    return names


def _json(value: dict[Any, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else ""


def _texts(packed: str) -> Iterator[str]:
    """Yield the texts in a JSON object whose values are texts or lists of texts."""
    for value in json.loads(packed).values() if packed else ():
        yield from value if isinstance(value, list) else [value]


def _known_number(tags: dict[str, str]) -> int | None:
    """Return the deal number of a sheet or a result; None for the total of an evening."""
    return int(tags["Deal"]) if "Deal" in tags else None


def _deal_number(text: str) -> int | None:
    """Return the tag `Deal` as a number; None unless it is one to nine digits without a leading zero."""
    return int(text) if re.fullmatch(r"[1-9][0-9]{0,8}", text) else None
