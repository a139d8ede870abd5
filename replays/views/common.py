"""Helpers of several views: one deal or a 404, pages of a list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
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

from archive import access
from archive.access import Viewer
from archive.addresses import Key
from archive.models import Deal, Space
from archive.reading import selectors
from archive.reading.selectors import Filters
from replays.deal import sharing
from replays.deal.address import Address
from replays.deal.position import Position

PER_PAGE = 25


LINKS = "links"
"""The session key of the unlisted things whose links were opened in this browser."""

GUEST = "space"
"""The session key of the guest space: deals sent from this browser without signing in."""


def viewer_of(request: HttpRequest) -> Viewer:
    """The viewer of a request, looked up once."""
    viewer: Viewer | None = getattr(request, "viewer", None)
    if viewer is None:
        session = request.session
        viewer = access.viewer(request.user, guest=session.get(GUEST), links=session.get(LINKS, ()))
        request.viewer = viewer
    return viewer


def is_about(request: HttpRequest, space: Space) -> None:
    """Note the space of the page: if the viewer is a member, the header's link to the upload leads there."""
    if space.kind == "club" and viewer_of(request).is_at_least("member", space):
        request.club = space


def user_of(request: HttpRequest) -> AbstractBaseUser | None:
    """The user signed in; None if nobody is."""
    return request.user if request.user.is_authenticated else None


def deal_or_404(key: Key, viewer: Viewer) -> Deal:
    """The deal as the viewer may see it.

    :raises Http404: if he may not see any contribution to it.
    """
    try:
        return selectors.deal(key, viewer)
    except Deal.DoesNotExist:
        raise Http404 from None


def preview(request: HttpRequest, deal: Deal, position: Position | None = None) -> dict[str, Any]:
    """The preview of a page of a deal for other sites (`templates/parts/preview.jinja`), without a position
    that of the deal as dealt. Empty for a deal that is not public."""
    if deal.representative.visibility != "public":
        return {"shared": None}
    root = f"{request.scheme}://{request.get_host()}"
    shared = sharing.shared(root, deal, Address(position.step if position else 0), position)
    return {"shared": shared, "address": root + request.path}


class DealPaginator(Paginator):
    """Pages of a search. No more than `MOST` deals are counted and paged; a narrower search finds the rest.
    One query gives the ids and their number: where the database has to look at all deals it does so once."""

    MOST = 100 * PER_PAGE

    def __init__(self, filters: Filters, viewer: Viewer, order: str = "played") -> None:
        numbers = selectors.find_ids(filters, viewer, order, self.MOST + 1)
        super().__init__(numbers[: self.MOST], PER_PAGE)
        self.criteria, self.is_more = (filters, viewer), len(numbers) > self.MOST

    def page(self, number: int) -> Page:
        """A page, with its deals."""
        page = super().page(number)
        page.object_list = selectors.deals_by_id(page.object_list, *self.criteria)
        return page


def nonempty_query(request: HttpRequest) -> QueryDict:
    """The query of a form without its empty fields."""
    query = request.GET.copy()
    for name, value in request.GET.items():
        if not value:
            del query[name]
    return query


def without_empty(request: HttpRequest) -> HttpResponse | None:
    """A redirect to the address without its empty fields; None if there are none."""
    if "" not in request.GET.values():
        return None
    return HttpResponseRedirect(f"{request.path}?{nonempty_query(request).urlencode()}".rstrip("?"))


def too_many(request: HttpRequest, wait: int, **context: Any) -> HttpResponse:
    """The response 429, to be tried again in ``wait`` seconds; ``context``: that of its page."""
    response = render(request, "429.html", context, status=429)
    response["Retry-After"] = str(wait)
    return response


def page_of(request: HttpRequest, items: Any, per_page: int = PER_PAGE) -> Page:
    """The page of a list by ``?page=``; one beyond the end is the last."""
    return Paginator(items, per_page).get_page(request.GET.get("page"))


def download(body: str | Iterable[bytes], media_type: str, name: str) -> HttpResponse | StreamingHttpResponse:
    """A response that the browser saves as a file; an iterable body is streamed."""
    response_class = HttpResponse if isinstance(body, str) else StreamingHttpResponse
    response = response_class(body, content_type=f"{media_type}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
