"""What other sites see of a deal: embedded page, oEmbed, previews, the picture; and the sheet to print."""

from __future__ import annotations

import html
import re
import struct
import zlib
from collections import Counter
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.cache import cache
from django.test import Client

import tarock.public
import tarock.replay
from archive.models import Deal
from replays import words
from replays.deal.address import Address
from replays.deal.analysis import analysis_of
from replays.deal.position import table
from replays.deal.steps import Steps
from replays.names import Names
from replays.pictures import lettering, picture
from tarock.replay import position
from tests import samples
from tools import advances

from .conftest import Page, Store
from .test_replay import TABLES, drawn, hidden_cards
from .test_views import unknown

pytestmark = pytest.mark.django_db

SITE = "http://testserver"
FIRST = samples.FIRST_CARD
B_FIRST = samples.FIRST_SEEN["B"]


def get(client: Client, path: str, status: int = 200, **headers: str) -> Any:
    answer = client.get(path, headers=headers)
    assert answer.status_code == status, answer.content[:300]
    return answer


def meta(page: str) -> dict[str, str]:
    """The properties in the head of a page."""
    return {
        str(attrs.get("property") or attrs.get("name")): attrs["content"] or ""
        for tag, attrs in Page(page).tags
        if tag == "meta" and "content" in attrs
    }


def unpacked(png: bytes) -> tuple[int, int, bytes]:
    """Width, height and filtered rows of a PNG: read here, so that a picture is known to be one."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, header = 8, b"", b""
    while at < len(png):
        length, kind = struct.unpack_from(">L4s", png, at)
        body = png[at + 8 : at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack_from(">L", png, at + 8 + length)[0]
        if kind == b"IHDR":
            header = body
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    width, height, depth, colours = struct.unpack_from(">LLBB", header)
    assert (depth, colours) == (8, 6)
    raw = zlib.decompress(packed)
    assert len(raw) == (1 + 4 * width) * height
    return width, height, raw


def size(png: bytes) -> tuple[int, int]:
    """Width and height."""
    return unpacked(png)[:2]


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


# --- the page in a frame ------------------------------------------------------------------------------------


def test_only_the_embedded_page_may_stand_in_a_frame(client: Client, taroky: Deal) -> None:
    embed = get(client, f"/deals/{taroky.pk}/embed/?step=3")
    assert "frame-ancestors *" in embed["Content-Security-Policy"]
    assert "X-Frame-Options" not in embed
    for name in ("default-src 'none'", "script-src 'self'", "style-src 'self'", "base-uri 'none'"):
        assert name in embed["Content-Security-Policy"]
    for path in ("", "replay/", "audit/", "print/", "position.png", "deal.json"):
        other = get(client, f"/deals/{taroky.pk}/{path}")
        assert other["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in other["Content-Security-Policy"]
    missing = get(client, "/deals/999999/embed/", 404)
    assert missing["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in missing["Content-Security-Policy"]


def test_the_embedded_page_steps_without_a_script(client: Client, taroky: Deal) -> None:
    page = Page(get(client, f"/deals/{taroky.pk}/embed/?step={FIRST + 1}").content.decode())
    assert "Alena plays tarock XX." in page.text
    links = {attrs["id"]: attrs.get("href") for tag, attrs in page.tags if tag == "a" and "id" in attrs}
    assert links == {
        "embed-first": "?step=0",
        "embed-previous": f"?step={FIRST}",
        "embed-next": f"?step={FIRST + 2}",
        "embed-last": f"?step={samples.LAST_STEP + 1}",
    }
    full = next(attrs for _, attrs in page.tags if attrs.get("class") == "embed-full")
    assert full["href"] == f"/deals/{taroky.pk}/replay/?step={FIRST + 1}"
    assert full["target"] == "_blank"
    assert full["rel"] == "noopener"
    assert not page.unsafe
    assert not [tag for tag, _ in page.tags if tag in ("script", "form", "iframe")]


@pytest.mark.parametrize(
    ("step", "missing"), [(0, {"first", "previous"}), (samples.LAST_STEP + 1, {"next", "last"})]
)
def test_the_embedded_page_ends_where_the_deal_does(
    client: Client, taroky: Deal, step: int, missing: set[str]
) -> None:
    page = Page(get(client, f"/deals/{taroky.pk}/embed/?step={step}").content.decode())
    for name in ("first", "previous", "next", "last"):
        link = next(attrs for _, attrs in page.tags if attrs.get("id") == f"embed-{name}")
        assert ("href" not in link) == (name in missing)
        assert (link.get("aria-disabled") == "true") == (name in missing)


def test_the_embedded_page_counts_as_the_replay_does(client: Client, taroky: Deal) -> None:
    """It ends with the score sheet, without a link that no frame may follow."""
    last = samples.LAST_STEP + 1
    for path in ("replay", "embed"):
        page = Page(get(client, f"/deals/{taroky.pk}/{path}/?step=30").content.decode())
        assert re.search(rf"30 / ?of {last}", page.text), path
    page = get(client, f"/deals/{taroky.pk}/embed/?step={last}").content.decode()
    assert "+105" in page.partition("<tfoot")[2]
    assert "/audit/" not in page
    steps = Steps(taroky, analysis_of(taroky), Address(30))
    assert f"30 / {last}" in picture.svg(steps.frame(steps.state).position)
    preview = meta(get(client, f"/deals/{taroky.pk}/replay/?step=30").content.decode())
    assert f"Step 30 of {last}" in preview["og:description"]


def test_the_embedded_page_keeps_its_way_of_looking(client: Client, taroky: Deal) -> None:
    for asked, kept in [
        ("view=B", "view=B"),
        ("view=B&hands=all", "view=B&hands=all"),
        ("view=B&hands=none", "view=B&hands=none"),
        ("spoilers=off", "spoilers=off"),
        # Nothing is guessed in a frame, but nothing is told either.
        ("view=B&guess=1", "view=B&spoilers=off"),
    ]:
        page = Page(get(client, f"/deals/{taroky.pk}/embed/?{asked}&step=20").content.decode())
        hrefs = page.attributes("href")
        assert f"?{kept}&step=21" in hrefs, asked
        assert f"/deals/{taroky.pk}/replay/?{kept}&step=20" in hrefs, asked
    assert str(samples.LAST_STEP) not in page.text


# --- nothing hidden gets out --------------------------------------------------------------------------------


def leaks(text: str, cards: set[str], game: str) -> list[str]:
    """Those of the cards that a text names: by code, in words, or as they are written down."""
    text = html.unescape(text)
    names = {c: (c, words.card_name(c, game), words.card_short(c, game)) for c in cards}
    return [
        card
        for card, ways in names.items()
        if any(re.search(r"(?<![\w♠♥♦♣])" + re.escape(way) + r"(?![\w)])", text) for way in ways)
    ]


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_seats_view_shares_no_card_that_it_does_not_know(
    client: Client, store: Store, game: str, players: int
) -> None:
    (deal,) = store(samples.as_text(samples.simulated(game, players, seed=5)))
    record = deal.record
    last = tarock.replay.last_step(record)
    seats = position(record, 0).active
    for view in [*seats[:2], None]:
        for step in {0, 4, last // 3, last - 2}:
            hidden = hidden_cards(record, step, view) if view else unknown(record, step)
            assert step > last // 3 or hidden
            way = f"?view={view}&step={step}" if view else f"?hands=none&step={step}"
            embed = get(client, f"/deals/{deal.pk}/embed/{way}").content.decode()
            assert not hidden & set(drawn(embed))
            assert not leaks(Page(embed).text + " ".join(Page(embed).attributes("aria-label")), hidden, game)
            head = get(client, f"/deals/{deal.pk}/replay/{way}").content.decode().partition("</head>")[0]
            assert "og:description" in head
            assert not leaks(" ".join(meta(head).values()), hidden, game)
            state = (
                tarock.replay.position(record, step, view) if view else tarock.public.position(record, step)
            )
            svg = picture.svg(table(state, Names(state.game, state.players)))
            assert not hidden & set(re.findall(r'(?:id="|#)([SHDCT]\w{1,2})"', svg))


def test_hidden_cards_make_no_difference(client: Client, store: Store) -> None:
    """The same deal with cards exchanged between two other hands: seat B is shown the very same bytes."""
    (one,) = store(samples.ANNOTATED.partition("A bid first")[0])
    changed = samples.ANNOTATED.replace("deal C SC", "deal C SQ").replace("deal D SQ", "deal D SC")
    (other,) = store(changed.partition("A bid first")[0])
    assert one.hex_digest != other.hex_digest

    def seen(deal: Deal, path: str) -> bytes:
        body: bytes = get(client, f"/deals/{deal.pk}/{path}").content
        return body.replace(f"/deals/{deal.pk}/".encode(), b"/deals/N/").replace(
            f"deals%2F{deal.pk}%2F".encode(), b"deals%2FN%2F"
        )

    for path in ("embed/?view=B", "position.png?view=B"):
        assert seen(one, path) == seen(other, path)
        assert seen(one, path.replace("B", "C")) != seen(other, path.replace("B", "C"))
    for deal in (one, other):
        assert seen(deal, "position.png?view=B&hands=all") != seen(deal, "position.png?view=B")
    heads = [seen(d, "replay/?view=B").partition(b"</head>")[0] for d in (one, other)]
    heads = [re.sub(rb"deal \d+", b"deal N", head) for head in heads]
    assert heads[0] == heads[1]


def test_a_preview_never_tells_the_result(client: Client, taroky: Deal) -> None:
    for path in ("", "audit/", "replay/?step=5", "replay/?step=5&spoilers=off"):
        told = " ".join(meta(get(client, f"/deals/{taroky.pk}/{path}").content.decode()).values())
        # The number of a deal may be any.
        assert "105" not in re.sub(r"/deals/\d+/|deal \d+", "", told)
        assert "erified." not in told
    silent = meta(get(client, f"/deals/{taroky.pk}/replay/?step=5&spoilers=off").content.decode())
    said = re.sub(r"/deals/\d+/|deal \d+", "", " ".join(silent.values()))
    assert str(samples.LAST_STEP) not in said
    assert "spoilers=off" in silent["og:image"]
    record = taroky.record
    shown = table(position(record, 5), Names(record.game, record.players))
    assert f"5 / {samples.LAST_STEP}" in picture.svg(shown)
    assert str(samples.LAST_STEP) not in re.findall(r"<text[^>]*>([^<]*)", picture.svg(shown, steps=False))


# --- oEmbed -------------------------------------------------------------------------------------------------


def oembed(client: Client, url: str, status: int = 200, **more: str) -> Any:
    answer = client.get("/oembed", {"url": url, **more})
    assert answer.status_code == status, answer.content[:300]
    return answer.json() if status == 200 else answer


def test_oembed_describes_the_frame(client: Client, taroky: Deal) -> None:
    said = oembed(client, f"{SITE}/deals/{taroky.pk}/replay/?step=20&view=B", format="json")
    assert {k: said[k] for k in ("version", "type", "provider_name", "provider_url", "title")} == {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Tarock archive",
        "provider_url": f"{SITE}/",
        "title": "Czech Taroky: Alena, Bořek, Cyril, Dana",
    }
    [(tag, frame)] = Page(said["html"]).tags
    assert tag == "iframe"
    assert frame["src"] == f"{SITE}/deals/{taroky.pk}/embed/?view=B&step=20"
    assert (frame["width"], frame["height"]) == (str(said["width"]), str(said["height"]))
    assert frame["title"] == said["title"]
    page = get(client, frame["src"].removeprefix(SITE))
    assert "frame-ancestors *" in page["Content-Security-Policy"]
    assert said["thumbnail_url"] == f"{SITE}/deals/{taroky.pk}/position.png?view=B&step=20"
    image = get(client, said["thumbnail_url"].removeprefix(SITE)).content
    assert size(image) == (said["thumbnail_width"], said["thumbnail_height"]) == (1200, 630)


def test_oembed_keeps_within_the_room_it_is_given(client: Client, taroky: Deal) -> None:
    url = f"{SITE}/deals/{taroky.pk}/audit/"
    said = oembed(client, url, maxwidth="700", maxheight="400")
    assert (said["width"], said["height"]) == (700, 400)
    assert (said["thumbnail_width"], said["thumbnail_height"]) == (600, 315)
    assert size(get(client, said["thumbnail_url"].removeprefix(SITE)).content) == (600, 315)
    narrow = oembed(client, url, maxwidth="320")
    assert narrow["width"] == 320
    assert not [key for key in narrow if key.startswith("thumbnail")]
    assert oembed(client, url, maxwidth="5000", maxheight="x")["width"] == oembed(client, url)["width"]


def test_oembed_escapes_what_people_are_called(client: Client, store: Store) -> None:
    (deal,) = store(samples.NASTY)
    said = oembed(client, f"{SITE}/deals/{deal.pk}/")
    assert samples.SCRIPT in said["title"]
    assert [tag for tag, _ in Page(said["html"]).tags] == ["iframe"]
    assert "<script" not in said["html"]


@pytest.mark.parametrize(
    "url",
    [
        "",
        "x",
        "https://elsewhere.example/deals/{pk}/",
        "//testserver/deals/{pk}/",
        "http://testserver.elsewhere.example/deals/{pk}/",
        "http://testserver@elsewhere.example/deals/{pk}/",
        "http://elsewhere.example\\@testserver/deals/{pk}/",
        "http://[/deals/{pk}/",
        "ftp://testserver/deals/{pk}/",
        "javascript://testserver/deals/{pk}/",
        "http://testserver/deals/{pk}/deal.json",
        "http://testserver/deals/{pk}/position.png",
        "http://testserver/deals/999999/",
        "http://testserver/deals/",
        "http://testserver/admin/",
        "http://testserver/deals/{pk}/replay/?view=Z",
    ],
)
def test_oembed_knows_only_deals_of_this_site(client: Client, taroky: Deal, url: str) -> None:
    oembed(client, url.replace("{pk}", str(taroky.pk)), 404)


def test_oembed_knows_addresses_without_their_slash(client: Client, taroky: Deal) -> None:
    with_it = oembed(client, f"{SITE}/deals/{taroky.pk}/replay/?step=5")
    assert oembed(client, f"{SITE}/deals/{taroky.pk}/replay?step=5") == with_it


def test_oembed_speaks_json_alone(client: Client, taroky: Deal) -> None:
    url = f"{SITE}/deals/{taroky.pk}/"
    oembed(client, url, 501, format="xml")
    assert client.post("/oembed", {"url": url}).status_code == 405
    assert client.get("/oembed", {"url": url})["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("path", ["", "audit/", "replay/?step=20&view=B", "replay/?step=20&view=B&hands=all"])
def test_pages_lead_to_their_own_description(client: Client, taroky: Deal, path: str) -> None:
    page = Page(get(client, f"/deals/{taroky.pk}/{path}").content.decode())
    link = next(attrs for _, attrs in page.tags if attrs.get("type") == "application/json+oembed")
    assert link["rel"] == "alternate"
    parts = urlsplit(link["href"] or "")
    assert parts.path == "/oembed"
    said = client.get(parts.path, {k: v[0] for k, v in parse_qs(parts.query).items()}).json()
    query = parse_qs(urlsplit(said["thumbnail_url"]).query)
    wanted = parse_qs(urlsplit(path).query) or {"step": ["0"]}
    assert query == wanted


# --- previews -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["", "audit/", "replay/", f"replay/?view=B&step={B_FIRST + 1}"])
def test_a_page_says_how_it_is_previewed(client: Client, taroky: Deal, path: str) -> None:
    told = meta(get(client, f"/deals/{taroky.pk}/{path}").content.decode())
    assert told["og:title"] == "Czech Taroky: Alena, Bořek, Cyril, Dana"
    assert told["twitter:card"] == "summary_large_image"
    assert told["og:url"].startswith(f"{SITE}/deals/{taroky.pk}/{path.partition('?')[0]}")
    assert "Hlučín club evening" in told["og:description"]
    assert told["og:image:alt"]
    answer = get(client, told["og:image"].removeprefix(SITE))
    assert answer["Content-Type"] == told["og:image:type"] == "image/png"
    assert size(answer.content) == (int(told["og:image:width"]), int(told["og:image:height"]))
    if "step" in path:
        assert "Alena plays tarock XX." in told["og:description"]
        assert told["og:image"] == f"{SITE}/deals/{taroky.pk}/position.png?view=B&step={B_FIRST + 1}"
        assert "What Bořek sees." in told["og:description"]


def test_what_is_wrong_is_pictured_where_it_happened(client: Client, store: Store) -> None:
    (deal,) = store(samples.ILLEGAL)
    told = meta(get(client, f"/deals/{deal.pk}/audit/").content.decode())
    assert told["og:image"].endswith(f"?step={samples.ILLEGAL_EVENT}")


def test_names_cannot_break_out_of_a_preview(client: Client, store: Store) -> None:
    (deal,) = store(samples.NASTY)
    for path in ("", "replay/?step=20", "audit/", "embed/", "print/"):
        page = Page(get(client, f"/deals/{deal.pk}/{path}").content.decode())
        assert not page.unsafe, path
    assert get(client, f"/deals/{deal.pk}/position.png").content.startswith(b"\x89PNG")


def test_addresses_to_share_can_be_read_without_a_script(client: Client, taroky: Deal) -> None:
    text = get(client, f"/deals/{taroky.pk}/replay/?step=20&view=B").content.decode()
    page = Page(text)
    fields = {attrs["id"]: attrs for _, attrs in page.tags if "id" in attrs}
    assert fields["share-link"]["value"] == f"{SITE}/deals/{taroky.pk}/replay/?view=B&step=20"
    assert fields["share-picture"]["value"] == f"{SITE}/deals/{taroky.pk}/position.png?view=B&step=20"
    assert all("readonly" in fields[name] for name in ("share-link", "share-picture", "share-code"))
    labelled = {attrs.get("for") for tag, attrs in page.tags if tag == "label"}
    assert {"share-link", "share-picture", "share-code"} <= labelled
    code = re.search(r'<textarea id="share-code"[^>]*>(.*?)</textarea>', text, re.DOTALL)
    assert code
    [(tag, frame)] = Page(html.unescape(code[1])).tags
    assert (tag, frame["src"]) == ("iframe", f"{SITE}/deals/{taroky.pk}/embed/?view=B&step=20")
    for name in ("deal.tgn", "deal.json", "print/"):
        assert f"/deals/{taroky.pk}/{name}" in page.attributes("href")
        get(client, f"/deals/{taroky.pk}/{name}")


# --- the picture --------------------------------------------------------------------------------------------


def test_the_picture_shows_the_table(client: Client, taroky: Deal) -> None:
    at = f"/deals/{taroky.pk}/position.png"
    answer = get(client, f"{at}?step=20")
    assert size(answer.content) == (picture.WIDTH, picture.HEIGHT) == (1200, 630)
    small = get(client, f"{at}?step=20&size=small").content
    assert size(small) == (600, 315)
    seen = colours(small)
    # The felt, the papers of plain cards and of tarocks, red pips: each on a good part of the picture.
    for colour in (picture.FELT, "#fffdf8", "#f3eefc", picture.SUIT_COLOURS["H"]):
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
    steps = tarock.replay.last_step(record)
    names = Names(record.game, record.players)
    for step in range(0, steps + 1, 5):
        on_table = table(position(record, step), names, bottom=record.seats[step % len(record.seats)])
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
            assert 0 <= float(x) <= picture.WIDTH - float(width), code
            assert picture.BAR <= float(y) <= picture.HEIGHT - float(width) * picture.ASPECT, code


def test_names_are_drawn_without_any_font_of_the_machine() -> None:
    frame = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="60" font-family="{}, {}">{}</svg>'

    def drawn_text(text: str) -> bytes:
        line = f'<text x="5" y="40" font-size="30">{text}</text>'
        return picture.png(
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


def test_an_unchanged_picture_is_not_sent_again(client: Client, taroky: Deal) -> None:
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
    client: Client, taroky: Deal, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawings: list[str] = []
    real = picture.png

    def counted(svg: str, width: int = picture.WIDTH) -> bytes:
        drawings.append(svg)
        return real(svg, width)

    monkeypatch.setattr(picture, "png", counted)
    at = f"/deals/{taroky.pk}/position.png?step=20"
    assert len({get(client, at).content for _ in range(3)}) == 1
    assert len(drawings) == 1
    cache.clear()
    get(client, at)
    assert len(drawings) == 2


def test_nobody_has_more_than_his_share_drawn(client: Client, taroky: Deal, settings: Any) -> None:
    settings.PICTURES_PER_MINUTE = 9
    at = f"/deals/{taroky.pk}/position.png?step="
    answers = [client.get(f"{at}{step}") for step in range(8)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert len(refused) == 5
    assert 1 <= int(refused[0]["Retry-After"]) <= 60
    assert refused[0]["Cache-Control"] == "no-store"
    # What was drawn before can be had, and others are served.
    assert client.get(f"{at}0").status_code == 200
    assert client.get(f"{at}0", headers={"if-none-match": answers[0]["ETag"]}).status_code == 304
    assert client.get(f"{at}30", REMOTE_ADDR="192.0.2.7").status_code == 200


# --- the sheet ----------------------------------------------------------------------------------------------


def rows(page: str, name: str) -> list[list[str]]:
    """The rows of a table of the sheet as texts."""
    table = re.search(rf'<table class="{name}">(.*?)</table>', page, re.DOTALL)
    assert table, name
    return [
        [
            " ".join(html.unescape(re.sub(r"<[^>]*>", " ", cell)).split())
            for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        ]
        for row in re.findall(r"<tr[^>]*>(.*?)</tr>", table[1], re.DOTALL)
    ]


def test_the_sheet_holds_the_whole_deal(client: Client, taroky: Deal) -> None:
    text = get(client, f"/deals/{taroky.pk}/print/").content.decode()
    page = Page(text)
    assert not page.unsafe
    for told in ("Czech Taroky", "Hlučín club evening", "2026-11-20", "Alena", "deal 7", "Verified."):
        assert told in page.text
    assert f"{SITE}/deals/{taroky.pk}/" in page.text
    hands = {row[0]: row[1] for row in rows(text, "hands")}
    assert hands["A Alena"] == "XX XVII XVI XIV XII IX VI IV I ♣ 9 ♦ Q 4"
    assert hands["Talon"].split() == ["♠", "8", "7", "♥", "K", "1", "♣", "K", "♦", "J"]
    assert "A discards ♠8 ♥1 ♦4 ♣9" in page.text
    assert "First Duty" in page.text
    tricks = rows(text, "tricks")
    assert len(tricks) == 1 + 12 + 2
    # The first trick: Alena leads XX and takes it, against V, VII and XV.
    assert tricks[1] == ["1", "▸ leads XX takes the trick", "V", "VII", "XV", tricks[1][5]]
    assert tricks[2][1:5] == ["▸ leads XII", "III", "XXI takes the trick", "XIX"]
    taken = [int(n) for n in tricks[-2][1:5]]
    points = [[int(n) for n in cell.split(" + ")] for cell in tricks[-1][1:5]]
    assert sum(taken) == 12
    end = position(taroky.record, samples.LAST_STEP)
    assert [sum(told) for told in points] == [end.points[seat] for seat in "ABCD"]
    # The column adds up to the points in the tricks; what was put away stands beside them.
    assert sum(int(row[5]) for row in tricks[1:13]) == sum(told[0] for told in points)
    assert len(points[0]) == 2
    score = rows(text, "score")
    assert score[-2] == ["Total", "+105", "−105", "−105", "+105"]
    assert score[-1] == ["Written down", "+105", "−105", "−105", "+105"]
    lines = taroky.lines
    assert len(score) == 1 + len(lines) + 2
    for column, seat in enumerate("ABCD", 1):
        cells = [int(row[column].replace("−", "-") or 0) for row in score[1:-2]]
        assert sum(cells) == int(score[-2][column].replace("−", "-")), seat


def test_the_sheet_of_a_deal_without_a_score(client: Client, store: Store) -> None:
    (deal,) = store(samples.ILLEGAL)
    text = get(client, f"/deals/{deal.pk}/print/").content.decode()
    assert "Illegal." in Page(text).text
    assert "[taroky.follow]" in text
    assert 'class="score"' not in text
    assert len(rows(text, "tricks")) == 1 + 4 + 2


def test_what_broke_a_rule_is_marked_on_the_sheet(client: Client, store: Store) -> None:
    """A card in its trick, a word among the others; there the sheet ends."""
    (deal,) = store(samples.ILLEGAL)
    text = get(client, f"/deals/{deal.pk}/print/").content.decode()
    assert rows(text, "tricks")[4][:3] == ["4", "▸ leads ♦Q", "✗ breaks a rule: ♠K"]
    assert len(rows(text, "tricks")) == 1 + 4 + 2, "a head, the tricks, two rows of sums"
    assert "✗ breaks a rule" in text
    (spoken,) = store(samples.ANNOTATED.replace("A bid first", "A bid valat"))
    text = get(client, f"/deals/{spoken.pk}/print/").content.decode()
    assert text.count('class="wrong"') == 1
    assert "taroky" not in rows(text, "hands")


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_every_card_dealt_and_every_trick_is_on_the_sheet(
    client: Client, store: Store, game: str, players: int
) -> None:
    (deal,) = store(samples.as_text(samples.simulated(game, players, seed=5)))
    record = deal.record
    text = get(client, f"/deals/{deal.pk}/print/").content.decode()
    ranks = " ".join(row[1] for row in rows(text, "hands")[: len(record.deal)])
    dealt = [words.card_short(c, game).lstrip("♠♥♦♣") for cards in record.deal.values() for c in cards]
    for rank in set(dealt):
        wanted = dealt.count(rank)
        assert len(re.findall(rf"(?<![\w:]){rank}(?![\w:])", ranks)) >= wanted, rank
    end = position(record, tarock.replay.last_step(record))
    shown = [row for row in rows(text, "tricks")[1:-2] if row[0]] if end.tricks else []
    assert len(shown) == len(end.tricks)
    for row, trick in zip(shown, end.tricks, strict=True):
        for seat, cell in zip(end.active, row[1:-1], strict=True):
            card = next(p.card for p in trick.plays if p.seat == seat)
            assert words.card_short(card, game) in cell.split()
            assert ("leads" in cell) == (seat == trick.leader)
            assert ("takes the trick" in cell) == (seat == trick.winner)
