"""The engine for the browser, and its answers at the server."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from django.test import Client

from archive.web import throttles
from replays.apps import engine
from replays.apps.views.engine import MOST_BYTES

pytestmark = pytest.mark.django_db

GAMES = {"ask": "games", "language": "cs"}


def ask(client: Client, body: object) -> object:
    return client.post("/evenings/ask", body, content_type="application/json")


def test_the_worker_alone_may_compile_webassembly(client: Client) -> None:
    version = engine.engine().version
    worker = client.get(f"/evenings/engine/{version}/worker.js")
    assert "script-src 'self' 'wasm-unsafe-eval'" in worker["Content-Security-Policy"]
    others = ["/", "/evenings/", "/check/own/", "/evenings/sw.js", f"/evenings/engine/{version}/tarock.zip"]
    for path in others:
        policy = client.get(path)["Content-Security-Policy"]
        assert "script-src 'self'" in policy.split("; "), path
        assert "unsafe" not in policy, path


@pytest.mark.parametrize("name", ["worker.js", "tarock.zip"])
def test_a_version_is_for_good_and_another_is_not_there(client: Client, name: str) -> None:
    there = client.get(f"/evenings/engine/{engine.engine().version}/{name}")
    assert there.status_code == 200
    assert "immutable" in there["Cache-Control"]
    assert client.get(f"/evenings/engine/0000000000000000/{name}").status_code == 404


def test_the_package_is_the_engine_and_always_the_same() -> None:
    made = engine.engine()
    engine.engine.cache_clear()
    again = engine.engine()
    assert (again.zip, again.version) == (made.zip, made.version)
    with zipfile.ZipFile(io.BytesIO(made.zip)) as packed:
        names = packed.namelist()
        source = packed.read("tarock/view/answers/questions.py")
    assert source.decode() == (engine._PACKAGE / "view/answers/questions.py").read_text(encoding="utf-8")
    assert "tarock/games/taroky/texts/cs.json" in names
    assert not [name for name in names if "/cli/" in name or "cache" in name]


def test_a_question_is_answered_as_by_the_engine(client: Client) -> None:
    answer = ask(client, json.dumps(GAMES))
    assert answer.status_code == 200  # type: ignore[attr-defined]
    games = answer.json()["games"]  # type: ignore[attr-defined]
    assert [one["id"] for one in games] == ["strohmann", "taroky", "troggu", "grosstarock"]


def test_what_is_no_question_has_an_error(client: Client) -> None:
    for body in (b"\xff\xfe", "[" * 100_000, "{}", '{"ask": "form"}'):
        answer = ask(client, body)
        assert answer.status_code == 200  # type: ignore[attr-defined]
        assert answer.json()["error"]["message"]  # type: ignore[attr-defined]


def test_a_question_has_bounds(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ask(client, " " * (MOST_BYTES + 1)).status_code == 413  # type: ignore[attr-defined]
    assert Client(enforce_csrf_checks=True).post("/evenings/ask", "{}", "application/json").status_code == 403
    assert client.get("/evenings/ask").status_code == 405
    monkeypatch.setattr(throttles.Questions, "rate", "2/min")
    statuses = [ask(client, json.dumps(GAMES)).status_code for _ in range(3)]  # type: ignore[attr-defined]
    assert statuses[-1] == 429


def test_the_app_names_its_files(client: Client) -> None:
    manifest = client.get("/evenings/manifest.webmanifest").json()
    assert (manifest["start_url"], manifest["scope"]) == ("/evenings/", "/evenings/")
    worker = client.get("/evenings/sw.js")
    assert worker["Content-Type"].startswith("text/javascript")
    page = client.get("/evenings/").content.decode()
    files = json.loads(worker.content.decode().split("FILES = ")[1].split(";")[0])
    assert [file for file in files if file.endswith(".js")]
    for file in files:
        assert file in page or "icon" in file, file
