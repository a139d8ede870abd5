"""Parser of the command line: commands, arguments and options."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from tarock import __version__
from tarock.core.game import UNKNOWN_GAME
from tarock.games import games
from tarock.notation.foreign import ENCODING_NAMES
from tarock.notation.packed import ENCODINGS
from tarock.words.clauses import LANGUAGES


def _count(word: str) -> int:
    number = int(word)
    if number < 0:
        raise ValueError(word)
    return number


_count.__name__ = "number"


class _Command(argparse.ArgumentParser):
    """Parser for a command that accepts options before, after and between its files. Plain argparse rejects
    files both before and after an option."""

    _split = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse options first, then files."""
        # `parse_known_intermixed_args` calls this method again for each of its two steps. It also loses all
        # arguments after a `--`, so don't use it if there is a `--`.
        if self._split or "--" in (args or ()):
            return super().parse_known_args(args, namespace)
        self._split = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._split = False


def _run(place: str, options: argparse.Namespace) -> int:
    """Run the command function at `place` (`module:function`). Its module is imported only now, because
    importing the modules of all commands would slow down every start of the program by a seventh."""
    module, function = place.split(":")
    command: Callable[[argparse.Namespace], int] = getattr(import_module(f"tarock.cli.{module}"), function)
    return command(options)


def _add_command(
    commands: Any,
    name: str,
    run: str,
    words: str,
    json_words: str,
    files: bool = True,
) -> argparse.ArgumentParser:
    sub: argparse.ArgumentParser = commands.add_parser(
        name, help=words, description=words[0].upper() + words[1:] + "."
    )
    sub.set_defaults(run=partial(_run, run))
    if files:
        sub.add_argument(
            "files",
            nargs="+",
            metavar="FILE",
            help="TGN, JSON or NDJSON, told apart by content; - is standard input",
        )
        sub.add_argument(
            "--encoding",
            choices=ENCODINGS,
            default="",
            help="of texts that make sense in more than one encoding: "
            + ", ".join(f"{name} ({ENCODING_NAMES[name]})" for name in ENCODINGS),
        )
    sub.add_argument("--json", action="store_true", help=json_words)
    return sub


def _add_output(sub: argparse.ArgumentParser, may: str = "; it may be an input") -> None:
    words = f"write there instead of standard output, once all input was read{may}"
    sub.add_argument("-o", "--output", metavar="FILE", help=words)


def command_parser() -> argparse.ArgumentParser:
    """Return the command-line parser. In the parsed options, `run` is the function that runs the command."""
    parser = argparse.ArgumentParser(
        prog="tarock",
        description="Checks, scores, shows and deals games of tarock recorded in TGN or JSON.",
        epilog="Exit status: 0 all good, 1 some record is not, 2 wrong usage or an unreadable file.",
    )
    parser.add_argument("--version", action="version", version=f"tarock {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Command)

    command = partial(_add_command, commands)

    sheet = "one JSON object a record"
    sub = command("verify", "records:verify", "say of every record whether it keeps the rules", sheet)
    sub.add_argument("-q", "--quiet", action="store_true", help="tell only what is wrong, and the sum")

    sub = command("score", "records:score", "print the score sheet of every record", sheet)
    sub.add_argument("--rules", metavar="NAME", help="settle by this published rule set, such as vysocina@1")

    sub = command("show", "show:show", "replay deals in the terminal", "one JSON object a record or step")
    sub.add_argument("-n", "--record", type=_count, metavar="N", help="only this one, counted from 0")
    sub.add_argument("--view", type=str.upper, metavar="SEAT", help="only what this seat may know")
    sub.add_argument(
        "--step", type=int, metavar="N", help="the position after the N events that are seen; −1 is the last"
    )
    sub.add_argument("--steps", action="store_true", help="every position, one after the other")
    sub.add_argument("-i", "--interactive", action="store_true", help="go through the positions by keys")

    words = "print what each card of an ending is worth with all cards open"
    sub = command("endings", "endings:endings", words, "one JSON object a record")
    where = sub.add_mutually_exclusive_group()
    where.add_argument("--step", type=int, metavar="N", help="the position after N events; −1 is the last")
    where.add_argument("--tricks", type=_count, metavar="K", help="the first with K tricks left (default: 6)")
    sub.add_argument("--seconds", type=float, metavar="S", help="give up on a position after this time")

    sub = command(
        "sheet", "sheet:write_sheets", "write the score sheets of played deals", "one JSON record a line"
    )
    sub.add_argument(
        "--session",
        metavar="NAME",
        help="the session of records that name none; records without a number get the next one that is free",
    )
    _add_output(sub)

    sub = command("convert", "records:convert", "write records in another form", "short for --to json")
    sub.add_argument(
        "--to",
        choices=("tgn", "json", "ndjson"),
        help="tgn: text; json: an object, or an array of several; ndjson: one object a line"
        " (default: json for text, tgn for JSON)",
    )
    sub.add_argument(
        "--fix",
        action="store_true",
        help="read typographic quotes, no-break spaces and full-width letters as plain ones",
    )
    _add_output(sub)

    words = "write the points in spreadsheets and tables as results"
    sub = command("results", "tables:results", words, "what was recognised, one object a file")
    sub.add_argument(
        "--game",
        choices=[*(g.id for g in games()), UNKNOWN_GAME],
        default=UNKNOWN_GAME,
        help="the game of all rows; only that of whole evenings may be unknown",
    )
    sub.add_argument(
        "--answer", action="append", default=[], metavar="KEY=VALUE", help="a choice, as --json names it"
    )
    _add_output(sub, may="")

    sub = command(
        "simulate",
        "simulate:simulate_deals",
        "deal and play records out",
        "one JSON record a line",
        files=False,
    )
    sub.add_argument("game", choices=[g.id for g in games()], metavar="GAME", help="%(choices)s")
    sub.add_argument("--players", type=_count, metavar="N", help="seats at the table (default: as usual)")
    sub.add_argument("--deals", type=_count, required=True, metavar="N", help="how many")
    sub.add_argument("--seed", type=int, required=True, metavar="S", help="the same seed deals the same")
    sub.add_argument(
        "--option", action="append", default=[], metavar="WORD", help="a table option of all deals"
    )
    sub.add_argument("--sheets", action="store_true", help="only the score sheets, without the cards")
    _add_output(sub)

    sub = command(
        "rules", "rules:print_rules", "print clauses of the rules", "one JSON object a clause", files=False
    )
    sub.add_argument("names", nargs="*", metavar="SLUG|GAME", help="without any: a list of all")
    sub.add_argument("--profile", metavar="NAME", help="options of a published rule set and their origin")
    sub.add_argument("--language", choices=LANGUAGES, default=LANGUAGES[0], help="default: %(default)s")

    words = "say whether an archive’s certificate of a deal is right"
    sub = command("check-certificate", "certificate:check_certificate", words, "one JSON object", files=False)
    sub.add_argument("file", metavar="FILE", help="the certificate; - is standard input")
    sub.add_argument("record", nargs="?", metavar="RECORD", help="a record, which has to be of this deal")
    sub.add_argument("--keys", metavar="FILE", help="the archive’s key list; nothing is fetched")
    sub.add_argument("--log", metavar="FILE", help="the archive’s dumps.log, which must have the named line")
    return parser
