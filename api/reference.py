"""Content of the API reference page, generated from the OpenAPI description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from api.schema import ERRORS, description
from archive.web.problems import CODES

TAGS = (
    "deals",
    "uploads",
    "verify",
    "variations",
    "scores",
    "changes",
    "webhooks",
    "rules",
    "dumps",
    "campaigns",
    "about",
)
"""Sections of the page, in order. By default, an operation's tag is the first word of its path."""
_MANY = 30
"""Maximum number of allowed values that the page lists for a parameter or a field."""
Text = list[list[str]]
"""Paragraphs of a text, each split at its backticks, so that every second piece is code."""
Kind = list[tuple[str, str]]
"""Description of a type, in pieces: each is a text and the name of the schema that it links to, or ""."""


class Part(NamedTuple):
    """A parameter of an operation, or a property of a schema."""

    name: str
    place: str
    kind: Kind
    required: bool
    about: Text


class Answer(NamedTuple):
    """A request body, or a response other than the shared errors, with its schema for each media type."""

    status: str
    about: Text
    forms: list[tuple[str, Kind]]


class Operation(NamedTuple):
    """An API operation: an HTTP method on a path."""

    name: str
    tag: str
    method: str
    path: str
    summary: str
    about: Text
    token: str
    """Whether a token is needed: `required`, `operator` (a token of the operator's staff) or `optional`."""
    scopes: list[str]
    """Scopes that the token needs, if any."""
    parameters: list[Part]
    body: Answer | None
    answers: list[Answer]


class Schema(NamedTuple):
    """A schema in the OpenAPI description."""

    name: str
    about: Text
    kind: Kind
    parts: list[Part]


class Reference(NamedTuple):
    """The whole page."""

    title: str
    about: str
    operations: list[tuple[str, list[Operation]]]
    errors: dict[str, str]
    codes: dict[str, str]
    schemas: list[Schema]


@cache
def reference() -> Reference:
    """Build the content of the page. The result is cached, because it depends only on the code."""
    schema = description()
    operations = sorted(_operations(schema["paths"]), key=lambda operation: TAGS.index(operation.tag))
    return Reference(
        schema["info"]["title"],
        schema["info"]["description"],
        [(tag, list(found)) for tag, found in groupby(operations, key=lambda operation: operation.tag)],
        ERRORS,
        {code: row.meaning for code, row in CODES.items()},
        [
            Schema(name, text(found), [] if "properties" in found else kind(found), list(_properties(found)))
            for name, found in schema["components"]["schemas"].items()
        ],
    )


def _operations(paths: Mapping[str, Any]) -> Iterator[Operation]:
    for path, methods in paths.items():
        for method, operation in methods.items():
            answers, security = operation["responses"], operation["security"]
            roles = [role for requirement in security for scopes in requirement.values() for role in scopes]
            token = "optional" if {} in security else "operator" if "staff" in roles else "required"
            yield Operation(
                operation["operationId"],
                operation["tags"][0],
                method.upper(),
                path,
                operation["summary"],
                text(operation),
                token,
                [role for role in dict.fromkeys(roles) if role != "staff"],
                [
                    Part(p["name"], p["in"], kind(p["schema"]), p.get("required", False), text(p))
                    for p in operation.get("parameters", ())
                ],
                _answer("", operation["requestBody"]) if "requestBody" in operation else None,
                [_answer(status, answers[status]) for status in answers if status not in (*ERRORS, "304")],
            )


def _answer(status: str, response: Mapping[str, Any]) -> Answer:
    forms = [(media, kind(form["schema"])) for media, form in response.get("content", {}).items()]
    return Answer(status, text(response), forms)


def _properties(schema: Mapping[str, Any]) -> Iterator[Part]:
    required = schema.get("required", ())
    for name, value in schema.get("properties", {}).items():
        yield Part(name, "", kind(value), name in required, text(value))


def text(schema: Mapping[str, Any]) -> Text:
    """Split a schema's description into paragraphs, without the list of choices that the type repeats."""
    described = schema.get("description", "").partition("* `")[0]
    return [paragraph.split("`") for paragraph in described.strip().split("\n\n") if paragraph]


def kind(schema: Mapping[str, Any]) -> Kind:
    """Return a readable description of the type of a schema."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return [("null", "")] if name == "NullEnum" else [(name, name)]
    for several in ("oneOf", "anyOf", "allOf"):
        if several in schema:
            kinds = [kind(one) for one in schema[several]]
            return [word for n, one in enumerate(kinds) for word in ([(" or ", "")] if n else []) + one]
    if "enum" in schema:
        choices = ["null" if one is None else str(one) for one in schema["enum"]]
        if len(choices) > _MANY:
            choices = [*choices[:3], f"… ({len(choices)} in all, in the schema)"]
        return [(" | ".join(choices), "")]
    named = schema.get("type", "any value")
    words = " or ".join(named) if isinstance(named, list) else named
    if "items" in schema:
        return [(f"{words} of ", ""), *kind(schema["items"])]
    if isinstance(schema.get("additionalProperties"), dict):
        return [(f"{words} of ", ""), *kind(schema["additionalProperties"])]
    if "format" in schema:
        words += f" ({schema['format']})"
    if "minimum" in schema and "maximum" in schema:
        limited = schema["maximum"] < 2**62  # otherwise it is only the databases' limit
        words += f", {schema['minimum']} {'to ' + str(schema['maximum']) if limited else 'or more'}"
    if "default" in schema:
        words += f", else {schema['default']}"
    return [(words, "")]
