"""Pictures that say what happened, tricks that are played in a picture, and pictures of evenings."""

from __future__ import annotations

import html
import io
import re
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.utils import translation
from PIL import Image

from archive.models import Contribution, Session, Space
from archive.shown import ShownDeal
from archive.storing import spaces
from replays.deal.address import Address
from replays.deal.analysis import analysis_of
from replays.deal.steps import Steps
from replays.pictures import animation, drawing, lettering, picture
from tests import samples
from tests.pages.sharing import get, meta, size
from tests.storing import stored

from .conftest import Page, Store

pytestmark = pytest.mark.django_db


def step_of(deal: ShownDeal, *event: str) -> int:
    return deal.record.events.index(event) + 1


def caption(deal: ShownDeal, **address: Any) -> picture.Caption:
    steps = Steps(deal, analysis_of(deal), Address(**address))
    return steps.caption(steps.frame(steps.state).position)


# --- a moment -----------------------------------------------------------------------------------------------


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

    head = meta(get(client, f"/deals/{taroky.pk}/replay/?step={re_pagat}").content.decode())
    assert head["og:image"].endswith(f"?step={re_pagat}&language=en")
    assert head["og:image:alt"].endswith("Alena announces re (×4) on the pagat and wins 80.")
    in_czech = get(client, f"/deals/{taroky.pk}/replay/?step=5", accept_language="cs").content.decode()
    assert "&language=cs" in meta(in_czech)["og:image"]
    at = f"/deals/{taroky.pk}/position.png?step={re_pagat}"
    languages = [get(client, f"{at}&language={one}") for one in ("en", "de", "cs", "ja")]
    assert {size(one.content) for one in languages} == {(1200, 630)}
    plain = get(client, at)
    assert len({one.content for one in (*languages, plain)}) == 5
    assert len({one["ETag"] for one in (*languages, plain)}) == 5
    # Whatever the reader's language: the address alone says which.
    assert get(client, at, accept_language="cs").content == plain.content
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


# --- tricks -------------------------------------------------------------------------------------------------


def opened(answer: Any) -> tuple[int, tuple[int, int], list[int]]:
    """Number of frames, size, and the milliseconds of each."""
    assert answer["Content-Type"] == "image/webp"
    assert len(answer.content) <= 600_000
    image = Image.open(io.BytesIO(answer.content))
    times = []
    for number in range(image.n_frames):
        image.seek(number)
        image.load()
        times.append(image.info["duration"])
    return image.n_frames, image.size, times


def test_tricks_are_played_in_a_picture(client: Client, taroky: ShownDeal) -> None:
    at = f"/deals/{taroky.pk}/tricks.webp?step={samples.FIRST_CARD + 18}"
    assert opened(get(client, at)) == (4, (800, 420), [900, 900, 900, 3500])
    three = get(client, f"{at}&tricks=3&language=de")
    # Tricks 3 to 5.
    assert opened(three) == (12, (800, 420), [*[900, 900, 900, 2000] * 2, 900, 900, 900, 3500])
    assert "max-age=86400" in three["Cache-Control"]
    get(client, f"{at}&tricks=3&language=de", 304, if_none_match=three["ETag"])
    assert opened(get(client, f"/deals/{taroky.pk}/tricks.webp?step=0"))[0] == 4
    assert opened(get(client, f"/deals/{taroky.pk}/tricks.webp?step=999"))[0] == 4
    # With later steps secret no further than everybody foresees: to the end of this trick.
    quiet = f"/deals/{taroky.pk}/tricks.webp?spoilers=off&step="
    assert opened(get(client, f"{quiet}{samples.FIRST_CARD + 18}"))[0] == 4
    get(client, f"{quiet}3", 404)

    page = Page(get(client, f"/deals/{taroky.pk}/replay/?step=20").content.decode())
    links = [href for href in page.attributes("href") if "tricks.webp" in href]
    assert [re.findall(r"tricks=(\d)", href) for href in links] == [["1"], ["3"]]
    assert all(client.get(href).status_code == 200 for href in links)


def test_what_no_card_was_played_in_has_no_tricks(client: Client, store: Store) -> None:
    (deal,) = store(samples.TAROKY.partition("1. A")[0])
    get(client, f"/deals/{deal.pk}/tricks.webp?step=5", 404)
    assert "tricks.webp" not in get(client, f"/deals/{deal.pk}/replay/?step=5").content.decode()
    get(client, f"/deals/{store(samples.SHEET)[0].pk}/tricks.webp", 404)


def test_hidden_cards_make_no_difference_in_tricks(client: Client, store: Store) -> None:
    """C's and D's spades are exchanged; B sees the same tricks."""
    begun = samples.ANNOTATED.partition("3. C")[0]
    (one,) = store(begun)
    (other,) = store(begun.replace("deal C SC", "deal C SQ").replace("deal D SQ", "deal D SC"))
    for more, same in (("&view=B", True), ("&hands=none", True), ("", False)):
        tricks = [get(client, f"/deals/{d.pk}/tricks.webp?step=20{more}").content for d in (one, other)]
        assert (tricks[0] == tricks[1]) == same
    Contribution.objects.update(visibility="members")
    get(client, f"/deals/{one.pk}/tricks.webp?step=20", 404)
    Contribution.objects.update(visibility="unlisted")
    get(client, f"/deals/{one.pk}/tricks.webp?step=20", 404)


def test_tricks_count_as_several_pictures(client: Client, taroky: ShownDeal, settings: Any) -> None:
    """Two frames as one: four frames are two pictures, all that an address may have here."""
    settings.PICTURES_PER_MINUTE = 6
    at = f"/deals/{taroky.pk}/tricks.webp?step="
    first = get(client, f"{at}20")
    refused = get(client, f"{at}40", 429)
    assert refused["Cache-Control"] == "no-store"
    assert int(refused["Retry-After"]) >= 1
    assert get(client, f"{at}20").content == first.content


def test_large_ones_are_drawn_with_less_care(taroky: ShownDeal, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(taroky, analysis_of(taroky), Address(40))
    svgs = [picture.svg(frame.position) for frame in steps.tricks(1)]
    fine = animation.webp(svgs, [1] * len(svgs))
    monkeypatch.setattr(animation, "MOST", len(fine) - 1)
    assert len(animation.webp(svgs, [1] * len(svgs))) < len(fine)


# --- evenings -----------------------------------------------------------------------------------------------


@pytest.fixture
def club() -> Space:
    """A club with an evening of some public deals."""
    ada = User.objects.create_user("ada", password="-")
    club = spaces.found_club("Tarok <Hlučín>", by=ada, place="Hlučín")
    records = [
        replace(record, tags={"Session": "Friday", "Deal": str(number), "Date": "2026-11-20"})
        for number, record in enumerate(samples.simulated("taroky", 4, 5), 1)
    ]
    stored(samples.as_text(records), user=ada, space=club, visibility="public")
    return club


def test_an_evening_and_a_club_have_their_pictures(client: Client, club: Space) -> None:
    session = Session.objects.get()
    address = f"/sessions/{session.pk}/session.png"
    shown = get(client, f"{address}?language=en")
    assert size(shown.content) == (1200, 630)
    get(client, f"{address}?language=en", 304, if_none_match=shown["ETag"])
    assert get(client, f"{address}?language=cs")["ETag"] != shown["ETag"]
    of_club = get(client, f"/clubs/{club.pk}/club.png")
    assert of_club.content != shown.content
    head = meta(get(client, f"/sessions/{session.pk}/").content.decode())
    assert head["og:image"] == f"http://testserver{address}?language=en"
    assert head["og:description"].startswith("Tarok <Hlučín> · 20 November 2026")
    head = meta(get(client, f"/clubs/{club.pk}/").content.decode())
    assert (head["og:title"], head["og:description"]) == ("Tarok <Hlučín>", "Hlučín")
    assert get(client, head["og:image"].removeprefix("http://testserver"))["ETag"]


def test_only_what_everybody_sees_is_drawn(client: Client, club: Space) -> None:
    """Members get the same picture; an evening without public deals has none."""
    session, ada = Session.objects.get(), User.objects.get()
    address, of_club = f"/sessions/{session.pk}/session.png", f"/clubs/{club.pk}/club.png"
    whole = get(client, address)["ETag"]
    client.force_login(ada)
    assert get(client, address)["ETag"] == whole
    one = Contribution.objects.first()
    assert one is not None
    Contribution.objects.filter(pk=one.pk).update(visibility="members")
    fewer = get(client, address)["ETag"]
    assert fewer != whole
    Contribution.objects.update(visibility="members")
    get(client, address, 404)
    assert "og:image" not in meta(get(client, f"/sessions/{session.pk}/").content.decode())
    named = get(client, of_club)
    assert size(named.content) == (1200, 630)
    get(client, "/clubs/999999/club.png", 404)
    get(client, "/sessions/999999/session.png", 404)


def test_pictures_of_evenings_have_the_same_limit(client: Client, club: Space, settings: Any) -> None:
    settings.PICTURES_PER_MINUTE = 3
    cache.clear()
    address = f"/sessions/{Session.objects.get().pk}/session.png?language="
    get(client, f"{address}en")
    get(client, f"{address}cs", 429)
    get(client, f"{address}en")
