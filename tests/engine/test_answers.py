"""The engine's answers about the chosen deals of `tests/conformance` stay the same, sentences aside."""

from __future__ import annotations

import json

import pytest

from tests.engine import answers
from tests.support.effort import EVERY

EXPECTED: dict[str, dict[str, str]] = json.loads(answers.DIGESTS.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("number", "key"), [*enumerate(EXPECTED)])
def test_the_engine_answers_as_before(number: int, key: str) -> None:
    """A quick run compares one aspect of each deal."""
    expected = EXPECTED[key]
    chosen = [*expected] if EVERY == 1 else [[*expected][number % len(expected)]]
    found = {aspect: answers.digest(aspect, key) for aspect in chosen}
    wanted = {aspect: expected[aspect] for aspect in chosen}
    assert found == wanted, "if this is intended: python -m tests.engine.answers"
