"""The long parts of pages (the table, the moves, the chart, the audit): Jinja2 templates in
`templates/parts/`, which escape whatever is put into them. The pages round them are Django's templates;
`{% part %}` puts one in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache, partial
from typing import Any

from django.template import engines
from django.templatetags.static import static
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from replays import words
from replays.cards import Face, pack
from replays.clauses import blocks
from replays.paths import path
from replays.pictures.sprites import sprite_file
from replays.verdicts import verdict


def environment(**options: Any) -> Environment:
    """The environment that all parts share: gettext in the reader's language, addresses, static files."""
    made = Environment(
        **{
            **options,
            "extensions": ["jinja2.ext.i18n"],
            "undefined": StrictUndefined,
            "trim_blocks": True,
            "lstrip_blocks": True,
        }
    )
    # The extension i18n gives the environment this method, which its type cannot know.
    made.install_gettext_callables(  # type: ignore[attr-defined]
        translation.gettext,
        translation.ngettext,
        newstyle=True,
        pgettext=translation.pgettext,
        npgettext=translation.npgettext,
    )
    made.globals.update(
        _=_said, path=path, static=static, sprite=sprite, comma=words.comma, pack=pack, drawn=drawn
    )
    made.filters.update(
        blocks=blocks,
        colon=words.colon,
        contract=words.contract,
        cut=cut,
        day=words.day,
        game=words.game_name,
        grouped=grouped,
        label=words.label,
        listed=words.listed,
        moment=words.moment,
        sense=words.sense,
        signed=words.points,
        verdict=verdict,
    )
    return made


_in_language = translation.gettext  # a name that is not looked for where messages are gathered


def _said(message: str, **values: Any) -> Markup:
    """A message in the reader's language. The extension's own function puts values into every message, also
    into those that take none: 0.1 ms of a replay."""
    said = Markup(_in_language(message))
    return said % values if values else said


def grouped(choices: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, list[Any]]]:
    """The choices of a field of a form: the name of each group, empty without one, and what is in it."""
    for key, name in choices:
        yield (key, list(name)) if isinstance(name, list | tuple) else ("", [(key, name)])


def cut(text: str, most: int) -> str:
    """The beginning of a text that is longer than so many characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def sprite() -> str:
    """The address of the picture of all cards, with the reader's letters on the courts."""
    return _sprite(translation.get_language())


@cache
def _sprite(language: str | None) -> str:
    # A page asks for it a hundred times: remembered, it saves 1 ms of an audit or a replay.
    return static(f"replays/{sprite_file(language).name}")


def drawn(kind: str, faces: Iterable[Face]) -> SafeString:
    """What the macro of this name makes of each of these cards."""
    draw = _drawing(kind, translation.get_language())
    return mark_safe("".join([draw(face) for face in faces]))  # noqa: S308 - escaped there


@cache
def _drawing(kind: str, _language: str | None) -> Callable[[Face], SafeString]:
    # 54 cards cost 1.4 ms, remembered 0.05 ms. A card is some 200 bytes; the least used ones are forgotten.
    return lru_cache(maxsize=1024)(partial(macro, kind))


def part(name: str, values: dict[str, Any]) -> SafeString:
    """A part of a page as HTML. ``name``: its file in `templates/parts/`, without ``.jinja``."""
    return mark_safe(written(name, values))  # noqa: S308 - escaped there


def fixed(name: str) -> SafeString:
    """A part that is the same in all pages of a language."""
    return _fixed(name, translation.get_language())


@cache
def _fixed(name: str, _language: str | None) -> SafeString:
    # A replay has three, 2.6 kB in a language; remembered till the process ends, they save 0.5 ms of it.
    return part(name, {})


def written(name: str, values: dict[str, Any]) -> str:
    """The same as a text, to be escaped like any other where it is shown."""
    found: str = engines["parts"].get_template(f"{name}.jinja").render(values)
    return found


def macro(name: str, *given: Any) -> SafeString:
    """What one of the macros in `templates/parts/macros.jinja` writes, for Django's templates."""
    return getattr(engines["parts"].env.get_template("macros.jinja").module, name)(*given)
