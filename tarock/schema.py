"""The JSON Schema of TGN's JSON form, for those who check or generate records without this engine."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of one record in the JSON form, a fresh copy at each call.

    It describes what `tarock.notation.write_json` writes. The reader forgives some spelling that the schema
    does not, and refuses a few things that a schema can't express; `docs/notation.md` says which.
    """
    file = resources.files("tarock") / "data" / "schema" / "tgn.schema.json"
    data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return data
