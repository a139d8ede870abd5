"""The command that prints what the cards of an ending cost."""

from __future__ import annotations

import argparse
from functools import partial

from tarock.analysis.endings import NOT_IN_PLAY, TRICKS, Ending, ending, solve
from tarock.cli.files import Inputs, exit_status, print_findings, print_json
from tarock.cli.terminal import finding_lines, fold_text, table
from tarock.words.sentences import number


def endings(options: argparse.Namespace) -> int:
    inputs = Inputs(options.files, options.encoding)
    tricks = TRICKS if options.tricks is None else options.tricks
    for source, entry, result in inputs.checks():
        inputs.bad += not result.good
        if entry.record is None:
            found = Ending(None, None, None, None, NOT_IN_PLAY)
            print_findings(finding_lines(source, result, None))
        else:
            found = ending(entry.record, options.step, tricks, partial(solve, seconds=options.seconds))
        if options.json:
            print_json({"n": result.n} | found.as_json())
        else:
            print("\n".join(_lines(result.n, found)))
    return exit_status(inputs)


def _lines(n: int, found: Ending) -> list[str]:
    """Return an ending as lines of text, the best cards first."""
    where = "" if found.step is None else f", step {found.step}"
    lines = [f"record {n}{where}: {found.why or f'{found.seat} to play'}"]
    if found.values is not None and found.best is not None:
        ranked = sorted(found.values.items(), key=lambda row: -row[1])
        lines += table([[card, number(value)] for card, value in ranked], right=[1], indent="  ")
        lines += fold_text(" ".join(f"{seat} {card}" for seat, _, card in found.best), "  best: ", "    ")
    return lines
