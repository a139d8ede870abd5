"""Forms that were sent with an outdated token or sign-in come back filled in."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from archive.models import Contribution, Player, Space, Upload
from archive.shown import ShownDeal
from tests import samples
from tests.pages.conftest import Page, Store

pytestmark = pytest.mark.django_db

HERE = {"origin": "http://testserver"}
TEXT = '\r\n{手札と "<b>"}\r\n\r\n' + samples.ANNOTATED.replace("\n", "\r\n") + "\r\n \r\n"
"""Blank lines at both ends, other letters, characters that HTML escapes."""


@pytest.fixture
def strict(alena: User) -> Client:
    """Alena's browser, which gives no token."""
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alena)
    return strict


def sent_again(answer: Any, form: str = "data-again") -> dict[str, list[str]]:
    """Return the data that the button of a form sends, without new passwords and files."""
    text = answer.content.decode().partition(form)[2].partition("</form>")[0]
    assert text.count("<button") == 1
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input[^>]*? name="([^"]+)"[^>]*? value="([^"]*)"', text):
        found.setdefault(name, []).append(html.unescape(value))
    for name, value in re.findall(r'<textarea[^>]* name="([^"]+)"[^>]*>\n(.*?)</textarea>', text, re.S):
        lines = html.unescape(value).replace("\r\n", "\n").replace("\n", "\r\n")
        found.setdefault(name, []).append(lines)
    return found


def test_what_was_typed_comes_back_with_a_new_token(strict: Client) -> None:
    answer = strict.post(
        "/upload/", {"text": TEXT, "visibility": "members", "more": ["a", "b"]}, headers=HERE
    )
    assert answer.status_code == 403
    page = Page(answer.content.decode())
    assert not page.unsafe
    assert "Nothing you wrote is lost" in page.text
    assert "You are signed in as alena." in page.text
    again = sent_again(answer)
    token = again.pop("csrfmiddlewaretoken")
    assert again == {"text": [TEXT], "visibility": ["members"], "more": ["a", "b"]}
    assert not Upload.objects.exists()
    strict.post("/upload/", {**again, "csrfmiddlewaretoken": token[0]}, headers=HERE)
    assert Contribution.objects.get().visibility == "members"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "null"},
        {"origin": "https://other.example"},
        {"origin": "http://testserver", "sec-fetch-site": "cross-site"},
        {"origin": "http://testserver", "sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none"},
    ],
)
def test_another_site_gets_nothing_back(strict: Client, headers: dict[str, str]) -> None:
    for where in ("/upload/", "/accounts/token/", "/clubs/new/", "/check/", "/accounts/login/"):
        answer = strict.post(where, {"text": "kontra", "name": "kontra", "page": "1"}, headers=headers)
        assert answer.status_code == 403, where
        assert "kontra" not in answer.content.decode(), where
        assert "was not sent from a page of this site" in Page(answer.content.decode()).text


def test_no_password_comes_back(strict: Client) -> None:
    words = {
        "login": "alena",
        "password": "secret1 tea",
        "password1": "secret2 tea",
        "oldpassword": "secret3 tea",
    }
    for where in ("/accounts/login/", "/accounts/delete/", "/accounts/password/change/"):
        answer = strict.post(where, words, headers=HERE)
        text = answer.content.decode()
        assert (answer.status_code, "secret" in text) == (403, False)
        assert len(re.findall('<input[^>]*type="password"', text)) == 3
        assert 'value="alena"' in text


def test_a_chosen_file_is_asked_for_again(strict: Client) -> None:
    file = SimpleUploadedFile("evening.tgn", samples.ANNOTATED.encode())
    answer = strict.post("/upload/", {"text": "more", "files": file}, headers=HERE)
    text = answer.content.decode()
    assert "Choose them again: evening.tgn" in Page(text).text
    assert 'enctype="multipart/form-data"' in text
    assert re.search('<input[^>]*name="files" type="file"', text)


def test_a_form_that_needs_a_sign_in_waits_for_it(taroky: ShownDeal, club: Space) -> None:
    """As does one to a page that is there for members alone."""
    player = Player.objects.get(name="Alena").pk
    for where, typed, status in (
        ("/clubs/new/", {"name": "Tarok Čáslav", "visibility": "public"}, 403),
        (f"/players/{player}/manage/", {"action": "rename", "text": "Alena"}, 403),
        (f"/clubs/{club.pk}/settings/", {"action": "club", "name": "Tarok", "place": "Brno"}, 403),
        ("/accounts/token/", {"name": "my phone"}, 403),
        (f"/deals/{taroky.pk}/correct/", {"name_A": "Ada", "Session": "S"}, 404),
    ):
        answer = Client().post(where, typed)
        assert answer.status_code == status, where
        assert re.search(
            r"You are not signed in\..*Sign in \(in a new tab\)", Page(answer.content.decode()).text
        )
        again = sent_again(answer)
        del again["csrfmiddlewaretoken"]
        assert again == {name: [value] for name, value in typed.items()}


def test_a_form_without_anything_typed_leads_to_the_sign_in(club: Space) -> None:
    answer = Client().post(f"/clubs/{club.pk}/invitations/", {"end": "1"})
    assert answer["Location"].startswith("/accounts/login/")
    assert Client().post("/deals/99/visibility/", {"visibility": "members"}).status_code == 404


def test_who_lost_the_right_meanwhile_gets_the_text_back(other: Client, taroky: ShownDeal) -> None:
    answer = other.post(f"/deals/{taroky.pk}/correct/", {"name_A": "Ada Nováková"})
    assert answer.status_code == 404
    page = Page(answer.content.decode())
    assert "don’t have permission to change it" in page.text
    assert "Player at seat A" in page.text
    assert sent_again(answer)["name_A"] == ["Ada Nováková"]


def test_a_long_text_comes_back_whole(strict: Client, store: Store) -> None:
    text = samples.ANNOTATED.replace("\n", "\r\n") * 200
    assert sent_again(strict.post("/upload/", {"text": text}, headers=HERE))["text"] == [text]
