"""What the head of a page tells other sites, and the addresses for people to copy."""

from __future__ import annotations

from django.utils.safestring import SafeString

from replays import picture
from replays.markup.text import esc, joined
from replays.paths import path
from replays.sharing import Shared
from replays.spoken import spoken


def meta(shared: Shared, address: str) -> SafeString:
    """Open Graph and oEmbed for the page at this ``address``."""
    _ = spoken()
    about = {
        "og:site_name": _("Tarock archive"),
        "og:type": "website",
        "og:title": shared.title,
        "og:description": shared.description,
        "og:url": address,
        "og:image": shared.picture,
        "og:image:type": "image/png",
        "og:image:width": str(picture.WIDTH),
        "og:image:height": str(picture.HEIGHT),
        "og:image:alt": shared.picture_words,
    }
    pieces = [f'<meta property="{name}" content="{esc(value)}">\n' for name, value in about.items()]
    pieces.append(
        '<meta name="twitter:card" content="summary_large_image">\n'
        f'<link rel="alternate" type="application/json+oembed" href="{esc(shared.oembed)}" '
        f'title="{esc(shared.title)}">\n'
    )
    return joined(pieces)


def share(shared: Shared, pk: int, has_text: bool, whole: bool) -> SafeString:
    """The addresses of a moment of deal ``pk``, to be read and copied without any script; the downloads
    (text only where there is one) and the page to print. ``whole``: whether the whole deal may be had; where
    it would tell too much, it is said that it comes at the end."""
    _ = spoken()
    tgn = f'<a href="{path("deal-tgn", pk)}">TGN</a> ' if has_text else ""
    downloads = (
        f'{tgn}<a href="{path("deal-json", pk)}">JSON</a> '
        f'<a href="{path("deal-print", pk)}">{_("Print on one page")}</a>'
        if whole
        else f'<span class="muted">{_("The whole deal can be downloaded and printed at its end.")}</span>'
    )
    fields = (
        _field("share-link", _("Link to this step"), shared.replay),
        _field("share-picture", _("Picture of the table"), shared.picture),
        f'<label for="share-code">{_("To embed it in another page")}</label><textarea id="share-code" '
        f'readonly rows="4" spellcheck="false">{esc(shared.code)}</textarea>\n',
    )
    return joined(
        (
            f'<details class="share" id="details-share"><summary>{_("Share")}</summary>\n'
            '<div class="share-fields">\n',
            *fields,
            f'<p class="share-links"><a href="{esc(shared.picture)}">{_("Picture")}</a> {downloads}</p>\n',
            "</div></details>\n",
        )
    )


def _field(name: str, label: str, value: str) -> str:
    return (
        f'<label for="{name}">{label}</label><input id="{name}" type="text" readonly value="{esc(value)}">\n'
    )
