"""The same cards by two rule sets: line by line, and the options that make each difference."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tarock.analysis.settlements import Settlements, by_rules, changed_by_options, rules_of, settlements
from tarock.analysis.verify import Check
from tarock.core.findings import Finding
from tarock.core.record import Record
from tarock.core.scoring import ScoreLine
from tarock.games import profiles
from tarock.notation import read_one
from tarock.notation.jsonform import interpret
from tests.conformance import FOLDER
from tests.engine.sheets import sheet
from tests.engine.test_options import EXAMPLE, PRICES
from tests.support.effort import SPARSE

ROWS = [json.loads(line) for line in (FOLDER / "profiles.jsonl").read_text("utf-8").splitlines()]
#: The deal of the notation: 25 + 80 + 5 - 5 = 105.
DEAL: Record = interpret(ROWS[0]["record"])


def found(words: str, record: Record = DEAL) -> list[tuple[str, int, int, str]]:
    """Each line by the seed and by these options: clause, points of A by both, and the options because of
    which they differ."""
    rows = settlements(record, by_rules(record, words.split())).rows
    return [
        (row.clause, row.points[0].get("A", 0), row.points[1].get("A", 0), " ".join(row.because))
        for row in rows
    ]


#: 25 x 5 = 125, up to 130; 200 x 4; two small hands at 20, one for each side.
BOTH = [
    ("taroky.game", 25, 130, "price-first round"),
    ("taroky.pagat-announced", 80, 800, "pagat-announced"),
    ("taroky.hand-tarocky", 5, 20, "hand-small"),
    ("taroky.hand-barvicky", -5, -20, "hand-small"),
]


def test_each_line_names_the_options_that_change_it() -> None:
    assert found(PRICES) == BOTH
    assert found("unit=h") == [(clause, one, one, "") for clause, one, _, _ in BOTH]
    # A ceiling of 500 takes off 430, because of `cap` and not of every price below it.
    assert found(PRICES + " cap=500") == [*BOTH, ("taroky.cap", 0, -430, "cap")]
    assert found("stake=3")[0] == ("taroky.game", 25, 75, "stake")
    # The stake is a price of every clause.
    assert found("stake=3 price-first=2")[:2] == [
        ("taroky.game", 25, 150, "stake price-first"),
        ("taroky.pagat-announced", 80, 240, "stake"),
    ]
    # 25 is a multiple of 5 already.
    assert found("round=5 tie=9 price-solo=9")[0] == ("taroky.game", 25, 25, "")


def test_a_sheet_is_settled_like_a_deal() -> None:
    assert found(PRICES, read_one(sheet("taroky", EXAMPLE, 4, score="A=105 B=-105 C=-105 D=105"))) == BOTH


def test_a_line_that_one_rule_set_lacks() -> None:
    form = next(row["record"] for row in ROWS if "effect strohmann catch" in row["expect"]["why"])
    rows = found("catch=no", interpret(form | {"options": []}))
    assert ("strohmann.kakadu", 0, 0, "catch") in rows
    assert [row for row in rows if row[3]] == [("strohmann.kakadu", 0, 0, "catch")]


#: Options, the event and clause by which the deal could not have been played so, and the options that say so.
NOT_SO = [
    ("refuse=no cap=9", 7, "taroky.refuse", "refuse"),
    ("doubles=0", 10, "taroky.double", "doubles"),
    ("refuse=no doubles=0", 7, "taroky.refuse", "refuse"),
]


@pytest.mark.parametrize(("words", "event", "clause", "because"), NOT_SO)
def test_a_deal_that_could_not_have_been_played_so(words: str, event: int, clause: str, because: str) -> None:
    both = settlements(DEAL, by_rules(DEAL, words.split()))
    error = both.checks[1].error
    assert error is not None
    assert (error.event, error.clause, both.checks[1].score) == (event, clause, None)
    assert both.because == ((), tuple(because.split()))
    assert all(row.lines[1] is None and not row.because for row in both.rows)


def checks(monkeypatch: pytest.MonkeyPatch, found: dict[str, Any]) -> Settlements:
    """Settle the deal by its own and by three further options, with these checks by options; all other checks
    are as without options."""

    def check(record: Record, n: int = 0) -> Check:
        made = found.get(" ".join(record.options), found[""])
        if isinstance(made, Finding):
            return Check(n, "illegal", errors=(made,))
        return Check(n, "verified", score={}, lines=tuple(made))

    monkeypatch.setattr("tarock.analysis.settlements.check", check)
    return settlements(DEAL, by_rules(DEAL, ["price-first=2", "hand-small=6", "cap=9"]))


ALL_THREE = "cap=9 hand-small=6 price-first=2"


@pytest.mark.parametrize("subject", ["seat", "item", "card", ""])
def test_lines_of_a_clause_are_told_apart_by_their_subject(
    monkeypatch: pytest.MonkeyPatch, subject: str
) -> None:
    """The second rule set lacks the first of two lines. If no subject tells them apart, it lacks the last."""
    one, two = (
        ScoreLine("taroky.hand-trul", {"A": points, "B": 0}, {subject: points}, ()) for points in (1, 2)
    )
    other = two._replace(points={"A": 2})
    found = checks(monkeypatch, {"": [one, two], ALL_THREE: [other]})
    lines = [((one, None)), ((two, other))] if subject else [((one, other)), ((two, None))]
    assert [row.lines for row in found.rows] == lines
    assert [bool(row.because) for row in found.rows] == [True, not subject], "0 points are no points"


def test_an_option_is_no_reason_if_the_deal_could_not_be_played_with_it_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line, more = (ScoreLine("taroky.game", {"A": points}, {}, ()) for points in (1, 2))
    broken = Finding("illegal", event=1, clause="taroky.double")
    only = {"": [line], ALL_THREE: [more], "cap=9": [more], "price-first=2": broken, "hand-small=6": broken}
    only |= {"hand-small=6 price-first=2": [line], "cap=9 hand-small=6": broken}
    only |= {"cap=9 price-first=2": broken}
    assert [row.because for row in checks(monkeypatch, only).rows] == [("cap",)]
    # Without an option, another event, another clause or another field is wrong.
    for finding in (replace(broken, event=2), replace(broken, clause="x"), replace(broken, field="points")):
        same = dict.fromkeys([ALL_THREE, "hand-small=6 price-first=2", "cap=9 hand-small=6"], broken)
        found = checks(monkeypatch, {"": [line], "cap=9 price-first=2": finding, **same})
        assert found.because == ((), ("hand-small",))


def test_what_the_options_of_a_deal_changed() -> None:
    record = by_rules(DEAL, [*PRICES.split(), "cap=500"])
    names = [row[3] for row in found(PRICES + " cap=500")]
    assert changed_by_options(record) == {n: tuple(name.split()) for n, name in enumerate(names)}
    assert changed_by_options(DEAL) == {}
    assert list(changed_by_options(by_rules(DEAL, ["hand-small=6"]))) == [2, 3]


def test_the_record_under_other_rules() -> None:
    claimed = read_one(sheet("taroky", EXAMPLE, 4, score="A=1 B=-1 C=-1 D=1"))
    changed = by_rules(claimed, profiles()["vysocina@1"].words, "vysocina@1")
    assert (changed.score, rules_of(changed)) == (None, "vysocina@1")
    assert changed.options == profiles()["vysocina@1"].words
    back = by_rules(changed, ())
    assert (back.options, rules_of(back), "Rules" in back.tags) == ((), "taroky-seed@1", False)
    assert rules_of(by_rules(claimed, ["cap=9"])) == ""
    tags = "".join(f'[{tag} "{text}"]\n' for tag, text in (("TGN", 1), ("Game", "taroky"), ("Session", "x")))
    result = read_one(tags + '\nresult 20 "Alena"\nresult -20 "Bob"\n')
    assert by_rules(result, ["cap=9"]) is result, "without prices"
    # The words need not be canonical.
    assert by_rules(claimed, ["refuse=yes", "cap=9", "barvy-pagat=no"]).options == ("barvy-pagat=no", "cap=9")


def test_any_deal_by_any_published_profile() -> None:
    """Each column has the lines and the sum of its own check, and a reason for each line that differs."""
    seen = 0
    for row in ROWS[::SPARSE]:
        record: Any = interpret(row["record"]) if row["expect"]["verdict"] == "verified" else None
        for name, profile in profiles().items() if record else ():
            if profile.game != record.game:
                continue
            both = settlements(record, by_rules(record, profile.words, name))
            for n, checked in enumerate(both.checks):
                if checked.score is not None:
                    assert sum(one.lines[n] is not None for one in both.rows) == len(checked.lines)
            if both.checks[1].score is None:
                assert both.checks[1].error is not None
                assert both.because[1]
                continue
            seen += 1
            differing = [one for one in both.rows if one.points[0] != one.points[1]]
            assert all(one.because for one in differing if any(one.points[0].values()))
    assert seen
