"""The OpenAPI description: made from the views by drf-spectacular, with what is true of all of them added
here."""

from typing import Any

from drf_spectacular.openapi import AutoSchema

from .serializers import ErrorSerializer

#: The answers that are errors: what each status means, for the operations that can give it.
ERRORS = {
    "400": "The request, or one of its parameters, is wrong.",
    "401": "A token is needed, or the one sent is not valid.",
    "403": "The user may not do this, or not with this token.",
    "404": "There is nothing at this address.",
    "405": "The address does not know this method.",
    "406": "The address has no form that the client would take.",
    "411": "The body is of unsaid length.",
    "413": "The body is larger than what this address takes in one request.",
    "415": "The body is of a kind that is not read.",
    "429": "Too many requests, or too much sent in an hour; Retry-After says how many seconds to wait.",
    "500": "An error in the archive itself.",
    "503": "The archive cannot answer now; Retry-After says how many seconds to wait.",
}
#: Those of a sending with an Idempotency-Key.
KEY_ERRORS = {
    "409": "Another request with the same Idempotency-Key is still coming in.",
    "422": "With the same Idempotency-Key something else was sent.",
}
#: Those of them that only a request with a body can meet.
OF_BODIES = {"411", "413", "415"}


class ApiSchema(AutoSchema):
    """Adds to every operation the errors it can answer with, so that no view has to repeat them."""

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        """The operation with its error answers."""
        operation = super().get_operation(*args, **kwargs)
        if operation is None:
            return None
        roles = [*self.view.roles, *([self.view.scope] if self.view.scope and self.method == "POST" else [])]
        for way in operation.get("security", ()):
            for scheme in way:
                way[scheme] = roles
        error = self.resolve_serializer(ErrorSerializer, "response").ref
        for status, description in ERRORS.items():
            if status in OF_BODIES and "requestBody" not in operation:
                continue
            if status == "403" and not (roles or self.view.others_may_not):
                continue
            answer = {"description": description, "content": {"application/json": {"schema": error}}}
            operation["responses"].setdefault(status, answer)
        if any(parameter["name"] == "Idempotency-Key" for parameter in operation.get("parameters", ())):
            for status, description in KEY_ERRORS.items():
                answer = {"description": description, "content": {"application/json": {"schema": error}}}
                declared = operation["responses"].setdefault(status, answer)["content"]["application/json"]
                if declared["schema"] != error:
                    declared["schema"] = {"anyOf": [declared["schema"], error]}
        operation["responses"] = dict(sorted(operation["responses"].items()))
        return operation
