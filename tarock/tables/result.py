"""The meaning of a table: rows of points, what was left out or assumed, and open questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

SENTENCES = {
    # why a file is refused
    "too-large": "the table is too large",
    "damaged": "the spreadsheet is damaged",
    "password": "the spreadsheet is protected by a password",
    "not-a-table": "no table was found",
    "no-points": "no columns with players' points were found",
    "too-many-players": "the table names {count} players; up to {most} can be brought in",
    "": "",
    # faults
    "no-number": "'{found}' is not a number",
    "no-date": "'{found}' is not a date",
    "no-name": "'{found}' can't be a name",
    "no-year": "'{found}' has no year",
    "not-whole": "'{found}' is not a whole number in the chosen unit",
    "number-too-large": "'{found}' is too large",
    "twice": "{player} has points twice in this row",
    "after-fault": "the difference is unknown, because the running total before it is missing",
    # rows and columns that are left out
    "empty-row": "the row is empty",
    "total-row": "contains totals",
    "average-row": "contains averages",
    "carried-row": "contains amounts carried over from another table",
    "rank-row": "contains ranks",
    "text-row": "contains text and no points",
    "nobody-row": "nobody has points in this row",
    "standing": "the table repeats the sums of the other tables",
    "in-deals": "the deals of this evening are in the file, too",
    "ignored": "you left the column out",
    "total-column": "contains totals",
    "running-column": "contains running totals of the column next to it",
    "average-column": "contains averages",
    "rank-column": "contains places or ranks",
    "round-column": "contains rounds or tables",
    "check-column": "contains a check",
    "note-column": "contains notes",
    "text-column": "contains text",
    "no-sum-column": "without this column, every row adds up to zero",
    "empty-column": "the column is empty",
    "unknown-column": "the meaning of the column is unknown",
    # columns
    "is-date": "'{label}' is the date",
    "is-deal": "'{label}' is the number of the deal",
    "is-played": "'{label}' is the number of deals played",
    "is-session": "'{label}' is the session",
    "is-player": "'{label}' is a player",
    "is-name": "'{label}' contains the names of players",
    "is-points": "'{label}' contains the points of the player next to it",
    # questions and assumptions
    "ask-encoding": "the letters can be read in several ways: {found}",
    "ask-kind": "each row is a deal or a whole evening",
    "ask-running": "the numbers are points of each row, or running totals (differences are taken)",
    "ask-order": "dates such as {found} begin with the day or with the month",
    "ask-year": "the year of dates such as {found}",
    "ask-unit": "points for one unit of the table, which has decimals such as {found}",
    "ask-name": "'{name}' may be another spelling of '{other}'",
    "ask-column-name": "the name of the player in {name}",
    "same-name": "'{name}' is '{other}'",
    "ask-session": "the name of the session; the date follows if there are several",
    "renumbered": "deals of '{session}' are numbered by their order",
}
"""English sentence of each code."""


@dataclass(frozen=True)
class Sentence:
    """A sentence for people: a code for translations, and the values to insert."""

    code: str
    values: Mapping[str, str | int] = field(default_factory=dict)

    def __str__(self) -> str:
        return SENTENCES[self.code].format(**self.values)


@dataclass(frozen=True)
class Place:
    """A row, a column, or a cell of a sheet, with a sentence about it.

    `row`: null for a whole column; `column`: letters as in spreadsheets, empty for a whole row.
    """

    sheet: str
    row: int | None
    column: str
    what: Sentence

    def __str__(self) -> str:
        row = "" if self.row is None else f"row {self.row}"
        parts = (self.sheet, row, self.column and f"column {self.column}")
        place = ", ".join(filter(None, parts))
        return f"{place}: {self.what}" if place else str(self.what)

    def as_json(self, word: str) -> dict[str, Any]:
        """Return the place as an object; `word`: the name of the sentence in it."""
        return {"sheet": self.sheet, "row": self.row, "column": self.column, word: str(self.what)}


@dataclass(frozen=True)
class Question:
    """A choice. `about`: its key in the answers; `chosen`: what was answered or assumed, or else empty.

    If `free`, any text can be the answer, not only one of the choices.
    """

    about: str
    what: Sentence
    choices: tuple[str, ...]
    chosen: str = ""
    free: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the question as an object."""
        return {
            "about": self.about,
            "what": str(self.what),
            "choices": list(self.choices),
            "chosen": self.chosen,
            "free": self.free,
        }


@dataclass
class Choices:
    """The choices for a file: answers that were sent, questions that have none, and what is assumed."""

    answers: Mapping[str, str] = field(default_factory=dict)
    questions: dict[str, Question] = field(default_factory=dict)
    assumed: dict[str, Question] = field(default_factory=dict)

    def choose(
        self, about: str, what: Sentence, choices: Sequence[str], assumed: str = "", free: bool = False
    ) -> str:
        """Return the answer, or else what is assumed. If neither is known, it becomes a question.

        An answer that is none of the choices counts only if any text can be the answer (`free`).
        """
        answer = self.answers.get(about, "")
        known = bool(answer) and (free or answer in choices)
        question = Question(about, what, tuple(choices), answer if known else assumed, free)
        (self.assumed if question.chosen else self.questions).setdefault(about, question)
        return question.chosen


@dataclass(frozen=True)
class ResultRow:
    """The points of a deal, or of an evening if `deal` is null. `played`: number of deals of an evening.

    `column`: in a table that has a column for each deal or evening, its letters; else empty.
    """

    sheet: str
    row: int
    column: str
    session: str
    date: date | None
    deal: int | None
    played: int | None
    points: dict[str, int]


@dataclass
class Recognised:
    """The meaning of a file. `kind`: deal, evening, question (something must be answered first), or refuse.

    `assumed`: choices that were made and can be changed by an answer. `total_check`: for each player in the
    file's total rows, the sum that the file states, and ours.
    """

    kind: str = "refuse"
    players: list[str] = field(default_factory=list)
    rows: list[ResultRow] = field(default_factory=list)
    left_out: list[Place] = field(default_factory=list)
    columns_out: list[Place] = field(default_factory=list)
    faults: list[Place] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    assumed: list[Question] = field(default_factory=list)
    total_check: dict[str, tuple[int, int]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the object with which `POST /api/v1/imports` answers a dry run."""
        return {
            "kind": self.kind,
            "players": self.players,
            "rows": [_row_as_json(row) for row in self.rows],
            "left_out": [place.as_json("why") for place in self.left_out],
            "columns_out": [place.as_json("why") for place in self.columns_out],
            "faults": [place.as_json("what") for place in self.faults],
            "questions": [question.as_json() for question in self.questions],
            "assumed": [question.as_json() for question in self.assumed],
            "total_check": {
                player: {"file": stated, "ours": ours} for player, (stated, ours) in self.total_check.items()
            },
        }


def _row_as_json(row: ResultRow) -> dict[str, Any]:
    return {
        "sheet": row.sheet,
        "row": row.row,
        "column": row.column,
        "session": row.session,
        "date": row.date.isoformat() if row.date else None,
        "deal": row.deal,
        "played": row.played,
        "points": row.points,
    }
