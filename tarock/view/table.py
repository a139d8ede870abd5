"""The table prepared for display. It is computed only from a position, without the rules, so it can't reveal
anything that the engine hides from a view."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from tarock import games
from tarock.analysis import position
from tarock.core.cards import in_hand_order
from tarock.view import remark as remarks
from tarock.view.cards import Face, faces, in_rows, pack
from tarock.view.remark import Remark
from tarock.words import clauses, sentences
from tarock.words import names as naming
from tarock.words.names import PlayerNames
from tarock.words.sentences import at_table


def slots(seats: Sequence[str], direction: str, bottom: str | None = None) -> dict[str, int]:
    """Return the position of each seat on the screen, clockwise from 0 at the bottom.

    If the direction of play is anticlockwise, the next seat is to the right of the bottom seat, otherwise to
    the left.
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


class Pile(NamedTuple):
    """One of a player's piles, also called straw men. Only the top card of a pile may lie face up."""

    number: str
    top: Face | None  # the open card on top
    under: list[Face]  # the cards beneath, from the lowest up
    words: str  # number of cards, as the picture's alternative text


class Play(NamedTuple):
    """One card of a trick."""

    seat: str
    slot: int
    card: Face
    says: str
    leads: bool
    wins: bool
    wrong: bool = False  # whether the card breaks a rule


class TrickView(NamedTuple):
    """A trick, finished or on the table."""

    number: int
    leader: str
    plays: list[Play]
    winner: str  # seat that won the trick, or that is winning it so far; empty before the first card
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
    rows: list[list[Face]]
    hidden: bool
    hand_words: str  # number of cards in the hand, as the picture's alternative text
    piles: list[Pile]
    tricks: int
    points: int
    discards: list[Face]  # discards of the seat, with a back for each hidden card
    says: str  # words of the seat at this step

    @property
    def hand(self) -> list[Face]:
        return [card for row in self.rows for card in row]


class Fact(NamedTuple):
    """A fact about the deal, with its name."""

    name: str
    value: str


class Utterance(NamedTuple):
    """A bid, announcement or other statement of a seat."""

    seat: str
    words: str


class TableView(NamedTuple):
    """The table after some events, ready for a page to draw."""

    game: str
    step: int
    steps: int
    phase: str  # phase of the deal, as text
    view: str | None
    direction: str
    seats: list[SeatView]  # in the order of play, from the seat at the bottom
    trick: TrickView | None
    trick_title: str  # title for the middle of the table: the trick, or the phase before the play
    talon: list[Face]
    talon_what: str
    stock: str  # number of cards that stay face down to the end, as text; empty if there are none
    standing: list[Fact]  # phase, contract, announcements, doubles, card points so far
    auction: list[Utterance]  # bids and announcements so far; empty once a card is on the table
    happened: str
    happenings: list[Remark]
    turn_words: str
    legal: list[str]
    comments: list[str]
    over: bool
    error: dict[str, Any] | None  # the error at this step: `message` and `clause`

    @property
    def size(self) -> int:
        """Number of seats at the table."""
        return len(self.seats)

    @property
    def players(self) -> dict[str, str]:
        """Names of the players by the letters of their seats."""
        return {seat.letter: seat.name for seat in self.seats}


def table_view(
    at: position.Position, names: PlayerNames, *, bottom: str | None = None, steps: int | None = None
) -> TableView:
    """Prepare a position for display, in the language of `names`. `steps`: total number of steps, by default
    the position's. The seat shown at the bottom is `bottom`, by default the seat of the view or, without a
    view, the first active seat."""
    places = slots(at.seats, at.direction, bottom or at.view or at.active[0])
    order = 1 if at.direction == "clockwise" else -1
    cards = pack(at.game, names.language)
    error = None if _follows_a_fault(at) else at.error
    message = error and (names.sentence(sentences.finding, error) or at_table("ends-here", names))
    phase = names.name("phase", at.phase)
    seats = [_seat(seat, at, names, places, cards) for seat in at.seats]
    trick = _trick_on_table(at, names, places, cards)
    is_played = trick is not None and (trick.plays or trick.number > 1)
    stock = games.game(at.game).stock.get(len(at.seats), 0)
    return TableView(
        game=at.game,
        step=at.step,
        steps=at.steps if steps is None else steps,
        phase=phase,
        view=at.view,
        direction=at.direction,
        seats=sorted(seats, key=lambda seat: order * seat.slot % len(seats)),
        trick=trick,
        trick_title=at_table("trick", names, number=trick.number) if trick and trick.plays else phase,
        talon=_lying(at.talon.count, at.talon.cards, cards),
        talon_what=naming.label(names.words.get("talon", "")),
        stock=at_table("stock", names, count=stock) if stock else "",
        standing=_standing(at, phase, names),
        auction=[] if is_played else [_utterance(one, names) for one in at.said],
        happened=_happened(at, names),
        happenings=remarks.happenings(at.happenings, names),
        turn_words=_turn_words(at, names),
        legal=[names.choice(token) for token in at.legal or ()],
        comments=list(at.comments),
        over=at.over,
        error={"message": message, "clause": error.clause} if error else None,
    )


def _utterance(statement: position.Statement, names: PlayerNames) -> Utterance:
    """Return a statement in short form, for display next to the seat."""
    verb, *arguments = (statement.words or "").split()
    return Utterance(statement.seat, sentences.event_sentence(verb, arguments, names, "short"))


def _standing(at: position.Position, phase: str, names: PlayerNames) -> list[Fact]:
    words = names.words
    rows = [("phase", phase)]
    if at.contract:
        rows.append(("contract", naming.with_native(words, naming.contract(words, at.contract), at.contract)))
    if at.called:
        rows.append(("called", naming.card_name(words, at.called)))
    stakes = words["stakes"]
    rows += [
        ("doubled", f"{stakes.get(stake, stake)} × {factor}")
        for stake, factor in at.doubles.items()
        if factor > 1
    ]
    if at.announced:
        announced = [
            f"{names.name('seat', one.seat)}: {naming.item(words, one.item)}" for one in at.announced
        ]
        rows.append(("announced", names.between("semicolon").join(announced)))
    if at.side_points:
        counted = [f"{names.side(side)} {number}" for side, number in at.side_points.items()]
        rows.append(("points", names.between("comma").join(counted)))
    return [Fact(at_table(key, names), value) for key, value in rows]


def _happened(at: position.Position, names: PlayerNames) -> str:
    """Return a sentence about the last event or, at step 0, about the deal."""
    last = at.last
    if last is not None:
        what = sentences.event_sentence(last.verb, last.args, names, "long")
        return at_table("event", names, seat=last.seat, what=what)
    if at.step == 0:
        return at_table("dealt", names, dealer=at.dealer, forehand=at.forehand)
    return at_table("hidden", names)


def _follows_a_fault(at: position.Position) -> bool:
    """Return whether the last event came after the illegal one. Only the illegal event shows the error."""
    fault = at.error
    return not at.judged and fault is not None and at.step - 1 != fault.event


def _turn_words(at: position.Position, names: PlayerNames) -> str:
    if at.over:
        return at_table("over", names)
    if _follows_a_fault(at):
        return at_table("not-judged", names)
    if at.error is not None:
        breaks = at.error.clause or at.error.reason == "stops-here" or not at.judged
        return "" if breaks else at_table("ends-here", names)
    if not at.turn:
        return ""
    if at.phase != "play":
        return at_table("speaks", names, seat=at.turn)
    if at.trick and not at.trick.plays:
        return at_table("leads", names, seat=at.turn, number=at.trick.number)
    return at_table("plays", names, seat=at.turn)


def _lying(
    count: int,
    codes: Sequence[str] | None,
    pack: Mapping[str, Face],
    visible: Sequence[str] = (),
    legal: Collection[str] = (),
) -> list[Face]:
    """Return `count` faces. If the cards are hidden, show the `visible` ones, and backs for all others."""
    if codes is None:
        return [*faces(visible, pack, legal), *[pack["back"]] * (count - len(visible))]
    return faces(codes, pack, legal)


_ROLES = {"dealer": "", "forehand": "1", "declarer": "★", "partner": "☆"}
"""Role → its sign on the table. The dealer's sign is a letter that depends on the language."""


# There are only four roles per game and language. Caching them saves 4 ms for all steps of a deal.
@lru_cache(maxsize=256)
def _role(key: str, game: str, language: str) -> Role:
    sign = _ROLES[key] or at_table("dealer-sign", sentences.Names(game, language))
    return Role(key, naming.role(clauses.words(game, language), key), sign)


def roles(game: str, players: int, language: str) -> list[Role]:
    """Return all roles that seats may have in a game, for a legend of their signs."""
    keys = ["dealer", "forehand"]
    if clauses.words(game, language).get("declarer"):
        keys += ["declarer", "partner"] if players > 2 else ["declarer"]
    return [_role(key, game, language) for key in keys]


def seat_roles(seat: str, at: position.Position, language: str) -> list[Role]:
    """Return the roles of a seat in a deal."""
    return [_role(key, at.game, language) for key in _ROLES if getattr(at, key) == seat]


def _seat(
    seat: str,
    at: position.Position,
    names: PlayerNames,
    places: Mapping[str, int],
    cards: Mapping[str, Face],
) -> SeatView:
    hand = at.hands.get(seat, position.Hand(0, (), ()))
    on_turn = seat == at.turn
    choices = {token.partition("(")[0] for token in at.legal or ()} if on_turn else set()
    if hand.cards is None:
        held = _lying(hand.count, None, cards, in_hand_order(hand.shown), choices)
        middle = (len(held) + 1) // 2
        rows = [held[:middle], held[middle:]]
        hand_words = at_table("hand-face-down", names, count=sum(not face.suit for face in held))
    else:
        rows = [faces(row, cards, choices) for row in in_rows(in_hand_order(hand.cards))]
        hand_words = at_table("hand", names, count=hand.count)
    away = at.discards.get(seat, position.Hand(0, (), ()))
    return SeatView(
        letter=seat,
        name=names.players[seat],
        slot=places[seat],
        roles=seat_roles(seat, at, names.language),
        sits_out=seat == at.sitting,
        on_turn=on_turn,
        is_view=seat == at.view,
        rows=rows,
        hidden=hand.cards is None,
        hand_words=hand_words,
        piles=[
            _pile(where, pile, names, cards, choices)
            for where, pile in at.piles.items()
            if where.startswith(f"{seat}/")
        ],
        tricks=at.won.get(seat, 0),
        points=at.points.get(seat, 0),
        discards=_lying(away.count, away.cards, cards, away.shown),
        says=_last_words(seat, at, names),
    )


def _pile(
    where: str, pile: position.Pile, names: PlayerNames, cards: Mapping[str, Face], choices: Collection[str]
) -> Pile:
    number = where.partition("/")[2]
    below = pile.cards and (pile.cards[:0:-1] if pile.top else pile.cards[::-1])
    return Pile(
        number=number,
        top=faces([pile.top], cards, choices)[0] if pile.top else None,
        under=_lying(pile.count - bool(pile.top), below, cards),
        words=at_table("pile", names, pile=number, count=pile.count),
    )


def _last_words(seat: str, at: position.Position, names: PlayerNames) -> str:
    last = at.said[-1] if at.said else None
    if last is None or last.seat != seat or last.event + 1 != at.step:
        return ""
    return names.event(last.words or "")


def _trick_on_table(
    at: position.Position, names: PlayerNames, places: Mapping[str, int], cards: Mapping[str, Face]
) -> TrickView | None:
    """Return the trick in progress. Right after its last card, return the finished trick, so that users see
    that card."""
    trick: position.Trick | position.TakenTrick | None = at.trick
    begun = at.trick is not None and at.trick.plays
    if not begun and at.last is not None and at.last.verb == "play" and at.tricks:
        trick = at.tricks[-1]
    if trick is None:
        return None
    done = isinstance(trick, position.TakenTrick)
    winner = trick.winner if isinstance(trick, position.TakenTrick) else trick.winning
    error = None if at.judged else at.error
    wrong = str(error.values.get("card", "")).partition("(")[0] if error else ""
    plays = [
        Play(
            seat=play.seat,
            slot=places[play.seat],
            card=cards[play.card],
            says=naming.qualifier(names.words, play.says) if play.says else "",
            leads=play.seat == trick.leader,
            wins=play.seat == winner,
            wrong=play.card == wrong,
        )
        for play in trick.plays
    ]
    return TrickView(trick.number, trick.leader or "", plays, winner or "", done)
