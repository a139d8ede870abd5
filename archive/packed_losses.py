"""Pack the hindsight of a deal (`tarock.analysis.hindsight`) into a few bytes.

The bytes are numbers of 7 bits a byte, the lowest bits first: the first analysed step and, for each card that
cost something, the steps since the number before, the seat, the best card, the points, and the rank together
with the length of the clause. The clause follows without the name of its game, after any words of the choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from tarock.analysis.hindsight import Hindsight, Loss
from tarock.core.cards import CARDS, INDEX
from tarock.core.game import SEATS

_RANKS = 4


def pack(hindsight: Hindsight) -> bytes:
    """Pack a hindsight."""
    data = bytearray(_number(hindsight.first))
    last = hindsight.first
    for loss in hindsight.losses:
        card, _, words = loss.best.partition("(")
        clause = loss.clause.partition(".")[2].encode()
        for number in (
            loss.step - last,
            SEATS.index(loss.seat),
            2 * INDEX[card] + bool(words),
            loss.points,
            loss.rank + _RANKS * len(clause),
        ):
            data += _number(number)
        if words:
            data += _number(len(words) - 1) + words[:-1].encode()
        data += clause
        last = loss.step
    return bytes(data)


def unpack(data: bytes, game: str) -> Hindsight:
    """Unpack the hindsight of a deal of a game."""
    packed = iter(data)
    first = step = _read(packed)
    losses = []
    for byte in packed:
        step += _read(packed, byte)
        seat, card, points = SEATS[_read(packed)], _read(packed), _read(packed)
        length, rank = divmod(_read(packed), _RANKS)
        words = f"({_text(packed, _read(packed))})" if card % 2 else ""
        clause = f"{game}.{_text(packed, length)}" if length else ""
        losses.append(Loss(step, seat, CARDS[card // 2] + words, points, rank, clause))
    return Hindsight(first, tuple(losses))


def _number(number: int) -> bytes:
    parts = [number & 127]
    while number := number >> 7:
        parts[-1] |= 128
        parts.append(number & 127)
    return bytes(parts)


def _read(packed: Iterator[int], byte: int | None = None) -> int:
    number = shift = 0
    byte = next(packed) if byte is None else byte
    while byte & 128:
        number |= (byte & 127) << shift
        shift += 7
        byte = next(packed)
    return number | byte << shift


def _text(packed: Iterator[int], length: int) -> str:
    return bytes(next(packed) for _ in range(length)).decode()
