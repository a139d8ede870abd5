"""Clients that programs have made of the OpenAPI description, used on the site as `make run` starts it."""

import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tarock.analysis.simulate import simulate
from tarock.analysis.verify import check
from tarock.notation import dump_json, write_text
from tests.support import samples
from tools.site import PROJECT, Site

Questions = list[tuple[str, dict[str, Any]]]


NODE = Path(sys.executable).with_name("node")

# OpenAPI Generator runs for a few seconds, in which Java's second compiler costs more than it saves.
BRIEF = {**os.environ, "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}


def run(*command: str | Path, cwd: Path) -> str:
    """Run a program, and return what it prints."""
    done = subprocess.run(command, cwd=cwd, env=BRIEF, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def generated(product: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder with three clients: `archive_client` of openapi-python-client, and `openapi_client` and
    `typescript` of OpenAPI Generator."""
    folder = tmp_path_factory.mktemp("generated")
    (folder / "schema.json").write_bytes(product.request("GET", "/api/v1/schema")[2])
    # It doesn't format its output: that would need a program in the path.
    (folder / "config.yaml").write_text("post_hooks: []", encoding="utf-8")
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", "schema.json"]
    command += ["--meta", "none", "--output-path", "archive_client", "--config", "config.yaml"]
    # Bodies of text it can't send; all else it has understood.
    for line in run(*command, cwd=folder).splitlines():
        if line.startswith(("Unsupported", "Cannot", "Error")):
            assert line.startswith("Unsupported content type")
    program = Path(sys.executable).with_name("openapi-generator-cli")
    for kind, name in (("python", "."), ("typescript-fetch", "typescript")):
        run(program, "generate", "-i", "schema.json", "-g", kind, "-o", name, cwd=folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield folder


def test_the_python_clients_have_every_operation_and_can_be_imported(generated) -> None:
    paths = json.loads((generated / "schema.json").read_text("utf-8"))["paths"].values()
    described = {operation["operationId"] for path in paths for operation in path.values()}
    operations = generated.glob("archive_client/api/*/*.py")
    assert {path.stem for path in operations} - {"__init__"} == described
    for package in ("archive_client", "openapi_client"):
        for path in (generated / package).rglob("*.py"):
            importlib.import_module(".".join(path.relative_to(generated).with_suffix("").parts))


# --- OpenAPI Generator --------------------------------------------------------------------------------------

READER = """
const client = require("./typescript/index.js");
const { address, token, questions, tgn, ndjson } = require("./questions.json");
const configuration = new client.Configuration({ basePath: address, accessToken: token });
const names = Object.keys(client).filter((name) => /.Api$/.test(name) && name !== "BaseAPI");
const apis = names.map((name) => new client[name](configuration));
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
(async () => {
const read = [];
for (const [name, parameters] of questions) {
  const method = camel(name);
  try {
    if (await apis.find((api) => method in api)[method](parameters) !== undefined) read.push(name);
  } catch (error) {
    if (error.response?.status !== 409) throw error;
  }
}
const verify = new client.VerifyApi(configuration);
const as = (type) => async ({ init }) => ({ ...init, headers: { ...init.headers, "Content-Type": type } });
const checks = [await verify.verify({ body: tgn }),
  await verify.verify({ body: ndjson }, as("application/x-ndjson"))];
console.log(JSON.stringify({ read, verdicts: checks.map((check) => check.results[0].verdict) }));
})();
"""


@pytest.fixture(scope="module")
def compiler() -> Path:
    """The TypeScript compiler that checks the scripts, too."""
    found = PROJECT / "tools" / "scripts" / "node_modules" / "typescript" / "bin" / "tsc"
    if not found.exists():
        assert not os.environ.get("REQUIRE_CLIENTS"), "the TypeScript compiler is missing"
        pytest.skip("needs `make tools/scripts/node_modules`")
    return found


@pytest.fixture(scope="module")
def questions(product: Site) -> Questions:
    """An operation and its parameters for each answer about the samples."""

    def ask(path: str) -> Any:
        headers = {"Authorization": f"Token {product.token}"}
        return json.loads(product.request("GET", f"/api/v1/{path}", **headers)[2])

    lists = "changes clauses deals dumps games scores uploads webhooks"
    asked: Questions = [(name, {}) for name in ("root", "me", "get_tgn_schema")]
    asked += [(f"list_{name}", {}) for name in lists.split()]
    asked += [("get_game", {"game": game["id"]}) for game in ask("games")]
    asked += [("get_clause", {"slug": clause["slug"]}) for clause in ask("clauses")[::10]]
    for deal in ask("deals?order=oldest&limit=45")["results"][::4]:
        key = {"key": deal["deal"]}
        asked += [(name, key) for name in ("get_deal", "get_original", "get_score")]
        if deal["kind"] == "played":
            played = ("get_certificate", "get_replay", "get_positions", "list_variations")
            asked += [(name, key) for name in played]
            asked.append(("get_position", {**key, "step": 3}))
    return asked


TGN = write_text(next(simulate("taroky", deals=1, seed=72)))
LINE = dump_json(next(simulate("troggu", deals=1, seed=73))) + "\n"


def assert_read(read: list[str], questions: Questions) -> None:
    """Fail unless every answer was read; deals that are not verified have no certificate."""
    assert len(read) > 100
    assert set(read) == {name for name, _ in questions}
    assert [name for name in read if name != "get_certificate"] == [
        name for name, _ in questions if name != "get_certificate"
    ]


def test_the_python_client_of_openapi_generator(generated, product, questions) -> None:
    client = importlib.import_module("openapi_client")
    connection = client.ApiClient(
        client.Configuration(host=product.address.rstrip("/"), access_token=product.token)
    )
    apis = [getattr(client, name)(connection) for name in dir(client) if re.search("[a-z]Api$", name)]
    read = []
    for name, parameters in questions:
        call = next(getattr(api, name) for api in apis if hasattr(api, name))
        try:
            assert call(**parameters) is not None
        except client.exceptions.ConflictException:
            continue
        read.append(name)
    assert_read(read, questions)
    verify = client.VerifyApi(connection).verify
    for body, media in ((TGN, "application/vnd.tgn"), (LINE, "application/x-ndjson")):
        assert verify(body, _content_type=media).results[0].verdict == "verified"


def test_the_typescript_client_of_openapi_generator(generated, compiler, product, questions) -> None:
    options = "--strict --target es2022 --module commonjs --lib es2022,dom"
    source = generated / "typescript" / "index.ts"
    run(NODE, compiler, *options.split(), "--outDir", "typescript", source, cwd=generated)
    asked = {"address": product.address.rstrip("/"), "token": product.token, "tgn": TGN, "ndjson": LINE}
    (generated / "questions.json").write_text(json.dumps({**asked, "questions": questions}), "utf-8")
    (generated / "read.js").write_text(READER, "utf-8")
    found = json.loads(run(NODE, "read.js", cwd=generated))
    assert found["verdicts"] == ["verified", "verified"]
    assert_read(found["read"], questions)


# --- openapi-python-client ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made(generated: Path) -> ModuleType:
    """Its package."""
    return importlib.import_module("archive_client")


def test_it_reads_every_answer(made, product, questions) -> None:
    client = made.AuthenticatedClient(
        base_url=product.address, token=product.token, raise_on_unexpected_status=True
    )
    folder = Path(str(made.__file__)).parent / "api"
    modules = {path.stem: path.parent.name for path in folder.glob("*/*.py")}
    read = []
    for name, parameters in questions:
        module = importlib.import_module(f"archive_client.api.{modules[name]}.{name}")
        answer = module.sync_detailed(**parameters, client=client)
        if answer.status_code != 409:
            assert answer.status_code == 200, name
            assert answer.parsed is not None
            read.append(name)
    assert_read(read, questions)


def test_it_sends_and_reads(made, product) -> None:
    def call(name: str, *arguments: Any, **named: Any) -> Any:
        return importlib.import_module(f"archive_client.api.{name}").sync(*arguments, client=client, **named)

    models = importlib.import_module("archive_client.models")
    client = made.AuthenticatedClient(base_url=product.address, token=product.token, prefix="Token")
    (record,) = simulate("taroky", deals=1, seed=70)  # nobody else sends it to this site
    sent = json.loads(dump_json(replace(record, tags={"Event": "by a client"})))
    for name in ("options", "comments"):  # which a record may leave out
        assert not sent.pop(name)
    *events, last_but_one, last = sent["events"]
    wrong = {**sent, "tags": {}, "events": [*events, last, last_but_one]}
    records = [models.Record.from_dict(one) for one in (sent, wrong)]
    upload = call("deals.store_deals", body=records, prefer="wait=60")
    assert isinstance(upload, models.Upload)
    assert [(result.outcome, result.verdict) for result in upload.results] == [
        ("stored", "verified"),
        ("stored", "illegal"),
    ]
    first, second = (str(result.id) for result in upload.results)
    original = call("deals.get_original", first)
    assert isinstance(original, models.Original)
    assert (original.form, json.loads(original.text)) == ("json", sent)
    (shown,) = call("deals.list_deals", ids=upload.results[0].deal).results
    assert (shown.deal, shown.url) == (upload.results[0].deal, upload.results[0].url)
    sheet = call("deals.get_score", first)
    assert isinstance(sheet, models.ScoreSheet)
    expected = check(record)
    assert sheet.score.to_dict() == expected.score
    assert sum(line.points["A"] for line in sheet.lines) == expected.score["A"]
    assert (sheet.facts.declarer, sheet.facts.partner) == ("D", "C")
    assert {quantity for line in sheet.lines for quantity in line.quantity.to_dict()} >= {"points", "half"}
    finding = call("deals.get_score", second).finding
    assert (finding.clause, finding.seat) == ("common.turn", "C")
    found = call("deals.list_deals", limit=1, event="BY A CLIENT")
    assert [str(deal.id) for deal in found.results] == [first]
    assert call("uploads.get_upload", upload.upload).finished
    line = models.Variation(id=1, step=len(events), events=[last], from_=0, name="so far")
    wanted = models.SaveRequest(variations=[line], visibility=models.Sharing.PUBLIC, version=0)
    saved = call("variations.save_variations", first, body=wanted)
    assert (saved.mine, saved.version, saved.variations[0].events) == (True, 1, [last])
    assert [one.key for one in call("variations.list_variations", first).results] == [saved.key]
    found = call("variations.get_variations", saved.key)
    assert (found.played.score.to_dict(), found.variations[0].name) == (expected.score, "so far")
    problem = call("deals.get_deal", "999999")
    assert isinstance(problem, models.Problem)
    assert (problem.status, problem.code) == (404, "not_found")

    # What was sent as text, and one record alone.
    text = write_text(next(simulate("troggu", deals=1, seed=71)))
    headers = {"Content-Type": "application/vnd.tgn", "Prefer": "wait=60"}
    answer = client.get_httpx_client().post("api/v1/deals", content=text.encode(), headers=headers).json()
    key = answer["results"][0]["deal"]
    original = call("deals.get_original", key)
    assert (original.deal, original.form, original.text) == (key, "tgn", text)
    client = made.Client(base_url=product.address)
    answer = call("verify.verify", body=models.Record.from_dict(samples.taroky_json()))
    assert [check.verdict for check in answer.results] == ["verified"]
