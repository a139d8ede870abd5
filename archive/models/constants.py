"""Limits, and the values of the archive's enumerations."""

NAME_LENGTH = 200
"""Maximum length of the name of a player or a session. The width of their index is limited."""

SEARCH_LENGTH = 3 * NAME_LENGTH
"""Maximum length of a name in its form for searching. A character becomes at most three letters (“ﬃ”)."""

BATCH = 1000
"""Number of deals, with their contributions, to hold in memory at a time when reading many deals."""

KINDS = ("played", "sheet")
"""Kinds of deals: recorded with cards and events, or only as a score sheet."""

DEAL_VERDICTS = ("verified", "illegal", "incomplete", "computed")
"""Verdicts on a deal. `computed`: the play was not recorded, so the score comes from the sheet."""

DEAL_SCORED = ("verified", "computed")
"""Verdicts on a deal with a score."""

VERDICTS = ("verified", "disputed", "illegal", "incomplete", "computed")
"""Verdicts on a contribution: the deal's verdict, or `disputed` if the contribution claims another score."""

SCORED = ("verified", "disputed", "computed")
"""Verdicts on contributions to deals with a score: played to the end, or computed from a sheet."""

VISIBILITIES = ("public", "unlisted", "members", "withdrawn", "replaced", "covered")
"""Visibilities of a contribution. `public`: everybody can see it; `unlisted`: anyone with the link;
`members`: members of its space. Contributions with other visibilities are not counted anywhere. `withdrawn`:
only users who may change the contribution can see it; `replaced` (by a corrected record) and `covered` (the
score sheet of a deal whose cards were recorded, too): see `archive.access.readable`."""

CHOSEN = VISIBILITIES[:3]
"""Visibilities that a sender can choose. Only contributions with one of these are listed and counted."""

FEED_KINDS = ("stored", "verdict", "corrected", "shown")
"""Kinds of changes in the feed. `corrected`: the details changed; `shown`: the visibility changed."""

ROLES = ("member", "secretary", "owner")
"""Roles in a space, each with the rights of those before it. Members see everything and add deals;
secretaries also correct deals and invite members; owners also set roles."""

SCOPES = ("deals:write", "deals:delete", "club:admin", "campaigns:write")
"""Scopes of a token in addition to reading: send deals and change your own; withdraw your own; change and
withdraw deals as secretary or owner of a club; run campaigns. A token never has more rights than its
owner."""

SHARING = ("private", "link", "public")
"""Visibilities of saved variations: only for their user, for anyone with the link, or for everybody."""
