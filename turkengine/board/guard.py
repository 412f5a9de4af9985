"""Who may come in: this machine's own pages, not too often, with nothing too large. It stands before every route.

A page of another site can make a browser send requests here, and another name can be made to lead to this address; so
Host has to be one that we go by, and what changes something has to come from a page of ours.
"""

from __future__ import annotations

import ipaddress
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self' data:;"
    " connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
LOOPBACK = ("127.0.0.1", "localhost", "::1")
LONGEST_HISTORY = 10_000  # addresses remembered


@dataclass(frozen=True)
class Allowance:
    """What one address may do.

    Attributes:
        messages: a second, over all of its sockets; a burst of as many again is forgiven.
        sockets: at once.
        games: new ones in a minute, trees among them.
        under_way: games whose clocks run.
    """

    messages: int = 20
    sockets: int = 50
    games: int = 20
    under_way: int = 100


class Counter:
    """What has happened lately, address by address."""

    def __init__(self, most: int, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self.most, self.seconds, self.now = most, seconds, now
        self._moments: dict[str, deque[float]] = defaultdict(deque)

    def more(self, address: str) -> bool:
        """Count one more; False where that is too often, and then it does not count."""
        now, moments = self.now(), self._moments[address]
        while moments and moments[0] <= now - self.seconds:
            moments.popleft()
        if len(moments) >= self.most:
            return False
        moments.append(now)
        if len(self._moments) > LONGEST_HISTORY:
            self._moments = defaultdict(deque, {k: v for k, v in self._moments.items() if v and v[-1] > now - 60})
        return True


class Guard:
    """The door, as middleware."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str], port: int) -> None:
        """Nothing is let in but what names one of the hosts and the port.

        Args:
            hosts: names and addresses that this server goes by, `::1` without brackets.
        """
        self._app = app
        self._names = {_authority(host, port) for host in hosts}
        if port == 80:
            self._names |= {_authority(host, None) for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or not."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is None:
            await self._app(scope, receive, _with_headers(send) if scope["type"] == "http" else send)
            return
        code, text = refusal
        if scope["type"] == "websocket":  # before it is accepted, so that nothing of ours is seen
            await send({"type": "websocket.close", "code": 4403, "reason": text})
            return
        answer = JSONResponse({"error": {"code": code, "text": text}}, 403)
        await answer(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[str, str] | None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._names:
            return "bad-host", "this server does not go by that name; open the address that it printed"
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            return None
        origins = headers.getlist("origin")
        if len(origins) != 1 or not self._is_ours(origins[0], hosts[0]):
            return "bad-origin", "this may only come from a page of this server"
        return None

    def _is_ours(self, origin: str, host: str) -> bool:
        parts = urlsplit(origin) if origin.isascii() and len(origin) < 300 else urlsplit("")
        return parts.scheme == "http" and origin == f"http://{host}" and parts.netloc.lower() == host.lower()


def address_of(scope: Scope) -> str:
    """Who speaks; all of an IPv6 network of 64 bits count as one."""
    client = scope.get("client")
    text = client[0] if client else ""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text
    if isinstance(address, ipaddress.IPv6Address) and not address.is_loopback:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return text


def _authority(host: str, port: int | None) -> str:
    name = f"[{host}]" if ":" in host else host.lower()
    return name if port is None else f"{name}:{port}"


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-cache")
        await send(message)

    return sending
