"""Two people play over a network: one hosts the game, the other joins it.

The host keeps the board, the clocks and the file; whoever joins sends lines and shows lines. While nobody has joined
the clocks stand still.
"""

from __future__ import annotations

import queue
from collections.abc import Callable

from turkengine.play import telling
from turkengine.play.door import CLOSING, Door, Guest
from turkengine.play.session import ALIASES, Lines, PlaySession
from turkengine.play.terminal import STANDARD_INPUT, TICK, Reader
from turkengine.play.text_board import Look
from turkengine.play.words import side_name
from turkengine.rules.variant import Side

NOBODY = "nobody has joined yet"


class Hosting:
    """A session that the person here and a guest share."""

    def __init__(self, session: PlaySession, ours: Side, look: Look, show: Callable[[str], None]) -> None:
        """The session draws no boards by itself: each of the two sees it from their own side."""
        self.session, self.ours, self.look, self.show = session, ours, look, show
        self.guest: Guest | None = None
        self._bottoms = {side: side for side in Side}
        self._prompted = False  # the person here, on a terminal, with nothing written yet

    def begin(self) -> None:
        """Nobody is there yet."""
        self.session.live.stop_clocks()
        self._tell(self.ours, self.session.begin())

    def comes(self, guest: Guest) -> None:
        """A guest has joined: the game goes on."""
        self.guest = guest
        self._tell(self.ours, [f"{side_name(self.ours.opponent)} has joined"])
        self._tell(self.ours.opponent, [f"You play {side_name(self.ours.opponent)}.", *self.session.greeting()])
        self.session.live.start_clocks()
        self._show_all([])

    def goes(self, guest: Guest) -> None:
        """A guest has left: the game waits."""
        if guest is not self.guest:
            return
        self.guest = None
        self.session.live.stop_clocks()
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
        self._prompted = self._prompted and author is not self.ours
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
        session, game = self.session, self.session.live.game
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
        session, live = self.session, self.session.live
        return len(live.game.moves), live.game.ending, session.asked, len(live.clocked.incidents)

    def _board(self, viewer: Side) -> Lines:
        look = self.look if viewer is self.ours else self.guest.look if self.guest is not None else Look()
        return telling.board(self.session.live, look, self._bottoms[viewer])

    def _show_all(self, told: Lines) -> None:
        for side in Side:
            self._tell(side, [*told, *self._board(side)])
            self._prompt(side)

    def _tell(self, side: Side, told: Lines) -> None:
        text = "".join(f"{line}\n" for line in told)
        if side is self.ours and text:
            self.show(f"\n{text}" if self._prompted else text)
            self._prompted = False
        elif self.guest is not None:
            self.guest.send(text)

    def _prompt(self, side: Side) -> None:
        if side is self.ours and self.look.always:
            self.show(f"\n{self.session.prompt}> " if self._prompted else f"{self.session.prompt}> ")
            self._prompted = True
        else:
            self._tell(side, [self.session.prompt])


def host(
    session: PlaySession, ours: Side, door: Door, look: Look, changed: Callable[[], None], show: Callable[[str], None]
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
