"""The meaning of a table: rows of points, what was left out or assumed, and open questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from tarock.words.sentences import Names, about_table


@dataclass(frozen=True)
class Sentence:
    """A sentence for people: its code in the text files, and the values to insert."""

    code: str
    values: Mapping[str, str | int] = field(default_factory=dict)

    def text(self, language: str = "en") -> str:
        """Return the sentence in a language."""
        return about_table(self.code, Names(language=language), **self.values)

    __str__ = text


@dataclass(frozen=True)
class Place:
    """A row, a column, or a cell of a sheet, with a sentence about it.

    `row`: null for a whole column; `column`: letters as in spreadsheets, empty for a whole row.
    """

    sheet: str
    row: int | None
    column: str
    what: Sentence

    def text(self, language: str = "en") -> str:
        """Return the place and the sentence: `2019, row 14, column C: '1O' is not a number`."""
        names = Names(language=language)
        parts = [self.sheet] if self.sheet else []
        parts += [] if self.row is None else [about_table("row", names, row=str(self.row))]
        parts += [about_table("column", names, column=self.column)] if self.column else []
        what = self.what.text(language)
        place = names.between("comma").join(parts)
        return about_table("at", names, place=place, what=what) if place else what

    __str__ = text

    def as_json(self, word: str, language: str) -> dict[str, Any]:
        """Return the place as an object; `word`: the name of the sentence in it."""
        return {"sheet": self.sheet, "row": self.row, "column": self.column, word: self.what.text(language)}


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

    def as_json(self, language: str) -> dict[str, Any]:
        """Return the question as an object."""
        return vars(self) | {"what": self.what.text(language), "choices": list(self.choices)}


@dataclass
class Choices:
    """The choices for a file: answers that were sent, questions that have none, and what is assumed."""

    answers: Mapping[str, str] = field(default_factory=dict)
    questions: dict[str, Question] = field(default_factory=dict)
    assumed: dict[str, Question] = field(default_factory=dict)

    def choose(
        self,
        about: str,
        what: Sentence,
        choices: Sequence[str],
        assumed: str = "",
        free: bool = False,
        sheet: str = "",
    ) -> str:
        """Return the answer, or else what is assumed. If neither is known, it becomes a question.

        An answer that is none of the choices counts only if any text can be the answer (`free`). With a
        `sheet`, an answer about `ABOUT:SHEET` is for this sheet alone, and the choice is listed under this
        key if it differs from that of the sheets before.
        """
        own = f"{about}:{sheet}"
        about = own if own in self.answers else about
        answer = self.answers.get(about, "")
        known = bool(answer) and (free or answer in choices)
        question = Question(about, what, tuple(choices), answer if known else assumed, free)
        same = self.assumed.get(about) or self.questions.get(about)
        if sheet and same and same.chosen != question.chosen:
            question = replace(question, about=own)
        (self.assumed if question.chosen else self.questions).setdefault(question.about, question)
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

    def as_json(self, language: str = "en") -> dict[str, Any]:
        """Return the object with which `POST /api/v1/imports` answers a dry run, with its sentences in a
        language."""
        return {
            "kind": self.kind,
            "players": self.players,
            "rows": [vars(row) | {"date": row.date.isoformat() if row.date else None} for row in self.rows],
            "left_out": [place.as_json("why", language) for place in self.left_out],
            "columns_out": [place.as_json("why", language) for place in self.columns_out],
            "faults": [place.as_json("what", language) for place in self.faults],
            "questions": [question.as_json(language) for question in self.questions],
            "assumed": [question.as_json(language) for question in self.assumed],
            "total_check": {
                player: {"file": stated, "ours": ours} for player, (stated, ours) in self.total_check.items()
            },
        }
