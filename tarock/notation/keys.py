"""The tags of the text form and the keys of the JSON form."""

from __future__ import annotations

from tarock.core.game import SEATS

SEAT_TAGS = frozenset(SEATS)
#: Optional tags in canonical order, without those that have another place in the JSON form.
OPTIONAL_TAGS = ("Date", "Event", "Site", "Round", "Session", "Deal", "Recorder")
#: The tags that identify a sheet: without cards, two deals of an evening may have the same sheet.
SHEET_TAGS = ("Session", "Deal")
#: Tags that have a place of their own in the JSON form.
STRUCTURAL_TAGS = ("TGN", "Game", "Dealer", "Options", "Score")
#: The tag of a variation: the digest of the deal that was played, and the step at which it goes another way.
ORIGIN_TAG = "From"
#: The tag of a score that the players agreed on, in place of one by the rules.
AGREED_TAG = "Agreed"
#: Tag in small letters → tag.
KNOWN_TAGS = {tag.lower(): tag for tag in (*OPTIONAL_TAGS, *STRUCTURAL_TAGS, *SEATS, ORIGIN_TAG, AGREED_TAG)}
KEYS = ("tgn", "game", "dealer", "players", "options", "tags", "deal", "events", "sheet", "comments", "score")
