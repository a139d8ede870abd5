"""The message catalogues: `manage.py messages` renews them, with `--check` it holds them to the code.

Django's own `makemessages` and `compilemessages` call GNU gettext's programs, which a bare machine does not
have. This command finds the strings with the parsers of Python, Django and Jinja, and writes the same files
(`replays/locale/*/LC_MESSAGES/django.po` and `.mo`) with polib. Both are in the repository, so that whoever
runs the site needs neither gettext nor polib.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.template import Template, engines
from django.template.base import Variable
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

ROOT = Path(__file__).resolve().parents[3]
LOCALE = ROOT / "replays" / "locale"
CODE = ("archive", "replays", "api", "deploy")
TEMPLATES = ("templates", "api/templates")
PARTS = "templates/parts"
PLURALS = {
    "de": "nplurals=2; plural=(n != 1);",
    "cs": "nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;",
    "ja": "nplurals=1; plural=0;",
}
# Function → places of context, singular and plural among its arguments.
CALLS: dict[str, tuple[int | None, int, int | None]] = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop"), (None, 0, None)),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (None, 0, 1)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), (0, 1, None)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), (0, 1, 2)),
}
PLACEHOLDER = re.compile(r"%\((\w+)\)[a-z]|%%")


class Message(NamedTuple):
    """A string that has to be translated: its context, itself, and its plural, if it has these."""

    context: str | None
    text: str
    plural: str | None


def in_python(source: str) -> Iterator[Message]:
    """The strings that a module hands to gettext. ValueError where one is no constant, so not to be found."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for node in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name not in CALLS:
            continue
        parts: list[str | None] = []
        for place in CALLS[name]:
            value = node.args[place] if place is not None and place < len(node.args) else None
            if place is not None and not (isinstance(value, ast.Constant) and isinstance(value.value, str)):
                raise ValueError(f"line {node.lineno}: {name}() of something that is no constant string")
            parts.append(value.value if isinstance(value, ast.Constant) else None)
        context, text, plural = parts
        assert text is not None
        yield Message(context, text, plural)


def in_template(source: str) -> Iterator[Message]:
    """The strings of a template's `translate` and `blocktranslate` tags, as Django will ask for them."""
    template = Template(source, engine=engines["django"].engine)
    for node in template.nodelist.get_nodes_by_type((TranslateNode, BlockTranslateNode)):
        context = getattr(node.message_context, "var", None)
        if isinstance(node, TranslateNode):
            found = node.filter_expression.var
            literal = found.literal if isinstance(found, Variable) else found
            if not isinstance(literal, str):
                raise ValueError(f"{{% translate {found} %}} is no constant string")
            yield Message(context, literal.replace("%", "%%"), None)
        else:
            plural = node.render_token_list(node.plural)[0] if node.plural else None
            yield Message(context, node.render_token_list(node.singular)[0], plural)


def in_part(source: str) -> Iterator[Message]:
    """The strings that a Jinja template hands to gettext."""
    env = engines["parts"].env
    for line, name, found in env.extract_translations(source, gettext_functions=tuple(CALLS)):
        given = found if isinstance(found, tuple) else (found,)
        context, text, plural = (None if place is None else given[place] for place in CALLS[name])
        if text is None:
            raise ValueError(f"line {line}: {name}() of something that is no constant string")
        yield Message(context, text, plural)


def messages() -> dict[Message, list[str]]:
    """Every string of the project, with the files that it stands in."""
    found: dict[Message, list[str]] = {}
    files = [(path, in_python) for part in CODE for path in sorted((ROOT / part).rglob("*.py"))]
    files += [(path, in_template) for part in TEMPLATES for path in sorted((ROOT / part).rglob("*.html"))]
    files += [(path, in_part) for path in sorted((ROOT / PARTS).glob("*.jinja"))]
    for path, reader in files:
        name = path.relative_to(ROOT).as_posix()
        try:
            listed = list(reader(path.read_text(encoding="utf-8")))
        except (ValueError, SyntaxError) as error:
            raise CommandError(f"{name}: {error}") from error
        for message in listed:
            places = found.setdefault(message, [])
            if name not in places:
                places.append(name)
    # A string that stands alone and, elsewhere, with a plural is one entry, as gettext has it.
    plurals = {(m.context, m.text): m for m in found if m.plural}
    for message in [m for m in found if not m.plural and (m.context, m.text) in plurals]:
        found[plurals[message.context, message.text]] += found.pop(message)
    return found


def faults(entry: Any, forms: int) -> Iterator[str]:
    """What is wrong with one translation."""
    if entry.fuzzy:
        yield "is marked fuzzy"
    given = [entry.msgstr_plural.get(n, "") for n in range(forms)] if entry.msgid_plural else [entry.msgstr]
    if not all(given):
        yield "is not translated"
        return
    wanted = set(PLACEHOLDER.findall(entry.msgid)) | set(PLACEHOLDER.findall(entry.msgid_plural or ""))
    for text in given:
        placed = set(PLACEHOLDER.findall(text))
        # Where there are plurals a form may say the number in words (“one trick”).
        if not placed <= wanted or (not entry.msgid_plural and placed != wanted):
            yield f"has other placeholders than the original: {text!r}"
        if entry.msgid.strip() and (entry.msgid[0] == "\n", entry.msgid[-1] == "\n") != (
            text[0] == "\n",
            text[-1] == "\n",
        ):
            yield f"begins or ends otherwise than the original: {text!r}"


def renewed(language: str, found: dict[Message, list[str]]) -> Any:
    """The catalogue of a language with exactly the strings found; what was translated stays so."""
    import polib

    path = LOCALE / language / "LC_MESSAGES" / "django.po"
    old = polib.pofile(str(path)) if path.exists() else []
    known = {(e.msgctxt, e.msgid): e for e in old if not e.obsolete}
    new = polib.POFile(wrapwidth=110)
    new.metadata = {
        "Project-Id-Version": "tarock-archive",
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": PLURALS[language],
    }
    forms = int(re.findall(r"\d+", PLURALS[language])[0])
    for message, places in found.items():
        entry = polib.POEntry(
            msgctxt=message.context,
            msgid=message.text,
            msgid_plural=message.plural or "",
            occurrences=[(place, "") for place in places],
        )
        if PLACEHOLDER.search(message.text + (message.plural or "")):
            entry.flags.append("python-format")
        before = known.get((message.context, message.text))
        if before is not None and before.fuzzy:
            entry.flags.append("fuzzy")
        if message.plural:
            strings = before.msgstr_plural if before is not None else {}
            entry.msgstr_plural = {n: strings.get(n, "") for n in range(forms)}
        elif before is not None:
            entry.msgstr = before.msgstr
        new.append(entry)
    return new


class Command(BaseCommand):
    """Renews the message catalogues, or checks them."""

    help = "Renew the message catalogues (.po and .mo), or --check that they are whole and up to date."

    def add_arguments(self, parser: CommandParser) -> None:
        """`--check`: write nothing, fail if anything would change or is not translated."""
        parser.add_argument("--check", action="store_true", help="write nothing; fail where work is left")

    def handle(self, *args: Any, check: bool = False, **options: Any) -> None:
        """All languages but the one that the strings are written in."""
        found = messages()
        wrong: list[str] = []
        for language, _name in settings.LANGUAGES:
            if language == settings.LANGUAGE_CODE:
                continue
            catalogue = renewed(language, found)
            folder = LOCALE / language / "LC_MESSAGES"
            forms = int(re.findall(r"\d+", PLURALS[language])[0])
            wrong += [f"{language}: {e.msgid!r} {fault}" for e in catalogue for fault in faults(e, forms)]
            for name, content in (
                ("django.po", str(catalogue).encode() + b"\n"),
                ("django.mo", catalogue.to_binary()),
            ):
                path = folder / name
                if path.exists() and path.read_bytes() == content:
                    continue
                if check:
                    wrong.append(f"{language}: {name} is not up to date: run `manage.py messages`")
                else:
                    folder.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content)
        if wrong:
            raise CommandError("\n".join([*wrong[:200], f"{len(wrong)} faults in the message catalogues"]))
        self.stdout.write(f"{len(found)} strings, all translated")
