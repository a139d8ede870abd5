"""Cards as pictures."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from django.conf import settings
from django.templatetags.static import static
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from replays.markup.text import esc, joined
from replays.presenters import Face
from replays.sprites import sprite_file

_sprites: dict[str, str] = {}


def sprite_url() -> str:
    """The address of the card sprite with the reader's letters on the courts; looked up once for each
    language, since a page shows many cards."""
    language = get_language() or ""
    if settings.DEBUG or language not in _sprites:
        _sprites[language] = static(f"replays/{sprite_file(language).name}")
    return _sprites[language]


@lru_cache(maxsize=4096)
def picture(sprite: str, face: Face, extra: str = "") -> SafeString:
    """A card as a picture out of a sprite (see `sprite_url`): for who has many of them to show."""
    classes = ["card", *([f"suit-{face.suit}"] if face.suit else []), *(f"is-{mark}" for mark in face.marks)]
    if extra:
        classes.append(extra)
    return joined(
        (
            f'<svg class="{esc(" ".join(classes))}" viewBox="0 0 100 160" role="img" ',
            f'aria-label="{esc(face.name)}"><use href="{esc(sprite)}#{esc(face.code)}"/></svg>',
        )
    )


def card(face: Face, extra: str = "") -> SafeString:
    """A card as a picture with its name for who can't see it; ``extra`` is a class name."""
    return picture(sprite_url(), face, extra)


def cards(faces: Iterable[Face]) -> SafeString:
    """Cards as the items of a list."""
    sprite = sprite_url()
    return joined(f"<li>{picture(sprite, face)}</li>" for face in faces)


def backs(count: int) -> SafeString:
    """So many face-down cards as the items of a list, for the eye alone."""
    one = (
        '<li><svg class="card" viewBox="0 0 100 160" aria-hidden="true">'
        f'<use href="{esc(sprite_url())}#back"/></svg></li>'
    )
    return joined((one * count,))
