"""The language of an answer."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers


class LanguageMiddleware(LocaleMiddleware):  # type: ignore[misc]
    """Pages are in the reader's language: from the cookie, else `Accept-Language`, else English. The API's
    messages are always English, because programs use the codes. Django sets `Vary: Accept-Language` on pages;
    they depend on the cookie as well.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Set the language for this request."""
        if request.path_info.startswith("/api/"):
            translation.activate("en")
            request.LANGUAGE_CODE = "en"
            return
        super().process_request(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Add the headers that the response depends on to `Vary`."""
        if request.path_info.startswith("/api/"):
            response.headers.setdefault("Content-Language", "en")
            return response
        if response.headers.get("Content-Type", "").startswith("image/"):
            # Pictures hold no words.
            return response
        answer: HttpResponseBase = super().process_response(request, response)
        patch_vary_headers(answer, ("Cookie",))
        return answer
