"""Paths of the embedded site's files, for the settings and the supervisor. Uses only the standard library."""

import hashlib
import os
import secrets
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from archive import files

BASE_DIR = Path(__file__).resolve().parent.parent

# Linux limits the path of a Unix socket to 108 bytes and macOS to 104, so stay below both limits.
_SOCKET_PATH_LIMIT = 100


def var_dir() -> Path:
    """Return the folder for all files created at run time: `VAR_DIR` if it is set, otherwise `var/` in the
    project."""
    return Path(os.environ.get("VAR_DIR") or BASE_DIR / "var").resolve()


def socket_path(var: Path) -> Path:
    """Return the path of the embedded broker's Unix socket: in `var` or, if that path is too long for a
    socket, in a private folder inside the system's temporary folder."""
    inside = var / "valkey.sock"
    if len(os.fsencode(inside)) <= _SOCKET_PATH_LIMIT:
        return inside
    mark = hashlib.sha256(os.fsencode(var)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"tarock-{os.getuid()}-{mark}" / "valkey.sock"


def embedded_secret(path: Path, make: Callable[[], str]) -> str:
    """Return a secret of the embedded site. On first use, call `make` and store the secret in a file that
    only its owner can read."""
    with suppress(FileNotFoundError):
        if secret := path.read_text(encoding="ascii").strip():
            return secret
    path.parent.mkdir(parents=True, exist_ok=True)
    # Link a complete file into place, so that two processes that start together read the same secret.
    beside = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(make().strip() + "\n")
    files.sync(beside)
    try:
        if path.exists():  # an empty file, left by a crash while writing
            os.replace(beside, path)
        else:
            os.link(beside, path)
    except FileExistsError:
        pass
    finally:
        beside.unlink(missing_ok=True)
    files.sync(path.parent)
    return path.read_text(encoding="ascii").strip()
