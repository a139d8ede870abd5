"""The long parts of pages (the table, the moves, the chart, the audit): Jinja2 templates in
`templates/parts/`, which escape whatever is put into them. The pages round them are Django's templates;
`{% part %}` puts one in.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from django.template import engines
from django.templatetags.static import static
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe
from jinja2 import Environment, StrictUndefined

from replays import words
from replays.clause_text import blocks
from replays.paths import path
from replays.pictures.sprites import sprite_file


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
    made.install_gettext_callables(  # type: ignore[attr-defined]
        translation.gettext,
        translation.ngettext,
        newstyle=True,
        pgettext=translation.pgettext,
        npgettext=translation.npgettext,
    )
    made.globals.update(path=path, static=static, sprite=sprite, comma=comma)
    made.filters.update(
        blocks=blocks, label=words.label, listed=words.listed, day=words.day, moment=words.moment
    )
    return made


def comma() -> str:
    """What stands between the things of a list."""
    return str(words.of()["comma"])


def sprite() -> str:
    """The address of the picture of all cards, with the reader's letters on the courts."""
    return _sprite(translation.get_language())


@cache
def _sprite(language: str | None) -> str:
    # A page asks for it a hundred times: remembered, it saves 1 ms of an audit or a replay.
    return static(f"replays/{sprite_file(language).name}")


def part(name: str, values: dict[str, Any]) -> SafeString:
    """A part of a page as HTML. ``name``: its file in `templates/parts/`, without ``.jinja``."""
    return mark_safe(written(name, values))  # noqa: S308 - escaped there


def written(name: str, values: dict[str, Any]) -> str:
    """The same as a text, to be escaped like any other where it is shown."""
    found: str = engines["parts"].get_template(f"{name}.jinja").render(values)
    return found


def macro(name: str, *given: Any) -> SafeString:
    """What one of the macros in `templates/parts/macros.jinja` writes, for Django's templates."""
    return getattr(engines["parts"].env.get_template("macros.jinja").module, name)(*given)
