"""The Jinja2 environment of all pages, and rendering of single parts. Templates escape all values. (Only the
admin, mails, and form controls use Django's own templates.)"""

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
from replays.language.terms import all_terms, explained_terms, with_terms
from replays.language.verdicts import verdict
from replays.site.paths import deals_url, path
from replays.site.sprites import sprite_file, symbols
from replays.site.versions import version_field
from tarock.view.cards import Face
from tarock.words import names as naming


def environment(**options: Any) -> Environment:
    """Return the environment of all templates. Without a request, the user is anonymous."""
    options.update(
        extensions=["jinja2.ext.i18n"], undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made = Environment(**options)
    made.policies["ext.i18n.trimmed"] = True
    # The i18n extension adds this method at run time, so type checkers don't know it.
    made.install_gettext_callables(  # type: ignore[attr-defined]
        translation.gettext,
        translation.ngettext,
        newstyle=True,
        pgettext=translation.pgettext,
        npgettext=translation.npgettext,
    )
    made.globals.update(
        version_field=version_field,
        all_terms=all_terms,
        _=_translate,
        comma=words.comma,
        count_labels=words.COUNTS,
        deals_url=deals_url,
        drawn=drawn,
        explained_terms=explained_terms,
        face=face,
        fixed=fixed,
        get_language=translation.get_language,
        languages=settings.LANGUAGES,
        messages=(),
        months_of=words.months_of,
        pack=pack,
        path=path,
        query=query,
        request=None,
        sprite=sprite,
        static=static,
        # Translate django-allauth's texts under a name that the extraction of the site's messages ignores.
        theirs=_translate,
        url=url,
        user=AnonymousUser(),
    )
    made.filters.update(
        amount=words.amount,
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
        quoted=partial(quote, safe=""),
        role=words.ROLES.__getitem__,
        rules=words.rules_name,
        seat_name=words.seat_name,
        sense=words.sense,
        session_name=words.session_name,
        session_title=words.session_title,
        signed=words.points,
        money=words.money,
        storable=storable,
        terms=with_terms,
        unit=words.unit,
        verdict=verdict,
        with_symbols=with_symbols,
    )
    return made


_in_language = translation.gettext  # Use another name, so that the call below is not extracted as a message.


def _translate(message: str, **values: Any) -> Markup:
    """Return a message in the reader's language. The extension's own function formats every message, even
    without values, which costs a replay 0.1 ms."""
    text = Markup(_in_language(message))
    return text % values if values else text


@lru_cache(maxsize=1024)
def url(name: str, *args: Any) -> str:
    """Return the URL of any page by the name of its URL pattern. For pages of `replays`, see `path`."""
    return reverse(name, args=args)


def query(request: HttpRequest, changes: dict[str, Any]) -> str:
    """Return the query string of the page with these changes. Parameters set to None are removed."""
    parts = request.GET.copy()
    for name, value in changes.items():
        if value is None:
            parts.pop(name, None)
        else:
            parts[name] = str(value)
    return f"?{parts.urlencode()}"


def grouped(choices: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, list[Any]]]:
    """Yield each group of a field's choices as the group's name and its choices. The name is empty for
    ungrouped choices."""
    for key, name in choices:
        yield (key, list(name)) if isinstance(name, list | tuple) else ("", [(key, name)])


def cut(text: str, most: int) -> str:
    """Return a text, cut to at most `most` characters."""
    return text if len(text) <= most else Truncator(text).chars(most)


def sprite() -> str:
    """Return the URL of the sprite of all cards with the court letters of the reader's language."""
    return _sprite(translation.get_language())


@cache
def _sprite(language: str | None) -> str:
    # A page needs the URL a hundred times, so cache it. This saves 1 ms per audit or replay.
    return static(f"replays/{sprite_file(language).name}")


def with_symbols(html: str) -> SafeString:
    """Copy the card symbols that a page uses from the sprite into the page itself.

    Inside a sandboxed frame the sprite belongs to another origin, so browsers refuse to draw cards from it.
    """
    used = re.findall(rf'href="{re.escape(sprite())}#(\w+)"', html)
    faces = symbols(sprite_file(translation.get_language()))
    own = "".join(faces[name] for name in sorted({*used} & {*faces}))
    page = f'<svg class="symbols" aria-hidden="true">{own}</svg>{html.replace(f"{sprite()}#", "#")}'
    return mark_safe(page)  # noqa: S308 - the template has escaped it


def drawn(kind: str, faces: Iterable[Face]) -> SafeString:
    """Return the concatenated output of the macro `kind` for each of these cards."""
    draw = _drawing(kind, translation.get_language())
    return mark_safe("".join([draw(face) for face in faces]))  # noqa: S308 - escaped there


@cache
def _drawing(kind: str, _language: str | None) -> Callable[[Face], SafeString]:
    # Drawing 54 cards takes 1.4 ms, or 0.05 ms with the cache. A cached card takes about 200 bytes, so limit
    # the number of cards.
    return lru_cache(maxsize=1024)(macro(kind))


def macro(name: str) -> Callable[..., SafeString]:
    """Return a macro in `templates/parts/macros.html`."""
    found: Callable[..., SafeString] = getattr(
        engines["jinja2"].env.get_template("parts/macros.html").module, name
    )
    return found


def fixed(name: str) -> SafeString:
    """Return a part that is the same on all pages in a language, rendered only once."""
    return _fixed(name, translation.get_language())


@cache
def _fixed(name: str, _language: str | None) -> SafeString:
    # A replay has three such parts (2.6 kB per language). Cache them forever to save 0.5 ms per replay.
    return part(name, {})


def part(name: str, values: dict[str, Any]) -> SafeString:
    """Return a part of a page as HTML. `name`: its file in `templates/parts/`, without `.html`."""
    return mark_safe(written(f"{name}.html", values))  # noqa: S308 - escaped there


def written(name: str, values: dict[str, Any]) -> str:
    """Return a part of a page as plain text. Callers must escape it to use it as HTML."""
    found: str = engines["jinja2"].get_template(f"parts/{name}").render(values)
    return found
