"""Atom feeds of deals."""

from __future__ import annotations

from datetime import datetime

from django.contrib.syndication.views import Feed
from django.utils.feedgenerator import Atom1Feed

from archive.shown import ShownDeal
from replays.language import words
from replays.site.paths import path


class DealsFeed(Feed):
    """Base of the feeds of deals. Nobody is signed in to a feed, so it has only public deals."""

    feed_type = Atom1Feed
    MOST = 30
    """Maximum number of deals."""

    def item_title(self, deal: ShownDeal) -> str:
        """Return the game and the contract."""
        game, contract = words.game_name(deal.game), words.contract(deal.game, deal.contract)
        return words.colon(game, contract) if contract else game

    def item_description(self, deal: ShownDeal) -> str:
        """Return the players and their points."""
        return words.listed(
            f"{seat.display_name} {words.points(seat.points, deal.unit)}".strip() for seat in deal.seats
        )

    def item_link(self, deal: ShownDeal) -> str:
        """Return the URL of the deal."""
        return path("deal", deal.key)

    def item_updateddate(self, deal: ShownDeal) -> datetime:
        """Return when the deal was checked last."""
        return deal.verified_at

    def item_pubdate(self, deal: ShownDeal) -> datetime:
        """Return when the deal was stored."""
        return deal.stored_at
