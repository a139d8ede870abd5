"""What belongs to an account besides signing in: the token for the API."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from rest_framework.authtoken.models import Token


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
