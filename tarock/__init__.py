"""The rules engine of the Tarock Archive: notation, four games, checking, scoring, replay and simulation.

A program needs four functions:

>>> from tarock import check, read, replay, score
>>> entry, = read(text)
>>> check(entry.record).verdict
'verified'
>>> score(entry.record)
{'A': 105, 'B': -105, 'C': -105, 'D': 105}
>>> [position.step for position in replay(entry.record)][-1]
64
"""

__version__ = "1.2.0"

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tarock.analysis.verify import check, score
from tarock.core.record import Record
from tarock.notation import read

if TYPE_CHECKING:
    from tarock.analysis.position import Position

__all__ = ["check", "read", "replay", "score"]


def replay(record: Record, view: str | None = None) -> Iterator["Position"]:
    """Yield the position at each step of a deal, from step 0. `view`: seat whose view to use, by default
    none."""
    # Import this only on demand, because importing it at the top would make every start a tenth slower.
    from tarock.analysis.replay import positions

    return positions(record, view)
