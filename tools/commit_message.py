"""Check a commit message against the rules of CONTRIBUTING.md. After `make hooks`, Git runs this check."""

from __future__ import annotations

import re
import sys
from pathlib import Path

LONGEST = 60
"""Maximum number of characters in a subject."""

_FAULTS = {
    r"\s*$": "The subject is empty.",
    rf".{{{LONGEST + 1}}}": f"The subject has more than {LONGEST} characters.",
    r".*\.(\n|$)": "The subject ends with a full stop.",
    r"[^A-Z\s]|(?!(?:Bring|Embed|Feed|Need|Seed|Shed|Speed)\b)"
    r"(?:A|An|The|What|Who|How|No|All|Some|\w+(?:ed|ing|[^sui]s))\b": (
        "The subject must begin with a verb in the imperative, such as “Reject” or “Store”."
    ),
    r".*\n[^\n#]": "Leave the second line empty.",
}
"""Patterns of messages with a fault, and what the fault is."""


def faults(message: str) -> list[str]:
    """Return the faults in a commit message. The messages of merges, fixups and reverts are not checked."""
    if re.match(r"(?:Merge|Revert|fixup!|squash!) ", message):
        return []
    return [fault for pattern, fault in _FAULTS.items() if re.match(pattern, message)]


if __name__ == "__main__":
    sys.exit("\n".join(faults(Path(sys.argv[1]).read_text(encoding="utf-8"))) or None)
