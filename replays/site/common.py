"""Helpers for several views, such as looking up a deal or paging a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ObjectDoesNotExist
from django.core.paginator import Page, Paginator
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    QueryDict,
    StreamingHttpResponse,
)
from django.shortcuts import render
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from rest_framework.authentication import CSRFCheck

from archive import access
from archive.access import Viewer
from archive.addresses import Key, number_of
from archive.models import COUNTS, Session, Space
from archive.publishing import export
from archive.reading import clubs, deals
from archive.reading.filters import Filters
from archive.reading.paging import Step
from archive.shown import ShownDeal
from archive.storing import spaces
from archive.web.viewer import GUEST
from replays.site.paths import path

T = TypeVar("T")

PER_PAGE = 25
MOST_YEARS = 20
"""Maximum number of years offered to jump to in a list."""
NO_PLAY, ONLY_POINTS = "no-play", "only-points"
"""Reasons of an `Http404` that the error page explains: there is only the score sheet or the result."""


def is_about(request: HttpRequest, space: Space) -> None:
    """If the viewer is a member of the club `space`, make the upload link in the page's header lead to it."""
    if space.kind == "club" and request.viewer.is_at_least("member", space):
        request.club = space


def user_of(request: HttpRequest) -> AbstractBaseUser | None:
    """Return the signed-in user; None for a guest."""
    return request.user if request.user.is_authenticated else None


def guest_space_of(request: HttpRequest) -> Space:
    """Return this browser's guest space, which is created if it does not exist yet."""
    guest = clubs.guest_space(request.session.get(GUEST))
    if guest is None:
        guest = spaces.guest()
        request.session[GUEST] = guest.pk
    return guest


def is_forged(request: HttpRequest) -> bool:
    """Return whether a request fails Django's CSRF check, for views that render the error themselves."""
    guard = CSRFCheck(lambda _request: HttpResponse())
    guard.process_request(request)
    return guard.process_view(request, None, (), {}) is not None


def found_or_404(find: Callable[..., T], *args: Any) -> T:
    """Return the result of a lookup; raise `Http404` if it finds no object that the viewer may see."""
    try:
        return find(*args)
    except ObjectDoesNotExist:
        raise Http404 from None


def deal_or_404(key: Key, viewer: Viewer) -> ShownDeal:
    """Return the deal as the viewer sees it; raise `Http404` if they may see none of its contributions."""
    return found_or_404(deals.get_deal, key, viewer)


def played_or_404(key: Key, viewer: Viewer) -> ShownDeal:
    """Return the deal if its play was recorded.

    :raises Http404: if the viewer may not see the deal, or if there is only a score sheet or a result. In the
    latter case the exception's argument tells the error page which of the two.
    """
    deal = deal_or_404(key, viewer)
    if not deal.is_played:
        raise Http404(ONLY_POINTS if deal.is_result else NO_PLAY)
    return deal


def session_url(request: HttpRequest, session: Session) -> str:
    """Return the URL that opens the unlisted deals of a session."""
    return str(request.build_absolute_uri(path("shared", access.link_to(session))))


class DealPaginator(Paginator):
    """Pages of a search, up to `MOST` deals. Users must narrow the search to find further deals. A single
    query returns the ids of the deals up to a few pages ahead. `is_partial`: see `deals.Ids`; `in_all`: the
    number of matching deals, None if more than `MOST` match and the stored sums don't contain the number."""

    MOST = 40 * PER_PAGE
    AHEAD = 4 * PER_PAGE

    def __init__(self, filters: Filters, viewer: Viewer, wanted: str | None, order: str = "played") -> None:
        number = number_of(wanted) or 1
        most = min(self.MOST, max(self.AHEAD, (number + 1) * PER_PAGE))
        numbers = deals.find_ids(filters, viewer, order, most + 1)
        super().__init__(numbers[:most], PER_PAGE)
        self.is_partial = numbers.is_partial
        self.criteria, self.is_more = (filters, viewer), len(numbers) > most

    @cached_property
    def in_all(self) -> int | None:
        if not self.is_more:
            return len(self.object_list)
        return None if self.is_partial else deals.count(*self.criteria, self.MOST)

    @property
    def all_pages(self) -> int | None:
        """Number of pages, None if `in_all` is unknown or not all deals have a page."""
        known = self.in_all is not None and self.in_all <= self.MOST
        return -(-(self.in_all or 0) // PER_PAGE) if known else None

    def page(self, number: int) -> Page:
        page = super().page(number)
        page.object_list = deals.deals_by_id(page.object_list, *self.criteria)
        return page


def nonempty_query(request: HttpRequest) -> QueryDict:
    """Return the query string of a form without its empty fields."""
    query = request.GET.copy()
    for name, value in request.GET.items():
        if not value:
            del query[name]
    return query


def without_empty(request: HttpRequest) -> HttpResponse | None:
    """Return a redirect to the URL without its empty fields, or None if no field is empty."""
    if "" not in request.GET.values():
        return None
    return HttpResponseRedirect(f"{request.path}?{nonempty_query(request).urlencode()}".rstrip("?"))


def too_many(request: HttpRequest, wait: int, **context: Any) -> HttpResponse:
    """Return a 429 response that allows a retry after `wait` seconds. `context`: context of the template."""
    response = render(request, "429.html", context, status=429)
    response["Retry-After"] = str(wait)
    return response


def over_quota(seconds: int) -> str:
    """Return the message that a sender's quota is used up, with the time to wait."""
    minutes = (seconds + 59) // 60
    why = ngettext(
        "You have reached the hourly limit. Try again in %(n)d minute.",
        "You have reached the hourly limit. Try again in %(n)d minutes.",
        minutes,
    )
    return why % {"n": minutes}


def place_taken() -> str:
    """Return the error message for a corrected sheet or result that would collide with an existing one."""
    return _("There is already another record with this session and deal number.")


def page_of(request: HttpRequest, items: Any, per_page: int = PER_PAGE) -> Page:
    """Return the page of a list at `?page=`; for a page beyond the end, return the last page."""
    return Paginator(items, per_page).get_page(request.GET.get("page"))


def step_of(request: HttpRequest) -> Step:
    """Return the position in a list that `?after=` or `?before=` requests."""
    return Step(number_of(request.GET.get("after"), 17), number_of(request.GET.get("before"), 17))


def download(body: str | Iterable[bytes], media_type: str, name: str) -> HttpResponse | StreamingHttpResponse:
    """Return a response that the browser saves as a file. An iterable body is streamed."""
    response_class = HttpResponse if isinstance(body, str) else StreamingHttpResponse
    response = response_class(body, content_type=f"{media_type}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def count_of(request: HttpRequest) -> str:
    """Return what counts in a club's own tables (`COUNTS`) from `?count=`, by default everything."""
    wanted = request.GET.get("count", "")
    return wanted if wanted in COUNTS else "all"


def delimiter_of(request: HttpRequest) -> str:
    """Return the delimiter for a CSV file from `?delimiter=`, by default a comma."""
    wanted = request.GET.get("delimiter", ",")
    return wanted if wanted in export.DELIMITERS else ","
