"""The picture of a position."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

import tarock.analysis.public_knowledge
import tarock.analysis.replay
from archive.shown import ShownDeal
from replays.language.names import Names
from replays.pictures import drawing, lettering, picture
from tarock.analysis.replay import position
from tarock.view.table import table_view
from tests import samples
from tests.pages.sharing import get, size, unpacked
from tools import advances

from .conftest import Store
from .test_replay import TABLES

pytestmark = pytest.mark.django_db


def colours(png: bytes) -> Counter[str]:
    """How often each colour occurs in a PNG."""
    width, height, raw = unpacked(png)
    line = 4 * width
    above = bytearray(line)
    found: Counter[str] = Counter()
    for n in range(height):
        kind, row = raw[n * (line + 1)], bytearray(raw[n * (line + 1) + 1 : (n + 1) * (line + 1)])
        for k in range(line):
            left, up = (row[k - 4], above[k]) if k >= 4 else (0, above[k])
            corner = above[k - 4] if k >= 4 else 0
            if kind == 1:
                guess = left
            elif kind == 2:
                guess = up
            elif kind == 3:
                guess = (left + up) // 2
            elif kind == 4:
                guess = min((left, up, corner), key=lambda c: abs(left + up - corner - c))
            else:
                guess = 0
            row[k] = (row[k] + guess) & 255
        found.update(row[k : k + 3].hex() for k in range(0, line, 4))
        above = row
    return found


def test_the_picture_shows_the_table(client: Client, taroky: ShownDeal) -> None:
    at = f"/deals/{taroky.pk}/position.png"
    answer = get(client, f"{at}?step=20")
    assert size(answer.content) == (drawing.WIDTH, drawing.HEIGHT) == (1200, 630)
    small = get(client, f"{at}?step=20&size=small").content
    assert size(small) == (600, 315)
    seen = colours(small)
    # The felt, the papers of plain cards and of tarocks, red pips: each on a good part of the picture.
    for colour in (drawing.FELT, "#fffdf8", "#f3eefc", drawing.SUIT_COLOURS["H"]):
        assert seen[colour[1:]] > 300, colour
    assert answer.content != get(client, f"{at}?step=21").content
    assert get(client, f"{at}?step=9999").content == get(client, f"{at}?step={samples.LAST_STEP}").content
    get(client, f"{at}?view=Z", 404)
    get(client, "/deals/999999/position.png", 404)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_every_card_of_the_table_is_within_the_picture(store: Store, game: str, players: int) -> None:
    """At every step and from every side: each card that lies open once, and nothing beyond the edges."""
    (deal,) = store(samples.as_text(samples.simulated(game, players, seed=7)))
    record = deal.record
    steps = tarock.analysis.replay.last_step(record)
    names = Names(record.game, record.players)
    for step in range(0, steps + 1, 5):
        on_table = table_view(position(record, step), names, bottom=record.seats[step % len(record.seats)])
        svg = picture.svg(on_table, "x" * 500)
        shown = re.findall(r'<use href="#(\w+)" x="(-?[\d.]+)" y="(-?[\d.]+)" width="([\d.]+)"', svg)
        codes = [code for code, *_ in shown if code != "back"]
        held = [face.code for seat in on_table.seats for face in seat.hand if face.code != "back"]
        held += [pile.top.code for seat in on_table.seats for pile in seat.piles if pile.top]
        held += [
            f.code for seat in on_table.seats for pile in seat.piles for f in pile.under if f.code != "back"
        ]
        held += [play.card.code for play in on_table.trick.plays] if on_table.trick else []
        held += [face.code for face in on_table.talon if face.code != "back"]
        assert sorted(codes) == sorted(held)
        assert len(set(codes)) == len(codes)
        for code, x, y, width in shown:
            assert float(width) > 12, code
            assert 0 <= float(x) <= drawing.WIDTH - float(width), code
            assert picture.BAR <= float(y) <= drawing.HEIGHT - float(width) * drawing.ASPECT, code


def test_names_are_drawn_without_any_font_of_the_machine() -> None:
    frame = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="60" font-family="{}, {}">{}</svg>'

    def drawn_text(text: str) -> bytes:
        line = f'<text x="5" y="40" font-size="30">{text}</text>'
        return drawing.png(
            frame.format(lettering.latin().family, lettering.japanese().family, line if text else ""), 400
        )

    empty = drawn_text("")
    pictures = [
        drawn_text(t) for t in ("Bořek", "Jorek", "Ödön", "Σοφία", "Жужа", "山田太郎", "髙橋", "さくら")
    ]
    assert empty not in pictures
    assert len(set(pictures)) == len(pictures)
    # Letters that are not in a font would all look alike; two of ours do not.
    assert drawn_text("ř") != drawn_text("ž")
    assert drawn_text("山") != drawn_text("田")


def test_the_widths_of_the_letters_are_those_of_the_fonts() -> None:
    """Whoever changes a font runs ``python -m tools.advances``."""
    assert lettering.ADVANCES.read_text(encoding="utf-8") == advances.advances()


def test_a_name_is_cut_where_there_is_no_room_and_left_out_where_it_cannot_be_drawn() -> None:
    assert lettering.fit("Bořek", 20, 400) == "Bořek"
    cut = lettering.fit("Wilhelmina Katharina von und zu Hohenlohe", 20, 200)
    assert cut.startswith("Wilhelmina")
    assert cut.endswith("…")
    assert lettering.width(cut, 20) <= 200
    assert lettering.fit("山田太郎" * 10, 20, 100).endswith("…")
    assert lettering.drawable("  Anna \n Marie\x07 ") == "Anna Marie"
    assert lettering.drawable("Ann \U0001f600") == "Ann"
    assert lettering.drawable("محمد علی") == ""


def test_an_unchanged_picture_is_not_sent_again(client: Client, taroky: ShownDeal) -> None:
    at = f"/deals/{taroky.pk}/position.png?step=20"
    first = get(client, at)
    assert "max-age=86400" in first["Cache-Control"]
    assert "public" in first["Cache-Control"]
    again = get(client, at, 304, if_none_match=first["ETag"])
    assert again.content == b""
    assert again["ETag"] == first["ETag"]
    tags = {
        get(client, at + more)["ETag"]
        for more in (
            "",
            "&view=A",
            "&view=B",
            "&view=B&hands=all",
            "&hands=none",
            "&size=small",
            "&spoilers=off",
        )
    }
    assert len(tags) == 7
    get(client, at.replace("step=20", "step=21"), if_none_match=first["ETag"])


def test_a_picture_is_drawn_once_in_a_while(
    client: Client, taroky: ShownDeal, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawings: list[str] = []
    real = drawing.png

    def counted(svg: str, width: int = drawing.WIDTH) -> bytes:
        drawings.append(svg)
        return real(svg, width)

    monkeypatch.setattr(drawing, "png", counted)
    at = f"/deals/{taroky.pk}/position.png?step=20"
    assert len({get(client, at).content for _ in range(3)}) == 1
    assert len(drawings) == 1
    cache.clear()
    get(client, at)
    assert len(drawings) == 2


def test_nobody_has_more_than_his_share_drawn(client: Client, taroky: ShownDeal, settings: Any) -> None:
    settings.PICTURES_PER_MINUTE = 9
    at = f"/deals/{taroky.pk}/position.png?step="
    answers = [client.get(f"{at}{step}") for step in range(8)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert len(refused) == 5
    assert 1 <= int(refused[0]["Retry-After"]) <= 60
    assert refused[0]["Cache-Control"] == "no-store"
    # Cached pictures are available, and other requests are served.
    assert client.get(f"{at}0").status_code == 200
    assert client.get(f"{at}0", headers={"if-none-match": answers[0]["ETag"]}).status_code == 304
    assert client.get(f"{at}30", REMOTE_ADDR="192.0.2.7").status_code == 200
