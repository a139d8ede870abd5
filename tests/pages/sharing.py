"""Shared code of the tests of shared pages and pictures."""

from __future__ import annotations

import struct
import zlib
from typing import Any

from django.test import Client

from tests.support import samples

from .conftest import Page

SITE = "http://testserver"
FIRST = samples.FIRST_CARD
B_FIRST = samples.FIRST_SEEN["B"]


def get(client: Client, path: str, status: int = 200, **headers: str) -> Any:
    answer = client.get(path, headers=headers)
    assert answer.status_code == status, answer.content[:300]
    return answer


def meta(client: Client, path: str, **headers: str) -> dict[str, str]:
    return {
        str(attrs.get("property") or attrs.get("name")): attrs["content"] or ""
        for tag, attrs in Page(get(client, path, **headers).text).tags
        if tag == "meta" and "content" in attrs
    }


def unpacked(png: bytes) -> tuple[int, int, bytes]:
    """Width, height and filtered rows of a PNG: read here, so that a picture is known to be one."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, header = 8, b"", b""
    while at < len(png):
        length, kind = struct.unpack_from(">L4s", png, at)
        body = png[at + 8 : at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack_from(">L", png, at + 8 + length)[0]
        if kind == b"IHDR":
            header = body
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    width, height, depth, colours = struct.unpack_from(">LLBB", header)
    assert (depth, colours) == (8, 6)
    raw = zlib.decompress(packed)
    assert len(raw) == (1 + 4 * width) * height
    return width, height, raw


def size(png: bytes) -> tuple[int, int]:
    return unpacked(png)[:2]
