"""The options of Grosstarock. Amounts are points that each of the others pays."""

from __future__ import annotations

from dataclasses import dataclass

from tarock.core.options import Options, option


@dataclass(frozen=True)
class GrosstarockOptions(Options):
    """The options of a deal of Grosstarock."""

    pagat: int = option(5, "grosstarock.pagat")
    pagat_ultimo: int = option(15, "grosstarock.pagat-ultimo")
    king_won: int = option(5, "grosstarock.king")
    king_lost: int = option(5, "grosstarock.king")
    king_ultimo: int = option(10, "grosstarock.king-ultimo")
    last_trick: int = option(5, "grosstarock.last-trick")
    bole: int = option(26, "grosstarock.bole")
    null: int = option(26, "grosstarock.null")
    null_refund: bool = option(True, "grosstarock.null-refund")
    end_beside_null: bool = option(
        True, "grosstarock.last-trick", also=("grosstarock.pagat-ultimo", "grosstarock.king-ultimo")
    )
    card_round: int = option(1, "grosstarock.card-points", low=1, high=5)
    tout: int = option(25, "grosstarock.two-tout")
