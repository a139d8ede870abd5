"""Check a commit message against the rules of CONTRIBUTING.md: `python tools/commit_message.py FILE`.

After `make hooks`, Git runs this check through `tools/hooks/commit-msg`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

LONGEST = 60
"""Maximum number of characters in a subject."""

_NO_VERB = re.compile(
    r"(?!(?:Bring|Embed|Feed|Need|Seed|Shed|Speed)\b)"
    r"(?:A|An|The|What|Who|How|No|All|Some|\w+(?:ed|ing|[^sui]s))\b"
)
"""Pattern for first words that can't be an imperative."""


def faults(message: str) -> list[str]:
    """Return the faults in a commit message. The messages of merges, fixups and reverts are not checked."""
    lines = [line for line in message.splitlines() if not line.startswith("#")]
    subject = lines[0] if lines else ""
    if re.match(r"(?:Merge|Revert|fixup!|squash!) ", subject):
        return []
    found = []
    if not subject:
        found.append("The subject is empty.")
    if len(subject) > LONGEST:
        found.append(f"The subject has {len(subject)} characters; at most {LONGEST} are allowed.")
    if subject.endswith("."):
        found.append("The subject ends with a full stop.")
    if subject and (not subject[0].isupper() or _NO_VERB.match(subject)):
        found.append("The subject must begin with a verb in the imperative, such as “Reject” or “Store”.")
    if len(lines) > 1 and lines[1]:
        found.append("Leave the second line empty.")
    return found


def main() -> int:
    """Print the faults in the message that a file contains. Return exit status 1 if there are any."""
    found = faults(Path(sys.argv[1]).read_text(encoding="utf-8"))
    for fault in found:
        print(fault, file=sys.stderr)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
