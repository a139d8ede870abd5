"""gettext for who has many words to say: what was translated once is looked up in a dict of its language.

gettext asks for the language, then looks through several catalogues: some three microseconds a word, and a
replay page has two hundred of them.
"""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import get_language
from django.utils.translation import gettext as translated


class _Said(dict[str, str]):
    """What was translated into one language; the messages are those in our own code, so they are few."""

    def __missing__(self, message: str) -> str:
        said = self[message] = translated(message)
        return said


class _Languages(dict[str | None, _Said]):
    def __missing__(self, language: str | None) -> _Said:
        found = self[language] = _Said()
        return found


_languages = _Languages()


def spoken() -> Callable[[str], str]:
    """A gettext for the language in use, good for as long as that stays: to be named ``_``, so that the
    messages are found."""
    return _languages[get_language()].__getitem__


def said(message: str) -> str:
    """One message in the language in use; to be imported as ``_``."""
    return _languages[get_language()][message]
