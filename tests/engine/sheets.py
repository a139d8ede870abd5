"""Score sheets for tests: their lines, and what is found on them."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from tarock.analysis.verify import Check, check_entry
from tarock.core.findings import Finding
from tarock.notation import read
from tarock.words import sentences
from tarock.words.clauses import LANGUAGES
from tarock.words.sentences import Names

SEATS = "ABCDEFGH"


class Found(NamedTuple):
    """A finding: verdict, reason, field, clause, and its sentence in English."""

    verdict: str
    reason: str
    field: str
    clause: str
    text: str


def sheet(game: str, lines: str, players: int, options: str = "", score: str = "") -> str:
    """The text of a sheet. The last seat deals, so A is forehand."""
    tags = ['[TGN "1"]', f'[Game "{game}"]', f'[Dealer "{SEATS[players - 1]}"]', '[Session "June"]']
    tags += ['[Deal "7"]', *(f'[{seat} "Player {seat}"]' for seat in SEATS[:players])]
    tags += [f'[Options "{options}"]'] * bool(options) + [f'[Score "{score}"]'] * bool(score)
    return "\n".join([*tags, "", *(f"sheet {line.strip()}" for line in lines.strip().splitlines())]) + "\n"


def checked(game: str, lines: str, players: int, options: str = "", score: str = "") -> Check:
    (entry,) = read(sheet(game, lines, players, options, score))
    return check_entry(entry)


def all_found(game: str, lines: str, players: int, options: str = "") -> list[Found]:
    """Return the findings on a sheet; check that each is at a line of its field, or at the end if there is
    none, and has a sentence in every language."""
    text = sheet(game, lines, players, options)
    result = checked(game, lines, players, options)
    assert result.score is None
    return [_found(result, finding, text) for finding in result.errors]


def _found(result: Check, finding: Finding, text: str) -> Found:
    assert result.game
    assert finding.field
    assert finding.clause
    assert finding.line
    words = text.splitlines()[finding.line - 1].split()
    has_line = f"\nsheet {finding.field}" in text
    if has_line and finding.reason not in ("line-missing", "points-missing"):
        assert (finding.pointer or "").startswith("/sheet/")
        assert words[:2] == ["sheet", finding.field]
    sentence = {code: sentences.finding(finding, Names(result.game, code)) for code in LANGUAGES}
    assert len(set(sentence.values())) == len(LANGUAGES)
    assert not any("{" in one or "None" in one or "[" in one for one in sentence.values())
    return Found(result.verdict, finding.reason, finding.field, finding.clause, sentence["en"])


def the_one(game: str, lines: str, players: int, options: str = "") -> Found:
    (found,) = all_found(game, lines, players, options)
    return found


def rows(table: str, bases: dict[str, tuple[str, int, str]]) -> list[Any]:
    """Return the parameters of each row of a table: `name | base; changes | expected`, with the line below.

    A base is a game, a number of players and the lines of a sheet. A change is `old > new`, `- line`,
    `+ line` or `@ option`. A line that begins with # explains the arithmetic of the next row.
    """
    found: list[list[str]] = []
    for line in filter(None, table.splitlines()):
        if line.startswith(" "):
            found[-1].append(line.strip())
        elif not line.startswith("#"):
            found.append(line.split(" | "))
    return [_row(name, sheet, expected, bases, *more) for name, sheet, expected, *more in found]


def _row(name: str, sheet: str, expected: str, bases: dict[str, tuple[str, int, str]], text: str = "") -> Any:
    base, *changes = sheet.split("; ")
    game, players, lines = bases[base]
    options = ""
    for change in changes:
        if change.startswith("+ "):
            lines = f"{lines.strip()}\n{change[2:]}\n"
        elif change.startswith("@ "):
            options = change[2:]
        else:
            old, new = (change[2:] + "\n", "") if change.startswith("- ") else change.split(" > ")
            assert old in lines, (name, old)
            lines = lines.replace(old, new)
    return pytest.param((game, lines, players, options), expected, text, id=name)


def assert_found(given: tuple[str, str, int, str], expected: str, text: str) -> None:
    """Check reason, field and clause of the only finding, and its sentence or (after …) its end. The verdict
    is illegal, or the word before the reason."""
    found = the_one(*given)
    *verdict, reason, field, clause = expected.split()
    assert found[:4] == (*(verdict or ["illegal"]), reason, field, f"{given[0]}.{clause}")
    assert not text or (found.text.endswith(text[1:]) if text[0] == "…" else found.text == text)


def assert_score(given: tuple[str, str, int, str], expected: str, text: str) -> None:
    """Check the score, as `A=1 B=-1`, or only that there is one, as `computed`."""
    result = checked(*given)
    assert result.verdict == "computed", result.errors
    score = " ".join(f"{seat}={points}" for seat, points in (result.score or {}).items())
    assert expected in ("computed", score)
