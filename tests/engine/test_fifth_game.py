"""A fifth game, `tests/fifth_game`: a folder and one entry in `GAMES`, and the whole engine knows it."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from tarock import cli
from tarock.analysis import public_knowledge
from tarock.analysis.audit import running
from tarock.analysis.commentary import reasons
from tarock.analysis.fold import fold
from tarock.analysis.replay import outline, positions
from tarock.analysis.sheets import sheet_lines
from tarock.analysis.simulate import simulate
from tarock.analysis.verify import check
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
    checks = [check(record) for record in records]
    assert [result.verdict for result in checks] == ["verified"] * 200
    assert {(line.clause, line.sentences) for result in checks for line in result.lines} == {
        ("zweier.game", ("won",)),
        ("zweier.game", ("lost",)),
        ("zweier.declare", ("made",)),
        ("zweier.pagat", ("won",)),
    }
    noted = {(note.clause, note.kind) for record in records for note in fold(record).table.notes()}
    assert noted == {("zweier.game", "points-near"), ("zweier.pagat", "trick-off")}
    assert {h.clause for result in checks for h in result.happenings} == {"zweier.forced"}
    for record in records[:40]:
        assert read_one(write_text(record)) == read_one(dump_json(record)) == record


def test_an_illegal_deal_names_the_game_s_own_clause() -> None:
    result = check(played("A take", "A Declare KINGS"))
    assert result.verdict == "illegal"
    assert (result.error.clause, result.error.event, result.error.legal) == ("zweier.declare", 1, ("pass",))
    assert [sentences.finding(result.error, sentences.Names("zweier", code)) for code in LANGUAGES] == [
        "A declares kings, but of the 2 Kings that are needed holds only 0",
        "A sagt kings an, hat aber von 2 Königen, die nötig sind, nur 0",
        "A ohlašuje: kings, ale potřebuje 2 krále a má jen 0",
        "Aは「kingsを宣言」と言いましたが、キングは2枚必要で、0枚しかありません",
    ]
    for events, slug, reason in (
        (("A take", "A pass", "B declare queens"), "common.item", "no-item"),
        (("A take", "A pass", "B pass", "1. A SQ HK"), "zweier.follow", "suit"),
    ):
        error = check(played(*events)).error
        assert (error.clause, error.reason) == (slug, reason)
    # Its verb belongs to no other game.
    assert "declare" in read(DEAL + "A declares kings\n")[0].error.values["expected"].split()
    assert read(DEAL.replace("zweier", "taroky") + "A declare kings\n")[0].error is not None


def test_every_position_can_be_shown(records: list[Record]) -> None:
    for record in records[:10]:
        for view in (None, "A", "B"):
            states = list(positions(record, view))
            assert len(states) == len(outline(record, view)) + 1 == len(record.events) + 1
            json.dumps([state.as_json() for state in states])
            assert states[-1].over
            assert states[0].talon.cards is None if view else len(states[0].talon.cards) == 30
        assert public_knowledge.position(record, 3).hands["A"].cards is None
        assert all(reason is not None for reason in reasons(record, "A")[3:])


def test_the_account_goes_by_its_sides(records: list[Record]) -> None:
    account = running(records[0])
    assert (account.by, set(account.before), len(account.rows)) == ("side", {"declarer", "opponent"}, 12)
    assert account.threshold == Zweier.info.threshold
    assert account.rows[-1].points == check(records[0]).facts["card_points"]


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
    slugs = [f"zweier.{n}" for n in ("deal", "bid", "forced", "declare", "lead", "follow", "game", "pagat")]
    for language in LANGUAGES:
        assert [c.slug for c in book("zweier", language).clauses] == slugs
        assert words("zweier", language)["items"]["kings"]
    assert clause("zweier.forced", "cs").title == "Rozdávající musí hrát"
    assert [c.slug for c in clauses() if c.game == "zweier"] == slugs
    assert "- `zweier.forced` The dealer has to play ([ruling](#zweierforced))" in overview()


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


def test_the_command_line_knows_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["simulate", "zweier", "--deals", "2", "--seed", "1"]) == 0
    assert all(entry.record for entry in read(capsys.readouterr().out))
    assert cli.main(["rules", "zweier.game", "--language", "ja"]) == 0
    assert "ゲームの得点" in capsys.readouterr().out


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
