"""Which language an answer is in."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers


class LanguageMiddleware(LocaleMiddleware):  # type: ignore[misc]
    """Pages are in the language of the reader: of the cookie, else of `Accept-Language`, else English.

    The API's messages are English always; programs go by their codes. Django tells caches that a page depends
    on `Accept-Language`; it depends on the cookie just as much.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Sets the language for this request."""
        if request.path_info.startswith("/api/"):
            translation.activate("en")
            request.LANGUAGE_CODE = "en"
            return
        super().process_request(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Says what the answer depends on."""
        if request.path_info.startswith("/api/"):
            response.headers.setdefault("Content-Language", "en")
            return response
        if response.headers.get("Content-Type", "").startswith("image/"):
            # Pictures say nothing in any language.
            return response
        answer: HttpResponseBase = super().process_response(request, response)
        patch_vary_headers(answer, ("Cookie",))
        return answer
