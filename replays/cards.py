"""Cards as pictures (`tarock.faces`), in the language in use."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import get_language

from tarock import faces
from tarock.faces import Face


def pack(game: str = "") -> Mapping[str, Face]:
    """Every card of the largest pack by its code, and a ``back``."""
    return faces.pack(game or "common", get_language() or "en")


def face(code: str, game: str = "") -> Face:
    """A card that lies open; one that is in no pack by its code."""
    return pack(game).get(code) or Face(code, code)
