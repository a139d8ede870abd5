"""Suggestions for text that can't be parsed: a card, a date, or a word in another spelling or language. The
user decides whether to accept a suggestion.

>>> from tarock.notation import read
>>> text = '[TGN "1"]\\n[Game "Strohmanntarock"]'
>>> suggestions(text, read(text)[0].errors[0], "en")
[Suggestion(start=17, end=32, text='strohmann', place='')]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from difflib import get_close_matches
from functools import cache
from typing import NamedTuple

from tarock.core.findings import Finding
from tarock.games import GAMES
from tarock.notation import read
from tarock.notation.boundaries import split
from tarock.notation.events import verbs
from tarock.view.entry.deal_lines import Suggestion, absent_cards, mend_dealt_twice
from tarock.view.entry.hand import folded, read_hand
from tarock.view.entry.typed import straightened
from tarock.words.clauses import LANGUAGES, book, words

#: Maximum number of suggestions for one error.
MOST = 3
#: Maximum length of a word for which there are suggestions, in characters. All names are shorter.
_LONGEST = 40


def suggestions(text: str, finding: Finding, language: str) -> list[Suggestion]:
    """Return at most three suggestions for an error in a TGN text, the most likely first. `text`: the whole
    input; `language`: the language in which court cards are read first."""
    if finding.reason in _OF_THE_DEAL:
        return _OF_THE_DEAL[finding.reason](text, finding, language)
    find = _FINDERS.get(finding.reason)
    place = _word_at(text, finding)
    if find is None or place is None:
        return _straight_line(text, finding)
    start, word = place
    game = _game(text[:start])
    found = list(dict.fromkeys(find(_Slip(word, finding, game, _seats(text[:start]), language))))
    if game and (finding.pointer or "").startswith("/deal/"):
        absent = absent_cards(_record_at(text, finding)[1], game)
        found = sorted(found, key=lambda card: card not in absent) or absent
    words = [Suggestion(start, start + len(word), one) for one in found if one != word][:MOST]
    return words or _straight_line(text, finding)


def _straight_line(text: str, finding: Finding) -> list[Suggestion]:
    """Suggest the whole line with plain signs, if it has others."""
    if finding.line is None or finding.column is None:
        return []
    start, record, local = _record_at(text, finding)
    number = (local.line or 1) - 1
    lines = [record.split("\n"), straightened(record).split("\n")]
    before, after = (one[number] if number < len(one) else "" for one in lines)
    at = start + _line_start(record, number + 1)
    return [Suggestion(at, at + len(before), after)] if before != after else []


class _Slip(NamedTuple):
    """A word that can't be parsed."""

    word: str
    finding: Finding
    game: str  # game of the record; empty if unknown
    seats: Mapping[str, str]  # folded name of each player named before the word → seat
    language: str  # language of the user


def _word_at(text: str, finding: Finding) -> tuple[int, str] | None:
    """Return the invalid word and its start; None if the word can't be located, as in JSON."""
    if finding.line is None or finding.column is None:
        return None
    at = _line_start(text, finding.line)
    rest = text[at + finding.column - 1 :].partition("\n")[0]
    word = str(finding.values.get("found", "")).removeprefix("“").removesuffix("”")
    before = rest.lower().find(word.lower())
    if not word or len(word) > _LONGEST or before < 0:
        return None
    start = at + finding.column - 1 + before
    return start, text[start : start + len(word)]


def _game(text: str) -> str:
    """Return the game in the last `Game` tag of a text; empty if there is no such game."""
    named = re.findall(r'^\[game\s+"([^"]*)"', text, re.IGNORECASE | re.MULTILINE)
    return named[-1].lower() if named and named[-1].lower() in GAMES else ""


def _seats(text: str) -> dict[str, str]:
    """Map the folded name of each player in a text to the last seat that has this name."""
    found = re.findall(r'^\[([A-H])\s+"([^"]*)"', text, re.MULTILINE)
    return {folded(name): seat for seat, name in found}


def _line_start(text: str, line: int) -> int:
    at = 0
    for _ in range(line - 1):
        at = text.find("\n", at) + 1
    return at


def _record_at(text: str, finding: Finding) -> tuple[int, str, Finding]:
    """Return the start of the finding's record, the record, and the finding with its line in the record."""
    first, record = [row for row in split(text) if row[0] <= (finding.line or 1)][-1]
    line = None if finding.line is None else finding.line - first + 1
    return _line_start(text, first), record, replace(finding, line=line)


# --- the cards of a deal ------------------------------------------------------------------------------------


def _perhaps_missing_cards(text: str, finding: Finding, language: str) -> list[Suggestion]:
    """Suggest the cards that a place would still lack after other errors are corrected. If it lacks one card,
    suggest each card that then appears in no place."""
    _, record, local = _record_at(text, finding)
    game = _game(record)
    lacking = finding.values["expected"] - finding.values["found"]
    if lacking < 1 or not game or finding.line is None:
        return []
    mended = _mended(record, language)
    for other in read(mended)[0].errors:
        if other.reason == "cards-missing" and other.line == local.line:
            return _at_end_of_line(text, finding, [other.values["cards"]])
    return _at_end_of_line(text, finding, [[card] for card in absent_cards(mended, game) if lacking == 1])


def _mended(record: str, language: str) -> str:
    """Correct the errors of a record that have exactly one suggestion, except those in `_OF_THE_DEAL`."""
    faults = [fault for fault in read(record)[0].errors if fault.reason not in _OF_THE_DEAL]
    sure = [found[0] for fault in faults if len(found := suggestions(record, fault, language)) == 1]
    for one in sorted(sure, reverse=True):
        record = record[: one.start] + one.text + record[one.end :]
    return record


def _at_end_of_line(text: str, finding: Finding, choices: list[list[str]]) -> list[Suggestion]:
    if finding.line is None:
        return []
    start = _line_start(text, finding.line)
    written = re.split(r"[;{]", text[start:].partition("\n")[0])[0].rstrip()
    end = start + len(written)
    return [Suggestion(end, end, " " + " ".join(cards)) for cards in choices]


def _dealt_twice(text: str, finding: Finding, language: str) -> list[Suggestion]:
    """Suggest corrections for a card that was dealt twice. Each correction replaces or removes the card at
    one of its places."""
    start, record, _ = _record_at(text, finding)
    game = _game(record)
    edits = mend_dealt_twice(record, game, finding.values["card"]) if game else []
    return [edit._replace(start=start + edit.start, end=start + edit.end) for edit in edits][:MOST]


_OF_THE_DEAL: dict[str, Callable[[str, Finding, str], list[Suggestion]]] = {
    "cards-missing": lambda text, finding, _: _at_end_of_line(text, finding, [finding.values["cards"]]),
    "dealt-twice": _dealt_twice,
    "wrong-size": _perhaps_missing_cards,
}
"""Reason of a finding → the function that suggests corrections after reading all deal lines."""


# --- words that may be meant, by error ----------------------------------------------------------------------


def _cards(slip: _Slip) -> Iterator[str]:
    """Yield cards that a word may mean, trying letters of all languages, suit signs, and rank before suit."""
    game = str(slip.finding.values.get("game", slip.game))
    if not game:
        return
    for word in (slip.word, slip.word[-1:] + slip.word[:-1]):
        for language in (slip.language, *LANGUAGES):
            hand = read_hand(game, word, language)
            if len(hand.cards) == 1 and not hand.wrong:
                yield hand.cards[0]


_DAY_FIRST = re.compile(r"(\d{1,2})[./-] ?(\d{1,2})[./-] ?(\d{4}|\d{2})", re.ASCII)
_YEAR_FIRST = re.compile(r"(\d{4})[./年-](\d{1,2})[./月-](\d{1,2})日?", re.ASCII)


def _dates(slip: _Slip) -> Iterator[str]:
    """Yield ISO dates for a date with day, month and year in another order. With slashes, the month may come
    first."""
    if found := _DAY_FIRST.fullmatch(slip.word):
        day, month, year = map(int, found.groups())
        orders = [(day, month), (month, day)] if "/" in slip.word else [(day, month)]
        rows = [(year if year > 99 else 2000 + year, m, d) for d, m in orders]
    elif found := _YEAR_FIRST.fullmatch(slip.word):
        year, month, day = map(int, found.groups())
        rows = [(year, month, day)]
    else:
        return
    for year, month, day in rows:
        try:
            yield date(year, month, day).isoformat()
        except ValueError:
            continue


_POINTS = re.compile(r"([A-Ha-h])[:=]?([+–−-]?)(\d{1,9})")


def _points(slip: _Slip) -> Iterator[str]:
    """Yield the score in the form `A=5`, if seat and points have another separator or none between them."""
    if found := _POINTS.fullmatch(slip.word):
        seat, sign, number = found.groups()
        yield f"{seat.upper()}={'' if sign in ('', '+') else '-'}{number}"


def _expected(slip: _Slip) -> Iterator[str]:
    """Yield the expected words that are similar to the written word."""
    yield from _near(slip.word, {folded(word): word for word in str(slip.finding.values["expected"]).split()})


def _dealer(slip: _Slip) -> Iterator[str]:
    """Yield the seat of a player whose name was written in place of a seat, then similar seats."""
    yield from _near(slip.word, slip.seats)
    yield from _expected(slip)


def _near(word: str, known: Mapping[str, str]) -> Iterator[str]:
    """Yield the meanings of the known words that are similar to a word, the most similar first."""
    yield from (known[name] for name in get_close_matches(folded(word), known, MOST, 0.75))


# --- names in all languages ---------------------------------------------------------------------------------


# Both tables depend only on the texts. Without the caches a suggestion takes some milliseconds longer.
@cache
def _names_of_games() -> Mapping[str, str]:
    """Map the names of all games in the four languages to the games' ids."""
    named = {folded(book(game, language).name): game for game in GAMES for language in LANGUAGES}
    return named | {game: game for game in GAMES}


@cache
def _names_of_verbs(game: str) -> Mapping[str, str]:
    """Map the first word of each verb's text in every language to the verb. Without `game`, use all verbs."""
    known = GAMES[game].info.verbs if game else verbs()
    found: dict[str, str] = {}
    for language in LANGUAGES:
        for verb, sentence in words(game or "common", language)["verbs"].items():
            first = re.sub(r"\{\w+\}", " ", sentence).split()
            if verb in known and verb != "play" and first:
                found.setdefault(folded(first[0]), verb)
    return found | {verb: verb for verb in known if verb != "play"}


_FINDERS: dict[str, Callable[[_Slip], Iterable[str]]] = {
    "no-card": _cards,
    "not-in-pack": _cards,
    "no-date": _dates,
    "no-score": _points,
    "trick-number": lambda slip: (f"{slip.finding.values['trick']}.",),
    "unknown-dealer": _dealer,
    "unknown-field": _expected,
    "unknown-game": lambda slip: _near(slip.word, _names_of_games()),
    "unknown-option": _expected,
    "unknown-place": _expected,
    "unknown-verb": lambda slip: _near(slip.word, _names_of_verbs(slip.game)),
    "sheet-word": _expected,
}
"""Reason of a finding → the function that returns words that the user may have meant."""
