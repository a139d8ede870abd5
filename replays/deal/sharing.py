"""The URLs with which readers share a moment of a deal, and the moment's link preview.

A preview of a seat's view contains only what the seat knows, and never the result. If all cards are open and
later steps are not secret, the picture also shows the points that the last event won or lost.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from archive.addresses import Key
from archive.shown import ShownDeal
from replays.deal.address import Address
from replays.language import words
from replays.pictures.drawing import HEIGHT, WIDTH
from replays.pictures.picture import Caption
from replays.site.jinja import written
from replays.site.paths import path
from tarock.view.table import TableView

EMBED_WIDTH, EMBED_HEIGHT = 800, 700
TRICKS = (1, 3)
"""Possible numbers of tricks in an animated picture."""
SMALL = (600, 315)


def link(page: str, deal: ShownDeal, address: Address, **query: str) -> str:
    """Return the URL of a moment: in the `replay`, as a page for a frame (`deal-embed`), or as a picture in
    the reader's language (`deal-picture`, `deal-animation`). Only the replay supports guessing."""
    moment = address if page == "replay" else replace(address, guess=False)
    if page in ("deal-picture", "deal-animation"):
        query["language"] = get_language() or "en"
    return f"{path(page, deal.key)}{moment.query}" + "".join([f"&{name}={query[name]}" for name in query])


@dataclass(frozen=True, kw_only=True)
class Preview:
    """The link preview of a page, with its picture."""

    title: str
    description: str
    picture: str
    picture_words: str
    oembed: str = ""
    picture_width, picture_height = WIDTH, HEIGHT


@dataclass(frozen=True, kw_only=True)
class Shared(Preview):
    """The absolute URLs of a moment of a deal, and its link preview."""

    replay: str
    animations: dict[int, str]
    """URLs of the animations, by number of tricks."""
    code: str
    """The HTML that embeds the moment in another page."""


def shared(
    root: str,
    deal: ShownDeal,
    address: Address,
    position: TableView | None,
    caption: Caption | None = None,
    *,
    tricks: bool = False,
) -> Shared:
    """Return the URLs and the preview of a moment; without a `position`, of the deal as dealt. `root`: scheme
    and host of the site; `caption`: the caption of the picture; `tricks`: whether the deal has any trick, so
    that it can be animated."""
    pages = "replay", "deal-picture", "deal-embed"
    replay, picture, embedded = (root + link(page, deal, address) for page in pages)
    named, spoilers = title(deal), address.spoilers
    return Shared(
        title=named,
        description=description(deal, position, spoilers),
        replay=replay,
        picture=picture,
        picture_words=picture_words(deal, position, spoilers, caption),
        animations={
            number: root + link("deal-animation", deal, address, tricks=str(number))
            for number in (TRICKS if tricks else ())
        },
        code=iframe(embedded, named, EMBED_WIDTH, EMBED_HEIGHT),
        oembed=_oembed(root, replay),
    )


def _oembed(root: str, page: str) -> str:
    """Return the URL of the oEmbed response for the page of a deal."""
    return f"{root}{path('oembed')}?{urlencode({'url': page, 'format': 'json'})}"


def title(deal: ShownDeal) -> str:
    """Return the title of a deal: “Czech Taroky: Alena, Bořek, Cyril, Dana”."""
    players = words.listed(deal.players.values())
    return _("%(game)s: %(players)s") % {"game": words.game_name(deal.game), "players": players}


def occasion(deal: ShownDeal) -> str:
    """Return the event, place and date of a deal in words, leaving out unknown parts."""
    return words.listed(
        filter(None, (deal.contribution.event, deal.contribution.site, words.day(deal.contribution.date)))
    )


def fraction(position: TableView, spoilers: bool = True) -> str:
    """Return “Step 12 of 56”, or only “Step 12” to avoid spoilers, because the number of steps hints at how
    the deal ends."""
    if not spoilers:
        return _("Step %(step)d") % {"step": position.step}
    return _("Step %(step)d of %(steps)d") % {"step": position.step, "steps": position.steps}


def description(deal: ShownDeal, position: TableView | None = None, spoilers: bool = True) -> str:
    """Return a short text for a preview: the step, its event, and the occasion, but never the result."""
    parts = []
    if position is not None:
        parts.append(f"{fraction(position, spoilers)}.")
        if position.view:
            name = next(seat.name for seat in position.seats if seat.letter == position.view)
            parts.append(_("Seen from %(player)s’s seat.") % {"player": name})
        parts.append(position.happened)
    if occasion(deal):
        parts.append(f"{occasion(deal)}.")
    parts.append(_("Replay the deal card by card, with every point explained."))
    return " ".join(parts)


def picture_words(
    deal: ShownDeal, position: TableView | None, spoilers: bool = True, caption: Caption | None = None
) -> str:
    """Return the alternative text of the picture."""
    game = words.game_name(deal.game)
    if position is None or not position.step:
        return _("%(game)s: the cards as they were dealt") % {"game": game}
    what = f"{fraction(position, spoilers)}. {caption.text if caption else position.happened}"
    return _("%(game)s, the table: %(what)s") % {"game": game, "what": what}


def iframe(address: str, named: str, width: int, height: int) -> str:
    """Return the HTML that embeds a moment in another page."""
    return written("iframe.html", {"address": address, "title": named, "width": width, "height": height})


def result(deal: ShownDeal) -> str:
    """Return the points of all players, from the highest: “Jiří +275, Zdeňka −825”. Empty without a score."""
    scored = sorted((-seat.points, words.seat_name(seat)) for seat in deal.seats if seat.points is not None)
    return words.listed(f"{name} {words.points(-points, deal.unit)}" for points, name in scored)


def preview(
    request: HttpRequest, deal: ShownDeal, position: TableView | None = None, told: str = ""
) -> dict[str, Any]:
    """Return the template context of a deal's link preview (`templates/parts/preview.html`). Without a
    position, the preview shows the cards as dealt. `told`: what happened, for pages that show the result; the
    preview then has the result, too. A deal that is not public has no preview."""
    if deal.contribution.visibility != "public":
        return {"shared": None}
    root = f"{request.scheme}://{request.get_host()}"
    moment = shared(root, deal, Address(position.step if position else 0), position)
    if told:
        texts = [f"{result(deal)}.", told, f"{occasion(deal)}."]
        moment = replace(moment, description=" ".join(text for text in texts if text != "."))
    return {"shared": moment, "address": root + request.path}


def picture_preview(
    request: HttpRequest, title: str, about: str, page: str, pk: int | Key, *, framed: bool = False
) -> dict[str, Any]:
    """Return the template context of the link preview of a session, club, player or score sheet. `page`: name
    of the URL pattern of its picture; `framed`: whether other pages can embed this one."""
    root = f"{request.scheme}://{request.get_host()}"
    here, drawn = root + request.path, f"{root}{path(page, pk)}?language={get_language()}"
    shown = Preview(
        title=title,
        description=about or title,
        picture=drawn,
        picture_words=": ".join(filter(None, [title, about])),
        oembed=_oembed(root, here) if framed else "",
    )
    return {"shared": shown, "address": here}
