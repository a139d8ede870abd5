"""Tokens for tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from archive import tokens


def secret_of(user: Any, scopes: Iterable[str] | None = None) -> str:
    """The secret of a new token of a user: for all that he may do, or for these scopes."""
    return tokens.make(user, "test", scopes=tokens.allowed(user) if scopes is None else scopes)[1]
