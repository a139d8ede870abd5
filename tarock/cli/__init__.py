"""The command `tarock`: verify, score, show, sheet, convert, simulate, rules, check-certificate.

Inputs are TGN text, JSON or NDJSON, recognised by content; `-` is standard input. Results go to standard
output, findings with file, line and column to standard error, all in UTF-8. Exit status: 0 if all records are
good, 1 if some record is not, 2 for wrong usage or an unreadable file.
"""

from tarock.cli.main import main

__all__ = ["main"]
