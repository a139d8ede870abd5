"""What the command line shows of the engine's values: a progress bar, tables, positions, deals as text."""

from __future__ import annotations

import re
import shutil
import textwrap
import time
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, Self, TextIO

from tarock.clauses import Clause, clause
from tarock.notation import Entry
from tarock.record import Record
from tarock.replay import outline, position
from tarock.verify import Check


def width(text: str) -> int:
    """The columns that a text takes on a terminal: combining marks none, wide characters two."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def plain(text: str) -> str:
    """A text from a record without what would command a terminal."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def _padded(text: str, columns: int, right: bool) -> str:
    space = " " * (columns - width(text))
    return space + text if right else text + space


def table(rows: Sequence[Sequence[str]], right: Iterable[int] = (), indent: str = "") -> list[str]:
    """Rows in columns, those in `right` flush right, two blanks between them."""
    flush = set(right)
    columns = [max(width(row[i]) for row in rows) for i in range(len(rows[0]))] if rows else []
    return [
        (indent + "  ".join(_padded(c, columns[i], i in flush) for i, c in enumerate(row))).rstrip()
        for row in rows
    ]


def screen_width() -> int:
    """The columns of the terminal, at most 100."""
    return min(shutil.get_terminal_size((100, 24)).columns, 100)


class Progress:
    """A bar on a terminal for work that takes longer than half a second; silent anywhere else.

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
        self.done = 0
        self.shown = False
        self.began = time.monotonic()
        self.due = self.began + self.PATIENCE if stream.isatty() else float("inf")

    def advance(self, by: int = 1) -> None:
        """So much more is done."""
        self.done += by
        now = time.monotonic()
        if now >= self.due:
            self.due = now + self.EVERY
            self._draw(now)

    def _draw(self, now: float) -> None:
        columns = 30
        part = min(1.0, self.done / self.total) if self.total else 1.0
        filled = round(part * columns)
        bar = "█" * filled + "·" * (columns - filled)
        rate = self.done / max(now - self.began, 1e-9)
        left = (self.total - self.done) / rate if rate else 0.0
        words = f"{bar} {100 * part:3.0f} %  {self.done:,} of {self.total:,} {self.unit}"
        words += f", {rate:,.0f}/s, {left:.0f} s left"
        self.stream.write("\r\x1b[K" + words)
        self.stream.flush()
        self.shown = True

    def clear(self) -> None:
        """Takes the bar off the screen."""
        if self.shown:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
            self.shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()


# -- one record --------------------------------------------------------------------------------------


def points(number: int) -> str:
    """Points with a proper minus sign: 5, 0, −105."""
    return str(number).replace("-", "−")


def title(record: Record) -> str:
    """Whose deal it was, when and where: the tags that tell records apart."""
    tags = record.tags
    parts = [record.game, *(tags[name] for name in ("Event", "Site", "Session") if name in tags)]
    if "Session" not in tags and "Date" in tags:
        parts.append(tags["Date"])
    if "Deal" in tags:
        parts.append(f"deal {tags['Deal']}")
    return plain(" · ".join(parts))


def verdict_line(entry: Entry, check: Check) -> str:
    """One record of `tarock verify` on one line."""
    words = f"{check.n:>5}  {check.verdict:<10}"
    if entry.record is None:
        return f"{words}  line {entry.line}"
    score = "" if check.score is None else "  ".join(f"{s} {points(p)}" for s, p in check.score.items())
    return f"{words}  {title(entry.record)}" + (f"  [{score}]" if score else "")


def finding_line(source: str, check: Check) -> str:
    """What is wrong with a record, with its place: `deals.tgn:12:5: illegal (taroky.follow): …`."""
    error = check.error
    if error is None:
        claim = " ".join(f"{s}={p}" for s, p in (check.claim or {}).items())
        found = " ".join(f"{s}={p}" for s, p in (check.score or {}).items())
        return f"{source}: record {check.n}: disputed: claimed {claim}, the rules give {found}"
    place = ":".join(str(p) for p in (source, error.line, error.column) if p is not None)
    broken = f" ({error.clause})" if error.clause else ""
    message = plain(re.sub(r"^line \d+, column \d+: ", "", error.message))
    legal = ""
    if error.legal:
        shown = list(error.legal[:12])
        more = len(error.legal) - len(shown)
        legal = f"; legal: {', '.join(shown)}" + (f" and {more} more" if more else "")
    pointer = f" at {error.pointer}" if error.pointer and error.line is None else ""
    return f"{place}: record {check.n}: {check.verdict}{broken}: {message}{legal}{pointer}"


def score_sheet(record: Record, check: Check) -> list[str]:
    """The score sheet: each line with its clause, its reckoning and the points of each seat."""
    assert check.score is not None
    seats = list(record.seats)
    lines = []
    for count in check.countings:
        sums = f"{count.cards} cards, values {count.value}"
        if count.scheme == "threes":
            rest = " − 1" if count.rest else ""
            sums += f" − 2 × {count.threes}{rest}"
            sums = sums.replace(" − 2 × 0", "")
        who = count.side if list(count.seats) == [count.side] else f"{count.side} ({' '.join(count.seats)})"
        lines.append(f"  {who}: {sums} = {count.points} card points")
    if lines:
        lines.append("")
    rows = [["clause", "what", "reckoning", *seats]]
    for line in check.lines:
        given = [points(line.points[s]) if line.points.get(s) else "·" for s in seats]
        rows.append([line.clause, clause(line.clause).title, plain(line.reckoning), *given])
    rows.append(["", "", "total", *(points(check.score[s]) for s in seats)])
    if check.verdict == "disputed" and check.claim:
        rows.append(["", "", "claimed", *(points(check.claim[s]) for s in seats)])
    others = [i for i in range(len(rows[0])) if i != 2]
    spare = screen_width() - 2 - sum(max(width(row[i]) for row in rows) + 2 for i in others)
    folded = list(_wrapped(rows, 2, max(spare, 30)))
    return lines + table(folded, right=range(3, 3 + len(seats)), indent="  ")


def _wrapped(rows: list[list[str]], column: int, columns: int) -> Iterator[list[str]]:
    """Rows with one column folded to so many characters."""
    for row in rows:
        folded = textwrap.wrap(row[column], columns) or [""]
        for i, part in enumerate(folded):
            yield [part if c == column else (text if i == 0 else "") for c, text in enumerate(row)]


# -- positions and deals -----------------------------------------------------------------------------


def _cards(cards: Sequence[str] | None, count: int) -> str:
    if cards is None:
        return f"({count} hidden)" if count else "–"
    return " ".join(cards) or "–"


def _people(state: dict[str, Any]) -> list[list[str]]:
    rows = []
    for seat in state["seats"]:
        name = f"{seat} {plain(state['players'][seat])}"
        if seat == state["sitting"]:
            rows.append([" ", name, "sits out", ""])
            continue
        roles = [
            word
            for word, is_it in (
                ("dealer", seat == state["dealer"]),
                ("declarer", seat == state["declarer"]),
                ("partner", seat == state["partner"]),
            )
            if is_it
        ]
        hand = state["hands"][seat]
        mark = "→" if seat == state["turn"] else " "
        rows.append([mark, name, ", ".join(roles), _cards(hand["cards"], hand["count"])])
    return rows


def _taken(state: dict[str, Any], seat: str) -> str:
    """The tricks a seat has won and their points, as far as they may be known."""
    won = state["won"].get(seat, 0)
    tricks = f"{won} trick" + ("" if won == 1 else "s")
    own = state["points"] and state["points"].get(seat)
    return tricks if own is None else f"{tricks}, {own} points"


def _play_words(play: dict[str, Any]) -> str:
    return f"{play['seat']} {play['card']}" + (f"({play['says']})" if play["says"] else "")


def _stands(state: dict[str, Any]) -> str:
    words = []
    if state["contract"]:
        level = f" level {state['level']}" if state.get("level") else ""
        words.append(f"contract {state['contract']}{level}")
    if state["called"]:
        words.append(f"called {state['called']}")
    words += [f"{stake} × {factor}" for stake, factor in state["doubles"].items()]
    words += [f"{a['seat']} {a['item']}" for a in state["announced"] if a["seat"]]
    return ", ".join(words)


def position_lines(state: dict[str, Any]) -> list[str]:
    """A position of a replay (`tarock.replay.position`) as text."""
    phase = state["phase"]
    head = f"step {state['step']} of {state['steps']} · {phase}"
    if state["trick"]:
        head += f" · trick {state['trick']['number']}"
    if state["view"]:
        head += f" · as {state['view']} sees it"
    lines = [head]
    last = state["last"]
    if last:
        lines.append(f"  last: {last['seat']} {last['words']}")
    lines += [f"  {{ {plain(text)} }}" for text in state["comments"]]
    stands = _stands(state)
    if stands:
        lines.append(f"  {stands}")
    rows = _people(state)
    if phase in ("play", "over"):
        for row, seat in zip(rows, state["seats"], strict=True):
            row.insert(3, "" if seat == state["sitting"] else _taken(state, seat))
    lines += table(rows, indent="  ")
    piles = [
        [where, f"top {pile['top'] or 'face down'}, {pile['count']} cards", " ".join(pile["cards"] or [])]
        for where, pile in state["piles"].items()
        if pile["count"]
    ]
    lines += table(piles, indent="    ")
    if state["talon"]["count"]:
        lines.append(f"    talon {_cards(state['talon']['cards'], state['talon']['count'])}")
    for seat, put_by in state["discards"].items():
        hidden = put_by["cards"] is None
        shown = f", shown {' '.join(put_by['shown'])}" if put_by["shown"] and hidden else ""
        lines.append(f"    discards of {seat} {_cards(put_by['cards'], put_by['count'])}{shown}")
    if state["trick"] and state["trick"]["plays"]:
        on_table = "  ".join(_play_words(p) for p in state["trick"]["plays"])
        winning = state["trick"]["winning"]
        lines.append(f"  on the table: {on_table}" + (f"  ({winning} is winning)" if winning else ""))
    if state["side_points"]:
        lines.append("  points: " + ", ".join(f"{side} {n}" for side, n in state["side_points"].items()))
    if state["turn"] and state["legal"]:
        lines += textwrap.wrap(
            f"{state['turn']} may: {', '.join(state['legal'])}",
            screen_width(),
            initial_indent="  ",
            subsequent_indent="    ",
            break_on_hyphens=False,
        )
    if state["error"]:
        broken = f" ({state['error']['clause']})" if state["error"]["clause"] else ""
        lines.append(f"  !!{broken} {plain(state['error']['message'])}")
    return lines


def deal_lines(record: Record, view: str | None) -> list[str]:
    """A whole deal as text: who held what, what was said, and trick after trick with its winner."""
    start = position(record, 0, view)
    lines = table(_people(start | {"turn": None}), indent="  ")
    piles = [[where, _cards(pile["cards"], pile["count"])] for where, pile in start["piles"].items()]
    lines += table(piles, indent="    ")
    if start["talon"]["count"]:
        lines.append(f"    talon {_cards(start['talon']['cards'], start['talon']['count'])}")
    lines += [f"  {{ {plain(text)} }}" for text in start["comments"]]
    lines.append("")
    trick: list[str] = []
    notes: list[str] = []
    for row in outline(record, view):
        texts = [f"{{ {plain(text)} }}" for text in row["comments"]]
        if row["verb"] == "play":
            card = " ".join(row["args"])
            if not trick:
                trick.append(f"{row['trick']:>4}. {row['seat']}")
            trick.append(card)
            notes += [f"{card}: {text}" for text in texts]
            if row["winner"]:
                lines.append(f"{' '.join(trick):<27} → {row['winner']}")
                lines += [f"        {note}" for note in notes]
                trick, notes = [], []
        else:
            lines.append("  ".join(["", f"{row['seat']} {row['words']}", *texts]))
    if trick:
        lines.append(" ".join(trick))
        lines += [f"        {note}" for note in notes]
    end = position(record, len(record.events), view)
    if end["error"]:
        lines += position_lines(end)
    return lines


def clause_lines(found: Clause) -> list[str]:
    """A clause of the rules as text, folded to the screen."""
    kind = {"seed": "rule", "ruling": "ruling", "seed+ruling": "rule with a ruling"}[found.kind]
    lines = [f"{found.slug}  {found.title}  ({kind})", ""]
    columns = screen_width()
    for paragraph in found.paragraphs:
        for line in paragraph.split("\n"):
            hang = "    - " if line.startswith("- ") else "  "
            lines += textwrap.wrap(
                line.removeprefix("- "),
                columns,
                initial_indent=hang,
                subsequent_indent=" " * len(hang),
                break_on_hyphens=False,
            )
        lines.append("")
    for label, text in (("Why: ", found.reason), ("Source: ", found.source)):
        for paragraph in text.split("\n\n") if text else ():
            lines += textwrap.wrap(label + paragraph, columns, initial_indent="  ", subsequent_indent="    ")
            label = ""
    return lines
