"""Games over DXP whose other end, whose reader, or which themselves vanish: every finished move is kept

The size is the number of games. In two thirds a listener plays against a peer that goes away at a random moment
(closes, resets, or in the middle of a message), while what reads its output leaves, stalls or is slow. In the others
the process is ended by SIGTERM. A move is finished once the program has sent it, or has answered it. Each is looked for
in the PDN file that the program has written.
"""

from __future__ import annotations

import contextlib
import os
import random
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from turkengine.games import INTERNATIONAL
from turkengine.notation import moves as notation
from turkengine.notation.pdn import PdnGame, read_games
from turkengine.rules.move import Move
from turkengine.rules.outcome import outcome
from turkengine.rules.position import Position

SIZE = 300
LONGEST = 30.0  # s to wait for a message, and for a game to be in its file
MOST_PLIES = 60
INTERRUPTED = 130
SHORTEST, REST = 0.02, 0.6  # s of a game before its process is ended


def run(size: int, folder: Path) -> str:
    """Play, and compare what the files hold."""
    chance, tally = random.Random(1), Tally()
    kills = size // 3
    with tempfile.TemporaryDirectory(dir=folder) as place:
        vanish(size - kills, chance, Path(place), tally)
        kill(kills, chance, Path(place), tally)
    assert not tally.faults, "; ".join(tally.faults)
    return f"{tally.games} games with {tally.moves} finished plies, {kills} ended by SIGTERM, nothing lost"


@dataclass
class Tally:
    """What has come of it."""

    games: int = 0
    moves: int = 0
    faults: list[str] = field(default_factory=list)

    def compare(self, name: str, finished: list[Move], file: Path) -> None:
        """See whether the game of this peer is in the file once, with all that was finished."""
        self.games += 1
        self.moves += len(finished)
        found = [game for game in _games_in(file) if name in (game.tag("White"), game.tag("Black"))]
        if len(found) != 1:
            self.faults.append(f"{name}: {len(found)} games in the file instead of 1")
            return
        position = Position.start(INTERNATIONAL)
        for number, text in enumerate(found[0].moves):
            move = notation.read(position, text)
            if finished[number : number + 1] not in ([], [move]):
                self.faults.append(f"{name}: ply {number + 1} is {text} in the file, and was another one")
            position = position.play(move)
        if len(found[0].moves) < len(finished):
            self.faults.append(f"{name}: {len(finished)} plies were finished, {len(found[0].moves)} are in the file")


def _games_in(file: Path) -> list[PdnGame]:
    """The games of a file; none where it is not there."""
    return list(read_games(file)) if file.exists() else []


class Peer:
    """The other end: plays moves by chance, and counts those that are finished."""

    def __init__(self, port: int, chance: random.Random) -> None:
        self.stream = socket.create_connection(("127.0.0.1", port), timeout=LONGEST)
        self.finished: list[Move] = []
        self.began = False
        self._chance = chance
        self._begun = b""

    def play(self, name: str, plies: int) -> None:
        """A game of so many plies, then nothing more.

        Raises:
            OSError: the program has gone.
        """
        ours = self._chance.choice("WZ")  # the colour that it plays
        self.say(f"R01{name:32}{ours}999000A")
        if not self.hear().startswith("A"):
            raise OSError("the game was not accepted")
        self.began = True
        position = Position.start(INTERNATIONAL)
        unanswered: list[Move] = []
        for ply in range(plies):
            if outcome(position) is not None:
                return
            if (ply % 2 == 0) == (ours == "W"):
                move = self._read(position)
                self.finished += [*unanswered, move]
                unanswered = []
            else:
                move = self._chance.choice(position.legal_moves())
                squares = [f"{square + 1:02}" for square in (move.origin, move.target)]
                captured = "".join(f"{square + 1:02}" for square in sorted(move.captured))
                self.say(f"M0000{''.join(squares)}{len(move.captured):02}{captured}")
                unanswered = [move]
            position = position.play(move)

    def vanish(self) -> None:
        """Go away in one of the ways there are."""
        how = self._chance.choice(("close", "reset", "cut"))
        with contextlib.suppress(OSError):
            if how == "cut":
                self.stream.sendall(b"M00003")
            if how == "reset":
                self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.stream.close()

    def say(self, message: str) -> None:
        """Send a message."""
        self.stream.sendall(message.encode() + b"\0")

    def hear(self) -> str:
        """The next message.

        Raises:
            OSError: the program has gone.
        """
        while b"\0" not in self._begun:
            data = self.stream.recv(1000)
            if not data:
                raise OSError("it has hung up")
            self._begun += data
        message, _, self._begun = self._begun.partition(b"\0")
        return message.decode("ascii")

    def _read(self, position: Position) -> Move:
        message = self.hear()
        if not message.startswith("M"):
            raise OSError(f"no move came but {message}")
        ends = int(message[5:7]) - 1, int(message[7:9]) - 1
        captured = {int(message[at : at + 2]) - 1 for at in range(11, len(message), 2)}
        return next(
            move for move in position.legal_moves() if (move.origin, move.target) == ends and move.captured == captured
        )


class Program:
    """`turkengine dxp` that listens."""

    def __init__(self, folder: Path, file: Path, *arguments: str) -> None:
        environment = {**os.environ, "XDG_CONFIG_HOME": str(folder), "PYTHONSAFEPATH": "1"}
        limits = ["--depth", "1", "--set", "hash=1", "--set", "book=false"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "turkengine", "dxp", "--listen", "0", *limits, "--pdn", str(file), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        assert self.process.stdout is not None
        self.output = self.process.stdout
        self.port = int(self.output.readline().rpartition(b":")[2])

    def end(self) -> None:
        """Have it end in order.

        Raises:
            TimeoutExpired: it does not.
        """
        self.process.terminate()
        self.process.wait(LONGEST)
        self.output.close()


def vanish(count: int, chance: random.Random, folder: Path, tally: Tally) -> None:
    """Games with peers and readers that go away."""
    file = folder / "vanishing.pdn"
    program, turns = Program(folder, file, "-v"), chance.randrange(5, 30)  # games until something is done to it
    for number in range(count):
        name = f"vanishing {number}"
        peer = Peer(program.port, chance)
        with contextlib.suppress(OSError):
            peer.play(name, chance.randrange(MOST_PLIES))
        peer.vanish()
        if not program.output.closed and chance.random() < 0.2:
            os.read(program.output.fileno(), 1000)  # a slow reader; else nobody reads
        if not _is_kept(name, file, program):
            tally.faults.append(f"{name}: it is not in the file")
        tally.compare(name, peer.finished, file)
        turns -= 1
        if turns == 0 and not program.output.closed:
            program.output.close()  # the reader leaves; the program plays on
            turns = chance.randrange(5, 20)
        elif turns == 0:
            program.end()
            program, turns = Program(folder, file, "-v"), chance.randrange(5, 30)
    program.end()


def _is_kept(name: str, file: Path, program: Program) -> bool:
    """Whether the game of this peer comes into the file in time."""
    until = time.monotonic() + LONGEST
    while time.monotonic() < until and program.process.poll() is None:
        if file.exists() and f'"{name}"' in file.read_text(encoding="utf-8"):
            return True
        time.sleep(0.01)
    return False


def kill(count: int, chance: random.Random, folder: Path, tally: Tally) -> None:
    """Processes that are ended by SIGTERM at a random moment of a game."""
    for number in range(count):
        name, file = f"killed {number}", folder / f"killed-{number}.pdn"
        program = Program(folder, file)
        peer = Peer(program.port, chance)
        killer = threading.Timer(SHORTEST + chance.random() * REST, program.process.terminate)
        killer.start()
        with contextlib.suppress(OSError):
            peer.play(name, 10_000)
        killer.join()
        status = program.process.wait(LONGEST)
        if status != INTERRUPTED:
            tally.faults.append(f"{name}: it has ended with status {status}, not {INTERRUPTED}")
        if peer.began:
            tally.compare(name, peer.finished, file)
        peer.stream.close()
        program.output.close()
