"""Limits for one record, in both forms. A record that exceeds a limit is malformed."""

#: Maximum size of a record's text as sent, in bytes of UTF-8.
MAX_TEXT = 64 * 1024
MAX_EVENTS = 400
#: Maximum number of words in an event (with seat and verb) and in a sheet line (with the field name).
MAX_WORDS = 64
#: Maximum number of lines in a score sheet.
MAX_SHEET_LINES = 64
#: Maximum absolute value of a number in a score sheet.
MAX_SHEET_NUMBER = 999_999
#: Maximum number of players in a result.
MAX_RESULT = 60
#: Maximum points of a player in a claim or in a result, of either sign.
MAX_POINTS = 10**9
MAX_COMMENTS = 200
#: Maximum number of characters in a comment.
MAX_COMMENT = 2000
MAX_TAGS = 64
#: Maximum number of characters in a tag value or in a player's name.
MAX_TAG = 300
