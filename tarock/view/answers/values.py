"""JSON answer for the board page: what each legal card is worth, with all cards open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tarock.analysis.endings import Ending, Limit, ending
from tarock.analysis.hindsight import TRICKS_AT_ONCE
from tarock.analysis.kernel_task import Kernel, Task
from tarock.core.table import Table
from tarock.notation import read_value
from tarock.view.answers.fields import BadQuestion, Language
from tarock.view.page_json import Json

CARDS = 20
"""Most cards left in a position whose values a page shows if the kernel can't solve it."""


@dataclass(frozen=True)
class ValuesQuestion:
    """The question what each legal card is worth after the events of a record.

    `record`: JSON form of the record; `later`: the events that followed, whose result is a good first guess.
    """

    record: dict[str, Any]
    later: tuple[Any, ...] = ()
    language: Language = "en"

    def answer(self, kernel: Kernel | None) -> Json:
        """Return the values by argument of `play`, or the reason why there are none (`endings.Ending`), the
        number of last tricks that are calculated, and the number of seats that play.

        :raises NotationError: if `record` is not a valid record.
        :raises BadQuestion: without a kernel. A server has none for this question, because each answer may
            take seconds of its time.
        """
        if kernel is None:
            raise BadQuestion("Only the engine in a browser answers this question.", "browser-only")
        deal = read_value(self.record)
        whole = read_value(self.record | {"events": [*map(list, deal.events), *self.later]})
        after = whole.events[len(deal.events) :]
        last = TRICKS_AT_ONCE

        def solve(table: Table, _: object) -> Ending:
            nonlocal last
            task = Task(table, after)
            last = last if task.fits else min(last, CARDS // len(table.active))
            if table.total - len(table.tricks) > last:
                raise Limit
            return task.solve(kernel)

        # Without the later events, which may show cards that the page does not know yet.
        found = ending(deal, len(deal.events), solver=solve)
        return {
            "seat": found.seat,
            "values": found.values,
            "why": found.why,
            "tricks": last,
            "seats": len(deal.active),
        }
