"""One Redis address in the two spellings of its clients. Standard library only."""

from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

_SCHEMES = ("redis", "rediss", "unix", "redis+socket")


def split(url: str) -> tuple[str, int]:
    """Return the URL without its database number, and that number. Supports `redis://`, `rediss://` (number
    as the path) and `unix://` (number as `?db=`), also Celery's `redis+socket://` (`?virtual_host=`), which
    becomes `unix://`. Raise `ValueError` for every other scheme and for a database that is not a number.
    """
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
    """The opposite of `split`: an address for redis-py (and so for Django's cache)."""
    parts = urlsplit(address)
    if parts.scheme == "unix":
        query = f"{parts.query}&db={number}" if parts.query else f"db={number}"
        # By hand: for a scheme it does not know, urlunsplit drops the empty host's slashes.
        return f"unix://{parts.netloc}{parts.path}?{query}"
    return urlunsplit((parts.scheme, parts.netloc, f"/{number}", parts.query, ""))


def for_celery(url: str) -> str:
    """The address in the spelling of Celery's Redis transport."""
    address, number = split(url)
    if address.startswith("unix:"):
        return f"redis+socket://{urlsplit(address).netloc}{urlsplit(address).path}?virtual_host={number}"
    return join(address, number)


def for_cache(url: str) -> str:
    """The database next to the broker's, so that clearing the cache never empties the queue."""
    address, number = split(url)
    return join(address, number + 1)
