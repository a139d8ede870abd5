"""A month of a club, written on sheets: half is sent by the API and half by the page, and standings and
protocols have the scores of the deals that the sheets are of."""

import csv
import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Contribution, Deal, Session, Space
from archive.reading.scores import standings
from archive.reading.sessions import session_table
from archive.rules import Rules
from archive.storing import spaces, uploads
from tarock.analysis.sheets import sheet_of
from tarock.analysis.simulate import simulate
from tarock.analysis.verify import check
from tarock.core.record import Record
from tarock.notation import write_text
from tests.api.conftest import ApiClient
from tests.pages.conftest import work
from tests.support.storing import secret_of

pytestmark = pytest.mark.django_db

EVENINGS, DEALS = 24, 12
NAMES = ("Alena", "Bob", "Cyril", "Dana")
SEATS = "ABCD"
#: Of every evening these deals were recorded with their cards, too.
WITH_CARDS = (6, 10)
#: (evening, deal) → the mistake of the writer: 20 of them.
MISTAKES = (
    {(2 * n, 3): "claim" for n in range(8)}
    | {(3 * n + 1, 5): "points" for n in range(6)}
    | {(4 * n + 2, 7): "partner" for n in range(6)}
)


def papers() -> Iterator[tuple[Record, Record, dict[str, int]]]:
    """Played deals whose sheets have card points and a partner, with these sheets and the scores."""
    for played in simulate("taroky", deals=10_000, seed=31):
        paper, score = sheet_of(played), check(played).score
        if paper and score and {"points", "partner"} <= {line[0] for line in paper.sheet or ()}:
            yield played, paper, score


def month() -> tuple[list[str], list[dict[int, dict[str, int]]]]:
    """The text of each evening; and evening by evening, number → the points that count."""
    texts, expected, dealt = [], [], papers()
    for evening in range(EVENINGS):
        rows, counts = [], {}
        for number in range(1, DEALS + 1):
            played, paper, score = next(dealt)
            day = f"2026-10-{evening % 28 + 1:02}"
            tags = {"Session": f"Evening {evening + 1}", "Date": day, "Deal": str(number)}
            named = {"players": dict(zip(SEATS, NAMES, strict=True)), "tags": tags}
            mistake, claim, lines = MISTAKES.get((evening, number)), score, paper.sheet or []
            if mistake == "claim":
                claim = score | {"A": score["A"] + 1, "B": score["B"] - 1}
            elif mistake == "points":
                lines = [(*line[:2], 71) if line[0] == "points" else line for line in lines]
            elif mistake == "partner":
                lines = [line for line in lines if line[0] not in ("partner", "contract")]
            rows.append(write_text(replace(paper, **named, sheet=lines, score=claim)))
            if number in WITH_CARDS:
                rows.append(write_text(replace(played, **named, score=None)))
            if mistake not in ("points", "partner"):
                counts[number] = score
        texts.append("\n".join(rows))
        expected.append(counts)
    return texts, expected


def send_by_api(texts: list[str], club: Space, owner: User) -> None:
    client = ApiClient(secret_of(owner))
    for text in texts:
        answer = client.send(text, path=f"uploads?club={club.pk}")
        assert answer.status_code == 202, answer.content


def send_by_page(texts: list[str], club: Space, owner: User) -> None:
    client = Client()
    client.force_login(owner)
    for text in texts:
        answer = client.post("/upload/", {"text": text, "space": club.pk}, follow=True)
        assert answer.status_code == 200


def test_a_month_of_a_club(monkeypatch) -> None:
    monkeypatch.setattr(uploads, "wait", work)
    owner = User.objects.create_user("secretary")
    club = spaces.found_club("Kotva", by=owner)
    texts, expected = month()
    send_by_api(texts[::2], club, owner)
    send_by_page(texts[1::2], club, owner)
    sheets = EVENINGS * DEALS
    cards = EVENINGS * len(WITH_CARDS)
    assert Deal.objects.filter(kind="sheet").count() == sheets
    assert Deal.objects.filter(kind="played").count() == cards
    verdicts = Counter(
        Contribution.objects.filter(space=club)
        .exclude(visibility="covered")
        .values_list("verdict", flat=True)
    )
    kinds = Counter(MISTAKES.values())
    right = sheets - cards - len(MISTAKES)
    assert verdicts == {
        "verified": cards,
        "computed": right,
        "disputed": kinds["claim"],
        "illegal": kinds["points"],
        "incomplete": kinds["partner"],
    }
    season: Counter[str] = Counter()
    by_seat = list(zip(SEATS, NAMES, strict=True))
    client = Client()
    for evening, counts in enumerate(expected):
        session = Session.objects.get(space=club, name=f"Evening {evening + 1}")
        table = session_table(session)
        total = {name: sum(points[s] for points in counts.values()) for s, name in by_seat}
        assert {one.player.name: one.total for one in table.standings[Rules("taroky")]} == total
        assert [row.number for row in table.rows] == list(range(1, DEALS + 1))
        answer = client.get(f"/sessions/{session.pk}/session.csv")
        rows = list(csv.DictReader(io.StringIO(answer.getvalue().decode("utf-8-sig"))))
        assert len(rows) >= DEALS
        season.update(total)
    rows = standings(club)
    assert {row.name: (row.deals, row.total) for row in rows} == {
        name: (sum(map(len, expected)), season[name]) for name in NAMES
    }
