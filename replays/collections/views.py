"""Views of collections: the list, a collection with its form for the owner, and adding a deal."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from archive.access import EVERYBODY
from archive.addresses import Key
from archive.models import Collection
from archive.publishing import export
from archive.reading import collections as reading
from archive.shown import ShownDeal
from archive.storing import collections as storing
from replays.collections.forms import CollectForm, CollectionForm
from replays.deal.analysis import analysis_of
from replays.deal.course import address_in
from replays.site import versions
from replays.site.common import deal_or_404, download, found_or_404, page_of
from replays.site.feeds import DealsFeed
from replays.site.paths import path

_NOTE = re.compile(r"note-(\d{1,18})-(\d{1,5})")


@never_cache
@require_safe
def collections(request: HttpRequest) -> HttpResponse:
    """List the user's own collections and the public ones."""
    own = reading.own(request.viewer) if request.user.is_authenticated else []
    return render(
        request, "collections/collections.html", {"own": own, "page": page_of(request, reading.public())}
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def collection(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show a collection. Its owner changes it with one form: details and notes, with `up` or `remove`
    also the place of a deal. `delete` deletes the collection."""
    found = found_or_404(reading.by_key, key, request.viewer)
    is_own = found.user_id == request.viewer.user
    form = CollectionForm(request.POST or None, initial=_stored(found))
    if request.method == "POST":
        if not is_own:
            raise Http404
        if "delete" in request.POST:
            found.delete()
            messages.success(request, _("The collection has been deleted."))
            return HttpResponseRedirect(path("collections"))
        if form.is_valid():
            versions.change(
                request, lambda: _stored(Collection.objects.get(pk=found.pk)), lambda: _save(found, form)
            )
            return HttpResponseRedirect(request.path)
    entries = reading.entries(found, request.viewer)
    context = {
        "collection": found,
        "entries": [(one, _addresses(one, found), _notes(one, form)) for one in entries],
        "opened": sum(one.is_opened for one in entries),
        "is_own": is_own,
        "form": form,
        "stored": _stored(found),
    }
    return render(request, "collections/collection.html", context, status=400 if form.errors else 200)


def _addresses(entry: reading.Entry, collection: Collection) -> dict[int, str]:
    """Return the URLs of a deal's replay at the steps with notes, and at its beginning (0)."""
    if entry.deal is None:
        return {}
    steps = {0, *(step for step, _text in entry.stored.by_step)}
    return {step: address_in(collection, entry.deal, step) for step in steps}


def _notes(entry: reading.Entry, form: CollectionForm) -> list[tuple[str, int, str]]:
    """Return the notes on a deal: name of the field, step, and text, as sent or else as stored."""
    rows = [(f"note-{entry.stored.pk}-{step}", step, text) for step, text in entry.stored.by_step]
    return [(name, step, form.data.get(name, text)) for name, step, text in rows]


def _stored(collection: Collection) -> dict[str, Any]:
    """Return the values that the form of a collection changes."""
    rows = [(row.pk, row.notes) for row in collection.entries.all()]
    return {
        "title": collection.title,
        "about": collection.about,
        "visibility": collection.visibility,
        "notes": rows,
    }


def _save(collection: Collection, form: CollectionForm) -> None:
    notes: dict[int, dict[str, str]] = {}
    for name, text in form.data.items():
        if match := _NOTE.fullmatch(name):
            notes.setdefault(int(match[1]), {})[match[2]] = text.strip()[: storing.LONGEST_NOTE]
    storing.change(collection, **form.cleaned_data, notes=notes)
    for action, act in (("up", storing.move_up), ("remove", storing.remove)):
        number = form.data.get(action, "")
        if number.isdecimal():
            act(collection, int(number[:18]))


@require_safe
def records(request: HttpRequest, key: UUID) -> HttpResponseBase:
    """Return the deals of a collection as TGN, those that the viewer may see."""
    found = found_or_404(reading.by_key, key, request.viewer)
    deals = [one.deal for one in reading.entries(found, request.viewer) if one.deal]
    return download(export.written("tgn", deals), export.MEDIA_TYPES["tgn"], "collection.tgn")


class CollectionFeed(DealsFeed):
    """The Atom feed of a collection's public deals, those added last first."""

    def get_object(self, request: HttpRequest, key: UUID) -> Collection:
        """Return the collection, unless it is private."""
        return found_or_404(reading.by_key, key, EVERYBODY)

    def title(self, found: Collection) -> str:
        """Return the title."""
        return found.title

    def link(self, found: Collection) -> str:
        """Return the URL of the collection."""
        return path("collection", found.key)

    def items(self, found: Collection) -> list[ShownDeal]:
        """Return the deals in the opposite order of the collection."""
        deals = [one.deal for one in reading.entries(found, EVERYBODY) if one.deal]
        return deals[::-1][: self.MOST]


feed = require_safe(CollectionFeed())


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def collect(request: HttpRequest, key: Key) -> HttpResponse:
    """Add a deal to one of the user's collections or to a new one, with a note at `?step=N`, which counts the
    steps as in the replay."""
    deal = deal_or_404(key, request.viewer)
    step = 0
    if deal.is_played:
        analysis = analysis_of(deal)
        address = analysis.address(request.GET)
        step = analysis.count(address.eyes).moment(address.step)
    own = list(reading.own(request.viewer))
    last_used = str(own[0].key) if own else ""
    form = CollectForm(own, request.POST or None, initial={"step": step, "collection": last_used})
    if request.method == "POST" and form.is_valid():
        sent = form.cleaned_data
        try:
            chosen = next((one for one in own if str(one.key) == sent["collection"]), None)
            chosen = chosen or storing.begin(request.user, sent["title"])
            last = len(deal.record.events) if deal.is_played else 0
            storing.add(chosen, deal.deal, min(sent["step"], last), sent["note"])
        except storing.TooMany:
            limit = _(
                "You have reached a limit: %(collections)d collections, %(deals)d deals in a collection, "
                "%(notes)d notes on a deal. Remove something first."
            )
            most = {"collections": storing.MOST, "deals": storing.MOST_DEALS, "notes": storing.MOST_NOTES}
            form.add_error(None, limit % most)
        else:
            messages.success(request, _("The deal is in the collection."))
            return HttpResponseRedirect(path("collection", chosen.key))
    context = {"deal": deal, "form": form, "step": step}
    return render(request, "collections/collect.html", context, status=400 if form.errors else 200)
