"""The check of commit messages that `make hooks` installs."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tools.commit_message import LONGEST, faults
from tools.site import PROJECT

GOOD = [
    "Reject deals dated in the future",
    "Show a score and its remarks by one view\n\nThe reason.\n# a comment of git",
    *("Process bulk uploads last", "Discuss limits in the guide", "Embed a replay in other sites"),
    *("Merge branch 'next'", "X" + "y" * (LONGEST - 1)),
]
BAD = {
    "empty": [""],
    "more than 60 characters": ["Y" * (LONGEST + 1)],
    "second line": ["Reject deals\nThe reason."],
    "full stop": ["Reject deals dated in the future."],
    "imperative": [
        *("The tests follow the sentences", "What is not flat", "reject deals"),
        *("Added a page", "Adding a page", "Adds a page"),
    ],
}


def test_a_bad_message_is_refused_with_the_reason_and_a_good_one_accepted() -> None:
    assert [faults(message) for message in GOOD] == [[]] * len(GOOD)
    for what, messages in BAD.items():
        for message in messages:
            assert [what in fault for fault in faults(message)] == [True], message


def test_make_hooks_installs_the_check(tmp_path: Path) -> None:
    def git(*words: str) -> subprocess.CompletedProcess[str]:
        command = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    git("init", "-q")
    for name in ("Makefile", "tools"):
        (tmp_path / name).symlink_to(PROJECT / name)
    subprocess.run(["make", "-s", "hooks"], cwd=tmp_path, check=True)
    refused = git("commit", "--allow-empty", "-m", "The tests follow")
    assert refused.returncode == 1
    assert "imperative" in refused.stderr
    assert git("commit", "--allow-empty", "-m", "Follow the sentences").returncode == 0
