"""The operator's admin: all can be seen, nothing changed by hand, "verify again" is what there is to do."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse
from django.utils import timezone

from archive import services
from archive.models import Deal, Player, Session, Upload, VerificationRun
from archive.services import store_upload, verify
from tests.archive import samples

pytestmark = [pytest.mark.django_db, pytest.mark.storage]

MODELS = ["deal", "verificationrun", "upload", "player", "session"]


@pytest.fixture
def deal() -> Deal:
    deal = store_upload(raw=samples.TAROKY.encode(), filename="<b>evening</b>.tgn").items.get().deal
    verify(deal.pk)
    return deal


@pytest.fixture
def failed(deal) -> VerificationRun:
    return VerificationRun.objects.create(
        deal=deal,
        state="failed",
        attempts=5,
        finished_at=timezone.now(),
        traceback="Traceback (most recent call last):\n  <module> ZeroDivisionError",
    )


def of(model: str, deal: Deal) -> object:
    return {
        "deal": deal,
        "verificationrun": deal.runs.first(),
        "upload": deal.upload,
        "player": Player.objects.first(),
        "session": Session.objects.first(),
    }[model]


@pytest.mark.parametrize("model", MODELS)
def test_lists_and_pages_open(admin_client, deal, model):
    listing = reverse(f"admin:archive_{model}_changelist")
    assert admin_client.get(listing).status_code == 200
    assert admin_client.get(listing, {"q": "1"}).status_code == 200
    page = admin_client.get(reverse(f"admin:archive_{model}_change", args=[of(model, deal).pk]))
    assert page.status_code == 200


@pytest.mark.parametrize("model", MODELS)
def test_nothing_is_added_or_changed_by_hand(admin_client, deal, model):
    assert admin_client.get(reverse(f"admin:archive_{model}_add")).status_code == 403
    change = reverse(f"admin:archive_{model}_change", args=[of(model, deal).pk])
    assert admin_client.post(change, {"verdict": "illegal", "name": "x"}).status_code == 403


@pytest.mark.parametrize("model", MODELS)
def test_visitors_and_users_are_sent_to_the_sign_in(client, django_user_model, deal, model):
    client.force_login(django_user_model.objects.create_user("ada"))
    for address in [
        reverse(f"admin:archive_{model}_changelist"),
        reverse("admin:archive_upload_raw", args=[deal.upload.pk]),
    ]:
        answer = client.get(address)
        assert answer.status_code == 302
        assert "login" in answer["Location"]


@pytest.mark.parametrize(
    ("model", "filters"),
    [
        ("deal", {"verdict__exact": "verified", "game": "taroky"}),
        ("verificationrun", {"state__exact": "done", "verdict__exact": "verified"}),
        ("upload", {"source__exact": "page", "error__isempty": "1"}),
    ],
)
def test_filters(admin_client, deal, model, filters):
    page = admin_client.get(reverse(f"admin:archive_{model}_changelist"), filters)
    assert page.context["cl"].result_count == 1


@pytest.mark.parametrize("words", ["Bořek", "2026-11-20 table 2", "Hlučín"])
def test_deals_are_found_by_player_session_and_event(admin_client, deal, words):
    store_upload(raw=samples.dealt(1).encode())
    page = admin_client.get(reverse("admin:archive_deal_changelist"), {"q": words})
    assert [found.pk for found in page.context["cl"].queryset] == [deal.pk]
    page = admin_client.get(reverse("admin:archive_deal_changelist"), {"q": deal.digest})
    assert [found.pk for found in page.context["cl"].queryset] == [deal.pk]


@pytest.mark.parametrize("model", ["deal", "verificationrun"])
def test_failed_runs_are_told_of_on_top(admin_client, failed, model):
    page = admin_client.get(reverse(f"admin:archive_{model}_changelist")).content.decode()
    assert "1 verification runs failed" in page
    assert reverse("admin:archive_verificationrun_changelist") + "?state__exact=failed" in page


def test_nothing_is_told_where_nothing_failed(admin_client, deal):
    assert "failed</a>" not in admin_client.get(reverse("admin:archive_deal_changelist")).content.decode()


def test_failed_runs_come_first(admin_client, failed):
    later = store_upload(raw=samples.dealt(1).encode()).items.get().deal
    page = admin_client.get(reverse("admin:archive_verificationrun_changelist"))
    runs = list(page.context["cl"].queryset)
    assert runs[0] == failed
    assert runs[1].deal == later
    assert "FAILED, given up" in page.content.decode()


def test_the_traceback_is_shown_as_text(admin_client, failed):
    page = admin_client.get(
        reverse("admin:archive_verificationrun_change", args=[failed.pk])
    ).content.decode()
    assert "&lt;module&gt; ZeroDivisionError" in page


@pytest.mark.parametrize("model", ["deal", "verificationrun"])
def test_verify_again(admin_client, deal, model):
    page = admin_client.post(
        reverse(f"admin:archive_{model}_changelist"),
        {"action": "verify_again", "_selected_action": [of(model, deal).pk]},
        follow=True,
    )
    assert "1 deals are waiting to be verified." in page.content.decode()
    assert deal.runs.filter(state="queued").count() == 1
    deal.refresh_from_db()
    assert deal.verdict == "verified"


def test_who_may_only_look_may_not_verify_again(client, django_user_model, deal):
    looker = django_user_model.objects.create_user("looker", is_staff=True)
    looker.user_permissions.add(Permission.objects.get(codename="view_deal"))
    client.force_login(looker)
    listing = reverse("admin:archive_deal_changelist")
    assert "verify_again" not in client.get(listing).content.decode()
    client.post(listing, {"action": "verify_again", "_selected_action": [deal.pk]})
    assert not deal.runs.filter(state="queued").exists()


def test_the_bytes_of_an_upload_are_downloaded_as_sent(admin_client):
    raw = bytes(range(256))
    upload = store_upload(raw=raw, filename="x.html", media_type="text/html")
    answer = admin_client.get(reverse("admin:archive_upload_raw", args=[upload.pk]))
    assert answer.content == raw
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"].startswith("attachment")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert admin_client.get(reverse("admin:archive_upload_raw", args=[upload.pk + 1])).status_code == 404


def test_staff_without_the_right_to_see_uploads_get_no_bytes(client, django_user_model, deal):
    client.force_login(django_user_model.objects.create_user("clerk", is_staff=True))
    assert client.get(reverse("admin:archive_upload_raw", args=[deal.upload.pk])).status_code == 404


def test_a_file_name_is_shown_as_text(admin_client, deal):
    page = admin_client.get(reverse("admin:archive_upload_changelist")).content.decode()
    assert "&lt;b&gt;evening&lt;/b&gt;" in page
    assert "<b>evening" not in page


def test_an_upload_page_tells_of_each_record_and_of_our_fault(admin_client):
    upload = store_upload(raw="\n".join([samples.MALFORMED, samples.dealt(1)]).encode())
    Upload.objects.update(error="Traceback: it broke")
    page = admin_client.get(reverse("admin:archive_upload_change", args=[upload.pk])).content.decode()
    assert upload.items.get(n=0).message.split("'")[0] in page
    assert "Traceback: it broke" in page
    listing = admin_client.get(reverse("admin:archive_upload_changelist"))
    row = listing.context["cl"].queryset.get()
    assert (row.records, row.not_kept, row.failed) == (2, 1, 1)


def test_read_again(admin_client, monkeypatch):
    with monkeypatch.context() as broken:
        broken.setattr(services, "read_each", lambda raw: 1 / 0)
        upload = store_upload(raw=samples.dealt(1).encode())
        page = post_read_again(admin_client, upload)
        assert "1 uploads failed again" in page
    assert "1 uploads were read again." in post_read_again(admin_client, upload)
    assert upload.items.get().outcome == "stored"
    upload.refresh_from_db()
    assert upload.error == ""


def post_read_again(admin_client, upload: Upload) -> str:
    answer = admin_client.post(
        reverse("admin:archive_upload_changelist"),
        {"action": "read_again", "_selected_action": [upload.pk]},
        follow=True,
    )
    return answer.content.decode()


def test_the_lists_cost_the_same_however_long(admin_client, django_assert_max_num_queries):
    store_upload(raw=samples.many(90, Session="Table"))
    for model in MODELS:
        with django_assert_max_num_queries(14):
            admin_client.get(reverse(f"admin:archive_{model}_changelist"))


def test_a_deal_can_be_removed_with_all_that_belongs_to_it(admin_client, deal):
    answer = admin_client.post(reverse("admin:archive_deal_delete", args=[deal.pk]), {"post": "yes"})
    assert answer.status_code == 302
    assert not Deal.objects.exists()
    assert not VerificationRun.objects.exists()
    assert Player.objects.count() == 4
    assert Upload.objects.count() == 1
