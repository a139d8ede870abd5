"""Where a page of a deal stands."""

from __future__ import annotations

from django.utils.safestring import SafeString

from replays.markup.text import joined
from replays.paths import path
from replays.spoken import spoken


def crumbs(pk: int, here: str, deal: str) -> SafeString:
    """The way from the list of deals to the page ``here`` of deal ``pk``; ``deal``: the address of its own
    page, empty where no link is to be given."""
    _ = spoken()
    then = ' <span aria-hidden="true">›</span> '
    if deal:
        deals = f'<a href="{path("deals")}">{_("Deals")}</a>'
        steps = (deals, f'<a href="{deal}">№ {pk}</a>', here)
    else:
        steps = (_("Deals"), f"№ {pk}", here)
    return joined((f'<p class="crumbs">{then.join(steps)}</p>',))
