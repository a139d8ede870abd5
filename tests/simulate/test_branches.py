"""Every phase and branch of the rules occurs within some hundreds of simulated deals.

The lists are written out on purpose: a happening that the players no longer bring about fails here by name.
"""

from __future__ import annotations

from itertools import chain

import pytest

from tarock.analysis.fold import fold
from tarock.analysis.simulate import simulate
from tarock.analysis.verify import check
from tarock.core.record import Record

pytestmark = pytest.mark.slow

KINGS = {"SK", "HK", "DK", "CK"}


def happenings(record: Record) -> set[str]:
    """Return the score lines, happenings and notes of a deal by their sentences, and what was said, called
    and put away by whom. Clauses are without the game's name."""
    result = check(record)
    assert result.verdict == "verified", (result.error, record)
    facts, table = result.facts, fold(record).table
    found = {"claim made" if record.score else "claim missing"}
    found |= {f"{name} {facts[name]}" for name in ("contract", "result")}
    for line in result.lines:
        payment = f" {line.quantity['payment']}" if "payment" in line.quantity else ""
        found |= {f"{line.clause} {key}{payment}" for key in line.sentences}
    found |= {f"{row.clause} {row.kind}" for row in (*table.happenings, *table.notes())}
    roles = {facts["partner"]: "partner", facts["declarer"]: "declarer"}
    called, plays = "", 0
    for seat, verb, *words in record.events:
        role = roles.get(seat, "other")
        if verb == "play":
            plays += 1
            found |= {f"play {words[0]}"} if "(" in words[0] else set()
        elif verb == "call":
            called = words[0]
            place = next(place for place, cards in record.deal.items() if called in cards)
            found.add(f"call of a card of {roles.get(place, place)}{' and alone' * (not facts['partner'])}")
        elif verb == "discard":
            tarocks = sum(word[0] == "T" for word in words)
            found |= (
                {f"{role} discards {tarocks} tarocks{' with T0' * ('T0' in words)}"} if tarocks else set()
            )
            found |= {f"{role} discards the called card"} if called in words else set()
            found |= {f"{role} discards all Kings"} if {*words} >= KINGS else set()
        else:
            trick = plays // len(record.active) + 1
            when = {"bole": trick, "null": trick} if record.game == "grosstarock" else {}
            for word in words or [""]:
                item = word if record.game == "taroky" else word.partition(":")[0]
                early = " at first" if trick == 1 else " later" if trick <= 13 else " at last"
                found.add(f"{role} {verb} {item}{early * (item in when)}".rstrip())
    return {happening.removeprefix(f"{record.game}.") for happening in found}


#: The word before a colon applies to each word after it.
STROHMANN = """
claim: made, missing
contract: take, undeclared
declarer: take
game: at-least, at-most, between, points-near
game-undeclared: drawn, won
kakadu: trick-off, won
other: pass
pagat-ultimo: trick-off, won
play: T17(ros), T18(topschin)
result: drawn, lost, won
rostopschin: call-in-vain, made
uhu: trick-off, won
valat: made
"""
TAROKY = """
call of a card of: declarer and alone, partner, talon, talon and alone
claim: made, missing
contract: first, second, solo, troika
declarer announce: flek:game, re:game, sub:game, flek:pagat, re:pagat, sub:pagat, flek:valat, re:valat
declarer announce: taroky, tarocky, trul, honery, kralovske-honery, pagat, valat
declarer: bid first, bid second, bid troika, bid solo, level 1, level 2, level 3, pass, surrender
declarer discards: 1 tarocks, 2 tarocks, 3 tarocks, the called card
game: doubled, over, over-rate, points-near
game-tie: doubled, tie
hand-barvicky: declared, not-declared
hand-barvy: declared, not-declared
hand-honery: declared, not-declared
hand-kralovske-honery: declared, not-declared
hand-tarocky: declared, not-declared
hand-taroky: declared, not-declared
hand-trul: declared, not-declared
other announce: flek:game, re:game, sub:game, flek:pagat, re:pagat, sub:pagat, flek:valat, re:valat, sub:valat
other announce: taroky, tarocky, barvy, barvicky, trul, honery, kralovske-honery, pagat, valat
other: bid first, bid second, pass, refuse, varsava
pagat-announced: doubled, early, failed, lost, made, partner
pagat-ultimo: lost, trick-off, won
partner announce: flek:game, re:game, sub:game, flek:pagat, re:pagat, sub:pagat, flek:valat, re:valat
partner announce: taroky, tarocky, barvicky, trul, honery, kralovske-honery, pagat, valat
partner: bid first, discards 1 tarocks, discards the called card, pass, refuse
result: drawn, lost, surrendered, varsava, won
surrender: paid
valat: all, tricks-near
valat-announced: doubled, failed, made
varsava-pay: pays 10, pays 20, pays 40, to-all 10, to-all 20, to-all 40, to-each 10, to-each 20, to-each 40
varsava-pay: trickless 10, trickless 20, trickless 40, to-all-double 40
varsava-tie: share 10, to-all 10
"""
UNCONTESTED = """
declarer announce: flek:game
result: settled
settle-uncontested: not-played
"""
#: With any number of players.
TROGGU = """
bettler-last: handed-over, lost
bettler-withheld: dead
claim: made, missing
contract: misere, solo, take
declarer discards: 2 tarocks, 3 tarocks, 4 tarocks, 5 tarocks, 6 tarocks, all Kings
declarer: solo, take
game: draw, few-points, gets, no-trick, pays, points, points-near
misere: one-pays
other: pass, take
result: drawn, lost, misere, won
solo: few-points, gets, no-trick, pays, points, solo
"""
TROGGU_SMALL = "misere: tied-pay"
TROGGU_LARGE = """
call of a card of: declarer and alone, partner, talon and alone
declarer: alone, pass
forced-tappist: forced
partner: pass, take
partner-split: draw, few-points, gets, no-trick, pays, points, solo, split-gets, split-pays
"""
#: With any number of players; with two the lines have other sentences.
GROSSTAROCK = """
claim: made, missing
declare-tarocks: both, neither, not-declared, pagat, skus
other announce: tarocks, matadors, skus-matadors, kings, cavallery, half-cavallery, ladons
other announce: queens, cavaliers, jacks
other discards: 1 tarocks with T0, 2 tarocks, 2 tarocks with T0, 3 tarocks
other: pass
play: T0(C), T0(D), T0(H), T0(S), T0(T)
result: counted
skus-keeps: handed-over
skus-lost: fool-lost, late
skus-owed: owed, paid
"""
GROSSTAROCK_TWO = """
king: lost-two, won-two
last-trick: won-two
pagat: lost-two, won-two
pagat-ultimo: lost-two, won-two
result: tout
two-count: counted
two-score: difference, equal
two-tout: made
"""
GROSSTAROCK_LARGE = """
bole: failed, made, silent
card-points: less-average
declare-cavallery: declared, not-declared
declare-four: declared, not-declared
declare-half-cavallery: declared, not-declared
declare-kings: declared, not-declared
declare-ladons: declared, not-declared
declare-matadors: declared, not-declared
king-ultimo: won, lost
king: lost, won
last-trick: won
null-refund: several
null: failed, made, other-bole, silent, trick-too-many
other announce: bole at first, bole later, bole at last, null at first, null later
other discards: 3 tarocks with T0
pagat-ultimo: lost, won
pagat: lost, won
result: bole, null
skus-lost: no-trick
"""


def missing(game: str, players: tuple[int, ...], deals: int, wanted: str, *options: str) -> list[str]:
    """Return what never happens in this number of deals at each of the tables. These are about a fifth more
    than are needed, so that a kind of hand that is no longer dealt on purpose is missed."""
    left = {f"{head} {word}" for row in wanted.split("\n") if row
            for head, _, words in [row.partition(": ")] for word in words.split(", ")}  # fmt: skip
    tables = [simulate(game, players=n, deals=deals, seed=20261120, options=options) for n in players]
    for record in chain.from_iterable(zip(*tables, strict=True)):
        left -= happenings(record)
        if not left:
            break
    return sorted(left)


def test_every_branch_occurs() -> None:
    assert not missing("strohmann", (2,), 220, STROHMANN)
    assert not missing("troggu", (3, 4, 5, 6), 600, TROGGU + TROGGU_SMALL)
    assert not missing("troggu", (7, 8), 400, TROGGU + TROGGU_LARGE)
    assert not missing("grosstarock", (2,), 350, GROSSTAROCK + GROSSTAROCK_TWO)
    assert not missing("grosstarock", (3, 4), 600, GROSSTAROCK + GROSSTAROCK_LARGE)


def test_every_branch_of_taroky_occurs() -> None:
    assert not missing("taroky", (4,), 2000, TAROKY)
    assert not missing("taroky", (4,), 500, UNCONTESTED, "settle-uncontested")
    assert missing("taroky", (4,), 200, UNCONTESTED) == ["result settled", "settle-uncontested not-played"]
