"""All independent errors of a record are reported at once, and none that follows from another."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tarock.analysis.verify import check_entry
from tarock.notation import NotationError, dump_json, read, read_one, write_text
from tarock.words import sentences
from tests.engine.builder import Deal
from tests.engine.notation_sample import sure

TEXT = Path("deploy/samples/taroky-02-solo.tgn").read_text(encoding="utf-8")
GOOD = write_text(Deal("strohmann").record())
FOUR = Path("deploy/samples/grosstarock-7-sitting-out.tgn").read_text(encoding="utf-8")


FORM = json.loads(dump_json(read_one(TEXT)))


def spoilt(*changes: tuple[str, str], text: str = TEXT) -> str:
    """Return a good record with some of its words replaced, each at its first place."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def places(text: str) -> list[tuple[int, int, str]]:
    (entry,) = read(text)
    return [(found.line or 0, found.column or 0, found.reason) for found in entry.errors]


SEVERAL = spoilt(
    ('"2026-11-20"]', '"2026-13-20"]'),
    ('[Deal "2"]', '[Deal "two"]'),
    ("deal A SQ SC", "deal A SQ SQ"),
    ("H1 H3", "H1 H11"),
    ("D bid first", "D bdi first"),
    ("2. A SC SK", "2. A SC Z9"),
    ("12. A T12 CQ DC HQ", "12. A T12 CQ DC HQ S1"),
)


def test_all_faults_of_a_text_are_told_in_its_order() -> None:
    (entry,) = read(SEVERAL)
    assert entry.record is None
    assert [(f.line, f.column, f.reason, f.pointer) for f in entry.errors] == [
        (8, 8, "no-date", "/tags/Date"),
        (12, 8, "no-deal-number", "/tags/Deal"),
        (15, 11, "dealt-twice", "/deal/A/1"),
        (17, 11, "not-in-pack", "/deal/C/1"),
        (21, 3, "unknown-verb", "/events/0"),
        (33, 9, "no-card", "/events/16"),
        (43, 20, "trick-too-long", "/events/59"),
    ]
    assert entry.error == entry.errors[0]
    assert entry.errors[2].values == {"card": "SQ", "place": "A"}
    checked = check_entry(entry)
    assert checked.errors == entry.errors
    assert [row["reason"] for row in checked.as_json()["errors"]] == [f.reason for f in entry.errors]
    assert checked.as_json()["error"] == checked.as_json()["errors"][0]


@pytest.mark.parametrize(("changes", "expected"), [
    # tags
    ([('[Dealer "C"]', '[Dealer "E"]'), ("deal B SK", "deal B SQ")],
     [(7, 10, "unknown-dealer"), (16, 8, "dealt-twice")]),
    ([('[Dealer "C"]\n', ""), ("1. D D1", "1. D Q")], [(14, 1, "tag-missing"), (31, 6, "no-card")]),
    ([('[Site "Hlučín"]', "[Site Hlučín]"), ('[Deal "2"]', '[Deal "0"]'), ("B pass", "B pas")],
     [(10, 7, "no-tag-value"), (12, 8, "no-deal-number"), (23, 3, "unknown-verb")]),
    ([("A=1212 B", "A=x B"), ('[Event "', '[Date "')], [(9, 2, "tag-twice"), (13, 9, "no-score")]),
    ([('[Deal "2"]', '[Deal "2"] and'), ("C pass", "C")],
     [(12, 12, "words-after-tag"), (24, 1, "no-verb")]),
    # the deal
    ([("deal A SQ", "deal A SK"), ("deal D HQ", "deal D H4")],
     [(16, 8, "dealt-twice"), (18, 8, "dealt-twice")]),
    ([("deal A SQ SC", "deal A SC"), ("deal talon T7", "deal talon T7 SQ")],
     [(15, 6, "wrong-size"), (19, 6, "wrong-size")]),
    ([("deal B SK SJ", "deal B SJ"), ("deal talon T7 HC DK HJ HK T2\n", "")],
     [(16, 6, "wrong-size")]),
    ([("D bid first\n", ""), ("deal B", "D bid first\ndeal B"), ("C pass", "C")],
     [(17, 1, "deal-among-events"), (24, 1, "no-verb")]),
    # moves
    ([("3. C CK", "3. E CK"), ("5. D T19 T0", "5. D T19 0")],
     [(34, 4, "no-leader"), (36, 10, "no-card")]),
    ([("4. A SQ S7 C8 T6", "4. A SQ S7 C8"), ("6. A", "6.")],
     [(35, 1, "short-trick"), (37, 4, "no-leader")]),
    ([("4. A SQ S7 C8 T6", "4."), ("A announce taroky", "A")],
     [(25, 1, "no-verb"), (35, 1, "trick-without-card")]),
    ([("C pass", "C pass }"), ("4. A SQ", "4. E SQ")],
     [(24, 8, "brace-not-opened"), (35, 4, "no-leader")]),
    ([("C pass", "C\N{NO-BREAK SPACE}pass"), ("1. D D1", "1. D Q")],
     [(24, 2, "no-blank"), (32, 6, "no-card")]),
    # a comment over several lines is one, whatever precedes it
    ([("C announce sub:game {", "C announce\n{"), ("B pass", "B pas {\n1. X\n}"), ("1. D D1", "1. D Q")],
     [(23, 3, "unknown-verb"), (35, 6, "no-card")]),
    # invalid characters: nothing else is reported for their lines
    ([("Alena", "Al\x00e\x01na"), ("C pass", "C\x00pass"), ("3. C CK T20", "3. C CK T20\x00"),
      ("SK", "SQ")],
     [(3, 7, "control-character"), (16, 8, "dealt-twice"), (24, 2, "control-character"),
      (34, 12, "control-character")]),
])  # fmt: skip
def test_faults_that_have_nothing_to_do_with_each_other(
    changes: list[tuple[str, str]], expected: list[tuple[int, int, str]]
) -> None:
    assert places(spoilt(*changes)) == expected


#: The consequences of a fault are not further faults.
SINGLE = [
    # A place whose line can't be read may be the one that is missing.
    ("deal B", "dael B", (16, 1, "no-line")),
    ("deal B", "deal A", (16, 6, "place-twice")),
    ("deal B", "deal E", (16, 6, "unknown-place")),
    ("deal B", "deal B/1", (16, 6, "unknown-place")),
    ("deal B SK ", "deal B ", (16, 6, "cards-missing")),
    ("deal B SK SJ S10 S9 S8 S7 D2 D4 CQ C10 C7 T4", "deal", (16, 1, "deal-without-place")),
    ("deal B SK", "deal B } SK", (16, 8, "brace-not-opened")),
    # A card that was dealt twice, or is none, may be one too many; two may be one word.
    ("SC T0", "SC SK T0", (16, 8, "dealt-twice")),
    ("deal B SK", "deal B S6", (16, 8, "not-in-pack")),
    ("S10 S9 S8", "S10S9 S8", (16, 14, "not-in-pack")),
    ("T10 S9 DJ", "T10 S9DJ", (40, 13, "no-card")),
    # Behind a trick that is missing, or numbered wrongly, the next is the next.
    ("3. C CK T20 T21 C7\n", "", (34, 1, "trick-number")),
    ("3. C", "33. C", (34, 1, "trick-number")),
    ("3. C", "2. C", (34, 1, "trick-number")),
    ("3. C", "3: C", (34, 1, "no-line")),
    ("20 to A from each. }", "20 to A from each.", (42, 20, "comment-not-closed")),
    # The players and the contract are unknown.
    ('[D "Dana"]', '[C "Dana"]', (6, 2, "tag-twice")),
    ('[Game "taroky"]', '[TGN "1"]', (2, 2, "tag-twice")),
    ('[Game "taroky"]', '[Game "taroki"]', (2, 8, "unknown-game")),
    ('[Game "taroky"]', '[Game "Taroky"]', (2, 8, "unknown-game")),
    ('[Game "taroky"]', "[Game taroky]", (2, 7, "no-tag-value")),
    ('[Game "taroky"]\n', "", (14, 1, "tag-missing")),
    ('[B "Bořek"]', '["Bořek"]', (4, 1, "no-tag")),
    ('[B "Bořek"]', '[E "Bořek"]', (3, 5, "seat-missing")),
    ('[D "Dana"]\n', "", (3, 5, "wrong-number-of-seats")),
    ('[TGN "1"]', '[TGN "2"]', (1, 7, "unknown-version")),
    ('[Dealer "C"]', '[Dealer "c"]', (7, 10, "unknown-dealer")),
    # Dates and other tags.
    *(('[Date "2026-11-20"]', f'[Date "{date}"]', (8, 8, "no-date"))
      for date in ("2026-13-20", "2026-02-29", "20.11.2026", "2026-??-20-")),
    ('[Date "2026-11-20"]', '[Options "settle"]', (8, 11, "unknown-option")),
    ('[Date "2026-11-20"]', '[Options "settle-uncontested settle-uncontested"]', (8, 11, "option-twice")),
    ('[Date "2026-11-20"]', '[a "Anna"]', (8, 2, "tag-twice")),
    ('[Date "2026-11-20"]', '[Date "2026-11-20', (8, 7, "no-tag-value")),
    ('[Date "2026-11-20"]', '[Date "2026-11-20"] x', (8, 21, "words-after-tag")),
    ('[Date "2026-11-20"]', '[Date "20\\26"]', (8, 7, "no-tag-value")),
    ('[Date "2026-11-20"]', '[1st "x"]', (8, 1, "no-tag")),
    ('[Date "2026-11-20"]', "[]", (8, 1, "no-tag")),
    ('[Deal "2"]', '[Deal "0"]', (12, 8, "no-deal-number")),
    ("A=1212 B=-404", "A=99999999999 B=-404", (13, 9, "no-score")),
    ("A=1212 B=-404", "A=1212 A=-404", (13, 16, "no-score")),
    ("A=1212 B=-404 ", "A=1212 ", (13, 9, "score-missing")),
    ("A=1212 B=-404", "A=1212 B=-404 E=0", (13, 9, "unknown-seat")),
    # Moves.
    ("D bid first", "D says first", (21, 3, "unknown-verb")),
    ("D bid first", "D", (21, 1, "no-verb")),
    ("D bid first", "D play T20", (21, 3, "unknown-verb")),
    ("D bid first", "bid first", (21, 1, "no-line")),
    ("D bid first", "D bid\x00first", (21, 6, "control-character")),
    ("1. D D1", "2. D D1", (32, 1, "trick-number")),
    ("1. D D1", "1 D D1", (32, 1, "no-line")),
    ("1. D D1", "1. E D1", (32, 4, "no-leader")),
    ("4. A SQ S7 C8 T6", "4. A", (35, 1, "trick-without-card")),
    ("4. A SQ S7 C8 T6", "4. A SQ S7 C8", (35, 1, "short-trick")),
    ("S7 C8 T6", "S7 C8 T6 T2", (35, 18, "trick-too-long")),
    ("S7 C8 T6", "S7 C8 pass", (35, 15, "no-card")),
    ("S7 C8 T6", "S7 C8 S5", (35, 15, "not-in-pack")),
    ("4. A SQ S7 C8 T6", "4. A SQ S7 C8\nA pass", (35, 1, "short-trick")),
    ("12. A T12 CQ DC HQ", "deal A SK", (43, 1, "deal-among-events")),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "place"), SINGLE)
def test_a_fault_has_its_place_also_in_an_input(old: str, new: str, place: tuple[int, int, str]) -> None:
    text = spoilt((old, new))
    assert places(text) == [place]
    _, entry, _ = read(f"{GOOD}\n{text}\n{GOOD}")
    (finding,) = entry.errors
    line = place[0] + GOOD.count("\n") + 1
    assert (entry.record, finding.line, finding.column) == (None, line, place[1])
    message = sentences.message(finding)
    assert f"line {line}, column {place[1]}: " in message
    assert any(word in message for word in ("expected", "found", "no cards", "no score"))
    checked = check_entry(entry)
    assert (checked.verdict, checked.error) == ("malformed", finding)
    with pytest.raises(NotationError):
        read_one(text)


def test_no_card_of_the_pack_is_called_or_discarded() -> None:
    assert places(sure("A call T19", "A call H9")) == [(20, 8, "not-in-pack")]
    assert places(sure("discard S8 H1", "discard S8 H10")) == [(21, 14, "not-in-pack")]


def test_who_sits_out_depends_on_the_dealer() -> None:
    text = spoilt(("deal A S9", "deal A SK"), text=FOUR)
    assert places(text) == [(17, 8, "dealt-twice")]
    assert places(spoilt(('[Dealer "B"]', '[Dealer "E"]'), text=text)) == [(7, 10, "unknown-dealer")]


def test_no_more_than_twenty_are_told_and_those_of_the_moves_hide_none_before() -> None:
    start = TEXT.index("D bid first")
    many = TEXT[:start] + "X pass\n" * 40
    found = places(spoilt(("SQ SC", "SQ SQ"), text=many))
    assert found == [(15, 11, "dealt-twice"), *((line, 1, "no-line") for line in range(21, 40))]
    (entry,) = read(json.dumps(FORM | {"events": [["X", "pass"]] * 300}))
    assert [f.pointer for f in entry.errors] == [f"/events/{n}" for n in range(20)]


def _several(form: dict[str, Any]) -> None:
    form["dealer"] = "E"
    form["options"] = ["none", 3]
    form["tags"] |= {"Date": "x", "Game": "taroky", "Deal": "0"}
    form["deal"]["A"][0] = "Z9"
    form["deal"]["B"][0] = 7
    form["events"][3] = ["A"]
    form["events"][20][2] = "T22"
    form["comments"] = {"0": [4, "a } b"], "99": ["x"]}
    del form["score"]["A"]


@pytest.mark.parametrize(("change", "expected"), [
    (_several, [
        ("unknown-dealer", "/dealer"), ("no-date", "/tags/Date"), ("no-deal-number", "/tags/Deal"),
        ("tag-elsewhere", "/tags/Game"), ("unknown-option", "/options/0"), ("no-string", "/options/1"),
        ("not-in-pack", "/deal/A/0"), ("no-string", "/deal/B/0"), ("no-verb", "/events/3"),
        ("not-in-pack", "/events/20/2"), ("no-string", "/comments/0/0"),
        ("brace-in-comment", "/comments/0/1"), ("no-number-of-events", "/comments/99"),
        ("score-missing", "/score"),
    ]),
    (lambda form: [form.pop("tgn"), form.pop("events")], [("key-missing", ""), ("key-missing", "")]),
    (lambda form: form.update(deel=form.pop("deal")), [("unknown-key", "/deel")]),
    (lambda form: form["players"].update(E="Eva"), [("wrong-number-of-seats", "/players")]),
    (lambda form: form["players"].update(X=form["players"].pop("D")), [("no-seat", "/players/X")]),
    (lambda form: form["score"].update(E=form["score"].pop("A")), [("unknown-seat", "/score/E")]),
    (lambda form: form.update(game="x", options=["x"], score=3), [("unknown-game", "/game")]),
    (lambda form: form.update(events={}, comments={"7": ["x"]}), [("no-list", "/events")]),
    (lambda form: form["deal"].update(A="SQ SC"), [("no-list", "/deal/A")]),
    (lambda form: form.update(events=[["A", "pass"]] * 401), [("too-many-events", "/events/400")]),
])  # fmt: skip
def test_all_faults_of_a_json_form(change: Callable[[Any], object], expected: list[tuple[str, str]]) -> None:
    form = json.loads(json.dumps(FORM))
    change(form)
    (entry,) = read(json.dumps(form, ensure_ascii=False))
    assert [(f.reason, f.pointer) for f in entry.errors] == expected


def test_of_an_illegal_record_there_is_one_and_of_a_sound_one_none() -> None:
    (entry,) = read(spoilt(("1. D D1 T5", "1. D D1 T4"), ("2. A SC SK", "2. A SC S8")))
    checked = check_entry(entry)
    assert checked.verdict == "illegal"
    assert checked.errors == (checked.error,)
    (entry,) = read(TEXT)
    assert (entry.errors, entry.error, check_entry(entry).errors) == ((), None, ())


@pytest.mark.parametrize(("text", "reason", "column"), [
    ("{", "no-json-key", 2),
    ('{"tgn":1,', "no-json-key", 10),
    ('{"tg', "json-text-not-closed", 2),
    ('{"tgn"', "no-json-colon", 7),
    ('{"tgn":', "no-json", 8),
    ('{"tgn":01}', "no-json-comma", 9),
    ('{"tgn":1 "x"}', "no-json-comma", 10),
    ('{"tgn":"a\nb"}', "json-control-character", 10),
    ('{"tgn":"\\q"}', "no-json-escape", 9),
    ("{ a", "comment-not-closed", 1),
])  # fmt: skip
def test_what_is_no_json_is_said_in_our_words(text: str, reason: str, column: int) -> None:
    assert places(text) == [(1, column, reason)]
