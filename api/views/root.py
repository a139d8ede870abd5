"""Views for the root, the schemas, and the pages about the API."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_exempt
from django.views.generic import TemplateView
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.links import header, link
from api.negotiation import JSON_SCHEMA
from api.reference import reference
from api.schema import description
from api.serializers.root import RootSerializer
from api.views.base import ApiView
from archive import conf
from archive.web.documents import document
from archive.web.problems import answer
from tarock.notation.schema import schema


class Root(ApiView):
    @extend_schema(
        operation_id="root", tags=["about"], summary="List the main URLs", responses=RootSerializer
    )
    def get(self, request: Request) -> Response:
        """Return the main URLs of the API."""
        entrances = [name for name in RootSerializer().fields if name != "license"]
        addresses = {name: link(request, name.replace("_", "-")) for name in entrances}
        addresses["license"] = conf.data_license().url
        return Response(
            addresses, headers=header(service_doc=addresses["docs"], describedby=addresses["schema"])
        )


class Schema(ApiView):
    schema = None
    # Put plain JSON first, because browsers show it, but download types that they don't know.
    renderer_classes = (OpenApiJsonRenderer2, OpenApiJsonRenderer, OpenApiYamlRenderer2, OpenApiYamlRenderer)

    def get(self, request: Request) -> Response:
        """Return the OpenAPI 3 description as JSON, or as YAML with `?format=yaml`."""
        return Response(description())


class TgnSchema(ApiView):
    renderer_classes = JSON_SCHEMA

    @extend_schema(
        operation_id="get_tgn_schema",
        tags=["about"],
        summary="Get the JSON Schema of TGN's JSON form",
        responses={
            (200, "application/schema+json"): OpenApiTypes.OBJECT,
            (200, "application/json"): OpenApiTypes.OBJECT,
        },
    )
    def get(self, request: Request) -> Response:
        """Return the JSON Schema (draft 2020-12) of a record in the JSON form."""
        return Response(schema())


@method_decorator(csrf_exempt, "dispatch")  # so that a POST gets an error in the API's format
class Docs(TemplateView):
    """The API reference as a page."""

    template_name = "api/docs.html"

    def http_method_not_allowed(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return an error in the API's format, although the URL is a page."""
        refused = answer("method_not_allowed", f"Method “{request.method}” is not allowed.")
        refused["Allow"] = ", ".join(self._allowed_methods())
        return refused

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        root = link(self.request, "root")
        return super().get_context_data(page=reference(), root=root, **kwargs)


class Guide(Docs):
    """The guide `docs/api.md` as a page, with this site's URL in its commands."""

    template_name = "api/guide.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        here = self.request.build_absolute_uri("/").rstrip("/")
        return {"guide": document("api.md").replace("http://localhost:8000", here)}
