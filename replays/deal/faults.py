"""The fault of a deal that breaks a rule or ends too early."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from replays.language.cards import face, pack
from replays.language.names import Names
from tarock.core.cards import INDEX, in_hand_order
from tarock.core.findings import Finding
from tarock.core.record import Record
from tarock.view.cards import Face, faces
from tarock.words import sentences
from tarock.words.clauses import Clause


@dataclass(frozen=True, slots=True)
class Fault:
    """The fault at one event: the player, the event in words, the clause, and the legal choices."""

    event: int
    place: str
    """The place of the event in words: “trick 4, third card”."""
    player: str
    what: str
    card: Face | None
    clause: Clause | None
    slug: str
    message: str
    legal_cards: list[Face]
    legal_words: list[str]


def placed(finding: Finding | None, record: Record, names: Names) -> str:
    """The finding of a deal after its place: “Trick 4, third card: …”. Empty without a finding."""
    if finding is None:
        return ""
    place = "" if finding.event is None else names.sentence(sentences.place, record, finding.event)
    if not place:
        return names.sentence(sentences.finding, finding)
    return _("%(place)s: %(finding)s") % {"place": place, "finding": _message(finding, names)}


def _message(finding: Finding, names: Names) -> str:
    """The sentence of a finding whose place says the trick."""
    return names.sentence(sentences.finding, replace(finding, trick=None))


def fault(finding: Finding | None, record: Record, names: Names) -> Fault | None:
    """The finding of an illegal or incomplete deal; None where there is none."""
    if finding is None or finding.event is None:
        return None
    number, game = finding.event, record.game
    seat, verb, args = "", "", []
    if number < len(record.events):
        seat, verb, *args = record.events[number]
    legal = finding.legal or ()
    cards = [c for c in legal if c.partition("(")[0] in INDEX]
    # A card with several qualifiers is listed more than once; it is one card.
    pictured = list(dict.fromkeys(c.partition("(")[0] for c in cards))
    played = args[0].partition("(")[0] if verb == "play" and args else ""
    return Fault(
        event=number,
        place=sentences.place(record, number, names),
        player=record.players.get(finding.seat or seat, ""),
        what=sentences.event_sentence(verb, args, names, "long") if verb else "",
        card=face(played, game) if played in INDEX else None,
        clause=names.clause(finding.clause),
        slug=finding.clause or "",
        message=_message(finding, names),
        legal_cards=faces(in_hand_order(pictured), pack(game)),
        legal_words=[names.choice(c) for c in legal if c not in cards],
    )
