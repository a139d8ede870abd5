"""Serializers for the setup of an evening and the values that a phone sends with a deal. The deal itself is
parsed as notation (`archive.storing.evenings.read_deal`)."""

from __future__ import annotations

import datetime
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from archive.models import CHOSEN, NAME_LENGTH, RULES_LENGTH, Evening
from archive.storing.evenings import MOST_AT_TABLE, MOST_DEALS, Setup, setup_of
from replays.language.names import finding_text
from tarock.analysis.verify import table_warnings
from tarock.core.findings import Finding
from tarock.core.persons import folded, told_apart
from tarock.games import GAMES
from tarock.notation import NoName, read_name, read_rules


class _Strict(serializers.Serializer):
    """A serializer that rejects unknown keys."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if isinstance(data, dict) and (unknown := sorted(set(map(str, data)) - set(self.fields))):
            raise serializers.ValidationError({unknown[0]: ["This is not known here."]})
        found: dict[str, Any] = super().to_internal_value(data)
        return found


def _invalid(finding: Finding) -> serializers.ValidationError:
    return serializers.ValidationError(finding_text(finding))


class _Name(serializers.CharField):
    """A name field that rejects names the notation does not allow, and normalizes all others for storage."""

    def __init__(self, **how: Any) -> None:
        super().__init__(max_length=NAME_LENGTH, **how)

    def to_internal_value(self, data: Any) -> str:
        try:
            return folded(read_name(super().to_internal_value(data)))
        except NoName as fault:
            raise _invalid(Finding(fault.reason, fault.values)) from None


class _ThrownInSerializer(_Strict):
    """A thrown-in deal: its number and the players in turn order. Older phones send only the number."""

    n = serializers.IntegerField(min_value=1, max_value=MOST_DEALS)
    turn = serializers.ListField(child=_Name(), max_length=MOST_AT_TABLE)

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            return super().to_internal_value(data)
        return self.fields["n"].run_validation(data)


class SetupSerializer(_Strict):
    """The setup of an evening. `version`: the version that this setup changes, 0 for a new evening; `seats`:
    number of seats, 0 for any number that the game allows; `visibility`: if empty, a new evening gets the
    visibility of its space, and an existing evening keeps its visibility."""

    key = serializers.UUIDField()
    space = serializers.IntegerField(allow_null=True)
    name = _Name()
    game = serializers.CharField(max_length=50)
    seats = serializers.IntegerField()
    options = serializers.ListField(child=serializers.CharField(max_length=50), max_length=100)
    rules = serializers.CharField(max_length=RULES_LENGTH, allow_blank=True, default="")
    date = serializers.DateField()
    place = _Name(allow_blank=True)
    table = serializers.ListField(child=_Name(), max_length=MOST_AT_TABLE)
    dealer = _Name(allow_blank=True)
    thrown_in = serializers.ListField(child=_ThrownInSerializer(), max_length=MOST_DEALS)
    counts_thrown_in = serializers.BooleanField()
    stake = serializers.RegexField(r"^([0-9]{1,6}([.,][0-9]{1,4})?)?$", allow_blank=True, max_length=12)
    currency = _Name(allow_blank=True)
    ended = serializers.BooleanField()
    visibility = serializers.ChoiceField(choices=CHOSEN, allow_blank=True, default="")
    version = serializers.IntegerField(min_value=0, max_value=2**31 - 1)

    def validate_game(self, game: str) -> str:
        """Reject a game that the engine does not support."""
        if game not in GAMES:
            raise serializers.ValidationError("There is no such game.")
        return game

    def validate_date(self, day: datetime.date) -> datetime.date:
        """Reject a date on which no deal can have been played."""
        for finding in table_warnings({}, day.isoformat()):
            raise _invalid(finding)
        return day

    def validate_table(self, names: list[str]) -> list[str]:
        """Give unknown players distinct names, and reject duplicate names."""
        table = told_apart(names)
        for finding in table_warnings({str(seat): name for seat, name in enumerate(table)}, ""):
            raise _invalid(finding)
        return table

    def validate_currency(self, currency: str) -> str:
        """Reject a currency of more than 12 characters."""
        if len(currency) > 12:
            raise serializers.ValidationError(_("This is too long."))
        return currency

    def validate_thrown_in(self, deals: list[Any]) -> list[Any]:
        """Sort thrown-in deals by number; of deals with the same number, keep the last."""
        by_number = {deal["n"] if isinstance(deal, dict) else deal: deal for deal in deals}
        return [by_number[number] for number in sorted(by_number)]

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        """Reject a number of seats or rules that the game does not support. Bring the options into their
        canonical form."""
        info = GAMES[values["game"]].info
        if values["seats"] and values["seats"] not in info.seats:
            raise serializers.ValidationError(
                {"seats": [_("This game can’t be played with this number of players.")]}
            )
        words, findings = read_rules(values["options"], values["rules"], info)
        for finding in findings:
            field, *at = (finding.pointer or "").replace("/tags/Rules", "/rules").split("/")[1:]
            text = [finding_text(finding, info.id)]
            raise serializers.ValidationError({field: {int(at[0]): text} if at else text})
        # A record without options is by the rules of the source, whatever their name.
        values["options"], values["rules"] = [*words], values["rules"] if words else ""
        return values

    @property
    def setup(self) -> Setup:
        """The validated setup; the serializer must be valid."""
        return Setup(**{name: self.validated_data[name] for name in Setup.__slots__})


_POINTS = serializers.IntegerField(min_value=-(10**6), max_value=10**6)


class EntrySerializer(_Strict):
    """A deal as a phone sends it. `base`: the stored version that this deal replaces, empty for a new deal;
    `score`: points by seat as the phone calculated them; `engine`: version of the phone's engine."""

    deal = serializers.DictField()
    base = serializers.CharField(allow_blank=True, max_length=32, default="")
    score = serializers.DictField(child=_POINTS, allow_null=True, default=None)
    engine = serializers.CharField(allow_blank=True, max_length=20, default="")


class FriendSerializer(_Strict):
    """The name that a friend chooses when they join an evening."""

    name = _Name()


class WithdrawalSerializer(_Strict):
    """A request to withdraw a deal. `base`: the version of the deal to withdraw."""

    base = serializers.CharField(max_length=32)


DEAL_KEYS = ("n", "players", "dealer", "options", "lines", "comment")
"""Keys allowed in a deal that a phone sends."""


def setup_json(evening: Evening) -> dict[str, Any]:
    """Return the setup of an evening as JSON, in the format in which phones send a setup."""
    setup = setup_of(evening)
    return {
        "key": str(evening.key),
        "space": evening.session.space.club,
        "name": setup.name,
        **setup.columns,
        "date": setup.date.isoformat(),
        "ended": setup.ended,
        "version": evening.version,
    }


def first_error(errors: Any, where: str = "") -> tuple[str, str]:
    """Return the first error of a serializer as a JSON pointer and a message."""
    if isinstance(errors, dict):
        key, rest = next(iter(errors.items()))
        return first_error(rest, where if key == "non_field_errors" else f"{where}/{key}")
    if isinstance(errors, list):
        number, rest = next((place, error) for place, error in enumerate(errors) if error)
        return first_error(rest, where if isinstance(rest, str) else f"{where}/{number}")
    return where, str(errors)
