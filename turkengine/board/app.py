"""The server as HTTP sees it: the page and its files, the few requests that make something, the sockets.

A GET changes nothing. Whatever is refused is one line with a code, to a person who sees it on the page.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import mimetypes
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from turkengine.board.forest import LONGEST_PDN, Forest
from turkengine.board.geometry import variant_data
from turkengine.board.guard import LOOPBACK, Allowance, Counter, Guard, address_of
from turkengine.board.hall import Hall
from turkengine.board.seats import COOKIE, KEY, cookie_header, keys_in, seats_of
from turkengine.board.store import Keeper
from turkengine.board.studying import HASH
from turkengine.board.talking import Place, Sockets
from turkengine.board.thinking import LEVELS, Thinkers
from turkengine.board.visitors import ENDING, Visitor
from turkengine.board.watching import Watched
from turkengine.board.wire import GAME_MESSAGES, LONGEST_MESSAGE, TREE_MESSAGES, WATCH_MESSAGES, WireError, object_of
from turkengine.games import VARIANTS
from turkengine.record.scoresheet import pdn_of
from turkengine.storage import StoreError

HERE = Path(__file__).parent
mimetypes.add_type("text/javascript", ".js")  # some systems have another idea, and browsers run no other type
mimetypes.add_type("image/svg+xml", ".svg")
BODY_TIME = 20.0  # s in which all of a POST has to come
CLOCKS_EVERY, MATCH_EVERY = 0.1, 0.5  # s between two looks
STATUS = {
    "too-long": 413,
    "too-often": 429,
    "too-slow": 408,
    "internal": 500,
    "no-game": 404,
    "no-tree": 404,
    "not-kept": 503,
    "busy": 503,
    "bad-key": 403,
    "in-play": 403,
}

Answer = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Setting:
    """How a server is set up.

    Attributes:
        port: that pages come by.
        hosts: names and addresses that it goes by.
        addresses: to be shown to people in the same network.
        path: of the file with the games; in memory if None.
        watch: the file of a match to be shown.
        hash_size: MiB of the table of each analysis.
    """

    port: int
    hosts: tuple[str, ...] = LOOPBACK
    addresses: tuple[str, ...] = ()
    path: Path | None = None
    watch: Path | None = None
    allowance: Allowance = field(default_factory=Allowance)
    workers: int | None = None
    hash_size: int = HASH


class Server:
    """What the routes lead to."""

    def __init__(self, setting: Setting) -> None:
        """Open the file.

        Raises:
            StoreError: it is no such file, or another server has it.
        """
        self.setting = setting
        self.keeper = Keeper(setting.path)
        self.thinkers = Thinkers(setting.workers)
        self.hall = Hall(self.keeper, self.thinkers)
        self.forest = Forest(self.keeper, self.hall, setting.hash_size)
        self.watched = Watched(setting.watch)
        self.sockets = Sockets(setting.allowance)
        self._made = Counter(setting.allowance.games, 60.0)

    def app(self) -> Starlette:
        """The application for a server of HTTP."""
        pages = ("/", "/g/{address}", "/a", "/a/{address}", "/w")
        routes: list[Route | Mount | WebSocketRoute] = [Route(path, _page, methods=["GET"]) for path in pages]
        routes += [
            Route("/api/variants", _told(self.variants), methods=["GET"]),
            Route("/api/games", _told(self.games), methods=["GET"]),
            Route("/api/games", _told(self.new_game), methods=["POST"]),
            Route("/api/trees", _told(self.new_tree), methods=["POST"]),
            Route("/g/{address}/claim", _told(self.claim), methods=["POST"]),
            Route("/g/{address}/pdn", _told(self.game_pdn), methods=["GET"]),
            Route("/a/{address}/pdn", _told(self.tree_pdn), methods=["GET"]),
            WebSocketRoute("/g/{address}/ws", self.game_socket),
            WebSocketRoute("/a/{address}/ws", self.tree_socket),
            WebSocketRoute("/w/ws", self.watch_socket),
            Mount("/static", StaticFiles(directory=HERE / "static", check_dir=False)),
            Mount("/words", StaticFiles(directory=HERE / "words", check_dir=False)),
        ]
        guard = Middleware(Guard, hosts=self.setting.hosts, port=self.setting.port)
        return Starlette(routes=routes, middleware=[guard], lifespan=self._life)

    def closing(self) -> None:
        """The server ends: everybody is sent away, and comes back when it is there again."""
        self.sockets.close(ENDING)

    @contextlib.asynccontextmanager
    async def _life(self, app: Starlette) -> AsyncIterator[None]:
        tasks = [
            asyncio.create_task(self.hall.open_running()),
            asyncio.create_task(_again_and_again(self.hall.watch_clocks, CLOCKS_EVERY)),
            asyncio.create_task(_again_and_again(self.watched.look, MATCH_EVERY)),
        ]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.closing()
            await self.hall.close()
            self.thinkers.close()
            self.forest.close()
            self.keeper.close()

    # What is asked over HTTP.

    async def variants(self, request: Request) -> Response:
        """What can be played."""
        return JSONResponse(
            {
                "variants": [variant_data(variant) for variant in VARIANTS],
                "levels": list(LEVELS),
                "watch": self.setting.watch is not None,
                "addresses": list(self.setting.addresses),
            }
        )

    async def games(self, request: Request) -> Response:
        """What is played."""
        return JSONResponse({"games": await self.hall.listed()})

    async def new_game(self, request: Request) -> Response:
        """Make a game."""
        given = await _body(request, LONGEST_MESSAGE)
        self._count(request)
        made = await self.hall.make(given, address_of(request.scope), self.setting.allowance.under_way)
        here = [side for side in made.keys if made.room.contest.players[side].taken]
        path = f"/g/{made.room.address}"
        answer = JSONResponse(
            {
                "game": made.room.address,
                "address": path,
                "seats": [side.value for side in here],
                "links": {side.value: f"{path}#{key}" for side, key in made.keys.items() if side not in here},
            },
            201,
        )
        if here:
            answer.headers["Set-Cookie"] = cookie_header(path, [made.keys[side] for side in here])
        return answer

    async def claim(self, request: Request) -> Response:
        """Take a seat by its key."""
        given = await _body(request, LONGEST_MESSAGE)
        room = await self.hall.find(request.path_params["address"])
        key = given.get("key")
        if not isinstance(key, str) or not KEY.fullmatch(key) or not seats_of([key], room.keys):
            raise WireError("bad-key", "this link holds no seat of this game; ask for a new one")
        held = [one for one in keys_in(request.cookies.get(COOKIE)) if seats_of([one], room.keys)]
        keys = [*held, key]
        answer = JSONResponse({"seats": [side.value for side in seats_of(keys, room.keys)]})
        answer.headers["Set-Cookie"] = cookie_header(f"/g/{room.address}", keys)
        return answer

    async def game_pdn(self, request: Request) -> Response:
        """A game as text."""
        room = await self.hall.find(request.path_params["address"])
        return _pdn(pdn_of(room.contest.record(), "turkengine board"), room.address)

    async def new_tree(self, request: Request) -> Response:
        """Make an analysis."""
        given = await _body(request, LONGEST_PDN + LONGEST_MESSAGE)
        self._count(request)
        tree, key = await self.forest.make(given)
        path = f"/a/{tree.address}"
        answer = JSONResponse({"tree": tree.address, "address": path}, 201)
        answer.headers["Set-Cookie"] = cookie_header(path, [key])
        return answer

    async def tree_pdn(self, request: Request) -> Response:
        """An analysis as text."""
        tree = await self.forest.find(request.path_params["address"])
        return _pdn(await tree.pdn(), tree.address)

    def _count(self, request: Request) -> None:
        if not self._made.more(address_of(request.scope)):
            raise WireError("too-often", f"{self.setting.allowance.games} in a minute are enough; wait a little")

    # What is asked over sockets.

    async def game_socket(self, socket: WebSocket) -> None:
        """Somebody comes to a game."""
        visitor = Visitor(socket)

        async def find() -> Place:
            room = await self.hall.find(socket.path_params["address"])
            visitor.seats = seats_of(keys_in(socket.cookies.get(COOKIE)), room.keys)
            return Place(GAME_MESSAGES, room.enter, room.obey, room.leave)

        await self.sockets.hold(socket, visitor, find)

    async def tree_socket(self, socket: WebSocket) -> None:
        """Somebody comes to an analysis."""
        visitor = Visitor(socket)

        async def find() -> Place:
            tree = await self.forest.find(socket.path_params["address"])
            tree.admit(visitor, keys_in(socket.cookies.get(COOKIE)))
            return Place(TREE_MESSAGES, tree.enter, tree.obey, tree.leave)

        await self.sockets.hold(socket, visitor, find)

    async def watch_socket(self, socket: WebSocket) -> None:
        """Somebody watches a match."""

        async def find() -> Place:
            return Place(WATCH_MESSAGES, self.watched.enter, self.watched.obey, self.watched.leave)

        await self.sockets.hold(socket, Visitor(socket), find)


async def _again_and_again(what: Callable[[], Awaitable[object]], seconds: float) -> None:
    """Do something for ever; what goes wrong is reported where it is something new, and tried again."""
    last = ""
    while True:
        try:
            await what()
        except Exception as error:
            if str(error) != last:
                logging.getLogger("turkengine.board").exception("a task of the server")
            last = str(error)
        await asyncio.sleep(seconds)


async def _page(request: Request) -> Response:
    return FileResponse(HERE / "static" / "index.html", media_type="text/html")


def _told(answer: Answer) -> Answer:
    """An answer that says in one line what has been refused."""

    async def telling(request: Request) -> Response:
        try:
            return await answer(request)
        except (WireError, StoreError) as error:
            code = error.code if isinstance(error, WireError) else "not-kept"
            return _refused(code, str(error))
        except Exception as error:
            logging.getLogger("turkengine.board").exception("a request of a page")
            return _refused("internal", f"internal error, {type(error).__name__}")

    return telling


def _refused(code: str, text: str) -> Response:
    headers = {"Retry-After": "60"} if code == "too-often" else None
    return JSONResponse({"error": {"code": code, "text": text}}, STATUS.get(code, 400), headers)


async def _body(request: Request, longest: int) -> dict[str, Any]:
    """The JSON object of a POST, read no further than it may be long, and waited for no longer than it may take."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise WireError("bad-json", "send JSON, with Content-Type: application/json")
    parts, size = [], 0
    try:
        async with asyncio.timeout(BODY_TIME):
            async for part in request.stream():
                size += len(part)
                if size > longest:
                    raise WireError("too-long", f"this may have {longest} bytes")
                parts.append(part)
    except TimeoutError:
        raise WireError("too-slow", f"this has not come within {BODY_TIME:g} s") from None
    return await asyncio.to_thread(object_of, b"".join(parts), longest)


def _pdn(text: str, name: str) -> Response:
    disposition = {"Content-Disposition": f'attachment; filename="{name}.pdn"'}
    return PlainTextResponse(text, headers=disposition)
