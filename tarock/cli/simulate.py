"""The command that simulates deals."""

from __future__ import annotations

import argparse
import io
import sys

from tarock.analysis.sheets import sheet_of
from tarock.analysis.simulate import SimulationError, simulate
from tarock.cli.files import OK, UsageError, output
from tarock.cli.terminal import Progress
from tarock.notation import dump_json, write_text


def simulate_deals(options: argparse.Namespace) -> int:
    try:
        records = simulate(
            options.game,
            players=options.players,
            deals=options.deals,
            seed=options.seed,
            options=options.option,
        )
    except SimulationError as fault:
        raise UsageError(str(fault)) from fault
    # If the deals are printed on a terminal, they already show the progress, so draw no bar.
    to_screen = options.output is None and sys.stdout.isatty()
    silent = io.StringIO()
    bar = Progress(options.deals, silent if to_screen else sys.stderr, "deals")
    with output(options.output) as out, bar:
        for n, record in enumerate(records):
            if options.sheets:
                record = sheet_of(record) or record
            if options.json:
                out.write(dump_json(record) + "\n")
            else:
                out.write(("\n" if n else "") + write_text(record))
            bar.advance()
    return OK
