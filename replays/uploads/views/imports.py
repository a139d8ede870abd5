"""The page that brings in tables of old results: send a table, answer questions about it, confirm."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from archive import conf, database
from archive.errors import Unavailable
from archive.models import ImportedTable, Space, Upload
from archive.reading import clubs, players
from archive.reading.uploads import get_upload, upload_bytes
from archive.storing import imports, uploads
from archive.web import throttles
from archive.web.viewer import GUEST
from replays.site.common import over_quota
from replays.site.paths import path
from replays.uploads.forms import TableForm
from replays.uploads.importing import answers_in, preview, sentence
from replays.uploads.views.uploads import space_of, wait_for, within_limits
from tarock.tables import Recognised, recognise_file


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def bring_in(request: HttpRequest) -> HttpResponse:
    """Show the form for a table, then its preview until the sender confirms it. Only then store its rows."""

    def refuse(wrong: str) -> HttpResponse:
        return _page(request, TableForm(viewer=request.viewer), 413, wrong)

    return within_limits(request, _bring_in, refuse, _limit(request), throttles.Checks())


@csrf_protect
def _bring_in(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        club = request.GET.get("club") or clubs.upload_space(request.viewer)
        return _page(request, TableForm(viewer=request.viewer, initial={"space": club}))
    form = TableForm(request.POST, request.FILES, viewer=request.viewer)
    if not form.is_valid():
        return _page(request, form, 400)
    try:
        table = _table(request, form)
    except (ImportedTable.DoesNotExist, Upload.DoesNotExist):
        form.add_error(None, _("The table is kept for a day, and no longer here. Send it again."))
        return _page(request, form, 400)
    if table.upload_id:
        return HttpResponseRedirect(path("upload-result", table.upload_id))
    answers = form.cleaned_data["answers"] | answers_in(request.POST.dict())
    space = _known_space(request, form)
    known = players.names_in(space) if space else []
    recognised = recognise_file(table.bytes, table.filename, known, answers)
    if not (recognised.rows or recognised.questions or recognised.assumed or recognised.columns_out):
        why = [sentence(fault.text(get_language() or "en")) for fault in recognised.faults]
        form.add_error(None, why or [_("There are no points in this table.")])
        return _page(request, form, 400)
    status, wrong = 200, ""
    if request.POST.get("action") == "store":
        answer = _store(request, form, table, recognised)
        if isinstance(answer, HttpResponse):
            return answer
        status, wrong = answer
    if table.pk is None:
        imports.keep(table)
    return _preview(request, form, table, recognised, answers, wrong, status)


def _limit(request: HttpRequest) -> int:
    return imports.max_bytes(not request.user.is_authenticated)


def _table(request: HttpRequest, form: TableForm) -> ImportedTable:
    """Return the table that was sent now, or before."""
    sent = form.cleaned_data
    if sent["file"]:
        data, name = sent["file"].read(), sent["file"].name
    elif sent["text"].strip():
        data, name = sent["text"].encode("utf-8", "surrogatepass"), ""
    elif sent["key"]:
        return imports.get_table(sent["key"], request.user)
    else:
        upload = get_upload(sent["upload"], request.viewer)
        data, name = b"".join(upload_bytes(upload)), upload.filename
    return imports.new_table(data, name, request.user, throttles.client_address(request))


def _known_space(request: HttpRequest, form: TableForm) -> Space | None:
    """Return the space whose players are known. Don't create it, because nothing is stored yet."""
    if request.user.is_authenticated:
        return form.cleaned_data.get("space") or clubs.own_space(request.viewer)
    return clubs.guest_space(request.session.get(GUEST))


def _store(
    request: HttpRequest, form: TableForm, table: ImportedTable, recognised: Recognised
) -> HttpResponse | tuple[int, str]:
    """Store the rows of the table, and redirect to the upload. Return the status and an error message if they
    can't be stored."""
    if not imports.is_complete(recognised, form.counted.game):
        if recognised.kind == "deal":
            return 422, _("These are deals. Choose their game.")
        return 422, _("Please answer the questions first. Nothing has been stored yet.")
    try:
        upload = imports.receive(
            table,
            recognised,
            form.counted,
            user=request.user,
            space=space_of(request, form),
            visibility=form.cleaned_data.get("visibility", ""),
            address=throttles.client_address(request),
        )
    except uploads.AlreadyImported:
        table.refresh_from_db()
        return HttpResponseRedirect(path("upload-result", table.upload_id))
    except uploads.OverQuota as over:
        return 429, over_quota(over.seconds)
    except (Unavailable, *database.AWAY):
        return 503, _("The archive is busy. Try again in a minute.")
    wait_for(request, [upload])
    return HttpResponseRedirect(path("upload-result", upload.pk))


def _page(request: HttpRequest, form: TableForm, status: int = 200, wrong: str = "") -> HttpResponse:
    """Render the form for a table with its errors, or with an error about the whole request."""
    errors = [wrong] if wrong else [error for field_errors in form.errors.values() for error in field_errors]
    context = {"form": form, "errors": errors, "limit": _limit(request), "license": conf.data_license()}
    return render(request, "uploads/import.html", context, status=status)


def _preview(
    request: HttpRequest,
    form: TableForm,
    table: ImportedTable,
    recognised: Recognised,
    answers: dict[str, str],
    wrong: str,
    status: int,
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "table": table,
        "preview": preview(recognised, answers),
        "kind": recognised.kind,
        "answers": json.dumps(answers, ensure_ascii=False),
        "wrong": wrong,
        "license": conf.data_license(),
    }
    return render(request, "uploads/import_preview.html", context, status=status)
