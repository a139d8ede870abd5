"""The clause texts in the other languages: the same clauses, the same figures, the same notation."""

from __future__ import annotations

import re

import pytest

from tarock.words.clauses import LANGUAGES, book, book_names, clauses
from tests.texts.test_clauses import SLUG, data_of

OTHERS = LANGUAGES[1:]
ENGLISH = {c.slug: c for c in clauses()}
QUOTES = {"de": "„“", "cs": "„“", "ja": "「」"}
#: A calculation, such as “(41 − 35) × 2 × 2 = 24”: the same in every language.
SUM = re.compile(r"[(]?(?:[0-9N]+[)]? [−+×] [(]?)+[0-9N]+[)]?(?: = [0-9]+)?|[+−][0-9]+")
NUMBER = re.compile(r"[0-9]+")
CARD = re.compile(r"\b[SHDC](?:[KQCJ]|\d+)\b|\bT\d+\b")


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("game", book_names())
def test_every_clause_and_section_is_translated(game: str, language: str) -> None:
    data, original = data_of(game, language), data_of(game, "en")
    assert set(data) == set(original)
    assert set(data["_sections"]) == {section["id"] for section in original["_sections"]}
    assert set(data["_game"]) == {"name", "document", "description", "seats", "pack"}
    for slug, entry in data.items():
        if not slug.startswith("_"):
            english = original[slug]
            # Notation without any words is the same in every language.
            notation = re.sub(r"`[^`]*`", "", "".join(english.get("record", [])))
            same = {"kind", *["record"] * (not re.search(r"\w", notation))}
            assert set(entry) == set(english) - same, slug
            assert "`" not in "".join([*entry.get("text", []), *english.get("text", [])]), slug
            assert isinstance(entry.get("text", []), list), slug


@pytest.mark.parametrize("language", OTHERS)
def test_translations_have_the_same_notation_figures_and_references(language: str) -> None:
    """And no text was left in English."""
    for other in clauses(language=language):
        english = ENGLISH[other.slug]
        assert other.kind == english.kind
        assert other.source != english.source
        assert len(other.paragraphs) == len(english.paragraphs), other.slug
        assert other.text.count("\n- ") == english.text.count("\n- "), other.slug
        for field in ("text", "record", "reason"):
            ours, theirs = getattr(english, field), getattr(other, field)
            assert field == "record" or not ours or theirs != ours, (other.slug, field)
            for pattern in (re.compile(r"`[^`]*`"), SUM, SLUG, CARD):
                found, expected = (set(pattern.findall(text)) for text in (theirs, ours))
                assert found == expected, (other.slug, field)
            # A language may write as a figure what another writes as a word, but none may go missing.
            assert set(NUMBER.findall(ours)) <= set(NUMBER.findall(theirs)), (other.slug, field)


@pytest.mark.parametrize("language", OTHERS)
def test_translations_have_the_punctuation_of_their_language(language: str) -> None:
    opening, closing = QUOTES[language]
    found = clauses(language=language)
    assert len({(c.game, c.title) for c in found}) == len(found)
    for one in found:
        for text in (one.title, one.text, one.record, one.reason, one.source):
            assert text == text.strip()
            assert "  " not in text
            assert text.count(opening) == text.count(closing), text
            assert not re.search('["”]', re.sub(r"`[^`]*`", "", text)), text
        assert one.title[-1] not in ".。"
        for paragraph in (*one.paragraphs, *filter(None, [one.reason])) if language == "ja" else ():
            last = paragraph.rpartition("\n")[2]
            assert last.startswith("- ") or last[-1] in "。)", paragraph
            assert not re.search("[，．]|[一-龠ぁ-ん] [一-龠ぁ-ん]", paragraph), paragraph


@pytest.mark.parametrize("language", OTHERS)
def test_book_is_introduced_in_the_language(language: str) -> None:
    for game in book_names():
        translated, english = book(game, language), book(game)
        assert translated.description != english.description
        assert translated.native == english.native
        assert [s.id for s in translated.sections] == [s.id for s in english.sections]
