"""The rules by which a club plays: chosen, changed, shown, printed; by whom, and with bad values."""

from __future__ import annotations

from dataclasses import replace
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Contribution, HouseRules, Member, Space
from archive.storing import corrections, house_rules, spaces
from tarock.core.options import shown
from tarock.games import GAMES, profiles
from tarock.notation import read_one
from tests.pages.conftest import page_of, text_of
from tests.pages.evenings import Phone, error, first_duty

pytestmark = pytest.mark.django_db

VYSOCINA = profiles()["vysocina@1"].words


def values(words: tuple[str, ...] = VYSOCINA, game: str = "taroky", **changes: str) -> dict[str, str]:
    """What the form sends for these rules, with some fields changed."""
    rules = GAMES[game].info.rules
    options = rules.of(words)
    found = {"name": "tarok-hlucin"} | {slug: shown(options.value(slug)) for slug in rules.table()}
    return found | {slug.replace("_", "-"): text for slug, text in changes.items()}


def change(client: Client, club: Space, sent: dict[str, str], game: str = "taroky", status: int = 302) -> str:
    answer = client.post(f"/clubs/{club.pk}/rules/{game}/change/", sent)
    assert answer.status_code == status, answer.content
    return unescape(answer.text)


def names(club: Space) -> list[str]:
    return list(HouseRules.objects.filter(space=club).values_list("name", flat=True))


def test_a_club_adopts_published_rules_and_changes_a_line(signed_in: Client, club: Space) -> None:
    form = signed_in.get(f"/clubs/{club.pk}/rules/taroky/change/?from=vysocina@1")
    page = page_of(form)
    sent = {dict(attrs).get("name") for tag, attrs in page.tags if tag in ("input", "select")}
    assert sent >= set(GAMES["taroky"].info.rules.table()), "every option of the engine has a field"
    assert "no readable source says what Varšava costs" in page.text
    change(signed_in, club, values())
    assert names(club) == ["vysocina@1"]
    change(signed_in, club, values(cap="1000"))
    change(signed_in, club, values(cap="1000"))  # the same again is no new version
    change(signed_in, club, values(cap="1500"))
    assert names(club) == ["tarok-hlucin@2", "tarok-hlucin@1", "vysocina@1"]
    # Everybody can read the rules, and the earlier versions.
    shown_to_all = text_of(Client(), f"/clubs/{club.pk}/rules/")
    assert "The most that one player pays another in a deal (0: no limit): 1500 h (15 Kč)" in shown_to_all
    assert "tarok-hlucin@1" in shown_to_all
    assert "alena" not in shown_to_all, "only members see the members"
    assert "tarok-hlucin@1" in (own := text_of(signed_in, f"/clubs/{club.pk}/rules/"))
    assert "· alena" in own
    paper = text_of(Client(), f"/clubs/{club.pk}/rules/taroky/")
    assert "Amounts in haléře: 100 h = 1 Kč" in paper
    assert "1500 h (15 Kč) 0" in paper
    earlier = text_of(Client(), f"/clubs/{club.pk}/rules/taroky/?version=tarok-hlucin@1")
    assert "1000 h (10 Kč)" in earlier
    assert Client().get(f"/clubs/{club.pk}/rules/strohmann/").status_code == 404


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "ound the option “cap=-5”, expected for cap: 0–100000"),
        ("de", "„cap=-5“"),
        ("cs", "alezeno: dohodnuté pravidlo „cap=-5“, očekáváno pro cap: 0–100000"),
        ("ja", "「cap=-5」"),
    ],
)
def test_each_error_is_at_its_field_and_nothing_typed_is_lost(
    language: str, expected: str, signed_in: Client, club: Space
) -> None:
    signed_in.cookies["django_language"] = language
    wrong = {"cap": "-5", "round": "1001", "unit": "Kč", "doubles": "", "varsava": "no", "hand_big": "４0"}
    page = change(signed_in, club, values(**wrong), status=400)
    assert expected in page, [line for line in page.split("\n") if "_error" in line]
    for slug, typed in wrong.items():
        if slug != "varsava":
            assert f'id="id_{slug.replace("_", "-")}_error"' in page, slug
            assert f'value="{typed}"' in page or not typed
    # The payments of Varšava mean nothing without Varšava; they have errors once the rest is right.
    page = change(signed_in, club, values(varsava="no"), status=400)
    assert page.count('_error">') == 3
    assert 'id="id_varsava-low_error"' in page
    assert names(club) == []


@pytest.mark.parametrize("name", ["vysocina", "Hlučín", "hlucin_1", "", "x" * 58])
def test_what_is_no_name_of_own_rules(name: str, signed_in: Client, club: Space) -> None:
    assert 'id="id_name_error"' in change(signed_in, club, values(cap="1") | {"name": name}, status=400)


def test_another_clubs_name_is_taken(signed_in: Client, club: Space, other: Client, borek: User) -> None:
    change(signed_in, club, values(cap="1"))
    second = spaces.found_club("Second", by=borek)
    page = change(other, second, values(cap="2"), status=400)
    assert "Other rules have this name already." in page
    with pytest.raises(house_rules.RulesNamed):
        house_rules.adopt(second, "taroky", ["cap=2"], "vysocina", by=borek)


def test_only_owners_change_the_rules(signed_in: Client, club: Space, other: Client, borek: User) -> None:
    address = f"/clubs/{club.pk}/rules/taroky/change/"
    for role in ("", "member", "secretary"):
        if role:
            Member.objects.update_or_create(space=club, user=borek, defaults={"role": role})
        assert other.get(address).status_code == 404, role
        change(other, club, values(cap="1"), status=404)
    assert Client().post(address, values()).status_code == 403
    assert names(club) == []
    assert address not in other.get(f"/clubs/{club.pk}/rules/").text
    assert address in signed_in.get(f"/clubs/{club.pk}/rules/").text


def test_two_owners_change_the_rules_at_the_same_time(signed_in: Client, club: Space) -> None:
    page = signed_in.get(f"/clubs/{club.pk}/rules/taroky/change/").text
    version = page.partition('name="version" value="')[2].partition('"')[0]
    change(signed_in, club, values(cap="1"))
    change(signed_in, club, values(cap="2") | {"version": version}, status=409)
    assert names(club) == ["tarok-hlucin@1"]


# --- evenings by these rules --------------------------------------------------------------------------------

RULES = {"options": [*VYSOCINA], "rules": "vysocina@1"}


def by_vysocina(points: int = 60) -> dict[str, object]:
    """Alena and Dana with 60 points: 25 × 5 = 125, up to 130 h; the talon can't be refused, nothing else."""
    return first_duty(points, options=[*VYSOCINA])


def test_an_evening_is_played_by_the_rules_of_its_club(signed_in: Client, club: Space, alena: User) -> None:
    house_rules.adopt(club, "taroky", VYSOCINA, "", by=alena)
    start = signed_in.get("/evenings/start.json").json()
    (own,) = (space for space in start["spaces"] if space["id"] == club.pk)
    assert own["rules"] == {"taroky": {"name": "vysocina@1", "options": [*VYSOCINA]}}
    phone = Phone(signed_in)
    setup = phone.start(space=club.pk, **RULES)
    assert (setup["rules"], setup["options"]) == ("vysocina@1", [*VYSOCINA])
    phone.enter(1, by_vysocina())
    assert phone.deals()[1]["score"] == {"A": 130, "B": -130, "C": -130, "D": 130}
    session = phone.state()["session"]
    tgn = Client().get(f"/sessions/{session}/session.tgn").getvalue().decode()
    assert '[Rules "vysocina@1"]' in tgn
    assert f'[Options "{" ".join(VYSOCINA)}"]' in tgn
    # The club's later rules leave the evening alone.
    house_rules.adopt(club, "taroky", ["cap=1"], "tarok", by=alena)
    assert phone.state()["setup"]["rules"] == "vysocina@1"
    pages = {page: text_of(signed_in, f"/sessions/{session}/{page}") for page in ("", "print/")}
    for page in pages.values():
        assert "Rules: vysocina@1 · Amounts in haléře: 100 h = 1 Kč" in page
        assert "+130 h" in page
        assert "1.30 Kč" in page
    phone.change(phone.state()["setup"], ended=True)
    ended = text_of(signed_in, f"/sessions/{session}/")
    assert "Bob → Alena 130 h (1.30 Kč)" in ended
    assert "Points in money" not in ended, "an amount in h is money already"
    head, row = signed_in.get(f"/sessions/{session}/session.csv").getvalue().decode().split("\r\n")[:2]
    found = dict(zip(head.split(","), row.split(","), strict=True))
    assert (found["rules"], found["unit"], found["Alena"]) == ("vysocina@1", "h", "130")


@pytest.mark.parametrize("language", ["en", "de", "cs", "ja"])
def test_wrong_rules_of_an_evening_are_refused_with_their_place(language: str, signed_in: Client) -> None:
    signed_in.cookies["django_language"] = language
    phone, less = Phone(signed_in), [word for word in VYSOCINA if not word.startswith("cap=")]
    for wrong, place in [
        ({"options": ["cap=-1"]}, "/options/0"),
        ({"options": ["cap=1", "cap=2"]}, "/options/1"),
        ({"options": ["won=3"]}, "/options/0"),
        ({"options": ["uncontested=2"]}, "/options/0"),
        ({"options": less, "rules": "vysocina@1"}, "/rules"),
        ({"options": ["cap=1"], "rules": "Hlučín"}, "/rules"),
        ({"options": ["cap=1"], "rules": "mayr-sedlaczek@1"}, "/rules"),
    ]:
        assert error(phone.put("setup", phone.setup(**wrong))) == (400, "invalid_parameter", place), wrong
    # Rules without options are those of the source.
    assert phone.start(rules="taroky-seed@1")["rules"] == ""


def test_other_rules_settle_the_sheets_of_an_evening_and_keep_claims(signed_in: Client, club: Space) -> None:
    phone = Phone(signed_in)
    setup = phone.start(space=club.pk)
    phone.enter(1, first_duty())
    said = Contribution.objects.get()
    record = replace(
        said.record(read_one(said.deal.text), as_written=True), score={"A": 24, "B": -24, "C": -24, "D": 24}
    )
    corrections.correct(said, record, by=None)
    deal = phone.deals()[1]
    assert phone.change(setup, **RULES).status_code == 200
    assert phone.enter(1, by_vysocina(), base=deal["version"]).status_code == 200
    said.refresh_from_db()
    assert (said.claim, said.verdict) == ("A=24 B=-24 C=-24 D=24", "disputed")
    assert '"Rules":"vysocina@1"' in said.tags
    assert phone.deals()[1]["score"]["A"] == 130
    # Back to the source: the sheet has its old points, and names no rules.
    again = phone.change(phone.state()["setup"], options=[], rules="")
    assert again.status_code == 200
    assert phone.enter(1, first_duty(), base=phone.deals()[1]["version"]).status_code == 200
    said.refresh_from_db()
    assert "Rules" not in said.tags
    assert phone.deals()[1]["score"]["A"] == 25


def test_a_friend_cannot_change_the_rules(signed_in: Client, club: Space) -> None:
    phone = Phone(signed_in)
    phone.start(space=club.pk)
    link = phone.put("link", {}).json()["link"]
    friend = Phone(Client(), phone.key)
    friend.client.post(link.partition("testserver")[2], {"name": "Emil"})
    answer = friend.change(friend.state()["setup"], **RULES)
    assert error(answer)[:2] == (403, "permission_denied")
