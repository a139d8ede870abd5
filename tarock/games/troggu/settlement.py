"""The settlement of Troggu: the score lines for payments in chips, and the notes on a deal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tarock.core.scoring import Note, ScoreLine
from tarock.games.troggu.outcome import WINS, TrogguOutcome

if TYPE_CHECKING:
    from tarock.games.troggu.rules import Troggu

_FEW = 30


def game(outcome: TrogguOutcome) -> Iterator[ScoreLine]:
    """Yield the score line for the payments between each opponent and the Tappist's side (`troggu.game`,
    `troggu.solo` or `troggu.partner-split`)."""
    tappist, partner, solo = outcome.tappist or "", outcome.partner_seat, outcome.solo
    sides, points = outcome.sides, outcome.card_points
    own, others = points["tappist"], points["opponents"]
    clause = "troggu.partner-split" if partner else "troggu.solo" if solo else "troggu.game"
    quantity: dict[str, Any] = {"card_points": points, "own": own, "others": others}
    if own == WINS - 1:
        yield ScoreLine(clause, {}, quantity, ("draw",))
        return
    won = own >= WINS
    losers, lost = ("opponents", others) if won else ("tappist", own)
    if outcome.trickless == losers:
        level, sentence = 3, "no-trick"
    elif lost <= _FEW:
        level, sentence = 2, "few-points"
    else:
        level, sentence = 1, "points"
    level *= outcome.options.stake
    chips = 2 * level if solo else level
    rest = sides["opponents"]
    sign = 1 if won else -1
    points_by_seat = dict.fromkeys(rest, -sign * chips)
    sentences = [sentence, *(["solo"] if solo else []), "gets" if won else "pays"]
    quantity |= {
        "lost": lost,
        "few": _FEW,
        "level": level,
        "chips": chips,
        "opponents": len(rest),
        "solo": solo,
        "tappist": tappist,
    }
    if partner:
        sentences.append("split-gets" if won else "split-pays")
        quantity |= {"partner": partner, "partners_share": 2, "tappists_share": len(rest) - 2}
        points_by_seat[partner] = sign * 2 * chips
        points_by_seat[tappist] = sign * (len(rest) - 2) * chips
    else:
        points_by_seat[tappist] = sign * len(rest) * chips
    yield ScoreLine(clause, dict(sorted(points_by_seat.items())), quantity, tuple(sentences))


def misere(outcome: TrogguOutcome) -> Iterator[ScoreLine]:
    """Yield the score line for a misère: the seats with the most points pay the others (`troggu.misere`)."""
    points, active = outcome.card_points, outcome.active
    most = max(points.values())
    payers = [s for s in active if points[s] == most]
    rest = [s for s in active if s not in payers]
    quantity = {"card_points": points, "most": most, "payers": payers, "others": len(rest)}
    if not rest:
        yield ScoreLine("troggu.misere", {}, quantity, ("all-tied",))
        return
    stake = outcome.options.stake
    shares = {s: (-len(rest) if s in payers else len(payers)) * stake for s in active}
    sentences: tuple[str, ...] = ("one-pays" if len(payers) == 1 else "tied-pay",)
    if stake > 1:
        quantity, sentences = quantity | {"stake_of": stake}, (*sentences, "staked")
    yield ScoreLine("troggu.misere", shares, quantity, sentences)


def settle(outcome: TrogguOutcome) -> Iterator[ScoreLine]:
    """Yield the score lines for an outcome."""
    yield from misere(outcome) if outcome.contract == "misere" else game(outcome)


# -- notes ---------------------------------------------------------------------------------------------------


def game_missed(table: Troggu) -> Iterator[Note]:
    """Yield notes on a side that was one point short of winning or of paying less."""
    points = table.sides_points()
    if points["tappist"] == WINS - 1:
        yield Note("troggu.game", "points-near", {"side": "tappist", "points": WINS - 1, "wanted": WINS})
    for side, count in points.items():
        if count == _FEW:
            yield Note("troggu.game", "points-near", {"side": side, "points": _FEW, "wanted": _FEW + 1})


def notes(table: Troggu) -> Iterator[Note]:
    """Yield the notes on a finished deal, starting with the note on a dead Bättler, if any."""
    if table.dead:
        yield Note("troggu.bettler-withheld", "dead", {"seat": table.dead})
    if not table.misere:
        yield from game_missed(table)
