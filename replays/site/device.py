"""The data that pages store on the device: cookies, browser storage and caches, each with its purpose and
lifetime.

The scripts store a user's entries under names that start with the user's id (`static/replays/device.js`), so
other users of the device don't see them. The scripts read the id from a cookie.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy

USER_COOKIE = "device_user"
GUEST_COOKIE = "guest_key"
"""Cookie with the secret key of a guest's device, which may change what the guest shared."""
MADE_HERE = "made_here"
"""Session key that says that the account was made in this session. Scripts then give it the guest's data."""

_UNTIL_SENT = gettext_lazy("until you sign out; unsent entries for as long as you choose")
_UNTIL_DELETED = gettext_lazy("until you delete it, for example when you sign out")
_TAB = gettext_lazy("until the tab is closed")
_FOR_EVER = gettext_lazy("until you delete this site’s data in the browser")
_YEAR = gettext_lazy("a year")

COOKIES = [
    (settings.SESSION_COOKIE_NAME,
     gettext_lazy("who is signed in, what was sent without signing in, and which evenings you joined"),
     gettext_lazy("two weeks, or until you sign out")),
    (settings.CSRF_COOKIE_NAME, gettext_lazy("protects forms against other sites"), _YEAR),
    (settings.LANGUAGE_COOKIE_NAME, gettext_lazy("the language that you chose"), _YEAR),
    (CookieStorage.cookie_name, gettext_lazy("a notice for the next page"),
     gettext_lazy("until it has been shown")),
    (USER_COOKIE, gettext_lazy("your account number, which identifies your entries on this device"),
     gettext_lazy("a year, or until you sign out")),
    (GUEST_COOKIE, gettext_lazy("which variations you shared without signing in"),
     gettext_lazy("90 days after you last share some")),
]  # fmt: skip
"""Each cookie with its purpose and lifetime."""

STORED = [
    ("evening:", gettext_lazy("evenings, with their deals and players"), _UNTIL_SENT),
    ("evenings-start", gettext_lazy("your clubs and their players, for a new evening"),
     gettext_lazy("until you sign out")),
    ("board:", gettext_lazy("deals on the board; of those that you sent, the last 30"), _UNTIL_DELETED),
    ("variations:", gettext_lazy("variations of a deal"), _UNTIL_DELETED),
    ("draft:", gettext_lazy("text that you wrote but did not send"), _TAB),
    ("sent:", gettext_lazy("a note that the text was sent"), _TAB),
    ("panel-tab", gettext_lazy("which part of the replay is open"), _FOR_EVER),
    ("legal", gettext_lazy("whether legal cards are marked in the replay"), _FOR_EVER),
    ("board-legal", gettext_lazy("whether legal cards are marked on the board"), _FOR_EVER),
    ("speed", gettext_lazy("speed of the replay"), _FOR_EVER),
    ("shell-", gettext_lazy("the page for offline evenings, without your entries"), _FOR_EVER),
    ("engine-", gettext_lazy("the rules for offline evenings"), _FOR_EVER),
]  # fmt: skip
"""Each name or prefix in the browser's storage and caches, with its purpose and lifetime."""

_YEAR_SECONDS = 365 * 24 * 3600


def user_cookie(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware that sets a cookie with the user's id for scripts, which can't read the session cookie. A
    plus sign follows if the account was made in this session."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not request.session.accessed:
            return response
        user = request.session.get(SESSION_KEY, "")
        if user and request.session.get(MADE_HERE):
            user += "+"
        if user == request.COOKIES.get(USER_COOKIE, ""):
            return response
        how = {"samesite": "Lax", "path": settings.SESSION_COOKIE_PATH}
        if user:
            response.set_cookie(
                USER_COOKIE, user, _YEAR_SECONDS, secure=settings.SESSION_COOKIE_SECURE, **how
            )
        else:
            response.delete_cookie(USER_COOKIE, **how)
        return response

    return middleware
