"""A second, plain implementation of play and settlement, with lists of card codes and no speed in mind.

It lists the legal cards for every play, and scores a finished deal. It was written from the clauses, without
a look at the engine, and shares no code with it. It takes the events before the play as legal.
"""

from __future__ import annotations

from typing import Any

from tests.engine.oracle.grosstarock import Grosstarock
from tests.engine.oracle.play import Told
from tests.engine.oracle.strohmann import Strohmann
from tests.engine.oracle.taroky import Taroky
from tests.engine.oracle.troggu import Troggu

GAMES = {"strohmann": Strohmann, "taroky": Taroky, "troggu": Troggu, "grosstarock": Grosstarock}


def tell(form: dict[str, Any]) -> Told:
    """Return the oracle's answer on a record in JSON form whose events are legal."""
    return GAMES[form["game"]](form).run()
