"""The columns: words as numbers, packed texts, sheets, names, and values that a database rejects."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from unicodedata import normalize

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, models, transaction
from django.utils import timezone

from archive import fields, packed_sheets
from archive.access import EVERYBODY
from archive.fields import GameField, PackedTextField, WordField, searchable
from archive.hands import pack, unpack
from archive.models import (
    DEAL_VERDICTS,
    NAME_LENGTH,
    ROLES,
    VERDICTS,
    VISIBILITIES,
    Contribution,
    Deal,
    Figure,
    Part,
    Player,
    Seat,
    Session,
    Space,
    UploadItem,
    Work,
)
from archive.reading import players
from archive.reading.deals import find_ids
from archive.reading.filters import Filters
from archive.storing import spaces, sums, sums_check
from archive.storing.verdicts import deal_json
from tarock.analysis.simulate import simulate
from tarock.analysis.verify import check
from tarock.games import GAMES
from tarock.notation import read_one
from tests.support import samples, settling, storing
from tests.support.storing import deal_of, stored

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
@pytest.mark.storage
def test_words_are_asked_for_as_they_are_written() -> None:
    deal = deal_of(samples.TAROKY)
    for query in ({"game": "taroky"}, {"verdict__in": ["illegal", "verified"]}, {"dealer": "D"}):
        assert Deal.objects.get(**query) == deal.deal
    assert Deal.objects.get(declarer="A").contract == deal.contract
    stored(samples.dealt(1))
    assert Deal.objects.exclude(pk=deal.pk).get(declarer=None).declarer == ""
    with pytest.raises(ValueError):
        Deal.objects.filter(game="bridge").exists()


@pytest.mark.django_db
@pytest.mark.storage
@pytest.mark.parametrize("game", GAMES)
def test_what_the_engine_answers_is_stored_as_it_was(game: str) -> None:
    records = list(simulate(game, deals=30, seed=3))
    stored(samples.as_text(records))
    for record, deal in zip(records, storing.deals()[::-1], strict=True):
        checked = check(record)
        assert (deal.verdict, deal.record, deal.score) == ("verified", record, checked.score)
        assert packed_sheets.lines(*packed_sheets.pack(checked)) == deal.lines == checked.lines
        assert {seat.seat: seat.points for seat in deal.seats} == deal.score


@pytest.mark.parametrize("text", [samples.ILLEGAL_BID, samples.INCOMPLETE, samples.dealt(1)])
def test_a_finding_comes_back_but_for_its_place(text: str) -> None:
    checked = check(read_one(text))
    clauses, sheet = packed_sheets.pack(checked)
    assert packed_sheets.finding(clauses, sheet) == checked.error
    assert clauses == (checked.error.clause or "")


def test_a_hand_is_packed_by_position_and_numbers() -> None:
    record = read_one(samples.TAROKY)
    tarocks = {seat: sum(card[0] == "T" for card in record.deal[seat]) for seat in "ABCD"}
    unpacked = unpack(pack(record))
    assert record.dealer == "D"
    assert {seat: hand.position for seat, hand in unpacked.items()} == {"A": 1, "B": 2, "C": 3, "D": 4}
    assert {seat: hand.tarocks for seat, hand in unpacked.items()} == tarocks
    assert pack(read_one(samples.SHEET)) == ""
    assert set(unpack(pack(read_one(samples.TROGGU)))) == set("ABC")


@pytest.mark.parametrize(
    ("line", "packed"),
    [
        ("double pagat re A", "pagat=-0--"),  # so B or C said flek, and A won
        ("double pagat flek", "pagat=-0--"),  # only they could
        ("double game flek D", "game=++00+"),
        ("double game re B", "game=++00+"),
        ("double game flek", ""),  # nobody knows who said it
    ],
)
def test_a_sheet_tells_which_side_doubled_first(line: str, packed: str) -> None:
    checked = check(read_one(samples.SHEET.replace("double pagat re A", line)))
    assert checked.score is not None
    assert packed_sheets.pack_doubles(checked) == packed


@pytest.mark.django_db
@pytest.mark.storage
def test_the_sweeper_fills_in_what_an_earlier_release_left_out(ada) -> None:
    """A release without hands, and one with hands but without doubles."""
    stored(samples.TAROKY, samples.SHEET, samples.ILLEGAL, samples.UNFINISHED, user=ada)
    before = list(Deal.objects.order_by("pk").values_list("hands", "doubles"))
    assert sums.fill_hands() == 0
    Figure.objects.all().delete()
    Deal.objects.update(doubles=None)
    Deal.objects.filter(pk__in=Deal.objects.order_by("pk")[:2]).update(hands=None)
    assert (sums.fill_hands(), sums.fill_hands()) == (len(before), 0)
    assert list(Deal.objects.order_by("pk").values_list("hands", "doubles")) == before
    sums.settle()
    assert Figure.objects.exists()
    assert list(sums_check.check()) == []


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
@pytest.mark.storage
def test_a_player_is_found_in_any_case() -> None:
    tables = [(names[0], f"X{n}", f"Y{n}", f"Z{n}") for n, names in enumerate(ALIKE)]
    deals = [deal_of(samples.dealt(n, players=table)).pk for n, table in enumerate(tables)]
    settling.settle()
    for pk, (first, *others) in zip(deals, ALIKE, strict=True):
        for name in (first, *others):
            assert find_ids(Filters(player=name), EVERYBODY, "stored", 9) == [pk], name
            assert [player.name for player in players.find_players(name)] == [first], name
            assert [player.name for player in players.find_players(name[:-1])] == [first], name
            assert players.is_player(name), name


@pytest.mark.django_db
@pytest.mark.storage
def test_other_names_are_other_players() -> None:
    for number, (name, asked) in enumerate(APART):
        stored(samples.dealt(number, players=(name, "Eva", "Max", "Uwe")))
        assert not storing.deals(Filters(player=asked)), asked
        assert not players.is_player(asked), asked


@pytest.mark.django_db
@pytest.mark.storage
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


def test_the_longest_search_name_fits() -> None:
    letters = (chr(n) for n in range(0x30000) if not 0xD800 <= n < 0xE000)  # later ones stay as they are
    assert max(len(searchable(letter)) for letter in letters) == 3
    assert Player._meta.get_field("search_name").max_length >= 3 * NAME_LENGTH


@pytest.mark.django_db
@pytest.mark.storage
def test_rows_are_looked_up_by_an_index() -> None:
    house = spaces.house()
    Player.objects.bulk_create(Player(space=house, name=f"Player {n}") for n in range(3000))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("ANALYZE")
    assert "player_search_name" in Player.objects.named("PLAYER 77").explain()
    assert "seat_player" in Seat.objects.filter(player=1).order_by().explain()
    # SQLite does not see that the two conditions on the state are that of the index.
    open_parts = Part.objects.due(timezone.now()).filter(state="waiting").order_by()
    assert connection.vendor == "sqlite" or "part_open" in open_parts.explain()


def again(thing: models.Model) -> None:
    thing.pk, thing._state.adding = None, True
    thing.save(force_insert=True)


def is_refused(write: Callable[[], object]) -> bool:
    try:
        with transaction.atomic():
            write()
    except IntegrityError:
        return True
    return False


@pytest.mark.django_db
@pytest.mark.storage
def test_what_the_database_itself_refuses() -> None:
    contribution, player = deal_of(samples.TAROKY).contribution, Player.objects.all()[0]
    writes = (
        lambda: Deal.objects.update(verdict=7),
        lambda: Deal.objects.update(game=-1),
        lambda: Contribution.objects.update(verdict=9),
        lambda: Seat.objects.create(contribution=contribution, seat="A", player=player),
        lambda: again(Contribution.objects.get()),
        lambda: Player.objects.create(space=contribution.space, name="Alena"),
        lambda: again(Session.objects.get()),
        lambda: Space.objects.create(kind="house"),
        lambda: UploadItem.objects.update(outcome="malformed"),
        lambda: UploadItem.objects.update(deal_id=None),
        lambda: again(UploadItem.objects.get()),
        lambda: again(Part.objects.get()),
    )
    assert [number for number, write in enumerate(writes) if not is_refused(write)] == []
