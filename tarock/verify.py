"""Verifying: the verdict on a record, its score sheet and facts.

>>> from tarock.notation import read
>>> check_entry(read("[TGN]")[0]).verdict
'malformed'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from tarock.findings import Finding
from tarock.games import Illegal, Table
from tarock.notation import Entry
from tarock.record import Record
from tarock.replay import Fold, finished, fold
from tarock.scoring import Counting, ScoreLine

__all__ = ["VERDICTS", "Check", "Finding", "check", "check_all", "check_entries", "check_entry"]

#: So many records are checked together.
_AT_ONCE = 64

VERDICTS = ("verified", "disputed", "illegal", "incomplete", "malformed")


class Check:
    """What the check of one record says.

    `n`: its place in the input; `verdict`: one of VERDICTS; `score`: points by seat, `lines` the score sheet
    that adds up to it, `countings` how the cards were counted, `facts` what searches want — for `verified`
    and `disputed` only (of other deals `facts` has what was bid and won so far); `claim`: the score its
    players wrote down; `error`: the finding behind every other verdict. `digest`, `lines`,
    `countings` and `facts` are made when they are first asked for.
    """

    __slots__ = (
        "_countings",
        "_facts",
        "_lines",
        "_record",
        "_table",
        "claim",
        "error",
        "game",
        "n",
        "score",
        "verdict",
    )

    def __init__(
        self,
        n: int,
        record: Record | None,
        verdict: str,
        score: dict[str, int] | None = None,
        error: Finding | None = None,
        table: Table | None = None,
    ) -> None:
        self.n = n
        self._record = record
        self.game = record.game if record is not None else None
        self.claim = record.score if record is not None else None
        self.verdict = verdict
        self.score = score
        self._table = table
        self._lines: tuple[ScoreLine, ...] | None = None
        self.error = error
        self._facts: dict[str, Any] | None = None
        self._countings: tuple[Counting, ...] = ()

    @property
    def digest(self) -> str | None:
        """The identity of the record; None if it is malformed."""
        return self._record.digest if self._record is not None else None

    @property
    def lines(self) -> tuple[ScoreLine, ...]:
        """The score sheet, whose lines add up to the score; empty unless there is one."""
        if self._lines is None:
            self._lines = tuple(self._table.settle()) if self._table is not None else ()
        return self._lines

    @property
    def facts(self) -> dict[str, Any]:
        """What searches want to know: declarer, contract, result, card points, tricks, bonuses, announcements
        …"""
        self._look()
        return self._facts or {}

    @property
    def countings(self) -> tuple[Counting, ...]:
        """How the cards of each side were counted; empty unless the deal was played to its end."""
        self._look()
        return self._countings

    def _look(self) -> None:
        if self._facts is not None or self._record is None:
            return
        table = fold(self._record).table
        if self.score is None:
            self._facts = _said(table)
            return
        bonuses = [x.clause for x in self.lines if x.points and x.clause not in _GAME_CLAUSES]
        self._facts = table.facts() | {"bonuses": bonuses}
        self._countings = tuple(table.countings())

    def placed(self, line: int | None, column: int | None, pointer: str | None) -> Check:
        """The same check, its finding with a place in the input."""
        if self.error is None:
            return self
        error = replace(self.error, line=line, column=column, pointer=pointer)
        return Check(self.n, self._record, self.verdict, self.score, error, self._table)

    def as_json(self) -> dict[str, Any]:
        """The check as the command line and the API print it."""
        return {
            "n": self.n,
            "game": self.game,
            "digest": self.digest,
            "verdict": self.verdict,
            "score": self.score,
            "lines": [line.as_json() for line in self.lines],
            "facts": self.facts,
            "counts": [c.as_json() for c in self.countings],
            "claim": self.claim,
            "error": None if self.error is None else self.error.as_json(),
        }


def check(record: Record, n: int = 0) -> Check:
    """Checks a record from the first event to the last against the rules of its game, and scores it. Pure."""
    result = check_all([record])[0]
    result.n = n
    return result


def check_all(records: Sequence[Record]) -> list[Check]:
    """Checks records as `check` does each, faster than one by one; `n` counts them from 0."""
    tables = finished(records)
    scores = [table.score() if table is not None else None for table in tables]
    return [
        _looked_through(record, n) if table is None or score is None else _scored(record, n, table, score)
        for n, (record, table, score) in enumerate(zip(records, tables, scores, strict=True))
    ]


def _looked_through(record: Record, n: int) -> Check:
    """The check of a record by a look at every event."""
    done = fold(record)
    if done.illegal is not None:
        return Check(n, record, "illegal", error=finding(done))
    if not done.table.over:
        return Check(n, record, "incomplete", error=_incomplete(done.table))
    return _scored(record, n, done.table, done.table.score())


def _scored(record: Record, n: int, table: Table, score: dict[str, int]) -> Check:
    verdict = "disputed" if record.score is not None and record.score != score else "verified"
    return Check(n, record, verdict, score, None, table)


def _incomplete(table: Table) -> Finding:
    before = f"after event {table.step - 1}" if table.step else "before its first event"
    return Finding(
        f"the record ends {before}; {table.turn} is to go on ({table.phase})",
        event=table.step,
        seat=table.turn,
        legal=tuple(table.legal()),
        pointer=f"/events/{table.step}",
    )


#: Clauses that settle the game itself; every other line with points is a bonus of its own.
_GAME_CLAUSES = frozenset(
    {
        "strohmann.game",
        "strohmann.game-undeclared",
        "taroky.game",
        "taroky.game-tie",
        "taroky.settle-uncontested",
        "taroky.surrender",
        "taroky.varsava-pay",
        "taroky.varsava-tie",
        "troggu.game",
        "troggu.solo",
        "troggu.partner-split",
        "troggu.misere",
        "grosstarock.card-points",
    }
)


def _said(table: Table) -> dict[str, Any]:
    """The facts of a deal that did not come to its end: what was bid, announced and won so far."""
    words = table.contract_words()
    return {
        "declarer": table.declarer,
        "contract": words["contract"],
        "announcements": [[a["seat"], a["item"]] for a in words["announced"]],
        "tricks": dict(table.won),
    }


def finding(done: Fold) -> Finding:
    """The finding of a fold that an illegal event ended."""
    illegal, table = done.illegal, done.table
    assert isinstance(illegal, Illegal)
    number = table.step
    return Finding(
        f"event {number}: {illegal.message}",
        event=number,
        seat=table.record.events[number][0],
        clause=illegal.clause,
        legal=tuple(table.legal()),
        pointer=f"/events/{number}",
    )


def check_entry(entry: Entry) -> Check:
    """Checks one record of an input; a bad one is `malformed`. Findings get the place in the input."""
    return _entered(entry, check(entry.record) if entry.record is not None else None)


def check_entries(entries: Iterable[Entry]) -> Iterator[Check]:
    """Checks the records of an input as `check_entry` does each, faster than one by one; the entries are
    asked for and the checks given a few at a time."""
    rest = iter(entries)
    while some := list(islice(rest, _AT_ONCE)):
        results = iter(check_all([entry.record for entry in some if entry.record is not None]))
        for entry in some:
            yield _entered(entry, next(results) if entry.record is not None else None)


def _entered(entry: Entry, result: Check | None) -> Check:
    """The check of an entry, given that of its record if it is good."""
    if result is None:
        return Check(entry.n, None, "malformed", error=entry.error)
    result.n = entry.n
    if result.error is not None and result.error.event is not None:
        return result.placed(*entry.place(result.error.event))
    return result
