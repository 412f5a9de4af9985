"""Where a program listens, as text and as a value."""

from __future__ import annotations

from dataclasses import dataclass

from turkengine.errors import TurkengineError


class AddressError(TurkengineError):
    """A text that names no address."""


@dataclass(frozen=True)
class Address:
    """A place to listen at or to connect to."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def address(text: str, default_host: str | None = None) -> Address:
    """The address that `text` names: HOST:PORT, [IPV6]:PORT, or PORT where there is a default host.

    Raises:
        AddressError: it names none; the message says what would be right.
    """
    host, colon, port = text.rpartition(":")
    if not host and not colon and default_host is not None:
        host = default_host
    bare = host.removeprefix("[").removesuffix("]")
    bracketed = bare != host
    form = "PORT or HOST:PORT" if default_host is not None else "HOST:PORT"
    if not bare or (":" in bare and not bracketed):
        raise AddressError(f"{text!r} is not an address; write {form}, an IPv6 address in square brackets")
    if not (port.isascii() and port.isdecimal() and int(port) < 1 << 16):
        raise AddressError(f"{text!r} has no port; write {form} with a port from 0 to 65535")
    return Address(bare, int(port))
