"""Links to clauses: a macro of `templates/parts/macros.jinja`.

Only for `replays.markup.replay`, until that is a template, too: then this file goes.
"""

from __future__ import annotations

from django.utils.safestring import SafeString

from replays.jinja import macro
from tarock.clauses import Clause


def clause_link(slug: str, clause: Clause | None = None) -> SafeString:
    """A link to a clause by its slug, with its title (if it is given) for who points at it."""
    return macro("clause_link", slug, clause)
