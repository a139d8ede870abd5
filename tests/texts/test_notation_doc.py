"""docs/notation.md against the reader and the writer: every example reads, every error is where it says."""

from __future__ import annotations

import hashlib
import json
import re
from operator import attrgetter

import pytest

from tarock.analysis.verify import check
from tarock.notation import dump_json, read, read_one, write_json, write_text
from tarock.notation.events import verbs
from tarock.notation.keys import KEYS, OPTIONAL_TAGS, STRUCTURAL_TAGS
from tarock.words import sentences
from tests.texts.blocks import DOCS, Block, blocks
from tests.texts.ebnf import compile_grammar

BLOCKS = blocks("notation.md")
RECORDS = [b for b in BLOCKS if b.language in ("tgn", "json")]
TEXTS = [b for b in RECORDS if b.language == "tgn"]
ERRORS = [b for b in BLOCKS if b.language == "tgn-error"]
PAGE = (DOCS / "notation.md").read_text(encoding="utf-8")


def test_the_page_has_examples_of_each_kind() -> None:
    assert len(TEXTS) >= 5
    assert len(ERRORS) >= 10
    assert {b.language for b in BLOCKS} == {"tgn", "json", "tgn-error", "identity", "ebnf"}
    assert {read_one(b.body).game for b in RECORDS} >= {"strohmann", "taroky", "grosstarock"}


@pytest.mark.parametrize("block", RECORDS, ids=attrgetter("name"))
def test_example_reads_and_has_the_verdict_digest_and_form_it_says(block: Block) -> None:
    record = read_one(block.body)
    assert check(record).verdict == block.attributes["verdict"]
    assert record.digest == block.attributes.get("digest", record.digest)
    for written in (write_text(record), write_text(read_one(dump_json(record)))) if block in TEXTS else ():
        assert (written == block.body) == ("canonical" in block.flags)


def test_json_example_is_what_is_written_and_one_record_with_the_text_before_it() -> None:
    for block in (b for b in RECORDS if b.language == "json"):
        form, written = json.loads(block.body), write_json(read_one(block.body))
        assert (written, list(written)) == (form, list(form)), block.name
    value = next(b for b in RECORDS if b.language == "json")
    same = [b for b in TEXTS if b.attributes.get("digest") == value.attributes["digest"]]
    assert [("canonical" in b.flags) for b in same] == [False, True]
    lenient, canonical = (read_one(b.body) for b in same)
    assert read_one(value.body) == canonical == lenient


@pytest.mark.parametrize("block", ERRORS, ids=attrgetter("name"))
def test_error_example_has_the_error_at_the_place_it_says(block: Block) -> None:
    first = read(block.body)[0]
    assert first.record is None
    place = (str(first.error.line), str(first.error.column))
    assert place == (block.attributes["line"], block.attributes["column"])
    assert f"line {place[0]}, column {place[1]}: found " in sentences.message(first.error)


def test_reading_goes_on_after_every_error() -> None:
    good = next(b for b in TEXTS if "canonical" in b.flags).body
    joined = "\n".join(b.body + "\n" + good for b in ERRORS)
    entries = read(joined)
    assert [e.record is not None for e in entries] == [False, True] * len(ERRORS)
    lines = [e.error.line - e.line + 1 for e in entries if e.error]
    assert lines == [int(b.attributes["line"]) for b in ERRORS]


def test_identity_example_is_the_canonical_json_and_its_hash() -> None:
    (block,) = (b for b in BLOCKS if b.language == "identity")
    line, digest = block.body.replace("\n", ""), block.attributes["digest"]
    assert hashlib.sha256(line.encode()).hexdigest() == digest
    assert f"one line of {len(line.encode())} bytes" in PAGE
    assert PAGE.count(f"    {digest}\n") == 1
    assert json.dumps(json.loads(line), sort_keys=True, separators=(",", ":"), ensure_ascii=False) == line
    identity = write_json(next(read_one(b.body) for b in RECORDS if b.attributes.get("digest") == digest))
    assert {key: identity[key] for key in json.loads(line)} == json.loads(line)


GRAMMAR = compile_grammar(next(b for b in BLOCKS if b.language == "ebnf").body)


@pytest.mark.parametrize("block", TEXTS, ids=attrgetter("name"))
def test_grammar_has_a_sentence_for_every_example(block: Block) -> None:
    text = block.body
    for form in (
        text,
        text.replace("\n", "\r\n"),
        f"\ufeff{text}\n{text}",
        f"\ufeff\ufeff{text}\x1a\n\ufeff{text}\x0c\n\x0b\x1a\n",
    ):
        assert GRAMMAR["input"].fullmatch(form), form[:3]


@pytest.mark.parametrize(
    ("symbol", "good", "bad"),
    [
        ("card", "SK h10 H1 T0 T21 T07 xxi IIII xix C9 T00", "S0 T22 HX TK S11 XXII VV"),
        ("play", "T17(ros) T0(H) T5", "T17() (ros) T17(ros"),
        ("tag", '[TGN "1"]|[a-b_9  "x" ]|[N "\\"\\\\"]', '[TGN 1]|[9a "x"]|[N "a\\n"]|[N ""x"]'),
        ("comment", '{}|{ a { b }|{ [TGN ;\n[A "x"]\n\x01\x0c\ufeff }', "{|{ }}|{ } }"),
        ("word", "tarocky flek:pagat", "a\x0cb a\ufeffb a\x1ab a;b a{b"),
        ("place", "A H/3 talon stock a/1", "I A/4 A/ talon/1 stock/1"),
    ],
)
def test_grammar_symbol(symbol: str, good: str, bad: str) -> None:
    separator = "|" if symbol in ("tag", "comment") else " "
    assert [w for w in good.split(separator) if not GRAMMAR[symbol].fullmatch(w)] == []
    assert [w for w in bad.split(separator) if GRAMMAR[symbol].fullmatch(w)] == []


def test_the_page_names_every_verb_tag_and_key() -> None:
    for word in verbs():
        assert re.search(rf"\b{word}\b", PAGE), word
    for word in (*STRUCTURAL_TAGS, *OPTIONAL_TAGS, *KEYS):
        assert f"`{word}`" in PAGE or f'"{word}"' in PAGE, word
