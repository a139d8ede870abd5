"""Lookups of the archive's own columns."""

from __future__ import annotations

from typing import Any

from django.db.models import Lookup, TextField

CITED = "string_to_array(regexp_replace(clauses, '=[^ ]*', '', 'g'), ' ')"
"""The clauses that a deal cites, as an array, on PostgreSQL: there is an index of it."""


@TextField.register_lookup
class Cites(Lookup):
    """Whether the column `Deal.clauses` has a clause, whatever it did: ``clauses__cites="taroky.follow"``."""

    lookup_name = "cites"

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        """By the index of `CITED`."""
        column, params = self.process_lhs(compiler, connection)
        return f"{CITED.replace('clauses', column, 1)} @> ARRAY[%s::text]", [*params, self.rhs]

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        """By the text itself."""
        column, params = self.process_lhs(compiler, connection)
        slug = self.rhs
        conditions = f"({column} = %s OR {column} LIKE %s OR {column} LIKE %s)"
        return conditions, [*params, slug, *params, f"{slug}=%", *params, f"% {slug}=%"]
