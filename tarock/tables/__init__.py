"""Tables of results: from the bytes of a spreadsheet or text to the points of each deal or evening."""

from tarock.tables.recognise import recognise, recognise_file
from tarock.tables.result import Place, Question, Recognised, ResultRow, Sentence
from tarock.tables.workbook import Sheet, Unreadable, read_sheets, read_text

__all__ = [
    "Place",
    "Question",
    "Recognised",
    "ResultRow",
    "Sentence",
    "Sheet",
    "Unreadable",
    "read_sheets",
    "read_text",
    "recognise",
    "recognise_file",
]
