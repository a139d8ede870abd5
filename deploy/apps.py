"""Django's admin app with the operator's site."""

from django.contrib.admin import apps


class AdminConfig(apps.AdminConfig):  # type: ignore[misc]
    """Django's admin app, configured to use `OperatorSite`."""

    default_site = "deploy.admin_site.OperatorSite"
