"""Hand-worked deals: each complete, its calculation written out from the rules, not by the engine.

The expected results are read from the calculation: a line `clause: …: A +25, B −25` for each line that moves
points, `A, D (bidder) win tricks … = 60.` for the card points of a side, and in the end the score.
"""

from __future__ import annotations

from tests.engine.worked import grosstarock, strohmann, taroky, troggu
from tests.engine.worked.deal import Worked

#: Every deal by its name.
WORKED = {
    name: deal
    for game in (strohmann, taroky, troggu, grosstarock)
    for name, deal in vars(game).items()
    if isinstance(deal, Worked)
}
