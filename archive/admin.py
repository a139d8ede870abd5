"""The operator's admin pages, which show everything but allow few changes.

Uploads and verdicts are evidence, so nobody can change them. The operator can check deals again, start, stop
and resume campaigns, and parse uploads again after a bug fix. A message above the lists reports errors in our
own code.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth import get_user_model
from django.contrib.auth.admin import UserAdmin
from django.db.models import Prefetch, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import path, reverse
from django.urls.resolvers import URLPattern
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from archive import access
from archive.access import Viewer
from archive.models import (
    Campaign,
    Chunk,
    Collection,
    Contribution,
    Deal,
    Evening,
    FormerVerdict,
    GuestVariations,
    HindsightSpan,
    Member,
    Part,
    Player,
    Puzzle,
    Session,
    Space,
    Token,
    Upload,
    UploadItem,
    Variations,
)
from archive.reading import operation
from archive.reading.deals import verdict_by
from archive.reading.uploads import progress_of, upload_bytes
from archive.shown import ShownDeal
from archive.storing import campaigns, removal, uploads
from tarock.words import sentences


class Unchangeable:
    """Admin base class that forbids adding and changing rows, because only `archive.storing` may do so."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnly(Unchangeable):
    """Admin base class that forbids adding, changing and deleting rows."""

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class TellsOfFaults(ReadOnly, admin.ModelAdmin):
    """Admin base class that shows an error above the list if our own code failed on any upload or deal."""

    show_full_result_count = False

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        number = operation.count_faults()
        if number and request.method == "GET":
            address = reverse("admin:archive_upload_changelist") + "?faults=yes"
            text = '<a href="{}">{} pieces of work failed</a> because of an error in the archive.'
            messages.error(request, format_html(text, address, number))
        return super().changelist_view(request, extra_context)


def preformatted(text: str) -> str | SafeString:
    return format_html("<pre>{}</pre>", text) if text else "none"


class ContributionInline(ReadOnly, admin.TabularInline):
    model = Contribution
    fields = readonly_fields = ("space", "visibility", "verdict", "session", "number", "date", "claim", "who")

    @admin.display(description="players")
    def who(self, contribution: Contribution) -> SafeString:
        seats = contribution.seats.select_related("player")
        return format_html_join("; ", "{} {} {}", ((s.seat, s.player, s.points) for s in seats))


class FormerVerdictInline(ReadOnly, admin.TabularInline):
    model = FormerVerdict
    fields = readonly_fields = ("answered", "engine_version", "verified_at")

    @admin.display(description="verdict")
    def answered(self, former: FormerVerdict) -> str:
        return verdict_by(former, former.deal.first[0])


@admin.register(Deal)
class DealAdmin(TellsOfFaults):
    list_display = ("id", "game", "shown_verdict", "date", "session", "contract", "stored_at")
    list_filter = ("engine_version",)
    search_fields = (
        "=id",
        "contributions__seats__player__name",
        "contributions__session__name",
        "contributions__event",
    )
    search_help_text = "number, player, session or event"
    inlines = (ContributionInline, FormerVerdictInline)
    actions = ("verify_again",)
    fields = (
        "game",
        "shown_verdict",
        "hex_digest",
        "dealer",
        "declarer",
        "contract",
        "stored_at",
        "verified_at",
        "engine_version",
        "clauses",
        "record_text",
    )
    readonly_fields = ("shown_verdict", "hex_digest", "record_text")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Deal]:
        """Return all deals, each with `first`: a list of its first contribution, regardless of visibility."""
        first = access.readable(Viewer(operator=True)).prefetched()[:1]
        return Deal.objects.prefetch_related(Prefetch("contributions", queryset=first, to_attr="first"))

    @admin.display(description="verdict")
    def shown_verdict(self, deal: Any) -> str:
        return str(deal.first[0].verdict)

    def date(self, deal: Any) -> str:
        return str(deal.first[0].date)

    def session(self, deal: Any) -> Session | None:
        return deal.first[0].session

    @admin.display(description="text")
    def record_text(self, deal: Any) -> str | SafeString:
        return preformatted(ShownDeal(deal, deal.first[0]).canonical or deal.text)

    @admin.action(description="Verify again", permissions=["verify"])
    def verify_again(self, request: HttpRequest, queryset: QuerySet[Deal]) -> None:
        deals = list(Deal.objects.filter(pk__in=list(queryset.values_list("pk", flat=True))))
        changed = campaigns.verify_now(deals)
        messages.success(request, f"{len(deals)} deals were verified again; {changed} answers changed.")

    def has_verify_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("archive.change_deal")


class ChunkInline(ReadOnly, admin.TabularInline):
    model = Chunk
    fields = ("first", "last", "state", "checked", "changed", "faulty", "error")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Chunk]:
        return super().get_queryset(request).filter(Q(state="failed") | Q(faulty__gt=0))


@admin.register(Campaign)
class CampaignAdmin(TellsOfFaults):
    """Admin pages for campaigns, which the operator can start, stop and resume."""

    list_display = ("id", "state", "started_at", "started_by", "game", "outdated_only", "progress")
    inlines = (ChunkInline,)
    actions = ("stop", "resume")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow users who may change deals to start, stop and resume campaigns."""
        return request.user.has_perm("archive.change_deal")

    def get_fields(self, request: HttpRequest, obj: Campaign | None = None) -> tuple[str, ...]:
        if obj is None:
            return ("outdated_only",)
        return ("state", "started_at", "finished_at", "started_by", "engine_version", "game", "progress")

    def get_readonly_fields(self, request: HttpRequest, obj: Campaign | None = None) -> tuple[str, ...]:
        return () if obj is None else ("progress",)

    def save_model(self, request: HttpRequest, obj: Campaign, form: Any, change: bool) -> None:
        obj.pk = campaigns.start(by=request.user, outdated_only=obj.outdated_only).pk

    def progress(self, campaign: Campaign) -> str:
        state = operation.get_campaign(campaign.pk)
        return (
            f"{state.checked} checked, {state.changed} changed, {state.faulty} failed, "
            f"{state.waiting} chunks to go"
        )

    @admin.action(description="Stop", permissions=["add"])
    def stop(self, request: HttpRequest, queryset: QuerySet[Campaign]) -> None:
        messages.success(request, f"{sum(map(campaigns.stop, queryset))} campaigns were stopped.")

    @admin.action(description="Resume", permissions=["add"])
    def resume(self, request: HttpRequest, queryset: QuerySet[Campaign]) -> None:
        messages.success(request, f"{sum(map(campaigns.resume, queryset))} campaigns were resumed.")


@admin.register(HindsightSpan)
class HindsightSpanAdmin(TellsOfFaults):
    list_display = ("id", "last", "state", "claims", "due_at")
    list_filter = ("state",)
    fields = ("id", "last", "state", "claims", "due_at", "error")


class PartInline(ReadOnly, admin.TabularInline):
    model = Part
    fields = ("number", "state", "claims", "due_at", "records", *Part.COUNTS, "error")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Part]:
        return super().get_queryset(request).defer("data")


class WithFaults(admin.SimpleListFilter):
    """Filter for uploads with a part or a record that our own code failed to process."""

    title = "errors in the archive"
    parameter_name = "faults"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "with faults")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Upload]) -> QuerySet[Upload]:
        if self.value() != "yes":
            return queryset
        faulty = Part.objects.filter(Q(state="failed") | Q(failed__gt=0)).values("upload")
        return queryset.filter(pk__in=faulty)


@admin.register(Upload)
class UploadAdmin(TellsOfFaults):
    list_display = ("id", "received_at", "source", "user", "filename", "size", "counts", "used_by_sender")
    list_filter = ("received_at", WithFaults)
    search_fields = ("=id", "user__username", "filename", "=sender")
    list_select_related = ("user",)
    list_per_page = 25
    inlines = (PartInline,)
    fields = (
        "received_at",
        "accepted_at",
        "finished_at",
        "source",
        "user",
        "sender",
        "used_by_sender",
        "filename",
        "media_type",
        "size",
        "bytes_link",
        "counts",
        "faults",
    )
    readonly_fields = ("bytes_link", "counts", "used_by_sender", "faults")
    actions = ("read_again",)

    @admin.action(
        description="Read again (after an error in the archive was fixed)", permissions=["read_again"]
    )
    def read_again(self, request: HttpRequest, queryset: QuerySet[Upload]) -> None:
        for upload in queryset.order_by("pk"):
            uploads.read_again(upload)
        messages.success(request, f"{queryset.count()} uploads are read again.")

    def has_read_again_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("archive.change_upload")

    @admin.display(description="records")
    def counts(self, upload: Upload) -> str:
        progress = progress_of(upload)
        parts = "" if progress.finished else f" ({progress.parts_done} of {progress.parts} parts)"
        return progress.outcomes + parts

    @admin.display(description="sender's last hour")
    def used_by_sender(self, upload: Upload) -> str:
        used = uploads.used_quota(upload.sender)
        return f"{used['bytes']:,} bytes, {used['deals']:,} records"

    @admin.display(description="bytes")
    def bytes_link(self, upload: Upload) -> SafeString:
        return format_html(
            '<a href="{}">download as sent ({} bytes)</a>',
            reverse("admin:archive_upload_raw", args=[upload.pk]),
            upload.size,
        )

    @admin.display(description="records not stored by our fault")
    def faults(self, upload: Upload) -> str | SafeString:
        items = UploadItem.objects.filter(part__upload=upload, outcome="failed")[:20]
        return preformatted(
            "\n".join(f"record {item.n} of part {item.part_id}\n{item.error}" for item in items)
        )

    def get_urls(self) -> list[URLPattern]:
        raw = path("<int:pk>/raw/", self.admin_site.admin_view(self.raw_view), name="archive_upload_raw")
        return [raw, *super().get_urls()]

    def raw_view(self, request: HttpRequest, pk: int) -> StreamingHttpResponse:
        """Return the original bytes of an upload, as a download that browsers don't render."""
        upload = Upload.objects.filter(pk=pk).first()
        if upload is None or not self.has_view_permission(request, upload):
            raise Http404
        return StreamingHttpResponse(
            upload_bytes(upload),
            headers={
                "Content-Type": "application/octet-stream",
                "Content-Disposition": f'attachment; filename="upload-{upload.pk}.bin"',
                "X-Content-Type-Options": "nosniff",
            },
        )


@admin.register(UploadItem)
class UploadItemAdmin(TellsOfFaults):
    """Admin pages for the outcomes of uploaded records, latest first."""

    list_display = ("id", "part", "n", "outcome", "line", "message")
    ordering = ("-id",)
    fields = ("part", "n", "last", "outcome", "deal_id", "line", "differs", "message", "traceback")
    readonly_fields = ("message", "traceback")

    def get_queryset(self, request: HttpRequest) -> QuerySet[UploadItem]:
        return super().get_queryset(request).select_related("part").defer("part__data")

    @admin.display(description="what is wrong")
    def message(self, item: UploadItem) -> str:
        return "\n".join(sentences.message(finding) for finding in item.findings)

    def traceback(self, item: UploadItem) -> str | SafeString:
        return preformatted(item.error)


admin.site.unregister(get_user_model())


@admin.register(get_user_model())
class AccountAdmin(UserAdmin):
    """Admin pages for user accounts. The last owner of a club with other members can't be deleted."""

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[Any, ...]:
        *found, protected = super().get_deleted_objects(objs, request)
        # Check the accounts together and one by one, because each deletion must leave every club an owner.
        together = (removal.clubs_that_need(*users) for users in [objs, *([user] for user in objs)])
        clubs = {f"the only owner of the club “{club}”" for some in together for club in some}
        return *found, [*protected, *sorted(clubs)]


class MemberInline(ReadOnly, admin.TabularInline):
    model = Member
    fields = ("user", "role", "joined_at")


@admin.register(Space)
class SpaceAdmin(ReadOnly, admin.ModelAdmin):
    """Admin pages for spaces of every kind, with their members' roles."""

    list_display = ("id", "kind", "name", "place", "visibility", "made_at")
    search_fields = ("name", "user__username")
    inlines = (MemberInline,)


@admin.register(Player)
class PlayerAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("name", "pseudonym", "space")
    search_fields = ("name", "pseudonym")
    list_select_related = ("space",)


@admin.register(Session)
class SessionAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("name", "space")
    search_fields = ("name",)
    list_select_related = ("space",)


@admin.register(Evening)
class EveningAdmin(ReadOnly, admin.ModelAdmin):
    """Admin pages for evenings, including the data that the phones at the table share."""

    list_display = ("session", "space", "game", "date", "visibility", "made_at", "changed_at", "ended_at")
    search_fields = ("session__name", "=key")
    list_select_related = ("session__space",)

    def space(self, evening: Evening) -> Space:
        return evening.session.space


@admin.register(Variations)
class VariationsAdmin(Unchangeable, admin.ModelAdmin):
    """Admin pages for the variations that users saved for deals. The operator can delete them."""

    list_display = ("deal", "user", "visibility", "made_at", "changed_at")
    search_fields = ("user__username", "=key")
    list_select_related = ("deal", "user")


@admin.register(GuestVariations)
class GuestVariationsAdmin(Unchangeable, admin.ModelAdmin):
    """Admin pages for the variations that guests shared. The operator can delete them."""

    list_display = ("deal", "made_at", "changed_at")
    search_fields = ("=key",)
    list_select_related = ("deal",)


@admin.register(Collection)
class CollectionAdmin(Unchangeable, admin.ModelAdmin):
    """Admin pages for users' collections. The operator can delete them."""

    list_display = ("title", "user", "visibility", "made_at", "changed_at")
    search_fields = ("title", "user__username", "=key")
    list_select_related = ("user",)


@admin.register(Puzzle)
class PuzzleAdmin(Unchangeable, admin.ModelAdmin):
    """Admin pages for puzzles. The operator can delete those from deals."""

    list_display = ("id", "game", "theme", "deal", "found_at")
    list_select_related = ("deal",)


@admin.register(Token)
class TokenAdmin(Unchangeable, admin.ModelAdmin):
    """Admin pages for all users' API tokens. The operator can revoke a leaked token."""

    list_display = ("name", "user", "scopes", "made_at", "last_used_at", "expires_at")
    search_fields = ("name", "user__username")
    list_select_related = ("user",)
