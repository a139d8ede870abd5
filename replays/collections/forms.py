"""Forms for collections and notes."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from archive.models import NAME_LENGTH, SHARING, Collection
from archive.storing.collections import LONGEST_ABOUT, LONGEST_NOTE
from replays.language import words
from replays.site.forms import NameField

_AREA = {"rows": "3", "class": "wrap"}


class CollectionForm(forms.Form):
    """The title, description and visibility of a collection."""

    title = NameField(max_length=NAME_LENGTH, label=gettext_lazy("Title"))
    about = forms.CharField(
        required=False,
        max_length=LONGEST_ABOUT,
        label=gettext_lazy("Description"),
        widget=forms.Textarea(_AREA),
    )
    visibility = forms.ChoiceField(
        choices=[(word, words.SHARING[word]) for word in SHARING], label=gettext_lazy("Who can see it")
    )


class CollectForm(forms.Form):
    """The collection to which a deal is added, or the title of a new one, and a note at a step."""

    collection = forms.ChoiceField(required=False, label=gettext_lazy("Collection"))
    title = NameField(
        required=False, max_length=NAME_LENGTH, label=gettext_lazy("Title of the new collection")
    )
    note = forms.CharField(
        required=False, max_length=LONGEST_NOTE, label=gettext_lazy("Your note"), widget=forms.Textarea(_AREA)
    )
    step = forms.IntegerField(min_value=0, max_value=10_000, widget=forms.HiddenInput)

    def __init__(self, own: list[Collection], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["collection"].choices = [
            *((str(one.key), one.title) for one in own), ("", _("A new collection")),
        ]  # fmt: skip

    def clean(self) -> None:
        """A deal needs a collection, or a title for a new one."""
        found = self.cleaned_data
        if not self.errors and not found.get("collection") and not found.get("title"):
            self.add_error("title", _("Enter a title, or choose one of your collections."))
