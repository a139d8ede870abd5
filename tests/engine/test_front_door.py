"""What `import tarock` offers to a program, and the examples in the docstrings of the engine."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

from tests.support import samples

WITH_EXAMPLES = [path for path in sorted(Path("tarock").rglob("*.py")) if ">>> " in path.read_text("utf-8")]


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=str)
def test_the_examples_run(path: Path) -> None:
    module = import_module(".".join(path.with_suffix("").parts).removesuffix(".__init__"))
    done = doctest.testmod(module, extraglobs={"text": samples.TAROKY})
    assert done.attempted
    assert not done.failed
