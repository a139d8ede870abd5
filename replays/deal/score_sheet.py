"""The page of a deal of which there is a score sheet alone: what was written down, field by field, and what
follows from it; and where the cards were recorded, too, what differs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from archive.access import Viewer
from archive.models import Contribution, Deal
from replays.deal.audit_page import Claim, claimed
from replays.deal.sheet import Sheet, sheet
from replays.names import Names
from tarock import sentences
from tarock.clauses import Clause
from tarock.findings import Finding
from tarock.record import Line, Record


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is wrong with a field, and the clause behind it."""

    text: str
    slug: str
    clause: Clause | None


@dataclass(frozen=True, slots=True)
class Written:
    """A line of the sheet in words: the name of its field, and what stands there; nothing, where the line is
    missing."""

    name: str
    value: str
    wrong: list[Wrong] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Differing:
    """A field in which the sheet differs from the cards: its name, and what stands in either, a text a
    line."""

    name: str
    sheet: list[str]
    cards: list[str]


@dataclass(frozen=True, slots=True)
class Compared:
    """A sheet beside the deal with cards that counts in its place."""

    sheet: Contribution
    played: Contribution
    differing: list[Differing]


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """Everything on the page that is not on that of any deal. ``score``: None where the sheet gives none."""

    written: list[Written]
    claim: Claim | None
    score: Sheet | None


def score_sheet(deal: Deal, viewer: Viewer) -> ScoreSheet:
    """The page of a deal's score sheet."""
    names, check = Names(deal.game, deal.players), deal.checked
    return ScoreSheet(
        written=written(deal.record, check.errors, names),
        claim=claimed(deal, names) if deal.representative.verdict == "disputed" else None,
        score=sheet(deal, check.facts, names, viewer) if deal.has_score else None,
    )


def written(record: Record, findings: Iterable[Finding], names: Names) -> list[Written]:
    """The lines of a sheet in words, each with what is wrong with it; behind them what is missing."""
    rows = [Written(*_in_words(line, names)) for line in record.sheet or ()]
    for finding in findings:
        wrong = Wrong(
            names.sentence(sentences.finding, finding), finding.clause or "", names.clause(finding.clause)
        )
        number = (finding.pointer or "").removeprefix("/sheet").partition("/")[2]
        if number:
            rows[int(number)].wrong.append(wrong)
        else:
            rows.append(Written(names.field(finding.field or ""), "", [wrong]))
    return rows


def _in_words(line: Line, names: Names) -> tuple[str, str]:
    """The name of a line's field, and the rest of it, in words."""
    return names.written(line)


def compared(sheet: Contribution, played: Contribution) -> Compared:
    """The sheet of a deal beside the record of its cards."""
    deal, cards = sheet.represented_deal, played.represented_deal
    names = Names(deal.game, cards.players)
    return Compared(
        sheet,
        played,
        [
            Differing(names.field(one.field), _values(one.sheet, names), _values(one.played, names))
            for one in compare(deal.record, cards.record)
        ],
    )


def _values(lines: Sequence[Line], names: Names) -> list[str]:
    return [_in_words(line, names)[1] for line in lines]


def compare(a, b):
    return []
