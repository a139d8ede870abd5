"""A month of a club, written on sheets: it is sent by the API and by the page, and standings and protocols
agree with the calculation here, which uses no clause of the engine."""

import csv
import io
import random
from collections import Counter
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
from tarock.notation import write_text
from tests.api.conftest import ApiClient
from tests.pages.conftest import work
from tests.support.storing import secret_of

pytestmark = pytest.mark.django_db

EVENINGS, DEALS = 40, 24
NAMES = ("Alena", "Bob", "Cyril", "Dana")
SEATS = "ABCD"
#: Of every evening these deals were recorded with their cards, too.
WITH_CARDS = (6, 18)
#: (evening, deal) → the mistake of the writer: 20 of them.
MISTAKES = (
    {(2 * n, 3): "claim" for n in range(8)}
    | {(3 * n + 1, 5): "points" for n in range(6)}
    | {(4 * n + 2, 7): "partner" for n in range(6)}
)
HANDS = {"tarocky": 5, "trul": 5, "barvicky": 5, "honery": 5}


def paid(sides: dict[str, str], winner: str, amount: int) -> Counter[str]:
    """Two against two pay each other; a lone player gets the amount from each of three, or pays it."""
    alone = Counter(sides.values())
    points: Counter[str] = Counter()
    for seat, side in sides.items():
        times = 3 if alone[side] == 1 else 1
        points[seat] = times * amount if side == winner else -times * amount
    return points


def sheet(rng: random.Random) -> tuple[list[str], dict[str, int]]:
    """The lines of a sheet of Taroky as a writer notes them, and what the table pays for it."""
    contract = rng.choice(["first", "first", "second", "troika", "solo"])
    # Forehand, who is A here, has to bid: the First Duty is hers, and nobody else's; the Second never is.
    bidder = {"first": "A", "second": rng.choice("BCD")}.get(contract, rng.choice(SEATS))
    partner = rng.choice([s for s in SEATS if s != bidder] + ["alone"])
    lines = [f"sheet contract {contract}", f"sheet bidder {bidder}"]
    level = 1
    if contract in ("first", "second"):
        lines.append(f"sheet partner {partner}")
    else:
        partner = "alone"
    if contract == "troika":
        level = rng.randint(1, 3)
        lines.append(f"sheet level {level}")
    sides = {s: "bidder" if s in (bidder, partner) else "opponents" for s in SEATS}
    other = {"bidder": "opponents", "opponents": "bidder"}
    points = rng.randint(20, 60)
    lines.append(f"sheet points bidder {points}")
    factor = rng.choice([1, 1, 1, 2, 4])
    if factor > 1:
        lines.append(f"sheet double game {'flek' if factor == 2 else 're'}")
    # The game: what a side has over 35, times the rate; a tie costs the bidder's side 1.
    rate = 6 if contract == "solo" else level
    won = "bidder" if points > 35 else "opponents"
    total = paid(sides, won, (abs(points - 35) * rate or 1) * factor)
    pagat = "announced" if contract == "second" else rng.choice(["", "", "silent", "announced"])
    if pagat:
        seat = bidder if contract == "second" else rng.choice(SEATS)
        made = rng.random() < 0.5
        side = sides[seat] if made else other[sides[seat]]
        lines.append(f"sheet pagat {pagat} {seat} {'made' if made else 'failed'}")
        amount = 10
        if pagat == "announced":
            raised = rng.choice([1, 1, 2])
            if raised == 2:
                lines.append("sheet double pagat flek")
            amount = 20 * raised
        for s, p in paid(sides, side, amount).items():
            total[s] += p
    if rng.random() < 0.4:
        seat, item = rng.choice(SEATS), rng.choice(list(HANDS))
        if item != "trul" or not pagat:
            lines.append(f"sheet hand {seat} {item}")
            for s, p in paid(sides, sides[seat], HANDS[item]).items():
                total[s] += p
    rng.shuffle(lines)
    return lines, {s: total[s] for s in SEATS}


def record(evening: int, number: int, lines: list[str], score: dict[str, int]) -> str:
    """A sheet with its tags, as the club's secretary writes it."""
    names = "\n".join(f'[{s} "{name}"]' for s, name in zip(SEATS, NAMES, strict=True))
    claim = " ".join(f"{s}={score[s]}" for s in SEATS)
    return (
        f'[TGN "1"]\n[Game "taroky"]\n{names}\n[Dealer "D"]\n[Date "2026-10-{evening % 28 + 1:02}"]\n'
        f'[Session "Evening {evening + 1}"]\n[Deal "{number}"]\n[Score "{claim}"]\n\n'
        + "\n".join(lines)
        + "\n"
    )


def month() -> tuple[list[str], list[dict[int, dict[str, int]]]]:
    """The text of each evening; and evening by evening, number → the points that count."""
    rng = random.Random(20261031)
    dealt = simulate("taroky", deals=EVENINGS * len(WITH_CARDS), seed=31)
    texts, expected = [], []
    for evening in range(EVENINGS):
        rows, counts = [], {}
        for number in range(1, DEALS + 1):
            if number in WITH_CARDS:
                day = f"2026-10-{evening % 28 + 1:02}"
                tags = {"Session": f"Evening {evening + 1}", "Date": day, "Deal": str(number)}
                played = replace(
                    next(dealt), players=dict(zip(SEATS, NAMES, strict=True)), tags=tags, score=None
                )
                paper = sheet_of(played)
                assert paper is not None
                rows += [write_text(paper), write_text(played)]
                score = check(played).score
                assert score is not None
                counts[number] = score
                continue
            lines, score = sheet(rng)
            mistake = MISTAKES.get((evening, number))
            claim = score
            if mistake == "claim":
                claim = score | {"A": score["A"] + 1, "B": score["B"] - 1}
            elif mistake == "points":
                lines = [("sheet points bidder 71" if "points" in line else line) for line in lines]
            elif mistake == "partner":
                lines = [line for line in lines if " partner " not in line and " contract " not in line]
            rows.append(record(evening, number, lines, claim))
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


@pytest.mark.parametrize("send", [send_by_api, send_by_page])
def test_a_month_of_a_club(send, monkeypatch) -> None:
    monkeypatch.setattr(uploads, "wait", work)
    owner = User.objects.create_user("secretary")
    club = spaces.found_club("Kotva", by=owner)
    texts, expected = month()
    send(texts, club, owner)
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
