"""Accounts in a browser: with one password for all."""

import re

from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import BrowserContext, Page, expect

from .conftest import Address

PASSWORD = "cards-on-the-table-7"


def new_user(name: str) -> User:
    return User.objects.create_user(name, password=PASSWORD)


def be(context: BrowserContext, address: Address, user: User) -> None:
    """Sign in without the form."""
    client = Client()
    client.force_login(user)
    take_session(context, address, client)


def take_session(context: BrowserContext, address: Address, client: Client) -> None:
    """Continue the session of a client in a browser."""
    value = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": value, "url": address("/")}])


def sign_up(page: Page, address: Address, name: str) -> None:
    page.goto(address("/accounts/signup/"))
    _send(page, name, "^Sign up$")


def sign_in(page: Page, address: Address, name: str) -> None:
    page.goto(address("/accounts/login/"))
    _send(page, name, "^Sign in$")


def _send(page: Page, name: str, button: str) -> None:
    page.get_by_label("Username").fill(name)
    for field in page.locator('input[type="password"]').all():
        field.fill(PASSWORD)
    page.get_by_role("button", name=re.compile(button, re.IGNORECASE)).last.click()
    expect(page.locator(".site-header")).to_contain_text(name)


def sign_out(page: Page, address: Address) -> None:
    page.goto(address("/deals/"))
    page.locator("details.menu summary").click()
    page.get_by_role("button", name="Sign out").click()
