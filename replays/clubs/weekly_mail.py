"""The weekly mail with the new deals of what a user follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from archive import access
from archive.reading import following as reading
from archive.shown import ShownDeal
from archive.storing import following as storing
from replays.language import words
from replays.site.feeds import DealsFeed
from replays.site.paths import path

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser

MOST = 20
"""Maximum number of deals in a mail."""


def address_of(user: AbstractBaseUser) -> str | None:
    """Return the address to which a user's mails go: their primary one, if they have confirmed it."""
    own = EmailAddress.objects.filter(user=user, primary=True, verified=True)
    return own.values_list("email", flat=True).first()


def send(user: int) -> None:
    """Send the weekly mail to a user if it is due and there are new deals that they may see now. It is stored
    together with the time of the next one, so it is sent once, also if the mail server fails."""
    mail = storing.claim_mail(user)
    if mail is None:
        return
    address, deals = address_of(mail.user), []
    if address and mail.user.is_active:
        viewer = access.viewer(mail.user)
        until = storing.covered_until(mail)
        latest = reading.latest(reading.followed(viewer), viewer, MOST)
        deals = [deal for deal in latest if mail.since <= deal.stored_at < until]
    with transaction.atomic(), translation.override(mail.language):
        if storing.finish_mail(mail) and deals:
            _message(deals, address, path("stop-mail", storing.stop_word(user))).send()


def _message(deals: list[ShownDeal], address: str | None, stop: str) -> EmailMessage:
    """Return the mail in the current language. `stop`: path of the page that stops the mails (RFC 8058)."""
    feed, site = DealsFeed(), settings.SITE_URL
    rows = [
        f"{feed.item_title(deal)}\n{feed.item_description(deal)}\n{site}{feed.item_link(deal)}"
        for deal in deals
    ]
    lead = _("New deals of the players, sessions and clubs that you follow, as far as you may see them.")
    links = (_("Following"), path("following")), (_("Stop the weekly mail"), stop)
    footer = "\n".join(words.colon(what, f"{site}{where}") for what, where in links)
    headers = {
        "List-Unsubscribe": f"<{site}{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
    }
    body = "\n\n".join([lead, *rows, footer])
    return EmailMessage(_("New from those you follow"), body, to=[address], headers=headers)
