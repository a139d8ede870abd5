"""The entrance, the schema, and the page about the API."""

from typing import Any

from django.views.generic import TemplateView
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.settings import spectacular_settings
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ..links import link
from ..reference import reference
from ..serializers import RootSerializer
from .base import ApiView

#: What the entrance lists: the addresses that need no number.
ENTRANCES = ("deals", "uploads", "scores", "games", "clauses", "schema", "docs")


class Root(ApiView):
    """The entrance of the API."""

    @extend_schema(operation_id="root", tags=["about"], summary="Where things are", responses=RootSerializer)
    def get(self, request: Request) -> Response:
        """The addresses to begin at."""
        self.query(request)
        return Response({name: link(request, name) for name in ENTRANCES})


class Schema(ApiView):
    """The OpenAPI description of all this."""

    schema = None
    renderer_classes = (OpenApiJsonRenderer, OpenApiYamlRenderer)

    def get(self, request: Request) -> Response:
        """OpenAPI 3, as JSON or (`?format=yaml`) YAML."""
        self.query(request)
        generator = spectacular_settings.DEFAULT_GENERATOR_CLASS()
        return Response(generator.get_schema(request=request, public=True))


class Docs(TemplateView):
    """The page on which the API can be read."""

    template_name = "api/docs.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The description, and where the API begins."""
        root = link(self.request, "root")
        return super().get_context_data(page=reference(), root=root, **kwargs)
