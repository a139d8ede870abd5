"""Pages kept for a short while: the same as ever, never somebody else's, never from before the verdict."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Deal

from . import samples
from .conftest import Store

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["replay/?step=20", "replay/?step=20&view=B&fragment=1", "audit/"])
def test_the_kept_page_is_the_page(client: Client, taroky: Deal, path: str) -> None:
    first = client.get(f"/deals/{taroky.pk}/{path}")
    second = client.get(f"/deals/{taroky.pk}/{path}")
    assert first.content == second.content
    assert dict(first.headers) == dict(second.headers)


def test_it_saves_the_work(client: Client, taroky: Deal, django_assert_num_queries: object) -> None:
    client.get(f"/deals/{taroky.pk}/replay/?step=21")
    with django_assert_num_queries(2):  # type: ignore[operator]
        assert client.get(f"/deals/{taroky.pk}/replay/?step=21").status_code == 200


def test_each_language_has_its_own(client: Client, taroky: Deal) -> None:
    path = f"/deals/{taroky.pk}/replay/?step=22"
    english = client.get(path, headers={"accept-language": "en"}).content
    german = client.get(path, headers={"accept-language": "de"}).content
    assert b'lang="en"' in english
    assert b'<html lang="de"' in german


def test_who_is_signed_in_never_leaves_a_page_behind(client: Client, taroky: Deal) -> None:
    path = f"/deals/{taroky.pk}/audit/"
    signed_in = Client()
    signed_in.force_login(User.objects.create_user("eva"))
    assert b"eva" in signed_in.get(path).content
    assert b"eva" not in client.get(path).content
    assert b"eva" in signed_in.get(path).content


def test_a_new_verdict_is_seen_at_once(client: Client, store: Store) -> None:
    (deal,) = store(samples.DISPUTED)
    path = f"/deals/{deal.pk}/audit/"
    assert b"Reckoned by engine 9.9.9" not in client.get(path).content
    Deal.objects.filter(pk=deal.pk).update(verdict="verified", engine_version="9.9.9")
    assert b"Reckoned by engine 9.9.9" in client.get(path).content


@pytest.mark.parametrize("path", ["audit/", "position.png"])
def test_a_cache_that_is_away_is_no_matter(client: Client, taroky: Deal, settings: Any, path: str) -> None:
    settings.CACHES = {"default": {"BACKEND": "deploy.cache.Cache", "LOCATION": "redis://127.0.0.1:1/2"}}
    assert client.get(f"/deals/{taroky.pk}/{path}").status_code == 200


def test_no_such_deal_is_no_page(client: Client) -> None:
    assert client.get("/deals/987654/audit/").status_code == 404
