"""Response headers that no Django setting adds."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from archive.web import GetResponse

_UNUSED = ("camera", "geolocation", "microphone", "payment", "usb")


def forbid_features(get_response: GetResponse) -> GetResponse:
    """Middleware that disables browser features that no page uses (`Permissions-Policy`)."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response["Permissions-Policy"] = ", ".join(f"{name}=()" for name in _UNUSED)
        return response

    return middleware
