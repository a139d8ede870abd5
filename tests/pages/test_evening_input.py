"""Whatever is sent to the addresses of an evening is answered: stored, or refused with a reason."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from archive.models import Evening
from archive.web import throttles
from tarock.view.answers.questions import answer_to
from tests.pages.evenings import Phone, first_duty

pytestmark = pytest.mark.django_db

#: Made-up JSON, with what databases, names and numbers stumble over.
TEXTS = st.sampled_from(
    [
        "",
        " ",
        "\x00",
        "\ud800",
        "\u202e",
        "\u200b",
        "x" * 201,
        "A",
        "D",
        "first",
        "taroky",
        "troggu",
        "tarocky",
    ]
) | st.sampled_from(["2026-02-30", "2026-11-24", "0.10"])
VALUES = st.sampled_from([0, -1, 1, 2, 4, 400, 401, 2**31, 2**63, 10**40, 1.5, True, False, None])
JSON = st.recursive(
    TEXTS | VALUES | st.text(max_size=8) | st.integers(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=12,
)
PLAIN = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


#: Unusual values that are mostly accepted; with random ones alone hardly any request would be.
UNUSUAL: dict[str, list[Any]] = {
    "name": ["x" * 190, "x" * 200, "火曜会", "2026-11-24 (2)", '"\\'],
    "game": ["taroky", "troggu", "strohmann", "grosstarock"],
    "seats": [0, 2, 3, 4],
    "options": [["settle-uncontested"], []],
    "date": ["0001-01-01", "9999-12-31", "2024-02-29"],
    "place": ["", "x" * 200, '"', "\u05d0"],
    "table": [[], ["A"], ["x" * 200, "B", "C", "D", "E"], [str(n) for n in range(60)]],
    "dealer": ["", "nobody", "Bob", "x" * 200],
    "thrown_in": [[400], [1, 1], [*range(1, 401)], [{"n": 1, "turn": ["A"]}, 1], [{"n": 400, "turn": []}]],
    "counts_thrown_in": [True],
    "stake": ["0", "0,5", "999999.9999"],
    "currency": ["Kč", "x" * 12],
    "ended": [True],
    "players": [dict.fromkeys("ABCD", "x"), {"A": "1", "B": "2", "C": "3", "D": "x" * 200}],
    "lines": [
        [["contract", "first"]],
        [["points", "bidder", 0]],
        [["surrendered"]],
        [["contract", "varsava"]],
    ],
    "comment": ["x" * 2000, "\u202e", '"; {}'],
    "score": [None, {"A": 0}, {"A": 10**6, "B": -(10**6)}],
    "engine": ["", "1", "x" * 20],
}


def changed(value: Any, keys: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    """An object with unusual values for some of its keys, or made-up ones, and perhaps a key that nobody
    knows."""
    unusual = {key: st.sampled_from(UNUSUAL[key]) for key in keys if key in UNUSUAL}
    taken = st.fixed_dictionaries({}, optional=unusual)
    made_up = st.dictionaries(st.sampled_from([*keys, "more"]), JSON, min_size=1, max_size=2)
    one = st.sampled_from(sorted(unusual)).flatmap(lambda key: unusual[key].map(lambda odd: {key: odd}))
    return (one | taken | made_up).map(lambda odd: {**value, **odd})


def refused(answer: Any) -> bool:
    """Whether a request was refused, with a reason that says where; anything but that is an answer."""
    assert answer.status_code in (200, 201, 202, 400, 404, 409, 413, 422), answer.content
    if answer.status_code in (400, 404, 413, 422):
        error = answer.json()
        assert error["code"]
        assert error["detail"]
    return answer.status_code >= 400


@pytest.fixture(autouse=True)
def _no_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttles, "seconds_to_wait", lambda *_args: 0)


@PLAIN
@given(odd=st.data())
def test_whatever_a_setup_holds_deals_can_be_entered_or_it_is_refused(signed_in: Client, odd: Any) -> None:
    phone = Phone(signed_in)
    sent = odd.draw(changed(phone.setup(), [*phone.setup()][1:]))
    if refused(phone.put("setup", sent)):
        assert not Evening.objects.filter(key=phone.key).exists()
        return
    # The engine can seat everybody that the archive accepted, and a sheet can be entered.
    state = phone.state()
    assert "error" not in answer_to({"ask": "evening", "setup": state["setup"], "deals": []})
    if state["setup"]["game"] == "taroky":
        assert phone.enter(1, first_duty()).status_code == 201


@PLAIN
@given(odd=st.data())
def test_whatever_a_deal_holds_it_is_stored_or_refused(signed_in: Client, odd: Any) -> None:
    phone = Phone(signed_in)
    phone.start()
    deal = odd.draw(changed(first_duty(n=1), ["n", *first_duty()]))
    body = odd.draw(
        st.just({"deal": deal, "base": ""}) | changed({"deal": deal}, ["base", "score", "engine", "deal"])
    )
    answer = phone.put("deals/1", body)
    if refused(answer) or answer.status_code != 201:
        assert phone.deals() == {}
    else:
        state = phone.state()
        assert [*phone.deals()] == [1]
        # The engine can read the stored data again.
        (row,) = answer_to({"ask": "evening", "setup": state["setup"], "deals": state["deals"]})["deals"]
        assert row["verdict"] == state["deals"][0]["verdict"]


@PLAIN
@given(odd=st.data())
def test_whatever_is_corrected_or_withdrawn_the_deal_stays_one(signed_in: Client, odd: Any) -> None:
    phone = Phone(signed_in)
    phone.start()
    version = phone.enter(1, first_duty()).json()["deal"]["version"]
    base = odd.draw(st.just(version) | JSON)
    if odd.draw(st.booleans()):
        deal = odd.draw(changed(first_duty(n=1), ["n", *first_duty()]))
        refused(phone.put("deals/1", {"deal": deal, "base": base}))
        assert [*phone.deals()] == [1]
    else:
        gone = not refused(phone._send("DELETE", "deals/1", {"base": base}))
        assert gone == (base == version) == (phone.deals() == {})


@pytest.mark.parametrize(
    "raw",
    [b"", b"{", b"[]", b"1", b'"x"', b"null", b"\xff", b"[" * 60_000, b"1" * 5000, b"NaN"],
    ids=range(10),
)
def test_what_is_no_object_is_refused(signed_in: Client, raw: bytes) -> None:
    phone = Phone(signed_in)
    phone.start()
    for method, path in (("PUT", "setup"), ("PUT", "deals/1"), ("DELETE", "deals/1")):
        address = f"/evenings/{phone.key}/{path}"
        answer = signed_in.generic(method, address, raw, content_type="application/json")
        assert answer.status_code == 400
        assert answer.json()["code"] in ("bad_request", "invalid_parameter")


@pytest.mark.parametrize("number", ["0", "401", str(10**30)])
def test_numbers_of_deals_have_bounds(signed_in: Client, number: str) -> None:
    phone = Phone(signed_in)
    phone.start()
    for method in ("PUT", "DELETE"):
        body = json.dumps({"deal": first_duty(), "base": "x"})
        answer = signed_in.generic(
            method, f"/evenings/{phone.key}/deals/{number}", body, content_type="application/json"
        )
        assert answer.status_code == 400
