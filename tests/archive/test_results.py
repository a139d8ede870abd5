"""Results, records of points alone, in the archive: stored, known again, corrected, replaced."""

from __future__ import annotations

import pytest

from archive.access import EVERYBODY
from archive.models import Change, Contribution, Deal, Player, Seat, Session, Space
from archive.reading.deals import get_deal, sheet_and_cards
from archive.reading.filters import Filters
from archive.reading.sessions import session_table
from archive.reading.uploads import original_of
from archive.rules import Rules
from archive.storing import campaigns, corrections, players
from tarock.notation import read_one, write_json
from tests.archive.test_sheets import club, played, sheet
from tests.support.storing import deal_of, deals, outcomes, shown, stored

pytestmark = pytest.mark.django_db

LINES = 'result 20 "Alena"\nresult -20 "Bob"\n'
TOTAL = 'result 45 "Alena"\nresult -45 "Emil"\n'


def result(lines: str = LINES, number: int | None = 7, game: str = "taroky", **tags: str) -> str:
    """A result of a deal of the session of `tests.archive.test_sheets`; without a number, of the evening."""
    date = {"Date": tags.pop("Date")} if "Date" in tags else {}
    of = {"Session": "June", **({"Deal": str(number)} if number else {})}
    tags = {"TGN": "1", "Game": game, **date, **of, **tags}
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + "\n" + lines


def contribution(text: str, space: Space) -> Contribution:
    return deal_of(text, space=space).contribution


def test_a_result_is_read_back_as_it_was_sent() -> None:
    sixty = "".join(f'result {n - 30} "Player {n}"\n' for n in range(1, 61))
    for text in (
        result(Date="1998-11-20", Place="Graz"),
        result(sixty, None, "?", Played="24"),
        result('{ From the book. }\nresult 0 "?"\nresult 0 "?"\n', 8),
    ):
        deal, record = deal_of(text), read_one(text)
        assert (deal.kind, deal.verdict, deal.dealer, deal.canonical) == ("result", "stated", "", text)
        assert (deal.form, deal.record.digest) == (write_json(record), record.digest)
        assert (deal.score, deal.deal.players_count) == (record.result, len(record.players))
        assert deal.stored_finding is None
        sent = original_of(deal.contribution)
        assert sent is not None
        assert sent.text.strip() == text.strip()


def test_points_that_do_not_add_up_are_stored_with_a_warning() -> None:
    upload = stored(result('result 21 "Alena"\nresult -20 "Bob"\n'))
    (item,) = upload.parts.get().items.all()
    assert (item.outcome, [finding.values for finding in item.findings]) == ("stored", [{"rest": 1}])


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (result(), result('result 1 "Bob"\nresult -1 "Cyril"\n'), True),
        (result(), result('result 1 "Cyril"\nresult -1 "Dana"\n'), False),  # another table
        (result(), result(number=8), False),
        (result(), result(game="troggu"), False),
        (result('result 1 "?"\nresult -1 "Bob"\n'), result('result 1 "?"\nresult -1 "Eva"\n'), False),
        (result('result 1 "?"\nresult -1 "?"\n'), result('result 2 "?"\nresult -2 "?"\n'), True),
        (result(), result(Date="2026-01-01"), False),
        (result(), result(number=None), False),
        (result(), sheet(number=8), False),
        (result(TOTAL, None), result('result 0 "Emil"\nresult 0 "Alena"\n', None, "?"), True),
        (result(TOTAL, None), result(TOTAL + 'result 0 "Fritz"\n', None), False),
    ],
)
def test_a_deal_is_known_by_its_number_and_an_evening_by_its_players(
    first: str, second: str, same: bool
) -> None:
    space = club("One after the other")
    found = [*outcomes(stored(first, space=space)), *outcomes(stored(second, space=space))]
    at_once = outcomes(stored(first, second, space=club("At once")))
    assert found == at_once == ["stored", "known" if same else "stored"]


def test_the_same_file_again_changes_nothing_and_a_changed_one_can_be_adopted() -> None:
    space = club()
    first = stored(result(), result(TOTAL, None), space=space)
    before = list(Contribution.objects.values())
    assert outcomes(stored(result(), result(TOTAL, None), space=space)) == ["known", "known"]
    assert list(Contribution.objects.values()) == before
    later = stored(result('result 30 "Alena"\nresult -20 "Bob"\nresult -10 "Cyril"\n'), space=space)
    (item,) = later.parts.get().items.all()
    assert (item.outcome, item.differs) == ("known", "sheet players")
    assert shown(item.deal_id).score == {"1": 20, "2": -20}
    row = Contribution.objects.get(deal=item.deal_id)
    assert corrections.adopt(row, later.parts.get(), 0, by=None) == ["sheet", "players"]
    assert shown(item.deal_id).score == {"1": 30, "2": -20, "3": -10}
    assert Change.objects.get().what["sheet"] == ["taroky 20 -20", "taroky 30 -20 -10"]
    assert first.parts.get().items.get().deal_id is not None


def test_a_correction_must_not_meet_another_result() -> None:
    space = club()
    row, other = contribution(result(), space), contribution(result(number=8), space)
    moved = read_one(result(number=8))
    with pytest.raises(corrections.PlaceTaken, match="record of deal 8 of “June”"):
        corrections.correct(row, moved, by=None)
    corrections.correct(other, read_one(result(number=9)), by=None)
    corrections.correct(row, moved, by=None)
    assert outcomes(stored(result(number=8), space=space)) == ["known"]
    assert not corrections.is_same_deal(row.deal, read_one(sheet()))
    total = contribution(result(TOTAL, None), space)
    contribution(result(LINES, None), space)
    with pytest.raises(corrections.PlaceTaken, match="another total of “June”"):
        corrections.correct(total, read_one(result(LINES, None)), by=None)


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("better", [sheet(60), played()])
def test_a_sheet_or_the_cards_replace_the_result_of_a_deal(first: bool, better: str) -> None:
    space = club()
    texts = [result(), better] if first else [better, result()]
    for text in texts:
        stored(text, space=space)
    row, counted = (
        Contribution.objects.get(deal__kind="result"),
        Contribution.objects.exclude(deal__kind="result").get(),
    )
    assert (row.visibility, row.replaced_by_id) == ("covered", counted.pk)
    corrections.set_visibility(counted, "withdrawn", by=None)
    row.refresh_from_db()
    assert (row.visibility, row.replaced_by_id) == ("public", None)


def test_a_result_is_replaced_while_a_player_is_known_to_be_one_of_the_sheet() -> None:
    space = club()
    stored(sheet(60), result('result 25 "Alča"\nresult -25 "Robert"\n'), space=space)
    rows, (alca, alena) = (
        Contribution.objects.filter(deal__kind="result"),
        (Player.objects.get(name=name) for name in ("Alča", "Alena")),
    )
    assert rows.get().visibility == "public"
    players.merge(alca, alena)
    assert rows.get().visibility == "covered"
    players.unmerge(alca)
    assert rows.get().visibility == "public"


def test_of_three_records_of_a_deal_the_cards_count() -> None:
    space = club()
    stored(result(), sheet(60), space=space)
    stored(played(), space=space)
    cards = Contribution.objects.get(deal__kind="played")
    others = Contribution.objects.exclude(pk=cards.pk)
    assert set(others.values_list("visibility", "replaced_by_id")) == {("covered", cards.pk)}
    compared = sheet_and_cards(get_deal(cards.deal_id).contribution, EVERYBODY)
    assert [one.deal.kind for one in compared or ()] == ["sheet", "played"]
    corrections.set_visibility(cards, "withdrawn", by=None)
    counted = Contribution.objects.get(visibility="public")
    assert counted.deal.kind == "sheet"
    assert Contribution.objects.get(deal__kind="result").replaced_by_id == counted.pk


def test_a_result_that_says_something_else_than_the_sheet_is_reported() -> None:
    # First Duty, 60 points: 60 - 35 = 25 from each of the two opponents.
    right = 'result 25 "Alena"\nresult -25 "Bob"\nresult -25 "Cyril"\nresult 25 "Dana"\n'
    for number, (lines, differs) in enumerate([(right, ""), (LINES, "sheet")], 1):
        upload = stored(sheet(60, number), result(lines, number), space=club(f"{number}"))
        assert upload.parts.get().items.latest("n").differs == differs


def test_a_result_has_no_place_among_the_cards_of_other_people(ada: object) -> None:
    mine, theirs = club("Mine"), club("Theirs")
    own = contribution(result(), mine)
    other = contribution(result(), theirs)
    assert own.deal_id != other.deal_id
    assert deals(Filters(space=mine.pk)) != deals(Filters(space=theirs.pk))
    stored(sheet(60), space=theirs)
    own.refresh_from_db()
    assert own.visibility == "public"


def test_one_person_under_two_names_is_written_as_two_players() -> None:
    space = club()
    deal = deal_of(result(TOTAL, None), space=space)
    alena, emil = (seat.player for seat in deal.seats)
    with pytest.raises(players.AtOneTable):
        players.merge(alena, emil)
    Seat.objects.update(player=None, name="Alena")
    again = shown(deal.pk)
    assert list(again.record.players.values()) == ["Alena", "Alena (2)"]
    assert read_one(again.canonical or "") == again.record


def test_a_result_goes_to_a_club_and_stays_one(ada: object) -> None:
    own = Space.objects.create(kind="own", visibility="members")
    moved, total = contribution(result(), own), contribution(result(TOTAL, None), own)
    space = club()
    stored(result(), space=space)
    corrections.move(moved, space, by=None)
    corrections.move(total, space, by=None)
    kinds = Contribution.objects.filter(space=space).values_list("number", "visibility")
    assert sorted(kinds, key=str) == [(7, "public"), (None, "public")]
    assert Session.objects.filter(contributions__isnull=False).distinct().count() == 1
    assert not Contribution.objects.filter(space=own).exists()


def test_results_are_found_by_their_verdict_and_checked_again_without_a_change() -> None:
    stored(result(), sheet(number=8), played(9))
    assert [deal.kind for deal in deals(Filters(verdict="stated"))] == ["result"]
    for kind in ("result", "sheet", "played"):
        assert [deal.kind for deal in deals(Filters(kind=kind))] == [kind]
    assert [deal.kind for deal in deals(Filters(kind="result", player="alena"))] == ["result"]
    assert {deal.kind for deal in deals(Filters(good=True))} == {"sheet", "played"}
    assert campaigns.verify_now(Deal.objects.all()) == 0


def covered() -> list[tuple[str, bool]]:
    """Whether each total of an evening is covered by a deal, oldest first."""
    rows = Contribution.objects.filter(deal__kind="result", number=None).order_by("pk")
    return [(row.visibility, row.replaced_by_id is not None) for row in rows]


def test_a_total_counts_until_the_deals_add_up_to_it_for_every_player() -> None:
    """First Duty, 60 points: 25 from each opponent; 65 points: 30. Alena 25 + 30 − 10 = 45."""
    space = club()
    lines = 'result 45 "Alena"\nresult -45 "Bob"\nresult -55 "Cyril"\nresult 55 "Dana"\n'
    stored(result(lines, None, Played="3"), sheet(60, 1), sheet(65, 2), space=space)
    assert covered() == [("public", False)]
    stored(result('result -10 "Alena"\nresult 10 "Bob"\n', 3), space=space)
    assert covered() == [("covered", True)]
    # A deal without a number belongs to the evening, too: with it, Alena has 46.
    more = played().replace('[Deal "7"]\n', "")
    stored(more, space=space)
    assert covered() == [("public", False)]
    corrections.set_visibility(Contribution.objects.get(deal__kind="played"), "withdrawn", by=None)
    assert covered() == [("covered", True)]
    corrections.set_visibility(Contribution.objects.get(number=3), "withdrawn", by=None)
    assert covered() == [("public", False)]


def test_the_owner_lets_the_deals_of_an_evening_count() -> None:
    space = club()
    stored(result(TOTAL, None), space=space)
    total = Contribution.objects.get()
    corrections.count_deals(total, True)
    assert covered() == [("public", False)], "there are no deals yet"
    elsewhere = 'result 5 "Fay"\nresult -5 "Guy"\n'
    stored(result(elsewhere, 9), space=space)
    assert covered() == [("public", False)], "a deal of another table is none of these players"
    stored(sheet(60, 1), space=space)
    assert covered() == [("covered", True)]
    corrections.count_deals(total, False)
    assert covered() == [("public", False)]
    corrections.count_deals(total, True)
    # The total stays when deals move to another space, and counts there when the last one has left.
    stored(sheet(60, 2), space=space)
    for number, visibility in ((1, "covered"), (2, "public")):
        corrections.move(Contribution.objects.get(number=number), club(f"Other {number}"), by=None)
        total.refresh_from_db()
        assert (total.space_id, total.visibility) == (space.pk, visibility)


def test_a_session_shows_its_totals_next_to_the_deals() -> None:
    """Alena and Bob count with the total, 45 and −45; Cyril and Dana, who are not in it, with the sheet."""
    space = club()
    lines = 'result 45 "Alena"\nresult -45 "Bob"\n'
    stored(result(lines, None, Played="9"), sheet(60, 1), result('result 1 "Emil"\n', 2), space=space)
    session = Session.objects.get()
    ranks = {
        count: [
            (one.player.name, one.deals, one.total, one.stated_deals, one.stated_points)
            for one in session_table(session, count=count).standings[Rules("taroky")]
        ]
        for count in ("all", "computed")
    }
    assert ranks["all"] == [
        ("Alena", 9, 45, 9, 45),
        ("Dana", 1, 25, 0, 0),
        ("Emil", 1, 1, 1, 1),
        ("Cyril", 1, -25, 0, 0),
        ("Bob", 9, -45, 9, -45),
    ]
    assert [row[:3] for row in ranks["computed"]] == [
        ("Alena", 1, 25), ("Dana", 1, 25), ("Bob", 1, -25), ("Cyril", 1, -25),
    ]  # fmt: skip
    assert session_table(session, count="verified").standings == {}
    (total,) = session_table(session).totals
    alena, bob = (Player.objects.get(name=name).pk for name in ("Alena", "Bob"))
    assert (total.points, total.sums, total.counts) == ({alena: 45, bob: -45}, {alena: 25, bob: -25}, True)
    corrections.count_deals(Contribution.objects.get(number=None), True)
    table = session_table(session)
    first = table.standings[Rules("taroky")][0]
    assert (first.player.name, first.total) == ("Alena", 25)
    assert [one.counts for one in table.totals] == [False]
