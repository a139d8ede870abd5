"""A player's year as a picture to share."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from archive.reading.years import PlayerYear
from replays.clubs import standings
from replays.language import words
from replays.pictures import lettering
from replays.pictures.drawing import DIM, LIGHT, WIDTH, Drawing, colour_of

MOST_RULES = 4
"""Maximum number of rule sets on the picture."""


def picture(year: PlayerYear) -> str:
    """Return the picture as SVG: points and best deal by each rule set, Pagats, and companions."""
    club = year.player.space.name if year.player.space.kind == "club" else ""
    evenings = ngettext("%(number)s evening", "%(number)s evenings", year.evenings) % {
        "number": year.evenings
    }
    about = " · ".join(filter(None, [club, deals_in_words(year.deals), evenings if year.evenings else ""]))
    title = words.colon(year.player.display_name, str(year.year))
    lines = list(_lines(year))
    if not lines:
        return standings.svg(title, about, [], None)
    drawing = Drawing(bar=150)
    drawing.text(lettering.fit(title, 56, WIDTH - 120), 60, 78, 56)
    drawing.text(lettering.fit(about, 28, WIDTH - 120), 60, 124, 28, DIM)
    step = min(72.0, 450 / len(lines))
    size = min(38.0, step * 0.62)
    for number, (label, value, colour) in enumerate(lines):
        base = 168 + (number + 0.72) * step
        value = lettering.fit(value, size, 600)
        drawing.text(value, WIDTH - 60, base, size, colour, "end")
        drawing.text(
            lettering.fit(label, size, WIDTH - 140 - lettering.width(value, size)), 60, base, size, DIM
        )
    return drawing.svg()


def deals_in_words(number: int) -> str:
    """Return a number of deals in words."""
    return ngettext("%(number)s deal", "%(number)s deals", number) % {"number": number}


def _lines(year: PlayerYear) -> Iterator[tuple[str, str, str]]:
    """Yield the label, the value and the colour of each line."""
    for row in sorted(year.results, key=lambda row: -row.deals)[:MOST_RULES]:
        label, unit = words.rules_name(row.rules), row.rules.unit
        if row.best:
            label += " · " + words.colon(_("Best deal"), words.points(row.best.points, unit))
        yield label, words.points(row.points, unit), colour_of(row.points)
    if year.pagats:
        gains, losses = (sum(getattr(row, what) for row in year.pagats) for what in ("gains", "losses"))
        won = _("%(won)s won, %(lost)s lost") % {"won": gains, "lost": losses}
        yield _("Pagats in the last trick"), won, LIGHT
    labels = {_("Most frequent partner"): year.partner, _("Most frequent opponent"): year.opponent}
    for label, companion in labels.items():
        if companion:
            yield label, f"{companion.name} · {deals_in_words(companion.deals)}", LIGHT
