"""Preview and report of an imported table: what the archive reads in it, with the choices of its sender."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy, ngettext, pgettext_lazy
from django.utils.translation import gettext as _

from replays.language import words
from tarock.notation.foreign import ENCODING_NAMES
from tarock.tables import Place, Question, Recognised, ResultRow, Sentence
from tarock.tables.columns import ROLES

FIELD = "answer."
"""Prefix of the names of fields with answers."""

_MOST = 100
"""Maximum number of places or choices in a list."""

_FEW = 3
"""Number of rows shown from the beginning and from the end of a table."""

_LABELS = {
    "deal": gettext_lazy("a deal"),
    "evening": gettext_lazy("a whole evening"),
    "points": gettext_lazy("points of each row"),
    "running": gettext_lazy("running totals"),
    "day-month": gettext_lazy("with the day"),
    "month-day": gettext_lazy("with the month"),
    "order": gettext_lazy("by their order"),
    **ENCODING_NAMES,
}
_ROLE_LABELS = {
    "player": gettext_lazy("a player"),
    "date": gettext_lazy("the date"),
    "deal": gettext_lazy("the number of the deal"),
    "played": gettext_lazy("the number of deals played"),
    "session": pgettext_lazy("meaning of a column", "the session"),
    "name": gettext_lazy("names of players"),
    "points": gettext_lazy("points of the player next to it"),
    "ignore": gettext_lazy("nothing: leave it out"),
}
"""Labels of the choices of questions, and of the roles of columns."""


class Control(NamedTuple):
    """A choice about the table. `name`: name of the field; `options`: value, label, and whether it is chosen;
    empty for a text field. `value`: the text, or the label of the chosen option; empty if `text` says it."""

    name: str
    text: str
    options: Sequence[tuple[str, Any, bool]]
    value: Any
    suggestions: Sequence[str] = ()


def sentence(text: str) -> str:
    """Return a text with a capital letter."""
    return text[:1].upper() + text[1:]


def answers_in(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the answers in a form. A cell can be cleared; other empty fields are no answers."""
    answers = {name.removeprefix(FIELD): text for name, text in fields.items() if name.startswith(FIELD)}
    return {about: text for about, text in answers.items() if text or about.startswith("cell:")}


def preview(recognised: Recognised, answers: Mapping[str, str]) -> dict[str, Any]:
    """Return the preview of a table, as values for the template.

    `open`: the questions without an answer; `sessions`, `names`, `columns`, `others`: choices by subject;
    `first`, `doubtful`, `last`: rows, see `_row`; `uneven`: number of rows that don't add up to 0; `faults`:
    each with a field for the cell, if it is one.
    """
    rows = recognised.rows
    uneven = [row for row in rows if sum(row.points.values())]
    today = timezone.localdate()
    doubtful = [row for row in rows if row.date and row.date > today]
    doubtful += uneven if len(uneven) * 5 < len(rows) else []
    last = rows[max(_FEW, len(rows) - _FEW) :]
    more: dict[str, Any] = report(recognised, answers)
    if not more["sessions"]:
        more["sessions"] = [_text("session:", Sentence("ask-session"), answers.get("session:", ""))]
    return more | {
        "first": [_row(row, today) for row in rows[:_FEW]],
        "doubtful": [_row(row, today) for row in doubtful[:_MOST]],
        "last": [_row(row, today) for row in last],
        "rows": len(rows),
        "uneven": len(uneven),
        "open": [_control(question, answers) for question in recognised.questions],
    }


def report(recognised: Recognised, answers: Mapping[str, str]) -> dict[str, Any]:
    """Return the part of a preview that stays readable with the upload."""
    subjects: dict[str, list[Control]] = {"session": [], "name": [], "column": [], "": []}
    for question in recognised.assumed:
        subject = question.about.partition(":")[0]
        subjects[subject if subject in subjects else ""].append(_control(question, answers))
    known = {question.about for question in recognised.assumed}
    out = [place for place in recognised.columns_out if _about(place) not in known]
    rows = [place for place in out if place.row is not None]  # of a table that was turned
    totals = recognised.total_check.items()
    return {
        "players": recognised.players,
        "sessions": subjects["session"][:_MOST],
        "names": subjects["name"],
        "columns": [
            *subjects["column"][: 2 * _MOST],
            *(_column(place) for place in out[:_MOST] if place.row is None),
        ],
        "others": subjects[""],
        "faults": [(sentence(fault.text(_language())), _cell(fault)) for fault in recognised.faults[:_MOST]],
        "more_faults": max(0, len(recognised.faults) - _MOST),
        "left_out": _left_out([*recognised.left_out, *rows])[:_MOST],
        "totals": len(totals),
        "wrong_totals": [(name, stated, ours) for name, (stated, ours) in totals if stated != ours],
    }


def _language() -> str:
    return get_language() or "en"


def _control(question: Question, answers: Mapping[str, str]) -> Control:
    """Return the choice for a question. An assumption is not an answer unless another option is chosen."""
    if question.free and not (question.about.startswith("name:") and question.choices):
        return _text(question.about, question.what, question.chosen, question.choices)
    labels: Mapping[str, Any] = _ROLE_LABELS if question.about.startswith("column:") else _LABELS
    if question.about.startswith("name:"):
        labels = {}
    is_answered = question.about in answers
    options: list[tuple[str, Any, bool]] = []
    for choice in dict.fromkeys(filter(None, (*question.choices, question.chosen))):
        is_chosen = choice == question.chosen
        value = "" if is_chosen and not is_answered else choice
        options.append((value, labels.get(choice, choice), is_chosen))
    if not question.chosen:
        options.insert(0, ("", _("Please choose"), True))
    text = sentence(question.what.text(_language()))
    value = "" if labels is _ROLE_LABELS else labels.get(question.chosen, question.chosen)
    return Control(FIELD + question.about, text, options, value)


def _text(about: str, what: Sentence, value: str, suggestions: Sequence[str] = ()) -> Control:
    return Control(FIELD + about, sentence(what.text(_language())), (), value, suggestions)


def _about(place: Place) -> str:
    return f"column:{place.sheet}:{place.column}"


def _column(place: Place) -> Control:
    """Return the choice for a column that was left out."""
    options = [("", _ROLE_LABELS["ignore"], True)]
    options += [(role, _ROLE_LABELS[role], False) for role in ROLES if role != "ignore"]
    text = sentence(place.text(_language()))
    return Control(FIELD + _about(place), text, options, "")


def _cell(fault: Place) -> tuple[str, str] | None:
    """Return the name and the value of the field that corrects a cell; None if no cell has the fault."""
    if fault.row is None or not fault.column or "found" not in fault.what.values:
        return None
    return f"{FIELD}cell:{fault.sheet}:{fault.row}:{fault.column}", str(fault.what.values["found"])


def _left_out(places: Iterable[Place]) -> list[str]:
    """Return a line for the rows of each sheet that were left out for the same reason."""
    rows: dict[tuple[str, str], list[int]] = {}
    lines = []
    for place in places:
        if place.row is None or place.column:
            lines.append(sentence(place.text(_language())))
        else:
            rows.setdefault((place.sheet, place.what.text(_language())), []).append(place.row)
    for (sheet, why), numbers in rows.items():
        runs = _runs(sorted(numbers))
        shown = words.listed(runs[:20]) + ("…" if len(runs) > 20 else "")
        where = ngettext("row %(rows)s", "rows %(rows)s", len(numbers)) % {"rows": shown}
        lines.append(sentence(words.colon(words.listed([sheet, where] if sheet else [where]), why)))
    return lines


def _runs(numbers: Sequence[int]) -> list[str]:
    """Return numbers as texts, consecutive ones as a range: `5`, `7–9`."""
    runs = []
    for _offset, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        found = [number for _at, number in run]
        runs.append(f"{found[0]}–{found[-1]}" if len(found) > 1 else str(found[0]))
    return runs


def _row(row: ResultRow, today: date) -> dict[str, Any]:
    """Return a row of the preview: its place, the row itself, and why it is doubtful."""
    doubts = []
    if row.date and row.date > today:
        doubts.append(_("The date is in the future."))
    if total := sum(row.points.values()):
        doubts.append(_("The points add up to %(total)s instead of 0.") % {"total": words.points(total)})
    place = words.listed(filter(None, (row.sheet, str(row.row), row.column)))
    return {"place": place, "row": row, "doubts": doubts}
