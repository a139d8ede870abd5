"""The choice of language."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.i18n import set_language


@csrf_exempt
@never_cache
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Store the language in a cookie and redirect to the page `next` on this site. The view has no CSRF
    check: another site could only switch the language, and a CSRF token would set a cookie for every
    reader."""
    response: HttpResponse = set_language(request)
    return response
