"""The engine's remarks in words: why a card could be played, what nearly scored, which slip explains a claim.
The engine gives values; here they become sentences of the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from replays import words
from replays.names import Names
from tarock import audit, sentences
from tarock.clauses import Clause
from tarock.games import GAMES
from tarock.record import Record
from tarock.scoring import Happening, Note, ScoreLine
from tarock.sheet_words import sheet_line


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence, the clause behind it, and the steps at which to look."""

    text: str
    slug: str
    clause: Clause | None
    steps: tuple[int, ...] = ()


def _remark(text: str, slug: str, names: Names, events: Iterable[int] = ()) -> Remark:
    return Remark(text, slug, names.clause(slug), tuple(event + 1 for event in events))


def happenings(rows: Iterable[Happening], names: Names) -> list[Remark]:
    """What the rules did by themselves, in a position or a row of an outline."""
    return [_remark(names.sentence(sentences.happening, row), row.clause, names, [row.event]) for row in rows]


def notes(rows: Iterable[Note], names: Names) -> list[Remark]:
    """What nearly scored, and what was announced and failed, a sentence each."""
    return [_remark(names.sentence(sentences.note, row), row.clause, names, row.events) for row in rows]


# --- why a card? --------------------------------------------------------------------------------------------


def play(reason: Mapping[str, Any] | None, seat: str, card: str, names: Names) -> Remark | None:
    """Why a card could be played: “Bořek must play a tarock: no hearts left.” None where there is no reason.

    ``reason`` is one of ``tarock.commentary``; ``card`` the card's token, for what a Fool is.
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
    if not claim or not score or set(claim) != set(score):
        return []
    rows = []
    for slip in audit.explain(lines, score, claim):
        if slip.line is None:
            rows.append(Remark(_slip(slip, "", names), "", None))
        else:
            line = lines[slip.line]
            clause = names.clause(line.clause)
            text = _slip(slip, clause.title if clause else "", names)
            rows.append(_remark(text, line.clause, names, line.events))
    fields = GAMES[sheet.game].table.OUTCOME.fields() if sheet else {}
    for slip in audit.explain_sheet(sheet) if sheet else ():
        of = slip.written or slip.meant or ("",)
        rows.append(_remark(_slip_on_sheet(slip, names), fields[str(of[0])].clause, names))
    return rows


def _slip(slip: audit.Explanation, title: str, names: Names) -> str:
    if slip.how == "swapped":
        one, other = (names.name("seat", seat) for seat in slip.seats[:2])
        return _("The scores of %(one)s and %(other)s were exchanged.") % {"one": one, "other": other}
    patterns = {
        "left-out": _("The line “%(title)s” was left out."),
        "twice": _("The line “%(title)s” was counted twice."),
        "reversed": _("The line “%(title)s” was given to the wrong side."),
        "undoubled": _("The doubling of the line “%(title)s” was forgotten."),
        "unrated": _("The line “%(title)s” was paid at only one for each card point."),
        "signs": _("Plus and minus were exchanged."),
    }
    return patterns[slip.how] % {"title": title}


def _slip_on_sheet(slip: audit.Explanation, names: Names) -> str:
    """The sentence of a slip in the lines of a score sheet."""
    written, meant = (
        sheet_line(names.game, line, names) if line else "" for line in (slip.written, slip.meant)
    )
    patterns = {
        "points": _("Points miscounted: the score written down fits “%(meant)s”, not “%(written)s”."),
        "exchanged": _("Points exchanged: the score written down fits “%(meant)s”, not “%(written)s”."),
        "more": _("The score written down fits if “%(meant)s” is added."),
        "fewer": _("The score written down fits without “%(written)s”."),
    }
    other = _("The score written down fits “%(meant)s”, not “%(written)s”.")
    return patterns.get(slip.how, other) % {"written": written, "meant": meant}
