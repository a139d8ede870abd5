"""HTTP code shared by pages and API: the viewer, limits, waiting, error format, errors outside views."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

GetResponse = Callable[[HttpRequest], HttpResponseBase]
"""A function that returns the response to a request. Middleware takes and returns such a function."""
