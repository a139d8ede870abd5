"""The URLs under which a moment of a deal is shared, and its preview.

A preview of a seat's view contains only what that seat knows, and never the result. If all cards are open and
later steps may be known, its picture says what the event came to.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.utils.translation import gettext as _

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
"""How many tricks an animated picture may have."""
SMALL = (600, 315)


def link(page: str, deal: ShownDeal, address: Address, **query: str) -> str:
    """The address of a moment: in the `replay`, as a page for a frame (`deal-embed`), or as a picture
    (`deal-picture`, `deal-animation`), which has words in the reader's language. Plays are guessed in the
    replay alone."""
    moment = address if page == "replay" else replace(address, guess=False)
    if page in ("deal-picture", "deal-animation"):
        query["language"] = get_language() or "en"
    return f"{path(page, deal.key)}{moment.query}" + "".join([f"&{name}={query[name]}" for name in query])


@dataclass(frozen=True, slots=True)
class Shared:
    """The full addresses of a moment, and its preview."""

    title: str
    description: str
    replay: str
    picture: str
    picture_words: str
    animations: dict[int, str]
    """Number of tricks → the address at which they are played."""
    code: str
    """HTML that embeds it in another page."""
    oembed: str
    picture_width, picture_height = WIDTH, HEIGHT


@dataclass(frozen=True, slots=True)
class Preview:
    """The preview of a page that is not a deal's, for other sites, and its picture."""

    title: str
    description: str
    picture: str
    picture_words: str
    picture_width, picture_height = WIDTH, HEIGHT
    oembed = ""


def shared(
    root: str,
    deal: ShownDeal,
    address: Address,
    position: TableView | None,
    caption: Caption | None = None,
    *,
    tricks: bool = False,
) -> Shared:
    """The links of a moment, and its preview; without a `position`, of the deal as it was dealt. `root`:
    scheme and host of the site; `caption`: that of its picture; `tricks`: whether a card was played."""
    pages = "replay", "deal-picture", "deal-embed"
    replay, picture, embedded = (root + link(page, deal, address) for page in pages)
    query = urlencode({"url": replay, "format": "json"})
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
        oembed=f"{root}{path('oembed')}?{query}",
    )


def title(deal: ShownDeal) -> str:
    """The title of a deal: “Czech Taroky: Alena, Bořek, Cyril, Dana”."""
    players = words.listed(deal.players.values())
    return _("%(game)s: %(players)s") % {"game": words.game_name(deal.game), "players": players}


def occasion(deal: ShownDeal) -> str:
    """Event, place and date, as far as they are known."""
    return words.listed(
        filter(None, (deal.contribution.event, deal.contribution.site, words.day(deal.contribution.date)))
    )


def fraction(position: TableView, spoilers: bool = True) -> str:
    """“Step 12 of 56”; the number of all steps tells something of the end, so it may be left out."""
    if not spoilers:
        return _("Step %(step)d") % {"step": position.step}
    return _("Step %(step)d of %(steps)d") % {"step": position.step, "steps": position.steps}


def description(deal: ShownDeal, position: TableView | None = None, spoilers: bool = True) -> str:
    """A few words for a preview: the step and what happened there, and the occasion; never the result."""
    parts = []
    if position is not None:
        parts.append(f"{fraction(position, spoilers)}.")
        if position.view:
            name = next(seat.name for seat in position.seats if seat.letter == position.view)
            parts.append(_("What %(player)s sees.") % {"player": name})
        parts.append(position.happened)
    if occasion(deal):
        parts.append(f"{occasion(deal)}.")
    parts.append(_("Played card by card, every point explained."))
    return " ".join(parts)


def picture_words(
    deal: ShownDeal, position: TableView | None, spoilers: bool = True, caption: Caption | None = None
) -> str:
    """The text in place of the picture."""
    game = words.game_name(deal.game)
    if position is None or not position.step:
        return _("%(game)s: the cards as they were dealt") % {"game": game}
    what = f"{fraction(position, spoilers)}. {caption.text if caption else position.happened}"
    return _("%(game)s, the table: %(what)s") % {"game": game, "what": what}


def iframe(address: str, named: str, width: int, height: int) -> str:
    """Return HTML that embeds a moment in another page, as a text."""
    return written("iframe.html", {"address": address, "title": named, "width": width, "height": height})


def preview(request: HttpRequest, deal: ShownDeal, position: TableView | None = None) -> dict[str, Any]:
    """The preview of a page of a deal for other sites (`templates/parts/preview.html`), without a position
    that of the deal as dealt. Empty for a deal that is not public."""
    if deal.contribution.visibility != "public":
        return {"shared": None}
    root = f"{request.scheme}://{request.get_host()}"
    moment = shared(root, deal, Address(position.step if position else 0), position)
    return {"shared": moment, "address": root + request.path}


def picture_preview(request: HttpRequest, title: str, about: str, page: str, pk: int) -> dict[str, Any]:
    """The preview of the page of a session or a club, with the address of its picture by the name of the view
    `page`."""
    root = f"{request.scheme}://{request.get_host()}"
    drawn = f"{root}{path(page, pk)}?language={get_language()}"
    drawing = Preview(title, about or title, drawn, ": ".join(filter(None, [title, about])))
    return {"shared": drawing, "address": root + request.path}
