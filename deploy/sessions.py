"""Session store that accepts only well-formed session keys."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):  # type: ignore[misc]
    """Django's session store, except that it rejects keys that the database can't store, such as keys with a
    NUL."""

    def _validate_session_key(self, key: str | None) -> bool:
        return key is not None and key.isascii() and key.isalnum() and super()._validate_session_key(key)
