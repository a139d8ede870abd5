"""The locations of the embedded default's files. Standard library only, for settings and supervisor."""

import hashlib
import os
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent

# A Unix socket's address holds 108 bytes on Linux and 104 on macOS, the closing zero included.
_SOCKET_PATH_LIMIT = 100


def var_dir() -> Path:
    """Return the folder of all files created at run time: `VAR_DIR`, else `var/` in the project."""
    return Path(os.environ.get("VAR_DIR") or BASE_DIR / "var").resolve()


def socket_path(var: Path) -> Path:
    """Return the path of the embedded broker's Unix socket. It is in `var`, unless that path is too long for
    a socket; then it is in a private folder below the system's temporary folder, named after `var`.
    """
    inside = var / "valkey.sock"
    if len(os.fsencode(inside)) <= _SOCKET_PATH_LIMIT:
        return inside
    mark = hashlib.sha256(os.fsencode(var)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"tarock-{os.getuid()}-{mark}" / "valkey.sock"


def embedded_secret(path: Path, make: Callable[[], str]) -> str:
    """A secret of the embedded default: made at its first use, in a file that only its owner can read."""
    try:
        secret = path.read_text(encoding="ascii").strip()
        if secret:
            return secret
    except FileNotFoundError:
        pass
    path.parent.mkdir(parents=True, exist_ok=True)
    # Written to a temporary name and linked into place: if two processes start together, one wins and both
    # read the same.
    beside = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(make().strip() + "\n")
    try:
        if path.exists():  # it was there, but empty: a crash while writing
            os.replace(beside, path)
        else:
            os.link(beside, path)
    except FileExistsError:
        pass
    finally:
        beside.unlink(missing_ok=True)
    return path.read_text(encoding="ascii").strip()
