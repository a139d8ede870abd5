"""Records that the tests of the command share."""

from __future__ import annotations

import pytest

from tarock.analysis.simulate import simulate
from tarock.analysis.verify import check
from tarock.core.record import Record
from tarock.notation import write_text


@pytest.fixture(scope="session")
def good() -> list[Record]:
    return [
        record
        for game in ("strohmann", "taroky", "troggu", "grosstarock")
        for record in simulate(game, deals=2, seed=77)
    ]


@pytest.fixture(scope="session")
def taroky() -> str:
    (record,) = simulate("taroky", deals=1, seed=77)
    record.score = check(record).score
    return write_text(record)
