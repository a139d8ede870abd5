"""Conventions of all responses of the API: links, CORS, caching."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone

from api.schema import HEADERS
from api.views import base
from archive.models import Contribution, Deal, Player, Session
from archive.shown import ShownDeal
from tests.support import samples

from .conftest import JSON, TGN, ApiClient

# --- links --------------------------------------------------------------------------------------------------


def _addresses(value: Any) -> Iterator[str]:
    """Every address in an answer."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from _addresses(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _addresses(inner)
    elif isinstance(value, str) and value.startswith(("http://", "https://")):
        yield value


def _walk(client: ApiClient, start: str) -> dict[str, Any]:
    """Return everything that links in responses lead to, requested by a proxy and as JSON."""
    found: dict[str, Any] = {}
    waiting = [start]
    while waiting:
        address = waiting.pop()
        kind = re.sub(r"clauses/[^?]+", "clauses/…", address)  # one clause represents all
        if kind in found:
            continue
        path = "/" + address.split("/", 3)[3]
        asked = path if "format=" in path else path + ("&" if "?" in path else "?") + "format=json"
        headers = {"Host": "archive.example", "X-Forwarded-Proto": "https"}
        found[kind] = response = client.get(asked, headers=headers)
        linked = re.findall(r"<([^>]+)>; rel=\"(?!license)", response.headers.get("Link", ""))
        in_it = _addresses(response.json()) if response["Content-Type"].startswith(JSON) else ()
        waiting += [*linked, *(one for one in in_it if "/api/" in one)]
    return found


def test_every_link_leads_somewhere(writer, alena, store, settings) -> None:
    for text in (samples.TAROKY, samples.TROGGU, samples.NOT_HELD):
        store(text, user=alena)
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.ALLOWED_HOSTS, root = ["archive.example"], "https://archive.example"
    found = _walk(writer, f"{root}/api/v1/") | _walk(writer, f"{root}/api/v1/deals?limit=1")
    for kind in ("/deals/", "/score", "/original", "/replay", "?format=tgn", "&cursor=", "/clauses?game="):
        assert any(kind in address for address in found), kind
    for address, response in found.items():
        assert address.startswith(f"{root}/api/v1/"), address
        assert "format=json" not in address
        assert not address.endswith("/") or address.endswith("/api/v1/")
        assert response.status_code == 200, address


# --- pages of other sites -----------------------------------------------------------------------------------

ELSEWHERE = {"Origin": "https://elsewhere.example"}


def test_a_browser_may_ask_before_it_asks(reader) -> None:
    asked = {"Access-Control-Request-Method": "GET"}
    asked["Access-Control-Request-Headers"] = names = "authorization, if-none-match, accept, prefer"
    for path in ("", "deals", "deals/0", "uploads/1", "campaigns", "docs", "nothing/here"):
        response = reader.options(f"/api/v1/{path}", headers={**ELSEWHERE, **asked})
        assert response.status_code == 200, path
        assert response["Access-Control-Allow-Origin"] == "*"
        assert {"GET", "HEAD", "POST"} <= set(response["Access-Control-Allow-Methods"].split(", "))
        assert set(names.split(", ")) <= set(response["Access-Control-Allow-Headers"].split(", "))


def test_pages_of_other_sites_may_read_the_api_alone(reader, taroky) -> None:
    for path, status in (("deals", 200), ("deals/0", 404), ("uploads/1", 401), ("../v9/deals", 404)):
        response = reader.ask(path, headers=ELSEWHERE)
        assert response.status_code == status
        assert response["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in response
        exposed = response["Access-Control-Expose-Headers"].split(", ")
        assert set(HEADERS) - {"Last-Modified"} <= set(exposed)  # that is open by itself
        assert "origin" in response["Vary"].lower()
    keys = reader.get("/.well-known/tarock-archive-keys.json", headers=ELSEWHERE)
    assert keys["Access-Control-Allow-Origin"] == "*"
    for page in ("/", f"/deals/{taroky.pk}/", "/accounts/login/"):
        assert "Access-Control-Allow-Origin" not in reader.get(page, headers=ELSEWHERE)


# --- caching ------------------------------------------------------------------------------------------------


def _forms(deal: ShownDeal) -> list[tuple[str, str]]:
    own = f"deals/{deal.pk}"
    return [
        *((f"{own}{path}", JSON) for path in ("", "/score", "/replay", "/replay/positions/20?view=B")),
        (own, TGN),
        (f"{own}/original", "*/*"),
        *((path, JSON) for path in ("deals", "scores", "games", "clauses", "schema", "schema/tgn.json", "")),
    ]


def test_what_has_not_changed_is_not_sent_again(writer, alena, store, rates) -> None:
    """Nor the body of an answer to HEAD."""
    deal = store(samples.TAROKY, user=alena)
    for path, accept in _forms(deal):
        whole = writer.ask(path, accept=accept)
        head = writer.head(f"/api/v1/{path}", headers={"Accept": accept})
        assert (head.status_code, head.content) == (200, b"")
        for name in ("Content-Type", "ETag", "Link", "Vary"):
            assert head[name] == whole[name], path
    rates(api_read=f"{len(_forms(deal)) + 1}/min")
    for path, accept in _forms(deal):
        first = writer.ask(path, accept=accept)
        for tag in (first["ETag"], f"W/{first['ETag']}", f'"else", {first["ETag"]}', "*"):
            again = writer.ask(path, accept=accept, headers={"If-None-Match": tag})
            assert (again.status_code, again.content) == (304, b""), (path, tag)
            # A client must be able to do with it what it could with the first.
            for name in ("ETag", "Cache-Control"):
                assert again[name] == first[name], (path, name)
            assert {"Accept", "Authorization"} <= set(again["Vary"].split(", "))
            # It cost nothing, or this test had come to the limit long ago.
            assert again["RateLimit"].partition(";t=")[0] == first["RateLimit"].partition(";t=")[0]


def test_what_is_known_is_not_computed_again(reader, taroky, monkeypatch) -> None:
    addresses = [f"deals/{taroky.pk}/{path}" for path in ("score", "replay", "replay/positions/3")]
    tags = [reader.ask(address)["ETag"] for address in addresses]
    monkeypatch.setattr(ShownDeal, "checked", property(lambda _: pytest.fail("the engine ran again")))
    monkeypatch.setattr(ShownDeal, "record", property(lambda _: pytest.fail("the record was read")))
    for address, tag in zip(addresses, tags, strict=True):
        assert reader.ask(address, headers={"If-None-Match": tag}).status_code == 304, address


def test_what_others_say_or_a_correction_makes_another_answer(
    writer, stranger, alena, store, monkeypatch
) -> None:
    deal = store(samples.TAROKY, user=alena)
    tags = {(path, accept): writer.ask(path, accept=accept)["ETag"] for path, accept in _forms(deal)[:6]}
    own = f"deals/{deal.pk}"
    # The ETag of a cached response depends on the view and on the engine's version.
    replay = {"If-None-Match": tags[f"{own}/replay", JSON]}
    assert writer.ask(f"{own}/replay", {"view": "B"}, headers=replay).status_code == 200
    with monkeypatch.context() as upgraded:
        upgraded.setattr(base, "__version__", "0")
        assert writer.ask(f"{own}/replay", headers=replay).status_code == 200
    same = {"If-None-Match": tags[own, JSON]}
    assert writer.ask(own, accept=TGN, headers=same).status_code == 200, "another form is another thing"
    stranger.send(samples.TAROKY)
    assert writer.ask(own, accept=JSON, headers=same).status_code == 200
    corrected = samples.TAROKY.replace('"Dana"', '"Dora"').replace("A=105", "A=104")
    assert writer.send(corrected, path=f"deals/{deal.pk}/correction").status_code == 200
    for (path, accept), tag in tags.items():
        again = writer.ask(path, accept=accept, headers={"If-None-Match": tag})
        assert again.status_code == (304 if path.endswith("original") else 200), path


def test_an_answer_is_another_one_whatever_of_its_deal_has_changed(reader, stranger, alena, store) -> None:
    address = f"deals/{store(samples.TAROKY, user=alena).pk}/score"
    stranger.send(samples.TAROKY)
    said = Contribution.objects.all()
    for change in (
        lambda: Deal.objects.update(verified_at=timezone.now()),
        lambda: said.filter(part__upload__user=alena).update(visibility="withdrawn"),
        lambda: said.update(verdict="disputed"),
        lambda: said.update(fingerprint=1),
        lambda: Session.objects.update(name="Friday"),
        lambda: Player.objects.filter(name="Dana").update(name="Dora"),
    ):
        before = {"If-None-Match": reader.ask(address)["ETag"]}
        assert reader.ask(address, headers=before).status_code == 304
        change()
        assert reader.ask(address, headers=before).status_code == 200


def test_what_was_sent_says_when_it_came(writer, alena, store) -> None:
    address = f"deals/{store(samples.TAROKY, user=alena).pk}/original"
    same = {"If-Modified-Since": writer.ask(address)["Last-Modified"]}
    earlier = {"If-Modified-Since": "Sun, 01 Nov 2015 10:00:00 GMT"}
    other = {**same, "If-None-Match": '"another"'}  # which is the stronger
    for headers, status in ((same, 304), (earlier, 200), (other, 200)):
        assert writer.ask(address, headers=headers).status_code == status


def test_for_whom_an_answer_may_be_kept(reader, writer, taroky) -> None:
    for path in ("deals", f"deals/{taroky.pk}", "deals/0", "uploads/0", "nothing/here"):
        for client, whose in ((reader, "no-cache"), (writer, "no-cache, private")):
            response = client.ask(path)
            assert response["Cache-Control"] == whose
            assert {"accept", "authorization", "origin"} <= set(response["Vary"].lower().split(", "))
