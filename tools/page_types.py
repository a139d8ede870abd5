"""One URL for each type of page, for the benchmarks and the tests that look at all of them.

Placeholders are names of stored things: `deal` (played and verified), `disputed`, `illegal`, `sheet` (a score
sheet), `crowded` (a Troggu deal of eight), `player` and `other` (who played together), `session`, `club`,
`upload`, `puzzle` (a composed one), and the keys `variations`, `invitation` and `collection`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from tarock.analysis.simulate import simulate
from tarock.notation import write_text

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser

SEED, MOST_STEPS = 20261122, 40
"""Seed of the simulated deals, and number of events that a deal must exceed."""

PLACES = (
    "deal", "disputed", "illegal", "sheet", "crowded", "player", "other", "session", "club", "upload",
    "variations", "invitation", "puzzle", "collection",
)  # fmt: skip
"""The placeholders in the URLs."""

REPLAY = "/deals/{deal}/replay/"

PAGE_TYPES = {
    "front page": "/",
    "deals": "/deals/",
    "search": "/deals/?player_id={player}&game=taroky&clause=taroky.game",
    "deal": "/deals/{deal}/",
    "illegal deal": "/deals/{illegal}/",
    "replay": REPLAY,
    "replay, in the middle": f"{REPLAY}?step=30",
    "replay, one seat’s view": f"{REPLAY}?step=30&view=B",
    "replay, guessing": f"{REPLAY}?step=30&view=B&guess=1",
    "replay, result": f"{REPLAY}?step=999",
    "replay, eight seats": "/deals/{crowded}/replay/?step=20",
    "audit": "/deals/{deal}/audit/",
    "audit, disputed": "/deals/{disputed}/audit/",
    "audit, illegal": "/deals/{illegal}/audit/",
    "audit, score sheet": "/deals/{sheet}/audit/",
    "audit, eight seats": "/deals/{crowded}/audit/",
    "other rules": "/deals/{deal}/settle/",
    "what-if": "/deals/{deal}/try/?step=30",
    "saved variations": "/variations/{variations}/",
    "saved variations, embedded": "/variations/{variations}/embed/",
    "deal, printed": "/deals/{deal}/print/",
    "deal, embedded": "/deals/{deal}/embed/?step=30",
    "players": "/players/",
    "player": "/players/{player}/",
    "head-to-head": "/players/{player}/?with={other}",
    "sessions": "/sessions/",
    "session": "/sessions/{session}/",
    "session, printed": "/sessions/{session}/print/",
    "seating after a session": "/sessions/{session}/seating/",
    "puzzles": "/puzzles/",
    "puzzle": "/puzzles/{puzzle}/",
    "collections": "/collections/",
    "collection": "/collections/{collection}/",
    "leaderboard": "/leaderboard/?game=taroky&least=1",
    "statistics": "/statistics/?game=taroky",
    "statistics of a club": "/clubs/{club}/statistics/?game=taroky",
    "explorer": "/explorer/?game=taroky&tarocks=5",
    "clubs": "/clubs/",
    "club": "/clubs/{club}/",
    "season": "/clubs/{club}/season/?game=taroky",
    "seating after a season": "/clubs/{club}/season/seating/?game=taroky",
    "rules of a club": "/clubs/{club}/rules/",
    "rules of a club, printed": "/clubs/{club}/rules/taroky/",
    "rules": "/rules/",
    "rules of a game": "/rules/taroky/",
    "options of a game": "/rules/taroky/options/",
    "learn a game": "/learn/taroky/",
    "rules for players": "/learn/taroky/rules/",
    "quiz": "/learn/taroky/quiz/",
    "hand for newcomers": "/learn/taroky/hands/1/",
    "glossary": "/learn/taroky/words/",
    "notation": "/notation/",
    "score sheets": "/notation/sheets/",
    "guide of the API": "/api/v1/guide",
    "reference of the API": "/api/v1/docs",
    "open data": "/dumps/",
    "terms": "/terms/",
    "privacy": "/privacy/",
    "upload": "/upload/",
    "old results": "/import/",
    "uploads": "/uploads/",
    "check": "/check/",
    "check on your own machine": "/check/own/",
    "board": "/board/",
    "evenings": "/evenings/",
    "sign in": "/accounts/login/",
    "sign up": "/accounts/signup/",
    "new password": "/accounts/password/reset/",
}
"""Pages for everybody."""

OWN_PAGE_TYPES = {
    "front page, signed in": "/",
    "upload’s result": "/uploads/{upload}/",
    "editor of a record": "/uploads/{upload}/records/1/edit/",
    "editor of a deal": "/deals/{deal}/edit/",
    "deal on the board": "/deals/{deal}/board/",
    "correction": "/deals/{deal}/correct/",
    "deal for a collection": "/deals/{deal}/collect/?step=30",
    "visibility of deals": "/deals/visibility/",
    "club, for its owner": "/clubs/{club}/",
    "new club": "/clubs/new/",
    "settings of a club": "/clubs/{club}/settings/",
    "price list of a club": "/clubs/{club}/rules/taroky/change/",
    "webhooks of a club": "/clubs/{club}/webhooks/",
    "webhooks": "/accounts/webhooks/",
    "invitation": "/join/{invitation}/",
    "following": "/following/",
    "my year": "/me/year/2026/",
    "my latest year": "/me/year/",
    "year of a club, printed": "/clubs/{club}/year/2026/",
    "own season": "/accounts/season/",
    "seating after the own season": "/accounts/season/seating/?game=taroky",
    "tokens": "/accounts/token/",
    "e-mail addresses": "/accounts/email/",
    "change of the password": "/accounts/password/change/",
    "end of the account": "/accounts/delete/",
}
"""Pages for a signed-in user, who founded the club and sent the upload and the deal."""

APPS = ("board", "deal on the board", "what-if", "saved variations", "evenings")
"""Pages that load the apps of the table, which are larger than pages to read."""

_SAMPLES = Path(__file__).parent.parent / "deploy" / "samples"


def store_examples(user: AbstractBaseUser) -> dict[str, Any]:
    """Store examples for the pages, as an upload of this user for a new club; return the values of the
    placeholders."""
    from archive.models import Contribution, Deal, Puzzle, Variations
    from archive.reading.uploads import results_of
    from archive.storing import collections, house_rules, intake, puzzles, spaces, sums, uploads

    club = spaces.found_club("Tarockrunde Villach", by=user)
    # Deals that end after the bidding have nothing to replay.
    played = [one for one in simulate("taroky", deals=24, seed=SEED) if len(one.events) > MOST_STEPS]
    crowded = next(simulate("troggu", players=8, deals=1, seed=SEED))
    files = ("wrong-4-malformed", "wrong-1-disputed", "wrong-2-illegal", "sheet-1-first-duty")
    texts = [(_SAMPLES / f"{name}.tgn").read_text(encoding="utf-8") for name in files]
    texts += map(write_text, [crowded, *played])
    upload = uploads.receive(["\n".join(texts).encode()], limit=10**7, user=user, space=club, send=False)
    intake.store(upload.parts.get().pk)
    sums.settle(float("inf"))
    house_rules.adopt(club, "taroky", ["cap=1000"], "villach", by=user)
    disputed, illegal, sheet, other, deal = [one.deal for one in results_of(upload) if one.deal][:5]
    said = Contribution.objects.get(deal=deal)
    player, companion = said.seats.order_by("seat").values_list("player", flat=True)[:2]
    step, (seat, verb, *_card) = next((n, e) for n, e in enumerate(played[0].events) if e[1] == "play")
    later = [event for event in played[0].events[step + 1 :] if event[:2] == (seat, verb)]
    line = {"id": 1, "from": 0, "step": step, "events": [list(later[0])], "name": "", "comment": ""}
    saved = Variations.objects.create(key=uuid4(), deal_id=deal, user=user, visibility="public", lines=[line])
    of_deal = player, companion, said.session_id, club.pk, upload.pk
    puzzles.load_composed()
    keys = saved.key, spaces.invite(club, by=user).key, Puzzle.objects.filter(deal=None).latest("pk").pk
    collection = collections.begin(user, "Announcements", "Worth another look", "public")
    for one in (deal, sheet):
        collections.add(collection, Deal.objects.get(pk=one), 30, "Why not the Pagat?")
    values = deal, disputed, illegal, sheet, other, *of_deal, *keys, collection.key
    return dict(zip(PLACES, values, strict=True))
