"""Who sits where, when: sessions of deals at one table, with names, dates and places that could be true."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from tarock.games import GameInfo


class _Scene(NamedTuple):
    names: str
    events: tuple[str, ...]
    sites: tuple[str, ...]


_SCENES = {
    "strohmann": _Scene(
        "Jörg Käthe Hedwig Ödön Rosl Franz Leopold Ágnes Züleyha Sepp Poldi Łukasz Grete Anton Günther",
        ("Kaffeehaus, Nebenzimmer", "Vereinsabend", "Sonntagsrunde"),
        ("Wien", "Graz", "Mürzzuschlag", "Sankt Pölten"),
    ),
    "taroky": _Scene(
        "Alena Bořek Cyril Dana Růžena Jiří Ondřej Žaneta Tomáš Květa Šimon Eliška Matěj Zdeňka Vojtěch",
        ("Hlučín club evening", "Taroky u Žida", "Moravský pohár", "Svatomartinský pohár"),
        ("Hlučín", "Štramberk", "Frenštát pod Radhoštěm", "Ostrava"),
    ),
    "troggu": _Scene(
        "Ueli Vreni Köbi Bäbi Reto Käthi Röbi Sämi Trudi Élodie Annamarie Jürg Mägi Walti Göpf Rösli",
        ("Troggu im Restaurant Bärghüs", "Stammtisch", "Chilbi", "Dorfmeisterschaft"),
        ("Visperterminen", "Gspon", "Törbel", "Sankt Niklaus"),
    ),
    "grosstarock": _Scene(
        "Søren Åse Jørgen Bjørn Ærtha Kirsten Gudrun Frøydis Mogens Høgni Inge Ågot Viggo Þóra Aksel Öyvind",
        ("Onsdagsklubben", "Tarokaften", "Fynsk mesterskab"),
        ("København", "Ærøskøbing", "Rudkøbing", "Tórshavn"),
    ),
}

Place = tuple[str, dict[str, str], dict[str, str]]


def sessions(info: GameInfo, number: int, rng: random.Random) -> Iterator[Place]:
    """Dealer, players by seat and tags of one deal after the other, session after session without end.

    A session is an agreed number of rounds with the same players, each of whom deals once a round; the first
    dealer is found by lot.
    """
    scene = _SCENES[info.id]
    letters = info.seat_letters(number)
    everyone = scene.names.split()
    day = date(2024, 1, 5) + timedelta(days=rng.randrange(300))
    tables: dict[str, int] = {}
    while True:
        players = dict(zip(letters, rng.sample(everyone, number), strict=True))
        day += timedelta(days=rng.choice((0, 0, 1, 7)))
        written = day.isoformat()
        if rng.random() < 0.05:
            written = written[:8] + "??"
        tables[written] = tables.get(written, 0) + 1
        tags = {"Date": written}
        if rng.random() < 0.7:
            tags["Event"] = rng.choice(scene.events)
        if rng.random() < 0.5:
            tags["Site"] = rng.choice(scene.sites)
        tags["Session"] = f"{written} {info.id} table {tables[written]}"
        recorder = {"Recorder": rng.choice(list(players.values()))} if rng.random() < 0.3 else {}
        first = rng.randrange(number)
        for count in range(number * rng.randint(1, 4)):
            dealer = letters[(first + count) % number]
            yield dealer, dict(players), tags | {"Deal": str(count + 1)} | recorder
