"""Random histories of phones at a table, in a browser, with steps and faults that a seed decides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from hypothesis import strategies as st
from playwright.sync_api import Browser

from archive.storing import uploads
from archive.web import throttles
from tests.seeds import phones
from tests.seeds.gate import Gate
from tests.seeds.phones import Table
from tests.seeds.scheduler import FAULTS, History
from tests.seeds.test_histories import SECONDS, SEED, START, SWITCHES, Archive, kept, try_fresh
from tests.seeds.test_histories import archive as at_work  # noqa: F401 - a fixture

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer"),
]

KEPT = Path(__file__).with_name("kept_phones.txt")


# --- the histories ------------------------------------------------------------------------------------------


@st.composite
def histories(draw: Any) -> History:
    """Two to five phones that enter deals, with faults of phones, network and archive between them."""
    letters = draw(st.sampled_from(["ab", "ac", "ad", "ab", "abcd", "abcde"]))
    verbs = ["enter", "enter", "change", "change", *phones.STEPS]
    of_phone = st.tuples(st.sampled_from(verbs), st.sampled_from(letters)).map("-".join)
    steps = draw(st.lists(st.one_of(of_phone, of_phone, of_phone, st.sampled_from(phones.MACHINERY)),
                          min_size=3, max_size=10))  # fmt: skip
    steps = [*START, *steps]
    if draw(st.integers(0, 9)) == 9:
        steps = ["engine", *steps]
    switches = draw(SWITCHES)
    fault = st.tuples(st.integers(0, len(steps) - 1), st.integers(1, 60), st.sampled_from(FAULTS))
    return History(tuple(steps), tuple(switches), draw(st.none() | fault))


@pytest.fixture
def table(at_work: Archive, browser: Browser, settings: Any, monkeypatch: Any) -> Iterator[Table]:  # noqa: F811
    settings.ALLOWED_HOSTS = ["*"]
    monkeypatch.setattr(uploads, "wait", lambda upload, seconds: upload.is_finished)
    monkeypatch.setattr(throttles.Throttle, "allow_request", lambda *given: True)
    gate = Gate()
    with gate.open() as address:
        made = Table(at_work, gate, browser, address)
        yield made
        made.end()


def test_kept_seeds_no_longer_fail(table: Table) -> None:
    for one in kept(KEPT):
        table.run(History.parse(one))


@pytest.mark.skipif(not SECONDS or bool(SEED), reason="fresh seeds are tried by `make seeds`")
def test_fresh_seeds_do_not_fail(table: Table) -> None:
    try_fresh(table, histories(), each=20)
