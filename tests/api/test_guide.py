"""`docs/api.md`: its commands are run as they stand, on a site as `make run` starts it, and must answer as
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
from tools.site import Site

DOCS = Path(__file__).parent.parent.parent / "docs"
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


def test_what_an_example_would_notice() -> None:
    assert_matches({"a": [1, "…"], "…": "…"}, {"a": [1, 2, 3], "b": 4})
    for expected, actual in [
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": 1, "…": "…"}, {"b": 2}),
        ([1], [1, 2]),
        ([1, 2, "…"], [1]),
        ({"a": None}, {"a": 0}),
        ("a", "b"),
    ]:
        with pytest.raises(AssertionError):
            assert_matches(expected, actual)


@pytest.mark.skipif(shutil.which("curl") is None, reason="the commands are for curl, which is not here")
def test_the_commands(product: Site, tmp_path: Path) -> None:
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
        run = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", here(example.command)],
            cwd=tmp_path,
            env={
                "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin:/usr/local/bin",
                **{"TOKEN": product.token, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(DOCS.parent)},
            },
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )
        assert run.returncode == 0, f"{example.command}\n{run.stderr}"
        if example.kind == "text":
            assert run.stdout == example.answer, example.command
            continue
        answer = json.loads(run.stdout)
        if number == NUMBER and any(result.get("id") for result in answer.get("results", ())):
            number, key = str(answer["results"][0]["id"]), answer["results"][0]["deal"]
        assert_matches(json.loads(here(example.answer)), answer, example.command)
    assert number != NUMBER


def code(page: str, tag: str) -> list[str]:
    """The text of each such element of a page of the site."""
    return [unescape(text) for text in re.findall(rf"<{tag}[^>]*>(.*?)</{tag.split()[0]}>", page, re.DOTALL)]


def test_the_site_serves_the_guide_with_its_own_address(product: Site) -> None:
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


@pytest.mark.skipif(shutil.which("curl") is None, reason="the commands are for curl, which is not here")
def test_the_commands_of_the_reference(product: Site, tmp_path: Path) -> None:
    (tmp_path / "evening.tgn").write_text(write_text(next(simulate("taroky", deals=1, seed=74))), "utf-8")
    (block,) = code(product.request("GET", "/api/v1/docs")[2].decode(), "pre")
    read, send = block.strip().splitlines()
    answers = []
    for command in (read, send.replace("…", product.token)):
        run = subprocess.run(
            ["bash", "-c", f"{command} -sS"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=90,
            check=True,
        )
        answers.append(json.loads(run.stdout))
    assert len(answers[0]["results"]) == 5
    assert {deal["game"] for deal in answers[0]["results"]} == {"taroky"}
    assert [result["verdict"] for result in answers[1]["results"]] == ["verified"]


def test_the_table_of_addresses() -> None:
    table = GUIDE.partition("| URL | purpose |")[2].partition("\n\n")[0]
    named = set(re.findall(r"`(?:GET|POST) /([^`]+)`", table))
    routes = {
        re.sub(r"<\w+:(?!slug|step)\w+>", "{id}", re.sub(r"<\w+:(slug|step)>", r"{\1}", str(pattern.pattern)))
        for pattern in urls.urlpatterns
        if pattern.name not in ("root", "schema", "docs", "guide", "nothing")
    }
    assert named == routes


def test_the_table_of_filters() -> None:
    table = GUIDE.partition("| parameter | matches deals |")[2].partition("\n\n")[0]
    named = re.findall(r"`(\w+)`", "".join(line.split("|")[1] for line in table.splitlines() if "|" in line))
    assert named == list(DealFilters().fields)


def test_the_table_of_parts() -> None:
    table = GUIDE.partition("| part | what it is |")[2].partition("\n\n")[0]
    rows = [f"| `{name}` | {COLUMNS[name].meaning} |" for name in export.PARTS]
    assert table.splitlines()[2:] == rows


def test_the_limits_named() -> None:
    rates = REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
    for named in (
        f"{conf.max_upload_bytes() // 1_000_000} MB",
        f"{conf.quota_bytes(False) // 1_000_000:,} MB",
        f"{conf.quota_deals(False):,} records",
        f"{PIECE:,} bytes",
        f"waits {WAIT} seconds",
        f"at most {waiting.LONGEST},",
        f"at most {MOST_RESULTS:,} results",
        f"{rates['api-read'].removesuffix('/min')} reads",
        f"{rates['api-write'].removesuffix('/min')} writes",
        f"{rates['api-scores'].removesuffix('/min')} times a minute",
    ):
        assert named in GUIDE, named


def test_the_words_named() -> None:
    for word in (*WORDS, *VERDICTS, *UploadItem.OUTCOMES):
        assert f"`{word}`" in GUIDE, word
