"""The sentences of lines, notes, happenings, findings and faults: none is missing, none is left over, and
every language has the same."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tarock.analysis import audit
from tarock.analysis.verify import check
from tarock.notation import read_one
from tarock.words import sentences
from tarock.words.clauses import LANGUAGES, book_names
from tarock.words.sentences import KINDS, Names, fill
from tests.engine.driver import TABLES, deals
from tests.engine.worked import WORKED
from tests.engine.wrong import WRONG
from tests.support.effort import EVERY
from tests.texts.test_clauses import SENTENCES, SOURCE, data_of

GROUPS = ("lines", "notes", "happenings", "findings", "plays")
PLACE = re.compile(r"\{(\w+)(?:\.(?:nom|acc|dat))?(?::([^{}]*))?\}")
#: So many forms of a noun go with numbers.
FORMS = {"en": 2, "de": 2, "cs": 3, "ja": 1}

#: (book, group, slug or nothing, key) → sentence.
Table = dict[tuple[str, str, str, str], str]


@cache
def table(language: str) -> Table:
    found: Table = {}
    for game in book_names():
        for slug, entry in data_of(game, language).items():
            if slug in SENTENCES:
                found |= {(game, slug, "", key): text for key, text in entry.items()}
            elif slug[0] != "_":
                for group in GROUPS:
                    for key, text in entry.get(group, {}).items():
                        found[game, group, slug, key] = text
    return found


def words_of(node: ast.AST | None) -> Iterator[str]:
    """The words that an expression can be, if written out: `a`, `a if x else b`, `(a, *b)`."""
    if isinstance(node, ast.Constant) and node.value:
        yield str(node.value)
    elif isinstance(node, ast.IfExp | ast.Tuple | ast.Starred):
        for part in ast.iter_child_nodes(node):
            if part is not getattr(node, "test", None):
                yield from words_of(part)


#: Constructor of a message: name → (group, place of the clause, place of the key).
MAKERS = {
    "Illegal": ("findings", 0, 1),
    "ScoreLine": ("lines", 0, 3),
    "Note": ("notes", 0, 1),
    "happened": ("happenings", 0, 1),
    "_won": ("lines", 1, 5),
    "_each": ("lines", 1, 5),
    "_hand_over": ("happenings", 3, 4),
}
#: Functions that report an error of an input, or make a sentence, and the place of its key.
FAULTS = {"Malformed": 0, "_Fault": 0, "_fault": 0, "unlisted": 0, "Impossible": 2, "_at": 1, "_finding": 1,
          "Finding": 0, "Sentence": 0}  # fmt: skip


def made() -> Iterator[tuple[str, str, str]]:
    """Everything made in the code under a clause or as a fault: (group, clause, key)."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            arguments = dict(enumerate(node.args))
            if name in MAKERS:
                group, clause_at, key_at = MAKERS[name]
                for clause in words_of(arguments.get(clause_at)):
                    yield from ((group, clause, key) for key in words_of(arguments.get(key_at)))
            elif name in FAULTS:
                group = "_tables" if name == "Sentence" else "_faults"
                yield from ((group, "", key) for key in words_of(arguments.get(FAULTS[name])))


def test_everything_made_in_the_code_has_its_sentence() -> None:
    found = {*made()}
    assert len(found) > 150
    assert found <= {(group, slug, key) for _, group, slug, key in table("en")}


def test_quantities_are_of_a_known_kind() -> None:
    used = {place[1] for text in table("en").values() for place in PLACE.finditer(text)}
    assert set(KINDS) <= used


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_sentences_with_the_same_quantities(language: str) -> None:
    assert set(table(language)) == set(table("en"))
    for key, text in table(language).items():
        english = table("en")[key]
        found = {place[1] for place in PLACE.finditer(text)}
        assert found == {place[1] for place in PLACE.finditer(english)}, (key, text)
        for place in PLACE.finditer(text):
            assert place[2] is None or place[2].count("/") + 1 == FORMS[language], (key, text)
        assert text == text.strip() != ""
        assert PLACE.sub("", text).count("{") == 0, (key, text)


def test_forms_of_nouns() -> None:
    for language, text, expected in (
        ("en", "{n:# card/# cards}", "0 cards, 1 card, 2 cards, 5 cards, −1 cards"),
        ("de", "{n:# Karte/# Karten}", "0 Karten, 1 Karte, 2 Karten, 5 Karten, −1 Karten"),
        ("cs", "{n:# karta/# karty/# karet}", "0 karet, 1 karta, 2 karty, 5 karet, −1 karet"),
        ("ja", "{n:#枚}", "0枚, 1枚, 2枚, 5枚, −1枚"),
    ):
        names = Names("taroky", language)
        assert ", ".join(fill(text, {"n": n}, names) for n in (0, 1, 2, 5, -1)) == expected


def said(found: object, game: str) -> list[str]:
    """A line, note, happening or finding in every language."""
    put = {
        "ScoreLine": sentences.line,
        "Note": sentences.note,
        "Happening": sentences.happening,
        "Finding": sentences.finding,
    }[type(found).__name__]
    texts = [put(found, Names(game, language)) for language in LANGUAGES]  # type: ignore[operator]
    for text in texts:
        assert text
        unsaid = re.search(r"[{}]|None|\[|'[a-z]+'", text.replace(str(getattr(found, "values", "")), ""))
        assert not unsaid, text
    return texts


def test_what_deals_bring_about_is_said_in_every_language() -> None:
    """Sensible and wild deals of every table, and the hand-worked ones: every line, note and happening can be
    said, differently in each language."""
    kinds = set()
    records = [r for game, players in TABLES for r in deals(game, players, 40 // EVERY)]
    for record in [*records, *(read_one(w.text) for w in WORKED.values())]:
        result = check(record)
        for found in (*result.lines, *audit.notes(record), *result.happenings):
            said_of = getattr(found, "sentences", getattr(found, "kind", ""))
            kind = (type(found).__name__, found.clause, said_of)
            if kind not in kinds:
                kinds.add(kind)
                texts = said(found, record.game)
                assert len(set(texts)) == len(LANGUAGES), texts
        assert all(sentences.heading(result.facts, Names(record.game, code)) for code in LANGUAGES) or (
            record.game == "grosstarock"
        )
    assert len(kinds) > 90


def test_what_is_wrong_is_said_in_every_language() -> None:
    for wrong, build, _ in WRONG:
        found = build().verdict()
        assert len(set(said(found.error, str(found.game)))) == len(LANGUAGES), wrong
