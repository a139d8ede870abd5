"""The command `tarock`: verify, score, show, convert, simulate, rules, check-certificate.

Inputs are TGN text, JSON or NDJSON, recognised by content; `-` is standard input. Results go to standard
output, findings with file, line and column to standard error, all in UTF-8. Exit status: 0 all good, 1 some
record is not verified, 2 wrong usage or a file that cannot be read.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO, NoReturn, TextIO

from tarock import __version__
from tarock.clauses import LANGUAGES, Clause, book, book_names, clauses
from tarock.games import games
from tarock.notation import Entry, NotWritable, dump_json, read_each, read_file, write_text
from tarock.position import Position
from tarock.record import Record
from tarock.replay import last_step, outline, position, positions
from tarock.simulate import SimulationError, simulate
from tarock.terminal import (
    Progress,
    clause_lines,
    deal_lines,
    finding_lines,
    plain,
    position_lines,
    score_sheet,
    title,
    verdict_line,
)
from tarock.verify import VERDICTS, Check, check_entry

OK, NOT_VERIFIED, USAGE = 0, 1, 2
#: The exit status by which a shell reports a closed pipe or Ctrl-C.
_PIPE, _INTERRUPTED = 141, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    try:
        options = _parser().parse_args(arguments)
        run: Callable[[argparse.Namespace], int] = options.run
        status = run(options)
        sys.stdout.flush()
        return status
    except SystemExit as leaving:
        # argparse has printed its message: 0 for --help and --version, 2 for wrong usage.
        return leaving.code if isinstance(leaving.code, int) else USAGE
    except _Usage as fault:
        _print_error(str(fault))
        return USAGE
    except BrokenPipeError:
        # The reader of the pipe is gone. Discard the rest of the buffer without an error.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE
    except KeyboardInterrupt:
        return _INTERRUPTED


class _Usage(Exception):
    """The command line cannot be carried out."""


def _print_error(message: str) -> None:
    print(f"tarock: {message}", file=sys.stderr)


def _stop(message: str) -> NoReturn:
    raise _Usage(message)


# -- inputs ------------------------------------------------------------------------------------------


class _Inputs:
    """The records of all files, in order, read one by one and numbered through. `unreadable`: whether a file
    could not be read; such files are reported and left out."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self.unreadable = False
        self.records = 0

    def entries(self) -> Iterator[tuple[str, Entry, Callable[[], None]]]:
        """Yield the source, the entry, and a function that clears the progress bar for a message."""
        for name in self.names:
            try:
                with _opened(name) as (file, size), Progress(size, sys.stderr) as bar:
                    for entry in read_file(file):
                        number = self.records
                        self.records += 1
                        yield "stdin" if name == "-" else name, entry._replace(n=number), bar.clear
                        bar.advance(len(entry.source))
            except BrokenPipeError:
                raise
            except OSError as fault:
                self.unreadable = True
                _print_error(f"{name} cannot be read: {fault.strerror or fault}")

    def checks(self) -> Iterator[tuple[str, Entry, Check]]:
        """Yield the source, the entry and the check of every record."""
        to_screen = sys.stdout.isatty()
        for source, entry, clear in self.entries():
            result = check_entry(entry)
            if to_screen or result.verdict != "verified":
                clear()
            yield source, entry, result


@contextlib.contextmanager
def _opened(name: str) -> Iterator[tuple[BinaryIO, int]]:
    """An input and its length in bytes, 0 if it is not known."""
    if name == "-":
        yield sys.stdin.buffer, 0
    else:
        with open(name, "rb") as file:
            yield file, os.fstat(file.fileno()).st_size


def _status(inputs: _Inputs, good: bool) -> int:
    return USAGE if inputs.unreadable else OK if good else NOT_VERIFIED


_JSON = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


def _print_json(value: Any) -> None:
    sys.stdout.write(_JSON(value) + "\n")


# -- commands ----------------------------------------------------------------------------------------


def _verify(options: argparse.Namespace) -> int:
    inputs = _Inputs(options.files)
    counts = dict.fromkeys(VERDICTS, 0)
    for source, entry, result in inputs.checks():
        counts[result.verdict] += 1
        if options.json:
            _print_json(result.as_json())
            continue
        if not options.quiet:
            print(verdict_line(entry, result))
        if result.verdict != "verified":
            sys.stdout.flush()
            print(*finding_lines(source, result, entry.record), sep="\n", file=sys.stderr)
    if not options.json and inputs.records != 1:
        found = ", ".join(f"{number} {verdict}" for verdict, number in counts.items() if number)
        print(f"{inputs.records} records" + (f": {found}" if found else ""))
    return _status(inputs, counts["verified"] == inputs.records)


def _score(options: argparse.Namespace) -> int:
    inputs = _Inputs(options.files)
    good = True
    for source, entry, result in inputs.checks():
        good &= result.verdict == "verified"
        record = entry.record
        if options.json:
            _print_json(_scored(record, result))
            continue
        if record is None or result.score is None:
            print(verdict_line(entry, result))
        else:
            names = ", ".join(f"{seat} {name}" for seat, name in record.players.items())
            print(f"{verdict_line(entry, result).partition('  [')[0]}\n  {names}")
            print("\n".join(score_sheet(record, result)))
        print()
        if result.verdict != "verified":
            sys.stdout.flush()
            print(*finding_lines(source, result, entry.record), sep="\n", file=sys.stderr)
    return _status(inputs, good)


def _scored(record: Record | None, result: Check) -> dict[str, Any]:
    """The check as JSON, with the players' names and the titles of the clauses."""
    form = result.as_json()
    titles = {c.slug: c.title for c in clauses()}
    for line in form["lines"]:
        line["title"] = titles[line["clause"]]
    return {"n": form.pop("n"), "players": None if record is None else dict(record.players)} | form


def _show(options: argparse.Namespace) -> int:
    inputs = _Inputs(options.files)
    good, matching = True, 0
    for source, entry, result in inputs.checks():
        if options.record is not None and result.n != options.record:
            continue
        matching += 1
        good &= result.verdict == "verified"
        record = entry.record
        if record is None:
            if options.json:
                _print_json(result.as_json())
            print(*finding_lines(source, result, entry.record), sep="\n", file=sys.stderr)
            continue
        view = options.view
        if view is not None and view not in record.seats:
            _stop(f"record {result.n} has no seat {view}; its seats are {' '.join(record.seats)}")
        if options.json:
            _show_json(record, result, options)
        else:
            _show_text(record, result, options)
    if options.record is not None and not matching and not inputs.unreadable:
        _stop(f"there is no record {options.record}; the input has {inputs.records}, counted from 0")
    return _status(inputs, good)


def _step(record: Record, options: argparse.Namespace) -> int:
    """The requested step; a negative one is counted from the end."""
    end = last_step(record, options.view)
    step: int = options.step
    if not -end - 1 <= step <= end:
        _stop(f"there is no step {step}; the deal has the steps 0 to {end}")
    return step if step >= 0 else end + 1 + step


def _positions(record: Record, options: argparse.Namespace) -> Iterator[Position]:
    """Yield the requested positions: of all steps or of one."""
    if options.steps:
        yield from positions(record, options.view)
    else:
        yield position(record, _step(record, options), options.view)


def _show_json(record: Record, result: Check, options: argparse.Namespace) -> None:
    if options.steps or options.step is not None:
        for state in _positions(record, options):
            _print_json({"n": result.n} | state.as_json())
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
    _print_json(form)


def _show_text(record: Record, result: Check, options: argparse.Namespace) -> None:
    print(f"{result.n}  {title(record)}  ({result.verdict})")
    if options.interactive:
        _walk(record, options)
    elif options.steps or options.step is not None:
        for state in _positions(record, options):
            print("\n".join(position_lines(state)))
            print()
    else:
        print("\n".join(deal_lines(record, options.view)))
        # A seat's view has no score sheet, which would reveal the partner.
        if result.score is not None and options.view is None:
            print()
            print("\n".join(score_sheet(record, result)))
        print()


def _walk(record: Record, options: argparse.Namespace) -> None:
    """Go through a deal on a terminal: Enter goes on, `p` back, `f` and `l` to an end, a number to a step."""
    if "-" in options.files:
        _stop("--interactive reads its keys from standard input, which is an input file here")
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


def _convert(options: argparse.Namespace) -> int:
    inputs = _Inputs(options.files)
    form = "json" if options.json else options.to
    parts: list[str] = []
    good = True
    for source, entry, clear in inputs.entries():
        if form is None:
            form = "tgn" if entry.form == "json" else "json"
        record = entry.record
        try:
            if record is not None:
                parts.append(write_text(record) if form == "tgn" else dump_json(record))
                continue
            message = finding_lines(source, check_entry(entry), None)[0]
        except NotWritable as fault:
            message = f"{source}:{entry.line}: record {entry.n}: {fault}"
        clear()
        good = False
        print(message, file=sys.stderr)
    with _output(options.output) as out:
        if form == "tgn":
            out.write("\n".join(parts))
        elif form == "json" and len(parts) != 1:
            out.write("[\n" + ",\n".join(parts) + "\n]\n" if parts else "[]\n")
        else:
            out.writelines(part + "\n" for part in parts)
    return _status(inputs, good)


@contextlib.contextmanager
def _output(name: str | None) -> Iterator[TextIO]:
    """Standard output, or a file."""
    if name is None or name == "-":
        yield sys.stdout
        return
    try:
        with open(name, "w", encoding="utf-8", newline="\n") as file:
            yield file
    except OSError as fault:
        _stop(f"{name} cannot be written: {fault.strerror or fault}")


def _simulate(options: argparse.Namespace) -> int:
    try:
        records = simulate(
            options.game,
            players=options.players,
            deals=options.deals,
            seed=options.seed,
            options=options.option,
        )
    except SimulationError as fault:
        _stop(str(fault))
    # On a terminal the printed deals themselves are the progress.
    to_screen = options.output is None and sys.stdout.isatty()
    silent = io.StringIO()
    bar = Progress(options.deals, silent if to_screen else sys.stderr, "deals")
    with _output(options.output) as out, bar:
        for n, record in enumerate(records):
            if options.json:
                out.write(dump_json(record) + "\n")
            else:
                out.write(("\n" if n else "") + write_text(record))
            bar.advance()
    return OK


def _rules(options: argparse.Namespace) -> int:
    known = {c.slug: c for c in clauses(language=options.language)}
    found: list[Clause] = []
    for name in options.names:
        if name in book_names():
            found += clauses(name, options.language)
        elif name in known:
            found.append(known[name])
        else:
            near = difflib.get_close_matches(name, [*book_names(), *known], n=3)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            _stop(f"there is no clause or game “{name}”{hint}")
    if options.json:
        for c in found or known.values():
            _print_json(_clause_form(c))
        return OK
    if not options.names:
        for name in book_names():
            about = book(name, options.language)
            print(f"{about.name} ({name})")
            for c in about.clauses:
                print(f"  {c.slug:<36} {c.title}" + ("  [ruling]" if c.is_ruling else ""))
            print()
        return OK
    print("\n\n".join("\n".join(clause_lines(c)) for c in found))
    return OK


def _clause_form(c: Clause) -> dict[str, Any]:
    return {name: getattr(c, name) for name in ("slug", "game", "title", "text", "kind", "reason", "source")}


def _check_certificate(options: argparse.Namespace) -> int:
    try:
        from tarock import certificates
    except ImportError:
        _stop("certificates need the package cryptography: pip install cryptography")
    if [options.file, options.record, options.keys].count("-") > 1:
        _stop("only one of the files can be standard input")
    found: certificates.Certificate | None = None
    try:
        keys = None if options.keys is None else certificates.key_set(_contents(options.keys))
        found = certificates.read(_contents(options.file))
        faults = found.faults(keys)
        if options.record is not None:
            faults += found.faults_of(read_each(_contents(options.record)))
    except certificates.BadKey as fault:
        _stop(f"{options.keys}: {fault}")
    except certificates.BadCertificate as fault:
        faults = [str(fault)]
    if options.json:
        statement, key = (found.statement, found.key) if found else (None, None)
        _print_json({"good": not faults, "statement": statement, "key": key, "faults": faults})
        return NOT_VERIFIED if faults else OK
    for name, value in sorted(found.statement.items()) if found else ():
        print(plain(f"{name}: {value if isinstance(value, str) else _JSON(value)}"))
    sys.stdout.flush()
    for sentence in faults:
        print(f"{options.file}: {plain(sentence)}", file=sys.stderr)
    if not faults:
        same = "" if options.record is None else "; the record is of this deal, and this engine agrees"
        print(f"The signature is right{same}.")
    return NOT_VERIFIED if faults else OK


def _contents(name: str) -> bytes:
    try:
        with _opened(name) as (file, _):
            return file.read()
    except OSError as fault:
        _stop(f"{name} cannot be read: {fault.strerror or fault}")


# -- arguments ---------------------------------------------------------------------------------------


def _count(word: str) -> int:
    number = int(word)
    if number < 0:
        raise ValueError(word)
    return number


_count.__name__ = "number"


def _seat(word: str) -> str:
    return word.upper()


class _Command(argparse.ArgumentParser):
    """A command that takes options before, after and between its files; plain argparse takes no file after
    an option that follows another file."""

    _split = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse options first, then files."""
        # The two steps of `parse_known_intermixed_args` come back here; it loses everything after a `--`.
        if self._split or "--" in (args or ()):
            return super().parse_known_args(args, namespace)
        self._split = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._split = False


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tarock",
        description="Checks, scores, shows and deals games of tarock recorded in TGN or JSON.",
        epilog="Exit status: 0 all good, 1 some record is not verified, 2 wrong usage or an unreadable file.",
    )
    parser.add_argument("--version", action="version", version=f"tarock {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Command)

    def command(
        name: str, run: Callable[[argparse.Namespace], int], words: str, json_words: str, files: bool = True
    ) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=words, description=words[0].upper() + words[1:] + ".")
        made.set_defaults(run=run)
        if files:
            made.add_argument(
                "files",
                nargs="+",
                metavar="FILE",
                help="TGN, JSON or NDJSON, told apart by content; - is standard input",
            )
        made.add_argument("--json", action="store_true", help=json_words)
        return made

    sheet = "one JSON object a record"
    made = command("verify", _verify, "say of every record whether it keeps the rules", sheet)
    made.add_argument("-q", "--quiet", action="store_true", help="tell only what is wrong, and the sum")

    command("score", _score, "print the score sheet of every record", sheet)

    made = command("show", _show, "replay deals in the terminal", "one JSON object a record or step")
    made.add_argument("-n", "--record", type=_count, metavar="N", help="only this one, counted from 0")
    made.add_argument("--view", type=_seat, metavar="SEAT", help="only what this seat may know")
    made.add_argument(
        "--step", type=int, metavar="N", help="the position after the N events that are seen; −1 is the last"
    )
    made.add_argument("--steps", action="store_true", help="every position, one after the other")
    made.add_argument("-i", "--interactive", action="store_true", help="go through the positions by keys")

    made = command("convert", _convert, "write records in another form", "short for --to json")
    made.add_argument(
        "--to",
        choices=("tgn", "json", "ndjson"),
        help="tgn: text; json: an object, or an array of several; ndjson: one object a line"
        " (default: json for text, tgn for JSON)",
    )
    made.add_argument("-o", "--output", metavar="FILE", help="write there instead of standard output")

    made = command("simulate", _simulate, "deal and play records out", "one JSON record a line", files=False)
    made.add_argument("game", choices=[g.id for g in games()], metavar="GAME", help="%(choices)s")
    made.add_argument("--players", type=_count, metavar="N", help="seats at the table (default: as usual)")
    made.add_argument("--deals", type=_count, required=True, metavar="N", help="how many")
    made.add_argument("--seed", type=int, required=True, metavar="S", help="the same seed deals the same")
    made.add_argument(
        "--option", action="append", default=[], metavar="WORD", help="a table option of all deals"
    )
    made.add_argument("-o", "--output", metavar="FILE", help="write there instead of standard output")

    made = command("rules", _rules, "print clauses of the rules", "one JSON object a clause", files=False)
    made.add_argument("names", nargs="*", metavar="SLUG|GAME", help="without any: a list of all")
    made.add_argument("--language", choices=LANGUAGES, default=LANGUAGES[0], help="default: %(default)s")

    words = "say whether an archive’s certificate of a deal is right"
    made = command("check-certificate", _check_certificate, words, "one JSON object", files=False)
    made.add_argument("file", metavar="FILE", help="the certificate; - is standard input")
    made.add_argument("record", nargs="?", metavar="RECORD", help="a record, which has to be of this deal")
    made.add_argument("--keys", metavar="FILE", help="the archive’s key list; nothing is fetched")
    return parser


if __name__ == "__main__":
    sys.exit(main())
