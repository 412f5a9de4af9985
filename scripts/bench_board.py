"""What `turkengine board` promises of speed, measured on a real server: `scripts/bench board`.

One process serves, this one is everybody else: a player, people who look on, and an analysis that keeps the engine busy
meanwhile. On a machine of few processors both share them, which makes the figures worse than they are for users.
"""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

LENIENT = Path(__file__).resolve().parents[1] / "tests" / "board" / "lenient_board.py"
MOVES, KILLS = 100, 50


@contextmanager
def board(folder: Path, port: int = 0) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server in a process of its own, and its port."""
    command = [sys.executable, str(LENIENT), str(folder / "board.db"), str(port)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process, int(process.stdout.readline().split(":")[-1].strip("/\n"))
    finally:
        process.kill()
        process.wait()


def made(port: int, what: str, **given: Any) -> tuple[str, str]:
    """Something new: its address, and the cookie that it is changed with."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/{what}",
        json.dumps(given).encode(),
        {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{port}"},
    )
    with urllib.request.urlopen(request) as answer:
        cookie = answer.headers["Set-Cookie"] or ""
        return json.load(answer)["address"], cookie.partition(";")[0]


def joining(port: int, address: str, cookie: str = "") -> connect:
    """The socket of a place."""
    return connect(
        f"ws://127.0.0.1:{port}{address}/ws",
        origin=f"http://127.0.0.1:{port}",
        additional_headers={"Cookie": cookie} if cookie else {},
        compression=None,
        proxy=None,
        max_queue=None,
    )


async def until(socket: ClientConnection, *types: str) -> dict[str, Any]:
    """The next message of a type."""
    while True:
        message = json.loads(await socket.recv())
        if message["type"] in types:
            return message


def shown(name: str, seconds: list[float], bars: str) -> None:
    """A row of figures, in milliseconds."""
    ordered = sorted(1000 * one for one in seconds)
    high = ordered[min(int(0.99 * len(ordered)), len(ordered) - 1)]
    print(f"{name:<44} p50 {statistics.median(ordered):7.1f} ms  p99 {high:7.1f} ms   ({bars})", flush=True)


async def moves(port: int, watchers: int) -> tuple[list[float], list[float]]:
    """Seconds from a move to its answer on the same page, and to the last of those who look on."""
    here = {"kind": "here"}
    address, cookie = made(port, "games", variant="international", white=here, black=here)
    sockets = [await joining(port, address) for _ in range(watchers)]
    player = await joining(port, address, cookie)
    now, own, last = (await until(player, "game"))["now"], [], []

    async def seen(socket: ClientConnection, ply: int) -> None:
        while (await until(socket, "played"))["move"]["ply"] != ply:
            pass

    chance = random.Random(1)
    while len(own) < MOVES and now["ending"] is None:
        waiting = [asyncio.create_task(seen(socket, now["ply"] + 1)) for socket in sockets]
        await asyncio.sleep(0.01)
        began = time.perf_counter()
        move = chance.choice(now["legal"])["move"]
        await player.send(json.dumps({"type": "move", "ply": now["ply"], "move": move}))
        now = (await until(player, "played"))["now"]
        own.append(time.perf_counter() - began)
        if waiting:
            await asyncio.gather(*waiting)
        last.append(time.perf_counter() - began)
    for socket in (player, *sockets):
        await socket.close()
    return own, last


def memory(process: subprocess.Popen[str]) -> int:
    """kB that a process holds."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))


async def spectators(process: subprocess.Popen[str], port: int, count: int = 500) -> None:
    """The memory of those who look on, measured before anything else has made room for it."""
    here = {"kind": "here"}
    address, _ = made(port, "games", variant="turkish", white=here, black=here)
    first = await joining(port, address)
    await until(first, "game")
    before = memory(process)
    sockets = [await joining(port, address) for _ in range(count)]
    await asyncio.sleep(1)
    print(f"{'memory for each who looks on':<44} {(memory(process) - before) / count:11.1f} kB   (bar: 60 kB)")
    for socket in (first, *sockets):
        await socket.close()


async def latency(port: int) -> None:
    """Moves, those who look on, the lag of the loop; an analysis runs all the time."""
    address, cookie = made(port, "trees", variant="international")
    analysis = await joining(port, address, cookie)
    await until(analysis, "tree")
    pinging = await joining(port, address, cookie)
    await until(pinging, "tree")
    lags = []
    await analysis.send(json.dumps({"type": "search", "node": 0, "lines": 3}))
    for _ in range(200):
        began = time.perf_counter()
        await pinging.send('{"type":"ping"}')
        await until(pinging, "ok")
        lags.append(time.perf_counter() - began)
        await asyncio.sleep(0.01)
    shown("an answer while a first search begins", lags, "bar: p99 50 ms")
    own, _ = await moves(port, 0)
    shown("own move to its answer, analysis on", own, "bars: 30 and 150 ms")
    for watchers, bar in ((200, 150), (500, 500)):
        _, last = await moves(port, watchers)
        shown(f"the last of {watchers} who look on", last, f"bar: {bar} ms")
    for socket in (analysis, pinging):
        await socket.close()


async def kills(folder: Path) -> None:
    """Kill the server at random moments of a game; no acknowledged move may be missing or be there twice."""
    chance, port, lost, acknowledged = random.Random(2), 0, 0, 0
    address = cookie = ""
    for _ in range(KILLS):
        with board(folder, port) as (process, port):
            if not address:
                address, cookie = made(
                    port, "games", variant="turkish", white={"kind": "here"}, black={"kind": "engine", "level": 0}
                )
            until_when = time.perf_counter() + chance.uniform(0.02, 0.3)
            async with joining(port, address, cookie) as player:
                game = await until(player, "game")
                plies = [move["ply"] for move in game["moves"]]
                lost += plies != list(range(1, len(plies) + 1)) or len(plies) < acknowledged
                now = game["now"]
                while now["ending"] is None and time.perf_counter() < until_when:
                    if now["side"] == "W":
                        move = chance.choice(now["legal"])["move"]
                        await player.send(json.dumps({"type": "move", "ply": now["ply"], "move": move}))
                        await until(player, "ok")
                        acknowledged = now["ply"] + 1
                    try:
                        now = (await asyncio.wait_for(until(player, "played"), 0.2))["now"]
                    except TimeoutError:
                        break
                process.kill()
            if now["ending"] is not None:
                address, acknowledged = "", 0
    print(f"{'kill -9 at random moments of games':<44} {KILLS} times, {lost} games with a lost or doubled move")


def main() -> None:
    """All of it."""
    with tempfile.TemporaryDirectory() as folder:
        with board(Path(folder)) as (process, port):
            asyncio.run(spectators(process, port))
            asyncio.run(latency(port))
        asyncio.run(kills(Path(folder)))


if __name__ == "__main__":
    main()
