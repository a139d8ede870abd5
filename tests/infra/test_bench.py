"""The parts of the bench work; what they measure is nobody's business here."""

from __future__ import annotations

from tarock.notation import read_one, write_text
from tarock.simulate import simulate
from tarock.verify import check
from tools.bench.__main__ import Own, _cpu, mean, replayed, stored


def test_the_bench_runs_what_the_product_runs() -> None:
    texts = [write_text(record) for record in simulate("taroky", deals=5, seed=3)]
    for text in texts:
        record = read_one(text)
        assert stored(text).score == check(record).score
        assert [at.step for at in replayed(record)] == list(range(len(record.events) + 1))
    assert _cpu("\n".join(texts), "--json") > 0


def test_a_round_keeps_the_shortest_time_of_each_input() -> None:
    seen: list[int] = []
    contender = Own(seen.append, [1, 2])
    contender.round()
    first = list(contender.best)
    contender.round()
    assert seen == [1, 2, 1, 2]
    assert all(0 < now <= before for now, before in zip(contender.best, first, strict=True))
    assert mean(contender) > 0
