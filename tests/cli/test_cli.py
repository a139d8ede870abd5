"""The command `tarock`, run as people and scripts run it: as a process, with files, pipes and a terminal."""

from __future__ import annotations

import contextlib
import doctest
import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from tarock import __version__, sentences, terminal
from tarock.clauses import clauses
from tarock.cli import main
from tarock.notation import dump_json, read, write_text
from tarock.replay import position
from tarock.simulate import simulate
from tarock.verify import check, check_entry
from tests.engine.worked import WORKED

ROOT = Path(__file__).resolve().parents[2]
KEYS = "n game digest verdict score lines facts counts happenings claim error errors"
ERROR_KEYS = "event trick seat clause legal message reason values line column pointer"


def tarock(*arguments: str, given: str | bytes = b"", **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the command; its output is decoded as UTF-8 whatever the locale."""
    done = subprocess.run(
        [sys.executable, "-m", "tarock", *arguments],
        input=given.encode() if isinstance(given, str) else given,
        capture_output=True,
        cwd=ROOT,
        env=os.environ | environment,
        timeout=60,
        check=False,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
    )


@pytest.fixture(scope="session")
def good() -> list:
    return [
        record
        for game in ("strohmann", "taroky", "troggu", "grosstarock")
        for record in simulate(game, deals=2, seed=77)
    ]


@pytest.fixture(scope="session")
def taroky() -> str:
    (record,) = simulate("taroky", deals=1, seed=77)
    record.score = check(record).score
    return write_text(record)


def illegal(text: str) -> str:
    """The same deal, but the last card but one of the first trick is played a second time."""
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("2. "))
    words = lines[at].split()
    words[2] = next(line for line in lines if line.startswith("1. ")).split()[3]
    lines[at] = " ".join(words)
    return "\n".join(lines) + "\n"


def test_the_examples_run() -> None:
    found = doctest.testmod(terminal)
    assert found.attempted
    assert not found.failed


# -- verify -----------------------------------------------------------------------------------------------


def test_verify_prints_one_object_a_record_in_input_order(good: list, tmp_path: Path) -> None:
    text = tmp_path / "first.tgn"
    text.write_text("\n".join(write_text(r) for r in good[:3]), encoding="utf-8")
    rows = tmp_path / "second.txt"
    rows.write_text("".join(dump_json(r) + "\n" for r in good[3:6]), encoding="utf-8")
    array = tmp_path / "third"
    array.write_text("[" + ",".join(dump_json(r) for r in good[6:]) + "]", encoding="utf-8")
    done = tarock("verify", "--json", str(text), str(rows), str(array))
    assert (done.returncode, done.stderr) == (0, "")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["n"] for row in found] == list(range(len(good)))
    assert [row["digest"] for row in found] == [r.digest for r in good]
    for row, record in zip(found, good, strict=True):
        assert " ".join(row) == KEYS
        assert row == json.loads(json.dumps(check(record, row["n"]).as_json()))
        assert row["verdict"] == "verified"
        assert row["error"] is None
        assert set(row["score"]) == set(record.seats)
        for line in row["lines"]:
            assert set(line) >= {"clause", "points"}
        sums = {s: sum(line["points"].get(s, 0) for line in row["lines"]) for s in record.seats}
        assert sums == row["score"]
        assert "card_points" in row["facts"] or record.game == "taroky"


def test_verify_names_every_kind_of_fault(taroky: str) -> None:
    disputed = taroky.replace("[Score ", '[Score "A=1 B=1 C=1 D=-3"]\n[Score2 ', 1)
    incomplete = taroky.rsplit("\n", 3)[0] + "\n"
    malformed = taroky.replace("deal B ", "deal B T22 ", 1)
    given = "\n".join([taroky, disputed, illegal(taroky), incomplete, malformed, taroky])
    done = tarock("verify", "--json", "-", given=given)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    verdicts = "verified disputed illegal incomplete malformed verified"
    assert [row["verdict"] for row in found] == verdicts.split()
    assert done.returncode == 1
    assert done.stderr == ""
    assert found[1]["claim"] == {"A": 1, "B": 1, "C": 1, "D": -3}
    assert found[1]["score"] == found[0]["score"]
    for row in found[2:5]:
        assert " ".join(row["error"]) == ERROR_KEYS
        assert row["score"] is None
    lines = given.split("\n")
    error = found[2]["error"]
    assert error["clause"] == "common.not-held"
    card = lines[error["line"] - 1][error["column"] - 1 :].split()[0]
    assert lines[error["line"] - 1].startswith("2. ")
    assert card in error["message"]
    assert error["legal"]
    bad = found[4]["error"]
    assert lines[bad["line"] - 1][bad["column"] - 1 :].startswith("T22")
    assert found[4]["game"] is None
    assert found[4]["digest"] is None


def test_verify_tells_people_the_place_on_standard_error(taroky: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.tgn"
    file.write_text(illegal(taroky), encoding="utf-8")
    (result,) = [check_entry(entry) for entry in read(file.read_bytes())]
    done = tarock("verify", str(file))
    assert done.returncode == 1
    error = result.error
    assert done.stderr.startswith(
        f"{file}:{error.line}:{error.column}: record 0: illegal (common.not-held): trick {error.trick}, "
    )
    assert "illegal" in done.stdout


def test_verify_tells_all_that_is_wrong_with_a_record(taroky: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.tgn"
    file.write_text(taroky.replace("deal B ", "deal B T22 ", 1).replace("1. ", "1. X ", 1), encoding="utf-8")
    (entry,) = read(file.read_bytes())
    assert len(entry.errors) == 2
    done = tarock("verify", str(file))
    for line, error in zip(done.stderr.splitlines(), entry.errors, strict=True):
        assert line.startswith(f"{file}:{error.line}:{error.column}: record 0: malformed")
    found = json.loads(tarock("verify", "--json", str(file)).stdout)
    assert [row["reason"] for row in found["errors"]] == ["not-in-pack", "no-leader"]


def test_verify_counts_at_the_end(taroky: str) -> None:
    done = tarock("verify", "-", given=taroky + "\n" + illegal(taroky))
    assert done.stdout.splitlines()[-1] == "2 records: 1 verified, 1 illegal"
    quiet = tarock("verify", "-q", "-", given=taroky + "\n" + taroky)
    assert quiet.stdout == "2 records: 2 verified\n"


def test_a_malformed_json_record_is_pointed_at() -> None:
    (record,) = simulate("troggu", deals=1, seed=1)
    form = json.loads(dump_json(record))
    form["deal"]["A"][0] = "H99"
    done = tarock("verify", "--json", "-", given=json.dumps(form))
    row = json.loads(done.stdout)
    assert (done.returncode, row["verdict"]) == (1, "malformed")
    assert row["error"]["pointer"] == "/deal/A/0"


def test_an_empty_input_is_malformed() -> None:
    done = tarock("verify", "-", given="")
    assert done.returncode == 1
    assert "stdin:1:1: record 0: malformed" in done.stderr


def test_bytes_that_are_no_text_are_told_in_clean_output() -> None:
    done = tarock("verify", "--json", "-", given=b'[TGN "1"]\n[Game "taroky"]\n[A "\xff\xfe"]\n')
    assert done.returncode == 1
    assert json.loads(done.stdout)["verdict"] == "malformed"


# -- exit status and streams ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("verify",),
        ("frobnicate",),
        ("verify", "--colour", "-"),
        ("simulate", "bridge", "--deals", "1", "--seed", "1"),
        ("simulate", "taroky", "--seed", "1"),
        ("simulate", "taroky", "--deals", "1"),
        ("simulate", "taroky", "--players", "5", "--deals", "1", "--seed", "1"),
        ("simulate", "taroky", "--deals", "-1", "--seed", "1"),
        ("simulate", "troggu", "--deals", "1", "--seed", "1", "--option", "settle-uncontested"),
        ("convert", "--to", "xml", "-"),
        ("rules", "taroky.nonsense"),
        ("show", "--record", "9", "-"),
    ],
)
def test_wrong_usage_is_status_2(arguments: tuple[str, ...], taroky: str) -> None:
    done = tarock(*arguments, given=taroky)
    assert done.returncode == 2
    assert done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_an_unreadable_file_is_status_2_and_the_others_are_read(taroky: str, tmp_path: Path) -> None:
    file = tmp_path / "deal.tgn"
    file.write_text(taroky, encoding="utf-8")
    done = tarock("verify", str(tmp_path / "no.tgn"), str(tmp_path), str(file))
    assert done.returncode == 2
    assert "no.tgn cannot be read: No such file" in done.stderr
    assert "Is a directory" in done.stderr
    assert "verified" in done.stdout


def test_help_and_version_are_status_0() -> None:
    assert tarock("--version").stdout == f"tarock {__version__}\n"
    for arguments in (("--help",), ("verify", "--help"), ("simulate", "-h")):
        done = tarock(*arguments)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("usage: tarock")


def test_output_is_utf_8_in_any_locale() -> None:
    options = ("simulate", "taroky", "--deals", "3", "--seed", "1")
    plain = tarock(*options)
    done = tarock(
        *options, LC_ALL="C", LANG="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii", PYTHONCOERCECLOCALE="0"
    )
    assert done.returncode == 0
    assert done.stdout == plain.stdout
    assert not done.stdout.isascii()


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = [sys.executable, "-m", "tarock", "simulate", "taroky", "--deals", "5000", "--seed", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as running:
        assert running.stdout.readline() == b'[TGN "1"]\n'
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(timeout=30) == 141


def test_ctrl_c_ends_quietly() -> None:
    command = [sys.executable, "-m", "tarock", "simulate", "taroky", "--deals", "500000", "--seed", "1"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        # A run in the background ignores it, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as running:
        running.stdout.readline()
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=30)
    assert errors == b""
    assert running.returncode == 130


def on_a_terminal(*arguments: str) -> tuple[int, str]:
    """Runs the command with standard error on a terminal; what appears there."""
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "tarock", *arguments], stdout=subprocess.DEVNULL, stderr=follower, cwd=ROOT
    ) as running:
        os.close(follower)
        seen = b""
        while True:
            try:
                part = os.read(leader, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            seen += part
        running.wait(timeout=60)
    os.close(leader)
    return running.returncode, seen.decode("utf-8")


def test_long_work_shows_a_bar_on_a_terminal_and_takes_it_away() -> None:
    status, seen = on_a_terminal("simulate", "grosstarock", "--deals", "2500", "--seed", "1")
    assert status == 0
    assert "of 2,500 deals" in seen
    assert seen.endswith("\r\x1b[K")


def test_short_work_shows_none() -> None:
    assert on_a_terminal("simulate", "taroky", "--deals", "5", "--seed", "1") == (0, "")


def test_it_stands_alone_without_any_installed_package(taroky: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "tarock", tmp_path / "tarock", ignore=shutil.ignore_patterns("__pycache__"))
    done = subprocess.run(
        [sys.executable, "-S", "-m", "tarock", "verify", "-"],
        input=taroky.encode(),
        capture_output=True,
        cwd=tmp_path,
        env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"},
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b"verified" in done.stdout


# -- score ------------------------------------------------------------------------------------------------


def test_score_prints_the_sheet_with_clauses_and_totals(taroky: str) -> None:
    done = tarock("score", "-", given=taroky)
    assert (done.returncode, done.stderr) == (0, "")
    record = read(taroky)[0].record
    result = check(record)
    for line in result.lines:
        assert line.clause in done.stdout
    (total,) = [line for line in done.stdout.splitlines() if line.split()[:1] == ["total"]]
    assert total.replace("−", "-").split()[1:] == [str(p) for p in result.score.values()]
    for count in result.countings:
        assert f"= {count.points} card points" in done.stdout


def test_score_shows_claim_and_result_of_a_dispute(taroky: str) -> None:
    disputed = "\n".join(
        '[Score "A=7 B=-7 C=7 D=-7"]' if line.startswith("[Score") else line for line in taroky.splitlines()
    )
    done = tarock("score", "-", given=disputed)
    assert done.returncode == 1
    (claimed,) = [line for line in done.stdout.splitlines() if line.split()[:1] == ["claimed"]]
    assert claimed.split()[1:] == ["7", "−7", "7", "−7"]
    assert "disputed: claimed A=7 B=-7 C=7 D=-7, the rules give" in done.stderr


def test_score_tells_what_was_handed_over() -> None:
    """Between the countings and the lines, and nothing else that happened."""
    done = tarock("score", "-", given=WORKED["GROSS_SKUS_OWED"].text)
    rows = done.stdout.splitlines()
    at = rows.index("  grosstarock.skus-owed: A keeps the Sküs and owes B a card for it.")
    assert rows[at + 1 : at + 3] == [
        "  grosstarock.skus-owed: A pays B the card owed for the Sküs: D10.",
        "",
    ]
    assert "grosstarock.declare-tarocks:" not in done.stdout
    # Where the cards of a side come from, below their sum: 8 + 1, 32 + 1.
    for seat, cards, parts in (
        ("A", 9, "tricks of A: 8 cards; Sküs kept by A: 1 card"),
        ("B", 33, "tricks of B: 32 cards; handed over to B: 1 card"),
        ("C", 36, "tricks of C: 33 cards; discards of C: 3 cards"),
    ):
        (at,) = [n for n, row in enumerate(rows) if row.startswith(f"  {seat}: {cards} cards, values ")]
        assert rows[at + 1] == f"    {parts}"


def test_score_names_no_parts_where_all_are_tricks() -> None:
    done = tarock("score", "-", given=WORKED["STROHMANN_EVEN"].text)
    assert "  A: 30 cards, values 55 " in done.stdout
    assert "tricks of" not in done.stdout


def test_score_as_json_has_names_and_titles(taroky: str) -> None:
    row = json.loads(tarock("score", "--json", "-", given=taroky).stdout)
    assert " ".join(row) == KEYS.replace("n game", "n players game")
    assert row["players"] == read(taroky)[0].record.players
    assert all(line["title"] and line["reckoning"] for line in row["lines"])


# -- show -------------------------------------------------------------------------------------------------


def test_show_prints_the_whole_deal(taroky: str) -> None:
    done = tarock("show", "-", given=taroky)
    assert (done.returncode, done.stderr) == (0, "")
    tricks = [line for line in taroky.splitlines() if line[:1].isdigit()]
    for line in tricks:
        assert f"{line} " in done.stdout
    for word in ("bid first", "taroky.game", "talon"):
        assert word in done.stdout


def test_show_one_step_and_every_step(taroky: str) -> None:
    one = tarock("show", "--step", "0", "-", given=taroky).stdout
    assert "step 0 of " in one
    assert " may: bid first, bid troika, bid solo" in one
    last = tarock("show", "--step", "-1", "-", given=taroky).stdout
    events = len(read(taroky)[0].record.events)
    assert f"step {events} of {events} · over" in last
    steps = tarock("show", "--steps", "-", given=taroky).stdout
    assert steps.count("\nstep ") == events + 1
    assert tarock("show", "--step", str(events + 1), "-", given=taroky).returncode == 2


def test_show_tells_the_contract_of_strohmann_once_it_is_settled() -> None:
    for record in simulate("strohmann", deals=20, seed=1):
        text, contract = write_text(record), check(record).facts["contract"]
        bids = sum(event[1] != "play" for event in record.events)
        assert "contract" not in tarock("show", "--step", str(bids - 1), "-", given=text).stdout
        assert f"contract {contract}" in tarock("show", "--step", str(bids), "-", given=text).stdout
        if contract == "undeclared":
            return
    raise AssertionError("no deal without a declarer")


def test_a_seats_view_hides_what_the_seat_may_not_know(taroky: str) -> None:
    record = read(taroky)[0].record
    done = tarock("show", "--view", "b", "--step", "0", "-", given=taroky)
    assert " ".join(record.deal["B"]) in done.stdout
    for where in ("A", "C", "D", "talon"):
        assert " ".join(record.deal[where]) not in done.stdout
    row = json.loads(tarock("show", "--view", "B", "--step", "0", "--json", "-", given=taroky).stdout)
    assert row["hands"]["A"]["cards"] is None
    assert row["hands"]["B"]["cards"] == list(record.deal["B"])
    assert tarock("show", "--view", "E", "-", given=taroky).returncode == 2


def test_show_as_json(taroky: str) -> None:
    record = read(taroky)[0].record
    row = json.loads(tarock("show", "--json", "-", given=taroky).stdout)
    assert len(row["outline"]) == len(record.events)
    assert row["start"]["step"] == 0
    assert row["end"]["over"] is True
    rows = tarock("show", "--json", "--steps", "-", given=taroky).stdout.splitlines()
    assert [json.loads(r)["step"] for r in rows] == list(range(len(record.events) + 1))


def test_show_of_an_illegal_deal_ends_at_the_event(taroky: str) -> None:
    done = tarock("show", "-", given=illegal(taroky))
    assert done.returncode == 1
    assert "  !! (common.not-held) trick 2: " in done.stdout


def test_show_goes_by_keys(taroky: str, tmp_path: Path) -> None:
    file = tmp_path / "deal.tgn"
    file.write_text(taroky, encoding="utf-8")
    done = tarock("show", "-i", str(file), given="\n\np\n9\nl\nf\nq\n")
    events = len(read(taroky)[0].record.events)
    # The prompt has no line end of its own where nobody types.
    steps = [int(part.split()[0]) for part in done.stdout.split("step ")[1:]]
    assert steps == [0, 1, 2, 1, 9, events, 0]
    assert done.returncode == 0


def test_comments_are_shown_without_terminal_commands(taroky: str) -> None:
    text = taroky.replace("bid first", "bid first { na\u202ejisto }", 1)
    done = tarock("show", "-", given=text)
    assert "{ na\ufffdjisto }" in done.stdout


def test_show_tells_what_the_rules_did_beside_the_event_that_brought_it_about() -> None:
    text = WORKED["STROHMANN_ROSTOPSCHIN"].text
    happened = check(read(text)[0].record).happenings
    told = [sentences.happening(h) for h in happened]
    assert len(told) > 5
    lines = tarock("show", "-", given=text).stdout.splitlines()
    found = [line.strip() for line in lines if "turns up" in line]
    assert [line.partition(": ")[2] or line for line in found] == told
    first = next(h for h in happened if h.event)
    card = read(text)[0].record.events[first.event][2]
    assert f"        {card}: {sentences.happening(first)}" in lines
    step = tarock("show", "--view", "A", "--step", str(first.event + 1), "-", given=text).stdout
    assert f"    {sentences.happening(first)}\n" in step


def test_show_lists_cards_shown_in_anothers_hand() -> None:
    text = WORKED["STROHMANN_ROSTOPSCHIN"].text
    record = read(text)[0].record
    for seat, other in (("A", "B"), ("B", "A")):
        hand = position(record, 1, seat).hands[other]
        assert hand.cards is None
        line = f"{' '.join(hand.shown)} ({hand.count - len(hand.shown)} hidden)".strip()
        assert line in tarock("show", "--view", seat, "--step", "1", "-", given=text).stdout
    assert hand.shown


def test_show_counts_in_words_and_says_who_may_discard_how_many() -> None:
    (record,) = simulate("taroky", deals=1, seed=5)
    text = write_text(record)
    calls = next(n for n, event in enumerate(record.events) if event[1] == "call")
    first = tarock("show", "--step", str(calls + 1), "-", given=text).stdout
    assert "B may discard 4 of: SQ, SJ, H1, DJ, CC, C10, C7; or say: surrender" in first
    second = tarock("show", "--step", str(calls + 2), "-", given=text).stdout
    assert "C may discard 1 of: " in second
    end = tarock("show", "--step", "-1", "-", given=text).stdout
    assert "points: bidder’s side 50, opponents 20" in end
    text = WORKED["STROHMANN_ROSTOPSCHIN"].text
    shown = tarock("show", "--steps", "-", given=text).stdout
    for one in ("1 card ", "1 trick,"):
        assert f" {one}" in shown
        assert f" {one[:-1]}s{one[-1]}" not in shown


def test_a_led_sküs_is_not_winning() -> None:
    record = next(
        r
        for r in simulate("grosstarock", deals=60, seed=2)
        if any("(" in e[2] for e in r.events if len(e) > 2)
    )
    step = next(n for n, e in enumerate(record.events) if len(e) == 3 and e[2].startswith("T0("))
    shown = tarock("show", "--step", str(step + 1), "-", given=write_text(record)).stdout
    assert "on the table: " in shown
    assert "winning" not in shown


@pytest.mark.parametrize("view", "ABCD")
def test_a_seats_view_of_a_bad_record_says_what_is_wrong(view: str, taroky: str) -> None:
    for text in (illegal(taroky), taroky.rsplit("\n", 3)[0] + "\n"):
        shown = tarock("show", "--view", view, "-", given=text).stdout
        (wrong,) = [line for line in shown.splitlines() if line.startswith("  !!")]
        assert len(wrong.split()) > 4


def test_the_sheet_is_headed_by_what_was_played(taroky: str) -> None:
    (record,) = simulate("taroky", deals=1, seed=5)
    lines = tarock("score", "-", given=write_text(record)).stdout.splitlines()
    doubles = "flek:game by B, re:game by D, sub:game by B"
    assert lines[2] == f"  First Duty, bidder B, called T19, alone against three, {doubles}"
    assert lines[4] == "  bidder’s side (B): 36 cards, values 74 − 2 × 12 = 50 card points"
    assert lines[5] == "    tricks of B: 32 cards; discards of B: 4 cards"
    assert lines[6] == "  opponents (A C D): 18 cards, values 32 − 2 × 6 = 20 card points"


def test_of_a_file_no_more_is_held_than_a_piece(taroky: str, tmp_path: Path) -> None:
    """However long it is."""
    peaks = []
    for number in (400, 1200):
        file = tmp_path / f"{number}.tgn"
        file.write_text("\n".join([taroky] * number), encoding="utf-8")
        with open(os.devnull, "w", encoding="utf-8") as nothing, contextlib.redirect_stdout(nothing):
            main(["verify", str(file)])
            tracemalloc.start()
            try:
                assert main(["verify", str(file)]) == 0
                peaks.append(tracemalloc.get_traced_memory()[1])
            finally:
                tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]


# -- convert ----------------------------------------------------------------------------------------------


def test_convert_there_and_back_is_lossless(good: list, tmp_path: Path) -> None:
    text = "\n".join(write_text(r) for r in good)
    source = tmp_path / "deals.tgn"
    source.write_text(text, encoding="utf-8")
    target = tmp_path / "deals.json"
    assert tarock("convert", "--to", "json", "-o", str(target), str(source)).returncode == 0
    assert [e.record for e in read(target.read_bytes())] == good
    assert isinstance(json.loads(target.read_text(encoding="utf-8")), list)
    rows = tarock("convert", "--to", "ndjson", str(target)).stdout
    assert [json.loads(row)["game"] for row in rows.splitlines()] == [r.game for r in good]
    assert tarock("convert", "--to", "tgn", "-", given=rows).stdout == text


def test_convert_goes_to_the_other_form_by_itself(taroky: str) -> None:
    made = tarock("convert", "-", given=taroky).stdout
    assert json.loads(made)["game"] == "taroky"
    assert tarock("convert", "-", given=made).stdout == taroky
    assert tarock("convert", "--json", "-", given=made).stdout == made


def test_convert_leaves_out_what_cannot_be_written(taroky: str) -> None:
    form = json.loads(tarock("convert", "-", given=taroky).stdout)
    first = next(i for i, e in enumerate(form["events"]) if e[1] == "play")
    form["events"][first + 1][0] = form["events"][first][0]
    done = tarock("convert", "--to", "tgn", "-", given=json.dumps(form) + "\n" + json.dumps({"tgn": 1}))
    assert done.returncode == 1
    assert done.stdout == ""
    first_fault, second_fault = done.stderr.splitlines()
    assert f"event {first + 1}" in first_fault
    assert "record 1: malformed" in second_fault


def test_convert_tells_where_it_cannot_write(taroky: str, tmp_path: Path) -> None:
    done = tarock("convert", "-o", str(tmp_path / "no" / "such.json"), "-", given=taroky)
    assert done.returncode == 2
    assert "cannot be written" in done.stderr


# -- simulate ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "players"),
    [("strohmann", 2), ("taroky", 4), ("troggu", 7), ("grosstarock", 2), ("grosstarock", 4)],
)
def test_simulate_prints_records_that_verify(game: str, players: int) -> None:
    command = ("simulate", game, "--players", str(players), "--deals", "30", "--seed", "6")
    text = tarock(*command).stdout
    records = list(simulate(game, players=players, deals=30, seed=6))
    assert text == "\n".join(write_text(r) for r in records)
    rows = tarock(*command, "--json").stdout
    assert rows == "".join(dump_json(r) + "\n" for r in records)
    for form in (text, rows):
        done = tarock("verify", "--json", "-", given=form)
        assert done.returncode == 0
        assert [json.loads(line)["digest"] for line in done.stdout.splitlines()] == [
            r.digest for r in records
        ]


def test_simulate_without_deals_prints_nothing() -> None:
    done = tarock("simulate", "taroky", "--deals", "0", "--seed", "1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_simulate_with_a_table_option(tmp_path: Path) -> None:
    file = tmp_path / "deals.tgn"
    done = tarock(
        "simulate", "taroky", "--deals", "4", "--seed", "1", "--option", "settle-uncontested", "-o", str(file)
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert file.read_text(encoding="utf-8").count('[Options "settle-uncontested"]') == 4


# -- rules ------------------------------------------------------------------------------------------------


def test_rules_by_slug_by_game_and_all() -> None:
    one = tarock("rules", "taroky.follow")
    assert one.returncode == 0
    assert one.stdout.startswith("taroky.follow  ")
    assert "Source: " in one.stdout
    game = tarock("rules", "troggu").stdout
    assert "troggu.bettler-last" in game
    assert "taroky.flek" not in game
    everything = tarock("rules").stdout
    for clause in clauses():
        assert f"  {clause.slug} " in everything


def test_rules_as_json_and_in_another_language() -> None:
    row = json.loads(tarock("rules", "--json", "taroky.varsava-play").stdout)
    assert list(row) == ["slug", "game", "title", "text", "kind", "reason", "source"]
    assert row["reason"]
    german = json.loads(tarock("rules", "--json", "--language", "de", "taroky.varsava-play").stdout)
    assert german["title"] != row["title"]


def test_a_slip_in_a_slug_is_helped() -> None:
    done = tarock("rules", "taroky.folow")
    assert done.returncode == 2
    assert "did you mean taroky.follow" in done.stderr
