"""Commands in the documents are run on a site as `make run` starts it; those of `docs/api.md` must answer as
shown there."""

import json
import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from api import urls
from api.serializers.filters import DealFilters
from api.views.deals import WAIT
from api.views.uploads import MOST_RESULTS
from archive import conf
from archive.models import VERDICTS, UploadItem
from archive.publishing import export
from archive.publishing.columns import COLUMNS
from archive.storing.contribution_data import WORDS
from archive.web import waiting
from deploy.settings import REST_FRAMEWORK
from tarock.analysis.simulate import simulate
from tarock.notation import write_text
from tarock.notation.pieces import PIECE
from tests.support import samples
from tools.site import PROJECT, Site

DOCS = PROJECT / "docs"
GUIDE = (DOCS / "api.md").read_text(encoding="utf-8")
SITE, NUMBER, KEY = "http://localhost:8000", "4711", "4711-4712"


class Example(NamedTuple):
    """A command of the guide, and the answer shown below it with its kind."""

    command: str
    kind: str
    answer: str


EXAMPLES = [
    Example(*found) for found in re.findall(r"```sh\n(.*?)```\n```(json|text)\n(.*?)```", GUIDE, re.DOTALL)
]


needs_curl = pytest.mark.skipif(shutil.which("curl") is None, reason="the commands are for curl")


def run(command: str, folder: Path, **environment: str) -> str:
    """Run a command in a folder; return what it prints."""
    programs = f"{Path(sys.executable).parent}:/usr/bin:/bin:/usr/local/bin"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        env={**environment, "PATH": programs, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def assert_matches(expected: Any, actual: Any, at: str = "") -> None:
    """Fail unless the response is as shown; “…” matches any value, any further keys, or any further items."""
    if expected == "…":
        return
    if isinstance(expected, dict):
        assert isinstance(actual, dict), at
        if "…" not in expected:
            assert set(expected) == set(actual), at
        for key, value in expected.items():
            if key != "…":
                assert key in actual, f"{at}/{key}"
                assert_matches(value, actual[key], f"{at}/{key}")
    elif isinstance(expected, list):
        assert isinstance(actual, list), at
        if expected and expected[-1] == "…":
            expected, actual = expected[:-1], actual[: len(expected) - 1]
        assert len(expected) == len(actual), at
        for n, value in enumerate(expected):
            assert_matches(value, actual[n], f"{at}/{n}")
    else:
        assert expected == actual, at


def test_every_command_has_its_answer() -> None:
    assert len(EXAMPLES) == GUIDE.count("```sh") >= 10
    bare = re.sub(r"^```.*?^```", "", GUIDE, flags=re.DOTALL | re.MULTILINE)
    assert not re.search(r"^ {4}", bare, re.MULTILINE)  # where none would be run


@needs_curl
def test_the_commands(product, tmp_path) -> None:
    record = re.search(
        r"```tgn[^\n]*\n(.*?)```", (DOCS / "notation.md").read_text(encoding="utf-8"), re.DOTALL
    )
    assert record is not None
    text = re.sub(r"^\[Options .*\n", "", record[1], flags=re.MULTILINE)
    (tmp_path / "deal.tgn").write_text(text, encoding="utf-8")
    number, key = NUMBER, KEY  # of the deal, once it is there

    def here(text: str) -> str:
        """Return the guide's text with this site's URL and ids."""
        address = text.replace(SITE, product.address.rstrip("/"))
        return re.sub(rf"\b{NUMBER}\b", number, address.replace(KEY, key))

    for example in EXAMPLES:
        printed = run(here(example.command), tmp_path, TOKEN=product.token)
        if example.kind == "text":
            assert printed == example.answer, example.command
            continue
        answer = json.loads(printed)
        if number == NUMBER and any(result.get("id") for result in answer.get("results", ())):
            number, key = str(answer["results"][0]["id"]), answer["results"][0]["deal"]
        assert_matches(json.loads(here(example.answer)), answer, example.command)
    assert number != NUMBER


def code(page: str, tag: str) -> list[str]:
    """The text of each such element of a page of the site."""
    return [unescape(text) for text in re.findall(rf"<{tag}[^>]*>(.*?)</{tag.split()[0]}>", page, re.DOTALL)]


def test_the_site_serves_the_guide_with_its_own_address(product) -> None:
    guide = product.request("GET", "/api/v1/guide")[2].decode()
    here = product.address.rstrip("/").replace("localhost", "127.0.0.1")  # where the test asks
    assert code(guide, 'code class="language-sh"') == [
        example.command.replace(SITE, here) for example in EXAMPLES
    ]
    assert SITE not in guide
    links = re.findall(r'<a href="#([^"]+)"', guide)
    assert {*links} <= {*re.findall(r' id="([^"]+)"', guide)}
    # Other files of docs/ are no pages of the site, so the guide has no links to them.
    assert not re.search(r'href="[^":#]*\.md', guide)
    assert 'href="/api/v1/guide"' in product.request("GET", "/api/v1/docs")[2].decode()


@needs_curl
def test_the_commands_of_the_reference(product, tmp_path) -> None:
    (tmp_path / "evening.tgn").write_text(write_text(next(simulate("taroky", deals=1, seed=74))), "utf-8")
    (block,) = code(product.request("GET", "/api/v1/docs")[2].decode(), "pre")
    read, send = block.strip().splitlines()
    commands = (read, send.replace("…", product.token))
    answers = [json.loads(run(f"{command} -sS", tmp_path)) for command in commands]
    assert len(answers[0]["results"]) == 5
    assert {deal["game"] for deal in answers[0]["results"]} == {"taroky"}
    assert [result["verdict"] for result in answers[1]["results"]] == ["verified"]


def table(heads: str) -> str:
    """The rows of the guide's table with these heads."""
    return GUIDE.partition(f"| {heads} |")[2].partition("\n\n")[0]


def test_the_tables_have_all_addresses_filters_and_parts() -> None:
    assert set(re.findall(r"`(?:GET|POST) /([^`]+)`", table("URL | purpose"))) == {
        re.sub(r"<\w+:(?!slug|step)\w+>", "{id}", re.sub(r"<\w+:(slug|step)>", r"{\1}", str(pattern.pattern)))
        for pattern in urls.urlpatterns
        if pattern.name not in ("root", "schema", "docs", "guide", "nothing")
    }
    filters = [line.split("|")[1] for line in table("parameter | matches deals").splitlines() if "|" in line]
    assert re.findall(r"`(\w+)`", "".join(filters)) == list(DealFilters().fields)
    rows = [f"| `{name}` | {COLUMNS[name].meaning} |" for name in export.PARTS]
    assert table("part | what it is").splitlines()[2:] == rows


def test_the_limits_and_words_named_are_those_of_the_code() -> None:
    rates = REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
    for named in (
        f"{conf.max_upload_bytes() // 1_000_000} MB",
        f"{conf.quota(False)['bytes'] // 1_000_000:,} MB",
        f"{conf.quota(False)['deals']:,} records",
        f"{PIECE:,} bytes",
        f"waits {WAIT} seconds",
        f"at most {waiting.LONGEST},",
        f"at most {MOST_RESULTS:,} results",
        f"{rates['api-read'].removesuffix('/min')} reads",
        f"{rates['api-write'].removesuffix('/min')} writes",
        f"{rates['api-scores'].removesuffix('/min')} times a minute",
        *(f"`{word}`" for word in (*WORDS, *VERDICTS, *UploadItem.OUTCOMES)),
    ):
        assert named in GUIDE, named


# --- the other documents -----------------------------------------------------------------------------------

PAGES = ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{page.name}" for page in DOCS.glob("*.md"))]
PAGES.remove("docs/api.md")

NOT_RUN = {
    "make run": "it is what the site of these tests was started by",
    "make test": "it runs this test",
    "make quick": "it makes an environment and runs half of the tests",
    "make lint": "it makes an environment",
    "make format": "it changes files of the project",
    "make hooks": "test_commit_message calls it",
    ".venv/bin/python -m pytest": "it runs tests; those named are looked for",
    "TEST_DATABASE_URL=": "it runs tests; those named are looked for",
    "make seeds": "it runs histories for minutes; test_histories runs the same",
    "make bench": "it measures for minutes, a million deals",
    "systemctl": "there is no such service here",
    "sh /srv/tarock/deploy/systemd/upgrade": "test_upgrade runs it",
    "systemd-run": "there is no such service here",
}
"""How commands begin that no test can run, and why."""

NO_COMMANDS = {
    "CONTRIBUTING.md": "subjects of commits",
    "docs/adding-a-game.md": "a line of Python",
    "docs/notation.md": "a digest",
}
"""Pages whose indented lines are none."""


def commands(page: str) -> list[str]:
    """The commands of a page: lines of its shell blocks, and indented ones, with the remarks behind them."""
    text = (PROJECT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    bare = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    if page not in NO_COMMANDS:
        blocks += ["".join(f"{line}\n" for line in re.findall(r"(?<=\n\n)(?: {4}.*\n)+", bare))]
    found = "".join(blocks).replace("\\\n", " ")
    return [line.strip() for line in found.splitlines() if line.strip()]


@pytest.fixture
def folder(product: Site, tmp_path: Path) -> Path:
    """A folder with what the commands name: the project, a record, its certificate, the archive's keys."""
    for entry in PROJECT.iterdir():
        if not entry.name.startswith(".") and entry.name != "var":
            (tmp_path / entry.name).symlink_to(entry)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    (tmp_path / "deal.tgn").write_text(samples.TAROKY, encoding="utf-8")
    _, _, page = product.request("GET", "/api/v1/deals?verdict=verified&limit=1")
    (verified,) = json.loads(page)["results"]
    for name, path in {
        "certificate.json": f"/api/v1/deals/{verified['deal']}/certificate",
        "keys.json": "/.well-known/tarock-archive-keys.json",
    }.items():
        (tmp_path / name).write_bytes(product.request("GET", path)[2])
    return tmp_path


@needs_curl
def test_every_command_of_the_documents(product, folder) -> None:
    # Restore into an archive of its own, empty at first.
    fresh = folder / "fresh"
    fresh.mkdir()
    number, left_out = 0, set()
    for page in PAGES:
        for command in commands(page):
            reasons = [begins for begins in NOT_RUN if command.startswith(begins)]
            if reasons:
                left_out |= set(reasons)
                for path in re.findall(r"tests/\S+\.py", command):
                    assert (PROJECT / path).exists(), f"{page}: {command}"
                continue
            environment = product.environment | {"TOKEN": product.token}
            if re.search(r"\b(restore|migrate)\b", command):
                environment["VAR_DIR"] = str(fresh)
            if "manage.py restore" in command:  # after the backup was restored there
                shutil.rmtree(fresh)
                fresh.mkdir()
                (fresh / "archive.sqlite3").touch()
                run("python manage.py migrate --noinput", folder, **environment)
            here = command.replace("http://localhost:8000/", product.address).replace("…", product.token)
            run(here.replace("curl ", "curl -fsS "), folder, **environment)
            number += 1
    assert left_out == set(NOT_RUN)
    assert number >= 15
