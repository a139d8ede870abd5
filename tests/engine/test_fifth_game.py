"""A fifth game, `tests/fifth_game`: a folder and one entry in `GAMES`, and the whole engine knows it."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tarock import cli
from tarock.analysis import public_knowledge
from tarock.analysis.audit import explain, outline_and_running, running
from tarock.analysis.commentary import reasons
from tarock.analysis.fold import fold
from tarock.analysis.replay import last_step, outline, position, positions
from tarock.analysis.sheets import sheet_lines
from tarock.analysis.simulate import simulate
from tarock.analysis.verify import Check, check, check_entry
from tarock.core.record import Record
from tarock.games import GAMES, Game
from tarock.notation import dump_json, read, read_one, write_json, write_text
from tarock.notation.schema import schema
from tarock.words import sentences
from tarock.words.clauses import LANGUAGES, book, books, clause, clauses, words
from tarock.words.rulebook import overview
from tests.engine.tapping import Form, enter
from tests.fifth_game.rules import Zweier
from tests.support.effort import EVERY

#: A deal before its first event. A, forehand, holds no King; B holds two.
DEAL = """\
[TGN "1"]
[Game "zweier"]
[A "Ada"]
[B "Otto"]
[Dealer "B"]

deal A SQ SJ S9 HC H1 DQ D1 CJ C9 T18 T9 T1
deal B SK SC S10 S7 HK H2 D2 C10 C8 T17 T5 T2
deal talon S8 HQ HJ H3 H4 DK DC DJ D3 D4 CK CQ CC C7 T0 T21 T20 T19 T16 T15 T14 T13 T12 T11 T10 T8 T7 T6 T4 T3
"""


@pytest.fixture(autouse=True)
def fifth_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game exists for one test; caches from before it know only four games."""
    assert books()
    assert overview()
    assert schema()
    monkeypatch.setitem(GAMES, "zweier", Game(Zweier))


@pytest.fixture(scope="module")
def records() -> list[Record]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, "zweier", Game(Zweier))
        return list(simulate("zweier", deals=200, seed=5))


def played(*words: str) -> Record:
    return read_one(DEAL + "\n".join(words) + "\n")


def said(result: Check, language: str = "en") -> str:
    assert result.error is not None
    return sentences.finding(result.error, sentences.Names("zweier", language))


def test_without_its_entry_nobody_knows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [b.game for b in books()][-1] == "zweier"
    monkeypatch.delitem(GAMES, "zweier")
    (entry,) = read(DEAL)
    assert entry.error.reason == "unknown-game"
    assert "zweier" not in schema()["properties"]["game"]["enum"]
    assert "zweier" not in [b.game for b in books()]
    for name in (words, book):
        with pytest.raises(KeyError):
            name("zweier")
    with pytest.raises(KeyError):
        clause("zweier.bid")


def test_simulated_deals_verify_and_everything_happens(records: list[Record]) -> None:
    assert len(records) == 200
    checks = [check(record) for record in records]
    assert {result.verdict for result in checks} == {"verified"}
    lines = {(line.clause, line.sentences) for result in checks for line in result.lines}
    assert lines == {
        ("zweier.game", ("won",)),
        ("zweier.game", ("lost",)),
        ("zweier.declare", ("made",)),
        ("zweier.pagat", ("won",)),
    }
    noted = {(note.clause, note.kind) for record in records for note in fold(record).table.notes()}
    assert noted == {("zweier.game", "points-near"), ("zweier.pagat", "trick-off")}
    assert {h.clause for result in checks for h in result.happenings} == {"zweier.forced"}


def test_text_and_json_say_the_same(records: list[Record]) -> None:
    for record in records[:40]:
        text, form = write_text(record), dump_json(record)
        assert read_one(text) == read_one(form) == record
        assert write_text(read_one(form)) == text
        assert write_json(read_one(text)) == json.loads(form)
    kings = played("A take", "A PASS", "B Declare KINGS")
    assert kings.events[-1] == ("B", "declare", "kings")


def test_its_verb_belongs_to_no_other_game() -> None:
    (entry,) = read(DEAL.replace("zweier", "taroky") + "A declare kings\n")
    assert entry.error is not None
    assert "declare" not in {v for name in GAMES if name != "zweier" for v in GAMES[name].info.verbs}
    (entry,) = read(DEAL + "A declares kings\n")
    assert "declare" in entry.error.values["expected"].split()


def test_an_illegal_deal_names_the_game_s_own_clause() -> None:
    result = check(played("A take", "A declare kings"))
    assert result.verdict == "illegal"
    assert (result.error.clause, result.error.event, result.error.legal) == ("zweier.declare", 1, ("pass",))
    assert said(result) == "A declares kings, but of the 2 Kings that are needed holds only 0"
    assert said(result, "de") == "A sagt kings an, hat aber von 2 Königen, die nötig sind, nur 0"
    assert said(result, "cs") == "A ohlašuje: kings, ale potřebuje 2 krále a má jen 0"
    assert said(result, "ja") == "Aは「kingsを宣言」と言いましたが、キングは2枚必要で、0枚しかありません"
    assert sentences.message(result.error, "zweier").endswith("; allowed: pass")


@pytest.mark.parametrize(("events", "slug", "reason"), [
    (("B take",), "common.turn", "speaks-first"),
    (("A declare kings",), "common.unexpected", "verb"),
    (("A pass B",), "common.count", "none"),
    (("A take", "A pass", "B declare"), "common.count", "one"),
    (("A take", "A pass", "B declare queens"), "common.item", "no-item"),
    (("A take", "A pass", "B pass", "1. B SK"), "common.turn", "leads-first"),
    (("A take", "A pass", "B pass", "1. A SQ HK"), "zweier.follow", "suit"),
    (("A take", "A pass", "B pass", "1. A DQ SK"), "zweier.follow", "suit"),
    (("A take", "A pass", "B pass", "1. A S8"), "common.not-held", "card"),
])  # fmt: skip
def test_what_is_wrong_in_any_game_is_wrong_here(events: tuple[str, ...], slug: str, reason: str) -> None:
    result = check(played(*events))
    assert (result.verdict, result.error.clause, result.error.reason) == ("illegal", slug, reason)
    for language in LANGUAGES:
        assert "{" not in said(result, language)


def test_an_unfinished_deal_is_incomplete() -> None:
    result = check(played("A pass"))
    assert (result.verdict, result.facts["contract"]) == ("incomplete", "forced")
    assert said(result) == "A passes, and the record ends there; it is B's turn (Declaring)"
    assert said(check(played())) == "the record ends before its first event; it is A's turn (Bidding)"


def test_a_wrong_claim_is_disputed_and_explained(records: list[Record]) -> None:
    record = next(r for r in records if len(check(r).lines) > 1)
    right = check(record)
    claim = {seat: points - right.lines[1].points[seat] for seat, points in right.score.items()}
    (entry,) = read(write_text(record))
    entry.record.score = claim
    result = check_entry(entry)
    assert result.verdict == "disputed"
    assert ("left-out", 1) in [(e.how, e.line) for e in explain(result.lines, right.score, claim)]


def test_every_position_can_be_shown(records: list[Record]) -> None:
    for record in records[:10]:
        for view in (None, "A", "B"):
            states = list(positions(record, view))
            assert len(states) == last_step(record, view) + 1 == len(record.events) + 1
            assert states[7] == position(record, 7, view)
            forms = [state.as_json() for state in states]
            assert json.loads(json.dumps(forms)) == forms
            rows = outline(record, view)
            assert [row.event for row in rows] == list(range(len(record.events)))
            assert states[-1].over
            assert states[0].talon.cards is None if view else len(states[0].talon.cards) == 30
        common = public_knowledge.position(record, 3)
        assert common.hands["A"].cards is None
        assert public_knowledge.outline(record)
        assert all(reason is not None for reason in reasons(record, "A")[3:])


def test_the_account_goes_by_its_sides(records: list[Record]) -> None:
    record = records[0]
    account = running(record)
    assert (account.by, set(account.before), len(account.rows)) == ("side", {"declarer", "opponent"}, 12)
    assert account.threshold == Zweier.info.threshold
    assert account.rows[-1].points == check(record).facts["card_points"]
    assert outline_and_running(record)[1] == account
    assert running(record, public=True).by == "seat"


@pytest.mark.parametrize(("language", "forced"), [
    ("en", "{} has to play, since forehand passed."),
    ("de", "{} muss spielen, da die Vorhand gepasst hat."),
    ("cs", "{} musí hrát, neboť forhont pasoval."),
    ("ja", "フォアハンドがパスをしたので、{}がデクレアラーになります。"),
])  # fmt: skip
def test_the_score_sheet_can_be_told(records: list[Record], language: str, forced: str) -> None:
    names = sentences.Names("zweier", language)
    told, happened = set(), set()
    for record in records:
        result = check(record)
        heading = sentences.heading(result.facts, names)
        assert heading[0] == words("zweier", language)["contracts"][result.facts["contract"]]
        assert str(result.facts["declarer"]) in heading[1]
        told |= {*heading, *(sentences.line(line, names) for line in result.lines)}
        told |= {sentences.note(note, names) for note in fold(record).table.notes()}
        happened |= {sentences.happening(row, names) for row in result.happenings}
    assert all(sentence and "{" not in sentence for sentence in told)
    assert happened == {forced.format(seat) for seat in "AB"}


def test_books_and_words_have_it() -> None:
    assert [b.game for b in books("de")] == ["common", *GAMES]
    for language in LANGUAGES:
        found = book("zweier", language)
        assert [c.slug for c in found.clauses] == [f"zweier.{n}" for n in NAMES]
        assert words("zweier", language)["verbs"]["pass"]
        assert words("zweier", language)["items"]["kings"]
    assert clause("zweier.forced", "cs").title == "Rozdávající musí hrát"
    assert clause("zweier.forced").is_ruling
    assert {c.slug for c in clauses() if c.game == "zweier"} == {f"zweier.{n}" for n in NAMES}


NAMES = ("deal", "bid", "forced", "declare", "lead", "follow", "game", "pagat")


def test_schema_takes_its_records(records: list[Record]) -> None:
    found = schema()
    Draft202012Validator.check_schema(found)
    validator = Draft202012Validator(found)
    assert "declare" in found["properties"]["events"]["items"]["prefixItems"][1]["enum"]
    for record in records[:40:EVERY]:
        validator.validate(write_json(record))
    form = write_json(records[0])
    form["deal"]["A"] = form["deal"]["A"][:-1]
    assert not validator.is_valid(form)


def test_rulebook_has_it(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = overview()
    assert "## Zweier\n" in text
    assert "- `zweier.forced` The dealer has to play ([ruling](#zweierforced))" in text
    assert "#### zweier.forced\n" in text
    monkeypatch.delitem(sys.modules, "tarock.words.rulebook")
    runpy.run_module("tarock.words.rulebook", run_name="__main__")
    assert capsys.readouterr().out == text


def test_the_command_line_knows_it(
    tmp_path: Path, records: list[Record], capsys: pytest.CaptureFixture[str]
) -> None:
    def told(*arguments: str, status: int = 0) -> str:
        assert cli.main([*arguments]) == status
        return "".join(capsys.readouterr())

    good, bad = tmp_path / "deals.tgn", tmp_path / "deal.tgn"
    good.write_text("\n".join(map(write_text, records[:5])), encoding="utf-8")
    bad.write_text(DEAL + "A take\nA declare kings\n", encoding="utf-8")
    assert "5 records: 5 verified" in told("verify", str(good))
    assert "illegal (zweier.declare): turn 2 before the play: A declares kings, but of" in told(
        "verify", str(bad), status=1
    )
    assert "zweier.game" in told("score", str(good))
    first = told("score", "--json", str(good)).splitlines()[0]
    assert json.loads(first)["lines"][0]["title"] == "The game"
    for options in ([], ["--steps"], ["--view", "B"], ["--json"]):
        assert "zweier" in told("show", *options, str(good))
    assert len(told("convert", "--to", "ndjson", str(good)).splitlines()) == 5
    assert all(entry.record for entry in read(told("simulate", "zweier", "--deals", "2", "--seed", "1")))
    assert "zweier.pagat" in told("rules", "zweier")
    assert "ゲームの得点" in told("rules", "zweier.game", "--language", "ja")


def test_its_sheets_can_be_entered_by_taps(records: list[Record]) -> None:
    declared = 0
    for record in records[:40]:
        lines = sheet_lines(record)
        assert lines
        declared += any(line[0] == "declare" for line in lines)
        form = Form("zweier", 2, record.dealer)
        enter(form, lines)
        assert form.answer["score"] == check(record).score
    assert declared
