"""The site's customizations of django-allauth."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest

from archive.web.throttles import client_address


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Account adapter that identifies clients by the same address as the site's other rate limits."""

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request)
