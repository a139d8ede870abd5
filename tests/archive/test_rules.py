"""House rules in the archive: deals are stored with their options, and summed up only with deals by the same
rules."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from archive.access import EVERYBODY
from archive.models import Contribution, Deal, Player, Session
from archive.publishing import export
from archive.reading import statistics
from archive.reading.deals import find_ids
from archive.reading.filters import Filters
from archive.reading.scores import Choice, player_scores, standings
from archive.reading.sessions import session_table, totals_after
from archive.rules import SEED, Rules, rules_of
from archive.storing import corrections, sums_check
from tarock.analysis.simulate import simulate
from tarock.games import profiles
from tarock.notation import read_one, write_text
from tests.archive.test_results import result
from tests.archive.test_sheets import club, sheet
from tests.support import settling
from tests.support.storing import deal_of, deals, outcomes, shown, stored

pytestmark = pytest.mark.django_db

VYSOCINA = Rules("taroky", profiles()["vysocina@1"].words)
OWN = "price-first=3 unit=chip"


def ruled(points: int = 60, number: int = 7, rules: str = '[Rules "vysocina@1"]') -> str:
    """A sheet by other rules. By those of Vysočina, a point costs 5 h, and the game is rounded up to a
    multiple of 10: for 60 points (60 − 35) × 5 = 125, so 130 h."""
    text = sheet(points, number)
    claim = next(line for line in text.splitlines() if line.startswith("[Score"))
    return text.replace(claim, rules)


def scored(**filters: Any) -> list[tuple[str, str, int, int]]:
    """Rules, name, rank and points of the first and last players of each ranking."""
    return [(one.rules.text, one.name, one.place, one.total) for one in player_scores(Filters(**filters))]


def test_a_deal_is_stored_scored_and_read_back_with_its_options() -> None:
    text = ruled()
    deal, record = deal_of(text), read_one(text)
    assert record.options == VYSOCINA.options
    assert (deal.verdict, deal.score) == ("computed", {"A": 130, "B": -130, "C": -130, "D": 130})
    assert (deal.deal.rule_set, deal.unit, deal.contribution.rules_label) == (VYSOCINA, "h", "vysocina@1")
    assert deal.canonical == write_text(record)
    assert deal.record.digest == record.digest
    assert '[Options "cap=2000 declare-all hand-big=40' in (deal.canonical or "")


def test_cards_by_other_options_are_another_deal_and_a_sheet_stays_the_same_one() -> None:
    (bare,) = simulate("taroky", deals=1, seed=1)
    (priced,) = simulate("taroky", deals=1, seed=1, options=OWN.split())
    assert (bare.deal, bare.events) == (priced.deal, priced.events)
    upload = stored(write_text(bare), write_text(priced), sheet(), ruled())
    assert outcomes(upload) == ["stored", "stored", "stored", "known"]
    assert upload.parts.get().items.get(outcome="known").differs == "sheet claim tags"
    rules = Deal.objects.filter(kind="played").order_by("pk").values_list("rules__unit", flat=True)
    assert list(rules) == [None, "chip"]


def test_a_correction_moves_a_sheet_to_other_rules(ada: Any) -> None:
    deal = deal_of(sheet(), space=club())
    settling.settle()
    assert scored()[0] == (SEED, "Alena", 1, 25)
    assert "sheet" in corrections.correct(deal.contribution, read_one(ruled()), by=None)
    settling.settle()
    assert (shown(deal).unit, scored()[0]) == ("h", ("vysocina@1", "Alena", 1, 130))
    assert list(sums_check.check()) == []


@pytest.fixture
def evening() -> Session:
    """An evening by three rules: 25 and −5 points, 130 h, and (60 − 35) × 3 = 75 chips."""
    texts = sheet(60, 1), sheet(30, 2), ruled(60, 3), ruled(60, 4, f'[Options "{OWN}"]')
    stored(*texts, space=club())
    settling.settle()
    return Session.objects.get()


def test_sums_never_add_points_by_different_rules(evening: Session) -> None:
    # With 30 card points the bidder’s side lost 5.
    expected = {SEED: 20, "vysocina@1": 130, OWN: 75}
    whole = player_scores()
    assert {one.rules.text: one.total for one in whole if one.name == "Alena"} == expected
    assert [one.place for one in whole] == [1, 1, 3, 3] * 3
    assert whole[0].rules == Rules("taroky")
    assert player_scores(Filters(seats=4)) == whole, "from seats"
    assert player_scores(choice=Choice(best=99)) == whole, "from cells"
    assert standings(evening.space) == whole
    for start, size in product(range(len(whole)), (3, 4)):
        assert player_scores(window=slice(start, start + size)) == whole[start : start + size]
    for text, total in expected.items():
        assert player_scores(Filters(rules=text))[0].total == total
        assert player_scores(Filters(rules=text, seats=4)) == player_scores(Filters(rules=text))
    settling.settle()
    assert list(sums_check.check()) == []


def test_a_session_has_ranks_and_running_totals_for_each_of_its_rules(evening: Session) -> None:
    table = session_table(evening)
    totals = {
        rules.text: (rules.unit, rows[0].total, rows[0].deals) for rules, rows in table.standings.items()
    }
    assert totals == {SEED: ("point", 20, 2), "vysocina@1": ("h", 130, 1), OWN: ("chip", 75, 1)}
    alena = Player.objects.get(name="Alena")
    assert [row.totals[alena.pk] for row in table.rows] == [25, 20, 130, 75]
    third = shown(Contribution.objects.get(number=3))
    assert totals_after(third)["A"] == 130
    # A deal of another game by the rules of its source.
    (duel,) = simulate("strohmann", deals=1, seed=4)
    duel.players.update(A="Alena", B="Bob")
    duel.tags = {"Session": "June", "Deal": "5"}
    last = deal_of(write_text(duel), space=evening.space)
    assert totals_after(last) == last.score
    table = session_table(evening)
    assert table.rows[-1].totals[alena.pk] == last.score["A"]
    assert [rules.game for rules in table.standings].count("strohmann") == 1


def test_a_players_sums_are_by_the_source_rules_unless_others_are_named(evening: Session) -> None:
    alena = Player.objects.get(name="Alena")
    by_game = [(row["rules"].text, row["total"]) for row in statistics.by_game(alena)]
    assert (by_game[0], sorted(by_game[1:])) == ((SEED, 20), [(OWN, 75), ("vysocina@1", 130)])
    for rules, points in ((SEED, 20), ("vysocina@1", 130), (OWN, 75)):
        assert sum(row.points for row in statistics.roles(alena, rules=rules)) == points
        assert sum(row.points for row in statistics.by_day(alena, rules=rules)) == points
        assert sum(row.points for row in statistics.deal_by_deal(alena, EVERYBODY, 9, rules)) == points
        latest = statistics.latest(alena, rules=rules)
        assert sum(points for _seat, points in latest.values()) == points
        bob = Player.objects.get(name="Bob")
        assert sum(row.points for row in statistics.head_to_head(alena, bob, rules=rules)) == points


def test_deals_are_found_by_their_rules_and_exported_with_them(evening: Session) -> None:
    found = {
        text: len(deals(Filters(rules=text)))
        for text in (SEED, "vysocina@1", OWN, "unit=chip price-first=3", "unit=cent", "taroky-seed@1")
    }
    assert found == {
        SEED: 2, "vysocina@1": 1, OWN: 1, "unit=chip price-first=3": 1, "unit=cent": 0, "taroky-seed@1": 2,
    }  # fmt: skip
    by_score = [find_ids(Filters(rules=text), EVERYBODY, "score", 9) for text in (None, "vysocina@1", OWN)]
    (first, second), *others = by_score
    assert Deal.objects.get(pk=first).highest > Deal.objects.get(pk=second).highest
    assert [len(ids) for ids in others] == [1, 1], "without rules, only deals by those of the source"
    for text in ("", "nobody@1", "price=3", "unit=H"):
        with pytest.raises(ValueError, match="no rule set"):
            rules_of(text)
    _head, row = export.table(deals(Filters(rules="vysocina@1")))
    assert b",taroky,h,computed," in row
    assert b",vysocina@1," in row


def test_the_total_of_an_evening_counts_instead_of_deals_in_its_unit_only(evening: Session) -> None:
    """Alena and Bob played 4 more deals in h, of which only the total is known, and not the game."""
    total = result('result 500 "Alena"\nresult -500 "Bob"\n', None, "?", Played="5", Options="unit=h")
    stored(total, space=evening.space)
    settling.settle()
    everything = {
        one.rules: one.total for one in standings(evening.space, count="all") if one.name == "Alena"
    }
    assert everything == {
        Rules("taroky"): 20,
        Rules("taroky", tuple(OWN.split())): 75,
        Rules("?", ("unit=h",)): 500,
    }
    table = session_table(evening)
    first = {
        rules: rows[0].total for rules, rows in table.standings.items() if rows[0].player.name == "Alena"
    }
    assert first == everything
    alena = Player.objects.get(name="Alena")
    assert [one.sums[alena.pk] for one in table.totals] == [130], "of the deals in h"
    assert player_scores(Filters(seats=4), choice=Choice(count="all"))
    assert list(sums_check.check()) == []


def test_a_sheet_covers_a_result_and_differs_from_one_in_another_unit() -> None:
    points = 'result 130 "Alena"\nresult -130 "Bob"\nresult -130 "Cyril"\nresult 130 "Dana"\n'
    space = club()
    stored(ruled(), space=space)
    upload = stored(result(points), result(points, 8), space=space)
    assert [item.differs for item in upload.parts.get().items.all()][:1] == ["sheet"]
    assert Contribution.objects.filter(visibility="covered").count() == 1
    same = stored(result(points, Options=" ".join(VYSOCINA.options)), space=club("Other"))
    stored(ruled(), space=club("Third"))
    assert outcomes(same) == ["stored"]


def test_only_published_rule_sets_have_a_name() -> None:
    words = profiles()["mayr-sedlaczek-2007@1"].words
    assert Rules("strohmann", words).name == "mayr-sedlaczek-2007@1"
    assert Rules("strohmann", (*words, "mondfang=1")).name == ""


def test_an_option_of_the_source_is_no_other_rule_set() -> None:
    """Each table settles an uncontested First Duty or not; with another option, the rules are others."""
    settled = Rules.of("taroky", ["settle-uncontested"])
    assert settled == Rules("taroky")
    assert rules_of("settle-uncontested") == (settled,)
    other = Rules.of("taroky", ["settle-uncontested", "stake=2"])
    assert other.options == ("settle-uncontested", "stake=2")
    deal = deal_of(ruled(60, 2, '[Options "settle-uncontested"]'))
    assert deal.deal.rule_set == settled
    values = deal.deal.rule_set.as_json(deal.record)
    assert (values["filter"], values["options"]["settle-uncontested"]) == ("seed", True)
