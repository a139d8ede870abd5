"""The texts of the board, for its script."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, pgettext_lazy

from replays import verdicts

TEXTS = {
    "all_dealt": gettext_lazy("All cards are dealt."),
    "all_hands": gettext_lazy("All hands"),
    "announce": gettext_lazy("Announce these"),
    "back": gettext_lazy("Back"),
    "card_points": gettext_lazy("Card points: {points}"),
    "cards_left": gettext_lazy("Cards left: {number}"),
    "choices": gettext_lazy("What may come next"),
    "clause": gettext_lazy("The rule: {title}"),
    "clear_all": gettext_lazy("Clear all hands"),
    "clear_place": gettext_lazy("Clear: {name}"),
    "date": gettext_lazy("Date"),
    "date_and_place": gettext_lazy("Date and place"),
    "dealer": gettext_lazy("Dealer"),
    "delete_deal": gettext_lazy("Delete the deal: {name}"),
    "enter": pgettext_lazy("an event of a deal", "Enter"),
    "game": gettext_lazy("Game"),
    "hand_of": gettext_lazy("Hand of {name}"),
    "hands": pgettext_lazy("of a deal", "Hands"),
    "how_played": gettext_lazy("How is it played?"),
    "lead": gettext_lazy(
        "Lay out a deal by tapping its cards, and play it card by card. What the rules allow is offered; the "
        "score is reckoned at the end. Everything stays on this device until you send it."
    ),
    "moves": gettext_lazy("Moves"),
    "moves_so_far": gettext_lazy("Moves: {number}"),
    "name_of": gettext_lazy("Name of the player at seat {seat}"),
    "new_deal": gettext_lazy("New deal"),
    "no_engine": gettext_lazy("The archive does not answer. What you entered is still here."),
    "no_room": gettext_lazy(
        "This device has no room left: what you enter now is lost when the page is closed."
    ),
    "options": gettext_lazy("Table options"),
    "over": gettext_lazy("The deal is over."),
    "place": gettext_lazy("Place"),
    "place_done": gettext_lazy("{name}: complete."),
    "place_full": gettext_lazy("{name}: there is no room for more cards."),
    "places": gettext_lazy("Where the cards go"),
    "players": gettext_lazy("Players"),
    "players_hint": gettext_lazy("in the order of their seats"),
    "redo": gettext_lazy("Redo"),
    "score_lines": gettext_lazy("How the score is made up"),
    "seats": gettext_lazy("Seats"),
    "send": gettext_lazy("Send or download"),
    "several": gettext_lazy("What {name} announces"),
    "shuffle": pgettext_lazy("cards", "Shuffle and deal"),
    "take_over": pgettext_lazy("a hand that was typed", "Deal these"),
    "title": gettext_lazy("Enter a deal"),
    "to_hands": gettext_lazy("Deal the cards"),
    "to_play": gettext_lazy("Play"),
    "too_many": gettext_lazy("{name}: at most {number} cards."),
    "trick": gettext_lazy("Trick"),
    "trick_number": gettext_lazy("Trick {number}"),
    "tricks_won": gettext_lazy("tricks: {number}"),
    "turn": gettext_lazy("{name} is on turn."),
    "type_event": gettext_lazy("Type a move"),
    "type_hand": gettext_lazy("Type the cards: {name}"),
    "undo": gettext_lazy("Undo"),
    **{f"verdict_{key}": word for key, (_sign, word, _meaning) in verdicts.VERDICTS.items()},
}
