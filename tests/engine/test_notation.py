"""Reading and writing TGN: pinned literals, each leniency, and comments."""

from __future__ import annotations

import hashlib
import json
import re

import pytest

from tarock.core.cards import CARDS, bits, indices, names, pack, parse_card, roman, value
from tarock.notation import dump_json, read, read_one, write_json, write_text
from tests.engine.builder import Deal
from tests.engine.notation_sample import FORM, TEXT, altered, sure
from tests.support.effort import EVERY


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


def test_a_card_is_read_in_each_spelling() -> None:
    for word, card in (pair.split("=") for pair in SPELLINGS.split()):
        assert CARDS[parse_card(word)] == card, word
    none = ["T22", "H0", "H11", "XXII", "IIV", "T-1", "SA", "K", "10", "T١", "T001", "0", "IIX"]
    assert [word for word in ("", "T1 ", *none) if parse_card(word) is not None] == []


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
    gross = Deal("grosstarock")
    for said, written in (
        (deal.say("A announce sub:valat flek:pagat re:game valat flek:game honery trul pagat taroky"),
         "A announce taroky trul honery pagat valat flek:game flek:pagat re:game sub:valat"),
        (gross.say("C announce null ladons:16 cavallery:C jacks cavallery:S kings:3 tarocks:10 bole"),
         "C announce tarocks:10 kings:3 cavallery:S cavallery:C jacks ladons:16 bole null"),
    ):  # fmt: skip
        assert written in write_text(said.record())


def test_options_and_scores() -> None:
    text = sure('[Date "2026-11-20"]', '[Options "  settle-uncontested "]')
    record = read_one(text)
    assert record.options == ("settle-uncontested",)
    assert '[Options "settle-uncontested"]\n' in write_text(record)
    text = sure("A=1 B=-1 C=-1 D=1", "  D=1   C=-1 B=-01  A=1")
    assert '[Score "A=1 B=-1 C=-1 D=1"]' in write_text(read_one(text))


def test_tags_in_canonical_order() -> None:
    names = ("Zeta", "Recorder", "Deal", "Session", "Round", "Site", "Event", "alpha", "Beta")
    text = sure("[Score", "".join(f'[{name} "7"]\n' for name in names) + "[Score")
    written = write_text(read_one(text))
    found = re.findall(r"(?m)^\[(\w+) ", written)
    known = ["TGN", "Game", *"ABCD", "Dealer", "Date", "Event", "Site", "Round", "Session", "Deal", "Score"]
    assert found == [*known, "Recorder", "Beta", "Zeta", "alpha"]
    assert write_text(read_one(written)) == written


@pytest.mark.parametrize(("value_of", "written"), [
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
])  # fmt: skip
def test_strings_in_tags(value_of: str, written: str) -> None:
    record = read_one(altered(players=FORM["players"] | {"A": value_of}))
    text = write_text(record)
    assert f"[A {written}]\n" in text
    assert read_one(text) == record


@pytest.mark.parametrize("line", ['[B "{}"]', ' [b  "{}" ] ; remark', '[B "{}"] {{ comment }}'])
@pytest.mark.parametrize(("name", "reason", "found"), [
    ("Boř\u202eek", "control-character", {"found": "U+202E"}),
    ("\u2067Bořek", "control-character", {"found": "U+2067"}),
    ("\u200b \u2060", "invisible", {}),
    ("\u3164", "invisible", {}),
    ("\uffff\ufdd0", "invisible", {}),
])  # fmt: skip
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
    "small seats and cards": TEXT.replace("A discard S8", "a discard s8").replace("1. A T20", "1. a t20"),
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
    "two byte-order marks": "\ufeff\ufeff" + TEXT,
}
BLANKS = {"byte-order mark": "\ufeff", "Ctrl-Z": "\x1a", "form feed": "\x0c", "vertical tab": "\x0b"}


@pytest.mark.parametrize("blank", BLANKS.values(), ids=BLANKS)
def test_each_kind_of_blank(blank: str) -> None:
    other = {
        "at the beginning": blank + TEXT,
        "at the end": TEXT + blank,
        "on a line": TEXT.replace("\n", f"\n{blank}\n"),
        "at the beginnings of lines": TEXT.replace("\n", f"\n{blank}"),
        "at the ends of lines": TEXT.replace("\n", f"{blank}\n"),
        "among words": TEXT.replace(" pass", f"{blank}pass").replace("T12 T3", f"T12{blank}T3"),
        "in a tag": TEXT.replace('[Game "', f'[{blank}Game{blank}"'),
        "in a remark": TEXT.replace("bid first", f"bid first ; {{ {blank}"),
    }
    for where, text in other.items():
        assert read_one(text) == read_one(TEXT), where
        assert read_one(text.replace("\n", "\r\n")) == read_one(TEXT), where


@pytest.mark.parametrize("blank", BLANKS.values(), ids=BLANKS)
@pytest.mark.parametrize("one", [TEXT, json.dumps(FORM) + "\n"], ids=["text", "JSON"])
def test_files_that_were_joined(one: str, blank: str) -> None:
    for between in (blank, f"\n{blank}", f"{blank}\n", f"\n{blank}\n", blank * 2):
        entries = read(between + between.join([one] * 3) + between)
        assert [entry.record for entry in entries] == [read_one(one)] * 3
        (nothing,) = read(between)
        assert [finding.reason for finding in nothing.errors] == ["nothing"]
    bad = one.rstrip("\n").replace("]]", "").replace("[Dealer", "[")
    assert [entry.record is None for entry in read(f"{bad}\n{blank}{one}")] == [True, False]


@pytest.mark.parametrize("blank", BLANKS.values(), ids=BLANKS)
def test_the_value_of_a_tag_has_no_other_blanks_than_before(blank: str) -> None:
    for data in (sure("Bořek", f"Bo{blank}řek"), altered(players=FORM["players"] | {"B": f"Bo{blank}řek"})):
        (entry,) = read(data)
        if blank == "\ufeff":
            assert entry.record.players["B"] == "Bo\ufeffřek"
        else:
            found = [(error.reason, error.values) for error in entry.errors[:1]]
            assert found == [("control-character", {"found": f"U+{ord(blank):04X}"})]
    for word, event in ((1, ["A", f"bid{blank}first"]), (2, ["A", "bid", f"first{blank}"])):
        (entry,) = read(altered(events=[event]))
        assert [finding.pointer for finding in entry.errors] == [f"/events/0/{word}"]


@pytest.mark.parametrize("text", LENIENT.values(), ids=LENIENT)
def test_what_is_forgiven(text: str) -> None:
    record = read_one(text)
    assert (record, write_text(record)) == (read_one(TEXT), TEXT)
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


#: Each character that a pattern, a border or a reader may take for something.
ODD = [
    *(chr(code) for code in range(1, 0x180) if not chr(code).isalnum() or code % 16 == 1),
    *"\u2028\u2029\u202a\u202e\u2066\u200b\ufeff\ufffd\uffff\U0001f0a1\U0010ffff",
    *('[TGN "1"]', '\n[TGN "1"]\n', '\n\n[TGN "1"]\n[Game "taroky"]\n\ndeal A SK', '\n[A "x"]\n', "\n; x\n"),
    *("\n1. A T1\n", '{"tgn":1', '"', '\\"', "\n{ ", ' "tgn": 1', "\r\n\r\n"),
    *("\ufeff[TGN ", "\n\ufeff[TGN \n"),
]


def test_a_comment_may_hold_anything_but_a_closing_brace() -> None:
    for odd in ODD[::EVERY]:
        for comment in (odd, f"a{odd}b", f"a {odd} b {odd}"):
            words = " ".join(comment.split())
            if "}" in comment:
                assert read(altered(comments={"1": [comment]}))[0].errors[0].reason == "brace-in-comment"
                continue
            text = sure("A bid first", f"A bid first {{{comment}}}")
            expected = {1: [words]} if words else {}
            for data in (text, altered(comments={"1": [comment]})):
                # Between others, so that no border is seen in it.
                found = read("\n".join([TEXT, text, TEXT]) if data == text else f"[{data},{data},{data}]")
                assert len(found) == 3, comment
                record = found[1].record
                assert record.comments == expected, comment
                assert read_one(write_text(record)) == record == read_one(dump_json(record))


@pytest.mark.parametrize("bad", ["\x00", "\udc80"])
def test_a_comment_holds_nothing_that_cannot_be_stored(bad: str) -> None:
    for data in (sure("A bid first", f"A bid first {{ a{bad} }}"), altered(comments={"1": [f"a{bad}"]})):
        assert [finding.reason for finding in read(data)[0].errors] == ["control-character"]


def test_a_record_follows_a_comment_that_is_not_closed() -> None:
    bad = TEXT + "{ not closed\n"
    commented = sure("A bid first", "A bid first { [ }")
    for others in ([TEXT], [commented], [TEXT, commented], [TEXT] * 3):
        entries = read("\n".join([bad, *others]))
        assert [entry.record is None for entry in entries] == [True] + [False] * len(others)


def test_a_trick_led_by_the_seat_that_sits_out_has_three_cards() -> None:
    """The deal is illegal, but can be read. B sits out if D deals."""
    text = write_text(Deal("grosstarock", {"talon": "S1 C1 H10"}, players=4, dealer="D").record())
    events = read_one(text + "1. B S2 S3 S4\n").events
    assert events == [("B", "play", "S2"), ("C", "play", "S3"), ("D", "play", "S4")]
    assert [error.reason for error in read(text + "1. B S2 S3 S4 S5\n")[0].errors] == ["trick-too-long"]
