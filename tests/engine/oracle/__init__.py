"""A second, plain reading of the rules of play and settlement, with lists of card codes and no speed in mind.

It says for every card of a play which cards were legal, and scores a finished deal. It was written from the
clauses, without a look at the engine, and shares no code with it. What is said before the play is taken as
right.
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
    """What the oracle says of a record in JSON form whose events are legal."""
    return GAMES[form["game"]](form).run()
