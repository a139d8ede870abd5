"""The command `tarock`: verify, score, show, sheet, convert, simulate, rules, check-certificate.

Inputs are TGN text, JSON or NDJSON, recognised by content; `-` is standard input. Results go to standard
output, findings with file, line and column to standard error, all in UTF-8. Exit status: 0 all good, 1 some
record is not, 2 wrong usage or a file that cannot be read.
"""

from tarock.cli.main import main

__all__ = ["main"]
