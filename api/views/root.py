"""The entrance, the schema, and the page to try the API on."""

from typing import Any

from csp.decorators import csp_update
from django.utils.decorators import method_decorator
from django.views.generic import TemplateView
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.settings import spectacular_settings
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

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
        return Response({name: reverse(f"api:{name}", request=request) for name in ENTRANCES})


class Schema(ApiView):
    """The OpenAPI description of all this."""

    schema = None
    renderer_classes = (OpenApiJsonRenderer, OpenApiYamlRenderer)

    def get(self, request: Request) -> Response:
        """OpenAPI 3, as JSON or (`?format=yaml`) YAML."""
        self.query(request)
        generator = spectacular_settings.DEFAULT_GENERATOR_CLASS()
        return Response(generator.get_schema(request=request, public=True))


# The style of Swagger UI draws its arrows and locks from data: addresses. Nothing else is opened.
@method_decorator(csp_update({"img-src": ["data:"]}), name="dispatch")
class Docs(TemplateView):
    """The page on which the API can be read and tried; its script and style come from files of our own."""

    template_name = "api/docs.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The address of the schema."""
        return super().get_context_data(schema_url=reverse("api:schema"), **kwargs)
