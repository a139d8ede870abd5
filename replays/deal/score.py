"""The stored score of a deal, and the score that players wrote down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from archive.shown import ShownDeal
from replays.language.names import Names
from tarock.view.score import ScoreView


def score_view(deal: ShownDeal, names: Names, facts: Mapping[str, Any]) -> ScoreView:
    """Return the stored score of a deal in the language of the names."""
    return ScoreView(
        names,
        deal.lines,
        deal.score or {},
        deal.contribution.claimed or {},
        facts,
        deal.record if deal.is_sheet else None,
    )
