"""The commands for a point in time in docs/operations.md, as they are written there."""

from __future__ import annotations

import glob
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.infra.programs import run
from tools import servers
from tools.site import PROJECT

PROGRAMS = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1:]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        os.getuid() != 0 or not PROGRAMS, reason="only root can be the user postgres, who needs its programs"
    ),
]

SYSTEMCTL = """#!/bin/sh
echo "systemctl $*" >>{place}/calls
case "$*" in
  "restart postgresql"|"start postgresql"|"stop postgresql")
    exec runuser -u postgres -- pg_ctl -s -w -D {data} -l {place}/log $1 -m fast \\
      -o "-c listen_addresses= -c unix_socket_directories={place}" ;;
esac
"""


class Machine:
    """A machine with a cluster of its own; the blocks of the page are run on it by their order."""

    def __init__(self, place: Path) -> None:
        self.place, self.data, self.target = place, place / "main", ""
        page = (PROJECT / "docs" / "operations.md").read_text()
        section = page.partition("\n### Point in time\n")[2].partition("\n## ")[0]
        self.blocks = re.findall(r"^```bash\n(.*?)^```", section, re.DOTALL | re.MULTILINE)
        (place / "bin").mkdir()
        (place / "bin" / "systemctl").write_text(SYSTEMCTL.format(place=place, data=self.data))
        (place / "bin" / "systemctl").chmod(0o755)
        path = f"{place}/bin:{PROGRAMS[0]}:{os.environ['PATH']}"
        self.environment = {"PATH": path, "PGHOST": str(place), "LC_ALL": "C.UTF-8"}

    def shell(self, script: str) -> str:
        """Run a script after the first block, with the folders of this machine."""
        script = f"{self.blocks[0]}\n{script}"
        folders = {"PGDATA": self.data, "COPIES": self.place / "copies", "TARGET": self.target}
        for name, value in folders.items():
            script = re.sub(rf"^{name}=.*$", f"{name}='{value}'", script, flags=re.MULTILINE)
        done = run("bash", "-euo", "pipefail", "-c", script, folder=self.place, **self.environment)
        assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def sql(self, statement: str) -> str:
        """The answer of PostgreSQL."""
        return self.shell(f'as_postgres psql -Atc "{statement}"').strip()


@pytest.fixture
def machine() -> Iterator[Machine]:
    stopper: Any = servers.Stopper()
    place = servers.scratch(stopper, servers.unprivileged())
    place.chmod(0o755)
    found = Machine(place)
    found.shell("chown postgres: . && as_postgres initdb -D $PGDATA -A trust --no-sync >/dev/null")
    found.shell("systemctl start postgresql")
    yield found
    found.shell("systemctl stop postgresql")
    stopper.stop()


def test_an_archive_is_set_back_to_a_moment(machine: Machine) -> None:
    _, once, weekly, back, finish = machine.blocks
    machine.sql("CREATE TABLE deals (visibility text)")
    machine.sql("INSERT INTO deals SELECT 'public' FROM generate_series(1, 530)")
    machine.shell(once)
    machine.shell(weekly)
    machine.sql("INSERT INTO deals VALUES ('sent after the copy')")
    machine.target = machine.sql("SELECT now()")
    time.sleep(1)
    machine.sql("UPDATE deals SET visibility = 'withdrawn by mistake'")
    machine.shell(back)
    expected = {"SELECT count(*) FROM deals": "531"}
    expected["SELECT count(*) FROM deals WHERE visibility LIKE 'withdrawn%'"] = "0"
    assert {statement: machine.sql(statement) for statement in expected} == expected
    machine.shell(finish)
    machine.sql("INSERT INTO deals VALUES ('goes on')")
    assert machine.sql("SHOW restore_command") == ""
    # Archived before and after: a second time, with everything.
    machine.shell(weekly)
    machine.sql("INSERT INTO deals VALUES ('goes on')")
    machine.shell(f"rm -r {machine.data}.before")
    machine.shell(re.sub(r"^recovery_target_time.*\n", "", back, flags=re.MULTILINE))
    machine.shell("until [ $(as_postgres psql -Atc 'SELECT pg_is_in_recovery()') = f ]; do sleep 1; done")
    assert machine.sql("SELECT count(*) FROM deals") == "533"
    calls = (machine.place / "calls").read_text().splitlines()
    assert "systemctl stop tarock-web.socket tarock-web tarock-worker tarock-sweeper" in calls
