"""One evening of each game, calculated here by hand: the state of the evening, the table of its session and
the API's scores have the same sums."""

from __future__ import annotations

import csv
import io
from collections import Counter
from typing import Any

import pytest
from django.test import Client

from archive.models import Space
from tarock.view.answers.questions import answer_to
from tests.browser.evening_deals import EVENINGS, Evening
from tests.pages.conftest import text_of
from tests.pages.evenings import NAMES, Phone

pytestmark = pytest.mark.django_db

SHEETS = {
    # 60 - 35 = 25; 50 - 35 = 15; 35 - 30 = 5 against the bidder's side:
    # Alena 25 - 15 - 5 = 5, Bob -25 + 15 + 5 = -5, Cyril -25 - 15 - 5 = -45, Dana 25 + 15 + 5 = 45.
    "taroky": (
        [
            ("D", "contract first|bidder A|partner D|points bidder 60"),
            ("A", "contract first|bidder B|partner D|points bidder 50"),
            ("B", "contract first|bidder C|partner A|points bidder 30"),
        ],
        {"Alena": 5, "Bob": -5, "Cyril": -45, "Dana": 45},
    ),
    # 43 points win 3, the birds and Rostopschin 1 each: 3 + 1 + 1 and 1. An undeclared game of 36 is 2 for
    # Bob. All tricks are 12: Alena 5 + 0 + 12 = 17, Bob 1 + 2 + 0 = 3.
    "strohmann": (
        [
            ("B", "contract take|declarer A|points A 43|pagat B|uhu A|rostopschin A"),
            ("A", "contract undeclared|points B 36"),
            ("B", "contract take|declarer A|points A 70|tricks A"),
        ],
        {"Alena": 17, "Bob": 3},
    ),
    # 114 - 85 = 29 are at most 30: 2 from each of three, in a solo 4. In the misère Cyril has the most points
    # and pays 1 to each: Alena 6 + 12 + 1 = 19, Bob and Dana -2 - 4 + 1 = -5, Cyril -2 - 4 - 3 = -9.
    "troggu": (
        [
            ("D", "contract take|tappist A|points tappist 85"),
            ("A", "contract solo|tappist A|points tappist 85"),
            ("B", "contract misere|points A 20|points B 25|points C 30|points D 20"),
        ],
        {"Alena": 19, "Bob": -5, "Cyril": -9, "Dana": -5},
    ),
    # Kings of 5 from each, two of them Alena's: 20 - 10, 10 - 15, 10 - 15; the last trick 10 - 5 - 5; card
    # points 36, 35 and 7, less 26: 10, 9, -19; so 30, -1, -29. Twelve tarocks: 20 from each, so 70, -21, -49.
    # Alena 30 + 70 = 100, Bob -1 - 21 = -22, Cyril -29 - 49 = -78.
    "grosstarock": (
        [
            ("C", "card SK A won|card HK A won|card DK B won|card CK C won|last A|points A 36|points B 35"),
            (
                "A",
                "declare A tarocks:12|card SK A won|card HK A won|card DK B won|card CK C won|last A"
                "|points A 36|points B 35",
            ),
        ],
        {"Alena": 100, "Bob": -22, "Cyril": -78},
    ),
}


@pytest.mark.parametrize("game", SHEETS)
def test_an_evening_of_each_game(game: str, signed_in: Client, club: Space) -> None:
    sheets, sums = SHEETS[game]
    names = NAMES[: len(sums)]
    phone = Phone(signed_in)
    phone.start(game=game, seats=len(names), table=list(names), space=club.pk)
    players = dict(zip("ABCD", names, strict=False))
    for number, (dealer, lines) in enumerate(sheets, start=1):
        deal = {"players": players, "dealer": dealer, "options": [], "comment": ""}
        deal["lines"] = [line.split() for line in lines.split("|")]
        answer = phone.enter(number, deal)
        assert answer.status_code == 201, answer.content
        assert answer.json()["deal"]["verdict"] == "computed"
    state = phone.state()
    by_state: Counter[str] = Counter()
    for deal in state["deals"]:
        for seat, points in deal["score"].items():
            by_state[deal["players"][seat]] += points
    assert dict(by_state) == sums
    text = signed_in.get(f"{state['address']}session.csv").getvalue().decode("utf-8-sig")
    last = list(csv.DictReader(io.StringIO(text)))[-1]
    assert {name: int(last[f"{name} (total)"]) for name in names} == sums
    rows = Client().get("/api/v1/scores", {"club": club.pk, "game": game}).json()["results"]
    assert {row["player"]: row["points"] for row in rows} == sums


# --- twelve deals, as they are entered by taps --------------------------------------------------------------


def line_of(text: str) -> list[Any]:
    """A line of a sheet from its words."""
    return [int(word) if word.isdigit() else word for word in text.split()]


@pytest.mark.parametrize("evening", EVENINGS, ids=[one.game for one in EVENINGS])
def test_a_whole_evening_as_it_is_tapped(evening: Evening, signed_in: Client, club: Space) -> None:
    phone, table = Phone(signed_in), list(evening.players)
    phone.start(game=evening.game, seats=0, table=table, dealer=table[0], space=club.pk)
    for number, one in enumerate(evening.deals, start=1):
        state = phone.state()
        question = {"setup": state["setup"], "deals": state["deals"]}
        seats = answer_to({"ask": "evening", **question})["next"]
        assert (seats["number"], seats["deals"]) == (number, table[(number - 1) % len(table)])
        deal = {"players": seats["players"], "dealer": seats["dealer"], "options": [], "comment": ""}
        lines = [line_of(line) for line in one.lines]
        if "contract" not in [line[0] for line in lines]:
            # The form before the first tap.
            form = {"ask": "form", "setup": state["setup"], "deal": {**deal, "n": number, "lines": []}}
            lines = answer_to(form)["lines"] + lines
        stored = phone.enter(number, {**deal, "lines": lines}).json()["deal"]
        score = {stored["players"][seat]: points for seat, points in stored["score"].items()}
        assert (number, stored["verdict"], score) == (number, "computed", one.score)
    state = phone.state()
    stand = answer_to({"ask": "evening", "setup": state["setup"], "deals": state["deals"]})
    assert {row["name"]: row["total"] for row in stand["standings"]} == evening.totals
    assert [row["score"] for row in stand["deals"]] == [one.score for one in evening.deals]
    assert stand["deals"][-1]["totals"] == evening.totals
    text = signed_in.get(f"{state['address']}session.csv").getvalue().decode("utf-8-sig")
    last = list(csv.DictReader(io.StringIO(text)))[-1]
    assert {name: int(last[f"{name} (total)"]) for name in table} == evening.totals
    rows = Client().get("/api/v1/scores", {"club": club.pk, "game": evening.game}).json()["results"]
    assert {row["player"]: (row["points"], row["deals"]) for row in rows} == {
        name: (total, 12) for name, total in evening.totals.items()
    }
    page = text_of(signed_in, state["address"])
    signs = {name: f"+{total}" if total > 0 else f"−{-total}" for name, total in evening.totals.items()}
    assert [f"{name} {total}" for name, total in signs.items() if f"{name} {total} " not in page] == []
    assert "missing" not in page
