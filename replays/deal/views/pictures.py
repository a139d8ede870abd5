"""Pictures of a deal for other sites: a moment as a still picture, or some tricks as an animation.

Pictures show only public data, even to signed-in users. Responses have an ETag, and the latest pictures are
cached. Clients that request too many new pictures in a minute get a 429. The URL contains the `language`, so
shared caches can store the pictures.
"""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation
from django.views.decorators.http import require_safe

from archive.access import EVERYBODY
from archive.addresses import Key
from archive.shown import ShownDeal
from replays.deal import sharing
from replays.deal.steps import Steps
from replays.deal.views.share import steps_of
from replays.pictures import animation, drawing, picture, response
from replays.site.common import played_or_404

CARD, TRICK, END = 0.9, 2.0, 3.5
"""Seconds for which an animation shows a card, a complete trick, and the last trick."""


def _about(deal: ShownDeal) -> str:
    return " · ".join(part for part in (deal.contribution.event, deal.contribution.date) if part)


def _mark(deal: ShownDeal, steps: Steps, *more: Any) -> str:
    """Return the cache key of a deal's picture. `more`: further parts of the key, such as the step."""
    contribution, parts = deal.contribution, ".".join(steps.address.parts.values())
    what = f"{deal.pk}-{deal.hex_digest[:32]}-{contribution.pk}-{contribution.fingerprint & 0xFFFFFFFF:x}"
    return "-".join(map(str, (picture.VERSION, what, deal.engine_version, parts, *more)))


@require_safe
def position_png(request: HttpRequest, key: Key) -> HttpResponse:
    """Return the table at `?step=N&view=B&hands=all` as a PNG, 1200 by 630 pixels or, with `size=small`, half
    as large. With a `language`, the picture has a caption."""
    deal, language = played_or_404(key, EVERYBODY), response.language(request)
    with translation.override(language or translation.get_language()):
        steps = steps_of(deal, request.GET)
        position = steps.frame(steps.state).position
        small = request.GET.get("size") == "small"

        def draw() -> bytes:
            caption = steps.caption(position) if language else None
            svg = picture.svg(position, _about(deal), caption, steps=steps.address.spoilers)
            return drawing.png(svg, sharing.SMALL[0] if small else drawing.WIDTH)

        mark = _mark(deal, steps, position.step, "s" if small else "l", language)
        return response.answer(request, mark, draw)


@require_safe
def tricks_webp(request: HttpRequest, key: Key) -> HttpResponse:
    """Return the trick at `?step=N` card by card as an animated WebP, 800 pixels wide and at most 600 kB.
    With `tricks=3`, return the last three tricks. If later steps are secret, the animation ends at the last
    foreseeable step. Return 404 if it would have no frames."""
    deal, language = played_or_404(key, EVERYBODY), response.language(request)
    number = 3 if request.GET.get("tricks") == "3" else 1
    with translation.override(language or translation.get_language()):
        steps = steps_of(deal, request.GET)
        frames = [frame.position for frame in steps.tricks(number)]
        if not frames:
            raise Http404

        def draw() -> bytes:
            captions = [steps.caption(position) if language else None for position in frames]
            with_steps, about = steps.address.spoilers, _about(deal)
            pictures = [
                picture.svg(position, about, caption, steps=with_steps)
                for position, caption in zip(frames, captions, strict=True)
            ]
            full = [bool(position.trick and position.trick.done) for position in frames]
            seconds = [TRICK if done else CARD for done in full[:-1]]
            return animation.webp(pictures, [*seconds, END])

        first, last = frames[0].step, frames[-1].step
        mark = _mark(deal, steps, f"{first}to{last}", language)
        # Drawing two frames takes as long as drawing one picture, so two frames count as one picture.
        return response.answer(request, mark, draw, "image/webp", (len(frames) + 1) // 2)
