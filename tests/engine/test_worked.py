"""The hand-worked deals: the engine comes to the scores that were found on paper."""

from __future__ import annotations

import pytest

from tarock.analysis.verify import check
from tarock.notation import read_one, write_text
from tests.engine.builder import comparable
from tests.engine.worked import WORKED, Worked

ALL = pytest.mark.parametrize("deal", WORKED.values(), ids=WORKED)


@ALL
def test_worked(deal: Worked) -> None:
    assert write_text(read_one(deal.text)) == deal.text
    found = deal.check()
    assert found.verdict == "verified"
    lines = [(line.clause, line.points) for line in found.lines]
    assert comparable(lines) == comparable(deal.lines)
    assert found.score == deal.score
    assert found.facts["card_points"] == deal.card_points
    assert found.facts.get("dead_bettler") == deal.dead_bettler


@ALL
def test_the_claimed_score(deal: Worked) -> None:
    """With the right claim the deal is verified, with another one disputed; the score stays what it is."""
    for change, verdict in ((0, "verified"), (1, "disputed")):
        claim = " ".join(f"{s}={p + change * (s == 'A')}" for s, p in deal.score.items())
        text = deal.text.replace("\n\ndeal ", f'\n[Score "{claim}"]\n\ndeal ', 1)
        found = check(read_one(text))
        assert (found.verdict, found.score) == (verdict, deal.score)
        assert found.claim == {s: p + change * (s == "A") for s, p in deal.score.items()}
        assert found.digest == deal.check().digest, "the claim is no part of the identity"
