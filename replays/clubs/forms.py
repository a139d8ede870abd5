"""Forms for the settings of a club and the stake of an evening."""

from __future__ import annotations

from dataclasses import replace

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from archive.models import NAME_LENGTH
from replays.language.money import NoStake, Stake, read_stake
from replays.site.forms import CHOICES, NameField


class ClubForm(forms.Form):
    """A club's name, place, and the visibility of its deals."""

    name = NameField(max_length=NAME_LENGTH, label=gettext_lazy("Club name"))
    place = NameField(max_length=NAME_LENGTH, required=False, label=gettext_lazy("Place"))
    visibility = forms.ChoiceField(
        choices=CHOICES, initial="public", label=gettext_lazy("Who can see its deals")
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
