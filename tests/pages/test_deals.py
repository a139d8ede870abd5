"""The page of a deal, its verdict, its downloads, what others said of it, printed sheet, unknown cards."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from archive.models import Contribution, Deal, Part
from archive.shown import ShownDeal
from replays.deal.analysis import analysis_of
from replays.deal.decisive import decisive
from replays.deal.views import deals as views
from replays.language import words
from tarock.analysis import replay
from tarock.notation import dump_json, read, read_one, write_json
from tarock.words import names as naming
from tests.pages.sharing import SITE, get
from tests.support import samples

from .conftest import Page, Store, missing, page_at, present, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]


def test_a_page_opens_with_the_table_when_the_deal_was_decided(client: Client, store: Store) -> None:
    """By a card that earned most; where an event breaks a rule, at that; where it ends too early, at its end;
    where nothing was played, as it stood. The table is a picture, with its words."""
    for text, step, sentence in (
        (samples.TAROKY, samples.LAST_STEP, "Alena announces re (×4) on the pagat and wins 80."),
        (samples.ILLEGAL, samples.ILLEGAL_EVENT + 1, "Bořek plays"),
        (samples.UNFINISHED, samples.LAST_STEP - 4, "Trick 11"),
        (samples.dealt(1), 0, "The cards are dealt"),
    ):
        (deal,) = store(text)
        page = page_at(client, f"/deals/{deal.pk}/")
        assert f"/deals/{deal.pk}/replay/?step={step}" in page.attributes("href"), text
        assert sentence in page.text
        assert "img" in [attrs.get("role") for tag, attrs in page.tags if tag == "div"]


def test_a_deal_that_no_card_decides_is_decided_by_its_threshold(store: Store) -> None:
    """At the first trick after which one side has what it needs, or can't have it any more."""
    tables = {"taroky": 4, "troggu": 5, "strohmann": 2, "grosstarock": 3}
    records = [record for game, players in tables.items() for record in samples.simulated(game, players, 8)]
    passed = 0
    for deal in store(samples.as_text(records)):
        analysis = analysis_of(deal)
        account = analysis.account(False, None)
        found, threshold = decisive(deal, analysis), account.threshold
        assert found.step in {row.step for row in account.rows} or not account.rows
        if found.event is not None or threshold is None or threshold.side is None:
            continue
        at = [row.step for row in account.rows].index(found.step)
        for row in account.rows[:at]:
            assert row.points[threshold.side] < threshold.points
        own = account.rows[at].points[threshold.side]
        others = sum(account.rows[at].points.values()) - own
        last = found.step == account.rows[-1].step
        assert own >= threshold.points or others > threshold.of - threshold.points or last
        passed += 1
    assert passed > 5


def test_what_is_wrong_comes_after_where(client: Client, store: Store) -> None:
    """As the audit and the command line say it: no number of an event, and the trick but once."""
    for record, sentence in (
        (samples.ILLEGAL, r"Trick 4, second card: Bořek plays"),
        (samples.UNFINISHED, r"Trick 11, fourth card: \w+ plays [^:]+, and the record ends there"),
    ):
        (deal,) = store(record)
        for page in ("", "print/"):
            text = text_of(client, f"/deals/{deal.pk}/{page}")
            assert re.search(sentence, text)
            assert present(text, "Event 2", "Trick 4: Bořek") == []


@pytest.fixture
def evas(client: Client, store: Store) -> ShownDeal:
    """A deal that Eva sent, in whose browser we look."""
    eva = User.objects.create_user("eva")
    client.force_login(eva)
    return store(samples.ANNOTATED, user=eva)[0]


def test_a_deals_page_has_its_tags_players_score_and_links(client: Client, evas: ShownDeal) -> None:
    page = page_at(client, f"/deals/{evas.pk}/")
    tags = ("Czech Taroky", "Hlučín club evening", "20 November 2026", "Annotator", "Petr", "Alena")
    words = ("First Duty", "tarock XIX", "the deal of the evening", "+105", "−105", evas.hex_digest[:16])
    option = "an uncontested First Duty is settled without play"
    assert missing(page.text, *tags, *words, option) == []
    parts = ("replay/", "audit/", "deal.tgn", "deal.json", "original")
    links = {f"/deals/{evas.pk}/{part}" for part in parts}
    assert links | {f"/sessions/{evas.contribution.session_id}/"} <= set(page.attributes("href"))


def test_a_disputed_score_is_next_to_the_right_one(client: Client, store: Store) -> None:
    """And the history calls the deal disputed."""
    here = f"/deals/{store(samples.WRONG_CLAIM)[0].pk}/"
    assert missing(client.get(here).text, "<del>+100</del>", "+105") == []
    for page in ("", "audit/"):
        html = client.get(here + page).text
        assert "≠ Disputed" in Page(html).text.partition("Verification history")[2]
        assert "badge-verified" not in html


def test_downloads(client: Client, evas: ShownDeal, settings: Any) -> None:
    names = ("deal.tgn", "deal.json", "original")
    text, form, original = answers = [client.get(f"/deals/{evas.pk}/{name}") for name in names]
    assert text.text == samples.ANNOTATED
    assert text["Content-Type"] == "application/vnd.tgn; charset=utf-8"
    assert form.json()["players"]["B"] == "Bořek"
    assert original.text.strip() == samples.ANNOTATED.strip()
    for answer in answers:
        assert answer["Content-Disposition"].startswith("attachment")
        assert answer["X-Content-Type-Options"] == "nosniff"
    # Bytes that are gone are not offered.
    settings.ARCHIVE_RETENTION_DAYS = 30
    Deal.objects.update(stored_at=timezone.now() - timedelta(days=31))
    Part.objects.update(data=b"")
    address = f"/deals/{evas.pk}/original"
    assert address not in page_at(client, f"/deals/{evas.pk}/").attributes("href")
    assert client.get(address).status_code == 404


def test_a_record_that_text_cannot_hold_has_no_text_to_download(client: Client, store: Store) -> None:
    record = json.loads(dump_json(store(samples.ANNOTATED)[0].record))
    record["events"][samples.FIRST_CARD] = ["B", "play", "T5"]
    (deal,) = store(json.dumps(record))
    assert deal.canonical is None
    assert client.get(f"/deals/{deal.pk}/deal.tgn").status_code == 404
    links = page_at(client, f"/deals/{deal.pk}/").attributes("href")
    assert f"/deals/{deal.pk}/deal.tgn" not in links
    assert f"/deals/{deal.pk}/deal.json" in links


def test_what_others_said_of_the_deal_is_below(
    client: Client, store: Store, taroky: ShownDeal, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = f"/deals/{taroky.pk}"
    assert "Also sent as" not in client.get(f"{here}/").text
    other = samples.WRONG_CLAIM.replace('"Cyril"', '"Cyrus"').replace("2026-11-20", "2026-11-21")
    (same,) = store(other, user=User.objects.create_user("eva"))
    assert same.pk == taroky.pk
    text = text_of(client, f"{here}/")
    first, _, below = text.partition("Also sent as")
    assert "Verified" in first, "the page shows the first contribution"
    assert missing(below, "Cyrus", "21 November 2026 +100 −100 −100 +100 ≠ Disputed") == []
    assert "eva" not in text
    # A search that matches another contribution shows that one.
    said = Contribution.objects.get(seats__player__name="Cyrus")
    assert f"{here}-{said.pk}/" in page_at(client, "/deals/?player=cyrus").attributes("href")
    assert "Cyrus" in text_of(client, f"{here}-{said.pk}/replay/")
    # Only some of many are listed.
    store(samples.ANNOTATED.replace('"Cyril"', '"Cyprian"'), user=User.objects.create_user("fay"))
    for most, left_out in ((2, []), (1, ["Cyprian"])):
        monkeypatch.setattr(views, "MOST_OTHERS", most)
        below = text_of(client, f"{here}/").partition("Also sent as")[2]
        assert missing(below, "Cyrus", "Cyprian") == left_out
        assert ("and others" in below) == bool(left_out)


def rows(html: str, name: str) -> list[list[str]]:
    """The rows of a table of the printed sheet as texts."""
    table = re.search(rf'<table class="{name}">(.*?)</table>', html, re.DOTALL)
    assert table, name
    cells = (re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in table[1].split("<tr")[1:])
    return [[" ".join(unescape(re.sub(r"<[^>]*>", " ", cell)).split()) for cell in row] for row in cells]


def test_the_printed_sheet_holds_the_whole_deal(client: Client, taroky: ShownDeal) -> None:
    text = get(client, f"/deals/{taroky.pk}/print/").text
    page = Page(text)
    assert not page.unsafe
    head = ("Czech Taroky", "Hlučín club evening", "2026-11-20", "Alena", "deal 7", "Verified:", "First Duty")
    assert missing(page.text, *head, f"{SITE}/deals/{taroky.pk}/", "A Alena discards ♠8 ♥1 ♦4 ♣9") == []
    hands = {row[0]: row[1] for row in rows(text, "hands")}
    assert hands["A Alena"] == "XX XVII XVI XIV XII IX VI IV I ♣ 9 ♦ Q 4"
    assert hands["Talon"] == "♠ 8 7 ♥ K 1 ♣ K ♦ J"
    tricks = rows(text, "tricks")
    assert len(tricks) == 1 + 12 + 2
    # The first trick: Alena leads XX and takes it, against V, VII and XV.
    assert tricks[1] == ["1", "▸ leads XX takes the trick", "V", "VII", "XV", tricks[1][5]]
    assert tricks[2][1:5] == ["▸ leads XII", "III", "XXI takes the trick", "XIX"]
    assert sum(int(n) for n in tricks[-2][1:5]) == 12
    points = [[int(n) for n in cell.split(" + ")] for cell in tricks[-1][1:5]]
    end = replay.position(taroky.record, samples.LAST_STEP)
    assert [sum(told) for told in points] == [end.points[seat] for seat in "ABCD"]
    # The column adds up to the points in the tricks; the discards are next to them.
    assert sum(int(row[5]) for row in tricks[1:13]) == sum(told[0] for told in points)
    assert len(points[0]) == 2
    score = rows(text, "score")
    assert len(score) == 1 + len(taroky.lines) + 2
    assert score[-2] == ["Total", "+105", "−105", "−105", "+105"]
    assert score[-1] == ["Written down", "+105", "−105", "−105", "+105"]
    for column, seat in enumerate("ABCD", 1):
        cells = [int(row[column].replace("−", "-") or 0) for row in score[1:-2]]
        assert sum(cells) == int(score[-2][column].replace("−", "-")), seat


def test_what_broke_a_rule_is_marked_on_the_printed_sheet(client: Client, store: Store) -> None:
    """A card in its trick, a word among the others; there the sheet ends, without a score."""
    (deal,) = store(samples.ILLEGAL)
    text = get(client, f"/deals/{deal.pk}/print/").text
    assert missing(text, "Illegal:", "[taroky.follow]", "✗ breaks a rule") == []
    assert 'class="score"' not in text
    assert rows(text, "tricks")[4][:3] == ["4", "▸ leads ♦Q", "✗ breaks a rule: ♠K"]
    assert len(rows(text, "tricks")) == 1 + 4 + 2, "a head, the tricks, two rows of sums"
    (spoken,) = store(samples.ANNOTATED.replace("A bid first", "A bid valat"))
    text = get(client, f"/deals/{spoken.pk}/print/").text
    assert text.count('class="wrong"') == 1
    assert "taroky" not in rows(text, "hands")


def test_every_card_and_trick_is_on_the_printed_sheet(client: Client, table_deal: ShownDeal) -> None:
    record, game = table_deal.record, words.of(table_deal.game)
    text = get(client, f"/deals/{table_deal.pk}/print/").text
    ranks = " ".join(row[1] for row in rows(text, "hands")[: len(record.deal)])
    cards = [card for dealt in record.deal.values() for card in dealt]
    for rank, wanted in Counter(naming.card_short(game, card).lstrip("♠♥♦♣") for card in cards).items():
        assert len(re.findall(rf"(?<![\w:]){rank}(?![\w:])", ranks)) >= wanted, rank
    end = replay.position(record, replay.last_step(record))
    shown = [row for row in rows(text, "tricks")[1:-2] if row[0]] if end.tricks else []
    for row, trick in zip(shown, end.tricks, strict=True):
        for seat, cell in zip(end.active, row[1:-1], strict=True):
            card = next(p.card for p in trick.plays if p.seat == seat)
            assert naming.card_short(game, card) in cell.split()
            assert ("leads" in cell) == (seat == trick.leader)
            assert ("takes the trick" in cell) == (seat == trick.winner)


WHOLE = read_one(samples.TAROKY)


def without(*places: str, events: int | None = None, discards: bool = True) -> str:
    """The Taroky deal without the deal lines of some places, and if so without what was laid away."""
    if events is not None:
        form = write_json(WHOLE) | {"events": [list(event) for event in WHOLE.events[:events]]}
        form["deal"] = {place: cards for place, cards in form["deal"].items() if place not in places}
        del form["score"]
        return json.dumps(form)
    text = re.sub(rf"deal (?:{'|'.join(places)}) .*\n", "", samples.TAROKY)
    return text if discards else re.sub(r"(?<=discard ).*", lambda cards: re.sub(r"\w+", "?", cards[0]), text)


UNKNOWN = "Not all cards of Alena, Bořek and Dana are known"


@pytest.mark.parametrize(
    ("text", "verdict", "finding"),
    [
        # The taken cards follow from the hands; the order of A's four makes no difference.
        (without("talon"), "verified", "Verified"),
        # The six of the talon and what was laid away for them may have lain anywhere in those hands.
        (without("A", "B", "D", "talon"), "incomplete", UNKNOWN),
        (without("A", "B", "C", "D", "talon", discards=False), "incomplete", UNKNOWN),
        (without("C", "D", events=30), "incomplete", "the record ends there"),
    ],
)
def test_every_page_shows_it(client: Client, store: Store, text: str, verdict: str, finding: str) -> None:
    (deal,) = store(text)
    assert deal.verdict == verdict
    here = f"/deals/{deal.pk}"
    assert finding in text_of(client, f"{here}/")
    ways = "?step=0", "?step=7&view=B", "?step=20&hands=none", "?step=20&view=B", "?step=99"
    ends = ("audit/", "print/", "embed/", "embed/?step=20", "frames.json", *(f"replay/{way}" for way in ways))
    files = ("deal.tgn", "deal.json", "position.png?step=9&size=small", "frames.json?view=C", "try/?step=5")
    pages = [f"{here}/{end}" for end in (*ends, *files)]
    pages += [f"/api/v1{here}{end}" for end in ("", "/replay", "/replay/positions", "/replay/5", "/score")]
    pages += ["/deals/", f"/deals/deals.csv?verdict={verdict}", f"/deals/deals.jsonl?verdict={verdict}", "/"]
    for address in pages:
        answer = client.get(address)
        assert answer.status_code in (200, 404, 409), (address, answer.status_code)
        assert answer.getvalue(), address
    assert read_one(client.get(f"{here}/deal.json").text).digest == read_one(text).digest


def test_unknown_cards_are_backs_in_the_replay(client: Client, store: Store) -> None:
    (deal,) = store(without("C", "D", events=30))
    first = client.get(f"/deals/{deal.pk}/frames.json").json()["frames"][0]
    for seat in "CD":
        held = " ".join(first["zones"][f"hand-{seat}-{row}"] for row in (0, 1)).split()
        assert len(held) == 12
        assert "back" in held
    assert "back" not in first["zones"]["hand-A-0"]


def test_a_revoke_is_found_in_hindsight(client: Client, store: Store) -> None:
    """Nobody knows C's hand, but he throws a heart to trick 5 after a spade to the hearts of trick 4."""
    wrong = without("A", "B", "C", "D").replace("5. A HK HQ H3 HC", "5. A HK HQ SC HC")
    (deal,) = store(wrong.replace("S7 SC SQ", "S7 H3 SQ"))
    assert deal.verdict == "illegal"
    text = text_of(client, f"/deals/{deal.pk}/")
    assert "Cyril plays ♠C, but must follow suit (hearts) and holds ♥3" in text


def test_a_score_that_was_agreed_on_is_shown_and_counts_nowhere(client: Client, store: Store) -> None:
    """A revoke that stood: the verdict stays illegal, and what the players made of it is no score."""
    (deal,) = store(samples.AGREED)
    assert (deal.verdict, deal.score) == ("illegal", None)
    for page in ("", "audit/"):
        text = text_of(client, f"/deals/{deal.pk}/{page}")
        assert "agreed on this score; it was not checked: Alena +20" in text
    for wrong, reason in (
        ("A=1", "score-missing"), ("A=1 B=1 C=1 D=x", "no-score"), ("A=1 B=1 C=1 D=1 E=1", "unknown-seat"),
    ):  # fmt: skip
        assert read(samples.AGREED.replace("A=20 B=-20 C=-20 D=20", wrong))[0].errors[0].reason == reason
