"""`GET /deals/{id}/original`: what was sent, as it was sent."""

import json
from collections.abc import Callable

from archive.models import Deal, Part

from . import samples
from .conftest import JSON, TGN, ApiClient
from .shape import assert_error


def test_text_that_was_not_canonical(reader: ApiClient, store: Callable[..., Deal]) -> None:
    sent = samples.TAROKY.replace("1. A T20", "1.  A   XX { well led }").replace(
        "deal A DQ D4", "deal A D4 DQ"
    )
    deal = store(sent)
    response = reader.ask(f"deals/{deal.pk}/original")
    assert response["Content-Type"] == f"{TGN}; charset=utf-8"
    assert response.content.decode().strip() == sent.strip()
    assert response["Content-Disposition"] == f'inline; filename="deal-{deal.pk}.tgn"'
    assert reader.ask(f"deals/{deal.pk}", accept=TGN).content != response.content


def test_json(reader: ApiClient, store: Callable[..., Deal]) -> None:
    sent = json.dumps(samples.taroky_json(), indent=3)
    deal = store(sent)
    response = reader.ask(f"deals/{deal.pk}/original")
    assert response["Content-Type"] == f"{JSON}; charset=utf-8"
    assert response.content.decode() == sent
    assert response["Content-Disposition"] == f'inline; filename="deal-{deal.pk}.json"'


def test_only_its_own_record_of_an_upload(reader: ApiClient, writer: ApiClient) -> None:
    results = writer.send(samples.TAROKY + "\n" + samples.TROGGU).json()["results"]
    texts = [reader.ask(f"deals/{result['id']}/original").content.decode() for result in results]
    assert [text.strip() for text in texts] == [samples.TAROKY.strip(), samples.TROGGU.strip()]


def test_it_is_never_shown_as_a_page(reader: ApiClient, store: Callable[..., Deal]) -> None:
    deal = store(samples.TAROKY.replace("Alena", "<script>alert(1)</script>"))
    response = reader.ask(f"deals/{deal.pk}/original", accept="text/html, */*")
    assert response["Content-Type"].startswith(TGN)
    assert response["X-Content-Type-Options"] == "nosniff"


def test_what_the_first_sender_sent(reader: ApiClient, writer: ApiClient, taroky: Deal) -> None:
    writer.send(json.dumps(samples.taroky_json()), JSON)
    assert reader.ask(f"deals/{taroky.pk}/original").content.decode() == samples.TAROKY


def test_bytes_that_are_not_kept_any_more(reader: ApiClient, taroky: Deal) -> None:
    Part.objects.update(data=b"")
    error = assert_error(reader.ask(f"deals/{taroky.pk}/original"), 404, "not_found")
    assert "not kept any more" in error["message"]
    assert reader.ask(f"deals/{taroky.pk}", accept=TGN).content == samples.TAROKY.encode()
