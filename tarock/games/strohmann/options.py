"""The options of Strohmanntarock. Amounts are game points of the winner."""

from __future__ import annotations

from dataclasses import dataclass

from tarock.core.options import Options, option


@dataclass(frozen=True)
class StrohmannOptions(Options):
    """The options of a deal of Strohmanntarock."""

    won: int = option(3, "strohmann.game")
    won_high: int = option(4, "strohmann.game")
    won_high_from: int = option(45, "strohmann.game", low=36, high=70)
    lost: int = option(4, "strohmann.game")
    lost_high: int = option(5, "strohmann.game")
    lost_high_from: int = option(44, "strohmann.game", low=36, high=70)
    undeclared: int = option(2, "strohmann.game-undeclared")
    undeclared_high: int = option(2, "strohmann.game-undeclared")
    undeclared_high_from: int = option(45, "strohmann.game-undeclared", low=36, high=70)
    valat: int = option(12, "strohmann.valat")
    valat_replaces: bool = option(True, "strohmann.valat")
    pagat: int = option(1, "strohmann.pagat-ultimo")
    uhu: int = option(1, "strohmann.uhu")
    kakadu: int = option(1, "strohmann.kakadu")
    quapil: int = option(0, "strohmann.quapil")
    catch: bool = option(
        True, "strohmann.pagat-ultimo", also=("strohmann.uhu", "strohmann.kakadu", "strohmann.quapil")
    )
    rostopschin: int = option(1, "strohmann.rostopschin")
    trull: int = option(0, "strohmann.trull")
    kings: int = option(0, "strohmann.kings")
    mondfang: int = option(0, "strohmann.mondfang")
