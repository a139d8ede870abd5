"""Score sheets without cards in the archive: stored, known again, corrected, and compared with the cards."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.utils import timezone

from archive import access
from archive.access import Viewer
from archive.models import Change, Contribution, Deal, FormerVerdict, Space
from archive.reading.filters import Filters
from archive.reading.sessions import session_table
from archive.shown import ShownDeal
from archive.storing import campaigns, corrections, removal, sheets
from tarock.analysis.simulate import simulate
from tarock.notation import read_one, write_text
from tests.support.storing import deal_of, deals, outcomes, shown, stored

pytestmark = pytest.mark.django_db

SHEET = """[TGN "1"]
[Game "taroky"]
[A "Alena"]
[B "Bob"]
[C "Cyril"]
[D "Dana"]
[Dealer "D"]
[Session "June"]
[Deal "{number}"]
[Score "{claim}"]

sheet contract first
sheet bidder A
sheet partner D
sheet points bidder {points}
"""


def sheet(points: int = 60, number: int = 7, over: int | None = None) -> str:
    """A sheet of a First Duty. The claim: `over`, or as much as the points are over 35."""
    won = points - 35 if over is None else over
    claim = f"A={won} B={-won} C={-won} D={won}"
    return SHEET.format(points=points, number=number, claim=claim)


def club(name: str = "Kotva") -> Space:
    return Space.objects.create(kind="club", name=name, visibility="public")


def played(number: int = 7, seed: int = 1) -> str:
    """A played deal with the same names, session and number."""
    (record,) = simulate("taroky", deals=1, seed=seed)
    tags = {"Session": "June", "Deal": str(number)}
    names = dict(zip("ABCD", ("Alena", "Bob", "Cyril", "Dana"), strict=True))
    return write_text(replace(record, players=names, tags=tags))


def contribution(deal: ShownDeal | Deal) -> Contribution:
    return Contribution.objects.get(deal=deal.pk)


@pytest.fixture
def pair() -> tuple[Deal, Deal]:
    """The cards and the sheet of one deal."""
    stored(sheet(), played())
    return Deal.objects.get(kind="played"), Deal.objects.get(kind="sheet")


def test_a_sheet_is_scored_and_stored_with_its_score() -> None:
    # First Duty, 60 points: 60 - 35 = 25 from each of the two opponents.
    deal = deal_of(sheet(60))
    facts = deal.kind, deal.verdict, deal.contract, deal.deal.result, deal.deal.card_points
    assert facts == ("sheet", "computed", "first", "won", 60)
    assert deal.score == {"A": 25, "B": -25, "C": -25, "D": 25}
    assert [line.clause for line in deal.lines] == ["taroky.game"]
    assert contribution(deal).verdict == "computed"
    assert read_one(deal.deal.text).sheet == deal.record.sheet
    assert deal.canonical is not None
    assert read_one(deal.canonical).sheet == deal.record.sheet
    disputed = deal_of(sheet(60, number=8, over=24))
    assert (disputed.verdict, contribution(disputed).verdict) == ("computed", "disputed")


def test_a_sheet_that_cannot_be_is_illegal_and_one_that_lacks_something_incomplete() -> None:
    impossible = deal_of(sheet(60).replace("bidder 60", "bidder 71"))
    lacking = deal_of(sheet(60, number=8).replace("sheet partner D\n", ""))
    found = [(deal.verdict, deal.finding.field) for deal in (impossible, lacking) if deal.finding]
    assert found == [("illegal", "points"), ("incomplete", "partner")]


def test_each_space_and_number_has_its_own_sheet_which_is_known_again() -> None:
    assert outcomes(stored(sheet(60, number=7), sheet(60, number=8))) == ["stored", "stored"]
    assert (outcomes(stored(sheet(61), space=club())), Deal.objects.count()) == (["stored"], 3)
    for text, differs in ((sheet(60), ""), (sheet(61), "sheet claim")):
        again = stored(text)
        assert (outcomes(again), again.parts.get().items.get().differs) == (["known"], differs)
    assert shown(Deal.objects.earliest("pk")).score == {"A": 25, "B": -25, "C": -25, "D": 25}


def test_a_sheet_is_corrected_with_its_score_and_its_history() -> None:
    deal = deal_of(sheet(60))
    before = deal.deal.verified_at
    changed = corrections.correct(contribution(deal), read_one(sheet(58)), by=None)
    assert changed == ["sheet", "claim"]
    deal = shown(Deal.objects.get())
    assert deal.deal.verified_at > before
    # 58 - 35 = 23
    assert deal.score == {"A": 23, "B": -23, "C": -23, "D": 23}
    assert (deal.deal.card_points, contribution(deal).verdict) == (58, "computed")
    before, after = Change.objects.get().what["sheet"]
    assert "points bidder 60" in before
    assert "points bidder 58" in after
    assert outcomes(stored(sheet(58))) == ["known"]
    # Nobody pays more than 20.
    capped = sheet(58).replace("[Session", '[Options "cap=20"]\n[Session')
    assert corrections.correct(contribution(deal), read_one(capped), by=None) == ["sheet"]
    deal = shown(Deal.objects.get())
    assert (deal.score, deal.deal.rules.options) == ({"A": 20, "B": -20, "C": -20, "D": 20}, "cap=20")


def test_who_sat_out_has_no_points_after_a_correction_either() -> None:
    """B with 28 card points is 2 over 26 instead of 9, and C with 78 - 36 - 28 = 14 is 12 below, not 19."""
    head = sheet().partition("[Score")[0].replace("taroky", "grosstarock").replace('Dealer "D"', 'Dealer "B"')
    lines = "card SK A won", "card HK A won", "card DK B won", "card CK C won", "last A", "points A 36"
    text = "\nsheet ".join([head, *lines, "points B 35\n"])
    said = contribution(deal_of(text))
    corrections.correct(said, read_one(text.replace("B 35", "B 28")), by=None)
    assert [seat.points for seat in said.seats.order_by("seat")] == [30, -8, -22, None]


@pytest.mark.parametrize("cards_first", [False, True])
def test_a_sheet_and_the_cards_of_one_deal_are_one_entry(cards_first: bool) -> None:
    for text in [played(), sheet()] if cards_first else [sheet(), played()]:
        stored(text)
    cards, paper = Deal.objects.get(kind="played"), Deal.objects.get(kind="sheet")
    assert not corrections.set_visibility(contribution(paper), "unlisted", by=None)
    assert contribution(paper).visibility == "covered"
    assert contribution(paper).replaced_by == contribution(cards)
    assert [deal.pk for deal in deals()] == [cards.pk]
    session = contribution(cards).session
    assert session is not None
    table = session_table(session)
    assert ([row.key.deal for row in table.rows], table.totals) == ([cards.pk], [])
    # Readable by its address, where the cards are.
    assert access.readable().filter(pk=contribution(paper).pk).exists()
    with pytest.raises(corrections.AnotherDeal):
        corrections.correct(contribution(cards), read_one(sheet()), by=None)
    # In one upload, too.
    stored(played(8, seed=2), sheet(50, number=8), sheet(40, number=9))
    found = sorted((deal.kind, deal.contribution.number) for deal in deals())
    assert found == [("played", 7), ("played", 8), ("sheet", 9)]


def test_a_sheet_counts_again_when_the_cards_no_longer_do(pair) -> None:
    cards, paper = pair
    corrections.set_visibility(contribution(cards), "withdrawn", by=None)
    assert contribution(paper).visibility == "public"
    assert [deal.pk for deal in deals()] == [paper.pk]
    corrections.set_visibility(contribution(cards), "public", by=None)
    assert contribution(paper).visibility == "covered"
    Deal.objects.filter(pk=cards.pk).update(verdict="incomplete")
    Contribution.objects.filter(deal=cards).update(verdict="incomplete")
    sheets.cover(sheets.places_of([contribution(cards).pk]))
    assert contribution(paper).visibility == "public"
    campaigns.verify_now([Deal.objects.get(pk=cards.pk)])
    assert contribution(paper).visibility == "covered", "a campaign gave the cards a score"
    corrections.set_visibility(contribution(cards), "withdrawn", by=None)
    Change.objects.all().delete()
    assert (removal.purge(timezone.now()), contribution(paper).visibility) == (1, "public")


@pytest.mark.parametrize("visibility", ["public", "members"])
def test_a_covered_sheet_does_not_come_back_for_more_than_may_see_the_cards(visibility: str, pair) -> None:
    cards, paper = pair
    nine = deal_of(sheet(number=9))
    corrections.set_visibility(contribution(cards), visibility, by=None)
    corrected = replace(read_one(played()), tags={"Session": "June", "Deal": "9"})
    corrections.correct(contribution(cards), corrected, by=None)
    assert (contribution(paper).visibility, contribution(nine).visibility) == (visibility, "covered")
    assert (contribution(paper) in access.listed()) == (visibility == "public")


def test_a_sheet_is_for_those_who_could_see_it_before_the_cards_covered_it() -> None:
    kotva = club()
    member = Viewer(roles={kotva.pk: "member"})
    paper = deal_of(sheet(), space=kotva, visibility="members")
    assert not deals(Filters())
    assert [one.pk for one in deals(Filters(), member)] == [paper.pk]
    stored(played(), space=kotva)
    covered = contribution(paper)
    assert covered.visibility == "covered"
    assert covered not in access.readable()
    assert covered not in access.readable(Viewer(roles={kotva.pk + 1: "owner"}))
    assert covered in access.readable(member)


def test_cards_without_a_score_or_of_another_space_do_not_cover_a_sheet() -> None:
    broken = played().rsplit("\n", 2)[0] + "\n"
    stored(sheet(), broken)
    assert Deal.objects.get(kind="played").verdict == "incomplete"
    stored(played(), space=club())
    assert contribution(Deal.objects.get(kind="sheet")).visibility == "public"


def test_a_sheet_goes_with_its_contribution_to_a_club() -> None:
    own = Space.objects.create(kind="own", visibility="public")
    deal = deal_of(sheet(), space=own)
    kotva = club()
    corrections.move(contribution(deal), kotva, by=None)
    assert (contribution(deal).space, outcomes(stored(sheet(), space=kotva))) == (kotva, ["known"])
    other = deal_of(sheet(61), space=own)
    with pytest.raises(corrections.AlreadyThere) as there:
        corrections.move(contribution(other), kotva, by=None)
    assert there.value.details == ["sheet", "claim"]
    # It is covered there by the cards of the club.
    stored(played(8), space=kotva)
    deal = deal_of(sheet(number=8), space=own)
    corrections.move(contribution(deal), kotva, by=None)
    assert contribution(deal).visibility == "covered"
    # Cards take the sheet along that they cover.
    stored(sheet(number=9), played(9, seed=3), space=own, visibility="members")
    corrections.move(Contribution.objects.get(space=own, deal__kind="played"), kotva, by=None)
    nine = Contribution.objects.get(number=9, deal__kind="sheet")
    assert (nine.space, nine.visibility, nine.covered_visibility) == (kotva, "covered", "members")
    # A sheet that the club has already stays behind. There it counts again.
    stored(sheet(number=10), space=kotva)
    stored(sheet(number=10), played(10, seed=4), space=own)
    corrections.move(Contribution.objects.get(space=own, deal__kind="played"), kotva, by=None)
    ten = Contribution.objects.filter(number=10, deal__kind="sheet").order_by("space")
    assert list(ten.values_list("space", "visibility")) == [(own.pk, "public"), (kotva.pk, "covered")]


def test_a_campaign_scores_sheets_again() -> None:
    deal = deal_of(sheet())
    Deal.objects.filter(pk=deal.pk).update(verdict="illegal", engine_version="0")
    assert campaigns.verify_now(list(Deal.objects.all())) == 1
    assert (Deal.objects.get().verdict, contribution(deal).verdict) == ("computed", "computed")
    assert FormerVerdict.objects.count() == 1
