"""Pages, cards, sentences and catalogues in English, German, Czech and Japanese."""

from __future__ import annotations

import re
import shutil
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po
from django.core.management import CommandError, call_command
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import translation
from django.views.defaults import server_error

from archive.models import Player, Session, Upload
from archive.publishing import dumps
from archive.shown import ShownDeal
from replays.deal.forms import CorrectionForm
from replays.language import words
from replays.language.names import Names
from replays.management.commands import messages
from replays.site.sprites import sprite_file
from tarock.analysis.replay import outline, position
from tarock.analysis.simulate import simulate
from tarock.core.cards import CARDS
from tarock.games import GAMES, games
from tarock.notation import read_one
from tarock.view.table import table_view
from tarock.words import names as naming
from tarock.words import sentences
from tarock.words.clauses import clause
from tests.pages.languages import ENGLISH, LANGUAGES, OTHERS, Visible, in_language
from tests.support import samples
from tests.support.effort import THOROUGH
from tests.support.storing import deal_of, puzzle_of
from tools import cards_svg

from .conftest import Page, Store, missing, present

pytestmark = pytest.mark.usefixtures("sweeper")


@pytest.mark.parametrize(
    ("asked", "given"),
    [("de-AT,de;q=0.9,en;q=0.5", "de"), ("cs", "cs"), ("fr;q=0.9,ja;q=0.8", "ja"), ("fr", "en"), ("", "en"),
     ("x" * 600, "en")],
)  # fmt: skip
def test_the_browser_asks_for_a_language(client: Client, db: None, asked: str, given: str) -> None:
    response = in_language(client, "/", asked)
    assert f'<html lang="{given}">' in response.text
    assert response["Content-Language"] == given


def test_the_switch_is_kept_in_a_cookie_and_leads_back(client: Client, db: None) -> None:
    here = "/deals/?game=taroky"
    assert here in Page(in_language(client, here, "de").text).attributes("value")
    for language in LANGUAGES:
        response = client.post(reverse("replays:language"), {"language": language, "next": here})
        assert (response.status_code, response["Location"]) == (302, here)
        cookie = response.cookies["django_language"]
        assert (cookie.value, cookie["httponly"], cookie["samesite"]) == (language, True, "Lax")
        assert int(cookie["max-age"]) == 365 * 24 * 3600
        # From now on whatever the browser asks for.
        again = in_language(client, "/deals/", "fr, de")
        assert f'<html lang="{language}">' in again.text
        buttons = [attrs for tag, attrs in Page(again.text).tags if tag == "button"]
        assert [attrs["value"] for attrs in buttons if "aria-current" in attrs] == [language]
        # Each language by its own name, whatever the page is in.
        names = (f">{name}</button>" for name in ("English", "Deutsch", "Čeština", "日本語"))
        assert missing(again.text, *names) == []


def test_the_switch_leads_to_no_other_site_and_takes_no_unknown_language(client: Client, db: None) -> None:
    address = reverse("replays:language")
    for there in ("https://elsewhere.example/", ""):
        assert client.post(address, {"language": "de", "next": there})["Location"] == "/"
    response = client.post(address, {"language": "tlh", "next": "/"})
    assert "django_language" not in response.cookies
    assert client.get(address).status_code == 405
    # It needs no cookie beforehand.
    strict = Client(enforce_csrf_checks=True)
    response = strict.post(address, {"language": "ja", "next": "/rules/"})
    assert response.cookies["django_language"].value == "ja"
    assert not strict.get("/rules/").cookies


def test_caches_are_told_what_a_page_depends_on(client: Client, taroky: ShownDeal) -> None:
    for path in ("/", f"/deals/{taroky.pk}/replay/", f"/deals/{taroky.pk}/replay/?step=3", "/nowhere/"):
        depends = {part.strip().lower() for part in client.get(path)["Vary"].split(",")}
        assert {"accept-language", "cookie"} <= depends, path


def test_the_api_speaks_english_to_everybody(client: Client, db: None) -> None:
    client.cookies["django_language"] = "cs"
    response = in_language(client, "/api/v1/deals?page=nonsense", "de")
    assert response["Content-Language"] == "en"
    assert response.json() == client.get("/api/v1/deals?page=nonsense").json()
    assert "Accept-Language" not in response.get("Vary", "")


@pytest.fixture
def archive(store: Store) -> dict[str, ShownDeal]:
    """A deal of each kind; the disputed one was sent again with another claim."""
    found = {"disputed": store(samples.WRONG_CLAIM)[0]}
    store(samples.ANNOTATED)
    found |= {"illegal": store(samples.ILLEGAL)[0], "incomplete": store(samples.UNFINISHED)[0]}
    for game, seats in (("taroky", 4), ("strohmann", 2), ("troggu", 5), ("grosstarock", 4)):
        found[game] = store(samples.as_text(samples.simulated(game, seats)))[0]
    return found


WAYS = [
    ("", 0), ("", 4), ("", 14), ("view=A&", 20), ("view=B&hands=all&", 20), ("hands=none&", 20),
    ("spoilers=off&", 20), ("view=A&guess=1&", 20),
]  # fmt: skip


def paths(archive: dict[str, ShownDeal]) -> list[str]:
    player, session = Player.objects.all()[0], Session.objects.all()[0]
    found = ["/", "/deals/?player=xyzzy", "/check/own/", "/nowhere/"]
    lists = ("deals", "upload", "uploads", "players", "dumps", "check", "sessions", "rules", "import")
    found += [*(f"/{name}/" for name in lists), f"/players/{player.pk}/", f"/sessions/{session.pk}/"]
    puzzle = puzzle_of(archive["disputed"].pk).pk
    found += ["/puzzles/", f"/puzzles/{puzzle}/", f"/puzzles/{puzzle}/?card=SQ&at=1"]
    found += [f"/rules/{name}/" for name in ("common", *GAMES)]
    found += [f"/accounts/{name}/" for name in ("login", "signup", "password/reset")]
    places = ["", "audit/", "print/", "replay/?step=40", "replay/?step=999"]
    more = ["embed/", *(f"replay/?{query}step={n}" for query, n in WAYS)]
    for name, deal in archive.items():
        # The others are of Taroky, too.
        found += [f"/deals/{deal.pk}/{place}" for place in (*places, *(more if name in GAMES else ()))]
    return found


def written_by_people(archive: dict[str, ShownDeal]) -> set[str]:
    known = {p.name for p in Player.objects.all()} | {s.name for s in Session.objects.all()}
    for deal in archive.values():
        record = deal.record
        known |= set(record.tags) | set(record.tags.values()) | set(record.options)
        known |= {text for texts in record.comments.values() for text in texts}
    return {text for text in known if len(text) > 3 and not text.isdigit()}


def test_every_page_is_in_the_language_asked_for(
    client: Client, archive: dict[str, ShownDeal], tmp_path: Path, settings: Any
) -> None:
    """Each page in English and another language; in `make fuzz` in all."""
    settings.DUMP_DIR = str(tmp_path)
    dumps.write(tmp_path, current=True)
    known = written_by_people(archive)
    left: list[str] = []
    sheet = f"/deals/{deal_of(samples.DISPUTED_SHEET).pk}"
    client.post("/upload/", {"text": f"{samples.DEALT_TWICE}\n{samples.ANNOTATED}\n{samples.ILLEGAL}"})
    upload = f"/uploads/{Upload.objects.latest('pk').pk}/?wrong=0"
    for n, path in enumerate([*paths(archive), upload, f"{sheet}/audit/", f"{sheet}/print/"]):
        for language in LANGUAGES if THOROUGH else ("en", OTHERS[n % 3]):
            response = in_language(client, path, language)
            assert response.status_code in (200, 404), path
            page = Visible(response.text)
            assert page.language == language, path
            assert present(page.text, "%(", "None") == [], path
            if language != "en" and not path.startswith("/accounts/"):
                left += [f"{language} {path}: {text}" for text in page.left_in_english(known)]
            if language == "en" and "/rules/" not in path:
                assert not re.search("[぀-ヿ一-鿿]", re.sub(r"日本語|<[^>]*>", "", page.text)), path
    assert not left, "\n".join(left)


def test_native_words_are_used(client: Client, taroky: ShownDeal) -> None:
    """In English and German next to the common ones."""
    here = f"/deals/{taroky.pk}/"
    for language, contract, terms in (
        ("en", "First Duty (první povinnost)", "calls tarock XIX|Bidder (vydražitel)"),
        ("de", "Erste Pflicht (první povinnost)", "ruft den Tarock XIX|Ersteher"),
        ("cs", "první povinnost", "volá tarok XIX|vydražitel"),
        ("ja", "ファースト・デューティ(první povinnost)", "切札19|ビッダー"),
    ):
        pages = [
            Page(in_language(client, f"{here}{path}", language).text).text
            for path in ("", "replay/?step=20", "audit/", "replay/?step=5")
        ]
        for page in pages[:2]:
            assert re.sub(r"\s", "", contract) in re.sub(r"\s", "", page), language
        assert missing(" ".join(pages), *terms.split("|")) == []
        assert clause("taroky.pagat-announced", language).title in pages[2]
    assert "forehand (forhont)" in client.get(f"{here}replay/").text


def test_what_stands_on_one_page_has_not_one_name() -> None:
    """A seat and a place, in Czech; standings and a rank in them, in Japanese."""
    for language in LANGUAGES:
        with translation.override(language):
            fields = [str(field.label) for field in CorrectionForm(record=read_one(samples.ANNOTATED)).tags]
            heads = [translation.gettext(word) for word in ("Seat", "Player", "Written down")]
            assert len({*fields, *heads}) == len(fields) + len(heads)
            assert translation.gettext("Standings") != translation.gettext("Rank")


def test_japanese_marks_and_letters_of_cards_are_those_of_the_language(
    client: Client, taroky: ShownDeal
) -> None:
    pages = {
        language: in_language(client, f"/deals/{taroky.pk}/replay/?step=64", language).text
        for language in LANGUAGES
    }
    for language, file in {"en": "cards", "de": "cards-de", "cs": "cards-cs", "ja": "cards"}.items():
        assert set(re.findall(r"replays/(cards[\w-]*)\.svg", pages[language])) == {file}
    (caption,) = re.findall('<figcaption id="chart-title">(.*?) <a', pages["ja"], re.S)
    titles = [caption, *re.findall("<title>(第.*?)</title>", pages["ja"])]
    assert len(titles) == 13
    assert all("：" in title and not re.search("[:;] ", title) for title in titles)


def test_the_page_of_last_resort_is_in_the_language_too(db: None) -> None:
    with translation.override("cs"):
        html = server_error(RequestFactory().get("/")).text
    assert missing(html, '<html lang="cs">', "Chyba na naší straně") == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sprite_of_a_language_has_the_letters_that_its_texts_use(language: str) -> None:
    assert sprite_file(language).read_text(encoding="utf-8") == cards_svg.sprite(language)
    with translation.override(language):
        letters = "".join(naming.card_short(words.of(), "S" + rank)[1:] for rank in cards_svg.COURTS)
    assert letters == cards_svg.LETTERS.get(language, cards_svg.COURTS)
    assert len(set(letters)) == 4
    drawn = cards_svg.faces(language)
    for rank, letter in zip(cards_svg.COURTS, letters, strict=True):
        assert drawn["S" + rank] == cards_svg.court_card("S", rank, letter)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_has_a_name_of_its_own(language: str) -> None:
    with translation.override(language):
        assert len({naming.card_short(words.of(), code) for code in CARDS}) == len(CARDS)
        assert len({Names("grosstarock", {}).name("card", code, "acc") for code in CARDS}) == len(CARDS)
        for info in games():
            names = [naming.card_name(words.of(info.id), code) for code in CARDS]
            assert len(set(names)) == len(CARDS)
            assert language == "en" or not [name for name in names if ENGLISH.search(name)]


@pytest.mark.parametrize("game", GAMES)
def test_what_is_done_and_announced_is_in_the_language(game: str) -> None:
    seen: set[Any] = set()
    for record in [one for seed in (1, 2) for one in simulate(game, deals=20 if THOROUGH else 10, seed=seed)]:
        at, events = position(record, 5), {(row.verb, *row.args) for row in outline(record)}
        for language in OTHERS:
            with translation.override(language):
                names = Names(game, record.players)
                for (verb, *args), form in product(sorted(events - seen), ("long", "short")):
                    said = sentences.event_sentence(verb, args, names, form)
                    assert not ENGLISH.search(said), said
                shown = table_view(at, names)
                standing = " ".join(f"{fact.name} {fact.value}" for fact in shown.standing)
                told = f"{shown.phase} {standing} {shown.happened} {shown.turn_words}"
                for text in (told, *shown.legal):
                    assert not ENGLISH.search(text), text
        seen |= events


def test_the_catalogues_are_whole_and_a_string_that_is_not_translated_is_found(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever changes a string runs ``manage.py messages`` and translates what is new."""
    monkeypatch.setattr(messages, "messages", cache(messages.messages))  # the strings stay the same
    call_command("messages", check=True)
    for language in OTHERS:
        shutil.copytree(messages.LOCALE / language, tmp_path / language)
    monkeypatch.setattr(messages, "LOCALE", tmp_path)
    path = tmp_path / "de" / "LC_MESSAGES" / "django.po"
    untouched = path.read_bytes()

    def complaint(translation: str, *flags: str, message: str = "Newest deals") -> str:
        with path.open("rb") as file:
            catalog = read_po(file)
        catalog.delete(message)
        catalog.add(message, translation, flags=flags)
        path.write_bytes(messages.files("django", catalog)["django.po"])
        with pytest.raises(CommandError) as refused:
            call_command("messages", check=True)
        return str(refused.value)

    assert "'Newest deals' is not translated" in complaint("")
    assert "'Newest deals' is marked fuzzy" in complaint("Neueste Spiele", "fuzzy")
    path.write_bytes(untouched)
    assert "'Newest deals' has other placeholders" in complaint("Neueste Spiele %(number)s")
    path.write_bytes(untouched)
    assert "django.po is not up to date" in complaint("Danach fragt niemand", message="Nobody asks for this")
    path.write_bytes(untouched)
    (path.with_suffix(".mo")).write_bytes(b"")
    with pytest.raises(CommandError, match=r"django\.mo is not up to date"):
        call_command("messages", check=True)


def test_messages_are_found_in_modules_and_in_templates(tmp_path: Path) -> None:
    """A message that occurs alone and, elsewhere, with a plural is one entry."""
    for name, content in {
        "api/m.py": '_("a")\npgettext_lazy("c", "b")\nx = f"{y.ngettext(\'n\', \'ns\', 3)}"\nprint("no")\n',
        "templates/account/t.txt": (
            '  {% if a %}{% trans "here" %}100 %{% endtrans %}{{ _("n") }}{{ theirs("no") }}\n {% else %}'
            "{% trans n=a.b %}\n {{ n }} card\n{% pluralize %}\n{{ n }} cards{% endtrans %}{% endif %}"
        ),
        "templates/parts/p.html": (
            "{% trans n=a %}One{% pluralize %}{{ n }} more{% endtrans %}{{ _('%(a)s b', a=1) }}"
        ),
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    found = messages.messages("django", tmp_path)
    plurals = [("n", "ns"), ("%(n)s card", "%(n)s cards"), ("One", "%(n)s more")]
    assert {(message.context, message.id) for message in found if message.id} == {
        *((None, one) for one in ("a", "%(a)s b", *plurals)), ("c", "b"), ("here", "100 %%"),
    }  # fmt: skip
    (tmp_path / "api" / "m.py").write_text("_(name)", encoding="utf-8")
    with pytest.raises(ValueError, match="no constant"):
        messages.messages("django", tmp_path)


@pytest.mark.django_db
def test_comments_of_the_samples_are_in_the_readers_language(client: Client, store: Store) -> None:
    """In the replay, its list of moves, the page of the deal and embedded; what others write stays as it is,
    and so does every record."""
    sample = Path("deploy/samples/taroky-07-pagat-re.tgn").read_text(encoding="utf-8")
    (deal,) = store(sample.replace("{ Re: times 4. }", "{ My own word. }"))
    with translation.override("de"):
        whole = words.comment(deal.record.comments[0][0])
        called = words.comment("The partner is whoever holds XIX.")
    assert called == "Partner ist, wer XIX hat."
    here, at = f"/deals/{deal.pk}/", "?step=5"
    for path, *expected in (("", whole), (f"replay/{at}", called, "My own word."), (f"embed/{at}", called)):
        assert missing(Page(in_language(client, here + path, "de").text).text, *expected) == [], path
    assert "The partner is whoever holds XIX." in client.get(f"{here}deal.tgn").text
