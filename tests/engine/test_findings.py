"""What a finding says: who, which card, which trick, why not, and whose turn it is and why. One deal for each
sentence of the clauses on turns, discards, doubles and declarations."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tarock import sentences
from tarock.clauses import book_names
from tests.engine.builder import Deal
from tests.engine.clauses.test_grosstarock import declare, for_two, gross
from tests.engine.clauses.test_taroky import BLANKS, bid, declared, duty, second, solo, varsava
from tests.engine.clauses.test_troggu import four, seven, withheld
from tests.texts.test_clauses import data_of


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

#: The cards with which A declares what; the clause and the reason why not; and below, the sentence.
DECLARATIONS = """
T19-T11 | tarocks:10 | grosstarock.declare-tarocks too-few
    A declares tarocks:10, but holds 9, and 10 are needed at least
T19-T9 | tarocks:10 | grosstarock.declare-tarocks other-number
    A declares tarocks:10, but holds 11: the number must be the full one
T21 T20 T1 | matadors:3 | grosstarock.declare-matadors lacking
    A declares matadors:3, but matadors take Sküs, Mond and Pagat, and A lacks T0
T0 T21 T1 | matadors:4 | grosstarock.declare-matadors other-number
    A declares matadors:4, but holds 3: the number must be the full one
T0 T19 T1 | skus-matadors:5 | grosstarock.declare-skus-matadors lacking
    A declares skus-matadors:5, but matadors take Sküs, Mond and Pagat, and A lacks T21
T0 T21 T20 T1 | skus-matadors:4 | grosstarock.declare-skus-matadors no-step
    A declares skus-matadors:4, but the runs step over no missing tarock: they are plain matadors, or none
T0 T21 T19 T1 | skus-matadors:4 | grosstarock.declare-skus-matadors other-number
    A declares skus-matadors:4, but holds 5: the number must be the full one
T0 T21 T19 T1 | matadors:3 skus-matadors:5 | grosstarock.declare-skus-matadors not-both
    A declares matadors and Sküs-matadors; only one of them may be declared
SK HK | kings:3 | grosstarock.declare-kings too-few
    A declares kings:3, but holds 2, and 3 are needed at least
nothing | kings:3 | grosstarock.declare-kings too-few
    A declares kings:3, but holds 0, and 3 are needed at least
SK HK DK CK | kings:3 | grosstarock.declare-kings other-number
    A declares kings:3, but holds 4: the number must be the full one
HK HQ HC T0 | cavallery:H | grosstarock.declare-cavallery lacking
    A declares cavallery:H, which takes King, Queen, Cavalier and Jack, but lacks HJ
HQ HC T0 | half-cavallery:H | grosstarock.declare-half-cavallery lacking
    A declares half-cavallery:H, which takes the King, two more court cards and the Sküs, but lacks HK
HK HQ T0 | half-cavallery:H | grosstarock.declare-half-cavallery too-few
    A declares half-cavallery:H, which takes the King, two more court cards and the Sküs, but beside the \
King holds only 1 court card
HK HQ HC HJ T0 | half-cavallery:H | grosstarock.declare-half-cavallery whole
    A declares half-cavallery:H, but holds all four court cards of hearts: that is a full cavalry
SQ HQ | queens | grosstarock.declare-four lacking
    A declares queens, but lacks DQ and CQ
T19-T10 | ladons:15 | grosstarock.declare-ladons too-few
    A declares ladons:15, but holds 15, the Sküs counted, and 16 are needed at least
T0 T19-T12 | ladons:18 | grosstarock.declare-ladons other-number
    A declares ladons:18, but holds 17, the Sküs counted: only the Sküs may be left out
T0 T19-T12 | ladons:16 ladons:17 | grosstarock.declare-ladons not-both
    A declares two numbers of ladons; only one may be declared
T20-T12 | taroky | taroky.hand-taroky not-held
    A declares Taroky, which takes ten tarocks or more, but holds 9 tarocks
T5 | tarocky | taroky.hand-tarocky not-held
    A declares Tarocky, which takes eight or nine tarocks, but holds 1 tarock
T5 T1 | barvy | taroky.hand-barvy not-held
    A declares Barvy, which takes no tarock, or the Pagat alone, but holds 2 tarocks (T5 and T1)
T1 | barvicky | taroky.hand-barvicky not-held
    A declares Barvičky, which takes two tarocks, or one that is not the Pagat, but holds 1 tarock
T0 T1 | trul | taroky.hand-trul not-held
    A declares Trul, which takes Škýz, Mond and Pagat, but holds 2 of them
T0 T1 SK | honery | taroky.hand-honery not-held
    A declares Honéry, which takes four of the seven cards worth five points (the Kings, Škýz, Mond and \
Pagat), but holds 3
SK HK DK | kralovske-honery | taroky.hand-kralovske-honery not-held
    A declares Královské honéry, which takes all four Kings, but holds 3
SK HK DK CK | honery kralovske-honery | taroky.hand-kralovske-honery not-both
    A declares Honéry and Královské honéry; only one of them may be declared
"""


def declarations() -> Iterator[tuple[str, Deal, str]]:
    lines = DECLARATIONS.strip().splitlines()
    for row, said in zip(lines[::2], lines[1::2], strict=True):
        hand, item, wrong = row.split(" | ")
        hand = hand.replace("nothing", "")
        yield wrong, declared(item, hand) if wrong.startswith("taroky") else declare(hand, item), said.strip()


#: Clause and reason, a deal that ends in what is wrong, and the sentence.
WRONG: list[tuple[str, Deal, str]] = [
    (
        "common.turn sits-out",
        Deal("grosstarock", players=4, dealer="D").say("B pass"),
        "B passes, but sits out this deal; it is D's turn",
    ),
    (
        "common.turn leads-first",
        strohmann("A pass", "B pass", "B: SK", B="SK"),
        "trick 1: B plays SK, but it is A's turn: forehand leads to the first trick",
    ),
    (
        "common.turn won-trick",
        strohmann("A take", "A: SK SQ", "B: HK", A="SK", B="SQ HK"),
        "trick 2: B plays HK, but it is A's turn, who won trick 1 with SK",
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
        "trick 1: B plays SK, but it is A's turn: with B as declarer the bidding is over, and forehand leads",
    ),
    (
        "common.turn bidder",
        taroky(*bid("first"), "B call T19"),
        "B calls T19, but it is A's turn, the bidder's",
    ),
    (
        "common.turn bidder-announces",
        second({"B": "T1"}).say("A pass"),
        "A passes, but it is B's turn: the bidder announces first",
    ),
    (
        "common.turn raises",
        DOUBLED.also().passes("CD").say("B pass"),
        "B passes, but it is A's turn: only those speak again to whom a double is open that they have"
        " not passed up",
    ),
    (
        "common.turn forehand-leads",
        second({"B": "T1", "C": "SK"}).passes("BCDA").say("C: SK"),
        "trick 1: C plays SK, but it is A's turn: forehand leads to the first trick",
    ),
    (
        "common.turn solo",
        Deal("troggu").say("A pass", "B solo", "C pass"),
        "C passes, but the solo of B ended the bidding, and it is B's turn",
    ),
    (
        "common.turn tappist",
        Deal("troggu").say("A pass", "B take").passes("CD").say("A pass"),
        "A passes, but it is B's turn, the Tappist's",
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
        "A says “varsava”, which has no place here (Bidding)",
    ),
    (
        "common.unexpected verb",
        solo().passes("ABCD").say("A discard SK"),
        "A discards SK, which has no place here (Play)",
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
        "C says re:game, but that is for the other side: a side may not double what it announced or raised "
        "itself",
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
        "A discards T6 and T5: tarocks may be discarded only for want of other cards, so S7 must go "
        "before any tarock",
    ),
    (
        "troggu.discard never",
        Deal("troggu", {"A": "T21", "talon": "S10-S5 C10 C9 C8 C7"})
        .say("A take")
        .passes("BCD")
        .say("A discard T21 S9 S8 S7 S6 S5 C10 C9 C8 C7"),
        "A discards T21, but a card worth five points may not be put away (except all four Kings together)",
    ),
    (
        "troggu.discard kings",
        Deal("troggu", {"A": "SK HK DK CK", "talon": "S10-S5 C10 C9 C8 C7"})
        .say("A take")
        .passes("BCD")
        .say("A discard SK HK S8 S7 S6 S5 C10 C9 C8 C7"),
        "A discards SK and HK, but the Kings may only be put away all four together, or none",
    ),
    (
        "troggu.discard kings-lacking",
        Deal("troggu", {"A": "SK", "B": "HK", "talon": "S10-S5 C10 C9 C8 C7"})
        .say("A take")
        .passes("BCD")
        .say("A discard SK S9 S8 S7 S6 S5 C10 C9 C8 C7"),
        "A discards SK, but Kings may be put away only all four together, and A does not hold all four",
    ),
    (
        "grosstarock.discard never",
        Deal("grosstarock", {"C": "SK T21", "talon": "S1 C1 H10"}).say("C discard T21 SK S1"),
        "C discards SK and T21: neither a King nor the Mond may be discarded",
    ),
    (
        "grosstarock.discard tarocks",
        Deal("grosstarock", {"C": "T5", "A": "T1", "talon": "S1 C1 H10"}).say("C discard T5 S1 C1"),
        "C discards T5: tarocks may be discarded only with the Pagat, without the Mond, three of them at "
        "most with the Sküs, and all of them",
    ),
    (
        "grosstarock.discard all-or-none",
        Deal("grosstarock", {"C": "T5 T1", "talon": "S1 C1 H10"}, without={"C": "T"}).say(
            "C discard T5 S1 C1"
        ),
        "C discards T5: of the tarocks (T5 and T1) all must go, or none",
    ),
    (
        "common.after-end over",
        Deal("troggu").passes("ABCD").play_out().say("A pass"),
        "A passes, but the deal is over",
    ),
    ("common.count none", strohmann("A take now"), "A takes: nothing goes with that, but found 1 more word"),
    ("common.count one", taroky("A bid"), "A bids: exactly one thing goes with that, but found 0"),
    (
        "common.count nothing-named",
        solo().say("A announce"),
        "A announces something, but does not say what",
    ),
    (
        "common.item no-item",
        solo().say("A announce uhu"),
        "A announces “uhu”, which is no announcement of this game",
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
        "trick 2: B plays T0, but withheld it before: the Bättler is dead and comes down in the last "
        "trick only",
    ),
    (
        "troggu.call never",
        seven({}).say("A call T21"),
        "A calls T21, but the Bättler and the Mond may not be called",
    ),
    (
        "grosstarock.announce-bole one-at-a-time",
        gross().say("A announce bole null"),
        "A announces bolé and null in one breath; each is announced by itself",
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
        "B says flek:game, but had a turn to say it before and passed it up",
    ),
    (
        "taroky.announce-order only-raises",
        DOUBLED.also("C pass", "D pass", "A announce valat"),
        "A announces valat, but that belongs in the first turn; now only doubles may be said",
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
        "C discards T7: if a tarock goes, all must go (T0, T7 and T1); by itself only the Sküs may",
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
        "trick 1: A plays T0, but what is named with it is neither a suit nor tarocks",
    ),
    (
        "common.item no-name",
        gross({"A": "T9"}).say("A: T9(T)"),
        "trick 1: A plays T9 and names a suit, but only the Sküs is led as a suit",
    ),
    (
        "strohmann.call-misplaced ros",
        strohmann("A take", "A: T3(ros)", A="T3"),
        "trick 1: A calls “Ros!” with T3, but it is called with T17 alone",
    ),
    (
        "strohmann.call-misplaced topschin",
        strohmann("A take", "A: T3(topschin)", A="T3"),
        "trick 1: A calls “Topschin!” with T3, but it is called with T18 alone",
    ),
    *declarations(),
]


def reason_of(deal: Deal) -> tuple[str, str, str]:
    """The clause and the reason of what is wrong with a deal, and the sentence without the choices."""
    found = deal.verdict()
    assert found.error.event == len(deal.form["events"]) - 1, found.error
    message = sentences.message(found.error, found.game or "")
    said, _, allowed = message.partition("; allowed: ")
    assert bool(allowed) == bool(found.error.legal)
    assert sentences.finding(found.error, sentences.Names(found.game or "")) == said
    return str(found.error.clause), found.error.reason, said


@pytest.mark.parametrize(
    ("language", "places"),
    [
        (
            "en",
            ["turn 1 before the play", "trick 1, first card", "trick 1, second card", "trick 2, first card"],
        ),
        ("de", ["1. Zug vor dem ersten Stich", "1. Stich, erste Karte", "1. Stich, zweite Karte"]),
        ("cs", ["1. tah před sehrávkou", "1. zdvih, první karta", "1. zdvih, druhá karta"]),
        ("ja", ["プレイ前の1手目", "1トリック目の1枚目", "1トリック目の2枚目"]),
    ],
)
def test_where_an_event_stands(language: str, places: list[str]) -> None:
    record = strohmann("A take", "A: SK SQ", "B: HK", A="SK", B="SQ HK").record()
    names = sentences.Names("strohmann", language)
    assert [sentences.place(record, n, names) for n in range(len(places))] == places
    assert sentences.place(record, 99, names) == sentences.place(record, 3, names)
    assert sentences.place(strohmann().record(), 0, names) == ""


def test_where_a_word_stands() -> None:
    record = DOUBLED.record()
    told = [sentences.place(record, n) for n in range(len(record.events))]
    assert told[0] == "bid 1"
    assert told[1] == "turn 2 before the play"
    assert told[-2:] == ["announcement 1", "announcement 2"]
    assert "discard 1" in told


def test_where_a_word_in_the_play_stands() -> None:
    record = gross({"A": "SK"}).say("A announce bole", "A: SK", "B pass").record()
    told = [sentences.place(record, n) for n in range(len(record.events) - 3, len(record.events))]
    assert told == ["announcement 1", "trick 1, first card", "trick 1, after 1 card"]
    led = gross({"A": "SK", "B": "SQ", "C": "SC"})
    after = led.say("A: SK SQ SC", "B announce null").record()
    assert sentences.place(after, 99) == "before trick 2"


def test_the_choices_are_those_of_who_was_free_to_speak() -> None:
    """Bolé and null wait for nobody's turn: the choices are the speaker's own, not those of who leads."""
    once = gross().say("C announce bole", "C announce bole").verdict().error
    assert (once.reason, once.legal) == ("again", ("announce null",))
    both = gross().say("C announce null", "C announce bole", "C announce null").verdict().error
    assert both.legal == ()
    turn = gross().say("B pass").verdict().error
    assert (turn.clause, turn.legal[-1]) == ("common.turn", "announce null")


HEADINGS = [
    (duty({"B": "T19"}).passes("ABCD").play_out(), "First Duty; bidder A; called T19; partner B"),
    (duty({"A": "T19"}).passes("ABCD").play_out(), "First Duty; bidder A; called T19; alone against three"),
    (
        duty({"B": "T19"}, options=["settle-uncontested"]).passes("ABCD"),
        "First Duty; bidder A; called T19; partner B; an uncontested First Duty is settled without play",
    ),
    (
        duty({"B": "T19"}, options=["settle-uncontested"]).say("A announce valat").passes("BCD").play_out(),
        "First Duty; bidder A; called T19; partner B",
    ),
    (duty_surrendered(), "First Duty; bidder A; called T19"),
    (varsava({}).play_out(), "Varšava"),
]


@pytest.mark.parametrize(("deal", "said"), HEADINGS, ids=range(len(HEADINGS)))
def test_what_the_sheet_is_headed_by(deal: Deal, said: str) -> None:
    facts = deal.verdict().facts
    assert "; ".join(sentences.heading(facts, sentences.Names("taroky"))) == said


@pytest.mark.parametrize(
    ("wrong", "deal", "said"), WRONG, ids=[f"{n}-{row[0]}" for n, row in enumerate(WRONG)]
)
def test_what_is_said_of_it(wrong: str, deal: Deal, said: str) -> None:
    clause, reason, found = reason_of(deal)
    assert found == said
    assert f"{clause} {reason}" == wrong


def test_there_is_a_deal_for_every_sentence() -> None:
    """Of the clauses on turns, on what belongs where, on doubles, discards and declarations."""
    wanted = set()
    for game in book_names():
        for slug, entry in data_of(game, "en").items():
            name = slug.partition(".")[2]
            chosen = slug in ("common.turn", "common.unexpected", "taroky.double") or name == "discard"
            if chosen or name.startswith(("declare-", "hand-")):
                wanted |= {f"{slug} {key}" for key in entry.get("findings", {})}
    assert len(wanted) > 45
    assert wanted <= {wrong for wrong, _, _ in WRONG}


def test_many_choices_are_counted() -> None:
    error = gross({"A": "SK"}).say("B: S1").verdict().error
    assert error.legal is not None
    legal = ", ".join(error.legal[:16])
    more = len(error.legal) - 16
    assert sentences.message(error, "grosstarock").endswith(f"; allowed: {legal} and {more} more")


@pytest.mark.parametrize(
    ("deal", "said"),
    [
        (Deal("troggu"), "the record ends before its first event; it is A's turn (Bidding)"),
        (
            Deal("troggu").say("A take", "B pass"),
            "B passes, and there the record ends; it is C's turn (Bidding)",
        ),
        (
            solo({"A": "SK"}).passes("ABCD").say("A: SK"),
            "A plays SK, and there the record ends; it is B's turn (Play)",
        ),
    ],
)
def test_what_is_said_of_a_record_that_breaks_off(deal: Deal, said: str) -> None:
    found = deal.verdict()
    assert found.verdict == "incomplete"
    assert (found.error.clause, found.error.event) == (None, len(deal.form["events"]))
    assert sentences.message(found.error, found.game or "").partition("; allowed: ")[0] == said
