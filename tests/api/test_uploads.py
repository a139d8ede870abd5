"""`POST /uploads` and `GET /uploads/{id}`: any number of records, visible only to their sender."""

from dataclasses import replace
from threading import BoundedSemaphore
from typing import Any

import pytest

from archive.models import Deal, Part, Upload
from archive.storing import uploads
from archive.web import downloads, waiting
from tarock.analysis.simulate import simulate
from tarock.analysis.verify import check
from tarock.notation import write_text
from tests.cli.command import illegal
from tests.support import samples
from tests.support.storing import small_parts
from tools.waiting import eventually

from .conftest import TGN, ApiClient
from .shape import assert_error

MIXED = "\n".join([samples.TAROKY, samples.MALFORMED, samples.TAROKY, samples.TROGGU])


def _send(client: ApiClient, data: str, prefer: str | None = None, path: str = "uploads") -> Any:
    return client.send(data, path=path, headers={"Prefer": prefer} if prefer else {})


# --- sending ------------------------------------------------------------------------------------------------


def test_it_is_kept_and_stored_later(writer, workers, alena) -> None:
    workers.away = True
    response = _send(writer, samples.TAROKY)
    upload = Upload.objects.get()
    address = f"http://testserver/api/v1/uploads/{upload.pk}"
    assert (response.status_code, response["Location"]) == (202, address)
    assert "Preference-Applied" not in response
    report = response.json()
    none = ("parts_done", "expected", "records", "stored", "known", "malformed", "refused", "failed")
    assert report == {
        "upload": upload.pk,
        "url": address,
        "received_at": upload.received_at.isoformat().replace("+00:00", "Z"),
        "finished": False,
        "size": len(samples.TAROKY.encode()),
        "encoding": "utf-8",
        "parts": 1,
        **dict.fromkeys(none, 0),
        "next": address,
        "results": [],
    }
    assert (upload.user, upload.source) == (alena, "api")
    assert writer.get(address).json() == report
    (row,) = writer.ask("uploads").json()["results"]
    assert row == {name: report[name] for name in row}
    assert not Deal.objects.exists()
    workers.work()
    shown = writer.get(address).json()
    done = {"finished": True, "parts_done": 1, "expected": 1, "records": 1, "stored": 1, "next": None}
    assert shown == {**report, **done, "results": shown["results"]}
    (result,) = shown["results"]
    outcome = (result["outcome"], result["verdict"], result["id"])
    assert outcome == ("stored", "verified", Deal.objects.get().pk)


def test_waiting_for_the_results(writer) -> None:
    """A client waits only if it says so. An upload without a readable record has results, too."""
    response = _send(writer, samples.TAROKY)
    assert (response.status_code, response.json()["results"]) == (202, [])
    response = _send(writer, samples.MALFORMED, "wait=5")
    assert (response.status_code, response.json()["malformed"]) == (200, 1)
    response = _send(writer, samples.dealt(1) + "\n" + MIXED, "wait=5")
    assert (response.status_code, response["Preference-Applied"]) == (200, "wait=5")
    report = response.json()
    assert response["Location"] == report["url"]
    assert (report["finished"], report["next"]) == (True, None)
    outcomes = [("stored", "incomplete"), ("known", "verified"), ("malformed", None)]
    outcomes += [("known", "verified"), ("stored", "verified")]
    found = [(row["n"], row["outcome"], row["verdict"]) for row in report["results"]]
    assert found == [(n, *row) for n, row in enumerate(outcomes)]
    assert report["results"][2]["error"]["where"]["record"] == 2


def test_when_the_time_is_over(writer, workers) -> None:
    workers.away = True
    for path in ("uploads", "deals"):
        response = _send(writer, samples.TAROKY, "wait=1", path)
        assert (response.status_code, response["Preference-Applied"]) == (202, "wait=1")
        assert response["Location"] == response.json()["url"]
        assert response.json()["finished"] is False


WAITS = {
    7: ("wait=7", "WAIT = 7", 'wait="7"', "respond-async, wait=7", "wait=7; x=1, wait=9"),
    0: ("wait=0",),
    60: ("wait=61", "wait=" + "9" * 5000),
    None: (None, "", "wait", "wait=", "wait=-1", "wait=1.5", "wait=soon", "wait=٣", "waiting=3"),
}
"""Values of `Prefer` by the seconds that they mean."""


@pytest.mark.parametrize("path", ["uploads", "deals"])
def test_how_long_a_client_is_ready_to_wait(path, writer, monkeypatch) -> None:
    waited: list[float] = []

    def wait(_: Upload, seconds: float) -> bool:
        waited.append(seconds)
        return False

    monkeypatch.setattr("archive.storing.uploads.wait", wait)
    for seconds, prefers in WAITS.items():
        for prefer in prefers:
            response = _send(writer, samples.TAROKY, prefer, path)
            assert response.status_code == 202, prefer
            asked = seconds if seconds is not None else {"uploads": 0, "deals": 10}[path]
            assert waited == ([asked] if asked else []), prefer
            assert response.get("Preference-Applied") == (None if seconds is None else f"wait={seconds}")
            waited.clear()


@pytest.mark.parametrize("path", ["uploads", "deals"])
def test_only_so_many_wait_at_a_time(path, writer, monkeypatch) -> None:
    places = BoundedSemaphore(1)
    monkeypatch.setattr(waiting, "WAIT_PLACES", places)
    with places:
        response = _send(writer, samples.TAROKY, "wait=60", path)
        assert response.status_code == 202  # at once
        assert "Preference-Applied" not in response
    again = _send(writer, samples.TAROKY, "wait=60", path)
    assert again.status_code == 200
    assert again["Preference-Applied"] == "wait=60"
    assert places.acquire(blocking=False)  # the place was given back


def test_one_client_does_not_take_all_places(writer, stranger, alena, monkeypatch) -> None:
    """Of 40 uploads that one user waits for at a time two wait, and another user gets their results."""
    real = uploads.wait
    waiting_now: list[Upload] = []
    answers: list[Any] = []
    others: list[Any] = []

    def wait(upload: Upload, seconds: float) -> bool:
        if upload.user == alena:
            waiting_now.append(upload)
            if len(waiting_now) == 1:  # while the first waits, the second comes; while it waits, all others
                answers.append(_send(writer, samples.dealt(1), "wait=60"))
            else:
                answers.extend(_send(writer, samples.dealt(n), "wait=60") for n in range(2, 40))
                others.append(_send(stranger, samples.TAROKY, "wait=60", "deals"))
        return real(upload, seconds)

    monkeypatch.setattr(uploads, "wait", wait)
    answers.append(_send(writer, samples.dealt(0), "wait=60"))
    assert len(waiting_now) == 2
    assert [answer.status_code for answer in answers] == [202] * 38 + [200] * 2
    assert ["Preference-Applied" in answer for answer in answers] == [False] * 38 + [True] * 2
    assert others[0].status_code in (200, 201)
    assert others[0]["Preference-Applied"] == "wait=60"
    monkeypatch.setattr(uploads, "wait", real)
    assert _send(writer, samples.TROGGU, "wait=60").status_code == 200, "both places were returned"


def test_half_the_threads_may_wait_and_a_quarter_send_downloads() -> None:
    assert waiting.WAIT_PLACES._initial_value == 8  # type: ignore[attr-defined]
    assert downloads.DOWNLOAD_PLACES._initial_value == 4  # type: ignore[attr-defined]


# --- many records -------------------------------------------------------------------------------------------


MANY = 28


@pytest.fixture
def long(monkeypatch: pytest.MonkeyPatch) -> str:
    """An upload of three parts, with a bad record and one sent twice in the last."""
    small_parts(monkeypatch, 20_000)
    tags = {f"X{n}": "x" * 300 for n in range(4)}
    records = [samples.dealt(seed, **tags) for seed in range(MANY)]
    return "\n".join([*records, samples.MALFORMED, records[0]])


def test_progress_and_results_part_by_part(writer, workers, long) -> None:
    workers.away = True
    address = _send(writer, long).json()["url"]
    parts = Part.objects.count()
    assert parts >= 3
    shown = writer.get(address).json()
    assert (shown["parts"], shown["parts_done"], shown["records"]) == (parts, 0, 0)
    workers.work(1)
    shown = writer.get(address).json()
    assert (shown["finished"], shown["parts_done"]) == (False, 1)
    assert len(shown["results"]) == shown["records"] == shown["stored"] > 5
    assert shown["expected"] > shown["records"]
    # It goes on from there.
    following = shown["next"]
    assert writer.get(following).json()["results"] == []
    workers.work()
    shown = writer.get(following).json()
    assert (shown["finished"], shown["next"], shown["parts_done"]) == (True, None, parts)
    counts = [shown[name] for name in ("records", "stored", "known", "malformed")]
    assert counts == [MANY + 2, MANY, 1, 1]
    assert shown["results"][-1]["n"] == MANY + 1
    following, seen = f"{address}?limit=13", []
    while following:
        page = writer.get(following).json()
        assert len(page["results"]) <= 13
        seen += [result["n"] for result in page["results"]]
        following = page["next"]
    assert seen == list(range(MANY + 2))
    last = writer.get(f"{address}?after={MANY - 2}").json()["results"]
    assert [row["n"] for row in last] == [MANY - 1, MANY, MANY + 1]
    assert writer.get(f"{address}?after={MANY + 1}").json()["results"] == []
    (result,) = writer.get(f"{address}?wrong=1").json()["results"]
    assert (result["n"], result["outcome"], result["error"]["where"]["record"]) == (MANY, "malformed", MANY)
    assert "SX" in long.splitlines()[result["error"]["where"]["line"] - 1]


def test_only_what_is_wrong_or_differs(writer) -> None:
    other = samples.TAROKY.replace("Dana", "Dora")
    report = _send(writer, "\n".join([samples.TAROKY, other, samples.MALFORMED]), "wait=5").json()
    shown = writer.get(f"{report['url']}?wrong=true&limit=1").json()
    assert [(row["n"], row["differs"]) for row in shown["results"]] == [(1, ["players"])]
    shown = writer.get(shown["next"]).json()
    assert ([row["n"] for row in shown["results"]], shown["next"]) == ([2], None)


def test_the_answer_to_a_sending_has_all_results(writer, long, monkeypatch) -> None:
    report = _send(writer, long, "wait=60").json()
    assert (len(report["results"]), report["next"]) == (MANY + 2, None)
    # But for very many, which are on further pages.
    monkeypatch.setattr("api.views.uploads.MOST_RESULTS", MANY)
    report = _send(writer, long, "wait=60").json()
    assert len(report["results"]) == MANY
    assert report["next"] == f"{report['url']}?after={MANY - 1}"
    assert len(writer.get(report["next"]).json()["results"]) == 2


# --- who may look -------------------------------------------------------------------------------------------


def test_the_sender_and_the_operator_read_the_report_again(
    writer, staff, stranger, reader, django_assert_max_num_queries
) -> None:
    sent = writer.send(MIXED).json()
    assert (sent["stored"], sent["known"], sent["malformed"]) == (2, 1, 1)
    with django_assert_max_num_queries(8):  # token, roles, upload, progress, and four for the results
        again = writer.get(sent["url"])
    assert again.json() == staff.get(sent["url"]).json() == sent
    assert "private" in again["Cache-Control"]  # nobody's cache but the sender's
    # For others it is not there, although they may send the same deals.
    theirs = assert_error(stranger.get(sent["url"]), 404, "not_found")
    assert theirs == assert_error(stranger.ask("uploads/999999999"), 404, "not_found")
    response = reader.get(sent["url"])
    assert_error(response, 401, "not_authenticated")
    assert response["WWW-Authenticate"] == 'Bearer realm="api"'
    own = stranger.send(samples.TAROKY).json()
    assert own["results"][0]["id"] == sent["results"][0]["id"]
    assert_error(stranger.get(sent["url"]), 404)
    assert_error(writer.get(own["url"]), 404)


# --- the list -----------------------------------------------------------------------------------------------


def test_one_s_own_uploads_page_by_page(writer, stranger, reader, django_assert_max_num_queries) -> None:
    _send(stranger, samples.TROGGU)
    sent = [_send(writer, data).json()["upload"] for data in (samples.TAROKY, MIXED, samples.TROGGU)]
    with django_assert_max_num_queries(4):
        first = writer.ask("uploads", {"limit": 2})
    page = first.json()
    assert [one["upload"] for one in page["results"]] == [sent[2], sent[1]]
    assert f'<{page["next"]}>; rel="next"' in first["Link"]
    for one in page["results"]:
        report = writer.get(one["url"]).json()
        assert one == {name: report[name] for name in one}
    last = writer.get(page["next"]).json()
    assert ([one["upload"] for one in last["results"]], last["next"]) == ([sent[0]], None)
    assert stranger.ask("uploads").json()["results"][0]["stored"] == 1
    assert_error(reader.ask("uploads"), 401, "not_authenticated")


def test_a_running_site_stores_and_scores_what_was_sent(product) -> None:
    """Deals of players whom nobody else sends."""
    names = {seat: f"{seat} of deals" for seat in "ABCD"}
    good, wrong, broken = (replace(one, players=names) for one in simulate("taroky", deals=3, seed=81))
    scores = [check(record).score for record in (good, wrong)]
    claimed = [replace(good, score=scores[0]), replace(wrong, score=dict.fromkeys("ABCD", 0))]
    texts = [*map(write_text, claimed), samples.MALFORMED, illegal(write_text(good))]
    texts.append(write_text(replace(broken, events=broken.events[:-4])))
    body, headers = "\n".join(texts).encode(), {"Content_Type": TGN, "Prefer": "wait=60"}
    report = product.api("POST", "/api/v1/uploads", body, **headers)
    results = report["results"]
    verdicts = [result["verdict"] for result in results]
    assert (report["status"], verdicts) == (200, ["verified", "disputed", None, "illegal", "incomplete"])
    assert product.api("GET", report["url"])["results"] == results
    ids = [result["id"] for result in results if result["id"]]
    sheets = [product.api("GET", f"/api/v1/deals/{number}/score") for number in ids]
    assert [sheet["score"] for sheet in sheets] == [*scores, None, None]

    def rows() -> list[tuple[str, int, int]]:
        found = product.api("GET", "/api/v1/scores?player=A+of+deals")["results"]
        return [(row["game"], row["deals"], row["points"]) for row in found]

    expected = [("taroky", 2, sum(score["A"] for score in scores if score))]
    assert eventually(lambda: rows() == expected), rows()
