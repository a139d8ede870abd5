"""Every page: safe, escaped, with a fixed number of queries; rules, people, sessions, account, errors."""

from __future__ import annotations

import gzip
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.urls import resolve

from archive.models import Player, Session
from archive.shown import ShownDeal
from replays import urls
from replays.language import words
from replays.site.jinja import macro
from tarock.words import clauses
from tests import samples

from .conftest import Page, Store

pytestmark = pytest.mark.django_db


def addresses(deal: ShownDeal) -> list[str]:
    """Every kind of page, once."""
    player = deal.seats[0].player.pk
    return [
        "/",
        "/upload/",
        "/uploads/",
        "/deals/",
        "/deals/?player=nobody&verdict=illegal",
        f"/deals/{deal.pk}/",
        f"/deals/{deal.pk}/replay/",
        f"/deals/{deal.pk}/replay/?step=30",
        f"/deals/{deal.pk}/replay/?step=30&view=B",
        f"/deals/{deal.pk}/replay/?step=30&view=B",
        f"/deals/{deal.pk}/audit/",
        "/rules/",
        "/rules/common/",
        "/rules/strohmann/",
        "/rules/taroky/",
        "/rules/troggu/",
        "/rules/grosstarock/",
        "/players/",
        f"/players/{player}/",
        "/sessions/",
        f"/sessions/{deal.contribution.session_id}/",
        "/accounts/login/",
        "/accounts/signup/",
        "/accounts/password/reset/",
        "/nothing-here/",
    ]


SIGNED_IN = [
    "/accounts/token/",
    "/accounts/logout/",
    "/accounts/password/change/",
    "/accounts/email/",
    "/uploads/",
    "/",
]


@pytest.mark.parametrize(
    "text", [samples.ANNOTATED, samples.NASTY, samples.ILLEGAL, samples.UNFINISHED, samples.WRONG_CLAIM]
)
def test_no_page_has_anything_inline(client: Client, store: Store, text: str) -> None:
    (deal,) = store(text)
    for address in addresses(deal):
        answer = client.get(address)
        assert answer.status_code in (200, 404)
        assert Page(answer.content.decode()).unsafe == [], address
        assert "'unsafe-inline'" not in answer["Content-Security-Policy"]


def test_no_page_of_an_account_has_anything_inline(client: Client) -> None:
    client.force_login(User.objects.create_user("eva", password="tarock and tea"))
    for address in SIGNED_IN:
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert Page(answer.content.decode()).unsafe == [], address


def test_what_records_say_is_shown_as_text(client: Client, store: Store) -> None:
    (deal,) = store(samples.NASTY)
    for address in addresses(deal):
        html = client.get(address).content.decode()
        assert samples.SCRIPT not in html, address
        assert "<img src=x" not in html, address
        assert "<b>bold</b>" not in html, address
    assert samples.SCRIPT in Page(client.get(f"/deals/{deal.pk}/").content.decode()).text


def test_every_page_has_a_title_a_heading_and_a_language(client: Client, taroky: ShownDeal) -> None:
    for address in addresses(taroky):
        html = client.get(address).content.decode()
        assert re.search(r"<title>\s*[^<\s][^<]*</title>", html), address
        assert len(re.findall(r"<h1[ >]", html)) == 1, address
        assert '<html lang="en">' in html, address


def test_ids_are_unique_and_labels_point_somewhere(client: Client, taroky: ShownDeal) -> None:
    for address in addresses(taroky):
        page = Page(client.get(address).content.decode())
        ids = page.attributes("id")
        assert len(ids) == len(set(ids)), address
        for name in ("for", "aria-labelledby"):
            assert set(page.attributes(name)) <= set(ids), (address, name)


def test_links_within_the_site_lead_somewhere(client: Client, taroky: ShownDeal) -> None:
    client.force_login(User.objects.create_user("eva"))
    seen: set[str] = set()
    for address in [*addresses(taroky)[:-1], *SIGNED_IN]:
        page = Page(client.get(address).content.decode())
        seen |= {href.partition("#")[0] for href in page.attributes("href") if href.startswith("/")}
    static = {href for href in seen if href.startswith("/static/")}
    assert static
    for href in sorted(seen - static):
        assert client.get(href).status_code in (200, 302), href


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("deals/{deal}/", 9),
        ("deals/{deal}/audit/", 5),
        ("deals/{deal}/replay/?step=30", 2),
    ],
)
def test_queries_of_a_deals_pages(
    client: Client, taroky: ShownDeal, path: str, most: int, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(most):
        client.get("/" + path.format(deal=taroky.pk))


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("/", 13),
        ("/deals/", 6),
        ("/players/", 4),
        ("/sessions/", 3),
        ("/sessions/{session}/", 7),
        ("/rules/taroky/", 0),
    ],
)
def test_queries_do_not_grow_with_the_archive(
    client: Client, store: Store, path: str, most: int, django_assert_max_num_queries: Any
) -> None:
    (deal,) = store(samples.ANNOTATED)
    for game, players in (("strohmann", 2), ("troggu", 8), ("grosstarock", 3)):
        store(samples.as_text(samples.simulated(game, players, 5)))
    address = path.format(session=deal.contribution.session_id)
    with django_assert_max_num_queries(most):
        assert client.get(address).status_code == 200


def test_the_front_page_opens_with_a_verified_deal_at_its_first_lead(client: Client, store: Store) -> None:
    """Of the operator’s deals the one with most comments, however late others were played; its frames are
    asked for before the script is there."""
    store(samples.ILLEGAL)
    page = Page(client.get("/").content.decode())
    assert "Watch it step by step" not in page.text
    assert "Newest deals" not in page.text
    (deal,) = store(samples.ANNOTATED)
    store(samples.as_text(samples.simulated("taroky", 4, 3)))
    page = Page(client.get("/").content.decode())
    assert page.unsafe == []
    assert f"/deals/{deal.pk}/replay/" in page.attributes("href")
    assert page.attributes("data-frames") == [f"/deals/{deal.pk}/frames.json"]
    assert f"/deals/{deal.pk}/frames.json" in page.attributes("href")
    assert page.attributes("data-step") == [str(samples.FIRST_CARD)]
    assert "Alena leads to trick 1." in page.text


def test_the_front_page_shows_nothing_that_was_sent_without_signing_in(client: Client, store: Store) -> None:
    """Neither as its picture nor among the newest, however late it was played; a user's it shows."""
    record = samples.ANNOTATED.replace("2026-11-20", "2026-11-21").replace("Alena", "Cheater Bob")
    Client().post("/upload/", {"text": record})
    assert "Cheater Bob" in client.get("/deals/").content.decode()
    page = Page(client.get("/").content.decode())
    assert "Cheater Bob" not in page.text
    assert "Watch it step by step" not in page.text
    assert "Newest deals" not in page.text
    (deal,) = store(samples.ANNOTATED, user=User.objects.create_user("eva"))
    page = Page(client.get("/").content.decode())
    said = deal.deal.contributions.get(part__upload__user__isnull=False)
    assert f"/deals/{said.key}/replay/" in page.attributes("href")
    assert "Cheater Bob" not in page.text


def test_the_names_that_somebody_unknown_sent_stand_on_his_page_alone(client: Client, store: Store) -> None:
    guest = Client()
    guest.post("/upload/", {"text": samples.ANNOTATED.replace("Alena", "Cheater Bob")})
    (deal,) = store(samples.ANNOTATED, user=User.objects.create_user("eva"))
    page = Page(client.get(f"/deals/{deal.pk}/").content.decode())
    assert "Alena" in page.text
    assert "Cheater Bob" not in page.text
    theirs = deal.deal.contributions.get(space__kind="guest")
    page = Page(client.get(f"/deals/{theirs.key}/").content.decode())
    assert "Alena" in page.text.partition("Also sent as")[2]
    own = Page(
        guest.get(f"/deals/{deal.deal.contributions.exclude(pk=theirs.pk).get().key}/").content.decode()
    )
    assert "Cheater Bob" in own.text.partition("Also sent as")[2]


@pytest.mark.parametrize("name", ["CC0-1.0", "CC-BY-4.0"])
def test_the_licence_stands_where_deals_are_sent_and_given_out(
    client: Client, settings: Any, name: str
) -> None:
    settings.DATA_LICENSE = name
    address = settings.DATA_LICENSES[name]
    for page in ("/upload/", "/dumps/", "/terms/"):
        found = Page(client.get(page).content.decode())
        assert address in found.attributes("href"), page
        assert name in found.text
        assert "/terms/" in found.attributes("href")


def test_the_front_page_counts(client: Client, store: Store) -> None:
    store(samples.ANNOTATED)
    store(samples.ILLEGAL)
    store(samples.UNFINISHED)
    text = Page(client.get("/").content.decode()).text
    for part in ("Deals 3", "Players 4", "Sessions 1", "Verified 1", "Illegal 1", "Incomplete 1"):
        assert part in text


# --- rules ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", clauses.book_names())
def test_every_clause_is_an_anchor_with_its_text(client: Client, game: str) -> None:
    page = Page(client.get(f"/rules/{game}/").content.decode())
    folded = re.sub(r"\s+", "", page.text)
    for clause in clauses.clauses(game):
        assert clause.slug in page.attributes("id")
        for text in (clause.text, clause.reason):
            words = re.sub(r"(?m)^- ", "", text).replace("`", "")
            assert re.sub(r"\s+", "", words) in folded, clause.slug


def test_every_ruling_is_listed_with_its_reason(client: Client) -> None:
    page = Page(client.get("/rules/").content.decode())
    for clause in clauses.rulings():
        assert f"/rules/{clause.game}/#{clause.slug}" in page.attributes("href")


def test_a_clause_has_a_lasting_address(client: Client) -> None:
    answer = client.get("/rules/clause/taroky.follow/")
    assert (answer.status_code, answer["Location"]) == (302, "/rules/taroky/#taroky.follow")
    for path in ("/rules/clause/taroky.nothing/", "/rules/clause/x/", "/rules/bridge/"):
        assert client.get(path).status_code == 404


def test_clause_texts_become_paragraphs_lists_and_references() -> None:
    html = macro("clause_text")(
        "See taroky.follow and `deal A <x>`:\n- one\n- two\n\nnot.taroky.follow & taroky.nowhere"
    )
    assert html == (
        '<p>See <a href="/rules/clause/taroky.follow/" title="Following suit">taroky.follow</a> and '
        "<code>deal A &lt;x&gt;</code>:</p><ul><li>one</li><li>two</li></ul>"
        "<p>not.taroky.follow &amp; taroky.nowhere</p>"
    )


# --- people ---------------------------------------------------------------------------------------------


def test_a_players_page_has_his_deals_and_points(client: Client, taroky: ShownDeal, store: Store) -> None:
    store(samples.as_text(samples.simulated("strohmann", 2)))
    dana = Player.objects.get(name="Dana")
    page = Page(client.get(f"/players/{dana.pk}/").content.decode())
    assert "Czech Taroky 1 deal +105" in page.text
    assert [h for h in page.attributes("href") if h == f"/deals/{taroky.pk}/"]
    assert client.get("/players/999999/").status_code == 404


def test_players_can_be_searched(client: Client, taroky: ShownDeal) -> None:
    text = Page(client.get("/players/?q=dan").content.decode()).text
    assert "Dana" in text
    assert "Alena" not in text


def test_a_session_has_its_deals_in_order_with_running_totals(client: Client, store: Store) -> None:
    records = samples.simulated("taroky", 4, 3)
    text = samples.as_text(records)
    deals = store(text)
    session = Session.objects.get()
    page = Page(client.get(f"/sessions/{session.pk}/").content.decode())
    order = [h for h in page.attributes("href") if h.startswith("/deals/") and h != "/deals/"]
    assert order == [f"/deals/{d.pk}/" for d in sorted(deals, key=lambda d: d.contribution.number or 0)]
    for name in records[0].players.values():
        total = sum(s.points or 0 for d in deals for s in d.seats if s.player.name == name)
        assert re.search(rf"\d+ {re.escape(name)} {re.escape(words.points(total))} ", page.text), name
    assert client.get("/sessions/999999/").status_code == 404


# --- accounts -------------------------------------------------------------------------------------------


def test_signing_up_needs_a_name_and_a_password_only(client: Client) -> None:
    answer = client.post(
        "/accounts/signup/", {"username": "eva", "password1": "tarock and tea", "password2": "tarock and tea"}
    )
    assert answer.status_code == 302
    assert User.objects.get(username="eva").check_password("tarock and tea")
    text = client.get("/").content.decode()
    assert "My uploads" in text
    assert "Welcome, eva." in text
    assert "If you play in a club" in text


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "You are signed in as eva &amp; co."),
        ("de", "angemeldet"),
        ("cs", "přihlášeni"),
        ("ja", "ログインしました"),
    ],
)
def test_signing_in_is_confirmed(client: Client, language: str, said: str) -> None:
    User.objects.create_user("eva & co", password="tarock and tea")
    given = {"login": "eva & co", "password": "tarock and tea"}
    answer = client.post("/accounts/login/", given, headers={"accept-language": language}, follow=True)
    assert said in answer.content.decode()


def test_signing_out_takes_a_post(client: Client) -> None:
    client.force_login(User.objects.create_user("eva"))
    client.get("/accounts/logout/")
    assert "_auth_user_id" in client.session
    client.post("/accounts/logout/")
    assert "_auth_user_id" not in client.session


# --- errors and small files -----------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["400", "403", "403_csrf", "404", "429", "500", "507"])
def test_error_pages_stand_without_a_request(code: str) -> None:
    page = Page(render_to_string(f"{code}.html"))
    assert page.unsafe == []
    assert code[:3] in page.text
    page = Page(render_to_string(f"{code}.html", request=RequestFactory().get("/")))
    assert code[:3] in page.text


def test_a_fault_of_ours_is_told_kindly(settings: Any, monkeypatch: Any, taroky: ShownDeal) -> None:
    def broken(*args: object) -> None:
        raise RuntimeError("a secret of ours")

    monkeypatch.setattr("tarock.analysis.replay.position", broken)
    answer = Client(raise_request_exception=False).get(f"/deals/{taroky.pk}/replay/")
    assert answer.status_code == 500
    assert "An error on our side" in answer.content.decode()
    assert "secret" not in answer.content.decode()


@pytest.mark.parametrize(
    "path", ["/", "/deals/{}/replay/?step=20", "/deals/{}/deal.json", "/api/v1/deals/{}/replay"]
)
def test_what_is_sent_is_compressed_for_who_can_read_it(client: Client, taroky: ShownDeal, path: str) -> None:
    path = path.format(taroky.pk)
    plain = client.get(path)
    packed = client.get(path, headers={"accept-encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert int(packed["Content-Length"]) == len(packed.content) < len(plain.content) / 2
    assert "Accept-Encoding" in plain["Vary"]
    # (A form's token is another each time.)
    if b"csrfmiddlewaretoken" not in plain.content:
        assert gzip.decompress(packed.content) == plain.content
    for etag in {answer["ETag"] for answer in (plain, packed) if "ETag" in answer}:
        unchanged = client.get(path, headers={"accept-encoding": "gzip", "if-none-match": etag})
        assert (unchanged.status_code, unchanged.content) == (304, b"")


def test_a_download_is_compressed_as_it_goes(client: Client) -> None:
    upload = client.post("/upload/", {"text": samples.ANNOTATED})["Location"]
    packed = client.get(f"{upload}original", headers={"accept-encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(b"".join(packed.streaming_content)).decode() == samples.ANNOTATED


@pytest.mark.parametrize("path", ["/deals/", "/deals/1/", "/rules/", "/players/", "/"])
def test_reading_pages_take_no_post(client: Client, path: str) -> None:
    assert client.post(path).status_code == 405


def test_small_files(client: Client) -> None:
    robots = client.get("/robots.txt")
    assert robots["Content-Type"].startswith("text/plain")
    assert "Disallow: /uploads/" in robots.content.decode()
    assert client.get("/favicon.ico")["Location"].endswith("favicon.svg")


# --- addresses ------------------------------------------------------------------------------------------


def _patterns() -> list[str]:
    return [str(entry.pattern) for entry in urls.urlpatterns if str(entry.pattern) and entry.name]


@pytest.mark.parametrize("route", _patterns())
def test_an_address_in_its_other_form_leads_to_itself(client: Client, taroky: ShownDeal, route: str) -> None:
    """With or without the slash at its end; for good, and with the query."""
    named = {entry.name for entry in urls.urlpatterns}
    words = {"slug": "taroky.follow", "game": "taroky", "word": "w"}
    route = route.replace("<uuid:key>", "5f0c2a0e-0000-4000-8000-000000000000")
    path = "/" + re.sub(r"<\w+:(\w+)>", lambda found: words.get(found[1], str(taroky.pk)), route)
    other = path.removesuffix("/") if path.endswith("/") else f"{path}/"
    if not resolve(path).url_name:
        path, other = other, path
    assert resolve(path).url_name in named
    answer = client.get(f"{other}?step=3&view=B")
    assert (answer.status_code, answer["Location"]) == (301, f"{path}?step=3&view=B")


@pytest.mark.parametrize(
    ("path", "there"),
    [("/rules/clause/", "/rules/"), ("/accounts", "/accounts/"), ("/accounts/", "/accounts/login/")],
)
def test_what_is_no_page_itself_leads_to_one(client: Client, path: str, there: str) -> None:
    assert client.get(path)["Location"] == there
