"""Views of the editor for a record that could not be stored, or for the record of a deal. The text is checked
while the user types.

Every response contains the text that was sent, even after an error, so that nothing is lost.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from archive.access import Viewer
from archive.addresses import Key
from archive.database import storable
from archive.errors import Unavailable
from archive.models import CHOSEN, Contribution, Space, Upload
from archive.reading.uploads import get_upload, original_at, results_of
from archive.shown import ShownDeal
from archive.storing import corrections, uploads
from archive.storing.contribution_data import NotStorable
from archive.web import throttles
from replays.deal.about import may_edit
from replays.language.names import finding_text
from replays.site import versions
from replays.site.again import csrf_failure
from replays.site.common import deal_or_404, found_or_404, is_forged, over_quota, place_taken, user_of
from replays.site.paths import path
from replays.uploads import editing
from replays.uploads.views.uploads import wait_for
from tarock.analysis.verify import table_warnings
from tarock.core.findings import Finding
from tarock.notation.limits import MAX_TEXT

logger = logging.getLogger(__name__)

_BODY = 4 * MAX_TEXT
"""Maximum size of a request body, in bytes: enough for a URL-encoded record and the other fields."""


@dataclass
class _Edited:
    """The editor's page for a record: its texts, and the function that receives the edited record."""

    text: str
    heading: str = ""
    lead: str = ""
    back: tuple[str, str] = ("", "")
    send: Callable[[editing.Checked, str], HttpResponse] | None = None
    wrong: str = ""
    stored: dict[str, str] | None = None


_TOO_LONG = gettext_lazy("This is too long for a record.")


class _Wrong(Exception):
    """Error for a rejected text, with a message for the reader and the status of the response."""

    def __init__(self, why: str, status: int) -> None:
        super().__init__(why)
        self.why, self.status = why, status


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def of_upload(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Edit record `number` (from 1) of an upload, beginning with the text as it was sent."""

    def edited(viewer: Viewer) -> _Edited:
        upload = found_or_404(get_upload, pk, viewer)
        is_member = viewer.is_at_least("member", upload.space_id)
        original = original_at(upload, number - 1) if number and is_member else None
        if original is None:
            raise Http404

        def send(_checked: editing.Checked, text: str) -> HttpResponse:
            mends = upload, number - 1
            resent = _receive(request, text, upload.space, upload.visibility, upload.replaces, mends)
            return HttpResponseRedirect(path("upload-result", resent.pk))

        return _Edited(
            original.text,
            heading=_("Edit and send again"),
            lead=_("This is record %(number)d as you sent it. Correct it and send it again.")
            % {"number": number},
            back=(path("upload-result", pk), _("Your upload")),
            send=send,
        )

    return _page(request, edited)


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def of_deal(request: HttpRequest, key: Key) -> HttpResponse:
    """Edit the record of a deal. If cards and moves stay the same, correct the contribution; otherwise
    replace it."""

    def edited(viewer: Viewer) -> _Edited:
        deal = deal_or_404(key, viewer)
        if not may_edit(viewer, deal):
            raise Http404
        return _Edited(
            editing.record_text(deal),
            heading=_("Edit the record"),
            lead=_lead(deal),
            back=(path("deal", key), _("Deal %(number)d") % {"number": deal.pk}),
            send=lambda checked, text: _send_deal(request, deal, checked, text),
            stored={"text": editing.record_text(deal)},
        )

    return _page(request, edited)


def _lead(deal: ShownDeal) -> str:
    if deal.is_result:
        return _("Change the names, points or tags. The history keeps the earlier version.")
    if deal.is_sheet:
        return _("Change the sheet, and the score is computed again. The history keeps the earlier version.")
    return _(
        "Changes to names, tags or comments correct this deal. Changes to cards or moves create a new deal "
        "that replaces this one. The old deal can still be seen but no longer counts."
    )


def _send_deal(request: HttpRequest, deal: ShownDeal, checked: editing.Checked, text: str) -> HttpResponse:
    if len(checked.entries) > 1:
        raise _Wrong(_("This is more than one record. Send only one here."), 422)
    record = checked.entries[0].record
    assert record is not None
    contribution = deal.contribution
    for finding in table_warnings(record.players, record.tags.get("Date", "")):
        raise _Wrong(storable(finding_text(finding)), 422)

    def stored() -> dict[str, str]:
        return {"text": editing.record_text(deal_or_404(contribution.key, request.viewer))}

    if corrections.is_same_deal(deal.deal, record):
        try:
            correct = partial(corrections.correct, contribution, record, by=user_of(request))
            changed = versions.change(request, stored, correct)
        except corrections.PlaceTaken:
            raise _Wrong(place_taken(), 409) from None
        except NotStorable as reason:
            raise _Wrong(storable(finding_text(Finding(*reason.args))), 422) from None
        if changed:
            messages.success(request, _("Your correction has been saved."))
        else:
            messages.info(request, _("Nothing was changed."))
        return HttpResponseRedirect(path("deal", deal.key))
    # A worker stores the new record and replaces this one later, so only check the version here.
    versions.change(request, stored, lambda: None)
    upload = _receive(request, text, contribution.space, contribution.chosen_visibility, contribution)
    results = results_of(upload)
    if len(results) == 1 and results[0].deal is not None:
        messages.success(request, _("The corrected record has been stored and replaces the earlier one."))
        return HttpResponseRedirect(path("deal", results[0].deal))
    return HttpResponseRedirect(path("upload-result", upload.pk))


def _receive(
    request: HttpRequest,
    text: str,
    space: Space,
    visibility: str,
    replaces: Contribution | None,
    mends: tuple[Upload, int] | None = None,
) -> Upload:
    """Receive a text as an upload, and wait briefly until it is stored."""
    try:
        upload = uploads.receive(
            [text.encode("utf-8", "surrogatepass")],
            limit=_BODY,
            user=request.user,
            space=space,
            visibility=visibility if visibility in CHOSEN else "",
            replaces=replaces,
            mends=mends,
            address=throttles.client_address(request),
            media_type="text/plain",
        )
    except uploads.OverQuota as over:
        raise _Wrong(over_quota(over.seconds), 429) from None
    except Unavailable:
        raise _Wrong(_("The archive is busy. Try again in a minute."), 503) from None
    wait_for(request, [upload])
    return upload


def _page(request: HttpRequest, edited: Callable[[Viewer], _Edited]) -> HttpResponse:
    """Show the editor with a checked record, or process the submitted text."""
    if request.method != "POST":
        return _render(request, edited(request.viewer))
    text = ""
    page = _Edited("")
    try:
        text = _text(request)
        if is_forged(request):
            return csrf_failure(request)
        page = edited(request.viewer)
        _guard(request)
        checked = editing.checked(text)
        if request.POST.get("action") == "send" and page.send is not None:
            if all(entry.record is not None for entry in checked.entries):
                return page.send(checked, text)
            raise _Wrong(_("The record can’t be read yet, so nothing was sent."), 422)
    except _Wrong as wrong:
        return _again(request, page, text, wrong)
    except (Http404, Upload.DoesNotExist):
        why = _(
            "You can’t send the record now. If you have been signed out, sign in again in another window."
        )
        return _again(request, page, text, _Wrong(why, 403))
    except versions.Outdated:
        raise
    except Exception:
        logger.exception("an edited record could not be sent")
        return _again(
            request, page, text, _Wrong(_("Something went wrong on our side. Your text is still here."), 500)
        )
    page.text = text
    return _render(request, page)


def _again(request: HttpRequest, page: _Edited, text: str, wrong: _Wrong) -> HttpResponse:
    """Show the editor again with the user's text and the reason for the rejection."""
    page.text, page.wrong = text, wrong.why
    return _render(request, page, wrong.status)


def _render(request: HttpRequest, page: _Edited, status: int = 200) -> HttpResponse:
    text = page.text.replace("\r\n", "\n")
    is_checked = status not in (413, 429, 500) and not _too_long(text)
    context = {
        "page": page,
        "text": storable(text),
        "records": editing.checked(text, request.viewer).records if is_checked else [],
    }
    return render(request, "uploads/editor.html", context, status=status)


def _text(request: HttpRequest) -> str:
    """Return the text that was sent, with Unix line endings, so that positions in it match the findings."""
    try:
        text = request.POST.get("text", "")
    except RequestDataTooBig:
        raise _Wrong(str(_TOO_LONG), 413) from None
    return text.replace("\r\n", "\n")


def _guard(request: HttpRequest) -> None:
    """Raise `_Wrong` if the text is too long or there have been too many requests."""
    if _too_long(request.POST.get("text", "").replace("\r\n", "\n")):
        raise _Wrong(str(_TOO_LONG), 413)
    if throttles.seconds_to_wait(request, throttles.Checks()):
        raise _Wrong(_("Too many checks. Wait a minute."), 429)


def _too_long(text: str) -> bool:
    return len(text.encode("utf-8", "surrogatepass")) > MAX_TEXT


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def check(request: HttpRequest) -> HttpResponse:
    """Check a text without storing it. Return a page with a form or, for the editor's script, only the
    result."""
    context: dict[str, Any] = {"wrong": "", "records": [], "text": ""}
    status = 200
    is_page = request.method != "POST"
    try:
        if int(request.META.get("CONTENT_LENGTH") or 0) > _BODY:
            raise _Wrong(str(_TOO_LONG), 413)
        if request.method == "POST":
            text = _text(request)
            if is_forged(request):
                return csrf_failure(request)
            is_page, context["text"] = "page" in request.POST, storable(text)
            _guard(request)
            context["records"] = editing.checked(text, request.viewer).records
    except _Wrong as wrong:
        context["wrong"], status = wrong.why, wrong.status
    template = "uploads/check.html" if is_page else "parts/check.html"
    return render(request, template, context, status=status)
