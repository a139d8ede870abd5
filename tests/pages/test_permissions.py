"""Permissions: every page and every call of the API, requested by everybody.

The data is a club's, for its members alone. One of them sent the deal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings
from django.urls import resolve

import api.urls
import replays.urls
from archive import tokens
from archive.models import Collection, Contribution, Member, Player, Space, Upload, Variations
from archive.publishing import dumps, webhooks
from archive.storing import campaigns, house_rules, spaces
from replays.apps.engine import engine
from tests.engine.test_variations import SKYZ
from tests.pages.evenings import Phone, first_duty
from tests.support import samples, settling
from tests.support.emptying import rolled_back
from tests.support.storing import puzzle_of, secret_of, stored
from tools.page_types import OWN_PAGE_TYPES, PAGE_TYPES, PLACES

pytestmark = pytest.mark.django_db

PEOPLE = ("anonymous", "stranger", "member", "sender", "secretary", "owner", "operator")
BETWEEN = PEOPLE[2:5]
FEW_FRAMES = {"spoilers": "off"}
"""A query for only the first frames of a replay."""

EVERYBODY, SIGNED_IN, NOBODY = "+++++++", "l++++++", "-------"
MEMBERS, CHANGES = "--+++++", "---++++"

#: Each page by its name: what everybody gets who asks for it. + it is there (or done), - it is not found,
#: l one has to sign in first.
PAGES = {
    **dict.fromkeys(["home", "upload", "import", "board", "uploads", "deals", "deals-download"], EVERYBODY),
    **dict.fromkeys(["leaderboard", "leaderboard-csv", "club-season", "club-season-csv"], EVERYBODY),
    **dict.fromkeys(["club-seating", "dumps", "notation", "notation-sheets", "rules", "clause"], EVERYBODY),
    **dict.fromkeys(["evenings", "evenings-start", "evenings-manifest", "own-check"], EVERYBODY),
    **dict.fromkeys(["evenings-service-worker", "engine-worker", "engine-zip"], EVERYBODY),
    **dict.fromkeys(["club-rules", "club-rules-print", "club-statistics"], EVERYBODY),
    **dict.fromkeys(["statistics", "explorer"], EVERYBODY),
    **dict.fromkeys(["learn", "learn-frames", "learn-rules", "learn-quiz", "learn-words"], EVERYBODY),
    "learn-hand": EVERYBODY,
    **dict.fromkeys(["rules-game", "rules-options", "clubs", "club", "players", "sessions"], EVERYBODY),
    **dict.fromkeys(["privacy", "terms", "robots", "favicon", "club-picture", "site-picture"], EVERYBODY),
    **dict.fromkeys(["manifest", "sitemap", "sitemap-part"], EVERYBODY),
    # The operator reads what is stored, and enters nothing.
    "evening-state": "l-++++-",
    **dict.fromkeys(["deal", "replay", "frames", "audit", "deal-tgn", "deal-json", "deal-print"], MEMBERS),
    **dict.fromkeys(["deal-original", "settle"], MEMBERS),
    # The stranger saved variations of the deal while it was public, for anyone with the link.
    **dict.fromkeys(["try", "variations", "variation-tgn"], MEMBERS),
    "variations-embed": NOBODY,
    "puzzles": EVERYBODY,
    # The stranger's collection of the deal is for anyone with the link.
    **dict.fromkeys(["collections", "collection", "collection-tgn", "collection-feed"], EVERYBODY),
    "collect": "l-+++++",
    **dict.fromkeys(["deals-visibility", "puzzle"], "--++++-"),
    **dict.fromkeys(["player", "session", "session-print", "session-seating"], MEMBERS),
    **dict.fromkeys(["session-csv", "session-tgn", "session-jsonl"], MEMBERS),
    # Other sites are shown what everybody sees.
    **dict.fromkeys(["deal-embed", "deal-picture", "deal-animation", "oembed"], NOBODY),
    **dict.fromkeys(["session-picture", "player-picture", "sheet-picture", "settle-picture"], NOBODY),
    **dict.fromkeys(["correct", "deal-edit", "deal-board"], CHANGES),
    **dict.fromkeys(["upload-result", "upload-original", "upload-failures"], CHANGES),
    "upload-edit": "---+++-",
    # Words that are none of ours.
    **dict.fromkeys(["shared", "stop-mail", "evening-join", "evening-recover"], NOBODY),
    **dict.fromkeys(["club-new", "join", "account-delete", "token", "webhooks"], SIGNED_IN),
    **dict.fromkeys(["following", "my-year", "my-latest-year"], SIGNED_IN),
    "my-year-picture": "l------",  # nobody is linked to a player
    "club-year": "l-++++-",
    **dict.fromkeys(["player-feed", "session-feed"], NOBODY),
    "club-feed": EVERYBODY,
    **dict.fromkeys(["own-season", "own-season-csv", "own-seating"], SIGNED_IN),
    **dict.fromkeys(["club-settings", "club-webhooks", "club-rules-change"], "l----+-"),
}

#: Those to which something is sent, and what. x: what was typed comes back, to be sent after signing in.
SENDINGS: dict[str, tuple[dict[str, str], str]] = {
    "session-visibility": ({"visibility": "members"}, NOBODY),  # the session has no evening
    "show": ({"visibility": "members"}, CHANGES),
    "deal-count": ({"deals": "1"}, NOBODY),  # the deal has cards
    "deal-move": ({"club": "1"}, NOBODY),  # it is in no space of theirs
    "adopt": ({}, CHANGES),
    "upload-encoding": ({"encoding": "cp1252"}, "---+++-"),
    "upload-withdraw": ({}, "---+++-"),
    "deal-form": ({}, NOBODY),  # the deal has cards
    "check": ({"text": samples.ANNOTATED}, EVERYBODY),
    "evenings-ask": ({}, EVERYBODY),
    "language": ({"language": "en", "next": "/"}, EVERYBODY),
    "invite": ({}, "l---++-"),
    "member": ({"role": "member"}, "l----+-"),
    "player-manage": ({"action": "rename", "text": "Alena"}, "x---++-"),
    "readmit": ({}, "l----+-"),
    "adopt-guest": ({}, SIGNED_IN),
    "token-change": ({"action": "end"}, "l-+----"),  # the member's
}


VARIATIONS = {"variations": [SKYZ], "visibility": "public", "version": 0}

#: The same of what the apps at the table send: members may enter deals, and save variations.
PHONES: dict[str, tuple[Any, str]] = {
    "evening-setup": (lambda phone, club: phone.setup(space=club, visibility="", version=1), "l-++++-"),
    "evening-link": (lambda phone, club: {}, "l-xx++-"),
    "evening-deal": (lambda phone, club: {"deal": first_duty(), "base": ""}, "l-++++-"),
    "deal-variations": (lambda phone, club: VARIATIONS, "--+++++"),
}

#: Each call of the API: as above; a token is what l asks for, and x is refused to who may see but not change.
CALLS = {
    **dict.fromkeys(["root", "deals", "changes", "scores", "games", "game", "clauses"], EVERYBODY),
    **dict.fromkeys(["clause", "rules", "docs", "guide", "schema", "tgn-schema", "dumps", "dump"], EVERYBODY),
    **dict.fromkeys(["deal", "deal-replay", "deal-positions", "deal-position", "deal-score"], MEMBERS),
    **dict.fromkeys(["deal-original", "deal-certificate", "deal-hindsight"], MEMBERS),
    **dict.fromkeys(["deal-variations", "saved-variations", "variation"], MEMBERS),
    **dict.fromkeys(["uploads", "me"], SIGNED_IN),
    "explorer": "???????",  # a hand is missing; `tests/api/test_explorer.py` asks for one
    "puzzles": EVERYBODY,
    "puzzle": "--++++-",
    "upload": "l--++++",
    "webhook": "l----+-",
    "campaign": "lxxxxx+",
}

TABLE = """\
--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n\
Date;Alena;Bob\n2019-01-11;5;-5\n\r\n--b--\r\n"""
KINDS = {"{": "application/json", "-": "multipart/form-data; boundary=b"}

SENT: dict[str, tuple[str, str]] = {
    **dict.fromkeys(["verify", "positions", "settle"], (samples.ANNOTATED, EVERYBODY)),
    "variations": (json.dumps({"record": samples.taroky_json(), "variations": []}), EVERYBODY),
    "uploads": (samples.ANNOTATED, SIGNED_IN),
    "deal-visibility": ('{"visibility": "members"}', "l-x++++"),
    "deal-move": ('{"club": 1}', "l-xxxxx"),  # it is in no space of theirs
    "deals-visibility": ('{"visibility": "members"}', SIGNED_IN),
    "deal-correction": (samples.ANNOTATED, "l-x++++"),
    "adopt": ("", "l--++++"),
    "imports": (TABLE, SIGNED_IN),
    "webhooks": ('{"url": "https://receiver.example/"}', SIGNED_IN),
    "webhook-start": ("", "l----+-"),
    "webhook-adopt": ('{"url": "https://receiver.example/"}', "l----+-"),
    "campaigns": ("{}", "lxxxxx+"),
    **dict.fromkeys(["campaign-stop", "campaign-resume"], ("", "lxxxxx+")),
}


@dataclass
class World:
    """The club with its deal, and the requesters."""

    numbers: dict[str, Any]
    users: dict[str, User]
    signed_in: dict[str, Client]
    secrets: dict[str, str]
    asked: Sequence[str] = PEOPLE

    def client(self, who: str) -> Client:
        client = Client()
        if who in self.users:
            client.cookies.load(self.signed_in[who].cookies)
        return client

    def headers(self, who: str) -> dict[str, str]:
        if who not in self.users:
            return {}
        return {"Authorization": f"Bearer {self.secrets[who]}"}


@pytest.fixture(
    scope="module", params=["for members from the beginning", "public until its owner saves “Members only”"]
)
def world(request: Any, tmp_path_factory: pytest.TempPathFactory, stored_once: None) -> Iterator[World]:
    """A club whose member has sent a deal, again with another name, and a record that cannot be read. What
    was public is requested again by those from whom it is hidden now."""
    folder, later = tmp_path_factory.mktemp("dumps"), request.param.startswith("public")
    with rolled_back(), override_settings(DUMP_DIR=str(folder)):
        made = make_world(folder, later=later)
        made.asked = PEOPLE[:2] if later else PEOPLE
        yield made


def make_world(folder: Path, *, later: bool) -> World:
    users = {name: User.objects.create_user(name, is_staff=name == "operator") for name in PEOPLE[1:]}
    club = spaces.found_club("Tarok", by=users["owner"], visibility="public" if later else "members")
    invitation = spaces.invite(club, by=users["owner"])
    for name in ("member", "sender", "secretary"):
        spaces.join(invitation, users[name])
    spaces.set_role(Member.objects.get(user=users["secretary"]), "secretary")
    texts = samples.ANNOTATED, samples.ANNOTATED.replace('"Dana"', '"Dora"'), samples.DEALT_TWICE
    upload = stored(*texts, user=users["sender"], space=club)
    said = Contribution.objects.get()
    if later:
        visible = _seen_by_anybody(club, said)
        assert all(status == 200 for status in visible.values()), visible
    browser = Client()
    browser.force_login(users["owner"])
    if later:
        choice = {"action": "visibility", "visibility": "members", "deals": "all"}
        browser.post(f"/clubs/{club.pk}/settings/", choice)
    phone = Phone(browser)
    phone.start(space=club.pk, visibility="")
    house_rules.adopt(club, "taroky", ["cap=1000"], "tarok", by=users["owner"])
    Variations.objects.create(
        key=phone.key, deal_id=said.deal_id, user=users["stranger"], visibility="link", lines=[SKYZ]
    )
    Collection.objects.create(key=phone.key, user=users["stranger"], title="Course", visibility="link")
    dumps.write(folder)
    numbers = {
        "deal:key": said.deal_id,
        "int:pk": {
            "uploads": upload.pk, "clubs": club.pk, "players": Player.objects.get(name="Alena").pk,
            "sessions": said.session_id, "campaigns": campaigns.start().pk,
            "webhooks": webhooks.add(club, "https://receiver.example/", by=users["owner"]).pk,
            "puzzles": puzzle_of(said.deal_id).pk,
            "accounts": tokens.make(users["member"], "his own")[0].pk,
        },
        "int:number": {
            "member": Member.objects.get(user=users["member"]).pk, "readmit": 1, "adopt": 2,
            "upload-edit": 3, "upload-encoding": 3, "evening-deal": 1, "variation-tgn": 1, "variation": 1,
            "learn-hand": 1,
        },
        "uuid:key": phone.key, "int:n": 1, "int:step": 0, "int:year": 2026, "slug:key": invitation.key,
        "str:word": "session-1:no-signature-of-ours", "str:slug": "taroky.follow", "str:game": "taroky",
        "str:form": "csv", "str:name": dumps.SUMS, "str:version": engine().version, "str:section": "deals",
    }  # fmt: skip
    settling.settle()
    clients = {name: Client() for name in users}
    for name, client in clients.items():
        client.force_login(users[name])
    return World(numbers, users, clients, {name: secret_of(user) for name, user in users.items()})


def _seen_by_anybody(club: Space, said: Contribution) -> dict[str, int]:
    deal, session = said.deal_id, said.session_id
    player = Player.objects.get(name="Alena").pk
    wanted = [
        f"/clubs/{club.pk}/", f"/sessions/{session}/", f"/sessions/{session}/session.csv", f"/deals/{deal}/",
        f"/deals/{deal}/replay/", f"/deals/{deal}/frames.json", f"/deals/{deal}/position.png",
        f"/players/{player}/", f"/api/v1/deals/{deal}", f"/api/v1/deals/{deal}/replay",
    ]  # fmt: skip
    return {where: Client().get(where).status_code for where in wanted}


def address(route: str, name: str, numbers: dict[str, Any]) -> str:
    about = {"<int:pk>": route.partition("/")[0], "<int:number>": name}
    for word, value in numbers.items():
        if f"<{word}>" in route:
            found = value[about[f"<{word}>"]] if isinstance(value, dict) else value
            route = route.replace(f"<{word}>", str(found))
    return "/" + route


def outcome(answer: Any) -> str:
    answer.getvalue()  # as long as a download is not read, others may have to wait
    if answer.status_code in (301, 302):
        return "l" if answer["Location"].startswith("/accounts/login/") else "+"
    return {401: "l", 403: "x", 404: "-"}.get(answer.status_code, "+" if answer.status_code < 300 else "?")


def test_every_address_is_in_a_table() -> None:
    pages = {entry.name for entry in replays.urls.urlpatterns if entry.name}
    assert pages == PAGES.keys() | SENDINGS.keys() | PHONES.keys()
    calls = {entry.name for entry in api.urls.urlpatterns} - {"nothing"}
    assert calls == CALLS.keys() | SENT.keys()


def test_only_these_look_themselves_where_a_form_comes_from() -> None:
    """The middleware looks for all others. Tests of these send what another site would."""
    named = [entry for entry in replays.urls.urlpatterns if entry.name]
    exempt = {str(entry.name) for entry in named if getattr(entry.callback, "csrf_exempt", False)}
    texts = {"check", "deal-edit", "import", "upload", "upload-edit"}
    evenings = {"evenings-start", "evening-state"} | PHONES.keys()
    assert exempt == texts | evenings | {"language", "stop-mail"}


def test_every_page_has_a_type() -> None:
    """So that axe and the benchmarks look at it. A clause redirects, and the others need a secret link."""
    key = "0" * 8 + "-0000" * 3 + "-" + "0" * 12
    values = dict.fromkeys(PLACES, "1") | {"variations": key, "collection": key}
    paths = [path.partition("?")[0].format(**values) for path in (PAGE_TYPES | OWN_PAGE_TYPES).values()]
    pages = {
        str(entry.name)
        for entry in replays.urls.urlpatterns
        if entry.name in PAGES and str(entry.pattern)[-1:] in ("", "/")
    }
    secret = {"clause", "shared", "stop-mail", "evening-join", "evening-recover"}
    assert {resolve(path).url_name for path in paths} >= pages - secret


def _walk(urls: Any, table: dict[str, Any], ask: Callable[[str, str, str], Any], world: World) -> None:
    """Request each address of a table as everybody, and compare the answers with its signs. If all signed-in
    users get the same, leave out those who may do more than the stranger and less than the owner."""
    root, found, expected = "/api/v1" if urls is api.urls else "", {}, {}
    for entry in urls.urlpatterns:
        if entry.name in table:
            where = root + address(str(entry.pattern), entry.name, world.numbers)
            signs = table[entry.name] if isinstance(table[entry.name], str) else table[entry.name][1]
            asked = [who for who in world.asked if who not in BETWEEN or len(set(signs[1:])) > 1]
            expected[entry.name] = {who: signs[PEOPLE.index(who)] for who in asked}
            found[entry.name] = {who: outcome(ask(who, entry.name, where)) for who in asked}
    assert found == expected
    assert found.keys() == table.keys()


def test_pages(world: World) -> None:
    def ask(who: str, name: str, where: str) -> Any:
        url = f"http://testserver/deals/{world.numbers['deal:key']}/"
        queries = {"oembed": {"url": url}, "settle-picture": {"rules": "vysocina@1"}, "frames": FEW_FRAMES}
        return world.client(who).get(where, queries.get(name, {}))

    _walk(replays.urls, PAGES, ask, world)


def test_what_is_sent_to_pages(world: World) -> None:
    def ask(who: str, name: str, where: str) -> Any:
        return world.client(who).post(where, SENDINGS[name][0])

    _walk(replays.urls, SENDINGS, ask, world)


def test_what_phones_send(world: World) -> None:
    def ask(who: str, name: str, where: str) -> Any:
        phone = Phone(world.client(who), world.numbers["uuid:key"])
        body = PHONES[name][0](phone, world.numbers["int:pk"]["clubs"])
        return phone.client.put(where, body, content_type="application/json")

    _walk(replays.urls, PHONES, ask, world)


def test_calls(world: World) -> None:
    def ask(who: str, name: str, where: str) -> Any:
        return Client().get(where, headers=world.headers(who))

    _walk(api.urls, CALLS, ask, world)


def test_what_is_sent_to_the_api(world: World) -> None:
    def ask(who: str, name: str, where: str) -> Any:
        body = SENT[name][0]
        kind = KINDS.get(body[:1], "application/vnd.tgn")
        return Client().generic("POST", where, body, content_type=kind, headers=world.headers(who))

    _walk(api.urls, SENT, ask, world)
    assert not Upload.objects.filter(user=world.users["stranger"], space__kind="club").exists()
