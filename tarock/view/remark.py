"""Remarks as sentences: consequences of the rules, reasons for plays, near misses, results, slips."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tarock.analysis import audit
from tarock.analysis.commentary import Deed
from tarock.core.record import Line, Record
from tarock.core.scoring import Happening, Note, ScoreLine
from tarock.games import GAMES
from tarock.view.page_json import Json, clause_json
from tarock.words import sentences
from tarock.words.clauses import Clause
from tarock.words.names import PlayerNames
from tarock.words.sheets import sheet_line


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence, and the clause behind it."""

    text: str
    slug: str  # slug of the clause; empty if there is none
    names: PlayerNames
    events: tuple[int, ...] = ()

    @property
    def clause(self) -> Clause | None:
        """The clause; None if there is none, or if the clause no longer exists."""
        return self.names.clause(self.slug)

    @property
    def steps(self) -> list[int]:
        """Steps of the replay after the events of the remark."""
        return [event + 1 for event in self.events]

    def as_json(self) -> Json:
        """Return the sentence, and the slug and title of its clause."""
        return {"text": self.text, **clause_json(self.slug, self.names)}


def happenings(rows: Iterable[Happening], names: PlayerNames) -> list[Remark]:
    """Return a sentence for each happening: a consequence of an event under the rules, such as a Fool that
    was returned. Successive happenings that differ only in their card share a sentence."""
    found = []
    for _alike, group in itertools.groupby(rows, key=_without_card):
        same = list(group)
        first = same[0]
        if len(same) > 1:
            cards = [row.values["card"] for row in same]
            first = first._replace(values={**first.values, "card": cards})
        events = tuple(dict.fromkeys(row.event for row in same))
        found.append(Remark(names.sentence(sentences.happening, first), first.clause, names, events))
    return found


def _without_card(row: Happening) -> tuple[Any, ...]:
    """Return what happenings must share to have one sentence; without a card, the event as well."""
    rest = {name: value for name, value in row.values.items() if name != "card"}
    return row.clause, row.kind, rest, "card" in row.values or row.event


def play(reason: Mapping[str, Any], seat: str, token: str, names: PlayerNames) -> Remark:
    """Return a sentence that says why a card could be played. `reason`: see `analysis.commentary`."""
    card = token.partition("(")[0]
    return Remark(names.sentence(sentences.play, reason, seat, card), reason["clause"], names)


def notes(rows: Iterable[Note], names: PlayerNames) -> list[Remark]:
    """Return a sentence for each near miss and each failed announcement."""
    return [Remark(names.sentence(sentences.note, row), row.clause, names, row.events) for row in rows]


def deed(found: Deed, names: PlayerNames) -> str:
    """Return the result of an event as a sentence: “Alena announces re (×4) on the pagat and wins 80.”"""
    seat, verb, *words = found.event
    what = sentences.event_sentence(verb, words, names, "long")
    key = "event-won" if found.points > 0 else "event-lost"
    return sentences.at_table(key, names, seat=seat, what=what, points=abs(found.points))


def explanations(
    lines: Sequence[ScoreLine],
    score: Mapping[str, int],
    claim: Mapping[str, int],
    names: PlayerNames,
    sheet: Record | None = None,
) -> list[Remark]:
    """List every slip, in the score lines or in the lines of the score sheet, that on its own explains the
    claim of a disputed deal."""
    if not claim or not score or set(claim) != set(score):
        return []
    rows = []
    for slip in audit.explain(lines, score, claim):
        line = None if slip.line is None else lines[slip.line]
        values = {"title": names.clause_title(line.clause) if line else ""}
        values |= dict(zip(("seat", "other"), slip.seats, strict=False))
        text = names.sentence(sentences.slip, slip.how, values)
        rows.append(Remark(text, line.clause, names, line.events) if line else Remark(text, "", names))
    return rows + (_on_sheet(sheet, names) if sheet else [])


def _on_sheet(sheet: Record, names: PlayerNames) -> list[Remark]:
    """Return a sentence for each slip in the lines of a score sheet that explains its claim."""
    fields, rows = GAMES[sheet.game].table.OUTCOME.fields(), []

    def words(line: Line | None) -> str:
        return sheet_line(names.game, line, names) if line else ""

    for slip in audit.explain_sheet(sheet):
        line = slip.written or slip.meant or ("",)
        # A wrong number and a wrong word share one sentence.
        how = "word" if slip.how == "number" else slip.how
        values = {"stated": words(slip.written), "meant": words(slip.meant)}
        text = names.sentence(sentences.slip, how, values)
        rows.append(Remark(text, fields[str(line[0])].clause, names))
    return rows
