"""Writing files so that a power cut at any moment leaves each file with its old or its new content."""

from __future__ import annotations

import os
from pathlib import Path


def write(path: Path, text: str) -> None:
    """Create a file, or replace its content."""
    new = path.with_name(f".new-{path.name}")
    new.write_text(text, encoding="utf-8")
    move(new, path)


def move(new: Path, path: Path) -> None:
    """Put a complete file at a path, in place of the file there. Both are in the same file system."""
    sync(new)
    os.replace(new, path)
    sync(path.parent)


def append(path: Path, lines: str) -> None:
    """Add lines to a file, after its last complete line. Create the file if there is none."""
    with path.open("ab+") as file:
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)
        file.write(lines.encode())
    sync(path)
    sync(path.parent)


def sync(path: Path) -> None:
    """Wait until the content of a file, or the names in a folder, are on the disk."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
