"""A finding prepared for display: its sentence, its clause, its location and the legal choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tarock.core.cards import INDEX, in_hand_order
from tarock.core.findings import Finding
from tarock.core.outcome import LACKING
from tarock.core.record import Record
from tarock.notation.excerpts import ExcerptLine, excerpt
from tarock.view.cards import Face, faces, pack
from tarock.view.page_json import Json, clause_json
from tarock.words import sentences
from tarock.words.names import PlayerNames


@dataclass(frozen=True)
class FindingView:
    """A finding in the language of `names`. Each part is computed only when a page uses it."""

    finding: Finding
    names: PlayerNames
    record: Record | None = None  # record of the event, for `place`
    pointer: str = ""  # location of the finding in a JSON input
    excerpt: Sequence[ExcerptLine] = ()  # lines of the input around the finding

    @cached_property
    def place(self) -> str:
        """Position of the event as text: “trick 4, third card”. Empty without a record or an event."""
        if self.record is None or self.finding.event is None:
            return ""
        return sentences.place(self.record, self.finding.event, self.names)

    @cached_property
    def text(self) -> str:
        """Sentence of the finding, which names the trick only if `place` does not."""
        finding = replace(self.finding, trick=None) if self.place else self.finding
        return self.names.sentence(sentences.finding, finding)

    @property
    def clause(self) -> str:
        """Slug of the clause; empty if there is none."""
        return self.finding.clause or ""

    @property
    def title(self) -> str:
        return self.names.clause_title(self.clause)

    @property
    def choices(self) -> list[str]:
        """Legal choices as text."""
        return [self.names.choice(choice) for choice in self.finding.legal or ()]

    @property
    def legal_cards(self) -> list[Face]:
        """Cards among the legal choices, without duplicates for cards that can be played with a word."""
        codes = {choice.partition("(")[0] for choice in self.finding.legal or ()}
        return faces(in_hand_order(codes & INDEX.keys()), pack(self.names.game, self.names.language))

    @property
    def legal_words(self) -> list[str]:
        """Legal choices that are not cards, as text."""
        legal = self.finding.legal or ()
        return [self.names.choice(choice) for choice in legal if choice.partition("(")[0] not in INDEX]

    @property
    def player(self) -> str:
        players = self.record.players if self.record else {}
        return players.get(self.finding.seat or self._event[0], "")

    @property
    def event_words(self) -> str:
        """The event as the predicate of a sentence about the player."""
        _seat, verb, *arguments = self._event
        return sentences.event_sentence(verb, arguments, self.names, "long") if verb else ""

    @property
    def card(self) -> Face | None:
        """The card of the event, if the event plays one."""
        _seat, verb, *arguments = self._event
        code = arguments[0].partition("(")[0] if verb == "play" and arguments else ""
        return pack(self.names.game, self.names.language)[code] if code in INDEX else None

    @property
    def _event(self) -> Sequence[str]:
        """The event; an empty seat and verb if there is none, as at the end of an incomplete record."""
        events, number = self.record.events if self.record else (), self.finding.event
        return events[number] if number is not None and number < len(events) else ("", "")

    def as_json(self) -> Json:
        """Return the sentence, the sheet's field, whether that field is merely incomplete, and the clause."""
        return {
            "text": self.text,
            "field": self.finding.field,
            "lacking": self.finding.reason in LACKING,
            **clause_json(self.finding.clause, self.names),
        }


def in_input(
    finding: Finding,
    text: str,
    form: str,
    names: PlayerNames,
    *,
    first: tuple[int, int] = (1, 1),
    record: Record | None = None,
) -> FindingView:
    """Return a finding with its location in an input: a JSON pointer if it has one, otherwise the line with
    the error, shortened. `form`: `tgn` or `json`; `first`: line and column at which the text begins."""
    pointer = (finding.pointer or "") if form == "json" else ""
    lines = []
    if finding.line and finding.column and not pointer:
        lines = excerpt(text, finding.line, finding.column, first)[-1:]
    return FindingView(finding, names, record, pointer, lines)
