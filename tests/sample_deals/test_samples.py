"""The sample deals that ship with the project: each has the verdict and the score it is meant to have."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tarock.analysis.verify import check_entry
from tarock.core.record import Record
from tarock.notation import read, write_text

FOLDER = Path(__file__).resolve().parents[2] / "deploy" / "samples"
FILES = sorted(FOLDER.glob("*.tgn"))

#: File → points by seat, and some clauses of its sheet (or its finding) that the sample demonstrates. The
#: name of a file `wrong-…` ends in its verdict; a `sheet-…` is computed; all others are verified.
EXPECTED = {
    "grosstarock-1-void-name": ("A=31 B=-6 C=-25", "declare-tarocks declare-kings pagat-ultimo"),
    "grosstarock-2-bole": ("A=201 B=-108 C=-93", "declare-ladons declare-tarocks declare-kings bole null"),
    "grosstarock-3-null": (
        "A=-71 B=132 C=-61",
        "declare-tarocks declare-ladons declare-kings null null-refund",
    ),
    "grosstarock-4-owed": ("A=102 B=-4 C=-98", "declare-ladons bole null"),
    "grosstarock-5-tarocks-discarded": ("A=-10 B=-45 C=55", "declare-ladons declare-tarocks"),
    "grosstarock-6-skus-matadors": ("A=1 B=-70 C=69", "declare-skus-matadors"),
    "grosstarock-7-sitting-out": (
        "A=-61 B=42 C=19 D=0",
        "declare-matadors declare-kings declare-cavallery declare-four",
    ),
    "grosstarock-8-null-failed": (
        "A=0 B=26 C=-41 D=15",
        "declare-cavallery declare-ladons declare-tarocks declare-kings null",
    ),
    "grosstarock-two-1-equal": ("A=0 B=0", "pagat-ultimo two-count two-score"),
    "grosstarock-two-2-tout": ("A=0 B=178", "two-tout declare-tarocks declare-ladons"),
    "grosstarock-two-3-void-name": ("A=96 B=0", "declare-matadors pagat-ultimo two-score"),
    "sheet-1-first-duty": ("A=31 B=-31 C=31 D=-31", "game pagat-ultimo hand-tarocky"),
    "sheet-2-solo": ("A=-36 B=108 C=-36 D=-36", "game"),
    "sheet-3-varsava": ("A=10 B=10 C=-40 D=20", "varsava-pay"),
    "sheet-4-paper-and-cards": ("A=103 B=-103 C=-103 D=103", "game pagat-announced hand-barvicky"),
    "strohmann-1-undeclared": ("A=0 B=0", "game-undeclared"),
    "strohmann-2-rostopschin": ("A=0 B=5", "game pagat-ultimo rostopschin"),
    "strohmann-3-three-birds": ("A=1 B=4", "game-undeclared pagat-ultimo uhu kakadu"),
    "strohmann-4-captured-pagat": ("A=5 B=1", "game pagat-ultimo uhu"),
    "strohmann-5-ros-in-vain": ("A=0 B=5", "game"),
    "strohmann-6-valat": ("A=0 B=16", "valat pagat-ultimo uhu kakadu rostopschin"),
    "taroky-01-surrender": ("A=10 B=10 C=-30 D=10", "surrender"),
    "taroky-02-solo": (
        "A=1212 B=-404 C=-404 D=-404",
        "game pagat-announced hand-taroky hand-barvicky hand-tarocky",
    ),
    "taroky-03-valat": ("A=-459 B=1377 C=-459 D=-459", "game valat-announced hand-tarocky"),
    "taroky-04-varsava": ("A=20 B=40 C=20 D=-80", "varsava-pay"),
    "taroky-05-troika-level-3": ("A=-3 B=-3 C=-3 D=9", "game pagat-announced hand-tarocky"),
    "taroky-06-called-card-discarded": (
        "A=-66 B=66 C=-66 D=66",
        "game hand-honery hand-taroky hand-barvicky",
    ),
    "taroky-07-pagat-re": ("A=105 B=-105 C=-105 D=105", "game pagat-announced hand-tarocky hand-barvicky"),
    "taroky-08-second-lost": ("A=-537 B=179 C=179 D=179", "game pagat-announced hand-tarocky hand-barvicky"),
    "taroky-09-tie": ("A=-8 B=-8 C=24 D=-8", "game-tie pagat-ultimo"),
    "taroky-10-alone": ("A=42 B=42 C=-126 D=42", "game pagat-announced"),
    "taroky-11-varsava-tie": ("A=-10 B=10 C=10 D=-10", "varsava-tie"),
    "taroky-12-settled": ("A=-1 B=1 C=-1 D=1", "settle-uncontested hand-tarocky hand-honery"),
    "troggu-01-misere": ("A=-2 B=-2 C=2 D=2", "misere"),
    "troggu-02-solo": ("A=-4 B=-4 C=-4 D=12", "solo"),
    "troggu-03-four-kings": ("A=-3 B=1 C=1 D=1", "game"),
    "troggu-04-bettler-led-last": ("A=-1 B=-1 C=3 D=-1", "game"),
    "troggu-05-draw": ("A=0 B=0 C=0 D=0", "game"),
    "troggu-06-forced-tappist": ("A=-1 B=-1 C=-1 D=-1 E=3 F=2 G=-1", "partner-split"),
    "troggu-07-forced-by-pagat": ("A=-1 B=-1 C=-1 D=2 E=3 F=-1 G=-1", "partner-split"),
    "troggu-08-solo-with-partner": ("A=6 B=-2 C=-2 D=-2 E=4 F=-2 G=-2", "partner-split"),
    "troggu-09-alone-and-beaten": ("A=3 B=3 C=3 D=3 E=3 F=-18 G=3", "game"),
    "troggu-10-bettler-kept": ("A=-1 B=-1 C=-1 D=-1 E=-1 F=3 G=2", "partner-split"),
    "wrong-1-disputed": ("A=-36 B=-36 C=108 D=-36", "taroky.game taroky.hand-taroky"),
    "wrong-2-illegal": ("", "taroky.follow"),
    "wrong-3-incomplete": ("", ""),
    "wrong-4-malformed": ("", "taroky.deal"),
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_sample_has_its_verdict_and_says_what_to_look_at(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    (entry,) = read(text)
    result = check_entry(entry)
    score, clauses = EXPECTED[path.stem]
    kind, _, verdict = path.stem.split("-", 2)
    assert result.verdict == {"wrong": verdict, "sheet": "computed"}.get(kind, "verified"), result.error
    assert " ".join(f"{seat}={points}" for seat, points in (result.score or {}).items()) == score
    found = {line.clause for line in result.lines}
    if result.error is not None:
        found.add(result.error.clause or "")
    assert {clause if "." in clause else f"{result.game}.{clause}" for clause in clauses.split()} <= found
    if entry.record is not None:
        assert len(entry.record.comments[0]) == 1
        assert entry.record.sheet or len(entry.record.comments) > 1, "a comment at an event, too"
        assert write_text(entry.record) == text, "samples are in canonical form"


def test_the_deals_of_a_session_go_on_as_the_rules_say() -> None:
    """The same players at every deal, numbers from 1 without a gap, and the deal passing to the next seat."""
    assert {path.stem for path in FILES} == set(EXPECTED)
    good = [record for path in FILES if (record := read(path.read_bytes())[0].record)]
    assert len({record.digest for record in good}) == len(good), "no deal is there twice"
    sessions: dict[tuple[str, str], list[Record]] = {}
    played = {(r.tags["Session"], r.tags["Deal"]) for r in good if r.sheet is None}
    for record in good:
        if record.sheet and (record.tags["Session"], record.tags["Deal"]) in played:
            continue  # the sheet of a deal whose cards are here, too
        sessions.setdefault((record.game, record.tags["Session"]), []).append(record)
    for (game, session), deals in sessions.items():
        deals.sort(key=lambda r: int(r.tags["Deal"]))
        assert [r.tags["Deal"] for r in deals] == [str(i + 1) for i in range(len(deals))], (game, session)
        for before, after in pairwise(deals):
            seats = before.seats
            assert after.players == before.players, (game, session)
            assert after.dealer == seats[(seats.index(before.dealer) + 1) % len(seats)], (game, session)
            assert after.tags["Date"] == before.tags["Date"]
