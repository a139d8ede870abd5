"""The example question in docs/page-questions.md has the answer that the page gives."""

from __future__ import annotations

import json
import re

from tarock.view.answers.questions import answer
from tests.texts.blocks import DOCS, blocks

BLOCKS = {flag: block.body for block in blocks("page-questions.md") for flag in block.flags}


def test_the_question_is_answered_as_the_page_says() -> None:
    found = json.loads(answer(BLOCKS["question"]))
    shown = json.loads(BLOCKS["answer"])
    assert {key: found[key] for key in shown} == shown
    field = json.loads(BLOCKS["field"])
    assert [one for one in found["fields"] if one["name"] == field["name"]] == [field]


def test_the_page_has_every_question_that_is_answered() -> None:
    page = (DOCS / "page-questions.md").read_text(encoding="utf-8")
    table = page.partition("\n## ")[0]
    known = json.loads(answer("{}"))["error"]["message"]
    assert re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE)[1:] == re.findall(
        r"[\w-]+", known.partition(":")[2]
    )
