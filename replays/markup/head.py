"""Where a page of a deal stands: `templates/parts/crumbs.jinja`.

Only for `replays.markup.replay`, until that is a template, too: then this file goes.
"""

from __future__ import annotations

from django.utils.safestring import SafeString

from replays.jinja import part


def crumbs(pk: int, here: str, deal: str) -> SafeString:
    """The way from the list of deals to the page ``here`` of deal ``pk``; with links if ``deal`` has one."""
    return part("crumbs", {"pk": pk, "here": here, "links": bool(deal)})
