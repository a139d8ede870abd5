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
def test_no_text_was_left_in_english(language: str) -> None:
    for translated in clauses(language=language):
        english = ENGLISH[translated.slug]
        assert translated.text != english.text
        assert translated.source != english.source
        assert not english.reason or translated.reason != english.reason
        assert translated.kind == english.kind


@pytest.mark.parametrize("language", OTHERS)
def test_translations_have_the_same_notation_figures_and_references(language: str) -> None:
    for other in clauses(language=language):
        english = ENGLISH[other.slug]
        assert len(other.paragraphs) == len(english.paragraphs), other.slug
        assert other.text.count("\n- ") == english.text.count("\n- "), other.slug
        for field in ("text", "record", "reason"):
            ours, theirs = getattr(english, field), getattr(other, field)
            for pattern in (re.compile(r"`[^`]*`"), SUM, SLUG, CARD):
                found, expected = (set(pattern.findall(text)) for text in (theirs, ours))
                assert found == expected, (other.slug, field)
            # A language may write as a figure what another writes as a word, but none may go missing.
            assert set(NUMBER.findall(ours)) <= set(NUMBER.findall(theirs)), (other.slug, field)


@pytest.mark.parametrize("language", OTHERS)
def test_translation_is_well_formed(language: str) -> None:
    opening, closing = QUOTES[language]
    for translated in clauses(language=language):
        texts = (translated.title, translated.text, translated.record, translated.reason, translated.source)
        for text in texts:
            assert text == text.strip()
            assert "  " not in text
            assert text.count(opening) == text.count(closing), text
            assert "”" not in text
            assert '"' not in re.sub(r"`[^`]*`", "", text)
            assert not re.search(r"\.\./|\d{3}_[0-9a-f]|/work|http", text)
        assert translated.title[-1] not in ".。"
    titles = [(c.game, c.title) for c in clauses(language=language)]
    assert len(set(titles)) == len(titles)


def test_japanese_sentences_end_as_japanese_sentences_do() -> None:
    for translated in clauses(language="ja"):
        for paragraph in (*translated.paragraphs, *filter(None, [translated.reason])):
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
