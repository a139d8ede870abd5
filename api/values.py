"""Serializers generated from the engine's classes, so that each field is described once, in the engine."""

from __future__ import annotations

import ast
import inspect
import textwrap
from functools import cache
from itertools import pairwise
from types import NoneType
from typing import Any, ClassVar, Literal, get_args, get_origin, get_type_hints

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

_PLAIN = {str: serializers.CharField, int: serializers.IntegerField, bool: serializers.BooleanField}
VALUE: dict[str, Any] = {}
"""Schema of a quantity, a fact, or a value in a sentence. It allows any value, because OpenAPI Generator
turns a list of alternatives into code that does not type-check."""


@extend_schema_field({"type": "object", "additionalProperties": VALUE})
class ValuesField(serializers.DictField):
    """Quantities by name."""


_serializers: dict[type, type[ValueSerializer]] = {}


class ValueSerializer(serializers.Serializer):
    """Serializer for the engine's class `of`. It has the fields of the class, described by their docstrings,
    and any fields that a subclass adds. The output is the engine's JSON."""

    of: ClassVar[type]

    def __init_subclass__(cls) -> None:
        """Register the subclass for nested values of the class `of`, and copy the docstring of `of`."""
        super().__init_subclass__()
        cls.__doc__ = cls.of.__doc__
        _serializers[cls.of] = cls

    def get_fields(self) -> dict[str, serializers.Field]:
        docstrings = _docstrings(self.of)
        fields = {
            name: _field(kind, **({"help_text": docstrings[name]} if name in docstrings else {}))
            for name, kind in get_type_hints(self.of).items()
        }
        return fields | super().get_fields()

    def to_representation(self, value: Any) -> dict[str, Any]:
        return value.as_json()


def serializer(of: type) -> type[ValueSerializer]:
    """Return the registered serializer for one of the engine's classes, or create one."""
    return _serializers.get(of) or type(f"{of.__name__}Serializer", (ValueSerializer,), {"of": of})


def _field(kind: Any, **options: Any) -> serializers.Field:
    """Return the serializer field for the type of a field in one of the engine's classes."""
    origin, inner = get_origin(kind), get_args(kind)
    if NoneType in inner:
        (kind,) = (one for one in inner if one is not NoneType)
        return _field(kind, allow_null=True, **options)
    if origin is Literal:
        return serializers.ChoiceField(choices=inner, **options)
    if origin is dict:
        if inner[1] is Any:
            return ValuesField(**options)
        return serializers.DictField(child=_field(inner[1]), **options)
    if origin in (tuple, list):
        if inner[0] in _PLAIN:
            return serializers.ListField(child=_field(inner[0]), **options)
        return serializer(inner[0])(many=True, **options)
    return _PLAIN[kind](**options) if kind in _PLAIN else serializer(kind)(**options)


@cache
def _docstrings(of: type) -> dict[str, str]:
    """Return the docstring of each field of a class and its base classes, by field name."""
    docstrings = {}
    for one in reversed(of.__mro__):
        if one.__module__.partition(".")[0] == "tarock":
            (body,) = ast.parse(textwrap.dedent(inspect.getsource(one))).body
            for field, below in pairwise(body.body if isinstance(body, ast.ClassDef) else ()):
                if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr):
                    docstrings[ast.unparse(field.target)] = " ".join(ast.literal_eval(below.value).split())
    return docstrings
