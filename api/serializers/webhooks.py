"""Serializers for webhooks and their deliveries."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.links import link
from api.serializers.fields import IdField, Json
from archive.models import Webhook
from archive.publishing import webhooks


@extend_schema_field({"type": "string", "format": "uri", "pattern": "^https?://", "maxLength": 500})
class SecureAddressField(serializers.CharField):
    """Field for the URL of a webhook, which `archive.publishing.outgoing` validates."""


class WebhookOwnerRequest(serializers.Serializer):
    """The new URL of an adopted webhook."""

    url = SecureAddressField(max_length=500, help_text="URL to send messages to, beginning with `https://`.")


class WebhookRequest(WebhookOwnerRequest):
    """A webhook to add."""

    club = IdField(
        default=None,
        allow_null=True,
        help_text="Id of a club that you own, to receive its changes; by default, those to your own deals.",
    )


class DeliverySerializer(serializers.Serializer):
    """One attempt to send changes to a webhook."""

    sent_at = serializers.DateTimeField(source="at", help_text="Time of the request.")
    after = serializers.IntegerField(help_text="Number of the first change that was sent, minus 1.")
    last = serializers.IntegerField(help_text="Number of the last change that was sent.")
    number = serializers.IntegerField(help_text="Number of changes that were sent.")
    status = serializers.IntegerField(
        allow_null=True, help_text="HTTP status of the response; null if there was no response."
    )
    response = serializers.CharField(
        help_text="Beginning of the response, or the reason why there was no response."
    )
    took = serializers.IntegerField(help_text="Milliseconds until the response or the failure.")


class WebhookLinks(serializers.Serializer):
    """URLs related to a webhook."""

    self = serializers.URLField(help_text="URL of the webhook.")
    start = serializers.URLField(
        help_text="URL for a POST request that restarts the webhook and sends waiting changes immediately."
    )
    adopt = serializers.URLField(help_text="URL for a POST request that makes you the owner of the webhook.")


class WebhookSerializer(serializers.Serializer):
    """A webhook: a URL to which the archive sends changes."""

    webhook = serializers.IntegerField(source="pk", help_text="Id of the webhook.")
    url = serializers.SerializerMethodField(
        help_text="URL that messages are sent to. Only the owner sees its path, which may contain a secret."
    )
    owner = serializers.CharField(
        source="made_by.username",
        default=None,
        allow_null=True,
        help_text="Username of the user who added or adopted the webhook; null if the account was deleted.",
    )
    club = serializers.IntegerField(
        source="space.club", allow_null=True, help_text="Id of the club; null for your own deals."
    )
    club_name = serializers.CharField(
        source="space.club_name", allow_null=True, help_text="Name of the club; null for your own deals."
    )
    made_at = serializers.DateTimeField(help_text="Time when the webhook was added.")
    after = serializers.SerializerMethodField(
        help_text="Number of the last change that the receiver accepted, or 0."
    )
    due_at = serializers.DateTimeField(help_text="Earliest time of the next delivery.")
    failures = serializers.IntegerField(help_text="Number of consecutive failed deliveries.")
    stopped_at = serializers.DateTimeField(allow_null=True, help_text="Time when sending stopped, or null.")
    stopped = serializers.ChoiceField(
        choices=Webhook.REASONS,
        source="reason",
        allow_null=True,
        help_text="Reason why sending stopped, or null: `given_up` after three days of failures, `gone` "
        "after a 410 response, `owner_left` if the webhook's owner no longer owns the club.",
    )
    links = serializers.SerializerMethodField(help_text="URLs related to the webhook.")

    @extend_schema_field(WebhookLinks)
    def get_links(self, webhook: Webhook) -> Json:
        names = {"self": "webhook", "start": "webhook-start", "adopt": "webhook-adopt"}
        return {name: link(self.context["request"], view, webhook.pk) for name, view in names.items()}

    def get_after(self, webhook: Webhook) -> int:
        """Return the number of the last change that the receiver accepted. Don't return the webhook's
        position in the feed, which would reveal how many changes other people make."""
        accepted = webhook.deliveries.filter(status__range=(200, 299))
        return accepted.values_list("last", flat=True).first() or 0

    def get_url(self, webhook: Webhook) -> str:
        return webhook.url_for(self.context["request"].user.pk)


class WebhookMadeSerializer(WebhookSerializer):
    """A new or adopted webhook, with its secret."""

    secret = serializers.SerializerMethodField(help_text="Secret with which every message is signed.")

    def get_secret(self, webhook: Webhook) -> str:
        return webhooks.secret(webhook)


class WebhookDetailSerializer(WebhookSerializer):
    """A webhook with its latest deliveries."""

    deliveries = serializers.SerializerMethodField(
        help_text="Latest deliveries, newest first; empty unless you are the webhook's owner."
    )

    @extend_schema_field(DeliverySerializer(many=True))
    def get_deliveries(self, webhook: Webhook) -> Json:
        return DeliverySerializer(webhook.log_for(self.context["request"].user.pk), many=True).data


class WebhookListSerializer(serializers.Serializer):
    """Your webhooks, and those of the clubs that you own."""

    webhooks = WebhookSerializer(many=True, help_text="The webhooks.")
