"""What is wrong with a deal that breaks a rule or ends too early."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from replays import sentences, words
from replays.cards import Face, face, faces, in_hand_order, pack
from replays.clauses import clause
from replays.sentences import Names
from tarock.cards import INDEX
from tarock.clauses import Clause
from tarock.findings import Finding
from tarock.record import Record
from tarock.sentences import place


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong at one event: who did it, what it was, the clause, and what would have been legal."""

    event: int
    place: str
    """Where it stands, as people say it."""
    player: str
    what: str
    card: Face | None
    clause: Clause | None
    slug: str
    message: str
    legal_cards: list[Face]
    legal_words: list[str]


def placed(finding: Finding | None, record: Record) -> str:
    """What is wrong with a deal, after where that is: “Trick 4, third card: …”. Empty where nothing is."""
    names = Names(record.game, record.players)
    at = "" if finding is None or finding.event is None else place(record, finding.event, names)
    if finding is None or not at:
        return sentences.finding(finding, names)
    message = sentences.finding(replace(finding, trick=None), names)  # the place says the trick
    return _("%(place)s: %(finding)s") % {"place": names.sentence(at), "finding": message}


def fault(finding: Finding | None, record: Record) -> Fault | None:
    """The finding of an illegal or incomplete deal; None where there is none."""
    if finding is None or finding.event is None:
        return None
    number, game, names = finding.event, record.game, Names(record.game, record.players)
    seat, verb, args = "", "", []
    if number < len(record.events):
        seat, verb, *args = record.events[number]
    legal = finding.legal or ()
    cards = [c for c in legal if c.partition("(")[0] in INDEX]
    # A card that may be played with something said stands there more than once; it is one card.
    pictured = list(dict.fromkeys(c.partition("(")[0] for c in cards))
    played = args[0].partition("(")[0] if verb == "play" and args else ""
    return Fault(
        event=number,
        place=place(record, number, names),
        player=record.players.get(finding.seat or seat, ""),
        what=words.event(verb, args, game) if verb else "",
        card=face(played, game) if played in INDEX else None,
        clause=clause(finding.clause),
        slug=finding.clause or "",
        message=sentences.finding(replace(finding, trick=None), names),  # the place says the trick
        legal_cards=faces(in_hand_order(pictured), pack(game)),
        legal_words=[words.choice(c, game) for c in legal if c not in cards],
    )
