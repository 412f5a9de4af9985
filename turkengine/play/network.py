"""Two people play over a network: one hosts the game, the other joins it. Plain lines of text over TCP.

The host keeps the board, the clocks and the file; whoever joins sends lines and shows lines. A guest may write
anything, at any speed, and may go away: one that floods is cut off, what it does not take is not waited for, and while
nobody has joined the clocks stand still.
"""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
import time
import unicodedata
from collections.abc import Callable

from turkengine.daemon.sockets import listen
from turkengine.errors import TurkengineError
from turkengine.play import telling
from turkengine.play.drawing import Look
from turkengine.play.session import ALIASES, Lines, Session
from turkengine.play.terminal import STANDARD_INPUT, TICK, Reader
from turkengine.play.words import side_name
from turkengine.rules.variant import Side
from turkengine.wire.address import Address
from turkengine.wire.lines import LineSplitter

HELLO = "turkengine play 1"
SIGNS = "signs"  # behind it: what the terminal of the guest can show
GREETING_TIME = 10.0  # s that a caller has to say hello
LONGEST_LINE = 1000  # bytes
PACE = 20.0  # lines a second that a guest may send in the long run
AHEAD = 100  # lines that it may send at once
MOST_UNSENT = 500  # texts, above which a guest that does not read is given up
MOST_CALLERS = 8  # at a time that have not said hello
CHUNK = 1 << 12  # bytes
CLOSING = 1.0  # s for what is still to be sent
A_WHILE = 0.05  # s
CALLING = 10.0  # s that joining may take

NOBODY = "nobody has joined yet"


class NetworkError(TurkengineError):
    """No game can be hosted or joined there."""


class Guest:
    """Whoever has joined."""

    def __init__(self, stream: socket.socket, look: Look) -> None:
        """What is sent goes out in a thread of its own."""
        self.look = look
        self._stream = stream
        self._unsent: queue.Queue[str | None] = queue.Queue(MOST_UNSENT)
        self._writer = threading.Thread(target=self._write, name="turkengine guest out", daemon=True)
        self._writer.start()

    def send(self, text: str) -> None:
        """Send text some time; a guest that takes nothing is cut off."""
        self._put(text)

    def hang_up(self) -> None:
        """End the connection once everything is sent."""
        self._put(None)

    def wait(self, seconds: float) -> None:
        """Wait until everything is sent, not longer than that."""
        self._writer.join(seconds)

    def _put(self, text: str | None) -> None:
        try:
            self._unsent.put_nowait(text)
        except queue.Full:
            self._cut()

    def _cut(self) -> None:
        with contextlib.suppress(OSError):
            self._stream.shutdown(socket.SHUT_RDWR)

    def lines(self, put: Callable[[str], None]) -> None:
        """Hand over every line until the guest has gone; one that floods is cut off."""
        splitter, allowed, last = LineSplitter(LONGEST_LINE), float(AHEAD), time.monotonic()
        with contextlib.suppress(OSError):
            while data := self._stream.recv(CHUNK):
                now = time.monotonic()
                allowed, last = min(allowed + PACE * (now - last), AHEAD), now
                lines = splitter.feed(data)
                allowed -= max(len(lines), 1)
                if allowed < 0:
                    self._cut()
                    return
                for line in lines:
                    put(line or "")

    def _write(self) -> None:
        with contextlib.suppress(OSError):
            while (text := self._unsent.get()) is not None:
                self._stream.sendall(text.encode("utf-8", "replace"))
        self._cut()


class Door:
    """Lets in one guest at a time, in threads of its own; `events` has what they do."""

    def __init__(self, place: Address) -> None:
        """Listen from now on.

        Raises:
            NetworkError: nobody may listen there.
        """
        try:
            self._listener = listen(place)
        except OSError as error:
            raise NetworkError(f"cannot listen at {place}: {error.strerror or error}; name another port") from None
        self._listener.setblocking(True)
        self.place = Address(*self._listener.getsockname()[:2])
        self.events: queue.Queue[tuple[Guest | None, str | None]] = queue.Queue(MOST_UNSENT)
        self._seat = threading.Lock()
        self._callers = threading.Semaphore(MOST_CALLERS)
        self._closed = False
        threading.Thread(target=self._take_calls, name="turkengine door", daemon=True).start()

    def close(self) -> None:
        """Let in nobody any more."""
        self._closed = True
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _take_calls(self) -> None:
        while not self._closed:
            try:
                stream, _ = self._listener.accept()
            except OSError:
                time.sleep(A_WHILE)  # closed, or too many files are open just now
                continue
            if not self._callers.acquire(blocking=False):
                stream.close()
                continue
            threading.Thread(target=self._welcome, args=(stream,), name="turkengine caller", daemon=True).start()

    def _welcome(self, stream: socket.socket) -> None:
        with stream:
            try:
                hello = _first_line(stream)
            except OSError:
                hello = ""
            finally:
                self._callers.release()
            if hello not in (HELLO, f"{HELLO} {SIGNS}"):
                _refuse(stream, "this is a game of turkengine: join it with turkengine play --join HOST:PORT")
            elif not self._seat.acquire(blocking=False):
                _refuse(stream, "somebody else has joined this game")
            else:
                try:
                    self._seated(stream, signs=hello.endswith(SIGNS))
                finally:
                    self._seat.release()

    def _seated(self, stream: socket.socket, signs: bool) -> None:
        stream.settimeout(None)
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3)):
            if hasattr(socket, name):  # a guest whose machine is gone is noticed after a minute
                stream.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
        guest = Guest(stream, Look(signs=signs))
        self.events.put((guest, ""))  # it has come
        guest.lines(lambda line: self.events.put((guest, line)) if line.strip() else None)
        self.events.put((guest, None))
        guest.wait(CLOSING)


def _first_line(stream: socket.socket) -> str:
    """What a caller says first, byte by byte: what comes after it is the guest's.

    Raises:
        OSError: it says nothing.
    """
    until, said = time.monotonic() + GREETING_TIME, b""
    while not said.endswith(b"\n") and len(said) < LONGEST_LINE:
        stream.settimeout(max(until - time.monotonic(), 0.001))
        byte = stream.recv(1)
        if not byte:
            break
        said += byte
    return said.decode("utf-8", "replace").strip()


def _refuse(stream: socket.socket, why: str) -> None:
    with contextlib.suppress(OSError):
        stream.settimeout(1.0)
        stream.sendall(f"{why}\n".encode())
        stream.shutdown(socket.SHUT_WR)


class Hosting:
    """A session that the person here and a guest share."""

    def __init__(self, session: Session, ours: Side, look: Look, show: Callable[[str], None]) -> None:
        """The session draws no boards by itself: each of the two sees it from their own side."""
        self.session, self.ours, self.look, self.show = session, ours, look, show
        self.guest: Guest | None = None
        self._bottoms = {side: side for side in Side}

    def begin(self) -> None:
        """Nobody is there yet."""
        self.session.table.stop_clocks()
        self._tell(self.ours, self.session.begin())

    def comes(self, guest: Guest) -> None:
        """A guest has joined: the game goes on."""
        self.guest = guest
        self._tell(self.ours, [f"{side_name(self.ours.opponent)} has joined"])
        self._tell(self.ours.opponent, [f"You play {side_name(self.ours.opponent)}.", *self.session.greeting()])
        self.session.table.start_clocks()
        self._show_all([])

    def goes(self, guest: Guest) -> None:
        """A guest has left: the game waits."""
        if guest is not self.guest:
            return
        self.guest = None
        self.session.table.stop_clocks()
        guest.hang_up()
        left = f"{side_name(self.ours.opponent)} has left; the clocks stand still until somebody joins"
        self._tell(self.ours, [left])
        self._prompt(self.ours)

    def flag(self) -> bool:
        """Whether somebody has run out of time just now."""
        told = self.session.flag()
        if told:
            self._show_all(told)
        return bool(told)

    def receive(self, author: Side, line: str) -> bool:
        """One of the two has written something; whether it is the end."""
        text = " ".join(line.split())
        word = ALIASES.get(text.lower(), text.lower())
        self.flag()
        if word == "quit":
            return True
        if word == "flip":
            self._bottoms[author] = self._bottoms[author].opponent
            word = "board"
        if not text:
            told = []
        elif word == "board":
            told = self._board(author)
        elif (refusal := self._refusal(author, word)) is not None:
            told = [refusal]
        else:
            before = self._state()
            told = self.session.resign(author) if word == "resign" else self.session.receive(text)
            if self._state() != before:
                self._show_all(told)
                return False
        self._tell(author, told)
        self._prompt(author)
        return False

    def _refusal(self, author: Side, word: str) -> str | None:
        """Why one of the two may not do this now."""
        session, game = self.session, self.session.table.game
        if word == "hint":
            return "there are no hints in a game over a network"
        if word.split(" ")[0] == "save" and author is not self.ours:
            return "the host saves the game"
        if word in ("help", "moves", "clock", "fen", "resign") or word.startswith("save"):
            return None
        if self.guest is None:
            return NOBODY
        if word == "undo" and game.moves and session.asked is None and game.moves[-1].side is not author:
            return "only your own last move can be taken back, before it is answered"
        if session.asked is not None:
            return None if session.asked is author else f"{side_name(session.asked)} is asked, not you"
        if word != "undo" and game.ending is None and game.side is not author:
            return f"it is {side_name(game.side)}'s turn"
        return None

    def _state(self) -> tuple[object, ...]:
        """What both have to know when it changes."""
        session, table = self.session, self.session.table
        return len(table.game.moves), table.game.ending, session.asked, len(table.clocked.incidents)

    def _board(self, viewer: Side) -> Lines:
        look = self.look if viewer is self.ours else self.guest.look if self.guest is not None else Look()
        return telling.board(self.session.table, look, self._bottoms[viewer])

    def _show_all(self, told: Lines) -> None:
        for side in Side:
            self._tell(side, [*told, *self._board(side)])
            self._prompt(side)

    def _tell(self, side: Side, told: Lines) -> None:
        text = "".join(f"{line}\n" for line in told)
        if side is self.ours:
            self.show(text)
        elif self.guest is not None:
            self.guest.send(text)

    def _prompt(self, side: Side) -> None:
        if side is self.ours and self.look.always:
            self.show(f"{self.session.prompt}> ")
        else:
            self._tell(side, [self.session.prompt])


def host(
    session: Session, ours: Side, door: Door, look: Look, changed: Callable[[], None], show: Callable[[str], None]
) -> None:
    """Carry a session for the person here and whoever joins, to its end.

    Raises:
        KeyboardInterrupt: somebody has pressed Ctrl-C.
    """
    hosting = Hosting(session, ours, look, show)

    def put(line: str | None) -> None:
        door.events.put((None, line))

    try:
        hosting.begin()
        show(f"Waiting for the other one: turkengine play --join {door.place}\n")
        changed()
        Reader(STANDARD_INPUT, put)
        over = False
        while not over:
            left = session.time_left if hosting.guest is not None else None
            try:
                guest, line = door.events.get(timeout=TICK if left is None else max(min(left, TICK), 0.001))
            except queue.Empty:
                if hosting.guest is not None:
                    hosting.flag()
                continue
            over = _happened(hosting, guest, line, ours)
            changed()
    finally:
        if hosting.guest is not None:
            hosting.guest.send("the host has left; the game is kept there\n")
            hosting.guest.hang_up()
            hosting.guest.wait(CLOSING)
        door.close()


def _happened(hosting: Hosting, guest: Guest | None, line: str | None, ours: Side) -> bool:
    """See to one event; whether it is the end."""
    if guest is None:
        return line is None or hosting.receive(ours, line)
    if line is None:
        hosting.goes(guest)
    elif guest is not hosting.guest:
        hosting.comes(guest)
    elif hosting.receive(ours.opponent, line):
        guest.hang_up()
    return False


def join(place: Address, signs: bool, show: Callable[[str], None]) -> None:
    """Join a game: what is written here goes there, and what is said there is shown, until one of the two ends it.

    Raises:
        NetworkError: there is no game.
    """
    try:
        stream = socket.create_connection((place.host, place.port), timeout=CALLING)
    except OSError as error:
        raise NetworkError(f"nobody hosts a game at {place}: {error.strerror or error}") from None
    with stream:
        stream.settimeout(None)
        stream.sendall(f"{HELLO} {SIGNS}\n".encode() if signs else f"{HELLO}\n".encode())

        def put(line: str | None) -> None:
            with contextlib.suppress(OSError):
                if line is None:
                    stream.shutdown(socket.SHUT_WR)
                else:
                    stream.sendall(f"{line[: LONGEST_LINE // 4]}\n".encode())

        Reader(STANDARD_INPUT, put)
        splitter = LineSplitter(CHUNK)
        while data := _received(stream):
            for line in splitter.feed(data):
                show(f"{printable(line or '')}\n")


def _received(stream: socket.socket) -> bytes:
    try:
        return stream.recv(CHUNK)
    except OSError as error:
        raise NetworkError(f"the host has gone: {error.strerror or error}; the game is kept there") from None


def printable(line: str) -> str:
    """A line from outside without what could command a terminal."""
    return "".join(sign for sign in line if unicodedata.category(sign)[0] != "C")
