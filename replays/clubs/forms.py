"""Forms for the settings and rules of a club and the stake of an evening."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from archive.models import NAME_LENGTH
from replays.language import words
from replays.language.money import NoStake, Stake, read_stake
from replays.language.names import finding_text
from replays.site.forms import CHOICES, NameField
from tarock.core.game import GameInfo
from tarock.core.options import Option, shown
from tarock.notation import is_rules_name, read_rules
from tarock.words import clauses
from tarock.words.house_rules import RuleLine


class ClubForm(forms.Form):
    """A club's name, place, and the visibility of its deals."""

    name = NameField(max_length=NAME_LENGTH, label=gettext_lazy("Club name"))
    place = NameField(max_length=NAME_LENGTH, required=False, label=gettext_lazy("Place"))
    visibility = forms.ChoiceField(
        choices=CHOICES, initial="public", label=gettext_lazy("Who can see its deals")
    )


class ClubSettingsForm(ClubForm):
    """A club's name and place, and what its pages show."""

    visibility = None
    hides_hindsight = forms.BooleanField(
        required=False, label=gettext_lazy("Show no hindsight on the club’s pages")
    )


class StakeForm(forms.Form):
    """The money per point and its currency. If the stake is empty, the evening is not played for money."""

    stake = forms.CharField(
        required=False,
        max_length=20,
        label=gettext_lazy("Money per point"),
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off", "placeholder": "0.10"}),
    )
    currency = NameField(
        required=False,
        max_length=12,
        label=gettext_lazy("Currency"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "€, Kč, CHF …"}),
    )

    def clean_stake(self) -> Stake | None:
        """Return the stake, without its currency."""
        try:
            return read_stake(self.cleaned_data["stake"])
        except NoStake:
            raise forms.ValidationError(
                _("Enter an amount of up to 10,000 with at most four decimal places.")
            ) from None

    @property
    def value(self) -> Stake | None:
        """The stake with its currency, or None if the stake is empty or the form is invalid."""
        if not self.is_valid() or not self.cleaned_data["stake"]:
            return None
        return replace(self.cleaned_data["stake"], currency=self.cleaned_data["currency"])

    @property
    def remarks(self) -> list[str]:
        """Error messages for an invalid stake, as sentences for the printed page, which has no form."""
        message = _("Points can’t be converted to money: %(why)s")
        return [message % {"why": why} for [why, *_more] in self.errors.values()]


class HouseRulesForm(forms.Form):
    """The options of a game, a field for each, and the name of the club's own rules. `options`: words of the
    rules to start from. A field for a number takes any text, so that nothing typed is lost."""

    name = forms.CharField(max_length=57, label=gettext_lazy("Name of the club’s own rules"))

    def __init__(self, info: GameInfo, options: Sequence[str], name: str, data: Any = None) -> None:
        super().__init__(data, initial={"name": name})
        self.info, self.words = info, tuple(options)
        values = info.rules.of(options)
        for slug, one in info.rules.table().items():
            self.fields[slug] = _option_field(one, shown(values.value(slug)))

    def rows(self, source: str) -> list[tuple[Any, RuleLine]]:
        """Return the field of each option with its line in the rules to start from, which has its origin."""
        return [(self[line.slug], line) for line in words.rule_lines(self.info.id, self.words, source)]

    def clean_name(self) -> str:
        """Reject a name that the notation doesn't allow."""
        name: str = self.cleaned_data["name"].strip()
        if not is_rules_name(f"{name}@1"):
            raise forms.ValidationError(_("Use lower-case letters a to z, digits and hyphens."))
        return name

    def clean(self) -> None:
        """Read the options. Each error belongs to the field of its option."""
        typed = {slug: self.cleaned_data.get(slug, "").strip() for slug in self.info.rules.table()}
        default = self.info.rules.default()
        # Leave out defaults, because a record may state only options that mean something.
        given = [
            (slug, text)
            for slug, text in typed.items()
            if text != shown(default.value(slug)) and not self.errors.get(slug)
        ]
        read, findings = read_rules([f"{slug}={text}" for slug, text in given], "", self.info)
        for finding in findings:
            number = int((finding.pointer or "").rpartition("/")[2])
            self.add_error(given[number][0], finding_text(finding, self.info.id))
        self.words = read if not findings else self.words


def _option_field(one: Option, value: str) -> forms.Field:
    """Return the field of an option, with this value at first."""
    if one.kind == "switch":
        choices = [
            (word, clauses.words("common", get_language() or "en")["switch"][word]) for word in ("yes", "no")
        ]
        return forms.ChoiceField(choices=choices, initial=value)
    digits = {"inputmode": "numeric"} if one.kind == "number" else {}
    widget = forms.TextInput(attrs={"autocomplete": "off", "size": 8, **digits})
    return forms.CharField(max_length=12, initial=value, widget=widget)


class ClubVisibilityForm(forms.Form):
    """A new visibility for a club's deals, either for all deals or only for future ones."""

    visibility = forms.ChoiceField(choices=CHOICES, label=gettext_lazy("Who can see its deals"))
    deals = forms.ChoiceField(
        choices=[
            ("all", gettext_lazy("all deals, existing and future")),
            ("future", gettext_lazy("only future deals")),
        ],
        initial="all",
        widget=forms.RadioSelect,
        label=gettext_lazy("This applies to"),
    )
