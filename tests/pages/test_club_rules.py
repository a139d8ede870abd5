"""The rules by which a club plays: chosen, changed, shown, printed; by whom, and with bad values. Deals by
them: amounts with their unit, a table for each of the rules, settled by other ones."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from html import unescape
from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Contribution, HouseRules, Member, Player, Session, Space
from archive.shown import ShownDeal
from archive.storing import corrections, house_rules, spaces
from tarock.core.options import shown
from tarock.games import GAMES, profiles
from tarock.notation import read_one
from tarock.words.clauses import LANGUAGES, clause
from tests.archive.test_rules import OWN, ruled
from tests.archive.test_sheets import sheet
from tests.pages.conftest import Store, missing, page_at, page_of, text_of
from tests.pages.evenings import Phone, error, first_duty
from tests.support import samples
from tests.support.storing import deal_of, stored

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]

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


def test_a_club_adopts_published_rules_and_changes_a_line(
    signed_in: Client, club: Space, other: Client, borek: User
) -> None:
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
    form = f"/clubs/{club.pk}/rules/taroky/change/"
    assert form not in Client().get(f"/clubs/{club.pk}/rules/").text
    Member.objects.create(space=club, user=borek, role="secretary")
    for client, changes in ((signed_in, True), (other, False)):
        own = page_at(client, f"/clubs/{club.pk}/rules/")
        assert missing(own.text, "tarok-hlucin@1", "· alena") == []
        assert (form in own.attributes("href")) == changes
    club.members.filter(user=borek).update(role="member")
    assert "· alena" in text_of(other, f"/clubs/{club.pk}/rules/")
    paper = text_of(Client(), f"/clubs/{club.pk}/rules/taroky/")
    assert "Amounts in haléře: 100 h = 1 Kč" in paper
    assert "1500 h (15 Kč) 0" in paper
    earlier = text_of(Client(), f"/clubs/{club.pk}/rules/taroky/?version=tarok-hlucin@1")
    assert "1000 h (10 Kč)" in earlier
    assert Client().get(f"/clubs/{club.pk}/rules/strohmann/").status_code == 404


def test_each_error_is_at_its_field_and_nothing_typed_is_lost(signed_in: Client, club: Space) -> None:
    wrong = {"cap": "-5", "round": "1001", "unit": "Kč", "doubles": "", "varsava": "no", "hand_big": "４0"}
    for language, expected in (
        ("en", "ound the option “cap=-5”, expected for cap: 0–100000"),
        ("de", "„cap=-5“"),
        ("cs", "alezeno: dohodnuté pravidlo „cap=-5“, očekáváno pro cap: 0–100000"),
        ("ja", "「cap=-5」"),
    ):
        signed_in.cookies["django_language"] = language
        page = change(signed_in, club, values(**wrong), status=400)
        assert expected in page, [line for line in page.split("\n") if "_error" in line]
    for slug, typed in wrong.items():
        if slug != "varsava":
            assert f'id="id_{slug.replace("_", "-")}_error"' in page, slug
            assert f'value="{typed}"' in page or not typed
    # The payments of Varšava mean nothing without Varšava; they have errors once the rest is right.
    page = change(signed_in, club, values(varsava="no"), status=400)
    assert (page.count('_error">'), 'id="id_varsava-low_error"' in page) == (3, True)
    assert names(club) == []


def test_what_is_no_name_of_own_rules(signed_in: Client, club: Space, alena: User) -> None:
    """Neither a published name nor that of another club."""
    house_rules.adopt(spaces.found_club("Second", by=alena), "taroky", ["cap=2"], "kotva", by=alena)
    for name in ("vysocina", "Hlučín", "hlucin_1", "", "x" * 58, "kotva"):
        page = change(signed_in, club, values(cap="1") | {"name": name}, status=400)
        assert 'id="id_name_error"' in page, name
    assert "Other rules have this name already." in page
    with pytest.raises(house_rules.RulesNamed):
        house_rules.adopt(club, "taroky", ["cap=2"], "vysocina", by=alena)


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


def test_wrong_rules_of_an_evening_are_refused_with_their_place(signed_in: Client) -> None:
    phone, less = Phone(signed_in), [word for word in VYSOCINA if not word.startswith("cap=")]
    for language, (wrong, place) in product(LANGUAGES, [
        ({"options": ["cap=-1"]}, "/options/0"),
        ({"options": ["cap=1", "cap=2"]}, "/options/1"),
        ({"options": ["won=3"]}, "/options/0"),
        ({"options": ["uncontested=2"]}, "/options/0"),
        ({"options": less, "rules": "vysocina@1"}, "/rules"),
        ({"options": ["cap=1"], "rules": "Hlučín"}, "/rules"),
        ({"options": ["cap=1"], "rules": "mayr-sedlaczek@1"}, "/rules"),
    ]):  # fmt: skip
        signed_in.cookies["django_language"] = language
        assert error(phone.put("setup", phone.setup(**wrong))) == (400, "invalid_parameter", place), wrong
    # Rules without options are those of the source.
    assert phone.start(rules="taroky-seed@1")["rules"] == ""


def test_other_rules_settle_the_sheets_of_an_evening_and_keep_claims(signed_in: Client, club: Space) -> None:
    phone = Phone(signed_in)
    setup = phone.start(space=club.pk)
    phone.enter(1, first_duty())
    said = Contribution.objects.get()
    record = said.record(read_one(said.deal.text), as_written=True)
    claim = {"A": 24, "B": -24, "C": -24, "D": 24}
    corrections.correct(said, replace(record, score=claim), by=None)
    deal = phone.deals()[1]
    assert phone.change(setup, **RULES).status_code == 200
    assert phone.enter(1, by_vysocina(), base=deal["version"]).status_code == 200
    said.refresh_from_db()
    assert (said.claim, said.verdict) == ("A=24 B=-24 C=-24 D=24", "disputed")
    assert '"Rules":"vysocina@1"' in said.tags
    assert phone.deals()[1]["score"]["A"] == 130
    # Back to the source: the sheet has its old points, and names no rules.
    assert phone.change(phone.state()["setup"], options=[], rules="").status_code == 200
    assert phone.enter(1, first_duty(), base=phone.deals()[1]["version"]).status_code == 200
    said.refresh_from_db()
    assert "Rules" not in said.tags
    assert phone.deals()[1]["score"]["A"] == 25


# --- deals by house rules -----------------------------------------------------------------------------------


def at(client: Client, address: str, language: str = "en") -> str:
    return text_of(client, address, headers={"accept-language": language}).replace("\u00a0", " ")


@pytest.fixture
def evening(club: Space) -> Session:
    stored(sheet(60, 1), ruled(60, 2), ruled(60, 3, f'[Options "{OWN}"]'), space=club)
    return Session.objects.get()


def test_a_deal_shows_amounts_in_its_unit_and_its_options(client: Client) -> None:
    deal = deal_of(ruled())
    page = at(client, f"/deals/{deal.pk}/audit/")
    told = "+130 h (+1.30 Kč)", "−130 h (−1.30 Kč)", "vysocina@1", "amounts in haléře"
    assert missing(page, *told) == []
    assert "+130 h (+1,30 Kč)" in at(client, f"/deals/{deal.pk}/audit/", "cs")
    assert missing(at(client, "/deals/?rules=vysocina%401"), "+130 h (+1.30 Kč)") == []
    assert "+130" not in at(client, "/deals/?rules=seed")


def test_a_session_has_a_table_for_each_of_its_rules(client: Client, evening: Session) -> None:
    page = at(client, f"/sessions/{evening.pk}/")
    told = "Czech Taroky · vysocina@1", f"Czech Taroky · {OWN}", "+130 h (+1.30 Kč)", "+75 chips", "+25"
    assert missing(page, *told) == []
    # On paper, the money is in a row of its own.
    paper = at(client, f"/sessions/{evening.pk}/print/")
    assert missing(paper, *told[:2], "+130 h", "1.30 Kč", "+75 chips") == []
    assert "+130 h (" not in paper
    text = client.get(f"/sessions/{evening.pk}/session.csv").text
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
    assert [(row["rules"], row["unit"], row["Alena"], row["Alena (total)"]) for row in rows] == [
        ("seed", "point", "25", "25"), ("vysocina@1", "h", "130", "130"), (OWN, "chip", "75", "75"),
    ]  # fmt: skip


def test_a_season_has_a_table_for_each_of_its_rules_and_the_leaderboard_has_the_source_rules(
    client: Client, evening: Session, club: Space
) -> None:
    everything = "Czech Taroky · vysocina@1", "+130 h (+1.30 Kč)", "+75 chips"
    for address in (f"/clubs/{club.pk}/", f"/clubs/{club.pk}/season/?game=taroky"):
        assert missing(at(client, address), *everything, "+25", f"Czech Taroky · {OWN}") == []
        named = HouseRules.objects.create(space=club, game="taroky", name="u-lva@1", options=OWN.split())
        assert missing(at(client, address), "Czech Taroky · u-lva@1") == []
        named.delete()
    assert missing(at(client, f"/clubs/{club.pk}/season/?game=taroky&rules=seed"), *everything) == [
        *everything
    ]
    board = at(client, "/leaderboard/?game=taroky&least=1")
    assert missing(board, *everything[1:], "+25") == [*everything[1:]]
    board = at(client, "/leaderboard/?game=taroky&least=1&rules=vysocina%401")
    assert missing(board, *everything, "+25") == ["+75 chips", "+25"]


def test_a_players_sums_are_by_one_set_of_rules(client: Client, evening: Session) -> None:
    alena = Player.objects.get(name="Alena")
    page = at(client, f"/players/{alena.pk}/")
    assert missing(page, "+130 h (+1.30 Kč)", "+75 chips", "vysocina@1", OWN, "Best deal +25") == []
    assert "Best deal +130 h (+1.30 Kč)" in at(client, f"/players/{alena.pk}/?rules=vysocina%401")
    for odd in ("nobody%401", "price%3D", "%00"):
        assert "Best deal +25" in at(client, f"/players/{alena.pk}/?rules={odd}")


def test_a_table_is_imported_with_its_unit(signed_in: Client) -> None:
    table: dict[str, Any] = {"text": "Date;Alena;Bob\n2019-01-11;5;-5\n", "action": "store"}
    wrong = signed_in.post("/import/", table | {"rules": "vysocina@1"})
    assert (wrong.status_code, "not rules of this game" in wrong.text) == (400, True)
    assert signed_in.post("/import/", table | {"unit": "h"}).status_code == 302
    assert Contribution.objects.get().deal.rule_set.unit == "h"


# --- settled by other rules ---------------------------------------------------------------------------------

PRICES = "hand-small=20 pagat-announced=200 price-first=5 round=10 unit=h"
UNDER_PRICES = re.sub(
    r"(?s)\[Options .*?\](.*?)\[Score .*?\]\n",
    rf'[Rules "hlucin-club@3"]\n[Options "{PRICES}"]\1',
    samples.TAROKY,
)


def table(html: str) -> list[list[str]]:
    """The cells of the table that compares, as text."""
    body = html[html.index('<table class="audit by-seat settle"') :]
    cells = [
        re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)
        for row in re.findall(r"<tr[^>]*>(.*?)</tr>", body, re.S)
    ]
    return [[re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", cell)).strip() for cell in row] for row in cells]


def plain(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", html))


def get(client: Client, deal: ShownDeal, query: str, language: str = "en") -> str:
    answer = client.get(f"/deals/{deal.pk}/settle/?{query}", headers={"accept-language": language})
    assert answer.status_code == 200
    assert page_of(answer).unsafe == []
    html: str = answer.text
    return html


def test_a_deal_by_typed_options(client: Client, taroky: ShownDeal) -> None:
    html = get(client, taroky, "options=" + PRICES.replace(" ", "+"))
    head, *rows = table(html)
    assert head[1:] == ["own options", "these options haléře", "Because of"]
    titles = "The game", "The Pagat announced", "Tarocky: eight or nine", "Barvičky: one or two"
    assert all(row[0].startswith(title) for row, title in zip(rows, titles, strict=False))
    assert [tuple(row[1:]) for row in rows[:4]] == [
        ("+25 A, D −25 B, C", "+130 A, D −130 B, C", "price-first=5 round=10"),
        ("+80 A, D −80 B, C", "+800 A, D −800 B, C", "pagat-announced=200"),
        ("+5 A, D −5 B, C", "+20 A, D −20 B, C", "hand-small=20"),
        ("+5 B, C −5 A, D", "+20 B, C −20 A, D", "hand-small=20"),
    ]
    assert "60 − 35) × 5 h = 125 h; up to a multiple of 10: 130 h" in plain(html)
    assert [row[1:3] for row in rows[4:]] == [
        ["+105", "+930 h (+9.30 Kč)"], ["−105", "−930 h (−9.30 Kč)"],
        ["−105", "−930 h (−9.30 Kč)"], ["+105", "+930 h (+9.30 Kč)"],
    ]  # fmt: skip


def test_amounts_in_one_unit_are_subtracted(client: Client, taroky: ShownDeal) -> None:
    """6 for a small hand and not 5: 1 more for A and D, and 1 more for B and C."""
    head, *rows = table(get(client, taroky, "options=hand-small=6+cap=100"))
    assert head[1:] == ["own options", "these options", "Difference", "Because of"]
    # 25 + 80 + 6 - 6 = 105, and 5 come off.
    assert rows[2][3] == "+1 A, D −1 B, C"
    assert rows[4][1:] == ["·", "+5 B, C −5 A, D", "+5 B, C −5 A, D", "cap=100"]
    assert rows[5][1:4] == ["+105", "+100", "−5"]


def test_a_deal_that_could_not_have_been_played_so(client: Client, taroky: ShownDeal) -> None:
    """C refuses the talon card, and by the Vysočina rules everybody must exchange."""
    for language in LANGUAGES:
        html = get(client, taroky, "rules=vysocina%401", language)
        title = clause("taroky.refuse", language).title
        link = f'<a href="/rules/clause/taroky.refuse/">{title}</a>'
        step = f'href="/deals/{taroky.pk}/replay/?step=7"'
        assert missing(html, link, "<code>refuse=no</code>", step) == []
        assert [row[1] for row in table(html)[-4:]] == ["+105", "−105", "−105", "+105"]
        assert {row[2] for row in table(html)[-4:]} == {"–"}
    html = get(client, taroky, "than=taroky-net@1&rules=vysocina@1")
    assert plain(html).count("By these rules the deal could not have been played so:") == 2


def test_wrong_rules_are_said_and_nothing_is_settled(client: Client, taroky: ShownDeal) -> None:
    for query, said in (
        ("options=cap=x", "cap=x"), ("options=flek", "flek"), ("rules=nobody@1", "nobody@1"),
        ("rules=mayr-sedlaczek@1", "mayr-sedlaczek@1"), ("options=" + "x" * 2001, "2000"), ("", ""),
    ):  # fmt: skip
        html = get(client, taroky, query)
        assert '<table class="audit by-seat settle"' not in html
        assert said in html
        assert ('class="error"' in html) == bool(query)
        assert client.get(f"/deals/{taroky.pk}/settle.png?{query}").status_code == 404


def test_the_page_of_a_deal_leads_to_the_other_rules(client: Client, taroky: ShownDeal, store: Store) -> None:
    (troggu,) = store(samples.TROGGU)
    for page in ("", "audit/"):
        html = client.get(f"/deals/{taroky.pk}/{page}").text
        links = re.findall(rf'href="(/deals/{taroky.pk}[^"]*/settle/[^"]*)"', html)
        assert [link.partition("?")[2] for link in links] == [
            "rules=taroky-seed%401", "rules=taroky-net%401", "rules=vysocina%401", "rules=dlazka%401", "",
        ]  # fmt: skip
        assert client.get(links[0]).status_code == 200
        # Troggu has one price only.
        assert "/settle/" not in client.get(f"/deals/{troggu.pk}/{page}").text


def test_a_deal_under_house_rules(client: Client, store: Store) -> None:
    """The head names the rules, each changed line the options, and a clause has their values."""
    (deal,) = store(UNDER_PRICES)
    html = client.get(f"/deals/{deal.pk}/audit/").text
    text = plain(html)
    assert "Rules: hlucin-club@3 · amounts in haléř" in text
    assert "(60 − 35) × 5 h = 125 h; up to a multiple of 10: 130 h" in text
    assert "because of price-first=5, round=10" in text
    assert "<code>price-first=5</code>: price of a card point in First Duty." in html
    assert html.count("price-troika-3=3") == 1
    links = re.findall(r'settle/\?rules=([^"]*)"', html)
    assert "taroky-seed%401" in links
    head, *rows = table(get(client, deal, "rules=taroky-seed@1"))
    assert head[1:3] == ["hlucin-club@3 haléře", "Rules of the source"]
    assert rows[0][3] == "price-first=1 round=1"
    assert [row[2] for row in rows[4:]] == ["+105", "−105", "−105", "+105"]
    about = client.get(f"/deals/{deal.pk}/").text
    assert "<code>pagat-announced=200</code>" in about


def test_the_picture_of_a_comparison_is_of_public_deals(client: Client, taroky: ShownDeal) -> None:
    html = get(client, taroky, "options=" + PRICES.replace(" ", "+"))
    picture = re.search(r'<meta property="og:image" content="http://testserver(/[^"]*settle.png[^"]*)"', html)
    assert picture
    address = picture[1].replace("&amp;", "&")
    answer = client.get(address)
    assert (answer["Content-Type"], answer.content[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")
    assert client.get(address, headers={"if-none-match": answer["ETag"]}).status_code == 304
    Contribution.objects.update(visibility="members")
    for page in (address, f"/deals/{taroky.pk}/settle/?rules=vysocina@1"):
        assert client.get(page).status_code == 404


@pytest.mark.parametrize("game", GAMES)
def test_the_options_of_a_game(client: Client, game: str) -> None:
    here, published = f"/rules/{game}/options/", ("vysocina@1", "http://taroky.net/en_quickrules.html")
    for language in ("en", "ja"):
        answer = client.get(here, headers={"accept-language": language})
        assert page_of(answer).unsafe == []
        slugs = (f'id="{slug}"' for slug in GAMES[game].info.rules.table())
        assert missing(answer.text, *slugs) == []
        assert [name in answer.text for name in published] == [game == "taroky"] * 2
        assert f'href="{here}"' in client.get(f"/rules/{game}/").text
    for unknown in ("common", "bridge"):
        assert client.get(f"/rules/{unknown}/options/").status_code == 404
