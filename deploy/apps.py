"""Django's admin with the operator's site."""

from django.contrib.admin import apps


class AdminConfig(apps.AdminConfig):  # type: ignore[misc]
    """The admin of this site."""

    default_site = "deploy.admin_site.OperatorSite"
