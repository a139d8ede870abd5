"""What `import tarock` offers to a program."""

import doctest

import tarock
from tests.support import samples


def test_the_example_runs() -> None:
    done = doctest.testmod(tarock, extraglobs={"text": samples.TAROKY})
    assert done.attempted == 5
    assert done.failed == 0
