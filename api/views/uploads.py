"""Uploads: what became of each record, for whoever sent them."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from archive import selectors
from archive.models import Upload

from ..serializers import UploadSerializer
from .base import ApiView


class OneUpload(ApiView):
    """One upload of one's own."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        operation_id="get_upload",
        tags=["uploads"],
        summary="The report on an upload of one's own",
        responses=UploadSerializer,
    )
    def get(self, request: Request, pk: int) -> Response:
        """What became of each record of an upload. Somebody else's upload is not found, as one that never
        was."""
        self.query(request)
        try:
            upload = selectors.upload_for(request.user, pk)
        except Upload.DoesNotExist:
            raise Http404 from None
        return Response(UploadSerializer(upload, context={"request": request}).data)
