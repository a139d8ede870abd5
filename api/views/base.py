"""Base class for all endpoints: authentication, throttles, formats, query parameters, errors, caching."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import Resolver404, URLPattern, URLResolver, resolve
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.http import parse_http_date_safe
from rest_framework import serializers, status
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, NotFound, Throttled
from rest_framework.permissions import SAFE_METHODS, IsAuthenticatedOrReadOnly
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api.links import header, link
from api.negotiation import JSON, Negotiation
from api.schema import ApiSchema
from api.tokens import TokenAuthentication
from archive import access, conf
from archive.access import Viewer
from archive.web import errors
from archive.web.errors import ApiError, ProblemView
from archive.web.throttles import RATE_LIMITS, MethodThrottle, ReadThrottle, RefusedThrottle, WriteThrottle
from tarock import __version__

T = TypeVar("T")


class ApiView(ProblemView):
    """Base class for endpoints. By default, anyone can read, and writing requires a token. All errors have
    the same format, and responses to GET, except streams, have an ETag."""

    authentication_classes = [TokenAuthentication]
    permission_classes = [IsAuthenticatedOrReadOnly]
    throttle_classes = [ReadThrottle, WriteThrottle]
    renderer_classes: tuple[type[BaseRenderer], ...] = JSON
    parser_classes = ()  # `api.bodies` parses request bodies
    content_negotiation_class = Negotiation
    http_method_names = ["get", "head", "post", "options"]
    schema: ApiSchema | None = ApiSchema()

    #: ETag of the response: a hash of its bytes, unless the view sets one earlier (`unless_known`).
    etag: str | None = None
    #: Serializer for GET query parameters. Unknown ones are rejected, so that no misspelt filter is ignored.
    query_serializer: type[serializers.Serializer] | None = None
    #: Serializer for the query parameters of other methods.
    send_serializer: type[serializers.Serializer] | None = None
    #: Values of the query parameters, set by `initial` after validation.
    params: dict[str, Any]
    #: Whether a request with a valid token can get a 403, because the user may not change the object.
    others_may_not = False
    #: Roles that the user needs in addition to the scope, for the API's description.
    roles: tuple[str, ...] = ()
    #: Scope that writing methods require; empty if none is needed, or if the view checks it itself.
    scope = "deals:write"
    #: Alternative sets of required scopes, if the scopes depend on the body and on who sent the deal.
    scope_choices: tuple[tuple[str, ...], ...] = ()
    #: Names of response headers that this view adds, for the API's description (`api.schema.HEADERS`).
    more_headers: tuple[str, ...] = ()
    #: Whether POST requests write nothing, so that they count towards the rate limit for reads.
    only_looks = False

    def check_permissions(self, request: Request) -> None:
        """Check the permissions of the user and the scope of the token."""
        super().check_permissions(request)
        if self.scope and request.method not in SAFE_METHODS:
            self.need(self.scope)

    def need(self, *scopes: str) -> None:
        """Raise `ApiError` for the first of these scopes that the token lacks, if any."""
        for scope in scopes:
            if scope not in self.request.auth.scopes:
                challenge = f'Bearer realm="api", error="insufficient_scope", scope="{scope}"'
                raise ApiError(
                    "scope_needed",
                    f"This needs a token with the scope “{scope}”.",
                    headers={"WWW-Authenticate": challenge},
                )

    def get_throttles(self) -> list[MethodThrottle]:
        """Return the throttles, and store them for the rate limit headers."""
        self.throttles: list[MethodThrottle] = super().get_throttles()
        return self.throttles

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check the request, and count it towards the rate limits even if a check fails. OPTIONS requests are
        always allowed and not counted."""
        if request.method == "OPTIONS":
            return
        try:
            self.perform_authentication(request)
        finally:
            self.check_throttles(request)
        self.choose_form(request)
        if request.method not in self.allowed_methods:
            self.http_method_not_allowed(request)
        self.check_permissions(request)
        self.params = self.query(request)

    format_kwarg = None  # no URL contains the format

    def choose_form(self, request: Request) -> None:
        """Choose the renderer for the response. Raise an error if the client accepts none of the formats."""
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)

    def options(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return Response(status=status.HTTP_204_NO_CONTENT)

    def handle_exception(self, exc: Exception) -> Response:
        """Return the error response, with 429 instead of 401 after too many failed authentications."""
        if isinstance(exc, (AuthenticationFailed, NotAuthenticated)):
            refused = RefusedThrottle()
            if not refused.allow_request(self.request, self):
                exc = Throttled(refused.wait())
        return super().handle_exception(exc)

    def finalize_response(
        self, request: Request, response: HttpResponse, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Add the caching headers and the `Link` header."""
        response = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(response, ("Accept", "Authorization"))
        described = header(service_desc=link(request, "schema"), license=conf.data_license().url)["Link"]
        response.headers["Link"] = ", ".join(filter(None, (response.headers.get("Link"), described)))
        # Responses change over time, so clients must revalidate a stored response.
        if not response.has_header("Cache-Control"):
            whose = {"private": True} if "HTTP_AUTHORIZATION" in request.META else {}
            patch_cache_control(response, no_cache=True, **whose)
        if isinstance(response, Response):
            response.add_post_render_callback(self.finish)
            return response
        return self.finish(response)

    def finish(self, response: HttpResponse) -> HttpResponse:
        """Add the ETag and rate limit headers. If the client already has the response, return a 304 instead,
        which doesn't count towards the rate limits."""
        if self.request.method in ("GET", "HEAD") and response.status_code in (200, 304):
            response = self._conditional(response)
        throttles = getattr(self, "throttles", ())
        if response.status_code == status.HTTP_304_NOT_MODIFIED:
            for throttle in throttles:
                throttle.give_back()
        for name in RATE_LIMITS:
            if limits := [throttle.headers[name] for throttle in throttles if throttle.key]:
                response.headers[name] = ", ".join(limits)
        return response

    def _conditional(self, response: HttpResponse) -> HttpResponse:
        if self.etag is None and not response.streaming:
            self.etag = _quoted(response.content)
        if self.etag is not None:
            response.headers["ETag"] = self.etag
        modified = parse_http_date_safe(response.headers.get("Last-Modified", ""))
        conditional = get_conditional_response(self.request._request, self.etag, modified, response)
        return conditional if conditional.status_code == status.HTTP_304_NOT_MODIFIED else response

    def unless_known(self, *state: Any) -> None:
        """Set the ETag from the `state`, the URL and the format, before the response is built. Raise
        `errors.Unchanged` if the client already has the response."""
        request = self.request
        self.etag = _quoted(
            repr((request.build_absolute_uri(), request.accepted_media_type, __version__, *state)).encode()
        )
        conditional = get_conditional_response(request._request, self.etag)
        if conditional is not None and conditional.status_code == status.HTTP_304_NOT_MODIFIED:
            raise errors.Unchanged

    @cached_property
    def viewer(self) -> Viewer:
        """The sender of the request, with their role in each of their spaces."""
        return access.viewer(self.request.user)

    def query(self, request: Request) -> dict[str, Any]:
        """Return the validated query parameters. Raise `ApiError` if one is unknown, repeated or invalid."""
        wanted = self.query_serializer_of(request.method)
        given = {key: request.query_params.getlist(key) for key in request.query_params if key != "format"}
        form = wanted(data={key: values[0] for key, values in given.items()}) if wanted else None
        known = set(form.fields) if form else set()
        for key, values in given.items():
            if key not in known:
                takes = ", ".join(sorted(known)) or "none"
                detail = f"“{key}” is not a parameter of this URL; it accepts: {takes}."
                raise ApiError("invalid_parameter", detail, field=key)
            if len(values) > 1:
                raise ApiError("invalid_parameter", f"“{key}” is given {len(values)} times.", field=key)
        return errors.validated(form) if form else {}

    def query_serializer_of(self, method: str) -> type[serializers.Serializer] | None:
        """Return the serializer for a method's query parameters, if it has any."""
        return self.query_serializer if method in ("GET", "HEAD") else self.send_serializer

    def serialize(
        self, serializer: type[serializers.Serializer], value: Any, *, many: bool = False, **context: Any
    ) -> Any:
        """Return the serialized value. The serializer's context contains the request and `context`."""
        return serializer(value, many=many, context={"request": self.request, **context}).data


def found(find: Callable[..., T], *args: Any) -> T:
    """Call `find`, and return the object. Raise Http404 if it does not exist."""
    try:
        return find(*args)
    except ObjectDoesNotExist:
        raise Http404 from None


def _quoted(content: bytes) -> str:
    return f'"{sha256(content).hexdigest()[:32]}"'


class NoSuchPath(ApiView):
    """View for paths under the API's root that match no endpoint. It redirects if the path matches without a
    trailing slash, and otherwise returns an error in the API's format."""

    schema = None
    scope = ""
    #: URL patterns of all endpoints, set in `api.urls`.
    endpoints: Sequence[URLPattern | URLResolver] = ()

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Redirect if removing a trailing slash leads to an endpoint."""
        path = request.path.rstrip("/")
        if path != request.path and _is_endpoint(request.path_info.rstrip("/")):
            query = request.META.get("QUERY_STRING", "")
            address = path + (f"?{query}" if query else "")
            return HttpResponsePermanentRedirect(address, preserve_request=True)
        return super().dispatch(request, *args, **kwargs)

    def choose_form(self, request: Request) -> None:
        """Reject the request with a 404, before format and method are checked."""
        raise NotFound(self.nothing_at(request.path_info))

    def options(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        raise NotFound(self.nothing_at(request.path_info))

    def nothing_at(self, path: str) -> str:
        """Return the error message for a path that doesn't exist."""
        given = path.removeprefix("/api/v1/").split("/")
        for pattern in self.endpoints:
            expected = str(pattern.pattern).split("/")
            if len(expected) != len(given):
                continue
            differing = [(part, word) for part, word in zip(expected, given, strict=True) if part != word]
            if all(part.startswith("<") for part, _ in differing):
                for part, word in differing:
                    kind = part[1:].partition(":")[0]
                    if kind in _EXPECTED and not re.fullmatch("[0-9]+", word):
                        return f"“{word}” is not {_EXPECTED[kind]}."
        return "There is nothing at this URL; GET /api/v1/ lists the others."


_EXPECTED = {
    "deal": "the number of a deal, such as 12 or, as contribution 45 says it, 12-45",
    "int": "a number",
}
"""Expected content of a URL parameter, by the name of its converter."""


def _is_endpoint(path: str) -> bool:
    try:
        return resolve(path).view_name not in ("", "api:nothing")
    except Resolver404:
        return False
