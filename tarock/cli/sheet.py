"""The command that writes the score sheets of played deals."""

from __future__ import annotations

import argparse
from collections import defaultdict
from dataclasses import replace
from itertools import count

from tarock.analysis.sheets import sheet_of
from tarock.cli.files import Inputs, UsageError, exit_status, output, print_findings
from tarock.cli.terminal import finding_lines
from tarock.core.record import Record
from tarock.notation import dump_json, write_text
from tarock.notation.keys import OPTIONAL_TAGS, SHEET_TAGS
from tarock.notation.names import NoName, read_name


def write_sheets(options: argparse.Namespace) -> int:
    inputs, numbers = Inputs(options.files, options.encoding), _Numbers(_session(options.session))
    separator = ""
    with output(options.output, inputs) as out:
        for source, entry, result in inputs.checks():
            sheet = None if entry.record is None or result.score is None else sheet_of(entry.record)
            if result.verdict == "stated":
                faults = [f"{source}:{entry.line}: record {entry.n}: a result has no score sheet"]
            elif sheet is None:
                faults = finding_lines(source, result, entry.record)
            else:
                sheet = numbers.tagged(sheet)
                missing = [name for name in SHEET_TAGS if not sheet.tags.get(name)]
                where = f"{source}:{entry.line}: record {entry.n}"
                faults = [f"{where}: a sheet needs the tag {name} (see --session)" for name in missing]
            if sheet is None or faults:
                inputs.bad += 1
                print_findings(faults)
                continue
            out.write(dump_json(sheet) + "\n" if options.json else separator + write_text(sheet))
            separator = "\n"
    return exit_status(inputs)


def _session(name: str | None) -> str | None:
    """Return the name of a session, cleaned like a tag value. Raise UsageError if it is not a valid value."""
    try:
        session = name if name is None else read_name(name)
    except NoName:
        session = ""
    if session == "":
        raise UsageError("--session needs a name that a tag can have")
    return session


class _Numbers:
    """Default sessions and deal numbers for sheets that lack them. `session`: name of the default session, if
    any. A sheet without a number gets the lowest one that no earlier sheet of its session has."""

    def __init__(self, session: str | None) -> None:
        self.session = session
        self.taken: dict[str, set[int]] = defaultdict(set)

    def tagged(self, sheet: Record) -> Record:
        """Return the sheet with its session and number filled in; unchanged if there is no default
        session."""
        if self.session is None:
            return sheet
        session = sheet.tags.get("Session") or self.session
        taken = self.taken[session]
        number = sheet.tags.get("Deal") or str(next(n for n in count(1) if n not in taken))
        taken.add(int(number))
        tags = sheet.tags | {"Session": session, "Deal": number}
        known = {name: tags.pop(name) for name in OPTIONAL_TAGS if name in tags}
        return replace(sheet, tags=known | tags)
