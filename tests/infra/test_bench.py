"""The parts of the bench work; what they measure is nobody's business here."""

from __future__ import annotations

from tarock.notation import read, write_text
from tarock.simulate import simulate
from tests.bench.__main__ import Own, everything, files, from_text, mean, parsed


def test_our_ways_through_a_record_agree() -> None:
    texts = [write_text(record) for record in simulate("taroky", deals=5, seed=3)]
    (file, rest) = files(texts, 4)
    assert rest == texts[4]
    records = [entry.record for entry in read(file) if entry.record is not None]
    alone = [everything(text) for text in texts[:4]]
    assert from_text(file) == parsed(records) == [(one["verdict"], one["score"]) for one in alone]
    assert {one["verdict"] for one in alone} == {"verified"}


def test_a_round_keeps_the_shortest_time_of_each_input() -> None:
    seen: list[int] = []
    contender = Own(seen.append, [1, 2])
    contender.round()
    first = list(contender.best)
    contender.round()
    assert seen == [1, 2, 1, 2]
    assert all(0 < now <= before for now, before in zip(contender.best, first, strict=True))
    assert mean(contender) > 0
