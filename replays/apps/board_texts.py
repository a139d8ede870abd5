"""The texts of the board, for its script."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, pgettext_lazy

from replays.apps.app_texts import SHARED
from replays.language import verdicts

TEXTS = SHARED | {
    "all_dealt": gettext_lazy("All cards are dealt."),
    "announce": gettext_lazy("Announce these"),
    "cards_left": gettext_lazy("Cards left: {number}"),
    "choose_cards": gettext_lazy("Choose the cards"),
    "choices": gettext_lazy("What may come next"),
    "close": gettext_lazy("Close"),
    "comment_here": gettext_lazy("Comment on this step"),
    "empty_board": gettext_lazy("Empty board"),
    "empty_hint": gettext_lazy("to try things out, or to teach"),
    "empty_lead": gettext_lazy(
        "Cards are dealt at random or as you choose them, all hands lie open, and you play every seat."
    ),
    "enter_now": gettext_lazy("Enter them now"),
    "more_deal": gettext_lazy("Options, date, place"),
    "more_table": gettext_lazy("Options and names"),
    "near": gettext_lazy("Nearest to you"),
    "near_turn": gettext_lazy("whoever’s turn it is"),
    "no_answer": gettext_lazy("The archive does not answer. Nothing is lost; try again in a moment."),
    "not_allowed": gettext_lazy("{name}: against the rules"),
    "played_so": gettext_lazy("This is how it was played"),
    "result": gettext_lazy("Result"),
    "score_agreed": gettext_lazy("Agreed on at the table"),
    "score_agreed_hint": gettext_lazy("where a fault was found too late; it is shown, never checked"),
    "score_written": gettext_lazy("Written down at the table"),
    "sent_illegal": gettext_lazy(
        "The last move breaks a rule. The deal is stored as it was played, with what is wrong."
    ),
    "waits": gettext_lazy("The archive does not answer. Moves that wait here until it does: {number}"),
    "waits_held": gettext_lazy("Waiting: the first of the moves cannot be entered: {why}"),
    "clear_all": gettext_lazy("Clear all hands"),
    "clear_place": gettext_lazy("Clear: {name}"),
    "dealer": gettext_lazy("Dealer"),
    "delete_deal": gettext_lazy("Delete the deal: {name}"),
    "enter": pgettext_lazy("an event of a deal", "Enter"),
    "hand_of": gettext_lazy("Hand of {name}"),
    "hands": pgettext_lazy("of a deal", "Hands"),
    "how_played": gettext_lazy("How is it played?"),
    "lead": gettext_lazy(
        "Lay out a deal by tapping its cards, and play it card by card. What the rules allow is offered; the "
        "score is reckoned at the end. Everything stays on this device until you send it."
    ),
    "moves_so_far": gettext_lazy("Moves: {number}"),
    "name_of": gettext_lazy("Name of the player at seat {seat}"),
    "new_deal": gettext_lazy("New deal"),
    "no_engine": gettext_lazy("The archive does not answer. What you entered is still here."),
    "no_room": gettext_lazy(
        "This device has no room left: what you enter now is lost when the page is closed."
    ),
    "over": gettext_lazy("The deal is over."),
    "place_done": gettext_lazy("{name}: complete."),
    "place_full": gettext_lazy("{name}: there is no room for more cards."),
    "places": gettext_lazy("Where the cards go"),
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
    "turn": gettext_lazy("It is {name}’s turn."),
    "type_event": gettext_lazy("Type a move"),
    "type_hand": gettext_lazy("Type the cards: {name}"),
    "as_played": gettext_lazy("As it was played"),
    "comment": gettext_lazy("Comment"),
    "copy_to_mine": gettext_lazy("Continue them as my own"),
    "delete": gettext_lazy("Delete"),
    "download": gettext_lazy("Download"),
    "edit_line": gettext_lazy("Name, comment, order"),
    "embed_code": gettext_lazy("For another page"),
    "link": gettext_lazy("Link"),
    "most_variations": gettext_lazy(
        "There are {number} variations already, and there can be no more. Delete one first."
    ),
    "name": gettext_lazy("Name"),
    "no_difference": gettext_lazy("It would have scored the same."),
    "open_hands": gettext_lazy("Open all hands"),
    "opens_hands": gettext_lazy(
        "You have looked at this deal through one player’s eyes. To try another card, all hands are opened."
    ),
    "otherwise": gettext_lazy("What would have scored differently"),
    "promote": gettext_lazy("Move up"),
    "save_with_deal": gettext_lazy("Save with the deal"),
    "saved_by": gettext_lazy("These variations are by {name}."),
    "saved_elsewhere": gettext_lazy(
        "Meanwhile others were saved on another device. Saving again replaces them."
    ),
    "saved_lines": gettext_lazy("Saved with the deal."),
    "sign_in": gettext_lazy("Sign in"),
    "sign_in_to_save": gettext_lazy("They stay on this device. To save them with the deal:"),
    "take_theirs": gettext_lazy("Use those"),
    "to_replay": gettext_lazy("To the replay"),
    "together": pgettext_lazy("of points", "Together"),
    "try_hint": gettext_lazy("Tap another card than the one that was played, and a variation begins."),
    "try_title": gettext_lazy("Try another card"),
    "unfinished": gettext_lazy("not played to the end"),
    "unsave": gettext_lazy("Remove from the deal"),
    "unsaved": gettext_lazy("Removed from the deal. On this device they stay."),
    "variation_deleted": gettext_lazy("The variation is deleted."),
    "variation_number": gettext_lazy("Variation {number}"),
    "variations": gettext_lazy("Variations"),
    "variations_of": gettext_lazy("{number} of {most}"),
    "visible_link": gettext_lazy("Whoever has the link"),
    "visible_private": gettext_lazy("Only me"),
    "visible_public": gettext_lazy("Everybody who can see the deal"),
    "who_sees": gettext_lazy("Who may see them"),
    "rest_unknown": gettext_lazy("The other cards are not known"),
    "to_play_unknown": gettext_lazy("As it was played"),
    "unknown_card": gettext_lazy("an unknown card"),
    **{f"verdict_{key}": word for key, (_sign, word, _meaning) in verdicts.VERDICTS.items()},
}
