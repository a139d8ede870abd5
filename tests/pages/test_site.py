"""Every page: safe, escaped, with few queries; the front page, rules, people, accounts, errors."""

from __future__ import annotations

import gzip
import re
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.urls import resolve
from django.utils import translation

from archive import tokens
from archive.models import Deal, Member, Space, Upload
from archive.publishing import dumps, webhooks
from archive.shown import ShownDeal
from archive.storing import spaces
from replays import urls
from replays.home.lessons import Lesson, lessons
from replays.site.jinja import macro
from tarock.core.cards import BEATS, BIT, INDEX, bits, pack
from tarock.core.scoring import in_threes
from tarock.games import GAMES
from tarock.notation import read
from tarock.words import clauses
from tests.support import samples
from tests.support.storing import deal_of

from .conftest import Page, Store, browser_of, missing, page_at, present, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]


def addresses(deal: ShownDeal) -> list[str]:
    here = f"/deals/{deal.pk}/"
    steps = ["replay/", "replay/?step=30", "replay/?step=30&view=B"]
    return [
        *("/", "/uploads/", "/deals/", here),
        *(here + page for page in (*steps, "audit/")),
        *("/players/", f"/players/{deal.seats[0].player.pk}/"),
        *("/sessions/", f"/sessions/{deal.contribution.session_id}/"),
    ]


SAME = [
    *("/upload/", "/deals/?player=nobody&verdict=illegal", "/rules/"),
    *(f"/rules/{book}/" for book in clauses.book_names()),
    *(f"/accounts/{page}/" for page in ("login", "signup", "password/reset")),
]
"""Pages that show nothing of a deal."""
SIGNED_IN = [f"/accounts/{page}/" for page in ("token", "logout", "password/change", "email")]


@pytest.mark.parametrize(
    "text", [samples.ANNOTATED, samples.NASTY, samples.ILLEGAL, samples.UNFINISHED, samples.WRONG_CLAIM]
)
def test_every_page_is_safe_and_well_formed(client: Client, store: Store, text: str) -> None:
    """Nothing inline, what records say as text, a title, a heading, a language, ids that labels point to."""
    (deal,) = store(text)
    same = [*SAME, "/nothing-here/"] if text == samples.ANNOTATED else []
    for address in addresses(deal) + same:
        answer = client.get(address)
        assert answer.status_code in (200, 404)
        assert "'unsafe-inline'" not in answer["Content-Security-Policy"]
        page, html = Page(answer.text), answer.text
        assert page.unsafe == [], address
        assert present(html, samples.SCRIPT, "<img src=x", "<b>bold</b>") == [], address
        assert re.search(r"<title>\s*[^<\s][^<]*</title>", html), address
        assert len(re.findall(r"<h1[ >]", html)) == 1, address
        assert '<html lang="en">' in html, address
        ids = page.attributes("id")
        assert len(ids) == len(set(ids)), address
        for name in ("for", "aria-labelledby"):
            assert set(page.attributes(name)) <= set(ids), (address, name)
    assert (samples.SCRIPT in text_of(client, f"/deals/{deal.pk}/")) == (text == samples.NASTY)


def test_links_within_the_site_lead_somewhere(client: Client, taroky: ShownDeal) -> None:
    client.force_login(User.objects.create_user("eva", password="tarock and tea"))
    seen: set[str] = set()
    for address in [*addresses(taroky), *SAME, *SIGNED_IN]:
        answer = client.get(address)
        assert answer.status_code == 200 or address not in SIGNED_IN, address
        page = Page(answer.text)
        assert page.unsafe == [], address
        seen |= {href.partition("#")[0] for href in page.attributes("href") if href.startswith("/")}
    static = {href for href in seen if href.startswith("/static/")}
    assert static
    for href in sorted(seen - static):
        answer = client.get(href)
        answer.getvalue()  # as long as a download is not read, others may have to wait
        assert answer.status_code in (200, 302), href


def test_queries_do_not_grow_with_the_archive(
    client: Client, store: Store, django_assert_max_num_queries: Any
) -> None:
    (deal,) = store(samples.ANNOTATED)
    for game, players in (("strohmann", 2), ("troggu", 8), ("grosstarock", 3)):
        store(samples.as_text(samples.simulated(game, players, 5)))
    here = f"/deals/{deal.pk}/"
    for path, most in (
        ("/", 14), ("/deals/", 10), (here, 10), (f"{here}audit/", 6), (f"{here}replay/?step=30", 3),
        ("/players/", 4), ("/rules/taroky/", 0),
    ):  # fmt: skip
        cache.clear()
        with django_assert_max_num_queries(most):
            assert client.get(path).status_code == 200, path


def test_the_front_page_opens_at_a_trick_with_a_comment(client: Client, store: Store) -> None:
    """Of the operator’s deals the one with most comments, however late others were played; its frames are
    requested before the script is there."""
    store(samples.ILLEGAL)
    assert present(text_of(client, "/"), "Watch a deal", "Newest deals") == []
    (deal,) = store(samples.ANNOTATED.replace("T3 T21 T19", "T3 T21 T19 { the mond }"))
    store(samples.UNFINISHED)
    counts = ("Deals 3", "Players 4", "Sessions 1")
    assert missing(text_of(client, "/"), *counts) == []
    store(samples.as_text(samples.simulated("taroky", 4, 3)))
    page = page_at(client, "/")
    assert page.unsafe == []
    assert {f"/deals/{deal.pk}/{part}" for part in ("replay/", "frames.json")} <= set(page.attributes("href"))
    assert page.attributes("data-frames") == [f"/deals/{deal.pk}/frames.json"]
    assert page.attributes("data-step") == [str(samples.FIRST_CARD + 8)]
    assert missing(page.text, "the mond", "takes the trick") == []


def test_a_user_opens_with_their_own_deals_evening_and_clubs(store: Store) -> None:
    """Those of the player linked to their membership, of whom another member knows nothing."""
    (deal,) = store(samples.ANNOTATED)
    store(samples.as_text(samples.simulated("troggu", 4, 1)))
    eva, bob = (User.objects.create_user(name) for name in ("eva", "bob"))
    club = Space.objects.create(kind="club", name="Tarock Brno")
    Member.objects.create(space=club, user=eva, role="member", player=deal.seats[0].player)
    for user, shown, hidden in (
        (eva, ["Tarock Brno", "The last evening", f"№ {deal.pk}"], ["You have no deals yet.", "Troggu"]),
        (bob, ["You belong to no club yet.", "You have no deals yet."], ["Tarock Brno", "Alena"]),
    ):
        page = page_at(browser_of(user), "/")
        main = " ".join(page.text.split())
        assert (page.unsafe, missing(main, *shown), present(main, *hidden)) == ([], [], [])
    # Of a deal in the same year nobody knows the day, so the last evening stays the same.
    store(samples.dealt(1, players=("Alena", "X", "Y", "Z"), Date="2026-??-??", Session="Some time"))
    main = text_of(browser_of(eva), "/")
    assert main.index("The last evening") < main.index("table 2") < main.index("Some time")


def test_the_front_page_shows_nothing_that_was_sent_without_signing_in(client: Client, store: Store) -> None:
    """Neither as its picture nor among the newest, however late it was played; a user's it shows."""
    record = samples.ANNOTATED.replace("2026-11-20", "2026-11-21").replace("Alena", "Cheater Bob")
    Client().post("/upload/", {"text": record})
    assert "Cheater Bob" in text_of(client, "/deals/")
    assert present(text_of(client, "/"), "Cheater Bob", "Watch a deal", "Newest deals") == []
    (deal,) = store(samples.ANNOTATED, user=User.objects.create_user("eva"))
    page = page_at(client, "/")
    said = deal.deal.contributions.get(part__upload__user__isnull=False)
    assert f"/deals/{said.key}/replay/" in page.attributes("href")
    assert "Cheater Bob" not in page.text


def test_the_names_that_a_guest_sent_are_on_the_guests_page_alone(client: Client, store: Store) -> None:
    guest = Client()
    guest.post("/upload/", {"text": samples.ANNOTATED.replace("Alena", "Cheater Bob")})
    (deal,) = store(samples.ANNOTATED, user=User.objects.create_user("eva"))
    text = text_of(client, f"/deals/{deal.pk}/")
    assert "Alena" in text
    assert "Cheater Bob" not in text
    theirs = deal.deal.contributions.get(space__kind="guest")
    evas = deal.deal.contributions.exclude(pk=theirs.pk).get()
    for browser, said, name in ((client, theirs, "Alena"), (guest, evas, "Cheater Bob")):
        assert name in text_of(browser, f"/deals/{said.key}/").partition("Also sent as")[2]


def test_the_licence_is_where_deals_come_and_go(client: Client, settings: Any) -> None:
    for name in ("CC0-1.0", "CC-BY-4.0"):
        settings.DATA_LICENSE = name
        for path in ("/upload/", "/dumps/", "/terms/"):
            page = page_at(client, path)
            assert {settings.DATA_LICENSES[name], "/terms/"} <= set(page.attributes("href")), path
            assert name in page.text


@pytest.mark.parametrize("game", clauses.book_names())
def test_every_clause_is_an_anchor_with_its_text(client: Client, game: str) -> None:
    page = page_at(client, f"/rules/{game}/")
    folded, anchors = re.sub(r"\s+", "", page.text), page.attributes("id")
    titles = {clause.slug: clause.title for clause in clauses.clauses()}
    for clause in clauses.clauses(game):
        assert clause.slug in anchors
        for text in (clause.text, clause.record, clause.reason):
            words = re.sub(r"(?m)^- ", "", text).replace("`", "")
            words = re.sub(r"[a-z]+\.[a-z0-9-]+", lambda slug: titles.get(slug[0], slug[0]), words)
            assert re.sub(r"\s+", "", words) in folded, clause.slug


def test_a_clause_has_a_lasting_address(client: Client) -> None:
    answer = client.get("/rules/clause/taroky.follow/")
    assert (answer.status_code, answer["Location"]) == (302, "/rules/taroky/#taroky.follow")
    for path in ("/rules/clause/taroky.nothing/", "/rules/clause/x/", "/rules/bridge/"):
        assert client.get(path).status_code == 404
    # Every ruling is listed; texts become paragraphs, lists and references.
    links = page_at(client, "/rules/").attributes("href")
    assert {
        f"/rules/{clause.game}/#{clause.slug}" for clause in clauses.clauses() if clause.is_ruling
    } <= set(links)
    text = "See taroky.follow and `deal A <x>`:\n- one\n- two\n\nnot.taroky.follow & taroky.nowhere"
    assert macro("clause_text")(text) == (
        '<p>See <a href="/rules/clause/taroky.follow/">Following suit</a> and '
        "<code>deal A &lt;x&gt;</code>:</p><ul><li>one</li><li>two</li></ul>"
        "<p>not.taroky.follow &amp; taroky.nowhere</p>"
    )


def test_players_can_be_searched(client: Client, taroky: ShownDeal) -> None:
    found = text_of(client, "/players/?q=dan")
    assert ("Dana" in found, "Alena" in found) == (True, False)
    for address in ("/players/999999/", "/sessions/999999/"):
        assert client.get(address).status_code == 404


def test_signing_up_needs_a_name_and_a_password_only(client: Client) -> None:
    password = {"password1": "tarock and tea", "password2": "tarock and tea"}
    assert client.post("/accounts/signup/", {"username": "eva", **password}).status_code == 302
    assert User.objects.get(username="eva").check_password("tarock and tea")
    assert missing(client.get("/").text, "My uploads", "Welcome, eva.", "If you play in a club") == []
    # Signing out takes a POST.
    client.get("/accounts/logout/")
    assert "_auth_user_id" in client.session
    client.post("/accounts/logout/")
    assert "_auth_user_id" not in client.session


def test_signing_in_is_confirmed(client: Client) -> None:
    User.objects.create_user("eva & co", password="tarock and tea")
    given = {"login": "eva & co", "password": "tarock and tea"}
    for language, said in (("en", "You are signed in as eva &amp; co."), ("ja", "ログインしました")):
        headers = {"accept-language": language}
        assert said in client.post("/accounts/login/", given, headers=headers, follow=True).text
        client.logout()


def test_error_pages_stand_without_a_request() -> None:
    for code in ("400", "403", "403_csrf", "404", "429", "500", "507"):
        for request in (None, RequestFactory().get("/")):
            page = Page(render_to_string(f"{code}.html", request=request))
            assert page.unsafe == []
            assert code[:3] in page.text


def test_a_fault_of_ours_is_told_kindly(settings: Any, monkeypatch: Any, taroky: ShownDeal) -> None:
    def broken(*args: object) -> None:
        raise RuntimeError("a secret of ours")

    monkeypatch.setattr("tarock.analysis.replay.position", broken)
    answer = Client(raise_request_exception=False).get(f"/deals/{taroky.pk}/replay/")
    assert answer.status_code == 500
    assert "An error on our side" in answer.text
    assert "secret" not in answer.text


def test_what_is_sent_is_compressed_for_who_can_read_it(client: Client, taroky: ShownDeal) -> None:
    gzipped, here = {"accept-encoding": "gzip"}, f"/deals/{taroky.pk}/"
    for path in ("/", f"{here}replay/?step=20", f"{here}deal.json", f"/api/v1{here}replay"):
        plain, packed = client.get(path), client.get(path, headers=gzipped)
        assert packed["Content-Encoding"] == "gzip"
        assert int(packed["Content-Length"]) == len(packed.content) < len(plain.content) / 2
        assert "Accept-Encoding" in plain["Vary"]
        # (A form's token is another each time.)
        if b"csrfmiddlewaretoken" not in plain.content:
            assert gzip.decompress(packed.content) == plain.content
        for etag in {answer["ETag"] for answer in (plain, packed) if "ETag" in answer}:
            unchanged = client.get(path, headers=gzipped | {"if-none-match": etag})
            assert (unchanged.status_code, unchanged.content) == (304, b"")
    # A download is compressed as it goes.
    upload = client.post("/upload/", {"text": samples.ANNOTATED})["Location"]
    download = client.get(f"{upload}original", headers=gzipped)
    assert download["Content-Encoding"] == "gzip"
    assert gzip.decompress(download.getvalue()).decode() == samples.ANNOTATED


def test_small_files(client: Client) -> None:
    robots = client.get("/robots.txt")
    assert robots["Content-Type"].startswith("text/plain")
    assert "Disallow: /uploads/" in robots.text
    assert client.get("/favicon.ico")["Location"].endswith("favicon.svg")
    for path in ("/deals/", "/deals/1/", "/rules/", "/players/", "/"):
        assert client.post(path).status_code == 405
    # A URL that is not a page leads to one.
    leads = {"/rules/clause/": "/rules/", "/accounts": "/accounts/", "/accounts/": "/accounts/login/"}
    assert {path: client.get(path)["Location"] for path in leads} == leads


def test_an_address_in_its_other_form_leads_to_itself(client: Client) -> None:
    """With or without the slash at its end; for good, and with the query."""
    named = {entry.name for entry in urls.urlpatterns}
    words = {"slug": "taroky.follow", "game": "taroky", "word": "w"}
    routes = [str(entry.pattern) for entry in urls.urlpatterns if str(entry.pattern) and entry.name]
    assert len(routes) > 100
    for route in routes:
        route = route.replace("<uuid:key>", "5f0c2a0e-0000-4000-8000-000000000000")
        path = "/" + re.sub(r"<\w+:(\w+)>", lambda found: words.get(found[1], "1"), route)
        other = path.removesuffix("/") if path.endswith("/") else f"{path}/"
        if not resolve(path).url_name:
            path, other = other, path
        assert resolve(path).url_name in named
        answer = client.get(f"{other}?step=3&view=B")
        assert (answer.status_code, answer["Location"]) == (301, f"{path}?step=3&view=B"), route


def test_the_page_of_the_dumps_lists_the_files(
    client: Client, taroky: ShownDeal, settings: Any, tmp_path: Path
) -> None:
    assert "There are no files yet." in text_of(client, "/dumps/")
    settings.DUMP_DIR = str(tmp_path)
    (month,) = dumps.write(tmp_path, current=True)
    page = page_at(client, "/dumps/")
    assert not page.unsafe
    names = ["SHA256SUMS", *(file.name for file in month.files)]
    assert {f"/api/v1/dumps/{name}" for name in names} <= set(page.attributes("href"))
    assert {file.sha256 for file in month.files} <= set(page.attributes("title"))
    assert client.get("/api/v1/dumps/SHA256SUMS").status_code == 200
    assert "/dumps/" in page_at(client, "/").attributes("href")


def test_a_verified_deal_leads_to_its_certificate(client: Client, store: Store, settings: Any) -> None:
    for text, there in ((samples.ANNOTATED, True), (samples.ILLEGAL, False), (samples.UNFINISHED, False)):
        deal = store(text)[0]
        address = f"/api/v1/deals/{deal.pk}/certificate"
        assert (address in page_at(client, f"/deals/{deal.pk}/").attributes("href")) == there
        assert (client.get(address).status_code == 200) == there
    settings.CERTIFICATE_KEY = None
    links = page_at(client, f"/deals/{store(samples.ANNOTATED)[0].pk}/").attributes("href")
    assert not [link for link in links if link.endswith("/certificate")]


def test_the_notation_and_an_example_of_each_game(client: Client) -> None:
    html = client.get("/notation/").text
    page = Page(html)
    assert not page.unsafe
    ids = set(page.attributes("id"))
    assert {f"example-{game}" for game in ("strohmann", "taroky", "troggu", "grosstarock")} <= ids
    texts = html.split("<textarea")[1:]
    assert len(texts) == 4
    for text in texts:
        (entry,) = read(unescape(text.partition(">")[2].partition("</textarea>")[0]))
        assert entry.record is not None
    assert "The text form" in page.text
    assert {link[1:] for link in page.attributes("href") if link.startswith("#")} <= ids
    # It is led to where one needs it.
    wrong = client.post("/upload/", {"text": samples.DEALT_TWICE}, follow=True)
    for answer in (client.get("/upload/"), wrong):
        assert "/notation/" in Page(answer.text.partition("<footer")[0]).attributes("href")


def test_pages_show_times_in_the_operators_zone_and_programs_read_utc(client: Client, settings: Any) -> None:
    settings.PAGES_TIME_ZONE = ZoneInfo("Europe/Prague")
    at, there = datetime(2026, 6, 30, 22, 30, tzinfo=UTC), "1 July 2026, 00:30 CEST"
    owner = User.objects.create_user("ann", email="ann@example.org")
    client.force_login(owner)
    club = spaces.found_club("Here", by=owner)
    deal = deal_of(samples.ANNOTATED, user=owner, space=club)
    Deal.objects.update(stored_at=at, verified_at=at)
    Upload.objects.update(received_at=at)
    for address in (f"/deals/{deal.pk}/", "/uploads/"):
        assert missing(client.get(address).text, there, f'datetime="{at.isoformat()}"') == [], address
    # In sentences.
    tokens.make(owner, "a token")
    owner.tokens.update(made_at=at)
    webhooks.add(club, "https://receiver.example/", by=owner)
    club.webhooks.update(due_at=at, failures=1)
    spaces.invite(club, by=owner)
    club.invitations.update(made_at=at)
    for address in ("/accounts/token/", f"/clubs/{club.pk}/webhooks/", f"/clubs/{club.pk}/"):
        assert there in client.get(address).text, address
    assert client.get(f"/api/v1/deals/{deal.pk}").json()["stored_at"] == "2026-06-30T22:30:00Z"
    assert client.get("/api/v1/deals?until=2026-06-30").json()["results"]
    assert not client.get("/api/v1/deals?since=2026-07-01").json()["results"]


def lesson(name: str) -> Lesson:
    (found,) = [one for one in lessons() if one.name == name]
    return found


def right(one: Lesson) -> str:
    (found,) = [choice.value for choice in one.choices if choice.right]
    return found


def test_what_the_lessons_claim_is_so_by_the_engine() -> None:
    assert right(lesson("skus")) == "T0"
    assert BEATS[INDEX["T21"]] & BIT["T0"]
    for choice in lesson("trumps").choices:  # whichever of them was led
        assert choice.right or BEATS[INDEX[choice.value]] & BIT[right(lesson("trumps"))]
    # 5 + 1 + 1 − 2 = 5; all 54 cards are worth 70.
    threes = lesson("threes")
    assert right(threes) == str(in_threes(bits([face.code for face in threes.lying])))
    assert in_threes(pack(54)) == 70
    assert "70" in threes.answer
    for game in GAMES:
        slugs = [clause.slug for section in clauses.book(game).sections for clause in section.clauses]
        assert any("pagat-ultimo" in slug for slug in slugs) == (game != "troggu"), game
    assert right(lesson("pagat")) == "T1"


def test_the_lessons_are_on_the_front_page(client: Client) -> None:
    for language in clauses.LANGUAGES:
        page = page_at(client, "/", headers={"accept-language": language})
        with translation.override(language):
            for one in lessons():
                assert missing(page.text, one.title, one.answer) == []
                assert len([choice for choice in one.choices if choice.right]) == 1
        assert page.attributes("type").count("radio") == 14
