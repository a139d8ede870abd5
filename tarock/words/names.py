"""Names of cards, bids, announcements and players in a language, for the sentences of the engine.

The functions take the words of a game in a language (`tarock.words.clauses.words`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from tarock.core.cards import SUITS, looks_like_card, roman
from tarock.core.options import Options
from tarock.core.persons import is_nobody
from tarock.words import clauses, sentences
from tarock.words.clauses import Clause
from tarock.words.sheets import words_of_line

Words = Mapping[str, Any]

SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def label(text: str) -> str:
    """Capitalise the first letter of a text for use as a label."""
    return text[:1].upper() + text[1:]


def card_name(words: Words, code: str, form: str = "") -> str:
    """Return the name of a card: “King of hearts”, “7 of clubs”, “tarock XIX”, “Pagat (tarock I)”; any other
    code unchanged. `form`: `acc` for the object of a sentence: “the King of hearts”."""
    end = form and "_" + form
    if code in words["courts"]:
        return str(words["courts" + end][code])
    suit, rank = code[:1], code[1:]
    if not (suit in SUITS and rank.isascii() and rank.isdigit()):
        return code
    if suit != "T":
        return str(words["pips" + end][suit].format(rank=rank))
    number = int(rank)
    if number == 0:
        return str(words["card_" + form][code] if form else words["fool"])
    if number in _BY_NAME:
        return str(words[_BY_NAME[number] + end])
    return _tarock(words["tarock" + end], number) if number < 22 else code


_BY_NAME = {1: "pagat", 21: "mond"}


def _tarock(pattern: str, number: int) -> str:
    return pattern.format(numeral=roman(number), number=number)


def card_short(words: Words, code: str) -> str:
    """Return the shortest form of a card: `♥K`, `♣7`, `XIX`, `Sküs`."""
    suit, rank = code[:1], code[1:]
    if suit == "T" and rank.isdigit() and int(rank) < 22:
        return roman(int(rank)) if int(rank) else card_name(words, code)
    if suit in SUIT_SIGNS:
        return SUIT_SIGNS[suit] + str(words["court_letters"].get(rank, rank))
    return code


def card_in_text(words: Words, token: str, form: str = "") -> str:
    """Return a card for use in a sentence: `♥K`, `XIX`, or the name of Fool, Pagat or Mond in `form`."""
    return _qualified(words, token, lambda code: _in_text(words, code, form))


def _in_text(words: Words, code: str, form: str) -> str:
    if code in words["card_nom"]:
        return str(words["card_" + (form or "nom")][code])
    suit, rank = code[:1], code[1:]
    if suit == "T" and rank.isdigit() and int(rank) < 22:
        return _tarock(words["tarock_in_text"], int(rank))
    return card_short(words, code)


_QUALIFIED = re.compile(r"^(?P<card>[^()]+)\((?P<word>[^()]*)\)$")


def qualifier(words: Words, word: str) -> str:
    """Return the words said with a card: “Ros!”, or “as spades” for the suit named with a led Sküs."""
    return str(words["qualifiers"].get(word, word))


def card_token(words: Words, token: str, short: bool = False, form: str = "") -> str:
    """Return a played card with its qualifier: “tarock XVII, “Ros!””."""
    return _qualified(
        words, token, lambda code: card_short(words, code) if short else card_name(words, code, form)
    )


def _qualified(words: Words, token: str, name: Callable[[str], str]) -> str:
    match = _QUALIFIED.match(token)
    if not match:
        return name(token)
    pattern = words["with_qualifier"]
    return str(pattern.format(card=name(match["card"]), qualifier=qualifier(words, match["word"])))


def contract(words: Words, name: str | None, form: str = "") -> str:
    """Return the name of a contract; empty if there is none. `form`: `acc` for the object of a bid."""
    return str(words.get(f"contracts_{form}", {}).get(name) or words["contracts"].get(name, name or ""))


def item(words: Words, word: str, form: str = "") -> str:
    """Return the name of an announcement item (`re:pagat`, `tarocks:11`, `cavallery:S`); an unknown item
    unchanged. `form`: `acc` for the object of an announcement."""
    name, colon, value = word.partition(":")
    if name in words["raises"] and value in words["stakes"]:
        return str(words["raises"][name].format(stake=words["stakes_acc"][value]))
    pattern = words.get(f"items_{form}", {}).get(name) or words["items"].get(name, "")
    if not pattern or ("{argument}" in pattern) != bool(colon):
        return word
    return str(pattern.format(argument=words["suits"].get(value, value)))


def with_native(words: Words, name: str, term: str | None) -> str:
    """Return the name of a term, followed by the game's native word if it differs: “First Duty (první
    povinnost)”. `term`: the engine's word for the term, or `declarer` or `forehand`."""
    native = words["native"].get(term or "", "")
    if not native or native.casefold() in name.casefold():
        return name
    return str(words["term_native"].format(term=name, native=native))


def role(words: Words, name: str) -> str:
    """Return the name of the role `dealer`, `forehand`, `declarer` or `partner`, with its native name."""
    return with_native(words, words["roles"].get(name) or words.get(name, name), name)


class PlayerNames(sentences.Names):
    """Names of things in one deal, in a language: players' names for seats, signs for cards, and words for
    announcements and bids. `players`: names by seat; an unknown player is named after the seat. `options`:
    the options of the deal, whose values its clauses say, by default those of the source rules."""

    def __init__(
        self, game: str, players: Mapping[str, str], language: str, options: Options | None = None
    ) -> None:
        super().__init__(game, language)
        self.options = options
        unknown = self.words["unknown_player"]
        self.known = tuple(name for name in players.values() if not is_nobody(name))
        self.players = {
            seat: name if name in self.known else unknown.format(seat=seat) for seat, name in players.items()
        }

    def name(self, kind: str, code: str, form: str = "") -> str:
        """Return the name of a thing. `form`: a case, one of `EVENT_FORMS` in an event, or `alone` for a
        card."""
        if kind == "seat":
            return self.players.get(code) or code
        if kind == "choice":
            return self.choice(code)
        if kind == "sheet_line":
            line = (int(word) if word.lstrip("-").isdecimal() else word for word in code.split())
            return words_of_line(tuple(line), self)
        if kind not in ("card", "item", "contract"):
            return super().name(kind, code, form)
        if kind == "card" and form == "alone":
            # A card alone has no article, unlike a card in a sentence.
            named = code in self.words["card_nom"]
            return card_name(self.words, code) if named else card_short(self.words, code)
        if form not in sentences.EVENT_FORMS:
            if kind == "card":
                return card_in_text(self.words, code, form)
            name = item(self.words, code, form)
            return name if name != code else contract(self.words, code, form)
        case = "" if form == "short" else "acc"
        if kind == "item":
            return item(self.words, code, case)
        if kind == "contract":
            return contract(self.words, code, case)
        if form == "text":
            return card_in_text(self.words, code, case)
        return card_token(self.words, code, short=form == "short", form=case)

    def side(self, side: str) -> str:
        """Return the name of a side as a label. If the side is a single player, return the player's name."""
        return self.players.get(side) or label(super().name("side", side))

    def choice(self, code: str) -> str:
        """Return the name of one of a seat's legal choices: a card, an item to announce, or an event."""
        if looks_like_card(code.partition("(")[0]):
            return card_token(self.words, code)
        name = item(self.words, code)
        return name if name != code else self.event(code)

    def event(self, text: str) -> str:
        """Return an event as a predicate: “bids First Duty”. `text`: the event without its seat."""
        verb, *arguments = text.split()
        return sentences.event_sentence(verb, arguments, self, "long")

    def clause(self, slug: str | None) -> Clause | None:
        """Return the clause, or None: a stored result may have the slug of a clause that no longer exists."""
        clause = clauses.find(slug or "", self.language)
        return (
            clauses.by_options(clause.slug, self.options, self.language)
            if clause and self.options
            else clause
        )

    def clause_title(self, slug: str) -> str:
        """Return the title of a clause; empty if there is no such clause."""
        clause = self.clause(slug)
        return clause.title if clause else ""

    def capitalised(self, text: str) -> str:
        """Capitalise the first letter of a sentence, unless the sentence begins with a player's name."""
        return text if text.startswith(self.known) else label(text)

    def sentence(self, function: Callable[..., str], *values: object) -> str:
        """Build a sentence with a function of `words.sentences`; empty if the sentence no longer exists."""
        # A result stored by an older engine may name a sentence that no longer exists.
        try:
            return self.capitalised(function(*values, self))
        except KeyError:
            return ""
