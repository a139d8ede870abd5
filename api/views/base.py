"""What every endpoint has in common: who may, how often, in which form, and how an error looks."""

from collections.abc import Callable
from functools import cached_property
from hashlib import sha256
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import Resolver404, resolve
from django.utils.cache import get_conditional_response, patch_cache_control
from rest_framework import serializers
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, NotFound, Throttled
from rest_framework.permissions import SAFE_METHODS, IsAuthenticatedOrReadOnly
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from archive import access
from archive.access import Viewer

from ..errors import BadParameter, ScopeNeeded, exception_handler
from ..negotiation import JSON, Negotiation
from ..schema import ApiSchema
from ..throttling import ReadThrottle, RefusedThrottle, WriteThrottle
from ..tokens import TokenAuthentication

Answer = TypeVar("Answer", bound=HttpResponse)


class ApiView(APIView):
    """One endpoint: open for reading, with a token for writing, errors of one shape, answers with an ETag.

    It says everything itself and takes nothing from the project's REST settings but the rates.
    """

    authentication_classes = [TokenAuthentication]
    permission_classes = [IsAuthenticatedOrReadOnly]
    throttle_classes = [ReadThrottle, WriteThrottle]
    renderer_classes = JSON
    parser_classes = ()  # what is sent is read by `api.bodies`
    content_negotiation_class = Negotiation
    http_method_names = ["get", "head", "post"]
    schema = ApiSchema()

    #: The query parameters the endpoint takes for GET; others are refused, so that a misspelt filter is not
    #: no filter.
    query_serializer: type[serializers.Serializer] | None = None
    #: Whether who has a token may still be refused: what is asked for is not his to change.
    others_may_not = False
    #: What a user must be beside.
    roles: tuple[str, ...] = ()
    #: What a token must be for, where something is sent; empty where the view asks itself, or for nothing.
    scope = "deals:write"
    #: Those it takes where something is sent.
    send_serializer: type[serializers.Serializer] | None = None

    def get_exception_handler(self) -> Callable[[Exception, dict[str, Any]], Response | None]:
        """The handler that knows the one shape."""
        return exception_handler

    def check_permissions(self, request: Request) -> None:
        """May the user, and may the token?"""
        super().check_permissions(request)
        if self.scope and request.method not in SAFE_METHODS:
            self.need(self.scope)

    def need(self, *scopes: str) -> None:
        """Raise :class:`ScopeNeeded` for the first of these that the token is not for."""
        for scope in scopes:
            if scope not in self.request.auth.scopes:
                raise ScopeNeeded(scope)

    def handle_exception(self, exc: Exception) -> Response:
        """An error is JSON, whatever form the client asked for. Who is refused too often is told to wait."""
        if isinstance(exc, (AuthenticationFailed, NotAuthenticated)):
            refused = RefusedThrottle(counts=True)
            if not refused.allow_request(self.request, self):
                exc = Throttled(refused.wait())
        response = super().handle_exception(exc)
        renderer = JSONRenderer()
        self.request.accepted_renderer = renderer
        self.request.accepted_media_type = renderer.media_type
        return response

    def finalize_response(
        self, request: Request, response: HttpResponse, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Give what can be read an ETag, and let a client that has it already go without the body."""
        response = super().finalize_response(request, response, *args, **kwargs)
        if (
            request.method in ("GET", "HEAD")
            and response.status_code == 200
            and isinstance(response, Response)
        ):
            response.add_post_render_callback(lambda rendered: _conditional(request, rendered))
        return response

    @cached_property
    def viewer(self) -> Viewer:
        """Who asks, with what he is in which club."""
        return access.viewer(self.request.user)

    def query(self, request: Request) -> dict[str, Any]:
        """The query parameters as values; raises :class:`BadParameter` for an unknown, repeated or wrong
        one."""
        reading = request.method in ("GET", "HEAD")
        wanted = self.query_serializer if reading else self.send_serializer
        form = wanted() if wanted else None
        known = set(form.fields) if form else set()
        given = {key: request.query_params.getlist(key) for key in request.query_params if key != "format"}
        for key, values in given.items():
            if key not in known:
                takes = ", ".join(sorted(known)) or "none"
                raise BadParameter(key, f"“{key}” is not a parameter of this address; it takes: {takes}.")
            if len(values) > 1:
                raise BadParameter(key, f"“{key}” is given {len(values)} times.")
        if form is None:
            return {}
        form = type(form)(data={key: values[0] for key, values in given.items()})
        form.is_valid(raise_exception=True)
        return dict(form.validated_data)


def _conditional(request: Request, response: HttpResponse) -> HttpResponse | None:
    """Set the ETag of a rendered answer; a 304 in its place if the client has just this one."""
    etag = f'"{sha256(response.content).hexdigest()[:32]}"'
    response.headers["ETag"] = etag
    # What is so today may be otherwise tomorrow: a kept answer is asked about before it is used again.
    patch_cache_control(response, no_cache=True, **({"private": True} if request.auth else {}))
    answer = get_conditional_response(request._request, etag=etag, response=response)
    return None if answer is response else answer


class NoSuchPath(ApiView):
    """Whatever below the API's address no endpoint answers to: the same shape of error as everywhere, or the
    way to the address without the slash at the end, where that is one."""

    schema = None
    scope = ""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Send whoever wrote a slash too many to the right address."""
        path = request.path.rstrip("/")
        if path != request.path and _is_endpoint(request.path_info.rstrip("/")):
            query = request.META.get("QUERY_STRING", "")
            address = path + (f"?{query}" if query else "")
            return HttpResponsePermanentRedirect(address, preserve_request=True)
        return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """There is nothing here, whatever the method."""
        super().initial(request, *args, **kwargs)
        raise NotFound("There is nothing at this address; GET /api/v1/ lists what there is.")


def _is_endpoint(path: str) -> bool:
    try:
        return resolve(path).view_name not in ("", "api:nothing")
    except Resolver404:
        return False
