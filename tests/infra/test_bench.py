"""The parts of the bench work; what they measure is nobody's business here."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tarock.analysis.simulate import simulate
from tarock.analysis.verify import check
from tarock.notation import read_one, write_text
from tools.bench import cpu_seconds, release
from tools.bench.__main__ import main
from tools.bench.engine import Own, mean, replayed, stored, verify_seconds
from tools.site import PROJECT


def test_the_bench_runs_what_the_product_runs() -> None:
    texts = [write_text(record) for record in simulate("taroky", deals=5, seed=3)]
    for text in texts:
        record = read_one(text)
        assert stored(text).score == check(record).score
        assert [at.step for at in replayed(record)] == list(range(len(record.events) + 1))
    assert verify_seconds("\n".join(texts), "--json") > 0


def test_a_round_keeps_the_shortest_time_of_each_input() -> None:
    seen: list[int] = []
    contender = Own(seen.append, [1, 2])
    contender.round()
    first = list(contender.best)
    contender.round()
    assert seen == [1, 2, 1, 2]
    assert all(0 < now <= before for now, before in zip(contender.best, first, strict=True))
    assert mean(contender) > 0


def test_the_cpu_time_of_a_process_includes_its_descendants() -> None:
    busy = [sys.executable, "-c", "sum(range(5_000_000))"]
    waits = f"import subprocess; subprocess.run({busy!r}); print(flush=True); input()"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", waits], **pipes) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert 0.03 < cpu_seconds(process.pid) < 60
        process.communicate("\n")


def test_more_cpu_time_than_the_release_allows_is_exit_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    assert release.compare("storing", [1.0, 1.15], 1000, 1.15)
    assert not release.compare("storing", [1.0, 1.16], 1000, 1.15)
    monkeypatch.setattr("tools.bench.__main__.apart", lambda function, options: False)
    monkeypatch.setattr(sys, "argv", ["bench", "release"])
    assert main() == 1
    monkeypatch.setattr(sys, "argv", ["bench", "relaese"])
    with pytest.raises(SystemExit, match="2"):
        main()


def test_the_release_to_compare_with_is_a_commit_of_this_repository() -> None:
    git = ["git", "-C", str(PROJECT)]
    if subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, check=False).returncode:
        pytest.skip("no repository here")
    kind = [*git, "cat-file", "-t", release.LAST_RELEASE]
    assert subprocess.run(kind, capture_output=True, text=True, check=True).stdout == "commit\n"
    with release.worktree(release.LAST_RELEASE) as folder:
        assert (folder / "tarock" / "__main__.py").exists()
    assert not folder.exists()
