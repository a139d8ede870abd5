"""The running account: `templates/parts/chart.jinja`.

Only for `replays.markup.replay`, until that is a template, too: then this file goes.
"""

from __future__ import annotations

from django.utils.safestring import SafeString

from replays.jinja import part
from replays.running import Chart


def chart(drawn: Chart, prefix: str) -> SafeString:
    """The figure. ``prefix``: the query of any step, its number to be written behind it."""
    return part("chart", {"chart": drawn, "prefix": prefix})
