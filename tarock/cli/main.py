"""Entry point of the command line."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
from collections.abc import Callable, Sequence

from tarock.cli.files import USAGE, UsageError, print_error
from tarock.cli.parser import command_parser

#: Exit statuses that a shell reports for a closed pipe and for Ctrl-C.
_PIPE, _INTERRUPTED = 141, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    try:
        options = command_parser().parse_args(arguments)
        run: Callable[[argparse.Namespace], int] = options.run
        status = run(options)
        sys.stdout.flush()
        return status
    except SystemExit as leaving:
        # argparse has already printed its message. The code is 0 for --help and --version, 2 for wrong usage.
        return leaving.code if isinstance(leaving.code, int) else USAGE
    except UsageError as fault:
        print_error(str(fault))
        return USAGE
    except BrokenPipeError:
        # The program that reads the pipe has ended, so discard the buffered output: flushing it would fail.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE
    except KeyboardInterrupt:
        return _INTERRUPTED
