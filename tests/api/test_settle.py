"""The rule sets of the games, and records settled by another one. The arithmetic is that of the deal of the
notation: 25 + 80 + 5 - 5 = 105 by the seed."""

from __future__ import annotations

import json
from urllib.parse import urlencode

from api.views.rules import MOST_SETTLED
from tarock.games import GAMES, profiles
from tests.conformance import FOLDER
from tests.support import samples

from .shape import assert_error

RECORDS = [json.loads(line)["record"] for line in (FOLDER / "profiles.jsonl").read_text("utf-8").splitlines()]
DEAL = json.dumps(RECORDS[0])
PRICES = "price-first=5 pagat-announced=200 hand-small=20 round=10 unit=h"


def send(reader, body, **query):
    return reader.send(body, path=f"settle?{urlencode(query)}")


def test_the_rules_of_all_games(reader) -> None:
    found = reader.ask("rules").json()
    assert [one["game"] for one in found] == list(GAMES)
    for one in found:
        info = GAMES[one["game"]].info
        assert [option["slug"] for option in one["options"]] == list(info.rules.table())
        assert {profile["name"] for profile in one["profiles"]} == {
            name for name, profile in profiles().items() if profile.game == info.id
        }
    (taroky,) = reader.ask("rules?game=taroky").json()
    options = {option["slug"]: option for option in taroky["options"]}
    assert options["round"] == {
        "slug": "round", "kind": "number", "low": 1, "high": 1000, "default": "1",
        "clause": "taroky.game", "clauses": ["taroky.game", "taroky.game-tie"],
        "sentence": "the game is rounded up to a multiple of this",
    }  # fmt: skip
    refuse = options["refuse"]
    assert (refuse["kind"], refuse["low"], refuse["default"]) == ("switch", None, "yes")
    vysocina = next(profile for profile in taroky["profiles"] if profile["name"] == "vysocina@1")
    assert vysocina["title"] == "Vysočina"
    assert vysocina["options"] == list(profiles()["vysocina@1"].words)
    assert {"option": "refuse", "value": "no", "origin": "I"}.items() <= next(
        row for row in vysocina["values"] if row["option"] == "refuse"
    ).items()
    assert_error(reader.ask("rules?game=bridge"), 400, "invalid_parameter", field="game")


def test_a_deal_by_a_price_list(reader) -> None:
    """25 x 5 = 125, up to 130; 20 x 10 x 4 = 800; 20 - 20."""
    answer = send(reader, DEAL, options=PRICES)
    assert answer.status_code == 200
    (found,) = answer.json()["results"]
    assert found["own"]["score"] == {"A": 105, "B": -105, "C": -105, "D": 105}
    assert found["settled"]["score"] == {"A": 930, "B": -930, "C": -930, "D": 930}
    units = found["own"]["rules"], found["own"]["unit"], found["settled"]["unit"]
    assert units == ("taroky-seed@1", "point", "h")
    lines = found["lines"]
    assert [(one["clause"], one["own"]["A"], one["points"]["A"], one["because"]) for one in lines] == [
        ("taroky.game", 25, 130, ["price-first=5", "round=10"]),
        ("taroky.pagat-announced", 80, 800, ["pagat-announced=200"]),
        ("taroky.hand-tarocky", 5, 20, ["hand-small=20"]),
        ("taroky.hand-barvicky", -5, -20, ["hand-small=20"]),
    ]
    calculation = lines[0]["calculation"].replace("\u00a0", " ")
    assert calculation.endswith("(60 − 35) × 5 h = 125 h; up to a multiple of 10: 130 h")
    assert lines[0]["url"].endswith("/api/v1/clauses/taroky.game")


def test_a_deal_that_could_not_have_been_played_so(reader) -> None:
    (found,) = send(reader, DEAL, rules="vysocina@1").json()["results"]
    settled = found["settled"]
    assert (settled["score"], settled["verdict"], settled["because"]) == (None, "illegal", ["refuse=no"])
    assert (settled["error"]["event"], settled["error"]["clause"]) == (7, "taroky.refuse")
    assert found["own"]["score"]["A"] == 105
    assert {line["points"] for line in found["lines"]} == {None}


def test_several_records_each_with_its_answer(reader) -> None:
    """A deal of another game, a malformed record, and a deal under its own rules."""
    body = "\n".join([json.dumps(RECORDS[0] | {"options": PRICES.split()}), json.dumps({"tgn": 1})])
    found = send(reader, body, rules="taroky-seed@1").json()["results"]
    assert (found[0]["own"]["score"]["A"], found[0]["settled"]["score"]["A"]) == (930, 105)
    assert found[0]["lines"][0]["because"] == ["price-first=1", "round=1"]
    assert found[1]["own"] is None
    assert found[1]["errors"]
    (other,) = send(reader, samples.TROGGU, rules="vysocina@1").json()["results"]
    assert (other["game"], [error["reason"] for error in other["errors"]]) == ("troggu", ["rules-game"])


WRONG = [
    ({"options": "cap=x"}, ["option-value"]),
    ({"options": "cap=1 cap=2 flek"}, ["option-twice", "unknown-option"]),
    ({"rules": "nobody@1"}, ["rules-unknown"]),
    ({"rules": "Nobody"}, ["rules-name"]),
    ({"rules": "vysocina@1", "options": "cap=9"}, None),
]


def test_wrong_rules_are_named_with_each_record_or_refused(reader) -> None:
    for query, reasons in WRONG:
        (found,) = send(reader, DEAL, **query).json()["results"]
        assert found["settled"] is None
        assert all(error["message"] for error in found["errors"])
        names = [error["reason"] for error in found["errors"]]
        assert names == reasons if reasons else set(names) == {"rules-differ"}
    assert_error(send(reader, DEAL, rules="x" * 65), 400, "invalid_parameter", field="rules")
    assert_error(send(reader, "\n".join([DEAL] * 51), rules="vysocina@1"), 413, "too_large")
    fifty = "[" + ",".join(["{}"] * 50) + "]"
    assert send(reader, fifty).json()["records"] == MOST_SETTLED == 50
    found = send(reader, "\n".join([DEAL] * 2)).json()
    assert [one["settled"]["rules"] for one in found["results"]] == ["taroky-seed@1"] * 2
