"""Learn a game: a deal to watch, the rules for players, a quiz, ten hands, and the words of the table."""

from __future__ import annotations

from dataclasses import replace
from unicodedata import normalize

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from archive.addresses import number_of
from replays.language.cards import pack
from replays.language.clauses import cards_of
from replays.learn.demonstration import LEARNER, Demonstration
from replays.learn.hands import HandPage, hands
from replays.learn.quiz import quiz
from tarock.games import GAMES
from tarock.words import clauses
from tarock.words.clauses import Book
from tarock.words.terms import terms

FIRST = {"common.card-order": 2, "common.trick": 1}
"""Clauses of all games that a player needs before those of the game, and the number of their paragraphs that
apply to each game. The others are about exceptions, which the game's own clauses describe."""

FOOLS = {"skus", "skyz", "bettler"}
"""The Fool's terms in the glossaries of the games."""


def _book(game: str) -> Book:
    if game not in GAMES:
        raise Http404
    return clauses.book(game, get_language() or "en")


@require_safe
def learn(request: HttpRequest, game: str) -> HttpResponse:
    """Show a composed deal that plays by itself, with captions and the further pages for newcomers. Without a
    script, `?step=N` shows the deal at a step. A game without a composed deal begins with its rules."""
    book = _book(game)
    if game not in LEARNER:
        return redirect("replays:learn-rules", game)
    demonstration = Demonstration(game)
    step = number_of(request.GET.get("step"), 3) or 0
    frame = demonstration.frame(min(step, demonstration.last))
    context = {"book": book, "game": game, "demonstration": demonstration, "frame": frame}
    return render(request, "learn/learn.html", context)


# The captions are in the language of a cookie.
@cache_control(private=True, max_age=60)
@require_safe
def frames(request: HttpRequest, game: str) -> HttpResponse:
    """Return all steps of the composed deal for the script that plays it."""
    if game not in LEARNER:
        raise Http404
    return JsonResponse(Demonstration(game).document())


@require_safe
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """Show the rules of a game in words for players, with sources and rulings folded."""
    book, language = _book(game), get_language() or "en"
    common = [(clauses.clause(slug, language), number) for slug, number in FIRST.items()]
    first = [replace(clause, rule="\n\n".join(clause.paragraphs[:number])) for clause, number in common]
    faces = {clause.slug: cards_of(clause) for clause in (first[0], *book.clauses)}
    fool = next((term for term in terms(game, language) if term.slug in FOOLS), None)
    faces["common.trick"] = []  # its paragraph about the Fool is left out
    faces["fool"] = [pack(game)["T0"]]
    context = {"book": book, "game": game, "first": first, "faces": faces, "fool": fool}
    return render(request, "learn/rules.html", context)


@require_safe
def questions(request: HttpRequest, game: str) -> HttpResponse:
    """Show ten questions about a game."""
    return render(request, "learn/quiz.html", {"book": _book(game), "game": game, "lessons": quiz(game)})


@require_safe
def hand(request: HttpRequest, game: str, number: int) -> HttpResponse:
    """Show one of ten hands. `?card=` is the answer, and `&at=N` shows its line up to a step. The page stores
    nothing: `?done=1.3` lists the hands that were answered right. A game without hands has only the quiz."""
    book, all_hands, query = _book(game), hands(game), request.GET
    if not all_hands:
        return redirect("replays:learn-quiz", game)
    card = query.get("card", "")
    if not 1 <= number <= len(all_hands) or (card and card not in all_hands[number - 1].puzzle.choices):
        raise Http404
    chosen = all_hands[number - 1]
    page = HandPage(chosen.puzzle, card, number_of(query.get("at")) or 0, chosen.ask)
    done = [n for n in range(1, len(all_hands) + 1) if f"{n}" in query.get("done", "").split(".")]
    if card and page.is_right and number not in done:
        done = sorted([*done, number])
    context = {
        "book": book,
        "game": game,
        "page": page,
        "number": number,
        "count": len(all_hands),
        "done": done,
    }
    return render(request, "learn/hand.html", context)


@require_safe
def glossary(request: HttpRequest, game: str) -> HttpResponse:
    """Show the words of a game's table in alphabetical order, each with its explanation."""
    book, language = _book(game), get_language() or "en"
    words = sorted(terms(game, language), key=lambda term: normalize("NFKD", term.word.casefold()))
    return render(request, "learn/words.html", {"book": book, "game": game, "terms": words})
