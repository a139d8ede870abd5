"""Deals that end in something wrong, with the sentence on it."""

from __future__ import annotations

from tests.engine.builder import Deal
from tests.engine.clauses.grosstarock import for_two, gross
from tests.engine.clauses.taroky import BLANKS, bid, duty, second, solo, varsava
from tests.engine.clauses.test_troggu import four, seven, withheld
from tests.engine.declarations import declarations


def taroky(*lines: str, **hands: str) -> Deal:
    return Deal("taroky", hands).say(*lines)


def strohmann(*lines: str, **hands: str) -> Deal:
    return Deal("strohmann", hands).say(*lines)


def duty_surrendered() -> Deal:
    given = {"A": "SK", "B": "SQ", "talon": "T19 S8 C7 C8 H4 D4"}
    return Deal("taroky", given, without={"A": "T19"}).say(*bid("first"), "A call T19", "A surrender")


#: All seven passed, and C holds the Bättler.
FORCED = Deal("troggu", {"C": "T0"}, players=7).passes("ABCDEFG")
#: A bids the First Duty, announces the pagat and holds T19; B doubles it, and A has a turn for the re.
DOUBLED = duty({"A": "T1 T20", "B": "T18", "D": "T19"}).say("A announce pagat", "B announce flek:pagat")


#: Clause and reason, a deal that ends in what is wrong, and the sentence.
WRONG: list[tuple[str, Deal, str]] = [
    (
        "common.turn sits-out",
        Deal("grosstarock", players=4, dealer="D").say("B pass"),
        "B passes, but is sitting out this deal; it is D's turn",
    ),
    (
        "common.turn leads-first",
        strohmann("A pass", "B pass", "B: SK", B="SK"),
        "trick 1: B plays SK, but it is A's turn: forehand leads to the first trick",
    ),
    (
        "common.turn won-trick",
        strohmann("A take", "A: SK SQ", "B: HK", A="SK", B="SQ HK"),
        "trick 2: B plays HK, but the turn belongs to A, who won trick 1 with SK",
    ),
    ("common.turn speaks-first", taroky("D pass"), "D passes, but A is the first to act"),
    (
        "common.turn after",
        taroky("A bid first", "C pass"),
        "C passes, but after A it is B's turn",
    ),
    (
        "common.turn after",
        strohmann("A take", "A: SK", "A: SQ", A="SK SQ"),
        "trick 1: A plays SQ, but after A it is B's turn",
    ),
    (
        "common.turn taken",
        strohmann("A pass", "B take", "B: SK", B="SK"),
        "trick 1: B plays SK, but it is A's turn: B is the declarer, so the bidding is over and forehand "
        "leads",
    ),
    (
        "common.turn bidder",
        taroky(*bid("first"), "B call T19"),
        "B calls T19, but it is the turn of A, the bidder",
    ),
    (
        "common.turn bidder-announces",
        second({"B": "T1"}).say("A pass"),
        "A passes, but it is B's turn: the bidder announces first",
    ),
    (
        "common.turn raises",
        DOUBLED.also().passes("CD").say("B pass"),
        "B passes, but it is A's turn: only players who still have a double that they have not passed up "
        "speak again",
    ),
    (
        "common.turn forehand-leads",
        second({"B": "T1", "C": "SK"}).passes("BCDA").say("C: SK"),
        "trick 1: C plays SK, but it is A's turn: forehand leads to the first trick",
    ),
    (
        "common.turn solo",
        Deal("troggu").say("A pass", "B solo", "C pass"),
        "C passes, but B's solo ended the bidding, and it is B's turn",
    ),
    (
        "common.turn tappist",
        Deal("troggu").say("A pass", "B take").passes("CD").say("A pass"),
        "A passes, but it is the turn of B, the Tappist",
    ),
    (
        "common.turn tappist-leads",
        Deal("troggu", {"A": "H1", "talon": "S10-S5 C10 C9 C8 C7"})
        .say("A pass", "B take")
        .passes("CD")
        .say("B discard S10 S9 S8 S7 S6 S5 C10 C9 C8 C7", "A: H1"),
        "trick 1: A plays H1, but it is B's turn: the Tappist leads to the first trick",
    ),
    (
        "common.unexpected verb",
        strohmann("A varsava"),
        "A says “varsava”, which is not allowed here (Bidding)",
    ),
    (
        "common.unexpected verb",
        solo().passes("ABCD").say("A discard SK"),
        "A discards SK, which is not allowed here (Play)",
    ),
    (
        "common.unexpected announced",
        solo().passes("ABCD").say("A pass"),
        "A passes, but the announcements are over and the play has begun",
    ),
    (
        "common.unexpected announced",
        solo().passes("ABCD").say("A announce pagat"),
        "A announces pagat, but the announcements are over and the play has begun",
    ),
    (
        "common.unexpected passed-up",
        solo().passes("ABCD").say("A announce flek:game"),
        "A announces flek:game, but the announcements are over: A had passed that up, and nobody had a "
        "double left to say",
    ),
    (
        "common.unexpected in-mid-trick",
        gross({"A": "SK"}).say("A: SK", "B announce bole"),
        "B announces bole in the middle of a trick; bolé and null are announced between tricks",
    ),
    (
        "common.unexpected nothing-with-two",
        for_two().say("A announce bole"),
        "A announces bole, but with two players nothing is announced after the declarations",
    ),
    (
        "common.item not-with-two",
        for_two(quiet=False).say("B announce bole"),
        "B announces bole, but with two players there is neither bolé nor null",
    ),
    (
        "taroky.double not-announced",
        solo().say("A announce flek:valat"),
        "A says flek:valat, but nobody has announced the valat",
    ),
    (
        "taroky.double already",
        solo().say("A announce flek:game", "B announce flek:game"),
        "B says flek:game, but that has been said already",
    ),
    (
        "taroky.double too-early",
        solo().say("A announce re:game"),
        "A says re:game, but that answers flek:game, which has not been said",
    ),
    (
        "taroky.double own-side",
        solo().say("A pass", "B announce flek:game", "C announce re:game"),
        "C says re:game, but only the other side may say that: a side may not double what it announced or "
        "raised itself",
    ),
    (
        "taroky.discard never",
        taroky(*bid("first"), "A call T19", "A discard SK S7 S8 C7", A="SK", talon=BLANKS),
        "A discards SK: a card worth five points may not be discarded",
    ),
    (
        "taroky.discard never",
        taroky(*bid("first"), "A call T19", "A discard T0 S7 HK T5", A="T0 HK T5", talon=BLANKS),
        "A discards HK and T0: a card worth five points may not be discarded",
    ),
    (
        "taroky.discard plain-first",
        taroky(
            *bid("first"), "A call T18", "A discard S8 C7 T5 T6", A="T19 T16-T6", talon="S7 S8 C7 T5 H4 T4"
        ),
        "A discards T6 and T5: tarocks may be discarded only if there are no other cards to discard, so "
        "S7 must be discarded before any tarock",
    ),
    (
        "troggu.discard never",
        Deal("troggu", {"A": "T21", "talon": "S10-S5 C10 C9 C8 C7"})
        .say("A take")
        .passes("BCD")
        .say("A discard T21 S9 S8 S7 S6 S5 C10 C9 C8 C7"),
        "A discards T21, but a card worth five points may not be discarded (except all four Kings together)",
    ),
    (
        "troggu.discard kings",
        Deal("troggu", {"A": "SK HK DK CK", "talon": "S10-S5 C10 C9 C8 C7"})
        .say("A take")
        .passes("BCD")
        .say("A discard SK HK S8 S7 S6 S5 C10 C9 C8 C7"),
        "A discards SK and HK, but Kings may be discarded only all four together",
    ),
    (
        "troggu.discard kings-lacking",
        Deal("troggu", {"A": "SK", "B": "HK", "talon": "S10-S5 C10 C9 C8 C7"})
        .say("A take")
        .passes("BCD")
        .say("A discard SK S9 S8 S7 S6 S5 C10 C9 C8 C7"),
        "A discards SK, but Kings may be discarded only all four together, and A does not hold all four",
    ),
    (
        "grosstarock.discard never",
        Deal("grosstarock", {"C": "SK T21", "talon": "S1 C1 H10"}).say("C discard T21 SK S1"),
        "C discards SK and T21: neither a King nor the Mond may be discarded",
    ),
    (
        "grosstarock.discard tarocks",
        Deal("grosstarock", {"C": "T5", "A": "T1", "talon": "S1 C1 H10"}).say("C discard T5 S1 C1"),
        "C discards T5: a dealer may discard tarocks only if they hold the Pagat but not the Mond, only "
        "all of them together, and only if there are at most three, including the Sküs",
    ),
    (
        "grosstarock.discard all-or-none",
        Deal("grosstarock", {"C": "T5 T1", "talon": "S1 C1 H10"}, without={"C": "T"}).say(
            "C discard T5 S1 C1"
        ),
        "C discards T5: the tarocks (T5 and T1) must be discarded all together or not at all",
    ),
    (
        "common.after-end over",
        Deal("troggu").passes("ABCD").play_out().say("A pass"),
        "A passes, but the deal is over",
    ),
    (
        "common.count none",
        strohmann("A take now"),
        "A takes: nothing may follow that, but the record has 1 more word",
    ),
    (
        "common.count one",
        taroky("A bid"),
        "A bids: exactly one thing must be named with that, but the record has 0",
    ),
    (
        "common.count nothing-named",
        solo().say("A announce"),
        "A announces something, but does not say what",
    ),
    (
        "common.item no-item",
        solo().say("A announce uhu"),
        "A announces “uhu”, which is not an announcement in this game",
    ),
    (
        "common.not-held card",
        solo({"B": "SK"}).passes("ABCD").say("A: SK"),
        "trick 1: A plays SK, but does not hold it",
    ),
    (
        "strohmann.follow suit",
        strohmann("A take", "A: SK T5", A="SK SJ S10", B="SQ SC S9 S8 S7 T5"),
        "trick 1: B plays T5, but must follow suit (spades) and holds SQ, SC, S9, S8 and S7",
    ),
    (
        "troggu.follow tarock",
        four({"A": "DQ", "B": "T6 T5 H1"}, {"B": "D T"}).say("A: DQ H1"),
        "trick 1: B plays H1, but has no diamonds and must play a tarock; B holds T6 and T5",
    ),
    (
        "troggu.bettler-withheld dead",
        withheld().say("B: SK", "C: D1", "D: D2", "A: T21 T0"),
        "trick 2: B plays T0, but held it back earlier: the Bättler is dead and may be played only in the "
        "last trick",
    ),
    (
        "troggu.call never",
        seven({}).say("A call T21"),
        "A calls T21, but the Bättler and the Mond may not be called",
    ),
    (
        "grosstarock.announce-bole one-at-a-time",
        gross().say("A announce bole null"),
        "A announces bolé and null together; each must be announced separately",
    ),
    (
        "grosstarock.announce-bole again",
        gross().say("A announce bole", "A announce bole"),
        "A has announced bolé already",
    ),
    (
        "grosstarock.announce-null again",
        gross().say("A announce null", "B announce null", "A announce null"),
        "A has announced null already",
    ),
    (
        "taroky.double-order passed-up",
        DOUBLED.also("C pass", "D pass", "A announce re:pagat", "B announce flek:game"),
        "B says flek:game, but had an earlier turn to say it and passed it up",
    ),
    (
        "taroky.announce-order only-raises",
        DOUBLED.also("C pass", "D pass", "A announce valat"),
        "A announces valat, but that was possible only in the first turn; now only doubles may be said",
    ),
    (
        "common.turn talon-used-up",
        duty({"B": "T19"}).say("D discard S7"),
        "D discards S7, but the talon is used up, and it is A's turn: the bidder announces first",
    ),
    (
        "common.turn exchange-over",
        solo().say("B discard S7"),
        "B discards S7, but nobody exchanges now, and it is A's turn: the bidder announces first",
    ),
    (
        "common.turn passed-up",
        solo().passes("ABCD").say("B announce flek:game"),
        "B announces flek:game, but the announcements are over: B had passed that up, and nobody had a "
        "double left to say; it is A's turn",
    ),
    (
        "common.turn announced",
        solo().passes("ABCD").say("C pass"),
        "C passes, but the announcements are over and the play has begun; it is A's turn",
    ),
    (
        "common.turn varsava",
        varsava({}).say("B announce valat"),
        "B announces valat, but in Varšava nothing is announced: the play begins at once; it is A's turn",
    ),
    (
        "common.unexpected varsava",
        varsava({}).say("A announce valat"),
        "A announces valat, but in Varšava nothing is announced: the play begins at once",
    ),
    (
        "common.turn forced",
        FORCED.also().say("A alone"),
        "A plays alone, but it is C's turn: everybody passed, and C, who holds T0, must be Tappist",
    ),
    (
        "common.unexpected forced",
        FORCED.also().say("C take"),
        "C takes, but is Tappist already: everybody passed, and C holds T0",
    ),
    (
        "common.turn dealer-discards",
        Deal("grosstarock").say("A pass"),
        "A passes, but it is C's turn: the dealer takes the talon and discards first",
    ),
    (
        "common.turn dealer-declares",
        Deal("grosstarock", {"talon": "S1 C1 H10"}).say("C discard S1 C1 H10", "A pass"),
        "A passes, but it is C's turn: the dealer declares first",
    ),
    (
        "common.after-end surrendered",
        duty_surrendered().say("B: SQ"),
        "B plays SQ, but the deal is over: A has surrendered",
    ),
    (
        "common.after-end settled",
        duty({"B": "T19"}, options=["settle-uncontested"]).passes("ABCD").say("A pass"),
        "A passes, but the deal is over: an uncontested First Duty was settled without play",
    ),
    (
        "grosstarock.discard all-or-skus",
        Deal("grosstarock", {"C": "T0 T7 T1", "talon": "S1 C1 SJ"}, without={"C": "T"}).say(
            "C discard T7 S1 SJ"
        ),
        "C discards T7: a dealer who discards one tarock must discard them all (T0, T7 and T1); only the "
        "Sküs may be discarded on its own",
    ),
    (
        "grosstarock.follow suit",
        gross({"A": "HQ", "B": "H1 T5", "C": "T0"}).say("A: HQ T5"),
        "trick 1: B plays T5, but must follow suit (hearts) and holds H1",
    ),
    (
        "grosstarock.follow suit-or-skus",
        gross({"A": "HQ", "B": "H1 T5 T0"}, {"B": "H"}).say("A: HQ T5"),
        "trick 1: B plays T5, but must follow suit (hearts) or play the Sküs; B holds H1",
    ),
    (
        "grosstarock.follow tarock-or-skus",
        gross({"A": "HQ", "B": "S2 T5 T0"}, {"B": "H T"}).say("A: HQ S2"),
        "trick 1: B plays S2, but has no hearts and must play a tarock or the Sküs; B holds T5",
    ),
    (
        "common.item no-suit",
        gross({"A": "T0"}).say("A: T0(X)"),
        "trick 1: A plays T0, but names neither a suit nor tarocks with it",
    ),
    (
        "common.item no-name",
        gross({"A": "T9"}).say("A: T9(T)"),
        "trick 1: A plays T9 and names a suit, but only the Sküs can be led as a suit",
    ),
    (
        "strohmann.call-misplaced ros",
        strohmann("A take", "A: T3(ros)", A="T3"),
        "trick 1: A calls “Ros!” with T3, but that may be called only with T17",
    ),
    (
        "strohmann.call-misplaced topschin",
        strohmann("A take", "A: T3(topschin)", A="T3"),
        "trick 1: A calls “Topschin!” with T3, but that may be called only with T18",
    ),
    *declarations(),
]
