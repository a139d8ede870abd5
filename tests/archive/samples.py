"""Records: a played deal worked out by hand, its spoiled relatives, any number of dealt ones."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable

from tarock.cards import names, pack
from tests import example
from tests.example import with_tag

TAROKY = with_tag(example.TAROKY, '[Site "Hlučín"]', before="Session")
"""Called T19, pagat announced and won with re: 25 + 80 + tarocky 5 - B's barvicky 5 = 105 each."""

TAROKY_SCORE = example.TAROKY_SCORE

ILLEGAL = TAROKY.replace("B pass\nC pass\nD pass\nA call", "C pass\nB pass\nD pass\nA call", 1)
"""C speaks at event 1, where it is B's turn."""

INCOMPLETE = TAROKY[: TAROKY.index("12. A")]
"""The last trick is missing."""

DISPUTED = TAROKY.replace("A=105 B=-105 C=-105 D=105", "A=100 B=-100 C=-100 D=100").replace("Alena", "Anna")
"""The same deal as played (so the same digest), with another claim."""

MALFORMED = TAROKY.replace("deal B SK", "deal B S2")
"""A card that the pack does not have, in the hand of B."""


def dealt(seed: int, *, players: Iterable[str] = ("Ada", "Ben", "Cleo", "Dov"), **tags: str) -> str:
    """A Taroky deal in TGN that nobody has played: well-formed, ``incomplete``, another one for each seed."""
    cards = list(names(pack(54)))
    random.Random(seed).shuffle(cards)
    hands = {seat: cards[12 * n : 12 * n + 12] for n, seat in enumerate("ABCD")}
    lines = ['[TGN "1"]', '[Game "taroky"]']
    lines += [f'[{seat} "{name}"]' for seat, name in zip("ABCD", players, strict=True)]
    lines += ['[Dealer "A"]', *(f'[{name} "{value}"]' for name, value in tags.items()), ""]
    lines += [f"deal {seat} {' '.join(hand)}" for seat, hand in hands.items()]
    lines += [f"deal talon {' '.join(cards[48:])}"]
    return "\n".join(lines) + "\n"


def many(count: int, *, first: int = 0, **tags: str) -> bytes:
    """This many different dealt records in one text."""
    return "\n".join(dealt(seed, **tags) for seed in range(first, first + count)).encode()


def as_json(seed: int = 0, **changes: object) -> bytes:
    """A dealt record in the JSON form, with some of its keys changed."""
    cards = list(names(pack(54)))
    random.Random(seed).shuffle(cards)
    record: dict[str, object] = {
        "tgn": 1,
        "game": "taroky",
        "dealer": "A",
        "players": {"A": "Ada", "B": "Ben", "C": "Cleo", "D": "Dov"},
        "options": [],
        "tags": {},
        "deal": {
            **{seat: cards[12 * n : 12 * n + 12] for n, seat in enumerate("ABCD")},
            "talon": cards[48:],
        },
        "events": [],
        "comments": {},
    }
    return json.dumps(record | changes).encode()
