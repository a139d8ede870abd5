"""The links to an evening: friends enter deals by one, another only shows, and a private one recovers."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive import access
from archive.models import Contribution, Evening, Space, Upload
from archive.storing import spaces
from archive.web import throttles
from tests.pages.conftest import browser_of, missing, text_of
from tests.pages.evenings import NAMES, Phone, error, first_duty

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]

GONE, STRANGER = (403, "permission_denied"), (401, "not_authenticated")


@pytest.fixture(params=["guest", "account", "club"])
def host(request: Any, signed_in: Client, club: Space) -> Phone:
    """The phone of the person who started an evening, with one deal."""
    phone = Phone(Client() if request.param == "guest" else signed_in)
    space = club.pk if request.param == "club" else None
    phone.start(space=space, visibility="unlisted" if request.param == "guest" else "members")
    assert phone.enter(1, first_duty()).status_code == 201
    return phone


def join_link(host: Phone) -> str:
    answer = host.put("link", {})
    assert answer.status_code == 200, answer.content
    link: str = answer.json()["link"]
    return link


def join(link: str, key: str, name: str = "Jirka", client: Client | None = None) -> Phone:
    """Open the link in another browser, and choose a name."""
    friend = Phone(client or Client(), key)
    answer = friend.client.post(link, {"name": name})
    assert (answer.status_code, answer["Location"]) == (302, f"/evenings/#{key}")
    return friend


def test_a_friend_enters_changes_and_deletes_deals_under_the_chosen_name(host: Phone) -> None:
    link = join_link(host)
    assert join_link(host) == link, "there is one link until it is revoked"
    assert host.put("link", {}).json()["picture"].startswith("<svg")
    assert missing(text_of(Client(), link), *NAMES) == [], "the names at the table are offered"
    friend = join(link, host.key)
    assert friend.client.get(link)["Location"] == f"/evenings/#{host.key}", "asked for the name only once"
    state = friend.state()
    assert (state["friend"], state["choices"], state["deals"][0]["players"]["A"]) == ("Jirka", [], "Alena")
    assert not {"address", "audit"} & state["deals"][0].keys(), "these pages are not for friends"
    assert friend.enter(2, first_duty(50)).status_code == 201
    deal = friend.deals()[1]
    assert friend.enter(1, first_duty(45), base=deal["version"]).status_code == 200
    own = "" if state["setup"]["space"] is None and host.state()["recovery"] else "alena"
    for phone in (host, friend):
        by = {n: deal["entered_by"] for n, deal in phone.deals().items()}
        assert by == {1: own, 2: "Jirka"}
    # Whoever enters a deal again after it was deleted has entered it.
    assert host.withdraw(2, host.deals()[2]["version"]).status_code == 200
    assert host.enter(2, first_duty(55)).status_code == 200
    assert friend.withdraw(1, friend.deals()[1]["version"]).status_code == 200
    assert friend.enter(1, first_duty(55)).status_code == 200
    assert {n: deal["entered_by"] for n, deal in host.deals().items()} == {1: "Jirka", 2: own}
    (running,) = friend.client.get("/evenings/start.json").json()["evenings"]
    assert running["key"] == host.key
    # A deal that nobody played is entered, too.
    setup = friend.state()["setup"]
    thrown = friend.change(setup, thrown_in=[3])
    assert (thrown.status_code, thrown.json()["setup"]["thrown_in"]) == (200, [3])


def test_a_friend_changes_nothing_else_and_sees_no_other_evening(host: Phone) -> None:
    friend = join(join_link(host), host.key)
    setup = friend.state()["setup"]
    for changes in (
        {"ended": True}, {"visibility": "public"}, {"table": [*NAMES, "Emil"]}, {"name": "Mine"},
        {"options": ["cap=1"]},
    ):  # fmt: skip
        assert error(friend.change(setup, **changes))[:2] == GONE, changes
    assert error(friend.put("link", {}))[:2] == GONE
    assert error(friend._send("DELETE", "link", {}))[:2] == GONE
    assert host.state()["setup"] == setup
    other = Phone(host.client)
    other.start(space=setup["space"], name="Other", visibility=setup["visibility"])
    deal = other.enter(1, first_duty()).json()["deal"]
    there = Phone(friend.client, other.key)
    answers = [
        there.client.get(f"/evenings/{other.key}/state.json"),
        there.enter(1, first_duty(50), base=deal["version"]),
        there.enter(2, first_duty()),
        there.withdraw(1, deal["version"]),
        there.put("link", {}),
    ]
    assert [error(answer)[:2] for answer in answers] == [STRANGER] * 5
    state = host.state()
    for address in (state["address"], f"{state['address']}print/", state["deals"][0]["address"], "/uploads/"):
        assert not set(NAMES) & set(friend.client.get(address).text.split()), address
        assert address == "/uploads/" or friend.client.get(address).status_code == 404, address


@pytest.mark.parametrize("way", ["revoked", "ended"])
def test_the_link_ends(host: Phone, way: str) -> None:
    link = join_link(host)
    friend = join(link, host.key)
    deal = friend.enter(2, first_duty()).json()["deal"]
    setup = host.state()["setup"]
    if way == "revoked":
        assert host._send("DELETE", "link", {}).status_code == 200
        assert error(friend.client.get(f"/evenings/{host.key}/state.json"))[:2] == GONE
        assert friend.client.get("/evenings/start.json").json()["evenings"] == []
    else:
        assert host.change(setup, ended=True).status_code == 200
        setup = friend.state()["setup"]
        assert setup["ended"], "the final standings can still be seen"
    answers = [
        friend.enter(3, first_duty()),
        friend.enter(2, first_duty(50), base=deal["version"]),
        friend.withdraw(2, deal["version"]),
        friend.change(setup, thrown_in=[3]),
        friend.change(setup, ended=False),
    ]
    assert [error(answer)[:2] for answer in answers] == [GONE] * 5
    for client in (Client(), friend.client):
        assert client.post(link, {"name": "Eva"}).status_code == 404
    assert sorted(host.deals()) == [1, 2]
    if way == "revoked":
        again = join_link(host)
        assert again != link
        assert join(again, host.key, client=friend.client).enter(3, first_duty()).status_code == 201


def test_only_who_may_run_the_evening_gets_its_link(
    phone: Phone, second: Phone, club: Space, alena: User
) -> None:
    stranger = browser_of(User.objects.create_user("stranger"))
    assert error(second.put("link", {}))[:2] == GONE, "a member who did not start it"
    assert error(Phone(stranger, phone.key).put("link", {}))[:2] == (404, "not_found")
    assert error(Phone(Client(), phone.key).put("link", {}))[:2] == STRANGER
    assert not Evening.objects.exclude(join_key=None).exists()
    # Members need no link, and keep their own rights if they open it.
    link = join_link(phone)
    assert second.client.get(link)["Location"] == f"/evenings/#{phone.key}"
    # A friend who becomes a member gets the state again, though nothing else has changed.
    friend = join(link, phone.key, client=stranger)
    address = f"/evenings/{phone.key}/state.json"
    etag = friend.client.get(address)["ETag"]
    spaces.join(spaces.invite(club, by=alena), User.objects.get(username="stranger"))
    answer = friend.client.get(address, headers={"If-None-Match": etag})
    assert (answer.status_code, answer.json()["friend"]) == (200, "")
    assert second.enter(1, first_duty()).status_code == 201
    assert phone.deals()[1]["entered_by"] == "borek"


@pytest.mark.parametrize(
    ("role", "started", "ends"),
    [("secretary", False, True), ("member", True, True), ("member", False, False)],
)
def test_who_is_removed_from_the_club_does_not_come_back_by_a_link_they_could_see(
    role: str, started: bool, ends: bool, phone: Phone, second: Phone, alena: User, borek: User, club: Space
) -> None:
    Evening.objects.update(made_by=borek if started else alena)
    link = join_link(phone)
    member = club.members.get(user=borek)
    spaces.set_role(member, role)
    if ends:
        assert second.put("link", {}).json()["link"] == link
    spaces.remove(member)
    assert (second.client.get(link).status_code == 404, join_link(phone) != link) == (ends, ends)


def test_a_friend_with_an_account_gets_no_rights_by_it(phone: Phone, other: Client) -> None:
    """Not even if they started the evening, and have left the club since."""
    link = join_link(phone)
    friend = join(link, phone.key, "Cyril", other)
    user = User.objects.get(pk=int(other.session["_auth_user_id"]))
    Evening.objects.update(made_by=user)
    assert friend.enter(1, first_duty()).status_code == 201
    assert Upload.objects.get().user is None
    assert phone.deals()[1]["entered_by"] == "Cyril"
    assert error(friend.change(friend.state()["setup"], visibility="members"))[:2] == GONE
    assert not access.changeable(access.viewer(user)).exists()


def test_the_link_that_shows_the_evening_lets_nobody_enter(host: Phone) -> None:
    if host.state()["visibility"] != "unlisted":
        assert host.change(host.state()["setup"], visibility="unlisted").status_code == 200
    shown = host.state()["link"]
    reader = Phone(Client(), host.key)
    assert "Alena" in text_of(reader.client, shown, follow=True)
    assert shown != join_link(host)
    friend = join(join_link(host), host.key)
    assert friend.state()["link"] == "", "it would outlast a revocation"
    for answer in (reader.enter(2, first_duty()), reader.put("link", {}), reader.withdraw(1, "0" * 16)):
        assert error(answer)[:2] == STRANGER
    word = shown.rstrip("/").rpartition("/")[2]
    for address in (f"/evenings/join/{word.replace(':', '-')}/", f"/evenings/recover/{word}/"):
        assert Client().post(address, {"name": "Jirka"}).status_code == 404


def test_a_friend_needs_a_name_and_attempts_are_limited(phone: Phone, monkeypatch: Any) -> None:
    client, link = Client(), join_link(phone)
    for name in ("", "  ", "a\u202eb", "x" * 201):
        assert client.post(link, {"name": name}).status_code == 400
    assert error(Phone(client, phone.key).enter(1, first_duty()))[:2] == STRANGER
    monkeypatch.setattr(throttles.Entries, "rate", "2/min")
    statuses = [Client().get(link, headers={"X-Forwarded-For": "192.0.2.7"}).status_code for _ in range(4)]
    assert statuses[-1] == 429


# --- the private link ---------------------------------------------------------------------------------------


@pytest.fixture
def guest() -> Phone:
    phone = Phone(Client())
    phone.start(visibility="unlisted")
    phone.enter(1, first_duty())
    return phone


def test_a_guest_gets_the_evening_back(guest: Phone) -> None:
    recovery = guest.state()["recovery"]
    found = Phone(Client(), guest.key)
    assert found.client.get(recovery).status_code == 200
    assert error(found.enter(2, first_duty()))[:2] == STRANGER, "not before it is confirmed"
    for _ in range(2):
        assert found.client.post(recovery)["Location"] == f"/evenings/#{guest.key}"
    assert found.enter(2, first_duty()).status_code == 201
    assert found.change(found.state()["setup"], visibility="public").status_code == 200
    assert guest.enter(3, first_duty()).status_code == 201, "the other browser goes on if it is not lost"
    # Another guest keeps the own evenings.
    own = Phone(Client())
    own.start(visibility="unlisted", name="Own")
    assert own.client.post(recovery).status_code == 302
    assert Phone(own.client, guest.key).enter(4, first_duty()).status_code == 201
    assert own.enter(1, first_duty()).status_code == 201
    assert Space.objects.filter(kind="guest").count() == 1


def test_an_account_adopts_the_evening_and_the_link_ends(
    guest: Phone, signed_in: Client, alena: User
) -> None:
    recovery = guest.state()["recovery"]
    friend = join(join_link(guest), guest.key)
    assert signed_in.post(recovery).status_code == 302
    mine = Phone(signed_in, guest.key)
    state = mine.state()
    assert (state["recovery"], state["friend"]) == ("", ""), "the account needs no such link"
    assert Evening.objects.get().session.space == spaces.own(alena)
    assert Contribution.objects.get().space == spaces.own(alena)
    for word in (recovery, f"/evenings/recover/{access.recovery_link(Evening.objects.get())}/"):
        assert Client().get(word).status_code == Client().post(word).status_code == 404
    assert friend.enter(2, first_duty()).status_code == 201, "friends stay at the table"


def test_the_link_for_friends_recovers_nothing_and_they_get_no_private_one(guest: Phone) -> None:
    friend = join(join_link(guest), guest.key)
    assert friend.state()["recovery"] == ""
    key = join_link(guest).rstrip("/").rpartition("/")[2]
    for word in (key, guest.key, f"{guest.key}:{key}", access.link_to(Evening.objects.get().session)):
        assert friend.client.post(f"/evenings/recover/{word}/").status_code == 404
    word = guest.state()["recovery"].rstrip("/").rpartition("/")[2]
    assert Client().post(f"/evenings/join/{word.replace(':', '-')}/", {"name": "Eva"}).status_code == 404
