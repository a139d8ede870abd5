"""The details of a contribution: names, session, number, date, claim, comments.

The one conversion from a record to the columns of a contribution, for uploads and for corrections.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models.functions import Coalesce

from archive import database
from archive.fields import searchable
from archive.models import NAME_LENGTH, Contribution, Player, Session
from tarock.notation import read_one
from tarock.record import Record
from tarock.variations import origin_of

WORDS = ("sheet", "players", "session", "number", "date", "event", "site", "claim", "tags", "comments")
"""The details, in the order in which differences are listed."""

_COLUMNS = WORDS[3:]
"""Those with a column of the same name."""

SEARCH = ("event_search", "site_search", "text_search")
"""The columns for searching: event, site, and the text of tags and comments."""

_OWN_TAGS = ("Date", "Event", "Site", "Session", "Deal")
"""Tags with a column of their own."""


class NotStorable(Exception):
    """A well-formed record that the archive cannot hold; the arguments are those of a `Finding`."""


@dataclass(frozen=True, slots=True)
class ContributionData:
    """The details of a contribution, as its columns hold them; names in the order of the seats. ``sheet``:
    what a score sheet states, line by line; it stands with its deal, and is empty where there are cards."""

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
    def columns(self) -> dict[str, Any]:
        """The columns of a contribution, those for searching included, without its session."""
        text = " ".join([*_texts(self.tags), *_texts(self.comments)])
        search = searchable(self.event), searchable(self.site), searchable(text)
        return {
            **{word: getattr(self, word) for word in _COLUMNS},
            "played_on": first_day(self.date),
            "fingerprint": self.fingerprint,
            **dict(zip(SEARCH, search, strict=True)),
        }

    @property
    def fingerprint(self) -> int:
        """A hash of all details."""
        digest = hashlib.sha256(repr([getattr(self, word) for word in WORDS]).encode()).digest()
        return int.from_bytes(digest[:8], "big", signed=True)


def from_record(record: Record) -> ContributionData:
    """The details in a record.

    :raises NotStorable: if the database cannot hold them.
    """
    if origin_of(record) is not None:
        raise NotStorable("is-variation")
    tags = record.tags
    session = tags.get("Session", "")
    for reason, name in [("name-too-long", name) for name in record.players.values()] + [
        ("session-too-long", session)
    ]:
        if len(name) > NAME_LENGTH:
            raise NotStorable(reason, {"found": len(name), "limit": NAME_LENGTH})
    number = _deal_number(tags.get("Deal", "")) if record.sheet is None else int(tags["Deal"])
    columns = {name: tags.get(name, "") for name in _OWN_TAGS} | {"Deal": str(number or "")}
    rest = {name: value for name, value in tags.items() if columns.get(name) != value}
    data = ContributionData(
        sheet=_sheet(record),
        players=tuple(record.players.values()),
        session=session,
        number=number,
        date=tags.get("Date", ""),
        event=columns["Event"],
        site=columns["Site"],
        claim=" ".join([f"{seat}={points}" for seat, points in sorted((record.score or {}).items())]),
        tags=_json(rest),
        comments=_json(record.comments),
    )
    if not database.is_storable(
        "".join([*data.players, session, data.event, data.site, data.claim, data.tags, data.comments])
    ):
        raise NotStorable("not-storable")
    return data


def from_contribution(contribution: Contribution) -> ContributionData:
    """The details of a stored contribution: as it was sent, or as it was last corrected."""
    deal = contribution.deal
    return ContributionData(
        sheet=_sheet(read_one(deal.text)) if deal.is_sheet else "",
        players=tuple(seat.player.name for seat in contribution.seated),
        session=contribution.session.name if contribution.session else "",
        **{word: getattr(contribution, word) for word in _COLUMNS},
    )


def _sheet(record: Record) -> str:
    """What a score sheet states: the dealer, the options, and its lines."""
    if record.sheet is None:
        return ""
    lines = [("dealer", record.dealer), *([("options", *record.options)] if record.options else [])]
    return "\n".join([" ".join(map(str, line)) for line in (*lines, *record.sheet)])


def differences(before: ContributionData, now: ContributionData, space: int) -> list[str]:
    """The names of the details that differ. Two names of one player are no difference."""
    names = [word for word in WORDS if getattr(before, word) != getattr(now, word)]
    if "players" in names:
        known = _players(space, {*before.players, *now.players})
        persons = dict(Player.objects.filter(pk__in=known.values()).values_list("pk", _HEAD))
        old, new = ([persons.get(known.get(name), name) for name in data.players] for data in (before, now))
        if old == new:
            names.remove("players")
    return names


_HEAD = Coalesce("same_as", "pk")
"""The id of the person that a player is."""


def _players(space: int, names: set[str]) -> dict[str, int]:
    """The ids of the players of a space with these names, by name. A pseudonym stands for its player: records
    that the archive exported come back."""
    players = Player.objects.filter(space=space)
    ids = dict(players.filter(name__in=names).values_list("name", "id"))
    if missing := names - ids.keys():
        # The pseudonym has no index of its own, but it is what `search_name` is made from.
        hidden = players.filter(search_name__in={searchable(name) for name in missing}, same_as=None)
        ids |= dict(hidden.filter(pseudonym__in=missing).values_list("pseudonym", "id"))
    return ids


def ensure(model: type[Player] | type[Session], space: int, names: set[str]) -> dict[str, int]:
    """The ids of the players or sessions of a space with these names, by name; missing ones are made."""
    if model is Player:
        ids = _players(space, names)
    else:
        ids = dict(model.objects.filter(space=space, name__in=names).values_list("name", "id"))
    missing = sorted(names - ids.keys())
    if missing:
        rows = model.objects.bulk_create([model(space_id=space, name=name) for name in missing])
        ids |= {row.name: row.pk for row in rows}
    return ids


def _json(value: dict[Any, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else ""


def _texts(packed: str) -> Iterator[str]:
    """The texts in a JSON object of texts, or of lists of them."""
    for value in json.loads(packed).values() if packed else ():
        yield from value if isinstance(value, list) else [value]


def first_day(date_text: str) -> date | None:
    """The first day that a record's date with unknown parts (``2026-11-??``) allows; None if there is
    none."""
    # The engine has checked the form (`tarock.notation`).
    try:
        return date.fromisoformat(date_text.replace("-??", "-01"))
    except ValueError:
        return None


def _deal_number(text: str) -> int | None:
    """The tag ``Deal`` as a number, if the database can hold it and returns the same text."""
    return int(text) if re.fullmatch(r"[1-9][0-9]{0,8}", text) else None
