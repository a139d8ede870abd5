"""Correcting what is said of a deal, and who may see it: for who sent it, and for a club's secretaries."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from archive import access, corrections, selectors
from archive.addresses import Key
from archive.models import CHOSEN, Contribution, Deal, Upload
from archive.sayings import NotKept
from replays import sentences
from replays.forms import CorrectionForm
from replays.paths import path
from replays.sentences import Names
from replays.views.common import LINKS, deal_or_404, user_of, viewer_of
from tarock.findings import Finding

MOST_LINKS = 50
"""So many opened links are remembered in a browser's session."""


def _to_change(request: HttpRequest, key: Key) -> Deal:
    """The deal, for who may change what is said of it.

    :raises Http404: for everybody else.
    """
    viewer = viewer_of(request)
    deal = deal_or_404(key, viewer)
    if not viewer.may_change(deal.shown):
        raise Http404
    return deal


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: HttpRequest, key: Key) -> HttpResponse:
    """Correct names, claim, session, number, date, event and place; the play itself stays as it is."""
    deal = _to_change(request, key)
    form = CorrectionForm(request.POST or None, record=deal.record_to_correct)
    if request.method == "POST" and form.is_valid():
        try:
            changed = corrections.correct(deal.shown, form.corrected, by=user_of(request))
        except NotKept as reason:
            form.add_error(None, sentences.fault(Finding(*reason.args), Names("", {})))
        else:
            said = _("Your corrections are kept.") if changed else _("Nothing was changed.")
            messages.success(request, said)
            return HttpResponseRedirect(path("deal", deal.key))
    status = 400 if form.errors else 200
    names = selectors.names_in(deal.shown.space)
    context = {"deal": deal, "form": form, "names": names}
    return render(request, "replays/correct.html", context, status=status)


@require_POST
def show(request: HttpRequest, key: Key) -> HttpResponse:
    """Say who may see what is said of a deal (``visibility``); ``withdrawn``: nobody else any more."""
    deal = _to_change(request, key)
    wanted = request.POST.get("visibility", "")
    if wanted not in (*CHOSEN, "withdrawn"):
        raise Http404
    corrections.show(deal.shown, wanted, by=user_of(request))
    if wanted == "withdrawn":
        messages.success(request, _("The deal is withdrawn: nobody but you and your club finds it any more."))
    return HttpResponseRedirect(path("deal", Key(deal.pk, deal.shown.pk)))


@require_safe
def shared(request: HttpRequest, word: str) -> HttpResponse:
    """What the link to an unlisted deal or session leads to: it is open to this browser from now on."""
    opened = access.opened_by(word)
    if opened is None:
        raise Http404
    links = [link for link in request.session.get(LINKS, []) if link != opened]
    request.session[LINKS] = [*links, opened][-MOST_LINKS:]
    kind, _dash, number = opened.partition("-")
    if kind == "session":
        return HttpResponseRedirect(path("session", int(number)))
    try:
        said = selectors.contribution(int(number))
    except Contribution.DoesNotExist:
        raise Http404 from None
    return HttpResponseRedirect(path("deal", Key(said.deal_id, said.pk)))


@require_POST
def take_over(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Take over what a record of an upload (its number, from 1) says otherwise of a deal that was there."""
    viewer = viewer_of(request)
    try:
        upload = selectors.upload(pk, viewer)
        part, n, said = selectors.record_of(upload, number - 1)
    except (LookupError, Contribution.DoesNotExist, Upload.DoesNotExist):
        raise Http404 from None
    if not viewer.may_change(said):
        raise Http404
    try:
        corrections.take_over(said, part, n, by=user_of(request))
    except corrections.NothingKept:
        messages.error(request, _("What was sent is not kept any more."))
    else:
        messages.success(request, _("What you sent now holds."))
    return HttpResponseRedirect(path("deal", Key(said.deal_id, said.pk)))
