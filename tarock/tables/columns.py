"""The columns of a table: which are players, date or deal, and which are left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tarock.tables.cells import is_blank, is_date, read_date, read_number
from tarock.tables.layout import Section, letters
from tarock.tables.result import Choices, Place, Sentence
from tarock.tables.words import role_of
from tarock.tables.workbook import Cell

ROLES = ("player", "date", "deal", "played", "session", "name", "points", "ignore")
"""The roles that can be chosen for a column. As of `_OUT`, the sentence about such a column has its name."""
_OUT = (
    *("total", "running", "average", "rank", "round", "check", "note", "text"),
    *("carried", "outside", "ignore", "unknown", "empty"),
)
"""The roles of columns that are left out."""
_MOST_COMPARED = 1000
"""Number of rows by which a column outside the zero sum is recognised."""


@dataclass
class Columns:
    """The columns that are read. `pairs`: columns with a name and with its points; `running`: as labelled."""

    keys: dict[str, int] = field(default_factory=dict)
    players: dict[int, str] = field(default_factory=dict)
    pairs: list[tuple[int, int]] = field(default_factory=list)
    left_out: list[Place] = field(default_factory=list)
    running: bool = False

    @property
    def first_points(self) -> int:
        """The first column with points, or with a name."""
        return min([*self.players, *(name for name, _ in self.pairs)])


def read_columns(section: Section, choices: Choices) -> Columns | None:
    """Return the columns of a table; null if it has no points of players."""
    body = section.body
    cells = {at: _cells(section, body, at) for at in range(len(section.labels))}
    roles = {at: _role(section, at, cells[at]) for at in cells}
    _drop_running(section, roles)
    _find_deal(section, roles, cells)
    _find_names(section, roles)
    _drop_outside_zero_sum(section, roles)
    found = Columns()
    for at, role in roles.items():
        role = _chosen(section, at, role, choices)
        if role in ("date", "deal", "played", "session") and role not in found.keys:
            found.keys[role] = at
        elif role == "player":
            found.players[at] = section.labels[at] or f"Column {letters(section.area.columns[at])}"
        elif role and role not in ("name", "points"):
            found.left_out.append(section.area.place(None, at, role if role in _OUT else "unknown"))
        roles[at] = role
    found.pairs = _pairs(roles)
    if found.pairs:
        found.players = {}
    found.running = any(role_of(section.seconds[at] or "") == "running" for at in found.players) or any(
        role_of(section.labels[points]) == "running" for _, points in found.pairs
    )
    return found if found.players or found.pairs else None


def _cells(section: Section, body: list[int], at: int) -> list[Cell]:
    cells = (section.area.cells[row][at] for row in body)
    return [cell for cell in cells if not is_blank(cell)]


def _role(section: Section, at: int, cells: list[Cell]) -> str:
    """Return the role of a column by its header and what most of its cells are; empty if it is blank."""
    label = section.labels[at]
    word = role_of(section.seconds[at]) or role_of(label)
    if not cells:
        return "empty" if label else ""
    dates = sum(map(is_date, cells))
    numbers = sum(read_number(cell) is not None for cell in cells) if dates * 2 < len(cells) else 0
    if dates * 2 > len(cells):
        return "date" if word in ("date", "session", "") else "text"
    if word == "date":
        serials = sum(read_date(cell, epoch=1900) is not None for cell in cells)
        return "date" if serials * 2 > len(cells) else "session" if numbers * 2 < len(cells) else "unknown"
    if word == "session":
        return "session"
    if numbers * 2 < len(cells):
        if word == "deal" and sum(any(map(str.isdigit, str(cell))) for cell in cells) * 2 > len(cells):
            return "deal"
        return word if word in ("name", "note", "round") else "text"
    if word == "name":
        return "player" if section.seconds[at] == "" and len(set(section.labels)) > 2 else "unknown"
    if word == "points" and section.seconds[at]:
        return "player"
    if word:
        return word
    return "player" if label or not any(section.labels) else "unknown"


def _drop_running(section: Section, roles: dict[int, str]) -> None:
    """Read running totals as a player's points only where no column has the points themselves."""
    have = {section.labels[at] for at, role in roles.items() if role == "player"}
    for at, role in roles.items():
        if role in ("running", "total") and section.seconds[at] and section.labels[at] not in have:
            roles[at] = "player"


def _find_deal(section: Section, roles: dict[int, str], filled: dict[int, list[Cell]]) -> None:
    """Find the column that numbers the deals, if no header says so: it counts on from row to row."""
    if "deal" in roles.values():
        return
    for at, role in roles.items():
        unnamed = not section.labels[at] and role in ("unknown", "player")
        cells = [read_number(cell) for cell in filled[at]]
        counted = cells and cells == list(range(1, len(cells) + 1))
        if counted and len(cells) > 1 and (unnamed or role == "round"):
            roles[at] = "deal"
            return


def _find_names(section: Section, roles: dict[int, str]) -> None:
    """Let the texts next to points be names, where the header names no players."""
    roles_found = Counter(roles.values())
    points = [at for at, role in roles.items() if role == "points"]
    if not any(section.labels):
        if roles_found["text"] and 2 * roles_found["text"] >= roles_found["player"]:
            points = [at for at, role in roles.items() if role == "player" and roles.get(at - 1) == "text"]
            roles.update(dict.fromkeys(points, "points"))
    elif roles_found["name"] and not points:
        after = [at for at in _amounts(roles) if roles.get(at - 1) in ("name", "played", "note", "text")]
        points = after[-1:] if roles_found["name"] == 1 else after
        roles.update(dict.fromkeys(points, "points"))
    elif points and roles_found["player"] >= 2 and not roles_found["name"]:
        roles.update(dict.fromkeys(points, "unknown"))
        return
    taken = -1
    for at in points:
        names = [left for left in range(taken + 1, at) if roles[left] == "name"]
        names = names or [left for left in range(taken + 1, at) if roles[left] == "text"]
        if names:
            roles[names[-1]] = "name"
        taken = at
    if points and "name" not in roles.values():
        roles.update(dict.fromkeys(points, "player"))


def _amounts(roles: dict[int, str]) -> list[int]:
    return [at for at, role in roles.items() if role in ("player", "total", "running", "unknown")]


def _pairs(roles: dict[int, str]) -> list[tuple[int, int]]:
    """Return each column of points with the column of names to its left."""
    found, name = [], None
    for at, role in roles.items():
        if role == "name":
            name = at
        elif role == "points" and name is not None:
            found.append((name, at))
            name = None
    return found


def _drop_outside_zero_sum(section: Section, roles: dict[int, str]) -> None:
    """Leave out a column of amounts if all rows add up to zero without it, and do not with it."""
    players = [at for at, role in roles.items() if role == "player"]
    rows = section.rows[:_MOST_COMPARED]
    if len(players) < 4 or len(rows) < 3:
        return
    sums: Counter[int] = Counter()
    whole = 0
    for row in rows:
        values = [read_number(section.area.cells[row][at]) or 0 for at in players]
        added = sum(values)
        whole += added == 0
        sums.update(at for at, value in zip(players, values, strict=True) if added == value and value)
    if sums and whole * 10 < len(rows):
        at, number = sums.most_common(1)[0]
        if number * 10 >= 9 * len(rows):
            roles[at] = "outside"


def _chosen(section: Section, at: int, role: str, choices: Choices) -> str:
    """Return the role that was chosen for a column, or else the recognised one, which is then assumed."""
    about = f"column:{section.area.sheet.name}:{letters(section.area.columns[at])}"
    if section.area.turned:
        return role
    label = section.labels[at] or f"Column {letters(section.area.columns[at])}"
    if role in ROLES:
        return choices.choose(about, Sentence(role, {"label": label}), ROLES, role)
    answer = choices.answers.get(about, "")
    return answer if answer in ROLES else role
