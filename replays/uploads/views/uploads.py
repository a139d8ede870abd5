"""Uploading records, and the results of uploads."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import NamedTuple
from urllib.parse import quote

from django.contrib import messages
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.shortcuts import render
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from archive import conf, database
from archive.addresses import number_of
from archive.errors import Unavailable
from archive.models import VERDICTS, Contribution, Player, Space, Upload
from archive.reading import clubs, players, sessions
from archive.reading.deals import contributions_in
from archive.reading.uploads import (
    Result,
    failed_records,
    get_upload,
    progress_of,
    results_of,
    table_of,
    upload_bytes,
    uploads_of,
    uploads_to,
    verdicts_of,
)
from archive.storing import corrections, uploads
from archive.web import throttles, waiting
from archive.web.viewer import GUEST
from replays.home.notation_page import samples
from replays.language import words
from replays.site.common import found_or_404, guest_space_of, over_quota, page_of, too_many, user_of
from replays.site.paths import path
from replays.uploads.forms import DestinationForm, UploadForm
from replays.uploads.importing import report
from replays.uploads.results import progress, upload_items
from tarock.notation.foreign import ENCODING_NAMES
from tarock.notation.limits import MAX_TEXT
from tarock.notation.packed import ENCODINGS

MOST_FILES = 20
"""Maximum number of files in one request. Each file becomes a separate upload."""

PER_PAGE = 200
"""Number of records per page of an upload."""

MOST_SESSIONS = 12
"""Maximum number of sessions named above a page of records."""

_FORM = 1_000_000
"""Allowance in bytes for the parts of a request other than deals."""

_WAIT = 2.0
"""Maximum time that a response waits for uploads, in seconds. Small uploads show results immediately."""


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest) -> HttpResponse:
    """Receive uploads and show the upload page. Workers read and store the records."""

    def refuse(wrong: str) -> HttpResponse:
        return _page(request, UploadForm(viewer=request.viewer), 413, wrong)

    return within_limits(request, _upload, refuse, _limit(request))


def within_limits(
    request: HttpRequest,
    answer: Callable[[HttpRequest], HttpResponse],
    refuse: Callable[[str], HttpResponse],
    limit: int,
    throttle: throttles.Throttle | None = None,
) -> HttpResponse:
    """Return the answer to a request that may send files of up to `limit` bytes. `refuse`: returns the page
    with an error message; `throttle`: checked in addition to the quota.

    Quota and size are checked before the body is read, and therefore before the CSRF check, which reads the
    body.
    """
    if request.method == "POST":
        wait = uploads.wait_for_quota(uploads.sender(request.user, throttles.client_address(request)))
        if wait or (throttle and (wait := throttles.seconds_to_wait(request, throttle))):
            return too_many(request, wait, minutes=(wait + 59) // 60)
        if wrong := _too_large(request, limit):
            return refuse(wrong)
    try:
        return answer(request)
    except RequestDataTooBig:
        return refuse(_("The text is too long to paste. Send it as a file."))


def _too_large(request: HttpRequest, limit: int) -> str:
    """Return an error message if the body is too large for files of `limit` bytes, or else “”."""
    if int(request.META.get("CONTENT_LENGTH") or 0) <= limit + _FORM:
        return ""
    wrong = _("This upload is too large: the limit is %(limit)s at a time. Send it in several parts.")
    return wrong % {"limit": filesizeformat(limit)}


@csrf_protect
def _upload(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        club = request.GET.get("club") or clubs.upload_space(request.viewer)
        return _page(request, UploadForm(viewer=request.viewer, initial={"space": club}))
    form = UploadForm(request.POST, request.FILES, viewer=request.viewer)
    if not form.is_valid():
        return _page(request, form, 400)
    sendings = _sendings(form)
    if not _acceptable(request, form, sendings):
        return _page(request, form, 400)
    received, left, over = _receive_all(request, form, sendings)
    for sending in left:
        why = _("%(name)s could not be stored: the archive is busy. Please send it again in a minute.")
        why = over_quota(over) if over else why % {"name": sending.name or _("The text")}
        if received:
            messages.error(request, why)
        else:
            form.add_error("files" if sending.name else "text", why)
    if not received:
        return _page(request, form, 429 if over else 503)
    wait_for(request, received)
    return HttpResponseRedirect(
        path("upload-result", received[0].pk) if len(received) == 1 else path("uploads")
    )


def _page(request: HttpRequest, form: UploadForm, status: int = 200, wrong: str = "") -> HttpResponse:
    """Render the form with its errors, or with an error about the whole request."""
    errors = [wrong] if wrong else [error for field_errors in form.errors.values() for error in field_errors]
    context = {
        "form": form,
        "errors": errors,
        "limit": _limit(request),
        "longest": MAX_TEXT,
        "samples": samples(),
        "license": conf.data_license(),
    }
    return render(request, "uploads/upload.html", context, status=status)


def _limit(request: HttpRequest) -> int:
    return conf.max_upload_bytes(not request.user.is_authenticated)


class _Sending(NamedTuple):
    """A text or file to upload. A pasted text has no name."""

    name: str
    size: int
    chunks: Iterable[bytes]
    media_type: str


def _sendings(form: UploadForm) -> list[_Sending]:
    """Return the text and files in the form; each becomes an upload."""
    sendings: list[_Sending] = []
    text = form.cleaned_data["text"]
    if text.strip():
        raw = text.replace("\r\n", "\n").encode("utf-8", "surrogatepass")
        sendings.append(_Sending("", len(raw), [raw], "text/plain"))
    sendings += [
        _Sending(f.name or "", f.size or 0, f.chunks(), f.content_type or "")
        for f in form.cleaned_data["files"]
    ]
    return sendings


def _acceptable(request: HttpRequest, form: UploadForm, sendings: list[_Sending]) -> bool:
    """Return whether the number and sizes of the uploads are allowed. If not, add errors to the form."""
    limit = _limit(request)
    if len(sendings) > MOST_FILES:
        form.add_error(
            "files", _("You can send at most %(number)d files at a time.") % {"number": MOST_FILES}
        )
    for sending in sendings:
        if sending.size > limit:
            form.add_error(
                "files" if sending.name else "text",
                _("%(name)s is too large: %(size)s. The limit is %(limit)s. Send it in several parts.")
                % {
                    "name": sending.name or _("The text"),
                    "size": filesizeformat(sending.size),
                    "limit": filesizeformat(limit),
                },
            )
    return not form.errors


def _receive_all(
    request: HttpRequest, form: UploadForm, sendings: list[_Sending]
) -> tuple[list[Upload], list[_Sending], int]:
    """Receive the texts and files in order. Return the uploads, the texts and files that were not received,
    and the seconds until the sender's quota allows them; 0 if the quota is not the reason."""
    received: list[Upload] = []
    try:
        space = space_of(request, form)
    except database.AWAY:
        return received, sendings, 0
    for number, sending in enumerate(sendings):
        try:
            received.append(
                uploads.receive(
                    sending.chunks,
                    limit=_limit(request),
                    user=request.user,
                    space=space,
                    visibility=form.cleaned_data.get("visibility", ""),
                    address=throttles.client_address(request),
                    filename=sending.name,
                    media_type=sending.media_type,
                )
            )
        except Unavailable:
            return received, sendings[number:], 0
        except uploads.OverQuota as over:
            return received, sendings[number:], over.seconds
    return received, [], 0


def space_of(request: HttpRequest, form: DestinationForm) -> Space | None:
    """Return the chosen club, None for the user's own space or, for a guest, this browser's guest space."""
    return form.cleaned_data.get("space") if request.user.is_authenticated else guest_space_of(request)


def wait_for(request: HttpRequest, received: list[Upload]) -> None:
    """Wait briefly until uploads are stored, unless too many requests, or two requests by the same user, are
    already waiting."""
    until = time.monotonic() + _WAIT
    with waiting.place(request) as free:
        for upload in received if free else ():
            uploads.wait(upload, max(0.0, until - time.monotonic()))


@never_cache
@require_safe
def result(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the progress of an upload, and its results after record `?after=N`. With `wrong=1`, show only
    the errors."""
    upload = found_or_404(get_upload, pk, request.viewer)
    wrong_only = request.GET.get("wrong") == "1"
    wanted = number_of(request.GET.get("after"))
    after = -1 if wanted is None else wanted
    counts = progress_of(upload)
    percent, time_left = progress(upload, counts, timezone.now())
    numbers = verdicts_of(upload) if counts.finished else {}
    results = results_of(upload, after, PER_PAGE + 1, wrong_only)
    page = results[:PER_PAGE]
    deals = [result.deal for result in page if result.deal]
    table = table_of(upload)
    recognised = table.read_report() if table else None
    return render(
        request,
        "uploads/upload_result.html",
        {
            "upload": upload,
            "encoding": ENCODING_NAMES.get(upload.encoding, "UTF-16"),
            "table": table,
            "report": report(recognised, {}) if recognised else None,
            "counts": counts,
            "percent": percent,
            "time_left": time_left,
            "large": counts.records > PER_PAGE,
            "verdicts": {verdict: numbers[verdict] for verdict in VERDICTS if verdict in numbers},
            "fingerprints": _fingerprints(upload, page),
            "items": upload_items(upload, page, request.viewer),
            "editable": request.viewer.is_at_least("member", upload.space_id),
            "sessions": sessions.sessions_of(deals, upload.space_id)[:MOST_SESSIONS],
            "alike": _alike(request, upload, deals),
            "wrong_only": wrong_only,
            "after": after + 1,
            "next": page[-1].n if len(results) > PER_PAGE else None,
        },
    )


def _alike(request: HttpRequest, upload: Upload, deals: Iterable[int]) -> list[list[Player]]:
    """Return groups of players in these deals who may be the same person, for viewers who may merge them."""
    if not request.user.is_authenticated or not request.viewer.is_at_least("secretary", upload.space_id):
        return []
    return players.alike_in(upload.space, players.persons_at(deals, upload.space_id))


def _fingerprints(upload: Upload, results: Iterable[Result]) -> dict[int, int]:
    """Return the fingerprints of the stored deals whose details differ from the upload, by deal id."""
    pks = [result.deal for result in results if result.conflict]
    rows = Contribution.objects.filter(space=upload.space_id, deal__in=pks)
    return dict(rows.values_list("deal_id", "fingerprint"))


@require_POST
def read_as(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Receive an upload again, with the encoding that the sender chose for record `number` (from 1), a text
    that makes sense in more than one."""
    upload, encoding = found_or_404(get_upload, pk, request.viewer), request.POST.get("encoding", "")
    if encoding not in ENCODINGS or not request.viewer.is_at_least("member", upload.space_id):
        raise Http404
    try:
        again = uploads.receive(
            upload_bytes(upload),
            limit=2 * _limit(request),
            user=request.user,
            space=upload.space,
            visibility=upload.visibility,
            mends=(upload, number - 1),
            address=throttles.client_address(request),
            filename=upload.filename,
            media_type=upload.media_type,
            encoding=encoding,
        )
    except uploads.OverQuota as over:
        messages.error(request, over_quota(over.seconds))
    except Unavailable:
        messages.error(request, _("The archive is busy. Try again in a minute."))
    else:
        wait_for(request, [again])
        pk = again.pk
    return HttpResponseRedirect(path("upload-result", pk))


@require_POST
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw all deals of an upload."""
    upload = found_or_404(get_upload, pk, request.viewer)
    if not request.viewer.is_at_least("member", upload.space_id):
        raise Http404
    stored = Contribution.objects.filter(part__upload=upload, space=upload.space_id)
    changed = corrections.set_visibilities(stored, "withdrawn", by=user_of(request))
    messages.success(request, words.changed_visibility(changed, "withdrawn"))
    return HttpResponseRedirect(path("upload-result", pk))


@never_cache
@require_safe
def original(request: HttpRequest, pk: int) -> StreamingHttpResponse:
    """Return the bytes of an upload, of a packed file unpacked, always as an attachment."""
    upload = found_or_404(get_upload, pk, request.viewer)
    response = StreamingHttpResponse(upload_bytes(upload), content_type="application/octet-stream")
    name = upload.filename or f"upload-{upload.pk}.txt"
    if name.lower().endswith((".zip", ".gz")) and upload.parts.exclude(form="other").exists():
        name += ".txt"  # its files were unpacked, and are returned one after another
    response["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name, safe='')}"
    return response


@never_cache
@require_safe
def failures(request: HttpRequest, pk: int) -> StreamingHttpResponse:
    """Return the records of an upload that were not stored, as they were sent."""
    upload = found_or_404(get_upload, pk, request.viewer)
    texts = (text.encode(errors="surrogateescape") for text in failed_records(upload))
    response = StreamingHttpResponse(texts, content_type="application/octet-stream")
    response["Content-Disposition"] = f'attachment; filename="upload-{upload.pk}-failures.txt"'
    return response


@never_cache
@require_safe
def upload_list(request: HttpRequest) -> HttpResponse:
    """List the user's uploads, or those of this browser's guest space."""
    if request.user.is_authenticated:
        rows = uploads_of(request.user)
    else:
        rows = uploads_to(request.session.get(GUEST))
    page = page_of(request, rows)
    unfinished = any(not upload.is_finished for upload in page.object_list)
    context = {"page": page, "waiting": unfinished, "guest": 0}
    if request.user.is_authenticated and (guest := request.session.get(GUEST)):
        context["guest"] = contributions_in(guest).count()
        context["clubs"] = list(clubs.own_clubs(request.viewer).values_list("pk", "name"))
    return render(request, "uploads/uploads.html", context)
