"""All URLs of the site: pages at `/`, the API under `/api/v1/`, the operator's admin, and accounts."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from api.views.certificates import Keys

urlpatterns = [
    path("", include("replays.urls")),
    path("api/v1/", include("api.urls")),
    path(".well-known/tarock-archive-keys.json", Keys.as_view(), name="certificate-keys"),
    path("accounts/", RedirectView.as_view(pattern_name="account_login")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
]

# These handlers return problem documents under /api/, and Django's own pages elsewhere.
handler400 = "archive.web.last_resorts.bad_request"
handler403 = "archive.web.last_resorts.permission_denied"
handler404 = "archive.web.last_resorts.page_not_found"
handler500 = "archive.web.last_resorts.server_error"
