"""An exception of the program on one record is no verdict and stops no other record."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from tarock.analysis import verify
from tarock.analysis.verify import check_entry
from tarock.cli.main import main
from tarock.notation import read, read_each, read_piece, read_stored
from tarock.notation.pieces import cut
from tarock.view.answers import check as check_page
from tarock.view.answers import questions
from tests.support import samples
from tests.support.failing import MIDDLES, failing, input_of, steps


def raises(*_arguments: object, **_how: object) -> None:
    raise RuntimeError("a fault put into the program")


@pytest.mark.parametrize(("form", "step", "number"), steps())
def test_each_step_of_reading_fails_for_its_record_alone(form: str, step: str, number: int) -> None:
    text = input_of(form, MIDDLES[form][number])
    with failing(form, step):
        first, middle, last = read_each(text)
    sound = list(read_each(text))
    assert [first, last] == [sound[0], sound[2]]
    assert (middle.n, middle.line, middle.record) == (1, sound[1].line, None)
    assert isinstance(middle.failure, RuntimeError)
    assert [finding.reason for finding in middle.errors] == ["failed"]
    assert sound[1].source.startswith(middle.source) or middle.source.startswith(sound[1].source)


def test_a_border_is_found_where_its_search_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    text = samples.many(1500)
    whole = [(entry.source, entry.line) for entry in read(text)]
    monkeypatch.setattr("tarock.notation.boundaries._has_words", raises)
    pieces = list(cut([text]))
    assert len(pieces) > 1
    assert [(entry.source, entry.line) for piece in pieces for entry in read_piece(piece)] == whole


def test_a_single_record_raises_the_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tarock.notation.text.interpret", raises)
    for reading in (read, read_stored):
        with pytest.raises(RuntimeError):
            reading(samples.TAROKY)
    with pytest.raises(RuntimeError):
        check_entry(next(read_each(samples.TAROKY)))


STEPS = {
    "reading": lambda: failing("tgn", "text:read_record"),
    "finding the end": lambda: failing("tgn", "boundaries:_comments_of"),
}


@pytest.mark.parametrize("step", STEPS)
def test_the_command_line_goes_on(
    step: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "three.tgn"
    path.write_text(input_of("tgn", MIDDLES["tgn"][3]), encoding="utf-8")
    with STEPS[step]():
        assert main(["verify", str(path)]) == 1
    out, err = capsys.readouterr()
    line = next(entry.line for entry in read_each(path.read_text(encoding="utf-8")) if entry.n == 1)
    assert [row.split()[1] for row in out.splitlines()] == ["incomplete", "failed", "incomplete", "records:"]
    assert out.endswith("2 incomplete, 1 failed\n")
    assert f"{path}:{line}: record 1: failed: " in err
    assert [record.exc_info is not None for record in caplog.records] == [True]
    with STEPS[step]():
        assert main(["verify", "--json", str(path)]) == 1
    rows = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
    assert [row["verdict"] for row in rows] == ["incomplete", None, "incomplete"]
    assert rows[1]["error"]["reason"] == "failed"


@pytest.mark.parametrize(
    ("module", "name"), [(check_page, "check_entry"), (check_page, "record_view"), (verify, "check")]
)
def test_the_question_check_answers_for_the_other_records(
    module: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = getattr(module, name)

    def fails(one: Any, *more: Any, **named: Any) -> Any:
        record = getattr(one, "record", one)
        return raises() if record is not None and record.game == "troggu" else real(one, *more, **named)

    monkeypatch.setattr(module, name, fails)
    question = {"ask": "check", "text": samples.TAROKY + "\n" + samples.TROGGU + "\n" + samples.SHEET}
    records = questions.answer_to(question)["records"]
    assert [record["verdict"] for record in records] == ["verified", "failed", "computed"]
    assert records[1]["line"] == samples.TAROKY.count("\n") + 2
    assert records[1]["findings"][0]["text"]


@pytest.mark.parametrize("ask", questions._QUESTIONS)
def test_every_question_on_which_the_program_fails_has_an_error(
    ask: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(questions._QUESTIONS, ask, lambda: raises())
    with caplog.at_level(logging.ERROR):
        found = json.loads(questions.answer(json.dumps({"ask": ask})))
    assert found["error"]["code"] == "failed"
    assert caplog.records[0].exc_info
