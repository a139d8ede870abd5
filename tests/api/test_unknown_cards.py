"""Deals with unknown cards, scores that a table agreed on, and records that are variations."""

import json
from typing import Any

import pytest

from archive.models import Deal, UploadItem
from tarock.analysis.variations import read_variations
from tarock.notation import read_one, write_text
from tests.support import samples

from .shape import assert_error

pytestmark = pytest.mark.django_db

RECORD = read_one(samples.HANDS_UNKNOWN)


def test_what_is_known_is_judged_and_answered(reader) -> None:
    """C and D have played four cards each, which they had in hand, and laid some away."""
    (checked,) = reader.send(samples.HANDS_UNKNOWN, path="verify").json()["results"]
    assert (checked["verdict"], checked["score"], checked["digest"]) == ("incomplete", None, RECORD.digest)
    assert [error["reason"] for error in checked["errors"]] == ["ends-after", "cards-unknown"]
    assert checked["errors"][1]["values"] == {"seats": ["C", "D"]}
    found = reader.send(samples.HANDS_UNKNOWN, path="positions").json()
    assert {name: found[name] for name in checked} == checked
    assert found["choices"]["moves"]
    for view, cards in (("", ["?"] * 8), ("?view=B", None), ("?view=C", ["?"] * 8)):
        answer = reader.send(samples.HANDS_UNKNOWN, path=f"positions{view}").json()
        assert answer["position"]["hands"]["C"]["cards"] == cards, view


def test_stored_deals_give_out_what_is_known(reader, writer, store) -> None:
    deal, agreed = store(samples.HANDS_UNKNOWN), store(samples.AGREED)
    whole = reader.ask(f"deals/{deal.pk}/replay/positions").json()
    assert whole["steps"] == len(RECORD.events)
    assert whole["positions"][-1] == reader.send(samples.HANDS_UNKNOWN, path="positions").json()["position"]
    seen = reader.ask(f"deals/{deal.pk}/replay/positions", {"view": "C"}).json()["positions"][0]
    assert seen["hands"]["C"]["cards"].count("?") == RECORD.deal["C"].count("?") > 0
    assert reader.ask(f"deals/{deal.pk}", {"format": "tgn"}).content.decode() == write_text(RECORD)
    assert reader.ask(f"deals/{deal.pk}").json()["record"]["deal"].keys() == {*"ABCD", "talon"}
    assert_error(reader.ask(f"deals/{deal.pk}/certificate"), 409, "not_verified")
    score = reader.ask(f"deals/{agreed.pk}/score").json()
    assert (score["verdict"], score["score"], score["claim"]) == ("illegal", None, None)
    (found,) = reader.ask("deals", {"text": "A=20 B=-20", "fields": "id,record"}).json()["results"]
    assert (found["id"], found["record"]["tags"]["Agreed"]) == (agreed.pk, "A=20 B=-20 C=-20 D=20")
    assert reader.ask("scores").json()["results"] == []
    rows = reader.ask("deals", {"order": "oldest", "fields": "id,verdict,record"}).json()["results"]
    assert [(row["id"], row["verdict"]) for row in rows] == [(deal.pk, "incomplete"), (agreed.pk, "illegal")]
    assert [read_one(json.dumps(row["record"])).digest for row in rows] == [RECORD.digest, agreed.hex_digest]
    again = writer.send(json.dumps(rows[0]["record"]), "application/json").json()
    assert [one["id"] for one in again["results"]] == [deal.pk]


def test_a_variation_is_no_deal_that_was_played(writer, taroky) -> None:
    """It is refused alone, among others, in an upload, and as a correction, and appears nowhere."""
    played = taroky.record
    event = list(played.events[60])
    event[2] = next(word for word in played.deal[event[0]] if word != event[2])
    line = {"id": 1, "from": 0, "step": 60, "events": [event]}
    text = write_text(read_variations([line], played)[0].record)
    assert f'[From "{played.digest} 60"]' in text
    alone = assert_error(writer.send(text), 422, "refused", report=True)
    assert "a variation of a deal, not a deal that was played" in alone["detail"]
    assert alone["results"][0]["outcome"] == "refused"
    both: Any = writer.send(f"{text}\n{samples.TROGGU}", path="uploads").json()
    assert UploadItem.objects.filter(part__upload=both["upload"], outcome="refused").count() == 1
    assert Deal.objects.count() == 2
    lists = [writer.ask(path).json() for path in ("deals", "scores")]
    own = writer.send(samples.HANDS_UNKNOWN).json()["results"][0]["deal"]
    assert_error(writer.send(text, path=f"deals/{own}/correction"), 422, "refused")
    renamed = samples.HANDS_UNKNOWN.replace("[Session", f'[From "{played.digest} 3"]\n[Session')
    assert_error(writer.send(renamed, path=f"deals/{own}/correction"), 422, "refused")
    writer.send('{"visibility": "withdrawn"}', "application/json", f"deals/{own}/visibility")
    assert [writer.ask(path).json() for path in ("deals", "scores")] == lists
    assert Deal.objects.filter(digest=bytes.fromhex(read_one(text).digest)).count() == 0
    # It is checked all the same where nothing is stored.
    (checked,) = writer.send(text, path="verify").json()["results"]
    assert checked["verdict"] in ("incomplete", "illegal")
