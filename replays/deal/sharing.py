"""The addresses under which a moment of a deal is shared, and what a preview says about it.

What a preview says never tells the result, and of a seat's view only what that seat knows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from django.utils.http import urlencode
from django.utils.translation import gettext as _

from archive.models import Deal
from replays import presenters, words
from replays.jinja import written
from replays.paths import path
from replays.pictures import picture
from replays.presenters import Address, Position

EMBED_WIDTH, EMBED_HEIGHT = 800, 700
SMALL = (600, 315)


@dataclass(frozen=True, slots=True)
class Link:
    """A step of a deal, seen as an address of the replay says."""

    deal: Deal
    step: int
    address: Address = field(default_factory=Address)

    @property
    def query(self) -> str:
        """``?view=B&step=12``; the step is named even where it is the first: this moment is meant."""
        return f"{self.address.prefix}{self.step}"

    def _path(self, name: str, address: Address) -> str:
        return f"{path(name, self.deal.pk)}{address.prefix}{self.step}"

    @property
    def replay(self) -> str:
        """The step in the replay."""
        return self._path("replay", self.address)

    @property
    def embed(self) -> str:
        """The page for a frame; there nothing is guessed."""
        return self._path("deal-embed", replace(self.address, guess=False))

    @property
    def picture(self) -> str:
        """The PNG."""
        return self._path("deal-picture", replace(self.address, guess=False))


@dataclass(frozen=True, slots=True)
class Shared:
    """The whole addresses of a moment, and what a preview of it says."""

    title: str
    description: str
    replay: str
    picture: str
    picture_words: str
    code: str
    """The HTML by which another page shows it."""
    oembed: str
    picture_width, picture_height = picture.WIDTH, picture.HEIGHT


def shared(root: str, link: Link, position: Position | None, players: Iterable[str]) -> Shared:
    """What there is to share of a moment; without a `position` of the deal as it was dealt. ``root``: scheme
    and host of the site."""
    deal, spoilers = link.deal, link.address.spoilers
    named = titled(deal.game, players)
    replay = root + link.replay
    asked = urlencode({"url": replay, "format": "json"})
    return Shared(
        title=named,
        description=description(deal, position, spoilers),
        replay=replay,
        picture=root + link.picture,
        picture_words=picture_words(deal, position, spoilers),
        code=iframe(root + link.embed, named, EMBED_WIDTH, EMBED_HEIGHT),
        oembed=f"{root}{path('oembed')}?{asked}",
    )


def page(deal: Deal) -> str:
    """The page of the deal itself."""
    return path("deal", deal.pk)


def title(deal: Deal) -> str:
    """What is shared: “Czech Taroky: Alena, Bořek, Cyril, Dana”."""
    return titled(deal.game, deal.players.values())


def titled(game: str, players: Iterable[str]) -> str:
    """The same of the game's id and the players' names."""
    return _("%(game)s: %(players)s") % {"game": presenters.game_name(game), "players": words.listed(players)}


def occasion(deal: Deal) -> str:
    """Event, place and date, as far as they are known."""
    return words.listed(filter(None, (deal.lead.event, deal.lead.site, words.day(deal.lead.date))))


def fraction(position: Position, spoilers: bool = True) -> str:
    """“Step 12 of 56”; how many there are tells something of the end, so it may be left out."""
    return position.fraction if spoilers else _("Step %(step)d") % {"step": position.step}


def description(deal: Deal, position: Position | None = None, spoilers: bool = True) -> str:
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


def picture_words(deal: Deal, position: Position | None, spoilers: bool = True) -> str:
    """What is to be seen on the picture, for who can't see it."""
    game = presenters.game_name(deal.game)
    if position is None or not position.step:
        return _("%(game)s: the cards as they were dealt") % {"game": game}
    what = f"{fraction(position, spoilers)}. {position.happened}"
    return _("%(game)s, the table: %(what)s") % {"game": game, "what": what}


def iframe(address: str, named: str, width: int, height: int) -> str:
    """The HTML by which another page shows a moment, as a text."""
    return written("iframe", {"address": address, "title": named, "width": width, "height": height})
