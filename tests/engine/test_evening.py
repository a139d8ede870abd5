"""An evening at the table: who sits where, who deals next, how things stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tarock.core.dates import latest_day, likely_date
from tarock.core.seating import next_dealer, places, seats_at, tables_by_place
from tarock.games import GAMES, game
from tarock.words.clauses import LANGUAGES, clause, words
from tests.engine.tapping import Form, ask

NAMES = ["Alena", "Bořek", "Cyril", "Dana", "Emil", "Fanny", "Gerd", "Hana"]


def evening(
    name: str, table: Sequence[str], deals: Sequence[dict[str, Any]] = (), language: str = "en", **more: Any
) -> dict[str, Any]:
    """Return the state of an evening at which the last player of the table dealt first. `more`: further keys
    of the setup, and `next_dealer` and `out`, chosen for the next deal."""
    chosen = {"dealer": more.pop("next_dealer", None), "out": more.pop("out", [])}
    setup = {"game": name, "name": "June", "table": list(table), "dealer": table[-1] if table else "", **more}
    answer = ask({"ask": "evening", "setup": setup, "deals": list(deals), "language": language, **chosen})
    assert "error" not in answer, answer
    return answer


def played(n: int, following: dict[str, Any], *lines: str) -> dict[str, Any]:
    split = [[int(word) if word.isdigit() else word for word in line.split()] for line in lines]
    return {"n": n, "lines": split} | {key: following[key] for key in ("players", "dealer", "options")}


def rounds(name: str, table: Sequence[str], number: int, **more: Any) -> list[dict[str, Any]]:
    """The next deal of an evening, again and again; nothing is written down but who played."""
    found, deals = [], []
    for n in range(1, number + 1):
        following = evening(name, table, deals, **more)["next"]
        assert following["number"] == n
        found.append(following)
        deals.append(played(n, following, "points"))
    return found


def sitting(following: dict[str, Any]) -> str:
    return "".join(name[0] for name in following["players"].values())


@pytest.mark.parametrize(("game", "number", "dealers", "seated", "out"), [
    ("taroky", 4, "DABCD", "ABCD", ""),
    # The dealer sits out; the player behind the dealer is forehand, whose seat is A.
    ("taroky", 5, "EABCDE", "ABCD BCDE CDEA DEAB EABC ABCD", "E A B C D E"),
    # So does the one before the dealer.
    ("taroky", 6, "FABCDEF", "ABCD BCDE CDEF DEFA EFAB FABC ABCD", "EF AF AB BC CD DE EF"),
    ("grosstarock", 4, "DABCD", "ABCD", ""),
    ("strohmann", 3, "CABC", "AB BC CA AB", "C A B C"),
    *(("troggu", n, "ABCDEFGH"[n - 1] + "ABCDEFGH"[:n], "", "") for n in range(3, 9)),
])  # fmt: skip
def test_who_deals_plays_and_sits_out(game: str, number: int, dealers: str, seated: str, out: str) -> None:
    deals = rounds(game, NAMES[:number], len(dealers))
    assert "".join(deal["deals"][0] for deal in deals) == dealers
    if seated:
        assert [sitting(deal) for deal in deals] == seated.split() * (1 if " " in seated else len(deals))
    else:
        assert {len(deal["players"]) for deal in deals} == {number}
    assert " ".join("".join(sorted(name[0] for name in deal["out"])) for deal in deals).strip() == out
    # With a player left over, the dealer sits last; otherwise nobody changes seats, and the deal moves on.
    assert [deal["dealer"] for deal in deals] == (
        [list(deal["players"])[-1] for deal in deals] if out else [*dealers]
    )


def test_who_sits_out_can_be_chosen_and_so_can_the_dealer() -> None:
    table = NAMES[:5]
    following = evening("taroky", table, out=["Bořek"], next_dealer="Cyril")["next"]
    # Behind Cyril: Dana, Emil, Alena; Cyril himself plays, so he sits last.
    assert following["players"] == dict(zip("ABCD", ["Dana", "Emil", "Alena", "Cyril"], strict=True))
    assert (following["deals"], following["dealer"], following["out"]) == ("Cyril", "D", ["Bořek"])
    # Those who sit out are in turn.
    following = evening("taroky", NAMES[:6], out=["Alena", "Emil"], next_dealer="Cyril")["next"]
    assert following["out"] == ["Emil", "Alena"]
    # Too many, or nobody of them: by turn.
    for out in (["Alena", "Bořek"], ["Nobody"]):
        assert evening("taroky", table, out=out)["next"]["out"] == ["Emil"]
    assert evening("taroky", table, next_dealer="Nobody")["next"]["deals"] == "Emil"


def test_how_many_play_is_what_the_table_wants_and_the_game_allows() -> None:
    troggu, taroky = game("troggu"), game("taroky")
    assert [seats_at(troggu, number) for number in (2, 3, 8, 9)] == [0, 3, 8, 8]
    assert [seats_at(troggu, 6, wanted) for wanted in (4, 6, 7)] == [4, 6, 6]
    assert [seats_at(taroky, number) for number in (3, 4, 5)] == [0, 4, 4]
    following = evening("troggu", NAMES[:6], seats=4)["next"]
    assert (sitting(following), following["out"]) == ("ABCD", ["Emil", "Fanny"])
    assert evening("taroky", NAMES[:3])["next"] is None
    assert evening("taroky", [])["next"] is None


FOUR = NAMES[:4]


def turn(forehand: str) -> list[str]:
    at = FOUR.index(forehand)
    return [*FOUR[at:], *FOUR[:at]]


@pytest.mark.parametrize(("table", "dealt", "turns", "following"), [
    # Whoever was forehand deals next, also after a dealer who was chosen.
    ("ABCD", "C", [], "C"),
    ("ABCD", "C", ["D"], "D"),
    ("ABCD", "C", ["D", "B"], "B"),
    # After a deal that was thrown in, the next one deals.
    ("ABCD", "D", [""], "A"),
    ("ABCD", "D", ["", ""], "B"),
    ("ABCD", "D", ["A", "", "C", ""], "D"),
    # For a dealer who left, the next of that deal who is there.
    ("ACDE", "D", ["B"], "C"),
    ("ACDE", "B", [], "A"),
    ("ACDE", "B", [""], "C"),
])  # fmt: skip
def test_who_deals_next(table: str, dealt: str, turns: list[str], following: str) -> None:
    named = {name[0]: name for name in NAMES}
    played = [turn(named[forehand]) if forehand else () for forehand in turns]
    assert next_dealer([named[letter] for letter in table], named[dealt], played) == named[following]


def test_players_come_and_go() -> None:
    following = evening("taroky", FOUR)["next"]
    deals = [played(1, following, "points")]
    # Emil comes: Alena, who was forehand, deals and sits out.
    following = evening("taroky", NAMES[:5], deals, dealer="Dana")["next"]
    assert (following["deals"], following["out"], sitting(following)) == ("Alena", ["Alena"], "BCDE")
    deals.append(played(2, following, "points"))
    # Bořek, who would deal now, leaves: Cyril was next.
    rest = ["Alena", "Cyril", "Dana", "Emil"]
    following = evening("taroky", rest, deals, dealer="Dana")["next"]
    assert (following["number"], following["deals"], sitting(following)) == (3, "Cyril", "ACDE")
    assert following["dealer"] == "B"
    # The third is thrown in: Dana deals the fourth.
    following = evening("taroky", rest, deals, dealer="Dana", thrown_in=[3])["next"]
    assert (following["number"], following["deals"]) == (4, "Dana")


@pytest.mark.parametrize(
    ("name", "number"), [("strohmann", 3), ("strohmann", 5), ("taroky", 4), ("taroky", 6)]
)
def test_play_goes_on_behind_the_dealer_of_a_deal_that_was_thrown_in(name: str, number: int) -> None:
    table = [*NAMES[:number], "Hana"]
    deals = [played(1, evening(name, table)["next"], "points")]
    for chosen in (None, "Bořek", "Cyril"):
        third = evening(name, table, deals, next_dealer=chosen, dealer="Hana", thrown_in=[])["next"]
        assert third["deals"] == (chosen or "Alena")
        at = table.index(third["deals"])
        assert third["turn"] == [*table[at + 1 :], *table[: at + 1]]
        thrown_in = [{"n": 2, "turn": third["turn"]}]
        # The dealer leaves, and perhaps another player; one more may come.
        for leaving in table:
            rest = [player for player in table if player not in (third["deals"], leaving)]
            for now in (rest, [*rest, "Gerd"], ["Gerd", *rest]):
                following = evening(name, now, deals, dealer="Hana", thrown_in=thrown_in)["next"]
                if following is not None:
                    deals_next = next(player for player in third["turn"] if player in rest)
                    assert (following["number"], following["deals"]) == (3, deals_next)


def test_of_an_older_deal_that_was_thrown_in_only_the_number_is_known() -> None:
    deals = [played(1, evening("taroky", FOUR)["next"], "points")]
    assert evening("taroky", FOUR, deals, thrown_in=[2])["next"]["deals"] == "Bořek"
    two = [2, {"n": 3, "turn": ["Dana", "Alena", "Bořek", "Cyril"]}]
    assert evening("taroky", FOUR, deals, thrown_in=two)["next"]["deals"] == "Dana"
    assert evening("taroky", FOUR, deals, thrown_in=[2, {"n": 3}])["next"]["deals"] == "Cyril"


def test_the_next_number_is_behind_all_others_played_or_thrown_in() -> None:
    following = evening("taroky", FOUR)["next"]
    deals = [played(2, following, "points"), played(7, following, "points")]
    assert evening("taroky", FOUR, deals, thrown_in=[3])["next"]["number"] == 8
    assert evening("taroky", FOUR, deals, thrown_in=[9])["next"]["number"] == 10
    assert [row["n"] for row in evening("taroky", FOUR, deals[::-1])["deals"]] == [2, 7]


def test_equal_totals_share_a_place_and_the_next_is_left_out() -> None:
    assert places({}) == {}
    assert places({"A": 3, "B": 5, "C": 3, "D": 5, "E": 1}) == {"B": 1, "D": 1, "A": 3, "C": 3, "E": 5}


def standings(answer: dict[str, Any]) -> str:
    """The standings as `1 Dana 3 210`: place, name, deals, total."""
    return ", ".join(
        f"{row['place']} {row['name']} {row['deals']} {row['total']}" for row in answer["standings"]
    )


def whole_evening(
    name: str, table: Sequence[str], sheets: Sequence[str], language: str = "en"
) -> dict[str, Any]:
    deals: list[dict[str, Any]] = []
    for n, sheet in enumerate(sheets, 1):
        following = evening(name, table, deals)["next"]
        deals.append(played(n, following, *map(str.strip, sheet.split(","))))
    return evening(name, table, deals, language)


#: Game and number of players; the sheets, each with its score; and the standings: place, name, deals, total.
EVENINGS = """
taroky 5
# 1. Emil sits out; Alena (A) and Cyril (C): 50 - 35 = 15.
# 2. Alena sits out; Bořek (A) and Dana (C), announced pagat 20 made, doubled to 40; 40 - 35 = 5: 45.
# 3. Bořek sits out; Dana (B) plays a solo: 45 - 35 = 10, times 6 = 60, of each of three.
# Totals: Alena 15 - 60 = -45; Bořek -15 + 45 = 30; Cyril 15 - 45 - 60 = -90;
# Dana -15 + 45 + 180 = 210; Emil -45 - 60 = -105.
contract first, bidder A, partner C, points bidder 50 = A15 B-15 C15 D-15
contract first, bidder A, partner C, points bidder 40, pagat announced A made, double pagat flek \
= B45 C-45 D45 E-45
contract solo, bidder B, points bidder 45 = A-60 C-60 D180 E-60
1 Dana 3 210, 2 Bořek 2 30, 3 Alena 2 -45, 4 Cyril 3 -90, 5 Emil 2 -105

grosstarock 4
# 1. Dana deals, Bořek sits out. A King that is won is 5 of each of two, one that is lost is paid so: Alena
# wins two, Cyril wins one, Dana loses one. Alena 20 - 5 + 5 = 20; Cyril -10 + 10 + 5 = 5; Dana -10 - 5 - 10
# = -25. The last trick is Alena's: 10, -5, -5. Card points 30, 28, 20 less 26: 4, 2, -6.
# Alena 20 + 10 + 4 = 34; Cyril 5 - 5 + 2 = 2; Dana -25 - 5 - 6 = -36.
# 2. Alena deals, Cyril sits out. Bořek wins all four Kings: 40, -20, -20; one in the last trick, 10 for 5:
# 10, -5, -5 more. Card points 26, 26, 26: nothing. Bořek 50, Dana and Alena -25.
# A player who sits out has not played.
card SK A won, card HK A won, card DK C won, card CK D lost, last A, points A 30, points C 28 = A34 C2 D-36
card SK B won, card HK B won, card DK B won, card CK B won last, points A 26, points B 26 = A-25 B50 D-25
1 Bořek 1 50, 2 Alena 2 9, 3 Cyril 1 2, 4 Dana 2 -61

taroky 4
# 10 for both sides in turn: equal totals are listed in the order of the table.
contract first, bidder A, partner C, points bidder 45 = A10 B-10 C10 D-10
contract first, bidder B, partner D, points bidder 45 = A-10 B10 C-10 D10
1 Alena 2 0, 1 Bořek 2 0, 1 Cyril 2 0, 1 Dana 2 0
"""


@pytest.mark.parametrize("evening", EVENINGS.strip().split("\n\n"), ids=lambda text: text.partition("\n")[0])
def test_an_evening_computed_by_hand(evening: str) -> None:
    table, *deals, totals = (line for line in evening.split("\n") if line[0] != "#")
    sheets, scores = zip(*(line.split(" = ") for line in deals), strict=True)
    game, number = table.split()
    answer = whole_evening(game, NAMES[: int(number)], sheets)
    found = [sorted(f"{name[0]}{points}" for name, points in row["score"].items()) for row in answer["deals"]]
    assert tuple(map(" ".join, found)) == scores
    assert standings(answer) == totals


def test_an_evening_has_headings_running_totals_and_the_next_deal() -> None:
    sheets = [
        "contract first, bidder A, partner C, points bidder 50",
        "contract solo, bidder B, points bidder 45",
    ]
    answer = whole_evening("taroky", NAMES[:5], sheets)
    # 50 - 35 = 15 for Alena and Cyril; (45 - 35) x 6 = 60 for Cyril from Bořek, Dana and Emil.
    assert answer["deals"][1]["totals"] == {"Alena": 15, "Bořek": -75, "Cyril": 195, "Dana": -75, "Emil": -60}
    assert answer["deals"][0]["heading"] == "First Duty, bidder Alena, partner Cyril"
    assert (answer["next"]["number"], answer["next"]["deals"]) == (3, "Bořek")


@pytest.mark.parametrize(("name", "sheet", "details"), [
    ("taroky",
     "contract first, bidder A, partner C, points bidder 42, pagat silent A made, double game flek",
     "42:28 ×2; The Pagat in the last trick, unannounced"),
    ("taroky", "contract varsava, points A 20, points B 10, points C 15, points D 5", "20:10:15:5"),
    ("taroky", "contract first, bidder A, surrendered", ""),
    ("taroky", "contract first, bidder A, partner C", ""),
    ("troggu", "contract take, tappist A, points tappist 60", "60:54"),
])  # fmt: skip
def test_a_row_says_what_the_points_come_from(name: str, sheet: str, details: str) -> None:
    (row,) = whole_evening(name, FOUR, [sheet])["deals"]
    assert row["details"] == details


def test_a_deal_that_is_incomplete_illegal_or_no_sheet_has_no_score_and_all_others_count() -> None:
    following = evening("taroky", FOUR)["next"]
    right = ("contract first", "bidder A", "partner C")
    deals = [
        played(1, following, *right, "points bidder 45"),
        played(2, following, *right),
        played(3, following, *right, "points bidder 80"),
        played(4, following, "contract whist"),
        played(5, following, *right, "points bidder 36"),
    ]
    answer = evening("taroky", FOUR, deals)
    verdicts = [row["verdict"] for row in answer["deals"]]
    assert verdicts == ["computed", "incomplete", "illegal", "malformed", "computed"]
    assert [row["score"] is None for row in answer["deals"]] == [False, True, True, True, False]
    # 45 - 35 = 10, 36 - 35 = 1.
    assert standings(answer) == "1 Alena 2 11, 1 Cyril 2 11, 3 Bořek 2 -11, 3 Dana 2 -11"
    for row in answer["deals"][1:4]:
        (found,) = row["findings"]
        assert found["text"]
    assert answer["next"]["number"] == 6


def first(n: int = 1, players: dict[str, str] | None = None, table: Sequence[str] = ()) -> dict[str, Any]:
    """A deal with 45 - 35 = 10 for A and C, and -10 for B and D; `players`: seats with other names."""
    lines = ("contract first", "bidder A", "partner C", "points bidder 45")
    deal = played(n, evening("taroky", table or FOUR)["next"], *lines)
    return deal | {"players": deal["players"] | (players or {})}


def test_points_are_added_up_by_name() -> None:
    """Two of one name have one total, 10 + 10; one with other blanks, or in another Unicode form, is the same
    player; points of unknown players count for nobody."""
    answer = evening("taroky", [*FOUR, "Alena"], [first(players={"C": "Alena"})])
    assert standings(answer).startswith("1 Alena 2 20, ")
    assert answer["next"]["out"] == []
    other = {"A": " Alena", "B": "Bor\u030cek", "C": "Cyril\u00a0", "D": "Dana"}
    answer = evening("taroky", ["Alena\u3000", *FOUR[1:]], [first(players=other)])
    assert {row["name"] for row in answer["standings"]} == set(FOUR)
    assert answer["next"]["players"] == evening("taroky", FOUR)["next"]["players"]
    table = ["?", "?", "Alena", "Bořek"]
    answer = evening("taroky", table)
    assert answer["findings"] == []
    assert list(answer["next"]["players"].values()) == ["?", "??", "Alena", "Bořek"]
    answer = evening("taroky", table, [first(table=table), first(2, {"B": "?"}, table)])
    assert standings(answer) == "1 Alena 2 20, 2 Bořek 2 -20"
    assert [row["score"] for row in answer["deals"]] == [{"Alena": 10, "Bořek": -10}] * 2


def test_an_evening_does_not_go_on_with_namesakes_or_an_impossible_date() -> None:
    """At a board, empty seats are left alone."""
    (found,) = evening("taroky", ["Alena", "Bořek", "Cyril", "Alena "])["findings"]
    assert found["text"] == "Two players are called Alena. Tell them apart, for example as Alena sen."
    (found,) = evening("taroky", FOUR, date="9999-11-24")["findings"]
    likely = likely_date("9999-11-24", latest_day())
    assert found["text"] == f"The date 9999-11-24 is in the future. Did you mean {likely}?"
    assert table(["", "Jan", "", ""], date="2026-11-01")["findings"] == []
    assert len(table(["", "Jan", "", "Jan"], date="2206-11-01")["findings"]) == 2
    for language, called in (("en", "called Jan Novák"), ("ja", "Jan Novákという名前")):
        (found,) = table(["Jan Novák", "Eva"], "Jan  Novák", language=language)["findings"]
        assert called in found["text"]
    form = Form("taroky")
    assert form.answer["warnings"] == []
    form.deal["players"] |= {"C": "Player  A"}
    (found,) = form._ask(None)["warnings"]
    assert "Player A" in found["text"]


def table(
    names: Sequence[str], name: str | None = None, known: Sequence[str] = (), **more: Any
) -> dict[str, Any]:
    return ask({"ask": "table", "table": list(names), "name": name, "known": list(known), **more})


KNOWN = ["Jan Novák", "Eva Malá", "Novak Jan"]


@pytest.mark.parametrize(("seated", "typed", "known", "name", "alike"), [
    # As it is stored.
    (["Jan"], " Ota\u00a0 Maly\u0301 ", [], "Ota Malý", []),
    (["Jan"], None, [], None, []),
    # An unknown player is nobody's namesake.
    (["?"], "?", [], "??", []),
    (["?"], "N.N.", [], "N.N.", []),
    (["?", "??"], "??", [], "???", []),
    # One that looks like another is proposed.
    (["Jiří"], "jan novák", KNOWN, "jan novák", ["Jan Novák", "Novak Jan"]),
    (["Jan Novák"], "J. Novák", KNOWN, "J. Novák", []),
    (["Eva Malá"], "Mala, Eva", [], "Mala, Eva", ["Eva Malá"]),
    # A known player is meant as written.
    (["Jan Novák"], "Novak  Jan", KNOWN, "Novak Jan", []),
])  # fmt: skip
def test_a_typed_name(
    seated: list[str], typed: str | None, known: list[str], name: str | None, alike: list[str]
) -> None:
    assert table(seated, typed, known) == {"findings": [], "name": name, "alike": alike}


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_evening_is_in_the_language(language: str) -> None:
    answer = whole_evening(
        "taroky", FOUR, ("contract first, bidder A, partner C", "contract solo, bidder B"), language
    )
    for row in answer["deals"]:
        (found,) = row["findings"]
        assert found["clause"] == "taroky.card-points"
        assert found["title"] == clause("taroky.card-points", language).title
        assert words("taroky", language)["sheet_fields"]["points"] in found["text"]
    games = {one["id"]: one for one in ask({"ask": "games", "language": language})["games"]}
    assert list(games) == list(GAMES)
    assert games["troggu"]["seats"] == [3, 4, 5, 6, 7, 8]
    (option,) = games["taroky"]["options"]
    agreed = words("taroky", language)["options"]["settle-uncontested"]
    assert option == {"word": "settle-uncontested", "label": agreed[0].upper() + agreed[1:]}


@pytest.mark.parametrize(("number", "tables", "seats", "together", "snake", "rest"), [
    (16, 4, 4, [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]],
     [[1, 8, 9, 16], [2, 7, 10, 15], [3, 6, 11, 14], [4, 5, 12, 13]], []),
    # Nine at two tables of five: five and four.
    (9, 2, 5, [[1, 2, 3, 4, 5], [6, 7, 8, 9]], [[1, 4, 5, 8, 9], [2, 3, 6, 7]], []),
    # Nine at two tables of four: the last one has no seat.
    (9, 2, 4, [[1, 2, 3, 4], [5, 6, 7, 8]], [[1, 4, 5, 8], [2, 3, 6, 7]], [9]),
    # Ten at three tables: four, three and three; back and forth the last row begins at table 2 … or 3.
    (10, 3, 4, [[1, 2, 3, 4], [5, 6, 7], [8, 9, 10]], [[1, 6, 7], [2, 5, 8], [3, 4, 9, 10]], []),
    (3, 1, 4, [[1, 2, 3]], [[1, 2, 3]], []),
    # A table without a player is none.
    (2, 3, 4, [[1], [2]], [[1], [2]], []),
    (0, 2, 4, [], [], []),
])  # fmt: skip
def test_players_are_seated_by_place(
    number: int, tables: int, seats: int, together: list[list[int]], snake: list[list[int]], rest: list[int]
) -> None:
    places = range(1, number + 1)
    assert tables_by_place(places, tables, seats) == (together, rest)
    assert tables_by_place(places, tables, seats, snake=True) == (snake, rest)


def test_who_pays_whom_does_not_depend_on_the_seats() -> None:
    """Dana and Alena win 60 - 35 = 25 each. Names decide who pays whom, as on the page of the evening."""
    table = ["Dana", "Cyril", "Bob", "Alena"]
    lines = ("contract first", "bidder A", "partner D", "points bidder 60")
    deal = played(1, evening("taroky", table)["next"], *lines)
    assert [tuple(payment.values())[:3] for payment in evening("taroky", table, [deal])["payments"]] == [
        ("Bob", "Alena", 25),
        ("Cyril", "Dana", 25),
    ]
