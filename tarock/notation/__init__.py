"""TGN, the Tarock Game Notation: reading and writing records as text and as JSON.

The notation knows cards, seats and verbs; the games decide what is legal. Specification: `docs/notation.md`.
"""

from tarock.core.findings import NotationError, NotWritable
from tarock.notation.json_text import read_value
from tarock.notation.jsonform import agreed
from tarock.notation.names import NoName, read_name
from tarock.notation.options_part import is_rules_name, read_rules
from tarock.notation.pieces import START, Piece, following, rest, whole_records
from tarock.notation.reader import (
    Entry,
    pieces_of,
    read,
    read_each,
    read_file,
    read_one,
    read_piece,
    read_stored,
)
from tarock.notation.writer import dump_json, write_json, write_text

__all__ = [
    "START",
    "Entry",
    "NoName",
    "NotWritable",
    "NotationError",
    "Piece",
    "agreed",
    "dump_json",
    "following",
    "is_rules_name",
    "pieces_of",
    "read",
    "read_each",
    "read_file",
    "read_name",
    "read_one",
    "read_piece",
    "read_rules",
    "read_stored",
    "read_value",
    "rest",
    "whole_records",
    "write_json",
    "write_text",
]
