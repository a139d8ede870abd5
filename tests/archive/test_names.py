"""Players are found in any case, of whatever alphabet, on both databases alike."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from archive import selectors
from archive.models import NAME_LENGTH, Player, caseless
from archive.services import store_upload, verify
from tests.archive import samples

pytestmark = pytest.mark.storage

ALIKE = [
    ("Bořek", "BOŘEK", "bořek", "bOŘek", normalize("NFD", "Bořek"), normalize("NFD", "BOŘEK")),
    ("Groß", "GROSS", "groß", "GROẞ"),
    ("Élodie", "ÉLODIE", "élodie", "E\u0301lodie"),
    ("Юрий", "ЮРИЙ", "юрий"),
    ("Οδυσσεύς", "ΟΔΥΣΣΕΎΣ", "οδυσσεύς"),
    ("太郎", "太郎"),
]
APART = [("Bořek", "Borek"), ("太郎", "次郎"), ("Ada", "Ada "), ("Bořek", "Bo_ek"), ("Bořek", "Bo%")]


@pytest.mark.parametrize("names", ALIKE)
@pytest.mark.django_db
def test_a_player_is_found_in_any_case(names: tuple[str, ...]) -> None:
    stored = store_upload(raw=samples.dealt(1, players=(names[0], "Eva", "Max", "Uwe")).encode())
    deal = stored.items.get().deal
    store_upload(raw=samples.dealt(2).encode())
    assert deal is not None
    for name in names:
        assert [d.pk for d in selectors.deals(player=name)] == [deal.pk], name
        assert [p.name for p in selectors.players(name)] == [names[0]], name
        assert [p.name for p in selectors.players(name[:-1])] == [names[0]], name
        assert selectors.is_player(name), name


@pytest.mark.parametrize(("stored", "asked"), APART)
@pytest.mark.django_db
def test_other_names_are_other_players(stored: str, asked: str) -> None:
    store_upload(raw=samples.dealt(1, players=(stored, "Eva", "Max", "Uwe")).encode())
    assert not selectors.deals(player=asked).exists()
    assert not selectors.is_player(asked)


@pytest.mark.django_db
def test_one_name_in_two_cases_finds_the_deals_of_both() -> None:
    for seed, name in enumerate(("Bořek", "BOŘEK")):
        store_upload(raw=samples.dealt(seed, players=(name, "Eva", "Max", "Uwe")).encode())
    assert Player.objects.count() == 5
    assert selectors.deals(player="bořek").count() == 2


@pytest.mark.django_db
def test_scores_are_found_in_any_case() -> None:
    deal = store_upload(raw=samples.TAROKY.encode()).items.get().deal
    assert deal is not None
    verify(deal.pk)
    assert [row["player"] for row in selectors.player_scores(player="BOŘEK")] == ["Bořek"]


@pytest.mark.django_db
def test_every_way_of_saving_fills_in_the_search_name() -> None:
    one = Player.objects.create(name="Žofie")
    assert one.search_name == "žofie"
    one.name = "Řehoř"
    one.save()
    Player.objects.bulk_create([Player(name="ÉVA")])
    stored = dict(Player.objects.values_list("name", "search_name"))
    assert stored == {"Řehoř": "řehoř", "ÉVA": "éva"}


@pytest.mark.parametrize("letter", ["\ufb03", "\U0001d160", "\u0390", "\u1fb7"])
@pytest.mark.django_db
def test_the_longest_search_name_fits(letter: str) -> None:
    Player.objects.create(name=letter * NAME_LENGTH)
    found = Player.objects.named(letter * NAME_LENGTH).get()
    assert len(found.search_name) <= Player._meta.get_field("search_name").max_length


def test_no_letter_grows_beyond_the_column() -> None:
    letters = (chr(n) for n in range(0x110000) if not 0xD800 <= n < 0xE000)
    assert max(len(caseless(letter)) for letter in letters) == 3


@pytest.mark.django_db
def test_it_is_looked_up_by_an_index() -> None:
    Player.objects.bulk_create(Player(name=f"Player {n}") for n in range(3000))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    assert "player_search_name" in Player.objects.named("PLAYER 77").explain()


@pytest.mark.django_db(transaction=True)
def test_players_of_before_get_their_search_name() -> None:
    """The migration, on a database with more players than it takes at a time."""
    try:
        before = MigrationExecutor(connection)
        before.migrate([("archive", "0002_upload_waits")])
        old = before.loader.project_state([("archive", "0002_upload_waits")]).apps.get_model(
            "archive", "Player"
        )
        old.objects.bulk_create([old(name=f"Řehoř {n}") for n in range(1200)])
    finally:
        after = MigrationExecutor(connection)
        after.migrate(after.loader.graph.leaf_nodes())
    assert Player.objects.count() == 1200
    assert not Player.objects.exclude(search_name__startswith="řehoř ").exists()
    assert selectors.is_player("ŘEHOŘ 1199")
