"""The command `manage.py messages`, which updates the message catalogues from the code. With `--check`, it
fails if they are outdated or not fully translated.

Django's `makemessages` and `compilemessages` need the programs of GNU gettext; Babel does not. The repository
contains both files of a catalogue, `.po` and `.mo`, so running the site does not even need Babel. The scripts
of each app have a separate catalogue, because the app's page contains it. Catalogues are sorted by message.
They name the files that use a message, to help translators, but not the lines, so that a catalogue seldom
changes unless a message does.
"""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir, extract_javascript
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from jinja2.ext import babel_extract

from replays.language.words import SAMPLE
from tarock.notation import read

ROOT = Path(__file__).resolve().parents[3]
LOCALE = ROOT / "replays" / "locale"
KEYWORDS = DEFAULT_KEYWORDS | {
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
# These options must match `replays.site.jinja.environment`.
JINJA = {
    "newstyle_gettext": "on",
    "trim_blocks": "on",
    "lstrip_blocks": "on",
    "trimmed": "on",
    "silent": "off",
}
PLACEHOLDER = re.compile(r"%\((\w+)\)[a-z]|\{(\w+)\}|%%")


def in_python(file: io.BytesIO, keywords: Any, tags: Any, options: Any) -> Iterator[Any]:
    """Yield the gettext calls in a module. Before Python 3.12, Babel's extractor misses calls within
    f-strings. It also skips messages that are not constants; this function raises ValueError for them."""
    for node in ast.walk(ast.parse(file.read())):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
            if name in keywords:
                texts = tuple(arg.value if isinstance(arg, ast.Constant) else None for arg in node.args)
                if not isinstance(texts[0], str):
                    raise ValueError(f"line {node.lineno}: {name}() of something that is no constant")
                yield node.lineno, name, texts if len(texts) > 1 else texts[0], []


def in_script(file: io.BytesIO, keywords: Any, tags: Any, options: Any) -> Iterator[Any]:
    """Yield the gettext calls in a script. Babel's extractor skips calls in template literals, and messages
    that are not constants; this function raises ValueError for both."""
    script = file.read()
    found = list(extract_javascript(io.BytesIO(script), keywords, tags, options))
    calls = len(re.findall(rb"(?<!function )\bp?gettext\(", script))
    if len(found) != calls:
        raise ValueError(f"{calls - len(found)} calls of gettext in a template literal, or of no constant")
    yield from found


def in_sample(file: io.BytesIO, keywords: Any, tags: Any, options: Any) -> Iterator[Any]:
    """Yield the comments of a sample deal, which pages translate (`language.words.comment`)."""
    for entry in read(file.read().decode()):
        for comments in entry.record.comments.values() if entry.record else ():
            for comment in comments:
                yield 1, "pgettext", (SAMPLE, comment), []


METHODS: dict[str, list[tuple[str, Any]]] = {
    "django": [
        ("deploy/samples/*.tgn", in_sample),
        *((f"{part}/**.py", in_python) for part in ("archive", "replays", "api", "deploy")),
        *((f"templates/**.{end}", babel_extract) for end in ("html", "txt")),
    ],
    **{
        app: [(f"replays/static/replays/{path}.js", in_script) for path in ("app", f"{app}/*")]
        for app in ("board", "evening")
    },
}
"""Source files and their extractors, by domain: one domain for the server, and one for each app's scripts."""


def messages(domain: str, root: Path = ROOT) -> Catalog:
    """Return all messages of a domain, untranslated."""
    catalog = Catalog()
    calls = extract_from_dir(root, METHODS[domain], {"templates/**": JINJA}, KEYWORDS)
    for file, _line, text, _comments, context in calls:
        catalog.add(text, locations=[(file, 0)], context=context)
    return catalog


def renewed(domain: str, language: str, current: Catalog) -> Catalog:
    """Return the catalogue of a language with exactly the current messages, keeping their translations."""
    path = LOCALE / language / "LC_MESSAGES" / f"{domain}.po"
    if path.exists():
        catalog = read_po(io.BytesIO(path.read_bytes()), locale=language)
    else:
        catalog = Catalog(language, project="tarock-archive", version="1")
    catalog.update(current, no_fuzzy_matching=True, update_creation_date=False)
    return catalog


def files(domain: str, catalog: Catalog) -> dict[str, bytes]:
    """Map the names of a catalogue's two files to their contents."""
    po, mo = io.BytesIO(), io.BytesIO()
    write_po(po, catalog, width=110, include_lineno=False, sort_output=True, ignore_obsolete=True)
    write_mo(mo, catalog)
    return {f"{domain}.po": po.getvalue(), f"{domain}.mo": mo.getvalue()}


def _forms(message: object) -> list[str]:
    """Return the texts of a message or a translation, one per plural form."""
    if isinstance(message, str):
        return [message]
    return [text for text in message if isinstance(text, str)] if isinstance(message, list | tuple) else []


def faults(message: Message, forms: int) -> Iterator[str]:
    """Yield a description of each fault in a translation. `forms`: number of the language's plural forms."""
    if message.fuzzy:
        yield "is marked fuzzy"
    given = _forms(message.string)
    if not all(given) or len(given) != (forms if message.pluralizable else 1):
        yield "is not translated"
        return
    wanted = set(PLACEHOLDER.findall(" ".join(_forms(message.id))))
    for text in given:
        placed = set(PLACEHOLDER.findall(text))
        # A plural form may write the number as a word (“one trick”), so allow it to lack a placeholder.
        if not placed <= wanted or (not message.pluralizable and placed != wanted):
            yield f"has other placeholders than the original: {text!r}"


class Command(BaseCommand):
    """Update or check the message catalogues."""

    help = "Update the message catalogues (.po and .mo), or --check that they are complete and current."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add `--check`, which fails if a file would change or a message is not translated."""
        parser.add_argument("--check", action="store_true", help="only check; fail if outdated or incomplete")

    def handle(self, *args: Any, check: bool = False, **options: Any) -> None:
        """Update or check the catalogues of all languages except the source language."""
        found = {domain: messages(domain) for domain in METHODS}
        languages = [language for language, _name in settings.LANGUAGES if language != settings.LANGUAGE_CODE]
        wrong = [
            fault
            for domain, language in product(found, languages)
            for fault in self._renew(domain, language, found[domain], check)
        ]
        report = "\n".join([*wrong[:200], f"{len(wrong)} faults in the message catalogues"])
        if wrong and check:
            raise CommandError(report)
        self.stdout.write(report if wrong else f"{sum(map(len, found.values()))} messages, all translated")

    def _renew(self, domain: str, language: str, current: Catalog, check: bool) -> Iterator[str]:
        """Update or check a catalogue, and yield the faults in it."""
        catalog = renewed(domain, language, current)
        for message in catalog:
            if message.id:
                for fault in faults(message, catalog.num_plurals):
                    yield f"{language}: {message.id!r} {fault}"
        for name, content in files(domain, catalog).items():
            path = LOCALE / language / "LC_MESSAGES" / name
            if path.exists() and path.read_bytes() == content:
                continue
            if check:
                yield f"{language}: {name} is not up to date: run `manage.py messages`"
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
