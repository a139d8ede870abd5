"""Shared code of the tests of languages."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client

from .conftest import Page

OTHERS = ("de", "cs", "ja")
LANGUAGES = ("en", *OTHERS)

#: Words that only English has: none of them may be left on a page in another language. (Names of formats, of
#: people and of the games' own words are the same everywhere.)
ENGLISH = re.compile(
    r"\b(?:the|of|and|this|that|with|which|deals?|players?|rules?|cards?|tricks?|points?|score|seat|dealer|"
    r"declarer|bidder|opponents?|upload|browse|sign|find|replay|audit|clauses?|rulings?|step|next|previous|"
    r"won|lost|pays?|gets?|wins?|loses?|passes|plays|announces|declares|spades|hearts|diamonds|clubs|king|queen|"
    r"jack|cavalier|(?-i:tarocks))\b",
    re.IGNORECASE,
)

#: Text that is the same in every language: clauses' slugs, URLs, file names.
NOTATION = re.compile(
    r"(?:common|strohmann|taroky|troggu|grosstarock)\.[a-z-]+|https?://\S+|deal-\d+\.\w+|cards-[\d-]+\.parquet",
    re.ASCII,
)


class Visible(Page):
    """The text of a page in its own language: what is marked as another one's, or as code, left out."""

    VOID = frozenset(("meta", "link", "input", "br", "img", "hr", "path", "use", "rect", "circle", "line"))

    def __init__(self, html: str) -> None:
        self.depth: list[str] = []
        self.foreign: list[int] = []
        self.language = ""
        self.labels: list[str] = []
        super().__init__(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        given = dict(attrs)
        if tag == "html":
            self.language = given.get("lang") or ""
        if not self.foreign:
            self.labels += [
                given[name] or "" for name in ("aria-label", "title", "placeholder") if name in given
            ]
        if tag in self.VOID:
            return
        self.depth.append(tag)
        if (
            tag in ("code", "pre", "kbd", "style", "script")
            or given.get("lang", self.language) != self.language
        ):
            self.foreign.append(len(self.depth))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.handle_starttag(tag, attrs)
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        super().handle_endtag(tag)
        if tag in self.VOID:
            return
        while self.depth:
            if self.foreign and self.foreign[-1] == len(self.depth):
                self.foreign.pop()
            if self.depth.pop() == tag:
                break

    def handle_data(self, data: str) -> None:
        if not self.foreign:
            super().handle_data(data)

    def left_in_english(self, known: set[str]) -> list[str]:
        """Texts and labels that hold an English word, apart from what people wrote."""
        found = []
        for text in [*self.texts, *self.labels]:
            for own in sorted(known, key=len, reverse=True):
                text = text.replace(own, "")
            text = NOTATION.sub("", text)
            if ENGLISH.search(text):
                found.append(text)
        return found


def in_language(client: Client, path: str, language: str, **more: Any) -> Any:
    return client.get(path, headers={"accept-language": language}, **more)
