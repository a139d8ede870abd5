"""The sheet made of a played deal has the score of the deal, line by line, in text and in JSON."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tarock.analysis.fold import fold
from tarock.analysis.sheets import sheet_of
from tarock.analysis.verify import SCORED, Check, check, check_entry
from tarock.core.outcome import Part
from tarock.core.record import Record
from tarock.games import GAMES
from tarock.notation import dump_json, read, read_one, write_text
from tarock.words import sentences
from tarock.words.clauses import LANGUAGES
from tarock.words.sentences import Names
from tests.conformance import PARTS, some
from tests.engine.driver import ALL, DEALS, deals
from tests.engine.sheets import SEATS, checked
from tests.engine.worked import WORKED
from tests.support.effort import SPARSE


def sheet(record: Record) -> Record:
    """The sheet of a played deal, the seventh of a session."""
    made = sheet_of(record)
    assert made is not None
    return replace(made, tags=made.tags | {"Session": "June", "Deal": "7"})


def scored(result: Check) -> tuple[list[tuple[str, dict[str, int]]], dict[str, int] | None]:
    return [(line.clause, line.points) for line in result.lines], result.score


def held(record: Record) -> None:
    played, outcome, stated = check(record), fold(record).table.outcome(), sheet(record)
    assert outcome.lines() == stated.sheet
    assert stated.score == record.score
    for form in (write_text(stated), dump_json(stated)):
        (entry,) = read(form)
        assert entry.record == stated
        written = check_entry(entry)
        assert not written.errors
        assert scored(written) == scored(played)
        assert written.verdict == {"verified": "computed", "disputed": "disputed"}[played.verdict]
        # The search columns of both are equal, as far as a sheet has them.
        for name, value in written.facts.items():
            # A sheet does not know who spoke first.
            order = sorted if name in ("announcements", "raises") else lambda given: given
            assert order(value) == order(played.facts[name]), name


@PARTS
def test_a_conformance_deal_and_its_sheet(file: str, part: int) -> None:
    for row in some(file, part, SPARSE).values():
        if row["expect"]["verdict"] in SCORED:
            held(read_one(json.dumps(row["record"])))


@pytest.mark.parametrize("name", WORKED)
def test_a_hand_worked_deal_and_its_sheet(name: str) -> None:
    held(read_one(WORKED[name].text))


@ALL
def test_simulated_and_random_deals_and_their_sheets(game: str, players: int) -> None:
    for record in deals(game, players, DEALS):
        held(record)


def word(part: Part, seats: tuple[str, ...], rng: random.Random) -> str:
    """A word that may stand at a place of a line, or a number that is nearly right."""
    choices = [*part.words, *part.forms, *(seats if part.seats else ())]
    if part.number:
        low, high = part.number
        choices += [str(rng.randint(low - 1, high + 1))] * (len(choices) or 1)
    return rng.choice(choices)


def any_lines(game: str, seats: tuple[str, ...], rng: random.Random) -> Iterator[str]:
    for one in GAMES[game].table.OUTCOME.fields().values():
        for _ in range(rng.randint(0, 4 if one.key else 1)):
            words = [word(part, seats, rng) for part in one.parts]
            if one.parts and one.parts[-1].many:
                words += [word(one.parts[-1], seats, rng) for _ in range(rng.randint(0, 3))]
            yield " ".join((one.name, *words[: len(words) - (rng.random() < 0.1)]))


@ALL
def test_any_lines_have_a_verdict_and_every_finding_a_sentence(game: str, players: int) -> None:
    rng, verdicts = random.Random(f"{game} {players} sheets"), set()
    seats = GAMES[game].table.info.seating(players, SEATS[players - 1]).active
    for _ in range(max(DEALS, 50)):
        lines = "\n".join(any_lines(game, seats, rng))
        if not lines:
            continue
        result = checked(game, lines, players)
        verdicts.add(result.verdict)
        assert result.verdict in ("computed", "illegal", "incomplete")
        assert (result.score is None) == bool(result.errors)
        for finding in result.errors:
            assert finding.field in GAMES[game].table.OUTCOME.fields()
            for language in LANGUAGES:
                assert "{" not in sentences.finding(finding, Names(game, language))
    assert "illegal" in verdicts
