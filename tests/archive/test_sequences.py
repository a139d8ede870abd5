"""Random histories: nobody sees anything that is not listed for them, and sums agree.

The expected view is computed here from the rows themselves, one by one, not by the queries under test.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.utils import timezone

from archive import access
from archive.access import Viewer
from archive.models import (
    CHOSEN,
    SCORED,
    Cell,
    Contribution,
    Deal,
    Member,
    Player,
    Seat,
    Session,
    Space,
    Tally,
    Total,
)
from archive.reading import scores, statistics
from archive.reading.deals import contributions_to, get_deal
from archive.reading.filters import Filters
from archive.reading.players import deal_counts, find_players, get_player
from archive.reading.sessions import find_sessions, session_table, totals_after
from archive.rules import Rules
from archive.storing import campaigns, corrections, feed, players, removal, spaces, sums, sums_check
from tarock.analysis.simulate import simulate
from tarock.core.record import Record
from tarock.notation import read_one, write_text
from tests.support import samples, storing
from tests.support.settling import HISTORIES
from tests.support.storing import stored

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

NAMES = ("Ada", "Ben", "Cleo", "Dov", "Eva", "Fay")
PSEUDONYMS = ("Q1", "Q2", "Q3")
EVENTS = ("", "Hlučín", "Opava")


class World:
    """Some users, two clubs, a browser, and what they do by chance."""

    def __init__(self, seed: int, users: list[Any]) -> None:
        self.rng = random.Random(seed)
        self.users = users
        self.clubs = [
            spaces.found_club(name, by=user) for name, user in zip(("One", "Two"), users, strict=False)
        ]
        self.guest = spaces.guest()
        records = [*simulate("taroky", deals=5, seed=seed), *simulate("strohmann", deals=2, seed=seed)]
        self.records: list[Record] = [*records, read_one(samples.ILLEGAL_BID), read_one(samples.dealt(seed))]

    def spaces(self) -> list[Space]:
        return [*self.clubs, self.guest, spaces.house(), *map(spaces.own, self.users)]

    def record(self, bare: Record | None = None) -> Record:
        """A record of this deal, or of any, with names, session and claim by chance."""
        bare = bare or self.rng.choice(self.records)
        names = self.rng.sample(NAMES, len(bare.players))
        score = dict.fromkeys(bare.players, 0) if self.rng.random() < 0.2 else None
        tags = {"Session": self.rng.choice(("", "S", "T")), "Event": self.rng.choice(EVENTS)}
        tags["Date"] = self.rng.choice(("", "2026-11-20", "2026-11-??"))
        tags["Deal"] = self.rng.choice(("", "1", "2"))
        tags = {name: value for name, value in tags.items() if value}
        return replace(bare, players=dict(zip(bare.players, names, strict=True)), tags=tags, score=score)

    def some(self, things: Iterable[Any]) -> list[Any]:
        found = list(things)
        return self.rng.sample(found, min(3, len(found)))

    def one(self, model: type[Any]) -> Any:
        rows = list(model.objects.order_by("pk"))
        return self.rng.choice(rows) if rows else None

    # --- what is done

    def send(self) -> None:
        space = self.rng.choice(self.spaces())
        user = space.user if space.kind == "own" else self.rng.choice([*self.users, None])
        stored(write_text(self.record()), space=space, user=user, visibility=self.rng.choice(CHOSEN))

    def send_in_place(self) -> None:
        if said := self.one(Contribution):
            stored(write_text(self.record()), space=said.space, replaces=said)

    def correct(self) -> None:
        if said := self.one(Contribution):
            bare = next((one for one in self.records if one.digest == said.deal.hex_digest), None)
            if bare is None:
                return  # a sheet or a result
            corrections.correct(said, self.record(bare), by=self.users[0])

    def show(self) -> None:
        if said := self.one(Contribution):
            corrections.set_visibility(said, self.rng.choice((*CHOSEN, "withdrawn")), by=self.users[0])

    def rename(self) -> None:
        if player := self.one(Player):
            players.rename(player, self.rng.choice((*NAMES, "Guy", "Hal")))

    def merge(self) -> None:
        if (one := self.one(Player)) and (other := self.one(Player)):
            players.merge(one, other)

    def part(self) -> None:
        if player := self.one(Player):
            players.unmerge(player)

    def hide(self) -> None:
        if player := self.one(Player):
            players.set_pseudonym(player, self.rng.choice(("", *PSEUDONYMS)))

    def join_or_leave(self) -> None:
        club, user = self.rng.choice(self.clubs), self.rng.choice(self.users)
        if member := Member.objects.filter(space=club, user=user).first():
            spaces.leave(member)
        else:
            spaces.join(spaces.invite(club, by=user), user)

    def sign_in(self) -> None:
        user = self.rng.choice(self.users)
        spaces.adopt(self.guest, spaces.own(user), by=user)
        self.guest = spaces.guest()

    def purge(self) -> None:
        removal.purge(timezone.now() + timedelta(hours=1))

    def verify(self) -> None:
        """As if the engine had erred before."""
        if said := self.one(Contribution):
            verdict = self.rng.choice(("illegal", "incomplete"))
            Deal.objects.filter(pk=said.deal_id).update(verdict=verdict, engine_version="0")
            campaigns.verify_now([Deal.objects.get(pk=said.deal_id)])

    ACTIONS = (
        *[send] * 6, send_in_place, send_in_place, correct, correct, show, show, rename, rename, merge, merge,
        part, hide, join_or_leave, sign_in, purge, verify,
    )  # fmt: skip

    # --- results and sheets, which have places in a session

    def result(self) -> str:
        """A result of a deal or of an evening, with players and points by chance."""
        number = self.rng.choice((None, 1, 2))
        game = self.rng.choice(("taroky", "strohmann", *(["?"] if number is None else [])))
        tags = {"Game": game, "Session": self.rng.choice("ST"), "Date": self.rng.choice(("", "2026-11-20"))}
        tags |= {"Deal": str(number)} if number else {"Played": self.rng.choice(("", "9"))}
        lines = [
            f'result {self.rng.choice((0, 1, -20, 10**9))} "{name}"'
            for name in self.rng.sample(NAMES, self.rng.randint(1, 5))
        ]
        head = [f'[{name} "{value}"]' for name, value in {"TGN": "1", **tags}.items() if value]
        return "\n".join([*head, "", *lines, ""])

    def state(self) -> None:
        stored(self.result(), space=self.rng.choice(self.clubs), visibility=self.rng.choice(CHOSEN))

    def send_sheet(self) -> None:
        names = dict(zip("ABCD", self.rng.sample(NAMES, 4), strict=True))
        tags = {"Session": self.rng.choice("ST"), "Deal": self.rng.choice("12")}
        sheet = replace(read_one(samples.SHEET), players=names, tags=tags, score=None)
        stored(write_text(sheet), space=self.rng.choice(self.clubs), visibility=self.rng.choice(CHOSEN))

    def correct_result(self) -> None:
        rows = list(Contribution.objects.filter(deal__kind="result").order_by("pk"))
        if rows:
            corrections.correct(self.rng.choice(rows), read_one(self.result()), by=self.users[0])

    def act(self) -> str:
        action: Callable[[World], None] = self.rng.choice(self.ACTIONS)
        expected = (spaces.NameTaken, players.AnotherSpace, players.AtOneTable, spaces.LastOwner)
        with suppress(*expected, corrections.PlaceTaken):
            action(self)
        return action.__name__

    def viewers(self) -> list[Viewer]:
        unlisted = [f"deal-{one.pk}" for one in Contribution.objects.filter(visibility="unlisted")[:2]]
        return [
            access.viewer(AnonymousUser()),
            access.viewer(AnonymousUser(), guest=self.guest.pk),
            access.viewer(AnonymousUser(), links=unlisted),
            *map(access.viewer, self.users),
        ]


class Mirror:
    """The copy of a client that follows the feed of changes from its beginning, a few changes at a time; of
    one space, or of all."""

    def __init__(self, viewer: Viewer, space: int | None = None) -> None:
        self.viewer, self.space = viewer, space
        self.has: dict[str, tuple[Any, ...]] = {}
        self.last = 0

    def follow(self, at_once: int) -> None:
        more = True
        while more:
            found = feed.changes(self.last, at_once, self.viewer, space=self.space)
            assert [entry.number for entry in found.entries] == sorted({e.number for e in found.entries})
            assert all(self.last < entry.number <= found.last for entry in found.entries)
            for entry in found.entries:
                if entry.contribution is None:
                    assert entry.kind == "withdrawn"
                    self.has.pop(str(entry.key), None)
                else:
                    self.has[str(entry.key)] = described(entry.contribution)
            self.last, more = found.last, found.more

    def check(self, at_once: int, rows: list[Contribution] | None = None) -> None:
        self.follow(at_once)
        listed = what_is_listed(self.viewer, rows).values()
        assert self.has == {
            str(said.key): described(said) for said in listed if self.space in (None, said.space_id)
        }


def described(said: Contribution) -> tuple[str, Record]:
    return said.verdict, said.record(read_one(said.deal.text))


def person_at(seat: Seat) -> int | None:
    """The person for whom a seat counts."""
    return seat.player.head.pk if seat.player else None


def all_rows() -> list[Contribution]:
    """Fetch all contributions, with everything that the checks read of them."""
    rows = Contribution.objects.select_related("deal", "replaced_by").prefetched()
    return list(rows.prefetch_related("changes", "part__upload"))


def what_is_listed(viewer: Viewer, rows: list[Contribution] | None = None) -> dict[int, Contribution]:
    return {
        one.pk: one
        for one in (all_rows() if rows is None else rows)
        if one.visibility == "public" or (one.visibility in CHOSEN and one.space_id in viewer.roles)
    }


def points_of(said: Contribution) -> dict[str, int]:
    """The sums of the lines of the sheet, by seat; none without a score."""
    if said.verdict not in SCORED:
        return {}
    lines = said.deal.lines
    return {seat.seat: sum(line.points.get(seat.seat, 0) for line in lines) for seat in said.seats.all()}


def check_what_is_seen(viewer: Viewer, some: Callable[[Iterable[Any]], list[Any]]) -> None:
    """Queries about one deal or player are made only for ``some``, because there are many."""
    listed = what_is_listed(viewer)
    deals = {said.deal_id for said in listed.values()}
    shown = storing.deals(viewer=viewer)
    assert {deal.pk for deal in shown} == deals
    assert {deal.contribution.pk for deal in shown} <= listed.keys()
    for deal in shown:
        assert deal.players == {
            seat.seat: seat.player.display_name if seat.player else seat.name
            for seat in listed[deal.contribution.pk].seats.all()
        }
    for deal in some(shown):
        own = {pk for pk, said in listed.items() if said.deal_id == deal.pk}
        assert {said.pk for said in contributions_to(deal.pk, viewer)} == own
        alone = get_deal(deal.pk, viewer).contribution
        assert alone.pk in own or f"deal-{alone.pk}" in viewer.links

    totals: Counter[tuple[Rules, int]] = Counter()
    counted: Counter[tuple[Rules, int]] = Counter()
    by_space: Counter[int] = Counter()
    sat: Counter[int] = Counter()
    for said in listed.values():
        points = points_of(said)
        sitting = {seat.seat: pk for seat in said.seats.all() if (pk := person_at(seat))}
        by_space[said.space_id] += sum(points[seat] for seat in sitting if points)
        rules, active = said.deal.rule_set, [s for s in said.deal.active if points and s in sitting]
        for seat in active:
            totals[rules, sitting[seat]] += points[seat]
        counted.update({(rules, sitting[seat]) for seat in active})
        sat.update(set(sitting.values()))
    rows = list(scores.player_scores(viewer=viewer))
    assert {(row.rules, row.person): (row.deals, row.total) for row in rows} == {
        found: (number, totals[found]) for found, number in counted.items()
    }
    sums: Counter[int] = Counter()
    persons = Player.objects.select_related("same_as").in_bulk(row.person for row in rows)
    for row in rows:
        person = persons[row.person]
        assert row.name == person.display_name
        sums[person.space_id] += row.total
    assert without_zeros(sums) == without_zeros(by_space)
    for _rules, person in some(counted):
        mine = scores.player_scores(Filters(player=person), viewer)
        by_game = list(statistics.by_game(Player.objects.get(pk=person), viewer))
        assert {(row["rules"], row["deals"], row["total"]) for row in by_game} == {
            (row.rules, row.deals, row.total) for row in mine
        }

    found = {player.pk: player for player in find_players(viewer=viewer)}
    assert deal_counts(found.values(), viewer) == sat
    for pk, player in some(found.items()):
        assert get_player(pk, viewer) == player
        fitting = storing.deals(Filters(player=pk), viewer)
        assert {deal.pk for deal in fitting} == {
            said.deal_id for said in listed.values() if pk in {person_at(seat) for seat in said.seats.all()}
        }
    check_sessions(viewer, listed)


def without_zeros(sums: Counter[int]) -> dict[int, int]:
    return {key: total for key, total in sums.items() if total}


def check_sessions(viewer: Viewer, listed: dict[int, Contribution]) -> None:
    sessions = {one.pk: one for one in find_sessions(viewer)}
    assert sessions.keys() == {said.session_id for said in listed.values()} - {None}
    for pk in Session.objects.values_list("pk", flat=True):
        own_rows = {said_pk for said_pk, said in listed.items() if said.session_id == pk}
        table = session_table(pk, viewer=viewer)
        assert {row.key.deal for row in table.rows} == {listed[said_pk].deal_id for said_pk in own_rows}
        assert len(table.rows) == (sessions[pk].deal_count if pk in sessions else 0)
        in_all: Counter[tuple[Rules, int]] = Counter()
        for said in (listed[said_pk] for said_pk in own_rows):
            points = points_of(said)
            for seat in said.seats.all():
                if pk_of := person_at(seat):
                    in_all[said.deal.rule_set, pk_of] += points.get(seat.seat, 0)
        for rules, standings in table.standings.items():
            for standing in standings:
                assert standing.total == in_all[rules, standing.player.pk]
        if table.rows:
            last = get_deal(table.rows[-1].key, viewer)
            if last.verdict == "verified":
                after = totals_after(last, viewer)
                totals = table.rows[-1].totals
                assert after == {seat.seat: totals[seat.person] for seat in last.seats if seat.person}


def check_counts(rows: list[Contribution] | None = None) -> None:
    listed = what_is_listed(Viewer(), rows)
    counts = statistics.count_archive()
    firsts: dict[int, Contribution] = {}
    for pk in sorted(listed):
        firsts.setdefault(listed[pk].deal_id, listed[pk])
    assert counts.deals == len(firsts)
    assert counts.by_verdict == Counter(said.verdict for said in firsts.values())
    assert counts.by_game == Counter(said.deal.game for said in firsts.values())
    persons = {person_at(seat) for said in listed.values() for seat in said.seats.all()} - {None}
    assert counts.players == len(persons)
    assert counts.sessions == len({said.session_id for said in listed.values()} - {None})


def check_what_is_stored(rows: list[Contribution] | None = None) -> None:
    players = {player.pk: player for player in Player.objects.select_related("same_as", "under")}
    for player in players.values():
        assert player.search_name == Player._meta.get_field("search_name").pre_save(player, False)
        assert (player.same_as is None) == (player.under is None)
        if player.same_as is not None:
            assert player.same_as.same_as_id is None, "nobody is another name of another name"
            assert player.space_id == player.same_as.space_id == player.under.space_id
            at = player
            for _ in range(50):
                at = players.get(at.under_id, at)
            assert at.pk == player.same_as_id, "up the names one comes to the person"
    for said in all_rows() if rows is None else rows:
        assert (said.replaced_by is None) or said.visibility == "replaced"
        assert said.replaced_by is None or said.replaced_by.visibility != "replaced"
        assert said.session is None or said.session.space_id == said.space_id
        moved = any("club" in change.what for change in said.changes.all())
        assert moved or said.part.upload.space_id == said.space_id
        assert {seat.player.space_id for seat in said.seats.all() if seat.player} <= {said.space_id}
        persons = [person_at(seat) for seat in said.seats.all() if seat.player]
        assert len(persons) == len(set(persons)), "nobody sits at two seats of a table"
        points = {seat.seat: seat.points for seat in said.seats.all() if seat.points is not None}
        assert points == points_of(said)
    assert not Deal.objects.filter(contributions=None).exists()


@pytest.fixture
def users(django_user_model) -> list[Any]:
    return [django_user_model.objects.create_user(name) for name in ("ada", "ben", "eva")]


@pytest.mark.parametrize("seed", range(2))
def test_after_anything_everybody_sees_what_is_his_to_see(seed: int, users) -> None:
    world = World(seed, users)
    done = []
    club = world.clubs[0].pk
    mirrors = [Mirror(Viewer()), Mirror(Viewer(roles={club: "member"}), club)]
    for _ in range(2):
        for _ in range(3):
            done += [world.act() for _ in range(12)]
            for mirror in mirrors:
                mirror.check(world.rng.randint(1, 9))
            sums.settle()
            assert list(sums_check.check()) == [], done
        check_what_is_stored()
        check_counts()
    for viewer in world.viewers():
        check_what_is_seen(viewer, world.some)
    assert len(set(done)) > 8, "much was done"


@pytest.mark.storage
@pytest.mark.parametrize("seed", range(1 if connection.vendor == "sqlite" else HISTORIES))
def test_after_any_history_the_sums_are_those_of_a_full_count(seed: int, users) -> None:
    world = World(1000 + seed, users)
    world.ACTIONS = (*World.ACTIONS, *[World.state] * 6, *[World.send_sheet] * 2, *[World.correct_result] * 2)
    done = []
    for _ in range(3):
        done += [world.act() for _ in range(world.rng.randint(4, 12))]
        if world.rng.random() < 0.7:
            sums.settle()
            assert list(sums_check.check()) == [], done
    sums.settle()
    stored_sums = everything_summed()
    assert list(sums_check.check()) == [], done
    for model in (Cell, Total, Tally):
        model.objects.all().delete()
    sums.mark_all()
    sums.settle()
    assert everything_summed() == stored_sums, done


def everything_summed() -> list[Any]:
    """All sums there are, without the ids of their rows."""
    rows = [row for model in (Cell, Total, Tally) for row in model.objects.order_by("pk").values()]
    figures = [
        row
        for model in (Session, Player)
        for row in model.objects.order_by("pk").values_list("pk", *model.FIGURES)
    ]
    return [
        *sorted(sorted((key, str(one)) for key, one in row.items() if key != "id") for row in rows),
        *figures,
    ]
