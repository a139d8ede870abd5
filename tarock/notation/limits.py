"""The limits of one record, in both forms. A record beyond them is malformed."""

#: Bytes of a record's own text in UTF-8.
MAX_TEXT = 64 * 1024
MAX_EVENTS = 400
#: Words of an event, seat and verb among them, and of a line of a score sheet with the name of its field.
MAX_WORDS = 64
#: Lines of a score sheet.
MAX_SHEET_LINES = 64
#: A number in a line of a score sheet, of either sign.
MAX_SHEET_NUMBER = 999_999
MAX_COMMENTS = 200
#: Characters of a comment.
MAX_COMMENT = 2000
MAX_TAGS = 64
#: Characters of a tag value, the names of the players among them.
MAX_TAG = 300
