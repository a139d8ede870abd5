"""A scheduler that runs several steps at the same time, but only one of them between two points. A point is
before a statement, a commit, a call to the broker or to a webhook's receiver, or a write of a file."""

from __future__ import annotations

import errno
import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from functools import wraps
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NoReturn
from unittest.mock import patch

import psycopg
from django.db import connection
from django.db.backends.signals import connection_created

from archive import files
from tests.archive.test_files import Disk, lay_out

KINDS = ("refused", "unanswered", "killed")
"""Kinds of failure. `refused`: the step is not carried out, and raises an error; `unanswered`: it is carried
out, but its answer is lost; `killed`: the process dies before the step."""

FAULTS = (*KINDS, "ended", "power")
"""Kinds of faults: those of one action; `ended`: the connection ends before the point; `power`: all processes
die, and files may lose what was not on the disk."""

_REFUSE = "DO $$ BEGIN RAISE EXCEPTION 'the disk is full' USING ERRCODE = 'disk_full'; END $$"

Action = Callable[[], object]

_LOOK = 0.01
"""Seconds without news from a running step after which the scheduler asks PostgreSQL whether it waits for a
lock. Affects only the speed, not the order."""

_STUCK = 600
"""Seconds after which a history without progress fails."""

_FORM = re.compile(r">(?P<points>\d+)|(?P<step>\d+)@(?P<point>\d+):(?P<kind>\w+)")


_STATEMENT = re.compile(r'(SELECT|INSERT INTO|UPDATE|DELETE FROM|COPY)\b.*?"(\w+)".*', re.DOTALL)
"""A statement of the archive, and its first table."""

_SAVEPOINT = re.compile(r' "s\d+_x\d+"')
"""The name of a savepoint, which contains the number of its thread."""


def in_words(point: str) -> str:
    """Return a point as it is printed: of a statement, its first word and its table."""
    return _SAVEPOINT.sub("", _STATEMENT.sub(r"\1 \2", point))


@dataclass(frozen=True)
class History:
    """A history that a seed describes. `steps`: names of steps. The first goes on until it ends, waits for a
    lock, or has passed the number of points in `switches`; then it goes to the end of the queue, and the next
    goes on. `fault`: number of a step from 0, number of its point from 1, and the kind of the fault."""

    steps: tuple[str, ...]
    switches: tuple[int, ...] = ()
    fault: tuple[int, int, str] | None = None

    def __str__(self) -> str:
        parts = [*self.steps, *(f">{points}" for points in self.switches)]
        if self.fault:
            step, point, kind = self.fault
            parts.append(f"{step}@{point}:{kind}")
        return " ".join(parts)

    @classmethod
    def parse(cls, seed: str) -> History:
        """Return the history of a seed: words such as `work`, `>12` and `0@7:killed`."""
        steps, switches, fault = [], [], None
        for word in seed.split():
            match = _FORM.fullmatch(word)
            if match is None:
                steps.append(word)
            elif match["points"]:
                switches.append(int(match["points"]))
            else:
                fault = int(match["step"]), int(match["point"]), match["kind"]
        if fault and (fault[2] not in FAULTS or fault[0] >= len(steps)):
            raise ValueError(f"{seed}: a fault is STEP@POINT:KIND, with a kind of {', '.join(FAULTS)}")
        return cls(tuple(steps), tuple(switches), fault)


class Clock(datetime):
    """The class `datetime` with another present. `ahead`: its distance from the machine's clock."""

    ahead = timedelta()

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        return datetime.now(tz) + cls.ahead


class Killed(BaseException):
    """The process has died. Each later step raises this error, too, so that no handler has any effect."""


_CURRENT = threading.local()


class Actor(threading.Thread):
    """A thread that carries out steps, with its own connection. `state`: `idle` without a step; `waiting` at
    a point; `running`; or `blocked`, while PostgreSQL makes it wait for a lock. `lasting`: whether the effect
    of what follows remains if the connection is lost, for each point that it has passed."""

    def __init__(self, scheduler: Scheduler) -> None:
        super().__init__(daemon=True)
        self.state, self.point, self.pid = "idle", "", 0
        self.error: BaseException | None = None
        self.has_failed = False
        self.token = threading.Semaphore(0)
        self.lasting: list[bool] = []
        self._scheduler, self._jobs = scheduler, SimpleQueue[Callable[[], object] | None]()
        self._passed, self._fault, self._dead = 0, (0, ""), False
        self.start()

    def die(self) -> None:
        """End the process at this point or, if it is not at one, at the next."""
        if self.state in ("waiting", "blocked") and self.point != "begin":
            self.has_failed = self._dead = True

    def begin(self, action: Callable[[], object], fault: tuple[int, str]) -> None:
        """Carry out an action, with a fault at a point of it."""
        self.state, self.point, self.error, self.lasting = "running", "", None, []
        self._passed, self._fault, self._dead, self.has_failed = 0, fault, False, False
        self._jobs.put(action)

    def end(self) -> None:
        """End the thread."""
        self._jobs.put(None)
        self.join()

    def run(self) -> None:
        _CURRENT.actor = self
        while (action := self._jobs.get()) is not None:
            try:
                self.arrive("begin")
                action()
            except BaseException as error:
                self.error = error
            if self.has_failed:
                connection.close()
            self._scheduler.tell(self, "idle")
        connection.close()

    def arrive(self, point: str, *, lasts: bool = True) -> str:
        """Wait for the token at a point. Return the kind of the fault that happens there, if any."""
        if self._dead:
            raise Killed
        self.lasting.append(lasts)
        self.point = point
        own = connection.connection
        self.pid = own.info.backend_pid if own is not None and not own.closed else 0
        self._scheduler.tell(self, "waiting")
        self.token.acquire()
        self._passed += 1
        kind = self._fault[1] if self._passed - 1 == self._fault[0] else ""
        self.has_failed |= bool(kind)
        if kind == "power":
            self._scheduler.cut_power()
        if self._dead or kind in ("killed", "power"):
            self._dead = True
            self._scheduler.disconnect(self.pid)
            raise Killed
        return kind


class Scheduler:
    """Watches the points of the archive, and runs the steps of histories. `trace`: number of the step and
    name of the point, in the order in which they went on; a name in brackets means that the step waited for
    a lock."""

    def __init__(self) -> None:
        self.trace: list[tuple[int, str]] = []
        self._actors: list[Actor] = []
        self._news = threading.Condition()
        self._observer: Any = None

    @contextmanager
    def watched(self, folder: Path) -> Iterator[None]:
        """Watch the steps of the database and of the files in a folder."""
        self.disk = Disk(folder)
        commit, copy = psycopg.Connection.commit, psycopg.Cursor.copy

        def refused_commit(own: Any) -> NoReturn:
            own.rollback()
            raise psycopg.errors.DiskFull("the disk is full")

        def lost(own: Any) -> NoReturn:
            own.close()
            raise psycopg.OperationalError("the connection was lost")

        def watched_commit(own: Any) -> None:
            with self.step("COMMIT", lambda: refused_commit(own), lambda: lost(own)):
                commit(own)

        @contextmanager
        def watched_copy(cursor: Any, statement: str, *rest: Any) -> Iterator[Any]:
            refuse = lambda: cursor.execute(_REFUSE)  # noqa: E731
            with (
                self.step(statement, refuse, lambda: lost(cursor.connection), lasts=False),
                copy(cursor, statement, *rest) as copying,
            ):
                yield copying

        with (
            patch.object(psycopg.Connection, "commit", watched_commit),
            patch.object(psycopg.Cursor, "copy", watched_copy),
            patch.object(files, "sync", self._of_file("sync", files.sync, folder)),
            patch.object(os, "replace", self._of_file("replace", os.replace, folder)),
            patch.object(Path, "write_text", self._of_file("write", Path.write_text, folder)),
            patch.object(Path, "open", self._of_file("open", Path.open, folder)),
            patch.object(Path, "unlink", self._of_file("delete", Path.unlink, folder)),
            connection.execute_wrapper(self._statement),
        ):
            yield

    def _statement(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        def refuse() -> None:
            execute(_REFUSE, None, False, context)

        def lose() -> None:
            connection.connection.close()
            execute("SELECT 1", None, False, context)

        with self.step(sql[:80], refuse, lose, lasts=not connection.in_atomic_block):
            return execute(sql, params, many, context)

    def _of_file(self, name: str, action: Callable[..., Any], folder: Path) -> Callable[..., Any]:
        @wraps(action)
        def watched(path: Path, *rest: Any, **how: Any) -> Any:
            if not Path(path).is_relative_to(folder):
                return action(path, *rest, **how)
            with self.step(f"{name} {path.name}", lambda: _fail(errno.ENOSPC), lambda: _fail(errno.EIO)):
                result = action(path, *rest, **how)
            self.disk.note(path if name == "sync" else None)
            return result

        return watched

    @contextmanager
    def step(self, name: str, refuse: Action, lose: Action, *, lasts: bool = True) -> Iterator[None]:
        """Carry out what is in the `with` block once the thread's actor has the token. Other threads go on as
        usual. `refuse` and `lose` raise the errors of an action that is not carried out, and of one whose
        answer is lost. `lasts`: whether its effect remains if the connection is lost. Within a transaction
        nothing remains."""
        actor = getattr(_CURRENT, "actor", None)
        kind = actor.arrive(name, lasts=lasts) if actor else ""
        if kind == "refused":
            refuse()
        elif kind == "ended":
            self.disconnect(actor.pid)
            lose()
        yield
        if kind == "unanswered":
            self.disconnect(actor.pid)
            lose()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Watch the connections of the actors."""
        info = connection.get_connection_params()
        for name in ("cursor_factory", "context", "prepare_threshold"):
            info.pop(name, None)
        self._observer = psycopg.connect(**info, autocommit=True)
        connection.cursor().execute("SET synchronous_commit = off")
        connection_created.connect(self._watch, weak=False, dispatch_uid="scheduler")
        try:
            yield
        finally:
            connection_created.disconnect(dispatch_uid="scheduler")
            for actor in self._actors:
                actor.end()
            self._observer.close()

    def _watch(self, connection: Any, **_signal: Any) -> None:
        if not hasattr(_CURRENT, "actor"):
            return
        # A deadlock is found by the transaction that completes it, as soon as possible.
        connection.connection.execute("SET deadlock_timeout = '10ms'")
        connection.connection.execute("SET synchronous_commit = off")
        connection.connection.commit() if not connection.connection.autocommit else None
        if self._statement not in connection.execute_wrappers:
            connection.execute_wrappers.append(self._statement)

    def disconnect(self, pid: int) -> None:
        """Close this thread's connection, and wait until PostgreSQL has released its locks."""
        if connection.connection is not None:
            connection.connection.close()
        while self._observer.execute("SELECT 1 FROM pg_stat_activity WHERE pid = %s", [pid]).fetchone():
            pass

    def tell(self, actor: Actor, state: str) -> None:
        """Note a new state of an actor. Called in its thread."""
        with self._news:
            actor.state = state
            self._news.notify()

    def run(self, history: History, actions: Sequence[Callable[[], object]]) -> list[Actor]:
        """Run the actions of the steps of a history. Return their actors, with the errors."""
        while len(self._actors) < len(actions):
            self._actors.append(Actor(self))
        actors, self.trace = self._actors[: len(actions)], []
        self.torn: str = ""
        self.disk.begin()
        step, *fault = history.fault or (-1, 0, "")
        for number, (actor, action) in enumerate(zip(actors, actions, strict=True)):
            actor.begin(action, (int(fault[0]), str(fault[1])) if number == step else (0, ""))
        switches, line, since = list(history.switches), list(actors), 0
        while ready := self._ready(actors):
            current = next(actor for actor in line if actor in ready)
            if switches and since == switches[0]:
                since = 0
                switches.pop(0)
                line.remove(current)
                line.append(current)
                current = next(actor for actor in line if actor in ready)
            since += 1
            self.trace.append((actors.index(current), current.point))
            current.state = "running"
            current.token.release()
        return actors

    def lasting(self, step: int) -> list[bool]:
        """Return `Actor.lasting` of a step of the last history."""
        return self._actors[step].lasting

    def cut_power(self) -> None:
        """End all processes, and put in the folder one of the states that the power cut may leave."""
        for actor in self._actors:
            actor.die()
        layouts = self.disk.layouts()
        state, self.torn = layouts[len(self.trace) % len(layouts)]
        lay_out(state, self.disk.folder)
        self.disk.begin()

    def _ready(self, actors: Sequence[Actor]) -> list[Actor]:
        """Wait until no actor is running. Return those at a point; none if all have finished."""
        began = time.monotonic()
        with self._news:
            while True:
                moving = [actor for actor in actors if actor.state == "running"]
                blocked = [actor for actor in actors if actor.state == "blocked"]
                waiting = [actor for actor in actors if actor.state == "waiting"]
                if not moving and self._still(blocked) and (waiting or not blocked):
                    return waiting
                if time.monotonic() - began > _STUCK:
                    raise AssertionError(f"stuck: {[(one.state, one.point) for one in actors]}")
                if not self._news.wait(_LOOK):
                    for actor in moving:
                        if actor.state == "running" and self._still([actor]):
                            actor.state = "blocked"
                            self.trace.append((actors.index(actor), f"[{actor.point}]"))

    def _still(self, actors: Sequence[Actor]) -> bool:
        """Return whether all of these actors wait for locks. Those that no longer do are running again."""
        if not actors:
            return True
        pids = [actor.pid for actor in actors]
        rows = self._observer.execute(
            "SELECT pid FROM unnest(%s::int[]) AS pid WHERE cardinality(pg_blocking_pids(pid)) > 0", [pids]
        )
        waiting = {pid for (pid,) in rows}
        for actor in actors:
            if actor.pid not in waiting:
                actor.state = "running"
        return waiting.issuperset(pids)


def _fail(number: int) -> NoReturn:
    raise OSError(number, os.strerror(number))
