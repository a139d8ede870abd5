"""The command `results`."""

from __future__ import annotations

import argparse
import json
import os
import sys

from tarock.analysis.verify import try_check
from tarock.cli.files import NOT_VERIFIED, OK, UsageError, output, print_json, read_bytes
from tarock.cli.terminal import finding_lines
from tarock.core.game import UNKNOWN_GAME
from tarock.notation import read, write_text
from tarock.tables import Recognised, recognise_file
from tarock.tables.records import json_forms


def results(options: argparse.Namespace) -> int:
    """Write the rows of tables as results, and print what was left out, what is wrong and what to answer."""
    if any("=" not in pair for pair in options.answer):
        raise UsageError("--answer needs KEY=VALUE")
    answers = dict(pair.split("=", 1) for pair in options.answer)
    status, texts = OK, []
    for name in options.files:
        found = recognise_file(read_bytes(name), os.path.basename(name), answers=answers)
        if options.json:
            print_json(found.as_json())
            continue
        lines = _told(found)
        ready = found.kind == "evening" or (found.kind == "deal" and options.game != UNKNOWN_GAME)
        if found.kind == "deal" and not ready:
            lines.append("these are deals: say of which game, --game GAME")
        faulty = not ready or bool(found.faults)
        for form in json_forms(found, options.game) if ready else ():
            (entry,) = read(json.dumps(form))
            if entry.record is not None:
                texts.append(write_text(entry.record))
            else:
                faulty = True
                lines += finding_lines(form["tags"]["Session"], try_check(entry), None)
        if faulty:
            status = NOT_VERIFIED
        print(*(f"{name}: {line}" for line in lines), sep="\n", end="\n" * bool(lines), file=sys.stderr)
    if not options.json:
        with output(options.output) as out:
            out.write("\n".join(texts))
    return status


def _told(found: Recognised) -> list[str]:
    """Return a line for each fault, row or column left out, sum that differs, and open question."""
    lines = [str(place) for place in (*found.faults, *found.left_out, *found.columns_out)]
    for player, (stated, ours) in found.total_check.items():
        if stated != ours:
            lines.append(f"total of {player}: {stated} in the table, {ours} from its rows")
    for question in found.questions:
        choices = " or ".join(question.choices)
        lines.append(f"{question.what}? --answer '{question.about}={choices or '…'}'")
    return lines
