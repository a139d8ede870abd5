"""The columns: words as numbers, packed texts, sheets, names, and values that a database rejects."""

from __future__ import annotations

import json
import zlib
from unicodedata import normalize

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, models, transaction
from django.utils import timezone

from archive import fields, packed_sheets
from archive.fields import GameField, PackedTextField, WordField, searchable
from archive.models import (
    DEAL_VERDICTS,
    NAME_LENGTH,
    ROLES,
    VERDICTS,
    VISIBILITIES,
    Contribution,
    Deal,
    Part,
    Player,
    Seat,
    Space,
    UploadItem,
    Work,
)
from archive.reading import players
from archive.reading.filters import Filters
from archive.shown import ShownDeal
from archive.storing import spaces
from archive.storing.verdicts import deal_json
from tarock.analysis.simulate import simulate
from tarock.analysis.verify import check
from tarock.games import GAMES
from tarock.notation import read_one, write_text
from tests.support import samples, settling, storing
from tests.support.storing import deal_of, stored

pytestmark = pytest.mark.storage

SAMPLE = '[TGN "1"]\n[Game "taroky"]\n[Dealer "A"]\n\nA bid first { Hlučín }\n'


def test_a_text_that_was_packed_long_ago_can_be_read() -> None:
    """Without exactly the dictionary it was packed with, nothing that is stored can be read."""
    assert (len(fields._DICTIONARY), zlib.crc32(fields._DICTIONARY)) == (9708, 0x1A01CE62)
    kept = bytes.fromhex(
        "5866f385ed978b0e71f75350021ac815ed0ecc8f0ab03a05c87701572a0a403362b9b81c1580a597421aa8ec52a856f0c8293dd27b786d9e422d1700778114cb"
    )
    assert PackedTextField().from_db_value(kept) == SAMPLE


@pytest.mark.parametrize(
    ("words", "numbered"),
    [
        (DEAL_VERDICTS, ("verified", "illegal", "incomplete")),
        (VERDICTS, ("verified", "disputed", "illegal", "incomplete")),
        (Work.STATES, ("waiting", "working", "done", "failed")),
        (Part.QUEUES, ("interactive", "bulk")),
        (UploadItem.OUTCOMES, ("stored", "known", "malformed", "refused", "failed")),
        (Space.KINDS, ("club", "own", "guest", "house")),
        (ROLES, ("member", "secretary", "owner")),
        (VISIBILITIES, ("public", "unlisted", "members", "withdrawn", "replaced")),
        (tuple(GAMES), ("strohmann", "taroky", "troggu", "grosstarock")),
        (tuple(Seat._meta.get_field("seat").words), tuple("ABCDEFGH")),
    ],
)
def test_the_numbers_of_words_stay(words: tuple[str, ...], numbered: tuple[str, ...]) -> None:
    """New words are at the end, because the database stores positions."""
    assert words[: len(numbered)] == numbered


@pytest.mark.parametrize("text", ["", "x", "ř" * 5000, "\N{GRINNING FACE}", samples.TAROKY, "A\r\n" * 20_000])
def test_a_packed_text_comes_back_and_takes_little(text: str) -> None:
    for kept in (PackedTextField.pack(text), memoryview(PackedTextField.pack(text))):
        assert PackedTextField().from_db_value(kept) == text
    assert PackedTextField().from_db_value(None) is None
    assert PackedTextField().get_default() == ""
    (record,) = simulate("taroky", deals=1, seed=5)
    assert len(PackedTextField.pack(deal_json(record))) < 400


def test_words_are_kept_as_their_places() -> None:
    field = WordField(words=("no", "yes"))
    assert [field.number(word) for word in ("no", "yes", "", None)] == [0, 1, None, None]
    assert [field.get_prep_value(value) for value in ("yes", 1, None)] == [1, 1, None]
    assert [field.from_db_value(number) for number in (0, 1, None)] == ["no", "yes", ""]
    assert [field.to_python(value) for value in ("yes", "", None)] == ["yes", "", ""]
    assert field.formfield() is None
    for wrong in (lambda: field.number("maybe"), lambda: field.get_prep_value("maybe")):
        with pytest.raises(ValueError, match="maybe"):
            wrong()
    with pytest.raises(ValidationError):
        field.to_python("maybe")
    # As fields are written into migrations; a new game is no new table.
    for made, kwargs in (
        (WordField(words=("no", "yes"), default="no"), {"words": ("no", "yes"), "default": "no"}),
        (GameField(null=True), {"null": True}),
    ):
        assert made.deconstruct()[-1] == kwargs


@pytest.mark.django_db
def test_words_are_asked_for_as_they_are_written() -> None:
    deal = deal_of(samples.TAROKY)
    for query in ({"game": "taroky"}, {"verdict__in": ["illegal", "verified"]}, {"dealer": "D"}):
        assert Deal.objects.get(**query) == deal.deal
    assert Deal.objects.get(declarer="A").contract == deal.contract
    stored(samples.dealt(1))
    assert Deal.objects.exclude(pk=deal.pk).get(declarer=None).declarer == ""
    with pytest.raises(ValueError):
        Deal.objects.filter(game="bridge").exists()


@pytest.mark.parametrize("game", GAMES)
def test_what_the_engine_answers_comes_back_as_it_was(game: str) -> None:
    for record in simulate(game, deals=40, seed=7):
        checked = check(record)
        clauses, sheet = packed_sheets.pack(checked)
        assert (checked.verdict, packed_sheets.lines(clauses, sheet)) == ("verified", checked.lines)
        json.loads(sheet)


@pytest.mark.parametrize("text", [samples.ILLEGAL_BID, samples.INCOMPLETE, samples.dealt(1)])
def test_a_finding_comes_back_but_for_its_place(text: str) -> None:
    checked = check(read_one(text))
    clauses, sheet = packed_sheets.pack(checked)
    assert packed_sheets.finding(clauses, sheet) == checked.error
    assert clauses == (checked.error.clause or "")


@pytest.mark.django_db
@pytest.mark.parametrize("game", GAMES)
def test_stored_sheets_are_those_of_the_engine(game: str) -> None:
    records = list(simulate(game, deals=12, seed=3))
    stored("\n".join(write_text(record) for record in records))
    found = storing.deals()[::-1]
    assert len(found) == 12
    for record, deal in zip(records, found, strict=True):
        checked = check(record)
        assert (deal.record, deal.lines, deal.score) == (record, checked.lines, checked.score)
        assert {seat.seat: seat.points for seat in deal.seats} == deal.score


ALIKE = [
    ("Bořek", "BOŘEK", "bořek", "bOŘek", "Borek", normalize("NFD", "Bořek"), normalize("NFD", "BOŘEK")),
    ("Dvorak", "Dvořák", "DVOŘÁK", "dvořak"),
    ("Søren Łoś", "soren los", "SÖREN ŁOS"),
    ("Groß", "GROSS", "groß", "GROẞ"),
    ("Élodie", "ÉLODIE", "élodie", "E\u0301lodie", "elodie"),
    ("Юрий", "ЮРИЙ", "юрий"),
    ("Οδυσσεύς", "ΟΔΥΣΣΕΎΣ", "οδυσσεύς"),
    ("太郎", "太郎"),
]
APART = [
    ("Bořek", "Borik"), ("太郎", "次郎"), ("Юрий", "Юлий"), ("Bořek", "Bo_ek"), ("Bořek", "Bo%")
]  # fmt: skip


@pytest.mark.django_db
def test_a_player_is_found_in_any_case() -> None:
    for number, (first, *others) in enumerate(ALIKE):
        deal = deal_of(samples.dealt(number, players=(first, f"X{number}", f"Y{number}", f"Z{number}")))
        settling.settle()
        for name in (first, *others):
            assert [d.pk for d in storing.deals(Filters(player=name))] == [deal.pk], name
            assert [p.name for p in players.find_players(name)] == [first], name
            assert [p.name for p in players.find_players(name[:-1])] == [first], name
            assert players.is_player(name), name


@pytest.mark.django_db
def test_other_names_are_other_players() -> None:
    for number, (name, asked) in enumerate(APART):
        stored(samples.dealt(number, players=(name, "Eva", "Max", "Uwe")))
        assert not storing.deals(Filters(player=asked)), asked
        assert not players.is_player(asked), asked


@pytest.mark.django_db
def test_every_way_of_saving_fills_in_the_search_name() -> None:
    house = spaces.house()
    one = Player.objects.create(space=house, name="Žofie")
    assert one.search_name == "zofie"
    one.name = "Řehoř"
    one.save()
    Player.objects.bulk_create(
        [Player(space=house, name="ÉVA"), Player(space=house, name="X", pseudonym="Ý")]
    )
    found = dict(Player.objects.values_list("name", "search_name"))
    assert found == {"Řehoř": "rehor", "ÉVA": "eva", "X": "y"}


@pytest.mark.django_db
def test_the_longest_search_name_fits() -> None:
    for letter in ("\ufb03", "\U0001d160", "\u0390", "\u1fb7"):
        Player.objects.create(space=spaces.house(), name=letter * NAME_LENGTH)
        found = Player.objects.named(letter * NAME_LENGTH).get()
        assert len(found.search_name) <= Player._meta.get_field("search_name").max_length


def test_no_letter_grows_beyond_the_column() -> None:
    letters = (chr(n) for n in range(0x110000) if not 0xD800 <= n < 0xE000)
    assert max(len(searchable(letter)) for letter in letters) == 3


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("index", "query"),
    [
        ("player_search_name", lambda: Player.objects.named("PLAYER 77")),
        ("seat_player", lambda: Seat.objects.filter(player=1).order_by()),
        ("part_open", lambda: Part.objects.due(timezone.now()).filter(state="waiting").order_by()),
    ],
)
def test_it_is_looked_up_by_an_index(index: str, query) -> None:
    if index == "part_open" and connection.vendor == "sqlite":
        pytest.skip("SQLite does not see that the two conditions on the state are that of the index")
    house = spaces.house()
    Player.objects.bulk_create(Player(space=house, name=f"Player {n}") for n in range(3000))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("ANALYZE")
    assert index in query().explain()


@pytest.fixture
def deal(db) -> ShownDeal:
    return deal_of(samples.TAROKY)


def again(thing: models.Model) -> None:
    thing.pk, thing._state.adding = None, True
    thing.save(force_insert=True)


@pytest.mark.parametrize(
    "write",
    [
        lambda deal: Deal.objects.update(verdict=7),
        lambda deal: Deal.objects.update(game=-1),
        lambda deal: Contribution.objects.update(verdict=9),
        lambda deal: Seat.objects.create(
            contribution=deal.contribution, seat="A", player=Player.objects.all()[0]
        ),
        lambda deal: again(deal.contribution),
        lambda deal: Player.objects.create(space=deal.contribution.space, name="Alena"),
        lambda deal: again(deal.contribution.session),
        lambda deal: Space.objects.create(kind="house"),
        lambda deal: UploadItem.objects.update(outcome="malformed"),
        lambda deal: UploadItem.objects.update(deal_id=None),
        lambda deal: again(UploadItem.objects.get()),
        lambda deal: again(Part.objects.get()),
    ],
)
def test_what_the_database_itself_refuses(deal: ShownDeal, write) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        write(deal)
