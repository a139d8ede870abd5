"""A session: hand-worked sums and money, wrong numbers, who can see it, its files and its paper."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import translation

from archive import access
from archive.models import Contribution, Deal, Evening, Player, Seat, Session
from archive.storing import spaces
from replays.clubs.totals import Link, totals
from replays.language.money import NoStake, Stake, read_stake
from tarock.core.record import Record
from tarock.notation import dump_json, read
from tests.pages.conftest import Page, browser_of, missing, page_at, page_of, present, text_of
from tests.support import samples
from tests.support.storing import shown, stored

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]

NAMES = ("Ada", "Ben", "Cleo", "Dov")
Send = Callable[..., Session]


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
    send: Send, client: Client, django_assert_max_num_queries: Any
) -> None:
    """With the club, but not on its own page; however many sessions, in one query more."""
    session = send(*table_of(2), *table_of(1, game="strohmann", names=NAMES[:2]))
    with django_assert_max_num_queries(5):  # two of them for the years
        text = text_of(client, "/sessions/")
    assert "Club night 20 November 2026 Czech Taroky, Strohmanntarock · U Lva · Club 3 deals" in text
    text = text_of(client, f"/clubs/{session.space_id}/")
    assert "Czech Taroky, Strohmanntarock · U Lva" in text
    assert "U Lva · Club" not in text


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


def page(client: Client, session: Session, more: str = "") -> Page:
    return page_at(client, f"/sessions/{session.pk}/{more}")


def test_a_session_shows_each_deal_and_what_all_have_after_it(client: Client, send: Send) -> None:
    session = send(*table_of(3))
    set_points(session, (10, -10, 4, -4), (1, 2, -3, 0), (-5, 5, 5, -5))
    Deal.objects.filter(contributions__number=1).update(contract="first", declarer="A", partner="C")
    of_session, protocol = page(client, session), page(client, session, "print/")
    text = of_session.text
    assert text.count("20 November 2026") == 3, "in the title, the heading and the text to share"
    first = "+10 in all +10 −10 in all −10 +4 in all +4 −4 in all −4 Ada with Cleo"
    last = "−5 in all +6 +5 in all −3 +5 in all +6 −5 in all −9"
    # Ada and Cleo share the first place.
    assert missing(text, "U Lva", first, last, "1 Ada +6 1 Cleo +6 3 Ben −3 4 Dov −9") == []
    assert present(text, "missing", "twice", "turn", "No score", "add up") == []
    assert "Total +6 −3 +6 −9 Rank 1 3 1 4 Scored deals 3 3 3 3" in protocol.text
    assert protocol.text.count("Ada Ben Cleo Dov Secretary") == 1
    assert f"http://testserver/sessions/{session.pk}/" in protocol.text
    assert not of_session.unsafe + protocol.unsafe
    for said in session.contributions.select_related("deal"):
        counted = shown(said.deal).checked.facts["card_points"]
        assert ":".join(map(str, counted.values())) in text


def test_what_is_wrong_with_numbers_dealers_and_sums_is_said(client: Client, send: Send) -> None:
    numbers = ["2", "2", "4", "5", "9", "10", "", "12"]
    records = zip(table_of(8), numbers, strict=True)
    session = send(*(replace(one, tags=one.tags | {"Deal": number}) for one, number in records))
    # The deal went round from Ada to Dov, twice. From 2 (Ben) to 4 are two deals, so it was Dov’s turn; from
    # 5 (Dov) to 9 are four, and it was his again; from 10 (Ben) to 12 are two, and he dealt. The deal without
    # a number is last, and nobody knows whose turn it was.
    text = page(client, session).text
    assert missing(text, "Missing numbers: 1, 3, 6–8, 11.", "Duplicate numbers: 2.") == []
    turns = ("Cleo dealt, though it was Dov’s turn.", "Ada dealt, though it was Dov’s turn.")
    assert missing(text, *turns) == []
    assert text.count("’s turn") == 2
    Contribution.objects.get(number=5).seats.update(points=None)
    Seat.objects.filter(contribution__number=4, seat="A").update(points=999)
    text = page(client, session).text
    assert [text.count(words) for words in ("No score.", "The points do not add up to 0.")] == [1, 1]


@pytest.mark.parametrize("game", ["strohmann", "grosstarock"])
def test_with_two_players_nobody_pays_and_points_need_not_add_up(
    client: Client, send: Send, game: str
) -> None:
    """By grosstarock.two-account with two nobody pays the other; nor does anybody in Strohmanntarock."""
    session = send(*table_of(4, names=("Ada", "Ben"), game=game))
    assert any(sum(one.seats.values_list("points", flat=True)) for one in session.contributions.all())
    assert "add up" not in page(client, session).text
    for path in ("", "print/"):
        text = page(client, session, f"{path}?stake=0.10&currency=K").text
        assert "points are not converted to money" in text
        assert present(text, "Money K", "points ×", "Who pays whom", "→") == []
    rows = csv_rows(client, session, "?stake=1")
    assert [row[-1] for row in rows] == ["Ben (money)", "", "", "", ""]


def test_who_was_at_the_table_but_had_no_part_sat_out(client: Client, send: Send) -> None:
    session = send(*table_of(4, game="grosstarock"))
    assert page(client, session).text.count("sat out") == 4


def test_who_came_later_or_went_earlier_did_not_sit_out(client: Client, send: Send) -> None:
    """Emil comes for deal 3 in Dana's place, is away in deal 4, when Dana is back, and plays deal 5."""
    names, others = ("Alena", "Bořek", "Cyril", "Dana"), ("Alena", "Bořek", "Cyril", "Emil")
    deals = [table_of(5, names=one) for one in (names, others)]
    session = send(*(deals[number in (2, 4)][number] for number in range(5)))
    # Only Dana in deal 3 and Emil in deal 4 were away between two deals of theirs.
    assert page(client, session).text.count("sat out") == 2


def test_the_page_of_a_session_costs_the_same_however_many_deals(
    client: Client, send: Send, django_assert_max_num_queries: Any
) -> None:
    session = send(*table_of(24))
    with django_assert_max_num_queries(9):
        text = page(client, session).text
    assert text.count(" in all ") == 24 * 4


def test_deals_that_a_stranger_does_not_see_are_in_none_of_the_files(client: Client, send: Send) -> None:
    session = send(*table_of(3))
    Contribution.objects.filter(number=2).update(visibility="members")
    assert "Missing numbers: 2." in page(client, session).text
    assert [row[0] for row in csv_rows(client, session)] == ["number", "1", "3"]
    assert body(client, session, "session.tgn").count("[TGN ") == 2
    assert len(body(client, session, "session.jsonl").splitlines()) == 2
    assert page(client, session, "print/").text.count("U Lva") == 1


def test_members_get_the_link_that_opens_unlisted_deals(client: Client, send: Send, owner: User) -> None:
    session = send(*table_of(2), visibility="unlisted")
    client.force_login(owner)
    link = next(value for value in page(client, session).attributes("value") if "/shared/" in value)
    stranger = Client()
    answer = stranger.get(link.replace("http://testserver", ""), follow=True)
    assert answer.redirect_chain[-1][0] == f"/sessions/{session.pk}/"
    assert ("Ada" in answer.text, access.link_to(session) in answer.text) == (True, False)
    assert stranger.get(f"/sessions/{session.pk}/session.tgn").status_code == 200
    Contribution.objects.update(visibility="public")
    assert "/shared/" not in client.get(f"/sessions/{session.pk}/").text


def body(client: Client, session: Session, name: str) -> str:
    answer = client.get(f"/sessions/{session.pk}/{name}")
    assert answer.status_code == 200
    assert answer["Content-Disposition"].startswith("attachment")
    found: str = answer.getvalue().decode()
    return found


def csv_rows(client: Client, session: Session, query: str = "") -> list[list[str]]:
    return list(csv.reader(io.StringIO(body(client, session, f"session.csv{query}"), newline="")))


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
    assert len(head) == len(first) == len(second) == 14 + 8
    said = dict(zip(head, first, strict=True))
    assert said.items() >= {
        "date": "2026-11-20", "place": "U Lva", "game": "taroky", "rules": "seed", "unit": "point",
        "contract": "first", "declarer": "Ada", "partner": "",
    }.items()  # fmt: skip
    assert first[-8:] == ["10", "10", "-10", "-10", "4", "4", "-4", "-4"]
    assert second[-8:] == ["1", "11", "2", "-8", "-3", "1", "0", "-4"]


def test_no_cell_is_a_formula(client: Client, send: Send) -> None:
    evil = ('=HYPERLINK("http://x")', "+1", "@SUM(A1)", '-2",\n"x')
    (record,) = table_of(1)
    players = dict(zip("ABCD", [*evil[:3], "-2"], strict=True))
    session = send(replace(record, players=players, tags=record.tags | {"Site": "=1+1"}))
    Player.objects.filter(name="-2").update(name=evil[3])
    rows = csv_rows(client, session)
    assert len(rows) == 2
    for cell in rows[0] + rows[1][:11]:
        assert cell[:1] not in ("=", "+", "-", "@"), cell
    assert {"'" + evil[0], "'" + evil[3]} <= {*rows[0]}


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


def test_ones_own_name_is_marked_in_every_list(client: Client, send: Send, owner: User) -> None:
    session, viewer = send(*table_of(2)), browser_of(owner)
    manage = f"/players/{Player.objects.get(name='Ben').pk}/manage/"
    viewer.post(manage, {"action": "me"})
    for path in (f"/sessions/{session.pk}/", "/players/", "/deals/", f"/clubs/{session.space_id}/"):
        assert "(you)" not in text_of(client, path)
        marked = page_at(viewer, path)
        assert marked.text.count("(you)") == marked.text.count("Ben (you)") > 0
        assert "you" in marked.attributes("class")
    viewer.post(manage, {"action": "me"})
    assert "(you)" not in text_of(viewer, "/players/")


def test_lines_begin_at_zero_and_end_at_the_total() -> None:
    links = [Link(f"/{n}", "") for n in (1, 2, 3)]
    drawn = totals({"Ada": [10, -5, 20], "Ben": [-10, 5, -20]}, ["1", "2", "3"], links=links)
    assert drawn is not None
    ada, ben = drawn.curves
    # From 44 to 320 in three steps of 92, and from 208 (−20) up to 20 (+20), so that a point is 4.7 high.
    assert ada.path == "44.0,114.0 136.0,67.0 228.0,137.5 320.0,20.0"
    assert [tick.text for tick in drawn.up] == ["−20", "−15", "−10", "−5", "0", "+5", "+10", "+15", "+20"]
    assert [tuple(tick) for tick in drawn.across] == [(136.0, "1"), (228.0, "2"), (320.0, "3")]
    assert [(left, link.href) for left, _, link in drawn.columns] == [(90, "/1"), (182, "/2"), (274, "/3")]
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


def test_a_stake_is_a_number_above_0_with_4_decimals_and_up_to_10_000() -> None:
    for text, amount in {
        "0.10": "0.10", "0,10": "0.10", " 2 ": "2", "0.0001": "0.0001", "10000": "10000",
        "9999,9999": "9999.9999",
    }.items():  # fmt: skip
        assert read_stake(text, "Kč") == Stake(Decimal(amount), "Kč")
    assert read_stake("", "Kč") is read_stake("  ", "Kč") is None
    for text in (
        "0", "0,00", "-1", "+1", "1e3", "NaN", "Infinity", "0.00001", "10000.01", "10001", "99999",
        "1.000,5", "1_0", "٣", "0x1", ".5", "5.", "1 000", "=",
    ):  # fmt: skip
        with pytest.raises(NoStake):
            read_stake(text)


def test_money_is_exact_and_written_as_the_reader_does() -> None:
    tenth, eighth, whole = (Stake(Decimal(one)) for one in ("0.10", "0.125", "5"))
    # Added up as binary fractions this would be 0.30000000000000004.
    assert tenth.of(1) + tenth.of(2) == Decimal("0.30")
    assert [tenth.written(points) for points in (12, -3, 0)] == ["+1.20", "−0.30", "0.00"]
    assert [eighth.written(points) for points in (1, -3)] == ["+0.125", "−0.375"]
    assert [Stake(Decimal("0.5")).written(3), whole.written(-7), whole.written(0)] == ["+1.50", "−35", "0"]
    assert Stake(Decimal("9999.9999")).written(999_999) == "+9999989900.0001"
    for language, written in (("cs", "−0,30"), ("de", "−0,30"), ("ja", "−0.30"), ("en", "−0.30")):
        with translation.override(language):
            assert tenth.written(-3) == written
    with translation.override("cs"):
        assert str(Stake(Decimal("0.10"), "Kč")) == "0,10\u00a0Kč"


@pytest.fixture
def session(send: Send) -> Session:
    """Two deals with points by hand: 6, −6, 5 and −5 in all."""
    session = send(*table_of(2))
    set_points(session, (10, -10, 5, -5), (-4, 4, 0, 0))
    return session


def test_the_standings_the_protocol_and_the_table_in_money(client: Client, session: Session) -> None:
    address = f"/sessions/{session.pk}/"
    assert "Money K" not in text_of(client, address)
    assert "Money" not in text_of(client, f"{address}print/")
    # 6, 5, −5 and −6 points at 0.10.
    page = page_at(client, f"{address}?stake=0,10&currency=Kč")
    assert "Money Kč 1 Ada +6 +0.60 Kč 2 Cleo +5 +0.50 Kč 3 Dov −5 −0.50 Kč 4 Ben −6 −0.60 Kč" in page.text
    links = page.attributes("href")
    for name in ("print/", "session.csv"):
        assert f"{address}{name}?stake=0.10&currency=K%C4%8D" in links
    # Ada 6 × 0.25, Ben −6 × 0.25, Cleo 5 × 0.25, Dov −5 × 0.25: 1.50 − 1.50 + 1.25 − 1.25 = 0.
    text = text_of(client, f"{address}print/?stake=0.25&currency=%E2%82%AC")
    assert "Total +6 −6 +5 −5 Money points × 0.25 € +1.50 −1.50 +1.25 −1.25 Rank 1 4 2 3" in text
    head, first, second = csv_rows(client, session, "?stake=0.1")
    assert head[-6:] == ["Cleo", "Cleo (total)", "Cleo (money)", "Dov", "Dov (total)", "Dov (money)"]
    # Each deal's money, so that a spreadsheet adds it up: Ada 1.0 − 0.4.
    assert (first[-12:-9], second[-12:-9]) == (["10", "10", "1.0"], ["-4", "6", "-0.4"])
    assert [sum(Decimal(cell) for cell in row[-10::3]) for row in (first, second)] == [0, 0]
    assert "money" not in body(client, session, "session.csv")
    client.cookies["django_language"] = "de"
    assert "−0,60" in text_of(client, f"{address}?stake=0.1")


def test_a_senseless_stake_is_left_out_with_a_remark(client: Client, session: Session) -> None:
    address = f"/sessions/{session.pk}/"
    stakes = ("x", "-1", "10001", "0.00001", "1" * 500, "<b>")
    currencies = ("\u202eKč", "x" * 13, "a\x00b")
    for stake, currency in (*((one, "Kč") for one in stakes), *(("1", one) for one in currencies)):
        for path in ("", "print/"):
            answer = client.get(f"{address}{path}", {"stake": stake, "currency": currency})
            found = page_of(answer)
            assert "+6" in found.text
            assert present(found.text, "+0.6", "+6.0", "Money K") == []
            assert not found.unsafe
            assert "<b>" not in answer.text or (stake, path) != ("<b>", "")
        assert "Points can’t be converted to money: " in found.text
        if currency == "Kč":
            table = client.get(f"{address}session.csv", {"stake": stake})
            assert "money" not in table.text.splitlines()[0]


def test_members_see_the_money_of_the_evening_itself(client: Client, session: Session) -> None:
    of_session = {"session": session, "game": "taroky", "seats": 4, "date": date(2026, 11, 20)}
    Evening.objects.create(key=uuid4(), stake="0,25", currency="Kč", **of_session)
    for path in ("", "print/"):
        address = f"/sessions/{session.pk}/{path}"
        # The value of a point is private.
        assert "+1.50" not in text_of(client, address)
        client.force_login(User.objects.get(username="owner"))
        assert "+1.50" in text_of(client, address)
        assert "+6.00" in text_of(client, f"{address}?stake=1.00")
        assert "+1.50" not in text_of(client, f"{address}?stake=")
        client.logout()
