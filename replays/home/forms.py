"""Forms for a user's API tokens."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from archive import tokens
from replays.language import words
from replays.site.forms import NameField


class TokenNameForm(forms.Form):
    """A token's name."""

    name = NameField(max_length=100, label=gettext_lazy("Name"))


class TokenForm(TokenNameForm):
    """A new API token. The cleaned data contains the arguments of `archive.tokens.make`."""

    scopes = forms.MultipleChoiceField(
        required=False,
        initial=["deals:write"],
        label=gettext_lazy("What it can do"),
        widget=forms.CheckboxSelectMultiple,
    )
    lasts = forms.TypedChoiceField(
        required=False,
        initial="365",
        coerce=lambda days: timedelta(days=int(days)),
        empty_value=None,
        choices=[
            ("30", gettext_lazy("in 30 days")),
            ("90", gettext_lazy("in 90 days")),
            ("365", gettext_lazy("in a year")),
            ("", gettext_lazy("never")),
        ],
        label=gettext_lazy("It expires"),
    )
    ends_with_password = forms.BooleanField(
        required=False, initial=True, label=gettext_lazy("Revoke it when my password changes")
    )

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["scopes"].choices = [(scope, words.SCOPES[scope]) for scope in tokens.allowed(user)]
