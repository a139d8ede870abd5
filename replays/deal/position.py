"""The table on a page: seats with their cards, the trick, the talon, the auction.

It is made of the engine's position alone, and knows no rule: what the engine hides from a view is not there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

import tarock.position
from replays import words
from replays.cards import Face, faces, in_rows, pack
from replays.deal.commentary import Remark, happenings
from replays.deal.facts import Fact
from replays.names import Names
from tarock import games, sentences
from tarock.cards import in_hand_order


def slots(seats: Sequence[str], direction: str, bottom: str | None = None) -> dict[str, int]:
    """The place of each seat: 0 at the bottom, then clockwise on the screen.

    ``direction`` is the game's true one: anticlockwise the next seat is on the right of the one at the
    bottom, clockwise on the left.
    """
    start = list(seats).index(bottom) if bottom is not None and bottom in seats else 0
    number = len(seats)
    order = 1 if direction == "clockwise" else -1
    return {seat: (order * (i - start)) % number for i, seat in enumerate(seats)}


class Role(NamedTuple):
    """A role of a seat in this deal: dealer, forehand, declarer, partner …"""

    key: str
    label: str
    sign: str


@dataclass(frozen=True, slots=True)
class Pile:
    """One of the straw men: the open card on top, those beneath from the lowest up, how many there are."""

    number: str
    count: int
    top: Face | None
    under: list[Face]

    @property
    def words(self) -> str:
        """The text in place of the picture."""
        return ngettext("Pile %(number)s: %(count)s card", "Pile %(number)s: %(count)s cards", self.count) % {
            "number": self.number,
            "count": self.count,
        }


class Play(NamedTuple):
    """One card of a trick."""

    seat: str
    slot: int
    card: Face
    says: str
    leads: bool
    wins: bool
    wrong: bool = False
    """Whether it breaks a rule."""


class Trick(NamedTuple):
    """A trick, finished or on the table."""

    number: int
    leader: str
    plays: list[Play]
    winner: str
    """Its winner, or the seat that is winning so far; empty before the first card."""
    done: bool


class SeatView(NamedTuple):
    """One seat at the table."""

    letter: str
    name: str
    slot: int
    roles: list[Role]
    sits_out: bool
    on_turn: bool
    is_view: bool
    hand_count: int
    rows: list[list[Face]]
    hidden: bool
    piles: list[Pile]
    tricks: int
    points: int
    discards: list[Face]
    """Its discards; a back for each hidden one."""
    says: str
    """Its words at this step."""

    @property
    def hand(self) -> list[Face]:
        """All cards of the hand in order."""
        return [card for row in self.rows for card in row]

    @property
    def hand_words(self) -> str:
        """The number of cards held, in place of the picture."""
        if self.hidden:
            down = sum(not face.suit for face in self.hand)
            text = ngettext("%(number)s card in hand, face down", "%(number)s cards in hand, face down", down)
            return text % {"number": down}
        text = ngettext("%(number)s card in hand", "%(number)s cards in hand", self.hand_count)
        return text % {"number": self.hand_count}


class Utterance(NamedTuple):
    """A bid, announcement or other words: the seat, the text, and the step after it."""

    seat: str
    player: str
    words: str
    step: int


class Position(NamedTuple):
    """The table after some events, ready to be drawn."""

    game: str
    step: int
    steps: int
    phase_words: str
    view: str | None
    direction: str
    seats: list[SeatView]
    trick: Trick | None
    talon: list[Face]
    talon_what: str
    stock: str
    """The number of cards that lie face down to the end, in words; empty without any."""
    sides: list[tuple[str, int]]
    contract: str
    called: str
    doubles: list[str]
    announced: list[Utterance]
    auction: list[Utterance]
    """The bids and announcements so far, until a card lies on the table."""
    happened: str
    happenings: list[Remark]
    turn_words: str
    legal: list[str]
    comments: list[str]
    over: bool
    error: dict[str, Any] | None

    @property
    def size(self) -> int:
        """How many seats the table has."""
        return len(self.seats)

    @property
    def fraction(self) -> str:
        """“Step 12 of 56”."""
        return _("Step %(step)d of %(steps)d") % {"step": self.step, "steps": self.steps}

    @property
    def trick_title(self) -> str:
        """The title of the middle of the table: the trick, or the phase before the play."""
        if self.trick and self.trick.plays:
            return _("Trick %(number)d") % {"number": self.trick.number}
        return self.phase_words

    @property
    def standing(self) -> list[Fact]:
        """Phase, contract, announcements, doubles, card points so far."""
        rows = [Fact(_("Phase"), self.phase_words)]
        if self.contract:
            rows.append(Fact(_("Contract"), self.contract))
        if self.called:
            rows.append(Fact(_("Called"), self.called))
        rows += [Fact(_("Doubled"), doubled) for doubled in self.doubles]
        if self.announced:
            announced = (f"{item.player}: {item.words}" for item in self.announced)
            rows.append(Fact(_("Announced"), words.listed(announced, "semicolon")))
        if self.sides:
            points = words.listed(f"{side} {number}" for side, number in self.sides)
            rows.append(Fact(_("Card points so far"), points))
        return rows


def table(
    position: tarock.position.Position, names: Names, *, bottom: str | None = None, steps: int | None = None
) -> Position:
    """A position of the engine as the page shows it. ``steps``: the number of all steps, if it is not the
    engine's. Nearest is ``bottom``, or the view's seat, or else the first that plays: one looks at a hand.

    Only what stands in ``position`` can come out: what the engine hides from a view is not there to begin
    with.
    """
    game, players, view = position.game, position.players, position.view
    cards = pack(game)
    at = slots(position.seats, position.direction, bottom or view or position.active[0])
    legal = position.legal or ()
    error = None if _follows_a_fault(position) else position.error
    seats = [_seat(seat, position, names, at, cards, legal) for seat in position.seats]
    trick = _trick_on_table(position, at, cards)
    is_played = trick is not None and (trick.plays or trick.number > 1)
    return Position(
        game=game,
        step=position.step,
        steps=position.steps if steps is None else steps,
        phase_words=words.phase(position.phase, game),
        view=view,
        direction=position.direction,
        seats=sorted(seats, key=lambda seat: seat.slot),
        trick=trick,
        talon=_lying(position.talon.count, position.talon.cards, cards),
        talon_what=words.talon(game),
        stock=_stock(games.game(game).stock.get(len(position.seats), 0)),
        sides=[(names.side(side), number) for side, number in (position.side_points or {}).items()],
        contract=words.with_native(words.contract(game, position.contract), game, position.contract),
        called=words.card_name(position.called, game) if position.called else "",
        doubles=[
            words.doubling(stake, factor, game) for stake, factor in position.doubles.items() if factor > 1
        ],
        announced=[
            Utterance(a.seat, players[a.seat], words.item(a.item, game), a.event + 1)
            for a in position.announced
        ],
        auction=[]
        if is_played
        else [
            Utterance(s.seat, players[s.seat], names.event(s.words or ""), s.event + 1) for s in position.said
        ],
        happened=_happened(position, names),
        happenings=happenings(position.happenings, names),
        turn_words=_turn_words(position),
        legal=[names.choice(c) for c in legal],
        comments=list(position.comments),
        over=position.over,
        error={"message": names.sentence(sentences.finding, error), "clause": error.clause}
        if error
        else None,
    )


def _happened(position: tarock.position.Position, names: Names) -> str:
    """The last event as a sentence; at the beginning, the deal."""
    players = position.players
    last = position.last
    if last is not None:
        what = sentences.event_sentence(last.verb, last.args, names, "long")
        return _("%(player)s %(what)s.") % {"player": players[last.seat], "what": what}
    if position.step == 0:
        return _("The cards are dealt. %(dealer)s is the dealer, %(forehand)s the forehand.") % {
            "dealer": players[position.dealer],
            "forehand": players[position.forehand],
        }
    return _("Something is said that this seat must not know.")


def _follows_a_fault(position: tarock.position.Position) -> bool:
    """Whether the last event came after the one that broke a rule, which has the error."""
    fault = position.error
    return not position.judged and fault is not None and position.step - 1 != fault.event


def _turn_words(position: tarock.position.Position) -> str:
    if position.over:
        return _("The deal is over.")
    if _follows_a_fault(position):
        return _("Not judged: it follows a broken rule.")
    if position.error is not None:
        breaks = position.error.clause or position.error.reason == "stops-here" or not position.judged
        return "" if breaks else _("The record ends here.")
    if not position.turn:
        return ""
    player = position.players[position.turn]
    if position.phase == "play":
        trick = position.trick
        if trick and not trick.plays:
            return _("%(player)s leads to trick %(number)d.") % {"player": player, "number": trick.number}
        return _("%(player)s is to play.") % {"player": player}
    return _("%(player)s is to speak.") % {"player": player}


def _lying(
    count: int,
    codes: Sequence[str] | None,
    pack: Mapping[str, Face],
    visible: Sequence[str] = (),
    legal: Collection[str] = (),
) -> list[Face]:
    """`count` cards; where they are hidden, the visible ones, and backs."""
    if codes is None:
        return [*faces(visible, pack, legal), *[pack["back"]] * (count - len(visible))]
    return faces(codes, pack, legal)


def _stock(count: int) -> str:
    text = ngettext("stock: %(number)s card, face down", "stock: %(number)s cards, face down", count)
    return text % {"number": count} if count else ""


_ROLES = {"dealer": "", "forehand": "1", "declarer": "★", "partner": "☆"}
"""With the sign of each at the table; the dealer's is a letter of the language."""


@lru_cache(maxsize=256)
def _role(key: str, game: str, _language: str | None) -> Role:
    # Four a game and language; remembered, they save 4 ms of all steps at once.
    return Role(key, words.role(game, key), _ROLES[key] or pgettext("sign of the dealer at the table", "D"))


def roles(game: str, players: int) -> list[Role]:
    """All roles that seats may have in a game, for a legend of their signs."""
    keys = ["dealer", "forehand"]
    if words.of(game).get("declarer"):
        keys += ["declarer", "partner"] if players > 2 else ["declarer"]
    return [_role(key, game, get_language()) for key in keys]


def seat_roles(seat: str, position: tarock.position.Position) -> list[Role]:
    """The roles of a seat in a deal."""
    held = [key for key in _ROLES if getattr(position, key) == seat]
    language = get_language() if held else None
    return [_role(key, position.game, language) for key in held]


def _seat(
    seat: str,
    position: tarock.position.Position,
    names: Names,
    at: Mapping[str, int],
    cards: Mapping[str, Face],
    legal: Sequence[str],
) -> SeatView:
    hand = position.hands.get(seat, tarock.position.Hand(0, (), ()))
    on_turn = seat == position.turn
    choices = {c.partition("(")[0] for c in legal} if on_turn else set()
    if hand.cards is None:
        held = _lying(hand.count, None, cards, in_hand_order(hand.shown), choices)
        middle = (len(held) + 1) // 2
        rows = [held[:middle], held[middle:]]
    else:
        rows = [faces(row, cards, choices) for row in in_rows(in_hand_order(hand.cards))]
    piles = []
    for where, pile in position.piles.items():
        owner, _slash, number = where.partition("/")
        if owner != seat:
            continue
        top = pile.top
        below = pile.cards and pile.cards[:0:-1] if top else pile.cards and pile.cards[::-1]
        piles.append(
            Pile(
                number=number,
                count=pile.count,
                top=faces([top], cards, choices)[0] if top else None,
                under=_lying(pile.count - bool(top), below, cards),
            )
        )
    away = position.discards.get(seat, tarock.position.Hand(0, (), ()))
    return SeatView(
        letter=seat,
        name=position.players[seat],
        slot=at[seat],
        roles=seat_roles(seat, position),
        sits_out=seat == position.sitting,
        on_turn=on_turn,
        is_view=seat == position.view,
        hand_count=hand.count,
        rows=rows,
        hidden=hand.cards is None,
        piles=piles,
        tricks=position.won.get(seat, 0),
        points=position.points.get(seat, 0),
        discards=_lying(away.count, away.cards, cards, away.shown),
        says=_last_words(seat, position, names),
    )


def _last_words(seat: str, position: tarock.position.Position, names: Names) -> str:
    last = position.said[-1] if position.said else None
    if last is None or last.seat != seat or last.event + 1 != position.step:
        return ""
    return names.event(last.words or "")


def _trick(
    trick: tarock.position.Trick | tarock.position.TakenTrick,
    position: tarock.position.Position,
    at: Mapping[str, int],
    cards: Mapping[str, Face],
    *,
    done: bool,
) -> Trick:
    winner = trick.winner if isinstance(trick, tarock.position.TakenTrick) else trick.winning
    error = None if position.judged else position.error
    wrong = str(error.values.get("card", "")).partition("(")[0] if error else ""
    plays = [
        Play(
            seat=p.seat,
            slot=at[p.seat],
            card=cards[p.card],
            says=words.qualifier(p.says, position.game) if p.says else "",
            leads=p.seat == trick.leader,
            wins=p.seat == winner,
            wrong=p.card == wrong,
        )
        for p in trick.plays
    ]
    return Trick(
        number=trick.number,
        leader=trick.leader or "",
        plays=plays,
        winner=winner or "",
        done=done,
    )


def _trick_on_table(
    position: tarock.position.Position, at: Mapping[str, int], cards: Mapping[str, Face]
) -> Trick | None:
    """The trick in progress; right after its last card the finished one, since one wants to see it."""
    last = position.last
    trick = position.trick
    if trick is not None and trick.plays:
        return _trick(trick, position, at, cards, done=False)
    if last is not None and last.verb == "play" and position.tricks:
        return _trick(position.tricks[-1], position, at, cards, done=True)
    return _trick(trick, position, at, cards, done=False) if trick is not None else None
