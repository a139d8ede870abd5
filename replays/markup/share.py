"""What is shared of a deal: `templates/parts/preview.jinja`, `share.jinja`.

Only for `replays.markup.replay`, until that is a template, too: then this file goes.
"""

from __future__ import annotations

from django.utils.safestring import SafeString

from replays.jinja import part
from replays.sharing import Shared


def meta(shared: Shared, address: str) -> SafeString:
    """Open Graph and oEmbed for the page at this ``address``."""
    return part("preview", {"shared": shared, "address": address})


def share(shared: Shared, pk: int, has_text: bool, whole: bool) -> SafeString:
    """The addresses of a moment of deal ``pk``; ``whole``: whether the whole deal may be had."""
    return part("share", {"shared": shared, "pk": pk, "has_text": has_text, "whole": whole})
