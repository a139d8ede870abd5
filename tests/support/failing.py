"""Faults put into the program: each function that reads a record raises for the middle one of three."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from types import FunctionType, ModuleType
from typing import Any

from tarock import notation
from tarock.notation import json_text, read_each, read_one
from tests.support import samples

MARK = "Krypta"
_RICH = samples.ANNOTATED.replace('[Event "', f'[Event "{MARK} \\"').replace("B pass\n", "b pass ; {\n", 1)
_UNKNOWN = samples.HANDS_UNKNOWN.replace("\nA bid", f"\n{{ {MARK} }}\nA bid", 1)
_SHEET = samples.SHEET.replace("\nsheet", f"\n{{ {MARK} }}\nsheet", 1)
_BAD = samples.MALFORMED.replace("5. A HK", f"5. E HK {{ {MARK} }}").replace('[Event "', f'[Event "{MARK} ')
TEXTS = [_RICH, _UNKNOWN, _SHEET, _BAD, samples.DISPUTED_TROGGU.replace("\n1. ", f"\n; {MARK}\n1. ", 1)]


def _json_of(text: str) -> str:
    try:
        return notation.dump_json(read_one(text))
    except notation.NotationError:
        form = samples.taroky_json(comments={"0": ["}"]}, dealer="E", tags={"Event": MARK})
        return samples.json_text(form)


#: Middle records, by form, each between the same two good ones.
MIDDLES = {"tgn": TEXTS, "json": [*map(_json_of, TEXTS), '{"tgn": 1, "game" "taroky"}']}
AROUND = {
    "tgn": (samples.dealt(1), samples.dealt(2)),
    "json": tuple(_json_of(samples.dealt(n)) for n in (1, 2)),
}

#: Functions that read an input as a whole, and those that go on after an exception.
_WHOLE = {
    "reader",
    "pieces",
    "foreign",
    "packed",
    "writer",
    "chunks",
    "split",
    "read_text_records",
    "read_json_records",
    "_Places.__init__",
}


def input_of(form: str, middle: str) -> str:
    """Three records, the middle one of them this."""
    first, last = AROUND[form]
    return "\n".join([first, middle, last])


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.iter_modules(notation.__path__, "tarock.notation."):
        yield importlib.import_module(found.name)


def _functions() -> Iterator[tuple[str, Any, str, FunctionType]]:
    """Every function and method of the notation: its name, where it is, its name there, and itself."""
    for module in _modules():
        short = module.__name__.rpartition(".")[2]
        for name, value in vars(module).items():
            if getattr(value, "__module__", "") != module.__name__ or short in _WHOLE:
                continue
            inner = vars(value).items() if isinstance(value, type) else [("", value)]
            for method, function in inner:
                full = f"{name}.{method}" if method else name
                if isinstance(function, FunctionType) and full not in _WHOLE:
                    yield f"{short}:{full}", value if method else module, method or name, function
    yield "json_text:_DECODER", json_text._DECODER, "raw_decode", json_text._DECODER.raw_decode  # type: ignore[misc]


@contextmanager
def replaced(step: str, instead: Callable[[Any], Any]) -> Iterator[None]:
    """Replace a function in all modules that import it; `instead` gets the real one."""
    with _replaced(next(row for row in _functions() if row[0] == step), instead):
        yield


@contextmanager
def _replaced(row: tuple[str, Any, str, FunctionType], instead: Callable[[Any], Any]) -> Iterator[None]:
    _, owner, name, function = row
    owners = [owner]
    if isinstance(owner, ModuleType):
        owners = [module for module in _modules() if vars(module).get(name) is function]
    other = instead(function)
    for one in owners:
        setattr(one, name, other)
    try:
        yield
    finally:
        for one in owners:
            if one is json_text._DECODER:
                del one.raw_decode
            else:
                setattr(one, name, function)


def _counts(step: str, arguments: Any) -> bool:
    """Whether a call is for one record; borders are looked for ahead of the record that is read."""
    return not step.startswith("boundaries:") or MARK in str(arguments[0])


def _calls(text: str, functions: list[tuple[str, Any, str, FunctionType]]) -> Counter[str]:
    """How often each of these functions is called while a text is read."""
    numbers: Counter[str] = Counter()

    def counting(step: str, real: Any) -> Any:
        def call(*arguments: Any, **how: Any) -> Any:
            numbers[step] += _counts(step, arguments)
            return real(*arguments, **how)

        return call

    with ExitStack() as stack:
        for row in functions:
            stack.enter_context(_replaced(row, partial(counting, row[0])))
        list(read_each(text))
    return numbers


@cache
def steps() -> list[tuple[str, str, int]]:
    """Each step of reading that a middle record needs: form, function, number of the first such record."""
    found, functions = [], [*_functions()]
    for form, middles in MIDDLES.items():
        others = _calls("\n".join(AROUND[form]), functions)
        calls = [_calls(input_of(form, middle), functions) for middle in middles]
        for name, *_ in functions:
            numbers = [number for number, with_middle in enumerate(calls) if with_middle[name] > others[name]]
            found += [(form, name, number) for number in numbers[:1]]
    return found


@contextmanager
def failing(form: str, step: str) -> Iterator[None]:
    """Have a step raise when the second record of an input is read."""
    functions = [row for row in _functions() if row[0] == step]
    before, calls = _calls(AROUND[form][0], functions)[step], 0

    def raising(real: Any) -> Any:
        def call(*arguments: Any, **how: Any) -> Any:
            nonlocal calls
            calls += _counts(step, arguments)
            if calls == before + 1 and _counts(step, arguments):
                raise RuntimeError(f"a fault put into {step}")
            return real(*arguments, **how)

        return call

    with replaced(step, raising):
        yield
