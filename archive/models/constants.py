"""Limits, and the words of the archive's enumerations."""

NAME_LENGTH = 200
"""Longest name of a player or a session that is kept: they are looked up by an index of bounded width."""

SEARCH_LENGTH = 3 * NAME_LENGTH
"""One letter becomes three at most (“ﬃ”)."""

BATCH = 1000
"""Deals with their contributions that are in memory at a time, where many are read one after the other."""

DEAL_VERDICTS = ("verified", "illegal", "incomplete")
"""What the check of a deal can say."""

VERDICTS = ("verified", "disputed", "illegal", "incomplete")
"""What can be said of a contribution: the verdict on its deal, or that the score it claims is another."""

SCORED = ("verified", "disputed")
"""The verdicts of deals that were played to the end by the rules and so have a score."""

VISIBILITIES = ("public", "unlisted", "members", "withdrawn", "replaced")
"""Who sees a contribution: everybody; who has its link; the members of its space; nobody but those who may
change it (it counts nowhere): it was withdrawn, or a corrected record stands in its place."""

CHOSEN = VISIBILITIES[:3]
"""Those in which a contribution stands in lists and counts, for all or for members."""

FEED_KINDS = ("stored", "verdict", "corrected", "shown")
"""What can happen to a contribution, as the feed of changes says it: it was stored; the engine's answer is
another; something else is said of the deal, names included; others see it than before."""

ROLES = ("member", "secretary", "owner")
"""What one is in a space; each may do what those before it may. Members see all and add deals, secretaries
also correct them and invite members, owners also say who is what."""

SCOPES = ("deals:write", "deals:delete", "club:admin", "campaigns:write")
"""What a token may be used for beside reading: to send deals and change one's own; to withdraw them; in
addition, for what takes a secretary or an owner of a club; for the operator's campaigns. A token never may
more than its owner."""
