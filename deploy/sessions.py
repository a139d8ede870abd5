"""Sessions, with cookies read strictly."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):  # type: ignore[misc]
    """Django's session store, which doesn't query keys that the database can't hold, such as one with a
    NUL."""

    def _validate_session_key(self, key: str | None) -> bool:
        return key is not None and key.isascii() and key.isalnum() and super()._validate_session_key(key)
