"""Log lines: JSON for machines, readable for people, and no values of variables in a traceback."""

import io
import json
import logging.config
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import structlog
from django.conf import settings
from django.core import mail
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from deploy import logs
from deploy.urls import urlpatterns as the_sites_own
from tests.conftest import worker_site
from tests.infra.programs import python
from tests.support import samples
from tests.support.storing import receive, stored
from tools.site import free_port
from tools.waiting import eventually


def logged(form: str) -> str:
    """Return the log of an exception in code that holds a secret."""
    stream = io.StringIO()
    config = logs.django_logging(form, "INFO")
    formatter = logging.config.DictConfigurator(config).configure_formatter(config["formatters"]["lines"])
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    logger = logging.Logger("tests.log")
    logger.addHandler(handler)
    try:
        password = "hunter2"
        int(password.upper()[:0] + "nonsense")
    except ValueError:
        logger.exception("it went wrong: %s", "ö", extra={"deal": 7})
    return stream.getvalue()


def test_lines_are_json_for_machines_and_readable_for_people() -> None:
    text, plain = logged("json"), logged("plain")
    assert text.count("\n") == 1
    line = json.loads(text)
    found = [line[name] for name in ("event", "level", "logger", "deal")]
    assert found == ["it went wrong: ö", "error", "tests.log", 7]
    assert line["timestamp"].endswith("Z")
    assert line["exception"][0]["exc_type"] == "ValueError"
    for words in ("it went wrong: ö", "ValueError: invalid literal"):
        assert words in plain
    assert "hunter2" not in text + plain.replace('password = "hunter2"', "")
    assert "\x1b[" not in plain
    with pytest.raises(ValueError, match="LOG_FORMAT must be plain or json"):
        logs.django_logging("xml", "INFO")


def broken(request: HttpRequest) -> HttpResponse:
    password = request.GET.get("from", "hunter2")
    raise RuntimeError(f"broken {len(password)}")


urlpatterns = [path("broken", broken), *the_sites_own]


@contextmanager
def site_log(level: str = "INFO") -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """Collect the site's log, as in production: everything but its format is as in the settings."""
    stream = io.StringIO()
    config = logs.django_logging("json", level)
    config["handlers"]["stderr"]["stream"] = stream
    logging.config.dictConfig(config)
    try:
        yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    finally:
        logging.config.dictConfig(settings.LOGGING)


@pytest.mark.django_db
@pytest.mark.urls(__name__)
def test_one_line_for_each_request() -> None:
    client = Client(raise_request_exception=False, headers={"User-Agent": "a test"})
    for address, event, code, level in (
        ("/", "request_finished", 200, "info"), ("/nowhere", "request_finished", 404, "warning"),
        ("/api/v1/deals/999999", "request_finished", 404, "warning"),
        ("/broken", "request_failed", 500, "error"),
    ):  # fmt: skip
        with site_log() as lines:
            client.get(address)
            (line,) = lines()
        assert (line["event"], line["code"], line["level"]) == (event, code, level)
        assert line["request"] == f"GET {address}"
        assert (line["user_agent"], line["ip"]) == ("a test", "127.0.0.1")
        assert 0 <= line["ms"] < 60_000
        assert line["request_id"]


@pytest.mark.django_db
def test_what_no_line_of_its_own_tells_is_told_by_django() -> None:
    """A host that is not ours is turned away before the request has a line."""
    with site_log() as lines:
        assert Client().get("/", headers={"Host": "elsewhere.example"}).status_code == 400
        (line,) = lines()
    assert (line["logger"], line["level"]) == ("django.security.DisallowedHost", "warning")
    assert "elsewhere.example" in line["event"]
    assert "exception" not in line

    with site_log("DEBUG") as lines:
        Client().get("/api/v1/games")
        events = [line["event"] for line in lines()]
    assert events.count("request_started") == events.count("request_finished") == 1


@pytest.mark.django_db
@pytest.mark.urls(__name__)
def test_no_value_of_a_variable_is_in_the_log() -> None:
    with site_log() as lines:
        Client(raise_request_exception=False).get("/broken")
        structlog.get_logger("tests").error("by hand", exc_info=_caught())
        failed, by_hand = lines()
    for line, said in ((failed, "broken 7"), (by_hand, "chained")):
        assert line["exception"][0]["exc_value"] == said
        frames = [frame for exception in line["exception"] for frame in exception["frames"]]
        assert frames
        assert not any(frame.get("locals") for frame in frames)
        assert "hunter2" not in json.dumps(line)


def _caught() -> Exception:
    secret = "hunter2"
    try:
        try:
            int(secret[:0] + "nonsense")
        except ValueError as fault:
            raise RuntimeError("chained") from fault
    except RuntimeError as error:
        return error


@pytest.mark.django_db
@pytest.mark.urls(__name__)
def test_those_named_are_written_to_of_errors(settings: Any) -> None:
    settings.ADMINS = [("operator", "operator@example.org")]
    with site_log():
        client = Client(raise_request_exception=False)
        client.get("/nowhere")
        assert not mail.outbox
        client.get("/broken")
        logging.getLogger("archive.storing.claims").error("part 1 failed")
    assert [message.to for message in mail.outbox] == [["operator@example.org"]] * 2
    assert "/broken" in mail.outbox[0].subject
    assert "hunter2" not in mail.outbox[0].body


@pytest.mark.django_db
def test_the_end_of_a_part_has_a_line() -> None:
    with site_log() as lines:
        upload = stored(samples.TAROKY, samples.DEALT_TWICE)
        (line,) = [line for line in lines() if line["event"] == "part finished"]
    assert (line["upload"], line["records"], line["outcome"]) == (upload.pk, 2, "stored")
    assert line["part"] == upload.parts.get().pk
    assert 0 <= line["seconds"] < 60


@pytest.mark.slow
def test_a_worker_writes_json(database_url: str, tmp_path: Path) -> None:
    site = worker_site(tmp_path, DATABASE_URL=database_url, LOG_FORMAT="json")
    site.start()
    upload = receive(samples.TAROKY, send=True)
    assert eventually(lambda: "task_succeeded" in site.output), site.output
    site.kill()
    # Celery warns root, on a terminal of its own, before any setting is read.
    written = [line for line in site.output.splitlines() if line.startswith("{")]
    events = {line["event"]: line for line in map(json.loads, written)}
    assert any(event.endswith(" ready.") for event in events)
    assert events["part finished"]["upload"] == upload.pk
    assert events["task_succeeded"]["task"] == "archive.tasks.store_part"
    assert "duration_ms" in events["task_succeeded"]
    assert not re.search(r"^\[|transport:", site.output, re.MULTILINE), site.output


def test_gunicorn_writes_json(tmp_path: Any) -> None:
    environment = {**os.environ, "PORT": str(free_port()), "VAR_DIR": str(tmp_path), "LOG_FORMAT": "json"}
    done = python(
        "-m", "gunicorn", "--config", "python:deploy.gunicorn_conf", "nothing:at_all", **environment
    )
    # A process that cannot start prints why, too.
    lines = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    assert not re.search(r"^\[", done.stderr, re.MULTILINE), "gunicorn's own form"
    assert {"info", "error"} <= {line["level"] for line in lines}
    assert any("Starting gunicorn" in line["event"] for line in lines)
    assert any("nothing" in line.get("exception", "") for line in lines)
