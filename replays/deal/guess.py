"""A play of the view's seat that the reader guesses before seeing it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from replays.deal.address import Address
from replays.deal.analysis import Analysis
from replays.language import words
from replays.language.cards import face
from tarock.analysis.position import Position
from tarock.core.cards import INDEX, in_hand_order
from tarock.view.cards import Face
from tarock.words import names as naming


@dataclass(frozen=True, slots=True)
class Choice:
    """A card that may be played, and the URL that picks it as the reader's guess."""

    token: str
    name: str
    face: Face
    href: str


@dataclass(frozen=True, slots=True)
class Guess:
    """A play to guess: the choices, and after a guess the card that was really played."""

    player: str
    address: Address
    """The address of this step, with the number of guesses so far."""
    choices: list[Choice]
    """The cards to choose from; empty if there is nothing to guess."""
    forced: bool = False
    """Whether there is nothing to guess because only one card is legal."""
    picked: str = ""
    played: str = ""
    right: bool = False

    @property
    def asks(self) -> bool:
        """Whether the reader must pick a card now."""
        return bool(self.choices) and not self.picked

    @property
    def onward(self) -> str:
        """The URL of the next step."""
        return f"{self.address.prefix}{self.address.step + 1}"

    @property
    def skip(self) -> str:
        """The URL of the seat's next choice. It omits the number of that step, which would reveal who takes
        tricks."""
        return f"{self.address.query}&go=turn"

    @property
    def made(self) -> int:
        """The number of guesses made so far."""
        return self.address.right + self.address.wrong


def guess(analysis: Analysis, address: Address, state: Position, picked: str = "") -> Guess | None:
    """Return the play to guess at a position, or None if the reader is not guessing. `picked`: the card that
    the reader guessed."""
    if not address.guess or state.step >= state.steps:
        return None
    game, player = state.game, state.players[address.view or ""]
    named = words.of(game)
    address = replace(address, step=state.step)
    to_play = state.phase == "play" and state.turn == address.view
    # Readers guess only cards, so leave out announcements that are possible before a card.
    legal = [t for t in state.legal or [] if t.partition("(")[0] in INDEX] if to_play else []
    if len(legal) < 2:
        return Guess(player, address, [], forced=bool(legal))
    in_order = in_hand_order(dict.fromkeys(token.partition("(")[0] for token in legal))
    choices = [
        Choice(
            token,
            naming.card_token(named, token),
            face(token.partition("(")[0], game),
            f"{address.query}&pick={token}",
        )
        for token in sorted(legal, key=lambda token: in_order.index(token.partition("(")[0]))
    ]
    # Between two tricks, a seat may make announcements before playing a card, so look for its next play.
    follow = analysis.record.events[analysis.count(address.eyes).moment(state.step) :]
    played = next((event[2] for event in follow if event[:2] == (address.view, "play")), "")
    if picked not in legal or not played:
        return Guess(player, address, choices)
    right = picked == played
    address = replace(address, right=address.right + right, wrong=address.wrong + (not right))
    chosen, revealed = naming.card_token(named, picked), naming.card_token(named, played)
    return Guess(player, address, choices, picked=chosen, played=revealed, right=right)
