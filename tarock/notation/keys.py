"""The tags of the text form and the keys of the JSON form."""

from __future__ import annotations

from tarock.core.game import SEATS

SEAT_TAGS = frozenset(SEATS)
#: Optional tags in canonical order, except those that have a separate key in the JSON form.
OPTIONAL_TAGS = ("Date", "Event", "Site", "Round", "Session", "Deal", "Rules", "Recorder")
#: Tags that identify a sheet. They are required because two deals of an evening can have identical sheets.
SHEET_TAGS = ("Session", "Deal")
#: Number of deals in the total of an evening.
PLAYED_TAG = "Played"
#: Tags that have a separate key in the JSON form.
STRUCTURAL_TAGS = ("TGN", "Game", "Dealer", "Options", "Score")
#: Tag of a variation: the digest of the played deal, and the step at which the variation branches off.
ORIGIN_TAG = "From"
#: Tag with the name of the rules that the players agreed on, such as `vysocina@1`.
RULES_TAG = "Rules"
#: Tag for a score that the players agreed on instead of the calculated score.
AGREED_TAG = "Agreed"
#: Tag in lower case → tag.
KNOWN_TAGS = {
    tag.lower(): tag for tag in (*OPTIONAL_TAGS, *STRUCTURAL_TAGS, *SEATS, ORIGIN_TAG, AGREED_TAG, PLAYED_TAG)
}
KEYS = (
    "tgn", "game", "dealer", "players", "options", "tags", "deal", "events", "sheet", "result", "comments",
    "score",
)  # fmt: skip
