"""The command that prints the clauses of the rules."""

from __future__ import annotations

import argparse
import difflib

from tarock.cli.files import OK, UsageError, print_json
from tarock.cli.terminal import clause_lines
from tarock.core.options import shown
from tarock.games import Profile, game, profiles
from tarock.words.clauses import Clause, book, book_names, clauses, words


def published(name: str) -> Profile:
    """Return a published rule set. Raise UsageError if there is none with this name."""
    if name not in profiles():
        raise UsageError(f"there are no published rules “{name}”; expected one of {' '.join(profiles())}")
    return profiles()[name]


def _print_profile(rules: Profile, language: str) -> int:
    """Print the options of a rule set: word, meaning, and the origin of the value (S, I or A)."""
    info, table = game(rules.game), words(rules.game, language)
    values = info.rules.of(rules.words)
    for slug, (origin, reason) in rules.origins.items():
        word = f"{slug}={shown(values.value(slug))}"
        why = f" ({table['origins'][reason]})" if reason else ""
        print(f"{word:<26} {origin}  {table['options'][slug]}{why}")
    return OK


def print_rules(options: argparse.Namespace) -> int:
    if options.profile is not None:
        rules = published(options.profile)
        if options.names not in ([], [rules.game]):
            raise UsageError(f"the rules {rules.name} are rules of {rules.game}")
        return _print_profile(rules, options.language)
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
            raise UsageError(f"there is no clause or game “{name}”{hint}")
    if options.json:
        keys = ("slug", "game", "title", "text", "kind", "reason", "source")
        for c in found or known.values():
            print_json({name: getattr(c, name) for name in keys})
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
