"""Content of the API reference page, generated from the OpenAPI description."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any

from api.schema import ERRORS, description, glossary
from archive.web.problems import CODES

TAGS = (
    "deals",
    "uploads",
    "verify",
    "variations",
    "puzzles",
    "explorer",
    "scores",
    "changes",
    "webhooks",
    "rules",
    "dumps",
    "campaigns",
    "about",
)
"""Tags of operations, in the order of the page's sections. The default tag is the first word of the path."""
_MANY = 30
"""Maximum number of allowed values that the page lists in full for a parameter or a field."""
Json = dict[str, Any]
Text = list[list[str]]
"""Paragraphs of a text, each split at its backticks, so that every second piece is code."""
Kind = list[tuple[str, str]]
"""Description of a type: pieces of text, each with the name of the schema that it links to, or ""."""


@cache
def reference() -> Json:
    """Build the content of the page. The result is cached, because it depends only on the code."""
    schema = description()
    operations = sorted(_operations(schema["paths"]), key=lambda operation: TAGS.index(operation["tag"]))
    return {
        "about": schema["info"]["description"].partition("\n\n")[0],
        "words": glossary(),
        "operations": [(tag, list(found)) for tag, found in groupby(operations, key=itemgetter("tag"))],
        "errors": ERRORS,
        "codes": {code: row.meaning for code, row in CODES.items()},
        "schemas": [
            {
                "name": name,
                "about": text(found),
                "kind": [] if "properties" in found else kind(found),
                "parts": list(_properties(found)),
            }
            for name, found in schema["components"]["schemas"].items()
        ],
    }


def _operations(paths: Json) -> Iterator[Json]:
    """Yield the page's content for each operation. `token`: the token that it needs in words, empty if none;
    `scopes`: scopes that the token needs; `answers`: responses other than 304 and the shared errors."""
    for path, methods in paths.items():
        for method, operation in methods.items():
            answers, security = operation["responses"], operation["security"]
            roles = [role for requirement in security for scopes in requirement.values() for role in scopes]
            yield {
                "name": operation["operationId"],
                "tag": operation["tags"][0],
                "method": method.upper(),
                "path": path,
                "summary": operation["summary"],
                "about": text(operation),
                "token": "" if {} in security else "an operator’s token" if "staff" in roles else "a token",
                "scopes": [role for role in dict.fromkeys(roles) if role != "staff"],
                "parameters": [
                    _part(p["name"], p["schema"], p, p["in"], p.get("required", False))
                    for p in operation.get("parameters", ())
                ],
                "body": _answer("", operation["requestBody"]) if "requestBody" in operation else None,
                "answers": [
                    _answer(status, answers[status]) for status in answers if status not in (*ERRORS, "304")
                ],
            }


def _answer(status: str, response: Json) -> Json:
    forms = [(media, kind(form["schema"])) for media, form in response.get("content", {}).items()]
    return {"status": status, "about": text(response), "forms": forms}


def _properties(schema: Json) -> Iterator[Json]:
    for name, value in schema.get("properties", {}).items():
        yield _part(name, value, value, "", name in schema.get("required", ()))


def _part(name: str, schema: Json, described: Json, place: str, required: bool) -> Json:
    """Return the content for a parameter of an operation or a property of a schema."""
    about = text(described)
    return {"name": name, "place": place, "kind": kind(schema), "required": required, "about": about}


def text(schema: Json) -> Text:
    """Split a schema's description into paragraphs. Leave out the list of choices, which `kind` returns."""
    described = schema.get("description", "").partition("* `")[0]
    return [paragraph.split("`") for paragraph in described.strip().split("\n\n") if paragraph]


def kind(schema: Json) -> Kind:
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
