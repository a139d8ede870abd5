"""Limits, and the words of the archive's enumerations."""

NAME_LENGTH = 200
"""The longest name of a player or a session. Their index has a limited width."""

SEARCH_LENGTH = 3 * NAME_LENGTH
"""A letter becomes at most three (“ﬃ”)."""

BATCH = 1000
"""Number of deals with contributions in memory at a time, when many are read."""

KINDS = ("played", "sheet")
"""The recorded part of a deal: its cards and events, or only its score sheet."""

DEAL_VERDICTS = ("verified", "illegal", "incomplete", "computed")
"""Verdicts on a deal; `computed`: the score follows from the sheet, the play was not recorded."""

DEAL_SCORED = ("verified", "computed")
"""Verdicts on a deal with a score."""

VERDICTS = ("verified", "disputed", "illegal", "incomplete", "computed")
"""Verdicts on a contribution: that on its deal, or `disputed` if it claims another score."""

SCORED = ("verified", "disputed", "computed")
"""Verdicts on deals with a score: played to the end by the rules, or computed from a sheet."""

VISIBILITIES = ("public", "unlisted", "members", "withdrawn", "replaced", "covered")
"""The viewers of a contribution: everybody; holders of its link; members of its space; only those who may
change it (it counts nowhere), because it was withdrawn, a corrected record replaced it, or it is the sheet of
a deal whose cards were recorded, too."""

CHOSEN = VISIBILITIES[:3]
"""Visibilities that a sender can choose; such contributions are listed and counted, for everybody or for
members."""

FEED_KINDS = ("stored", "verdict", "corrected", "shown")
"""Changes of a contribution in the feed: it was stored; its verdict changed; its details changed, names
included; its visibility changed."""

ROLES = ("member", "secretary", "owner")
"""Roles in a space; each includes the rights of those before it. Members see everything and add deals,
secretaries also correct them and invite members, owners also set roles."""

SCOPES = ("deals:write", "deals:delete", "club:admin", "campaigns:write")
"""Scopes of a token in addition to reading: send deals and change your own; withdraw them; do both as
secretary or owner of a club; run the operator's campaigns. A token never has more rights than its owner."""

SHARING = ("private", "link", "public")
"""Visibilities of variations that a user saved with a deal: the user, anyone with the link, everybody."""
