"""Forms about deals: search, correction, visibility."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.choices import flatten_choices
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from archive.models import NAME_LENGTH, VERDICTS
from archive.reading.conditions import rules_meant
from archive.reading.filters import FILTERS, Filter, Filters, lacking, split_names
from archive.rules import SEED
from replays.language import verdicts, words
from replays.language.names import finding_text
from replays.site.forms import CHOICES, TAGS
from tarock.analysis.verify import table_warnings
from tarock.core.persons import is_nobody
from tarock.core.record import Record
from tarock.games import games, profiles_of
from tarock.notation import dump_json, read
from tarock.words import names as naming
from tarock.words.clauses import books


class VisibilityForm(forms.Form):
    """A new visibility for many stored deals."""

    visibility = forms.ChoiceField(choices=CHOICES, label=gettext_lazy("Who can see them"))


class CorrectionForm(forms.Form):
    """The details of a contribution, such as names, points written down, and session."""

    def __init__(self, *args: Any, record: Record, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.record = self.corrected = record
        given = record.result or record.score or {}
        for seat, name in record.players.items():
            self.fields[f"name_{seat}"] = forms.CharField(
                initial=name,
                required=not is_nobody(name),
                max_length=NAME_LENGTH,
                label=_("Player at seat %(seat)s") % {"seat": seat},
            )
            self.fields[f"claim_{seat}"] = forms.IntegerField(
                initial=given.get(seat),
                required=record.result is not None,
                label=_("Points written down for seat %(seat)s") % {"seat": seat},
            )
            self.fields[f"name_{seat}"].widget.attrs |= {"list": "names", "autocomplete": "off"}
        for tag, label in TAGS.items():
            self.fields[tag] = forms.CharField(
                initial=record.tags.get(tag, ""), required=False, max_length=2000, label=label
            )

    @property
    def seats(self) -> list[tuple[str, forms.BoundField, forms.BoundField]]:
        """Each seat with its name field and its points field."""
        return [(seat, self[f"name_{seat}"], self[f"claim_{seat}"]) for seat in self.record.players]

    @property
    def tags(self) -> list[forms.BoundField]:
        """The tag fields, which the form shows below the seat fields."""
        return [self[tag] for tag in TAGS]

    def clean(self) -> dict[str, Any]:
        """Build the corrected record and check that the engine can read it."""
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors:
            return cleaned
        seats = self.record.players
        claim = {seat: cleaned[f"claim_{seat}"] for seat in seats}
        if None in claim.values() and set(claim.values()) != {None}:
            raise forms.ValidationError(_("Enter the points for all players, or for none."))
        tags = self.record.tags | {tag: cleaned[tag] for tag in TAGS}
        corrected = replace(
            self.record,
            players={seat: cleaned[f"name_{seat}"] for seat in seats},
            tags={tag: value for tag, value in tags.items() if value},
            **self._points(claim),
        )
        entry = read(dump_json(corrected))[0]
        if entry.record is None:
            assert entry.error is not None
            raise forms.ValidationError(finding_text(entry.error))
        for finding in table_warnings(entry.record.players, entry.record.tags.get("Date", "")):
            field = f"name_{finding.values['seats'][-1]}" if finding.reason == "same-name" else "Date"
            self.add_error(field, finding_text(finding))
        self.corrected = entry.record
        return cleaned

    def _points(self, given: dict[str, int | None]) -> dict[str, Any]:
        """Return the entered points as a field of the record: those of a result, or the claimed score."""
        points = None if None in given.values() else given
        return {"score" if self.record.result is None else "result": points}


def game_choices() -> list[tuple[str, Any]]:
    return [(game.id, words.game_name(game.id)) for game in games()]


def _of_games(table: str) -> list[tuple[str, str]]:
    """Return the contracts or results of all games as form choices: the keyword that records use, and its
    names in the games."""
    names_by_word: dict[str, list[str]] = {}
    for game in games():
        for word, name in words.of(game.id).get(table, {}).items():
            names_by_word.setdefault(word, []).append(naming.label(name))
    return [(word, " / ".join(dict.fromkeys(names))) for word, names in names_by_word.items()]


def _clauses() -> list[tuple[str, Any]]:
    return [
        (words.colon(book.name, section.title), [(clause.slug, clause.title) for clause in section.clauses])
        for book in books(get_language() or "en")
        for section in book.sections
    ]


def _numbers_of_players() -> list[tuple[str, str]]:
    numbers = sorted({number for game in games() for number in game.seats})
    return [(str(number), str(number)) for number in numbers]


class PartField(forms.CharField):
    """A search field for part of a name or text. NUL characters are removed because databases reject them."""

    def __init__(self, label: Any, placeholder: Any = "", **options: Any) -> None:
        control = forms.TextInput(attrs={"autocomplete": "off", "placeholder": placeholder})
        super().__init__(required=False, max_length=200, label=label, widget=control, **options)

    def to_python(self, value: Any) -> str:
        """Return the text without NUL characters and surrounding whitespace."""
        return str(super().to_python(value)).replace("\x00", "").strip()


class DayField(forms.DateField):
    """An optional date."""

    def __init__(self, label: Any) -> None:
        control = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
        super().__init__(required=False, label=label, widget=control, input_formats=["%Y-%m-%d"])


def rules_choices(every: Any = None) -> list[tuple[str, Any]]:
    """Return the rules of deals as form choices: all rules (`every`: their label), the source rules, and the
    published rule sets. Without `every`, the source rules are the default."""
    first = [(SEED if every else "", _("The source rules"))]
    first = [("", every), *first] if every else first
    by_game = [(words.game_name(game.id), _published(game.id)) for game in games()]
    return [*first, *((name, rows) for name, rows in by_game if rows)]


def _published(game: str) -> list[tuple[str, str]]:
    return [(one.name, one.name) for one in profiles_of(game) if one.words]


class RulesField(forms.ChoiceField):
    """A search field for the rules of deals. A link can also have a club's rules, or options that nobody has
    published."""

    def __init__(self, label: Any, choices: Any = ()) -> None:
        super().__init__(required=False, label=label, choices=choices)

    def valid_value(self, value: str) -> bool:
        try:
            return bool(rules_meant(value))
        except ValueError:
            return False


_CHOICES: dict[str, Callable[[], list[tuple[str, Any]]]] = {
    "game": lambda: [("", _("All games")), *game_choices()],
    "rules": lambda: rules_choices(_("All rules")),
    "verdict": lambda: [("", _("Any verdict")), *((one, verdicts.VERDICTS[one][1]) for one in VERDICTS)],
    "kind": lambda: [("", _("Any")), *words.KINDS.items()],
    "role": lambda: [("", _("At any seat")), *words.SEAT_ROLES.items()],
    "contract": lambda: [("", _("Any contract")), *_of_games("contracts")],
    "result": lambda: [("", _("Any result")), *_of_games("results")],
    "clause": lambda: [("", _("Any clause")), *_clauses()],
    "doubled": lambda: [("", _("Any")), *_of_games("stakes")],
    "effect": lambda: [("", _("Any")), *words.EFFECTS.items()],
    "seats": lambda: [("", _("Any number")), *_numbers_of_players()],
    "outcome": lambda: [("", _("Any")), *words.OUTCOMES.items()],
}
NUMBERS = ("tarocks", "honours", "kings", "position")
"""Fields for the numbers of a hand."""
_PLACEHOLDERS = {
    "player": gettext_lazy("Name"),
    "with_players": gettext_lazy("Names, separated by commas"),
    "club": gettext_lazy("Name"),
    "session": gettext_lazy("Name"),
    "text": gettext_lazy("In comments, session, event …"),
}


def _search_field(name: str, row: Filter) -> forms.Field:
    if row.kind == "rules":
        return RulesField(row.label, _CHOICES[name])
    if name in _CHOICES:
        kind = {"coerce": int, "empty_value": None} if row.kind == "number" else {}
        return forms.TypedChoiceField(required=False, choices=_CHOICES[name], label=row.label, **kind)
    if row.kind == "day":
        return DayField(row.label)
    if row.kind == "number":
        limits: dict[str, int | None] = {"min_value": 0, "max_value": 200}
        if row.least < 0 or name in NUMBERS:
            limits = {"min_value": row.least, "max_value": row.most}
        return forms.IntegerField(required=False, label=row.label, **limits)
    return PartField(row.label, _PLACEHOLDERS.get(name, ""))


def _exact_fields() -> dict[str, forms.Field]:
    """Return the hidden fields of links to the deals behind a figure, which no user fills in."""
    ids = ("player_id", "with_player_id", "session_id", "newest", "after", "space")
    choices = {"relation": words.RELATIONS, "scored": words.COUNTS}
    numbers = {name: forms.IntegerField(min_value=1, max_value=10**17, label=_EXACT[name]) for name in ids}
    fields: dict[str, forms.Field] = numbers | {
        name: forms.ChoiceField(choices=list(names.items()), label=_EXACT[name])
        for name, names in choices.items()
    }
    fields["public"] = forms.BooleanField(label=_EXACT["public"])
    for field in fields.values():
        field.required, field.widget = False, forms.HiddenInput()
    return fields


_EXACT = {
    "player_id": gettext_lazy("Player"),
    "with_player_id": gettext_lazy("Together with"),
    "session_id": gettext_lazy("Session"),
    "newest": gettext_lazy("Deals"),
    "after": gettext_lazy("Deals"),
    "space": gettext_lazy("Club"),
    "public": gettext_lazy("Who can see them"),
    "relation": gettext_lazy("Relation"),
    "scored": gettext_lazy("Scored deals"),
}
"""Labels of the hidden fields in the list of filters in use."""

_BY_ID = {"player_id": "player", "with_player_id": "with_player", "session_id": "session"}
"""Fields that contain an id, with the criterion. A name that the user types replaces the id."""


class FoldedForm(forms.Form):
    """A form that hides all fields except those in `SIMPLE` until the user opens them."""

    SIMPLE: tuple[str, ...] = ()

    @property
    def simple(self) -> list[forms.BoundField]:
        """The fields that are always visible."""
        return [self[name] for name in self.fields if name in self.SIMPLE]

    @property
    def more(self) -> list[forms.BoundField]:
        """The fields that are hidden until the user opens them."""
        return [field for field in self.visible_fields() if field.name not in self.SIMPLE]

    @property
    def uses_more(self) -> bool:
        """Whether one of the hidden fields has a value or an error."""
        return any(field.value() or field.errors for field in self.more)


class DealFilter(FoldedForm):
    """The search form for deals: the `FILTERS` that have a label, and `order`. Every field is optional."""

    order = forms.ChoiceField(
        required=False, choices=list(words.ORDERS.items()), label=gettext_lazy("Sorted by")
    )

    SIMPLE = ("game", "player", "date_from", "date_to")
    field_order = (*SIMPLE, "role", "outcome", "with_players", "club", "session", "event", "site", "text")

    names: dict[str, str]
    """Names of the player, the other player and the session that a hidden field names by id."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        order = self.fields.pop("order")
        self.fields.update({name: _search_field(name, row) for name, row in FILTERS.items() if row.label})
        self.fields["order"] = order
        self.order_fields(self.field_order)
        self.fields.update(_exact_fields())
        self.names = {}

    def clean_with_players(self) -> tuple[str, ...]:
        return split_names(self.cleaned_data["with_players"])

    def clean(self) -> dict[str, Any]:
        """Reject days in the wrong order, and a filter used without another filter that it requires."""
        cleaned: dict[str, Any] = super().clean() or {}
        first, last = cleaned.get("date_from"), cleaned.get("date_to")
        if first and last and first > last:
            raise forms.ValidationError(_("The first day is after the last one."))
        for name, criterion in _BY_ID.items():
            cleaned[criterion] = cleaned.get(criterion) or cleaned.get(name)
        for name, row in lacking(cleaned):
            self.add_error(name, row.lacking)
        if self.errors.keys() & _EXACT.keys():
            self.add_error(None, _("This link is incomplete. Search again."))
        if cleaned.get("order") in ("gain", "loss") and not cleaned.get("player"):
            self.add_error("order", _("Name the player."))
        return cleaned

    @property
    def filters(self) -> Filters:
        """The search criteria. The form must be valid."""
        return Filters(**{name: value for name, value in self.cleaned_data.items() if name in FILTERS})

    @property
    def active_filters(self) -> list[tuple[str, str, str]]:
        """The name, label and displayed value of each field in use."""
        found = []
        for name, field in self.fields.items():
            value = self.data.get(name, "").strip()
            replaced = name in _BY_ID and self.data.get(_BY_ID[name], "").strip()
            if value and not replaced and name not in self.errors:
                found.append(
                    (name, str(field.label), self.names.get(name) or self._value_in_words(field, value))
                )
        return found

    @staticmethod
    def _value_in_words(field: forms.Field, value: str) -> str:
        if isinstance(field, forms.DateField):
            return words.day(value)
        if field.label == _EXACT["newest"]:
            return _("only the latest")
        if field.label == _EXACT["public"]:
            return str(words.VISIBILITIES["public"])
        return str(dict(flatten_choices(getattr(field, "choices", ()))).get(value, value))
