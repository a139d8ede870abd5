"""The pages in English, German, Czech and Japanese."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import translation
from django.views.defaults import server_error

from archive.models import Player, Session, Upload
from archive.publishing import dumps
from archive.shown import ShownDeal
from replays.deal.forms import CorrectionForm
from tarock.notation import read_one
from tarock.words.clauses import clause
from tests import samples
from tests.pages.languages import LANGUAGES, OTHERS, Visible, in_language

from .conftest import Page, Store

# --- which language -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("cs", "cs"),
        ("fr;q=0.9,ja;q=0.8", "ja"),
        ("fr", "en"),
        ("", "en"),
        ("x" * 600, "en"),
    ],
)
def test_the_browser_asks_for_a_language(client: Client, db: None, asked: str, given: str) -> None:
    response = in_language(client, "/", asked)
    assert f'<html lang="{given}">' in response.text
    assert response["Content-Language"] == given


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_switch_is_kept_in_a_cookie_and_leads_back(client: Client, db: None, language: str) -> None:
    page = Page(in_language(client, "/deals/?game=taroky", "de").text)
    assert "/deals/?game=taroky" in page.attributes("value")
    response = client.post(reverse("replays:language"), {"language": language, "next": "/deals/?game=taroky"})
    assert response.status_code == 302
    assert response["Location"] == "/deals/?game=taroky"
    cookie = response.cookies["django_language"]
    assert cookie.value == language
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert int(cookie["max-age"]) == 365 * 24 * 3600
    # From now on whatever the browser asks for.
    again = in_language(client, "/deals/", "fr, de")
    assert f'<html lang="{language}">' in again.text
    chosen = [attrs for tag, attrs in Page(again.text).tags if tag == "button" and "aria-current" in attrs]
    assert [attrs["value"] for attrs in chosen] == [language]
    # Each language by its own name, whatever the page is in.
    for name in ("English", "Deutsch", "Čeština", "日本語"):
        assert f">{name}</button>" in again.text


def test_the_switch_leads_to_no_other_site_and_takes_no_unknown_language(client: Client, db: None) -> None:
    address = reverse("replays:language")
    response = client.post(address, {"language": "de", "next": "https://elsewhere.example/"})
    assert response["Location"] == "/"
    response = client.post(address, {"language": "tlh", "next": "/"})
    assert "django_language" not in response.cookies
    assert client.get(address).status_code == 405


def test_the_switch_needs_no_cookie_beforehand(db: None) -> None:
    strict = Client(enforce_csrf_checks=True)
    response = strict.post(reverse("replays:language"), {"language": "ja", "next": "/rules/"})
    assert response.cookies["django_language"].value == "ja"
    assert not strict.get("/rules/").cookies


def test_caches_are_told_what_a_page_depends_on(client: Client, taroky: ShownDeal) -> None:
    for path in (
        "/",
        f"/deals/{taroky.pk}/replay/",
        f"/deals/{taroky.pk}/replay/?step=3",
        "/nowhere/",
    ):
        depends = {part.strip().lower() for part in client.get(path)["Vary"].split(",")}
        assert {"accept-language", "cookie"} <= depends, path


def test_the_api_speaks_english_to_everybody(client: Client, db: None) -> None:
    client.cookies["django_language"] = "cs"
    response = in_language(client, "/api/v1/deals?page=nonsense", "de")
    assert response["Content-Language"] == "en"
    assert response.json() == client.get("/api/v1/deals?page=nonsense").json()
    assert "Accept-Language" not in response.get("Vary", "")


# --- every page ---------------------------------------------------------------------------------------------


@pytest.fixture
def archive(store: Store) -> dict[str, ShownDeal]:
    """A deal of each kind; the disputed one was sent again with another claim."""
    found = {"disputed": store(samples.WRONG_CLAIM)[0]}
    store(samples.ANNOTATED)
    found["taroky"] = store(samples.as_text(samples.simulated("taroky", 4)))[0]
    found["illegal"] = store(samples.ILLEGAL)[0]
    found["incomplete"] = store(samples.UNFINISHED)[0]
    for game in ("strohmann", "troggu", "grosstarock"):
        seats = {"strohmann": 2, "troggu": 5, "grosstarock": 4}[game]
        found[game] = store(samples.as_text(samples.simulated(game, seats)))[0]
    return found


def paths(archive: dict[str, ShownDeal]) -> list[str]:
    """Addresses of every kind of page."""
    player, session = Player.objects.all()[0], Session.objects.all()[0]
    found = ["/", "/deals/", "/deals/?player=xyzzy", "/upload/", "/uploads/", "/players/", "/dumps/"]
    found += ["/check/", "/check/own/"]
    found += [
        "/sessions/",
        "/rules/",
        f"/players/{player.pk}/",
        f"/sessions/{session.pk}/",
        "/nowhere/",
        "/dumps/",
    ]
    found += [f"/rules/{name}/" for name in ("common", "strohmann", "taroky", "troggu", "grosstarock")]
    found += ["/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"]
    for deal in archive.values():
        base = f"/deals/{deal.pk}/"
        found += [base, base + "audit/", base + "replay/", base + "embed/", base + "print/"]
        found += [base + f"replay/?step={step}" for step in (4, 14, 40, 999)]
        found += [base + "replay/?view=A&step=20", base + "replay/?view=B&hands=all&step=20"]
        found += [base + "replay/?hands=none&step=20", base + "replay/?spoilers=off&step=20"]
        found += [base + "replay/?view=A&guess=1&step=20"]
    return found


def written_by_people(archive: dict[str, ShownDeal]) -> set[str]:
    """Return the text on pages that people wrote."""
    known = {p.name for p in Player.objects.all()} | {s.name for s in Session.objects.all()}
    for deal in archive.values():
        record = deal.record
        known |= set(record.tags) | set(record.tags.values()) | set(record.options)
        known |= {text for texts in record.comments.values() for text in texts}
    return {text for text in known if len(text) > 3 and not text.isdigit()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_in_the_language_asked_for(
    client: Client, archive: dict[str, ShownDeal], language: str, tmp_path: Path, settings: Any
) -> None:
    settings.DUMP_DIR = str(tmp_path)
    dumps.write(tmp_path, current=True)
    known = written_by_people(archive)
    left: dict[str, list[str]] = {}
    client.post("/upload/", {"text": f"{samples.DEALT_TWICE}\n{samples.ANNOTATED}\n{samples.ILLEGAL}"})
    for path in [*paths(archive), f"/uploads/{Upload.objects.latest('pk').pk}/?wrong=0"]:
        response = in_language(client, path, language)
        assert response.status_code in (200, 404), path
        html = response.text
        page = Visible(html)
        assert page.language == language, path
        assert "%(" not in page.text, path
        assert "None" not in page.text, path
        if language != "en" and not path.startswith("/accounts/"):
            found = page.left_in_english(known)
            if found:
                left[path] = found
        if language == "en":
            assert not re.search("[぀-ヿ一-鿿]", re.sub(r"日本語|<[^>]*>", "", page.text)) or "/rules/" in path
    assert not left, "\n".join(f"{path}: {text}" for path, texts in left.items() for text in texts)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["Every deal replayed", "Newest deals", "Look up a deal"]),
        (
            "de",
            ["Jedes Spiel nachgespielt", "Neueste Spiele", "Ein Spiel nachschlagen", "Tschechisches Taroky"],
        ),
        ("cs", ["Každé rozdání přehráno", "Nejnovější rozdání", "Najít rozdání", "Taroky"]),
        ("ja", ["すべてのディールを再現", "新しいディール", "ディールを調べる", "グロスタロック"]),
    ],
)
def test_the_front_page(client: Client, db: None, language: str, expected: list[str]) -> None:
    text = Page(in_language(client, "/", language).text).text
    for words_ in expected:
        assert words_ in text


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["Bořek plays King of spades", "announces Tarocky", "passes", "Talon"]),
        (
            "de",
            ["Alena bietet Erste Pflicht.", "ruft den Tarock XIX", "Vorhand", "Talon", "Ersteher", "Geber"],
        ),
        (
            "cs",
            ["Alena draží první povinnost.", "volá tarok XIX", "forhont", "talon", "vydražitel", "trul"],
        ),
        ("ja", ["ファースト・デューティ", "切札19", "フォアハンド", "タロン", "ビッダー", "ディーラー"]),
    ],
)
def test_the_games_native_words_are_used(
    client: Client, taroky: ShownDeal, language: str, expected: list[str]
) -> None:
    seen = " ".join(
        Page(in_language(client, f"/deals/{taroky.pk}/{rest}", language).text).text
        for rest in ("", "audit/", *(f"replay/?step={n}" for n in (0, 1, 5, 10, 37)))
    ).casefold()
    rules = Page(in_language(client, "/rules/taroky/", language).text).text.casefold()
    for term in expected:
        if term.startswith("Bořek plays"):
            continue
        assert term.casefold() in seen or term.casefold() in rules, term


def test_native_words_stand_beside_the_common_ones(client: Client, taroky: ShownDeal) -> None:
    facts = {"en": "First Duty (první povinnost)", "de": "Erste Pflicht (první povinnost)"}
    facts |= {"cs": "první povinnost", "ja": "ファースト・デューティ(první povinnost)"}
    for language, said in facts.items():
        for path in (f"/deals/{taroky.pk}/", f"/deals/{taroky.pk}/replay/?step=20"):
            page = Page(in_language(client, path, language).text)
            assert said in page.texts, (language, path)
    assert "Bidder (vydražitel)" in Page(client.get(f"/deals/{taroky.pk}/").text).texts
    assert "forehand (forhont)" in client.get(f"/deals/{taroky.pk}/replay/").text


def test_a_finding_is_said_in_the_readers_language(client: Client, store: Store) -> None:
    deal = store(samples.ILLEGAL)[0]
    said = "Bořek plays ♠K, but must follow suit (diamonds) and holds ♦1 and ♦3"
    for page in ("", "audit/", f"replay/?step={samples.ILLEGAL_EVENT + 1}"):
        path = f"/deals/{deal.pk}/{page}"
        assert said in client.get(path).text
        for language in OTHERS:
            html = in_language(client, path, language).text
            assert "but must follow" not in html
            assert clause("taroky.follow", language).slug in html


def test_clause_texts_on_pages_are_the_language_s_own(client: Client, taroky: ShownDeal) -> None:
    for language in LANGUAGES:
        text = Page(in_language(client, f"/deals/{taroky.pk}/audit/", language).text).text
        assert clause("taroky.pagat-announced", language).title in text


def test_a_picture_is_the_same_in_every_language(client: Client, taroky: ShownDeal) -> None:
    address = f"/deals/{taroky.pk}/position.png?step=20&size=small"
    drawn = [in_language(client, address, language) for language in LANGUAGES]
    assert len({response.content for response in drawn}) == 1
    assert all("Accept-Language" not in response.get("Vary", "") for response in drawn)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_stands_on_one_page_has_not_one_name(language: str) -> None:
    """A seat and a place, in Czech; standings and a rank in them, in Japanese."""
    with translation.override(language):
        fields = [str(field.label) for field in CorrectionForm(record=read_one(samples.ANNOTATED)).tags]
        heads = [translation.gettext(word) for word in ("Seat", "Player", "Written down")]
        assert len({*fields, *heads}) == len(fields) + len(heads)
        assert translation.gettext("Standings") != translation.gettext("Rank")


def test_japanese_marks_stand_between_japanese_words(client: Client, taroky: ShownDeal) -> None:
    page = client.get(
        f"/deals/{taroky.pk}/replay/?step=64", headers={"Accept-Language": "ja"}
    ).content.decode()
    (caption,) = re.findall('<figcaption id="chart-title">(.*?) <a', page, re.S)
    titles = [caption, *re.findall("<title>(第.*?)</title>", page)]
    assert len(titles) == 13
    assert all("：" in title and not re.search("[:;] ", title) for title in titles)


def test_the_page_of_last_resort_is_in_the_language_too(client: Client, db: None) -> None:
    """The page for our own faults knows nothing of the request; its switch leads to the front page then."""
    with translation.override("cs"):
        html = server_error(RequestFactory().get("/")).content.decode()
    assert '<html lang="cs">' in html
    assert "Chyba na naší straně" in html
    client.cookies.clear()
    response = client.post(reverse("replays:language"), {"language": "de", "next": ""})
    assert response["Location"] == "/"
