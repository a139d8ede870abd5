"""The table with its seats, and how it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

from replays import words
from replays.markup.cards import backs, card, cards
from replays.markup.text import esc, joined
from replays.presenters import Face, Pile, Position, Role, SeatView, Trick


def table(position: Position) -> SafeString:
    """The seats round the table with what they hold, and the middle of it."""
    has_trick = " has-trick" if position.trick else ""
    pieces = [
        f'<div class="table-box"><div class="table seats-{position.size} {esc(position.direction)} '
        f'game-{esc(position.game)}{has_trick}">\n'
    ]
    for seat in position.seats:
        pieces += _seat(seat)
    pieces += _centre(position)
    pieces.append("</div></div>\n")
    return joined(pieces)


def _seat(seat: SeatView) -> Iterator[str]:
    label = _("Seat %(letter)s: %(name)s") % {"letter": esc(seat.letter), "name": esc(seat.name)}
    marks = (
        (" on-turn" if seat.on_turn else "")
        + (" is-view" if seat.is_view else "")
        + (" sits-out" if seat.sits_out else "")
    )
    yield f'<section class="seat at-{seat.slot}{marks}" aria-label="{label}">\n<div class="plate">'
    yield f'<span class="seat-letter" aria-hidden="true">{esc(seat.letter)}</span> '
    yield f'<span class="seat-name" title="{esc(seat.name)}">{esc(seat.name)}</span> '
    for role in seat.roles:
        yield _role(role)
    if seat.on_turn:
        yield _("next to act").join(
            (
                ' <span class="turn-mark" title="',
                '"><span aria-hidden="true">●</span><span class="visually-hidden">',
                "</span></span>",
            )
        )
    if seat.sits_out:
        yield f' <span class="seat-facts">{_("sits out")}</span></div>\n'
    else:
        short_tricks, short_points = _short_words(get_language())
        taken = ngettext("trick taken", "tricks taken", seat.tricks)
        worth = ngettext("card point in them", "card points in them", seat.points)
        tricks = _fact(seat.tricks, taken, short_tricks)
        points = _fact(seat.points, worth, short_points)
        yield f' <span class="seat-facts">{tricks} {points}</span></div>\n<div class="holding">'
        yield from _holding(seat)
        yield "</div>\n"
    yield "</section>\n"


def _role(role: Role) -> str:
    label = esc(role.label)
    return (
        f'<span class="role role-{role.key}" title="{label}"><span aria-hidden="true">{esc(role.sign)}</span>'
        f'<span class="visually-hidden">{label}</span></span>'
    )


def _fact(number: int, label: str, short: str) -> str:
    return (
        f'<span title="{label}">{number}<abbr aria-hidden="true">{short}</abbr>'
        f'<span class="visually-hidden">{label}</span></span>'
    )


@lru_cache(maxsize=16)
def _short_words(language: str | None) -> tuple[str, str]:
    return pgettext("short for tricks", "tr."), pgettext("short for points", "pt.")


@lru_cache(maxsize=1024)
def _in_hand(language: str | None, number: int, hidden: bool) -> str:
    if hidden:
        said = ngettext("%(number)s card in hand, face down", "%(number)s cards in hand, face down", number)
    else:
        said = ngettext("%(number)s card in hand", "%(number)s cards in hand", number)
    return said % {"number": number}


def _holding(seat: SeatView) -> Iterator[str]:
    down = sum(not face.suit for face in seat.hand)
    said = _in_hand(get_language(), down if seat.hidden else seat.hand_count, seat.hidden)
    if seat.hidden:
        rows = "".join(map(_closed_row, seat.rows))
        yield f'<div class="hand closed">{rows}<p class="visually-hidden">{said}</p></div>\n'
    else:
        yield f'<div class="hand" role="group" aria-label="{said}">'
        for row in seat.rows:
            yield f'<ul class="cards">{cards(row)}</ul>'
        yield "</div>\n"
    if seat.piles:
        yield f'<div class="piles">{"".join(map(_pile, seat.piles))}</div>\n'
    heap = seat.discards
    if heap is None:
        return
    yield f'<div class="put-away"><span class="label">{pgettext("cards put away", "discards")}</span>'
    if heap.cards is not None:
        yield f'<ul class="cards mini">{cards(heap.cards)}</ul>'
    else:
        yield f'<ul class="cards mini" aria-hidden="true">{backs(heap.count)}</ul>'
        yield f'<span class="visually-hidden">{heap.count}</span>'
        if heap.shown:
            yield f'<span class="label">{_("shown")}</span><ul class="cards mini">{cards(heap.shown)}</ul>'
    yield "</div>\n"


def _closed_row(row: Sequence[Face]) -> str:
    """Cards of a hand face down, before them those that all have seen."""
    seen = [face for face in row if face.suit]
    silent = "" if seen else ' aria-hidden="true"'
    return f'<ul class="cards"{silent}>{cards(seen)}{backs(len(row) - len(seen))}</ul>'


def _pile(pile: Pile) -> str:
    label = ngettext("Pile %(number)s: %(count)s card", "Pile %(number)s: %(count)s cards", pile.count) % {
        "number": esc(pile.number),
        "count": pile.count,
    }
    under = "".join(f'<li class="face-down">{card(face)}</li>' for face in pile.under)
    top = f"<li>{card(pile.top)}</li>" if pile.top else ""
    return f'<div class="pile" role="group" aria-label="{label}"><ul class="cards">{under}{top}</ul></div>'


def _centre(position: Position) -> Iterator[str]:
    yield f'<section class="centre" aria-label="{_("On the table")}">\n'
    if position.trick and position.trick.plays:
        yield from _trick(position.trick)
    elif not position.talon:
        yield f'<p class="nothing">{esc(position.phase_words)}</p>\n'
    if position.talon:
        label = f"{esc(position.talon_what)} ({position.talon.count})"
        yield f'<div class="talon"><span class="label">{label}</span>'
        if position.talon.cards is not None:
            yield f'<ul class="cards mini">{cards(position.talon.cards)}</ul></div>\n'
        else:
            yield f'<ul class="cards mini" aria-hidden="true">{backs(position.talon.count)}</ul></div>\n'
    clockwise = position.direction == "clockwise"
    said = _("The game goes clockwise.") if clockwise else _("The game goes anticlockwise.")
    yield f'<p class="direction" aria-hidden="true">{"↻" if clockwise else "↺"}</p>\n'
    yield f'<p class="visually-hidden">{said}</p>\n</section>\n'


def _trick(trick: Trick) -> Iterator[str]:
    yield f'<p class="trick-title">{_("Trick %(number)s") % {"number": trick.number}}</p>\n'
    yield f'<ol class="trick{" done" if trick.done else ""}">'
    comma = words.of()["comma"].rstrip()
    for play in trick.plays:
        yield f'<li class="at-{play.slot}{" winning" if play.wins else ""}">{card(play.card)}'
        yield f'<span class="tag"><b>{esc(play.seat)}</b>'
        if play.leads:
            yield _sign("leads", "▸", _("leads") + (comma if play.wins else ""))
        if play.wins:
            yield _sign("wins", "✓", _("takes the trick") if trick.done else _("is winning"))
        yield "</span>"
        if play.says:
            yield f'<span class="says">{esc(play.says)}</span>'
        yield "</li>"
    yield "</ol>\n"


def _sign(name: str, sign: str, word: str) -> str:
    return (
        f' <span class="{name}"><span class="sign" aria-hidden="true">{sign}</span>'
        f'<span class="word">{word}</span></span>'
    )


def standing(position: Position) -> SafeString:
    """Phase, contract, what was announced and doubled, card points so far."""
    rows = [(_("Phase"), esc(position.phase_words))]
    if position.contract:
        rows.append((_("Contract"), esc(position.contract)))
    if position.called:
        rows.append((_("Called"), esc(position.called.name)))
    rows += [(_("Doubled"), esc(doubled)) for doubled in position.doubles]
    if position.announced:
        said = "; ".join(f"{esc(said.player)}: {esc(said.words)}" for said in position.announced)
        rows.append((_("Announced"), said))
    if position.sides:
        points = ", ".join(f"{esc(side)} <strong>{number}</strong>" for side, number in position.sides)
        rows.append((_("Card points so far"), points))
    listed = "".join(f"<div><dt>{name}</dt><dd>{told}</dd></div>\n" for name, told in rows)
    return joined(('<dl class="standing">\n', listed, "</dl>\n"))
