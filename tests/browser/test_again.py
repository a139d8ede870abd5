"""Text that was typed before a sign-in in another tab, or before the session ended, isn't lost."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, expect

from archive.models import Space
from archive.storing import spaces
from tests import samples

from .conftest import Address

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "kontra rekontra 7"


def sign_in(page: Page, address: Address) -> None:
    page.goto(address("/accounts/login/"))
    page.get_by_label("Username").fill("alena")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".site-header")).to_contain_text("alena")


def test_typed_before_signing_in_in_another_tab(page: Page, address: Address) -> None:
    User.objects.create_user("alena", password=PASSWORD)
    page.goto(address("/upload/"))
    page.get_by_label("Type or paste deals").fill(samples.ANNOTATED)
    other = page.context.new_page()
    sign_in(other, address)
    other.goto(address("/check/"))
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_label("Text")).to_have_value(samples.ANNOTATED)
    page.get_by_role("button", name="Send it again").click()
    expect(page.get_by_role("heading", name="Your upload")).to_be_visible()


def test_typed_before_the_session_ended(page: Page, address: Address) -> None:
    """The sign-in in the new tab gives a new token: one press is enough all the same."""
    alena = User.objects.create_user("alena", password=PASSWORD)
    club = spaces.found_club("Tarok", by=alena)
    sign_in(page, address)
    page.goto(address(f"/clubs/{club.pk}/settings/"))
    page.get_by_label("Place").fill("Hlučín u Opavy")
    Session.objects.all().delete()
    page.get_by_role("button", name="Save").first.click()
    expect(page.locator("main")).to_contain_text("You are not signed in")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Sign in (in a new tab)").click()
    sign_in(opened.value, address)
    page.get_by_role("button", name="Send it again").click()
    expect(page).to_have_url(address(f"/clubs/{club.pk}/"))
    assert Space.objects.get(pk=club.pk).place == "Hlučín u Opavy"
