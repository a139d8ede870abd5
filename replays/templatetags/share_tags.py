"""What a page's head tells other sites about it."""

from __future__ import annotations

from typing import Any

from django import template
from django.http import HttpRequest
from django.utils.safestring import SafeString

from archive.models import Deal
from replays import sharing
from replays.markup import share
from replays.presenters import Position

register = template.Library()


@register.simple_tag(takes_context=True)
def share_meta(context: Any) -> SafeString:
    """Open Graph and oEmbed for a page with a ``deal`` and perhaps a ``position``: what a preview shows is
    what the address shows. A page without a position stands for the deal as dealt."""
    request: HttpRequest = context["request"]
    deal: Deal = context["deal"]
    position: Position | None = context.get("position")
    root = f"{request.scheme}://{request.get_host()}"
    link = sharing.Link(deal, position.step if position else 0)
    return share.meta(sharing.shared(root, link, position, deal.players.values()), root + request.path)
