"""The texts that the scripts of the apps for the table share."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, pgettext_lazy

SHARED = {
    "back": gettext_lazy("Back"),
    "clause": gettext_lazy("The rule: {title}"),
    "date": gettext_lazy("Date"),
    "game": gettext_lazy("Game"),
    "loading": gettext_lazy("Loading: {percent} %"),
    "options": gettext_lazy("Table options"),
    "place": gettext_lazy("Place"),
    "players": gettext_lazy("Players"),
    "players_hint": gettext_lazy("in the order of their seats"),
    "prepare": gettext_lazy("Prepare for use without network (7 MB)"),
    "score_lines": gettext_lazy("How the score is made up"),
    "undo": gettext_lazy("Undo"),
    "works_offline": pgettext_lazy("of the app for an evening", "Works without network"),
}
