"""The options of Taroky. Amounts are what one player of the winning side gets from one of the other side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tarock.core.options import Options, option

_NO_VARSAVA = ("varsava", False)
_PAYMENT: dict[str, Any] = {"idle": _NO_VARSAVA, "also": ("taroky.varsava-tie",)}


@dataclass(frozen=True)
class TarokyOptions(Options):
    """The options of a deal of Taroky."""

    price_first: int = option(1, "taroky.game")
    price_second: int = option(1, "taroky.game")
    price_troika_1: int = option(1, "taroky.game")
    price_troika_2: int = option(2, "taroky.game")
    price_troika_3: int = option(3, "taroky.game")
    price_solo: int = option(6, "taroky.game")
    tie: int = option(1, "taroky.game-tie")
    round: int = option(1, "taroky.game", low=1, high=1000, also=("taroky.game-tie",))
    cap: int = option(0, "taroky.cap")
    pagat_silent: int = option(10, "taroky.pagat-ultimo")
    pagat_announced: int = option(20, "taroky.pagat-announced")
    valat_silent: int = option(70, "taroky.valat")
    valat_announced: int = option(140, "taroky.valat-announced")
    valat_tricks_only: bool = option(False, "taroky.card-points", also=("taroky.game",))
    hand_small: int = option(
        5, "taroky.hand-tarocky", also=("taroky.hand-barvicky", "taroky.hand-trul", "taroky.hand-honery")
    )
    hand_big: int = option(
        10,
        "taroky.hand-taroky",
        also=("taroky.hand-barvy", "taroky.hand-kralovske-honery", "taroky.hand-trulhonery"),
    )
    trulhonery: bool = option(False, "taroky.hand-trulhonery")
    barvy_pagat: bool = option(True, "taroky.hand-barvy", also=("taroky.hand-barvicky",))
    doubles: int = option(3, "taroky.double", high=4)
    valat_doubles: bool = option(True, "taroky.double", idle=("doubles", 0))
    settle_uncontested: bool = option(False, "taroky.settle-uncontested", of_source=True)
    uncontested: int = option(1, "taroky.settle-uncontested", idle=("settle-uncontested", False))
    surrender: int = option(10, "taroky.surrender")
    varsava_low: int = option(10, "taroky.varsava-pay", **_PAYMENT)
    varsava_mid: int = option(20, "taroky.varsava-pay", **_PAYMENT)
    varsava_high: int = option(40, "taroky.varsava-pay", **_PAYMENT)
    varsava_trickless: int = option(2, "taroky.varsava-pay", low=1, high=4, **_PAYMENT)
    second_forehand: bool = option(False, "taroky.forehand-must-bid")
    refuse: bool = option(True, "taroky.refuse")
    declare_all: bool = option(False, "taroky.declare-all")
    varsava: bool = option(True, "taroky.varsava")
    varsava_overtake: bool = option(True, "taroky.varsava-play", idle=_NO_VARSAVA)
