"""The texts of the app for an evening at the table, for its script."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from archive.models import CHOSEN
from replays.apps.app_texts import SHARED
from replays.language import words

TEXTS = SHARED | {
    "add": gettext_lazy("Add"),
    "all_play": gettext_lazy("as many as possible"),
    "audit": gettext_lazy("Audit"),
    "backspace": gettext_lazy("Delete the last digit"),
    "cannot_be": gettext_lazy("This is impossible: see above."),
    "cards_recorded": gettext_lazy(
        "The cards of this deal are recorded, and they count. This is its score sheet."
    ),
    "change_table": gettext_lazy("Players and settings"),
    "comment": gettext_lazy("Comment"),
    "conflict": gettext_lazy("Deal {n} was entered on another phone, too. Which one counts?"),
    "conflict_setup": gettext_lazy(
        "Players or settings were changed on another phone, too. Which ones count?"
    ),
    "continue_deal": gettext_lazy("Continue deal {n}"),
    "currency": gettext_lazy("Currency"),
    "deal": gettext_lazy("Deal {n}"),
    "deals": gettext_lazy("{name} deals"),
    "done": gettext_lazy("Done"),
    "end": gettext_lazy("End the evening"),
    "ended": gettext_lazy("The evening is over."),
    "enter_deal": gettext_lazy("Enter deal {n}"),
    "evenings": gettext_lazy("Evenings"),
    "extras": gettext_lazy("What else there was"),
    "first_dealer": gettext_lazy("Who deals first?"),
    "incomplete": gettext_lazy("not complete"),
    "is_another": gettext_lazy("No, {name} is somebody else"),
    "is_known": gettext_lazy("Yes, {name}"),
    "is_this": gettext_lazy("Is this {name}?"),
    "keypad": gettext_lazy("Digits"),
    "lacking": gettext_lazy("Still missing: {names}"),
    "less": gettext_lazy("One less"),
    "link": gettext_lazy("Anyone with this link can see the deals that are in no list:"),
    "missing": gettext_lazy("no deal"),
    "more": gettext_lazy("One more"),
    "more_settings": gettext_lazy("Options, date, place, stake"),
    "name": gettext_lazy("Name of the evening"),
    "needs_engine": gettext_lazy(
        "Without network an evening can be started only on a phone that was prepared: tap “Prepare for use "
        "without network” while it is connected."
    ),
    "network": gettext_lazy("Connected"),
    "new_evening": gettext_lazy("New evening"),
    "new_player": gettext_lazy("New player"),
    "no_evening": gettext_lazy("No evening yet. Tap who plays, and begin."),
    "no_network": gettext_lazy("No network"),
    "nobody_played": gettext_lazy("nobody played"),
    "not_sent": gettext_lazy("Not sent: {number}"),
    "number_of": gettext_lazy("{name}: {number}. Enter it by digits"),
    "other_phone": gettext_lazy("Other phone"),
    "others_wait": gettext_lazy("Evenings of an account wait on this device."),
    "own": gettext_lazy("Without a club"),
    "page_of_deal": gettext_lazy("Page of the deal"),
    "phone_full": gettext_lazy(
        "This phone has no room left: what you enter now is lost when the page is closed."
    ),
    "protocol": gettext_lazy("Print the protocol"),
    "record_cards": gettext_lazy("Record its cards"),
    "remove": gettext_lazy("Delete this deal"),
    "removed": gettext_lazy("Deal {n} is deleted."),
    "removed_there": gettext_lazy("deleted"),
    "reopen": gettext_lazy("Continue the evening"),
    "save": gettext_lazy("Save"),
    "save_anyway": gettext_lazy("Save as it is"),
    "saved": gettext_lazy("Deal {n} is saved."),
    "seats": gettext_lazy("How many play a deal"),
    "seats_fixed": gettext_lazy("To change who sat where, delete the deal, and enter it again."),
    "session": gettext_lazy("Page of the evening"),
    "sign_in": gettext_lazy("Sign in"),
    "signed_out": gettext_lazy("You are signed out; what you enter stays on this phone."),
    "sits_out": gettext_lazy("{names} sits out"),
    "stake": gettext_lazy("Stake per point"),
    "standings": gettext_lazy("Standings"),
    "start": gettext_lazy("Start"),
    "state_checking": gettext_lazy("sent, is being checked"),
    "state_conflict": gettext_lazy("entered twice"),
    "state_refused": gettext_lazy("not accepted"),
    "state_waiting": gettext_lazy("not sent"),
    "take_both": gettext_lazy("Both: mine is another deal"),
    "take_mine": gettext_lazy("The one on this phone"),
    "take_theirs": gettext_lazy("The one on the other phone"),
    "this_phone": gettext_lazy("This phone"),
    "throw_in": gettext_lazy("Thrown in: nobody played"),
    "thrown_in": gettext_lazy("A deal that is thrown in"),
    "thrown_in_again": gettext_lazy("is dealt again by the same dealer"),
    "thrown_in_counts": gettext_lazy("counts, and the next one deals"),
    "thrown_in_same_dealer": gettext_lazy("The same dealer deals again; nothing is written down."),
    "too_few": gettext_lazy("Too few players. Needed at least: {number}"),
    "too_few_now": gettext_lazy("There are too few players at the table for this game."),
    "undo_tap": gettext_lazy("Undo the last tap"),
    "where": gettext_lazy("Club"),
    "who_deals": gettext_lazy("Who deals?"),
    "who_sees": gettext_lazy("Who may see this evening"),
    "who_sits_out": gettext_lazy("Who sits out?"),
    "with_cards": gettext_lazy("with its cards"),
    **{f"visible_{word}": words.VISIBILITIES[word] for word in CHOSEN},
}
