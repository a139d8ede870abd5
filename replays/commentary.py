"""What the engine found worth telling, in words: why a card could be played, what nearly scored, which slip
explains a claim. The engine gives values; here they become sentences of the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import ngettext

from replays import presenters, words
from replays.spoken import said as _
from replays.spoken import spoken
from tarock import audit
from tarock.clauses import Clause
from tarock.scoring import Note, ScoreLine


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence, the clause behind it, and the steps at which to look."""

    text: str
    slug: str
    clause: Clause | None
    steps: tuple[int, ...] = ()


def play(reason: Mapping[str, Any] | None, player: str, card: str, game: str) -> Remark | None:
    """Why a card could be played: “Bořek must play a tarock: no hearts left.” None where there is no reason.

    ``reason`` is one of ``tarock.commentary``; ``card`` the card's token, for what a Fool is.
    """
    if reason is None:
        return None
    slug = reason["clause"]
    return Remark(_play(reason, player, card, game), slug, presenters.clause(slug))


def _play(reason: Mapping[str, Any], player: str, card: str, game: str) -> str:
    suit = words.SUITS_IN_WORDS.get(reason["suit"] or "", "")
    kind, choices = reason["kind"], reason["choices"]
    values = {"player": player, "suit": suit, "choices": choices}
    if kind == "lead":
        return _("%(player)s leads and may lead any card.") % values
    if kind == "follow":
        if choices == 1:
            return _("%(player)s must follow suit (%(suit)s) and has one card to do it.") % values
        if choices:
            return (
                _("%(player)s must follow suit (%(suit)s) and can choose among %(choices)s cards.") % values
            )
        return _("%(player)s must follow suit: %(suit)s.") % values
    if kind == "tarock":
        if choices == 1:
            return _("%(player)s must play his only tarock: no %(suit)s left.") % values
        return _("%(player)s must play a tarock: no %(suit)s left.") % values
    if kind == "free":
        if reason["suit"] == "T":
            return _("%(player)s may play any card: no tarock left.") % values
        return _("%(player)s may play any card: neither %(suit)s nor a tarock left.") % values
    if kind == "fool":
        values["card"] = words.card_name(card.partition("(")[0], game)
        return _("%(player)s plays the %(card)s, which goes by clauses of its own.") % values
    clause = presenters.clause(reason["clause"])
    values["title"] = clause.title if clause else reason["clause"]
    if choices is None:
        return _("A clause of its own limits %(player)s: %(title)s.") % values
    return (
        ngettext(
            "A clause of its own limits %(player)s to %(choices)s card: %(title)s.",
            "A clause of its own limits %(player)s to %(choices)s cards: %(title)s.",
            choices,
        )
        % values
    )


# --- why not? -----------------------------------------------------------------------------------------------


def notes(found: Sequence[Note], players: Mapping[str, str], game: str) -> list[Remark]:
    """What nearly scored, and what was announced and failed, a sentence each."""
    return [
        Remark(_note(note, players, game), note.clause, presenters.clause(note.clause), _steps(note.events))
        for note in found
    ]


def _steps(events: Sequence[int]) -> tuple[int, ...]:
    return tuple(event + 1 for event in events)


def _note(note: Note, players: Mapping[str, str], game: str) -> str:
    values: dict[str, Any] = dict(note.values)
    clause = presenters.clause(note.clause)
    values["clause"] = clause.title if clause else note.clause
    for name in ("seat", "winner"):
        if name in values:
            values[name] = players.get(values[name], values[name])
    if "side" in values:
        side = values["side"]
        values["side"] = players.get(side) or words.side_name(side)
    if "card" in values:
        values["card"] = words.card_name(values["card"].partition("(")[0], game)
    if "item" in values:
        values["item"] = words.item(values["item"])
    template = _templates(note).get(note.kind)
    # A kind that a later engine finds has no sentence yet: its clause still says what it is about.
    return template % values if template else _("%(clause)s: did not score.") % values


def _templates(note: Note) -> dict[str, str]:
    _ = spoken()
    told = "trick" in note.values
    wanted = note.values.get("wanted")
    return {
        "trick-off": _(
            "%(seat)s played the %(card)s to trick %(trick)s; it would have counted in trick %(wanted)s."
        ),
        "points-near": _("%(side)s has %(points)s card points: %(wanted)s would have made the difference."),
        "tricks-near": _("%(side)s took %(tricks)s trick: none was wanted.")
        if wanted == 0
        else _("%(side)s took %(tricks)s of the %(wanted)s tricks that were wanted."),
        "pagat-early": _(
            "%(seat)s announced the pagat and had to let it go in trick %(trick)s, before the last one."
        ),
        "pagat-lost": _(
            "%(seat)s announced the pagat and played it to the last trick, but %(winner)s took it."
        ),
        "pagat-partner": _(
            "%(seat)s announced the pagat, but the last trick went to %(winner)s, of the same side, "
            "by a higher card."
        ),
        "valat-failed": _("%(seat)s announced the valat; %(winner)s ended it by taking trick %(trick)s."),
        "bole-failed": _("%(seat)s announced bolé; %(winner)s ended it by taking trick %(trick)s.")
        if told
        else _("%(seat)s announced bolé and did not make it."),
        "null-failed": _("%(seat)s announced null and took trick %(trick)s.")
        if told
        else _("%(seat)s announced null and did not make it."),
        "call-in-vain": _("%(seat)s called with the %(card)s in trick %(trick)s, in vain."),
        "not-declared": _("%(seat)s held %(item)s and did not declare it."),
        "fool-lost": _("The Sküs of %(seat)s went to %(winner)s with trick %(trick)s."),
        "fool-dead": _(
            "%(seat)s withheld the Bättler once; from then on it was dead, and came down in the last "
            "trick only."
        ),
    }


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
        clause = presenters.clause(line.clause) if line else None
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
        return _("The claim comes out if the scores of %(one)s and %(other)s are exchanged.") % {
            "one": names[0],
            "other": names[1],
        }
    sentences = {
        "left-out": _("The claim comes out if the line “%(title)s” is left out."),
        "twice": _("The claim comes out if the line “%(title)s” is counted twice."),
        "reversed": _("The claim comes out if the line “%(title)s” is given to the wrong side."),
        "undoubled": _("The claim comes out if the doubling of the line “%(title)s” is forgotten."),
        "unrated": _("The claim comes out if the line “%(title)s” pays only one for each card point."),
        "signs": _("The claim comes out if every sign is turned round."),
    }
    return sentences[slip.how] % {"title": title}
