"""A deal as a viewer sees it, with the contribution that provides its players, date and claim."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

import orjson

from archive.addresses import Key
from archive.models import Contribution, Deal, Hindsight, Seated
from tarock.analysis.verify import Check, check_entry, placed
from tarock.core.findings import Finding
from tarock.core.record import Record
from tarock.notation import Entry, NotWritable, dump_json, read_one, read_stored, write_text


@dataclass(frozen=True)
class ShownDeal:
    """A deal, and the contribution that describes the deal to a viewer.

    :raises TypeError: if the contribution was not selected by a query of `archive.access`, which checks
        permissions.
    """

    deal: Deal
    contribution: Contribution

    def __post_init__(self) -> None:
        if not getattr(self.contribution, "is_readable", False):
            raise TypeError(f"{self.contribution} is not from a query of archive.access")

    pk = property(attrgetter("deal.pk"))
    kind = property(attrgetter("deal.kind"))
    is_sheet = property(attrgetter("deal.is_sheet"))
    is_result = property(attrgetter("deal.is_result"))
    is_played = property(attrgetter("deal.is_played"))
    game = property(attrgetter("deal.game"))
    dealer = property(attrgetter("deal.dealer"))
    declarer = property(attrgetter("deal.declarer"))
    partner = property(attrgetter("deal.partner"))
    contract = property(attrgetter("deal.contract"))
    active = property(attrgetter("deal.active"))
    hex_digest = property(attrgetter("deal.hex_digest"))
    verdict = property(attrgetter("deal.verdict"))
    engine_version = property(attrgetter("deal.engine_version"))
    stored_at = property(attrgetter("deal.stored_at"))
    verified_at = property(attrgetter("deal.verified_at"))
    has_score = property(attrgetter("deal.has_score"))
    lines = property(attrgetter("deal.lines"))
    stored_finding = property(attrgetter("deal.stored_finding"))

    @property
    def unit(self) -> str:
        """The unit of the points."""
        return self.deal.rule_set.unit

    @property
    def key(self) -> Key:
        """The key in URLs: the deal's id and, if the deal has other contributions, this contribution's id."""
        return Key(self.pk, None if self.contribution.is_alone else self.contribution.pk)

    @property
    def seats(self) -> list[Seated]:
        """The players and their points, in seat order."""
        return self.contribution.seated

    @property
    def players(self) -> dict[str, str]:
        """The players' names by seat."""
        return {seat.seat: seat.display_name for seat in self.seats}

    @property
    def score(self) -> dict[str, int] | None:
        """Points by seat, 0 for a seat without any; None if the deal has no score."""
        if not self.has_score:
            return None
        return {seat.seat: seat.points or 0 for seat in self.seats}

    @property
    def hindsight(self) -> Hindsight | None:
        """The stored hindsight, if there is one."""
        return getattr(self.deal, "hindsight", None)

    @property
    def losses(self) -> dict[str, int] | None:
        """Points that the analysed cards of each seat cost in hindsight; None without a hindsight."""
        if self.hindsight is None:
            return None
        points = {seat.seat: 0 for seat in self.seats}
        for loss in self.hindsight.read(self.game).losses:
            points[loss.seat] += loss.points
        return points

    @cached_property
    def record(self) -> Record:
        """The deal as a record, with the details of the contribution."""
        return self.contribution.record(read_one(self.deal.text))

    @property
    def form(self) -> dict[str, Any]:
        """The JSON form of `record`, as values for `json.dumps`."""
        return self.contribution.json_form(orjson.loads(self.deal.text))

    @property
    def record_to_correct(self) -> Record:
        """Like `record`, but with the players' names as written, for users who may correct these names."""
        return self.contribution.record(read_one(self.deal.text), as_written=True)

    @cached_property
    def canonical(self) -> str | None:
        """The canonical text of `record`; None if the record can't be written as text."""
        try:
            return write_text(self.record)
        except NotWritable:
            return None

    @cached_property
    def checked(self) -> Check:
        """The result of a new check by the engine. A finding's position is in the canonical text."""
        return check_entry(self._entry)

    @cached_property
    def _entry(self) -> Entry:
        return read_stored(self.canonical or dump_json(self.record))

    @cached_property
    def finding(self) -> Finding | None:
        """The stored finding, with its position in the canonical text; None if the deal has no finding."""
        finding = self.stored_finding
        return None if finding is None else placed(self._entry, finding)


def shown(contribution: Contribution) -> ShownDeal:
    """Return the deal as described by a contribution, which must come from a query of `archive.access`."""
    return ShownDeal(contribution.deal, contribution)
