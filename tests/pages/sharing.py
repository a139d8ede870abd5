"""Shared code of the tests of shared pages and pictures."""

from __future__ import annotations

import io
from typing import Any

from django.test import Client
from PIL import Image

from tests.support import samples

from .conftest import Page

SITE = "http://testserver"
FIRST = samples.FIRST_CARD
B_FIRST = samples.FIRST_SEEN["B"]


def get(client: Client, path: str, status: int = 200, **headers: str) -> Any:
    answer = client.get(path, headers=headers)
    assert answer.status_code == status, answer.content[:300]
    return answer


def meta_of(page: Page) -> dict[str, str]:
    return {
        str(attrs.get("property") or attrs.get("name")): attrs["content"] or ""
        for tag, attrs in page.tags
        if tag == "meta" and "content" in attrs
    }


def meta(client: Client, path: str, **headers: str) -> dict[str, str]:
    return meta_of(Page(get(client, path, **headers).text))


def image(png: bytes) -> Image.Image:
    """Open a PNG, which is one to its last byte."""
    Image.open(io.BytesIO(png)).verify()
    found = Image.open(io.BytesIO(png))
    found.load()
    assert (found.format, found.mode) == ("PNG", "RGBA")
    return found


def size(png: bytes) -> tuple[int, int]:
    return image(png).size
