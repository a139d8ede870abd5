"""The templates of the pages, in Jinja2: their filters and functions, and rendering of parts of a page. They
escape all values. (Django's own templates are used only for the admin, mails, and form controls.)"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache, partial
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.template import engines
from django.template.defaultfilters import filesizeformat
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.html import json_script
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from archive.database import storable
from replays.language import words
from replays.language.cards import face, pack
from replays.language.clauses import blocks, clause
from replays.language.verdicts import verdict
from replays.site.paths import path
from replays.site.sprites import sprite_file, symbols
from replays.site.versions import version_field
from tarock.view.cards import Face
from tarock.words import names as naming


def environment(**options: Any) -> Environment:
    """The environment of all templates: gettext in the reader's language, addresses, static files. Without a
    request there is no user and no message."""
    made = Environment(
        **{
            **options,
            "extensions": ["jinja2.ext.i18n"],
            "undefined": StrictUndefined,
            "trim_blocks": True,
            "lstrip_blocks": True,
        }
    )
    made.policies["ext.i18n.trimmed"] = True
    # The extension i18n gives the environment this method, which its type cannot know.
    made.install_gettext_callables(  # type: ignore[attr-defined]
        translation.gettext,
        translation.ngettext,
        newstyle=True,
        pgettext=translation.pgettext,
        npgettext=translation.npgettext,
    )
    made.globals.update(
        version_field=version_field,
        _=_translate,
        comma=words.comma,
        drawn=drawn,
        face=face,
        fixed=fixed,
        get_language=translation.get_language,
        languages=settings.LANGUAGES,
        messages=(),
        pack=pack,
        path=path,
        query=query,
        request=None,
        sprite=sprite,
        static=static,
        # Texts of django-allauth: under this name they are not gathered into the catalogues of the site.
        theirs=_translate,
        url=url,
        user=AnonymousUser(),
    )
    made.filters.update(
        blocks=blocks,
        clause=clause,
        colon=words.colon,
        comment=words.comment,
        contract=words.contract,
        cut=cut,
        day=words.day,
        filesizeformat=filesizeformat,
        first_sentence=words.first_sentence,
        game=words.game_name,
        grouped=grouped,
        in_role=words.in_role,
        json_script=json_script,
        label=naming.label,
        listed=words.listed,
        mean=words.mean,
        moment=words.moment,
        options=words.options,
        quoted=partial(quote, safe=""),
        role=words.ROLES.__getitem__,
        seat_name=words.seat_name,
        sense=words.sense,
        session_name=words.session_name,
        signed=words.points,
        storable=storable,
        verdict=verdict,
        with_symbols=with_symbols,
    )
    return made


_in_language = translation.gettext  # a name that is not looked for where messages are gathered


def _translate(message: str, **values: Any) -> Markup:
    """A message in the reader's language. The extension's own function puts values into every message, also
    into those that take none: 0.1 ms of a replay."""
    text = Markup(_in_language(message))
    return text % values if values else text


@lru_cache(maxsize=1024)
def url(name: str, *args: Any) -> str:
    """The address of any page by the name of its URL pattern; of those of `replays`, see `path`."""
    return reverse(name, args=args)


def query(request: HttpRequest, changes: dict[str, Any]) -> str:
    """The query of a page with some parts changed, or left out where they are None."""
    parts = request.GET.copy()
    for name, value in changes.items():
        if value is None:
            parts.pop(name, None)
        else:
            parts[name] = str(value)
    return f"?{parts.urlencode()}"


def grouped(choices: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, list[Any]]]:
    """The choices of a field of a form: the name of each group, empty without one, and what is in it."""
    for key, name in choices:
        yield (key, list(name)) if isinstance(name, list | tuple) else ("", [(key, name)])


def cut(text: str, most: int) -> str:
    """Return the beginning of a text that exceeds a number of characters."""
    return text if len(text) <= most else Truncator(text).chars(most)


def sprite() -> str:
    """The address of the picture of all cards, with the reader's letters on the courts."""
    return _sprite(translation.get_language())


@cache
def _sprite(language: str | None) -> str:
    # A page asks for it a hundred times: remembered, it saves 1 ms of an audit or a replay.
    return static(f"replays/{sprite_file(language).name}")


def with_symbols(html: str) -> SafeString:
    """Move the symbols of the cards that a page shows from the sprite into the page.

    Inside a sandboxed frame the sprite belongs to another origin, so browsers refuse to draw cards from it.
    """
    used = re.findall(rf'href="{re.escape(sprite())}#(\w+)"', html)
    faces = symbols(sprite_file(translation.get_language()))
    own = "".join(faces[name] for name in sorted({*used} & {*faces}))
    page = f'<svg class="symbols" aria-hidden="true">{own}</svg>{html.replace(f"{sprite()}#", "#")}'
    return mark_safe(page)  # noqa: S308 - the template has escaped it


def drawn(kind: str, faces: Iterable[Face]) -> SafeString:
    """Return the output of the macro with this name for each of these cards."""
    draw = _drawing(kind, translation.get_language())
    return mark_safe("".join([draw(face) for face in faces]))  # noqa: S308 - escaped there


@cache
def _drawing(kind: str, _language: str | None) -> Callable[[Face], SafeString]:
    # 54 cards cost 1.4 ms, remembered 0.05 ms. A card is some 200 bytes; the least used ones are forgotten.
    return lru_cache(maxsize=1024)(macro(kind))


def macro(name: str) -> Callable[..., SafeString]:
    """One of the macros in `templates/parts/macros.html`."""
    found: Callable[..., SafeString] = getattr(
        engines["jinja2"].env.get_template("parts/macros.html").module, name
    )
    return found


def fixed(name: str) -> SafeString:
    """A part that is the same in all pages of a language."""
    return _fixed(name, translation.get_language())


@cache
def _fixed(name: str, _language: str | None) -> SafeString:
    # A replay has three, 2.6 kB in a language; remembered till the process ends, they save 0.5 ms of it.
    return part(name, {})


def part(name: str, values: dict[str, Any]) -> SafeString:
    """A part of a page as HTML. `name`: its file in `templates/parts/`, without `.html`."""
    return mark_safe(written(f"{name}.html", values))  # noqa: S308 - escaped there


def written(name: str, values: dict[str, Any]) -> str:
    """A part as a text, to be escaped like any other where it is shown."""
    found: str = engines["jinja2"].get_template(f"parts/{name}").render(values)
    return found
