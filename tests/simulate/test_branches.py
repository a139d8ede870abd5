"""Every sentence, verb and item of a game occurs within some hundreds of simulated deals.

What the players no longer bring about fails here by name.
"""

from __future__ import annotations

import re
from itertools import chain

import pytest

from tarock.analysis.fold import fold
from tarock.analysis.simulate import simulate
from tarock.analysis.verify import check
from tarock.core.record import Record
from tarock.games import GAMES
from tests.texts.test_clauses import data_of

pytestmark = pytest.mark.slow

KINGS = {"SK", "HK", "DK", "CK"}
#: What needs other options or a score sheet, and what is rarer still.
ELSEWHERE = re.compile(
    r"rounded|staked|next-dealer|^cap |trulhonery|resub|not-played|quapil|(?:kings|mondfang|trull) won"
    r"|-somewhere|^(?:valat|bole) tricks-near|bole other-bole|misere all-tied|solo draw|null-refund one"
    r"|king-ultimo won-two|skus-matadors not-declared|varsava-tie (?:all-tied|to-(?:each|all-double)|trick)"
)


def happenings(record: Record) -> set[str]:
    """Return the score lines, happenings and notes of a deal by their sentences, and what was said, called
    and put away. Clauses are without the game's name."""
    result = check(record)
    assert result.verdict == "verified", (result.error, record)
    facts, table = result.facts, fold(record).table
    found = {"claim made" if record.score else "claim missing"}
    found |= {f"{name} {facts[name]}" for name in ("contract", "result")}
    found |= {f"{line.clause} {key}" for line in result.lines for key in line.sentences}
    found |= {f"{row.clause} {row.kind}" for row in (*table.happenings, *table.notes())}
    roles = {facts["partner"]: "partner", facts["declarer"]: "declarer"}
    called, plays = "", 0
    for _, verb, *words in record.events:
        if verb == "play":
            plays += 1
            found |= {verb, f"play {words[0]}"} if "(" in words[0] else {verb}
            continue
        found |= {verb, *words, *(f"{verb} {word.partition(':')[0]}" for word in words)}
        if verb == "call":
            called = words[0]
            place = next(place for place, cards in record.deal.items() if called in cards)
            found.add(f"call of a card of {roles.get(place, place)}{' and alone' * (not facts['partner'])}")
        elif verb == "discard":
            tarocks = sum(word[0] == "T" for word in words)
            found.add(f"{tarocks} tarocks put away{' with T0' * ('T0' in words)}")
            found |= {"the called card put away"} if called in words else set()
            found |= {"all Kings put away"} if {*words} >= KINGS else set()
        elif verb == "announce" and record.game == "grosstarock":
            trick = plays // len(record.active) + 1
            found.add(f"{words[0]} {'at first' if trick == 1 else 'later' if trick <= 13 else 'at last'}")
    return {happening.removeprefix(f"{record.game}.") for happening in found}


def of_texts(game: str) -> set[str]:
    """Return all that a game's deals may bring about: the sentences of its texts, its verbs and items."""
    info = GAMES[game].info
    found = {*info.verbs, *(item if ":" in item else f"announce {item}" for item in info.items)}
    for slug, entry in data_of(game, "en").items():
        if slug[0] != "_":
            for group in ("lines", "happenings", "notes"):
                found |= {f"{slug.partition('.')[2]} {key}" for key in entry.get(group, ())}
    return {happening for happening in found if not ELSEWHERE.search(happening)}


#: Further happenings. The word before a colon applies to each word after it.
STROHMANN = """
claim: made, missing
contract: take, undeclared
play: T17(ros), T18(topschin)
result: drawn, lost, won
"""
TAROKY = """
bid: first, second, troika, solo
call of a card of: declarer and alone, partner, talon, talon and alone
contract: first, second, solo, troika
level: 1, 2, 3
result: drawn, lost, surrendered, varsava, won
1 tarocks put: away
2 tarocks put: away
3 tarocks put: away
the called card put: away
"""
TROGGU = """
all Kings put: away
call of a card of: declarer and alone, partner, talon and alone
contract: misere, solo, take
result: drawn, lost, misere, won
3 tarocks put: away
6 tarocks put: away
"""
GROSSTAROCK = """
bole: at first, later, at last
null: at first, later
play: T0(C), T0(D), T0(H), T0(S), T0(T)
result: bole, counted, null, tout
1 tarocks put away with: T0
2 tarocks put: away, away with T0
3 tarocks put: away, away with T0
"""


@pytest.mark.parametrize(("game", "players", "number", "more"), [
    ("strohmann", (2,), 220, STROHMANN),
    ("taroky", (4,), 850, TAROKY),
    ("troggu", (3, 4, 5, 6, 7, 8), 85, TROGGU),
    ("grosstarock", (2, 3, 4), 600, GROSSTAROCK),
], ids=[*GAMES])  # fmt: skip
def test_every_branch_occurs(game: str, players: tuple[int, ...], number: int, more: str) -> None:
    """The deals at each table are about a fifth more than are needed, so that a kind of hand that is no
    longer dealt on purpose is missed."""
    left = of_texts(game)
    for head, _, words in (row.partition(": ") for row in more.strip().split("\n")):
        left |= {f"{head} {word}" for word in words.split(", ")}
    tables = [simulate(game, players=n, deals=number, seed=20261120) for n in players]
    for record in chain.from_iterable(zip(*tables, strict=True)):
        left -= happenings(record)
        if not left:
            break
    assert not left


def test_a_first_duty_is_settled_only_by_an_option() -> None:
    wanted = {"result settled", "settle-uncontested not-played"}
    for options, found in ((["settle-uncontested"], wanted), ([], set())):
        deals = simulate("taroky", deals=200, seed=20261120, options=options)
        assert set().union(*map(happenings, deals)) & wanted == found
