"""Output for the terminal: progress bar, tables, findings, score sheets, clauses."""

from __future__ import annotations

import shutil
import textwrap
import time
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TextIO

from tarock.analysis.verify import Check
from tarock.core.findings import Finding
from tarock.core.record import Record
from tarock.notation import Entry
from tarock.words import sentences
from tarock.words.clauses import Clause, clause
from tarock.words.sentences import Names, fill, number


def width(text: str) -> int:
    """Return the number of terminal columns of a text: combining marks take none, wide characters two."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def plain(text: str) -> str:
    """Replace control characters, so that a text from a record cannot control the terminal."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def _padded(text: str, columns: int, right: bool) -> str:
    space = " " * (columns - width(text))
    return space + text if right else text + space


def table(rows: Sequence[Sequence[str]], right: Iterable[int] = (), indent: str = "") -> list[str]:
    """Return rows as lines with aligned columns. `right`: indexes of the right-aligned columns."""
    flush = set(right)
    columns = [max(width(row[i]) for row in rows) for i in range(len(rows[0]))] if rows else []
    return [
        (indent + "  ".join(_padded(c, columns[i], i in flush) for i, c in enumerate(row))).rstrip()
        for row in rows
    ]


def screen_width() -> int:
    """Return the width of the terminal in columns, at most 100."""
    return min(shutil.get_terminal_size((100, 24)).columns, 100)


def fold_text(text: str, first: str, others: str, *, at_hyphens: bool = True) -> list[str]:
    """Wrap a text to the width of the screen. `first`, `others`: indents of the first and other lines."""
    return textwrap.wrap(
        text, screen_width(), initial_indent=first, subsequent_indent=others, break_on_hyphens=at_hyphens
    )


class Progress(AbstractContextManager["Progress"]):
    """Progress bar, shown only on a terminal and only for work that takes longer than half a second. The
    total may be in any unit, such as the bytes of all records; 0 means that it is unknown.

    >>> import io
    >>> out = io.StringIO()
    >>> with Progress(3, out) as bar:
    ...     bar.advance(3)
    >>> out.getvalue()
    ''
    """

    PATIENCE = 0.5
    EVERY = 0.1

    def __init__(self, total: int, stream: TextIO, unit: str = "records") -> None:
        self.total, self.stream, self.unit = total, stream, unit
        self.done = self.pieces = 0
        self.drawn = False
        self.began = time.monotonic()
        self.due = self.began + self.PATIENCE if stream.isatty() else float("inf")

    def advance(self, by: int = 1) -> None:
        """Count one more finished item. `by`: its size in the unit of the total."""
        self.done += by
        self.pieces += 1
        now = time.monotonic()
        if now >= self.due:
            self.due = now + self.EVERY
            self._draw(now)

    def _draw(self, now: float) -> None:
        columns = 30
        part = min(1.0, self.done / self.total) if self.total else 1.0
        filled = round(part * columns)
        bar = "█" * filled + "·" * (columns - filled)
        took = max(now - self.began, 1e-9)
        left = (self.total - self.done) * took / self.done if self.done else 0.0
        of = f" of {self.total:,}" if self.pieces == self.done else ""
        words = f"{self.pieces:,}{of} {self.unit}, {self.pieces / took:,.0f}/s"
        if self.total:
            words = f"{bar} {100 * part:3.0f} %  {words}, {left:.0f} s left"
        self.stream.write("\r\x1b[K" + words)
        self.stream.flush()
        self.drawn = True

    def clear(self) -> None:
        """Erase the bar from the screen."""
        if self.drawn:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
            self.drawn = False

    def __exit__(self, *_: object) -> None:
        self.clear()


# -- one record --------------------------------------------------------------------------------------


def title(record: Record) -> str:
    """Return a record's title: its game, event, site, session (or else its date) and deal number."""
    tags = record.tags
    parts = [record.game, *(tags[name] for name in ("Event", "Site", "Session") if name in tags)]
    if "Session" not in tags and "Date" in tags:
        parts.append(tags["Date"])
    if "Deal" in tags:
        parts.append(f"deal {tags['Deal']}")
    return plain(" · ".join(parts))


def verdict_line(entry: Entry, check: Check) -> str:
    """Return the line that `tarock verify` prints for a record."""
    words = f"{check.n:>5}  {check.outcome:<10}"
    if entry.record is None:
        return f"{words}  line {entry.line}"
    names = {} if entry.record.result is None else entry.record.players
    points = [f"{plain(names.get(seat, seat))} {number(made)}" for seat, made in (check.score or {}).items()]
    score = "  ".join(points)
    return f"{words}  {title(entry.record)}" + (f"  [{score}]" if score else "")


def finding_lines(source: str, check: Check, record: Record | None) -> list[str]:
    """Return one line per finding on a record: `deals.tgn:12:5: record 0: illegal (taroky.follow): trick 4,
    third card: …`. A disputed record without findings has one line with both scores."""
    if not check.errors:
        claim = " ".join(f"{s}={p}" for s, p in (check.claim or {}).items())
        found = " ".join(f"{s}={p}" for s, p in (check.score or {}).items())
        return [f"{source}: record {check.n}: disputed: claimed {claim}, the rules give {found}"]
    return [_finding_line(source, check, record, error) for error in check.errors]


def warning_lines(source: str, check: Check) -> list[str]:
    """Return one line per warning on a record: `deals.tgn: record 0: warning: …`."""
    texts = [sentences.message(warning, check.game or "") for warning in check.warnings]
    return [f"{source}: record {check.n}: warning: {plain(text)}" for text in texts]


def _finding_line(source: str, check: Check, record: Record | None, error: Finding) -> str:
    place = ":".join(str(p) for p in (source, error.line, error.column) if p is not None)
    broken = f" ({error.clause})" if error.clause else ""
    # The line already begins with the location, so the message must not repeat it.
    message = sentences.message(replace(error, line=None, column=None, trick=None), check.game or "")
    if record is not None and error.event is not None:
        at = sentences.place(record, error.event)
        message = f"{at}: {message}" if at else message
    pointer = f" at {error.pointer}" if error.pointer and error.column is None else ""
    return f"{place}: record {check.n}: {check.outcome}{broken}: {plain(message)}{pointer}"


def score_sheet(record: Record, check: Check) -> list[str]:
    """Return the score sheet as lines of text: contract, counting of the cards, and score lines with their
    calculation. For a result, return its lines."""
    if record.result is not None:
        return sheet_text(record)
    assert check.score is not None
    seats = list(record.seats)
    names = Names(record.game)
    head = sentences.heading(check.facts, names)
    lines = [f"  {', '.join(head)}", ""] if head else []
    split = any(len(count.parts) > 1 for count in check.countings)
    for count in check.countings:
        sums = fill("{cards:# card/# cards}, values {value}", {"cards": count.cards, "value": count.value})
        if count.scheme == "threes":
            rest = " − 1" if count.rest else ""
            sums += f" − 2 × {count.threes}{rest}"
            sums = sums.replace(" − 2 × 0", "")
        elif count.scheme == "twos" and count.pairs:
            sums += f" − {count.pairs}"
        lines.append(
            f"  {_side(count.side, count.seats, names)}: {sums} = "
            + fill("{points:# card point/# card points}", {"points": count.points})
        )
        if split:
            parts = "; ".join(sentences.counted(part, names) for part in count.parts)
            lines += fold_text(parts, "    ", "    ")
    lines += [f"  {row.clause}: {sentences.happening(row)}" for row in check.handed_over]
    if check.countings:
        lines.append("")
    rows = [["clause", "what", "calculation", *seats]]
    for line in check.lines:
        if accounts := line.quantity.get("accounts"):
            rows.append(["", "", "account", *(number(accounts[s]) for s in seats)])
        given = [number(line.points[s]) if line.points.get(s) else "·" for s in seats]
        rows.append([line.clause, clause(line.clause).title, sentences.line(line), *given])
    rows.append(["", "", "total", *(number(check.score[s]) for s in seats)])
    if check.verdict == "disputed" and check.claim:
        rows.append(["", "", "claimed", *(number(check.claim[s]) for s in seats)])
    others = [i for i in range(len(rows[0])) if i != 2]
    spare = screen_width() - 2 - sum(max(width(row[i]) for row in rows) + 2 for i in others)
    folded = list(_wrapped(rows, 2, max(spare, 30)))
    return lines + table(folded, right=range(3, 3 + len(seats)), indent="  ")


def _side(side: str, seats: Iterable[str], names: Names) -> str:
    """Return the name of a side with its seats, or just the seat if a single seat is the side."""
    return side if [*seats] == [side] else f"{names.name('side', side)} ({' '.join(seats)})"


def _wrapped(rows: list[list[str]], column: int, columns: int) -> Iterator[list[str]]:
    """Yield the rows with one column wrapped to fit the screen. Each further line of text is a separate
    row."""
    for row in rows:
        folded = textwrap.wrap(row[column], columns) or [""]
        for i, part in enumerate(folded):
            yield [part if c == column else (text if i == 0 else "") for c, text in enumerate(row)]


def sheet_text(record: Record) -> list[str]:
    """Return the lines of a score sheet or of a result, then the comments."""
    comments = [f"  {{ {plain(text)} }}" for text in record.comments.get(0, ())]
    points = [[plain(record.players[place]), number(made)] for place, made in (record.result or {}).items()]
    lines = ["  " + " ".join(map(str, line)) for line in record.sheet or ()]
    return [*lines, *table(points, right=(1,), indent="  "), *comments]


def clause_lines(clause: Clause) -> list[str]:
    """Return a clause of the rules as lines of text, wrapped to the width of the screen."""
    kind = {"seed": "rule", "ruling": "ruling", "seed+ruling": "rule with a ruling"}[clause.kind]
    lines = [f"{clause.slug}  {clause.title}  ({kind})", ""]
    for paragraph in clause.paragraphs:
        for line in paragraph.split("\n"):
            hang = "    - " if line.startswith("- ") else "  "
            lines += fold_text(line.removeprefix("- "), hang, " " * len(hang), at_hyphens=False)
        lines.append("")
    notes = (("In a record: ", clause.record), ("Why: ", clause.reason), ("Source: ", clause.source))
    for label, text in notes:
        for paragraph in text.split("\n\n") if text else ():
            lines += fold_text(label + paragraph, "  ", "    ")
            label = ""
    return lines
