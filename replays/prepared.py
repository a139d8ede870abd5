"""Queries of the ORM whose SQL is made once.

To put a small query together takes Django four times as long as the database takes to answer it, and the
pages of a deal ask the same few questions over and over. They are written as query sets like all others; what
a database gives is turned into values by the same converters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import QuerySet

_PLACE = 0x5EA7_0000_D3A1
"""Stands for the number that is asked for; no constant of a query is this one."""
_LARGEST = 2**63 - 1

_Made = tuple[str, list[Any], list[tuple[int, list[Callable[..., Any]], Any]]]


class Prepared:
    """A question about one thing by its number: a query set of ``values_list`` for any number."""

    def __init__(self, question: Callable[[int], QuerySet[Any, Any]]) -> None:
        self._question = question
        self._made: dict[str, _Made] = {}

    def __call__(self, number: int) -> list[list[Any]]:
        """The rows; none for a number that is too large for the database."""
        if not 0 <= number <= _LARGEST:
            return []
        made = self._made.get(connection.vendor)
        if made is None:
            made = self._made[connection.vendor] = self._make()
        sql, parameters, converters = made
        with connection.cursor() as cursor:
            cursor.execute(sql, [number if p == _PLACE else p for p in parameters])
            rows = [list(row) for row in cursor.fetchall()]
        for at, convert, column in converters:
            for row in rows:
                for converter in convert:
                    row[at] = converter(row[at], column, connection)
        return rows

    def _make(self) -> _Made:
        compiler = self._question(_PLACE).query.get_compiler(DEFAULT_DB_ALIAS)
        sql, parameters = compiler.as_sql()
        columns = [column for column, _sql, _alias in compiler.select]
        converters = compiler.get_converters(columns).items()
        return sql, list(parameters), [(at, list(convert), column) for at, (convert, column) in converters]
