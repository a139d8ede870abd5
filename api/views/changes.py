"""Views for the feed of changes and for webhooks."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api.bodies import fields_of
from api.links import next_url, of_deals
from api.pagination import paged
from api.serializers.changes import ChangePageSerializer, ChangesQuery
from api.serializers.webhooks import (
    WebhookDetailSerializer,
    WebhookListSerializer,
    WebhookMadeSerializer,
    WebhookOwnerRequest,
    WebhookRequest,
)
from api.views.base import ApiView
from archive.access import Viewer
from archive.models import Space, Webhook
from archive.publishing import export, webhooks
from archive.reading import clubs
from archive.shown import shown
from archive.storing import feed, spaces
from archive.web.errors import ApiError


class Changes(ApiView):
    query_serializer = ChangesQuery

    @extend_schema(
        operation_id="list_changes",
        summary="List all changes to deals in order",
        responses=ChangePageSerializer,
    )
    def get(self, request: Request) -> Response:
        """Return the changes after change number `after`: deals that were stored, corrected or withdrawn, or
        that got another verdict or visibility. To miss nothing, continue from `next`: immediately while
        `more` is true, otherwise later.

        Each contribution appears once, at its latest change. The `kind` `withdrawn` means that you can no
        longer see the contribution: delete your copy of it.

        With a token, the feed depends on the clubs that you are a member of. `scope` identifies this set of
        clubs, and `next` contains it. After you join or leave a club, the next response is a `reset`: delete
        your copy, and read everything again from `next`.
        """
        query = self.params
        club, fields, known = query.pop("club", None), query.pop("fields", None), query.pop("scope", "")
        scope = feed.scope(self.viewer, club)
        reset = known not in ("", scope)
        if reset:
            changes = feed.Changes([], last=0, more=True, end=0)
        else:
            changes = feed.changes(viewer=self.viewer, space=club, **query)
        answer = {
            "changes": [_change(entry, of_deals(request), fields) for entry in changes.entries],
            "last": changes.last,
            "more": changes.more,
            "scope": scope,
            "reset": reset,
            "next": next_url(request, after=changes.last, scope=scope),
        }
        return paged(answer)


def _change(entry: feed.Entry, address: export.Address, fields: tuple[str, ...] | None) -> dict[str, Any]:
    url = address(entry.key) if entry.contribution else None
    listed = None
    if entry.contribution and fields:
        listed = export.entry(shown(entry.contribution), fields, address)
    return {**entry.as_json, "url": url, "shown": listed}


class WebhookView(ApiView):
    """Base class for views of the webhooks of a user's own space and of the clubs that they own."""

    permission_classes = [IsAuthenticated]
    scope = "club:admin"

    def webhook(self, pk: int) -> Webhook:
        """Return a webhook. Raise Http404 if it does not exist or the viewer may not see it."""
        return get_object_or_404(clubs.webhooks_of(self.viewer), pk=pk)


def _space(viewer: Viewer, request: Request, club: int | None) -> Space:
    """Return the space of `club`, which the viewer must own; without `club`, return the viewer's own space,
    created on first use."""
    if club is None:
        return spaces.own(request.user)
    space = clubs.own_clubs(viewer, "owner").filter(pk=club).first()
    if space is None:
        raise ApiError("invalid_parameter", f"You do not own a club {club}.", field="club")
    return space


class Webhooks(WebhookView):
    @extend_schema(
        operation_id="list_webhooks",
        summary="List your webhooks, and those of the clubs that you own",
        responses=WebhookListSerializer,
    )
    def get(self, request: Request) -> Response:
        """List your webhooks and those of the clubs that you own, with their progress."""
        return Response(self.serialize(WebhookListSerializer, {"webhooks": clubs.webhooks_of(self.viewer)}))

    @extend_schema(
        operation_id="add_webhook",
        summary="Add a webhook",
        request={"application/json": WebhookRequest},
        responses={201: WebhookMadeSerializer},
    )
    def post(self, request: Request) -> Response:
        """Add a webhook. From then on, the archive sends every change in the club, or in your own space, to
        its URL as a POST request: `{"type": "changes", "timestamp": …, "data": {"space": …,
        "club": …, "club_name": …, "changes": […], "last": …}}`. The `changes` are in the same format as in
        the feed.

        Each message is signed with the `secret` from the response, as specified by Standard Webhooks
        (standardwebhooks.com): `webhook-signature` is `v1,` followed by the Base64 form of the HMAC-SHA256 of
        `webhook-id`, `webhook-timestamp` and the body, joined by dots. The key of the HMAC is the part of the
        secret after `whsec_`, decoded from Base64.

        Respond with 2xx within 10 seconds. Otherwise the archive sends the message again after 1, 5 and 15
        minutes, then after increasingly long pauses, with the same `webhook-id` as long as its content is the
        same. After three days of failures, the webhook stops until you start it again. A 410 response stops
        the webhook immediately. After a 429 or 503 response with `Retry-After`, the archive waits at least as
        long as the header says, up to a day.
        """
        fields = fields_of(request, WebhookRequest)
        space = _space(self.viewer, request, fields["club"])
        webhook = webhooks.add(space, fields["url"], by=request.user)
        answer = self.serialize(WebhookMadeSerializer, webhook)
        return Response(answer, status=status.HTTP_201_CREATED, headers={"Location": answer["links"]["self"]})


class OneWebhook(WebhookView):
    http_method_names = ["get", "head", "delete", "options"]

    @extend_schema(
        operation_id="get_webhook",
        summary="Get a webhook with its latest deliveries",
        responses=WebhookDetailSerializer,
    )
    def get(self, request: Request, pk: int) -> Response:
        """Return a webhook with its latest deliveries, newest first."""
        return Response(self.serialize(WebhookDetailSerializer, self.webhook(pk)))

    @extend_schema(
        operation_id="delete_webhook",
        summary="Delete a webhook",
        responses={204: OpenApiResponse(description="The webhook was deleted.")},
    )
    def delete(self, request: Request, pk: int) -> Response:
        """Delete a webhook and its log of deliveries."""
        self.webhook(pk).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


class StartWebhook(WebhookView):
    @extend_schema(
        operation_id="start_webhook",
        summary="Restart a stopped or waiting webhook",
        request=None,
        responses=WebhookDetailSerializer,
    )
    def post(self, request: Request, pk: int) -> Response:
        """Restart a stopped webhook, and send waiting changes immediately, without the pause after a failure.
        Only the webhook's owner can do this; another owner of the club must adopt the webhook first."""
        webhook = self.webhook(pk)
        if webhook.made_by_id != request.user.pk:
            raise ApiError("permission_denied", "You are not the owner of this webhook. Take it over first.")
        webhooks.start_again(webhook)
        return Response(self.serialize(WebhookDetailSerializer, self.webhook(pk)))


class AdoptWebhook(WebhookView):
    @extend_schema(
        operation_id="adopt_webhook",
        summary="Become the owner of a webhook of a club that you own",
        request={"application/json": WebhookOwnerRequest},
        responses=WebhookMadeSerializer,
    )
    def post(self, request: Request, pk: int) -> Response:
        """Become the owner of a webhook, for example after its former owner has left the club. You set your
        own URL and get a new `secret`. Delivery resumes after the last change that was accepted. The owner
        of a webhook can also use this request to change its secret or URL."""
        fields = fields_of(request, WebhookOwnerRequest)
        webhooks.adopt(self.webhook(pk), fields["url"], by=request.user)
        return Response(self.serialize(WebhookMadeSerializer, self.webhook(pk)))
