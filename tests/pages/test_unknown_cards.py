"""Deals with unknown cards: stored, shown and exported as far as they are known."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from archive.models import Deal
from tarock.notation import read, read_one, write_json, write_text
from tests import samples

from .conftest import Page, Store

pytestmark = pytest.mark.django_db

WHOLE = read_one(samples.TAROKY)


def without(*places: str, events: int | None = None, discards: bool = True) -> str:
    """The Taroky deal without the deal lines of some places, and if so without what was laid away."""
    lines = []
    for line in samples.TAROKY.splitlines():
        words = line.split()
        if words[:1] == ["deal"] and words[1] in places:
            continue
        if not discards and words[1:2] == ["discard"]:
            line = " ".join([*words[:2], *["?"] * len(words[2:])])
        lines.append(line)
    text = "\n".join(lines) + "\n"
    if events is not None:
        form = write_json(WHOLE) | {"events": [list(event) for event in WHOLE.events[:events]]}
        form["deal"] = {place: cards for place, cards in form["deal"].items() if place not in places}
        form.pop("score")
        return json.dumps(form)
    return text


def test_hands_that_follow_from_the_play_are_the_deal(client: Client, store: Store) -> None:
    """All four hands are played out; with talon and discards known nothing is left open."""
    (whole,) = store(samples.TAROKY)
    (same,) = store(without("A", "B", "C", "D").replace("table 2", "table 3"))
    assert same.pk == whole.pk
    assert read_one(without("A", "B", "C", "D")) == WHOLE


@pytest.mark.parametrize(
    ("text", "verdict", "finding"),
    [
        # The taken cards follow from the hands; the order of A's four makes no difference.
        (without("talon"), "verified", "Verified"),
        # The six of the talon and what was laid away for them may have lain anywhere in those hands.
        (without("A", "B", "D", "talon"), "incomplete", "Not all cards of Alena, Bořek and Dana are known"),
        (
            without("A", "B", "C", "D", "talon", discards=False),
            "incomplete",
            "Not all cards of Alena, Bořek and Dana are known",
        ),
        (without("C", "D", events=30), "incomplete", "there the record ends"),
    ],
)
def test_every_page_shows_what_is_known(
    client: Client, store: Store, text: str, verdict: str, finding: str
) -> None:
    (deal,) = store(text)
    assert deal.verdict == verdict
    key = deal.pk
    page = Page(client.get(f"/deals/{key}/").content.decode())
    assert finding in page.text
    pages = [f"/deals/{key}/{end}" for end in ("audit/", "print/", "embed/", "embed/?step=20", "frames.json")]
    pages += [
        f"/deals/{key}/replay/?step={step}{view}"
        for step in (0, 7, 20, 99)
        for view in ("", "&view=B", "&hands=none")
    ]
    pages += [
        f"/deals/{key}/{end}"
        for end in ("deal.tgn", "deal.json", "position.png?step=9", "frames.json?view=C", "try/?step=5")
    ]
    pages += [
        f"/api/v1/deals/{key}{end}" for end in ("", "/replay", "/replay/positions", "/replay/5", "/score")
    ]
    pages += ["/deals/", f"/deals.csv?verdict={verdict}", f"/deals.jsonl?verdict={verdict}", "/"]
    for address in pages:
        answer = client.get(address)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        assert answer.status_code in (200, 404, 409), (address, answer.status_code)
        assert body, address
    assert read_one(client.get(f"/deals/{key}/deal.json").content.decode()).digest == read_one(text).digest


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
    wrong = (
        without("A", "B", "C", "D")
        .replace("5. A HK HQ H3 HC", "5. A HK HQ SC HC")
        .replace("S7 SC SQ", "S7 H3 SQ")
    )
    assert wrong.count("H3") == 1
    (deal,) = store(wrong)
    assert deal.verdict == "illegal"
    text = Page(client.get(f"/deals/{deal.pk}/").content.decode()).text
    assert "Cyril plays ♠C, but must follow suit (hearts) and holds ♥3" in text


def test_a_score_that_was_agreed_on_is_shown_and_counts_nowhere(client: Client, store: Store) -> None:
    """A revoke that stood: the verdict stays illegal, and what the players made of it is no score."""
    (deal,) = store(samples.AGREED)
    assert (deal.verdict, deal.score) == ("illegal", None)
    for page in ("", "audit/"):
        text = Page(client.get(f"/deals/{deal.pk}/{page}").content.decode()).text
        assert "agreed on this score; it was not checked: Alena +20" in text
    for wrong, reason in (
        ("A=1", "score-missing"),
        ("A=1 B=1 C=1 D=x", "no-score"),
        ("A=1 B=1 C=1 D=1 E=1", "unknown-seat"),
    ):
        faulty = read(samples.AGREED.replace("A=20 B=-20 C=-20 D=20", wrong))[0]
        assert faulty.errors[0].reason == reason


def test_text_and_json_say_the_same() -> None:
    record = read_one(without("A", "talon", discards=False))
    assert read_one(write_text(record)) == record == read_one(json.dumps(write_json(record)))
    assert "deal talon ? ? ? ? S7 DJ\n" in write_text(record), (
        "two cards that B and D played are not of their hands"
    )
    assert Deal.objects.count() == 0
