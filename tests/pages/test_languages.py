"""The pages in English, German, Czech and Japanese."""

from __future__ import annotations

import re
from dataclasses import replace
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

from archive.models import Deal, Player, Session, Upload
from archive.publishing import dumps
from replays import words
from replays.deal.position import table
from replays.forms import CorrectionForm
from replays.management.commands import messages
from replays.names import Names
from replays.pictures.sprites import sprite_file
from tarock import sentences
from tarock.audit import notes
from tarock.cards import CARDS
from tarock.clauses import clause
from tarock.games import games
from tarock.notation import read_one
from tarock.replay import outline, position
from tarock.scoring import Note
from tarock.simulate import simulate
from tarock.verify import Check, check
from tests import samples
from tools import cards_svg

from .conftest import Page, Store

OTHERS = ("de", "cs", "ja")
LANGUAGES = ("en", *OTHERS)

#: Words that only English has: none of them may be left on a page in another language. (Names of formats, of
#: people and of the games' own words are the same everywhere.)
ENGLISH = re.compile(
    r"\b(?:the|of|and|this|that|with|which|deals?|players?|rules?|cards?|tricks?|points?|score|seat|dealer|"
    r"declarer|bidder|opponents?|upload|browse|sign|find|replay|audit|clauses?|rulings?|step|next|previous|"
    r"won|lost|pays?|gets?|wins?|loses?|passes|plays|announces|declares|spades|hearts|diamonds|clubs|king|queen|"
    r"jack|cavalier|(?-i:tarocks))\b",
    re.IGNORECASE,
)

#: What is the same in every language: clauses' slugs, addresses, names of files.
NOTATION = re.compile(
    r"(?:common|strohmann|taroky|troggu|grosstarock)\.[a-z-]+|https?://\S+|deal-\d+\.\w+", re.ASCII
)


class Visible(Page):
    """The text of a page in its own language: what is marked as another one's, or as code, left out."""

    VOID = frozenset(("meta", "link", "input", "br", "img", "hr", "path", "use", "rect", "circle", "line"))

    def __init__(self, html: str) -> None:
        self.depth: list[str] = []
        self.foreign: list[int] = []
        self.language = ""
        self.labels: list[str] = []
        super().__init__(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        given = dict(attrs)
        if tag == "html":
            self.language = given.get("lang") or ""
        if not self.foreign:
            self.labels += [
                given[name] or "" for name in ("aria-label", "title", "placeholder") if name in given
            ]
        if tag in self.VOID:
            return
        self.depth.append(tag)
        if (
            tag in ("code", "pre", "kbd", "style", "script")
            or given.get("lang", self.language) != self.language
        ):
            self.foreign.append(len(self.depth))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.handle_starttag(tag, attrs)
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        super().handle_endtag(tag)
        if tag in self.VOID:
            return
        while self.depth:
            if self.foreign and self.foreign[-1] == len(self.depth):
                self.foreign.pop()
            if self.depth.pop() == tag:
                break

    def handle_data(self, data: str) -> None:
        if not self.foreign:
            super().handle_data(data)

    def left_in_english(self, known: set[str]) -> list[str]:
        """Texts and labels that hold an English word, apart from what people wrote."""
        found = []
        for text in [*self.texts, *self.labels]:
            for own in sorted(known, key=len, reverse=True):
                text = text.replace(own, "")
            text = NOTATION.sub("", text)
            if ENGLISH.search(text):
                found.append(text)
        return found


def in_language(client: Client, path: str, language: str, **more: Any) -> Any:
    """A page as somebody gets it whose browser asks for a language."""
    return client.get(path, headers={"accept-language": language}, **more)


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


def test_caches_are_told_what_a_page_depends_on(client: Client, taroky: Deal) -> None:
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
def archive(store: Store) -> dict[str, Deal]:
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


def paths(archive: dict[str, Deal]) -> list[str]:
    """Addresses of every kind of page."""
    player, session = Player.objects.all()[0], Session.objects.all()[0]
    found = ["/", "/deals/", "/deals/?player=xyzzy", "/upload/", "/uploads/", "/players/", "/dumps/"]
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


def written_by_people(archive: dict[str, Deal]) -> set[str]:
    """What stands on pages as somebody wrote it."""
    known = {p.name for p in Player.objects.all()} | {s.name for s in Session.objects.all()}
    for deal in archive.values():
        record = deal.record
        known |= set(record.tags) | set(record.tags.values()) | set(record.options)
        known |= {text for texts in record.comments.values() for text in texts}
    return {text for text in known if len(text) > 3 and not text.isdigit()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_in_the_language_asked_for(
    client: Client, archive: dict[str, Deal], language: str, tmp_path: Path, settings: Any
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
        ("en", ["Every deal replayed", "Newest deals", "Browse the archive"]),
        ("de", ["Jedes Spiel nachgespielt", "Neueste Spiele", "Im Archiv stöbern", "Tschechisches Taroky"]),
        ("cs", ["Každé rozdání přehráno", "Nejnovější rozdání", "Prohlížet archiv", "Taroky"]),
        ("ja", ["すべてのディールを再現", "新しいディール", "アーカイブを見る", "グロスタロック"]),
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
    client: Client, taroky: Deal, language: str, expected: list[str]
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


def test_native_words_stand_beside_the_common_ones(client: Client, taroky: Deal) -> None:
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


# --- cards --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sprite_of_a_language_has_the_letters_that_its_texts_use(language: str) -> None:
    assert sprite_file(language).read_text(encoding="utf-8") == cards_svg.sprite(language)
    with translation.override(language):
        letters = "".join(words.card_short("S" + rank)[1:] for rank in cards_svg.COURTS)
    assert letters == cards_svg.LETTERS.get(language, cards_svg.COURTS)
    assert len(set(letters)) == 4
    drawn = cards_svg.faces(language)
    for rank, letter in zip(cards_svg.COURTS, letters, strict=True):
        assert drawn["S" + rank] == cards_svg.court_card("S", rank, letter)


@pytest.mark.parametrize(
    ("language", "file"), [("en", "cards.svg"), ("de", "cards-de.svg"), ("ja", "cards.svg")]
)
def test_pages_show_their_language_s_sprite(client: Client, taroky: Deal, language: str, file: str) -> None:
    html = in_language(client, f"/deals/{taroky.pk}/replay/?step=20", language).text
    assert set(re.findall(r"replays/(cards[\w-]*\.svg)", html)) == {file}


@pytest.mark.parametrize("language", OTHERS)
def test_every_card_has_a_name_of_its_own(language: str) -> None:
    with translation.override(language):
        for info in games():
            names = [words.card_name(code, info.id) for code in CARDS]
            assert len(set(names)) == len(CARDS)
            assert not [name for name in names if ENGLISH.search(name)]


# --- what the engine says -----------------------------------------------------------------------------------


#: A code of a card, a seat or an item, or a place in a template.
CODE = re.compile(r"[{}]|\b[SHDCT](?:[KQCJ]|\d+)\b|(?<![♠♥♦♣])\b[A-H]\b|[a-z]{4}:\w")
#: Words that no game knows stay as they were written.
QUOTED = re.compile("“.*?”|„.*?“|「.*?」")
PEOPLE = dict(zip("ABCDEFGH", ("Ada", "Bob", "Cyd", "Dot", "Eve", "Fay", "Guy", "Hal"), strict=True))


@pytest.fixture(scope="module")
def checks() -> list[tuple[Check, list[Note]]]:
    """What the engine says of many simulated deals of all games at tables of every size."""
    tables = [(info.id, seats) for info in games() for seats in info.seats]
    return [
        (check(record), notes(record))
        for game, seats in tables
        for record in simulate(game, players=seats, deals=300 if seats < 3 else 50, seed=3)
    ]


def sentences_of(result: Check, missed: list[Note], language: str) -> list[str]:
    """Its score lines, their head, notes and happenings as pages have them."""
    with translation.override(language):
        names = Names(result.game or "", PEOPLE)
        said = [names.sentence(sentences.line, line) for line in result.lines]
        said += [names.sentence(sentences.note, note) for note in missed]
        said += [names.sentence(sentences.happening, h) for h in result.happenings]
        return said + sentences.heading(result.facts, names)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_engine_says_is_in_the_language_and_has_no_codes(checks: list[Check], language: str) -> None:
    """No figure of the English one is missing (another language may write more numbers so)."""
    figures, kinds = re.compile(r"\d+"), set()
    for result, missed in checks:
        found = sentences_of(result, missed, language)
        for said, english in zip(found, sentences_of(result, missed, "en"), strict=True):
            assert said
            assert not CODE.search(said), said
            if language != "en":
                assert not ENGLISH.search(said), said
            if not re.search("declares|did not declare|announced|uncontested", english):
                # (An item's own words, “ten tarocks or more”, may be figures in another language.)
                assert set(figures.findall(said)) >= set(figures.findall(english)), said
        kinds |= {(row.clause, row.kind) for row in (*missed, *result.happenings)}
        kinds |= {(line.clause, key) for line in result.lines for key in line.sentences}
    assert len(kinds) >= 70


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_finding_is_one_sentence_in_the_language(language: str) -> None:
    """What is wrong with deals of which an event is left out, doubled or changed."""
    reasons = set()
    for info in games():
        for record in simulate(info.id, deals=20, seed=4):
            events = list(record.events)
            for at in range(0, len(events), 3):
                for changed in ([], [events[at]] * 2, [(*events[at], "T0")], [(events[at][0], "play", "HK")]):
                    found = check(replace(record, events=(*events[:at], *changed, *events[at + 1 :]))).error
                    if found is None:
                        continue
                    reasons.add(found.reason)
                    with translation.override(language):
                        said = Names(info.id, PEOPLE).sentence(sentences.finding, found)
                    assert said, found
                    assert "<" not in said
                    assert not CODE.search(QUOTED.sub("", said)), said
                    if language != "en":
                        assert not ENGLISH.search(QUOTED.sub("", said)), said
    assert len(reasons) >= 12


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_done_and_announced_is_in_the_language(language: str) -> None:
    with translation.override(language):
        for info, seed in product(games(), (1, 2)):
            for record in simulate(info.id, deals=20, seed=seed):
                names = Names(info.id, record.players)
                for row in outline(record):
                    for form in ("long", "short"):
                        said = sentences.event_sentence(row.verb, row.args, names, form)
                        assert not ENGLISH.search(said), said
                shown = table(position(record, 5), names)
                assert not ENGLISH.search(f"{shown.phase_words} {shown.contract}")
                for choice in shown.legal:
                    assert not ENGLISH.search(choice), choice


# --- the catalogues -----------------------------------------------------------------------------------------


def test_the_catalogues_are_whole_and_up_to_date() -> None:
    """Whoever changes a string runs ``manage.py messages`` and translates what is new."""
    call_command("messages", check=True)


def test_a_string_without_translation_a_stale_one_and_a_fuzzy_one_are_found(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for language in OTHERS:
        folder = tmp_path / language / "LC_MESSAGES"
        folder.mkdir(parents=True)
        for name in ("django.po", "django.mo"):
            content = (messages.LOCALE / language / "LC_MESSAGES" / name).read_bytes()
            (folder / name).write_bytes(content)
    monkeypatch.setattr(messages, "LOCALE", tmp_path)
    call_command("messages", check=True)
    path = tmp_path / "de" / "LC_MESSAGES" / "django.po"
    untouched = path.read_bytes()

    def complaint(translation: str, *flags: str, message: str = "Newest deals") -> str:
        with path.open("rb") as file:
            catalog = read_po(file)
        catalog.delete(message)
        catalog.add(message, translation, flags=flags)
        path.write_bytes(messages.files(catalog)["django.po"])
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
    """A message that stands alone and, elsewhere, with a plural is one entry."""
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
    assert {(message.context, message.id) for message in messages.messages(tmp_path) if message.id} == {
        (None, "a"),
        ("c", "b"),
        (None, ("n", "ns")),
        ("here", "100 %%"),
        (None, ("%(n)s card", "%(n)s cards")),
        (None, ("One", "%(n)s more")),
        (None, "%(a)s b"),
    }
    (tmp_path / "api" / "m.py").write_text("_(name)", encoding="utf-8")
    with pytest.raises(ValueError, match="no constant"):
        messages.messages(tmp_path)


def test_clause_texts_on_pages_are_the_language_s_own(client: Client, taroky: Deal) -> None:
    for language in LANGUAGES:
        text = Page(in_language(client, f"/deals/{taroky.pk}/audit/", language).text).text
        assert clause("taroky.pagat-announced", language).title in text


def test_a_picture_is_the_same_in_every_language(client: Client, taroky: Deal) -> None:
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


def test_japanese_marks_stand_between_japanese_words(client: Client, taroky: Deal) -> None:
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
