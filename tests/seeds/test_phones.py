"""Random histories of phones at a table, in a browser, with steps and faults that a seed decides."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from hypothesis import strategies as st
from playwright.sync_api import Browser

from archive.models import CHOSEN, Contribution, Evening
from archive.storing import evenings, uploads
from archive.web import throttles
from tests.archive.test_evenings import points
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

_SELDOM = 4
"""Number of histories of which one is also compared row by row. The first is, so each that is replayed."""

KEPT = Path(__file__).with_name("kept_phones.txt")


class Phones:
    """The table, and the check of its histories."""

    def __init__(self, table: Table, archive: Archive) -> None:
        self.table, self.archive = table, archive
        self.histories = 0

    @property
    def pictures(self) -> set[str]:
        return self.archive.pictures

    def run(self, history: History) -> None:
        """Run a history, repair the phones, and check what they and the archive have."""
        self.histories += 1
        try:
            self.table.begin(history)
            for number in range(len(history.steps)):
                phones.carry_out(self.table, history, number)
            self.table.finish()
            self.check()
        except BaseException as error:
            words = f"A history failed. To replay it: make seeds ARGS=--phones SEED='{history}'"
            error.add_note("\n".join([words, "", *self.table.trace]))
            raise

    def check(self) -> None:
        """Check that what a phone has called saved is in the archive or on the phone, and nothing twice."""
        assert self.table.errors == []
        evening = Evening.objects.get()
        there = points(evening)
        rows = Contribution.objects.filter(session=evening.session_id, visibility__in=CHOSEN)
        assert set(Counter(rows.values_list("number", flat=True)).values()) <= {1}
        assert set(Counter(there.values()).values()) <= {1}, "a deal is there twice"
        versions = {row.number: evenings.version(row) for row in rows}
        for phone in self.table.phones.values():
            assert phone.complaints == [], f"phone {phone.name}"
            entries = {int(n): one for n, one in phone.state()["deals"].items()}
            self.check_saved(phone, entries, there)
            settled = {n: one["version"] for n, one in entries.items() if one["state"] == "sent"}
            unsent = {n for n, one in entries.items() if one["state"] != "sent"}
            expected = {n: version for n, version in versions.items() if n not in unsent}
            assert settled == expected, f"phone {phone.name} shows what the archive has"
        self.check_versions()
        self.archive.check_webhook()
        if self.histories % _SELDOM == 1:
            self.archive.check_all()

    def check_saved(self, phone: phones.Phone, entries: dict[int, Any], there: dict[int, Any]) -> None:
        """Check that the deals that a phone has called saved are in the archive, or on this phone, or were
        changed by somebody who had seen them."""
        gate = self.table.gate
        seen = {change.base for change in gate.accepted}
        for n, value in phone.saved.items():
            own = entries.get(n)
            here = own and own["state"] != "sent" and own["deal"]["lines"][-1][-1] == value
            known = gate.versions[n, value]
            assert there.get(n) == value or here or known & seen, (
                f"phone {phone.name} has called deal {n} with {value} points saved; the archive has "
                f"{there.get(n)}, and the phone {own}"
            )

    def check_versions(self) -> None:
        """Check that the archive has accepted only one change of each version."""
        accepted: dict[tuple[str, str], set[str]] = defaultdict(set)
        for change in self.table.gate.accepted:
            if change.base and change.content:
                accepted[change.path, change.base].add(change.content)
        assert [contents for contents in accepted.values() if len(contents) > 1] == []


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
def table(at_work: Archive, browser: Browser, settings: Any, monkeypatch: Any) -> Iterator[Phones]:  # noqa: F811
    settings.ALLOWED_HOSTS = ["*"]
    monkeypatch.setattr(uploads, "wait", lambda upload, seconds: upload.is_finished)
    monkeypatch.setattr(throttles.Throttle, "allow_request", lambda *given: True)
    gate = Gate()
    with gate.open() as address:
        made = Table(at_work.site, at_work.scheduler, gate, browser, address)
        yield Phones(made, at_work)
        made.end()


def test_kept_seeds_no_longer_fail(table: Phones) -> None:
    for one in kept(KEPT):
        table.run(History.parse(one))


@pytest.mark.skipif(not SECONDS or bool(SEED), reason="fresh seeds are tried by `make seeds`")
def test_fresh_seeds_do_not_fail(table: Phones) -> None:
    try_fresh(table, histories(), each=20)
