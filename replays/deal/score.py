"""The stored score of a deal, and the score written down by the players."""

from __future__ import annotations

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
