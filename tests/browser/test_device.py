"""Data on a device: only the present user's is shown, signing out asks, and what was typed before the
session ended isn't lost."""

import re

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, expect

from archive.models import Space
from archive.storing import spaces

from .accounts import be, new_user, sign_in, sign_out, sign_up
from .conftest import Address
from .device import names, store
from .evening_deals import TAROKY

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def kept(page: Page) -> list[str]:
    """Return the prefixes of the names under which people's entries are stored."""
    return sorted(name.split(":")[0] for name in names(page) if ":" in name or "evenings-start" in name)


def user_of(page: Page) -> str:
    """Return the id of the signed-in user."""
    value = next(one["value"] for one in page.context.cookies() if one["name"] == "device_user")
    return str(value).rstrip("+")


def nothing_is_seen(page: Page, address: Address) -> None:
    page.goto(address("/evenings/"))
    expect(page.locator('[data-key="new"]')).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert page.locator(".evening-list").count() == 0
    assert "Bořek" not in page.content()


def test_what_was_sent_goes_when_one_signs_out(address, phone) -> None:
    page = phone.page
    # A guest begins, and takes the evening along.
    phone.begin(TAROKY, 1)
    sign_up(page, address, "first")
    phone.open()
    phone.tap(page.locator(".evening-list a").first)
    phone.enter(2, TAROKY.deals[1])
    phone.until_sent()
    where = page.url
    assert kept(page) == [f"{user_of(page)}@evening", f"{user_of(page)}@evenings-start"]
    sign_out(page, address)
    expect(page.locator(".site-header")).to_contain_text("Sign in")
    assert kept(page) == []
    nothing_is_seen(page, address)
    sign_up(page, address, "second")
    page.goto(where)
    nothing_is_seen(page, address)


def test_what_was_not_sent_is_asked_about(address, phone) -> None:
    page, dialog = phone.page, phone.page.locator("#signing-out")
    phone.begin(TAROKY, 1, user=new_user("keeper"))
    phone.context.route("**/evenings/*/deals/*", lambda route: route.abort())
    phone.enter(2, TAROKY.deals[1])
    expect(phone.key("deal 2")).to_contain_text("not sent")
    sign_out(page, address)
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Stay signed in").click()
    sign_out(page, address)
    dialog.get_by_role("button", name="Keep them").click()
    expect(page.locator(".site-header")).to_contain_text("Sign in")
    nothing_is_seen(page, address)
    expect(page.locator(".phone-status")).to_contain_text("Evenings of a signed-out account")
    sign_up(page, address, "another")
    nothing_is_seen(page, address)
    sign_out(page, address)
    expect(page.locator(".site-header")).to_contain_text("Sign in")
    # Its user finds it again, and sends it on the way out.
    sign_in(page, address, "keeper")
    phone.open()
    phone.tap(page.locator(".evening-list a").first)
    expect(phone.key("deal 2")).to_contain_text("not sent")
    sign_out(page, address)
    phone.context.unroute("**/evenings/*/deals/*")
    dialog.get_by_role("link", name="Send evenings now").click()
    page.wait_for_url("**/accounts/logout/")
    page.locator("main").get_by_role("button", name=re.compile("Sign out", re.IGNORECASE)).click()
    expect(page.locator(".site-header")).to_contain_text("Sign in")
    assert kept(page) == []
    # The question includes a board and a text, which can be deleted.
    sign_in(page, address, "keeper")
    page.goto(address("/upload/"))
    page.get_by_label("Type or paste deals").fill("half a deal")
    page.on("dialog", lambda one: one.accept())
    store(page, f"{user_of(page)}@board:1", {"key": "1", "at": 1})
    sign_out(page, address)
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("link", name="Send evenings now")).to_be_hidden()
    dialog.get_by_role("button", name="Delete them").click()
    expect(page.locator(".site-header")).to_contain_text("Sign in")
    assert kept(page) == []


def test_typed_before_the_session_ended(page, address) -> None:
    """The sign-in in the new tab gives a new token: one press is enough all the same."""
    alena = new_user("alena")
    club = spaces.found_club("Tarok", by=alena)
    be(page.context, address, alena)
    page.goto(address(f"/clubs/{club.pk}/settings/"))
    page.get_by_label("Place").fill("Hlučín u Opavy")
    Session.objects.all().delete()
    page.get_by_role("button", name="Save").first.click()
    expect(page.locator("main")).to_contain_text("You are not signed in")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Sign in (in a new tab)").click()
    sign_in(opened.value, address, "alena")
    page.get_by_role("button", name="Send it again").click()
    expect(page).to_have_url(address(f"/clubs/{club.pk}/"))
    assert Space.objects.get(pk=club.pk).place == "Hlučín u Opavy"
