"""Accounts: tokens for the API, webhooks, and what signing up and in tells to whom."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.utils import timezone

from archive import tokens
from archive.models import Contribution, Deal, Delivery, Member, Player, Space, Token, Webhook
from archive.publishing import webhooks
from archive.storing import players, spaces
from tests.support import samples
from tests.support.storing import deal_of

from .conftest import Page, browser_of, missing, page_at, page_of, present, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]

TOKENS = "/accounts/token/"
GIVEN = {"name": "the club's script", "scopes": ["deals:write"], "lasts": "90", "ends_with_password": "on"}


@pytest.fixture
def eva() -> User:
    return User.objects.create_user("eva", email="eva@example.org", password="tarock and tea")


@pytest.fixture
def hers(client: Client, eva: User) -> Client:
    client.force_login(eva)
    return client


def test_a_token_is_shown_once(hers: Client, eva: User) -> None:
    assert "You have no tokens." in hers.get(TOKENS).text
    made = hers.post(TOKENS, GIVEN)
    (secret,) = set(re.findall(r"tarock_[0-9a-f]{48}", made.text))
    assert "no-store" in made["Cache-Control"]
    later = page_at(hers, TOKENS)
    assert secret not in later.text
    assert missing(later.text, "the club's script", "Send deals, and correct those that I sent") == []
    assert "never used" in later.text
    token = tokens.find(secret)
    assert token is not None
    assert (token.user, token.scopes, token.ends_with_password) == (eva, ["deals:write"], True)
    assert timedelta(days=89) < token.expires_at - timezone.now() < timedelta(days=91)
    assert secret.encode() not in bytes(token.digest)
    assert "last used on" in text_of(hers, TOKENS)
    # It may never expire, outlive the password, and only read.
    assert hers.post(TOKENS, {"name": "x", "lasts": ""}).status_code == 200
    token = Token.objects.latest("pk")
    assert (token.expires_at, token.scopes, token.ends_with_password) == (None, [], False)
    assert missing(text_of(hers, TOKENS), "Can only read", "does not expire") == []


def test_what_is_no_token_is_not_made(hers: Client, eva: User) -> None:
    for wrong in ({"name": ""}, {"name": "x" * 101}, {"scopes": ["deals:read"]}, {"lasts": "forever"}):
        answer = hers.post(TOKENS, {**GIVEN, **wrong})
        assert (answer.status_code, 'class="error"' in answer.text) == (400, True), wrong
    # Only staff may have one of the scopes, and the number of tokens per user is limited.
    campaigns = {**GIVEN, "scopes": ["campaigns:write"]}
    assert "campaigns:write" not in hers.get(TOKENS).text
    assert hers.post(TOKENS, campaigns).status_code == 400
    assert not Token.objects.exists()
    User.objects.filter(pk=eva.pk).update(is_staff=True)
    assert hers.post(TOKENS, campaigns).status_code == 200
    assert Token.objects.get().scopes == ["campaigns:write"]
    for _ in range(tokens.MOST - 1):
        tokens.make(eva, "one more")
    assert "You have 20 tokens" in page_of(hers.post(TOKENS, GIVEN), 400).text
    assert eva.tokens.count() == tokens.MOST
    assert tokens.make(User.objects.create_user("adam"), "his first")


def test_a_token_is_renamed_and_ended_by_its_owner_alone(hers: Client, eva: User) -> None:
    token, secret = tokens.make(eva, "first")
    of_adam, _secret = tokens.make(User.objects.create_user("adam"), "adam's own")
    assert "adam" not in hers.get(TOKENS).text
    for given in ({"action": "end"}, {"name": "eva's"}):
        assert hers.post(f"{TOKENS}{of_adam.pk}/", given).status_code == 404
    one = f"{TOKENS}{token.pk}/"
    assert "second" in hers.post(one, {"name": "second"}, follow=True).text
    assert hers.post(one, {"name": " "}, follow=True).status_code == 200
    assert list(Token.objects.order_by("pk").values_list("name", flat=True)) == ["second", "adam's own"]
    assert tokens.find(secret) is not None
    assert "The token has been revoked" in hers.post(one, {"action": "end"}, follow=True).text
    assert tokens.find(secret) is None


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
    operator = browser_of(User.objects.create_superuser("operator"))
    given = {"usable_password": "true", "password1": NEW, "password2": NEW}
    assert operator.post(f"/admin/auth/user/{eva.pk}/password/", given).status_code == 302


@pytest.mark.parametrize("change", [_on_the_site, _by_mail, _by_the_operator])
def test_a_token_ends_with_the_password_if_it_is_to(
    hers: Client, eva: User, change: Callable[[Client, User], None]
) -> None:
    bound, free = tokens.make(eva, "bound")[1], tokens.make(eva, "free", ends_with_password=False)[1]
    of_adam = tokens.make(User.objects.create_user("adam"), "his")[1]
    change(hers, eva)
    eva.refresh_from_db()
    assert eva.check_password(NEW)
    assert [tokens.find(secret) is not None for secret in (bound, free, of_adam)] == [False, True, True]


def test_signing_in_and_other_changes_of_an_account_end_no_token(client: Client, eva: User) -> None:
    bound = tokens.make(eva, "bound")[1]
    User.objects.filter(pk=eva.pk).update(password=re.sub(r"\$\d+\$", "$1$", eva.password))  # hashed again
    client.post("/accounts/login/", {"login": "eva", "password": "tarock and tea"})
    eva.refresh_from_db()
    eva.first_name = "Eva"
    eva.save()
    assert tokens.find(bound) is not None


def test_signing_up_does_not_tell_who_has_an_account(eva: User) -> None:
    places = []
    for name, email in (("adam", "adam@example.org"), ("eve", eva.email)):
        given = {"username": name, "email": email, "password1": NEW, "password2": NEW}
        places.append(Client().post("/accounts/signup/", given)["Location"])
    assert places[0] == places[1]


def test_operators_sign_in_where_all_do_and_meet_the_same_limit(client: Client, eva: User) -> None:
    User.objects.create_superuser("operator", password="tarock and tea")
    assert browser_of(eva).get("/admin/", follow=True).status_code == 403
    login = client.get("/admin/", follow=True).redirect_chain[-1][0]
    assert login.startswith("/accounts/login/?next=")
    wrong = {"username": "operator", "login": "operator", "password": "coffee"}
    right = wrong | {"password": "tarock and tea"}
    answer = Client().post(login, right, follow=True)
    assert (answer.redirect_chain[-1][0], answer.status_code) == ("/admin/", 200)
    for _ in range(20):
        login = client.get("/admin/login/", follow=True).redirect_chain[-1][0]
        client.post(login, wrong)
        assert client.post("/admin/login/", right).status_code == 302  # no other password is needed
    answer = client.post(login, right)
    assert "_auth_user_id" not in client.session
    assert "Too many failed login attempts" in answer.text or answer.status_code == 429


@pytest.mark.parametrize(("deals", "left"), [("keep", 1), ("delete", 0)])
def test_an_account_is_deleted(client: Client, eva: User, deals: str, left: int) -> None:
    deal = deal_of(samples.ANNOTATED, user=eva)
    client.force_login(eva)
    players.this_is_me(Member.objects.get(user=eva), Player.objects.get(name="Alena"))
    wrong = client.post("/accounts/delete/", {"deals": deals, "password": "wrong"})
    assert "That is not your password." in page_of(wrong, 400).text
    client.post("/accounts/delete/", {"deals": deals, "password": "tarock and tea"})
    assert not User.objects.exists()
    assert Deal.objects.count() == left
    assert client.get(f"/deals/{deal.pk}/").status_code == (200 if left else 404)


def test_the_page_of_deletion_names_the_clubs_that_stay_or_go(
    signed_in: Client, club: Space, alena: User, borek: User
) -> None:
    signed_in.post("/upload/", {"text": samples.ANNOTATED, "space": club.pk, "visibility": "members"})
    member = spaces.join(spaces.invite(club, by=alena), borek)
    choice = {"password": "-secret-7", "deals": "keep", "club": club.pk}
    assert "You are the only owner of these clubs." in text_of(signed_in, "/accounts/delete/")
    signed_in.post("/accounts/delete/", choice)
    assert User.objects.filter(pk=alena.pk).exists()
    spaces.leave(member)
    text = text_of(signed_in, "/accounts/delete/")
    assert missing(text, "You are the only member of these clubs.", "Tarok") == []
    assert "1 deal that only members can see is deleted in any case" in text
    assert signed_in.post("/accounts/delete/", choice)["Location"] == "/"
    assert not Space.objects.filter(kind="club").exists()
    assert not Contribution.objects.exists()


def test_a_webhook_of_a_club(signed_in: Client, club: Space) -> None:
    here = f"/clubs/{club.pk}/webhooks/"
    assert "There are no webhooks yet." in text_of(signed_in, here)
    answer = signed_in.post(here, {"action": "add", "url": " https://receiver.example/hook "}, follow=True)
    made = Webhook.objects.get(space=club)
    assert made.url == "https://receiver.example/hook"
    assert missing(Page(answer.text).text, "Everything has been sent.", webhooks.secret(made)) == []
    Delivery.objects.create(webhook=made, after=0, last=7, number=3, status=503, response="<b>busy", took=12)
    Webhook.objects.update(failures=2, due_at=timezone.now())
    assert missing(text_of(signed_in, here), "The last message was not accepted.", "503 <b>busy") == []
    signed_in.post(here, {"action": "start", "number": made.pk})
    assert Webhook.objects.get().failures == 0
    for url in ("", "https://a.example/" + 500 * "x"):
        answer = signed_in.post(here, {"action": "add", "url": url})
        assert "Enter a full URL that begins with https://" in page_of(answer, 400).text
        assert f'value="{url}"' in answer.text, "it is shown again"
    signed_in.post(here, {"action": "end", "number": made.pk})
    assert not Webhook.objects.exists()
    assert signed_in.post(here, {"action": "end", "number": made.pk}).status_code == 404


def test_nobody_ends_the_webhook_of_another(
    signed_in: Client, other: Client, club: Space, alena: User
) -> None:
    signed_in.post("/accounts/webhooks/", {"action": "add", "url": "https://a.example/"})
    own = Webhook.objects.get()
    assert own.space == spaces.own(alena)
    clubs = webhooks.add(club, "https://a.example/", by=alena)
    for who, page, webhook in (
        (signed_in, "/accounts/webhooks/", clubs),
        (other, "/accounts/webhooks/", own),
        (other, f"/clubs/{club.pk}/webhooks/", clubs),
    ):
        assert who.post(page, {"action": "end", "number": webhook.pk}).status_code == 404
    assert Webhook.objects.count() == 2


def test_a_webhook_of_another_owner(signed_in: Client, club: Space, borek: User) -> None:
    here = f"/clubs/{club.pk}/webhooks/"
    member = Member.objects.create(space=club, user=borek, role="owner")
    made = webhooks.add(club, "https://hooks.example/services/hidden-word", by=borek)
    sent = {"after": 0, "last": 7, "number": 3, "status": 503, "took": 12}
    Delivery.objects.create(webhook=made, response="busy-word", **sent)
    secret = webhooks.secret(made)
    spaces.set_role(member, "member")
    html = signed_in.get(here).text
    left = "the owner of this webhook is no longer an owner of the club"
    assert missing(Page(html).text, "Owner: borek", left, "https://hooks.example/…") == []
    assert present(html, "hidden-word", "busy-word", secret, "Send again now") == []
    signed_in.post(here, {"action": "start", "number": made.pk})
    assert Webhook.objects.get().reason == "owner_left"
    adopt = {"action": "adopt", "number": made.pk, "url": "http://a.example/"}
    wrong = signed_in.post(here, adopt)
    assert (wrong.status_code, wrong.text.count("Enter a full URL that begins with https://")) == (400, 1)
    assert f'aria-describedby="id_url-{made.pk}_error"' in wrong.text
    signed_in.post(here, adopt | {"url": "https://own.example/hook"})
    text, new = text_of(signed_in, here), webhooks.secret(Webhook.objects.get())
    assert missing(text, "Owner: alena", "https://own.example/hook", new) == []
    assert secret not in text
