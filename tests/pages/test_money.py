"""The value of points: exact, in the reader's language, and only if the rules have them paid."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import translation

from archive.models import Evening, Session
from replays.language.money import NoStake, Stake, read_stake
from tarock.core.record import Record
from tests import samples
from tests.pages.conftest import Page, text_of
from tests.pages.test_sessions import set_points, table_of
from tests.storing import stored


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("0.10", "0.10"),
        ("0,10", "0.10"),
        (" 2 ", "2"),
        ("0.0001", "0.0001"),
        ("10000", "10000"),
        ("9999,9999", "9999.9999"),
    ],
)
def test_a_stake(text: str, amount: str) -> None:
    assert read_stake(text, "Kč") == Stake(Decimal(amount), "Kč")


def test_no_stake() -> None:
    assert read_stake("") is None
    assert read_stake("  ") is None


@pytest.mark.parametrize(
    "text",
    ["0", "0,00", "-1", "+1", "1e3", "NaN", "Infinity", "0.00001", "10000.01", "10001", "99999", "1.000,5",
     "1_0", "٣", "0x1", ".5", "5.", "1 000", "="],
)  # fmt: skip
def test_nonsense_is_no_stake(text: str) -> None:
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


# --- on the pages of a session ------------------------------------------------------------------------------

pytestmark = pytest.mark.django_db


Store = Callable[..., Session]


@pytest.fixture
def evening() -> Store:
    """Stores records as an evening."""

    def store(records: list[Record]) -> Session:
        tagged = [replace(one, tags=one.tags | {"Session": "Club night"}) for one in records]
        stored(samples.as_text(tagged), user=User.objects.create_user("owner"))
        return Session.objects.get()

    return store


@pytest.fixture
def session(evening: Store) -> Session:
    """Two deals with points by hand: 6, −6, 5 and −5 in all."""
    session = evening(table_of(2))
    set_points(session, (10, -10, 5, -5), (-4, 4, 0, 0))
    return session


def test_the_standings_in_money(client: Client, session: Session) -> None:
    address = f"/sessions/{session.pk}/"
    assert "Money K" not in text_of(client, address)
    # 6, 5, −5 and −6 points at 0.10.
    page = Page(client.get(f"{address}?stake=0,10&currency=Kč").content.decode())
    assert "Money Kč 1 Ada +6 +0.60 Kč 2 Cleo +5 +0.50 Kč 3 Dov −5 −0.50 Kč 4 Ben −6 −0.60 Kč" in page.text
    links = page.attributes("href")
    for name in ("print/", "session.csv"):
        assert f"{address}{name}?stake=0.10&currency=K%C4%8D" in links
    client.cookies["django_language"] = "de"
    assert "−0,60" in text_of(client, f"{address}?stake=0.1")


def test_the_protocol_in_money(client: Client, session: Session) -> None:
    text = text_of(client, f"/sessions/{session.pk}/print/?stake=0.25&currency=%E2%82%AC")
    # Ada 6 × 0.25, Ben −6 × 0.25, Cleo 5 × 0.25, Dov −5 × 0.25: 1.50 − 1.50 + 1.25 − 1.25 = 0.
    assert "Total +6 −6 +5 −5 Money points × 0.25 € +1.50 −1.50 +1.25 −1.25 Rank 1. 4. 2. 3." in text
    assert "Money" not in text_of(client, f"/sessions/{session.pk}/print/")


def test_a_column_of_money_in_the_table(client: Client, session: Session) -> None:
    content = client.get(f"/sessions/{session.pk}/session.csv?stake=0.1").content.decode()
    head, first, second = csv.reader(io.StringIO(content))
    assert head[-6:] == ["Cleo", "Cleo (total)", "Cleo (money)", "Dov", "Dov (total)", "Dov (money)"]
    # Each deal's money, so that a spreadsheet adds it up: Ada 1.0 − 0.4.
    assert (first[-12:-9], second[-12:-9]) == (["10", "10", "1.0"], ["-4", "6", "-0.4"])
    assert [sum(Decimal(cell) for cell in row[-10::3]) for row in (first, second)] == [0, 0]
    assert "money" not in client.get(f"/sessions/{session.pk}/session.csv").content.decode()


@pytest.mark.parametrize("stake", ["x", "-1", "10001", "0.00001", "1" * 500, "<b>"])
def test_what_makes_no_sense_is_left_out_with_a_remark(client: Client, session: Session, stake: str) -> None:
    for page in ("", "print/"):
        answer = client.get(f"/sessions/{session.pk}/{page}", {"stake": stake, "currency": "Kč"})
        found = Page(answer.content.decode())
        assert "+6" in found.text
        assert "+0.6" not in found.text
        assert "Money K" not in found.text
        assert not found.unsafe
        assert "<b>" not in answer.content.decode() or (stake, page) != ("<b>", "")
    assert "Money can’t be computed: " in found.text
    head = (
        client.get(f"/sessions/{session.pk}/session.csv", {"stake": stake}).content.decode().splitlines()[0]
    )
    assert "money" not in head


def test_a_currency_is_a_short_name(client: Client, session: Session) -> None:
    for currency in ("\u202eKč", "x" * 13, "a\x00b"):
        answer = client.get(f"/sessions/{session.pk}/print/", {"stake": "1", "currency": currency})
        text = Page(answer.content.decode()).text
        assert "Money can’t be computed: " in text


@pytest.mark.parametrize("game", ["grosstarock", "strohmann"])
def test_where_each_has_an_account_of_his_own_nobody_pays(client: Client, evening: Store, game: str) -> None:
    """By grosstarock.two-account with two nobody pays the other; nor does anybody in Strohmanntarock."""
    address = f"/sessions/{evening(table_of(2, names=('Ada', 'Ben'), game=game)).pk}/"
    for page in ("", "print/"):
        text = text_of(client, f"{address}{page}?stake=0.10&currency=K")
        assert "no money, because two players keep separate accounts and nobody pays" in text
        assert "Money K" not in text
        assert "points ×" not in text
    rows = list(csv.reader(io.StringIO(client.get(f"{address}session.csv?stake=1").content.decode())))
    assert [row[-1] for row in rows] == ["Ben (money)", "", ""]


def test_members_see_the_money_of_the_evening_itself(client: Client, session: Session) -> None:
    Evening.objects.create(
        key=uuid4(),
        session=session,
        game="taroky",
        seats=4,
        date=date(2026, 11, 20),
        stake="0,25",
        currency="Kč",
    )
    for page in ("", "print/"):
        address = f"/sessions/{session.pk}/{page}"
        # The value of a point is private.
        assert "+1.50" not in text_of(client, address)
        client.force_login(User.objects.get(username="owner"))
        assert "+1.50" in text_of(client, address)
        assert "+6.00" in text_of(client, f"{address}?stake=1.00")
        assert "+1.50" not in text_of(client, f"{address}?stake=")
        client.logout()
