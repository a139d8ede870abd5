"""The command that checks a certificate."""

from __future__ import annotations

import argparse
import sys

from tarock.analysis import chain
from tarock.cli.files import JSON, NOT_VERIFIED, OK, UsageError, print_json, read_bytes
from tarock.cli.terminal import plain
from tarock.notation import read_each


def check_certificate(options: argparse.Namespace) -> int:
    try:
        from tarock.analysis import certificates
    except ImportError:
        raise UsageError("certificates need the package cryptography: pip install cryptography") from None
    if [options.file, options.record, options.keys, options.log].count("-") > 1:
        raise UsageError("only one of the files can be standard input")
    found: certificates.Certificate | None = None
    try:
        keys = None if options.keys is None else certificates.key_set(read_bytes(options.keys))
        found = certificates.read(read_bytes(options.file))
        faults = found.faults(keys)
        if options.record is not None:
            faults += found.faults_of(read_each(read_bytes(options.record)))
        if options.log is not None:
            log = read_bytes(options.log).decode("utf-8", "surrogateescape")
            named = found.statement.get("log")
            faults += chain.faults(log, named) if named else ["the certificate names no line of a log"]
    except certificates.BadKey as fault:
        raise UsageError(f"{options.keys}: {fault}") from fault
    except certificates.BadCertificate as fault:
        faults = [str(fault)]
    if options.json:
        statement, key = (found.statement, found.key) if found else (None, None)
        print_json({"good": not faults, "statement": statement, "key": key, "faults": faults})
        return NOT_VERIFIED if faults else OK
    for name, value in sorted(found.statement.items()) if found else ():
        print(plain(f"{name}: {value if isinstance(value, str) else JSON(value)}"))
    sys.stdout.flush()
    for sentence in faults:
        print(f"{options.file}: {plain(sentence)}", file=sys.stderr)
    if not faults:
        same = "" if options.record is None else "; the record is of this deal, and this engine agrees"
        print(f"The signature is right{same}.")
    return NOT_VERIFIED if faults else OK
