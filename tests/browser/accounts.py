"""Accounts in a browser: signing up and signing in, with one password for all."""

import re

from playwright.sync_api import Page, expect

from .conftest import Address

PASSWORD = "cards-on-the-table-7"


def sign_up(page: Page, address: Address, name: str) -> None:
    page.goto(address("/accounts/signup/"))
    page.get_by_label("Username").fill(name)
    for field in page.locator('input[type="password"]').all():
        field.fill(PASSWORD)
    page.get_by_role("button", name=re.compile("Sign up", re.IGNORECASE)).click()
    expect(page.locator(".site-header")).to_contain_text(name)


def sign_in(page: Page, address: Address, name: str) -> None:
    page.goto(address("/accounts/login/"))
    page.get_by_label("Username").fill(name)
    page.locator('input[type="password"]').fill(PASSWORD)
    page.get_by_role("button", name=re.compile("^Sign in$", re.IGNORECASE)).last.click()
    expect(page.locator(".site-header")).to_contain_text(name)


def sign_out(page: Page, address: Address) -> None:
    page.goto(address("/deals/"))
    page.locator("details.menu summary").click()
    page.get_by_role("button", name="Sign out").click()
