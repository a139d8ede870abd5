"""Form fields and choices shared by several parts of the site."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from archive.models import CHOSEN
from replays.language import words
from tarock.notation import NoName, read_name

CHOICES = [(word, words.VISIBILITIES[word]) for word in CHOSEN]
"""The visibilities that a user can choose for deals."""

TAGS = {
    "Session": gettext_lazy("Session"),
    "Deal": gettext_lazy("Deal number"),
    "Date": gettext_lazy("Date (2026-11-20)"),
    "Event": gettext_lazy("Event"),
    "Site": gettext_lazy("Site"),
}
"""The tags that corrections can change, with their labels."""


class NameField(forms.CharField):
    """A field for a name that the notation allows."""

    def clean(self, value: Any) -> str:
        """Return the name without surrounding whitespace. It must have a visible character."""
        try:
            return read_name(super().clean(value))
        except NoName:
            raise forms.ValidationError(_("This can’t be used as a name.")) from None
