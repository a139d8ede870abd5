"""The replay: the table after any event, in the view of a seat, with all hands open, or with all hands
hidden."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from archive.addresses import Key, number_of
from archive.shown import ShownDeal
from archive.storing import collections as storing
from replays.deal.address import Address
from replays.deal.analysis import Analysis, analysis_of
from replays.deal.course import Course, course_of
from replays.deal.frame import as_json
from replays.deal.page import Page
from replays.deal.step_links import ends
from replays.deal.steps import Steps
from replays.language.cards import pack
from replays.site.common import played_or_404, user_of
from replays.site.jinja import part
from tarock.view.moves import move_groups


@require_safe
def replay(request: HttpRequest, key: Key) -> HttpResponse:
    """Show the replay at `?step=N`. `view=B` shows what seat B knows, without the result; with `hands=all`
    all hands are open, and B sits at the bottom. `hands=none` shows only what everybody at the table sees.

    `spoilers=off` hides everything after the step. With `guess=1` the reader guesses the plays of the view's
    seat: `pick` is a guess, `go=turn` redirects to the seat's next turn. With `from=C`, `step` counts the
    steps of C's view, and the response redirects to the same moment in the requested view. `collection` is
    the key of a collection with notes.
    """
    deal = played_or_404(key, request.viewer)
    analysis, address, course = _found(request, deal)
    if course and not course.entry.is_opened and user_of(request):
        storing.note_opened(course.entry.stored, request.user)
    if address.guess and request.GET.get("go") == "turn":
        later = replace(address, step=address.step + 1)
        return redirect(f"{request.path}{address.prefix}{analysis.next_guess(later)}")
    if "from" in request.GET:
        return redirect(f"{request.path}{address.query}")
    root = f"{request.scheme}://{request.get_host()}"
    page = Page(Steps(deal, analysis, address), request.GET.get("pick", ""), root)
    return render(request, "deal/replay.html", {"page": page, "deal": deal, "course": course})


def _found(request: HttpRequest, deal: ShownDeal) -> tuple[Analysis, Address, Course | None]:
    """Return the analysis, the requested step, and the collection with which the reader came, whose notes are
    among the comments. A collection that they may not see changes nothing."""
    analysis = analysis_of(deal)
    address = analysis.address(request.GET)
    course = course_of(deal, address.collection, request.viewer)
    if course is None:
        return analysis, replace(address, collection=""), None
    return Analysis(deal, course.comments), address, course


@require_safe
def frames(request: HttpRequest, key: Key) -> HttpResponse:
    """Return all steps of a deal as JSON, for the replay's script. The query parameters are those of the
    replay.

    In the result, `hidden` has the same steps with all hands face down, so that the script can hide hands
    without a request. A seat's view contains only what the seat learns in the course of the deal.

    With `spoilers=off` or `guess=1`, the steps end with the trick of `step`, or earlier if an announcement or
    a guess may come first, so that later steps stay secret. The script requests the next steps when the
    reader reaches the end. `after`: number of the last step that the script already has.
    """
    deal = played_or_404(key, request.viewer)
    analysis, address, _course = _found(request, deal)
    steps = Steps(deal, analysis, address)
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
    moves = {"groups": groups, "prefix": prefix, "current": 0, "seats": steps.moving, "star": steps.star}
    moves["costs"] = steps.costs
    below = {"chart": chart, "prefix": prefix, "hindsight": steps.hindsight, "deal": deal}
    shown = [name for name, one in (("chart", chart), ("hindsight", chart and steps.hindsight)) if one]
    result = ""
    if steps.has_result and not more:
        values = {"deal": deal, "result": steps.score, "back": f"{prefix}{steps.end}", "framed": False}
        result = part("result", values)
    return {
        "frames": [as_json(frame) for frame in steps.frames(first, until)],
        "more": more,
        "names": {code: face.name for code, face in pack(deal.game).items()},
        "ends": ends(outline),
        "prefix": prefix,
        "turned": {seat: replace(address, seat=seat).prefix for seat in deal.players if not address.view},
        "moves": part("moves", moves),
        "chart": "".join(part(name, below) for name in shown),
        "result": result,
    }
