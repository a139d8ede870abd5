"""Helpers of tests that change what is stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from archive.access import EVERYBODY, Viewer
from archive.models import Contribution, Session
from archive.reading import scores, sessions
from archive.reading.deals import contributions_to
from archive.reading.players import find_players
from archive.reading.uploads import results_of
from archive.storing.contribution_data import from_contribution
from archive.storing.evenings import Conflict
from archive.storing.spaces import InvitationEnded, LastOwner, NameTaken
from tests.support import settling, storing
from tests.support.storing import stored


def contribution_of(text: str, **how: Any) -> Contribution:
    """Return the sender's contribution to the deal of a record, which is stored first."""
    upload = stored(text, **how)
    return Contribution.objects.get(deal=results_of(upload)[0].deal, space=upload.space)


def counts_nowhere(said: Contribution, viewer: Viewer = EVERYBODY) -> bool:
    """Whether no list, number or table has anything of a contribution that is the only one to its deal."""
    settling.settle()
    tables = [sessions.session_table(one, viewer=viewer) for one in Session.objects.all()]
    deals = {deal.pk for deal in storing.deals(viewer=viewer)}
    deals |= {row.key.deal for table in tables for row in table.rows}
    names = {player.name for player in find_players(viewer=viewer)}
    names |= {row.name for row in scores.player_scores(viewer=viewer)}
    return (
        said.deal_id not in deals
        and not names & set(from_contribution(said).players)
        and not contributions_to(said.deal_id, viewer)
        and said.session_id not in {one.pk for one in sessions.find_sessions(viewer)}
    )


def succeeds(action: Callable[..., object], *arguments: Any, **how: Any) -> bool:
    """Whether an action is carried out, or refused as one that somebody else forestalled."""
    try:
        action(*arguments, **how)
    except (Conflict, InvitationEnded, LastOwner, NameTaken):
        return False
    return True
