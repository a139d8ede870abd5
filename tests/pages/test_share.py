"""A deal on other sites: embedded page, oEmbed, previews; hidden data stays hidden."""

from __future__ import annotations

import gzip
import html
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

import tarock.analysis.public_knowledge
import tarock.analysis.replay
from archive.shown import ShownDeal
from replays.deal.address import Address
from replays.deal.analysis import analysis_of
from replays.deal.steps import Steps
from replays.language import words
from replays.language.names import Names
from replays.pictures import picture
from tarock.analysis.replay import position
from tarock.view.table import table_view
from tarock.words import names as naming
from tests import samples
from tests.pages.sharing import B_FIRST, FIRST, SITE, get, meta, size

from .conftest import Page, Store
from .test_replay import TABLES, drawn, hidden_cards
from .test_views import unknown

pytestmark = pytest.mark.django_db


# --- the page in a frame ------------------------------------------------------------------------------------


def test_only_the_embedded_page_may_stand_in_a_frame(client: Client, taroky: ShownDeal) -> None:
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


def test_the_embedded_page_steps_without_a_script(client: Client, taroky: ShownDeal) -> None:
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


@pytest.mark.parametrize("table", TABLES)
def test_the_embedded_page_has_the_cards_that_it_shows(
    client: Client, store: Store, table: tuple[str, int]
) -> None:
    """A sandboxed frame can't draw from the sprite, and none but these cards are worth their bytes."""
    (deal,) = store(samples.as_text(samples.simulated(*table, seed=5)))
    for language in ("en", "de", "cs", "ja"):
        answer = get(client, f"/deals/{deal.pk}/embed/?step=20", **{"Accept-Language": language})
        page = answer.content.decode()
        symbols = re.findall(r'<symbol id="(\w+)"', page)
        assert len(symbols) == len(set(symbols)) > 10
        assert set(symbols) == set(re.findall(r'<use href="#(\w+)"', page))
        assert not re.search(r'<use href="[^#]', page)
        assert len(gzip.compress(answer.content)) < 25_000


@pytest.mark.parametrize(
    ("step", "missing"), [(0, {"first", "previous"}), (samples.LAST_STEP + 1, {"next", "last"})]
)
def test_the_embedded_page_ends_where_the_deal_does(
    client: Client, taroky: ShownDeal, step: int, missing: set[str]
) -> None:
    page = Page(get(client, f"/deals/{taroky.pk}/embed/?step={step}").content.decode())
    for name in ("first", "previous", "next", "last"):
        link = next(attrs for _, attrs in page.tags if attrs.get("id") == f"embed-{name}")
        assert ("href" not in link) == (name in missing)
        assert (link.get("aria-disabled") == "true") == (name in missing)


def test_the_embedded_page_counts_as_the_replay_does(client: Client, taroky: ShownDeal) -> None:
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


def test_the_embedded_page_keeps_its_way_of_looking(client: Client, taroky: ShownDeal) -> None:
    for asked, kept in [
        ("view=B", "view=B"),
        ("view=B&hands=all", "view=B&hands=all"),
        ("view=B&hands=none", "view=B&hands=none"),
        ("spoilers=off", "spoilers=off"),
        # A frame has no guessing, but reveals nothing either.
        ("view=B&guess=1", "view=B&spoilers=off"),
    ]:
        page = Page(get(client, f"/deals/{taroky.pk}/embed/?{asked}&step=20").content.decode())
        hrefs = page.attributes("href")
        assert f"?{kept}&step=21" in hrefs, asked
        assert f"/deals/{taroky.pk}/replay/?{kept}&step=20" in hrefs, asked
    assert not re.search(rf"\b{samples.LAST_STEP}\b", page.text)


# --- nothing hidden gets out --------------------------------------------------------------------------------


def leaks(text: str, cards: set[str], game: str) -> list[str]:
    """Those of the cards that a text names: by code, in words, or as they are written down."""
    text = html.unescape(text)
    names = {c: (c, naming.card_name(words.of(game), c), naming.card_short(words.of(game), c)) for c in cards}
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
    last = tarock.analysis.replay.last_step(record)
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
                tarock.analysis.replay.position(record, step, view)
                if view
                else tarock.analysis.public_knowledge.position(record, step)
            )
            svg = picture.svg(table_view(state, Names(state.game, state.players)))
            assert not hidden & set(re.findall(r'(?:id="|#)([SHDCT]\w{1,2})"', svg))


def test_hidden_cards_make_no_difference(client: Client, store: Store) -> None:
    """The same deal with cards exchanged between two other hands: seat B is shown the very same bytes."""
    (one,) = store(samples.ANNOTATED.partition("A bid first")[0])
    changed = samples.ANNOTATED.replace("deal C SC", "deal C SQ").replace("deal D SQ", "deal D SC")
    (other,) = store(changed.partition("A bid first")[0])
    assert one.hex_digest != other.hex_digest

    def seen(deal: ShownDeal, path: str) -> bytes:
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


def test_a_preview_never_tells_the_result(client: Client, taroky: ShownDeal) -> None:
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
    shown = table_view(position(record, 5), Names(record.game, record.players))
    assert f"5 / {samples.LAST_STEP}" in picture.svg(shown)
    assert str(samples.LAST_STEP) not in re.findall(r"<text[^>]*>([^<]*)", picture.svg(shown, steps=False))


# --- oEmbed -------------------------------------------------------------------------------------------------


def oembed(client: Client, url: str, status: int = 200, **more: str) -> Any:
    answer = client.get("/oembed", {"url": url, **more})
    assert answer.status_code == status, answer.content[:300]
    return answer.json() if status == 200 else answer


def test_oembed_describes_the_frame(client: Client, taroky: ShownDeal) -> None:
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
    assert said["thumbnail_url"] == f"{SITE}/deals/{taroky.pk}/position.png?view=B&step=20&language=en"
    image = get(client, said["thumbnail_url"].removeprefix(SITE)).content
    assert size(image) == (said["thumbnail_width"], said["thumbnail_height"]) == (1200, 630)


def test_oembed_keeps_within_the_room_it_is_given(client: Client, taroky: ShownDeal) -> None:
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
def test_oembed_knows_only_deals_of_this_site(client: Client, taroky: ShownDeal, url: str) -> None:
    oembed(client, url.replace("{pk}", str(taroky.pk)), 404)


def test_oembed_knows_addresses_without_their_slash(client: Client, taroky: ShownDeal) -> None:
    with_it = oembed(client, f"{SITE}/deals/{taroky.pk}/replay/?step=5")
    assert oembed(client, f"{SITE}/deals/{taroky.pk}/replay?step=5") == with_it


def test_oembed_speaks_json_alone(client: Client, taroky: ShownDeal) -> None:
    url = f"{SITE}/deals/{taroky.pk}/"
    oembed(client, url, 501, format="xml")
    assert client.post("/oembed", {"url": url}).status_code == 405
    assert client.get("/oembed", {"url": url})["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("path", ["", "audit/", "replay/?step=20&view=B", "replay/?step=20&view=B&hands=all"])
def test_pages_lead_to_their_own_description(client: Client, taroky: ShownDeal, path: str) -> None:
    page = Page(get(client, f"/deals/{taroky.pk}/{path}").content.decode())
    link = next(attrs for _, attrs in page.tags if attrs.get("type") == "application/json+oembed")
    assert link["rel"] == "alternate"
    parts = urlsplit(link["href"] or "")
    assert parts.path == "/oembed"
    said = client.get(parts.path, {k: v[0] for k, v in parse_qs(parts.query).items()}).json()
    query = parse_qs(urlsplit(said["thumbnail_url"]).query)
    wanted = parse_qs(urlsplit(path).query) or {"step": ["0"]}
    assert query == wanted | {"language": ["en"]}


# --- previews -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["", "audit/", "replay/", f"replay/?view=B&step={B_FIRST + 1}"])
def test_a_page_says_how_it_is_previewed(client: Client, taroky: ShownDeal, path: str) -> None:
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
        assert (
            told["og:image"] == f"{SITE}/deals/{taroky.pk}/position.png?view=B&step={B_FIRST + 1}&language=en"
        )
        assert "What Bořek sees." in told["og:description"]


def test_what_is_wrong_is_pictured_where_it_happened(client: Client, store: Store) -> None:
    (deal,) = store(samples.ILLEGAL)
    told = meta(get(client, f"/deals/{deal.pk}/audit/").content.decode())
    assert told["og:image"].endswith(f"?step={samples.ILLEGAL_EVENT}&language=en")


def test_names_cannot_break_out_of_a_preview(client: Client, store: Store) -> None:
    (deal,) = store(samples.NASTY)
    for path in ("", "replay/?step=20", "audit/", "embed/", "print/"):
        page = Page(get(client, f"/deals/{deal.pk}/{path}").content.decode())
        assert not page.unsafe, path
    assert get(client, f"/deals/{deal.pk}/position.png").content.startswith(b"\x89PNG")


def test_addresses_to_share_can_be_read_without_a_script(client: Client, taroky: ShownDeal) -> None:
    text = get(client, f"/deals/{taroky.pk}/replay/?step=20&view=B").content.decode()
    page = Page(text)
    fields = {attrs["id"]: attrs for _, attrs in page.tags if "id" in attrs}
    assert fields["share-link"]["value"] == f"{SITE}/deals/{taroky.pk}/replay/?view=B&step=20"
    assert (
        fields["share-picture"]["value"]
        == f"{SITE}/deals/{taroky.pk}/position.png?view=B&step=20&language=en"
    )
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
