"""What the pages show, as values: templates choose words and colours, never winners.

Everything here is made from the engine's finished answers (a position, an outline, stored score lines and
countings) and knows no rule: which card is where in a picture, in which order things are listed, which of
them are links.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.utils.translation import get_language, gettext_lazy, ngettext, pgettext
from django.utils.translation import gettext as _

from archive import selectors
from archive.models import Deal, Upload
from archive.selectors import Progress, Result
from replays import sentences, words
from replays.sentences import Names
from tarock import position as engine
from tarock.cards import CARDS, INDEX, VALUE, bits
from tarock.clauses import Clause, book
from tarock.clauses import clause as find_clause
from tarock.findings import Finding
from tarock.record import Record
from tarock.scoring import Counting, Happening, ScoreLine, in_threes

_HAND_ORDER = {code: ("TSHCD".index(code[0]), INDEX[code]) for code in CARDS}
"""How a hand is held: tarocks first, then suits with black and red in turn, in each the highest first."""


# --- cards --------------------------------------------------------------------------------------------------


class Face(NamedTuple):
    """One card as a picture: its symbol in the sprite, its suit for the colour, its name for who can't see
    it."""

    code: str
    """The card code, or ``back``."""
    name: str
    marks: tuple[str, ...] = ()
    """Class names: ``legal``, ``winning`` …"""

    @property
    def suit(self) -> str:
        """The suit letter; empty for a back."""
        return "" if self.code == "back" else self.code[0]


@lru_cache(maxsize=64)
def _pack(_language: str | None, game: str) -> Mapping[str, Face]:
    # A page shows a hundred of them: remembered, they save 1.7 ms of an audit page.
    return {code: Face(code, words.card_name(code, game)) for code in CARDS}


def open_cards(game: str = "") -> Mapping[str, Face]:
    """Every card of the largest pack, lying open, by its code."""
    return _pack(get_language(), game)


def face(code: str, game: str = "") -> Face:
    """A card that lies open."""
    return open_cards(game).get(code) or Face(code, words.card_name(code, game))


def faces(codes: Iterable[str], game: str = "", legal: Iterable[str] = ()) -> list[Face]:
    """Open cards in the order given; those among ``legal`` are marked."""
    return _faces(codes, open_cards(game), legal)


def _faces(codes: Iterable[str], pack: Mapping[str, Face], legal: Iterable[str] = ()) -> list[Face]:
    allowed = set(legal)
    return [pack[c]._replace(marks=("legal",)) if c in allowed else pack[c] for c in codes]


def backs(count: int) -> list[Face]:
    """So many cards face down."""
    return [Face("back", _("a card face down"))] * count


def in_hand_order(codes: Iterable[str]) -> list[str]:
    """Cards as one holds them: tarocks first, then the suits, black and red in turn."""
    return sorted(codes, key=_HAND_ORDER.__getitem__)


def in_rows(codes: Sequence[str]) -> tuple[list[str], list[str]]:
    """A sorted hand split in two rows of nearly one length, between two suits where that is nearly the
    middle."""
    middle = (len(codes) + 1) // 2
    breaks = [i for i in range(1, len(codes)) if codes[i][0] != codes[i - 1][0]]
    at = min(breaks, key=lambda i: abs(i - middle), default=middle)
    if abs(at - middle) > 2:
        at = middle
    return list(codes[:at]), list(codes[at:])


# --- verdicts -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict with its sign, its word, and the sentence that explains it."""

    key: str
    sign: str
    word: str
    meaning: str


def verdict(key: str) -> Verdict:
    """How a verdict is shown."""
    sign, word, meaning = words.VERDICTS[key]
    return Verdict(key, sign, str(word), str(meaning))


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict that the engine gave on a deal: when, by which version of it, and the other one before."""

    verdict: Verdict
    engine_version: str
    at: datetime
    """In UTC, as everywhere on these pages."""
    before: Verdict | None
    """None where the answer is the same as before, or the first."""


def history(answers: Iterable[selectors.Answer]) -> list[Answer]:
    """Every answer that the engine gave on a deal."""
    return [
        Answer(
            verdict(one.verdict),
            one.engine_version,
            one.verified_at,
            verdict(one.before) if one.before and one.before != one.verdict else None,
        )
        for one in answers
    ]


def game_name(game: str) -> str:
    """The name of a game in the reader's language; an unknown id stays as it is."""
    try:
        return book(game, get_language() or "en").name
    except KeyError:
        return game


# --- the table ----------------------------------------------------------------------------------------------


def slots(seats: Sequence[str], direction: str, bottom: str | None = None) -> dict[str, int]:
    """Where each seat is drawn: 0 at the bottom, then clockwise as one looks at the table.

    ``direction`` is the game's true one: anticlockwise the next seat is on the right of the one at the
    bottom, clockwise on the left.
    """
    start = list(seats).index(bottom) if bottom in seats else 0
    number = len(seats)
    order = 1 if direction == "clockwise" else -1
    return {seat: (order * (i - start)) % number for i, seat in enumerate(seats)}


@dataclass(frozen=True, slots=True)
class Role:
    """What a seat is in this deal: dealer, forehand, declarer, partner …"""

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
        """For who can't see it."""
        return ngettext("Pile %(number)s: %(count)s card", "Pile %(number)s: %(count)s cards", self.count) % {
            "number": self.number,
            "count": self.count,
        }


@dataclass(frozen=True, slots=True)
class Heap:
    """Cards put away: discards, the talon."""

    count: int
    cards: list[Face] | None
    """None when they are hidden from the view."""
    shown: list[Face] = field(default_factory=list)

    @property
    def faces(self) -> list[Face]:
        """All of them: where they are hidden, those that were shown, and backs."""
        if self.cards is not None:
            return self.cards
        return [*self.shown, *backs(self.count - len(self.shown))]


class Play(NamedTuple):
    """One card of a trick."""

    seat: str
    slot: int
    card: Face
    says: str
    leads: bool
    wins: bool
    wrong: bool = False
    """Whether it broke a rule."""


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick, finished or on the table."""

    number: int
    leader: str
    plays: list[Play]
    winner: str
    """Who has won it, or is winning it so far; empty before the first card."""
    done: bool


@dataclass(frozen=True, slots=True)
class SeatView:
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
    discards: Heap | None
    says: str
    """What this seat has just said."""

    @property
    def hand(self) -> list[Face]:
        """All cards of the hand in order."""
        return [card for row in self.rows for card in row]

    @property
    def hand_words(self) -> str:
        """How many cards are held, for who can't see them."""
        if self.hidden:
            down = sum(not face.suit for face in self.hand)
            said = ngettext("%(number)s card in hand, face down", "%(number)s cards in hand, face down", down)
            return said % {"number": down}
        said = ngettext("%(number)s card in hand", "%(number)s cards in hand", self.hand_count)
        return said % {"number": self.hand_count}


class Said(NamedTuple):
    """Something said: who, what, and the step after it."""

    seat: str
    player: str
    words: str
    step: int


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence, the clause behind it, and the steps at which to look."""

    text: str
    slug: str
    clause: Clause | None
    steps: tuple[int, ...] = ()


def happenings(rows: Iterable[Happening], names: Names) -> list[Remark]:
    """What the rules did by themselves, as a position or a row of an outline tells it."""
    return [
        Remark(sentences.happening(row, names), row.clause, clause(row.clause), (row.event + 1,))
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class Position:
    """The table after some events, ready to be drawn."""

    game: str
    game_name: str
    step: int
    steps: int
    phase: str
    phase_words: str
    view: str | None
    direction: str
    seats: list[SeatView]
    trick: Trick | None
    talon: Heap | None
    talon_what: str
    sides: list[tuple[str, int]]
    contract: str
    called: Face | None
    doubles: list[str]
    announced: list[Said]
    said: list[Said]
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
        """What stands above the middle of the table: the trick, or what goes on before the play."""
        if self.trick and self.trick.plays:
            return _("Trick %(number)d") % {"number": self.trick.number}
        return self.phase_words

    @property
    def auction(self) -> list[Said]:
        """What was said so far, as long as no card lies on the table."""
        return [] if self.trick and (self.trick.plays or self.trick.number > 1) else self.said

    @property
    def standing(self) -> list[Fact]:
        """Phase, contract, what was announced and doubled, card points so far."""
        rows = [Fact(_("Phase"), self.phase_words)]
        if self.contract:
            rows.append(Fact(_("Contract"), self.contract))
        if self.called:
            rows.append(Fact(_("Called"), self.called.name))
        rows += [Fact(_("Doubled"), doubled) for doubled in self.doubles]
        if self.announced:
            said = (f"{said.player}: {said.words}" for said in self.announced)
            rows.append(Fact(_("Announced"), words.listed(said, "semicolon")))
        if self.sides:
            points = words.listed(f"{side} {number}" for side, number in self.sides)
            rows.append(Fact(_("Card points so far"), points))
        return rows


def table(position: engine.Position, *, bottom: str | None = None) -> Position:
    """A position of the engine as the page shows it, with ``bottom`` (or the view's seat) nearest.

    Only what stands in ``position`` can come out: what the engine hides from a view is not there to begin
    with.
    """
    game = position.game
    pack = open_cards(game)
    players = position.players
    view = position.view
    at = slots(position.seats, position.direction, bottom or view)
    legal = position.legal or ()
    names = Names(game, players)
    found = position.error
    return Position(
        game=game,
        game_name=game_name(game),
        step=position.step,
        steps=position.steps,
        phase=position.phase,
        phase_words=words.phase(position.phase, game),
        view=view,
        direction=position.direction,
        seats=sorted((_seat(s, position, at, pack, legal) for s in position.seats), key=lambda s: s.slot),
        trick=_trick_on_table(position, at, pack),
        talon=_heap(position.talon, pack) if position.talon.count else None,
        talon_what=words.talon(game),
        sides=[
            (players.get(side) or words.side_name(side, game), number)
            for side, number in (position.side_points or {}).items()
        ],
        contract=words.with_native(words.contract(game, position.contract), game, position.contract),
        called=face(position.called, game) if position.called in INDEX else None,
        doubles=[
            words.doubling(stake, factor, game) for stake, factor in position.doubles.items() if factor > 1
        ],
        announced=[
            Said(a.seat, players[a.seat], words.item(a.item, game), a.event + 1) for a in position.announced
        ],
        said=[
            Said(s.seat, players[s.seat], _spoken(s.words or "", game), s.event + 1) for s in position.said
        ],
        happened=_happened(position),
        happenings=happenings(position.happenings, names),
        turn_words=_turn_words(position),
        legal=[words.choice(c, game) for c in legal],
        comments=list(position.comments),
        over=position.over,
        error={"message": sentences.finding(found, names), "clause": found.clause} if found else None,
    )


def _spoken(said: str, game: str) -> str:
    verb, *args = said.split()
    return words.event(verb, args, game)


def _happened(position: engine.Position) -> str:
    """The last event as a sentence; at the beginning, who deals."""
    players = position.players
    last = position.last
    if last is not None:
        what = words.event(last.verb, last.args, position.game)
        return _("%(player)s %(what)s.") % {"player": players[last.seat], "what": what}
    if position.step == 0:
        return _("The cards are dealt. %(dealer)s is the dealer, %(forehand)s the forehand.") % {
            "dealer": players[position.dealer],
            "forehand": players[position.forehand],
        }
    return _("Something is said that this seat must not know.")


def _turn_words(position: engine.Position) -> str:
    if position.over:
        return _("The deal is over.")
    if not position.judged:
        return _("Not judged: it follows a broken rule.")
    if position.error is not None:
        return "" if position.error.clause else _("The record ends here.")
    if not position.turn:
        return ""
    player = position.players[position.turn]
    if position.phase == "play":
        trick = position.trick
        if trick and not trick.plays:
            return _("%(player)s leads to trick %(number)d.") % {"player": player, "number": trick.number}
        return _("%(player)s is to play.") % {"player": player}
    return _("%(player)s is to speak.") % {"player": player}


def _heap(heap: engine.Heap, pack: Mapping[str, Face]) -> Heap:
    cards = heap.cards
    return Heap(
        count=heap.count,
        cards=None if cards is None else _faces(cards, pack),
        shown=_faces(getattr(heap, "shown", ()), pack),
    )


def _roles(seat: str, position: engine.Position) -> list[Role]:
    game = position.game
    found = []
    if seat == position.dealer:
        found.append(
            Role("dealer", words.role(game, "dealer"), pgettext("sign of the dealer at the table", "D"))
        )
    if seat == position.forehand:
        found.append(Role("forehand", words.role(game, "forehand"), "1"))
    if seat == position.declarer:
        found.append(Role("declarer", words.role(game, "declarer"), "★"))
    if seat == position.partner:
        found.append(Role("partner", words.role(game, "partner"), "☆"))
    return found


def _seat(
    seat: str,
    position: engine.Position,
    at: Mapping[str, int],
    pack: Mapping[str, Face],
    legal: Sequence[str],
) -> SeatView:
    hand = position.hands.get(seat, engine.Hand(0, (), ()))
    on_turn = seat == position.turn
    choices = {c.partition("(")[0] for c in legal} if on_turn else set()
    if hand.cards is None:
        shown = in_hand_order(hand.shown)
        hidden = backs(hand.count - len(shown))
        rows = list(_halves([*_faces(shown, pack, choices), *hidden]))
    else:
        rows = [_faces(row, pack, choices) for row in in_rows(in_hand_order(hand.cards))]
    piles = []
    for where, pile in position.piles.items():
        owner, _slash, number = where.partition("/")
        if owner != seat:
            continue
        top = pile.top
        below = pile.cards[1 if top else 0 :] if pile.cards is not None else None
        piles.append(
            Pile(
                number=number,
                count=pile.count,
                top=_faces([top], pack, choices)[0] if top else None,
                under=_faces(reversed(below), pack)
                if below is not None
                else backs(pile.count - (1 if top else 0)),
            )
        )
    discards = position.discards.get(seat)
    return SeatView(
        letter=seat,
        name=position.players[seat],
        slot=at[seat],
        roles=_roles(seat, position),
        sits_out=seat == position.sitting,
        on_turn=on_turn,
        is_view=seat == position.view,
        hand_count=hand.count,
        rows=rows,
        hidden=hand.cards is None,
        piles=piles,
        tricks=position.won.get(seat, 0),
        points=position.points.get(seat, 0),
        discards=_heap(discards, pack) if discards and discards.count else None,
        says=_just_said(seat, position),
    )


def _just_said(seat: str, position: engine.Position) -> str:
    last = position.said[-1] if position.said else None
    if last is None or last.seat != seat or last.event + 1 != position.step:
        return ""
    return _spoken(last.words or "", position.game)


def _halves(cards: list[Face]) -> tuple[list[Face], list[Face]]:
    middle = (len(cards) + 1) // 2
    return cards[:middle], cards[middle:]


def _trick(
    trick: engine.Trick | engine.TakenTrick,
    position: engine.Position,
    at: Mapping[str, int],
    pack: Mapping[str, Face],
    *,
    done: bool,
) -> Trick:
    winner = trick.winner if isinstance(trick, engine.TakenTrick) else trick.winning
    found = None if position.judged else position.error
    wrong = str(found.values.get("card", "")).partition("(")[0] if found else ""
    plays = [
        Play(
            seat=p.seat,
            slot=at[p.seat],
            card=pack[p.card],
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
    position: engine.Position, at: Mapping[str, int], pack: Mapping[str, Face]
) -> Trick | None:
    """The trick in progress; right after the last card of one, that one, since one wants to see it."""
    last = position.last
    trick = position.trick
    if trick is not None and trick.plays:
        return _trick(trick, position, at, pack, done=False)
    if last is not None and last.verb == "play" and position.tricks:
        return _trick(position.tricks[-1], position, at, pack, done=True)
    return _trick(trick, position, at, pack, done=False) if trick is not None else None


# --- the list of moves --------------------------------------------------------------------------------------


class Move(NamedTuple):
    """One event in the list of moves."""

    step: int
    seat: str
    short: str
    """As it is listed: a card, a bid."""
    suit: str
    wins: bool
    happenings: list[Remark]
    comments: list[str]


@dataclass(frozen=True, slots=True)
class MoveGroup:
    """A phase of the deal, or one trick."""

    title: str
    trick: int | None
    moves: list[Move]

    @property
    def happenings(self) -> list[Remark]:
        """What all of its moves brought about."""
        return [h for move in self.moves for h in move.happenings]

    @property
    def comments(self) -> list[str]:
        """The comments on all of its moves."""
        return [c for move in self.moves for c in move.comments]


def moves(outline: Iterable[engine.Step], names: Names) -> list[MoveGroup]:
    """The engine's outline as the list of moves: what was said by phase, then trick by trick."""
    groups, numbered = [], _("Trick %(number)d")
    game = names.game
    for (phase, trick), rows in itertools.groupby(outline, key=lambda row: (row.phase, row.trick)):
        listed = list(rows)
        winner = next((row.winner for row in listed if row.winner), None)
        found = []
        for row in listed:
            seat, verb, args = row.seat or "", row.verb, row.args
            found.append(
                Move(
                    step=row.event + 1,
                    seat=seat,
                    short="·" if verb is None else words.event(verb, args, game, short=True),
                    suit=args[0][:1] if verb == "play" and args else "",
                    wins=trick is not None and seat == winner,
                    happenings=happenings(row.happenings, names),
                    comments=list(row.comments),
                )
            )
        title = numbered % {"number": trick} if trick is not None else words.phase(phase, game)
        groups.append(MoveGroup(title, trick, found))
    return groups


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps that the buttons lead to; None where there is none."""

    current: int
    last: int
    previous: int | None
    next: int | None
    previous_trick: int | None
    next_trick: int | None


def ends(outline: Iterable[engine.Step]) -> list[int]:
    """The steps at which a trick (before the play: a phase) ends, the beginning of the deal in front."""
    grouped = itertools.groupby(outline, key=lambda row: (row.phase, row.trick))
    return [0, *([row.event for row in rows][-1] + 1 for _group, rows in grouped)]


def steps(current: int, last: int, ends: Sequence[int]) -> Steps:
    """Where one can go from a step: one event on or back, or to where the next or previous trick (before the
    play: phase) ends; see `ends`."""
    return Steps(
        current=current,
        last=last,
        previous=current - 1 if current > 0 else None,
        next=current + 1 if current < last else None,
        previous_trick=max((e for e in ends if e < current), default=None),
        next_trick=min((e for e in ends if e > current), default=None),
    )


@dataclass(frozen=True, slots=True)
class Address:
    """The query of a replay page: from whose eyes (``view``), or only from whose side (``bottom``); whether
    all hands are face down, whether anything is told of what comes later, and whether plays are to be
    guessed."""

    view: str | None = None
    bottom: str | None = None
    closed: bool = False
    spoilers: bool = True
    guess: bool = False

    @property
    def parts(self) -> dict[str, str]:
        """The query without the step."""
        parts = {}
        if self.view:
            parts["view"] = self.view
        elif self.bottom:
            parts["view"] = self.bottom
        if self.closed:
            parts["hands"] = "none"
        elif self.bottom and not self.view:
            parts["hands"] = "all"
        if not self.spoilers:
            parts["spoilers"] = "off"
        if self.guess:
            parts["guess"] = "1"
        return parts

    @property
    def prefix(self) -> str:
        """The query of any step; the number of the step is to be written behind it."""
        return "?" + urlencode({**self.parts, "step": ""})


# --- the audit ----------------------------------------------------------------------------------------------


def clause(slug: str | None) -> Clause | None:
    """The clause of a slug in the reader's language; None where there is none."""
    if not slug:
        return None
    try:
        return find_clause(slug, get_language() or "en")
    except KeyError:
        return None


@dataclass(frozen=True, slots=True)
class Cell:
    """What one seat gets or pays by a line."""

    seat: str
    points: int | None

    @property
    def text(self) -> str:
        """With its sign."""
        return words.points(self.points)

    @property
    def sense(self) -> str:
        """``gain``, ``loss`` or ``none``."""
        return "none" if not self.points else "gain" if self.points > 0 else "loss"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the score sheet."""

    slug: str
    clause: Clause | None
    reckoning: str
    cells: list[Cell]
    steps: list[int]
    """The steps after the events that earned it."""


def lines(sheet: Iterable[ScoreLine], seats: Sequence[str], names: Names) -> list[Line]:
    """The score lines of a deal, a cell for each seat."""
    return [
        Line(
            slug=line.clause,
            clause=clause(line.clause),
            reckoning=sentences.reckoning(line, names),
            cells=[Cell(seat, line.points.get(seat)) for seat in seats],
            steps=[event + 1 for event in line.events],
        )
        for line in sheet
    ]


class Counted(NamedTuple):
    """One card as it is counted."""

    card: Face
    value: int


@dataclass(frozen=True, slots=True)
class CountedGroup:
    """A set of three cards (or what is left over): its cards, what it counts, and the count so far."""

    cards: list[Counted]
    reckoning: str
    points: int
    running: int


@dataclass(frozen=True, slots=True)
class CountedPart:
    """Where some of the cards come from."""

    title: str
    cards: list[Counted]


@dataclass(frozen=True, slots=True)
class CountingView:
    """How one side's cards were counted."""

    title: str
    seats: str
    by_threes: bool
    parts: list[CountedPart]
    groups: list[CountedGroup]
    cards: int
    value: int
    threes: int
    rest: int
    points: int
    reckoning: str


def countings(found: Iterable[Counting], players: Mapping[str, str], game: str) -> list[CountingView]:
    """The countings of a deal, laid out as people count on the table. ``players``: names by seat."""
    return [_counting(counting, players, game) for counting in found]


def _counting(found: Counting, players: Mapping[str, str], game: str) -> CountingView:
    by_threes = found.scheme == "threes"
    all_cards = [code for part in found.parts for code in part["cards"]]
    side = found.side
    if by_threes:
        reckoning = f"{found.value} − 2 × {found.threes}" + (" − 1" if found.rest else "")
        reckoning += f" = {found.points}"
    else:
        reckoning = str(found.points)
    return CountingView(
        title=players.get(side) or words.side_name(side, game),
        seats=words.listed(players.get(s, s) for s in found.seats) if side not in players else "",
        by_threes=by_threes,
        parts=[
            CountedPart(
                _part_title(part, players, game), _counted(in_hand_order(part["cards"]), open_cards(game))
            )
            for part in found.parts
        ],
        groups=_threes(all_cards, game) if by_threes else [],
        cards=found.cards,
        value=found.value,
        threes=found.threes,
        rest=found.rest,
        points=found.points,
        reckoning=reckoning,
    )


def _part_title(part: Mapping[str, Any], players: Mapping[str, str], game: str) -> str:
    player = players.get(part["seat"] or "", "")
    number = len(part["cards"])
    cards = words.count_of_cards(number)
    what = part["what"]
    if what == "tricks":
        return _("Tricks of %(player)s: %(cards)s") % {"player": player, "cards": cards}
    if what == "discards":
        return _("Discards of %(player)s: %(cards)s") % {"player": player, "cards": cards}
    if what == "talon":
        return _("%(talon)s: %(cards)s") % {"talon": words.talon(game), "cards": cards}
    if what == "exchange":
        return _("Handed over to %(player)s: %(cards)s") % {"player": player, "cards": cards}
    return f"{what}: {cards}"


def _counted(codes: Iterable[str], pack: Mapping[str, Face]) -> list[Counted]:
    return [Counted(pack[code], VALUE[INDEX[code]]) for code in codes]


def _threes(codes: Sequence[str], game: str) -> list[CountedGroup]:
    """The cards in threes, each counting card with two blanks beside it as far as they last."""
    by_value = sorted(codes, key=lambda c: (-VALUE[INDEX[c]], _HAND_ORDER[c]))
    running = 0
    groups, pack = [], open_cards(game)
    for three in _with_blanks(by_value):
        worth = in_threes(bits(three))
        running += worth
        values = " + ".join(str(VALUE[INDEX[c]]) for c in three)
        less = 2 if len(three) == 3 else 1
        groups.append(CountedGroup(_counted(three, pack), f"{values} − {less} = {worth}", worth, running))
    return groups


def _with_blanks(codes: list[str]) -> Iterator[list[str]]:
    """Sets of three: the dearest card left and the two cheapest ones; the last set may be short."""
    left = list(codes)
    while left:
        take = [left.pop(0)]
        take += [left.pop() for _ in range(min(2, len(left)))]
        yield take


@dataclass(frozen=True, slots=True)
class Difference:
    """Claim and result of one seat, side by side."""

    seat: str
    player: str
    claim: int | None
    result: int | None

    @property
    def difference(self) -> int | None:
        """What the claim has too much."""
        return None if self.claim is None or self.result is None else self.claim - self.result

    @property
    def claim_text(self) -> str:
        return words.points(self.claim)

    @property
    def result_text(self) -> str:
        return words.points(self.result)

    @property
    def difference_text(self) -> str:
        return words.points(self.difference)


def differences(
    claim: Mapping[str, int] | None, score: Mapping[str, int] | None, players: Mapping[str, str]
) -> list[Difference]:
    """What the players (names by seat) wrote down and what the rules give, seat by seat."""
    written, given = claim or {}, score or {}
    return [Difference(seat, player, written.get(seat), given.get(seat)) for seat, player in players.items()]


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong at one event: who did it, what it was, the clause, and what would have been legal."""

    event: int
    place: str
    """Where it stands, as people say it."""
    player: str
    what: str
    card: Face | None
    clause: Clause | None
    slug: str
    message: str
    legal_cards: list[Face]
    legal_words: list[str]


def finding_words(deal: Deal) -> str:
    """What is wrong with a deal, for people; see `sentences.finding`."""
    return sentences.finding(deal.finding, Names(deal.game, deal.players))


def fault(finding: Finding | None, record: Record) -> Fault | None:
    """The finding of an illegal or incomplete deal; None where there is none."""
    if finding is None or finding.event is None:
        return None
    number, game, names = finding.event, record.game, Names(record.game, record.players)
    seat, verb, args = "", "", []
    if number < len(record.events):
        seat, verb, *args = record.events[number]
    legal = finding.legal or ()
    cards = [c for c in legal if c.partition("(")[0] in INDEX]
    # A card that may be played with something said stands there more than once; it is one card.
    pictured = list(dict.fromkeys(c.partition("(")[0] for c in cards))
    played = args[0].partition("(")[0] if verb == "play" and args else ""
    return Fault(
        event=number,
        place=sentences.place(record, number, names),
        player=record.players.get(finding.seat or seat, ""),
        what=words.event(verb, args, game) if verb else "",
        card=face(played, game) if played in INDEX else None,
        clause=clause(finding.clause),
        slug=finding.clause or "",
        message=sentences.finding(finding, names),
        legal_cards=faces(in_hand_order(pictured), game),
        legal_words=[words.choice(c, game) for c in legal if c not in cards],
    )


# --- a deal in a list, its facts ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact with its name."""

    name: str
    value: str


def facts(deal: Deal) -> list[Fact]:
    """The facts of a deal that are told on its page; what pictures and score lines tell is left to them."""
    stored, players = deal.checked.facts, deal.players
    found = []
    name = words.with_native(words.contract(deal.game, deal.contract), deal.game, deal.contract)
    if name:
        level = stored.get("level")
        found.append(Fact(_("Contract"), f"{name}, {_('level')} {level}" if level else name))
    if deal.declarer:
        title = words.label(words.role(deal.game, "declarer"))
        found.append(Fact(title, players.get(deal.declarer, deal.declarer)))
    if stored.get("called") in INDEX:
        found.append(Fact(_("Called"), words.card_name(stored["called"], deal.game)))
    if stored.get("partner"):
        found.append(
            Fact(
                words.label(words.role(deal.game, "partner")),
                players.get(stored["partner"], stored["partner"]),
            )
        )
    if stored.get("result"):
        found.append(Fact(_("Result"), words.result(stored["result"], deal.game)))
    if stored.get("card_points"):
        counted = words.listed(
            f"{players.get(side) or words.side_name(side, deal.game)} {points}"
            for side, points in stored["card_points"].items()
        )
        found.append(Fact(_("Card points"), counted))
    if stored.get("tricks"):
        won = words.listed(f"{players.get(seat, seat)} {number}" for seat, number in stored["tricks"].items())
        found.append(Fact(_("Tricks"), won))
    for seat, items in itertools.groupby(stored.get("announcements") or [], key=lambda row: row[0]):
        said = words.listed(words.item(row[1], deal.game) for row in items)
        found.append(Fact(_("%(player)s announced") % {"player": players.get(seat, seat)}, said))
    bonuses = [clause(slug) for slug in dict.fromkeys(stored.get("bonuses") or [])]
    titles = [c.title for c in bonuses if c]
    if titles:
        found.append(Fact(ngettext("Bonus", "Bonuses", len(titles)), words.listed(titles)))
    return found


# --- uploads ------------------------------------------------------------------------------------------------

EXCERPT_WIDTH = 72
"""How much of a long line is shown before and after the fault."""


@dataclass(frozen=True, slots=True)
class ExcerptLine:
    """A line of an upload as it is shown beside a fault: its number, and the fault's place in it."""

    number: int
    before: str
    at: str
    after: str
    faulty: bool


def excerpt(text: str, line: int, column: int | None, first: tuple[int, int] = (1, 1)) -> list[ExcerptLine]:
    """The faulty line of an upload and the one before it, if the text has it; long lines are cut about the
    fault. ``first``: line and column at which the text begins."""
    all_lines = text.split("\n")
    found = []
    for number in (line - 1, line):
        if not 0 <= number - first[0] < len(all_lines):
            continue
        content = all_lines[number - first[0]].rstrip("\r")
        if number != line or column is None:
            if len(content) > 2 * EXCERPT_WIDTH:
                content = content[: 2 * EXCERPT_WIDTH] + "…"
            found.append(ExcerptLine(number, content, "", "", number == line))
            continue
        start = max(0, column - (first[1] if number == first[0] else 1))
        before, rest = content[:start], content[start:]
        at = rest.split(" ", 1)[0][:EXCERPT_WIDTH] or rest[:1]
        after = rest[len(at) :]
        if len(before) > EXCERPT_WIDTH:
            before = "…" + before[-EXCERPT_WIDTH:]
        if len(after) > EXCERPT_WIDTH:
            after = after[:EXCERPT_WIDTH] + "…"
        found.append(ExcerptLine(number, before, at, after, True))
    return found


def upload_text(raw: bytes) -> str:
    """Bytes of an upload as a text whose lines and columns are those of the findings.

    What is no UTF-8 is one replacement character a byte.
    """
    text = bytes(raw).decode("utf-8", "surrogateescape").removeprefix("\ufeff").replace("\r\n", "\n")
    return "".join("\ufffd" if "\udc80" <= c <= "\udcff" else c for c in text)


@dataclass(frozen=True, slots=True)
class ItemView:
    """What became of one record of an upload."""

    number: int
    outcome: str
    deal: int | None
    verdict: Verdict | None
    differs: str
    place: str
    message: str
    lines: list[ExcerptLine]


_SAID = {
    "players": gettext_lazy("players"),
    "session": gettext_lazy("session"),
    "number": gettext_lazy("number of the deal"),
    "date": gettext_lazy("date"),
    "event": gettext_lazy("event"),
    "site": gettext_lazy("site"),
    "claim": gettext_lazy("score written down"),
    "tags": gettext_lazy("other tags"),
    "comments": gettext_lazy("comments"),
}
"""What a sender may say otherwise than he did before."""


def upload_items(upload: Upload, results: Sequence[Result]) -> list[ItemView]:
    """What became of records of an upload, with the faulty lines of the bad ones."""
    places = {place for result in results if (place := _place(result))}
    lines = _excerpts(upload, places) if places else {}
    names, found = Names("", {}), []
    for result in results:
        place, wrong = _place(result), result.finding
        found.append(
            ItemView(
                number=result.n + 1,
                outcome=result.outcome,
                deal=result.deal,
                verdict=verdict(result.verdict) if result.verdict else None,
                differs=words.listed(str(_SAID.get(word, word)) for word in result.differs),
                place=_("Line %(line)d, column %(column)d") % {"line": place[0], "column": place[1]}
                if place
                else "",
                message=sentences.fault(wrong, names) if wrong else "",
                lines=lines.get(place, []) if place else [],
            )
        )
    return found


def _place(result: Result) -> tuple[int, int] | None:
    wrong = result.finding
    return (wrong.line, wrong.column or 1) if wrong and wrong.line else None


def _excerpts(upload: Upload, places: set[tuple[int, int]]) -> dict[tuple[int, int], list[ExcerptLine]]:
    """The lines about places of an upload; only the parts that they are in are looked at, one at a time."""
    found = {}
    parts = sorted(selectors.parts_at(upload, places).items(), key=lambda row: row[1].number)
    for part, rows in itertools.groupby(parts, key=lambda row: row[1]):
        text = upload_text(part.bytes)
        for place, _part in rows:
            found[place] = excerpt(text, *place, (part.line, part.column)) if text else []
    return found


@dataclass(frozen=True, slots=True)
class ProgressView:
    """How far an upload is, in words."""

    counts: Progress
    percent: int
    left: str
    """About how long it will take; empty as long as nobody can say."""

    @property
    def wrong(self) -> int:
        """Records that were not kept."""
        return self.counts.malformed + self.counts.refused


def progress(upload: Upload, counts: Progress, now: datetime) -> ProgressView:
    """How far an upload is at a moment."""
    percent = 100 * counts.parts_done // counts.parts if counts.parts else 100
    left = ""
    if percent and not counts.finished and upload.kept_at:
        seconds = (now - upload.kept_at).total_seconds() * (100 - percent) / percent
        minutes = round(seconds / 60)
        left = _("less than a minute")
        if minutes:
            left = ngettext("about %(n)d minute", "about %(n)d minutes", minutes) % {"n": minutes}
    return ProgressView(counts, percent, left)
