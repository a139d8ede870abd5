"""Views of a deal settled by other rules: a page, and its picture."""

from __future__ import annotations

from hashlib import sha256
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from archive.access import EVERYBODY
from archive.addresses import Key
from archive.shown import ShownDeal
from replays.deal import settling, sharing
from replays.deal.settling import Settled, SettleForm
from replays.language.names import Names
from replays.pictures import drawing, response
from replays.site.common import ONLY_POINTS, deal_or_404
from replays.site.paths import path


def _settled(deal: ShownDeal, request: HttpRequest) -> tuple[SettleForm, Settled | None]:
    if deal.is_result:
        raise Http404(ONLY_POINTS)
    form = SettleForm(request.GET, deal.record)
    compared = form.compared()
    names = Names(deal.game, deal.players)
    return form, Settled(deal, names, compared) if compared else None


@require_safe
def settle(request: HttpRequest, key: Key) -> HttpResponse:
    """Show the settlement of a deal by two rule sets, line by line, with the options that make each
    difference. The address is `?rules=vysocina@1`, optionally with `than` for the first rule set, or
    `?options=…`."""
    deal = deal_or_404(key, request.viewer)
    form, settled = _settled(deal, request)
    context = {"deal": deal, "form": form, "settled": settled, "shared": None, "picture": ""}
    if settled is not None and deal.contribution.visibility == "public":
        chosen = {name: value for name, value in form.cleaned_data.items() if value}
        query = urlencode({**chosen, "language": get_language() or "en"})
        root = f"{request.scheme}://{request.get_host()}"
        picture = f"{path('settle-picture', deal.key)}?{query}"
        shared = sharing.Preview(
            title=_("Settle by %(rules)s") % {"rules": settled.title},
            description=sharing.title(deal),
            picture=root + picture,
            picture_words=settled.title,
        )
        context |= {
            "shared": shared,
            "address": f"{root}{request.path}?{urlencode(chosen)}",
            "picture": picture,
        }
    return render(request, "deal/settle.html", context)


@require_safe
def settle_png(request: HttpRequest, key: Key) -> HttpResponse:
    """Return the picture of the comparison, 1200 by 630 pixels, of a public deal."""
    deal = deal_or_404(key, EVERYBODY)
    with translation.override(response.language(request) or settings.LANGUAGE_CODE):
        _form, settled = _settled(deal, request)
        if settled is None:
            raise Http404
        svg = settled.svg()
    mark = f"settle-{settling.VERSION}-{sha256(svg.encode()).hexdigest()[:32]}"
    return response.answer(request, mark, lambda: drawing.png(svg))
