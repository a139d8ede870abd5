"""Views to correct contributions and change their visibility, for the sender and a club's secretaries."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from archive import access
from archive.addresses import Key, number_of
from archive.models import CHOSEN, Contribution, Space, Upload
from archive.reading import clubs, deals, players, uploads
from archive.shown import ShownDeal
from archive.storing import corrections
from archive.storing.contribution_data import NotStorable
from archive.web.viewer import LINKS
from replays.deal.forms import CorrectionForm, DealFilter, VisibilityForm
from replays.deal.views.deals import with_player
from replays.language import words
from replays.language.names import finding_text
from replays.site import versions
from replays.site.common import deal_or_404, found_or_404, nonempty_query, place_taken, user_of
from replays.site.paths import path
from tarock.core.findings import Finding

MOST_LINKS = 50
"""Maximum number of opened links to unlisted deals and sessions that a browser's session remembers."""


def _to_change(request: HttpRequest, key: Key) -> ShownDeal:
    """Return the deal if the viewer may change its contribution; otherwise raise `Http404`."""
    viewer = request.viewer
    deal = deal_or_404(key, viewer)
    if not viewer.may_change(deal.contribution):
        raise Http404
    return deal


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: HttpRequest, key: Key) -> HttpResponse:
    """Let the user correct details such as names, claim, session and date, but not the play."""
    deal = _to_change(request, key)
    form = CorrectionForm(request.POST or None, record=deal.record_to_correct)

    def stored() -> dict[str, Any]:
        fields = CorrectionForm(record=_to_change(request, key).record_to_correct).fields
        return {name: "" if field.initial is None else field.initial for name, field in fields.items()}

    if request.method == "POST" and form.is_valid():
        try:
            correction = partial(corrections.correct, deal.contribution, form.corrected, by=user_of(request))
            changed = versions.change(request, stored, correction)
        except NotStorable as reason:
            form.add_error(None, finding_text(Finding(*reason.args)))
        except corrections.PlaceTaken:
            form.add_error(None, place_taken())
        else:
            notice = _("Your corrections have been saved.") if changed else _("Nothing was changed.")
            messages.success(request, notice)
            return HttpResponseRedirect(path("deal", deal.key))
    names = players.names_in(deal.contribution.space)
    context = {"deal": deal, "form": form, "names": names, "stored": stored()}
    return render(request, "deal/correct.html", context, status=400 if form.errors else 200)


def _shown(contribution: int) -> dict[str, Any]:
    """Return the stored values that the forms on a deal's page show, to detect concurrent changes."""
    row = Contribution.objects.filter(pk=contribution).values_list("visibility", "space__name").first()
    return dict(zip(("visibility", "club"), row or ("", ""), strict=True))


@require_POST
def set_visibility(request: HttpRequest, key: Key) -> HttpResponse:
    """Set a contribution's `visibility`; `withdrawn` hides it from everybody except its sender and the
    club."""
    deal = _to_change(request, key)
    wanted = request.POST.get("visibility", "")
    if wanted not in (*CHOSEN, "withdrawn"):
        raise Http404
    try:
        show = partial(corrections.set_visibility, deal.contribution, wanted, by=user_of(request))
        versions.change(request, partial(_shown, deal.contribution.pk), show)
    except corrections.OfEvening:
        why = _("All deals of an evening have the same visibility. Change it on the evening’s page.")
        messages.error(request, why)
    if wanted == "withdrawn":
        messages.success(request, _("The deal has been withdrawn. Only you and your club can still find it."))
    return HttpResponseRedirect(path("deal", Key(deal.pk, deal.contribution.pk)))


@require_POST
def count_deals(request: HttpRequest, key: Key) -> HttpResponse:
    """Let the deals of an evening count instead of its stated total (`deals`: 1), or the total again (0)."""
    deal = _to_change(request, key)
    total = deal.contribution
    if not deal.is_result or total.number is not None:
        raise Http404
    count = partial(corrections.count_deals, total, request.POST.get("deals") == "1")
    versions.change(request, partial(_shown, total.pk), count)
    return HttpResponseRedirect(path("deal", deal.key))


@require_POST
def move(request: HttpRequest, key: Key) -> HttpResponse:
    """Move a deal from the viewer's own space to one of the viewer's clubs (`club`: its number)."""
    viewer, deal = request.viewer, _to_change(request, key)
    number = number_of(request.POST.get("club"))
    club = clubs.own_clubs(viewer).filter(pk=number).first() if number else None
    if club is None or not viewer.may_move(deal.contribution):
        raise Http404
    try:
        go = partial(corrections.move, deal.contribution, club, by=user_of(request))
        moved = versions.change(request, partial(_shown, deal.contribution.pk), go)
    except corrections.AlreadyThere as there:
        messages.error(request, _not_moved(club, there))
        return HttpResponseRedirect(path("deal", deal.contribution.key))
    values = {
        "club": club.name,
        "who": words.VISIBILITIES[deals.get_contribution(moved.contribution or 0).visibility],
    }
    messages.success(request, _("The deal now belongs to %(club)s. Who can see it: %(who)s.") % values)
    return HttpResponseRedirect(path("deal", moved))


def _not_moved(club: Space, there: corrections.AlreadyThere) -> str:
    values = {"club": club.name, "what": words.listed(str(words.DETAILS[word]) for word in there.details)}
    why = _("%(club)s had this deal before, and withdrew or corrected it. Your deal has not changed.")
    if there.details:
        why = _(
            "%(club)s already has this deal with different details: %(what)s. Neither version was changed."
        )
    return why % values


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def set_visibilities(request: HttpRequest) -> HttpResponse:
    """For the deals of a search that the viewer may change, show how many have each visibility, and set the
    visibility of all of them."""
    viewer, search = request.viewer, DealFilter(request.GET)
    if not viewer.roles or not search.is_valid():
        raise Http404
    filters, _suggestions = with_player(search.filters, request, viewer)
    changeable = deals.changeable_contributions(filters, viewer)
    form = VisibilityForm(request.POST or None)
    if form.is_valid():
        # The change runs in several transactions, so only the version check is locked here.
        versions.change(
            request, lambda: {"deals": words.counted(deals.count_visibilities(changeable))}, lambda: None
        )
        visibility = form.cleaned_data["visibility"]
        changed = corrections.set_visibilities(changeable, visibility, by=user_of(request))
        messages.success(request, words.changed_visibility(changed, visibility))
        return HttpResponseRedirect(request.get_full_path())
    counts = deals.count_visibilities(changeable)
    context = {
        "search": search,
        "form": form,
        "counts": [(words.VISIBILITIES[word], number) for word, number in counts.items()],
        "total": sum(counts.values()),
        "stored": {"deals": words.counted(counts)},
        "query_string": nonempty_query(request).urlencode(),
    }
    return render(request, "deal/deals_visibility.html", context, status=400 if form.errors else 200)


@require_safe
def shared(request: HttpRequest, word: str) -> HttpResponse:
    """Open an unlisted deal or session by its link, and let this browser open it from now on."""
    opened = access.opened_by(word)
    if opened is None:
        raise Http404
    links = [link for link in request.session.get(LINKS, []) if link != opened]
    request.session[LINKS] = [*links, opened][-MOST_LINKS:]
    kind, _dash, number = opened.partition("-")
    if kind == "session":
        return HttpResponseRedirect(path("session", int(number)))
    contribution = found_or_404(deals.get_contribution, int(number))
    return HttpResponseRedirect(path("deal", Key(contribution.deal_id, contribution.pk)))


@require_POST
def adopt(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Replace the details of a stored deal with those of record `number` (from 1) of an upload."""
    viewer = request.viewer
    try:
        upload = uploads.get_upload(pk, viewer)
        part, n, contribution = uploads.record_of(upload, number - 1)
    except (LookupError, Contribution.DoesNotExist, Upload.DoesNotExist):
        raise Http404 from None
    if not viewer.may_change(contribution):
        raise Http404
    try:
        change = partial(corrections.adopt, contribution, part, n, by=user_of(request))
        row = Contribution.objects.filter(pk=contribution.pk).values(details=F("fingerprint"))
        versions.change(request, lambda: row.first() or {}, change)
    except corrections.OriginalGone:
        messages.error(request, _("The version you sent is no longer stored."))
    else:
        messages.success(request, _("Your latest version now counts."))
    return HttpResponseRedirect(path("deal", Key(contribution.deal_id, contribution.pk)))
