"""Editing a record: one that could not be stored, or that of a deal; no input is lost."""

from __future__ import annotations

import html
import io
import json
import re
from typing import Any
from unittest import mock

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from archive.access import viewer
from archive.errors import Unavailable
from archive.models import Contribution, Deal, Player, Upload
from archive.reading.uploads import upload_bytes
from archive.storing import corrections, house_rules, spaces, uploads
from archive.web import throttles
from replays.uploads import editing
from tarock.games import profiles
from tarock.notation import dump_json, read_one
from tarock.notation.limits import MAX_TEXT
from tests.support import samples, storing

from .conftest import Page, Store, missing, page_at, page_of, text_of

pytestmark = pytest.mark.django_db

FAULTY = samples.DEALT_TWICE.replace("4. A DQ", "4. E DQ").replace("[Deal ", "[Deal x")


@pytest.fixture
def alena(client: Client, alena: User) -> User:
    client.force_login(alena)
    return alena


@pytest.fixture
def edit(client: Client) -> str:
    client.post("/upload/", {"text": FAULTY})
    return f"/uploads/{Upload.objects.get().pk}/records/1/edit/"


@pytest.fixture
def alenas(alena: User, store: Store) -> str:
    return f"/deals/{store(samples.ANNOTATED, user=alena)[0].pk}/edit/"


def field(answer: Any) -> str:
    """The text in the field of a page, as a browser has it."""
    (found,) = re.findall(r"<textarea[^>]*>\n?(.*?)</textarea>", answer.text, re.DOTALL)
    return html.unescape(found)


def send(client: Client, address: str, text: str, action: str = "send", **more: Any) -> Any:
    return client.post(address, {"text": text.replace("\n", "\r\n"), "action": action}, **more)


def check(client: Client, text: str) -> Page:
    """Findings on a text while somebody types it."""
    return page_of(client.post("/check/", {"text": text}))


def test_the_result_shows_all_faults_and_leads_to_the_editor(client: Client) -> None:
    client.post("/upload/", {"text": samples.ANNOTATED + "\n" + FAULTY})
    here = f"/uploads/{Upload.objects.get().pk}/"
    page = page_at(client, here)
    assert "Found ♦1 a second time" in page.text
    assert page.text.count("Line ") >= 2
    (address,) = [link for link in page.attributes("href") if link.endswith("/edit/")]
    assert address == f"{here}records/2/edit/"
    for number in (0, 3):
        assert client.get(f"{here}records/{number}/edit/").status_code == 404
    edited = client.get(address)
    assert edited["Cache-Control"].startswith("max-age=0")
    assert field(edited) == FAULTY
    assert page_of(edited).text.count("Line ") >= 2
    places = re.findall(r'data-line="(\d+)" data-start="(\d+)" data-end="(\d+)"', edited.text)
    lines = [int(line) for line, _, _ in places]
    assert lines == sorted(lines)
    for line, start, end in places:
        assert FAULTY[: int(start)].count("\n") + 1 == int(line)
        assert " " not in FAULTY[int(start) : int(end)]
    assert FAULTY[int(places[-1][1]) :].startswith("E DQ")


def test_what_may_have_been_meant_is_offered(client: Client) -> None:
    """For a card by its letters in German, a card dealt twice, and a card written twice."""
    for text, offer, take in (
        (samples.ANNOTATED.replace(" HQ H", " HD H", 1), "HQ Queen of hearts", "HQ"),
        (samples.DEALT_TWICE, "C: SC Cavalier of spades", "SC"),
        (samples.ANNOTATED.replace(" SK SJ", " SK SK SJ"), "B: leave it out", ""),
    ):
        page = check(client, text)
        assert f"Perhaps: {offer}" in page.text
        assert page.attributes("data-take")[0] == take
    # Places are counted as browsers do, for which the sign before the fault has two characters.
    text = samples.ANNOTATED.replace('[Event "', '[Event "𝄞').replace(" HQ H", " HD H", 1)
    page = check(client, text)
    start, end = page.attributes("data-start")[1], page.attributes("data-end")[1]
    assert text.encode("utf-16-le")[2 * int(start) : 2 * int(end)].decode("utf-16-le") == "HD"


def test_the_rules_of_a_record_are_chosen_from_those_published_and_of_the_clubs(
    client: Client, alena: User
) -> None:
    club = spaces.found_club("The club", by=alena)
    house_rules.adopt(club, "taroky", ["cap=300", "unit=h"], "kotva", by=alena)

    def choose(text: str, name: str) -> str:
        """Return the text after a tap on these rules, as the script does it."""
        found = editing.checked(text, viewer(alena)).records[0][2]
        page = check(client, text)
        assert [row.is_chosen for row in found] == [one == "true" for one in page.attributes("aria-pressed")]
        (row,) = [row for row in found if row.name == name]
        units = text.encode("utf-16-le")
        made = units[: 2 * row.start] + row.text.encode("utf-16-le") + units[2 * row.end :]
        return made.decode("utf-16-le")

    first = samples.ANNOTATED.replace('[Event "', '[Event "𝄞')
    before = "; a deal\n\n" + first
    published = choose(before, "Vysočina")
    assert read_one(published).options == profiles()["vysocina@1"].words
    own = choose(published.replace("[Event ", '[Options "cap=7"]\n[Event ', 1), "kotva@1")
    assert read_one(own).options == ("cap=300", "unit=h")
    assert '[Rules "kotva@1"]\n[Options "cap=300 unit=h"]\n' in own
    assert choose(own, "Rules of the source") == before.replace('[Options "settle-uncontested"]\n', "")
    assert editing.checked(dump_json(read_one(own))).records[0][2] == [], "JSON has no lines to replace"


def test_a_mended_record_goes_where_the_first_one_went(client: Client, alena: User) -> None:
    club = spaces.found_club("The club", by=alena)
    client.post("/upload/", {"text": FAULTY, "visibility": "members", "space": club.pk})
    first = Upload.objects.get()
    address = f"/uploads/{first.pk}/records/1/edit/"
    answer = send(client, address, samples.ANNOTATED)
    second = Upload.objects.latest("pk")
    assert (answer.status_code, answer["Location"]) == (302, f"/uploads/{second.pk}/")
    assert (second.space_id, second.visibility, second.user) == (club.pk, "members", alena)
    assert b"".join(upload_bytes(second)).decode() == samples.ANNOTATED
    assert Contribution.objects.get().visibility == "members"


def test_what_is_not_sent_stays_in_the_field(client: Client, edit: str) -> None:
    """What can't be read, and what is only checked, without a script."""
    answer = send(client, edit, samples.DEALT_TWICE)
    assert missing(page_of(answer, 422).text, "can’t be read yet", "Found ♦1 a second time") == []
    assert field(answer) == samples.DEALT_TWICE
    answer = send(client, edit, samples.WRONG_CLAIM, "check")
    assert missing(page_of(answer).text, "Disputed", "+105", "+100") == []
    assert field(answer) == samples.WRONG_CLAIM
    assert Upload.objects.count() == 1


def test_nothing_is_lost_whatever_goes_wrong(client: Client, alena: User, edit: str) -> None:
    receive, wait = "archive.storing.uploads.receive", "archive.web.throttles.seconds_to_wait"
    for fault, status in (
        (mock.patch(receive, side_effect=Unavailable), 503),
        (mock.patch(receive, side_effect=RuntimeError), 500),
        (mock.patch(receive, side_effect=uploads.OverQuota(90)), 429),
        (mock.patch(wait, return_value=5), 429),
    ):
        with fault:
            answer = send(client, edit, samples.ANNOTATED)
        assert (answer.status_code, field(answer)) == (status, samples.ANNOTATED)
        assert "note error" in answer.text
    too_long = "x" * (MAX_TEXT + 1)
    answer = send(client, edit, too_long)
    assert (answer.status_code, field(answer)) == (413, too_long)
    client.logout()
    answer = send(client, edit, samples.ANNOTATED)
    assert (answer.status_code, field(answer)) == (403, samples.ANNOTATED)
    assert not Deal.objects.exists()


def test_bytes_that_are_no_text_can_be_edited(client: Client) -> None:
    raw = samples.ANNOTATED.replace("Alena", "Al\xff\xe8na").encode("latin-1", "replace")
    client.post("/upload/", {"files": io.BytesIO(raw)})
    answer = client.get(f"/uploads/{Upload.objects.get().pk}/records/1/edit/")
    assert "Al\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}na" in field(answer)
    assert "UTF-8" in page_of(answer).text


def test_who_may_change_a_deal_may_edit_it(client: Client, alena: User, store: Store) -> None:
    (deal,) = store(samples.ILLEGAL, user=alena)
    here, stranger = f"/deals/{deal.pk}/", Client()
    assert f"{here}edit/" in page_at(client, here).attributes("href")
    answer = client.get(f"{here}edit/")
    assert read_one(field(answer)).digest == deal.hex_digest
    assert "Illegal" in page_of(answer).text
    assert f"{here}edit/" not in stranger.get(here).text


def test_the_same_deal_is_corrected(client: Client, alenas: str) -> None:
    """A pseudonym is not taken for a name."""
    Player.objects.filter(name="Alena").update(pseudonym="A. B.")
    text = field(client.get(alenas))
    assert '[A "Alena"]' in text
    changed = text.replace('"Alena"', '"Alenka"')
    answer = send(client, alenas, changed, follow=True)
    assert answer.redirect_chain == [(alenas.removesuffix("edit/"), 302)]
    assert "Your correction has been saved." in page_of(answer).text
    said = Contribution.objects.get()
    assert said.seats.first().player.name == "Alenka"
    assert [(change.word, change.user) for change in corrections.history(said)] == [("players", "alena")]
    again = send(client, alenas, changed, follow=True)
    assert "Nothing was changed." in page_of(again).text
    assert Upload.objects.count() == 1


def test_namesakes_and_dates_that_cannot_be_are_not_sent(client: Client, alenas: str) -> None:
    whole = field(client.get(alenas))
    for old, new, message in (
        ('"Alena"', '"Cyril "', "Two players are called Cyril."),
        ('"2026-11-20"', '"2206-11-20"', "Did you mean 2026-11-20?"),
    ):
        text = whole.replace(old, new, 1)
        # While one types, it is a warning: the verdict stays.
        assert missing(check(client, text).text, message, "Verified") == []
        answer = send(client, alenas, text)
        assert message in page_of(answer, 422).text
        assert field(answer) == text
    assert not Contribution.objects.get().changes.exists()


def test_another_deal_comes_in_its_place(client: Client, alena: User, store: Store) -> None:
    (old,) = store(samples.ILLEGAL, user=alena)
    answer = send(client, f"/deals/{old.pk}/edit/", samples.ANNOTATED, follow=True)
    new = Deal.objects.exclude(pk=old.pk).get()
    assert answer.redirect_chain[-1][0] == f"/deals/{new.pk}/"
    said, former = new.contributions.get(), old.deal.contributions.get()
    assert (former.replaced_by, former.visibility) == (said, "replaced")
    assert [deal.pk for deal in storing.deals(viewer=viewer(alena))] == [new.pk]
    assert f"/deals/{old.pk}-{former.pk}/" in page_of(answer).attributes("href")
    assert "This record was replaced by a corrected one." in text_of(client, f"/deals/{old.pk}/")
    assert client.get(f"/deals/{old.pk}/edit/").status_code == 404


@pytest.mark.parametrize("since", ["covered", "withdrawn"])
def test_what_replaces_a_covered_record_is_seen_by_nobody_else(
    since: str, client: Client, alena: User, store: Store
) -> None:
    club = spaces.found_club("The club", by=alena)
    (old,) = store(samples.ILLEGAL, user=alena, space=club, visibility="members")
    Contribution.objects.update(visibility=since, covered_visibility="members")
    assert send(client, f"/deals/{old.pk}/edit/", samples.ANNOTATED).status_code == 302
    new = Contribution.objects.exclude(deal=old.pk).get()
    assert (club.visibility, new.visibility) == ("public", "members")


def test_only_one_record_comes_in_the_place_of_a_deal(client: Client, alenas: str) -> None:
    both = samples.ANNOTATED + "\n" + samples.WRONG_CLAIM
    answer = send(client, alenas, both)
    assert (answer.status_code, field(answer)) == (422, both)
    assert Upload.objects.count() == 1


def test_a_record_that_text_cant_write_is_edited_as_json(client: Client, alena: User, store: Store) -> None:
    form = json.loads(dump_json(read_one(samples.ANNOTATED)))
    form["events"][samples.FIRST_CARD + 1][0] = form["events"][samples.FIRST_CARD][0]
    (deal,) = store(json.dumps(form), user=alena)
    text = field(client.get(f"/deals/{deal.pk}/edit/"))
    assert text.startswith('{\n  "tgn": 1,\n')
    assert read_one(text).digest == deal.hex_digest


def test_check_answers_a_part_of_a_page(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = client.post("/check/", {"text": FAULTY})
    assert "<html" not in answer.text
    assert len(page_of(answer).attributes("data-line")) >= 2
    assert "Record 2" in check(client, samples.ANNOTATED + "\n" + samples.ILLEGAL).text
    for text in (r'{"\ud800": 1}', ""):
        check(client, text)
    assert not Upload.objects.exists()
    assert "<html" in client.get("/check/").text
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    assert "Zeile" in check(client, samples.DEALT_TWICE).text
    for length in (MAX_TEXT + 1, 4 * MAX_TEXT):
        assert client.post("/check/", {"text": "x" * length}).status_code == 413
    monkeypatch.setattr(throttles.Checks, "rate", "2/min")
    cache.clear()
    answers = [client.post("/check/", {"text": samples.ANNOTATED}).status_code for _ in range(3)]
    assert answers == [200, 200, 429]
