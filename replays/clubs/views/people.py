"""Views of players."""

from __future__ import annotations

import contextlib
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from archive.access import Viewer
from archive.addresses import number_of
from archive.models import NAME_LENGTH, Player
from archive.reading import clubs, statistics
from archive.reading.filters import Filters
from archive.reading.following import is_following
from archive.reading.hindsight import player_losses
from archive.reading.players import alike_in, deal_counts, get_player, managed_player, persons_in, player_page
from archive.rules import SEED, Rules, rules_of
from archive.storing import following, players, spaces
from replays.clubs.career import MOST_DRAWN, results
from replays.clubs.figures import player_figures
from replays.deal.hindsight import cost_of
from replays.deal.sharing import picture_preview
from replays.language import words
from replays.language.names import Names
from replays.site import versions
from replays.site.common import DealPaginator, found_or_404, is_about, step_of
from replays.site.forms import NameField
from replays.site.paths import path
from tarock.core.persons import folded, is_nobody


@require_safe
def player_list(request: HttpRequest) -> HttpResponse:
    """List all players by name, or those whose name contains `?q=`."""
    search = request.GET.get("q", "").replace("\x00", "").strip()[:200]
    viewer = request.viewer
    page = player_page(search, request.LANGUAGE_CODE, viewer, step_of(request))
    deals = deal_counts(page.rows, viewer)
    listed = [(player, deals[player.pk]) for player in page.rows]
    return render(request, "clubs/players.html", {"page": page, "players": listed, "search": search})


@require_safe
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a player's points by game, day, role and bonus, and their deals. With `?with=7`, also show the
    points of this player and player 7 in deals at the same table. The points are those by the source rules,
    unless `?rules=` names others or the player has only played by others."""
    viewer = request.viewer
    player = found_or_404(get_player, pk, viewer)
    is_about(request, player.space)
    wanted = request.GET.get("page")
    scores = statistics.by_game(player, viewer)
    rules = _rules(request.GET.get("rules", ""), [row["rules"] for row in scores])
    latest = statistics.latest(player, viewer, rules)
    extremes = statistics.extremes(latest, viewer=viewer)
    has_many = player.whole_deals > statistics.MOST_DEALS
    newest = min(latest) if has_many and latest else None
    days = statistics.by_day(player, viewer, by_month=has_many, rules=rules)
    deals = statistics.deal_by_deal(player, viewer, MOST_DRAWN, rules)
    return render(
        request,
        "clubs/player.html",
        {
            "player": player,
            "is_followed": is_following("player", player.pk, viewer),
            "scores": scores,
            "rules": rules,
            "unit": rules_of(rules)[0].unit,
            "roles": statistics.roles(player, viewer, rules),
            **_losses(player, viewer, rules),
            "results": results(player.pk, rules, days, deals, extremes[0]),
            "figures": player_figures(player, latest, days, rules, newest),
            "bonuses": statistics.bonuses(latest),
            "most_sheets": statistics.MOST_DEALS,
            "newest": newest,
            "extremes": extremes,
            "companions": statistics.companions(player, latest),
            **_together(request.GET.get("with", ""), player, viewer, rules),
            "most_deals": statistics.MOST_DEALS if has_many else 0,
            "page": DealPaginator(Filters(player=player), viewer, wanted).get_page(wanted),
            **_preview(request, player),
            **_management(viewer, player),
        },
    )


def _rules(wanted: str, played: list[Rules]) -> str:
    """Return the rules of the points to show, as a value of the filter `rules`. `played`: the rules by which
    the player has results."""
    texts = [one.text for one in played]
    if wanted in texts:
        return wanted
    return SEED if SEED in texts or not texts else texts[0]


def _losses(player: Player, viewer: Viewer, rules: str) -> dict[str, Any]:
    """Return the template context of what the player's cards cost, empty for other viewers."""
    losses = player_losses(player, viewer, rules)
    dearest = losses.dearest if losses else []
    return {
        "losses": losses,
        "dearest": [(deal, cost_of(deal, card, Names(deal.game, deal.players))) for deal, card in dearest],
    }


def _preview(request: HttpRequest, player: Player) -> dict[str, Any]:
    """Return the template context for a player's link preview. A player without public deals has none."""
    if not player.public_deals:
        return {"shared": None}
    scores = statistics.by_game(player)
    told = (
        words.colon(words.rules_name(row["rules"]), words.points(row["total"], row["rules"].unit))
        for row in scores
    )
    club = player.space.name if player.space.kind == "club" else ""
    about = words.listed(filter(None, [club, words.listed(told)]), "semicolon")
    return picture_preview(request, player.display_name, about, "player-picture", player.pk)


def _together(wanted: str, player: Player, viewer: Viewer, rules: str) -> dict[str, Any]:
    """Return the other player from `?with=`, and both players' points in deals at the same table."""
    other = None
    if number := number_of(wanted, 17):
        with contextlib.suppress(Player.DoesNotExist):
            other = get_player(number, viewer)
    rows = statistics.head_to_head(player, other, viewer, rules) if other else []
    return {"other": other, "together": rows}


def _management(viewer: Viewer, player: Player) -> dict[str, Any]:
    """Return the template context for the forms with which the viewer may change a player."""
    member = clubs.membership(viewer, player.space)
    may = viewer.is_at_least("secretary", player.space)
    own = member is not None and member.player_id == player.pk
    return {
        "is_me": own,
        "member": member,
        "may_manage": may,
        "may_hide": may or own,
        "aliases": list(player.aliases.order_by("name")) if member else [],
        "stored": _stored,
        "others": list(persons_in(player.space).exclude(pk=player.pk).values_list("pk", "name"))
        if may
        else [],
        "alike": alike_in(player.space, [player.pk]) if may else [],
    }


def _stored(player: Player) -> dict[str, Any]:
    return {"name": player.name, "pseudonym": player.head.pseudonym, "person": player.head.name}


@login_required
@require_POST
def manage(request: HttpRequest, pk: int) -> HttpResponse:
    """Change a player of the viewer's club. `action` is `rename`, `merge` (into the player `into`), `part`
    (undo a merge), `pseudonym`, `followed` or `not-followed` (whether others may follow), or `me` (mark the
    player as the viewer, or undo that)."""
    viewer = request.viewer
    player, member = found_or_404(managed_player, pk, viewer)
    action = request.POST.get("action", "")
    own = member.player_id == player.pk and action in ("pseudonym", "followed", "not-followed")
    if action != "me" and not own and not viewer.is_at_least("secretary", player.space):
        raise Http404
    try:
        field = NameField(max_length=NAME_LENGTH, required=action == "rename")
        text = folded(field.clean(request.POST.get("text", "")))
        if text and is_nobody(text):
            raise ValidationError("")
    except ValidationError:
        messages.error(request, _("This can’t be used as a name."))
        return HttpResponseRedirect(path("player", player.head.pk))

    def change() -> None:
        if action == "rename":
            players.rename(player, text)
        elif action == "merge":
            into = number_of(request.POST.get("into"), 17)
            players.merge(player, get_object_or_404(Player, space=player.space, pk=into))
        elif action == "part":
            players.unmerge(player)
        elif action == "pseudonym":
            players.set_pseudonym(player, text)
        elif action in ("followed", "not-followed"):
            following.allow(player, allowed=action == "followed")
        elif action == "me":
            players.this_is_me(member, None if member.player_id == player.pk else player)
        else:
            raise Http404

    try:
        versions.change(request, lambda: _stored(managed_player(pk, viewer)[0]), change)
    except spaces.NameTaken:
        taken = _("There is another player called %(name)s. If they are the same person, merge them.")
        messages.error(request, taken % {"name": text})
    except players.AtOneTable as error:
        met = _("These two can’t be the same person: both sat at the table in deal %(number)s.")
        messages.error(request, met % {"number": error.contribution.deal_id})
    return HttpResponseRedirect(path("player", get_player(pk, viewer).pk))
