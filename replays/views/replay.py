"""The replay: the table after any event, all hands open, as one seat sees it, or as everybody does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from archive.addresses import Key, number_of
from replays.cards import pack
from replays.deal.frame import as_json
from replays.deal.moves import ends, moves
from replays.deal.scene import Scene
from replays.deal.sheet import sheet
from replays.deal.story import story
from replays.deal.walk import Walk
from replays.jinja import part
from replays.sentences import Names
from replays.views.common import deal_or_404, viewer_of


@require_safe
def replay(request: HttpRequest, key: Key) -> HttpResponse:
    """The replay at ``?step=N``; with ``view=B`` from that seat's eyes, with ``view=B&hands=all`` only from
    its side, with ``hands=none`` as everybody at the table sees it.

    ``spoilers=off`` tells nothing of what comes later. ``guess=1`` lets one guess the plays of the view's
    seat: ``pick`` is a guess, ``go=turn`` leads to its next turn. ``from=C`` has the step counted as C
    counts, and leads to the same moment by the view's own count. In a seat's view the engine is asked for
    nothing that the seat does not know, and nothing about the result is in the page.
    """
    viewer = viewer_of(request)
    told = story(deal_or_404(key, viewer), viewer)
    address = told.asked(request.GET)
    if address.guess and request.GET.get("go") == "turn":
        later = replace(address, step=address.step + 1)
        return redirect(f"{request.path}{address.prefix}{told.next_guess(later)}")
    if "from" in request.GET:
        return redirect(f"{request.path}{address.query}")
    root = f"{request.scheme}://{request.get_host()}"
    shown = Scene(Walk(told, address), request.GET.get("pick", ""), root)
    return render(request, "replays/replay.html", {"scene": shown, "deal": told.deal})


# --- all steps at once --------------------------------------------------------------------------------------


@require_safe
def frames(request: HttpRequest, key: Key) -> HttpResponse:
    """All steps of a deal as one looks at it, in JSON, for the script that steps through them.

    With ``hidden`` the same with all hands face down, so that they can be turned without asking again. The
    query is that of the replay. In a seat's view there is nothing that the seat will not come to know.

    With ``spoilers=off`` and ``guess=1`` there are only those up to where the trick of ``step`` ends, or the
    next thing is said: nothing of what comes later. The script asks for the others when it comes to them,
    with ``after``, the last one that it has.
    """
    viewer = viewer_of(request)
    told = story(deal_or_404(key, viewer), viewer)
    shown = Walk(told, told.asked(request.GET))
    after = number_of(request.GET.get("after"), 5)
    document = _document(shown, 0 if after is None else after + 1)
    if shown.address.spoilers and not shown.address.closed:
        hidden = Walk(told, replace(shown.address, hands="none"))
        here, there = shown.counted, hidden.counted
        past = range(here.steps + 1, shown.last + 1)
        document["hidden"] = _document(hidden) | {
            "from": [there.step(here.moment(step)) for step in range(here.steps + 1)]
            + [hidden.last] * len(past),
            "back": [here.step(there.moment(step)) for step in range(there.steps + 1)]
            + [shown.last] * hidden.has_result,
        }
    response = JsonResponse(document)
    response["Cache-Control"] = "private, max-age=60"
    response["X-Robots-Tag"] = "noindex"
    return response


def _document(walk: Walk, first: int = 0) -> dict[str, Any]:
    deal, address = walk.story.deal, walk.address
    until = walk.sent_until(address.step)
    more = until < walk.last
    outline, prefix = walk.outline[:until], address.prefix
    chart = None if more else walk.chart(walk.counted.steps)
    groups = moves(outline, Names(deal.game, deal.players))
    result = {"result": sheet(walk.story), "back": f"{prefix}{walk.end}", "framed": False}
    return {
        "frames": [as_json(frame) for frame in walk.frames(first, until)],
        "more": more,
        "names": {code: face.name for code, face in pack(deal.game).items()},
        "ends": ends(outline),
        "prefix": prefix,
        "turned": {seat: replace(address, seat=seat).prefix for seat in deal.players if not address.view},
        "moves": part("moves", {"groups": groups, "prefix": prefix, "current": 0}),
        "chart": part("chart", {"chart": chart, "prefix": prefix}) if chart else "",
        "result": part("result", result) if walk.has_result and not more else "",
    }
