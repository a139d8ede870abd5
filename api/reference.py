"""The OpenAPI description as a page shows it: what there is to ask, and what the answers are made of."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from .errors import CODES
from .schema import ERRORS, description

TAGS = ("deals", "uploads", "verify", "scores", "changes", "webhooks", "rules", "dumps", "campaigns", "about")
"""The sections, in their order on the page."""
_MANY = 30
"""More choices are not listed on the page."""
Text = list[list[str]]
"""Paragraphs, each cut at its backticks: every second piece is code."""
Kind = list[tuple[str, str]]
"""Words that say of what kind a value is, each with the name of the schema that it leads to, or ""."""


class Part(NamedTuple):
    """A parameter, or a key of an object."""

    name: str
    place: str
    kind: Kind
    required: bool
    about: Text


class Answer(NamedTuple):
    """An answer that is not an error, or a body that is taken: its forms by media type."""

    status: str
    about: Text
    forms: list[tuple[str, Kind]]


class Operation(NamedTuple):
    """One method of one address."""

    name: str
    tag: str
    method: str
    path: str
    summary: str
    about: Text
    token: str
    """``required``, ``operator`` or ``optional``."""
    scope: str
    """What the token must be for, if for anything."""
    parameters: list[Part]
    body: Answer | None
    answers: list[Answer]


class Schema(NamedTuple):
    """What a part of an answer is made of."""

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
    """Made once: it follows from the code alone."""
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
        for method, found in methods.items():
            answers = found["responses"]
            roles = set().union(*[role for requirement in found["security"] for role in requirement.values()])
            token = "optional" if {} in found["security"] else "operator" if "staff" in roles else "required"
            yield Operation(
                found["operationId"],
                found["tags"][0],
                method.upper(),
                path,
                found["summary"],
                text(found),
                token,
                "".join(roles - {"staff"}),
                [
                    Part(p["name"], p["in"], kind(p["schema"]), p.get("required", False), text(p))
                    for p in found.get("parameters", ())
                ],
                _answer("", found["requestBody"]) if "requestBody" in found else None,
                [_answer(status, answers[status]) for status in answers if status not in (*ERRORS, "304")],
            )


def _answer(status: str, found: Mapping[str, Any]) -> Answer:
    forms = [(media, kind(form["schema"])) for media, form in found.get("content", {}).items()]
    return Answer(status, text(found), forms)


def _properties(found: Mapping[str, Any]) -> Iterator[Part]:
    required = found.get("required", ())
    for name, value in found.get("properties", {}).items():
        yield Part(name, "", kind(value), name in required, text(value))


def text(found: Mapping[str, Any]) -> Text:
    """A description; the list of choices at its end is left out, since its kind says them."""
    described = found.get("description", "").partition("* `")[0]
    return [paragraph.split("`") for paragraph in described.strip().split("\n\n") if paragraph]


def kind(found: Mapping[str, Any]) -> Kind:
    """Of what kind a value is, in words."""
    if "$ref" in found:
        name = found["$ref"].rpartition("/")[2]
        return [("null", "")] if name == "NullEnum" else [(name, name)]
    for several in ("oneOf", "anyOf", "allOf"):
        if several in found:
            kinds = [kind(one) for one in found[several]]
            return [word for n, one in enumerate(kinds) for word in ([(" or ", "")] if n else []) + one]
    if "enum" in found:
        choices = ["null" if one is None else str(one) for one in found["enum"]]
        if len(choices) > _MANY:
            choices = [*choices[:3], f"… ({len(choices)} in all, in the schema)"]
        return [(" | ".join(choices), "")]
    named = found.get("type", "any value")
    words = " or ".join(named) if isinstance(named, list) else named
    if "items" in found:
        return [(f"{words} of ", ""), *kind(found["items"])]
    if isinstance(found.get("additionalProperties"), dict):
        return [(f"{words} of ", ""), *kind(found["additionalProperties"])]
    if "format" in found:
        words += f" ({found['format']})"
    if "minimum" in found and "maximum" in found:
        limited = found["maximum"] < 2**62  # else it is what the databases can hold
        words += f", {found['minimum']} {'to ' + str(found['maximum']) if limited else 'or more'}"
    if "default" in found:
        words += f", else {found['default']}"
    return [(words, "")]
