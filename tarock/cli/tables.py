"""The command `results`."""

from __future__ import annotations

import argparse
import os
import sys

from tarock.cli.files import Inputs, UsageError, exit_status, output, print_json, read_bytes
from tarock.core.findings import NotationError
from tarock.core.game import UNKNOWN_GAME
from tarock.notation import read_value, write_text
from tarock.tables import Recognised, recognise_file
from tarock.tables.records import json_forms
from tarock.words import sentences


def results(options: argparse.Namespace) -> int:
    """Write the rows of tables as results. Print what was left out, what is wrong and what to answer."""
    if any("=" not in pair for pair in options.answer):
        raise UsageError("--answer needs KEY=VALUE")
    answers = {"encoding": options.encoding} | dict(pair.split("=", 1) for pair in options.answer)
    inputs = Inputs(options.files, options.encoding)
    if options.output and os.path.exists(options.output) and inputs.include(os.stat(options.output)):
        raise UsageError(f"{options.output} is a table; its results need another file")
    texts: list[str] = []
    for name in inputs.names:
        found = recognise_file(read_bytes(name), os.path.basename(name), answers=answers)
        if options.json:
            print_json(found.as_json())
            continue
        lines = told(found)
        written = _texts(found, options.game, lines)
        texts += written
        inputs.records += len(written)
        if found.faults or len(written) < len(found.rows) or not written:
            inputs.records += 1
            inputs.bad += 1
        for line in lines:
            print(f"{name}: {line}", file=sys.stderr)
    if not options.json:
        with output(options.output, inputs) as out:
            out.write("\n".join(texts))
    return exit_status(inputs)


def _texts(found: Recognised, game: str, lines: list[str]) -> list[str]:
    """Return the rows as records in text form. Add a line for each reason why a row can't be one."""
    if found.kind == "deal" and game == UNKNOWN_GAME:
        lines.append("these are deals: say of which game, --game GAME")
        return []
    texts = []
    for form in json_forms(found, game) if found.kind in ("deal", "evening") else ():
        try:
            texts.append(write_text(read_value(form)))
        except NotationError as fault:
            lines.append(f"{form['tags']['Session']}: {sentences.message(fault.finding, game)}")
    return texts


def told(found: Recognised) -> list[str]:
    """Return a line for each fault, row or column left out, sum that differs, and open question."""
    lines = [str(place) for place in (*found.faults, *found.left_out, *found.columns_out)]
    for player, (stated, ours) in found.total_check.items():
        if stated != ours:
            lines.append(f"total of {player}: {stated} in the table, {ours} from its rows")
    for question in found.questions:
        choices = " or ".join(question.choices)
        lines.append(f"{question.what}? --answer '{question.about}={choices or '…'}'")
    return lines
