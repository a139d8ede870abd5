"""The archive's tables.

A *deal* is the cards and events of one round of play, stored once, with the engine's verdict. A
*contribution* contains the details that a space provides about a deal: names, session, date, claim, comments,
visibility. A *space* belongs to a club or a user, and owns players and sessions. An *upload* keeps the bytes
as sent, split into *parts* that workers parse, check and store. The tables store input and the engine's
answers, but not the rules of the games. `docs/scaling.md` lists the storage and the processing time per deal.
"""

# ruff: noqa: F401 - other modules import all this from here
# mypy: implicit-reexport

from archive.models.campaigns import Campaign, Chunk
from archive.models.collections import Collected, Collection, Opened
from archive.models.constants import (
    BATCH,
    CHOSEN,
    COUNTS,
    DEAL_SCORED,
    DEAL_VERDICTS,
    FEED_KINDS,
    KINDS,
    NAME_LENGTH,
    PLACES,
    ROLES,
    RULES_LENGTH,
    SCOPES,
    SCORED,
    SHARING,
    VERDICTS,
    VISIBILITIES,
)
from archive.models.contributions import (
    PLAYED,
    Change,
    Contribution,
    ContributionQuerySet,
    Seat,
    Seated,
)
from archive.models.deals import Deal, FormerVerdict, Judged
from archive.models.evenings import Evening, evening_visibilities
from archive.models.feed import Delivery, Removed, Webhook, WebhookQuerySet
from archive.models.following import Follow, WeeklyMail
from archive.models.hindsight import Hindsight, HindsightSpan
from archive.models.mails import Mail
from archive.models.notes import Note
from archive.models.players import (
    UNDATED,
    Player,
    PlayerQuerySet,
    Session,
    display_name,
    name_seated,
    person_seated,
)
from archive.models.puzzles import Attempt, Puzzle, PuzzleQuerySet
from archive.models.rules import RuleSet, of_unit
from archive.models.spaces import HouseRules, Invitation, Member, RemovedMember, Space
from archive.models.sums import CELL_VALUES, MADE, Cell, Figure, Mark, Tally, Total, counted
from archive.models.tokens import Token
from archive.models.uploads import ImportedTable, Part, Upload, UploadItem
from archive.models.variations import GuestVariations, Variations
from archive.models.work import Work, WorkQuerySet
