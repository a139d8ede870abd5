"""The operator's view of the archive: everything can be looked at, little can be changed.

What came in and what the engine said is evidence and stays as it is; the one thing to do is "verify again".
Runs that failed through a fault of ours stand first in the list of runs and are counted on top of the lists
of runs and deals.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import Case, Count, IntegerField, Q, QuerySet, Value, When
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, reverse
from django.urls.resolvers import URLPattern
from django.utils.html import format_html
from django.utils.safestring import SafeString

from archive import services
from archive.models import Deal, Player, ScoreLine, Seat, Session, Upload, UploadItem, VerificationRun
from archive.selectors import failed_runs


class ReadOnly:
    """Nothing is added or changed by hand: the services are the only writers."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class NotDeletable:
    """What belongs to a deal or an upload goes with it, not by itself."""

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def tell_of_failures(request: HttpRequest) -> None:
    """A warning on top of the page while runs have failed through a fault of ours."""
    failed = failed_runs().count()
    if failed and request.method == "GET":
        address = reverse("admin:archive_verificationrun_changelist") + "?state__exact=failed"
        messages.error(
            request,
            format_html(
                '<a href="{}">{} verification runs failed</a> because of a fault in the program; '
                "their tracebacks are there. These deals have no verdict from them.",
                address,
                failed,
            ),
        )


def verify_again(request: HttpRequest, deals: QuerySet[Deal]) -> None:
    waiting = services.reverify(deals)
    messages.success(request, f"{waiting} deals are waiting to be verified.")


class SeatInline(ReadOnly, NotDeletable, admin.TabularInline):
    model = Seat
    fields = ("seat", "player", "points")
    extra = 0


class ScoreLineInline(ReadOnly, NotDeletable, admin.TabularInline):
    model = ScoreLine
    fields = readonly_fields = ("position", "clause", "points", "reckoning")
    extra = 0


class RunInline(ReadOnly, NotDeletable, admin.TabularInline):
    model = VerificationRun
    fields = ("state", "verdict", "engine_version", "attempts", "queued_at", "finished_at", "next_try_at")
    extra = 0
    show_change_link = True
    verbose_name_plural = "verification runs"


class UploadItemInline(ReadOnly, NotDeletable, admin.TabularInline):
    model = UploadItem
    fields = ("n", "outcome", "deal", "line", "column", "pointer", "message")
    raw_id_fields = ("deal",)
    extra = 0


@admin.register(Deal)
class DealAdmin(ReadOnly, admin.ModelAdmin):
    """Deals: found by game, verdict and day, searched by player, session or digest, verified again."""

    list_display = ("id", "game", "verdict_or_pending", "date_text", "session", "contract", "created_at")
    list_filter = ("verdict", "game", "played_on", "engine_version")
    search_fields = ("=id", "=digest", "seating__player__name", "session__name", "event")
    search_help_text = "number, digest, player, session or event"
    list_select_related = ("session",)
    date_hierarchy = "created_at"
    inlines = (SeatInline, ScoreLineInline, RunInline)
    actions = ("verify_again",)
    show_full_result_count = False

    @admin.display(description="verdict", ordering="verdict")
    def verdict_or_pending(self, deal: Deal) -> str:
        return deal.verdict or "pending"

    @admin.action(description="Verify again", permissions=["verify"])
    def verify_again(self, request: HttpRequest, queryset: QuerySet[Deal]) -> None:
        verify_again(request, queryset)

    def has_verify_permission(self, request: HttpRequest) -> bool:
        """Who may change deals in Django's terms may have them verified again."""
        return request.user.has_perm("archive.change_deal")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Deal]:
        query = super().get_queryset(request)
        match = request.resolver_match
        listing = match is not None and match.url_name == "archive_deal_changelist"
        return query.defer("record", "text", "original", "countings") if listing else query

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        tell_of_failures(request)
        return super().changelist_view(request, extra_context)


@admin.register(VerificationRun)
class VerificationRunAdmin(ReadOnly, admin.ModelAdmin):
    """Runs, the failed ones first, with the traceback of our own fault."""

    list_display = (
        "id",
        "deal_link",
        "state_shown",
        "verdict",
        "engine_version",
        "attempts",
        "finished_at",
        "next_try_at",
    )
    list_filter = ("state", "verdict", "engine_version")
    search_fields = ("=deal__id", "=deal__digest", "traceback")
    search_help_text = "number or digest of the deal, or words of the traceback"
    actions = ("verify_again",)
    show_full_result_count = False
    fields = (
        "deal",
        "state",
        "verdict",
        "engine_version",
        "attempts",
        "queued_at",
        "claimed_at",
        "finished_at",
        "next_try_at",
        "score",
        "finding",
        "traceback_shown",
    )
    readonly_fields = ("traceback_shown",)

    @admin.display(description="deal", ordering="deal")
    def deal_link(self, run: VerificationRun) -> SafeString:
        return format_html(
            '<a href="{}">{}</a>', reverse("admin:archive_deal_change", args=[run.deal_id]), run.deal_id
        )

    @admin.display(description="state", ordering="state")
    def state_shown(self, run: VerificationRun) -> str | SafeString:
        if run.state != VerificationRun.State.FAILED:
            return run.get_state_display()
        return format_html(
            "<strong>{}</strong>", "FAILED, to be tried again" if run.next_try_at else "FAILED, given up"
        )

    @admin.display(description="traceback")
    def traceback_shown(self, run: VerificationRun) -> str | SafeString:
        return format_html("<pre>{}</pre>", run.traceback) if run.traceback else "none"

    @admin.action(description="Verify the deals of these runs again", permissions=["verify"])
    def verify_again(self, request: HttpRequest, queryset: QuerySet[VerificationRun]) -> None:
        verify_again(request, Deal.objects.filter(pk__in=queryset.order_by().values("deal_id")))

    def has_verify_permission(self, request: HttpRequest) -> bool:
        """Who may change deals in Django's terms may have them verified again."""
        return request.user.has_perm("archive.change_deal")

    def get_ordering(self, request: HttpRequest) -> tuple[Any, ...]:
        failed_first = Case(
            When(state="failed", then=Value(0)), default=Value(1), output_field=IntegerField()
        )
        return (failed_first, "-id")

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        tell_of_failures(request)
        return super().changelist_view(request, extra_context)


@admin.register(Upload)
class UploadAdmin(ReadOnly, admin.ModelAdmin):
    """Uploads with what became of each record, and their bytes as they came."""

    list_display = (
        "id",
        "received_at",
        "source",
        "user",
        "filename",
        "size",
        "records",
        "not_kept",
        "fault",
        "next_try_at",
    )
    list_filter = ("source", "received_at", ("error", admin.EmptyFieldListFilter))
    search_fields = ("=id", "user__username", "filename")
    list_select_related = ("user",)
    inlines = (UploadItemInline,)
    fields = (
        "received_at",
        "source",
        "user",
        "filename",
        "media_type",
        "size",
        "bytes_link",
        "attempts",
        "next_try_at",
        "error_shown",
    )
    readonly_fields = ("bytes_link", "error_shown")
    actions = ("read_again",)
    show_full_result_count = False

    @admin.action(description="Read again (after a fault of ours was mended)", permissions=["read_again"])
    def read_again(self, request: HttpRequest, queryset: QuerySet[Upload]) -> None:
        uploads = [services.read_again(pk) for pk in queryset.order_by("pk").values_list("pk", flat=True)]
        bad = sum(bool(upload.error) for upload in uploads)
        messages.success(request, f"{len(uploads) - bad} uploads were read again.")
        if bad:
            messages.error(request, f"{bad} uploads failed again: see their tracebacks.")

    def has_read_again_permission(self, request: HttpRequest) -> bool:
        """Who may change uploads in Django's terms may have them read again."""
        return request.user.has_perm("archive.change_upload")

    @admin.display(description="records", ordering="records")
    def records(self, upload: Upload) -> int:
        return upload.records

    @admin.display(description="not kept", ordering="not_kept")
    def not_kept(self, upload: Upload) -> int:
        return upload.not_kept

    @admin.display(description="our fault", boolean=True)
    def fault(self, upload: Upload) -> bool | None:
        # A red cross for a fault, nothing where all is well.
        return False if upload.failed else None

    @admin.display(description="bytes")
    def bytes_link(self, upload: Upload) -> SafeString:
        return format_html(
            '<a href="{}">download as sent ({} bytes)</a>',
            reverse("admin:archive_upload_raw", args=[upload.pk]),
            upload.size,
        )

    @admin.display(description="our fault")
    def error_shown(self, upload: Upload) -> str | SafeString:
        return format_html("<pre>{}</pre>", upload.error) if upload.error else "none"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Upload]:
        lost = Q(items__outcome__in=[UploadItem.Outcome.MALFORMED, UploadItem.Outcome.REFUSED])
        return (
            super()
            .get_queryset(request)
            .defer("raw")
            .annotate(
                records=Count("items"),
                not_kept=Count("items", filter=lost),
                failed=Case(When(error="", then=Value(0)), default=Value(1), output_field=IntegerField()),
            )
        )

    def get_urls(self) -> list[URLPattern]:
        raw = path("<int:pk>/raw/", self.admin_site.admin_view(self.raw_view), name="archive_upload_raw")
        return [raw, *super().get_urls()]

    def raw_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The bytes of an upload, as a download that no browser tries to show."""
        upload = Upload.objects.filter(pk=pk).first()
        if upload is None or not self.has_view_permission(request, upload):
            raise Http404
        return HttpResponse(
            bytes(upload.raw),
            headers={
                "Content-Type": "application/octet-stream",
                "Content-Disposition": f'attachment; filename="upload-{upload.pk}.bin"',
                "X-Content-Type-Options": "nosniff",
            },
        )


@admin.register(Player)
class PlayerAdmin(ReadOnly, NotDeletable, admin.ModelAdmin):
    list_display = ("name", "created_at")
    search_fields = ("name",)


@admin.register(Session)
class SessionAdmin(ReadOnly, NotDeletable, admin.ModelAdmin):
    list_display = ("name", "created_at")
    search_fields = ("name",)
