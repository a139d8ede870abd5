"""Choosing the language of the pages."""

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
    """Keeps the language in a cookie and goes back to the page (`next`, on this site only).

    Without a token against forged requests: the most that another site could do is to show somebody these
    pages in another language, and a token would put a cookie on everybody who only reads.
    """
    response: HttpResponse = set_language(request)
    return response
