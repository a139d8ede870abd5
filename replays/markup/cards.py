"""Cards as pictures: the macros of `templates/parts/macros.jinja`.

Only for `replays.markup.replay`, until that is a template, too: then this file goes.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.safestring import SafeString

from replays.jinja import macro, sprite
from replays.presenters import Face


def sprite_url() -> str:
    """The address of the card sprite."""
    return sprite()


def picture(_sprite: str, face: Face) -> SafeString:
    """A card as a picture."""
    return macro("card", face)


def card(face: Face) -> SafeString:
    """A card as a picture with its name for who can't see it."""
    return macro("card", face)


def cards(faces: Iterable[Face]) -> SafeString:
    """Cards as the items of a list."""
    return macro("cards", faces)


def backs(count: int) -> SafeString:
    """So many face-down cards as the items of a list, for the eye alone."""
    return macro("backs", count)
