"""Accounts: tokens for the API, and what signing up and in tells to whom."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.utils import timezone

from archive import tokens
from archive.models import Contribution, Space, Token
from tests import samples

from .conftest import Page, text_of

pytestmark = pytest.mark.django_db

TOKENS = "/accounts/token/"
GIVEN = {"name": "the club's script", "scopes": ["deals:write"], "lasts": "90", "ends_with_password": "on"}


@pytest.fixture
def eva() -> User:
    return User.objects.create_user("eva", email="eva@example.org", password="tarock and tea")


@pytest.fixture
def hers(client: Client, eva: User) -> Client:
    """Her browser, in which she has signed in."""
    client.force_login(eva)
    return client


# --- tokens ---------------------------------------------------------------------------------------------


def test_a_token_is_shown_once(hers: Client, eva: User) -> None:
    assert "You have no token." in hers.get(TOKENS).content.decode()
    made = hers.post(TOKENS, GIVEN)
    (secret,) = set(re.findall(r"tarock_[0-9a-f]{48}", made.content.decode()))
    assert "no-store" in made["Cache-Control"]
    later = Page(hers.get(TOKENS).content.decode())
    assert secret not in later.text
    assert "the club's script" in later.text
    assert "Send deals, and correct those that I sent" in later.text
    assert "never used" in later.text
    token = tokens.find(secret)
    assert token is not None
    assert (token.user, token.scopes, token.ends_with_password) == (eva, ["deals:write"], True)
    assert timedelta(days=89) < token.expires_at - timezone.now() < timedelta(days=91)
    assert secret.encode() not in bytes(token.digest)
    assert "last used on" in Page(hers.get(TOKENS).content.decode()).text


def test_a_token_may_never_expire_outlive_the_password_and_only_read(hers: Client) -> None:
    assert hers.post(TOKENS, {"name": "x", "lasts": ""}).status_code == 200
    token = Token.objects.get()
    assert (token.expires_at, token.scopes, token.ends_with_password) == (None, [], False)
    text = Page(hers.get(TOKENS).content.decode()).text
    assert "Can only read" in text
    assert "does not expire" in text


@pytest.mark.parametrize(
    "wrong", [{"name": ""}, {"name": "x" * 101}, {"scopes": ["deals:read"]}, {"lasts": "forever"}]
)
def test_what_is_no_token_is_not_made(hers: Client, wrong: dict[str, object]) -> None:
    answer = hers.post(TOKENS, {**GIVEN, **wrong})
    assert answer.status_code == 400
    assert 'class="error"' in answer.content.decode()
    assert not Token.objects.exists()


def test_a_scope_for_the_staff_is_for_the_staff(hers: Client, eva: User) -> None:
    campaigns = {**GIVEN, "scopes": ["campaigns:write"]}
    assert "campaigns:write" not in hers.get(TOKENS).content.decode()
    assert hers.post(TOKENS, campaigns).status_code == 400
    User.objects.filter(pk=eva.pk).update(is_staff=True)
    assert hers.post(TOKENS, campaigns).status_code == 200
    assert Token.objects.get().scopes == ["campaigns:write"]


def test_there_is_a_limit(hers: Client, eva: User) -> None:
    for _ in range(tokens.MOST):
        tokens.make(eva, "one more")
    answer = hers.post(TOKENS, GIVEN)
    assert answer.status_code == 400
    assert "You have 20 tokens" in Page(answer.content.decode()).text
    assert eva.tokens.count() == tokens.MOST


def test_a_token_is_renamed_and_ended(hers: Client, eva: User) -> None:
    token, secret = tokens.make(eva, "first")
    one = f"{TOKENS}{token.pk}/"
    assert "second" in hers.post(one, {"name": "second"}, follow=True).content.decode()
    assert hers.post(one, {"name": " "}, follow=True).status_code == 200
    token.refresh_from_db()
    assert token.name == "second"
    assert tokens.find(secret) is not None
    assert "The token is revoked" in hers.post(one, {"action": "end"}, follow=True).content.decode()
    assert tokens.find(secret) is None


def test_a_token_is_its_owner_s_alone(hers: Client) -> None:
    of_adam, _secret = tokens.make(User.objects.create_user("adam"), "adam's own")
    assert "adam" not in hers.get(TOKENS).content.decode()
    for given in ({"action": "end"}, {"name": "eva's"}):
        assert hers.post(f"{TOKENS}{of_adam.pk}/", given).status_code == 404
    of_adam.refresh_from_db()
    assert of_adam.name == "adam's own"


def test_a_token_takes_an_account_and_a_form_of_ours(client: Client, eva: User) -> None:
    assert client.get(TOKENS)["Location"].startswith("/accounts/login/?next=")
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(eva)
    assert strict.post(TOKENS, GIVEN).status_code == 403
    assert not Token.objects.exists()


# --- tokens and passwords -------------------------------------------------------------------------------


NEW = "another pot of tea"


def _on_the_site(client: Client, eva: User) -> None:
    given = {"oldpassword": "tarock and tea", "password1": NEW, "password2": NEW}
    assert client.post("/accounts/password/change/", given).status_code == 302


def _by_mail(client: Client, eva: User) -> None:
    guest = Client()
    guest.post("/accounts/password/reset/", {"email": eva.email})
    (link,) = re.findall(r"/accounts/password/reset/key/\S+", str(mail.outbox[0].body))
    form = guest.get(link, follow=True)
    guest.post(form.redirect_chain[-1][0], {"password1": NEW, "password2": NEW})


def _by_the_operator(client: Client, eva: User) -> None:
    operator = Client()
    operator.force_login(User.objects.create_superuser("operator"))
    given = {"usable_password": "true", "password1": NEW, "password2": NEW}
    assert operator.post(f"/admin/auth/user/{eva.pk}/password/", given).status_code == 302


@pytest.mark.parametrize("change", [_on_the_site, _by_mail, _by_the_operator])
def test_a_token_ends_with_the_password_if_it_is_to(hers: Client, eva: User, change: object) -> None:
    bound, free = tokens.make(eva, "bound")[1], tokens.make(eva, "free", ends_with_password=False)[1]
    of_adam = tokens.make(User.objects.create_user("adam"), "his")[1]
    change(hers, eva)  # type: ignore[operator]
    eva.refresh_from_db()
    assert eva.check_password(NEW)
    assert tokens.find(bound) is None
    assert tokens.find(free) is not None
    assert tokens.find(of_adam) is not None


def test_signing_in_and_other_changes_of_an_account_end_no_token(client: Client, eva: User) -> None:
    bound = tokens.make(eva, "bound")[1]
    User.objects.filter(pk=eva.pk).update(password=re.sub(r"\$\d+\$", "$1$", eva.password))  # hashed again
    client.post("/accounts/login/", {"login": "eva", "password": "tarock and tea"})
    eva.refresh_from_db()
    eva.first_name = "Eva"
    eva.save()
    assert tokens.find(bound) is not None


# --- signing up and in ----------------------------------------------------------------------------------


def test_signing_up_does_not_tell_who_has_an_account(eva: User) -> None:
    answers = []
    for name, email in (("adam", "adam@example.org"), ("eve", eva.email)):
        given = {"username": name, "email": email, "password1": NEW, "password2": NEW}
        answers.append(Client().post("/accounts/signup/", given))
    assert [answer.status_code for answer in answers] == [302, 302]
    assert answers[0]["Location"] == answers[1]["Location"]


def test_operators_sign_in_where_all_do(client: Client, eva: User) -> None:
    User.objects.create_superuser("operator", password="tarock and tea")
    answer = client.get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0].startswith("/accounts/login/?next=")
    given = {"login": "operator", "password": "tarock and tea"}
    answer = client.post(answer.redirect_chain[-1][0], given, follow=True)
    assert answer.redirect_chain[-1][0] == "/admin/"
    assert answer.status_code == 200
    other = Client()
    other.force_login(eva)
    assert other.get("/admin/", follow=True).status_code == 403


def test_wrong_passwords_of_operators_meet_the_limit(client: Client) -> None:
    User.objects.create_superuser("operator", password="tarock and tea")
    wrong = {"username": "operator", "login": "operator", "password": "coffee"}
    right = {"username": "operator", "login": "operator", "password": "tarock and tea"}
    for _ in range(20):
        login = client.get("/admin/login/", follow=True).redirect_chain[-1][0]
        client.post(login, wrong)
        assert client.post("/admin/login/", right).status_code == 302  # no other password is needed
    answer = client.post(login, right)
    assert "_auth_user_id" not in client.session
    assert "Too many failed login attempts" in answer.content.decode() or answer.status_code == 429


def test_the_page_of_deletion_names_the_clubs_that_go(signed_in: Client, club: Space, alena: User) -> None:
    signed_in.post("/upload/", {"text": samples.ANNOTATED, "space": club.pk, "visibility": "members"})
    text = text_of(signed_in, "/accounts/delete/")
    assert "You are the only member of these clubs." in text
    assert "Tarok" in text
    assert "1 deal that only members can see is deleted in any case" in text
    alena.set_password("kontra rekontra")
    alena.save()
    signed_in.force_login(alena)
    choice = {"password": "kontra rekontra", "deals": "keep"}
    assert signed_in.post("/accounts/delete/", choice)["Location"] == "/"
    assert not Space.objects.filter(kind="club").exists()
    assert not Contribution.objects.exists()
