"""The stored score of a deal, and the score written down by the players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from archive.access import Viewer
from archive.reading.sessions import totals_after
from archive.shown import ShownDeal
from replays.deal.analysis import analysis_of
from replays.language.names import Names
from tarock.view.score import ScoreView


def score_view(deal: ShownDeal, names: Names) -> ScoreView:
    """Return the stored score of a deal in the language of the names."""
    return ScoreView(
        names,
        deal.lines,
        deal.score or {},
        deal.contribution.claimed or {},
        analysis_of(deal).deal.checked.facts,
        deal.record if deal.is_sheet else None,
    )


@dataclass(frozen=True)
class ScorePage:
    """Values that the audit page and the score sheet page share. Each value is computed when it is used."""

    deal: ShownDeal
    names: Names
    viewer: Viewer

    @cached_property
    def score(self) -> ScoreView:
        """The score, line by line; empty if it can't be computed from the sheet."""
        return score_view(self.deal, self.names)

    @property
    def so_far(self) -> Mapping[str, int]:
        """Each seat's total in the session after this deal; empty if the deal has no session."""
        return totals_after(self.deal, self.viewer)
