"""`GET /deals/{id}/original`: what was sent, as it was sent."""

import json

from django.contrib.auth.models import User

from archive.models import Part
from tests import samples

from .conftest import JSON, TGN, ApiClient, Store
from .shape import assert_error


def test_text_that_was_not_canonical(writer: ApiClient, alena: User, store: Store) -> None:
    sent = samples.TAROKY.replace("1. A T20", "1.  A   XX { well led }").replace(
        "deal A DQ D4", "deal A D4 DQ"
    )
    deal = store(sent, user=alena)
    response = writer.ask(f"deals/{deal.pk}/original", accept=TGN)
    assert response["Content-Type"] == f"{TGN}; charset=utf-8"
    assert response.content.decode().strip() == sent.strip()
    assert response["Content-Disposition"] == f'inline; filename="deal-{deal.pk}.tgn"'
    assert writer.ask(f"deals/{deal.pk}", accept=TGN).content != response.content
    told = writer.ask(f"deals/{deal.pk}/original").json()
    assert (told["deal"], told["form"]) == (str(deal.contribution.key), "tgn")
    assert told["text"] == response.content.decode()


def test_json(writer: ApiClient, alena: User, store: Store) -> None:
    sent = json.dumps(samples.taroky_json(), indent=3)
    deal = store(sent, user=alena)
    told = writer.ask(f"deals/{deal.pk}/original")
    assert told["Content-Type"] == JSON
    assert (told.json()["form"], told.json()["text"]) == ("json", sent)
    response = writer.ask(f"deals/{deal.pk}/original", accept="text/plain")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response.content.decode() == sent
    assert 'rel="describedby"' in response["Link"]
    assert_error(writer.ask(f"deals/{deal.pk}/original", accept=TGN), 406, "not_acceptable")
    assert response["Content-Disposition"] == f'inline; filename="deal-{deal.pk}.json"'


def test_only_its_own_record_of_an_upload(writer: ApiClient) -> None:
    results = writer.send(samples.TAROKY + "\n" + samples.TROGGU).json()["results"]
    texts = [writer.ask(f"deals/{result['id']}/original").json()["text"] for result in results]
    assert [text.strip() for text in texts] == [samples.TAROKY.strip(), samples.TROGGU.strip()]


def test_it_is_never_shown_as_a_page(writer: ApiClient, alena: User, store: Store) -> None:
    deal = store(samples.TAROKY.replace("Alena", "<script>alert(1)</script>"), user=alena)
    response = writer.ask(f"deals/{deal.pk}/original", accept="text/html, */*")
    assert response["Content-Type"] == JSON
    plain = writer.ask(f"deals/{deal.pk}/original", {"format": "txt"})
    assert plain["Content-Type"] == "text/plain; charset=utf-8"
    assert plain["X-Content-Type-Options"] == response["X-Content-Type-Options"] == "nosniff"


def test_what_was_first_sent_is_kept(writer: ApiClient, alena: User, store: Store) -> None:
    deal = store(samples.TAROKY, user=alena)
    writer.send(json.dumps(samples.taroky_json()), JSON)
    assert writer.ask(f"deals/{deal.pk}/original").json()["text"] == samples.TAROKY


def test_it_is_shown_to_members_alone(
    writer: ApiClient, reader: ApiClient, stranger: ApiClient, staff: ApiClient, alena: User, store: Store
) -> None:
    deal = store(samples.TAROKY, user=alena)
    for client in (reader, stranger):
        assert_error(client.ask(f"deals/{deal.pk}/original"), 404, "not_found")
        assert client.ask(f"deals/{deal.pk}").json()["links"]["original"] is None
    for client in (writer, staff):
        assert client.ask(f"deals/{deal.pk}/original").status_code == 200


def test_bytes_that_are_not_kept_any_more(writer: ApiClient, alena: User, store: Store) -> None:
    taroky = store(samples.TAROKY, user=alena)
    Part.objects.update(data=b"")
    error = assert_error(writer.ask(f"deals/{taroky.pk}/original"), 404, "not_found")
    assert "have been deleted" in error["detail"]
    assert writer.ask(f"deals/{taroky.pk}", accept=TGN).content == samples.TAROKY.encode()
