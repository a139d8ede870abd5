"""Reading and writing TGN: pinned literals, each leniency, each fault with its place, and hostile input."""

from __future__ import annotations

import hashlib
import json
import re
import time
from functools import cache
from itertools import islice
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tarock import sentences
from tarock.cards import CARDS, bits, indices, names, pack, parse_card, roman, value
from tarock.games import games
from tarock.notation import (
    Entry,
    NotationError,
    NotWritable,
    dump_json,
    read,
    read_each,
    read_one,
    write_json,
    write_text,
)
from tarock.simulate import simulate
from tarock.verify import Check, check, check_entry
from tests.engine.builder import Deal
from tests.engine.driver import DEALS
from tests.engine.worked import WORKED

TEXT = """\
[TGN "1"]
[Game "taroky"]
[A "Alena"]
[B "Bořek"]
[C "Cyril"]
[D "Dana"]
[Dealer "D"]
[Date "2026-11-20"]
[Score "A=1 B=-1 C=-1 D=1"]

deal A DQ D4 C9 T20 T17 T16 T14 T12 T9 T6 T4 T1
deal B SK SJ S10 HQ HJ H4 D1 D3 CQ C10 T5 T3
deal C SC S9 H3 DK DC CC C7 T21 T18 T11 T8 T7
deal D SQ HC H2 D2 CJ C8 T0 T19 T15 T13 T10 T2
deal talon CK S8 HK H1 S7 DJ
A bid first
B pass
C pass
D pass
A call T19
A discard S8 H1 D4 C9
B discard CQ
C refuse
D discard H2
A announce tarocky pagat
B announce barvicky flek:pagat
C pass
D pass
A pass
1. A T20 T5 T7 T15
2. A T12 T3
"""
FORM: dict[str, Any] = {
    "tgn": 1,
    "game": "taroky",
    "dealer": "D",
    "players": {"A": "Alena", "B": "Bořek", "C": "Cyril", "D": "Dana"},
    "options": [],
    "tags": {"Date": "2026-11-20"},
    "deal": {
        "A": ["DQ", "D4", "C9", "T20", "T17", "T16", "T14", "T12", "T9", "T6", "T4", "T1"],
        "B": ["SK", "SJ", "S10", "HQ", "HJ", "H4", "D1", "D3", "CQ", "C10", "T5", "T3"],
        "C": ["SC", "S9", "H3", "DK", "DC", "CC", "C7", "T21", "T18", "T11", "T8", "T7"],
        "D": ["SQ", "HC", "H2", "D2", "CJ", "C8", "T0", "T19", "T15", "T13", "T10", "T2"],
        "talon": ["CK", "S8", "HK", "H1", "S7", "DJ"],
    },
    "events": [
        ["A", "bid", "first"],
        ["B", "pass"],
        ["C", "pass"],
        ["D", "pass"],
        ["A", "call", "T19"],
        ["A", "discard", "S8", "H1", "D4", "C9"],
        ["B", "discard", "CQ"],
        ["C", "refuse"],
        ["D", "discard", "H2"],
        ["A", "announce", "tarocky", "pagat"],
        ["B", "announce", "barvicky", "flek:pagat"],
        ["C", "pass"],
        ["D", "pass"],
        ["A", "pass"],
        ["A", "play", "T20"],
        ["B", "play", "T5"],
        ["C", "play", "T7"],
        ["D", "play", "T15"],
        ["A", "play", "T12"],
        ["B", "play", "T3"],
    ],
    "comments": {},
    "score": {"A": 1, "B": -1, "C": -1, "D": 1},
}


def altered(**changes: Any) -> str:
    """The JSON of FORM with keys changed; None takes a key away."""
    form = FORM | changes
    return json.dumps({key: found for key, found in form.items() if found is not None})


def sure(old: str, new: str, text: str = TEXT) -> str:
    """The text with one piece replaced, which must be there."""
    assert text.count(old) >= 1, old
    return text.replace(old, new, 1)


# -- pairs of reading and writing ---


def test_text_and_json_of_one_record() -> None:
    record = read_one(TEXT)
    assert write_json(record) == FORM
    assert write_text(record) == TEXT
    assert read_one(json.dumps(FORM)) == record
    assert write_text(read_one(json.dumps(FORM))) == TEXT
    assert dump_json(record) == json.dumps(FORM, separators=(",", ":"), ensure_ascii=False)
    assert list(write_json(record)) == list(FORM)


def test_the_digest_is_that_of_the_deal_as_played() -> None:
    identity = {key: FORM[key] for key in ("game", "options", "dealer", "deal", "events")}
    line = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    digest = hashlib.sha256(line.encode()).hexdigest()
    assert digest == "9f26fb67c19b05d5a8eff9b6ad3acf4ebe9fc214a5163fc603d20f3ddd260fb1"
    assert read_one(TEXT).digest == read_one(json.dumps(FORM)).digest == digest
    other_names = sure('[B "Bořek"]', '[B "Božena"]')
    commented = sure("A bid first", "A bid first { high }")
    unclaimed = sure('[Score "A=1 B=-1 C=-1 D=1"]\n', '[Site "Hlučín"]\n')
    for text in (other_names, commented, unclaimed):
        assert read_one(text).digest == digest
        assert read_one(text) != read_one(TEXT)
    assert read_one(sure("T12 T3", "T12")).digest != digest


SPELLINGS = """
SK=SK sk=SK H1=H1 H01=H1 C10=C10 cc=CC T0=T0 T00=T0 t07=T7 T21=T21
I=T1 IV=T4 iiii=T4 VIIII=T9 IX=T9 XIV=T14 XIIII=T14 XIX=T19 XVIIII=T19 XX=T20 xxi=T21
"""


@pytest.mark.parametrize(("word", "card"), [pair.split("=") for pair in SPELLINGS.split()])
def test_a_card_is_read(word: str, card: str) -> None:
    index = parse_card(word)
    assert CARDS[index] == card


@pytest.mark.parametrize(
    "word",
    ["", "T22", "H0", "H11", "XXII", "IIV", "T-1", "SA", "K", "10", "T\u0661", "T1 ", "T001", "0", "IIX"],
)
def test_no_card(word: str) -> None:
    assert parse_card(word) is None


def test_cards_and_sets() -> None:
    assert names(bits(["T1", "SK", "T0", "H10", "H1"])) == ["SK", "H1", "H10", "T0", "T1"]
    assert bits(["SK"]) == 1
    assert indices(0b101) == [0, 2]
    assert [roman(n) for n in (1, 4, 9, 14, 19, 20, 21)] == ["I", "IV", "IX", "XIV", "XIX", "XX", "XXI"]
    assert [pack(n).bit_count() for n in (54, 62, 78)] == [54, 62, 78]
    assert (value(pack(54)), value(pack(62)), value(pack(78))) == (106, 114, 130)


def test_calls_and_names_of_cards() -> None:
    strohmann = Deal("strohmann", {"A": "T17 T18"}).say("A take", "A: T17(ros)")
    assert "1. A T17(ros)\n" in write_text(strohmann.record())
    text = write_text(strohmann.record()).replace("T17(ros)", "xvii(ROS)")
    assert read_one(text).events[-1] == ("A", "play", "T17(ros)")
    gross = Deal("grosstarock", {"A": "T0", "talon": "S1 C1 H10"}).say("C discard S1 C1 H10")
    gross.passes("CAB").say("A: T0(H)")
    text = write_text(gross.record())
    assert "1. A T0(H)\n" in text
    assert read_one(text.replace("T0(H)", "t00(h)")).events[-1] == ("A", "play", "T0(H)")


def test_announced_items_in_order() -> None:
    deal = Deal("taroky").say("A bid solo").passes("BCD")
    deal.say("A announce sub:valat flek:pagat re:game valat flek:game honery trul pagat taroky")
    line = "A announce taroky trul honery pagat valat flek:game flek:pagat re:game sub:valat"
    assert line in write_text(deal.record())
    gross = Deal("grosstarock").say(
        "C announce null ladons:16 cavallery:C jacks cavallery:S kings:3 tarocks:10 bole"
    )
    line = "C announce tarocks:10 kings:3 cavallery:S cavallery:C jacks ladons:16 bole null"
    assert line in write_text(gross.record())


def test_options_and_scores() -> None:
    text = sure('[Date "2026-11-20"]', '[Options "  settle-uncontested "]')
    record = read_one(text)
    assert record.options == ("settle-uncontested",)
    assert '[Options "settle-uncontested"]\n' in write_text(record)
    text = sure("A=1 B=-1 C=-1 D=1", "  D=1   C=-1 B=-01  A=1")
    assert '[Score "A=1 B=-1 C=-1 D=1"]' in write_text(read_one(text))


def test_tags_in_canonical_order() -> None:
    tags = """\
[Zeta "z"]
[Recorder "Karel"]
[Deal "7"]
[Session "s"]
[Round "2"]
[Site "here"]
[Event "e"]
[alpha "a"]
[Beta "b"]
"""
    text = sure("[Score", tags + "[Score")
    written = write_text(read_one(text))
    found = re.findall(r"(?m)^\[(\w+) ", written)
    known = ["TGN", "Game", *"ABCD", "Dealer", "Date", "Event", "Site", "Round", "Session", "Deal", "Score"]
    assert found == [*known, "Recorder", "Beta", "Zeta", "alpha"]
    assert write_text(read_one(written)) == written


@pytest.mark.parametrize(
    ("value_of", "written"),
    [
        ('Alena "Ála"', r'"Alena \"Ála\""'),
        ("back\\slash", r'"back\\slash"'),
        ('\\"', r'"\\\""'),
        ("{no comment; no remark}", '"{no comment; no remark}"'),
        ("[A] ]", '"[A] ]"'),
        ("", '""'),
        ("  two  blanks ", '"two  blanks"'),
        ("\u3000\u00a0Dana\u2003", '"Dana"'),
        ("\u2009 ", '""'),
        ("نور\u200cا", '"نور\u200cا"'),
        ("日本 🂡", '"日本 🂡"'),
    ],
)
def test_strings_in_tags(value_of: str, written: str) -> None:
    record = read_one(altered(players=FORM["players"] | {"A": value_of}))
    text = write_text(record)
    assert f"[A {written}]\n" in text
    assert read_one(text) == record


@pytest.mark.parametrize("line", ['[B "{}"]', ' [b  "{}" ] ; remark', '[B "{}"] {{ comment }}'])
@pytest.mark.parametrize(
    ("name", "reason", "found"),
    [
        ("Boř\u202eek", "control-character", {"found": "U+202E"}),
        ("\u2067Bořek", "control-character", {"found": "U+2067"}),
        ("\u200b \u2060", "invisible", {}),
        ("\u3164", "invisible", {}),
        ("\uffff\ufdd0", "invisible", {}),
    ],
)
def test_a_name_that_is_none(line: str, name: str, reason: str, found: dict[str, str]) -> None:
    """In tags of every spelling and in JSON."""
    text = sure('[B "Bořek"]', line.format(name))
    (entry,) = read(text)
    (fault,) = entry.errors
    column = line.replace("{{", "{").index('"') + 1
    assert (fault.reason, fault.values, fault.pointer) == (reason, found, "/players/B")
    assert (fault.line, fault.column) == (4, column + 1)
    (entry,) = read(altered(players=FORM["players"] | {"B": name}))
    (fault,) = entry.errors
    assert (fault.reason, fault.values, fault.pointer) == (reason, found, "/players/B")


def test_blanks_round_a_value_are_no_part_of_it() -> None:
    """Nor of any tag, nor of the digest."""
    record = read_one(TEXT)
    padded = re.sub(r'(?m)^\[([A-D]|Date|Session) "(.*)"\]', '[\\1 "\u3000 \\2\u00a0"]', TEXT)
    assert padded != TEXT
    assert read_one(padded) == record
    assert read_one(padded).digest == record.digest


# -- leniency ---

LENIENT = {
    "byte-order mark": "\ufeff" + TEXT,
    "CR LF": TEXT.replace("\n", "\r\n"),
    "no line feed at the end": TEXT.rstrip("\n"),
    "blank lines": TEXT.replace("\n", "\n\n"),
    "blank lines with blanks": TEXT.replace("\n", "\n \t\n"),
    "blanks in front": "\n".join("  " + line for line in TEXT.split("\n")),
    "blanks behind": TEXT.replace("\n", " \t\n"),
    "blanks between": TEXT.replace(" pass", "  \t pass").replace("T12 T3", "T12   T3"),
    "blanks in tags": TEXT.replace('[Game "taroky"]', '[ Game\t  "taroky"  ]'),
    "tags in any order": "".join(TEXT.splitlines(keepends=True)[8:3:-1])
    + "".join(TEXT.splitlines(keepends=True)[i] for i in (1, 0, 3, 2, 9))
    + "".join(TEXT.splitlines(keepends=True)[10:]),
    "small tag names": TEXT.replace("[TGN", "[tgn").replace("[Game", "[gAME").replace("[B ", "[b "),
    "capital words": TEXT.replace("deal A", "DEAL A").replace("bid first", "BID FIRST"),
    "small seats and cards": TEXT.replace("A discard S8 H1", "a discard s8 h1").replace(
        "1. A T20", "1. a t20"
    ),
    "capital items": TEXT.replace("tarocky pagat", "TAROCKY Pagat").replace("flek:pagat", "FLEK:Pagat"),
    "capital talon": TEXT.replace("deal talon", "deal TALON"),
    "noughts": TEXT.replace("T9 T6", "T09 T06").replace("H4", "H04").replace("T0 ", "T00 "),
    "Roman tarocks": TEXT.replace("T20 T17", "XX XVII").replace("T12 T3", "xii III").replace("T4 ", "IIII "),
    "hands in any order": TEXT.replace("SK SJ S10", "S10 SJ SK").replace("T5 T3\ndeal C", "T3 T5\ndeal C"),
    "deal lines in any order": TEXT.replace("deal talon CK S8 HK H1 S7 DJ\n", "").replace(
        "deal A", "deal talon CK S8 HK H1 S7 DJ\ndeal A", 1
    ),
    "discards in any order": TEXT.replace("discard S8 H1 D4 C9", "discard C9 H1 D4 S8"),
    "items in any order": TEXT.replace("barvicky flek:pagat", "flek:pagat barvicky"),
    "remarks": "; a remark\n" + TEXT.replace("A bid first", "A bid first ; said loudly }{"),
    "remarks among the tags": TEXT.replace('[A "Alena"]', '[A "Alena"] ; she began\n; and so on'),
    "no blank line after the tags": TEXT.replace("\n\n", "\n"),
}


@pytest.mark.parametrize("text", LENIENT.values(), ids=LENIENT)
def test_what_is_forgiven(text: str) -> None:
    record = read_one(text)
    assert record == read_one(TEXT)
    assert write_text(record) == TEXT
    assert read_one(text.encode()) == record


def test_the_order_that_matters_is_kept() -> None:
    other = sure("deal talon CK S8", "deal talon S8 CK")
    assert read_one(other) != read_one(TEXT)
    assert read_one(other).digest != read_one(TEXT).digest
    strohmann = Deal("strohmann").record()
    piles = dict(write_json(strohmann)["deal"])
    piles["A/1"] = piles["A/1"][::-1]
    turned = read_one(json.dumps(write_json(strohmann) | {"deal": piles}))
    assert turned.digest != strohmann.digest


# -- comments ---


def test_where_comments_belong() -> None:
    text = TEXT
    text = sure('[Score "A=1 B=-1 C=-1 D=1"]', '[Score "A=1 B=-1 C=-1 D=1"] { among the tags }', text)
    text = sure("deal B", "{ between deal lines }\ndeal B", text)
    text = sure("A bid first", "A bid first { at the bid } {second}", text)
    text = sure("C pass", "{ on a line\n\n  of its   own }\nC pass", text)
    text = sure("1. A T20 T5", "1. A { before the card } T20 { at the card } T5", text)
    text = sure("2. A T12 T3", "2. A T12 T3{}{ last; with } ; remark", text)
    record = read_one(text)
    assert record.comments == {
        0: ["among the tags", "between deal lines"],
        1: ["at the bid", "second"],
        2: ["on a line of its own"],
        14: ["before the card"],
        15: ["at the card"],
        20: ["last; with"],
    }
    assert record.digest == read_one(TEXT).digest
    written = write_text(record)
    assert "deal talon CK S8 HK H1 S7 DJ\n{ among the tags }\n{ between deal lines }\nA bid first" in written
    assert "\nA bid first { at the bid } { second }\n" in written
    assert "1. A T20 { at the card } T5" in written
    assert write_text(read_one(written)) == written
    assert read_one(json.dumps(write_json(record))) == record


def test_comments_in_json() -> None:
    record = read_one(altered(comments={"20": ["at the end"], "0": ["  deal  \n here ", ""], "3": []}))
    assert record.comments == {0: ["deal here"], 20: ["at the end"]}
    assert write_text(record).endswith("2. A T12 T3 { at the end }\n")
    assert "\n{ deal here }\nA bid first" in write_text(record)


def test_a_comment_may_hold_an_opening_brace() -> None:
    text = sure("A bid first", "A bid first { a { b [TGN ; c }")
    assert read_one(text).comments == {1: ["a { b [TGN ; c"]}
    assert read_one(write_text(read_one(text))).comments == {1: ["a { b [TGN ; c"]}


# -- faults ---


@pytest.mark.parametrize(
    ("old", "new", "line", "column"),
    [
        ('[TGN "1"]', '[TGN "2"]', 1, 7),
        ('[Game "taroky"]', '[Game "tarok"]', 2, 8),
        ('[Game "taroky"]', '[Game "Taroky"]', 2, 8),
        ('[Dealer "D"]', '[Dealer "E"]', 7, 10),
        ('[Dealer "D"]', '[Dealer "d"]', 7, 10),
        ('[Date "2026-11-20"]', '[Date "2026-13-20"]', 8, 8),
        ('[Date "2026-11-20"]', '[Date "2026-02-29"]', 8, 8),
        ('[Date "2026-11-20"]', '[Date "20.11.2026"]', 8, 8),
        ('[Date "2026-11-20"]', '[Date "2026-??-20-"]', 8, 8),
        ('[Date "2026-11-20"]', '[Deal "0"]', 8, 8),
        ('[Date "2026-11-20"]', '[Deal "seven"]', 8, 8),
        ('[Date "2026-11-20"]', '[Options "settle"]', 8, 11),
        ('[Date "2026-11-20"]', '[Options "settle-uncontested settle-uncontested"]', 8, 11),
        ('[Date "2026-11-20"]', '[a "Anna"]', 8, 2),
        ('[Date "2026-11-20"]', '[Date "2026-11-20', 8, 7),
        ('[Date "2026-11-20"]', "[Date 2026-11-20]", 8, 7),
        ('[Date "2026-11-20"]', '[Date "2026-11-20"] x', 8, 21),
        ('[Date "2026-11-20"]', '[Date "20\\26"]', 8, 7),
        ('[Date "2026-11-20"]', '[1st "x"]', 8, 1),
        ('[Date "2026-11-20"]', "[]", 8, 1),
        ("A=1 B=-1", "A=1 B=x", 9, 13),
        ("A=1 B=-1", "A=1 A=-1", 9, 13),
        ("A=1 B=-1 ", "A=1 ", 9, 9),
        ("A=1 B=-1", "A=1 B=-1 E=0", 9, 9),
        ("deal B SK", "deal B XX", 12, 8),  # XX is T20, A's
        ("deal B SK", "deal B SA", 12, 8),
        ("deal B SK", "deal B S6", 12, 8),  # not in the pack of 54
        ("deal B SK ", "deal B ", 12, 6),
        ("deal B SK", "deal E SK", 12, 6),
        ("deal B SK", "deal A SK", 12, 6),
        ("deal B SK", "deal B/1 SK", 12, 6),
        ("deal B SK SJ S10 HQ HJ H4 D1 D3 CQ C10 T5 T3", "deal", 12, 1),
        ("A bid first", "A says first", 16, 3),
        ("A bid first", "E bid first", 16, 1),
        ("A bid first", "A", 16, 1),
        ("A bid first", "A play T20", 16, 3),
        ("A bid first", "bid first", 16, 1),
        ("A call T19", "A call H9", 20, 8),
        ("discard S8 H1", "discard S8 H10", 21, 14),
        ("1. A T20", "2. A T20", 30, 1),
        ("1. A T20", "1 A T20", 30, 1),
        ("1. A T20", "1. E T20", 30, 4),
        ("1. A T20 T5 T7 T15", "1. A", 30, 1),
        ("1. A T20 T5 T7 T15", "1. A T20 T5 T7", 30, 1),
        ("T7 T15", "T7 T15 T2", 30, 20),
        ("T7 T15", "T7 pass", 30, 16),
        ("T7 T15", "T7 S5", 30, 16),
        ("2. A T12 T3", "2. A T12 T3\nA pass", 31, 1),
        ("2. A T12 T3", "deal A SK", 31, 1),
        ("A bid first", "A bid first { never closed", 16, 13),
        ("A bid first", "A bid first }", 16, 13),
        ("A bid first", "A bid\x00first", 16, 6),
        ("A bid first", "A bid\x0bfirst", 16, 6),
    ],
)
def test_a_fault_has_its_place(old: str, new: str, line: int, column: int) -> None:
    good = '[TGN "1"]\n[Game "strohmann"]\n[A "x"]\n[B "y"]\n[Dealer "A"]\n\n' + "\n".join(
        write_text(Deal("strohmann").record()).split("\n\n")[1:]
    )
    text = sure(old, new)
    for data, before in ((text, 0), (good + "\n" + text + "\n" + good, good.count("\n") + 1)):
        entries = read(data)
        bad = [e for e in entries if e.record is None]
        assert len(bad) == 1, [e.error for e in bad]
        finding = bad[0].error
        assert (finding.line, finding.column) == (line + before, column), finding
        assert bad[0].errors == (finding,)
        message = sentences.message(finding)
        assert f"line {line + before}, column {column}: " in message
        assert any(word in message for word in ("expected", "found", "no cards", "no score"))
        assert len(entries) == (3 if before else 1)
        assert check_entry(bad[0]).verdict == "malformed"
        assert check_entry(bad[0]).error == finding
        with pytest.raises(NotationError):
            read_one(text)


def test_what_belongs_to_a_place_that_cannot_be() -> None:
    sitter = Deal("grosstarock", players=4, dealer="A")
    form = json.loads(json.dumps(sitter.form))
    form["deal"]["C"] = form["deal"].pop("D")
    (entry,) = read(json.dumps(form))
    assert entry.error.pointer == "/deal/C"
    assert entry.error.clause == "grosstarock.deal"


# -- several records ---


def test_forms_of_json() -> None:
    one = json.dumps(FORM)
    two = dump_json(Deal("strohmann").record())
    for data in (
        f"[{one},{two}]",
        f"{one}\n{two}\n",
        f"{one}{two}",
        f"  [\n{one}\n,\n{two}\n]\n",
        f"{one}\r\n{two}",
    ):
        entries = read(data)
        assert [e.record.game for e in entries if e.record] == ["taroky", "strohmann"], data[:20]
        assert [e.form for e in entries] == ["json", "json"]
        assert json.loads(entries[0].source) == FORM
    assert read_one(json.dumps(FORM, indent=2)) == read_one(one)
    assert read_one(b"\xef\xbb\xbf" + one.encode()) == read_one(one)


@pytest.mark.parametrize(
    "broken", ['{"tgn": 1, "game": }', '{"tgn": 1, "game"', '{"tgn": 1 "game": 2}', '{"tgn": 01}']
)
def test_broken_json_between_good(broken: str) -> None:
    one = json.dumps(FORM)
    entries = read(f"{one}\n{broken}\n{one}")
    assert [e.error is None for e in entries] == [True, False, True]
    assert entries[1].error is not None
    assert entries[1].line == 2
    assert entries[1].error.line in (2, 3)
    assert entries[1].error.column is not None


@pytest.mark.parametrize("first", ["tgn", "comments", "players", "events"])
def test_a_json_record_cut_off_anywhere_costs_only_itself(first: str) -> None:
    one = json.dumps({first: FORM[first]} | FORM)
    for end in range(1, len(one)):
        entries = read(f"{one}\n{one[:end]}\n{one}\n{one}")
        assert sum(e.error is None for e in entries) == 3, one[:end]
        assert [e.error is None for e in entries[-2:]] == [True, True], one[:end]
        assert [e.line for e in entries[-2:]] == [3, 4]
    (whole,) = read(json.dumps([FORM], indent=1))
    assert whole.error is None


def test_a_fault_in_a_laid_out_array_costs_only_its_record() -> None:
    rows = json.dumps([dict(sorted(FORM.items()))] * 3, indent=2, sort_keys=True).split("\n")
    places = [n for n, line in enumerate(rows) if line.startswith('    "dealer"')]
    rows[places[1]] = "    dealer: D,"
    entries = read("\n".join(rows))
    assert [e.error is None for e in entries] == [True, False, True]
    assert (entries[1].error.line, entries[1].error.column) == (places[1] + 1, 5)


SCRAPS = 'hello {} [] [{}] [[]] null [TGN] [ { ] } {"tgn":'


@pytest.mark.parametrize(
    "data",
    [
        *SCRAPS.split(),
        "",
        " \n\t\n",
        "\ufeff",
        b"",
        "; only a remark",
        "{ only a comment }",
        '[TGN "1"]',
        '{"tgn": 1}',
        '[{"tgn": 1}',
        "\x00",
        b"\xff\xfe",
        b"\x80abc",
        "\ud800",
        "[" * 5000,
        '{"tgn":' * 3000,
        "{" * 100_000,
        '[{"tgn": 1e999}]',
        '{"tgn": ' + "9" * 5000 + "}",
        '{"tgn": NaN}',
        '{"tgn": 1, "tgn": 1}',
        "[TGN " * 1000,
        "1. A T1\n" * 10,
    ],
)
def test_what_is_no_record(data: str | bytes) -> None:
    entries = read(data)
    assert entries
    assert all(e.record is None and e.error is not None for e in entries)
    for entry in entries:
        assert check_entry(entry).verdict == "malformed"
        assert sentences.message(entry.error)
        assert entry.error.line is not None
        json.dumps(check_entry(entry).as_json())
    with pytest.raises(NotationError):
        read_one(data)


def test_constants_and_doubles_in_json() -> None:
    one = json.dumps(FORM)
    for word in ("NaN", "Infinity", "-Infinity"):
        (entry,) = read(sure('"A": 1', f'"A": {word}', one))
        assert word in sentences.message(entry.error)
    (entry,) = read(sure('"game": "taroky"', '"game": "taroky", "game": "taroky"', one))
    assert "game" in sentences.message(entry.error)
    (entry,) = read(sure('"A": "Alena"', '"A": "Alena", "A": "Alena"', one))
    assert entry.error is not None


def test_bytes_that_are_no_utf_8() -> None:
    data = TEXT.encode().replace("ř".encode(), b"\xf8")
    (entry,) = read(data)
    assert (entry.error.line, entry.error.column) == (4, 7)
    good = TEXT.encode()
    entries = read(good + b"\n" + data + b"\n" + good)
    assert [e.error is None for e in entries] == [True, False, True]
    (entry,) = read(json.dumps(FORM, ensure_ascii=False).encode().replace("ř".encode(), b"\xf8"))
    assert entry.error is not None


def test_what_text_cannot_write() -> None:
    cases: list[tuple[list[list[str]], int]] = [
        ([["C", "play", "T5"]], 15),
        ([["B", "play"]], 15),
        ([["B", "play", "T5", "T3"]], 15),
        ([["B", "announce", "valat"]], 15),
        ([["B", "pass"], ["B", "play", "T5"]], 15),
    ]
    for more, event in cases:
        form = FORM | {"events": FORM["events"][:15] + more + FORM["events"][16:]}
        record = read_one(json.dumps(form))
        with pytest.raises(NotWritable) as fault:
            write_text(record)
        assert fault.value.event == event
        assert write_json(record) == form
        assert check(record).verdict == "illegal"


def test_the_place_of_an_illegal_event() -> None:
    for old, new, line, column, event in (
        ("A bid first", "A pass", 16, 1, 0),
        ("C pass", "C bid first", 18, 1, 2),
        ("B discard CQ", "B discard SK", 22, 1, 6),
        ("T20 T5 T7", "T20 T5 C7", 30, 13, 16),
        ("T20 T5", "T20 T4", 30, 10, 15),
    ):
        entries = read(TEXT + "\n" + sure(old, new))
        found = check_entry(entries[1])
        assert (found.error.line, found.error.column) == (TEXT.count("\n") + 1 + line, column)
        assert (found.error.event, found.error.pointer) == (event, f"/events/{event}")


# -- any input at all ---

#: Fewer where fewer deals are asked for (`TAROCK_DEALS`).
FUZZ = settings(max_examples=min(300, 3 * DEALS), deadline=None, suppress_health_check=list(HealthCheck))
GOOD = [TEXT, json.dumps(FORM), WORKED["GROSS_PLAIN"].text, f"[{json.dumps(FORM)}]"]
PIECES = [*'{}[];"\\\n\r\x00A),é', "TGN", '[TGN "1"]', "deal", "1.", "T0("]


def sound(data: str | bytes) -> list[Entry]:
    """Reading never raises, and says of every piece of the input a record or a fault with its place."""
    entries = read(data)
    assert entries
    assert [e.n for e in entries] == list(range(len(entries)))
    for entry in entries:
        assert (entry.record is None) != (entry.error is None)
        assert entry.line >= 1
        found = check_entry(entry)
        json.dumps(found.as_json())
        if entry.error is not None:
            assert entry.error.line is not None
            assert entry.error.line >= 1
            assert sentences.message(entry.error)
        if entry.record is not None:
            again = read_one(dump_json(entry.record))
            assert again == entry.record
            assert again.digest == entry.record.digest
            try:
                text = write_text(entry.record)
            except NotWritable:
                continue
            assert read_one(text) == entry.record
            assert write_text(read_one(text)) == text
    return entries


@FUZZ
@given(st.text())
def test_any_text(data: str) -> None:
    sound(data)


@FUZZ
@given(st.binary())
def test_any_bytes(data: bytes) -> None:
    sound(data)


@FUZZ
@given(
    st.lists(st.sampled_from([*PIECES, " ", "SK", "T1", "pass", "taroky", '"tgn"', ":", "1"]), max_size=60)
)
def test_any_pieces(pieces: list[str]) -> None:
    sound("".join(pieces))
    sound(" ".join(pieces))


@FUZZ
@given(
    st.sampled_from(GOOD),
    st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 12), st.sampled_from([*PIECES, ""])), min_size=1, max_size=4
    ),
)
def test_any_damage(good: str, damage: list[tuple[float, int, str]]) -> None:
    data = good
    for where, length, piece in damage:
        at = int(where * len(data))
        data = data[:at] + piece + data[at + length :]
    sound(data)
    entries = sound(f"{good}\n{data}\n\n{good}")
    assert entries[-1].record is not None or "{" in data or '"' in data or entries[-1].form == "json"


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@FUZZ
@given(
    st.sampled_from([*FORM, "deal/A", "players/A", "events/0", "events/0/1", "comments/0", "tags/Date"]), JSON
)
def test_any_json_in_any_place(path: str, content: Any) -> None:
    form = json.loads(json.dumps(FORM))
    *above, last = path.split("/")
    place = form
    for key in above:
        place = place[int(key) if isinstance(place, list) else key]
    place[int(last) if isinstance(place, list) else last] = content
    sound(json.dumps(form))


# -- one by one ---


@cache
def texts() -> tuple[str, ...]:
    """Deals of every game and table, and hand-worked ones."""
    made = [
        write_text(record)
        for info in games()
        for players in info.seats
        for record in simulate(info.id, players=players, deals=6, seed=11)
    ]
    return (*made, *(worked.text for worked in WORKED.values()))


def spoiled(text: str, how: int) -> str:
    """A record with something wrong in it, or merely not as the writer would have it; or as it is."""
    lines = text.split("\n")
    deal = next(n for n, line in enumerate(lines) if line.startswith("deal "))
    last = max(n for n, line in enumerate(lines) if line)
    words = lines[last].split(" ")
    if how == 1:  # a card that was dealt to somebody else, or played before
        lines[last] = " ".join([*words[:-1], lines[deal].split(" ")[2]])
    elif how == 2:  # as many characters, but no card
        lines[deal] = lines[deal][:-1] + "X"
    elif how == 3:  # broken off
        del lines[last]
    elif how == 4:  # not canonical
        lines[deal] = lines[deal].lower()
    elif how == 5:  # the last two words the other way round
        lines[last] = " ".join([*words[:-2], words[-1], words[-2]])
    elif how == 6:  # a card twice, another not at all
        first, second = lines[deal].split(" ")[2:4]
        lines[deal] = lines[deal].replace(second, first, 1)
    elif how == 7:  # a card that no pack but the largest has
        lines[last] = " ".join([*words[:-1], "H9"])
    return "\n".join(lines)


def seen(result: Check) -> str:
    """All that a check says, but for places in the input."""
    found = result.as_json() | {"n": 0}
    del found["error"]  # the first of them
    found["errors"] = [
        {k: v for k, v in error.items() if k not in ("line", "message")} for error in found["errors"]
    ]
    return json.dumps(found, ensure_ascii=False)


@FUZZ
@given(st.data())
def test_records_are_read_and_checked_as_each_alone(data: st.DataObject) -> None:
    one = st.tuples(st.sampled_from(texts()), st.integers(0, 20))
    records = [spoiled(*chosen) for chosen in data.draw(st.lists(one, min_size=1, max_size=12))]
    blank = data.draw(st.sampled_from(["", "\n", "\n\n\n"]))
    entries = read(blank.join(records))
    assert len(entries) == len(records)
    line = 1
    for n, (text, entry, result) in enumerate(zip(records, entries, map(check_entry, entries), strict=True)):
        (alone,) = read(text)
        assert entry.record == alone.record
        assert entry.source.rstrip("\n") == text.rstrip("\n")
        assert (entry.line, entry.n, result.n) == (line, n, n)
        assert seen(result) == seen(check_entry(alone))
        if result.error is not None:
            where = check_entry(alone).error
            assert result.error.line == (where.line or 1) + line - 1
        line += (text + blank).count("\n")


@pytest.mark.parametrize(
    "data",
    [
        TEXT,
        f"{TEXT}\n{TEXT}\nnonsense\n{TEXT}",
        f"{TEXT}\n{{ remark }}\n{TEXT}",
        json.dumps(FORM),
        json.dumps([FORM, {}, FORM]),
        json.dumps(FORM) + "\n{\n" + json.dumps(FORM),
        "",
        "{}\n[]\n{}",
    ],
)
def test_one_by_one_they_are_the_same(data: str) -> None:
    entries = read(data)
    assert list(read_each(data)) == list(read_each(data.encode())) == entries
    for number in range(len(entries)):
        assert list(islice(read_each(data), number)) == entries[:number]


@pytest.mark.parametrize("record", ["{}\n", '[TGN "1"]\n\n', TEXT + "\n", '[TGN "1"]\n{\n'])
def test_what_is_not_asked_for_is_not_read(record: str) -> None:
    """The first three of twenty thousand records (or of a million bytes) take a small part of the time of
    all."""
    data = record * min(20_000, 1_000_000 // len(record) + 1)
    began = time.process_time()
    first = list(islice(read_each(data), 3))
    between = time.process_time()
    entries = read(data)
    assert (between - began) * 3 < time.process_time() - between
    assert entries[:3] == first
    assert len(entries) > 100


def test_a_second_record_is_enough_to_refuse_several() -> None:
    for data, line in (("{}\n" * 1_000_000, 2), (TEXT + "\n" + TEXT, TEXT.count("\n") + 2)):
        with pytest.raises(NotationError, match=f"line {line}, column 1: second-record"):
            read_one(data)
