"""The engine's remarks in words: why a card could be played, what nearly scored, which slip explains a claim.
The engine gives values; here they become sentences of the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from replays.language import words
from replays.language.names import Names
from tarock.core.record import Record
from tarock.core.scoring import Happening, Note, ScoreLine
from tarock.view import remark as remarks
from tarock.words import sentences
from tarock.words.clauses import Clause


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence, the clause behind it, and the steps at which to look."""

    text: str
    slug: str
    clause: Clause | None
    steps: tuple[int, ...] = ()


def _remark(text: str, slug: str, names: Names, events: Iterable[int] = ()) -> Remark:
    return Remark(text, slug, names.clause(slug), tuple(event + 1 for event in events))


def _remarks(rows: Iterable[remarks.Remark], names: Names) -> list[Remark]:
    return [_remark(row.text, row.clause, names, row.events) for row in rows]


def happenings(rows: Iterable[Happening], names: Names) -> list[Remark]:
    """What the rules did by themselves, each with the steps at which to look."""
    return _remarks(remarks.happenings(rows, names), names)


def notes(rows: Iterable[Note], names: Names) -> list[Remark]:
    """What nearly scored, and what was announced and failed, a sentence each."""
    return _remarks(remarks.notes(rows, names), names)


# --- why a card? --------------------------------------------------------------------------------------------


def play(reason: Mapping[str, Any] | None, seat: str, card: str, names: Names) -> Remark | None:
    """Why a card could be played: “Bořek must play a tarock: no hearts left.” None where there is no reason.

    `reason` is one of `tarock.analysis.commentary`; `card` the card's token, for what a Fool is.
    """
    if reason is None:
        return None
    special = reason["kind"] in ("special", "open")
    text = names.sentence(sentences.play, reason, seat) if special else _play(reason, seat, card, names)
    return _remark(text, reason["clause"], names)


def _play(reason: Mapping[str, Any], seat: str, card: str, names: Names) -> str:
    suit = words.suit(reason["suit"] or "")
    kind, choices = reason["kind"], reason["choices"]
    values = {"player": names.name("seat", seat), "suit": suit, "choices": choices}
    if kind == "lead":
        return _("%(player)s leads and may lead any card.") % values
    if kind == "follow":
        if choices:
            return (
                ngettext(
                    "%(player)s must follow suit (%(suit)s) and has %(choices)s card to do it.",
                    "%(player)s must follow suit (%(suit)s) and can choose from %(choices)s cards.",
                    choices,
                )
                % values
            )
        return _("%(player)s must follow suit: %(suit)s.") % values
    if kind == "tarock":
        if choices == 1:
            return _("%(player)s must play the only tarock in hand: no %(suit)s left.") % values
        return _("%(player)s must play a tarock: no %(suit)s left.") % values
    if kind == "free":
        if reason["suit"] == "T":
            return _("%(player)s may play any card: no tarock left.") % values
        return _("%(player)s may play any card: neither %(suit)s nor a tarock left.") % values
    values["card"] = names.name("card", card.partition("(")[0], "acc")
    return _("%(player)s plays %(card)s, which has rules of its own.") % values


# --- a disputed score ---------------------------------------------------------------------------------------


def explanations(
    lines: Sequence[ScoreLine],
    score: Mapping[str, int],
    claim: Mapping[str, int],
    names: Names,
    sheet: Record | None = None,
) -> list[Remark]:
    """Every single slip by which the claim of a disputed deal would come out of its score lines, or of the
    lines of its score sheet, if there is one."""
    return _remarks(remarks.explanations(lines, score, claim, names, sheet), names)
