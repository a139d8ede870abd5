"""`POST /uploads` and `GET /uploads/{id}`: any number of records, visible only to their sender."""

from threading import BoundedSemaphore
from typing import Any

import pytest
from django.contrib.auth.models import User

from archive.models import Deal, Part, Upload
from archive.storing import uploads
from archive.web import downloads, waiting
from tarock.analysis.simulate import simulate
from tarock.notation import write_text
from tarock.notation.pieces import PIECE
from tests import samples

from .conftest import ApiClient, Workers
from .shape import assert_error

MIXED = "\n".join([samples.TAROKY, samples.MALFORMED, samples.TAROKY, samples.TROGGU])


def _send(client: ApiClient, data: str, prefer: str | None = None, path: str = "uploads") -> Any:
    return client.send(data, path=path, headers={"Prefer": prefer} if prefer else {})


# --- sending ------------------------------------------------------------------------------------------------


def test_it_is_kept_and_stored_later(writer: ApiClient, workers: Workers, alena: User) -> None:
    workers.away = True
    response = _send(writer, samples.TAROKY)
    upload = Upload.objects.get()
    address = f"http://testserver/api/v1/uploads/{upload.pk}"
    assert response.status_code == 202
    assert response["Location"] == address
    assert "Preference-Applied" not in response
    report = response.json()
    assert report == {
        "upload": upload.pk,
        "url": address,
        "received_at": upload.received_at.isoformat().replace("+00:00", "Z"),
        "finished": False,
        "size": len(samples.TAROKY.encode()),
        "parts": 1,
        "parts_done": 0,
        "expected": 0,
        "records": 0,
        "stored": 0,
        "known": 0,
        "malformed": 0,
        "refused": 0,
        "failed": 0,
        "next": address,
        "results": [],
    }
    assert (upload.user, upload.source) == (alena, "api")
    assert writer.get(address).json() == report
    assert not Deal.objects.exists()

    workers.work()
    shown = writer.get(address).json()
    done = {"finished": True, "parts_done": 1, "expected": 1, "records": 1, "stored": 1, "next": None}
    assert shown == {**report, **done, "results": shown["results"]}
    (result,) = shown["results"]
    assert (result["outcome"], result["verdict"], result["id"]) == (
        "stored",
        "verified",
        Deal.objects.get().pk,
    )


def test_nobody_waits_who_does_not_say_so(writer: ApiClient) -> None:
    response = _send(writer, samples.TAROKY)
    assert (response.status_code, response.json()["results"]) == (202, [])


def test_waiting_for_the_results(writer: ApiClient) -> None:
    response = _send(writer, MIXED, "wait=5")
    assert response.status_code == 200
    assert response["Preference-Applied"] == "wait=5"
    report = response.json()
    assert response["Location"] == report["url"]
    assert (report["finished"], report["next"]) == (True, None)
    assert [result["n"] for result in report["results"]] == [0, 1, 2, 3]
    outcomes = [result["outcome"] for result in report["results"]]
    assert outcomes == ["stored", "malformed", "known", "stored"]
    assert [result["verdict"] for result in report["results"]] == ["verified", None, "verified", "verified"]
    assert report["results"][1]["error"]["where"]["record"] == 1


def test_nothing_that_can_be_read_is_a_result_as_any(writer: ApiClient) -> None:
    response = _send(writer, samples.MALFORMED, "wait=5")
    assert (response.status_code, response.json()["malformed"]) == (200, 1)


@pytest.mark.parametrize("path", ["uploads", "deals"])
def test_when_the_time_is_over(path: str, writer: ApiClient, workers: Workers) -> None:
    workers.away = True
    response = _send(writer, samples.TAROKY, "wait=1", path)
    assert response.status_code == 202
    assert response["Preference-Applied"] == "wait=1"
    assert response["Location"] == response.json()["url"]
    assert response.json()["finished"] is False


@pytest.mark.parametrize(
    ("prefer", "seconds"),
    [
        (None, None),
        ("", None),
        ("wait=7", 7),
        ("WAIT = 7", 7),
        ('wait="7"', 7),
        ("respond-async, wait=7", 7),
        ("wait=7; x=1, wait=9", 7),
        ("wait=0", 0),
        ("wait=61", 60),
        ("wait=" + "9" * 5000, 60),
        ("wait", None),
        ("wait=", None),
        ("wait=-1", None),
        ("wait=1.5", None),
        ("wait=soon", None),
        ("wait=٣", None),
        ("waiting=3", None),
    ],
)
@pytest.mark.parametrize("path", ["uploads", "deals"])
def test_how_long_a_client_is_ready_to_wait(
    path: str, prefer: str | None, seconds: int | None, writer: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = []

    def wait(_: Upload, seconds: float) -> bool:
        waited.append(seconds)
        return False

    monkeypatch.setattr("archive.storing.uploads.wait", wait)
    response = _send(writer, samples.TAROKY, prefer, path)
    assert response.status_code == 202
    asked = seconds if seconds is not None else {"uploads": 0, "deals": 10}[path]
    assert waited == ([asked] if asked else [])
    assert response.get("Preference-Applied") == (None if seconds is None else f"wait={seconds}")


@pytest.mark.parametrize("path", ["uploads", "deals"])
def test_only_so_many_wait_at_a_time(path: str, writer: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_one_client_does_not_take_all_places(
    writer: ApiClient, stranger: ApiClient, alena: User, monkeypatch: pytest.MonkeyPatch
) -> None:
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


@pytest.fixture
def long() -> str:
    """An upload of three parts, with a bad record and one sent twice in the last."""
    records = [write_text(record) for record in simulate("strohmann", deals=700, seed=3)]
    text = "\n".join([*records, samples.MALFORMED, records[0]])
    assert len(text.encode()) > 2 * PIECE
    return text


def test_progress_and_results_part_by_part(writer: ApiClient, workers: Workers, long: str) -> None:
    workers.away = True
    address = _send(writer, long).json()["url"]
    parts = Part.objects.count()
    assert parts >= 3

    def look() -> dict[str, Any]:
        return writer.get(address).json()  # type: ignore[no-any-return]

    shown = look()
    assert (shown["parts"], shown["parts_done"], shown["records"]) == (parts, 0, 0)
    workers.work(1)
    shown = look()
    assert (shown["finished"], shown["parts_done"]) == (False, 1)
    assert len(shown["results"]) == shown["records"] == shown["stored"] > 100
    assert shown["expected"] > shown["records"]
    # It goes on from there.
    following = shown["next"]
    assert writer.get(following).json()["results"] == []
    workers.work()
    shown = writer.get(following).json()
    assert (shown["finished"], shown["next"], shown["parts_done"]) == (True, None, parts)
    assert (shown["records"], shown["stored"], shown["known"], shown["malformed"]) == (702, 700, 1, 1)
    assert shown["results"][-1]["n"] == 701


def test_pages_of_results(writer: ApiClient, long: str) -> None:
    address = _send(writer, long).json()["url"]
    following, seen = f"{address}?limit=250", []
    while following:
        page = writer.get(following).json()
        assert len(page["results"]) <= 250
        seen += [result["n"] for result in page["results"]]
        following = page["next"]
    assert seen == list(range(702))
    assert [row["n"] for row in writer.get(f"{address}?after=698").json()["results"]] == [699, 700, 701]
    assert writer.get(f"{address}?after=701").json()["results"] == []


def test_only_what_is_wrong(writer: ApiClient, long: str) -> None:
    address = _send(writer, long).json()["url"]
    (result,) = writer.get(f"{address}?wrong=1").json()["results"]
    assert (result["n"], result["outcome"], result["error"]["where"]["record"]) == (700, "malformed", 700)
    line = result["error"]["where"]["line"]
    assert "SX" in long.splitlines()[line - 1]
    other = samples.TAROKY.replace("Dana", "Dora")
    report = _send(writer, "\n".join([samples.TAROKY, other, samples.MALFORMED]), "wait=5").json()
    shown = writer.get(f"{report['url']}?wrong=true&limit=1").json()
    assert [(row["n"], row["differs"]) for row in shown["results"]] == [(1, ["players"])]
    shown = writer.get(shown["next"]).json()
    assert ([row["n"] for row in shown["results"]], shown["next"]) == ([2], None)


def test_the_answer_to_a_sending_has_all_results(
    writer: ApiClient, long: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = _send(writer, long, "wait=60").json()
    assert (len(report["results"]), report["next"]) == (702, None)
    # But for very many, which are on further pages.
    monkeypatch.setattr("api.views.uploads.MOST_RESULTS", 700)
    report = _send(writer, long, "wait=60").json()
    assert len(report["results"]) == 700
    assert report["next"] == f"{report['url']}?after=699"
    assert len(writer.get(report["next"]).json()["results"]) == 2


# --- who may look -------------------------------------------------------------------------------------------


def test_the_sender_reads_the_report_again(writer: ApiClient) -> None:
    sent = writer.send(MIXED).json()
    assert (sent["stored"], sent["known"], sent["malformed"]) == (2, 1, 1)
    again = writer.get(sent["url"])
    assert again.json() == sent
    assert "private" in again["Cache-Control"]  # nobody's cache but the sender's


def test_nobody_else_finds_it(writer: ApiClient, stranger: ApiClient, reader: ApiClient) -> None:
    sent = writer.send(samples.TAROKY).json()
    theirs = assert_error(stranger.get(sent["url"]), 404, "not_found")
    none = assert_error(stranger.ask("uploads/999999999"), 404, "not_found")
    assert theirs == none  # nothing tells them apart
    response = reader.get(sent["url"])
    assert_error(response, 401, "not_authenticated")
    assert response["WWW-Authenticate"] == 'Bearer realm="api"'


def test_the_operator_does(writer: ApiClient, staff: ApiClient) -> None:
    sent = writer.send(samples.TAROKY).json()
    assert staff.get(sent["url"]).json() == sent


def test_a_known_deal_of_somebody_else_s_upload(writer: ApiClient, stranger: ApiClient) -> None:
    first = writer.send(samples.TAROKY).json()
    second = stranger.send(samples.TAROKY).json()
    assert second["results"][0]["id"] == first["results"][0]["id"]
    assert_error(stranger.get(first["url"]), 404)
    assert_error(writer.get(second["url"]), 404)


@pytest.mark.parametrize(
    "query",
    [
        {"step": "1"},
        {"user": "alena"},
        {"after": "-2"},
        {"after": "9" * 30},
        {"limit": "0"},
        {"limit": "10001"},
        {"wrong": "perhaps"},
    ],
)
def test_bad_parameters(query: dict[str, str], writer: ApiClient) -> None:
    sent = writer.send(samples.TAROKY).json()
    assert_error(writer.get(sent["url"], query), 400, "invalid_parameter", field=next(iter(query)))


def test_an_upload_takes_few_queries(writer: ApiClient, django_assert_max_num_queries: Any) -> None:
    sent = writer.send(MIXED).json()
    with django_assert_max_num_queries(8):  # token, roles, upload, progress, and four for the results
        writer.get(sent["url"])


# --- the list -----------------------------------------------------------------------------------------------


def test_one_s_own_uploads_page_by_page(
    writer: ApiClient, stranger: ApiClient, reader: ApiClient, django_assert_max_num_queries: Any
) -> None:
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


def test_an_upload_that_waits_is_listed(writer: ApiClient, workers: Workers) -> None:
    workers.away = True
    _send(writer, samples.TAROKY)
    (one,) = writer.ask("uploads").json()["results"]
    assert (one["finished"], one["parts"], one["parts_done"], one["records"]) == (False, 1, 0, 0)
