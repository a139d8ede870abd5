"""The command that replays deals in the terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from tarock.analysis.position import Position
from tarock.analysis.replay import last_step, outline, position, positions
from tarock.analysis.verify import Check
from tarock.cli.files import Inputs, UsageError, exit_status, print_findings, print_json
from tarock.cli.positions import deal_lines, position_lines
from tarock.cli.terminal import finding_lines, score_sheet, sheet_text, title, warning_lines
from tarock.core.record import Record


def show(options: argparse.Namespace) -> int:
    inputs = Inputs(options.files, options.encoding)
    matching = 0
    for source, entry, result in inputs.checks():
        if options.record is not None and result.n != options.record:
            continue
        matching += 1
        inputs.bad += not result.good
        record = entry.record
        if record is None:
            if options.json:
                print_json(result.as_json())
            print_findings(finding_lines(source, result, record))
            continue
        view = options.view
        if view is not None and view not in record.seats:
            raise UsageError(f"record {result.n} has no seat {view}; its seats are {' '.join(record.seats)}")
        of_play = options.interactive or options.steps or options.step is not None or view is not None
        if not record.is_played and of_play:
            inputs.bad += result.good
            where = f"{source}:{entry.line}: record {result.n}"
            what = "sheet" if record.result is None else "result"
            print(f"{where}: a {what} has no steps and no views: the play was not recorded", file=sys.stderr)
        elif options.json:
            _show_json(record, result, options)
        else:
            _show_text(record, result, options)
        print_findings(warning_lines(source, result))
    if options.record is not None and not matching and not inputs.unreadable:
        raise UsageError(
            f"there is no record {options.record}; the input has {inputs.records}, counted from 0"
        )
    return exit_status(inputs)


def _step(record: Record, options: argparse.Namespace) -> int:
    """Return the requested step; a negative number counts from the end."""
    end = last_step(record, options.view)
    step: int = options.step
    if not -end - 1 <= step <= end:
        raise UsageError(f"there is no step {step}; the deal has the steps 0 to {end}")
    return step if step >= 0 else end + 1 + step


def _positions(record: Record, options: argparse.Namespace) -> Iterator[Position]:
    """Yield the positions of all steps, or only of the requested step."""
    if options.steps:
        yield from positions(record, options.view)
    else:
        yield position(record, _step(record, options), options.view)


def _show_json(record: Record, result: Check, options: argparse.Namespace) -> None:
    if record.sheet is not None:
        print_json(result.as_json() | {"sheet": record.sheet})
        return
    if record.result is not None:
        print_json(result.as_json() | {"players": record.players})
        return
    if options.steps or options.step is not None:
        for state in _positions(record, options):
            print_json({"n": result.n} | state.as_json())
        return
    form = {
        "n": result.n,
        "game": record.game,
        "verdict": result.verdict,
        "view": options.view,
        "start": position(record, 0, options.view).as_json(),
        "outline": [row.as_json() for row in outline(record, options.view)],
        "end": position(record, len(record.events), options.view).as_json(),
    }
    print_json(form)


def _show_text(record: Record, result: Check, options: argparse.Namespace) -> None:
    print(f"{result.n}  {title(record)}  ({result.outcome})")
    if options.interactive:
        _walk(record, options)
    elif options.steps or options.step is not None:
        for state in _positions(record, options):
            print("\n".join(position_lines(state)))
            print()
    else:
        lines = deal_lines(record, options.view) if record.is_played else sheet_text(record)
        print("\n".join(lines))
        # Don't print the score sheet for a seat's view, because it would reveal the partner.
        if result.score is not None and record.result is None and options.view is None:
            print()
            print("\n".join(score_sheet(record, result)))
        print()


def _walk(record: Record, options: argparse.Namespace) -> None:
    """Step through a deal with keys: Enter next, `p` back, `f` first, `l` last; a number goes to that
    step."""
    if "-" in options.files:
        raise UsageError("--interactive reads its keys from standard input, which is an input file here")
    end = last_step(record, options.view)
    step = 0 if options.step is None else _step(record, options)
    while True:
        print("\n".join(position_lines(position(record, step, options.view))))
        try:
            word = input("[Enter next, p back, f first, l last, number, q quit] ").strip().lower()
        except EOFError:
            print()
            return
        if word in ("q", "quit"):
            return
        if word.isascii() and word.isdigit():
            step = min(int(word), end)
        else:
            step = {"p": step - 1, "f": 0, "l": end}.get(word, step + 1)
        if step > end and word in ("", "n"):
            return
        step = max(0, min(step, end))
