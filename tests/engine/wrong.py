"""Deals that end in something wrong, with the sentence on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from tests.engine.builder import Deal
from tests.engine.clauses.grosstarock import declare, for_two, gross
from tests.engine.clauses.taroky import bid, declared, duty, second, solo, varsava
from tests.engine.clauses.test_troggu import four, seven, withheld


def taroky(*lines: str, **hands: str) -> Deal:
    return Deal("taroky", hands).say(*lines)


def strohmann(*lines: str, **hands: str) -> Deal:
    return Deal("strohmann", hands).say(*lines)


def duty_surrendered() -> Deal:
    given = {"A": "SK", "B": "SQ", "talon": "T19 S8 C7 C8 H4 D4"}
    return Deal("taroky", given, without={"A": "T19"}).say(*bid("first"), "A call T19", "A surrender")


def doubled() -> Deal:
    """A bids the First Duty, announces the pagat and holds T19; B doubles it, and A has a turn for the re."""
    return duty({"A": "T1 T20", "B": "T18", "D": "T19"}).say("A announce pagat", "B announce flek:pagat")


#: The beginnings of the deals below.
STARTS = {
    **{game: partial(Deal, game) for game in ("strohmann", "taroky", "troggu", "grosstarock")},
    "grosstarock-4": partial(Deal, "grosstarock", players=4, dealer="D"),
    "gross": gross,
    "for-two": for_two,
    "for-two-declaring": partial(for_two, quiet=False),
    "duty": duty,
    "uncontested": partial(duty, options=["settle-uncontested"]),
    "second": second,
    "solo": solo,
    "varsava": varsava,
    "four": four,
    "seven": seven,
    # B has withheld the Bättler in the first trick.
    "withheld": lambda given, without: withheld().say("B: SK", "C: D1", "D: D2"),
    "doubled": lambda given, without: doubled(),
    "surrendered": lambda given, without: duty_surrendered(),
    # All seven passed, and C holds the Bättler.
    "forced": lambda given, without: Deal("troggu", {"C": "T0"}, players=7).passes("ABCDEFG"),
    "played": lambda given, without: Deal("troggu").passes("ABCD").play_out(),
}
#: Clause and reason | the start, with cards given to places or (`-A`) kept from them | the events and
#: played; below, the sentence on the last event.
TABLE = """
common.turn sits-out | grosstarock-4 | B pass
    B passes, but is sitting out this deal; it is D's turn
common.turn leads-first | strohmann B=SK | A pass, B pass, B: SK
    trick 1: B plays SK, but it is A's turn: forehand leads to the first trick
common.turn won-trick | strohmann A=SK; B=SQ HK | A take, A: SK SQ, B: HK
    trick 2: B plays HK, but the turn belongs to A, who won trick 1 with SK
common.turn speaks-first | taroky | D pass
    D passes, but A is the first to act
common.turn after | taroky | A bid first, C pass
    C passes, but after A it is B's turn
common.turn after | strohmann A=SK SQ | A take, A: SK, A: SQ
    trick 1: A plays SQ, but after A it is B's turn
common.turn taken | strohmann B=SK | A pass, B take, B: SK
    trick 1: B plays SK, but it is A's turn: B is the declarer, so the bidding is over and forehand leads
common.turn bidder | taroky | A bid first, BCD pass, B call T19
    B calls T19, but it is the turn of A, the bidder
common.turn bidder-announces | second B=T1 | A pass
    A passes, but it is B's turn: the bidder announces first
common.turn raises | doubled | CD pass, B pass
    B passes, but it is A's turn: now only players with a double open to them that they have not \
passed up get another turn
common.turn forehand-leads | second B=T1; C=SK | BCDA pass, C: SK
    trick 1: C plays SK, but it is A's turn: forehand leads to the first trick
common.turn solo | troggu | A pass, B solo, C pass
    C passes, but B's solo ended the bidding, and it is B's turn
common.turn tappist | troggu | A pass, B take, CD pass, A pass
    A passes, but it is the turn of B, the Tappist
common.turn tappist-leads | troggu A=H1; talon=S10-S5 C10 C9 C8 C7 | A pass, B take, CD pass, \
B discard S10 S9 S8 S7 S6 S5 C10 C9 C8 C7, A: H1
    trick 1: A plays H1, but it is B's turn: the Tappist leads to the first trick
common.unexpected verb | strohmann | A varsava
    A says “varsava”, which is not allowed here (Bidding)
common.unexpected verb | solo | ABCD pass, A discard SK
    A discards SK, which is not allowed here (Play)
common.unexpected announced | solo | ABCD pass, A pass
    A passes, but the announcements are over and the play has begun
common.unexpected passed-up | solo | ABCD pass, A announce flek:game
    A announces flek:game, but the announcements are over: A had passed up the chance to say that, and \
nobody had a double left to say
common.unexpected in-mid-trick | gross A=SK | A: SK, B announce bole
    B announces bole in the middle of a trick; bolé and null are announced between tricks
common.unexpected nothing-with-two | for-two | A announce bole
    A announces bole, but with two players nothing is announced after the declarations
common.item not-with-two | for-two-declaring | B announce bole
    B announces bole, but with two players there is neither bolé nor null
taroky.double not-announced | solo | A announce flek:valat
    A says flek:valat, but nobody has announced the valat
taroky.double already | solo | A announce flek:game, B announce flek:game
    B says flek:game, but that has been said already
taroky.double too-early | solo | A announce re:game
    A says re:game, but that answers flek:game, which has not been said
taroky.double own-side | solo | A pass, B announce flek:game, C announce re:game
    C says re:game, but only the other side may say that: a side may not double what it announced or raised \
itself
taroky.discard never | taroky A=SK; talon=S7 S8 C7 C8 H4 D4 | A bid first, BCD pass, A call T19, \
A discard SK S7 S8 C7
    A discards SK: a card worth five points may not be discarded
taroky.discard never | taroky A=T0 HK T5; talon=S7 S8 C7 C8 H4 D4 | A bid first, BCD pass, A call T19, \
A discard T0 S7 HK T5
    A discards HK and T0: a card worth five points may not be discarded
taroky.discard plain-first | taroky A=T19 T16-T6; talon=S7 S8 C7 T5 H4 T4 | A bid first, BCD pass, \
A call T18, A discard S8 C7 T5 T6
    A discards T6 and T5: tarocks may be discarded only if there are no other cards to discard, so S7 must \
be discarded before any tarock
troggu.discard never | troggu A=T21; talon=S10-S5 C10 C9 C8 C7 | A take, BCD pass, \
A discard T21 S9 S8 S7 S6 S5 C10 C9 C8 C7
    A discards T21, but a card worth five points may not be discarded (except all four Kings together)
troggu.discard kings | troggu A=SK HK DK CK; talon=S10-S5 C10 C9 C8 C7 | A take, BCD pass, \
A discard SK HK S8 S7 S6 S5 C10 C9 C8 C7
    A discards SK and HK, but Kings may be discarded only as a set of four
troggu.discard kings-lacking | troggu A=SK; B=HK; talon=S10-S5 C10 C9 C8 C7 | A take, BCD pass, \
A discard SK S9 S8 S7 S6 S5 C10 C9 C8 C7
    A discards SK, but Kings may be discarded only as a set of four, and A does not hold all four
grosstarock.discard never | grosstarock C=SK T21; talon=S1 C1 H10 | C discard T21 SK S1
    C discards SK and T21: neither a King nor the Mond may be discarded
grosstarock.discard tarocks | grosstarock C=T5; A=T1; talon=S1 C1 H10 | C discard T5 S1 C1
    C discards T5: a dealer may discard tarocks only if they hold the Pagat but not the Mond, only all of \
them together, and only if there are at most three, including the Sküs
grosstarock.discard tarocks | grosstarock C=T2 T3 T4 T1; talon=S1 C1 H10; -C=T | C discard T2 T3 T4
    C discards T4, T3 and T2: a dealer may discard tarocks only if they hold the Pagat but not the Mond, \
only all of them together, and only if there are at most three, including the Sküs
grosstarock.discard all-or-none | grosstarock C=T5 T1; talon=S1 C1 H10; -C=T | C discard T5 S1 C1
    C discards T5: the tarocks (T5 and T1) must be discarded all together or not at all
common.after-end over | played | A pass
    A passes, but the deal is over
common.count none | strohmann | A take now
    A takes: nothing may come after this, but the record has 1 more word
common.count one | taroky | A bid
    A bids: exactly one thing must be named, but the record has 0
common.count nothing-named | solo | A announce
    A announces something, but does not say what
common.item no-item | solo | A announce uhu
    A announces “uhu”, which is not an announcement in this game
common.not-held card | solo B=SK | ABCD pass, A: SK
    trick 1: A plays SK, but does not hold it
strohmann.follow suit | strohmann A=SK SJ S10; B=SQ SC S9 S8 S7 T5 | A take, A: SK T5
    trick 1: B plays T5, but must follow suit (spades) and holds SQ, SC, S9, S8 and S7
troggu.follow tarock | four A=DQ; B=T6 T5 H1; -B=D T | A: DQ H1
    trick 1: B plays H1, but has no diamonds and must play a tarock; B holds T6 and T5
troggu.bettler-withheld dead | withheld | A: T21 T0
    trick 2: B plays T0, but held it back earlier: the Bättler is dead and may be played only in the last \
trick
troggu.call never | seven | A call T21
    A calls T21, but the Bättler and the Mond may not be called
grosstarock.announce-bole one-at-a-time | gross | A announce bole null
    A announces bolé and null together; each must be announced separately
grosstarock.announce-bole again | gross | A announce bole, A announce bole
    A has announced bolé already
grosstarock.announce-null again | gross | A announce null, B announce null, A announce null
    A has announced null already
taroky.double-order passed-up | doubled | C pass, D pass, A announce re:pagat, B announce flek:game
    B says flek:game, but had an earlier turn to say it and passed it up
taroky.announce-order only-raises | doubled | C pass, D pass, A announce valat
    A announces valat, but that was possible only in the first turn; now only doubles may be said
common.turn talon-used-up | duty B=T19 | D discard S7
    D discards S7, but the talon is used up, and it is A's turn: the bidder announces first
common.turn exchange-over | solo | B discard S7
    B discards S7, but nobody may exchange at this point, and it is A's turn: the bidder announces first
common.turn passed-up | solo | ABCD pass, B announce flek:game
    B announces flek:game, but the announcements are over: B had passed up the chance to say that, and \
nobody had a double left to say; it is A's turn
common.turn announced | solo | ABCD pass, C pass
    C passes, but the announcements are over and the play has begun; it is A's turn
common.turn varsava | varsava | B announce valat
    B announces valat, but in Varšava nothing is announced: the play begins at once; it is A's turn
common.unexpected varsava | varsava | A announce valat
    A announces valat, but in Varšava nothing is announced: the play begins at once
common.turn forced | forced | A alone
    A plays alone, but it is C's turn: everybody passed, and C, who holds T0, must be Tappist
common.unexpected forced | forced | C take
    C takes, but is Tappist already: everybody passed, and C holds T0
common.turn dealer-discards | grosstarock | A pass
    A passes, but it is C's turn: the dealer takes the talon and discards first
common.turn dealer-declares | grosstarock talon=S1 C1 H10 | C discard S1 C1 H10, A pass
    A passes, but it is C's turn: the dealer declares first
common.after-end surrendered | surrendered | B: SQ
    B plays SQ, but the deal is over: A has surrendered
common.after-end settled | uncontested B=T19 | ABCD pass, A pass
    A passes, but the deal is over: an uncontested First Duty was settled without play
grosstarock.discard all-or-skus | grosstarock C=T0 T7 T1; talon=S1 C1 SJ; -C=T | C discard T7 S1 SJ
    C discards T7: a dealer who discards one tarock must discard them all (T0, T7 and T1); only the Sküs may \
be discarded on its own
grosstarock.follow suit | gross A=HQ; B=H1 T5; C=T0 | A: HQ T5
    trick 1: B plays T5, but must follow suit (hearts) and holds H1
grosstarock.follow suit-or-skus | gross A=HQ; B=H1 T5 T0; -B=H | A: HQ T5
    trick 1: B plays T5, but must follow suit (hearts) or play the Sküs; B holds H1
grosstarock.follow tarock-or-skus | gross A=HQ; B=S2 T5 T0; -B=H T | A: HQ S2
    trick 1: B plays S2, but has no hearts and must play a tarock or the Sküs; B holds T5
common.item no-suit | gross A=T0 | A: T0(X)
    trick 1: A plays T0, but names neither a suit nor tarocks with it
common.item no-name | gross A=T9 | A: T9(T)
    trick 1: A plays T9 and names a suit, but only the Sküs can be led as a suit
strohmann.call-misplaced ros | strohmann A=T3 | A take, A: T3(ros)
    trick 1: A calls “Ros!” with T3, but that may be called only with T17
strohmann.call-misplaced topschin | strohmann A=T3 | A take, A: T3(topschin)
    trick 1: A calls “Topschin!” with T3, but that may be called only with T18
"""
#: The same of A's declarations: clause and reason | A's cards | what A declares with them.
DECLARATIONS = """
grosstarock.declare-tarocks too-few | T19-T11 | tarocks:10
    A declares tarocks:10, but holds 9, and at least 10 are needed
grosstarock.declare-tarocks other-number | T19-T9 | tarocks:10
    A declares tarocks:10, but holds 11: the full number must be declared
grosstarock.declare-matadors lacking | T21 T20 T1 | matadors:3
    A declares matadors:3, but matadors require Sküs, Mond and Pagat, and A lacks T0
grosstarock.declare-matadors other-number | T0 T21 T1 | matadors:4
    A declares matadors:4, but holds 3: the full number must be declared
grosstarock.declare-skus-matadors lacking | T0 T19 T1 | skus-matadors:5
    A declares skus-matadors:5, but matadors require Sküs, Mond and Pagat, and A lacks T21
grosstarock.declare-skus-matadors no-step | T0 T21 T20 T1 | skus-matadors:4
    A declares skus-matadors:4, but neither run skips a missing tarock: these are plain matadors, or none
grosstarock.declare-skus-matadors other-number | T0 T21 T19 T1 | skus-matadors:4
    A declares skus-matadors:4, but holds 5: the full number must be declared
grosstarock.declare-skus-matadors not-both | T0 T21 T19 T1 | matadors:3 skus-matadors:5
    A declares matadors and Sküs-matadors; only one of them may be declared
grosstarock.declare-kings too-few | SK HK | kings:3
    A declares kings:3, but holds 2, and at least 3 are needed
grosstarock.declare-kings other-number | SK HK DK CK | kings:3
    A declares kings:3, but holds 4: the full number must be declared
grosstarock.declare-cavallery lacking | HK HQ HC T0 | cavallery:H
    A declares cavallery:H, which requires King, Queen, Cavalier and Jack, but lacks HJ
grosstarock.declare-half-cavallery lacking | HQ HC T0 | half-cavallery:H
    A declares half-cavallery:H, which requires the King, two more court cards and the Sküs, but lacks HK
grosstarock.declare-half-cavallery too-few | HK HQ T0 | half-cavallery:H
    A declares half-cavallery:H, which requires the King, two more court cards and the Sküs, but has \
only 1 court card apart from the King
grosstarock.declare-half-cavallery whole | HK HQ HC HJ T0 | half-cavallery:H
    A declares half-cavallery:H, but holds all four court cards of hearts: that is a full cavalry
grosstarock.declare-four lacking | SQ HQ | queens
    A declares queens, but lacks DQ and CQ
grosstarock.declare-ladons too-few | T19-T10 | ladons:15
    A declares ladons:15, but holds only 15 including the Sküs, and at least 16 are needed
grosstarock.declare-ladons other-number | T0 T19-T12 | ladons:18
    A declares ladons:18, but holds 17, counting the Sküs: only the Sküs may be left out
grosstarock.declare-ladons not-both | T0 T19-T12 | ladons:16 ladons:17
    A declares two numbers of ladons; only one may be declared
taroky.hand-taroky not-held | T20-T12 | taroky
    A declares Taroky, which requires ten tarocks or more, but holds 9 tarocks
taroky.hand-tarocky not-held | T5 | tarocky
    A declares Tarocky, which requires eight or nine tarocks, but holds 1 tarock
taroky.hand-barvy not-held | T5 T1 | barvy
    A declares Barvy, which requires no tarock, or the Pagat alone, but holds 2 tarocks (T5 and T1)
taroky.hand-barvicky not-held | T1 | barvicky
    A declares Barvičky, which requires two tarocks, or one that is not the Pagat, but holds 1 tarock
taroky.hand-trul not-held | T0 T1 | trul
    A declares Trul, which requires Škýz, Mond and Pagat, but holds 2 of them
taroky.hand-honery not-held | T0 T1 SK | honery
    A declares Honéry, which requires four of the seven cards worth five points (the Kings, Škýz, Mond \
and Pagat), but holds 3
taroky.hand-kralovske-honery not-held | SK HK DK | kralovske-honery
    A declares Královské honéry, which requires all four Kings, but holds 3
taroky.hand-kralovske-honery not-both | SK HK DK CK | honery kralovske-honery
    A declares Honéry and Královské honéry; only one of them may be declared
"""

#: The same under options: clause and reason | option | hand | item.
HOUSE = """
taroky.hand-trulhonery not-held | trulhonery | T0 T21 T1 | trulhonery
    A declares Trulhonéry, which requires the Škýz, the Mond, the Pagat and a King, but holds T0, T21 and T1
taroky.hand-trulhonery not-both | trulhonery | T0 T21 T1 SK | trul trulhonery
    A declares Trulhonéry together with Trul, Honéry or Královské honéry; that is not allowed
taroky.declare-all less | declare-all | T0 T21 T1 T9-T5 | trul
    A announces trul, which declares 5, but by the rules of this deal A must declare the worth of the \
hand, 10: tarocky and trul
taroky.double not-here | doubles=0 | T0 T21 T1 | flek:game
    A says flek:game, but by the rules of this deal the game can't be doubled so often
"""


def rows(table: str) -> Iterator[tuple[str, str, str, str]]:
    """The first two columns of each row of a table, the rest of the row, and the sentence below it."""
    lines = table.strip().splitlines()
    for row, said in zip(lines[::2], lines[1::2], strict=True):
        wrong, cards, words = row.split(" | ", 2)
        yield wrong, cards.strip(), words, said.strip()


def started(start: str, events: str) -> Deal:
    name, _, places = start.partition(" ")
    cards = dict(place.split("=") for place in places.split("; ") if place)
    given = {place: words for place, words in cards.items() if place[0] != "-"}
    without = {place[1:]: words for place, words in cards.items() if place[0] == "-"}
    return STARTS[name](given, without=without).say(*events.split(", "))


def agreed(options: str, hand: str, item: str) -> Deal:
    deal = declared(item, hand)
    deal.form["options"] = [options]
    return deal


def wrong_deals() -> Iterator[tuple[str, Callable[[], Deal], str]]:
    for wrong, start, events, said in rows(TABLE):
        yield wrong, partial(started, start, events), said
    for wrong, hand, item, said in rows(DECLARATIONS):
        yield wrong, partial(declared, item, hand) if wrong[0] == "t" else partial(declare, hand, item), said
    for wrong, options, words, said in rows(HOUSE):
        yield wrong, partial(agreed, options, *words.split(" | ")), said


#: Clause and reason, a function that makes a deal which ends in what is wrong, and the sentence.
WRONG = [*wrong_deals()]
