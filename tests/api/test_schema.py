"""The OpenAPI schema: it is valid, it is complete, and what the API does is what it says."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema
import pytest
import yaml
from django.core.management import call_command
from openapi_spec_validator import OpenAPIV31SpecValidator

from api import urls
from archive.publishing import outgoing, webhooks
from archive.publishing.export import PARTS
from archive.storing import spaces
from tests.conformance import FILES, FOLDER
from tests.support import samples
from tests.support.effort import THOROUGH
from tests.support.storing import stored
from tools.site import PROJECT

from .conftest import JSON, ApiClient

ERRORS = {"400", "401", "404", "405", "406", "429", "500", "503"}


def read_yaml(text: bytes) -> Any:
    """Read YAML with libyaml, in a tenth of the time."""
    return yaml.load(text, Loader=yaml.CSafeLoader)


@cache
def the_schema() -> dict[str, Any]:
    """The schema as a client gets it."""
    return ApiClient().ask("schema").json()  # type: ignore[no-any-return]


@pytest.fixture
def document(db: None) -> dict[str, Any]:
    return the_schema()


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """The method, the path below the API, and the description of each operation."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method, path.removeprefix("/api/v1/"), operation


def test_it_is_valid_and_made_without_a_warning(document, capsys, tmp_path) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yml"))
    assert "Warning" not in capsys.readouterr().err
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []


def test_json_and_yaml(reader, document) -> None:
    assert document["openapi"].startswith("3.1")
    assert read_yaml(reader.ask("schema", {"format": "yaml"}).content) == document
    openapi = "application/vnd.oai.openapi+json"
    for accept, kind in (
        *((kind, kind) for kind in (JSON, openapi, "application/yaml")),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", JSON),
    ):
        response = reader.ask("schema", accept=accept)
        assert response["Content-Type"].partition(";")[0] == kind
        assert read_yaml(response.content) == document


def test_every_address_is_described(document) -> None:
    described = {path.removeprefix("/api/v1/").replace("{id}", "{pk}") for path in document["paths"]}
    assert described == {
        re.sub(r"<\w+:(\w+)>", r"{\1}", str(pattern.pattern))
        for pattern in urls.urlpatterns
        if pattern.name not in ("schema", "docs", "guide", "nothing")
    }


def test_every_operation_describes_itself_and_its_errors(document) -> None:
    problem = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for method, path, operation in operations(document):
        assert operation["summary"], path
        assert operation["description"], path
        for parameter in operation.get("parameters", ()):
            if parameter["in"] != "path":
                assert parameter["description"], f"{path}: {parameter['name']}"
        assert set(operation["responses"]) >= ERRORS, (method, path)
        for status, response in operation["responses"].items():
            if status in ERRORS:
                (answer,) = response.values()
                assert document["components"]["responses"][answer.rpartition("/")[2]]["content"] == problem
    for name, schema in document["components"]["schemas"].items():
        for member, about in schema.get("properties", {}).items():
            assert about.get("description"), f"{name}.{member}"


def test_who_must_sign_in(document) -> None:
    needs = {(method, path) for method, path, one in operations(document) if {} not in one["security"]}
    campaigns = ("campaigns", "campaigns/{id}/stop", "campaigns/{id}/resume")
    staff = {("get", "campaigns/{id}"), *(("post", path) for path in campaigns)}
    changed = [
        f"deals/{path}" for path in ("{key}/correction", "{key}/visibility", "visibility", "{key}/move")
    ]
    changed += ["uploads/{id}/records/{n}/adopt", "webhooks", "webhooks/{id}/start", "webhooks/{id}/adopt"]
    changes = {("post", path) for path in changed} | {("delete", "webhooks/{id}")}
    changes |= {(method, "deals/{key}/variations") for method in ("put", "delete")}
    own = {("get", path) for path in ("uploads", "uploads/{id}", "me", "webhooks", "webhooks/{id}")}
    sends = {("post", "deals"), ("post", "uploads"), ("post", "imports")}
    assert needs == sends | own | changes | staff
    for method, path, operation in operations(document):
        assert ("403" in operation["responses"]) == ((method, path) in staff | changes | sends)
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"


def test_what_a_parameter_takes_is_said(document) -> None:
    taken = {one["name"]: one["schema"] for one in document["paths"]["/api/v1/deals"]["get"]["parameters"]}
    for name, good, bad in (
        ("ids", "12,13-45", "12;13"),
        ("digest", "0a" * 32, "0a"),
        ("fields", "deal,url", "deal,key"),
        ("since", "2026-11-22", "yesterday"),
        ("limit", 100, 10**12),
    ):
        check = jsonschema.Draft202012Validator(taken[name], format_checker=jsonschema.FormatChecker())
        assert check.is_valid(good), name
        assert not check.is_valid(bad), name
        for example in taken[name].get("examples", ()):
            assert check.is_valid(example), name
    record = _component(document, "Record")
    for wrong in ({"tgn": 2}, {"game": "poker"}, {"dealer": "Z"}):
        assert not record.is_valid(samples.taroky_json() | wrong), wrong
    assert record.is_valid(samples.taroky_json())


def test_the_record_shown_can_be_sent(document, reader) -> None:
    content = document["paths"]["/api/v1/verify"]["post"]["requestBody"]["content"]
    for media_type in ("text/plain", "application/json"):
        (example,) = content[media_type]["examples"].values()
        sent = example["value"] if media_type == "text/plain" else json.dumps(example["value"])
        (result,) = reader.send(sent, media_type, path="verify").json()["results"]
        assert result["verdict"] == "verified"


def test_corrections_name_their_scopes(document) -> None:
    def scopes(path: str) -> list[list[str]]:
        ways = document["paths"][f"/api/v1/{path}"]["post"]["security"]
        return [scopes for way in ways for scopes in way.values()]

    own = [["deals:write"], ["deals:write", "club:admin"]]
    assert scopes("deals/{key}/correction") == scopes("uploads/{id}/records/{n}/adopt") == own
    assert scopes("deals/{key}/visibility") == [*own, ["deals:delete"], ["deals:delete", "club:admin"]]


def test_a_message_to_a_webhook_is_described(document, alena, monkeypatch) -> None:
    sent = []

    def post(url: str, body: bytes, headers: Any, **_: Any) -> outgoing.Answer:
        sent.append(json.loads(body))
        return outgoing.Answer(204, "")

    monkeypatch.setattr(outgoing, "post", post)
    hook = webhooks.add(spaces.own(alena), "https://receiver.example/", by=alena)
    stored(samples.TAROKY, user=alena)
    assert webhooks.deliver(hook.pk)
    told = document["x-webhooks"]["changes"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert told == {"$ref": "#/components/schemas/Message"}
    (message,) = sent
    _whole("Message").validate(message)


def _component(document: dict[str, Any], name: str) -> jsonschema.protocols.Validator:
    return jsonschema.Draft202012Validator(
        {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
    )


def _closed(schema: Any) -> Any:
    """The schema with every object held to the keys it names: what it does not mention must not be there."""
    if isinstance(schema, dict):
        closed = {key: _closed(value) for key, value in schema.items()}
        if schema.get("type") == "object" and "properties" in schema:
            closed.setdefault("additionalProperties", False)
        return closed
    return [_closed(value) for value in schema] if isinstance(schema, list) else schema


@cache
def _whole(name: str) -> jsonschema.protocols.Validator:
    """A validator of a component that mentions all that is there."""
    return _component(_closed(the_schema()), name)


def _some_records() -> Iterator[Any]:
    """A sample, and of each game a conformance deal with each verdict."""
    yield pytest.param(samples.TAROKY, id="taroky")
    # The archive can't store the deals of `profiles.jsonl` yet.
    for path in sorted(FOLDER / f"{file}.jsonl" for file in FILES):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for verdict in ("verified", "illegal", "incomplete"):
            fitting = [row["record"] for row in rows if row["expect"]["verdict"] == verdict]
            for record in fitting[-1:]:
                yield pytest.param(json.dumps(record), id=f"{path.stem}-{verdict}")


@pytest.mark.parametrize("body", list(_some_records()))
def test_answers_are_wholly_described(body, reader, writer, store, document) -> None:
    deal = store(body)
    for name, answer in {
        "DealDetail": reader.ask(f"deals/{deal.pk}").json(),
        "DealPage": reader.ask("deals", {"fields": ",".join(PARTS)}).json(),
        "ScoreSheet": reader.ask(f"deals/{deal.pk}/score").json(),
        "Outline": reader.ask(f"deals/{deal.pk}/replay").json(),
        "PositionList": reader.ask(f"deals/{deal.pk}/replay/positions").json(),
        "Standing": reader.send(body, path="positions?view=B").json(),
        "PlayerScorePage": reader.ask("scores").json(),
        "Upload": writer.send(body).json(),
    }.items():
        _whole(name).validate(answer)
    steps = reader.ask(f"deals/{deal.pk}/replay", {"view": "B"}).json()["steps"]
    for step in {0, steps // 2, steps}:
        _whole("Position").validate(
            reader.ask(f"deals/{deal.pk}/replay/positions/{step}", {"view": "B"}).json()
        )


def test_small_answers_are_wholly_described(reader, writer, staff, taroky, document) -> None:
    for name, answer in {
        "Upload": writer.send(samples.TAROKY + "\n" + samples.MALFORMED).json(),
        "UploadPage": writer.ask("uploads").json(),
        "DealPage": reader.ask("deals").json(),
        "Refusal": writer.send(samples.MALFORMED).json(),
        "DealDetail": staff.send(samples.TAROKY) and staff.ask(f"deals/{taroky.pk}").json(),
        "Campaign": staff.send("", path="campaigns").json(),
        "Problem": reader.ask("deals/0").json(),
        "Root": reader.ask().json(),
        "Game": reader.ask("games/troggu").json(),
        "Clause": reader.ask("clauses/common.turn").json(),
    }.items():
        _whole(name).validate(answer)
    with pytest.raises(jsonschema.ValidationError):
        _whole("Problem").validate({"detail": "Not found."})


def test_made_up_requests(product) -> None:
    """Valid and invalid requests, generated from the description by schemathesis, cause no server error, no
    undeclared response and no missing header. All checks, as in `schemathesis.toml`; the values at the
    bounds of each parameter only in `make fuzz`."""
    phases = "examples,coverage,fuzzing" if THOROUGH else "examples,fuzzing"
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", "schemathesis.toml", "run"]
    command += [f"{product.address}api/v1/schema", "--header", f"Authorization: Bearer {product.token}"]
    command += ["--phases", phases, "--max-examples", "2", "--generation-deterministic"]
    command += ["--request-timeout", "60"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-5000:]
    tested = re.search(r"Tested: (\d+)", done.stdout)
    assert tested
    document = json.loads(product.request("GET", "/api/v1/schema")[2])
    assert int(tested[1]) == len(list(operations(document)))
