"""The form of a score sheet: every sheet can be entered by what it offers, and what does not belong goes."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tarock.analysis.sheets import sheet_lines
from tarock.analysis.verify import SCORED, check
from tarock.core.record import Record
from tarock.notation import read_one
from tarock.words import sentences
from tarock.words.clauses import LANGUAGES, clause, words
from tarock.words.names import PlayerNames
from tests.conformance import PARTS, some
from tests.engine.driver import ALL, FEW, TABLES, deals
from tests.engine.sheets import checked
from tests.engine.tapping import Form, as_entered, ask, enter, without_tricks
from tests.engine.test_sheets_of_deals import sheet
from tests.support.effort import SPARSE


def by_taps(record: Record, turn: int) -> None:
    """Enter the sheet of a played deal, and compare what the form answers with the check of the sheet."""
    stated = sheet_lines(record)
    assert stated is not None
    form = Form(record.game, len(record.players), record.dealer, record.options)
    enter(form, as_entered(record, stated, turn))
    assert form.answer["score"] == check(sheet(record)).score
    expected = check(replace(sheet(record), sheet=without_tricks(stated)))
    names = PlayerNames(record.game, {seat: f"Player {seat}" for seat in record.players}, "en")
    found = [(line["clause"], line["text"], line["points"]) for line in form.answer["sheet"]]
    assert found == [
        (line.clause, names.sentence(sentences.line, line), dict(line.points)) for line in expected.lines
    ]
    assert form.answer["verdict"] == "computed"
    assert form.findings == []


@PARTS
def test_the_sheet_of_a_conformance_deal_can_be_entered(file: str, part: int) -> None:
    for row in some(file, part, SPARSE).values():
        if row["expect"]["verdict"] in SCORED:
            by_taps(read_one(json.dumps(row["record"])), 0)


@ALL
def test_the_sheets_of_simulated_and_random_deals_can_be_entered(game: str, players: int) -> None:
    for turn, record in enumerate(deals(game, players, FEW)):
        by_taps(record, turn)


@ALL
def test_a_sheet_keeps_its_scores_when_all_players_move_one_seat_on(game: str, players: int) -> None:
    """Everybody moves, and the dealer with them, so each player's score stays."""
    for record in deals(game, players, FEW):
        stated = sheet_lines(record)
        assert stated is not None
        form = Form(record.game, len(record.players), record.dealer, record.options)
        form.deal["lines"] = [list(line) for line in stated]
        before, was = form.look(), dict(form.deal["players"])
        seats = [*was]
        moved = dict(zip([*seats[1:], seats[0]], seats, strict=True))  # former seat by new seat
        form.deal["players"] = {seat: was[moved[seat]] for seat in seats}
        form.deal["dealer"] = next(seat for seat in seats if moved[seat] == record.dealer)
        after = form.look(was=was)
        assert {was[moved[seat]]: points for seat, points in after["score"].items()} == {
            was[seat]: points for seat, points in before["score"].items()
        }


def test_taroky_what_was_entered_for_a_player_goes_with_the_player() -> None:
    """Bořek is the bidder, Cyril the partner, Dana has the pagat. Bořek and Cyril change seats, and Emil sits
    down in Dana's chair: what was entered for Dana goes."""
    form = Form("taroky", dealer="D")
    was = dict(zip("ABCD", ("Alena", "Bořek", "Cyril", "Dana"), strict=True))
    form.deal["players"] = dict(zip("ABCD", ("Alena", "Cyril", "Bořek", "Emil"), strict=True))
    form.deal["lines"] = [
        ["contract", "second"], ["bidder", "B"], ["partner", "C"], ["points", "bidder", 40],
        ["hand", "D", "barvy"], ["hand", "B", "barvicky", "trul"], ["pagat", "silent", "D", "made"],
    ]  # fmt: skip
    lines = form.look(was=was)["lines"]
    assert ["bidder", "C"] in lines
    assert ["partner", "B"] in lines
    assert ["hand", "C", "barvicky", "trul"] in lines
    assert not [line for line in lines if line[0] == "hand" and line[1] == "D"]
    assert not [line for line in lines if line[0] == "pagat" and "D" in line]


def test_taroky_begins_with_a_first_duty_of_forehand() -> None:
    form = Form("taroky", dealer="B")
    assert form.text == "contract first\nbidder C"
    assert form.words("bidder") == ["C"]
    assert form.words("partner") == ["alone", "A", "B", "D"]


def test_taroky_another_contract_takes_away_what_does_not_belong() -> None:
    form = Form("taroky")
    for name, word in (("partner", "C"), ("pagat", "announced")):
        form.tap(name, word=word)
    form.tap("points", "bidder", word=40).tap("double", "pagat", word="re")
    rest = "points bidder 40\ndouble pagat re\npagat announced"
    assert form.text == f"contract first\nbidder A\npartner C\n{rest}"
    # Forehand bids no second; a second is called with the pagat; whose it is follows from the bidder.
    assert form.after("contract second") == f"contract second\npartner C\n{rest}"
    assert form.words("bidder") == ["B", "C", "D"]
    assert form.after("bidder C") == f"contract second\nbidder C\n{rest} C"
    assert form.words("pagat") == ["announced"]
    assert form.words("pagat", place=1) == ["C"]
    assert form.after("bidder D") == f"contract second\nbidder D\n{rest} D"
    # A troika has a level and no partner; in Varšava the points are of the players.
    form.tap("contract", word="troika")
    assert form.field("partner") is None
    assert form.words("level") == [1, 2, 3]
    assert form.after("contract varsava") == "contract varsava"
    assert [key for key, _ in form.numbers("points")] == ["A", "B", "C", "D"]


def test_taroky_a_stake_can_be_doubled_once_it_is_announced() -> None:
    form = Form("taroky")
    assert not form.rows("double", "pagat")
    form.tap("pagat", word="silent")
    assert not form.rows("double", "pagat")
    assert "double pagat flek" in form.after("pagat announced", "double pagat flek", "double game sub")
    assert "double game sub" in form.after("pagat silent")
    assert "double pagat" not in form.text


HANDS = ["taroky", "tarocky", "barvy", "barvicky", "trul", "honery", "kralovske-honery"]


@pytest.mark.parametrize(("options", "contract", "name", "key", "offered"), [
    ((), "first", "contract", (), ["first", "second", "troika", "solo", "varsava"]),
    (("varsava=no",), "first", "contract", (), ["first", "second", "troika", "solo"]),
    (("second-forehand",), "first", "bidder", (), ["A"]),
    (("second-forehand",), "second", "bidder", (), ["A", "B", "C", "D"]),
    ((), "first", "double", ("game",), ["flek", "re", "sub"]),
    ((), "first", "double", ("valat",), ["flek", "re", "sub"]),
    (("valat-doubles=no",), "first", "double", ("game",), ["flek", "re", "sub"]),
    (("valat-doubles=no",), "first", "double", ("valat",), []),
    (("doubles=4",), "first", "double", ("valat",), ["flek", "re", "sub", "resub"]),
    (("doubles=0",), "first", "double", ("game",), []),
    ((), "first", "hand", ("B",), HANDS),
    (("trulhonery",), "first", "hand", ("B",), [*HANDS, "trulhonery"]),
])  # fmt: skip
def test_taroky_offers_what_the_options_of_the_table_have(
    options: tuple[str, ...], contract: str, name: str, key: tuple[str, ...], offered: list[str]
) -> None:
    """The bidder has announced the valat."""
    form = Form("taroky", options=options)
    if contract != "first":
        form.tap("contract", word=contract)
    assert form.tap("valat", word="A").words(name, *key) == offered


def test_taroky_card_points_of_the_tricks_alone_leave_no_rest() -> None:
    """With 60 of 70 card points the others have 10, unless a side counts all tricks and nothing else."""
    for options, lines, rest in (
        ((), ["valat A made"], 10),
        (("valat-tricks-only",), ["valat A made"], None),
        (("valat-tricks-only",), ["valat A failed"], 10),
        (("valat-tricks-only",), ["tricks bidder"], None),
        (("valat-tricks-only",), [], 10),
    ):
        form = Form("taroky", options=options)
        form.deal["lines"] += [line.split() for line in lines]
        form.tap("points", "bidder", word=60)
        assert dict(form.numbers("points"))["opponents"]["rest"] == rest, (options, lines)


def test_taroky_a_double_of_which_all_steps_are_written_down_is_the_highest() -> None:
    form = Form("taroky")
    form.deal["lines"] += [["double", "game", "re", "A"], ["double", "game", "flek", "B"]]
    form.tap("partner", word="C")
    (row,) = form.rows("double", "game")
    assert [choice["word"] for choice in row["choices"] if choice["on"]] == ["re"]
    # Nobody knows who said it.
    form.tap("double", "game", word="sub")
    assert [line for line in form.lines if line[0] == "double"] == [("double", "game", "sub")]
    assert form.after("double game sub") == "contract first\nbidder A\npartner C"


def test_taroky_settled_without_play_only_where_the_table_does_so_and_nothing_is_announced() -> None:
    assert Form("taroky").field("uncontested") is None
    form = Form("taroky", options=("settle-uncontested",)).tap("partner", word="B")
    form.tap("points", "bidder", word=40)
    # 40 - 35 = 5 would be paid, but nobody announced anything.
    assert form.answer["verdict"] == "illegal"
    assert [name for name, _ in form.findings] == ["uncontested"]
    assert form.after("pagat silent", "uncontested") == "contract first\nbidder A\npartner B\nuncontested"
    assert form.answer["score"] == {"A": 1, "B": 1, "C": -1, "D": -1}
    form.tap("uncontested").tap("points", "bidder", word=40).tap("double", "game", word="flek")
    assert form.field("uncontested") is None
    for name, word in (("pagat", "announced"), ("valat", "A")):
        contested = Form("taroky", options=("settle-uncontested",))
        assert contested.field("uncontested") is not None
        assert contested.tap(name, word=word).field("uncontested") is None
    assert form.answer["score"] == {"A": 10, "B": 10, "C": -10, "D": -10}


def test_taroky_in_varsava_no_card_point_is_no_trick() -> None:
    form = Form("taroky").tap("contract", word="varsava")
    assert form.after("trickless B") == "contract varsava\npoints B 0\ntrickless B"
    for seat, points in (("A", 30), ("C", 25), ("D", 0)):
        form.tap("points", seat, word=points)
    assert form.text.endswith("trickless B D")
    assert form.after("points B 4").endswith("trickless D")
    assert form.words("trickless") == ["D"]
    assert form.findings == []


def test_strohmann_all_tricks_are_all_card_points() -> None:
    form = Form("strohmann", 2)
    assert form.text == "contract take\ndeclarer A"
    assert form.words("declarer") == ["A", "B"]
    form.tap("pagat", word="A").tap("tricks", word="B")
    # A has no trick, so not the last with the Pagat in it.
    assert form.text == "contract take\ndeclarer A\npoints B 70\ntricks B"
    assert form.words("kakadu") == ["B"]
    # Valat 12.
    assert form.answer["score"] == {"A": 0, "B": 12}
    assert form.after("points A 5") == "contract take\ndeclarer A\npoints A 5"
    assert form.field("tricks") is None
    assert form.after("points A -", "points B 0") == "contract take\ndeclarer A\npoints B 0\ntricks A"
    assert form.after("contract undeclared") == "contract undeclared\npoints B 0\ntricks A"


def test_troggu_begins_with_a_take_and_nobody_calls_himself() -> None:
    form = Form("troggu", 7)
    assert form.text == "contract take"
    assert form.after("partner C", "tappist C") == "contract take\ntappist C"
    assert form.words("partner") == ["alone", "A", "B", "D", "E", "F", "G"]
    assert form.after("partner A", "points tappist 60", "contract misere") == "contract misere"
    assert Form("troggu", 6).field("partner") is None


def test_troggu_opponents_without_a_card_point_have_no_trick() -> None:
    form = Form("troggu", 4).tap("tappist", word="A").tap("trickless", word="opponents")
    assert form.text == "contract take\ntappist A\npoints opponents 0\ntrickless opponents"
    # Three chips of each of three.
    assert form.answer["score"] == {"A": 9, "B": -3, "C": -3, "D": -3}
    assert form.after("points tappist 108") == "contract take\ntappist A\npoints tappist 108"
    assert form.words("trickless") == ["tappist"]
    form.tap("points", "tappist", word=114)
    assert form.text == "contract take\ntappist A\npoints tappist 114\ntrickless opponents"


def test_grosstarock_a_king_is_mostly_won_and_a_pagat_is_not_guessed() -> None:
    form = Form("grosstarock", 3).tap("card", "SK", word="B").tap("card", "T1", word="B")
    assert form.text == "card SK B won\ncard T1 B"
    assert form.after("card SK B lost") == "card T1 B\ncard SK B lost"
    assert form.words("card", "SK", place=2) == ["last"]
    form.tap("card", "SK", place=2, word="last")
    assert "card SK B lost last" in form.text
    # It was played to the last trick.
    assert form.field("last") is None
    # Nothing follows from a King alone, as in a sheet that breaks off.
    form = Form("grosstarock", 3)
    form.deal["lines"] = [["card", "SK"]]
    assert form.after("points A 30") == "card SK\npoints A 30"


def test_grosstarock_all_tricks_and_none_exclude_each_other() -> None:
    form = Form("grosstarock", 3).tap("last", word="A").tap("null", word="A")
    # Nobody without a trick won the last one.
    assert form.text == "null A"
    assert form.field("bole") is None
    assert form.words("last") == ["B", "C"]
    assert form.after("card T1 A", "card HK B") == "null A\ncard T1 A lost\ncard HK B won"
    assert form.signed("card", "T1", word="A") == ["lost"]
    form.tap("null", word="A").tap("bole", word="C")
    # What C did not win was lost.
    assert form.text == "bole C\ncard T1 A lost\ncard HK B lost"
    assert form.field("null") is None
    assert form.words("last") == ["C"]
    for king in ("SK", "DK", "CK"):
        form.tap("card", king, word="C")
    assert form.text.endswith("card CK C won\nlast C")
    form.tap("card", "CK", place=2, word="last")
    assert form.text.endswith("card CK C won last")
    assert form.answer["verdict"] == "computed"


def test_grosstarock_with_two_there_is_a_tout_and_no_bole() -> None:
    form = Form("grosstarock", 2)
    assert form.field("bole") is None
    assert form.after("tout B", "card SK A", "card HK B") == "tout B\ncard SK A lost\ncard HK B won"


def test_grosstarock_a_declared_number_is_entered_beside_its_name() -> None:
    form = Form("grosstarock", 3).tap("declare", "A", word="tarocks:10").tap("declare", "A", word="ladons:16")
    assert form.text == "declare A tarocks:10 ladons:16"
    assert form.after("declare A tarocks:13") == "declare A tarocks:13 ladons:16"
    assert form.words("declare", "A")[0] == "tarocks:13"
    assert form.after("declare A tarocks:13") == "declare A ladons:16"


def test_card_points_that_are_left_out_are_the_rest() -> None:
    form = Form("grosstarock", 3).tap("points", "A", word=20).tap("points", "C", word=30)
    rest = {key: number["rest"] for key, number in form.numbers("points")}
    # 78 - 20 - 30 = 28.
    assert rest == {"A": None, "B": 28, "C": None}
    assert form.after("points C -") == "points A 20"
    # Too many leave no rest.
    form.tap("points", "A", word=50).tap("points", "B", word=40)
    (row,) = form.rows("points", "C")
    assert row["number"]["rest"] == 0
    assert ("points", "90 card points are entered, but there are only 78") in form.findings
    # With two players, nothing is the rest.
    form = Form("grosstarock", 2).tap("points", "A", word=20).tap("points", "B", word=30)
    assert form.text == "points A 20\npoints B 30"


@pytest.mark.parametrize(("game", "players", "lines", "points", "total"), [
    ("taroky", 4, "contract first|bidder A|partner B", {"bidder": 43, "opponents": 28}, 70),
    ("strohmann", 2, "contract take|declarer A", {"A": 43, "B": 28}, 70),
    ("troggu", 5, "contract take|tappist B", {"tappist": 60, "opponents": 55}, 114),
    ("grosstarock", 3, "card SK B won|card HK B won|card DK B won|card CK B won|last B|null A",
     {"A": 0, "B": 40, "C": 39}, 78),
])  # fmt: skip
def test_card_points_that_do_not_add_up_are_all_kept(
    game: str, players: int, lines: str, points: dict[str, int], total: int
) -> None:
    form = Form(game, players)
    form.deal["lines"] = [line.split() for line in lines.split("|")]
    for owner, count in points.items():
        form.tap("points", owner, word=count)
    assert {key: number["value"] for key, number in form.numbers("points")} == points
    assert form.answer["verdict"] == "illegal"
    assert form.answer["score"] is None
    ((field, text),) = form.findings
    assert field == "points"
    assert f"{total + 1}" in text
    assert f"{total}" in text
    owner, count = list(points.items())[-1]
    form.tap("points", owner, word=count - 1)
    assert form.answer["verdict"] == "computed"
    assert {key: number["value"] for key, number in form.numbers("points")} == points | {owner: count - 1}


def test_taroky_a_side_without_card_points_took_no_trick() -> None:
    form = Form("taroky").tap("partner", word="C").tap("points", "bidder", word=70)
    assert form.text.endswith("points bidder 70\ntricks bidder")
    assert form.answer["verdict"] == "computed"
    # With other points, or a valat that was announced, it does not follow.
    assert "tricks" not in form.tap("points", "bidder", word=7).text
    assert form.after("points bidder 0").endswith("tricks opponents")
    form.tap("points", "bidder", word=70).tap("valat", word="A").tap("valat", place=1, word="made")
    assert form.text.endswith("points bidder 70\nvalat A made")
    # The entered tricks stay.
    form = Form("taroky").tap("partner", word="C").tap("tricks", word="bidder")
    form.tap("points", "bidder", word=70)
    assert form.after("points bidder 69").endswith("points bidder 69\ntricks bidder")


def test_troggu_a_tappist_with_the_points_of_the_tapp_took_no_trick() -> None:
    form = Form("troggu", 5).tap("tappist", word="B").tap("points", "tappist", word=10)
    # The Tapp has 7 cards, and a trick 5.
    assert form.text == "contract take\ntappist B\npoints tappist 10\ntrickless tappist"
    assert form.answer["verdict"] == "computed"
    # The first digits of 100 are 10.
    assert form.after("points tappist 100") == "contract take\ntappist B\npoints tappist 100"
    assert "trickless" not in form.tap("points", "tappist", word=12).text


def test_a_word_that_is_there_is_taken_away_where_it_may_be_left_out() -> None:
    form = Form("taroky").tap("contract", word="first")
    assert form.after("partner alone", "partner alone") == "contract first\nbidder A\npartner alone"
    form.tap("tricks", word="bidder").tap("tricks", word="bidder")
    form.tap("hand", "B", word="trul").tap("hand", "B", word="barvy").tap("hand", "B", word="trul")
    assert form.text == "contract first\nbidder A\npartner alone\nhand B barvy"
    assert form.after("hand B barvy", "surrendered", "surrendered") == "contract first\nbidder A"
    form = Form("strohmann", 2).tap("rostopschin", word="A").tap("rostopschin", place=1, word=7)
    assert form.text.endswith("rostopschin A 7")
    form.tap("rostopschin", place=1, word=None)
    assert form.text.endswith("rostopschin A")
    assert form.after("rostopschin A") == "contract take\ndeclarer A"


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_words_of_a_form_are_in_the_language_and_all_clauses_exist(language: str) -> None:
    for game, players in TABLES:
        table = words(game, language)
        fields = Form(game, players, language=language).answer["fields"]
        assert fields
        for one in fields:
            assert one["label"] == table["sheet_fields"][one["name"]]
            for found in (one, *one["findings"]):
                assert found["title"] == clause(found["clause"], language).title
            for row in one["rows"]:
                assert row["number"] or row["choices"]
                for label, word in ((choice["label"], choice["word"]) for choice in row["choices"]):
                    assert label[0] == label[0].upper()
                    # A word has a name of its own.
                    assert label != word or word in ("taroky", "solo")
    form = Form("taroky", language=language).tap("partner", word="C").tap("points", "bidder", word=36)
    # 36 - 35 = 1 for each.
    assert form.answer["score"] == {"A": 1, "B": -1, "C": 1, "D": -1}
    (line,) = form.answer["sheet"]
    assert (line["clause"], line["title"]) == ("taroky.game", clause("taroky.game", language).title)
    labels = {"cs": ["Závazek", "Vydražitel", "Partner"], "de": ["Spielansage", "Ersteher", "Partner"]}
    found = [one["label"] for one in form.answer["fields"]][:3]
    assert found == labels.get(language, found)


@pytest.mark.parametrize(("language", "labels"), [
    ("en", ("From trick n", "From trick 7")), ("ja", ("Nトリック目から", "7トリック目から")),
])  # fmt: skip
def test_a_number_of_a_trick_says_what_it_is(language: str, labels: tuple[str, str]) -> None:
    form = Form("strohmann", 2, language=language).tap("rostopschin", word="A")
    (before,) = form.rows("rostopschin", place=1)
    (after,) = form.tap("rostopschin", place=1, word=7).rows("rostopschin", place=1)
    assert (before["label"], after["label"]) == labels


def test_grosstarock_an_announcement_has_the_few_prices_of_its_trick() -> None:
    form = Form("grosstarock", 3)
    (row,) = form.rows("announce", "B", "null")
    labels = ["Before trick 1", "Before trick 13"]
    assert (row["label"], [choice["label"] for choice in row["choices"]]) == (
        "Player B, null (no trick)",
        labels,
    )
    assert form.words("announce", "B", "bole") == [1, 13, 20]
    # A sheet from elsewhere may name any trick; its number means the next price.
    form.deal["lines"] = [["announce", "B", "bole", 7], ["card", "HK", "A", "won", 9]]
    form.tap("card", "SK", word="A", then="won")
    assert form.words("announce", "B", "bole") == [1, 7, 20]
    assert form.words("card", "HK", place=2) == ["last", 9]
    # The last trick holds neither Pagat nor King.
    assert form.tap("last", word="C").words("card", "HK", place=2) == [9]
    assert form.tap("announce", "B", "bole", word=20).words("announce", "B", "bole") == [1, 13, 20]
    # A null is announced before trick 13 at the latest.
    form.deal["lines"] = [["announce", "B", "null", 14]]
    form.tap("card", "SK", word="A", then="won")
    assert form.words("announce", "B", "null") == [1, 13]


def test_grosstarock_what_has_been_paid_is_shown_during_the_deal() -> None:
    form = Form("grosstarock", 3, dealer="C")
    assert form.answer["paid"] is None
    # A sheet from elsewhere with a King that was won and lost, and with points that are not complete.
    form.deal["lines"] = [["card", "SK", "A", "won"], ["card", "SK", "B", "lost"], ["points", "A", 30]]
    form.deal["lines"].append(["points", "B"])
    assert form.tap("card", "HK", word="C", then="lost").answer["paid"] is None
    form = Form("grosstarock", 3, dealer="C")
    paid = []
    for name, key, word, then in (
        ("declare", "A", "tarocks:10", None),  # 10 from each
        ("announce", "B", "null", None),  # paid at the end
        ("card", "HK", "C", "lost"),  # 5 to each
        ("card", "T1", "B", "won"),
        ("card", "SK", "A", "won"),
    ):
        if name == "announce":
            form.tap(name, key, word, word=1)
        else:
            form.tap(name, key, word=word, then=then)
        paid.append(tuple(form.answer["paid"].values()))
    assert paid == [(20, -10, -10), (20, -10, -10), (25, -5, -20), (20, 5, -25), (30, 0, -30)]
    assert form.answer["score"] is None
    # The events stay in the order in which they were entered.
    assert [line[1] for line in form.lines if line[0] == "card"] == ["HK", "T1", "SK"]
    form.tap("card", "DK", word="A", then="won").tap("card", "CK", word="B", then="lost")
    form.tap("last", word="C").tap("points", "A", word=30).tap("points", "B", word=20)
    # By Kings and last trick 40, -20, -20; by card points 44, -26, -18; the failed null costs B 10 to each.
    assert form.answer["score"] == {"A": 54, "B": -46, "C": -8}


def test_grosstarock_card_points_of_0_are_a_null_or_a_bole() -> None:
    def kings(seat: str) -> Form:
        form = Form("grosstarock", 3, dealer="C")
        for king in ("SK", "HK", "DK", "CK"):
            form.tap("card", king, word=seat, then="won")
        return form

    form = kings("B").tap("last", word="B").tap("points", "A", word=0)
    assert "null" not in form.text
    # One card point is more than none: a trick of three blanks, less 2.
    assert "null A" in form.after("points B 1")
    form = kings("B").tap("last", word="B").tap("points", "A", word=0)
    assert "null A" in form.after("points B 50")
    assert form.answer["verdict"] == "computed"
    # C has 12 card points from the discards at most, so this may be a bolé as well.
    assert "null" not in form.after("points B 70")
    assert "bole B" in form.after("points C 0", "points B 78")
    assert form.answer["verdict"] == "computed"
    # The points of one player alone say nothing of the others.
    assert "null" not in Form("grosstarock", 3, dealer="C").tap("points", "C", word=0).text
    # A won a King, so the points are wrong.
    form = kings("A").tap("points", "A", word=0).tap("points", "B", word=50)
    assert "null" not in form.text
    form = Form("grosstarock", 2).tap("points", "A", word=0).tap("points", "B", word=40)
    assert "tout B" in form.text


@pytest.mark.parametrize(("item", "card", "held"), [
    ("matadors:3", "T1", True), ("skus-matadors:5", "T1", True), ("tarocks:22", "T1", True),
    ("tarocks:21", "T1", False), ("kings:7", "DK", True), ("kings:6", "DK", False),
    ("cavallery:D", "DK", True), ("half-cavallery:D", "DK", True), ("cavallery:H", "DK", False),
])  # fmt: skip
def test_grosstarock_a_declared_card_is_played_by_its_holder(item: str, card: str, held: bool) -> None:
    form = Form("grosstarock", 3)
    form.deal["lines"] = [["declare", "A", item]]
    form.tap("card", card, word="A", then="won")
    found = "Player A declares"
    assert not any(found in text for _, text in form.findings)
    form.tap("card", card, word="B", then="won")
    assert any(found in text and name == "card" for name, text in form.findings) == held
    # A stored sheet keeps its verdict.
    kings = [f"card {king} B won" for king in ("SK", "HK", "DK", "CK")]
    lines = [f"declare A {item}", "card T1 B won", *kings, "last A", "points A 20", "points B 30"]
    assert checked("grosstarock", "\n".join(lines), 3).verdict == "computed"


@pytest.mark.parametrize(("language", "missing", "incomplete", "seats", "twice"), [
    ("en", "“Pagat and Kings”: ♠K is missing", "“Pagat” is not complete: announced, Dana",
     "Bidder’s side, 40: in this deal, card points are counted only for: Alena, Bořek, Cyril and Dana",
     "“Surrendered” appears a second time: Surrendered"),
    ("ja", "「パガットとキング」に♠Kがありません", "「パガット」の記入が途中です：予告あり、Dana",
     "ビッダーの側、40：ここでカードの点数を数えるのはAlena、Bořek、Cyril、Danaです",
     "「降伏」が2度書かれています：降伏"),
])  # fmt: skip
def test_findings_name_what_players_name(
    language: str, missing: str, incomplete: str, seats: str, twice: str
) -> None:
    """And no line as it is written in a record, such as `card SK` or `points bidder 40`."""

    def found(game: str, *lines: str) -> list[str]:
        names = PlayerNames(
            game, dict(zip("ABCD", ("Alena", "Bořek", "Cyril", "Dana"), strict=True)), language
        )
        result = checked(game, "\n".join(lines), 3 if game == "grosstarock" else 4)
        return [names.sentence(sentences.finding, finding) for finding in result.errors]

    kings = [f"card {king} A won" for king in ("HK", "DK", "CK")]
    assert found("grosstarock", *kings, "last A", "points A 20", "points B 30") == [missing]
    duty = ("contract first", "bidder A", "partner B", "points bidder 40")
    assert found("taroky", *duty, "pagat announced D") == [incomplete]
    assert found("taroky", "contract varsava", "points bidder 40") == [seats]
    assert found("taroky", *duty[:2], "surrendered", "surrendered") == [twice]


@pytest.mark.parametrize("line", [5, [], [[]], ["bidder", ["A"]], ["game", "A", "B"], ["nothing", "A"], None])
def test_seats_that_change_with_a_line_that_is_no_line_are_a_fault_of_the_question(line: Any) -> None:
    form = Form("taroky")
    setup, deal = form.setup, form.deal | {"lines": [line]}
    found = ask({"ask": "form", "setup": setup, "deal": deal, "was": form.deal["players"]})
    assert found["error"]["code"] == "malformed"
