"""Rules of a table in words, and an evening by them: fields of the form, amounts with their unit, sums."""

from __future__ import annotations

import pytest

from tarock.games import game, profiles
from tarock.notation import read_rules
from tarock.words.amounts import amount, mean, unit_name
from tarock.words.clauses import LANGUAGES
from tarock.words.house_rules import rule_lines
from tests.engine.tapping import ask
from tests.engine.test_evening import FOUR, evening, played

VYSOCINA = list(profiles()["vysocina@1"].words)
LINES = ("contract first", "bidder A", "partner D", "points bidder 60")


@pytest.mark.parametrize(("points", "unit", "expected"), [
    (930, "h", ["930 h (9.30 Kč)", "930 h (9,30 Kč)", "930 h (9,30 Kč)", "930 h (9.30 Kč)"]),
    (-5, "cent", ["−5 cents (−0.05 €)", "−5 Cent (−0,05 €)", "−5 centů (−0,05 €)", "−5 セント (−0.05 €)"]),
    (1, "cent", ["1 cent (0.01 €)", "1 Cent (0,01 €)", "1 cent (0,01 €)", "1 セント (0.01 €)"]),
    (2000, "h", ["2000 h (20 Kč)"] * 4),
    (3, "chip", ["3 chips", "3 Chips", "3 žetony", "3 チップ"]),
    (5, "chip", ["5 chips", "5 Chips", "5 žetonů", "5 チップ"]),
    (None, "h", ["–"] * 4),
    (1, "pivo", ["1 pivo"] * 4),
    (0, "h", ["0 h"] * 4),
    (25, "point", ["25"] * 4),
])  # fmt: skip
def test_an_amount_has_its_unit_and_hundredths_of_a_coin_also_the_coin(
    points: int | None, unit: str, expected: list[str]
) -> None:
    assert [amount(points, unit, code).replace("\u00a0", " ") for code in LANGUAGES] == expected
    assert amount(5, "h", signed=True, money=False) == "+5\u00a0h"
    assert amount(930, "h", "de", signed=True) == "+930\u00a0h (+9,30\u00a0Kč)"
    assert (amount(4, "point", signed=True), amount(0, "point", signed=True)) == ("+4", "0")
    assert (unit_name("point", "de"), unit_name("groschen", "de")) == ("Punkte", "groschen")
    assert mean("+1,50", "cent", "cs") == "+1,50\u00a0centu"
    assert mean("+1.50", "point") == "+1.50"


def test_every_line_of_a_rule_set_has_its_value_default_and_origin() -> None:
    """Strohmanntarock for 10 cents: 3 × 10 = 30 cents."""
    words = profiles()["mayr-sedlaczek-2007@1"].words
    lines = {line.slug: line for line in rule_lines("strohmann", words, "en", "mayr-sedlaczek-2007@1")}
    assert lines["won"].sentence == "The declarer wins: 3 × 10 = 30\u00a0cents (0.30\u00a0€)"
    assert (lines["won"].differs, lines["won-high"].differs, lines["won-high"].default) == (False, True, "4")
    assert (lines["catch"].value, lines["catch"].origin) == ("no", "I")
    assert lines["won-high-from"].value == "45", "card points have no unit"


def test_faults_of_rules_are_found_together() -> None:
    words, findings = read_rules(["cap=-5", "fo=1", "cap=2"], "Hlučín", game("taroky"))
    assert words == ()
    assert [(one.reason, one.pointer) for one in findings] == [
        ("option-value", "/options/0"), ("unknown-option", "/options/1"), ("option-twice", "/options/2"),
        ("rules-name", "/tags/Rules"),
    ]  # fmt: skip
    assert len(read_rules(["x"] * 90, "", game("taroky"))[1]) == 20
    answer = ask({"ask": "house-rules", "game": "taroky", "options": ["cap=-5"], "language": "cs"})
    assert (answer["lines"], len(answer["findings"])) == ([], 1)


def test_the_amounts_of_an_evening_have_its_unit() -> None:
    """25 × 5 = 125, rounded up to 130 h."""
    rules = {"options": VYSOCINA, "rules": "vysocina@1"}
    deal = played(1, evening("taroky", FOUR, **rules)["next"], *LINES)
    answer = evening("taroky", FOUR, [deal], language="cs", **rules)
    assert answer["unit"] == "haléře"
    amounts = {row["name"]: row["amount"] for row in answer["standings"]}
    assert amounts["Alena"] == "+130\u00a0h (+1,30\u00a0Kč)"
    paid = "130\u00a0h (1,30\u00a0Kč)"
    assert sorted(map(tuple, (payment.values() for payment in answer["payments"]))) == [
        ("Bořek", "Alena", 130, paid), ("Cyril", "Dana", 130, paid)
    ]  # fmt: skip
    assert answer["deals"][0]["amounts"]["Bořek"] == "−130\u00a0h"
    form = ask({"ask": "form", "setup": {"game": "taroky", **rules}, "deal": deal})
    assert form["amounts"]["A"] == form["sheet"][0]["amounts"]["A"] == "+130\u00a0h"


def test_deals_by_other_rules_are_not_added_up() -> None:
    deals = [played(1, evening("taroky", FOUR)["next"], *LINES)]
    # Bořek is forehand now, and Cyril his partner.
    lines = ("contract first", "bidder B", "partner C", "points bidder 60")
    deals.append(played(2, evening("taroky", FOUR, deals, options=VYSOCINA)["next"], *lines))
    answer = evening("taroky", FOUR, deals, options=VYSOCINA, rules="vysocina@1")
    assert [row["other_rules"] for row in answer["deals"]] == [True, False]
    assert [row["score"]["Alena"] for row in answer["deals"]] == [25, -130]
    assert {abs(row["total"]) for row in answer["standings"]} == {130}
    # By the same rules they are: 25 - 1 = 24.
    deals[1] = played(2, evening("taroky", FOUR, deals[:1])["next"], *lines[:3], "points bidder 36")
    assert [[*payment.values()][2] for payment in evening("taroky", FOUR, deals)["payments"]] == [24, 24]
