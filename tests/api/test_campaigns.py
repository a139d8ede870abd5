"""`/campaigns`: the operator has deals checked again, and nobody else can."""

from typing import Any

import pytest

import tarock
from archive.models import Campaign, Deal

from .conftest import JSON, ApiClient
from .shape import assert_error


def _start(client: ApiClient, body: str = "", content_type: str = JSON) -> Any:
    return client.send(body, content_type, path="campaigns")


def test_all_deals_are_verified_again(staff, taroky, troggu) -> None:
    Deal.objects.update(engine_version="0.0.1", clauses="old")
    response = _start(staff)
    assert response.status_code == 201
    campaign = response.json()
    found = Campaign.objects.get()
    assert found.started_by is not None
    assert campaign == {
        "id": found.pk,
        "url": f"http://testserver/api/v1/campaigns/{found.pk}",
        "state": "done",
        "game": None,
        "outdated_only": False,
        "engine_version": tarock.__version__,
        **{name: campaign[name] for name in ("started_at", "finished_at")},
        **{"checked": 2, "changed": 2, "failed": 0, "waiting": 0},
    }
    assert response["Location"] == campaign["url"]
    assert staff.get(campaign["url"]).json() == campaign
    assert {deal.engine_version for deal in Deal.objects.all()} == {tarock.__version__}


@pytest.mark.parametrize(
    ("body", "checked"),
    [
        ("{}", 2), ('{"game": null}', 2), ('{"game": "troggu"}', 1), ('{"outdated_only": true}', 1),
        ('{"game": "troggu", "outdated_only": true}', 0),
    ],
)  # fmt: skip
def test_some_deals_are_verified_again(body, checked, staff, taroky, troggu) -> None:
    Deal.objects.filter(pk=taroky.pk).update(engine_version="0.0.1", clauses="old")
    assert _start(staff, body).json()["checked"] == checked


def test_stopped_and_resumed(staff, workers, taroky) -> None:
    workers.away = True
    url = _start(staff).json()["url"]
    at = url.removeprefix("http://testserver/api/v1/")

    def after(action: str) -> tuple[str, int]:
        response = staff.send("", path=f"{at}/{action}")
        assert response.status_code == 200
        assert response.json()["url"] == url
        return response.json()["state"], response.json()["waiting"]

    assert after("resume") == ("running", 1)  # as it was
    assert after("stop") == ("stopped", 1)
    assert after("stop") == ("stopped", 1)
    workers.work()
    assert staff.get(url).json()["checked"] == 0
    workers.away = False
    assert after("resume") == ("done", 0)
    assert after("stop") == ("done", 0)
    assert staff.get(url).json()["checked"] == 1


def test_bad_wishes_and_bodies_that_cannot_be_read(staff) -> None:
    wrong = {"game": ('"poker"', '["taroky"]', '""'), "outdated_only": ('"perhaps"', "null"), "games": ("1",)}
    for field, values in wrong.items():
        for value in values:
            body = f'{{"{field}": {value}}}'
            assert_error(_start(staff, body), 400, "invalid_parameter", field=field)
    for body in ("{", "[]", "1", "null", "[" * 9000, '{"game": "\\ud800"', "\x00"):
        assert_error(_start(staff, body), 400, "bad_request")
    assert_error(_start(staff, " " * 10_001), 413, "too_large")
    assert_error(_start(staff, "{}", "text/plain"), 415, "unsupported_media_type")
    assert not Campaign.objects.exists()
