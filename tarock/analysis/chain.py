"""The log of an archive's published files, in which a change of an earlier line shows.

Each line ends with the SHA-256 of the line before it, in hex; that of the first line is 64 zeros. So a line
stands for all lines before it.
"""

from __future__ import annotations

import hashlib

_NOTHING = "0" * 64


def hash_of(line: str) -> str:
    """Return the hash of a line, given without its line feed."""
    return hashlib.sha256(line.encode("utf-8", "surrogateescape")).hexdigest()


def newest(log: str) -> str:
    """Return the hash of the last complete line of a log; of an empty log 64 zeros."""
    lines = log.split("\n")[:-1]
    return hash_of(lines[-1]) if lines else _NOTHING


def continued(log: str, entries: list[str]) -> str:
    """Return new lines with these entries, to be added to a log."""
    before, lines = newest(log), []
    for entry in entries:
        lines.append(f"{entry} {before}")
        before = hash_of(lines[-1])
    return "".join(f"{line}\n" for line in lines)


def faults(log: str, wanted: str) -> list[str]:
    """Return a sentence for each fault of a log. `wanted`: hash of a line that must be in it."""
    before, found, hashes = _NOTHING, [], {_NOTHING}
    for number, line in enumerate(log.split("\n")[:-1], 1):
        if line.rpartition(" ")[2] != before:
            found.append(
                f"line {number} of the log does not continue the line before it: one of them was changed"
            )
        before = hash_of(line)
        hashes.add(before)
    if wanted not in hashes:
        found.append("the log has no line with the hash that the certificate names")
    return found
