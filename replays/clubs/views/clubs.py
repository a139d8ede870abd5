"""Views of clubs, their invitations and members, and a view for adopting deals that the user sent before
signing in."""

from __future__ import annotations

from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from archive.addresses import number_of
from archive.models import ROLES, Space
from archive.reading import scores, sessions
from archive.reading.clubs import (
    all_clubs,
    get_club,
    guest_space,
    members_of,
    open_invitations,
    removed_from,
    seasons_of,
)
from archive.reading.deals import contributions_in, count_visibilities
from archive.reading.evenings import in_course
from archive.reading.following import is_following
from archive.storing import spaces
from archive.web.viewer import GUEST
from replays.clubs import session_page
from replays.clubs.forms import ClubForm, ClubSettingsForm, ClubVisibilityForm
from replays.deal.sharing import picture_preview
from replays.language import words
from replays.puzzles.views import of_today
from replays.site import versions
from replays.site.common import count_of, found_or_404, is_about, page_of, step_of
from replays.site.paths import path

ROWS = 100
"""Maximum number of players listed in the standings of a game on a club's page."""


def club_or_404(pk: int) -> Space:
    """Return the club with this number; raise `Http404` if there is none."""
    return found_or_404(get_club, pk)


def own_club(request: HttpRequest, pk: int, role: str) -> Space:
    """Return the club, if the viewer has at least this role in it.

    :raises Http404: if the viewer has no such role, so that strangers cannot tell whether the club exists.
    """
    club = club_or_404(pk)
    if not request.viewer.is_at_least(role, club):
        raise Http404
    return club


@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    """List all clubs by name, the viewer's own first."""
    viewer = request.viewer
    by_name = list(all_clubs(request.LANGUAGE_CODE))
    own = [club for club in by_name if club.pk in viewer.roles]
    page = page_of(request, [club for club in by_name if club.pk not in viewer.roles], 60)
    return render(request, "clubs/clubs.html", {"own": own, "page": page})


@never_cache
@require_safe
def club(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a club, its standings in a season (`?season=2026`), its sessions and, to members, its members."""
    club, viewer = club_or_404(pk), request.viewer
    seasons = seasons_of(club, viewer)
    wanted = request.GET.get("season", "")
    season = next((year for year in seasons if str(year) == wanted), None)
    if season is None and wanted != "all" and seasons:
        season = seasons[0]
    role = viewer.roles.get(club.pk, "")
    is_about(request, club)
    page = sessions.find_sessions(viewer, club.pk, step_of(request))
    latest, count = None, count_of(request)
    if page.previous is None and page.rows:
        table = sessions.session_table(page.rows[0], request.LANGUAGE_CODE, viewer, count)
        latest = session_page.evening(page.rows[0], table)
    standings = scores.standings(club, viewer, season, request.LANGUAGE_CODE, count)
    context: dict[str, Any] = {
        "club": club,
        "is_followed": is_following("club", club.pk, viewer),
        "role": role,
        "seasons": seasons,
        "season": season,
        "days": {"date_from": f"{season}-01-01", "date_to": f"{season}-12-31"} if season else {},
        "count": count,
        "standings": [(rules, [*rows][:ROWS]) for rules, rows in groupby(standings, attrgetter("rules"))],
        "page": page,
        "sessions": session_page.listed(page.rows, viewer),
        "evenings": in_course(viewer, club) if role else [],
        "latest": latest,
        "today": of_today(request, club) if role else None,
    }
    context |= picture_preview(request, club.name, club.place, "club-picture", club.pk)
    if role:
        context["members"] = list(members_of(club))
        context["roles"] = ROLES
        context["removed"] = removed_from(club) if role == "owner" else []
    if viewer.is_at_least("secretary", club):
        links = ((one, request.build_absolute_uri(path("join", one.key))) for one in open_invitations(club))
        context["invitations"] = list(links)
    return render(request, "clubs/club.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def found_club(request: HttpRequest) -> HttpResponse:
    """Create a club owned by the user."""
    form = ClubForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            club = spaces.found_club(by=request.user, **form.cleaned_data)
        except spaces.NameTaken:
            form.add_error("name", _("There is already a club with this name."))
        else:
            return HttpResponseRedirect(path("club", club.pk))
    return render(request, "clubs/club_form.html", {"form": form}, status=400 if form.errors else 200)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, pk: int) -> HttpResponse:
    """Let owners change a club's name, place and visibility, or delete it. `action` names the form that was
    sent."""
    club = own_club(request, pk, "owner")
    is_about(request, club)
    action = request.POST.get("action", "")
    form = ClubSettingsForm(request.POST if action == "club" else None, initial=_named(club))
    visibility = ClubVisibilityForm(
        request.POST if action == "visibility" else None, initial={"visibility": club.visibility}
    )

    if action == "club" and form.is_valid():
        rename = partial(spaces.change_club, club, visibility=club.visibility, **form.cleaned_data)
        try:
            versions.change(request, lambda: _named(get_club(pk)), rename)
        except spaces.NameTaken:
            form.add_error("name", _("There is already a club with this name."))
        else:
            return HttpResponseRedirect(path("club", pk))
    if action == "delete":
        return _delete(request, club)
    if action == "visibility" and visibility.is_valid():
        # The change runs in several transactions, so lock only the version check.
        versions.change(request, lambda: _shown(get_club(pk)), lambda: None)
        _set_visibility(request, club, **visibility.cleaned_data)
        return HttpResponseRedirect(path("club-settings", pk))
    context = {
        "club": club,
        "form": form,
        "visibility": visibility,
        "is_empty": spaces.is_empty(club),
        "counts": [
            (words.VISIBILITIES[word], number)
            for word, number in count_visibilities(contributions_in(club)).items()
        ],
        "named": _named(club),
        "shown": _shown(club),
    }
    status = 400 if form.errors or visibility.errors else 200
    return render(request, "clubs/club_form.html", context, status=status)


def _named(club: Space) -> dict[str, Any]:
    return {"name": club.name, "place": club.place, "hides_hindsight": club.hides_hindsight}


def _shown(club: Space) -> dict[str, Any]:
    return {"visibility": club.visibility, "deals": words.counted(count_visibilities(contributions_in(club)))}


def _delete(request: HttpRequest, club: Space) -> HttpResponse:
    try:
        spaces.delete_club(club)
    except spaces.NotEmpty:
        messages.error(request, _("A club with deals can’t be deleted."))
        return HttpResponseRedirect(path("club-settings", club.pk))
    messages.success(request, _("The club %(club)s has been deleted.") % {"club": club.name})
    return HttpResponseRedirect(path("clubs"))


def _set_visibility(request: HttpRequest, club: Space, visibility: str, deals: str) -> None:
    changed = spaces.set_visibility(club, visibility, by=request.user, all_deals=deals == "all")
    messages.success(
        request,
        _("Who can see deals that are sent from now on: %(who)s.") % {"who": words.VISIBILITIES[visibility]},
    )
    if deals == "all":
        messages.success(request, words.changed_visibility(changed, visibility))


# --- members ------------------------------------------------------------------------------------------------


@login_required
@require_POST
def invite(request: HttpRequest, pk: int) -> HttpResponse:
    """Let secretaries create an invitation, or revoke or renew the invitation whose number is in `end` or
    `renew`."""
    club = own_club(request, pk, "secretary")
    if (end := number_of(request.POST.get("end"))) is not None:
        spaces.end_invitation(club, end)
    elif (number := number_of(request.POST.get("renew"))) is not None:
        if spaces.renew_invitation(club, number, by=request.user):
            messages.success(request, _("The old link no longer works. The new one is valid for 30 days."))
    else:
        spaces.invite(club, by=request.user)
    return HttpResponseRedirect(path("club", pk) + "#invitations")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, key: str) -> HttpResponse:
    """Let the user join a club with an invitation link."""
    invitation = spaces.invitation(key)
    if invitation is None:
        return render(request, "clubs/join.html", {}, status=404)
    club = invitation.space
    removed = removed_from(club).filter(user=request.user).exists()
    if request.method == "POST" and not removed:
        try:
            spaces.join(invitation, request.user)
        except spaces.InvitationEnded:  # The invitation ended between the check and the lock.
            return render(request, "clubs/join.html", {}, status=404)
        messages.success(request, _("You are now a member of %(club)s.") % {"club": club.name})
        return HttpResponseRedirect(path("club", club.pk))
    context = {"club": club, "removed": removed}
    return render(request, "clubs/join.html", context, status=403 if removed else 200)


@login_required
@require_POST
def member(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Let owners change a member's `role` or remove a member (`leave`), and let members leave."""
    club = own_club(request, pk, "member")
    membership = members_of(club).filter(pk=number).first()
    own = membership is not None and membership.user_id == request.user.pk
    leaves, role = "leave" in request.POST, request.POST.get("role", "")
    may = request.viewer.is_at_least("owner", club) or (own and leaves)
    if membership is None or not may or not (leaves or role in ROLES):
        raise Http404
    try:
        if leaves and not own:
            spaces.remove(membership)
            removed = _("%(name)s has been removed, and the link they joined with no longer works.")
            messages.success(request, removed % {"name": membership.user.get_username()})
        elif leaves:
            spaces.leave(membership)
        else:
            row = members_of(club).filter(pk=number).values("role")
            versions.change(request, lambda: row.first() or {}, lambda: spaces.set_role(membership, role))
    except spaces.LastOwner:
        if spaces.is_empty(club):
            why = _("A club needs an owner. Make somebody else an owner first, or delete the club below.")
            messages.error(request, why)
            return HttpResponseRedirect(path("club-settings", pk) + "#delete")
        messages.error(request, _("A club needs an owner. Make somebody else an owner first."))
    return HttpResponseRedirect(path("clubs") if own and leaves else path("club", pk) + "#members")


@login_required
@require_POST
def readmit(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Let owners allow a removed user to join again."""
    spaces.readmit(own_club(request, pk, "owner"), number)
    messages.success(request, _("The removed member can join again with an invitation link."))
    return HttpResponseRedirect(path("club", pk) + "#members")


# --- deals sent before signing in ---------------------------------------------------------------------------


@login_required
@require_POST
def adopt(request: HttpRequest) -> HttpResponse:
    """Adopt deals sent from this browser before signing in, into the user's own space or a club (`space`)."""
    guest = guest_space(request.session.get(GUEST))
    if guest is not None:
        club = number_of(request.POST.get("space"))
        target = spaces.own(request.user) if club is None else own_club(request, club, "member")
        number = spaces.adopt(guest, target, by=request.user)
        messages.success(request, _("Deals added: %(number)d.") % {"number": number})
    request.session.pop(GUEST, None)
    return HttpResponseRedirect(path("uploads"))
