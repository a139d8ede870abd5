"""A page's questions to the engine, and the answers, as JSON. Server and browser give the same answers.

Questions are validated (`fields`). The answer has an `error` if the question is invalid, or if a bug in the
program prevents an answer.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

from tarock.analysis.kernel_task import Kernel
from tarock.core.findings import NotationError
from tarock.view.answers.board import board_answer, exchange_answer, hand_answer, start_answer
from tarock.view.answers.check import check_answer
from tarock.view.answers.evening import evening_answer, form_answer, games_answer, rules_answer, table_answer
from tarock.view.answers.fields import BadQuestion, read_fields
from tarock.view.answers.values import ValuesQuestion
from tarock.view.answers.variations import variations_answer
from tarock.view.page_json import Json
from tarock.words import sentences

logger = logging.getLogger(__name__)


def answer(text: str, kernel: Kernel | None = None) -> str:
    """Answer a question in JSON. On failure the answer is `{"error": {"code", "message"}}`. `kernel`:
    function that runs the kernel for endings, for the question `values`."""
    try:
        question = json.loads(text)
    except (ValueError, RecursionError):
        return _written(_error(BadQuestion("This is no JSON, or nested too deep.", "not-json")))
    return _written(answer_to(question, kernel))


def answer_to(question: Any, kernel: Kernel | None = None) -> Json:
    """Answer a question that has already been parsed."""
    try:
        ask = question.get("ask") if isinstance(question, dict) else None
        if not isinstance(ask, str) or ask not in _QUESTIONS:
            raise BadQuestion(f"One of these is answered: {', '.join(_QUESTIONS)}.", "unknown-question")
        found = read_fields(_QUESTIONS[ask], {name: one for name, one in question.items() if name != "ask"})
        return found.answer(kernel) if isinstance(found, ValuesQuestion) else found
    except NotationError as bad:
        return _error(BadQuestion(sentences.message(bad.finding)))
    except BadQuestion as bad:
        return _error(bad)
    except RecursionError:
        return _error(BadQuestion("The question is nested too deep.", "too-deep"))
    except Exception:
        logger.exception("a question could not be answered")
        return _error(BadQuestion("The program failed on this question.", "failed"))


def _error(bad: BadQuestion) -> Json:
    return {"error": {"code": bad.code, "message": str(bad)}}


def _written(value: Json) -> str:
    # An error may quote a lone surrogate from the question, which UTF-8 cannot encode, so replace it.
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode()


_QUESTIONS: dict[str, Callable[..., Json | ValuesQuestion]] = {
    "form": form_answer,
    "evening": evening_answer,
    "games": games_answer,
    "house-rules": rules_answer,
    "table": table_answer,
    "check": check_answer,
    "board-start": start_answer,
    "hand": hand_answer,
    "board": board_answer,
    "exchange": exchange_answer,
    "variations": variations_answer,
    "values": ValuesQuestion,
}
"""Value of a question's `ask` → the function that answers it, or the class of a question for the kernel."""
