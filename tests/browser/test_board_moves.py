"""The list of moves on the board: what the page keeps of it, and what it gets, are the whole."""

from __future__ import annotations

from typing import Any

import pytest

from tests import samples

from .conftest import Address, Store

pytestmark = [pytest.mark.browser, pytest.mark.slow]

#: Goes to each step in turn, and asks for the whole list at each, too; how many events were not sent again.
WALK = """async (steps) => {
    const reply = tarockEngine.ask;
    let spared = 0;
    for (const step of steps) {
        tarockEngine.ask = (question, ...more) => ((spared += question.known ?? 0), reply(question, ...more));
        while (busy) await new Promise((resolve) => setTimeout(resolve, 5));
        goTo(step);
        while (busy) await new Promise((resolve) => setTimeout(resolve, 5));
        tarockEngine.ask = reply;
        const later = [...board.undone].reverse();
        const whole = await ask({ ask: "board", record: recordOf(board), later });
        if (JSON.stringify(answer.groups) !== JSON.stringify(whole.groups)) throw new Error(`step ${step}`);
    }
    return spared;
}"""


def test_what_a_page_keeps_and_gets_is_the_whole_list(page: Any, address: Address, store: Store) -> None:
    """On and back, across an illegal event, and with another card in place of one."""
    for text in (samples.TAROKY, samples.NOT_HELD):
        (deal,) = store(text)
        page.goto(address(f"/deals/{deal.pk}/try/?step=20"))
        page.locator("#moves").wait_for()
        steps = [21, 22, 40, 39, 35, 64, 63, 36, 12, 0, 1, 64, 19]
        assert page.evaluate(WALK, steps) > 200
        page.evaluate("enter(answer.choices.findLast(({ event }) => event[1] === 'play').event)")
        assert page.evaluate(WALK, [14, 18, 17]) > 20
