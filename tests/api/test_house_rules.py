"""Deals by house rules in the API: rules and units, the filter, the rankings, and the import of tables."""

from __future__ import annotations

from typing import Any

import pytest

from archive.models import Contribution, Part, RuleSet
from archive.rules import Rules
from archive.storing import house_rules, intake
from tarock.games import profiles
from tests.archive.test_rules import OWN, ruled
from tests.archive.test_sheets import club, sheet
from tests.support.storing import deal_of

from .shape import assert_error
from .test_imports import post

VYSOCINA = profiles()["vysocina@1"].words


def test_a_deal_has_its_rules_with_all_options_and_its_unit(reader: Any) -> None:
    deal = reader.ask(f"deals/{deal_of(ruled()).pk}").json()
    assert deal["unit"] == "h"
    rules = deal["rules"]
    assert (rules["name"], rules["filter"], rules["unit"]) == ("vysocina@1", "vysocina@1", "h")
    values = {"price-first": 5, "round": 10, "refuse": False, "varsava": True, "stake": 1, "unit": "h"}
    assert rules["options"].items() >= values.items()
    assert len(rules["options"]) == len(Rules("taroky").values.table())
    assert deal["record"]["options"] == deal["options"] == list(VYSOCINA)
    options = f'[Options "{OWN}"]'
    own = reader.ask(f"deals/{deal_of(ruled(60, 8, options)).pk}").json()
    assert (own["rules"]["name"], own["rules"]["filter"], own["unit"]) == (None, OWN, "chip")
    label = '[Rules "kotva@2"]\n' + options
    named = reader.ask(f"deals/{deal_of(ruled(60, 9, label)).pk}").json()
    assert (named["rules"]["name"], named["rules"]["filter"]) == ("kotva@2", OWN)
    seed = reader.ask(f"deals/{deal_of(sheet(60, 10)).pk}").json()
    assert (seed["rules"]["name"], seed["rules"]["filter"], seed["unit"]) == (
        "taroky-seed@1",
        "seed",
        "point",
    )


@pytest.mark.usefixtures("sweeper")
def test_lists_and_rankings_are_those_of_one_set_of_rules(reader: Any) -> None:
    for text in (sheet(60, 1), ruled(60, 2), ruled(60, 3, f'[Options "{OWN}"]')):
        deal_of(text)
    for rules, unit, points in (("seed", "point", 25), ("vysocina@1", "h", 130), (OWN, "chip", 75)):
        (found,) = reader.ask("deals", {"rules": rules}).json()["results"]
        assert found["unit"] == unit
        assert "rules" not in found
        first = reader.ask("scores", {"rules": rules, "count": "computed"}).json()["results"][0]
        assert (first["rules"], first["unit"], first["points"]) == (rules, unit, points)
        assert (first["place"], first["player"]) == (1, "Alena")
    rows = reader.ask("scores", {}).json()["results"]
    assert [row["place"] for row in rows] == [1, 1, 3, 3] * 3
    asked = reader.ask("deals", {"order": "oldest", "fields": "rules,unit"}).json()["results"]
    found = [(row["rules"]["filter"], row["unit"]) for row in asked]
    assert found == [("seed", "point"), ("vysocina@1", "h"), (OWN, "chip")]
    # A version of a club's rules means its options, with or without the label in the record.
    house_rules.adopt(club(), "taroky", OWN.split(), "kotva", by=None)
    for path in ("deals", "scores"):
        named, own = (reader.ask(path, {"rules": rules}).json()["results"] for rules in ("kotva@1", OWN))
        assert named == own != []
    for wrong in ("kotva@2", "nobody@1", "price=1", "x" * 1001):
        for path in ("deals", "scores"):
            assert_error(reader.ask(path, {"rules": wrong}), 400, "invalid_parameter")


@pytest.mark.parametrize(
    ("fields", "rules", "label"),
    [
        ({}, None, ""),
        ({"unit": "h"}, Rules("?", ("unit=h",)), ""),
        ({"unit": "point"}, None, ""),
        ({"game": "taroky", "rules": "vysocina@1"}, Rules("taroky", VYSOCINA), "vysocina@1"),
        ({"game": "taroky", "rules": "vysocina@1", "unit": "h"}, Rules("taroky", VYSOCINA), "vysocina@1"),
    ],
)
def test_a_table_is_imported_with_its_unit_and_rules(
    writer: Any, fields: dict[str, str], rules: Rules | None, label: str
) -> None:
    text = "Date;Alena;Bob\n2019-01-11;5;-5\n"
    assert post(writer, text, **fields).status_code == 202
    for part in Part.objects.filter(state="waiting"):
        intake.store(part.pk)
    contribution = Contribution.objects.get()
    assert [one.rules for one in RuleSet.objects.all()] == ([rules] if rules else [])
    assert contribution.deal.rule_set == (rules or Rules(fields.get("game", "?")))
    assert contribution.rules_label == label


def test_rules_of_another_game_or_unit_are_refused(writer: Any) -> None:
    text = "Date;Alena;Bob\n2019-01-11;5;-5\n"
    for fields in (
        {"rules": "vysocina@1"},
        {"rules": "vysocina@1", "game": "strohmann"},
        {"rules": "vysocina@1", "game": "taroky", "unit": "cent"},
        {"rules": "nobody@1", "game": "taroky"},
        {"unit": "Kč"},
    ):
        assert post(writer, text, **fields).status_code == 400
    assert not Contribution.objects.exists()
