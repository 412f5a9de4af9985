"""What `turkengine board` promises of speed, measured on a real server: `scripts/bench board [PART...]`.

One process serves, this one is everybody else: a player, people who look on, and an analysis that keeps the engine busy
meanwhile. On a machine of few processors both share them, which makes the figures worse than they are for users. The
parts are `memory`, `latency`, `lag`, `kills` and `match`; all without a word.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

LENIENT = Path(__file__).resolve().parents[1] / "tests" / "board" / "lenient_board.py"
MOVES, KILLS = 100, 50


@contextmanager
def board(folder: Path, port: int = 0, hash_size: int = 64) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server in a process of its own, and its port."""
    command = [sys.executable, str(LENIENT), str(folder / "board.db"), str(port), str(hash_size)]
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


async def lag(folder: Path) -> None:
    """Answers to a page while other pages begin their first searches, each with a table of 1024 MiB to be made."""
    with board(folder, hash_size=1024) as (_, port):
        address, cookie = made(port, "trees", variant="turkish")
        pinging = await joining(port, address, cookie)
        await until(pinging, "tree")
        lags: list[float] = []
        for game in ("international", "turkish"):
            address, cookie = made(port, "trees", variant=game)
            analysis = await joining(port, address, cookie)
            await until(analysis, "tree")
            await analysis.send(json.dumps({"type": "search", "node": 0, "lines": 3}))
            for _ in range(300):
                began = time.perf_counter()
                await pinging.send('{"type":"ping"}')
                await until(pinging, "ok")
                lags.append(time.perf_counter() - began)
                await asyncio.sleep(0.01)
        shown("an answer while first searches begin", lags, "bar: p99 50 ms; hash 1024")


async def latency(port: int) -> None:
    """Moves, and those who look on; an analysis runs all the time."""
    address, cookie = made(port, "trees", variant="international")
    analysis = await joining(port, address, cookie)
    await until(analysis, "tree")
    await analysis.send(json.dumps({"type": "search", "node": 0, "lines": 3}))
    own, _ = await moves(port, 0)
    shown("own move to its answer, analysis on", own, "bars: 30 and 150 ms")
    for watchers, bar in ((200, 150), (500, 500)):
        _, last = await moves(port, watchers)
        shown(f"the last of {watchers} who look on", last, f"bar: {bar} ms")
    await analysis.close()


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


@contextmanager
def watching(folder: Path, count: int) -> Iterator[list[int]]:
    """A board, and people who look on at the match in `folder`; afterwards it is known how many messages have come."""
    command = [sys.executable, "-m", "turkengine", "board", "--no-browser", "--port", "0", "--watch", "match.db"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    port, heard = process.stdout.readline().split(":")[-1].partition("/")[0], [0]
    looking = [sys.executable, __file__, "look", port, str(count)]
    people = subprocess.Popen(looking, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield heard
    finally:
        heard[0] = int(people.communicate("")[0])
        process.kill()
        process.wait()


async def look(port: int, count: int) -> None:
    """Read all that comes, until standard input ends; they sit at other machines, so this one's time is not theirs."""
    os.nice(19)
    heard = 0

    async def read(socket: ClientConnection) -> None:
        nonlocal heard
        while True:
            await socket.recv()
            heard += 1

    sockets = [await joining(port, "/w") for _ in range(count)]
    readers = [asyncio.create_task(read(socket)) for socket in sockets]
    await asyncio.to_thread(sys.stdin.read)
    for reader in readers:
        reader.cancel()
    print(heard)


def played(folder: Path) -> tuple[float, float]:
    """Wall and CPU seconds of a match that keeps both processors busy, always the same one."""
    engines = [f"{name}=builtin:hash=4" for name in "ab"]
    command = [sys.executable, "-m", "turkengine", "match", *engines, "--variant", "turkish", "--plain"]
    limits = ["--nodes", "30000", "--games", "40", "--concurrency", "2", "--db", "match.db"]
    began, before = time.perf_counter(), os.times()
    subprocess.run([*command, *limits], cwd=folder, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - began, cpu


def match_watched(rounds: int = 5, count: int = 50) -> None:
    """A match alone and with people who look on, in turn."""
    found: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
    messages = 0
    for number in range(2 * rounds):
        watched = number % 2 == (number // 2) % 2
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            heard = stack.enter_context(watching(Path(folder), count)) if watched else [0]
            found[watched].append(played(Path(folder)))
            stack.close()
            messages += heard[0]
    for what, place in (("wall", 0), ("CPU", 1)):
        alone, seen = (statistics.median(one[place] for one in found[watched]) for watched in (False, True))
        each = " ".join(
            f"{one[place]:.2f}/{two[place]:.2f}" for one, two in zip(found[False], found[True], strict=True)
        )
        name = f"{what} of a match, alone and with {count}"
        print(f"{name:<44} {alone:8.2f} s {seen:8.2f} s  ({100 * (seen / alone - 1):+.1f} %; {each})", flush=True)
    print(f"{'messages to each who looked on':<44} {messages / count / rounds:8.1f} a match")


def main(parts: Sequence[str]) -> None:
    """The parts that were asked for."""
    if parts and parts[0] == "look":
        asyncio.run(look(int(parts[1]), int(parts[2])))
        return
    wanted = parts or ("memory", "latency", "lag", "kills", "match")
    with tempfile.TemporaryDirectory() as folder:
        with board(Path(folder)) as (process, port):
            if "memory" in wanted:
                asyncio.run(spectators(process, port))
            if "latency" in wanted:
                asyncio.run(latency(port))
        if "lag" in wanted:
            asyncio.run(lag(Path(folder)))
        if "kills" in wanted:
            asyncio.run(kills(Path(folder)))
    if "match" in wanted:
        match_watched()


if __name__ == "__main__":
    main(sys.argv[1:])
