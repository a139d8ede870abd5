"""HTTP requests to URLs that users entered. They reach no private network unless `private` is set, and they
have a time limit. The host name is resolved only once, and the connection goes to the IP address that was
checked, so a second DNS response can't redirect it. HTTP redirects are not followed."""

from __future__ import annotations

import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpcore
from django.utils.http import parse_http_date_safe

MOST_LETTERS = 500
"""Maximum length of a URL in characters."""

_MOST = 400
"""Maximum number of bytes read from a response."""


class Unreachable(Exception):
    """There was no response. The message is the reason."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response. `text`: beginning of the body; `retry_after`: seconds to wait, from `Retry-After`."""

    status: int
    text: str
    retry_after: float = 0


def check(url: str, *, private: bool = False) -> str | None:
    """Return the reason why a URL is rejected, or None if it is accepted. `private`: accept URLs without
    TLS."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "This is no web address."
    if parts.scheme not in (("https", "http") if private else ("https",)) or not parts.hostname:
        return "A web address that begins with https:// is expected."
    if parts.username or parts.password or parts.fragment:
        return "The address may hold no password and no part behind “#”."
    if len(url) > MOST_LETTERS:
        return f"An address has at most {MOST_LETTERS} letters."
    if not url.isascii() or any(letter <= " " for letter in url):
        return "The address must be of ASCII letters, without blanks."
    if port is not None and not 0 < port < 65536:
        return "There is no such port."
    return None


def post(
    url: str, body: bytes, headers: Mapping[str, str], *, seconds: float, private: bool = False
) -> Answer:
    """Send a body by POST and return the response, waiting at most `seconds` in total. `private`: also
    connect to private networks.

    :raises Unreachable: if there was no response.
    """
    backend = _Backend(time.monotonic() + seconds, private)
    timeout = dict.fromkeys(("connect", "read", "write", "pool"), seconds)
    context = ssl.create_default_context()
    try:
        with (
            httpcore.ConnectionPool(network_backend=backend, ssl_context=context) as pool,
            pool.stream(
                "POST", url, content=body, headers=list(headers.items()), extensions={"timeout": timeout}
            ) as answer,
        ):
            text = b""
            for chunk in answer.iter_stream():
                text += chunk
                if len(text) >= _MOST:
                    break
            wait = {name.lower(): value for name, value in answer.headers}.get(b"retry-after", b"")
            text = text[:_MOST]
            return Answer(answer.status, text.decode("utf-8", "replace"), _seconds(wait.decode("latin-1")))
    except (
        httpcore.NetworkError,
        httpcore.TimeoutException,
        httpcore.ProtocolError,
        httpcore.UnsupportedProtocol,
    ) as error:
        raise Unreachable(f"{type(error).__name__}: {error}".rstrip(": ")) from error


def _seconds(retry_after: str) -> float:
    """Parse a `Retry-After` header (seconds or a date). Return the seconds to wait; 0 if it is invalid."""
    if retry_after.isascii() and retry_after.isdigit():
        return float(retry_after[:9])
    date = parse_http_date_safe(retry_after)
    return max(0.0, date - time.time()) if date is not None else 0.0


class _Backend(httpcore.NetworkBackend):
    """A network backend that connects only to IP addresses that it has resolved and checked."""

    def __init__(self, end: float, private: bool) -> None:
        self._end, self._private = end, private

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to the host's first address that accepts a connection. Each address gets an equal share of
        the remaining time."""
        addresses = _addresses(host, port, self._private, _left(self._end))
        for number, address in enumerate(addresses, 1):
            share = _left(self._end) / (len(addresses) - number + 1)
            try:
                return _Stream(httpcore.SyncBackend().connect_tcp(address, port, share), self._end)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if number == len(addresses):
                    raise
        raise httpcore.ConnectError("there is no such host")


class _Stream(httpcore.NetworkStream):
    """A connection whose reads and writes share one deadline, so that many short waits can't exceed it."""

    def __init__(self, stream: httpcore.NetworkStream, end: float) -> None:
        self._stream, self._end = stream, end

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(self._end))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _left(self._end))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        stream = self._stream.start_tls(ssl_context, server_hostname, _left(self._end))
        return _Stream(stream, self._end)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _left(end: float) -> float:
    left = end - time.monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout("no answer in time")
    return left


def _addresses(host: str, port: int, private: bool, seconds: float) -> list[str]:
    """Return the IP addresses of a host, or raise an error if one of them is not allowed."""
    infos = _look_up(host, port, seconds)
    addresses = [str(where[0]) for *_rest, where in infos]
    if not private and not all(_is_public(address) for address in addresses):
        raise httpcore.ConnectError("the address is of a private network")
    return addresses


def _look_up(host: str, port: int, seconds: float) -> list[Any]:
    """Look up the addresses of a host in a thread, because the lookup itself takes no timeout."""
    resolved: Future[list[Any]] = Future()

    def look_up() -> None:
        try:
            resolved.set_result(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except Exception as error:
            resolved.set_exception(error)

    threading.Thread(target=look_up, daemon=True).start()
    if not wait([resolved], seconds).done:
        raise httpcore.ConnectTimeout("the name was not found in time")
    try:
        return resolved.result()
    except (OSError, UnicodeError) as error:
        raise httpcore.ConnectError("there is no such host") from error


def _is_public(address: str) -> bool:
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip in _NAT64:
            return _is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
        # These kinds of IPv6 addresses contain an IPv4 address, which must be public, too.
        for inner in (ip.ipv4_mapped, ip.sixtofour, ip.teredo[1] if ip.teredo else None):
            if inner is not None and not _is_public(str(inner)):
                return False
        # Only these addresses are allocated for the internet, but `is_global` also accepts obsolete ones.
        return (ip in _GLOBAL_UNICAST or ip.ipv4_mapped is not None) and ip.is_global
    return ip.is_global and not ip.is_multicast and ip not in _IETF


_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
_IETF = ipaddress.ip_network("192.0.0.0/24")
