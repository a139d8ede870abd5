"""Limits, and the values of the archive's enumerations."""

NAME_LENGTH = 200
"""Maximum length of the name of a player or session, in characters. Index entries must be short."""

SEARCH_LENGTH = 3 * NAME_LENGTH
"""Maximum length of a name's `searchable` form, in which a character becomes up to three letters (“ﬃ”)."""

BATCH = 1000
"""Maximum number of deals or contributions to hold in memory, or to change in a transaction, at a time."""

KINDS = ("played", "sheet")
"""Kinds of deals: recorded with cards and events, or only as a score sheet."""

DEAL_VERDICTS = ("verified", "illegal", "incomplete", "computed")
"""Verdicts on a deal. `computed`: the play was not recorded, so the score is from a score sheet."""

DEAL_SCORED = ("verified", "computed")
"""Verdicts on a deal that mean that the deal has a score."""

VERDICTS = ("verified", "disputed", "illegal", "incomplete", "computed")
"""Verdicts on a contribution: the deal's verdict, or `disputed` if the contribution claims another score."""

SCORED = ("verified", "disputed", "computed")
"""Verdicts on a contribution that mean that its deal has a score, from the play or from a sheet."""

VISIBILITIES = ("public", "unlisted", "members", "withdrawn", "replaced", "covered")
"""Visibilities of a contribution. `public`: everybody can see it; `unlisted`: anyone with the link;
`members`: members of its space. Contributions with other visibilities are not listed or counted. `withdrawn`:
only users who may change it can see it; `replaced`: by a corrected record; `covered`: a score sheet whose
deal was also recorded with its cards. For the last two, `archive.access.readable` decides who can see it."""

CHOSEN = VISIBILITIES[:3]
"""Visibilities that a sender can choose. Only contributions with one of these are listed and counted."""

FEED_KINDS = ("stored", "verdict", "corrected", "shown")
"""Kinds of changes in the feed. `corrected`: the details changed; `shown`: the visibility changed."""

ROLES = ("member", "secretary", "owner")
"""Roles in a space, each with the rights of those before it. Members see everything and add deals;
secretaries also correct deals and invite members; owners also set roles."""

SCOPES = ("deals:write", "deals:delete", "club:admin", "campaigns:write")
"""Scopes of a token, in addition to reading. `deals:write`: send deals and change your own; `deals:delete`:
withdraw your own; `club:admin`: change and withdraw a club's deals as its secretary or owner;
`campaigns:write`: run campaigns. A token never has more rights than its owner."""

SHARING = ("private", "link", "public")
"""Visibilities of saved variations: only for their user, for anyone with the link, or for everybody."""
