"""What belongs to an account besides signing in: the token for the API, its end, and what is kept of whom."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from rest_framework.authtoken.models import Token

from archive import conf, removal


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is kept of whom, who sees it, and how it goes."""
    context = {"days": conf.retention_days(), "contact": settings.DEFAULT_FROM_EMAIL}
    return render(request, "replays/privacy.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest) -> HttpResponse:
    """Delete one's account, with one's own deals or without them; one's password is asked for once more."""
    needed = removal.clubs_that_need(request.user)
    wrong = ""
    if request.method == "POST" and not needed:
        if request.user.check_password(request.POST.get("password", "")):
            user = request.user
            logout(request)
            removal.delete_account(user, with_contributions=request.POST.get("deals") == "delete")
            messages.success(request, _("Your account is deleted."))
            return HttpResponseRedirect(reverse("replays:home"))
        wrong = _("That is not your password.")
    context = {"needed": needed, "wrong": wrong}
    return render(request, "replays/account_delete.html", context, status=400 if wrong else 200)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def token(request: HttpRequest) -> HttpResponse:
    """Make, replace or revoke the token for the API. A new one is shown once, in the answer that makes it."""
    made = None
    if request.method == "POST":
        if request.POST.get("action") == "revoke":
            Token.objects.filter(user=request.user).delete()
            messages.success(request, _("The token is revoked: nobody can use it any more."))
            return HttpResponseRedirect(reverse("replays:token"))
        with transaction.atomic():
            Token.objects.filter(user=request.user).delete()
            made = Token.objects.create(user=request.user)
    present = made or Token.objects.filter(user=request.user).first()
    return render(request, "replays/token.html", {"made": made, "token": present})
