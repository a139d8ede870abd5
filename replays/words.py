"""The words that pages use for cards, events, contracts and verdicts, through gettext.

What a card or an event means is the engine's to say; this is only how it is called.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext, pgettext_lazy

from replays.spoken import said as _
from tarock.cards import INDEX, SUITS, looks_like_card, roman

SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

_COURTS: dict[str, Promise] = {
    "SK": gettext_lazy("King of spades"),
    "SQ": gettext_lazy("Queen of spades"),
    "SC": gettext_lazy("Cavalier of spades"),
    "SJ": gettext_lazy("Jack of spades"),
    "HK": gettext_lazy("King of hearts"),
    "HQ": gettext_lazy("Queen of hearts"),
    "HC": gettext_lazy("Cavalier of hearts"),
    "HJ": gettext_lazy("Jack of hearts"),
    "DK": gettext_lazy("King of diamonds"),
    "DQ": gettext_lazy("Queen of diamonds"),
    "DC": gettext_lazy("Cavalier of diamonds"),
    "DJ": gettext_lazy("Jack of diamonds"),
    "CK": gettext_lazy("King of clubs"),
    "CQ": gettext_lazy("Queen of clubs"),
    "CC": gettext_lazy("Cavalier of clubs"),
    "CJ": gettext_lazy("Jack of clubs"),
}
_PIPS: dict[str, Promise] = {
    "S": gettext_lazy("%(rank)s of spades"),
    "H": gettext_lazy("%(rank)s of hearts"),
    "D": gettext_lazy("%(rank)s of diamonds"),
    "C": gettext_lazy("%(rank)s of clubs"),
}
_FOOL: dict[str, Promise] = {
    "taroky": pgettext_lazy("the Fool in Czech Taroky", "Škýz"),
    "troggu": pgettext_lazy("the Fool in Troggu", "Bättler"),
}

_COURT_LETTERS: dict[str, Promise] = {
    "K": pgettext_lazy("letter of the King on a card", "K"),
    "Q": pgettext_lazy("letter of the Queen on a card", "Q"),
    "C": pgettext_lazy("letter of the Cavalier on a card", "C"),
    "J": pgettext_lazy("letter of the Jack on a card", "J"),
}

SUITS_IN_WORDS: dict[str, Promise] = {
    "S": gettext_lazy("spades"),
    "H": gettext_lazy("hearts"),
    "D": gettext_lazy("diamonds"),
    "C": gettext_lazy("clubs"),
    "T": gettext_lazy("tarocks"),
}


# A page names some hundred cards and events, nearly all of which other pages have named before: their words
# are remembered, by language. Cards and games are few; of events only those are remembered that are not
# longer than a legal one, and of these the latest.
_LONGEST = 60


def card_name(code: str, game: str = "") -> str:
    """A card in words: “King of hearts”, “7 of clubs”, “tarock XIX”, “Pagat (tarock I)”; anything else as it
    is."""
    return _card_name(get_language(), code, game) if code in INDEX else _named(code, game)


@lru_cache(maxsize=4096)
def _card_name(language: str | None, code: str, game: str) -> str:
    return _named(code, game)


def _named(code: str, game: str) -> str:
    if code in _COURTS:
        return str(_COURTS[code])
    suit, rank = code[:1], code[1:]
    if not (suit in SUITS and rank.isascii() and rank.isdigit()):
        return code
    if suit != "T":
        return str(_PIPS[suit]) % {"rank": rank}
    number = int(rank)
    if number == 0:
        return str(_FOOL.get(game, pgettext_lazy("the Fool", "Sküs")))
    if number == 1:
        return _("Pagat (tarock I)")
    if number == 21:
        return _("Mond (tarock XXI)")
    return _("tarock %(numeral)s") % {"numeral": roman(number)} if number < 22 else code


def card_short(code: str, game: str = "") -> str:
    """A card in as few signs as it goes: ``♥K``, ``♣7``, ``XIX``, ``Sküs``."""
    return _card_short(get_language(), code, game) if code in INDEX else _in_signs(code, game)


@lru_cache(maxsize=4096)
def _card_short(language: str | None, code: str, game: str) -> str:
    return _in_signs(code, game)


def _in_signs(code: str, game: str) -> str:
    suit, rank = code[:1], code[1:]
    if suit == "T" and rank.isdigit() and int(rank) < 22:
        return roman(int(rank)) if int(rank) else card_name(code, game)
    if suit in SUIT_SIGNS:
        return SUIT_SIGNS[suit] + str(_COURT_LETTERS.get(rank, rank))
    return code


CONTRACTS: dict[tuple[str, str], Promise] = {
    ("taroky", "first"): gettext_lazy("First Duty"),
    ("taroky", "second"): gettext_lazy("Second Duty"),
    ("taroky", "troika"): gettext_lazy("Troika"),
    ("taroky", "solo"): gettext_lazy("Solo"),
    ("taroky", "varsava"): gettext_lazy("Varšava"),
    ("troggu", "take"): gettext_lazy("Take"),
    ("troggu", "solo"): gettext_lazy("Solo"),
    ("troggu", "misere"): gettext_lazy("Misère"),
    ("strohmann", "take"): gettext_lazy("Declared"),
    ("strohmann", "undeclared"): gettext_lazy("Without a declarer"),
}


def contract(game: str, name: str | None) -> str:
    """What the contract of a deal is called; empty for a game or a moment without one."""
    if not name:
        return ""
    return str(CONTRACTS.get((game, name), name))


# What a game's own players say, in the language they play it in, where the common word is another.
_NATIVE: dict[str, dict[str, str]] = {
    "strohmann": {"forehand": "Vorhand", "declarer": "Aufnehmer"},
    "taroky": {
        "first": "první povinnost",
        "second": "druhá povinnost",
        "troika": "trojka",
        "solo": "sólo",
        "varsava": "varšava",
        "declarer": "vydražitel",
        "forehand": "forhont",
    },
    "troggu": {"take": "ich nehm’s", "solo": "Solo", "misere": "Misère", "forehand": "Vorhand"},
}


def with_native(said: str, game: str, term: str | None) -> str:
    """A term of a game with the game's native word beside it, where that is another one: “First Duty (první
    povinnost)”. ``term``: the engine's name of it, or ``declarer``, ``forehand``."""
    native = _NATIVE.get(game, {}).get(term or "", "")
    if not native or native.casefold() in said.casefold():
        return said
    return _("%(term)s (%(native)s)") % {"term": said, "native": native}


_DECLARERS: dict[str, Promise] = {"taroky": gettext_lazy("bidder"), "troggu": gettext_lazy("Tappist")}


def declarer_title(game: str) -> str:
    """What the player who plays against the rest is called in this game."""
    return str(_DECLARERS.get(game) or _("declarer"))


PHASES: dict[str, Promise] = {
    "bidding": gettext_lazy("Bidding"),
    "calling": gettext_lazy("Calling a partner"),
    "level": gettext_lazy("Level of the Troika"),
    "exchange": gettext_lazy("Exchange"),
    "declaring": gettext_lazy("Declarations"),
    "announcing": gettext_lazy("Announcements"),
    "play": gettext_lazy("Play"),
    "over": gettext_lazy("The deal is over"),
}


def phase(name: str) -> str:
    """A phase of the deal in words."""
    return str(PHASES.get(name, name))


VERDICTS: dict[str, tuple[str, Promise, Promise]] = {
    "verified": (
        "✓",
        gettext_lazy("Verified"),
        gettext_lazy(
            "Complete and legal from the first event to the last; the score is what the rules give."
        ),
    ),
    "disputed": (
        "≠",
        gettext_lazy("Disputed"),
        gettext_lazy("Complete and legal, but the score written down is not what the rules give."),
    ),
    "illegal": (
        "✕",
        gettext_lazy("Illegal"),
        gettext_lazy("An event in this record breaks a rule of the game."),
    ),
    "incomplete": (
        "…",
        gettext_lazy("Incomplete"),
        gettext_lazy("Legal as far as it goes, but the record ends before the deal is over."),
    ),
    "malformed": (
        "!",
        gettext_lazy("Malformed"),
        gettext_lazy("This is not a record: it can't be read."),
    ),
    "pending": (
        "◌",
        gettext_lazy("Being verified"),
        gettext_lazy("The record is stored; its verdict is on the way."),
    ),
}


RESULTS: dict[str, Promise] = {
    "won": gettext_lazy("won"),
    "lost": gettext_lazy("lost"),
    "drawn": gettext_lazy("drawn"),
    "settled": gettext_lazy("settled without play"),
    "surrendered": gettext_lazy("surrendered"),
    "varsava": gettext_lazy("Varšava"),
    "misere": gettext_lazy("misère"),
    "counted": gettext_lazy("card points counted"),
    "bole": gettext_lazy("bolé made"),
    "null": gettext_lazy("null made"),
}


_SIDES: dict[str, Promise] = {
    "bidder": gettext_lazy("Bidder’s side"),
    "opponents": gettext_lazy("Opponents"),
    "tappist": gettext_lazy("Tappist’s side"),
}


def side_name(side: str) -> str:
    """What a side is called; a side of one player is his seat letter, which stays."""
    return str(_SIDES.get(side, side))


_STAKES: dict[str, Promise] = {
    "game": gettext_lazy("the game"),
    "pagat": gettext_lazy("the pagat"),
    "valat": gettext_lazy("the valat"),
}
_RAISES: dict[str, Promise] = {
    "flek": gettext_lazy("flek (×2) on %(stake)s"),
    "re": gettext_lazy("re (×4) on %(stake)s"),
    "sub": gettext_lazy("sub (×8) on %(stake)s"),
}
_ITEMS: dict[str, Promise] = {
    "taroky": gettext_lazy("Taroky (ten tarocks or more)"),
    "tarocky": gettext_lazy("Tarocky (eight or nine tarocks)"),
    "barvy": gettext_lazy("Barvy (no tarock, or the Pagat alone)"),
    "barvicky": gettext_lazy("Barvičky (one or two tarocks)"),
    "trul": gettext_lazy("Trul (the whole trull)"),
    "honery": gettext_lazy("Honéry (four honours)"),
    "kralovske-honery": gettext_lazy("Královské honéry (four Kings)"),
    "pagat": gettext_lazy("pagat (to win the last trick with it)"),
    "valat": gettext_lazy("valat (all tricks)"),
    "queens": gettext_lazy("four Queens"),
    "cavaliers": gettext_lazy("four Cavaliers"),
    "jacks": gettext_lazy("four Jacks"),
    "bole": gettext_lazy("bolé (all tricks)"),
    "null": gettext_lazy("null (no trick)"),
}
_COUNTED: dict[str, Promise] = {
    "tarocks": gettext_lazy("%(value)s tarocks"),
    "matadors": gettext_lazy("%(value)s matadors"),
    "skus-matadors": gettext_lazy("%(value)s Sküs matadors"),
    "kings": gettext_lazy("%(value)s kings"),
    "ladons": gettext_lazy("%(value)s ladons"),
    "cavallery": gettext_lazy("full cavalry in %(value)s"),
    "half-cavallery": gettext_lazy("half cavalry in %(value)s"),
}


def item(word: str) -> str:
    """An announcement item in words: ``re:pagat``, ``tarocks:11``, ``cavallery:S``; unknown ones as they
    are."""
    name, colon, value = word.partition(":")
    if name in _RAISES and value in _STAKES:
        return str(_RAISES[name]) % {"stake": _STAKES[value]}
    if colon and name in _COUNTED:
        return str(_COUNTED[name]) % {"value": SUITS_IN_WORDS.get(value, value)}
    if not colon and name in _ITEMS:
        return str(_ITEMS[name])
    return word


def doubling(stake: str, factor: int) -> str:
    """A doubled stake as it stands: “the pagat × 4”."""
    return f"{_STAKES.get(stake, stake)} × {factor}"


_QUALIFIED = re.compile(r"^(?P<card>[^()]+)\((?P<word>[^()]*)\)$")


def qualifier(word: str) -> str:
    """What is said with a card: “Ros!”, or the suit that a led Sküs stands for."""
    calls = {"ros": _("“Ros!”"), "topschin": _("“Topschin!”")}
    if word in SUITS_IN_WORDS:
        return _("as %(suit)s") % {"suit": SUITS_IN_WORDS[word]}
    return calls.get(word, word)


def cards_in_words(codes: Sequence[str], game: str = "") -> str:
    """Some cards, named one after the other."""
    return ", ".join(card_name(code, game) for code in codes)


def card_token(token: str, game: str = "", short: bool = False) -> str:
    """A played card with what was said with it: “tarock XVII, “Ros!””."""
    found = _QUALIFIED.match(token)
    name = card_short if short else card_name
    if found:
        return f"{name(found['card'], game)}, {qualifier(found['word'])}"
    return name(token, game)


def event(verb: str, arguments: Sequence[str], game: str = "", short: bool = False) -> str:
    """What somebody did, as the predicate to his name: “bids First Duty”, “plays King of hearts”.

    ``short`` is for lists: “First Duty”, “♥K”. Words that the game does not know stay as they were written.
    """
    return event_in(get_language(), verb, tuple(arguments), game, short)


def event_in(language: str | None, verb: str, args: tuple[str, ...], game: str, short: bool = False) -> str:
    """`event` in the language that is in use, for who has a long list of them and asks for that once."""
    if sum(map(len, args)) > _LONGEST:
        return _done(verb, args, game, short)
    return _event(language, verb, args, game, short)


@lru_cache(maxsize=4096)
def _event(language: str | None, verb: str, args: tuple[str, ...], game: str, short: bool) -> str:
    return _done(verb, args, game, short)


def _done(verb: str, args: tuple[str, ...], game: str, short: bool) -> str:
    first = args[0] if args else ""
    if verb == "play":
        if not args:
            return _("plays a card")
        card = " ".join(card_token(a, game, short) for a in args)
        return card if short else _("plays %(card)s") % {"card": card}
    if verb == "bid" and len(args) == 1:
        name = contract(game, first)
        return name if short else _("bids %(contract)s") % {"contract": name}
    if verb == "discard":
        if not args:
            return _("discards")
        if short:
            return _("discards %(cards)s") % {"cards": " ".join(card_short(a, game) for a in args)}
        return _("discards %(cards)s") % {"cards": cards_in_words(args, game)}
    if verb == "announce" and args:
        items = ", ".join(item(a) for a in args)
        return items if short else _("announces %(items)s") % {"items": items}
    if verb == "call" and len(args) == 1:
        name = card_short(first, game) if short else card_name(first, game)
        return _("calls %(card)s") % {"card": name}
    if verb == "level" and len(args) == 1:
        return _("takes level %(level)s") % {"level": first}
    if verb in _PLAIN and not args:
        return str(_PLAIN[verb])
    return " ".join([verb, *args])


_PLAIN: dict[str, Promise] = {
    "pass": gettext_lazy("passes"),
    "take": gettext_lazy("takes"),
    "solo": gettext_lazy("says solo"),
    "alone": gettext_lazy("plays alone"),
    "varsava": gettext_lazy("says Varšava"),
    "refuse": gettext_lazy("refuses the card"),
    "surrender": gettext_lazy("surrenders"),
}


def choice(words: str, game: str = "") -> str:
    """One of the legal choices that the engine lists: a card, an item to announce, or something to say."""
    return _choice(get_language(), words, game) if len(words) <= _LONGEST else _chosen(words, game)


@lru_cache(maxsize=4096)
def _choice(language: str | None, words: str, game: str) -> str:
    return _chosen(words, game)


def _chosen(words: str, game: str) -> str:
    if looks_like_card(words.partition("(")[0]):
        return card_token(words, game)
    said = item(words)
    if said != words:
        return said
    verb, *args = words.split()
    return event(verb, args, game)


_CODES = re.compile(r"(?<![\w/:.-])[SHDCT](?:[KQCJ]|1[0-9]|2[01]|[0-9])(?![\w/-])")


def codes_to_signs(text: str, game: str = "") -> str:
    """A sentence of the engine with the card codes in it as cards are written elsewhere: ``♥K``, ``XVII``."""
    named = {"T1": _("Pagat"), "T21": _("Mond")}

    def sign(found: re.Match[str]) -> str:
        code = found.group()
        return named.get(code) or (card_short(code, game) if code in INDEX else code)

    return _CODES.sub(sign, text)


def count_of_cards(number: int) -> str:
    """“1 card”, “12 cards”."""
    return ngettext("%(n)d card", "%(n)d cards", number) % {"n": number}


def count_of_tricks(number: int) -> str:
    """“1 trick”, “12 tricks”."""
    return ngettext("%(n)d trick", "%(n)d tricks", number) % {"n": number}


def points(number: int | None) -> str:
    """A number of points with its sign; a dash where there is none."""
    if number is None:
        return "–"
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"
