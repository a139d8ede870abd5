"""Reading: each filter, who may see what, and a number of queries that does not grow with what is stored."""

from __future__ import annotations

from datetime import date

import pytest
from django.contrib.auth.models import AnonymousUser

from archive import selectors
from archive.models import Deal, Player, Session, Upload, VerificationRun
from archive.services import store_upload, verify
from tests.archive import samples

pytestmark = [pytest.mark.django_db, pytest.mark.storage]

STROHMANN = b"""\
[TGN "1"]
[Game "strohmann"]
[A "Alena"]
[B "Zora"]
[Dealer "A"]
[Date "1925-03-??"]

deal A SC S8 HQ DQ DC D4 CQ C10 T0 T17 T13 T11 T8 T4 T2
deal B SQ SJ S10 S7 HC H3 DK DJ D1 CJ C8 C7 T20 T12 T10
deal A/1 HJ T15 SK D2
deal A/2 T6 T18 T14 T9
deal A/3 H1 T16 T7 T1
deal B/1 CC H2 T5 C9
deal B/2 CK S9 T21 HK
deal B/3 D3 H4 T3 T19
"""


@pytest.fixture
def archive() -> dict[str, Deal]:
    """Six deals: four verdicts of Taroky, one of Strohmann, and one that is not verified yet."""
    stored = {}
    for name, raw in {
        "verified": samples.TAROKY.encode(),
        "illegal": samples.ILLEGAL.replace("2026-11-20", "2026-12-24", 1).encode(),
        "incomplete": samples.INCOMPLETE.replace("2026-11-20", "2026-??-??", 1).encode(),
        "strohmann": STROHMANN,
        "undated": samples.dealt(1).encode(),
        "pending": samples.dealt(2, Date="2020-01-01").encode(),
    }.items():
        stored[name] = store_upload(raw=raw).items.get().deal
        if name != "pending":
            verify(stored[name].pk)
    return stored


def names(archive: dict[str, Deal], **filters: object) -> list[str]:
    by_id = {deal.pk: name for name, deal in archive.items()}
    return [by_id[deal.pk] for deal in selectors.deals(**filters)]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, ["pending", "undated", "strohmann", "incomplete", "illegal", "verified"]),
        (
            {"game": "", "verdict": None, "player": "", "session": None, "contract": ""},
            ["pending", "undated", "strohmann", "incomplete", "illegal", "verified"],
        ),
        ({"game": "strohmann"}, ["strohmann"]),
        ({"game": "bridge"}, []),
        ({"verdict": "illegal"}, ["illegal"]),
        ({"verdict": "pending"}, ["pending"]),
        ({"verdict": "incomplete"}, ["undated", "strohmann", "incomplete"]),
        ({"player": "Alena"}, ["strohmann", "incomplete", "illegal", "verified"]),
        ({"player": "aLENA"}, ["strohmann", "incomplete", "illegal", "verified"]),
        ({"player": "Bořek", "verdict": "verified"}, ["verified"]),
        ({"player": "Nobody"}, []),
        ({"date_from": date(2026, 11, 20)}, ["illegal", "verified"]),
        ({"date_to": date(2026, 1, 1)}, ["pending", "strohmann", "incomplete"]),
        ({"date_from": date(2026, 1, 1), "date_to": date(2026, 11, 20)}, ["incomplete", "verified"]),
        ({"session": "2026-11-20 table 2"}, ["incomplete", "illegal", "verified"]),
        ({"session": "2026-11-20 TABLE 2"}, []),
        ({"contract": "no such contract"}, []),
    ],
)
def test_filters(archive, filters, expected):
    assert names(archive, **filters) == expected


def test_filters_by_object_and_by_number(archive):
    player = Player.objects.get(name="Zora")
    assert names(archive, player=player) == names(archive, player=player.pk) == ["strohmann"]
    session = archive["verified"].session
    assert (
        names(archive, session=session)
        == names(archive, session=session.pk)
        == names(archive, session=session.name)
    )
    assert "verified" in names(archive, session=session)
    contract = Deal.objects.get(pk=archive["verified"].pk).contract
    assert "verified" in names(archive, contract=contract)
    assert contract in selectors.contracts()
    assert contract in selectors.contracts("taroky")


def test_a_player_at_two_seats_does_not_double_the_deal():
    store_upload(raw=samples.dealt(1, players=("Ada", "Ada", "Ada", "Ada")).encode())
    assert selectors.deals(player="Ada").count() == 1


def test_a_list_costs_two_queries_however_long(django_assert_num_queries):
    store_upload(raw=samples.many(60, Session="Table"))
    with django_assert_num_queries(2):
        shown = [
            (
                deal.game,
                deal.session.name,
                [(seat.seat, seat.player.name, seat.points) for seat in deal.seating.all()],
            )
            for deal in selectors.deals(player="Ada")[:50]
        ]
    assert len(shown) == 50


def test_the_long_texts_stay_behind(archive):
    deal = selectors.deals().first()
    assert deal.get_deferred_fields() == {"record", "text", "original", "countings"}


def test_one_deal_costs_three_queries(archive, django_assert_num_queries):
    with django_assert_num_queries(3):
        deal = selectors.deal(archive["verified"].pk)
        assert [seat.player.name for seat in deal.seating.all()] == ["Alena", "Bořek", "Cyril", "Dana"]
        assert sum(line.points["A"] for line in deal.score_lines.all()) == 105
        assert deal.session.name.endswith("table 2")
        assert deal.uploaded_by is None
        assert selectors.record_of(deal).game == "taroky"


def test_a_deal_that_there_is_not():
    with pytest.raises(Deal.DoesNotExist):
        selectors.deal(1)


def test_the_record_of_a_deal_is_the_record_that_was_sent(archive):
    from tarock.notation import read_one

    for name, text in [("verified", samples.TAROKY), ("strohmann", STROHMANN)]:
        assert selectors.record_of(Deal.objects.get(pk=archive[name].pk)) == read_one(text)


def test_counts(archive, django_assert_num_queries):
    with django_assert_num_queries(3):
        counts = selectors.counts()
    assert counts == selectors.Counts(
        deals=6,
        pending=1,
        players=9,
        sessions=Session.objects.count(),
        by_game={"taroky": 5, "strohmann": 1},
        by_verdict={"verified": 1, "illegal": 1, "incomplete": 3},
    )


def test_counts_of_an_empty_archive():
    assert selectors.counts() == selectors.Counts(0, 0, 0, 0, {}, {})


def test_scores_of_players(archive, django_assert_num_queries):
    with django_assert_num_queries(1):
        rows = list(selectors.player_scores())
    assert [(row["player"], row["deals"], row["points"]) for row in rows] == [
        ("Alena", 1, 105),
        ("Dana", 1, 105),
        ("Bořek", 1, -105),
        ("Cyril", 1, -105),
    ]
    assert rows[0]["player_id"] == Player.objects.get(name="Alena").pk
    assert list(rows[0]) == ["player", "player_id", "deals", "points"]


def test_scores_follow_the_filters(archive):
    assert [row["player"] for row in selectors.player_scores(player="Dana")] == ["Dana"]
    assert [row["player"] for row in selectors.player_scores(player=Player.objects.get(name="Dana"))] == [
        "Dana"
    ]
    assert not selectors.player_scores(game="strohmann")
    assert not selectors.player_scores(date_to=date(2026, 11, 19))
    assert not selectors.player_scores(verdict="illegal")
    assert (
        selectors.player_scores(session="2026-11-20 table 2", game="taroky", verdict="verified").count() == 4
    )


def test_a_disputed_deal_counts_by_what_the_rules_give():
    verify(store_upload(raw=samples.DISPUTED.encode()).items.get().deal.pk)
    assert selectors.player_scores(player="Anna").get()["points"] == 105


def test_scores_by_game(archive):
    alena = Player.objects.get(name="Alena")
    assert list(selectors.scores_by_game(alena)) == [{"game": "taroky", "deals": 1, "points": 105}]
    assert list(selectors.scores_by_game(Player.objects.get(name="Zora"))) == []


def test_players_with_their_numbers_of_deals(archive, django_assert_num_queries):
    with django_assert_num_queries(1):
        found = {player.name: player.deal_count for player in selectors.players()}
    assert found["Alena"] == 4
    assert found["Ada"] == 2
    assert list(found) == sorted(found)
    assert [player.name for player in selectors.players("LEN")] == ["Alena"]
    assert selectors.player(Player.objects.get(name="Ada").pk).name == "Ada"


# --- sessions -----------------------------------------------------------------------------------------------


@pytest.fixture
def session() -> Session:
    """Four deals, sent in another order than they were played, one without a number and without a score."""
    table = [
        (3, {"A": 4, "B": -4, "C": 0, "D": 0}),
        (1, {"A": -2, "B": 1, "C": 1, "D": 0}),
        (2, {"A": 1, "B": 1, "C": -1, "D": -1}),
        (None, {}),
    ]
    for seed, (number, points) in enumerate(table):
        tags = {"Session": "Club night"} | ({"Deal": str(number)} if number else {})
        deal = store_upload(raw=samples.dealt(seed, **tags).encode()).items.get().deal
        for seat, value in points.items():  # set by hand: this is about adding up
            deal.seating.filter(seat=seat).update(points=value)
    return Session.objects.get()


def test_a_session_adds_up_deal_by_deal(session, django_assert_num_queries):
    with django_assert_num_queries(2):
        table = selectors.session_table(session)
    ids = {player.name: player.pk for player in table.players}
    assert list(ids) == ["Ada", "Ben", "Cleo", "Dov"]
    assert [row.deal.deal_number for row in table.rows] == [1, 2, 3, None]
    assert [row.points.get(ids["Ada"]) for row in table.rows] == [-2, 1, 4, None]
    assert [row.totals[ids["Ada"]] for row in table.rows] == [-2, -1, 3, 3]
    assert [row.totals[ids["Ben"]] for row in table.rows] == [1, 2, -2, -2]


def test_equal_totals_share_the_place(session):
    standings = selectors.session_table(session).standings
    assert [(row.place, row.player.name, row.deals, row.total) for row in standings] == [
        (1, "Ada", 3, 3),
        (2, "Cleo", 3, 0),
        (3, "Dov", 3, -1),
        (4, "Ben", 3, -2),
    ]
    Deal.objects.get(deal_number=3).seating.filter(seat="D").update(points=1)
    standings = selectors.session_table(session.pk).standings
    assert [(row.place, row.player.name) for row in standings] == [
        (1, "Ada"),
        (2, "Cleo"),
        (2, "Dov"),
        (4, "Ben"),
    ]


def test_players_may_change_seats_within_a_session():
    for seed, names_ in enumerate([("Ada", "Ben", "Cleo", "Dov"), ("Dov", "Ada", "Eve", "Ben")]):
        raw = samples.dealt(seed, players=names_, Session="S", Deal=str(seed + 1)).encode()
        store_upload(raw=raw).items.get().deal.seating.filter(seat="A").update(points=10)
    table = selectors.session_table(Session.objects.get())
    assert [player.name for player in table.players] == ["Ada", "Ben", "Cleo", "Dov", "Eve"]
    assert {row.player.name: row.total for row in table.standings} == {"Ada": 10, "Dov": 10}


def test_the_list_of_sessions(session, django_assert_num_queries):
    store_upload(raw=samples.dealt(77, Session="Later", Date="2026-05-??").encode())
    with django_assert_num_queries(1):
        found = [(row.name, row.deal_count, row.first_day, row.last_day) for row in selectors.sessions()]
    assert found == [("Later", 1, date(2026, 5, 1), date(2026, 5, 1)), ("Club night", 4, None, None)]
    assert selectors.session(session.pk) == session


# --- history, uploads, who may see what ---------------------------------------------------------------------


def test_failed_and_waiting_runs_are_the_operators_only(archive):
    deal = archive["verified"]
    VerificationRun.objects.create(deal=deal, state="failed", traceback="Traceback: secret path")
    VerificationRun.objects.create(deal=deal)
    assert [run.state for run in selectors.runs_of(deal)] == ["queued", "failed", "done"]
    assert [run.verdict for run in selectors.history(deal)] == ["verified"]
    assert [run.deal for run in selectors.failed_runs()] == [deal]


@pytest.fixture
def people(django_user_model):
    users = django_user_model.objects
    return users.create_user("ada"), users.create_user("ben"), users.create_user("root", is_staff=True)


def test_uploads_of_a_user_are_that_users_only(people, django_assert_num_queries):
    ada, ben, _ = people
    mixed = "\n".join([samples.dealt(1), samples.dealt(1), samples.MALFORMED, samples.dealt(2)]).encode()
    store_upload(raw=mixed, user=ada)
    store_upload(raw=samples.dealt(3).encode(), user=ben)
    store_upload(raw=samples.dealt(4).encode())
    with django_assert_num_queries(1):
        [upload] = selectors.uploads_of(ada)
        assert (upload.stored, upload.known, upload.wrong) == (2, 1, 1)
    assert "raw" in upload.get_deferred_fields()
    assert selectors.uploads_of(ben).count() == 1


def test_who_may_see_an_upload(people):
    ada, ben, root = people
    upload = store_upload(raw=samples.dealt(1).encode(), user=ada)
    unsigned = store_upload(raw=samples.dealt(2).encode())
    assert selectors.upload_for(ada, upload.pk) == selectors.upload_for(root, upload.pk) == upload
    assert selectors.upload_for(root, unsigned.pk) == unsigned
    for user, pk in [
        (ben, upload.pk),
        (AnonymousUser(), upload.pk),
        (AnonymousUser(), unsigned.pk),
        (ada, 0),
    ]:
        with pytest.raises(Upload.DoesNotExist):
            selectors.upload_for(user, pk)


def test_an_upload_with_its_records_costs_two_queries(django_assert_num_queries):
    upload = store_upload(raw=samples.many(80))
    with django_assert_num_queries(2):
        shown = [
            (item.outcome, item.deal.game, item.deal.verdict)
            for item in selectors.upload(upload.pk).items.all()
        ]
    assert shown == [("stored", "taroky", "")] * 80


def test_an_upload_of_as_many_records_as_are_allowed(settings):
    raw = samples.many(settings.ARCHIVE_MAX_RECORDS)
    for outcome in ("stored", "known"):
        upload = selectors.upload(store_upload(raw=raw).pk)
        items = list(upload.items.all())
        assert {(item.outcome, item.deal.game) for item in items} == {(outcome, "taroky")}
        assert len(items) == settings.ARCHIVE_MAX_RECORDS
        assert "record" in items[0].deal.get_deferred_fields()
        assert len(selectors.verdicts(item.deal_id for item in items)) == settings.ARCHIVE_MAX_RECORDS


def test_verdicts_for_a_page_that_waits(archive):
    ids = [archive["verified"].pk, archive["pending"].pk, 0]
    assert selectors.verdicts(ids) == {ids[0]: "verified", ids[1]: "pending"}
