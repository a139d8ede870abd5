"""Try what `deploy/compose.yaml` makes: a deal is sent through the whole of it, and looked at.

    python -m tools.containers

Where a container engine runs, with Compose: the image is built, all services are started under a name of
their own, and asked through the proxy. Where there is none, the same parts are tried without one: the image's
files in a folder (`Containerfile.dockerignore`), the commands that build it and those of the services, with
their variables, on a throw-away PostgreSQL and Redis; what is not tried then is said.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import ssl
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from deploy import run
from tools import servers
from tools.site import PROJECT, clean_environment, free_port
from tools.waiting import eventually

GIVEN = {
    "SITE_NAME": "localhost",
    "POSTGRES_PASSWORD": "of a database that is gone in the end",
    "SECRET_KEY": "of a site that is gone in the end, and with fifty characters",
    "METRICS_TOKEN": "of a site that is gone in the end",
    "DATA_LICENSE": "CC-BY-4.0",
}
"""What an operator fills in (`deploy/env.example`), with a variable that the compose file doesn't name."""

DEAL = PROJECT / "deploy" / "samples" / "taroky-02-solo.tgn"
PROGRAMS = ("web", "worker", "sweeper")

_MAKE_USER = (
    "from django.contrib.auth import get_user_model as u; from archive import tokens as t; "
    "user = u().objects.create_user('try'); print(t.make(user, 'try', scopes=t.allowed(user))[1])"
)

Request = Callable[..., tuple[int, bytes]]


def compose() -> dict[str, Any]:
    """The compose file with the variables of `GIVEN` put in, as Compose does it."""

    def value(found: re.Match[str]) -> str:
        name, default = found[1], found[2]
        if name not in GIVEN and default == "?":
            raise SystemExit(f"{name} is needed, and not in deploy/env.example")
        return GIVEN.get(name, (default or "").removeprefix("-"))

    def filled(part: Any) -> Any:
        if isinstance(part, dict):
            return {name: filled(inner) for name, inner in part.items()}
        if isinstance(part, list):
            return [filled(inner) for inner in part]
        return re.sub(r"\$\{(\w+):(\?|-[^}]*)\}", value, part) if isinstance(part, str) else part

    found: dict[str, Any] = filled(yaml.safe_load((PROJECT / "deploy" / "compose.yaml").read_text()))
    return found


def check(request: Request, token: str) -> None:
    """Send a deal, wait until it is stored, look at it; raises AssertionError."""
    assert eventually(lambda: request("/readyz")[0] == 200, 120), request("/readyz")
    assert GIVEN["DATA_LICENSE"].encode() in request("/api/v1/schema")[1], "variables do not reach the site"
    status, body = request("/api/v1/uploads", DEAL.read_bytes(), token)
    assert status in (200, 202), body
    address = urlsplit(json.loads(body)["url"]).path
    assert eventually(lambda: json.loads(request(address, None, token)[1])["finished"], 60), (
        "it is not stored"
    )
    deal = json.loads(request("/api/v1/deals")[1])["results"][0]
    assert deal["verdict"] == "verified", deal
    page = request(f"/deals/{deal['id']}/")[1].decode()
    style = re.search(r'href="(/static/[^"]+\.css)"', page)
    assert style, "the page of the deal has no style sheet"
    assert request(style[1])[0] == 200, style[1]
    print(f"the deal was sent, stored by the worker ({deal['verdict']}) and looked at")


def ask(base: str, headers: Mapping[str, str]) -> Request:
    """Requests to a site, whoever has signed its certificate; status 0 if nobody answers."""
    context = ssl._create_unverified_context()

    def request(path: str, body: bytes | None = None, token: str = "") -> tuple[int, bytes]:
        named = {**headers, "Content-Type": "text/plain", "User-Agent": "tools.containers"}
        if token:
            named["Authorization"] = f"Token {token}"
        outgoing = urllib.request.Request(f"{base}{path}", body, named)
        try:
            with urllib.request.urlopen(outgoing, timeout=30, context=context) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()
        except OSError as error:
            return 0, str(error).encode()

    return request


# --- with an engine -----------------------------------------------------------------------------------------


def engine() -> list[str] | None:
    """The command of Compose, if there are both an engine that runs and Compose."""
    for program in ("docker", "podman"):
        if shutil.which(program) and _succeeds(program, "info") and _succeeds(program, "compose", "version"):
            return [program, "compose"]
    return None


def _succeeds(*command: str) -> bool:
    with suppress(OSError, subprocess.TimeoutExpired):
        return subprocess.run(command, capture_output=True, timeout=30, check=False).returncode == 0
    return False


def try_containers(command: list[str]) -> None:
    """Build and start everything, ask it through the proxy, back it up, and remove it."""
    with tempfile.TemporaryDirectory() as folder:
        http, https = free_port(), free_port()
        variables, ports = Path(folder) / "env", Path(folder) / "ports.yaml"
        given = GIVEN | {"ENV_FILE": str(variables)}
        variables.write_text("".join(f"{name}={value}\n" for name, value in given.items()))
        published = f'["{http}:80", "{https}:443"]'
        ports.write_text(f"services: {{proxy: {{ports: !override {published}}}}}\n")
        files = ["--file", "deploy/compose.yaml", "--file", str(ports), "--env-file", str(variables)]
        here = [*command, "--project-name", "tarock-try", *files]
        try:
            _do(*here, "up", "--build", "--detach", "--wait")
            made = _do(
                *here, "exec", "-T", "web", "python", "manage.py", "shell", "--no-imports", "-c", _MAKE_USER
            )
            check(ask(f"https://localhost:{https}", {}), made.split()[-1])
            save = "python -m deploy.backup save /tmp/a.dump && python -m deploy.backup rehearse /tmp/a.dump"
            print(_do(*here, "run", "--rm", "backup", "sh", "-c", save).strip())
        finally:
            _do(*here, "down", "--volumes", "--rmi", "local", "--timeout", "20")


def _do(*command: str) -> str:
    print("$", shlex.join(command), flush=True)
    return subprocess.run(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True, check=True).stdout


# --- without one --------------------------------------------------------------------------------------------


def image_files(target: Path) -> None:
    """What `COPY . .` takes into the image."""
    ignored = (PROJECT / "deploy" / "Containerfile.dockerignore").read_text().split()

    def leave(folder: str, names: list[str]) -> set[str]:
        inside = Path(folder).relative_to(PROJECT)
        return {
            name
            for name in names
            if any(
                fnmatch(str(inside / name), one) or fnmatch(name, one.removeprefix("**/")) for one in ignored
            )
        }

    shutil.copytree(PROJECT, target, ignore=leave, symlinks=True)


def try_parts() -> None:
    """The image's commands and those of the services, as processes of this machine."""
    services = compose()["services"]
    stopper = servers.Stopper()
    try:
        folder = servers.scratch(stopper)
        image = folder / "srv"
        image_files(image)
        python = Path(sys.executable)
        text = (PROJECT / "deploy" / "Containerfile").read_text().replace("\\\n", " ")
        defined = dict(re.findall(r"(\w+)=(\S+)", " ".join(re.findall(r"^ENV (.*)$", text, flags=re.M))))
        port = str(free_port())
        built = {
            **clean_environment(),
            **{name: value.replace("/srv/tarock", str(image)) for name, value in defined.items()},
            "PATH": f"{python.parent}:{os.environ['PATH']}",
            "PYTHONPATH": str(image),
            "PORT": port,
        }
        collect = re.search(r"VAR_DIR=\S+ (python manage\.py collectstatic[^&]*)", text)
        assert collect, "Containerfile collects no static files"
        _run(collect[1].split(), image, built | {"VAR_DIR": str(folder / "build")})
        postgres, redis = servers.postgres(stopper), servers.redis_server(stopper)
        found = {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url, "DUMP_DIR": str(folder / "dumps")}
        assert all(services[name]["env_file"] == "env" for name in ("migrate", "backup", *PROGRAMS))
        environment = built | GIVEN | services["web"]["environment"] | found
        _run(services["migrate"]["command"], image, environment)
        command = json.loads(re.findall(r"^CMD (.*)$", text, flags=re.M)[-1])
        for name in PROGRAMS:
            words = services[name].get("command", command)
            words = shlex.split(words) if isinstance(words, str) else words
            child = run.Child(name, words, str(image), folder / f"{name}.log", environment)
            stopper.add(lambda child=child: servers.end(child))  # type: ignore[misc]
            with child.log.open("ab") as output:
                child.process = subprocess.Popen(
                    words, cwd=image, env=environment, stdout=output, stderr=output, start_new_session=True,
                    preexec_fn=run.end_with_parent,
                )  # fmt: skip
        made = _run(["python", "manage.py", "shell", "--no-imports", "-c", _MAKE_USER], image, environment)
        # What the proxy would say.
        headers = {"Host": GIVEN["SITE_NAME"], "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
        check(ask(f"http://127.0.0.1:{port}", headers), made.split()[-1])
        test = services["web"]["healthcheck"]["test"][1:]
        _run([word.replace(":8000/", f":{port}/") for word in test], image, environment)
        saved = str(folder / "archive.dump")
        *save, _ = services["backup"]["command"]
        _run([*save, saved], image, environment)
        print(_run([*save[:-1], "rehearse", saved], image, environment).strip())
        print("the image's files and commands, and the services' commands and variables, are well")
    finally:
        stopper.stop()


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> str:
    print("$", shlex.join(command)[:110], flush=True)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def main() -> int:
    """Exit status 0 if all that could be tried is well."""
    command = engine()
    if command is not None:
        try_containers(command)
        return 0
    print(
        "No container engine with Compose runs here. Not tried: base image, packages, users, networks, proxy."
    )
    try_parts()
    return 0


if __name__ == "__main__":
    sys.exit(main())
