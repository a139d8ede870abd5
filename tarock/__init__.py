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

from tarock.analysis.replay import positions as replay
from tarock.analysis.verify import check, score
from tarock.notation import read

__all__ = ["check", "read", "replay", "score"]
