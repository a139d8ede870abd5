"""Accounts, where django-allauth leaves something to the site."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest

from archive.web.throttles import client_address


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Counts the attempts of a client as all other limits do."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the IP address that identifies a client for rate limits."""
        return client_address(request)
