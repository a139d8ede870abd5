"""The form for uploading records."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from archive.access import Viewer
from archive.models import Space
from archive.reading.clubs import own_clubs
from archive.storing.imports import Counted
from replays.deal.forms import rules_choices
from replays.language import words
from replays.site.forms import CHOICES
from tarock.core.game import UNKNOWN_GAME
from tarock.games import GAMES


class ManyFilesInput(forms.ClearableFileInput):
    """A file input that allows several files."""

    allow_multiple_selected = True
    template_name = "django/forms/widgets/input.html"


class ManyFilesField(forms.FileField):
    """A field for any number of files. The clean value is a list."""

    widget = ManyFilesInput

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        """Return the valid files, or an empty list if none were sent."""
        given: Iterable[Any] = data if isinstance(data, list | tuple) else [data] if data else []
        return [super(ManyFilesField, self).clean(one, initial) for one in given]


class SpaceField(forms.ModelChoiceField):
    """A choice of clubs, labelled with their visibilities."""

    def label_from_instance(self, space: Space) -> str:
        return f"{space.name} ({words.VISIBILITIES[space.visibility]})"


class DestinationForm(forms.Form):
    """The owner of deals to store, and who can see them."""

    space = SpaceField(
        Space.objects.none(),
        required=False,
        label=gettext_lazy("Owner of these deals"),
        empty_label=format_lazy("{} ({})", gettext_lazy("My own"), words.VISIBILITIES["public"]),
    )
    visibility = forms.ChoiceField(
        required=False,
        choices=[("", gettext_lazy("Default setting")), *CHOICES],
        label=gettext_lazy("Who can see them"),
    )

    def __init__(self, *args: Any, viewer: Viewer, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        clubs = own_clubs(viewer)
        self.fields["space"].queryset = clubs
        if viewer.user is None or not clubs:
            del self.fields["space"]
            self.fields["visibility"].choices = CHOICES[: 2 if viewer.user is None else 3]


class UploadForm(DestinationForm):
    """Deals to upload, as pasted text, as files, or as both."""

    text = forms.CharField(
        required=False,
        strip=False,
        label=gettext_lazy("Type or paste deals"),
        widget=forms.Textarea(
            attrs={
                "rows": 16,
                "class": "mono",
                "wrap": "off",
                "spellcheck": "false",
                "autocomplete": "off",
                "autocapitalize": "off",
                "autocorrect": "off",
            }
        ),
    )
    files = ManyFilesField(
        required=False,
        allow_empty_file=True,
        label=gettext_lazy("Or choose files"),
        widget=ManyFilesInput(attrs={"accept": ".tgn,.json,.ndjson,.jsonl,.txt,.zip,.gz", "multiple": True}),
    )

    def clean(self) -> dict[str, Any]:
        """Require a text or a file."""
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors and not (cleaned.get("text") or "").strip() and not cleaned.get("files"):
            raise forms.ValidationError(_("Paste some deals or choose a file."))
        return cleaned


class TableForm(DestinationForm):
    """A table of old results, as pasted cells or as a file, or the `key` of one that was sent before, or the
    number of an `upload` that is a table.
    `answers`: the choices of the earlier steps, as JSON."""

    text = forms.CharField(
        required=False,
        strip=False,
        label=gettext_lazy("Or paste cells"),
        widget=forms.Textarea(
            attrs={"rows": 8, "class": "mono", "wrap": "off", "spellcheck": "false", "autocomplete": "off"}
        ),
    )
    file = forms.FileField(
        required=False,
        allow_empty_file=True,
        label=gettext_lazy("Choose a file"),
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx,.xls,.ods,.zip,.gz"}),
    )
    game = forms.ChoiceField(required=False, label=gettext_lazy("Game"))
    rules = forms.ChoiceField(required=False, label=gettext_lazy("Rules of the points"))
    unit = forms.RegexField(
        "^[a-z]{1,12}$",
        required=False,
        label=gettext_lazy("Unit of the points"),
        widget=forms.TextInput(attrs={"placeholder": "h, cent …", "autocomplete": "off", "size": 8}),
    )
    key = forms.UUIDField(required=False, widget=forms.HiddenInput)
    upload = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput)
    answers = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, viewer: Viewer, **kwargs: Any) -> None:
        super().__init__(*args, viewer=viewer, **kwargs)
        names = [(game, words.game_name(game)) for game in GAMES]
        self.fields["game"].choices = [("", _("Unknown")), *names]
        self.fields["rules"].choices = rules_choices()

    def clean_answers(self) -> dict[str, str]:
        """Return the earlier answers. Ignore everything that this site didn't write."""
        try:
            answers = json.loads(self.cleaned_data["answers"] or "{}")
        except (ValueError, RecursionError):
            answers = None
        pairs = answers.items() if isinstance(answers, dict) else ()
        return {about: text for about, text in pairs if isinstance(text, str)}

    def clean(self) -> dict[str, Any]:
        """Require a text, a file, the key of a table, or an upload."""
        cleaned: dict[str, Any] = super().clean() or {}
        sent = (
            (cleaned.get("text") or "").strip(),
            cleaned.get("file"),
            cleaned.get("key"),
            cleaned.get("upload"),
        )
        self.counted = Counted(
            cleaned.get("game") or UNKNOWN_GAME, cleaned.get("rules") or "", cleaned.get("unit") or ""
        )
        if not self.counted.is_possible:
            self.add_error("rules", _("These are not rules of this game, or they have another unit."))
        if not self.errors and not any(sent):
            raise forms.ValidationError(_("Choose a file or paste some cells."))
        return cleaned
