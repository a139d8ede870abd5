"""The rules pages and the pages about the notation. Every clause and every ruling has its own URL."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from archive.web.documents import document
from replays.home.notation_page import samples, sheet_samples
from replays.language import words
from replays.language.cards import face, pack_rows
from replays.language.clauses import cards_of
from tarock.games import GAMES
from tarock.words import clauses
from tarock.words.rule_sets import rule_sets


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show the games with rules, and list all rulings by game."""
    language = get_language() or "en"
    books = clauses.books(language)
    rulings = [(book, [c for c in book.clauses if c.is_ruling]) for book in books]
    trull = [face(code) for code in ("T0", "T21", "T1")]
    return render(request, "home/rules.html", {"books": books, "rulings": rulings, "trull": trull})


@require_safe
def game(request: HttpRequest, game: str) -> HttpResponse:
    """Show the rules of a game, its pack, and the cards mentioned in clauses. The slug of each clause is an
    anchor."""
    try:
        book = clauses.book(game, get_language() or "en")
    except KeyError:
        raise Http404 from None
    return render(
        request,
        "home/rules_game.html",
        {
            "book": book,
            "pack_rows": pack_rows(game) if game in GAMES else [],
            "faces": {clause.slug: cards_of(clause) for clause in book.clauses},
        },
    )


@require_safe
def options(request: HttpRequest, game: str) -> HttpResponse:
    """Show the options of a game, and its published rule sets in a table with their sources."""
    if game not in GAMES:
        raise Http404
    language = get_language() or "en"
    found = rule_sets(game, language)
    reasons: dict[str, list[str]] = {}
    for row in found.rows:
        for reason in dict.fromkeys(cell.reason for cell in row.cells if cell.reason):
            reasons.setdefault(reason, []).append(row.option.slug)
    context = {
        "book": clauses.book(game, language),
        "found": found,
        "reasons": reasons,
        "origins": words.RULE_ORIGINS,
    }
    return render(request, "home/rules_options.html", context)


@require_safe
def clause(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect from a clause's permanent URL to the clause on its game's page."""
    target = clauses.find(slug)
    if target is None:
        raise Http404
    return redirect(reverse("replays:rules-game", args=[target.game]) + f"#{target.slug}")


@require_safe
def notation(request: HttpRequest) -> HttpResponse:
    """Show a complete deal of each game to copy, and the published notation."""
    context = {"samples": samples(), "specification": document("notation.md")}
    return render(request, "home/notation.html", context)


@require_safe
def score_sheets(request: HttpRequest) -> HttpResponse:
    """Show how to write a score sheet without cards, with a sample and the fields of each game."""
    return render(request, "home/score_sheets.html", {"samples": sheet_samples()})
