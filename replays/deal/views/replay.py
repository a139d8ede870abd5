"""The replay: the table after any event, with all hands open, as one seat sees it, or as all see it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from archive.addresses import Key, number_of
from replays.deal.analysis import analysis_of
from replays.deal.frame import as_json
from replays.deal.page import Page
from replays.deal.step_links import ends
from replays.deal.steps import Steps
from replays.language.cards import pack
from replays.site.common import played_or_404
from replays.site.jinja import part
from tarock.view.moves import move_groups


@require_safe
def replay(request: HttpRequest, key: Key) -> HttpResponse:
    """Show the replay at `?step=N`: with `view=B` as that seat sees it, with `view=B&hands=all` with that
    seat at the bottom, with `hands=none` as everybody at the table sees it.

    `spoilers=off` hides everything later. With `guess=1` the reader guesses the plays of the view's seat:
    `pick` is a guess, `go=turn` redirects to its next turn. `from=C` reads the step as C counts and redirects
    to the same moment in the view's count. A seat's view contains nothing that the seat does not know, and no
    result.
    """
    deal = played_or_404(key, request.viewer)
    analysis = analysis_of(deal)
    address = analysis.address(request.GET)
    if address.guess and request.GET.get("go") == "turn":
        later = replace(address, step=address.step + 1)
        return redirect(f"{request.path}{address.prefix}{analysis.next_guess(later)}")
    if "from" in request.GET:
        return redirect(f"{request.path}{address.query}")
    root = f"{request.scheme}://{request.get_host()}"
    page = Page(Steps(deal, analysis, address), request.GET.get("pick", ""), root)
    return render(request, "deal/replay.html", {"page": page, "deal": deal})


# --- all steps at once --------------------------------------------------------------------------------------


@require_safe
def frames(request: HttpRequest, key: Key) -> HttpResponse:
    """Return all steps of a deal as JSON, for the replay's script. The query is that of the replay.

    `hidden` has the same steps with all hands face down, so that the script can hide hands without a request.
    A seat's view contains only what the seat will come to know.

    With `spoilers=off` or `guess=1` the steps end with the trick of `step`, or at the next words, to keep the
    rest secret. The script requests later steps when it gets there, with `after` as the last step that it
    has.
    """
    deal = played_or_404(key, request.viewer)
    analysis = analysis_of(deal)
    steps = Steps(deal, analysis, analysis.address(request.GET))
    after = number_of(request.GET.get("after"), 5)
    document = _document(steps, 0 if after is None else after + 1)
    if steps.address.spoilers and not steps.address.closed:
        hidden = replace(steps, address=replace(steps.address, hands="none"))
        here, there = steps.counted, hidden.counted
        past = range(here.steps + 1, steps.last + 1)
        document["hidden"] = _document(hidden) | {
            "from": [there.step(here.moment(step)) for step in range(here.steps + 1)]
            + [hidden.last] * len(past),
            "back": [here.step(there.moment(step)) for step in range(there.steps + 1)]
            + [steps.last] * hidden.has_result,
        }
    response = JsonResponse(document)
    response["Cache-Control"] = "private, max-age=60"
    response["X-Robots-Tag"] = "noindex"
    return response


def _document(steps: Steps, first: int = 0) -> dict[str, Any]:
    deal, address = steps.deal, steps.address
    until = steps.sent_until(address.step)
    more = until < steps.last
    outline, prefix = steps.outline[:until], address.prefix
    chart = None if more else steps.chart(steps.counted.steps)
    groups = move_groups(outline, steps.names)
    return {
        "frames": [as_json(frame) for frame in steps.frames(first, until)],
        "more": more,
        "names": {code: face.name for code, face in pack(deal.game).items()},
        "ends": ends(outline),
        "prefix": prefix,
        "turned": {seat: replace(address, seat=seat).prefix for seat in deal.players if not address.view},
        "moves": part("moves", {"groups": groups, "prefix": prefix, "current": 0}),
        "chart": part("chart", {"chart": chart, "prefix": prefix}) if chart else "",
        "result": _result(steps) if steps.has_result and not more else "",
    }


def _result(steps: Steps) -> str:
    """Return the score as the page shows it after the last card."""
    back = f"{steps.address.prefix}{steps.end}"
    return part("result", {"deal": steps.deal, "result": steps.score, "back": back, "framed": False})
