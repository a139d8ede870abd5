"""Verification: the verdict on a record, its score sheet and its facts.

>>> from tarock.notation import read
>>> check_entry(read("[TGN]")[0]).verdict
'malformed'
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from tarock.analysis.fold import Fold, fold, unknown_cards
from tarock.core.dates import date_finding
from tarock.core.findings import Finding
from tarock.core.outcome import LACKING, Outcome, from_lines
from tarock.core.persons import namesakes
from tarock.core.record import Line, Record
from tarock.core.scoring import Counting, Happening, ScoreLine, add_up
from tarock.core.table import Table
from tarock.games import GAMES, game
from tarock.notation import Entry
from tarock.words import json_forms, sentences

VERDICTS = ("verified", "computed", "stated", "disputed", "illegal", "incomplete", "malformed")
#: Verdicts on records that have a score.
SCORED = VERDICTS[:4]
#: Verdicts on valid records whose claim, if any, is not known to be wrong.
GOOD = VERDICTS[:3]


@dataclass(slots=True)
class Check:
    """Result of checking one record. Treat it as immutable."""

    n: int  # position of the record in the input
    verdict: str | None  # one of `VERDICTS`; None if the program failed
    game: str | None = None
    digest: str | None = None  # identity of the record; None if it is malformed
    #: Points by seat. Only records with a verdict in `SCORED` have a score, lines and countings.
    score: dict[str, int] | None = None
    claim: dict[str, int] | None = None  # score that the players wrote down
    lines: tuple[ScoreLine, ...] = ()  # the score sheet
    countings: tuple[Counting, ...] = ()  # counting of the cards by side
    happenings: tuple[Happening, ...] = ()  # public consequences of the rules
    #: Facts to search deals by, even for an unfinished deal. `contract`: contract that was bid;
    #: `contract_played`: contract that was played.
    facts: dict[str, Any] = field(default_factory=dict)
    #: Doubled stakes, with the seats of the side that doubled first (`Outcome.doubled`).
    doubled: dict[str, tuple[str, ...]] = field(default_factory=dict)
    #: Findings that prevent a score, such as the first illegal event or all errors of a malformed record.
    errors: tuple[Finding, ...] = ()
    warnings: tuple[Finding, ...] = ()  # oddities, found in any record that is not malformed

    @property
    def outcome(self) -> str:
        """The verdict, or `failed` if the program failed."""
        return self.verdict or "failed"

    @property
    def good(self) -> bool:
        """Whether the record is valid and its claim, if any, is right."""
        return self.verdict in GOOD

    @property
    def error(self) -> Finding | None:
        """The first of the `errors`; None if there is none."""
        return self.errors[0] if self.errors else None

    @property
    def handed_over(self) -> tuple[Happening, ...]:
        """Happenings that explain the counting of the cards: a Fool kept in exchange for a card, or lost."""
        if self.game is None:
            return ()
        clauses = game(self.game).handing_over
        return tuple(row for row in self.happenings if row.clause in clauses)

    def as_json(self) -> dict[str, Any]:
        """Return the check as the command line and the API output it."""
        names = sentences.english(self.game or "")
        errors = [json_forms.finding_json(error, self.game or "") for error in self.errors]
        return {
            "n": self.n,
            "game": self.game,
            "digest": self.digest,
            "verdict": self.verdict,
            "score": self.score,
            "lines": [json_forms.line_json(line, names) for line in self.lines],
            "facts": self.facts,
            "counts": [c.as_json() for c in self.countings],
            "happenings": [json_forms.happening_json(h, names) for h in self.happenings],
            "claim": self.claim,
            "error": errors[0] if errors else None,
            "errors": errors,
            "warnings": [json_forms.finding_json(warning, self.game or "") for warning in self.warnings],
        }


def check(record: Record, n: int = 0) -> Check:
    """Check a record against the rules of its game from the first event to the last, and score it."""
    if record.result is not None:
        return Check(n, "stated", record.game, record.digest, dict(record.result))
    if record.sheet is not None:
        return _check_sheet(record, record.sheet, n)
    return check_fold(fold(record), n)


def score(record: Record) -> dict[str, int] | None:
    """Return the points of each seat; None if the record breaks a rule or is incomplete."""
    return check(record).score


def check_fold(done: Fold, n: int = 0) -> Check:
    """Check a record with cards, given the fold of all its events."""
    table, finding = done.table, done.finding
    record = table.record
    if finding is not None:
        return Check(
            n,
            "incomplete" if done.illegal is None else "illegal",
            record.game,
            record.digest,
            claim=record.score,
            happenings=tuple(table.happenings),
            facts=_facts_so_far(table),
            errors=(finding, *_also_unknown(table, finding)),
        )
    outcome = table.outcome()
    checked = _scored(record, n, "verified", outcome, table.facts(outcome))
    checked.countings, checked.happenings = tuple(table.countings()), tuple(table.happenings)
    return checked


def _scored(record: Record, n: int, verdict: str, outcome: Outcome, facts: dict[str, Any]) -> Check:
    """Return the check of a deal with this outcome. `verdict`: verdict to give unless the claim is wrong."""
    lines = tuple(GAMES[record.game].table.settle(outcome))
    if (unit := record.rules.unit) != record.rules.default().unit:
        lines = tuple(line._replace(quantity=line.quantity | {"unit": unit}) for line in lines)
    score = add_up(record.seats, lines)
    bonuses = [line.clause for line in lines if line.points and line.clause not in record.info.main]
    facts |= {"bonuses": bonuses, "options": list(record.options)}
    verdict = verdict if record.score in (None, score) else "disputed"
    about = (n, verdict, record.game, record.digest, score, record.score, lines)
    return Check(*about, facts=facts, doubled=outcome.doubled())


def _also_unknown(table: Table, finding: Finding) -> tuple[Finding, ...]:
    """Return the finding that an unfinished deal also depends on unknown cards, in a tuple; otherwise ()."""
    unknown = unknown_cards(table) if finding.clause is None else None
    return () if unknown is None or unknown.reason == finding.reason else (unknown,)


def _check_sheet(record: Record, sheet: tuple[Line, ...], n: int) -> Check:
    """Check and score a score sheet. The play was not recorded, so the verdict is never `verified`."""
    outcome = from_lines(GAMES[record.game].table.OUTCOME, record.seating, record.rules, sheet)
    if isinstance(outcome, tuple):
        illegal = any(finding.reason not in LACKING for finding in outcome)
        return Check(
            n,
            "illegal" if illegal else "incomplete",
            record.game,
            record.digest,
            claim=record.score,
            errors=outcome,
        )
    return _scored(record, n, "computed", outcome, outcome.facts())


def _facts_so_far(table: Table) -> dict[str, Any]:
    """Return the facts of an unfinished deal: bids, announcements and tricks so far."""
    stands = table.standing()
    return {
        "declarer": table.declarer,
        "contract": stands["contract"],
        "contract_played": stands["contract"],
        "announcements": [[a["seat"], a["item"]] for a in stands["announced"]],
        "tricks": dict(table.won),
    }


def check_entry(entry: Entry) -> Check:
    """Check one record of an input; a record that can't be read is `malformed`. Findings include their
    location in the input. Today's date affects the warnings, but never the verdict. Internal errors
    propagate."""
    if entry.failure is not None:
        raise entry.failure
    if entry.record is None:
        return Check(entry.n, "malformed", errors=entry.errors)
    return in_input(entry, check(entry.record, entry.n))


def warnings(record: Record, now: datetime | None = None) -> Iterator[Finding]:
    """Yield warnings, which don't affect the verdict: the same name at two seats, a date before 1700 or in
    the future, or points of a result that don't add up to 0. `now`: the time that counts as the present, by
    default the current time."""
    yield from table_warnings(record.players, record.tags.get("Date", ""), now)
    rest = sum((record.result or {}).values())
    if rest and not record.info.may_leave_rest(len(record.players)):
        yield Finding("result.sum", {"rest": rest}, pointer="/result")


def table_warnings(players: Mapping[str, str], date: str, now: datetime | None = None) -> Iterator[Finding]:
    """Yield the warnings about a table's players and the date (see `warnings`)."""
    for name, seats in namesakes(players):
        yield Finding("same-name", {"name": name, "seats": list(seats)}, seat=seats[0])
    if date and (found := date_finding(date, now)):
        yield found


def try_check(entry: Entry) -> Check:
    """Check one record of an input. If the program itself fails on the record, the check has no verdict."""
    try:
        return check_entry(entry)
    except Exception:
        return failed(entry)


def failed(entry: Entry) -> Check:
    """Log the current exception, and return a check without a verdict."""
    # Import `logging` only here, because it adds 10 ms to every start.
    import logging

    logging.getLogger(__name__).exception("the program failed on record %s, line %s", entry.n, entry.line)
    return Check(entry.n, None, errors=(Finding("failed", line=entry.line),))


def in_input(entry: Entry, checked: Check) -> Check:
    """Return the check with warnings about the record, and with each error's location in the input."""
    odd = tuple(warnings(entry.record)) if entry.record is not None else ()
    if not checked.errors and not odd:
        return checked
    return replace(checked, errors=tuple(placed(entry, finding) for finding in checked.errors), warnings=odd)


def placed(entry: Entry, finding: Finding) -> Finding:
    """Return a finding on a record with its location in the input."""
    if finding.event is not None:
        line, column, pointer = entry.place(finding.event)
    elif finding.field is not None:
        number = (finding.pointer or "").removeprefix("/sheet").removeprefix("/")
        line, column, pointer = entry.sheet_place(int(number) if number else None)
    else:
        return finding
    return replace(finding, line=line, column=column, pointer=pointer)
