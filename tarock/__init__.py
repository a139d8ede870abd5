"""Rules engine of the Tarock Archive: notation, verification, scoring, replay and simulation of four games.

The public API has four functions:

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
    """Yield the position at each step of a deal, starting at step 0. `view`: seat from whose view to show the
    deal; None for all hands open."""
    # Import on demand, because a module-level import would slow down every start of the program by a tenth.
    from tarock.analysis.replay import positions

    return positions(record, view)
