"""Puzzles of stored deals: who sees them, how workers find them, and what is kept of attempts."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

import tarock
from archive import access
from archive.access import EVERYBODY
from archive.models import Attempt, Deal, Hindsight, HindsightSpan, Puzzle, Space
from archive.reading import puzzles as reading
from archive.storing import corrections, hindsight, puzzles, queue, spaces
from tarock.analysis import hindsight as engine
from tarock.notation import dump_json, read_value
from tests.engine.test_puzzles import COMPOSED, composed
from tests.support import samples
from tests.support.storing import deal_of, puzzle_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "send", lambda *_: None)
    monkeypatch.setattr(queue, "length", lambda _: 0)
    monkeypatch.setattr(engine, "TRICKS", 5)


@pytest.fixture
def alena() -> User:
    return User.objects.create(username="alena")


@pytest.fixture
def bob() -> User:
    return User.objects.create(username="bob")


@pytest.fixture
def club(alena: User) -> Space:
    return spaces.found_club("Hlučín", by=alena)


def deal_with_puzzle(number: int = 0) -> Deal:
    """Store the deal of a composed puzzle as one that was played, and let a worker find the puzzle."""
    record = read_value(composed("taroky")[number]["record"])
    record.players = dict(zip(record.players, ("Alena", "Bořek", "Cyril", "Dana"), strict=True))
    record.tags = {"Session": "2026-11-20 table 2", "Date": "2026-11-20"}
    deal = deal_of(dump_json(record)).deal
    hindsight.cover()
    hindsight.compute(deal.pk // HindsightSpan.DEALS)
    return deal


def test_a_worker_finds_the_puzzle_of_a_verified_deal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deal = deal_with_puzzle()
    row = composed("taroky")[0]
    found = Puzzle.objects.get()
    assert (found.deal, found.step, found.theme) == (deal, row["step"], row["theme"])
    assert found.choices == row["choices"]
    assert set(found.record.players.values()) == {"A", "B", "C", "D"}, "nobody is named"
    monkeypatch.setattr(tarock, "__version__", "9")
    hindsight.start_again()
    hindsight.compute(deal.pk // HindsightSpan.DEALS)
    assert Hindsight.objects.get().engine_version == "9"
    assert Puzzle.objects.get() == reading.public().get() == found, "a deal has at most one"
    Deal.objects.update(verdict="illegal")
    assert not reading.public().exists()
    hindsight.forget([deal.pk])
    assert not Puzzle.objects.exists(), "its costs may have changed"


def test_a_fault_of_the_search_stops_at_no_deal_and_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(puzzles, "find", lambda *_: 1 / 0)
        first = deal_with_puzzle()
    assert "ZeroDivisionError" in HindsightSpan.objects.get(pk=first.pk // HindsightSpan.DEALS).error
    second = deal_with_puzzle(1)
    hindsight.start_again()
    hindsight.compute(first.pk // HindsightSpan.DEALS)
    assert {found.deal for found in Puzzle.objects.all()} == {first, second}


def test_composed_puzzles_are_loaded_once() -> None:
    puzzles.load_composed()
    puzzles.load_composed()
    number = sum(len(composed(game)) for game in COMPOSED)
    assert Puzzle.objects.count() == reading.public().count() == number
    assert {one.is_composed for one in Puzzle.objects.all()} == {True}


def test_a_puzzle_is_seen_by_those_who_see_its_deal(alena: User, bob: User, club: Space) -> None:
    deal = deal_of(samples.TAROKY, user=alena, space=club)
    puzzle_of(deal.pk)
    eva = User.objects.create_user("eva")
    spaces.join(spaces.invite(club, by=alena), eva)
    guest, member, stranger = EVERYBODY, access.viewer(eva), access.viewer(bob)

    def seen() -> list[int]:
        return [reading.listed(viewer).count() for viewer in (guest, stranger, member)]

    assert seen() == [1, 1, 1]
    assert [reading.of_club(club, viewer).count() for viewer in (guest, stranger, member)] == [0, 0, 1]
    steps = {"members": [0, 0, 1], "unlisted": [0, 0, 1], "public": [1, 1, 1], "withdrawn": [0, 0, 0]}
    for visibility, numbers in steps.items():
        corrections.set_visibility(deal.contribution, visibility, by=alena)
        assert seen() == numbers, visibility
        assert reading.public().count() == numbers[0]
        assert reading.of_club(club, member).count() == numbers[2]
        for viewer in (stranger, member):
            if reading.listed(viewer).exists():
                assert reading.get_puzzle(Puzzle.objects.get().pk, viewer)
            else:
                with pytest.raises(Puzzle.DoesNotExist):
                    reading.get_puzzle(Puzzle.objects.get().pk, viewer)


def test_the_puzzle_of_the_day_stays_all_day() -> None:
    puzzles.load_composed()
    today = date(2026, 11, 28)
    days = [reading.of_day(reading.public(), today + timedelta(days=n)) for n in range(30)]
    assert len({one.pk for one in days if one}) > 12
    now = reading.of_day(reading.public(), timezone.localdate())
    assert now is not None
    new = puzzle_of(deal_of(samples.TAROKY).pk)
    Puzzle.objects.filter(pk=new.pk).update(key=now.key[:-1] + "0")
    assert reading.of_day(reading.public(), timezone.localdate()) == now, "a new puzzle waits until tomorrow"
    assert reading.of_day(Puzzle.objects.none(), today) is None


def test_a_failed_puzzle_comes_back(alena: User, bob: User) -> None:
    puzzles.load_composed()
    first, second = Puzzle.objects.order_by("pk")[:2]
    viewer = access.viewer(alena)
    right, wrong = (
        next(t for t, (loss, _) in first.choices.items() if bool(loss) is lost) for lost in (False, True)
    )
    assert not puzzles.answer(first, alena, wrong)
    assert puzzles.answer(first, alena, right), "a second try does not count"
    assert puzzles.answer(second, alena, next(t for t, (loss, _) in second.choices.items() if not loss))
    assert puzzles.answer(first, bob, right)
    record = reading.own_record(viewer)
    assert record == reading.OwnRecord(tried=2, solved=1, streak=1, longest=1, due=0)
    rated = reading.get_puzzle(first.pk, viewer)
    assert (rated.tried, rated.failed) == (2, 1)
    attempts = Attempt.objects.filter(puzzle=first, user=alena)
    for stage in (1, 2, 3):
        attempts.update(due_at=timezone.now())
        assert [(one, one.tried) for one in reading.due(viewer).rated()] == [(first, 2)]
        assert not reading.due(access.viewer(bob)).exists()
        puzzles.answer(first, alena, right)
        assert attempts.get().stage == stage
        assert not reading.due(viewer).exists()
    assert attempts.get().due_at is None, "it was solved three times"
    assert reading.own_record(EVERYBODY) is None


def test_difficulty_is_the_share_of_first_attempts_that_failed() -> None:
    puzzles.load_composed()
    shares = [(0, 6, "easy"), (3, 6, "medium"), (4, 6, "hard"), (0, 4, "new")]
    users = [User.objects.create(username=f"user {number}") for number in range(6)]
    for puzzle, (failed, number, difficulty) in zip(Puzzle.objects.order_by("pk"), shares, strict=False):
        for n, user in enumerate(users[:number]):
            Attempt.objects.create(puzzle=puzzle, user=user, first_right=n >= failed)
        rated = Puzzle.objects.rated()
        assert rated.get(pk=puzzle.pk).difficulty == difficulty
        assert puzzle in rated.filter(difficulty=difficulty)
