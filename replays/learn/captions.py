"""The captions of the composed deals: what a newcomer should notice, by step."""

from __future__ import annotations

from django.utils.translation import gettext as _


def captions(game: str) -> dict[int, str]:
    """Return the captions of a game's composed deal by step, in the reader's language."""
    return _CAPTIONS[game]()


def _strohmann() -> dict[int, str]:
    return {
        1: _(
            "Hedwig takes the game: she must win more than half of the 70 card points. The top card of each "
            "straw man is turned up, and can be played like a card of the hand. If it is a King or a tarock, "
            "it goes into the hand, and the next card is turned up."
        ),
        3: _(
            "Spades are led, so Franz must follow suit. Hedwig’s King is the highest spade and takes the "
            "trick, with its 5 points."
        ),
        7: _("This time Franz has the highest club. The King takes the trick, and Franz leads next."),
        11: _("Franz has no club, so he must play a tarock. Even a low one, his V, beats every club."),
        27: _("The Mond, the highest number, is led. Only the Sküs can beat it, and Franz has the Sküs."),
        33: _("Franz leads the Jack of hearts, and Hedwig’s King takes it: two court cards in one trick."),
        45: _("Hedwig has no heart left and takes the Cavalier with a tarock."),
        53: _("Tarock II, the Uhu, is in the last trick but one. Hedwig wins that trick and scores 1 more."),
        55: _(
            "And the Pagat, the lowest tarock, is in the very last trick: another 1 for Hedwig, who wins it. "
            "She has 46 card points. From 45 on that scores 4 for the game, so she has 6 in all."
        ),
    }


def _taroky() -> dict[int, str]:
    return {
        4: _("Dana, the forehand, bids First Duty; the others pass. She will play with a secret partner."),
        5: _("She calls the XIX. Bořek has it, so he is her partner. Only he knows that so far."),
        8: _(
            "Dana exchanged four cards with the talon, the next two players one card each. What they put "
            "aside counts for their side; cards worth 5 must stay in the hand."
        ),
        9: _(
            "Dana declares eight or nine tarocks, which is paid in any case. And she announces the Pagat: "
            "she must win the last trick with it, for 20."
        ),
        12: _("Tomáš doesn’t believe it and says flek. Now the Pagat counts double: 40."),
        18: _("Tarocks are led, so everybody must play one. The highest takes the trick."),
        20: _(
            "Tomáš leads a King. Dana has no spades left, so she must play a tarock, and it takes the King."
        ),
        34: _("Tomáš plays the Škýz, the highest tarock, and Matěj gives him a King: 5 points each."),
        53: _("Bořek plays the called XIX. Now the whole table knows that he is Dana’s partner."),
        58: _("Dana has one card left for the last trick: the Pagat."),
        62: _(
            "Everybody must play a tarock if they can, her own partner too: his XVI beats the Pagat. Dana "
            "and Bořek win 21 for the game and 5 for the tarocks, but lose 40 for the Pagat."
        ),
    }


def _troggu() -> dict[int, str]:
    return {
        1: _("Rösli says “ich nehm’s”. She is the Tappist and plays alone against the three others."),
        5: _(
            "She has picked up the ten cards of the Tapp and put ten aside. They count for her, and no "
            "card worth 5 may be among them. Her hearts and clubs are gone now, and of the diamonds only the "
            "King is left."
        ),
        8: _("Reto has no spades and plays the Bättler, the highest tarock. Rösli’s King is lost."),
        12: _("Rösli has no clubs, so her XIV takes the trick. Putting short suits aside pays off."),
        16: _("She leads a tarock to draw the others’ trumps, but Reto has a higher one."),
        25: _("Here everybody has to follow suit, so Rösli’s King of diamonds brings home its 5 points."),
        33: _("Rösli has no hearts: her little III takes a King."),
        53: _("Her last tarock is the Pagat, and Göpf’s XVIII catches it. That costs her 5 points."),
        57: _("Rösli needed 58 of the 114 points and has fewer. She pays each of the three others one chip."),
    }


def _grosstarock() -> dict[int, str]:
    return {
        1: _("Everyone plays alone. Þóra, the dealer, took the last three cards and puts three aside."),
        2: _("Þóra declares sixteen plain cards, “ladons”. Each of the others pays her 15 at once."),
        3: _("Inge declares ten tarocks: 10 from each of the others."),
        4: _("Høgni declares three kings. The Sküs, XXI and the Pagat count as kings here: 5 from each."),
        7: _("Tarocks are led, and the Mond, XXI, takes the trick."),
        10: _("Høgni plays a King and wins the trick with it. That earns 5 from each of the others."),
        25: _(
            "The fourth King: Inge’s. Every King in this deal won its trick; a lost one would have cost 5."
        ),
        40: _(
            "Høgni has the Sküs. He may play it at any time; it never takes a trick, but he keeps it "
            "and gives a plain card for it."
        ),
        79: _(
            "Inge has saved the Pagat for the last trick and takes it: 15 from each of the others. Finally, "
            "everybody’s card points are compared with 26, the average."
        ),
    }


_CAPTIONS = {"strohmann": _strohmann, "taroky": _taroky, "troggu": _troggu, "grosstarock": _grosstarock}
