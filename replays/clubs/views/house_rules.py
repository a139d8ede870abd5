"""Views of the rules of a club: its price list, the form to change it, and its versions."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from archive.models import HouseRules, Space
from archive.reading.clubs import house_rules_of, versions_of_rules
from archive.storing import house_rules
from replays.clubs.forms import HouseRulesForm
from replays.clubs.views.clubs import club_or_404, own_club
from replays.language import words
from replays.site import versions
from replays.site.common import is_about
from replays.site.paths import path
from tarock.core.game import GameInfo
from tarock.games import GAMES, games, profiles


def _game_or_404(game: str) -> GameInfo:
    if game not in GAMES:
        raise Http404
    return GAMES[game].info


@require_safe
def club_rules(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a club's rules for each game: what differs from the source of the rules, and earlier versions."""
    club = club_or_404(pk)
    is_about(request, club)
    now = house_rules_of([club.pk])[club.pk]
    rows = []
    for info in games():
        current = now.get(info.id)
        lines = words.rule_lines(info.id, current.options, current.name) if current else []
        changed = [line for line in lines if line.differs]
        rows.append((info.id, current, changed, list(versions_of_rules(club, info.id))))
    viewer = request.viewer
    context = {
        "club": club,
        "rows": rows,
        "is_member": viewer.is_at_least("member", club),
        "may_change": viewer.is_at_least("owner", club),
    }
    return render(request, "clubs/rules.html", context)


@require_safe
def price_list(request: HttpRequest, pk: int, game: str) -> HttpResponse:
    """Show all options of a club's rules, or of an earlier version (`?version=`), as one page to print."""
    club, info = club_or_404(pk), _game_or_404(game)
    wanted = request.GET.get("version")
    rules = next((rules for rules in versions_of_rules(club, game) if wanted in (None, rules.name)), None)
    if rules is None:
        raise Http404
    context = {
        "club": club,
        "rules": rules,
        "lines": words.rule_lines(info.id, rules.options, rules.name),
        "unit": words.unit_note(str(info.rules.of(rules.options).unit)),
        "address": request.build_absolute_uri(path("club-rules", pk)),
    }
    return render(request, "clubs/price_list.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def change_rules(request: HttpRequest, pk: int, game: str) -> HttpResponse:
    """Let owners choose a published rule set (`?from=`), change its lines, and save it as the club's."""
    club, info = own_club(request, pk, "owner"), _game_or_404(game)
    is_about(request, club)
    now = versions_of_rules(club, game).first()
    start = profiles().get(request.GET.get("from", ""))
    options = start.words if start and start.game == game else now.options if now else ()
    source = start.name if start else now.name if now else ""
    form = HouseRulesForm(
        info, options, words.own_rules_name(club), request.POST if request.method == "POST" else None
    )
    if request.method == "POST" and form.is_valid():
        try:
            saved = versions.change(request, lambda: _stored(club, game), lambda: _save(request, club, form))
        except house_rules.RulesNamed:
            form.add_error("name", _("Other rules have this name already. Choose another one."))
        else:
            messages.success(
                request, _("New evenings are played by the rules %(rules)s.") % {"rules": saved.name}
            )
            return HttpResponseRedirect(path("club-rules", pk))
    context: dict[str, Any] = {
        "club": club,
        "game": game,
        "form": form,
        "now": now,
        "rows": form.rows(source),
        "published": [p for p in profiles().values() if p.game == game],
        "start": source,
        "origins": words.RULE_ORIGINS,
        "stored": _stored(club, game),
    }
    return render(request, "clubs/rules_form.html", context, status=400 if form.errors else 200)


def _stored(club: Space, game: str) -> dict[str, Any]:
    now = versions_of_rules(club, game).first()
    return {"rules": now.pk if now else ""}


def _save(request: HttpRequest, club: Space, form: HouseRulesForm) -> HouseRules:
    name = form.cleaned_data["name"]
    return house_rules.adopt(club, form.info.id, form.words, name, by=request.user)
