"""What the engine found worth telling, in words: why a card could be played, what nearly scored, which slip
explains a claim. The engine gives values; here they become sentences of the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from replays import sentences, words
from replays.clauses import clause as find_clause
from replays.sentences import Names
from tarock import audit
from tarock.clauses import Clause
from tarock.scoring import Happening, Note, ScoreLine


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence, the clause behind it, and the steps at which to look."""

    text: str
    slug: str
    clause: Clause | None
    steps: tuple[int, ...] = ()


def happenings(rows: Iterable[Happening], names: Names) -> list[Remark]:
    """What the rules did by themselves, as a position or a row of an outline tells it."""
    return [
        Remark(sentences.happening(row, names), row.clause, find_clause(row.clause), (row.event + 1,))
        for row in rows
    ]


def play(reason: Mapping[str, Any] | None, seat: str, card: str, names: Names) -> Remark | None:
    """Why a card could be played: “Bořek must play a tarock: no hearts left.” None where there is no reason.

    ``reason`` is one of ``tarock.commentary``; ``card`` the card's token, for what a Fool is.
    """
    if reason is None:
        return None
    slug = reason["clause"]
    special = reason["kind"] in ("special", "open")
    said = sentences.play(reason, seat, names) if special else _play(reason, seat, card, names)
    return Remark(said, slug, find_clause(slug))


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


# --- why not? -----------------------------------------------------------------------------------------------


def notes(found: Sequence[Note], names: Names) -> list[Remark]:
    """What nearly scored, and what was announced and failed, a sentence each."""
    return [
        Remark(sentences.note(note, names), note.clause, find_clause(note.clause), _steps(note.events))
        for note in found
    ]


def _steps(events: Sequence[int]) -> tuple[int, ...]:
    return tuple(event + 1 for event in events)


# --- a disputed score ---------------------------------------------------------------------------------------


def explanations(
    lines: Sequence[ScoreLine],
    score: Mapping[str, int] | None,
    claim: Mapping[str, int] | None,
    players: Mapping[str, str],
) -> list[Remark]:
    """Every single slip by which the claim of a disputed deal would come out of its score lines.
    ``players``: names by seat."""
    if not claim or not score or set(claim) != set(score):
        return []
    found = []
    for slip in audit.explain(lines, score, claim):
        line = lines[slip.line] if slip.line is not None else None
        clause = find_clause(line.clause) if line else None
        found.append(
            Remark(
                _slip(slip, clause.title if clause else "", [players.get(s, s) for s in slip.seats]),
                line.clause if line else "",
                clause,
                _steps(line.events) if line else (),
            )
        )
    return found


def _slip(slip: audit.Explanation, title: str, names: Sequence[str]) -> str:
    if slip.how == "swapped":
        return _("The scores of %(one)s and %(other)s were exchanged.") % {
            "one": names[0],
            "other": names[1],
        }
    sentences = {
        "left-out": _("The line “%(title)s” was left out."),
        "twice": _("The line “%(title)s” was counted twice."),
        "reversed": _("The line “%(title)s” was given to the wrong side."),
        "undoubled": _("The doubling of the line “%(title)s” was forgotten."),
        "unrated": _("The line “%(title)s” was paid at only one for each card point."),
        "signs": _("Plus and minus were exchanged."),
    }
    return sentences[slip.how] % {"title": title}
