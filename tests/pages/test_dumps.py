"""The page of the dumps, and the link to a deal's certificate."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from archive.publishing import dumps
from archive.shown import ShownDeal
from tests import samples

from .conftest import Page, Store

pytestmark = pytest.mark.django_db


def test_the_page_lists_the_files(client: Client, taroky: ShownDeal, settings: Any, tmp_path: Path) -> None:
    assert "There are no files yet." in Page(client.get("/dumps/").text).text
    settings.DUMP_DIR = str(tmp_path)
    (month,) = dumps.write(tmp_path, current=True)
    answer = client.get("/dumps/")
    page = Page(answer.text)
    assert not page.unsafe
    links = page.attributes("href")
    for file in month.files:
        assert f"/api/v1/dumps/{file.name}" in links
        assert file.sha256 in page.attributes("title")
    assert "/api/v1/dumps/SHA256SUMS" in links
    assert client.get("/api/v1/dumps/SHA256SUMS").status_code == 200
    assert "/dumps/" in Page(client.get("/").text).attributes("href")


def test_a_verified_deal_leads_to_its_certificate(client: Client, store: Store, settings: Any) -> None:
    for text, there in ((samples.ANNOTATED, True), (samples.ILLEGAL, False), (samples.UNFINISHED, False)):
        deal = store(text)[0]
        links = Page(client.get(f"/deals/{deal.pk}/").text).attributes("href")
        address = f"/api/v1/deals/{deal.pk}/certificate"
        assert (address in links) == there
        assert (client.get(address).status_code == 200) == there
    settings.CERTIFICATE_KEY = None
    deal = store(samples.ANNOTATED)[0]
    links = Page(client.get(f"/deals/{deal.pk}/").text).attributes("href")
    assert not [link for link in links if link.endswith("/certificate")]
