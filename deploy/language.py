"""Choose the language of a response."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers


class LanguageMiddleware(LocaleMiddleware):  # type: ignore[misc]
    """Middleware that takes the language of a page from the language cookie or, without one, from
    `Accept-Language`; the default is English. The API is always in English."""

    def process_request(self, request: HttpRequest) -> None:
        if request.path_info.startswith("/api/"):
            translation.activate("en")
            request.LANGUAGE_CODE = "en"
            return
        super().process_request(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Set `Content-Language`, and add to `Vary` the headers that a page depends on."""
        if request.path_info.startswith("/api/"):
            response.headers.setdefault("Content-Language", "en")
            return response
        if response.headers.get("Content-Type", "").startswith("image/"):
            # Pictures contain no words, so they don't depend on the language.
            return response
        answer: HttpResponseBase = super().process_response(request, response)
        patch_vary_headers(answer, ("Cookie",))
        return answer
