"""The messages of the engine as sentences in four languages.

Score lines, notes, happenings and findings name a sentence and carry its values. The sentences are in the
text files (`tarock.words.clauses`), next to their clause, in tables called `lines`, `notes`, `happenings`,
`findings` and `plays` (how a clause changes the choice of a card). Sentences without a clause are in separate
tables: `_faults` for syntax errors, `_places` for the place of an event, `_countings` for the origin of
counted cards, `_plays` for the reason why a card could be played, `_slips` for the slip that explains a
disputed score, `_heading` for the head of a score sheet, `_table` for words at the table, and `_tables` for
tables of results.

In a sentence, `{name}` is a value. `{name:# card/# cards}` is a number with its noun, in all number forms of
the language; `#` is the number. `{name.acc}` is the value with the article or in the case that the sentence
needs (`nom`, `acc`, `dat`), if the texts have such a form. `{T19}` is that card.

>>> fill("{seat} has {points:# card point/# card points}", {"seat": "A", "points": 1})
'A has 1 card point'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any

from tarock.core.cards import BIT
from tarock.core.findings import Finding
from tarock.core.game import SEATS, UNKNOWN_GAME
from tarock.core.record import Record
from tarock.core.scoring import CountedPart, Happening, Note, ScoreLine
from tarock.words.clauses import LANGUAGES, book, book_names, load, short_code, words

_PLACE = re.compile(r"\{(\w+)(?:\.(\w+))?(?::([^{}]*))?\}")
#: Maximum number of choices that a message lists. If there are more, it also says how many.
_MOST_CHOICES = 16
#: Verbs whose events `place` counts separately, as in “announcement 2”.
_COUNTED = ("announce", "bid", "discard")
#: Language → function that returns the index of the noun form for a number.
_FORM: dict[str, Callable[[int], int]] = {
    "en": lambda n: int(n != 1),
    "de": lambda n: int(n != 1),
    "cs": lambda n: 0 if n == 1 else 1 if 2 <= n <= 4 else 2,
    "ja": lambda n: 0,
}
#: Kind of thing → names of the values that name such a thing. All other values are numbers or plain
#: words.
_VALUES = {
    "seat": "seat dealer forehand winner declarer giver before turn announcer bidder tappist partner payers"
    " trickless other seats",
    "card": "card next_card winning cards held tarocks plain",
    "item": "item items needed",
    "contract": "contract standing",
    "side": "side sides card_points",
    "field": "field other_field",
    "suit": "suit",
    "stake": "stake",
    "phase": "phase",
    "choice": "legal",
    "event": "said verb",
    "game": "game",
    "sheet_line": "written",
    "rules": "rules",
}
#: Name of a value → the kind of thing that the value names.
KINDS = {name: kind for kind, names in _VALUES.items() for name in names.split()}
#: Placeholder in the sentence of an event → the kind of thing that it names.
_OBJECTS = {"card": "card", "cards": "card", "items": "item", "contract": "contract"}
#: Forms of an event: for use in a sentence, alone, and in a list.
EVENT_FORMS = ("text", "long", "short")


#: Names of the values of a score line that are amounts in the unit of the deal.
_AMOUNTS = frozenset(["amount", "base", "exact", "rate", "each", "payment", "double", "cap", "paid", "rest"])


#: Currency by the unit that is its hundredth.
_MONEY = {"h": "Kč", "cent": "€"}

#: Kind of thing → the table of words that contains its names.
_WORDS = {
    "side": "sides",
    "suit": "suits",
    "stake": "stakes",
    "phase": "phases",
    "field": "sheet_fields",
    "sheet_word": "sheet_words",
}


class Names:
    """Names for things in sentences, for a game and a language. Seats, cards, bids and announcements keep
    their codes, as in a record; sides, suits, stakes and phases have words."""

    def __init__(self, game: str = "common", language: str = LANGUAGES[0]) -> None:
        known = game not in ("", UNKNOWN_GAME)
        self.game, self.language = game if known else "common", short_code(language)

    # An entry form names hundreds of things. Without the cache, each name takes a microsecond longer.
    @cached_property
    def words(self) -> Mapping[str, Any]:
        """The words of the game in the language."""
        return words(self.game, self.language)

    def name(self, kind: str, code: str, form: str = "") -> str:
        """Return the name of a thing, given its code. `kind`: `seat`, `card`, `item`, `contract`, `choice`,
        `side`, `suit`, `stake`, `phase`, `field`, `sheet_word`, `sheet_line`, `game`, `rules` (in
        brackets, to put after “the rules of this deal”), or `event`, which becomes a predicate to put after
        the name of a seat. `form`: a case (`nom`, `acc`, `dat`) if the texts have it, or the form of the
        event that names the thing."""
        if kind == "event":
            verb, *arguments = code.split()
            return event_sentence(verb, arguments, self)
        if kind == "rules":
            return f" ({code})" if code else ""
        if kind == "game":
            return book(code, self.language).name if code in book_names() else code
        if kind not in _WORDS:
            return code
        table = self.words
        named = table.get(_WORDS[kind], {})
        return str(table.get(f"{_WORDS[kind]}_{form}", {}).get(code) or named.get(code, code))

    def between(self, sign: str) -> str:
        """Return a separator for lists: `comma`, `semicolon` (between parts with commas), `and` or `or`."""
        return str(self.words[sign])

    def listed(self, things: Sequence[str], last: str = "and") -> str:
        """Join names into a list, with `and` or `or` before the last name: “the Mond, XIX and ♥K”."""
        *first, end = things or [""]
        return f"{self.between('comma').join(first)}{self.between(last)}{end}" if first else end

    def quoted(self, text: str) -> str:
        """Give a quoted text the quotation marks of the language; return any other text unchanged."""
        if text[:1] == "“" and text[-1:] == "”":
            return str(self.words["quoted"]).format(text=text[1:-1])
        return text


# Games are few. Without the cache, the score lines of each deal take 1 µs more.
@cache
def english(game: str) -> Names:
    """Return the names for things in English, for a game."""
    return Names(game)


def number(value: int) -> str:
    """Format a number with a true minus sign: `−15`."""
    return str(value).replace("-", "−")


def amount(value: int, unit: str, names: Names) -> str:
    """Format a number with its unit: `930 h`. A unit without words is appended unchanged."""
    return in_unit(number(value), unit, names, _FORM[names.language](abs(value)))


def in_unit(text: str, unit: str, names: Names, form: int = 3) -> str:
    """Return a formatted number with its unit, on one line. `form`: the number form; by default that of a
    number with decimals."""
    forms = str(names.words["unit_amounts"].get(unit, f"# {unit}")).split("/")
    return forms[min(form, len(forms) - 1)].replace(" ", "\u00a0").replace("#", text)


def money(value: int, unit: str, names: Names) -> str:
    """Return an amount in the currency that 100 of the unit make (`9.30 Kč`), or an empty string."""
    currency, mark = _MONEY.get(unit), names.words["decimal_mark"]
    whole, rest = divmod(abs(value), 100)
    part = f"{mark}{rest:02}" if rest else ""
    return f"{'−' * (value < 0)}{whole}{part}\u00a0{currency}" if currency else ""


def rules_name(rules: str, names: Names) -> str:
    """Return the name of a rule set for people: “Vysočina” for `vysocina@1`; an unpublished one unchanged."""
    if not rules or rules.partition("@")[0].endswith("-seed"):
        return str(names.words["source_rules"])
    return str(names.words["profiles"].get(rules, rules))


#: Part of a sentence: words, name of the next value, the kind of thing that it names (`KINDS`), the value's
#: form, forms of its noun. The last part has only words.
_Part = tuple[str, str, str | None, str, list[str] | None]


# The text files limit the size of the cache. With it a sentence takes 3 µs instead of 5 µs.
@cache
def _parts(sentence: str) -> tuple[_Part, ...]:
    """Split a sentence into its parts."""
    parts: list[_Part] = []
    end = 0
    for found in _PLACE.finditer(sentence):
        nouns = None if found[3] is None else found[3].split("/")
        parts.append((sentence[end : found.start()], found[1], KINDS.get(found[1]), found[2] or "", nouns))
        end = found.end()
    return (*parts, (sentence[end:], "", None, "", None))


def fill(sentence: str, values: Mapping[str, Any], names: Names | None = None) -> str:
    """Fill the values into a sentence of the text files. Raise KeyError if a value is missing."""
    names = names or english("common")
    text = ""
    for words_before, name, kind, form, nouns in _parts(sentence):
        if words_before:
            # If the last name ends in a full stop, the sentence needs no second full stop.
            text += words_before[1:] if words_before[0] == "." and text[-1:] == "." else words_before
        if not name:
            break
        if name in BIT:
            text += names.name("card", name, form)
            continue
        value = values[name]
        if nouns is not None:
            number_form = _FORM[names.language](value)
            text += nouns[min(number_form, len(nouns) - 1)].replace("#", number(value))
        elif isinstance(value, int):
            text += (
                amount(value, values["unit"], names)
                if name in _AMOUNTS and "unit" in values
                else number(value)
            )
        elif kind is not None and isinstance(value, str):
            text += _thing(kind, value, names, form)
        else:
            text += _named(name, kind, value, names, form)
    return text


def _named(name: str, kind: str | None, value: Any, names: Names, form: str) -> str:
    """Return the text for a value that is neither a number nor the code of a single thing."""
    if isinstance(value, dict):
        named = [f"{_thing(kind or 'seat', key, names)} {number(points)}" for key, points in value.items()]
        return names.between("comma").join(named)
    if isinstance(value, list | tuple):
        if kind is None and all(isinstance(part, int) for part in value):
            return " + ".join(map(str, value))
        named = [_thing(kind, code, names, form) if kind else str(code) for code in value]
        if name == "legal":
            return names.between("comma").join(named)
        return names.listed(named, "or" if name == "expected" else "and")
    if isinstance(value, str):
        return names.quoted(value)
    return _thing(kind, value, names, form) if kind else str(value)


def _thing(kind: str, code: str, names: Names, form: str = "") -> str:
    # A side with only one player is named after the seat.
    return names.name("seat" if kind == "side" and code in SEATS else kind, code, form)


def event_sentence(verb: str, arguments: Sequence[str], names: Names, form: str = "text") -> str:
    """Return an event as a predicate to put after the name of its seat: `plays T20`, `bids first`. `form`:
    one of `EVENT_FORMS`; in a list a card, bid or announcement appears without a verb."""
    table = names.words
    verbs = table["verbs"]
    sentence = str(verbs.get(verb, "") if arguments else verbs.get(f"{verb}-hidden", verbs.get(verb, "")))
    place = _parts(sentence)[0][1]
    if not sentence or bool(place) != bool(arguments):
        # Return an event that fits no sentence as it is written in the record, so that nothing is lost.
        text = " ".join((verb, *arguments))
        return str(table["says"]).format(text=text) if form == "text" else text
    if not arguments:
        return sentence
    kind = _OBJECTS.get(place)
    named = [names.name(kind, code, form) if kind else code for code in arguments]
    if form != "short":
        return sentence.format(**{place: names.listed(named)})
    listing = (" " if kind == "card" else names.between("comma")).join(named)
    alone = verb == "play" or kind in ("contract", "item")
    return listing if alone else sentence.format(**{place: listing})


# -- where the sentences are -------------------------------------------------------------------------


# The text files do not change while the program runs. Without the cache, each sentence takes 0.6 ms.
@cache
def _table(book: str, language: str, group: str) -> Mapping[tuple[str, str], str]:
    """Return the sentences of a group (`lines`, `_faults` …), by slug (empty without a clause) and key."""
    found: dict[tuple[str, str], str] = {}
    for code in dict.fromkeys((LANGUAGES[0], language)):
        data = load(book, code)
        if group.startswith("_"):
            found |= {("", key): text for key, text in data.get(group, {}).items()}
            continue
        for slug, entry in data.items():
            if isinstance(entry, dict):
                found |= {(slug, key): text for key, text in entry.get(group, {}).items()}
    return found


def _sentence(slug: str, group: str, key: str, names: Names) -> str:
    return _sentence_of(names.game, names.language, slug, group, key)


# The text files limit the size of the cache. Without it, the text of a score line takes a tenth longer.
@cache
def _sentence_of(game: str, language: str, slug: str, group: str, key: str) -> str:
    # A game may have its own sentence for a clause that is common to all games, so search its texts first.
    for name in (game, slug.partition(".")[0] or "common"):
        text = _table(name, language, group).get((slug, key))
        if text is not None:
            return text
    raise KeyError(f"{slug}: no {group} “{key}”")


def line(found: ScoreLine, names: Names | None = None) -> str:
    """Return the calculation of a score line as text."""
    names = names or english(found.clause.partition(".")[0])
    parts = [
        fill(_sentence(found.clause, "lines", key, names), found.quantity, names) for key in found.sentences
    ]
    return names.between("semicolon").join(parts)


def note(found: Note, names: Names) -> str:
    """Return the sentence of a note on a bonus that nearly scored or an announcement that failed."""
    return fill(_sentence(found.clause, "notes", found.kind, names), found.values, names)


def happening(found: Happening, names: Names | None = None) -> str:
    """Return the sentence of a happening, which is a consequence of the rules."""
    names = names or english(found.clause.partition(".")[0])
    return fill(_sentence(found.clause, "happenings", found.kind, names), found.values, names)


def play(reason: Mapping[str, Any], seat: str, card: str, names: Names) -> str:
    """Return the sentence that says why a seat could play a card: “Bořek must play a tarock: no hearts left.”

    `reason`: a reason from `analysis.commentary`; `card`: code of the card.
    """
    slug, kind, choices = str(reason["clause"]), reason["kind"], reason["choices"]
    if kind in ("special", "open"):
        sentence = _sentence(slug, "plays", reason["reason"], names)
    else:
        if kind == "follow" and choices:
            kind = "follow-one" if choices == 1 else "follow-many"
        elif kind == "tarock" and choices == 1:
            kind = "tarock-one"
        elif kind == "free" and reason["suit"] == "T":
            kind = "free-tarock"
        sentence = _sentence("", "_plays", kind, names)
    return fill(sentence, {"card": card, **reason, "seat": seat}, names)


def slip(how: str, values: Mapping[str, Any], names: Names) -> str:
    """Return the sentence of a slip that explains a disputed score. `how`: kind of slip
    (`analysis.audit.Explanation`); `values`: the `title` of a line, two seats (`seat`, `other`), or two lines
    of a sheet as text (`stated`, `meant`)."""
    return fill(_sentence("", "_slips", how, names), values, names)


def counted(part: CountedPart, names: Names) -> str:
    """Return the origin and number of the cards in a part of a counting: “tricks of A: 24 cards”."""
    table = names.words
    values = {
        "seat": part["seat"],
        "cards": len(part["cards"]),
        "fool": table["fool"],
        "talon": table.get("talon", ""),
    }
    return fill(_sentence("", "_countings", part["what"], names), values, names)


def at_table(key: str, names: Names, **values: Any) -> str:
    """Return a sentence to show at the table: “Anna leads to trick 4.” `key`: its key in `_table`."""
    return fill(_sentence("", "_table", key, names), values, names)


def about_table(key: str, names: Names, **values: Any) -> str:
    """Return a sentence about a table of results: “'1O' is not a number”. `key`: its key in `_tables`."""
    return fill(_sentence("", "_tables", key, names), values, names)


def finding(found: Finding, names: Names | None = None) -> str:
    """Return the sentence of a finding, with its trick if there is one, but without the location in the input
    and the choices. Empty for a finding without a reason."""
    names = names or english("common")
    if not found.reason:
        return ""
    if found.legal is None or found.clause is None:
        return fill(_fault(found.reason, names), found.values, names)
    text = fill(_sentence(found.clause, "findings", found.reason, names), found.values, names)
    if found.trick is None:
        return text
    return fill(_fault("in-trick", names), {"trick": found.trick, "finding": text}, names)


def place(record: Record, event: int, names: Names | None = None) -> str:
    """Return the position of an event as text: “trick 4, third card”, “announcement 2”. `event`: number of
    the event, from 0; the number after the last event refers to the last event. Empty for a record without
    events."""
    events = record.events[: event + 1]
    if not events:
        return ""
    names = names or english(record.game)
    verb = events[-1][1]
    played = sum(e[1] == "play" for e in events)
    trick, nth = divmod(played - (verb == "play"), len(record.active))
    values: dict[str, Any]
    if verb == "play":
        card = names.words["nth_card"][str(nth + 1)]
        key, values = "card", {"trick": trick + 1, "nth": card}
    elif played:
        key, values = "in-trick" if nth else "before-trick", {"trick": trick + 1, "number": nth}
    elif verb in _COUNTED:
        key, values = verb, {"number": sum(e[1] == verb for e in events)}
    else:
        key, values = "turn", {"number": len(events)}
    return fill(_sentence("", "_places", key, names), values, names)


def _fault(key: str, names: Names) -> str:
    # The game may not be known yet, and a fault may belong to a single game, so search all rule books.
    for name in dict.fromkeys((names.game, *book_names())):
        text = _table(name, names.language, "_faults").get(("", key))
        if text is not None:
            return text
    raise KeyError(f"no fault “{key}”")


def heading(facts: Mapping[str, Any], names: Names) -> list[str]:
    """Return the phrases for the head of a score sheet: contract and level, declarer, called card, partner,
    doubles with their seats, options. `facts`: facts of a check; missing facts are left out."""
    table = names.words
    values: list[tuple[str, dict[str, Any]]] = []
    if contract := facts.get("contract_played"):
        values.append(("contract", {"contract": table["contracts"].get(contract, contract)}))
    values += [(key, {key: facts[key]}) for key in ("level", "declarer", "forced") if facts.get(key)]
    if called := facts.get("called"):
        values.append(("alone", {}) if called == "alone" else ("called", {"card": called}))
    values += [(key, {key: facts[key]}) for key in ("alone", "partner") if facts.get(key)]
    values += [("raises", {"seat": seat, "item": item}) for seat, item in facts.get("raises", ())]
    # List options only if they explain why the deal was not played.
    options = facts.get("options", ()) if facts.get("result") == "settled" else ()
    values += [
        ("options", {"option": table["options"][word]}) for word in options if word in table["options"]
    ]
    return [fill(_sentence("", "_heading", key, names), given, names) for key, given in values]


def message(found: Finding, game: str = "") -> str:
    """Return a finding as one line of English, with the location of a syntax error or the legal choices."""
    names = english(game)
    text = finding(found, names)
    if found.legal:
        legal: list[str] = list(found.legal[:_MOST_CHOICES])
        more = len(found.legal) - len(legal)
        key = "allowed-and-more" if more else "allowed"
        return fill(_fault(key, names), {"finding": text, "legal": legal, "more": more}, names)
    if found.legal is None and found.line is not None:
        values = {"line": found.line, "column": found.column, "finding": text}
        return fill(_fault("at-line", names), values, names)
    return text
