"""The facts listed on a deal's page, such as contract, result and card points."""

from __future__ import annotations

import itertools

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from archive.shown import ShownDeal
from replays.language import words
from replays.language.names import Names
from tarock.core.cards import INDEX
from tarock.view.table import Fact
from tarock.words import names as naming


def facts(deal: ShownDeal, names: Names) -> list[Fact]:
    """Return the facts of a deal, except those that pictures and score lines show."""
    stored, players, named = deal.checked.facts, names.players, names.words
    rows: list[Fact] = []

    def add_player(role: str, seat: str | None) -> None:
        if seat:
            rows.append(Fact(naming.label(naming.role(named, role)), players.get(seat, seat)))

    name = naming.with_native(named, naming.contract(named, deal.contract), deal.contract)
    if name:
        level = stored.get("level")
        rows.append(Fact(_("Contract"), f"{name}, {_('level')} {level}" if level else name))
    add_player("declarer", deal.declarer)
    if stored.get("called") in INDEX:
        rows.append(Fact(_("Called"), naming.card_name(named, stored["called"])))
    add_player("partner", stored.get("partner"))
    if stored.get("result"):
        rows.append(Fact(_("Result"), named["results"].get(stored["result"], stored["result"])))
    if stored.get("card_points"):
        counted = words.listed(
            f"{names.side(side)} {points}" for side, points in stored["card_points"].items()
        )
        rows.append(Fact(_("Card points"), counted))
    if stored.get("tricks"):
        won = words.listed(f"{players.get(seat, seat)} {number}" for seat, number in stored["tricks"].items())
        rows.append(Fact(_("Tricks"), won))
    for seat, items in itertools.groupby(stored.get("announcements") or [], key=lambda row: row[0]):
        announced = words.listed(naming.item(named, row[1]) for row in items)
        rows.append(Fact(_("%(player)s announced") % {"player": players.get(seat, seat)}, announced))
    bonuses = [names.clause(slug) for slug in dict.fromkeys(stored.get("bonuses") or [])]
    titles = [c.title for c in bonuses if c]
    if titles:
        rows.append(Fact(ngettext("Bonus", "Bonuses", len(titles)), words.listed(titles)))
    return rows
