"""The list of moves: `templates/parts/moves.jinja`.

Only for `replays.markup.replay`, until that is a template, too: then this file goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.safestring import SafeString

from replays.jinja import macro, part
from replays.presenters import MoveGroup, Remark


def happenings(remarks: Iterable[Remark]) -> SafeString:
    """What the rules did by themselves, each with its clause."""
    return macro("happenings", remarks)


def moves(groups: Sequence[MoveGroup], prefix: str, current: int) -> SafeString:
    """What was said by phase, then trick by trick, each with a link to its step."""
    return part("moves", {"groups": groups, "prefix": prefix, "current": current})
