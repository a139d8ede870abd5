"""Pictures: of positions with what happened, of tricks that are played, and of evenings."""

from __future__ import annotations

import html
import io
import re
from collections import Counter
from dataclasses import replace
from typing import Any
from unittest import mock

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.utils import translation
from PIL import Image, ImageSequence

from archive.models import Contribution, Session, Space
from archive.shown import ShownDeal
from archive.storing import spaces
from replays.deal.address import Address
from replays.deal.analysis import analysis_of
from replays.deal.steps import Steps
from replays.language.names import Names
from replays.pictures import animation, drawing, lettering, picture
from tarock.analysis import replay
from tarock.view.table import table_view
from tests.pages.languages import LANGUAGES
from tests.pages.sharing import get, image, meta, size
from tests.support import samples
from tests.support.storing import stored
from tools import advances

from .conftest import Store, missing, page_at
from .tables import TABLES

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]


def colours(png: bytes) -> Counter[str]:
    """The number of points of each colour."""
    points = image(png).convert("RGB").tobytes()
    return Counter(points[at : at + 3].hex() for at in range(0, len(points), 3))


def test_the_picture_shows_the_table(client: Client, taroky: ShownDeal) -> None:
    at = f"/deals/{taroky.pk}/position.png"
    large, small = (get(client, f"{at}?step=20{more}").content for more in ("", "&size=small"))
    assert size(large) == (drawing.WIDTH, drawing.HEIGHT) == (1200, 630)
    assert size(small) == (600, 315)
    seen = colours(small)
    # The felt, the papers of plain cards and of tarocks, red pips: each on a good part of the picture.
    for colour in (drawing.FELT, "#fffdf8", "#f3eefc", drawing.SUIT_COLOURS["H"]):
        assert seen[colour[1:]] > 300, colour
    assert get(client, f"{at}?step=9999").content == get(client, f"{at}?step={samples.LAST_STEP}").content
    get(client, f"{at}?view=Z", 404)


def test_every_card_of_the_table_is_within_the_picture() -> None:
    """At every step and from every side: each card that lies open once, and nothing beyond the edges."""
    for game, players in TABLES:
        (record,) = samples.simulated(game, players, seed=5)
        names = Names(record.game, record.players)
        for step in range(0, replay.last_step(record) + 1, 5):
            bottom = record.seats[step % len(record.seats)]
            on_table = table_view(replay.position(record, step), names, bottom=bottom)
            svg = picture.svg(on_table, "x" * 500)
            shown = re.findall(r'<use href="#(\w+)" x="(-?[\d.]+)" y="(-?[\d.]+)" width="([\d.]+)"', svg)
            codes = [code for code, *_ in shown if code != "back"]
            faces = [face for seat in on_table.seats for face in seat.hand] + [*on_table.talon]
            piles = [pile for seat in on_table.seats for pile in seat.piles]
            faces += [face for pile in piles for face in (pile.top, *pile.under) if face]
            faces += [play.card for play in on_table.trick.plays] if on_table.trick else []
            assert sorted(codes) == sorted(face.code for face in faces if face.code != "back")
            assert len(set(codes)) == len(codes)
            for code, x, y, width in shown:
                assert float(width) > 12, code
                assert 0 <= float(x) <= drawing.WIDTH - float(width), code
                assert picture.BAR <= float(y) <= drawing.HEIGHT - float(width) * drawing.ASPECT, code


def test_names_are_drawn_without_any_font_of_the_machine() -> None:
    fonts = ", ".join(font.family for font in lettering.fonts())
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="400" height="60" font-family="{fonts}">'
    # Letters that are not in a font would all look alike.
    texts = ("Bořek", "Jorek", "Ödön", "Σοφία", "Жужа", "山田太郎", "髙橋", "さくら", "ř", "ž", "山", "田")
    lines = ["", *(f'<text x="5" y="40" font-size="30">{text}</text>' for text in texts)]
    assert len({drawing.png(f"{svg}{line}</svg>", 400) for line in lines}) == len(lines)
    # Whoever changes a font runs ``python -m tools.advances``.
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


def test_a_picture_is_drawn_once_in_a_while_and_not_sent_unchanged(client: Client, taroky: ShownDeal) -> None:
    at = f"/deals/{taroky.pk}/position.png?step=20"
    with mock.patch.object(drawing, "png", wraps=drawing.png) as drawn:
        first = get(client, at)
        assert get(client, at).content == first.content
        assert drawn.call_count == 1
        cache.clear()
        get(client, at)
        assert drawn.call_count == 2
    assert missing(first["Cache-Control"], "max-age=86400", "public") == []
    again = get(client, at, 304, if_none_match=first["ETag"])
    assert (again.content, again["ETag"]) == (b"", first["ETag"])
    ways = ("", "&view=A", "&view=B", "&view=B&hands=all", "&hands=none", "&size=small", "&spoilers=off")
    with mock.patch.object(drawing, "png", return_value=b""):
        assert len({get(client, at + way)["ETag"] for way in ways}) == 7
    get(client, at.replace("step=20", "step=21"), if_none_match=first["ETag"])


def test_nobody_has_more_than_his_share_drawn(client: Client, taroky: ShownDeal, settings: Any) -> None:
    """Two frames of a trick count as one picture: four frames are two, all that an address may have here."""
    settings.PICTURES_PER_MINUTE = 9
    at = f"/deals/{taroky.pk}/position.png?size=small&step="
    answers = [client.get(f"{at}{step}") for step in range(8)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert len(refused) == 5
    assert 1 <= int(refused[0]["Retry-After"]) <= 60
    assert refused[0]["Cache-Control"] == "no-store"
    # Cached pictures are available, and other requests are served.
    get(client, f"{at}0")
    get(client, f"{at}0", 304, if_none_match=answers[0]["ETag"])
    assert client.get(f"{at}30", REMOTE_ADDR="192.0.2.7").status_code == 200

    cache.clear()
    settings.PICTURES_PER_MINUTE = 6
    tricks = f"/deals/{taroky.pk}/tricks.webp?step="
    first = get(client, f"{tricks}20")
    get(client, f"{tricks}40", 429)
    assert get(client, f"{tricks}20").content == first.content


def step_of(deal: ShownDeal, *event: str) -> int:
    return deal.record.events.index(event) + 1


def caption(deal: ShownDeal, **address: Any) -> picture.Caption:
    steps = Steps(deal, analysis_of(deal), Address(**address))
    return steps.caption(steps.frame(steps.state).position)


def test_a_picture_says_what_happened_and_what_came_of_it(client: Client, taroky: ShownDeal) -> None:
    """The announced Pagat with “re” is worth 80 (20 × 4), a loss for the player who said “flek”, whose
    barvičky bring 5 in addition; a pass brings nobody anything."""
    re_pagat = step_of(taroky, "A", "announce", "re:pagat")
    flek = step_of(taroky, "B", "announce", "barvicky", "flek:pagat")
    for step, sentence, points in (
        (re_pagat, "Alena announces re (×4) on the pagat and wins 80.", 80),
        (step_of(taroky, "A", "play", "T1"), "Alena plays the Pagat (tarock I) and wins 80.", 80),
        (flek, "Bořek announces flek (×2) on the pagat and loses 80.", -80),
        (re_pagat + 1, "Bořek passes.", 0),
    ):
        assert caption(taroky, step=step) == picture.Caption(sentence, points)
    for language, sentence in {
        "de": "Bořek sagt Flek (×2) auf den Pagat an und verliert 80.",
        "cs": "Bořek hlásí flek (×2) na pagáta a prohrává 80.",
        "ja": "Bořek：パガットのダブル(×2)を宣言、80点を失う。",
    }.items():
        with translation.override(language):
            assert caption(taroky, step=flek).text == sentence
    for hidden in ({"seat": "A", "hands": "seat"}, {"hands": "none"}, {"spoilers": False}):
        told = caption(taroky, step=re_pagat, **hidden)
        assert told == picture.Caption("Alena announces re (×4) on the pagat.")
    head = meta(client, f"/deals/{taroky.pk}/replay/?step={re_pagat}")
    assert head["og:image"].endswith(f"?step={re_pagat}&language=en")
    assert head["og:image:alt"].endswith("Alena announces re (×4) on the pagat and wins 80.")
    czech = meta(client, f"/deals/{taroky.pk}/replay/?step=5", accept_language="cs")
    assert "&language=cs" in czech["og:image"]


def test_the_address_of_a_picture_names_its_language(client: Client, taroky: ShownDeal) -> None:
    at = f"/deals/{taroky.pk}/position.png?step={step_of(taroky, 'A', 'announce', 're:pagat')}"
    plain, *others = (get(client, f"{at}{one}") for one in ("", *(f"&language={one}" for one in LANGUAGES)))
    assert {size(one.content) for one in others} == {(1200, 630)}
    for part in ({one.content for one in (plain, *others)}, {one["ETag"] for one in (plain, *others)}):
        assert len(part) == 5
    # Whatever the reader's language.
    for language in LANGUAGES:
        answer = get(client, at, accept_language=language)
        assert (answer.content, "Accept-Language" in answer.get("Vary", "")) == (plain.content, False)
    assert get(client, f"{at}&language=tlh").content == plain.content


def test_a_sentence_has_room_and_is_escaped(taroky: ShownDeal) -> None:
    steps = Steps(taroky, analysis_of(taroky), Address(30))
    position = steps.frame(steps.state).position
    said = picture.Caption("<b>" + "long " * 100 + "loses 1000", -1000)
    svg = picture.svg(position, "x" * 300, said)
    assert "<b>" not in svg
    drawing.png(svg)
    pattern = r'<text x="([\d.]+)" y="[\d.]+" font-size="([\d.]+)"[^>]*anchor="start">([^<]*)'
    texts = re.findall(pattern, svg)
    assert len(texts) >= 3
    for x, text_size, text in texts:
        assert float(x) + lettering.width(html.unescape(text), float(text_size)) <= drawing.WIDTH
    cards = re.findall(r'<use href="#\w+" x="[\d.]+" y="([\d.]+)"', svg)
    assert min(map(float, cards)) >= picture.TALL_BAR


def opened(answer: Any) -> tuple[int, tuple[int, int], list[int]]:
    """Number of frames, size, and the milliseconds of each."""
    assert answer["Content-Type"] == "image/webp"
    assert len(answer.content) <= 600_000
    frames = ImageSequence.all_frames(Image.open(io.BytesIO(answer.content)))
    return len(frames), frames[0].size, [frame.info["duration"] for frame in frames]


def test_tricks_are_played_in_a_picture(client: Client, taroky: ShownDeal) -> None:
    at = f"/deals/{taroky.pk}/tricks.webp?step={samples.FIRST_CARD + 18}"
    assert opened(get(client, at)) == (4, (800, 420), [900, 900, 900, 3500])
    three = get(client, f"{at}&tricks=3&language=de")
    # Tricks 3 to 5.
    assert opened(three) == (12, (800, 420), [*[900, 900, 900, 2000] * 2, 900, 900, 900, 3500])
    for step in (0, 999):
        assert opened(get(client, f"/deals/{taroky.pk}/tricks.webp?step={step}"))[0] == 4
    # With later steps secret no further than everybody foresees: to the end of this trick.
    quiet = f"/deals/{taroky.pk}/tricks.webp?spoilers=off&step="
    assert opened(get(client, f"{quiet}{samples.FIRST_CARD + 18}"))[0] == 4
    get(client, f"{quiet}3", 404)

    page = page_at(client, f"/deals/{taroky.pk}/replay/?step=20")
    links = [href for href in page.attributes("href") if "tricks.webp" in href]
    assert [re.findall(r"tricks=(\d)", href) for href in links] == [["1"], ["3"]]
    with mock.patch.object(animation, "webp", return_value=b""):
        assert all(client.get(href).status_code == 200 for href in links)


def test_hidden_cards_make_no_difference_in_tricks(
    client: Client, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C's and D's spades are exchanged; B sees the same tricks. Without a card there are none."""
    monkeypatch.setattr(animation, "webp", lambda pictures, seconds: f"{pictures}{seconds}".encode())
    (bids,) = store(samples.TAROKY.partition("1. A")[0])
    get(client, f"/deals/{bids.pk}/tricks.webp?step=5", 404)
    assert "tricks.webp" not in get(client, f"/deals/{bids.pk}/replay/?step=5").text
    get(client, f"/deals/{store(samples.SHEET)[0].pk}/tricks.webp", 404)
    begun = samples.ANNOTATED.partition("3. C")[0]
    (one,) = store(begun)
    (other,) = store(begun.replace("deal C SC", "deal C SQ").replace("deal D SQ", "deal D SC"))
    for more, same in (("&view=B", True), ("&hands=none", True), ("", False)):
        tricks = [get(client, f"/deals/{d.pk}/tricks.webp?step=20{more}").content for d in (one, other)]
        assert (tricks[0] == tricks[1]) == same
    for visibility in ("members", "unlisted"):
        Contribution.objects.update(visibility=visibility)
        get(client, f"/deals/{one.pk}/tricks.webp?step=20", 404)


def test_large_ones_are_drawn_with_less_care(taroky: ShownDeal, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(taroky, analysis_of(taroky), Address(40))
    svgs = [picture.svg(frame.position) for frame in steps.tricks(1)]
    fine = animation.webp(svgs, [1] * len(svgs))
    monkeypatch.setattr(animation, "MOST", len(fine) - 1)
    assert len(animation.webp(svgs, [1] * len(svgs))) < len(fine)


@pytest.fixture
def club() -> Space:
    ada = User.objects.create_user("ada", password="-")
    club = spaces.found_club("Tarok <Hlučín>", by=ada, place="Hlučín")
    records = [
        replace(record, tags={"Session": "Friday", "Deal": str(number), "Date": "2026-11-20"})
        for number, record in enumerate(samples.simulated("taroky", 4, 5), 1)
    ]
    stored(samples.as_text(records), user=ada, space=club, visibility="public")
    return club


def test_an_evening_and_a_club_have_their_pictures(client: Client, club: Space) -> None:
    """Of what everybody sees alone. Members get the same; an evening without public deals has none."""
    session = Session.objects.get()
    address = f"/sessions/{session.pk}/session.png"
    shown = get(client, f"{address}?language=en")
    assert size(shown.content) == (1200, 630)
    assert get(client, f"{address}?language=cs")["ETag"] != shown["ETag"]
    of_club = get(client, f"/clubs/{club.pk}/club.png")
    assert of_club.content != shown.content
    head = meta(client, f"/sessions/{session.pk}/")
    assert head["og:image"] == f"http://testserver{address}?language=en"
    assert head["og:description"].startswith("Tarok <Hlučín> · 20 November 2026")
    head = meta(client, f"/clubs/{club.pk}/")
    assert (head["og:title"], head["og:description"]) == ("Tarok <Hlučín>", "Hlučín")
    assert get(client, head["og:image"].removeprefix("http://testserver"))["ETag"]

    client.force_login(User.objects.get())
    assert get(client, f"{address}?language=en")["ETag"] == shown["ETag"]
    Contribution.objects.filter(number=1).update(visibility="members")
    assert get(client, f"{address}?language=en")["ETag"] != shown["ETag"]
    Contribution.objects.update(visibility="members")
    get(client, address, 404)
    assert "og:image" not in meta(client, f"/sessions/{session.pk}/")
    of_club = get(client, f"/clubs/{club.pk}/club.png")
    assert size(of_club.content) == (1200, 630)
    assert get(Client(), f"/clubs/{club.pk}/club.png").content == of_club.content
    get(client, "/clubs/999999/club.png", 404)
    get(client, "/sessions/999999/session.png", 404)
