"""A session: hand-worked sums, what is wrong with its numbers, who can see it, its files and its paper."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive import access
from archive.models import Contribution, Deal, Player, Seat, Session, Space
from archive.storing import players, spaces
from replays.clubs.totals import totals
from tarock.core.record import Record
from tarock.notation import dump_json, read
from tests import samples
from tests.pages.conftest import Page
from tests.storing import shown, stored

pytestmark = pytest.mark.django_db

NAMES = ("Ada", "Ben", "Cleo", "Dov")
Send = Callable[..., Session]


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("owner")


@pytest.fixture
def send(owner: User) -> Send:
    """Stores records in a club as deals of one session."""
    club = spaces.found_club("Club", by=owner)

    def sent(*records: Record, visibility: str = "", as_json: bool = False) -> Session:
        tagged = [replace(one, tags={**one.tags, "Session": "Club night"}) for one in records]
        text = "\n".join(map(dump_json, tagged)) if as_json else samples.as_text(tagged)
        stored(text, user=owner, space=club, visibility=visibility)
        return Session.objects.get(space=club)

    return sent


def test_a_list_says_what_was_played_and_where(
    send: Send, client: Client, django_assert_max_num_queries: Callable[..., AbstractContextManager[None]]
) -> None:
    """With the club, but not on its own page; however many sessions, in one query more."""
    session = send(*table_of(2), *table_of(1, game="strohmann", names=NAMES[:2]))
    with django_assert_max_num_queries(3):
        page = Page(client.get("/sessions/").content.decode())
    assert "Club night 20 November 2026 Czech Taroky, Strohmanntarock · U Lva · Club 3 deals" in page.text
    page = Page(client.get(f"/clubs/{session.space_id}/").content.decode())
    assert "Czech Taroky, Strohmanntarock · U Lva" in page.text
    assert "U Lva · Club" not in page.text


def table_of(number: int, *, names: tuple[str, ...] = NAMES, game: str = "taroky") -> list[Record]:
    """So many deals of one table, numbered from 1, the deal going round."""
    found = samples.simulated(game, len(names), 40 * number, seed=4)
    seats = "ABCDEFGH"[: len(names)]
    dealt: list[Record] = []
    for one in found:
        if len(dealt) < number and one.dealer == seats[len(dealt) % len(seats)]:
            tags = {"Deal": str(len(dealt) + 1), "Date": "2026-11-20", "Site": "U Lva"}
            dealt.append(replace(one, players=dict(zip(seats, names, strict=True)), tags=tags, score=None))
    return dealt


def set_points(session: Session, *rows: tuple[int, ...]) -> None:
    """Points by hand, deal by deal: this is about adding up."""
    for number, points in enumerate(rows, start=1):
        for seat, value in zip("ABCD", points, strict=True):
            Seat.objects.filter(contribution__session=session, contribution__number=number, seat=seat).update(
                points=value
            )


def page_of(client: Client, session: Session, more: str = "") -> Page:
    return Page(client.get(f"/sessions/{session.pk}/{more}").content.decode())


def test_a_session_shows_each_deal_and_what_all_have_after_it(client: Client, send: Send) -> None:
    session = send(*table_of(3))
    set_points(session, (10, -10, 4, -4), (1, 2, -3, 0), (-5, 5, 5, -5))
    Deal.objects.filter(contributions__number=1).update(contract="first", declarer="A", partner="C")
    page = page_of(client, session)
    assert page.text.count("20 November 2026") == 1
    assert "U Lva" in page.text
    assert "+10 in all +10 −10 in all −10 +4 in all +4 −4 in all −4 Ada with Cleo" in page.text
    assert "−5 in all +6 +5 in all −3 +5 in all +6 −5 in all −9" in page.text
    # Ada and Cleo share the first place.
    assert "1 Ada +6 1 Cleo +6 3 Ben −3 4 Dov −9" in page.text
    assert not page.unsafe
    for quiet in ("missing", "twice", "turn", "No score", "add up"):
        assert quiet not in page.text


def test_card_points_stand_as_the_engine_counted_them(client: Client, send: Send) -> None:
    session = send(*table_of(2))
    page = page_of(client, session)
    for said in session.contributions.select_related("deal"):
        counted = shown(said.deal).checked.facts["card_points"]
        assert ":".join(map(str, counted.values())) in page.text


def test_what_is_wrong_with_numbers_dealers_and_sums_is_said(client: Client, send: Send) -> None:
    records = table_of(8)
    numbers = ["2", "2", "4", "5", "9", "10", "", "12"]
    session = send(
        *(
            replace(one, tags=one.tags | {"Deal": number})
            for one, number in zip(records, numbers, strict=True)
        )
    )
    # The deal went round from Ada to Dov, twice. From 2 (Ben) to 4 are two deals, so it was Dov’s turn; from
    # 5 (Dov) to 9 are four, and it was his again; from 10 (Ben) to 12 are two, and he dealt. The deal without
    # a number is last, and nobody knows whose turn it was.
    text = page_of(client, session).text
    assert "Missing numbers: 1, 3, 6–8, 11." in text
    assert "Duplicate numbers: 2." in text
    assert "Cleo dealt, though it was Dov’s turn." in text
    assert "Ada dealt, though it was Dov’s turn." in text
    assert text.count("’s turn") == 2
    unscored = Contribution.objects.get(number=5)
    unscored.seats.update(points=None)
    Seat.objects.filter(contribution__number=4, seat="A").update(points=999)
    text = page_of(client, session).text
    assert text.count("No score.") == 1
    assert text.count("The points do not add up to 0.") == 1


@pytest.mark.parametrize("game", ["strohmann", "grosstarock"])
def test_a_game_that_is_no_zero_sum_game_needs_not_add_up(client: Client, send: Send, game: str) -> None:
    """Strohmanntarock, and Grosstarock with two players."""
    session = send(*table_of(4, names=("Ada", "Ben"), game=game))
    assert any(sum(one.seats.values_list("points", flat=True)) for one in session.contributions.all())
    assert "add up" not in page_of(client, session).text


def test_who_was_at_the_table_but_had_no_part_sat_out(client: Client, send: Send) -> None:
    session = send(*table_of(4, game="grosstarock"))
    assert page_of(client, session).text.count("sat out") == 4


def test_the_page_of_a_session_costs_the_same_however_many_deals(
    client: Client, send: Send, django_assert_max_num_queries
) -> None:
    session = send(*table_of(24))
    with django_assert_max_num_queries(7):
        page = page_of(client, session)
    assert page.text.count(" in all ") == 24 * 4


# --- who can see it -----------------------------------------------------------------------------------------

PATHS = ("", "print/", "session.csv", "session.tgn", "session.jsonl")


@pytest.mark.parametrize("visibility", ["members", "unlisted", "withdrawn"])
def test_a_stranger_finds_nothing_of_a_session_that_is_not_public(
    client: Client, send: Send, owner: User, visibility: str
) -> None:
    session = send(*table_of(2))
    Contribution.objects.update(visibility=visibility)
    stranger = User.objects.create_user("stranger")
    for who in (None, stranger):
        if who:
            client.force_login(who)
        for path in PATHS:
            assert client.get(f"/sessions/{session.pk}/{path}").status_code == 404, path
    client.force_login(owner)
    for path in PATHS:
        assert client.get(f"/sessions/{session.pk}/{path}").status_code == 200, path
    assert ("Ada" in page_of(client, session).text) == (visibility != "withdrawn")


def test_deals_that_a_stranger_does_not_see_are_in_none_of_the_files(client: Client, send: Send) -> None:
    session = send(*table_of(3))
    Contribution.objects.filter(number=2).update(visibility="members")
    assert "Missing numbers: 2." in page_of(client, session).text
    rows = list(csv.reader(io.StringIO(body(client, session, "session.csv"))))
    assert [row[0] for row in rows] == ["number", "1", "3"]
    assert body(client, session, "session.tgn").count("[TGN ") == 2
    assert len(body(client, session, "session.jsonl").splitlines()) == 2
    assert page_of(client, session, "print/").text.count("U Lva") == 1


def test_members_are_told_the_link_to_unlisted_deals_which_opens_them(
    client: Client, send: Send, owner: User
) -> None:
    session = send(*table_of(2), visibility="unlisted")
    client.force_login(owner)
    link = next(value for value in page_of(client, session).attributes("value") if "/shared/" in value)
    stranger = Client()
    answer = stranger.get(link.replace("http://testserver", ""), follow=True)
    assert answer.redirect_chain[-1][0] == f"/sessions/{session.pk}/"
    text = answer.content.decode()
    assert "Ada" in text
    assert access.link_to(session) not in text
    assert stranger.get(f"/sessions/{session.pk}/session.tgn").status_code == 200
    Contribution.objects.update(visibility="public")
    assert "/shared/" not in client.get(f"/sessions/{session.pk}/").content.decode()


# --- files --------------------------------------------------------------------------------------------------


def body(client: Client, session: Session, name: str) -> str:
    answer = client.get(f"/sessions/{session.pk}/{name}")
    assert answer.status_code == 200
    assert answer["Content-Disposition"].startswith("attachment")
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return content.decode()


def test_the_table_for_a_spreadsheet(client: Client, send: Send) -> None:
    session = send(*table_of(2))
    set_points(session, (10, -10, 4, -4), (1, 2, -3, 0))
    Deal.objects.filter(contributions__number=1).update(contract="first", declarer="A", partner=None)
    text = body(client, session, "session.csv")
    assert text.endswith("\r\n")
    assert text.count("\r\n") == text.count("\n") == 3
    head, first, second = csv.reader(io.StringIO(text))
    assert head[:4] == ["number", "deal", "date", "place"]
    assert head[-4:] == ["Cleo", "Cleo (total)", "Dov", "Dov (total)"]
    assert len(head) == len(first) == len(second) == 12 + 8
    said = dict(zip(head, first, strict=True))
    assert (said["date"], said["place"], said["game"]) == ("2026-11-20", "U Lva", "taroky")
    assert (said["contract"], said["declarer"], said["partner"]) == ("first", "Ada", "")
    assert first[-8:] == ["10", "10", "-10", "-10", "4", "4", "-4", "-4"]
    assert second[-8:] == ["1", "11", "2", "-8", "-3", "1", "0", "-4"]


def test_no_cell_is_a_formula(client: Client, send: Send) -> None:
    evil = ('=HYPERLINK("http://x")', "+1", "@SUM(A1)", '-2",\n"x')
    (record,) = table_of(1)
    players = dict(zip("ABCD", [*evil[:3], "-2"], strict=True))
    session = send(replace(record, players=players, tags=record.tags | {"Site": "=1+1"}))
    Player.objects.filter(name="-2").update(name=evil[3])
    rows = list(csv.reader(io.StringIO(body(client, session, "session.csv"), newline="")))
    assert len(rows) == 2
    for cell in rows[0] + rows[1][:11]:
        assert cell[:1] not in ("=", "+", "-", "@"), cell
    assert "'" + evil[0] in rows[0]
    assert "'" + evil[3] in rows[0]


def test_the_records_of_a_session_can_be_sent_again(client: Client, send: Send) -> None:
    records = table_of(3)
    session = send(*records)
    digests = [one.digest for one in records]
    for name in ("session.tgn", "session.jsonl"):
        entries = read(body(client, session, name))
        assert [entry.record.digest for entry in entries if entry.record] == digests
        assert [entry.record.tags["Deal"] for entry in entries if entry.record] == ["1", "2", "3"]


def test_deals_that_text_cannot_hold_are_named_in_it(client: Client, send: Send) -> None:
    good, bad = table_of(2)
    # Two plays of a trick change places: no trick line says that.
    plays = [n for n, event in enumerate(bad.events) if event[1] == "play"]
    events = list(bad.events)
    events[plays[1]], events[plays[2]] = events[plays[2]], events[plays[1]]
    session = send(good)
    send(replace(bad, events=events), as_json=True)
    text = body(client, session, "session.tgn")
    assert [entry.record.digest for entry in read(text) if entry.record] == [good.digest]
    assert f"; Deal {session.contributions.get(number=2).deal_id} is left out" in text
    assert len(body(client, session, "session.jsonl").splitlines()) == 2


# --- on paper -----------------------------------------------------------------------------------------------


def test_the_protocol_has_the_table_the_places_and_room_to_sign(client: Client, send: Send) -> None:
    session = send(*table_of(3))
    set_points(session, (10, -10, 4, -4), (1, 2, -3, 0), (-5, 5, 5, -5))
    page = page_of(client, session, "print/")
    assert "Total +6 −3 +6 −9 Rank 1. 3. 1. 4. Scored deals 3 3 3 3" in page.text
    assert page.text.count("Ada Ben Cleo Dov Secretary") == 1
    assert f"http://testserver/sessions/{session.pk}/" in page.text
    assert not page.unsafe


# --- the viewer's name, and the chart -----------------------------------------------------------------------


def test_ones_own_name_is_marked_in_every_list(client: Client, send: Send, owner: User) -> None:
    session = send(*table_of(2))
    ben = Player.objects.get(name="Ben")
    players.this_is_me(Space.objects.get(kind="club").members.get(user=owner), ben)
    paths = [f"/sessions/{session.pk}/", "/players/", "/deals/", f"/clubs/{session.space_id}/"]
    for path in paths:
        assert "(you)" not in Page(client.get(path).content.decode()).text
    client.force_login(owner)
    for path in paths:
        page = Page(client.get(path).content.decode())
        assert "Ben (you)" in page.text
        assert page.text.count("(you)") == page.text.count("Ben (you)")
        assert "you" in page.attributes("class")


def test_lines_begin_at_zero_and_end_at_the_total() -> None:
    drawn = totals({"Ada": [10, -5, 20], "Ben": [-10, 5, -20]}, ["1", "2", "3"])
    assert drawn is not None
    ada, ben = drawn.curves
    assert [len(curve.path.split()) for curve in drawn.curves] == [4, 4]
    assert ada.path.split()[0] == ben.path.split()[0] == f"44.0,{drawn.zero}"
    assert (ada.last, ben.last) == (20, -20)
    assert ada.end < drawn.zero < ben.end
    assert {"0", "+20", "−20"} <= {tick.text for tick in drawn.up}
    assert totals({"Ada": [1]}, ["1"]) is None
    assert totals({}, []) is None
    long = totals({"Ada": list(range(5000))}, [str(n) for n in range(5000)])
    assert long is not None
    assert len(long.curves[0].path.split()) <= 202
