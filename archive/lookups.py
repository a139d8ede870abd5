"""Search indexes that Django doesn't support: for substrings, and for the clauses that deals cite.

A text is searched by its folded form, in which different spellings of a letter are the same. The columns
contain the `searchable` form, which keeps similar names apart; the indexes contain the folded form. On
PostgreSQL the indexes are trigram indexes on an expression (`Folded`). On SQLite they are separate search
tables, which triggers keep up to date (`archive.triggers`); a search first reads ids from these tables.
"""

# ruff: noqa: S608 - all names are our own

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any, NamedTuple
from unicodedata import normalize

from django.db import connection, models
from django.db.models import Q
from django.db.models.lookups import In

from archive.fields import searchable

BLOCK = 8192
"""Number of consecutive deal ids in a block. The deals of a block share one index entry per clause."""

CITED = (
    "string_to_array(rtrim(regexp_replace(clauses || ' ', '(=[^ ]*)? ',"
    f" '@' || (id / {BLOCK})::text || ' ', 'g')), ' ')"
)
"""Indexed expression on PostgreSQL: the clauses that a deal cites, each with the deal's block number."""

HELD = (
    f"string_to_array(rtrim(regexp_replace(hands, '.(...)',"
    f" game::text || '\\1@' || (id / {BLOCK})::text || ' ', 'g')), ' ')"
)
"""Indexed expression on PostgreSQL: the hands of a deal (`archive.hands.Hand.words`), each with the deal's
block number."""

WORDS: dict[str, tuple[str, ...]] = {"archive_deal": ("clauses",)}
"""Columns with a word index on SQLite, by table."""

TRIGRAMS = {
    "archive_contribution": ("event_search", "site_search", "text_search"),
    "archive_session": ("search_name",),
    "archive_player": ("search_name",),
}
"""Columns with a trigram index for substring search, by table."""

MOST_LISTED = 500
"""Maximum number of ids listed in a query condition."""


# --- the folded form ----------------------------------------------------------------------------------------

APOSTROPHES = "'`´‘’′ʼ＇"

DIGRAPHS = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a"))
"""Digraphs that people type for letters with diacritics (“ae” for “ä”), each with the base letter."""

_WITHOUT_APOSTROPHES = str.maketrans("", "", APOSTROPHES)

_WRITTEN_OUT = str.maketrans({"ä": "ae", "æ": "ae", "ö": "oe", "ø": "oe", "œ": "oe", "ü": "ue", "å": "aa"})


def bare(text: str) -> str:
    """Return the `searchable` form of a text, without apostrophes."""
    return searchable(text).translate(_WITHOUT_APOSTROPHES)


def folded(text: str) -> str:
    """Return the folded form, which is the same for Müller, Mueller and Muller, for Århus and Aarhus, and for
    O’Brien and OBrien. Different names can have the same folded form, too, for example Michal and Michael."""
    text = bare(text)
    for digraph, letter in DIGRAPHS:
        text = text.replace(digraph, letter)
    return text


def spellings(name: str) -> list[set[str]]:
    """Return the `bare` spellings of each word in a name: without diacritical marks, and with digraphs in
    place of the letters with marks. Two names count as the same if every word has a spelling in common."""
    written_out = normalize("NFC", name.casefold()).translate(_WRITTEN_OUT)
    return [set(words) for words in zip(bare(name).split(), bare(written_out).split(), strict=True)]


class Bare(models.Transform):
    """Convert a column in `searchable` form to `bare` form, for example `search_name__bare`."""

    lookup_name = "bare"

    def as_sql(self, compiler: Any, connection: Any, **_context: Any) -> tuple[str, Any]:
        column, parameters = compiler.compile(self.lhs)
        return self.sql(column), parameters

    @staticmethod
    def sql(column: str) -> str:
        for apostrophe in APOSTROPHES:
            column = f"replace({column}, {_literal(apostrophe)}, '')"
        return column


class Folded(Bare):
    """Convert a column in `searchable` form to `folded` form, for example `search_name__folded`."""

    lookup_name = "folded"

    @staticmethod
    def sql(column: str) -> str:
        column = Bare.sql(column)
        for digraph, letter in DIGRAPHS:
            column = f"replace({column}, '{digraph}', '{letter}')"
        return column


class AnyOf(In):
    """`IN` for hundreds of values, for example `digest__any_of`. PostgreSQL gets them as one array, so that
    the statement is the same for any number of them: without this, storing a deal takes 15 µs longer."""

    lookup_name = "any_of"

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        column, parameters = self.process_lhs(compiler, connection)
        return f"{column} = ANY(%s)", [*parameters, list(self.rhs)]


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


for _field in (models.CharField, models.TextField):
    for _transform in (Bare, Folded):
        _field.register_lookup(_transform)
models.Field.register_lookup(AnyOf)


# --- searching ----------------------------------------------------------------------------------------------


def newest_citing(clause: str, most: int) -> list[int]:
    """Return the ids of at most `most` deals that cite a clause, latest first."""
    if connection.vendor == "postgresql":
        return _newest(CITED, [clause], most)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT rowid FROM archive_deal_words WHERE archive_deal_words MATCH %s"
            " ORDER BY rowid DESC LIMIT %s",
            [f'"{clause}"', most],
        )
        return [pk for (pk,) in cursor.fetchall()]


def newest_holding(words: Sequence[str], pattern: str, most: int, after: int) -> list[int]:
    """Return the ids of at most `most` deals after this id in which a seat has a hand, latest first. `words`,
    `pattern`: of the hand (`archive.hands.Hand`), the words with the numbers of the games."""
    if connection.vendor == "postgresql":
        return _newest(HELD, words, most, pattern, after)
    with connection.cursor() as cursor:
        games = ", ".join(sorted({word[0] for word in words}))
        cursor.execute(
            f"SELECT id FROM archive_deal WHERE game IN ({games}) AND hands REGEXP %s AND id > %s"
            " ORDER BY id DESC LIMIT %s",
            [pattern, after, most],
        )
        return [pk for (pk,) in cursor.fetchall()]


def _newest(expression: str, words: Sequence[str], most: int, pattern: str = "", after: int = 0) -> list[int]:
    """Return the ids of at most `most` deals after this id with one of these words, latest first. Search the
    last block first, then ever larger groups of earlier blocks, so that the time doesn't grow with the
    archive. `pattern`: regular expression for their hands."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT max(id) FROM archive_deal")
        end, width = (cursor.fetchone()[0] or -1) // BLOCK + 1, 1
        found: list[int] = []
        while end > after // BLOCK and len(found) < most:
            first = max(after // BLOCK, end - width)
            keys = [f"{word}@{block}" for word in words for block in range(first, end)]
            fitting = " AND hands ~ %s AND id > %s" if pattern else ""
            cursor.execute(
                # OFFSET 0 makes PostgreSQL use the index, instead of reading deals until enough match.
                f"SELECT id FROM (SELECT id FROM archive_deal WHERE {expression} && %s{fitting} OFFSET 0)"
                " AS found ORDER BY id DESC LIMIT %s",
                [keys, *([pattern, after] if pattern else []), most - len(found)],
            )
            found += [pk for (pk,) in cursor.fetchall()]
            end, width = first, 2 * width
        return found


class Word(NamedTuple):
    """A word to search for. `is_number`: whether it is a number entered with other words. Such a number
    matches only whole numbers: the 2 in “table 2” doesn't match 2026."""

    text: str
    is_number: bool


def words(text: str) -> list[Word]:
    """Return the words of a search text, without duplicates."""
    texts = dict.fromkeys(text.split())
    return [Word(one, len(texts) > 1 and one.isascii() and one.isdigit()) for one in texts]


def holding(model: type[models.Model], columns: Sequence[str], words: Iterable[Word]) -> Q:
    """Return the condition that each of these words occurs in at least one of these columns."""
    condition = Q()
    for word in words:
        condition &= reduce(Q.__or__, [_contains(column, word) for column in columns])
        few = _few_holding(model, columns, _parts(folded(word.text)))
        if few is not None:
            condition &= Q(pk__in=few)
    return condition


def _parts(word: str) -> list[str]:
    """Return the forms that a folded word can have within a folded text. An initial e may be the end of a
    digraph; folding keeps only its first letter: “eller” occurs in Mueller (folded “muller”)."""
    return [word, *(letter + word[1:] for letter in "aou" if word.startswith("e"))]


def _contains(column: str, word: Word) -> Q:
    plain, part = searchable(word.text), folded(word.text)
    is_short = len(part) < 3
    searched = column if is_short else f"{column}__folded"
    if word.is_number:
        return Q(**{f"{searched}__regex": f"(^|[^0-9]){word.text}([^0-9]|$)"})
    if is_short:  # no index contains words this short, and folding every row would be slow
        return _any(column, {plain, part, re.sub("^([aou])", r"\1e", part)} - {""})
    first, *others = _parts(part)
    return _any(searched, [first]) | _any(column, [plain] if others else []) & _any(searched, others)


def _any(column: str, parts: Iterable[str]) -> Q:
    return reduce(Q.__or__, [Q(**{f"{column}__contains": part}) for part in parts], Q())


def _few_holding(model: type[models.Model], columns: Sequence[str], parts: Sequence[str]) -> list[int] | None:
    """Return the ids of the rows in which a column contains one of these folded parts, from the trigram table
    on SQLite. Return None if more than `MOST_LISTED` rows match, if a part is too short for the table, or if
    there is no trigram table."""
    table = model._meta.db_table
    if connection.vendor != "sqlite" or table not in TRIGRAMS or len(parts[0]) < 3:
        return None
    patterns = ["*" + re.sub(r"([*?[])", r"[\1]", part) + "*" for part in parts]
    rows = [f"SELECT rowid FROM {table}_trigrams WHERE {column} GLOB %s" for column in columns for _ in parts]
    with connection.cursor() as cursor:
        cursor.execute(f"{' UNION ALL '.join(rows)} LIMIT %s", [*patterns * len(columns), MOST_LISTED + 1])
        found = [pk for (pk,) in cursor.fetchall()]
    return None if len(found) > MOST_LISTED else list(dict.fromkeys(found))


# --- search tables on SQLite --------------------------------------------------------------------------------


_SMALL = "detail=none, columnsize=0"
_TOKENS = "tokenize='unicode61 tokenchars ''.-'''"


def _folded(columns: Sequence[str], row: str = "") -> str:
    return ", ".join(Folded.sql(row + column) for column in columns)


def sqlite_triggers() -> dict[str, tuple[str, str]]:
    """Return the triggers that keep the search tables up to date: event and statements by trigger name."""
    made = {}
    for suffix, tables in (("words", WORDS), ("trigrams", TRIGRAMS)):
        for table, columns in tables.items():
            name, names = f"{table}_{suffix}", ", ".join(columns)
            if suffix == "words":
                old, new = (", ".join(f"{row}.{column}" for column in columns) for row in ("old", "new"))
                delete = f"INSERT INTO {name} ({name}, rowid, {names}) VALUES ('delete', old.id, {old});"
            else:
                new = _folded(columns, "new.")
                delete = f"DELETE FROM {name} WHERE rowid = old.id;"
            insert = f"INSERT INTO {name} (rowid, {names}) VALUES (new.id, {new});"
            differ = " OR ".join(f"old.{column} IS NOT new.{column}" for column in columns)
            made[f"{name}_inserted"] = f"INSERT ON {table}", insert
            made[f"{name}_deleted"] = f"DELETE ON {table}", delete
            made[f"{name}_updated"] = f"UPDATE ON {table} WHEN {differ}", delete + insert
    return made


def create_sqlite_tables(schema_editor: Any) -> None:
    """Create and fill the search tables on SQLite, replacing existing ones."""
    for suffix, tables in (("words", WORDS), ("trigrams", TRIGRAMS)):
        for table, columns in tables.items():
            name, names = f"{table}_{suffix}", ", ".join(columns)
            if suffix == "words":
                options = f"{_TOKENS}, {_SMALL}, content='{table}', content_rowid='id'"
                fill = f"({name}) VALUES ('rebuild')"
            else:
                options = f"tokenize='trigram', {_SMALL}"
                fill = f"(rowid, {names}) SELECT id, {_folded(columns)} FROM {table}"
            schema_editor.execute(f"DROP TABLE IF EXISTS {name}")
            schema_editor.execute(f"CREATE VIRTUAL TABLE {name} USING fts5({names}, {options})")
            schema_editor.execute(f"INSERT INTO {name} {fill}")
