"""The list of moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from django.utils.safestring import SafeString
from django.utils.translation import pgettext

from replays.markup.clauses import clause_link
from replays.markup.text import esc, joined
from replays.presenters import MoveGroup, Remark
from replays.spoken import spoken


@lru_cache(maxsize=8192)
def _said(seat: str, suit: str, short: str) -> str:
    """Who did what; the same in many deals."""
    return (
        f'<span class="mover">{esc(seat)}</span> <span class="suit-{esc(suit) or "none"}">{esc(short)}</span>'
    )


def happenings(remarks: Iterable[Remark]) -> Iterator[str]:
    """What the rules did by themselves, each with its clause."""
    for remark in remarks:
        link = clause_link(remark.slug, remark.clause)
        yield f'<p class="remark happening">{esc(remark.text)} {link}</p>\n'


def moves(groups: Sequence[MoveGroup], prefix: str, current: int) -> SafeString:
    """What was said by phase, then trick by trick, each with a link to its step; the ``current`` one marked.
    ``prefix``: the query of any step, its number to be written behind it."""
    _ = spoken()
    start = esc(prefix)
    here, wins = ' aria-current="step"', ' class="wins"'
    takes = f'<span class="visually-hidden"> {_("takes the trick")}</span>'
    trick = f'<span class="visually-hidden">{_("Trick")} </span>'
    dealing = pgettext("the dealing of the cards", "Deal")
    pieces = [
        '<ol class="move-groups" id="moves" tabindex="0" aria-labelledby="moves-title">\n'
        f'<li class="group"><span class="group-title"><a href="{start}0" data-go="0"'
        f"{'' if current else here}>{dealing}</a></span></li>\n"
    ]
    for group in groups:
        if group.trick:
            title = (
                f'<li class="group trick-group"><span class="group-title">{trick}{group.trick}.</span>\n<ol>'
            )
        else:
            title = f'<li class="group"><span class="group-title">{esc(group.title)}</span>\n<ol>'
        pieces.append(title)
        for move in group.moves:
            marked = here if move.step == current else ""
            pieces.append(
                f'<li{wins if move.wins else ""}><a href="{start}{move.step}" data-go="{move.step}"{marked}>'
                f"{_said(move.seat, move.suit, move.short)}{takes if move.wins else ''}</a></li>"
            )
        pieces.append("</ol>\n")
        pieces += happenings(group.happenings)
        pieces += [f'<p class="comment">{esc(comment)}</p>' for comment in group.comments]
        pieces.append("</li>\n")
    pieces.append("</ol>\n")
    return joined(pieces)
