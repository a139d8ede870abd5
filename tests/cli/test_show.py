"""`tarock score` and `tarock show`, for people and as JSON."""

from __future__ import annotations

import json
import re
import tracemalloc
from itertools import product
from pathlib import Path

from tarock.analysis.replay import position
from tarock.analysis.simulate import simulate
from tarock.analysis.verify import check
from tarock.notation import read, read_one, write_text
from tarock.words import sentences
from tests.cli.command import KEYS, illegal, tarock
from tests.engine.worked import WORKED


def test_score_prints_the_sheet_and_the_claim_of_a_dispute(taroky: str) -> None:
    done = tarock("score", "-", given=re.sub(r"(?m)^\[Score .*$", '[Score "A=7 B=-7 C=7 D=-7"]', taroky))
    assert done.returncode == 1
    result = check(read_one(taroky))
    rows = [line.split() for line in done.stdout.replace("−", "-").splitlines()]
    assert {line.clause for line in result.lines} <= {row[0] for row in rows if row}
    assert ["total", *map(str, (result.score or {}).values())] in rows
    assert ["claimed", "7", "-7", "7", "-7"] in rows
    assert "disputed: claimed A=7 B=-7 C=7 D=-7, the rules give" in done.stderr
    row = json.loads(tarock("score", "--json", "-", given=taroky).stdout)
    assert " ".join(row) == KEYS.replace("n game", "n players game")
    assert row["players"] == read_one(taroky).players
    assert all(line["title"] and line["calculation"] for line in row["lines"])


def test_score_is_headed_by_what_was_played_and_how_the_cards_count() -> None:
    (record,) = simulate("taroky", deals=1, seed=5)
    lines = tarock("score", "-", given=write_text(record)).stdout.splitlines()
    assert lines[2:7:2] == [
        "  First Duty, bidder B, called T19, alone against three,"
        " flek:game by B, re:game by D, sub:game by B",
        "  bidder’s side (B): 36 cards, values 74 − 2 × 12 = 50 card points",
        "  opponents (A C D): 18 cards, values 32 − 2 × 6 = 20 card points",
    ]
    assert lines[5] == "    tricks of B: 32 cards; discards of B: 4 cards"
    done = tarock("score", "-", given=WORKED["STROHMANN_EVEN"].text)
    assert "  A: 30 cards, values 55 " in done.stdout
    assert "tricks of" not in done.stdout, "where all cards are of tricks"


def test_score_tells_what_was_handed_over() -> None:
    """Between the countings and the lines, and nothing else that happened."""
    done = tarock("score", "-", given=WORKED["GROSS_SKUS_OWED"].text)
    rows = done.stdout.splitlines()
    at = rows.index("  grosstarock.skus-owed: A keeps the Sküs and owes B a card for it.")
    assert rows[at + 1 : at + 3] == ["  grosstarock.skus-owed: A pays B the card owed for the Sküs: D10.", ""]
    assert "grosstarock.declare-tarocks:" not in done.stdout
    # The origins of a side's cards, below their sum: 8 + 1, 32 + 1.
    for seat, cards, parts in (
        ("A", 9, "tricks of A: 8 cards; Sküs kept by A: 1 card"),
        ("B", 33, "tricks of B: 32 cards; handed over to B: 1 card"),
        ("C", 36, "tricks of C: 33 cards; discards of C: 3 cards"),
    ):
        (at,) = [n for n, row in enumerate(rows) if row.startswith(f"  {seat}: {cards} cards, values ")]
        assert rows[at + 1] == f"    {parts}"


def test_show_prints_the_whole_deal(taroky: str) -> None:
    """A comment commands no terminal."""
    text = taroky.replace("bid first", "bid first { na\u202ejisto }", 1)
    done = tarock("show", "-", given=text)
    assert (done.returncode, done.stderr) == (0, "")
    tricks = [f"{line} " for line in taroky.splitlines() if line[:1].isdigit()]
    for words in ("bid first", "taroky.game", "talon", "{ na\ufffdjisto }", *tricks):
        assert words in done.stdout


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
    assert (done.returncode, "  !! (common.not-held) trick 2: " in done.stdout) == (1, True)


def test_show_goes_by_keys(taroky: str, tmp_path: Path) -> None:
    file = tmp_path / "deal.tgn"
    file.write_text(taroky, encoding="utf-8")
    done = tarock("show", "-i", str(file), given="\n\np\n9\nl\nf\nq\n")
    events = len(read(taroky)[0].record.events)
    # The prompt has no line end of its own where nobody types.
    steps = [int(part.split()[0]) for part in done.stdout.split("step ")[1:]]
    assert steps == [0, 1, 2, 1, 9, events, 0]
    assert done.returncode == 0


def test_show_tells_what_the_rules_did_next_to_the_event_that_brought_it_about() -> None:
    text = WORKED["STROHMANN_ROSTOPSCHIN"].text
    record = read_one(text)
    happened = check(record).happenings
    lines = tarock("show", "-", given=text).stdout.splitlines()
    found = [line.strip() for line in lines if "turns up" in line]
    assert [line.partition(": ")[2] or line for line in found] == [*map(sentences.happening, happened)]
    first = next(h for h in happened if h.event)
    assert f"        {record.events[first.event][2]}: {sentences.happening(first)}" in lines
    step = tarock("show", "--view", "A", "--step", str(first.event + 1), "-", given=text).stdout
    assert f"    {sentences.happening(first)}\n" in step
    # Each player sees which cards the other has taken up.
    for seat, other in (("A", "B"), ("B", "A")):
        hand = position(record, 1, seat).hands[other]
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


def test_a_seats_view_of_a_bad_record_says_what_is_wrong(taroky: str) -> None:
    for view, text in product("ABCD", (illegal(taroky), taroky.rsplit("\n", 3)[0] + "\n")):
        shown = tarock("show", "--view", view, "-", given=text).stdout
        (wrong,) = [line for line in shown.splitlines() if line.startswith("  !!")]
        assert len(wrong.split()) > 4


def test_of_a_file_no_more_is_held_than_a_piece(taroky: str, tmp_path: Path) -> None:
    long = taroky.replace("\n\n", "\n\n" + f"{{ {'x' * 1900} }}\n" * 12, 1)
    assert tarock("verify", "-", given=long).returncode == 0  # and all that is kept is loaded
    peaks = []
    for number in (20, 60):
        file = tmp_path / f"{number}.tgn"
        file.write_text("\n".join([long] * number), encoding="utf-8")
        tracemalloc.start()
        try:
            assert tarock("verify", str(file)).returncode == 0
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]
