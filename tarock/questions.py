"""Questions of a page to the engine, and its answers, as JSON: the same at the server and in a browser.

A question is checked like any input: one that makes no sense has an answer with an `error`, and so has one on
which the program itself fails.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

from tarock import sentences
from tarock.board_page import board_answer, hand_answer, start_answer
from tarock.check_page import check_answer
from tarock.evening_page import evening_answer, form_answer, games_answer, table_answer
from tarock.findings import NotationError
from tarock.variations_page import variations_answer

logger = logging.getLogger(__name__)

Question = dict[str, Any]
Answer = dict[str, Any]


class BadQuestion(ValueError):
    """A question without an answer: a code, and what is wrong with it, in English for developers."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def answer(text: str) -> str:
    """Answer a question, both as JSON. `{"error": {"code", "message"}}` where it cannot be answered."""
    try:
        question = json.loads(text)
    except (ValueError, RecursionError):
        return _written(_error(BadQuestion("not-json", "This is no JSON, or nested too deep.")))
    return _written(answer_to(question))


def answer_to(question: Any) -> Answer:
    """Answer a question that was read."""
    try:
        ask = question.get("ask") if isinstance(question, dict) else None
        if not isinstance(ask, str) or ask not in _QUESTIONS:
            raise BadQuestion("unknown-question", f"One of these is answered: {', '.join(_QUESTIONS)}.")
        return _QUESTIONS[ask](question)
    except NotationError as bad:
        return _error(BadQuestion("malformed", sentences.message(bad.finding)))
    except BadQuestion as bad:
        return _error(bad)
    except RecursionError:
        return _error(BadQuestion("too-deep", "The question is nested too deep."))
    except Exception:
        logger.exception("a question could not be answered")
        return _error(BadQuestion("failed", "The program failed on this question."))


def _error(bad: BadQuestion) -> Answer:
    return {"error": {"code": bad.code, "message": str(bad)}}


def _written(value: Answer) -> str:
    # A text of the question that is quoted may have half a character, which no encoding takes.
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode()


_QUESTIONS: dict[str, Callable[[Question], Answer]] = {
    "form": form_answer,
    "evening": evening_answer,
    "games": games_answer,
    "table": table_answer,
    "check": check_answer,
    "board-start": start_answer,
    "hand": hand_answer,
    "board": board_answer,
    "variations": variations_answer,
}
"""The word of a question → what answers it."""
