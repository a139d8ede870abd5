"""Account pages other than the sign-in page: API tokens, account deletion, privacy and terms."""

from __future__ import annotations

from functools import partial

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from archive import conf, tokens
from archive.addresses import number_of
from archive.storing import removal
from archive.storing.spaces import LastMember, LastOwner
from replays.home.forms import TokenForm, TokenNameForm
from replays.language import words
from replays.site import versions
from replays.site.device import COOKIES, STORED


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Show which personal data is stored, who sees it, and how it is deleted."""
    context = {"days": conf.retention_days(), "contact": settings.DEFAULT_FROM_EMAIL}
    context |= {"cookies": COOKIES, "stored": STORED}
    return render(request, "home/privacy.html", context)


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    """Show the terms for sending and publishing deals."""
    return render(request, "home/terms.html", {"license": conf.data_license()})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest) -> HttpResponse:
    """Delete the user's account and, optionally, their deals. The user must enter their password."""
    needed = removal.clubs_that_need(request.user)
    wrong = ""
    if request.method == "POST" and not needed:
        if request.user.check_password(request.POST.get("password", "")):
            try:
                clubs = {number_of(club) or 0 for club in request.POST.getlist("club")}
                with_deals = request.POST.get("deals") == "delete"
                removal.delete_account(request.user, with_contributions=with_deals, clubs=clubs)
            except (LastOwner, LastMember):  # The page names the club.
                text = _("The members of one of your clubs have just changed. Please read this page again.")
                messages.warning(request, text)
                return HttpResponseRedirect(reverse("replays:account-delete"))
            logout(request)
            messages.success(request, _("Your account has been deleted."))
            return HttpResponseRedirect(reverse("replays:home"))
        wrong = _("That is not your password.")
    alone = removal.spaces_alone(request.user)
    context = {
        "needed": needed,
        "wrong": wrong,
        "clubs": [space for space in alone if space.kind == "club"],
        "hidden": removal.hidden_in(alone).count(),
    }
    return render(request, "home/account_delete.html", context, status=400 if wrong else 200)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def token(request: HttpRequest) -> HttpResponse:
    """Show the user's API tokens and create new ones. Only this response shows the secret of a new token."""
    form = TokenForm(request.POST if request.method == "POST" else None, user=request.user)
    secret = ""
    if request.method == "POST" and form.is_valid():
        try:
            _token, secret = tokens.make(request.user, **form.cleaned_data)
            form = TokenForm(user=request.user)
        except tokens.TooMany:
            many = _("You have %(number)d tokens, which is the maximum. Revoke one first.")
            form.add_error(None, many % {"number": tokens.MOST})
    context = {
        "secret": secret,
        "form": form,
        "tokens": [
            (token, [words.SCOPES[scope] for scope in token.scopes]) for token in request.user.tokens.all()
        ],
    }
    return render(request, "home/token.html", context, status=400 if form.errors else 200)


@login_required
@require_POST
def change_token(request: HttpRequest, pk: int) -> HttpResponse:
    """Rename or revoke one of the user's tokens."""
    token = get_object_or_404(request.user.tokens, pk=pk)
    form = TokenNameForm(request.POST)
    if request.POST.get("action") == "end":
        token.delete()
        messages.success(request, _("The token has been revoked and can no longer be used."))
    elif form.is_valid():
        row = request.user.tokens.filter(pk=pk)
        rename = partial(row.update, name=form.cleaned_data["name"])
        versions.change(request, lambda: row.values("name").first() or {}, rename)
        messages.success(request, _("The token was renamed."))
    else:
        messages.error(request, form.errors["name"][0])
    return HttpResponseRedirect(reverse("replays:token"))
