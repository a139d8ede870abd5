"""The commands `verify`, `score` and `convert`."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from tarock.analysis.settlements import by_rules
from tarock.analysis.verify import VERDICTS, Check, try_check
from tarock.cli.files import Inputs, exit_status, output, print_findings, print_json
from tarock.cli.rules import published
from tarock.cli.terminal import finding_lines, score_sheet, verdict_line, warning_lines
from tarock.core.record import Record
from tarock.notation import NotWritable, dump_json, read, write_text
from tarock.view.entry.typed import straightened
from tarock.words.clauses import clause


def verify(options: argparse.Namespace) -> int:
    inputs = Inputs(options.files, options.encoding)
    counts = dict.fromkeys((*VERDICTS, "failed"), 0)
    for source, entry, result in inputs.checks():
        counts[result.outcome] += 1
        inputs.bad += not result.good
        if options.json:
            print_json(result.as_json())
            continue
        if not options.quiet:
            print(verdict_line(entry, result))
        print_findings(_wrong(source, result, entry.record))
    if not options.json and inputs.records != 1:
        found = ", ".join(f"{number} {verdict}" for verdict, number in counts.items() if number)
        print(f"{inputs.records} records" + (f": {found}" if found else ""))
    return exit_status(inputs)


def _wrong(source: str, result: Check, record: Record | None) -> list[str]:
    """Return the errors and warnings of a record as lines."""
    wrong = [] if result.good else finding_lines(source, result, record)
    return wrong + warning_lines(source, result)


def score(options: argparse.Namespace) -> int:
    inputs = Inputs(options.files, options.encoding)
    rules = None if options.rules is None else published(options.rules)
    for source, entry, result in inputs.checks():
        if rules is not None and entry.record is not None and entry.record.game == rules.game:
            entry = entry._replace(record=by_rules(entry.record, rules.words, rules.name))
            result = try_check(entry)
        inputs.bad += not result.good
        record = entry.record
        if options.json:
            print_json(_scored(record, result))
            continue
        if record is None or result.score is None:
            print(verdict_line(entry, result))
        else:
            print(verdict_line(entry, result).partition("  [")[0])
            if record.result is None:
                print("  " + ", ".join(f"{seat} {name}" for seat, name in record.players.items()))
            print("\n".join(score_sheet(record, result)))
        print()
        print_findings(_wrong(source, result, record))
    return exit_status(inputs)


def _scored(record: Record | None, result: Check) -> dict[str, Any]:
    """Return the check as JSON, with the players' names and the titles of the clauses."""
    form = result.as_json()
    for line in form["lines"]:
        line["title"] = clause(line["clause"]).title
    return {"n": form.pop("n"), "players": None if record is None else dict(record.players)} | form


def convert(options: argparse.Namespace) -> int:
    inputs = Inputs(options.files, options.encoding)
    form = "json" if options.json else options.to
    parts: list[str] = []
    for source, entry, clear in inputs.entries():
        if form is None:
            form = "tgn" if entry.form == "json" else "json"
        records = [entry.record]
        if entry.record is None and options.fix and entry.form == "tgn":
            records = [one.record for one in read(straightened(entry.source))]
        try:
            parts += [write_text(one) if form == "tgn" else dump_json(one) for one in records if one]
            if None not in records:
                continue
            message = finding_lines(source, try_check(entry), None)[0]
        except NotWritable as fault:
            message = f"{source}:{entry.line}: record {entry.n}: {fault}"
        clear()
        inputs.bad += 1
        print(message, file=sys.stderr)
    with output(options.output, inputs) as out:
        if form == "tgn":
            out.write("\n".join(parts))
        elif form == "json" and len(parts) != 1:
            out.write("[\n" + ",\n".join(parts) + "\n]\n" if parts else "[]\n")
        else:
            out.writelines(part + "\n" for part in parts)
    return exit_status(inputs)
