"""A grammar in the W3C's EBNF, without recursion, as one regular expression for each symbol.

Only what `docs/notation.md` uses: quoted strings, `#xN` characters, classes, groups, `?` `*` `+` and `|`.
Strings and classes of letters match in both cases; a backslash is a character like any other.
"""

from __future__ import annotations

import re

_RULE = re.compile(r"^(\S+)\s*::=\s*", re.MULTILINE)
_TOKEN = re.compile(
    r"\s*(?:'(?P<string>[^']*)'|#x(?P<char>[0-9A-F]+)|\[(?P<klass>[^\]]*)\]|(?P<name>[a-z-]+)|(?P<mark>[()|?*+]))"
)
_CODE = re.compile(r"#x([0-9A-F]+)")


def _class(inside: str) -> str:
    """A character class, its `#xN` made characters."""
    negated = inside.startswith("^")
    inside = inside.removeprefix("^").replace("\\", "\\\\")
    inside = _CODE.sub(lambda m: f"\\u{int(m[1], 16):04x}", inside)
    return f"[{'^' if negated else ''}{inside}]"


def compile_grammar(text: str) -> dict[str, re.Pattern[str]]:
    """Return symbol → its regular expression. An undefined symbol raises KeyError."""
    heads = list(_RULE.finditer(text))
    bodies = {}
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        bodies[head[1]] = text[head.end() : following.start() if following else len(text)].strip()
    done: dict[str, str] = {}

    def expand(symbol: str) -> str:
        if symbol not in done:
            body, pos, parts = bodies[symbol], 0, []
            while pos < len(body):
                token = _TOKEN.match(body, pos)
                assert token is not None, f"{symbol}: {body[pos : pos + 20]!r} is no EBNF"
                pos = token.end()
                if token["string"] is not None:
                    parts.append(f"(?:{re.escape(token['string'])})")
                elif token["char"]:
                    parts.append(re.escape(chr(int(token["char"], 16))))
                elif token["klass"] is not None:
                    parts.append(_class(token["klass"]))
                elif token["name"]:
                    parts.append(expand(token["name"]))
                else:
                    parts.append({"(": "(?:"}.get(token["mark"], token["mark"]))
            done[symbol] = f"(?:{''.join(parts)})"
        return done[symbol]

    return {symbol: re.compile(expand(symbol), re.IGNORECASE) for symbol in bodies}
