"""The operator's admin: all can be seen, nothing changed by hand, a few things can be set going again."""

from __future__ import annotations

from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from archive.models import (
    Campaign,
    Chunk,
    Deal,
    Evening,
    FormerVerdict,
    Part,
    Player,
    Session,
    Upload,
    UploadItem,
)
from archive.storing import campaigns, intake
from tests.support import samples
from tests.support.storing import part_of, receive, store, stored

pytestmark = pytest.mark.django_db

MODELS = {one._meta.model_name: one for one in (Deal, Campaign, Upload, UploadItem, Player, Session, Evening)}


def listing(model: str) -> str:
    return reverse(f"admin:archive_{model}_changelist")


def page_of(model: str, pk: int) -> str:
    return reverse(f"admin:archive_{model}_change", args=[pk])


def text_of(answer: Any) -> str:
    return answer.content.decode()


def act(client: Any, model: str, action: str, pk: int) -> str:
    what = {"action": action, "_selected_action": [pk]}
    return text_of(client.post(listing(model), what, follow=True))


@pytest.fixture
def upload(ada) -> Upload:
    texts = [samples.TAROKY, samples.MALFORMED, samples.dealt(1, Session="x" * 201)]
    return stored(*texts, filename="<b>evening</b>.tgn", user=ada)


@pytest.fixture
def archive(upload) -> None:
    """One thing at least of everything."""
    Deal.objects.update(engine_version="0", clauses="old")
    campaigns.verify_now(list(Deal.objects.all()))
    campaigns.start()
    session = Session.objects.all()[0]
    Evening.objects.create(key=uuid4(), session=session, game="taroky", seats=4, date=date(2026, 11, 24))


@pytest.fixture
def failed(upload, monkeypatch, settings) -> Upload:
    """A record, a part and a chunk that failed because of an error in our own code."""
    settings.ARCHIVE_MAX_ATTEMPTS = 1
    found = []
    for number, name in enumerate(("check", "_read"), start=2):
        with monkeypatch.context() as broken:
            broken.setattr(intake, name, lambda _: 1 / 0)
            found.append(stored(samples.dealt(number)))
    campaigns.start()
    Chunk.objects.update(state="failed", error="Traceback: <module> KeyError")
    return found[0]


def test_lists_and_pages_open_and_nothing_is_changed_by_hand(admin_client, archive) -> None:
    for model, rows in MODELS.items():
        for query in ({}, {"q": "1"}):
            assert admin_client.get(listing(model), query).status_code == 200, model
        for thing in rows.objects.all():
            assert admin_client.get(page_of(model, thing.pk)).status_code == 200, model
        if model != "campaign":
            assert admin_client.get(reverse(f"admin:archive_{model}_add")).status_code == 403, model
        assert admin_client.post(page_of(model, thing.pk), {"verdict": 2, "name": "x"}).status_code == 403
        deleting = reverse(f"admin:archive_{model}_delete", args=[thing.pk])
        assert admin_client.post(deleting, {"post": "yes"}).status_code == 403, model


def test_lists_cost_the_same_however_long(admin_client, django_assert_max_num_queries) -> None:
    stored(samples.many(110, Session="Table"), *[samples.MALFORMED] * 30)
    for n in range(30):
        stored(samples.dealt(n + 200))
    for model in MODELS:
        with django_assert_max_num_queries(11 + (25 * 3 if model == "upload" else 0)) as queries:
            admin_client.get(listing(model))
        assert not any('"data"' in query["sql"] for query in queries.captured_queries), model


def test_a_deal_is_found_and_shows_what_each_sender_said_and_what_was_answered_before(
    admin_client, archive, ben
) -> None:
    stored(samples.DISPUTED, user=ben)
    deal = Deal.objects.get()
    stored(samples.dealt(1))
    for query in ("Bořek", "2026-11-20 table 2", "Hlučín", str(deal.pk)):
        page = admin_client.get(listing("deal"), {"q": query})
        assert [found.pk for found in page.context["cl"].queryset] == [deal.pk], query
    page = text_of(admin_client.get(page_of("deal", deal.pk)))
    for words in (deal.hex_digest, "A Alena 105", "A Anna 105", "disputed", "[Dealer &quot;D&quot;]"):
        assert words in page
    assert FormerVerdict.objects.count() == 1
    assert admin_client.get(listing("deal"), {"engine_version": "0"}).context["cl"].result_count == 0


def test_a_disputed_deal_that_is_verified_again_is_disputed_in_list_and_history(admin_client) -> None:
    stored(samples.DISPUTED)
    Deal.objects.update(engine_version="0", clauses="old")
    deal = Deal.objects.get()
    for changed in (1, 0):
        said = act(admin_client, "deal", "verify_again", deal.pk)
        assert f"1 deals were verified again; {changed} answers changed." in said
    assert deal.former.get().engine_version == "0"
    for page in (listing("deal"), page_of("deal", deal.pk)):
        text = text_of(admin_client.get(page))
        assert "disputed" in text
        assert "verified" not in text.replace("verified_at", "").replace("verified at", "")


def test_a_campaign_is_started_stopped_and_resumed(admin_client, admin_user, upload) -> None:
    Deal.objects.update(engine_version="0", clauses="old")
    form = {"outdated_only": "on", "chunks-TOTAL_FORMS": 0, "chunks-INITIAL_FORMS": 0}
    assert admin_client.post(reverse("admin:archive_campaign_add"), form, follow=True).status_code == 200
    campaign = Campaign.objects.get()
    assert (campaign.started_by, campaign.outdated_only, campaign.state) == (admin_user, True, "running")
    for action, done in (("stop", "1 campaigns"), ("stop", "0 campaigns"), ("resume", "1 campaigns")):
        assert done in act(admin_client, "campaign", action, campaign.pk)
    campaigns.verify_chunk(Chunk.objects.get().pk)
    assert "1 checked, 1 changed, 0 failed, 0 chunks to go" in text_of(admin_client.get(listing("campaign")))


def test_an_upload_and_its_records(admin_client, upload) -> None:
    page = text_of(admin_client.get(page_of("upload", upload.pk)))
    for words in ("1 stored, 1 malformed, 1 refused", f"{upload.size} bytes)", "3 records"):
        assert words in page
    assert "&lt;b&gt;evening&lt;/b&gt;" in page
    assert "<b>evening" not in page + text_of(admin_client.get(listing("upload")))
    assert "SX" in text_of(admin_client.get(listing("uploaditem")))
    assert "failed</a>" not in text_of(admin_client.get(listing("deal"))), "nothing failed"


def test_the_bytes_of_an_upload_are_downloaded_as_sent(admin_client) -> None:
    raw = bytes(range(256)) * 3000
    upload = receive(raw, filename="x.html", media_type="text/html")
    answer = admin_client.get(reverse("admin:archive_upload_raw", args=[upload.pk]))
    assert b"".join(answer.streaming_content) == raw
    headers = [answer[name] for name in ("Content-Type", "X-Content-Type-Options", "Content-Disposition")]
    attachment = f'attachment; filename="upload-{upload.pk}.bin"'
    assert headers == ["application/octet-stream", "nosniff", attachment]
    assert admin_client.get(reverse("admin:archive_upload_raw", args=[upload.pk + 1])).status_code == 404


def test_an_upload_is_read_again(admin_client, failed, django_capture_on_commit_callbacks, messages) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        assert "1 uploads are read again." in act(admin_client, "upload", "read_again", failed.pk)
    assert messages == [("store_part", [part_of(failed).pk], "interactive")]
    assert "0 of 1 parts" in text_of(admin_client.get(listing("upload")))
    store(failed)
    assert Part.objects.get(upload=failed).stored == 1


def test_errors_in_our_own_code_are_told_of_on_top_and_found(admin_client, failed) -> None:
    for model in ("deal", "campaign", "upload", "uploaditem"):
        page = text_of(admin_client.get(listing(model)))
        assert "3 pieces of work failed" in page
        assert listing("upload") + "?faults=yes" in page
    assert admin_client.get(listing("upload"), {"faults": "yes"}).context["cl"].result_count == 2
    assert "ZeroDivisionError" in text_of(admin_client.get(page_of("upload", failed.pk)))
    item = UploadItem.objects.get(outcome="failed")
    assert "&lt;lambda&gt;" in text_of(admin_client.get(page_of("uploaditem", item.pk)))
    campaign = page_of("campaign", Campaign.objects.get().pk)
    assert "&lt;module&gt; KeyError" in text_of(admin_client.get(campaign))
    Chunk.objects.update(state="done", error="nothing wrong")
    assert "nothing wrong" not in text_of(admin_client.get(campaign))


def test_visitors_users_and_staff_without_the_right_get_nothing(
    client, ada, django_user_model, upload
) -> None:
    raw = reverse("admin:archive_upload_raw", args=[upload.pk])
    for _ in range(2):
        for address in [*map(listing, MODELS), raw]:
            answer = client.get(address)
            assert (answer.status_code, "login" in answer["Location"]) == (302, True)
        client.force_login(ada)
    client.force_login(django_user_model.objects.create_user("clerk", is_staff=True))
    assert client.get(raw).status_code == 404, "no bytes"


def test_who_may_only_look_sets_nothing_going(client, django_user_model, failed) -> None:
    looker = django_user_model.objects.create_user("looker", is_staff=True)
    looker.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client.force_login(looker)
    campaigns.stop(Campaign.objects.get())
    Deal.objects.update(engine_version="0", clauses="old")
    for model, action, pk in (
        ("deal", "verify_again", Deal.objects.all()[0].pk), ("upload", "read_again", failed.pk),
        ("campaign", "resume", Campaign.objects.get().pk),
    ):  # fmt: skip
        assert action not in text_of(client.get(listing(model)))
        act(client, model, action, pk)
    assert client.get(reverse("admin:archive_campaign_add")).status_code == 403
    assert set(Deal.objects.values_list("engine_version", flat=True)) == {"0"}
    assert (Campaign.objects.get().state, part_of(failed).state) == ("stopped", "done")
