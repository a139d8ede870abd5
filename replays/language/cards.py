"""Cards as pictures (`tarock.view.cards`), in the active language."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import get_language

from tarock.core.cards import in_hand_order, pack_cards
from tarock.games import GAMES
from tarock.view import cards as faces
from tarock.view.cards import Face


def pack(game: str = "") -> Mapping[str, Face]:
    """Map card codes, including `back`, to the faces of a game's pack or, without a game, of the largest
    pack."""
    return faces.pack(game or "common", get_language() or "en")


def face(code: str, game: str = "") -> Face:
    """Return the face of a card. For a card that is in no pack, return a face that shows its code."""
    return pack(game).get(code) or Face(code, code)


def pack_rows(game: str) -> list[list[Face]]:
    """Return a game's pack in rows, highest cards first: two rows of tarocks, then one for each suit."""
    faces_of, cards = pack(game), in_hand_order(pack_cards(GAMES[game].info.pack))
    tarocks = [card for card in cards if card[0] == "T"]
    half = (len(tarocks) + 1) // 2
    suits = [[card for card in cards if card[0] == suit] for suit in "SHDC"]
    return [[faces_of[card] for card in row] for row in (tarocks[:half], tarocks[half:], *suits)]
