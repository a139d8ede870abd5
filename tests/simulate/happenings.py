"""The happenings of a simulated deal, in words: the branches of the rules that the simulator must reach.

Each function returns the happenings of one record of its game. They use the events, the engine's facts and
score sheet and, if these are not enough, the table while the deal is played again.
"""

from __future__ import annotations

from collections.abc import Iterator

from tarock.analysis import verify
from tarock.analysis.fold import fold
from tarock.core.cards import BIT, FOOL_BIT, KINGS, PAGAT_BIT, TAROCKS, bits
from tarock.core.record import Record
from tarock.games import start

_BEYOND = {"at-least": "more", "at-most": "fewer"}


def dealt(record: Record, where: str) -> int:
    """The cards dealt to a place, as a bit set."""
    return bits(record.deal[where])


def happenings(record: Record) -> set[str]:
    """Everything worth counting that happened in a record's deal."""
    result = verify.check(record)
    assert result.verdict == "verified", (result.error, record)
    found = {line.clause for line in result.lines} | {f"result {result.facts['result']}"}
    found |= {"claim" if record.score else "no claim"}
    return found | set(_OF[record.game](record, result))


def _verbs(record: Record) -> Iterator[str]:
    for event in record.events:
        if event[1] == "announce":
            yield from (
                f"announce {item.partition(':')[0] if ':' not in item else item}" for item in event[2:]
            )
        elif event[1] not in ("play", "discard", "call"):
            yield " ".join(event[1:])
        elif event[1] != "play":
            yield event[1]


def strohmann(record: Record, result: verify.Check) -> Iterator[str]:
    verbs = [e[1] for e in record.events[:2]]
    yield {"take": "forehand takes", "pass": "forehand passes"}[verbs[0]]
    if verbs[0] == "pass":
        yield {"take": "dealer takes", "pass": "both pass"}[verbs[1]]
    tokens = [e[2] for e in record.events if e[1] == "play"]
    made = any(line.clause == "strohmann.rostopschin" for line in result.lines)
    if "T17(ros)" in tokens:
        yield "ros"
        if not made:
            yield "ros in vain"
    if "T18(topschin)" in tokens:
        yield "topschin" + ("" if "T17(ros)" in tokens else " without ros")
        if not made:
            yield "topschin in vain"
    table = fold(record).table
    for back, code in enumerate(("T1", "T2", "T3")):
        trick = table.tricks[-1 - back]
        if code in trick.cards:
            own = trick.seats[trick.cards.index(code)] == trick.winner
            yield f"{code} {'won with' if own else 'captured'} in its trick"
    if any(table.won[s] == 27 for s in table.won):
        yield "valat declared" if table.declarer else "valat undeclared"
    for line in result.lines:
        if line.clause == "strohmann.game":
            low, high = line.quantity["low"], line.quantity["high"]
            yield (
                f"declarer {low} to {high}"
                if low and high
                else f"declarer {low or high} or {_BEYOND[line.sentences[0]]}"
            )
        if line.clause == "strohmann.game-undeclared":
            yield "undeclared 35 to 35" if not line.points else "undeclared won"
    points = result.facts["card_points"]
    if result.facts["declarer"] and set(points.values()) == {35}:
        yield "35 to 35 with a declarer"


def taroky(record: Record, result: verify.Check) -> Iterator[str]:
    yield from _verbs(record)
    facts = result.facts
    table = fold(record).table
    lines = {line.clause: line for line in result.lines}
    if facts["varsava"]:
        line = result.lines[0]
        payers = len(line.quantity["payers"])
        yield f"varsava with {payers} payers"
        yield f"varsava pays {line.quantity['payment']}"
        if any(not table.won[s] for s in table.active):
            yield "varsava without a trick"
        return
    contract, declarer = facts["contract"], facts["declarer"]
    forehand = table.forehand
    bids = [e[2] for e in record.events[:4] if e[1] == "bid"]
    yield f"contract {contract}"
    if len(bids) > 1:
        yield "overbid"
    if declarer != forehand:
        yield "bidder is not forehand"
    called = facts["called"]
    if called:
        yield f"calls {called}"
        holds = BIT[called]
        if dealt(record, declarer) & holds:
            yield "calls a card of his own"
        elif facts["partner"] is None and not table.surrendered:
            yield "alone by the talon"
        elif facts["partner"] and not dealt(record, facts["partner"]) & holds:
            yield "partner by the talon"
        put_by = {s: table.discards.get(s, 0) & holds for s in table.active}
        if any(put_by.values()):
            yield "called card discarded by " + ("bidder" if put_by[declarer] else "partner")
    for seat, cards in table.discards.items():
        if cards & TAROCKS:
            yield "tarock discard of " + ("the bidder" if seat == declarer else "one who drew a card")
    refused = [e[0] for e in record.events if e[1] == "refuse"]
    if refused:
        yield "first refuses" if refused[0] == table.next[declarer] else "second refuses"
    if table.settled:
        yield "settled uncontested"
    if table.surrendered:
        return
    announcing = [e for e in record.events if e[1] == "announce"]
    if not announcing:
        yield "nothing announced"
    turns = 0
    for event in record.events[4:]:
        if event[1] in ("announce", "pass"):
            turns += 1
            if turns > 4:
                yield "raise turn " + event[1]
    said = {(e[0], item) for e in announcing for item in e[2:]}
    again = start(record)
    open_turns: dict[str, list[str]] = {}
    for event in record.events:
        if again.phase == "announcing" and event[0] not in open_turns:
            open_turns[event[0]] = again.open_items(event[0])
        again.apply(event)
    for seat, items in open_turns.items():
        for item in items:
            if ":" not in item and (seat, item) not in said:
                yield f"withholds {item}"
    for seat, item in said:
        side = table.sides[seat]
        if item in ("pagat", "valat"):
            roles = {declarer: "the bidder", facts["partner"]: "the partner"}
            yield f"{item} announced by {roles.get(seat, 'an opponent')}"
        if item == "flek:game":
            yield f"flek:game by the {side}"
    for stake, factor in table.factors.items():
        if factor > 1:
            yield f"{stake} doubled {factor}"
    for name in ("pagat", "valat"):
        line = lines.get(f"taroky.{name}-announced")
        if line:
            yield f"{name} announced and {'made' if line.quantity['made'] else 'failed'}"
    if "taroky.pagat-ultimo" in lines:
        yield f"pagat ultimo {'made' if lines['taroky.pagat-ultimo'].quantity['made'] else 'lost'}"
    if contract == "second" and "taroky.pagat-announced" in lines:
        yield "pagat by the bid of second"
    if lines.get("taroky.valat"):
        yield f"valat of the {lines['taroky.valat'].quantity['side']}"
    if facts["partner"] is None and contract in ("first", "second"):
        yield "plays alone in a duty"
    if facts["sides_shown"]:
        yield "a side is shown"


def troggu(record: Record, result: verify.Check) -> Iterator[str]:
    facts, table = result.facts, fold(record).table
    size = len(record.seats)
    yield f"contract {facts['contract']}"
    verbs = [e[1] for e in record.events if e[1] in ("take", "solo", "pass")]
    if "take" in verbs and verbs[-1] == "solo":
        yield "solo over take"
    if set(verbs) == {"pass"}:
        yield f"all pass with {size} players"
        if facts["declarer"] and facts["declarer"] != "":
            yield "forced Tappist"
            yield "forced by T0" if dealt(record, facts["declarer"]) & FOOL_BIT else "forced by T1"
        elif size >= 7:
            yield "forced to misère"
            assert dealt(record, "talon") & (FOOL_BIT | PAGAT_BIT) == FOOL_BIT | PAGAT_BIT
    if size >= 7 and facts["declarer"]:
        own = dealt(record, facts["declarer"]) | (0 if facts["solo"] else dealt(record, "talon"))
        if facts["called"] == "alone":
            yield "alone"
        elif facts["partner"]:
            yield "partner called" + (" in solo" if facts["solo"] else "")
        elif own & BIT[facts["called"]]:
            put_by = table.discards.get(facts["declarer"], 0) & BIT[facts["called"]]
            yield "calls what he discarded" if put_by else "calls a card of his own"
        else:
            yield "calls a card of the Tapp"
    for cards in table.discards.values():
        if cards & KINGS == KINGS:
            yield "four Kings discarded"
        elif (
            facts["declarer"] and (dealt(record, facts["declarer"]) | dealt(record, "talon")) & KINGS == KINGS
        ):
            yield "four Kings kept"
        if cards & TAROCKS:
            yield "tarocks discarded"
    if facts["dead_bettler"]:
        yield "dead Bättler" + (" in misère" if facts["misere"] else "")
        last, dead = table.tricks[-1], facts["dead_bettler"]
        if last.seats[0] == dead:
            yield "dead Bättler led last"
        if any(h.kind == "handed-over" for h in table.happenings):
            yield "card handed over for the dead Bättler"
        elif last.winner in table.side(dead):
            yield "dead Bättler on the winner's side"
        else:
            assert table.taken[last.winner] & FOOL_BIT
            yield "dead Bättler lost"
    for trick in table.tricks[:-1]:
        if "T0" in trick.cards:
            yield "Bättler wins as the highest tarock"
    if "T0" in table.tricks[-1].cards and not facts["dead_bettler"]:
        yield "living Bättler in the last trick"
    line = result.lines[0]
    if facts["misere"]:
        yield f"misère with {len(line.quantity['payers'])} payers"
    elif line.points:
        yield f"{facts['contract']} {facts['result']} at level {line.quantity['level']}"


def grosstarock(record: Record, result: verify.Check) -> Iterator[str]:
    table = fold(record).table
    put_by = table.discards[table.dealer]
    if put_by & FOOL_BIT and not put_by & PAGAT_BIT:
        yield "T0 discarded"
    if put_by & PAGAT_BIT:
        yield f"tarocks discarded with{'' if put_by & FOOL_BIT else 'out'} T0"
        yield f"{(put_by & TAROCKS).bit_count()} tarocks discarded"
    again = start(record)
    owed = False
    skus_trick = 0
    for event in record.events:
        before = again.owes
        if again.phase == "declaring":
            items = [w.partition(" ")[2] for w in again.legal_words() if w.startswith("announce")]
            for item in items:
                name = item.partition(":")[0]
                yield f"{'declares' if item in event[2:] else 'withholds'} {name}"
        if again.phase == "play" and event[1] == "announce" and event[0] != again.turn:
            yield "bolé or null out of turn"
        led = event[1] == "play" and not again.trick
        again.apply(event)
        if event[1] == "play" and event[2].startswith("T0"):
            skus_trick = len(again.tricks) + (1 if again.trick else 0)
            if led:
                word = "void" if not again.led else "valid"
                yield f"Sküs leads with a {word} name"
                if "(T)" in event[2]:
                    yield f"Sküs leads with a {word} T"
                if skus_trick == 25:
                    yield "Sküs led to the last trick"
            else:
                yield "Sküs played, not led"
        if again.owes and not before:
            owed = True
            yield "card owed"
        if before and not again.owes:
            yield "owed card paid"
            if len(again.tricks) >= 15:
                yield "owed card paid late"
    if skus_trick:
        player = next(
            s for t in table.tricks for s, c in zip(t.seats, t.cards, strict=True) if c.startswith("T0")
        )
        kept = table.taken[player] & FOOL_BIT
        if skus_trick > 22:
            assert not kept
            yield "Sküs lost in the last three tricks"
        elif owed and again.owes:
            assert not kept
            yield "Sküs lost without a trick"
        else:
            assert kept
    for line in result.lines:
        if line.clause in ("grosstarock.bole", "grosstarock.null"):
            name = line.clause.partition(".")[2]
            outcome = "made" if line.quantity["made"] else "failed"
            number = line.quantity.get("before_trick")
            when = "late" if number and number <= 13 else "latest"
            yield f"{name} { {None: 'unannounced', 1: 'early'}.get(number, when) } {outcome}"
        if line.clause.removesuffix("-ultimo") in ("grosstarock.king", "grosstarock.pagat"):
            yield f"{line.clause} {'won' if line.quantity['won'] else 'lost'}"
    speakers = [e[0] for e in record.events if e[1] == "announce" and e[2] in ("bole", "null")]
    if len(set(speakers)) > 1:
        yield "two announce bolé or null"
    assert bits(c for t in table.tricks for c in (x.partition("(")[0] for x in t.cards)).bit_count() == 75


_OF = {"strohmann": strohmann, "taroky": taroky, "troggu": troggu, "grosstarock": grosstarock}
