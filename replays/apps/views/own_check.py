"""The page on which the browser checks records without sending them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from replays.apps.engine import description
from replays.language.verdicts import VERDICTS, verdict
from replays.site.paths import path


@require_safe
def own_check(request: HttpRequest) -> HttpResponse:
    """Show the page. Its script checks the records with the engine in the browser and sends nothing."""
    verdicts = {}
    for key in VERDICTS:
        of_deal, of_sheet = verdict(key), verdict(key, is_sheet=True)
        verdicts[key] = {
            "sign": of_deal.sign,
            "word": of_deal.word,
            "meanings": [of_deal.meaning, of_sheet.meaning],
        }
    texts = {
        "verdicts": verdicts,
        "place": _("Line %(line)d, column %(column)d"),
        "event": _("%(place)s: %(finding)s"),
        "number": _("Records checked: %(number)s"),
        "stopped": _("Stopped. Records checked: %(number)s"),
        "clauses": path("rules") + "clause/",
    }
    return render(request, "apps/own_check.html", {"texts": texts, "engine": description()})
