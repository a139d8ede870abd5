"""The names that pages put into the engine's sentences (`tarock.sentences`): in the reader's language, seats
by their players' names, cards as signs, announcements and bids in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import get_language

from replays import clauses, words
from tarock import sentences
from tarock.cards import looks_like_card
from tarock.clauses import Clause


class Names(sentences.Names):
    """The names of things in a deal of a game. ``players``: names by seat."""

    def __init__(self, game: str, players: Mapping[str, str]) -> None:
        super().__init__(game, get_language() or "en")
        self.players = players

    def name(self, kind: str, code: str, form: str = "") -> str:
        """The name of a thing of a kind, given its code, in a case or as a part of an event."""
        if kind == "seat":
            return self.players.get(code, code)
        if kind == "choice":
            return self.choice(code)
        if kind not in ("card", "item", "contract"):
            return super().name(kind, code, form)
        if form not in sentences.EVENT_FORMS:
            if kind == "card":
                return words.card_in_text(code, self.game, form)
            name = words.item(code, self.game, form)
            return name if name != code else words.contract(self.game, code, form)
        case = "" if form == "short" else "acc"
        if kind == "item":
            return words.item(code, self.game, case)
        if kind == "contract":
            return words.contract(self.game, code, case)
        if form == "text":
            return words.card_in_text(code, self.game, case)
        return words.card_token(code, self.game, short=form == "short", form=case)

    def choice(self, code: str) -> str:
        """One of the legal choices that the engine lists: a card, an item to announce, or an event."""
        if looks_like_card(code.partition("(")[0]):
            return words.card_token(code, self.game)
        name = words.item(code, self.game)
        return name if name != code else self.event(code)

    def event(self, text: str) -> str:
        """An event by itself, as the predicate to its seat's name: “bids First Duty”. ``text``: as in a
        record, without the seat."""
        verb, *arguments = text.split()
        return sentences.event_sentence(verb, arguments, self, "long")

    def clause(self, slug: str | None) -> Clause | None:
        """The clause of a slug in the reader's language; None if there is none."""
        return clauses.clause(slug)

    def side(self, side: str) -> str:
        """The name of a side by itself; of one player, his."""
        return self.players.get(side) or words.side_name(side, self.game)

    def capitalised(self, text: str) -> str:
        """A sentence with its first letter a capital, unless that is a player's name."""
        return text if text.startswith(tuple(filter(None, self.players.values()))) else words.label(text)

    def sentence(self, function: Callable[..., str], *values: object) -> str:
        """A sentence by a function of `tarock.sentences` from values; empty if the texts have none."""
        # What an older engine stored may have no sentence any more: its clause still stands beside it.
        try:
            return self.capitalised(function(*values, self))
        except KeyError:
            return ""
