"""`POST /deals`: what becomes of each record, and of the whole."""

from typing import Any

import pytest
from django.db import OperationalError

from archive.models import Deal, Upload
from archive.reading import uploads
from archive.storing import intake
from tarock.analysis.verify import check
from tarock.core.record import Record
from tarock.notation.pieces import PIECE
from tests.support import samples
from tests.support.storing import shown

from .conftest import JSON, NDJSON, TGN
from .shape import assert_error, check_error

DIGEST = "f3d01331d1eb818162ba86f3e6579eb1b02c0f502d209ece5333b661cb2a5e70"


def test_one_record_as_text(writer, alena) -> None:
    response = writer.send(samples.TAROKY)
    assert response.status_code == 201
    report = response.json()
    assert (report["stored"], report["known"], report["malformed"], report["refused"]) == (1, 0, 0, 0)
    (result,) = report["results"]
    deal = shown(Deal.objects.get())
    assert result == {
        "n": 0,
        "outcome": "stored",
        "id": deal.pk,
        "digest": DIGEST,
        "deal": str(deal.contribution.key),
        "url": f"http://testserver/api/v1/deals/{deal.contribution.key}",
        "verdict": "verified",
        **{"differs": [], "advice": None, "warnings": [], "error": None, "errors": []},
    }
    assert response["Location"] == result["url"]
    assert writer.get(result["url"]).json()["digest"] == DIGEST
    upload = Upload.objects.get(pk=report["upload"])
    assert b"".join(uploads.upload_bytes(upload)) == samples.TAROKY.encode()
    assert (upload.user, upload.source, upload.media_type) == (alena, "api", TGN)
    assert deal.contribution.sender == alena


RECORD = samples.json_text(samples.taroky_json())


FORMS = [
    *((samples.TAROKY, kind) for kind in (TGN, "text/plain", 'text/plain; charset="UTF-8"')),
    *((record, JSON) for record in (RECORD, f"[{RECORD}]")),
    (RECORD + "\n", NDJSON),
    # The content, not its label, says what it is.
    (RECORD, TGN),
    (samples.TAROKY, JSON),
]


def test_every_form_is_the_same_deal(writer) -> None:
    for body, content_type in FORMS:
        (result,) = writer.send(body, content_type).json()["results"]
        assert result["digest"] == DIGEST, content_type


def test_sending_twice_does_no_harm(writer, stranger) -> None:
    (first,) = writer.send(samples.TAROKY).json()["results"]
    for client, body, kind in [
        (writer, samples.TAROKY, TGN),
        (stranger, samples.json_text(samples.taroky_json()), JSON),
    ]:
        response = client.send(body, kind)
        assert response.status_code == 200
        report = response.json()
        assert (report["stored"], report["known"]) == (0, 1)
        (result,) = report["results"]
        key = first["deal"] if client is writer else result["deal"]  # what each says has its own
        assert result == {**first, "outcome": "known", "deal": key, "url": result["url"]}
        assert result["url"] == f"http://testserver/api/v1/deals/{key}"
    assert Deal.objects.count() == 1


def test_many_records_with_bad_ones_among_them(writer) -> None:
    response = writer.send("\n".join([samples.TAROKY, samples.MALFORMED, samples.TROGGU]))
    assert response.status_code == 201
    assert "Location" not in response
    report = response.json()
    assert [result["outcome"] for result in report["results"]] == ["stored", "malformed", "stored"]
    bad = report["results"][1]
    assert (bad["n"], bad["id"], bad["digest"], bad["url"], bad["verdict"]) == (1, None, None, None, None)
    check_error(bad["error"])
    assert bad["error"]["code"] == "malformed"
    lines_before = len(samples.TAROKY.splitlines()) + 1
    assert bad["error"]["where"]["line"] == lines_before + samples.MALFORMED_LINE
    assert bad["error"]["where"]["column"] == samples.MALFORMED_COLUMN
    assert bad["error"]["where"]["record"] == 1
    assert "SX" in bad["error"]["detail"]
    assert {deal.game for deal in Deal.objects.all()} == {"taroky", "troggu"}

    response = writer.send(samples.TROGGU + "\n" + samples.MALFORMED)
    assert response.status_code == 200
    assert [result["outcome"] for result in response.json()["results"]] == ["known", "malformed"]
    assert writer.send(samples.TROGGU + "\n" + samples.dealt(1)).status_code == 201, "one of two is new"


def test_many_records_as_ndjson(writer) -> None:
    good = samples.taroky_json()
    bad = {**good, "deal": {**good["deal"], "B": ["SX", *good["deal"]["B"][1:]]}}
    unlike = {**good, "options": []}
    body = "\n".join(samples.json_text(record) for record in (good, bad, unlike, good))
    results = writer.send(body, NDJSON).json()["results"]
    assert [result["outcome"] for result in results] == ["stored", "malformed", "stored", "known"]
    assert results[0]["id"] == results[3]["id"]
    place = results[1]["error"]["where"]
    assert (place["record"], place["line"], place["pointer"]) == (1, 2, "/deal/B/0")


def test_nothing_could_be_taken(writer) -> None:
    response = writer.send(samples.MALFORMED + "\n" + samples.MALFORMED.replace("SX", "SY"))
    place = {"record": 0, "line": samples.MALFORMED_LINE, "column": samples.MALFORMED_COLUMN}
    error = assert_error(response, 422, "malformed", report=True, **place)
    assert error["malformed"] == 2
    assert [result["error"]["where"]["record"] for result in error["results"]] == [0, 1]
    assert error["results"][0]["error"] == {key: error[key] for key in ("code", "detail", "where")}
    # The upload is stored anyway, and its report is available later.
    again = writer.get(error["url"]).json()
    assert again["results"] == error["results"]
    # The same for a record that can be parsed but not stored. A play that text can’t express is stored.
    record = samples.taroky_json()
    record["players"]["A"] = "A" * 300
    response = writer.send(samples.json_text(record), JSON)
    assert assert_error(response, 422, "refused", report=True, record=0)["refused"] == 1
    assert writer.send(samples.json_text(samples.wrong_seat_json()), JSON).status_code == 201


def test_more_than_is_taken_here(writer) -> None:
    body = (samples.TAROKY + "\n") * 320
    assert len(body.encode()) > PIECE
    error = assert_error(writer.send(body), 413, "too_large")
    assert "262,144 bytes" in error["detail"]
    assert "POST /api/v1/uploads" in error["detail"]
    assert not Upload.objects.exists()
    assert writer.send(body, path="uploads").status_code == 202


def test_a_session_of_the_site_is_no_token(reader, writer, alena) -> None:
    reader.force_login(alena)
    response = reader.send(samples.TAROKY)
    assert_error(response, 401, "not_authenticated")
    assert response["WWW-Authenticate"] == 'Bearer realm="api"'
    assert not Upload.objects.exists()


def test_a_fault_of_our_own_while_storing(writer, monkeypatch) -> None:
    def broken(record: Record) -> Any:
        if record.game == "taroky":
            raise RuntimeError("disk on fire")
        return check(record)

    monkeypatch.setattr(intake, "check", broken)
    response = writer.send(samples.TAROKY)
    assert response.status_code == 202  # it is stored, and the sender made no error
    report = response.json()
    assert (report["finished"], report["failed"], report["stored"]) == (True, 1, 0)
    (result,) = report["results"]
    assert (result["outcome"], result["id"], result["verdict"]) == ("failed", None, None)
    detail = "This record could not be stored because of a fault in the archive. The upload has been kept, "
    place = {"record": 0, "line": 1, "column": None, "pointer": None, "field": None}
    expected = {"code": "server_error", "detail": detail + "and the operator can see it.", "where": place}
    assert result["error"] == expected
    assert b"fire" not in response.content
    # Its neighbours are stored.
    response = writer.send(samples.TAROKY + "\n" + samples.TROGGU)
    assert response.status_code == 201
    assert [result["outcome"] for result in response.json()["results"]] == ["failed", "stored"]


def test_a_part_that_is_given_up(writer, monkeypatch, settings) -> None:
    settings.ARCHIVE_MAX_ATTEMPTS = 1
    monkeypatch.setattr(intake, "_read", _refused)
    response = writer.send(samples.TAROKY)
    assert response.status_code == 202
    report = response.json()
    assert (report["finished"], report["failed"], report["results"]) == (True, 1, [])


def _refused(*_: Any, **__: Any) -> None:
    raise OperationalError("the database is gone")


@pytest.mark.parametrize("path", ["deals", "uploads"])
def test_a_database_that_takes_nothing(path, writer, monkeypatch) -> None:
    with monkeypatch.context() as busy:
        busy.setattr(Upload, "save", _refused)
        response = writer.send(samples.TAROKY, path=path)
    assert_error(response, 503, "busy")
    assert response["Retry-After"] == "60"
    assert not Upload.objects.exists()


@pytest.mark.parametrize("path", ["deals", "uploads"])
def test_what_was_kept_is_never_an_error(path, writer, monkeypatch) -> None:
    places = "archive.storing.uploads.wait", "api.views.uploads.progress_of", "api.views.uploads.results_of"
    for seed, broken in enumerate(places):
        with monkeypatch.context() as away:
            away.setattr(broken, _refused)
            response = writer.send(samples.dealt(seed), path=path, headers={"Prefer": "wait=5"})
        assert response.status_code == 202, broken
        report = response.json()
        assert response["Location"] == report["url"] == report["next"]
        assert (report["finished"], report["results"]) == (False, [])
        assert writer.get(report["url"]).json()["stored"] == 1
