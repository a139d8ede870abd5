"""Cards, sentences and catalogues in English, German, Czech and Japanese."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import translation

from archive.shown import ShownDeal
from replays.language import words
from replays.language.names import Names
from replays.management.commands import messages
from replays.site.sprites import sprite_file
from tarock.analysis.audit import notes
from tarock.analysis.replay import outline, position
from tarock.analysis.simulate import simulate
from tarock.analysis.verify import Check, check
from tarock.core.cards import CARDS
from tarock.core.scoring import Note
from tarock.games import games
from tarock.view.table import table_view
from tarock.words import names as naming
from tarock.words import sentences
from tests.pages.conftest import Page, Store
from tests.pages.languages import ENGLISH, LANGUAGES, OTHERS, in_language
from tools import cards_svg

# --- cards --------------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("language", "file"), [("en", "cards.svg"), ("de", "cards-de.svg"), ("ja", "cards.svg")]
)
def test_pages_show_their_language_s_sprite(
    client: Client, taroky: ShownDeal, language: str, file: str
) -> None:
    html = in_language(client, f"/deals/{taroky.pk}/replay/?step=20", language).text
    assert set(re.findall(r"replays/(cards[\w-]*\.svg)", html)) == {file}


@pytest.mark.parametrize("language", OTHERS)
def test_every_card_has_a_name_of_its_own(language: str) -> None:
    with translation.override(language):
        for info in games():
            names = [naming.card_name(words.of(info.id), code) for code in CARDS]
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
    """Return the engine's checks of many simulated deals of all games at tables of every size."""
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
    """Errors of deals with an event left out, doubled or changed."""
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
                shown = table_view(position(record, 5), names)
                standing = " ".join(f"{fact.name} {fact.value}" for fact in shown.standing)
                assert not ENGLISH.search(f"{shown.phase} {standing} {shown.happened} {shown.turn_words}")
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
        for name in (f"{domain}.{end}" for domain in messages.METHODS for end in ("po", "mo")):
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
    assert {(message.context, message.id) for message in found if message.id} == {
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
        messages.messages("django", tmp_path)


@pytest.mark.django_db
def test_comments_of_the_samples_are_in_the_readers_language(client: Client, store: Store) -> None:
    """In the replay, its list of moves, the page of the deal and embedded; what others write stays as it is,
    and so does every record."""
    sample = Path("deploy/samples/taroky-07-pagat-re.tgn").read_text(encoding="utf-8")
    (deal,) = store(sample.replace("{ Re: times 4. }", "{ My own word. }"))
    with translation.override("de"):
        whole = words.comment(deal.record.comments[0][0])
        called = words.comment("The partner is whoever holds T19.")
    assert called == "Partner ist, wer T19 hat."
    for path, expected in (
        ("", [whole]),
        ("replay/?step=5", [called, "My own word."]),
        ("embed/?step=5", [called]),
    ):
        answer = client.get(f"/deals/{deal.pk}/{path}", headers={"accept-language": "de"})
        text = Page(answer.content.decode()).text
        for one in expected:
            assert one in text, path
    assert "The partner is whoever holds T19." in client.get(f"/deals/{deal.pk}/deal.tgn").content.decode()
