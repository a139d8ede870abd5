"""The OpenAPI description. drf-spectacular generates it, and this module adds shared errors and headers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.settings import spectacular_settings
from drf_spectacular.utils import OpenApiResponse, OpenApiWebhook, extend_schema

from api.serializers.changes import MessageSerializer
from api.serializers.problems import ProblemSerializer
from archive.addresses import KEY
from archive.web.problems import PROBLEM
from archive.web.throttles import RATE_LIMITS
from tarock.analysis.simulate import simulate
from tarock.games import GAMES
from tarock.notation import write_json, write_text
from tarock.words import clauses
from tarock.words.terms import Term, terms

#: Error responses that operations share: status → description.
ERRORS = {
    "400": "The request or one of its parameters is invalid.",
    "401": "The token is missing or invalid.",
    "403": "The user may not do this, or not with this token.",
    "404": "There is nothing at this URL.",
    "405": "The URL does not support this method.",
    "406": "The URL has no format that the client accepts.",
    "411": "The length of the body is missing.",
    "413": "The body is larger than this URL accepts.",
    "415": "The type of the body is not supported.",
    "429": "Too many requests, or too much sent in an hour; Retry-After says how many seconds to wait.",
    "500": "An error in the archive itself.",
    "503": "The archive is temporarily unavailable; Retry-After says how many seconds to wait.",
    "507": "The archive has no disk space for the body.",
}
#: Further error responses of operations that accept an Idempotency-Key: status → description.
KEY_ERRORS = {
    "409": "Another request with the same Idempotency-Key is still being received.",
    "422": "Another request was sent with the same Idempotency-Key.",
}
#: Statuses that only a request with a body can get.
OF_BODIES = {"411", "413", "415", "507"}
#: Statuses without rate limit headers: these errors can occur before the limits are checked.
UNCOUNTED = {"503", "507"}

_TEXT, _ADDRESS, _SECONDS = (
    {"type": "string"},
    {"type": "string", "format": "uri"},
    {"type": "integer", "minimum": 0},
)
#: Response headers: name → schema and description.
HEADERS: dict[str, tuple[dict[str, Any], str]] = {
    "Allow": (_TEXT, "The methods that the URL supports."),
    "Content-Range": (
        _TEXT,
        "Returned bytes and size of the file, `bytes 0-99/1234`; `bytes */1234` if none are returned.",
    ),
    "ETag": (_TEXT, "Version of the response; send it as If-None-Match to get 304 if nothing has changed."),
    "Idempotent-Replayed": (_TEXT, "`true` if an earlier request had the same Idempotency-Key."),
    "Last-Modified": (
        _TEXT,
        "Time of the last change; send it as If-Modified-Since to get 304 if nothing has changed.",
    ),
    "Link": (
        _TEXT,
        'URLs of the next page (`rel="next"`), of descriptions of the response, and of the data licence.',
    ),
    "Location": (_ADDRESS, "URL of the report."),
    "Preference-Applied": (_TEXT, "`wait=N` if the response waited for up to N seconds."),
    "RateLimit": (
        _TEXT,
        'Requests left, and seconds until all are available again: `"api-read";r=599;t=60`.',
    ),
    "RateLimit-Policy": (_TEXT, 'Requests allowed, and the seconds of the window: `"api-read";q=600;w=60`.'),
    "Retry-After": (_SECONDS, "Seconds to wait."),
    "WWW-Authenticate": (_TEXT, "The authentication scheme."),
    "X-Request-Id": (_TEXT, "Id of the request, which is also in the archive's log."),
}
_OF_STATUS = {
    "206": ("Content-Range",),
    "401": ("WWW-Authenticate",),
    "405": ("Allow",),
    "416": ("Content-Range",),
    "429": ("Retry-After",),
    "503": ("Retry-After",),
}


def _headers(*names: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in (*names, "X-Request-Id")}


def _counted(status: str) -> tuple[str, ...]:
    return () if status in UNCOUNTED else RATE_LIMITS


MESSAGE = OpenApiWebhook(
    "changes",
    extend_schema(
        tags=["webhooks"],
        summary="Receive changes through a webhook",
        description=(
            "Each message is signed as Standard Webhooks specifies. Respond with 2xx within 10 seconds; "
            "otherwise the archive sends the message again."
        ),
        request={"application/json": MessageSerializer},
        responses={
            "2XX": OpenApiResponse(description="Accepted."),
            "default": OpenApiResponse(description="Rejected. The message is sent again, except after 410."),
        },
    ),
)
"""OpenAPI description of the messages that the archive sends to webhooks."""


_NEEDED = {f"#/components/schemas/{name}" for name in ("Records", "VariationsToScore")}


def glossary() -> dict[str, list[Term]]:
    """Return the words of the table that the descriptions use: those of all games, then those of each game by
    its name."""
    common = terms("common")
    of_games = {clauses.book(game).name: terms(game) for game in GAMES}
    return {"All games": [*common]} | {
        name: [term for term in found if term not in common] for name, found in of_games.items()
    }


def _in_markdown(words: dict[str, list[Term]]) -> str:
    lists = (
        "\n".join([f"**{name}**\n", *(f"- *{t.word}*: {t.text}" for t in ts)]) for name, ts in words.items()
    )
    return "\n\n".join(["## Words of the table", *lists])


def complete(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the words of the table, the shared headers and error responses, and declare that request bodies
    accept no unknown keys."""
    result["info"]["description"] += "\n\n" + _in_markdown(glossary())
    schemas = result["components"]["schemas"]
    (record,) = simulate("strohmann", deals=1, seed=1)
    samples = {"text/plain": write_text(record), "application/json": write_json(record)}
    # Rename two keys from which OpenAPI Generator makes invalid code: `webhooks` in Python clients, and
    # `oneOf` with a schema and an array of the same schema in TypeScript clients.
    result["x-webhooks"] = result.pop("webhooks")
    schemas["Records"]["anyOf"] = schemas["Records"].pop("oneOf")
    for operations in result["paths"].values():
        for operation in operations.values():
            body = operation.get("requestBody", {})
            # drf-spectacular doesn't mark bodies with alternative schemas as required, so do it here.
            if body.get("content", {}).get("application/json", {}).get("schema", {}).get("$ref") in _NEEDED:
                body["required"] = True
            if "application/vnd.tgn" in body.get("content", {}):
                for media_type, sample in samples.items():
                    body["content"][media_type]["examples"] = {"a whole record": {"value": sample}}
            for name in _refers_to(body, schemas):
                if schemas[name].get("type") == "object":
                    schemas[name]["additionalProperties"] = False
    result["components"]["headers"] = {
        name: {"description": about, "schema": kind} for name, (kind, about) in HEADERS.items()
    }
    form = {"schema": {"$ref": "#/components/schemas/Problem"}}
    result["components"]["responses"] = {
        f"Error{status}": {
            "description": about,
            "headers": _headers(*_OF_STATUS.get(status, ()), *_counted(status)),
            "content": {PROBLEM: form},
        }
        for status, about in ERRORS.items()
    } | {
        "Unchanged": {
            "description": (
                "The client already has this response, as If-None-Match or If-Modified-Since says. The "
                "request does not count towards the rate limits."
            ),
            "headers": _headers("ETag", *_counted("304")),
        }
    }
    return result


def _refers_to(part: Any, schemas: dict[str, Any]) -> Iterator[str]:
    """Yield the names of all schemas that a part of the description refers to, directly or indirectly."""
    if isinstance(part, dict):
        if "$ref" in part:
            name = part["$ref"].rpartition("/")[2]
            yield name
            yield from _refers_to(schemas[name], schemas)
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from _refers_to(inner, schemas)


@cache
def description() -> dict[str, Any]:
    """Return the OpenAPI description. It is generated only once, because it depends only on the code."""
    return spectacular_settings.DEFAULT_GENERATOR_CLASS().get_schema(request=None, public=True)


class ApiSchema(AutoSchema):
    """Generator for OpenAPI operations that adds the shared error responses and headers."""

    def get_override_parameters(self) -> list[Any]:
        """Return the serializer for the query parameters, if the method has any."""
        query = self.view.query_serializer_of(self.method)
        return [query] if query else []

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        """Return the operation with scopes, limits for path parameters, error responses and headers added."""
        operation = super().get_operation(*args, **kwargs)
        if operation is None:
            return None
        roles = [*self.view.roles, *([self.view.scope] if self.view.scope and self.method != "GET" else [])]
        for requirement in operation.get("security", ()):
            for scheme in requirement:
                requirement[scheme] = roles
        if self.view.scope_choices:
            operation["security"] = [
                {scheme: list(scopes)}
                for requirement in operation["security"]
                for scheme in requirement
                for scopes in self.view.scope_choices
            ]
        self.resolve_serializer(ProblemSerializer, "response")
        for parameter in operation.get("parameters", ()):
            if parameter["in"] != "path":
                continue
            if parameter["name"] == "key" and "format" not in parameter["schema"]:
                parameter["schema"]["pattern"] = f"^{KEY}$"
            elif parameter["schema"] == {"type": "integer"}:
                # Steps, and records in an upload, are numbered from 0; all other ids start at 1.
                parameter["schema"]["minimum"] = 0 if parameter["name"] in ("n", "step") else 1
        answers = operation["responses"]
        for status, answer in answers.items():
            names = (*self._names(status), *_OF_STATUS.get(status, ()), *_counted(status))
            answer["headers"] = answer.get("headers", {}) | _headers(*names)
            if status >= "400":
                answer["content"] = {PROBLEM: answer["content"].pop("application/json")}
        for status in ERRORS:
            if status in OF_BODIES and "requestBody" not in operation:
                continue
            if status == "403" and not (roles or self.view.others_may_not):
                continue
            answers.setdefault(status, {"$ref": f"#/components/responses/Error{status}"})
        if any(parameter["name"] == "Idempotency-Key" for parameter in operation.get("parameters", ())):
            for status, description in KEY_ERRORS.items():
                problem = {"$ref": "#/components/schemas/Problem"}
                answer = {"description": description, "content": {PROBLEM: {"schema": problem}}}
                answer["headers"] = _headers(*_counted(status))
                form = answers.setdefault(status, answer)["content"][PROBLEM]
                if form["schema"] != problem:
                    form["schema"] = {"anyOf": [form["schema"], problem]}
        if self.method == "GET":
            answers["304"] = {"$ref": "#/components/responses/Unchanged"}
        operation["responses"] = dict(sorted(answers.items()))
        return operation

    def _names(self, status: str) -> tuple[str, ...]:
        """Return the names of the headers that the view adds to responses with this status."""
        if self.method == "GET":
            return ("ETag", "Link", *self.view.more_headers)
        return self.view.more_headers if status in ("200", "201", "202") else ()
