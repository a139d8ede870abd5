"""Choice of the language of a response."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers


class LanguageMiddleware(LocaleMiddleware):  # type: ignore[misc]
    """Middleware that chooses the language of a page: from the cookie, then from `Accept-Language`, by
    default English. The API is always in English. Pages vary with the cookie and with `Accept-Language`."""

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
