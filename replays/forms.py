"""The forms of the pages: uploading, and filtering the list of deals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from archive.models import VERDICTS
from replays import presenters, words
from tarock.games import games


class ManyFilesInput(forms.ClearableFileInput):
    """A file field's control that takes several files."""

    allow_multiple_selected = True
    template_name = "django/forms/widgets/input.html"


class ManyFilesField(forms.FileField):
    """Any number of files; the clean value is a list."""

    widget = ManyFilesInput

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        """Each of the files, checked; none gives an empty list."""
        given: Iterable[Any] = data if isinstance(data, list | tuple) else [data] if data else []
        return [super(ManyFilesField, self).clean(one, initial) for one in given]


class UploadForm(forms.Form):
    """Deals to be stored: pasted, or as files, or both."""

    text = forms.CharField(
        required=False,
        strip=False,
        label=gettext_lazy("Paste deals"),
        widget=forms.Textarea(
            attrs={"rows": 12, "spellcheck": "false", "autocomplete": "off", "class": "mono", "wrap": "off"}
        ),
    )
    files = ManyFilesField(
        required=False,
        allow_empty_file=True,
        label=gettext_lazy("Choose files"),
        widget=ManyFilesInput(attrs={"accept": ".tgn,.json,.ndjson,.jsonl,.txt", "multiple": True}),
    )

    def clean(self) -> dict[str, Any]:
        """There must be something."""
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors and not (cleaned.get("text") or "").strip() and not cleaned.get("files"):
            raise forms.ValidationError(_("Paste some deals or choose a file."))
        return cleaned


def _game_choices() -> list[tuple[str, Any]]:
    return [("", gettext_lazy("All games")), *((g.id, presenters.game_name(g.id)) for g in games())]


def _verdict_choices() -> list[tuple[str, Any]]:
    return [("", gettext_lazy("Any verdict")), *((key, words.VERDICTS[key][1]) for key in VERDICTS)]


class DealFilter(forms.Form):
    """What the list of deals is narrowed to; every field may be left empty."""

    game = forms.ChoiceField(required=False, choices=_game_choices, label=gettext_lazy("Game"))
    verdict = forms.ChoiceField(required=False, choices=_verdict_choices, label=gettext_lazy("Verdict"))
    player = forms.CharField(
        required=False,
        max_length=200,
        label=gettext_lazy("Player"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": gettext_lazy("Name")}),
    )
    date_from = forms.DateField(
        required=False,
        label=gettext_lazy("Played from"),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        input_formats=["%Y-%m-%d"],
    )
    date_to = forms.DateField(
        required=False,
        label=gettext_lazy("to"),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        input_formats=["%Y-%m-%d"],
    )

    def clean_player(self) -> str:
        """A name without a NUL, which no database could be asked for."""
        name: str = self.cleaned_data["player"]
        return name.replace("\x00", "").strip()

    def clean(self) -> dict[str, Any]:
        """The days in order."""
        cleaned: dict[str, Any] = super().clean() or {}
        first, last = cleaned.get("date_from"), cleaned.get("date_to")
        if first and last and first > last:
            raise forms.ValidationError(_("The first day is after the last one."))
        return cleaned
