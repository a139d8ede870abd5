"""The client and the mirror of docs/api.md, on the site as `make run` starts it."""

import json
import re
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.test import Client

from archive import tokens
from archive.models import Member
from archive.storing import spaces
from tarock.analysis.simulate import simulate
from tarock.notation import dump_json, write_text
from tests.support import samples
from tests.support.storing import stored
from tools.site import Site

GUIDE = (Path(__file__).parent.parent.parent / "docs" / "api.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def guide() -> dict[str, Any]:
    """Return the definitions of the guide's Python code."""
    made: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL):
        exec(block, made)
    return made


def connect(guide: dict[str, Any], product: Site, token: str | None = None) -> Any:
    return guide["Archive"](product.address.rstrip("/"), token)


def deals(number: int, seed: int) -> list[str]:
    """So many new deals."""
    return [write_text(record) for record in simulate("taroky", deals=number, seed=seed)]


def test_the_client_sends_and_reads(guide, product) -> None:
    archive = connect(guide, product, product.token)
    first, last = deals(2, seed=1001)
    results = list(archive.send(f"{first}\n{samples.MALFORMED}\n{last}"))
    assert [result["outcome"] for result in results] == ["stored", "malformed", "stored"]
    (line,) = archive.deals(ids=str(results[0]["id"]), fields="id,verdict")
    assert line == {"id": results[0]["id"], "verdict": "verified"}
    with pytest.raises(RuntimeError, match="is not a parameter"):
        archive.ask("GET", "deals", params={"verdikt": "verified"})
    # No line of a stream has two ends.
    (record,) = simulate("taroky", deals=1, seed=1002)
    strange = replace(record, tags={"Event": "one\x85two\u2028three\u2029four"})
    (result,) = archive.send(dump_json(strange))
    (line,) = archive.deals(ids=str(result["id"]))
    assert line["event"] == "one\x85two\u2028three\u2029four"


def in_mirror(path: Path) -> dict[str, Any]:
    with sqlite3.connect(path) as mirror:
        return {key: json.loads(deal) for key, deal in mirror.execute("select key, deal from deal")}


@pytest.fixture
def inside(guide: dict[str, Any], db: None) -> Callable[[str | None], Any]:
    """The guide's client, with the site in this process."""

    def answer(request: httpx.Request) -> httpx.Response:
        target, headers = request.url.raw_path.decode(), dict(request.headers)
        response = Client().generic(request.method, target, headers=headers)
        assert response.status_code == 200, response.content
        return httpx.Response(200, content=response.getvalue(), headers=dict(response.items()))

    def connect(token: str | None) -> Any:
        archive = guide["Archive"]("http://testserver", token)
        settings = {"base_url": archive.http.base_url, "headers": archive.http.headers}
        archive.http = httpx.Client(transport=httpx.MockTransport(answer), **settings)
        return archive

    return connect


def test_a_mirror_follows_the_memberships_of_its_owner(guide, inside, alena, borek, tmp_path) -> None:
    path, club = tmp_path / "mirror.sqlite3", spaces.found_club("Tarok", by=alena)
    stored(samples.TAROKY, user=alena)
    stored(samples.TROGGU, user=alena, space=club)
    stored(samples.dealt(1), samples.dealt(2), user=alena, space=club, visibility="members")
    archive = inside(tokens.make(borek, "mirror")[1])

    def sees(number: int) -> int:
        """Follow the feed; return the number of changes, once the mirror has what its owner sees."""
        changes: int = guide["follow"](archive, path)
        assert guide["follow"](archive, path) == 0
        assert set(in_mirror(path)) == {line["deal"] for line in archive.deals(fields="deal")}
        assert len(in_mirror(path)) == number
        return changes

    sees(2)
    member = Member.objects.create(space=club, user=borek)
    sees(4)
    for role in ("secretary", "owner", "member"):
        spaces.set_role(member, role)
        assert sees(4) == 0, "members see the same, whatever their role"
    spaces.leave(member)
    sees(2)
    spaces.remove(Member.objects.create(space=club, user=borek))
    sees(2)
    Member.objects.create(space=club, user=borek)
    sees(4)
    Member.objects.filter(user=borek).delete()
    stored(samples.dealt(3), user=alena, space=club, visibility="members")
    sees(2)
    other = spaces.found_club("Brno", by=borek)
    sees(2)
    spaces.delete_club(other)
    sees(2)
    stored(samples.dealt(4), user=borek, visibility="members")
    sees(3)


def test_a_mirror_of_one_club_ignores_other_memberships(inside, alena, borek) -> None:
    club, other = (spaces.found_club(name, by=alena) for name in ("Tarok", "Brno"))
    stored(samples.TROGGU, user=alena, space=club)
    archive = inside(tokens.make(borek, "mirror")[1])
    first = archive.ask("GET", "changes", params={"club": club.pk})
    member = Member.objects.create(space=other, user=borek)
    assert not archive.ask("GET", first["next"])["reset"]
    Member.objects.create(space=club, user=borek)
    assert archive.ask("GET", first["next"])["reset"]
    assert member.role == "member"


def test_a_client_that_ignores_resets_goes_on(inside, alena, borek) -> None:
    """It follows ``last``, with or without the scope, or ``next``: it reads everything again or goes on."""
    club = spaces.found_club("Tarok", by=alena)
    stored(samples.TROGGU, user=alena)
    stored(samples.TAROKY, user=alena, space=club, visibility="members")
    archive = inside(tokens.make(borek, "mirror")[1])
    first = archive.ask("GET", "changes")
    Member.objects.create(space=club, user=borek)
    assert archive.ask("GET", "changes", params={"after": first["last"]})["reset"] is False
    address, pages = first["next"], []
    while address and len(pages) < 10:
        pages.append(archive.ask("GET", address))
        address = pages[-1]["more"] and pages[-1]["next"]
    assert [page["reset"] for page in pages] == [True, False]
    assert [len(page["changes"]) for page in pages] == [0, 2]
    assert (pages[0]["last"], pages[0]["changes"]) == (0, [])
    visitors = [inside(token).ask("GET", "changes")["scope"] for token in (None, None)]
    assert visitors[0] == visitors[1] == first["scope"] != pages[1]["scope"]
