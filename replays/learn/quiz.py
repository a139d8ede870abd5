"""A quiz of ten questions about a game. The engine makes questions and answers from simulated deals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from replays.home.lessons import Choice, Lesson
from replays.language.cards import face
from replays.language.names import Names
from replays.language.words import colon, first_sentence
from tarock.analysis import commentary, replay
from tarock.analysis.simulate import simulate
from tarock.core.cards import INDEX, VALUE, bits, in_hand_order
from tarock.core.record import Record
from tarock.games import start
from tarock.view import remark
from tarock.words import clauses
from tarock.words import names as naming

SEED = 43
"""The seed of the deals and of the choice of questions, so that the quiz is the same for everybody."""


def _follow(record: Record, random: Random) -> Lesson | None:
    """Ask which of four cards in a hand may be played; only one of them may."""
    plays = list(enumerate(commentary.reasons(record)))
    random.shuffle(plays)
    names = Names(record.game, record.players)
    for number, reason in plays:
        if reason is None or reason["kind"] not in ("follow", "tarock"):
            continue
        seat, _verb, card = record.events[number]
        state = replay.position(record, number)
        wrong = [c for c in state.hands[seat].cards or () if c not in reason["legal"]]
        if len(wrong) < 3 or state.trick is None or card not in reason["legal"]:
            continue
        shown = in_hand_order({card, *random.sample(wrong, 3)})
        question = _("These cards have been played. Which card may %(name)s play?")
        return Lesson(
            "",
            _("Which card may be played?"),
            question % {"name": names.players[seat]},
            [Choice(code, face(code, record.game), right=code == card) for code in shown],
            remark.play(reason, seat, card, names).text,
            [face(play.card, record.game) for play in state.trick.plays],
        )
    return None


def _trick(record: Record, random: Random) -> Lesson | None:
    """Ask which card takes a trick in which the led card loses. Leave out the Fool, which has rules of its
    own."""
    final = replay.position(record, len(record.events))
    tricks = [
        trick
        for trick in final.tricks
        if trick.winner != trick.leader and all(play.card != "T0" for play in trick.plays)
    ]
    if not tricks:
        return None
    trick = random.choice(tricks)
    question = _("%(name)s led. Which card takes the trick?")
    highest = next(play.card for play in trick.plays if play.seat == trick.winner)
    highest = naming.card_token(Names(record.game, record.players).words, highest)
    return Lesson(
        "",
        _("Who takes the trick?"),
        question % {"name": record.players[trick.leader]},
        [
            Choice(
                play.card, face(play.card, record.game), record.players[play.seat], play.seat == trick.winner
            )
            for play in trick.plays
        ],
        f"{colon(record.players[trick.winner], highest)} · {first_sentence(_rule('common.trick'))}",
    )


def _points(record: Record, random: Random) -> Lesson | None:
    """Ask what three cards count together."""
    hand = replay.position(record, 0).hands[random.choice(record.active)].cards or ()
    high = [card for card in hand if VALUE[INDEX[card]] > 1]
    if len(high) < 2:
        return None
    cards = in_hand_order({*random.sample(high, 2), random.choice([c for c in hand if c not in high])})
    values = sorted((VALUE[INDEX[card]] for card in cards), reverse=True)
    right = start(record).count_points(bits(cards))
    less = sum(values) - right
    wrong = {right - 2, right - 1, right + 1, right + 2, sum(values)} - {right}
    numbers = sorted([right, *random.sample(sorted(wrong), 2)])
    return Lesson(
        "",
        _("How many points?"),
        _("What do these three cards count together?"),
        [Choice(f"{number}", right=number == right) for number in numbers],
        f"{' + '.join(map(str, values))}{f' − {less}' if less else ''} = {right}. "
        + first_sentence(_rule(f"{record.game}.card-points")),
        [face(card, record.game) for card in cards],
    )


def _rule(slug: str) -> str:
    return clauses.clause(slug, get_language() or "en").rule


KINDS: tuple[Callable[[Record, Random], Lesson | None], ...] = (*(_follow, _trick, _points) * 3, _follow)
"""The functions that make the ten questions, in order."""


def quiz(game: str) -> tuple[Lesson, ...]:
    """Return the ten questions about a game in the reader's language."""
    return _quiz(game, get_language() or "en")


# The questions never change, and making them took 110 to 240 ms, measured for each game.
@cache
def _quiz(game: str, language: str) -> tuple[Lesson, ...]:
    random = Random(SEED)
    deals = simulate(game, deals=100, seed=SEED)
    made = (next(filter(None, (make(record, random) for record in deals))) for make in KINDS)
    return tuple(replace(one, name=f"question-{number}") for number, one in enumerate(made, 1))
