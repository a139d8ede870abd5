"""A deal on other sites: embedded page, oEmbed, previews, robots; hidden data stays hidden."""

from __future__ import annotations

import gzip
import html
import re
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from protego import Protego

from archive.shown import ShownDeal
from replays.deal.address import Address
from replays.deal.analysis import analysis_of
from replays.deal.steps import Steps
from replays.language.names import Names
from replays.pictures import picture
from tarock.analysis import replay
from tarock.view.table import table_view
from tests.pages.sharing import B_FIRST, FIRST, SITE, get, meta, size
from tests.support import samples

from . import test_replay
from .conftest import Page, Store, missing, page_at, present, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]

taroky = test_replay.taroky


def test_only_the_embedded_page_may_stand_in_a_frame(client: Client, taroky: ShownDeal) -> None:
    embed = get(client, f"/deals/{taroky.pk}/embed/?step=3")
    assert "X-Frame-Options" not in embed
    policy = ("frame-ancestors *", "default-src 'none'", "script-src 'self'", "style-src 'self'")
    assert missing(embed["Content-Security-Policy"], *policy, "base-uri 'none'") == []
    others = [f"/deals/{taroky.pk}/{path}" for path in ("", "replay/", "audit/", "print/", "position.png")]
    for other in [*others, f"/deals/{taroky.pk}/deal.json", "/deals/999999/embed/"]:
        answer = client.get(other)
        assert answer["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]


def test_the_embedded_page_steps_without_a_script(client: Client, taroky: ShownDeal) -> None:
    """Its first step has none before it, and its last, the score sheet, none after it."""
    end = samples.LAST_STEP + 1
    for step, leads_to in (
        (0, [None, None, 1, end]),
        (FIRST + 1, [0, FIRST, FIRST + 2, end]),
        (end, [0, end - 1, None, None]),
    ):
        page = page_at(client, f"/deals/{taroky.pk}/embed/?step={step}")
        buttons = {attrs["id"]: attrs for _, attrs in page.tags if "id" in attrs}
        for name, other in zip(("first", "previous", "next", "last"), leads_to, strict=True):
            link = buttons[f"embed-{name}"]
            assert link.get("href") == (None if other is None else f"?step={other}")
            assert (link.get("aria-disabled") == "true") == (other is None)
        full = next(attrs for _, attrs in page.tags if attrs.get("class") == "embed-full")
        assert full["href"] == f"/deals/{taroky.pk}/replay/?step={step}"
        assert (full["target"], full["rel"]) == ("_blank", "noopener")
        assert not page.unsafe
        assert not [tag for tag, _ in page.tags if tag in ("script", "form", "iframe")]


def test_the_embedded_page_has_the_cards_that_it_shows(client: Client, table_deal: ShownDeal) -> None:
    """A sandboxed frame can't draw from the sprite, and none but these cards are worth their bytes."""
    for language in ("en", "cs"):  # with the letters of the others
        answer = get(client, f"/deals/{table_deal.pk}/embed/?step=20", **{"Accept-Language": language})
        symbols = re.findall(r'<symbol id="(\w+)"', answer.text)
        assert len(symbols) == len(set(symbols)) > 10
        assert set(symbols) == set(re.findall(r'<use href="#(\w+)"', answer.text))
        assert not re.search(r'<use href="[^#]', answer.text)
        assert len(gzip.compress(answer.content)) < 25_000


def test_the_embedded_page_counts_as_the_replay_does(client: Client, taroky: ShownDeal) -> None:
    """It ends with the score sheet, without a link that no frame may follow."""
    last = samples.LAST_STEP + 1
    for path in ("replay", "embed"):
        text = text_of(client, f"/deals/{taroky.pk}/{path}/?step=30")
        assert re.search(rf"30 / ?of {last}", text), path
    page = get(client, f"/deals/{taroky.pk}/embed/?step={last}").text
    assert "+105" in page.partition('class="finals"')[2]
    assert "/audit/" not in page
    steps = Steps(taroky, analysis_of(taroky), Address(30))
    assert f"30 / {last}" in picture.svg(steps.frame(steps.state).position)
    assert f"Step 30 of {last}" in meta(client, f"/deals/{taroky.pk}/replay/?step=30")["og:description"]


def test_the_embedded_page_keeps_its_way_of_looking(client: Client, taroky: ShownDeal) -> None:
    for asked, kept in [
        ("view=B", "view=B"),
        ("view=B&hands=all", "view=B&hands=all"),
        ("view=B&hands=none", "view=B&hands=none"),
        ("spoilers=off", "spoilers=off"),
        # A frame has no guessing, but reveals nothing either.
        ("view=B&guess=1", "view=B&spoilers=off"),
    ]:
        page = Page(get(client, f"/deals/{taroky.pk}/embed/?{asked}&step=20").text)
        hrefs = page.attributes("href")
        assert f"?{kept}&step=21" in hrefs, asked
        assert f"/deals/{taroky.pk}/replay/?{kept}&step=20" in hrefs, asked
    assert not re.search(rf"\b{samples.LAST_STEP}\b", page.text)


def test_hidden_cards_make_no_difference(client: Client, store: Store) -> None:
    """The same deal with cards exchanged between two other hands: seat B is shown the very same bytes."""
    (one,) = store(samples.ANNOTATED.partition("A bid first")[0])
    changed = samples.ANNOTATED.replace("deal C SC", "deal C SQ").replace("deal D SQ", "deal D SC")
    (other,) = store(changed.partition("A bid first")[0])
    assert one.hex_digest != other.hex_digest

    def seen(deal: ShownDeal, path: str) -> bytes:
        body: bytes = get(client, f"/deals/{deal.pk}/{path}").content
        return re.sub(rf"(/deals/|deals%2F|deal ){deal.pk}\b".encode(), rb"\1N", body)

    for path in ("embed/?view=B", "position.png?view=B"):
        assert seen(one, path) == seen(other, path)
        assert seen(one, path.replace("B", "C")) != seen(other, path.replace("B", "C"))
    for deal in (one, other):
        assert seen(deal, "position.png?view=B&hands=all") != seen(deal, "position.png?view=B")
    heads = [seen(d, "replay/?view=B").partition(b"</head>")[0] for d in (one, other)]
    assert heads[0] == heads[1]


def test_the_preview_of_a_replay_never_tells_the_result(client: Client, taroky: ShownDeal) -> None:
    """That of the deal's page does, because the page itself begins with it."""
    told = meta(client, f"/deals/{taroky.pk}/")["og:description"]
    assert missing(told, "Alena +105, Dana +105, Bořek −105, Cyril −105.", "Hlučín club evening") == []
    for path in ("audit/", "replay/?step=5", "replay/?step=5&spoilers=off"):
        head = meta(client, f"/deals/{taroky.pk}/{path}")
        # The number of a deal may be any.
        told = re.sub(r"/deals/\d+/|deal \d+", "", " ".join(head.values()))
        assert present(told, "105", "erified.") == []
    assert str(samples.LAST_STEP) not in told
    assert "spoilers=off" in head["og:image"]
    record = taroky.record
    shown = table_view(replay.position(record, 5), Names(record.game, record.players))
    assert f"5 / {samples.LAST_STEP}" in picture.svg(shown)
    assert str(samples.LAST_STEP) not in re.findall(r"<text[^>]*>([^<]*)", picture.svg(shown, steps=False))


def oembed(client: Client, url: str, status: int = 200, **more: str) -> Any:
    answer = client.get("/oembed", {"url": url, **more})
    assert answer.status_code == status, answer.content[:300]
    return answer.json() if status == 200 else answer


def test_oembed_describes_the_frame(client: Client, taroky: ShownDeal) -> None:
    said = oembed(client, f"{SITE}/deals/{taroky.pk}/replay/?step=20&view=B", format="json")
    title = "Czech Taroky: Alena, Bořek, Cyril, Dana"
    assert said.items() >= {
        "version": "1.0", "type": "rich", "provider_name": "Tarock archive", "provider_url": f"{SITE}/",
        "title": title,
        "thumbnail_url": f"{SITE}/deals/{taroky.pk}/position.png?view=B&step=20&language=en",
    }.items()  # fmt: skip
    [(tag, frame)] = Page(said["html"]).tags
    assert (tag, frame["title"]) == ("iframe", title)
    assert frame["src"] == f"{SITE}/deals/{taroky.pk}/embed/?view=B&step=20"
    assert (frame["width"], frame["height"]) == (str(said["width"]), str(said["height"]))
    get(client, frame["src"].removeprefix(SITE))
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


def test_oembed_knows_only_deals_of_this_site_and_json(client: Client, taroky: ShownDeal) -> None:
    here = f"/deals/{taroky.pk}/"
    for url in (
        "", "x", f"https://elsewhere.example{here}", f"//testserver{here}",
        f"http://testserver.elsewhere.example{here}", f"http://testserver@elsewhere.example{here}",
        f"http://elsewhere.example\\@testserver{here}", f"http://[{here}", f"ftp://testserver{here}",
        f"javascript://testserver{here}", f"{SITE}{here}deal.json", f"{SITE}{here}position.png",
        f"{SITE}/deals/999999/", f"{SITE}/deals/", f"{SITE}/admin/", f"{SITE}{here}replay/?view=Z",
    ):  # fmt: skip
        oembed(client, url, 404)
    url = f"{SITE}{here}"
    oembed(client, url, 501, format="xml")
    assert client.post("/oembed", {"url": url}).status_code == 405
    assert client.get("/oembed", {"url": url})["Access-Control-Allow-Origin"] == "*"
    # It knows an address without its slash, too.
    assert oembed(client, f"{url}replay?step=5") == oembed(client, f"{url}replay/?step=5")


def test_pages_lead_to_their_own_description(client: Client, taroky: ShownDeal) -> None:
    here = f"/deals/{taroky.pk}/"
    for path in ("", "audit/", "replay/?step=20&view=B", "replay/?step=20&view=B&hands=all"):
        page = page_at(client, f"{here}{path}")
        link = next(attrs for _, attrs in page.tags if attrs.get("type") == "application/json+oembed")
        assert link["rel"] == "alternate"
        assert urlsplit(link["href"] or "").path == "/oembed"
        query = parse_qs(urlsplit(client.get(link["href"]).json()["thumbnail_url"]).query)
        moment = client.get(here).context["position"].step if not path else 0
        assert query == (parse_qs(urlsplit(path).query) or {"step": [str(moment)]}) | {"language": ["en"]}


def test_a_page_says_how_it_is_previewed(client: Client, taroky: ShownDeal) -> None:
    here = f"{SITE}/deals/{taroky.pk}/"
    for path in ("", "audit/", "replay/", f"replay/?view=B&step={B_FIRST + 1}"):
        told = meta(client, f"/deals/{taroky.pk}/{path}")
        assert told["og:title"] == "Czech Taroky: Alena, Bořek, Cyril, Dana"
        assert told["twitter:card"] == "summary_large_image"
        assert told["og:url"].startswith(here + path.partition("?")[0])
        assert "Hlučín club evening" in told["og:description"]
        assert told["og:image:alt"]
        answer = get(client, told["og:image"].removeprefix(SITE))
        assert answer["Content-Type"] == told["og:image:type"] == "image/png"
        assert size(answer.content) == (int(told["og:image:width"]), int(told["og:image:height"]))
    assert missing(told["og:description"], "Alena plays tarock XX.", "Seen from Bořek’s seat.") == []
    assert told["og:image"] == f"{here}position.png?view=B&step={B_FIRST + 1}&language=en"


def test_what_is_wrong_is_pictured_where_it_happened(client: Client, store: Store) -> None:
    (deal,) = store(samples.ILLEGAL)
    image = meta(client, f"/deals/{deal.pk}/audit/")["og:image"]
    assert image.endswith(f"?step={samples.ILLEGAL_EVENT}&language=en")


def test_names_cannot_break_out_of_a_preview(client: Client, store: Store) -> None:
    # The cards of a deal that nobody stored before, so that the page shows these names.
    (record,) = samples.simulated("taroky", 4, 1, seed=77)
    nasty = replace(record, players=record.players | {"A": samples.SCRIPT})
    (deal,) = store(samples.as_text([nasty]))
    for path in ("", "replay/?step=20", "audit/", "embed/", "print/"):
        assert not page_at(client, f"/deals/{deal.pk}/{path}").unsafe, path
    assert get(client, f"/deals/{deal.pk}/position.png").content.startswith(b"\x89PNG")
    said = oembed(client, f"{SITE}/deals/{deal.pk}/")
    assert samples.SCRIPT in said["title"]
    assert [tag for tag, _ in Page(said["html"]).tags] == ["iframe"]
    assert "<script" not in said["html"]


def test_addresses_to_share_can_be_read_without_a_script(client: Client, taroky: ShownDeal) -> None:
    text = get(client, f"/deals/{taroky.pk}/replay/?step=20&view=B").text
    page, here = Page(text), f"{SITE}/deals/{taroky.pk}"
    fields = {attrs["id"]: attrs for _, attrs in page.tags if "id" in attrs}
    assert fields["share-link"]["value"] == f"{here}/replay/?view=B&step=20"
    assert fields["share-picture"]["value"] == f"{here}/position.png?view=B&step=20&language=en"
    names = {"share-link", "share-picture", "share-code"}
    assert all("readonly" in fields[name] for name in names)
    assert names <= {attrs.get("for") for tag, attrs in page.tags if tag == "label"}
    code = re.search(r'<textarea id="share-code"[^>]*>(.*?)</textarea>', text, re.DOTALL)
    assert code
    [(tag, frame)] = Page(html.unescape(code[1])).tags
    assert (tag, frame["src"]) == ("iframe", f"{here}/embed/?view=B&step=20")
    for name in ("deal.tgn", "deal.json", "print/"):
        assert f"/deals/{taroky.pk}/{name}" in page.attributes("href")


@pytest.fixture
def robots(client: Client) -> Protego:
    return Protego.parse(client.get("/robots.txt").text)


def previews(html: str) -> list[str]:
    named = []
    for tag, attrs in Page(html).tags:
        name = attrs.get("property") or attrs.get("name") or ""
        if tag == "meta" and name.startswith(("og:", "twitter:")):
            named.append(attrs["content"] or "")
        if tag == "link" and attrs.get("rel") in ("alternate", "canonical"):
            named.append(attrs["href"] or "")
    return [at.replace(SITE, "") for at in named if urlsplit(at).scheme or at.startswith("/")]


def test_robots_may_fetch_what_the_pages_name(client: Client, robots: Protego, store: Store) -> None:
    (deal,) = store(samples.ANNOTATED)
    session = deal.contribution.session
    assert session is not None
    session.space.kind = "club"
    session.space.save()
    of_deal = ["", "audit/", "print/", f"replay/?view=B&step={FIRST + 1}&spoilers=off"]
    of_deal += [f"{page}/{query}" for page in ("replay", "embed") for query in ("", f"?step={FIRST + 1}")]
    pages = ["/", f"/deals/{deal.key}/", *(f"/deals/{deal.pk}/{page}" for page in of_deal)]
    pages += [f"/sessions/{session.pk}/", f"/sessions/{session.pk}/print/", f"/clubs/{session.space_id}/"]
    pages += [f"/players/{deal.seats[0].player.pk}/", "/rules/taroky/"]
    lists = ("deals", "players", "sessions", "rules", "notation", "clubs", "dumps")
    crawlers = ("Twitterbot", "facebookexternalhit", "LinkedInBot", "Slackbot-LinkExpanding", "x")
    kinds = set()
    for page in [*pages, *(f"/{name}/" for name in lists)]:
        for address in previews(get(client, page).text):
            kinds.add(address.partition("?")[0].rstrip("/").rpartition("/")[2])
            refused = [one for one in crawlers if not robots.can_fetch(SITE + address, one)]
            assert refused == [], (page, address)
            if address.startswith("/oembed?"):
                said = client.get(address).json()
                (frame,) = Page(said["html"]).attributes("src")
                for named in (frame, said["thumbnail_url"], said["provider_url"]):
                    assert robots.can_fetch(named, "anything"), named
    assert kinds >= {"oembed", "position.png", "session.png", "club.png", "replay"}


def test_robots_fetch_no_other_queries(robots: Protego) -> None:
    allowed = ["/", "/deals/", "/deals/1/", "/rules/taroky/"]
    others = ["/deals/?game=taroky", "/players/1/?from=2026-01-01", "/deals/1/frames.json?view=B"]
    paths = [*allowed, *others, "/uploads/"]
    assert [path for path in paths if robots.can_fetch(SITE + path, "anything")] == allowed
