"""Convert a Redis URL to the forms that Celery and Django's cache expect. Uses only the standard library."""

from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

_SCHEMES = ("redis", "rediss", "unix", "redis+socket")


def split(url: str) -> tuple[str, int]:
    """Split a URL into the URL without the database number, and the number: the path of `redis://` and
    `rediss://`, `?db=` of `unix://`, or `?virtual_host=` of Celery's `redis+socket://`, which becomes
    `unix://`. Raise `ValueError` for any other scheme, or if the database is not a number."""
    parts = urlsplit(url)
    if parts.scheme not in _SCHEMES:
        raise ValueError(f"REDIS_URL must begin with redis://, rediss:// or unix://, not {parts.scheme}://")
    query = parse_qs(parts.query, keep_blank_values=True)
    number = [*query.pop("db", []), *query.pop("virtual_host", [])]
    path, scheme = parts.path, parts.scheme
    if scheme in ("redis", "rediss"):
        number = [path.strip("/")] if path.strip("/") else number
        path = ""
    else:
        scheme = "unix"
    rest = urlunsplit((scheme, parts.netloc, path, urlencode(query, doseq=True), ""))
    return rest, int(number[0]) if number else 0


def join(address: str, number: int) -> str:
    """Add the database number to a URL, for redis-py and Django's cache. This is the inverse of `split`."""
    parts = urlsplit(address)
    if parts.scheme == "unix":
        query = f"{parts.query}&db={number}" if parts.query else f"db={number}"
        # urlunsplit would drop the slashes before an empty host, because it doesn't know the scheme.
        return f"unix://{parts.netloc}{parts.path}?{query}"
    return urlunsplit((parts.scheme, parts.netloc, f"/{number}", parts.query, ""))


def for_celery(url: str) -> str:
    """Return the URL in the form that Celery's Redis transport expects."""
    address, number = split(url)
    if address.startswith("unix:"):
        return f"redis+socket://{urlsplit(address).netloc}{urlsplit(address).path}?virtual_host={number}"
    return join(address, number)


def for_cache(url: str) -> str:
    """Return the URL of the database after the broker's, so that clearing the cache keeps the queue."""
    address, number = split(url)
    return join(address, number + 1)
