"""The board's answers; every conformance deal is entered by them."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tarock.analysis.replay import position
from tarock.analysis.verify import check
from tarock.core.cards import CARDS, names, pack
from tarock.core.record import Record
from tarock.games import GAMES
from tarock.notation import NotWritable, read, read_one, write_json, write_text
from tarock.view.entry.hand import MAX_HAND
from tarock.view.frame import frame_json
from tarock.view.moves import Move
from tarock.view.table import table_view
from tarock.words import sentences
from tarock.words.clauses import LANGUAGES, clause
from tarock.words.names import PlayerNames
from tests import conformance
from tests.conformance import PARTS, some
from tests.engine.boarding import Json, ask, board, offers
from tests.engine.driver import examples
from tests.support import samples
from tests.support.effort import SPARSE, THOROUGH


def moves_of(found: Json) -> list[Json]:
    names = Move._fields
    return [dict(zip(names, move, strict=True)) for group in found["groups"] for move in group["moves"]]


def text_of(record: Record) -> str | None:
    try:
        return write_text(record)
    except NotWritable:
        return None


@PARTS
def test_a_deal_is_entered_by_what_is_offered(file: str, part: int) -> None:
    """Every move before the play, every twelfth card (every fifth in `make fuzz`), and what breaks a rule."""
    for number, (name, row) in enumerate(some(file, part, SPARSE).items()):
        record = conformance.record(name)
        assert (record is None) == (row["expect"]["verdict"] == "malformed"), name
        if record is not None:
            _enter(record, LANGUAGES[number % len(LANGUAGES)])


def _enter(record: Record, language: str) -> None:
    def at(events: int) -> Json:
        return board(record, events, language)

    checked = check(record)
    wrong = checked.error.event if checked.error and checked.verdict == "illegal" else None
    legal = len(record.events) if wrong is None else wrong
    first = 0 if wrong is None else max(0, legal - 2)
    for number in range(first, legal):
        if wrong is None and number % (5 if THOROUGH else 12) and record.events[number][1] == "play":
            continue
        found = at(number)
        assert (found["finding"], found["over"]) == (None, False)
        event = record.events[number]
        assert offers(found, list(event)), (number, event)
        found = at(number + 1)
        assert len(moves_of(found)) == number + 1
        assert moves_of(found)[-1]["seat"] == event[0]
    found = at(legal)
    if wrong is None:
        assert found["finding"] is None
    else:
        assert not offers(found, list(record.events[wrong]))
        before, found = found, at(wrong + 1)
        assert found["turn"] == before["turn"]
        _has_the_fault(found, record, language)
        found = at(len(record.events))
    assert (found["record"], found["text"]) == (write_json(record), text_of(record))
    assert (found["verdict"], found["score"]) == (checked.verdict, checked.score)
    assert [(line["clause"], line["points"]) for line in found["sheet"]] == [
        (line.clause, dict(line.points)) for line in checked.lines
    ]
    assert found["over"] == (checked.score is not None)
    if found["over"]:
        assert found["turn"] is None
        assert not any(found[key] for key in ("choices", "many", "more"))


def _has_the_fault(found: Json, record: Record, language: str) -> None:
    error = check(record).error
    assert error is not None
    assert error.event is not None
    called = PlayerNames(record.game, record.players, language)
    finding = found["finding"]
    assert finding["text"] == called.sentence(sentences.finding, replace(error, trick=None)) != ""
    assert finding["place"].lower() == sentences.place(record, error.event, called).lower()
    assert (finding["clause"], finding["event"]) == (error.clause, error.event)
    assert finding["title"] == clause(finding["clause"], language).title
    assert len(finding["legal"]) == len(error.legal or ())
    wrong = record.events[error.event]
    if wrong[1] == "play":
        assert [wrong[0], wrong[2].partition("(")[0]] == found["frame"]["trick"]["plays"][-1][:2]
    assert not any(found[key] for key in ("choices", "many", "more", "over"))
    assert [move["judged"] for move in moves_of(found)] == [True] * error.event + [False]


def test_the_board_shows_the_cards_where_they_lie() -> None:
    record = conformance.record("strohmann-0")
    assert record is not None
    found = board(record, 20)
    called = PlayerNames(record.game, record.players, "en")
    view = table_view(replace(position(record, 20), error=None), called)
    assert found["frame"] == frame_json(view)
    seats = [(row["letter"], row["name"], row["piles"]) for row in found["table"]["seats"]]
    assert seats == [(seat, name, ["1", "2", "3"]) for seat, name in record.players.items()]
    # Until it is over, a deal lacks nothing.
    assert "ends here" not in found["words"]["turn"]
    cards = [card for name, row in board(record, 0)["frame"]["zones"].items() for card in row.split()]
    assert len(cards) == len({*cards} - {"back"}) + cards.count("back") == 54


def test_moves_that_come_later_are_listed() -> None:
    """One who has stepped back sees where he may go again; a move that nobody can read is refused."""
    record = conformance.record("taroky-0")
    assert record is not None
    form = write_json(record) | {"comments": {}}
    events = form["events"]
    question = {"ask": "board", "record": form | {"events": events[:9]}, "later": events[9:]}
    found = ask(question)
    assert found["groups"] == board(replace(record, comments={}), len(events))["groups"]
    assert found["frame"] == board(record, 9)["frame"]
    assert found["record"]["events"] == events[:9]
    assert ask(question | {"later": [["A", "sing"]]})["error"]["code"] == "malformed"
    assert ask(question | {"later": "x"})["error"]["code"] == "malformed"


def start(game: str, seats: int, dealer: str = "A", language: str = "en") -> Json:
    return ask({"ask": "board-start", "game": game, "seats": seats, "dealer": dealer, "language": language})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_board_has_a_place_and_a_name_for_every_card_and_reads_each(game: str, language: str) -> None:
    info = GAMES[game].info
    for seats in info.seats:
        found = start(game, seats, "B", language)
        assert [(row["place"], row["size"]) for row in found["places"]] == [*info.places(seats, "B")]
        cards = [card for suit in found["suits"] for card in suit["cards"]]
        assert [suit["suit"] for suit in found["suits"]] == list("TSHCD")
        assert sorted(card["card"] for card in cards) == sorted(names(pack(info.pack)))
        assert len({card["label"] for card in cards}) == len({card["name"] for card in cards}) == info.pack
        assert all(row["name"] for row in [*found["places"], *found["suits"]])
    for card in cards:
        for text in (card["card"], card["label"], card["name"]):
            assert hand(text, language, game) == ([card["card"]], []), text
    (spades,) = (suit for suit in found["suits"] if suit["suit"] == "S")
    text = " ".join(card["label"].removeprefix("♠") for card in spades["cards"])
    expected = [card["card"] for card in spades["cards"]]
    assert hand(f"{spades['name']}: {text}", language, game) == (expected, [])


def test_places_have_names_and_say_whether_their_order_counts() -> None:
    """In Taroky the talon is taken card by card, in Strohmanntarock each pile lies under its open card."""
    piles = start("strohmann", 2, language="de")["places"]
    assert [row["place"] for row in piles if row["ordered"]] == ["A/1", "A/2", "A/3", "B/1", "B/2", "B/3"]
    assert piles[-1] == {"place": "B/3", "seat": "B", "name": "Strohmann 3", "size": 4, "ordered": True}
    assert [row["place"] for row in start("taroky", 4)["places"] if row["ordered"]] == ["talon"]
    talon = {"place": "talon", "seat": None, "name": "Tap", "size": 8, "ordered": False}
    assert start("troggu", 3, language="cs")["places"][-1] == talon
    assert not any(row["ordered"] for row in start("troggu", 8)["places"])


@pytest.mark.parametrize("spoilt", [
    {"game": "whist"}, {"seats": 9}, {"seats": 0}, {"seats": -1}, {"seats": True}, {"seats": "4"},
    {"dealer": "E"}, {"dealer": None}, {"options": ["aces-high"]},
])  # fmt: skip
def test_a_table_that_cannot_be(spoilt: Json) -> None:
    right = {"ask": "board-start", "game": "taroky", "seats": 4, "dealer": "A"}
    assert "places" in ask(right)
    assert ask(right | spoilt)["error"]["code"] == "malformed"


def hand(text: str, language: str = "en", game: str = "grosstarock") -> tuple[list[str], list[str]]:
    """The cards of a written hand, and the words that are none."""
    found = ask({"ask": "hand", "game": game, "text": text, "language": language})
    assert all(one["message"] for one in found["wrong"])
    return found["cards"], [one["text"] for one in found["wrong"]]


#: Language, cards, and texts that mean them; words that are no cards behind a bar.
HANDS = [
    ("en", "SK SJ S10", ["♠ K J 10", "♠KJ10", "♠\ufe0f k j 10", "S: K J 10"]),
    ("en", "SK SJ S10 HK DK D1", ["S K J 10 H K D K 1"]),
    ("en", "SK SQ H1 H2", ["Spades: K, Q. Hearts: 1 2"]),
    ("en", "T20 T5 T1", ["XX V I"]),
    ("en", "T19 T4", ["xviiii, IIII"]),
    ("en", "T20 SK H7", ["T20 SK H7"]),
    ("en", "T0 T20 T5", ["T: 20 5 0"]),
    ("en", "T21 T20 T5 T1", ["21 20 5 1"]),
    ("en", "T19 SK C7", ["King of spades; 7 of clubs and tarock XIX"]),
    ("en", "T0 T21 T1", ["the Sküs, the Mond, the Pagat"]),
    # A Cavalier among spades; a suit with a colon.
    ("en", "SK SC CK", ["S: K C C: K"]),
    ("de", "SK SQ SC SJ HQ HJ H1", ["♠ K D C B ♥ D B 1"]),
    ("de", "SQ SJ S7", ["♠ DB7"]),
    ("de", "T0 T21 T1", ["Sküs Mond Pagat", "skus MOND pagat"]),
    ("de", "SK C7 DQ", ["Pik-König, Karo-Dame und Treff-7"]),
    ("de", "T19 T7 SK SQ DJ D3", ["Pik K D Karo: B 3 Tarock 19 7"]),
    ("cs", "DK DQ DC DJ", ["♦ K D C J"]),
    ("cs", "T0 T21 T1", ["škýz, mond a pagát"]),
    ("cs", "T0 T1", ["SKYZ pagat"]),
    ("cs", "T12 SK C9", ["pikový král, křížová 9, tarok XII"]),
    ("cs", "T20 T3 SK SQ S10", ["piky K D 10 taroky 20 3"]),
    ("ja", "T20 SK H1", ["スペードのキング、ハートの1、切札20"]),
    ("ja", "T20 T5 SK SQ SJ", ["スペード K Q J 切札 20 5"]),
    ("ja", "T0 T21 T1", ["スキュース・モンド・パガット"]),
    ("ja", "SK SQ S10", ["♠：ＫＱ１０"]),
    ("en", "", [""]),
    ("en", "SK H7|X5", ["SK X5 H7"]),
    ("en", "SK S10|foo", ["♠ K foo 10"]),
    ("en", "SK|SK", ["♠ K SK"]),
    # Which suit?
    ("en", "|K 10", ["K 10"]),
    ("en", "|T22 XXII ♥Z", ["T22 XXII ♥Z"]),
    ("en", "|Q: K", ["Q: K"]),
    # Diacritics without a letter.
    ("en", "SK|\u0301 \ufe0f:", ["SK \u0301 \ufe0f:"]),
]


@pytest.mark.parametrize(("language", "expected", "texts"), HANDS)
def test_a_hand_is_read_as_people_write_it(language: str, expected: str, texts: list[str]) -> None:
    cards, _, wrong = expected.partition("|")
    for text in texts:
        assert hand(text, language) == (cards.split(), wrong.split()), text


def test_a_wrong_word_is_explained_in_the_language_and_a_hand_too_long_is_not_read() -> None:
    question = {"ask": "hand", "game": "taroky", "language": "de"}
    found = ask(question | {"text": "X5 SK SK S1"})
    assert found["cards"] == ["SK"]
    assert [one["message"] for one in found["wrong"]] == [
        "Gefunden: „X5“, erwartet: eine Karte",
        "Gefunden: ♠K zum zweiten Mal, erwartet: jede Karte einmal",
        "Gefunden: „S1“, erwartet: eine der 54 Karten für Tschechisches Taroky",
    ]
    assert str(MAX_HAND) in ask(question | {"text": "x" * (MAX_HAND + 1)})["error"]["message"]
    assert ask(question | {"game": "common", "text": ""})["error"]["code"] == "malformed"


@settings(max_examples=examples(200), deadline=None)
@given(
    st.text(max_size=30) | st.text("♠♥SKHDT10:VX ,のB²①Ⅻ", max_size=20),
    st.sampled_from([*GAMES]),
    st.sampled_from(LANGUAGES),
)
def test_any_text_is_a_hand(text: str, game: str, language: str) -> None:
    hand(text, language, game)


def test_any_event_on_the_board_has_an_answer_and_each_choice_is_legal() -> None:
    rng = random.Random("board")
    verbs = sorted({verb for each in GAMES.values() for verb in each.info.verbs})
    odd = [*CARDS, "T0(S)", "T17(ros)", "first", "pagat", "tarocks:10", "bole", "1", "\ud800", ""]
    for name in [f"{file}-{number}" for file in conformance.FILES for number in range(0, 60, 5)]:
        record = conformance.record(name)
        assert record is not None
        form = write_json(record) | {"comments": {}}
        events = form["events"][: rng.randint(0, len(form["events"]))]
        more = [[rng.choice("ABCDE"), rng.choice(verbs), *rng.choices(odd, k=rng.randint(0, 3))]]
        for chosen in (events, events + more):
            found = ask({"ask": "board", "record": form | {"events": chosen}})
            assert {*found} == {"error"} or found["frame"], name
            assert chosen != events or "error" not in found, name
            for choice in found.get("choices", ())[:3]:
                offered = found["record"] | {"events": [*found["record"]["events"], choice["event"]]}
                assert ask({"ask": "board", "record": offered})["finding"] is None, name


def _played(events: int) -> Json:
    record = conformance.record("grosstarock-0")
    assert record is not None
    form = write_json(record)
    return form | {"events": form["events"][:events]}


@pytest.mark.parametrize(("before", "text", "language", "event"), [
    # B follows A's T21; the seat on turn need not be named, nor the verb of a card.
    *((5, text, "en", "B play T13") for text in ("T13", " t13 ", "B XIII", "b play t13")),
    (5, "♣7", "de", "B play C7"),
    (5, "Mond", "de", "B play T21"),
    (5, "C announce pagat", "en", "C announce pagat"),
    (1, "announce ladons:16", "en", "C announce ladons:16"),
    (5, "T0(h)", "en", "B play T0(H)"),
])  # fmt: skip
def test_an_event_is_typed(before: int, text: str, language: str, event: str) -> None:
    record = _played(before)
    found = ask({"ask": "board", "record": record, "typed": text, "language": language})
    assert found["record"]["events"] == [*record["events"], event.split()]


@pytest.mark.parametrize("text", ["", "no-such-word", "T13 T14", "Z pass", "{", "x" * 100_000])
def test_what_is_no_event_is_an_error(text: str) -> None:
    assert ask({"ask": "board", "record": _played(5), "typed": text})["error"]["code"] == "malformed"


def test_what_is_no_deal_and_no_exchange_is_an_error() -> None:
    sheet = write_json(read_one(samples.SHEET))
    assert ask({"ask": "board", "record": sheet})["error"]["code"] == "malformed"
    record = write_json(read_one(samples.TAROKY))
    played = record["events"]
    for events, former, pointer in (([], played, "/record/events"), (played, [], "/former")):
        found = ask({"ask": "exchange", "record": record | {"events": events}, "former": former})
        assert found["error"]["message"] == f"{pointer}: found nothing, expected an event"


def test_a_page_that_has_the_first_moves_gets_the_others() -> None:
    """The known moves and the returned groups are the whole list for every end of a group: before and after
    an illegal event, with events that are only listed; if the known ones are judged differently now, all are
    returned."""
    wrong = read(samples.NOT_HELD)[0].record
    assert wrong is not None
    form = write_json(wrong)
    for events, later in ((form["events"], []), (form["events"][:30], form["events"][30:])):
        question = {"ask": "board", "record": form | {"events": events, "comments": {}}, "later": later}
        whole = ask(question)
        moves = [move for group in whole["groups"] for move in group["moves"]]
        fault = next(number for number, move in enumerate(moves) if not move[5])
        assert whole["first"] == 0
        for at, group in enumerate(whole["groups"], 1):
            known = group["moves"][-1][0]
            found = ask(question | {"known": known})
            assert found["first"] == (known if known <= fault else 0)
            assert [*whole["groups"][: at if found["first"] else 0], *found["groups"]] == whole["groups"]
            assert found | {"first": 0, "groups": 0} == whole | {"groups": 0}
    # No list is that long.
    assert ask(question | {"known": 10**9}) == whole
    legal = write_json(read_one(samples.TAROKY))
    found = ask({"ask": "board", "record": legal, "known": len(legal["events"])})
    assert (found["first"], found["groups"]) == (len(legal["events"]), [])


def exchanged(record: Record, number: int, card: str, **typed: str) -> Json:
    """The answer after another card was played as an event of a finished deal."""
    form = write_json(record) | {"comments": {}}
    seat, former = form["events"][number][0], form["events"][number:]
    form["events"] = form["events"][:number] + ([] if typed else [[seat, "play", card]])
    return ask({"ask": "exchange", "record": form, "former": former, **typed})


def test_an_exchanged_card_keeps_the_later_events_that_are_legal() -> None:
    """D plays the 2 of tarocks instead of the 10, then the Škýz instead of the XIII, so that D leads."""
    record = replace(read(samples.TAROKY)[0].record, score=None)
    events = [list(event) for event in record.events]
    # D plays the 2 of tarocks in trick 6 and the 10 in trick 7: the two change places.
    found = exchanged(record, 39, "T2")
    expected = [*events]
    expected[39], expected[43] = events[43], events[39]
    assert (found["events"], found["finding"]) == (expected, None)
    for found in (exchanged(record, 47, "T0"), exchanged(record, 47, "T0", typed="T0")):
        assert found["events"] == [*events[:47], ["D", "play", "T0"]]
        finding = found["finding"]
        assert (finding["place"], finding["clause"]) == ("Trick 9, first card", "common.turn")
    # An illegal card stays, and nothing after it.
    found = exchanged(record, 47, "DQ")
    assert (len(found["events"]), found["finding"]["clause"]) == (48, "common.not-held")
