"""Uploading, and what became of an upload."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from django.contrib import messages
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from archive import conf, selectors, services
from archive.models import Upload, UploadItem
from replays import limits, presenters
from replays.forms import UploadForm
from replays.views.common import page_of

SESSION_KEY = "uploads"
"""Where a session remembers the uploads sent in it without signing in."""

REMEMBERED = 100
MOST_FILES = 20
"""Files in one go; each is an upload of its own."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest) -> HttpResponse:
    """The upload page. What is sent is kept, read and stored at once; the verdicts come from the workers."""
    form = UploadForm(request.POST, request.FILES) if request.method == "POST" else UploadForm()
    status = 400
    if request.method == "POST" and form.is_valid():
        parts = _parts(form)
        if _acceptable(form, parts):
            wait = limits.wait_before_upload(request, len(parts))
            if wait:
                return _too_many(request, wait)
            sent, left = _store_all(request, parts)
            for part in left:
                busy = _("%(name)s could not be kept: the archive is busy. Please send it again in a minute.")
                busy %= {"name": part["name"] or _("The text")}
                if sent:
                    messages.error(request, busy)
                else:
                    form.add_error("files" if part["name"] else "text", busy)
            if sent:
                return HttpResponseRedirect(_result_address(sent))
            status = 503
    context = {"form": form, "limit": conf.max_upload_bytes(), "most_records": conf.max_records()}
    return render(request, "replays/upload.html", context, status=status if form.errors else 200)


def _store_all(
    request: HttpRequest, parts: list[dict[str, Any]]
) -> tuple[list[Upload], list[dict[str, Any]]]:
    """Stores the parts in order; what was kept, and what is left when the database takes nothing more."""
    sent: list[Upload] = []
    for number, part in enumerate(parts):
        try:
            sent.append(_store(request, part))
        except services.ArchiveBusy:
            return sent, parts[number:]
    return sent, []


def _parts(form: UploadForm) -> list[dict[str, Any]]:
    """What was sent, each part an upload of its own."""
    parts: list[dict[str, Any]] = []
    text = form.cleaned_data["text"]
    if text.strip():
        raw = text.replace("\r\n", "\n").encode("utf-8", "surrogatepass")
        parts.append({"name": "", "size": len(raw), "raw": raw, "media_type": "text/plain"})
    parts += [
        {"name": f.name or "", "size": f.size or 0, "file": f, "media_type": f.content_type or ""}
        for f in form.cleaned_data["files"]
    ]
    return parts


def _acceptable(form: UploadForm, parts: list[dict[str, Any]]) -> bool:
    """Whether the parts are neither too many nor too large; says so in the form."""
    limit = conf.max_upload_bytes()
    if len(parts) > MOST_FILES:
        form.add_error("files", _("At most %(number)d files at a time.") % {"number": MOST_FILES})
    for part in parts:
        if part["size"] > limit:
            form.add_error(
                "files" if part["name"] else "text",
                _("%(name)s is too large: %(size)s, where %(limit)s are allowed. Send it in several parts.")
                % {
                    "name": part["name"] or _("The text"),
                    "size": filesizeformat(part["size"]),
                    "limit": filesizeformat(limit),
                },
            )
    return not form.errors


def _store(request: HttpRequest, part: dict[str, Any]) -> Upload:
    raw = part["raw"] if "raw" in part else part["file"].read()
    user = request.user if request.user.is_authenticated else None
    stored = services.store_upload(
        raw=raw, user=user, source="page", filename=part["name"], media_type=part["media_type"]
    )
    if user is None:
        mine = [*request.session.get(SESSION_KEY, []), stored.pk]
        request.session[SESSION_KEY] = mine[-REMEMBERED:]
    return stored


def _result_address(sent: list[Upload]) -> str:
    first, *others = sent
    address = reverse("replays:upload-result", args=[first.pk])
    return address + (f"?also={','.join(str(u.pk) for u in others)}" if others else "")


def _too_many(request: HttpRequest, wait: int) -> HttpResponse:
    context = {"minutes": (wait + 59) // 60, "number": limits.uploads_per_hour()}
    response = render(request, "429.html", context, status=429)
    response["Retry-After"] = str(wait)
    return response


def _upload_for(request: HttpRequest, pk: int) -> Upload:
    """The upload, if whoever asks may see it: its sender, the session it was sent in, or the operator.

    :raises Http404: if there is none or it is somebody else's; which of the two is not told.
    """
    try:
        if pk in request.session.get(SESSION_KEY, []):
            found = selectors.upload(pk)
            if found.user_id is None:
                return found
        return selectors.upload_for(request.user, pk)
    except Upload.DoesNotExist:
        raise Http404 from None


@never_cache
@require_safe
def result(request: HttpRequest, pk: int) -> HttpResponse:
    """What became of each record of an upload (and of those sent along with it)."""
    also = [int(part) for part in request.GET.get("also", "").split(",") if part.isascii() and part.isdigit()]
    wanted = list(dict.fromkeys([pk, *(n for n in also[:MOST_FILES] if n < 2**63)]))
    uploads = []
    for number in wanted:
        found = _upload_for(request, number)
        items = presenters.upload_items(found)
        uploads.append({"upload": found, "items": items, "counts": _counts(items)})
    waiting = any(
        u["upload"].is_waiting or any(i.deal and i.deal.is_pending for i in u["items"]) for u in uploads
    )
    template = "replays/_upload_items.html" if "fragment" in request.GET else "replays/upload_result.html"
    query = f"also={','.join(map(str, wanted[1:]))}&" if len(wanted) > 1 else ""
    return render(request, template, {"uploads": uploads, "waiting": waiting, "pk": pk, "poll_query": query})


def _counts(items: list[presenters.ItemView]) -> dict[str, int]:
    found = {"stored": 0, "known": 0, "malformed": 0, "refused": 0}
    for item in items:
        found[item.outcome] += 1
    return found


@never_cache
@require_safe
def original(request: HttpRequest, pk: int) -> HttpResponse:
    """The bytes of an upload as they came, for whoever may see it; never shown as a page of ours."""
    found = _upload_for(request, pk)
    response = HttpResponse(bytes(found.raw), content_type="application/octet-stream")
    name = found.filename or f"upload-{found.pk}.txt"
    response["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name, safe='')}"
    return response


@never_cache
@require_safe
def uploads(request: HttpRequest) -> HttpResponse:
    """One's own uploads: those of the account, or those of this session."""
    if request.user.is_authenticated:
        found = selectors.uploads_of(request.user)
    else:
        outcome = UploadItem.Outcome
        found = (
            Upload.objects.filter(pk__in=request.session.get(SESSION_KEY, []), user=None)
            .defer("raw", "error")
            .annotate(
                stored=Count("items", filter=Q(items__outcome=outcome.STORED)),
                known=Count("items", filter=Q(items__outcome=outcome.KNOWN)),
                wrong=Count("items", filter=Q(items__outcome__in=[outcome.MALFORMED, outcome.REFUSED])),
            )
            .order_by("-received_at", "-id")
        )
    return render(request, "replays/uploads.html", {"page": page_of(request, found)})
