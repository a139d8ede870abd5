"""Pages whose frame is the same for everybody: rendered once for each language, then only filled in.

A frame is a Django template that is given nothing but switches and slots: pieces of finished HTML. For
visitors without a session it is rendered once with a mark for each slot and cut at the marks; a page is then
no more than its pieces joined. What is filled in is never looked at again, so nothing in it can be taken for
a mark. Somebody who may be signed in, or whom a message waits for, has his page rendered as ever.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from replays.markup.text import esc, joined

_MARK = re.compile("\x00(\\w+)\x00")
_frames: dict[tuple[object, ...], list[str]] = {}
"""The frames by template, language and switches: some of each, none of them a visitor's to choose freely."""


def is_somebody(request: HttpRequest) -> bool:
    """Whether a page may say something to this visitor that it does not say to others."""
    return any(name in request.COOKIES for name in (settings.SESSION_COOKIE_NAME, "messages"))


def page(
    request: HttpRequest, template: str, slots: Mapping[str, SafeString], switches: Mapping[str, bool]
) -> HttpResponse:
    """The page of a template.

    ``slots``: the names of its variables, with the HTML that each stands for; ``switches``: what it may ask
    with ``if``. There is a slot ``here`` besides, the address asked for. The template must use nothing else
    that differs between two visitors without a session.
    """
    filled = {**slots, "here": joined((esc(request.get_full_path()),))}
    if settings.DEBUG or is_somebody(request):
        return render(request, template, {**switches, **filled})
    key = (template, get_language(), *switches.items())
    frame = _frames.get(key)
    if frame is None:
        marks = {name: joined((f"\x00{name}\x00",)) for name in filled}
        frame = _frames[key] = _MARK.split(render_to_string(template, {**switches, **marks}, request))
    # Text and names of slots take turns.
    return HttpResponse("".join(filled[piece] if n % 2 else piece for n, piece in enumerate(frame)))
