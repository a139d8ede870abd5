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
from archive.storing import corrections, spaces, uploads
from archive.web import throttles
from replays.uploads import editing
from tarock.analysis.simulate import simulate
from tarock.notation import dump_json, read_one
from tarock.notation.limits import MAX_TEXT
from tests import samples, storing

from .conftest import Page, Store

pytestmark = pytest.mark.django_db

FAULTY = samples.DEALT_TWICE.replace("4. A DQ", "4. E DQ").replace("[Deal ", "[Deal x")


@pytest.fixture(autouse=True)
def _uncounted() -> None:
    cache.clear()


@pytest.fixture
def alena(client: Client) -> User:
    """Somebody who is signed in."""
    user = User.objects.create_user("alena", password="-")
    client.force_login(user)
    return user


def field(answer: Any) -> str:
    """The text in the field of a page, as a browser has it."""
    (found,) = re.findall(r"<textarea[^>]*>\n?(.*?)</textarea>", answer.content.decode(), re.DOTALL)
    return html.unescape(found)


def send(client: Client, address: str, text: str, action: str = "send", **more: Any) -> Any:
    return client.post(address, {"text": text.replace("\n", "\r\n"), "action": action}, **more)


def page_of(answer: Any) -> Page:
    return Page(answer.content.decode())


def upload_of(client: Client, text: str) -> Upload:
    client.post("/upload/", {"text": text})
    return Upload.objects.latest("pk")


# --- a record of an upload ------------------------------------------------------------------------------


def test_the_result_shows_all_faults_and_leads_to_the_editor(client: Client) -> None:
    upload = upload_of(client, samples.ANNOTATED + "\n" + FAULTY)
    page = page_of(client.get(f"/uploads/{upload.pk}/"))
    assert "Found ♦1 a second time" in page.text
    assert page.text.count("Line ") >= 2
    (address,) = [link for link in page.attributes("href") if link.endswith("/edit/")]
    assert address == f"/uploads/{upload.pk}/records/2/edit/"
    edited = client.get(address)
    assert edited["Cache-Control"].startswith("max-age=0")
    page = page_of(edited)
    assert field(edited) == FAULTY
    assert page.text.count("Line ") >= 2
    places = re.findall(r'data-line="(\d+)" data-start="(\d+)" data-end="(\d+)"', edited.content.decode())
    lines = [int(line) for line, _, _ in places]
    assert lines == sorted(lines)
    for line, start, end in places:
        assert FAULTY[: int(start)].count("\n") + 1 == int(line)
        assert " " not in FAULTY[int(start) : int(end)]
    assert FAULTY[int(places[-1][1]) :].startswith("E DQ")


def test_what_may_have_been_meant_is_offered(client: Client) -> None:
    """A card by its letters in German, with its name; behind a sign of two characters for a browser."""
    text = samples.ANNOTATED.replace('[Event "', '[Event "𝄞').replace(" HQ H", " HD H", 1)
    page = page_of(client.post("/check/", {"text": text}))
    assert "Perhaps: HQ Queen of hearts" in page.text
    (start,), (end,) = page.attributes("data-start")[1:], page.attributes("data-end")[1:]
    units = text.encode("utf-16-le")[2 * int(start) : 2 * int(end)]
    assert units.decode("utf-16-le") == "HD"
    assert page.attributes("data-take") == ["HQ"]


def test_a_card_dealt_twice_is_mended_at_the_place_that_is_named(client: Client) -> None:
    page = page_of(client.post("/check/", {"text": samples.DEALT_TWICE}))
    assert "Perhaps: C: SC Cavalier of spades" in page.text
    assert page.attributes("data-take") == ["SC"]
    page = page_of(client.post("/check/", {"text": samples.ANNOTATED.replace(" SK SJ", " SK SK SJ")}))
    assert "Perhaps: B: leave it out" in page.text
    assert page.attributes("data-take") == [""]


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


def test_what_cant_be_read_is_not_sent_and_stays_in_the_field(client: Client) -> None:
    upload = upload_of(client, FAULTY)
    answer = send(client, f"/uploads/{upload.pk}/records/1/edit/", samples.DEALT_TWICE)
    assert answer.status_code == 422
    page = page_of(answer)
    assert field(answer) == samples.DEALT_TWICE
    assert "can’t be read yet" in page.text
    assert "Found ♦1 a second time" in page.text
    assert Upload.objects.count() == 1


def test_check_without_a_script(client: Client) -> None:
    upload = upload_of(client, FAULTY)
    answer = send(client, f"/uploads/{upload.pk}/records/1/edit/", samples.WRONG_CLAIM, "check")
    page = page_of(answer)
    assert field(answer) == samples.WRONG_CLAIM
    assert "Disputed" in page.text
    assert "+105" in page.text
    assert "+100" in page.text
    assert Upload.objects.count() == 1


def test_of_somebody_elses_upload_there_is_nothing(client: Client, alena: User) -> None:
    upload = upload_of(client, FAULTY)
    address = f"/uploads/{upload.pk}/records/1/edit/"
    assert client.get(address).status_code == 200
    for number in (0, 2):
        assert client.get(f"/uploads/{upload.pk}/records/{number}/edit/").status_code == 404
    stranger = Client()
    assert stranger.get(address).status_code == 404
    operator = User.objects.create_user("op", is_staff=True)
    stranger.force_login(operator)
    assert stranger.get(f"/uploads/{upload.pk}/").status_code == 200
    assert stranger.get(address).status_code == 404


# --- nothing is lost ------------------------------------------------------------------------------------


def test_after_the_session_ended(client: Client, alena: User) -> None:
    upload = upload_of(client, FAULTY)
    client.logout()
    answer = send(client, f"/uploads/{upload.pk}/records/1/edit/", samples.ANNOTATED)
    assert answer.status_code == 403
    assert field(answer) == samples.ANNOTATED
    assert not Deal.objects.exists()


def test_without_a_token_against_forgery(client: Client) -> None:
    careful = Client(enforce_csrf_checks=True)
    careful.cookies = client.cookies
    upload = upload_of(client, FAULTY)
    careful.cookies = client.cookies
    for where in (f"/uploads/{upload.pk}/records/1/edit/", "/check/"):
        for origin, is_kept in (("http://testserver", True), ("https://other.example", False)):
            answer = careful.post(where, {"text": samples.ANNOTATED}, headers={"origin": origin})
            assert answer.status_code == 403
            assert ("Alena" in answer.content.decode()) == is_kept, "nothing is echoed to other sites"
    assert not Deal.objects.exists()


@pytest.mark.parametrize(
    ("target", "how", "status"),
    [
        ("archive.storing.uploads.receive", {"side_effect": Unavailable}, 503),
        ("archive.storing.uploads.receive", {"side_effect": RuntimeError}, 500),
        ("archive.storing.uploads.receive", {"side_effect": uploads.OverQuota(90)}, 429),
        ("archive.web.throttles.seconds_to_wait", {"return_value": 5}, 429),
    ],
)
def test_whatever_goes_wrong(client: Client, target: str, how: dict[str, Any], status: int) -> None:
    upload = upload_of(client, FAULTY)
    with mock.patch(target, **how):
        answer = send(client, f"/uploads/{upload.pk}/records/1/edit/", samples.ANNOTATED)
    assert answer.status_code == status
    assert field(answer) == samples.ANNOTATED
    assert "note error" in answer.content.decode()
    assert not Deal.objects.exists()


def test_a_text_that_is_too_long(client: Client) -> None:
    upload = upload_of(client, FAULTY)
    text = "x" * (MAX_TEXT + 1)
    answer = send(client, f"/uploads/{upload.pk}/records/1/edit/", text)
    assert answer.status_code == 413
    assert field(answer) == text


def test_bytes_that_are_no_text(client: Client) -> None:
    raw = samples.ANNOTATED.replace("Alena", "Al\xe9na").encode("latin-1", "replace")
    client.post("/upload/", {"files": io.BytesIO(raw)})
    upload = Upload.objects.get()
    answer = client.get(f"/uploads/{upload.pk}/records/1/edit/")
    assert "Al\N{REPLACEMENT CHARACTER}na" in field(answer)
    assert "UTF-8" in page_of(answer).text


# --- the record of a deal -------------------------------------------------------------------------------


def test_who_may_change_a_deal_may_edit_it(client: Client, alena: User, store: Store) -> None:
    (deal,) = store(samples.ILLEGAL, user=alena)
    address = f"/deals/{deal.pk}/edit/"
    assert address in page_of(client.get(f"/deals/{deal.pk}/")).attributes("href")
    page = page_of(client.get(address))
    assert read_one(field(client.get(address))).digest == deal.hex_digest
    assert "Illegal" in page.text
    stranger = Client()
    assert address not in stranger.get(f"/deals/{deal.pk}/").content.decode()
    assert stranger.get(address).status_code == 404


def test_the_same_deal_is_corrected(client: Client, alena: User, store: Store) -> None:
    (deal,) = store(samples.ANNOTATED, user=alena)
    address = f"/deals/{deal.pk}/edit/"
    text = field(client.get(address))
    answer = send(client, address, text.replace('"Alena"', '"Alenka"'), follow=True)
    assert answer.redirect_chain == [(f"/deals/{deal.pk}/", 302)]
    assert "Your correction is saved." in page_of(answer).text
    said = Contribution.objects.get()
    assert said.seats.first().player.name == "Alenka"
    assert [change.word for change in corrections.history(said)] == ["players"]
    assert corrections.history(said)[0].user == "alena"
    again = send(client, address, text.replace('"Alena"', '"Alenka"'), follow=True)
    assert "Nothing was changed." in page_of(again).text
    assert Upload.objects.count() == 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"Alena"', '"Cyril "', "Two players are called Cyril."),
        ('"2026-11-20"', '"2206-11-20"', "Did you mean 2026-11-20?"),
    ],
)
def test_namesakes_and_dates_that_cannot_be_are_not_sent(
    client: Client, alena: User, store: Store, old: str, new: str, message: str
) -> None:
    (deal,) = store(samples.ANNOTATED, user=alena)
    address = f"/deals/{deal.pk}/edit/"
    text = field(client.get(address)).replace(old, new, 1)
    # While one types, it is a warning: the verdict stays.
    checked = page_of(client.post("/check/", {"text": text})).text
    assert message in checked
    assert "Verified" in checked
    answer = send(client, address, text)
    assert answer.status_code == 422
    assert message in page_of(answer).text
    assert field(answer) == text
    assert not Contribution.objects.get().changes.exists()


def test_a_pseudonym_is_not_taken_for_a_name(client: Client, alena: User, store: Store) -> None:
    (deal,) = store(samples.ANNOTATED, user=alena)
    Player.objects.filter(name="Alena").update(pseudonym="A. B.")
    text = field(client.get(f"/deals/{deal.pk}/edit/"))
    assert '[A "Alena"]' in text
    send(client, f"/deals/{deal.pk}/edit/", text.replace("Hlučín club evening", "Another evening"))
    assert [change.word for change in corrections.history(Contribution.objects.get())] == ["event"]


def test_another_deal_comes_in_its_place(client: Client, alena: User, store: Store) -> None:
    (old,) = store(samples.ILLEGAL, user=alena)
    answer = send(client, f"/deals/{old.pk}/edit/", samples.ANNOTATED, follow=True)
    new = Deal.objects.exclude(pk=old.pk).get()
    assert answer.redirect_chain[-1][0] == f"/deals/{new.pk}/"
    said, former = new.contributions.get(), old.deal.contributions.get()
    assert (former.replaced_by, former.visibility) == (said, "replaced")
    assert [deal.pk for deal in storing.deals(viewer=viewer(alena))] == [new.pk]
    assert f"/deals/{old.pk}-{former.pk}/" in page_of(answer).attributes("href")
    page = page_of(client.get(f"/deals/{old.pk}/"))
    assert "It was replaced by a corrected record." in page.text
    assert client.get(f"/deals/{old.pk}/edit/").status_code == 404


def test_only_one_record_comes_in_the_place_of_a_deal(client: Client, alena: User, store: Store) -> None:
    (old,) = store(samples.ILLEGAL, user=alena)
    both = samples.ANNOTATED + "\n" + samples.WRONG_CLAIM
    answer = send(client, f"/deals/{old.pk}/edit/", both)
    assert answer.status_code == 422
    assert field(answer) == both
    assert Upload.objects.count() == 1


def test_a_record_that_text_cant_write_is_edited_as_json(client: Client, alena: User, store: Store) -> None:
    form = json.loads(dump_json(read_one(samples.ANNOTATED)))
    form["events"][samples.FIRST_CARD + 1][0] = form["events"][samples.FIRST_CARD][0]
    (deal,) = store(json.dumps(form), user=alena)
    text = field(client.get(f"/deals/{deal.pk}/edit/"))
    assert text.startswith('{\n  "tgn": 1,\n')
    assert read_one(text).digest == deal.hex_digest


# --- checked as one types -------------------------------------------------------------------------------


def test_check_answers_a_part_of_a_page(client: Client) -> None:
    answer = client.post("/check/", {"text": FAULTY})
    assert answer.status_code == 200
    assert b"<html" not in answer.content
    assert len(Page(answer.content.decode()).attributes("data-line")) >= 2
    assert not Upload.objects.exists()
    page = client.get("/check/")
    assert page.status_code == 200
    assert b"<html" in page.content


def test_check_speaks_the_readers_language(client: Client) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    text = page_of(client.post("/check/", {"text": samples.DEALT_TWICE})).text
    assert "Zeile" in text


def test_check_is_limited(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.post("/check/", {"text": "x" * (MAX_TEXT + 1)}).status_code == 413
    assert client.post("/check/", {"text": "x" * 4 * MAX_TEXT}).status_code == 413
    monkeypatch.setattr(throttles.Checks, "rate", "2/min")
    cache.clear()
    answers = [client.post("/check/", {"text": samples.ANNOTATED}).status_code for _ in range(3)]
    assert answers == [200, 200, 429]


def test_several_records_and_half_characters(client: Client) -> None:
    page = page_of(client.post("/check/", {"text": samples.ANNOTATED + "\n" + samples.ILLEGAL}))
    assert "Record 2" in page.text
    assert client.post("/check/", {"text": r'{"\ud800": 1}'}).status_code == 200
    assert client.post("/check/", {"text": ""}).status_code == 200


@pytest.mark.parametrize("game", ["strohmann", "taroky", "troggu", "grosstarock"])
def test_the_json_form_laid_out_is_the_same(game: str) -> None:
    (record,) = simulate(game, deals=1, seed=3)
    form = json.loads(dump_json(record))
    assert json.loads(editing.laid_out(form)) == form


def test_places_are_counted_as_browsers_do() -> None:
    text = samples.ANNOTATED.replace('"Alena"', '"🂡lena"').replace("4. A DQ", "4. E DQ")
    (fault,) = editing.checked(text).records[0].faults
    assert text.encode("utf-16-le")[2 * fault.start : 2 * fault.end].decode("utf-16-le") == "E"
