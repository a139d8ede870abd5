"""Record the hash of each new migration.

    python -m tools.migrations

Lines in `archive/migrations/hashes.txt` never change. A test compares them with the migration files.
"""

from __future__ import annotations

import os

import django

from tools.site import PROJECT

LINES = PROJECT / "archive" / "migrations" / "hashes.txt"


def read() -> dict[str, str]:
    """Map the names of migrations to their recorded hashes."""
    return dict(line.split() for line in LINES.read_text().splitlines()) if LINES.exists() else {}


def main() -> None:
    """Add a line for each migration that has none."""
    from archive import migration_hashes

    lines = migration_hashes.of_files() | read()
    LINES.write_text("".join(f"{name} {lines[name]}\n" for name in sorted(lines)))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup()
    main()
