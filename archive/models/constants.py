"""Limits, and the values of the archive's enumerations."""

from tarock.core.game import SEATS
from tarock.notation.limits import MAX_RESULT

NAME_LENGTH = 200
"""Maximum length of a player's or session's name, in characters. Names are indexed, so they must be short."""

RULES_LENGTH = 64
"""Maximum length of a rule set's name, as in the notation."""

SEARCH_LENGTH = 3 * NAME_LENGTH
"""Maximum length of a name's `searchable` form, in characters: one character can become three (“ﬃ”)."""

BATCH = 1000
"""Maximum number of deals or contributions to hold in memory, or to change in a transaction, at a time."""

KINDS = ("played", "sheet", "result")
"""Kinds of deals: recorded with cards and events, only as a score sheet, or only as points. A result without
a deal number is the total of an evening."""

PLACES = (*SEATS, *map(str, range(1, MAX_RESULT + 1)))
"""Places of players in a record: the seats, and the numbers of the lines of a result, which has no seats."""

DEAL_VERDICTS = ("verified", "illegal", "incomplete", "computed", "stated")
"""Verdicts on a deal. `computed`: the score was computed from a score sheet, without a record of the play;
`stated`: nobody has checked the points of the result."""

DEAL_SCORED = ("verified", "computed", "stated")
"""Verdicts of deals that have a score."""

VERDICTS = ("verified", "disputed", "illegal", "incomplete", "computed", "stated")
"""Verdicts on a contribution: the deal's verdict, or `disputed` if the claimed score differs."""

COUNTS = ("verified", "computed", "all")
"""Records that count in a ranking: those with cards (even if the players claim another score), also score
sheets, or also results."""

SCORED = ("verified", "disputed", "computed")
"""Verdicts of contributions to deals with a score by the rules, from the play or from a score sheet."""

VISIBILITIES = ("public", "unlisted", "members", "withdrawn", "replaced", "covered")
"""Visibilities of a contribution. `public`: everybody can see it; `unlisted`: anyone with the link can;
`members`: members of its space can. Other contributions are not listed or counted. `withdrawn`: only users
who may change it can see it; `replaced`: a corrected record replaced it; `covered`: a score sheet whose deal
was also recorded with its cards, or a result whose deal has a sheet or cards. `archive.access.readable`
decides who can see the last two."""

CHOSEN = VISIBILITIES[:3]
"""Visibilities that a sender can choose. Only contributions with one of these are listed and counted."""

FEED_KINDS = ("stored", "verdict", "corrected", "shown")
"""Kinds of changes in the feed: a contribution was stored, or its verdict, details or visibility changed."""

ROLES = ("member", "secretary", "owner")
"""Roles in a space, each including the rights of the roles before it. Members see everything and add deals;
secretaries also correct deals and invite members; owners also set roles."""

SCOPES = ("deals:write", "deals:delete", "club:admin", "campaigns:write")
"""Scopes that a token can have in addition to reading. `deals:write`: send deals and change your own;
`deals:delete`: withdraw your own; `club:admin`: change and withdraw a club's deals as its secretary or owner;
`campaigns:write`: run campaigns. A token never has more rights than its owner."""

SHARING = ("private", "link", "public")
"""Visibilities of saved variations: visible only to their user, to anyone with the link, or to everybody."""
