"""The engine's answers about the chosen deals of `tests/conformance` stay the same, sentences aside."""

from __future__ import annotations

import json

import pytest

from tests.engine import answers

EXPECTED: dict[str, dict[str, str]] = json.loads(answers.DIGESTS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("key", EXPECTED)
def test_the_engine_answers_as_before(key: str) -> None:
    found = {aspect: answers.digest(aspect, key) for aspect in answers.ASPECTS}
    assert found == EXPECTED[key], "if this is intended: python -m tests.engine.answers"
