"""`GET /deals/{id}/score`: verdict and score, line by line."""

from dataclasses import replace

from archive import packed_sheets
from archive.models import Deal
from archive.shown import ShownDeal
from tarock.words.clauses import clause
from tests import samples

from .conftest import ApiClient, Store


def test_a_verified_deal(reader: ApiClient, taroky: ShownDeal) -> None:
    sheet = reader.ask(f"deals/{taroky.pk}/score").json()
    assert (sheet["deal"], sheet["verdict"]) == (str(taroky.contribution.key), "verified")
    assert sheet["score"] == sheet["claim"] == samples.TAROKY_SCORE
    assert sheet["finding"] is None
    # 60 − 35 for the game, 20 × 4 for the Pagat, 5 for tarocky, and 5 to the others for barvicky.
    assert {line["clause"]: line["points"] for line in sheet["lines"]} == {
        "taroky.game": {"A": 25, "B": -25, "C": -25, "D": 25},
        "taroky.pagat-announced": {"A": 80, "B": -80, "C": -80, "D": 80},
        "taroky.hand-tarocky": {"A": 5, "B": -5, "C": -5, "D": 5},
        "taroky.hand-barvicky": {"A": -5, "B": 5, "C": 5, "D": -5},
    }
    for line in sheet["lines"]:
        assert line["title"] == clause(line["clause"]).title
        assert reader.get(line["url"]).json()["slug"] == line["clause"]
        assert set(line) == {
            "clause",
            "title",
            "url",
            "points",
            "to",
            "from",
            "quantity",
            "sentences",
            "calculation",
            "events",
        }
    assert sheet["played"] == [
        "First Duty",
        "bidder A",
        "called T19",
        "partner D",
        "flek:pagat by B",
        "re:pagat by A",
    ]
    assert (sheet["lines"][0]["sentences"], sheet["lines"][0]["calculation"]) == (
        ["over"],
        "bidder’s side: 60 − 35 = 25",
    )
    assert sheet["lines"][0]["to"] == ["A", "D"]
    assert sheet["lines"][0]["from"] == ["B", "C"]
    assert [
        (count["side"], count["cards"], count["value"], count["points"]) for count in sheet["counts"]
    ] == [("bidder", 45, 90, 60), ("opponents", 9, 16, 10)]
    assert sheet["facts"]["partner"] == "D"


def test_a_disputed_deal(reader: ApiClient, store: Store) -> None:
    sheet = reader.ask(f"deals/{store(samples.DISPUTED_TROGGU).pk}/score").json()
    assert sheet["verdict"] == "disputed"
    assert sheet["claim"] == {"A": 2, "B": -1, "C": -1}
    assert sheet["score"] == samples.TROGGU_SCORE


def test_an_illegal_deal(reader: ApiClient, store: Store) -> None:
    sheet = reader.ask(f"deals/{store(samples.NOT_HELD).pk}/score").json()
    assert (sheet["verdict"], sheet["score"], sheet["lines"], sheet["counts"]) == ("illegal", None, [], [])
    assert sheet["finding"]["clause"] == "common.not-held"
    assert sheet["finding"]["event"] == 33


def test_an_incomplete_deal(reader: ApiClient, store: Store) -> None:
    sheet = reader.ask(f"deals/{store(samples.BROKEN_OFF).pk}/score").json()
    assert (sheet["verdict"], sheet["score"]) == ("incomplete", None)
    assert sheet["finding"]["event"] == 32


def _stored_otherwise(deal: ShownDeal, **changes: object) -> None:
    """The line of the game as an older engine might have stored it."""
    lines = tuple(
        line._replace(**changes) if line.clause == "taroky.game" else line  # type: ignore[arg-type]
        for line in deal.lines
    )
    clauses, sheet = packed_sheets.pack(replace(deal.checked, lines=lines))
    Deal.objects.filter(pk=deal.pk).update(clauses=clauses, sheet=sheet)


def test_a_line_whose_clause_is_no_more(reader: ApiClient, taroky: ShownDeal) -> None:
    _stored_otherwise(taroky, clause="taroky.of-old")
    titles = [line["title"] for line in reader.ask(f"deals/{taroky.pk}/score").json()["lines"]]
    assert "taroky.of-old" in titles


def test_the_lines_shown_are_those_stored(reader: ApiClient, taroky: ShownDeal) -> None:
    # An older engine may have computed another score: the API shows the stored one, and computes nothing.
    _stored_otherwise(taroky, points={"A": 1, "B": -1}, quantity={**taroky.lines[0].quantity, "points": 77})
    shown = reader.ask(f"deals/{taroky.pk}/score").json()["lines"][0]
    assert (shown["points"], shown["to"], shown["from"], shown["calculation"]) == (
        {"A": 1, "B": -1},
        ["A"],
        ["B"],
        "bidder’s side: 77 − 35 = 25",
    )
    _stored_otherwise(taroky, points={"A": 1, "B": -1}, sentences=("said no more",))
    shown = reader.ask(f"deals/{taroky.pk}/score").json()["lines"][0]
    assert (shown["points"], shown["calculation"]) == ({"A": 1, "B": -1}, "")
