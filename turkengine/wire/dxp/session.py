"""DXP (DamExchange): games between two programs that keep them alone, each on its own board. Both roles.

The initiator asks for games and the follower answers; who called whom does not matter. `protocol/dxp.md` describes the
messages for the other side. A session lives as long as there are games to play, over as many connections as it takes:

    OFFLINE --connected--> IDLE --we ask--> ASKED --accepted--> PLAYING --an end--> ENDING --its answer--> IDLE
                                --we are asked, and accept----> PLAYING

It hears what happens, with the moment in seconds of one monotonic clock, and returns what is to be done. It promises:

* Every game that has begun ends with a reason, whatever the opponent sends or leaves unsent: `deadline` is the moment
  until which something has to come, and `timeout` says that it has not.
* What cannot be read, and a move against the rules, end the game as unknown and never the session.
* One search at a time; one that the game no longer needs is stopped, and its answer is not played.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import Enum

from turkengine.engine.kernel_types import Kernel, PositionMaker
from turkengine.engine.report import Answer
from turkengine.errors import MoveError
from turkengine.record.record import Ending
from turkengine.rules.variant import Side, Variant
from turkengine.wire.actions import NewGame, Quit, StartSearch, StopSearch
from turkengine.wire.dxp import codec, frames
from turkengine.wire.dxp.actions import DxpAction, GameOver, HangUp, Send, Tell
from turkengine.wire.dxp.finished import unfinished
from turkengine.wire.dxp.game import DxpGame
from turkengine.wire.dxp.terms import DxpSettings, Terms
from turkengine.wire.words import one_line

ANSWER_TO_END = 1.5  # s that the opponent has to confirm the end of a game
END_DUE = 5.0  # s that the opponent has to say so when it is to move in a game that is over
THOUGHT = 30.0  # s for which it is no wonder that the opponent does not move
QUIET = 2.0  # s without a game, after which a connection gives way to another one
MOST_UNREADABLE = 20  # messages on one connection while no game is on

UNNAMED = "opponent"  # until it has said its name

REFUSALS = {
    frames.Acceptance.OTHER_VERSION: "the opponent does not speak version 1 of the protocol",
    frames.Acceptance.NOT_THIS_GAME: "the opponent refuses this game",
    frames.Acceptance.NO_GAME: "the opponent refuses all games",
}


class DxpState(Enum):
    """How far the session has come."""

    OFFLINE = "offline"
    IDLE = "idle"
    ASKED = "asked"
    PLAYING = "playing"
    ENDING = "ending"
    CLOSED = "closed"


class DxpSession:
    """The games with whoever is at the other end."""

    def __init__(self, settings: DxpSettings, load: Callable[[Variant], Kernel]) -> None:
        """Begin without a connection.

        Args:
            settings: what to play.
            load: gives the kernel of a variant, whose positions are used.
        """
        self.settings = settings
        self.state = DxpState.OFFLINE
        self.deadline = math.inf
        self._load = load
        self._number = 0  # of the game that is on, or was last
        self._game: DxpGame | None = None  # from the request to the end
        self._opponent = UNNAMED
        self._since = 0.0  # when the turn, or the quiet, began
        self._fresh = False  # whether the game's first search is still to come
        self._searching = self._stale = False
        self._mistrusted = False  # whether the opponent has to confirm the end before there is another game
        self._unreadable = 0

    # What happens.

    def connected(self, now: float) -> list[DxpAction]:
        """An opponent is there."""
        self._unreadable, self._opponent = 0, UNNAMED
        return self._next(now)

    def receive(self, data: bytes | None, now: float) -> list[DxpAction]:
        """A message has come, without its NUL; None for one that was too long to be kept."""
        if self.state in (DxpState.OFFLINE, DxpState.CLOSED):
            return []
        try:
            if data is None:
                raise codec.FrameError(f"it has more than {codec.LONGEST_FRAME} bytes")
            frame = codec.decode(data)
        except codec.VersionError as error:
            return [Tell(f"a request is refused: {error}"), self._accept(frames.Acceptance.OTHER_VERSION)]
        except codec.FrameError as error:
            return self._not_understood(f"a message cannot be read: {error}", now)
        match frame:
            case frames.GameRequest():
                return self._requested(frame, now)
            case frames.GameAccept():
                return self._accepted(frame, now)
            case frames.MoveFrame():
                return self._moved(frame, now)
            case frames.GameEnd():
                return self._ended(frame, now)
            case frames.Chat(text):
                return [Tell(f"{self._opponent} says: {one_line(text)}")]
            case frames.BackRequest():
                return self._asked_back(frame, now)
            case frames.BackAccept():
                return [Tell("an answer to a take-back that nobody asked for is ignored", detail=True)]

    def answer(self, answer: Answer, now: float) -> list[DxpAction]:
        """The search has ended."""
        self._searching = False
        game = self._game
        if self.state is not DxpState.PLAYING or game is None or not game.our_turn:
            return []
        if self._stale or answer.move is None:
            return self._turn(self._since, now)
        game.play(answer.move, max(now - self._since, 0.0))
        return [Send(codec.encode(game.frame())), Tell(game.last, detail=True), *self._turn(now, now)]

    def timeout(self, now: float) -> list[DxpAction]:
        """The moment of `deadline` has come."""
        if now < self.deadline:
            return []
        self.deadline = math.inf
        if self.state is DxpState.ASKED:
            silence = unfinished(f"no answer to the request for {self.settings.patience:g} s")
            return [*self._over(silence, fault=True), *self._hang_up(now)]
        if self.state is DxpState.PLAYING and self._game is not None:
            seen = self._game.ending()
            silence = unfinished(f"the opponent has been silent for {now - self._since:.0f} s")
            return self._end(seen or silence, now, fault=seen is None)
        if self.state is DxpState.ENDING:
            return self._hang_up(now) if self._mistrusted else self._next(now)
        return []

    def disconnected(self, how: str, now: float) -> list[DxpAction]:
        """The connection is gone; `how` begins with a verb, as in "has closed the connection"."""
        if self._game is None:  # without a number of games it is the opponent that decides when there are enough
            return [Tell(f"the opponent {how}", detail=True), *self._offline(now, self.settings.games is not None)]
        seen = self._game.ending()
        ending = seen or unfinished(f"the opponent {how}")
        return [*self._over(ending, fault=seen is None), *self._offline(now)]

    def interrupt(self) -> list[DxpAction]:
        """Whoever runs us has had enough."""
        actions: list[DxpAction] = []
        if self._game is not None:
            actions = self._over(unfinished("interrupted"), fault=True)
            if self.state is DxpState.PLAYING:
                actions.append(Send(codec.encode(frames.GameEnd(frames.EndReason.UNKNOWN, last=True))))
        if self.state is not DxpState.OFFLINE:
            actions.append(HangUp())
        self.state, self.deadline = DxpState.CLOSED, math.inf
        return [*actions, Quit()]

    @property
    def busy(self) -> bool:
        """Whether a game is on, or asked for."""
        return self._game is not None

    @property
    def awaited(self) -> str | None:
        """What the opponent has to do for anything to happen; None where it is not the one."""
        who = self._opponent if self._opponent != UNNAMED else f"the {UNNAMED}"
        if self.state is DxpState.ASKED:
            return f"{who} to answer the request"
        if self.state is DxpState.PLAYING and self._game is not None and not self._game.our_turn:
            return f"{who} to move"
        if self.state is DxpState.IDLE and not self.settings.initiate:
            return f"{who} to ask for a game"
        return None

    @property
    def since(self) -> float:
        """When the turn, or the quiet, began."""
        return self._since

    def thinking(self, now: float) -> bool:
        """Whether it may well be that the opponent thinks about its move, and nobody wonders."""
        return self.state is DxpState.PLAYING and now - self._since < THOUGHT

    def gives_way(self, now: float) -> bool:
        """Whether another opponent may take the place of this one, which has not played for a while."""
        return self.state is DxpState.IDLE and now - self._since >= QUIET

    # The messages.

    def _requested(self, request: frames.GameRequest, now: float) -> list[DxpAction]:
        confirmed = self.state is DxpState.ENDING and not self.settings.initiate  # who asks again has seen the end
        actions = self._next(now) if confirmed else []
        if HangUp() in actions:  # it was the last game
            return actions
        if self.settings.initiate:
            refusal: str | None = "both sides ask for the games; one of them has to follow"
        elif self.state is DxpState.PLAYING:
            refusal = "a game is on"
        else:
            refusal = self.settings.refusal(request, self._maker)
        if refusal is not None:
            return [*actions, Tell(f"a request is refused: {refusal}"), self._accept(frames.Acceptance.NOT_THIS_GAME)]
        self._opponent = request.name or self._opponent
        self._number += 1
        self._game = self._new_game(request, request.follower)
        return [*actions, self._accept(frames.Acceptance.ACCEPTED), *self._begin(now)]

    def _accepted(self, accept: frames.GameAccept, now: float) -> list[DxpAction]:
        if self.state is not DxpState.ASKED or self._game is None:
            return [Tell("an answer to a request that nobody made is ignored", detail=True)]
        self._opponent = accept.name or self._opponent
        self._game.names = self._names(self._game.ours)
        if accept.code is frames.Acceptance.ACCEPTED:
            return self._begin(now)
        actions = self._over(unfinished(REFUSALS[accept.code]), fault=True)
        others = accept.code is frames.Acceptance.NOT_THIS_GAME and self.settings.games is not None
        return [*actions, *self._next(now, more=others)]

    def _moved(self, frame: frames.MoveFrame, now: float) -> list[DxpAction]:
        game = self._game
        if self.state is not DxpState.PLAYING or game is None:
            return [Tell("a move without a game is ignored", detail=True)]
        seen = game.ending()
        if seen is not None and not game.our_turn:  # the opponent has not noticed, and now it is we who say so
            return self._end(seen, now)
        try:
            if game.our_turn:
                return self._broken("5.4.1: it moves out of turn", now)
            move = game.read(frame)
        except codec.FrameError as error:
            return self._not_understood(f"a move cannot be read: {error}", now)
        except MoveError as error:
            return self._broken(str(error), now)
        game.play(move, max(now - self._since, 0.0))
        return [Tell(game.last, detail=True), *self._turn(now, now)]

    def _ended(self, end: frames.GameEnd, now: float) -> list[DxpAction]:
        if self.state is DxpState.PLAYING and self._game is not None:
            actions = self._over(self._game.claimed(end.reason))
            answer = codec.encode(frames.GameEnd(frames.EndReason.UNKNOWN, end.last))
            return [*actions, Send(answer), *self._next(now, more=not end.last)]
        if self.state is DxpState.ENDING:
            return self._next(now, more=not end.last)
        if not end.last:
            return [Tell("the end of no game is ignored", detail=True)]
        actions = [Tell("the opponent wants no game")]
        if self._game is not None:
            actions = self._over(unfinished("the opponent wants no game"), fault=True)
        return [*actions, *self._next(now, more=False)]

    def _asked_back(self, wish: frames.BackRequest, now: float) -> list[DxpAction]:
        game = self._game
        if self.state is not DxpState.PLAYING or game is None or not game.take_back(wish.number, wish.side):
            told = f"a take-back to move {wish.number} of {wish.side.name.capitalize()} is refused: there is none"
            return [Tell(told), Send(codec.encode(frames.BackAccept(frames.BackAnswer.REFUSED)))]
        told = f"the opponent goes back to move {wish.number} of {wish.side.name.capitalize()}"
        accepted = Send(codec.encode(frames.BackAccept(frames.BackAnswer.ACCEPTED)))
        return [*self._stop(), Tell(told), accepted, *self._turn(now, now)]

    # What cannot go on.

    def _not_understood(self, what: str, now: float) -> list[DxpAction]:
        if self.state is DxpState.PLAYING:
            return self._broken(what, now)
        if self.state is DxpState.ASKED:
            return [*self._over(unfinished(what), fault=True), *self._hang_up(now)]
        self._unreadable += 1
        if self._unreadable >= MOST_UNREADABLE:
            return [Tell(f"{what}; there were {MOST_UNREADABLE} of the kind"), *self._hang_up(now)]
        return [Tell(what)]

    def _broken(self, what: str, now: float) -> list[DxpAction]:
        """End the game, and let the opponent's people know why."""
        return [Send(codec.encode(frames.Chat(what))), *self._end(unfinished(what), now, fault=True)]

    # From game to game.

    def _next(self, now: float, more: bool = True) -> list[DxpAction]:
        """No game is on and the connection is good: another game, if `more` are wanted at the other end too."""
        if not more or self._done:
            return self._hang_up(now, more)
        self.state, self.deadline, self._since = DxpState.IDLE, math.inf, now
        if not self.settings.initiate:
            return []
        self._number += 1
        request = self.settings.request(self._number, self._maker)
        self._game = self._new_game(request, request.follower.opponent)
        self.state, self.deadline = DxpState.ASKED, now + self.settings.patience
        return [Send(codec.encode(request))]

    def _begin(self, now: float) -> list[DxpAction]:
        """The game asked for is accepted."""
        assert self._game is not None
        self.state, self._fresh = DxpState.PLAYING, True
        players = ", ".join(f"{side.name.capitalize()} {name}" for side, name in self._game.names.items())
        return [Tell(f"game {self._number} begins: {players}, {self._game.terms}"), *self._turn(now, now)]

    def _turn(self, since: float, now: float) -> list[DxpAction]:
        """Whoever is to move has been since then: think, wait, or see that the game is over."""
        game = self._game
        assert game is not None
        self._since = since
        seen = game.ending()
        if not game.our_turn:
            clock = max(game.remaining(game.position.side), 0.0) + self.settings.patience
            self.deadline = since + (clock if seen is None else END_DUE)
            return []
        self.deadline = math.inf
        if seen is not None:
            return self._end(seen, now)
        if self._searching:
            return []  # the answer of the one before comes first
        fresh, self._fresh = self._fresh, False
        self._searching, self._stale = True, False
        search = StartSearch(game.position, game.limits(now - since, self.settings.limits))
        return [NewGame(), search] if fresh else [search]

    def _end(self, ending: Ending, now: float, fault: bool = False) -> list[DxpAction]:
        """End the game and send that to the opponent, which has to confirm it."""
        assert self._game is not None
        end = frames.GameEnd(self._game.our_view(ending), last=self._done)
        actions = self._over(ending, fault)
        self.state, self.deadline, self._mistrusted = DxpState.ENDING, now + ANSWER_TO_END, fault
        return [*actions, Send(codec.encode(end))]

    def _over(self, ending: Ending, fault: bool = False) -> list[DxpAction]:
        """Close the game's books."""
        assert self._game is not None
        record = self._game.record(self._number, ending, fault)
        self._game, self.deadline = None, math.inf
        return [*self._stop(), GameOver(record)]

    def _stop(self) -> list[DxpAction]:
        if not self._searching or self._stale:
            return []
        self._stale = True
        return [StopSearch()]

    def _hang_up(self, now: float, more: bool = True) -> list[DxpAction]:
        return [HangUp(), *self._offline(now, more)]

    def _offline(self, now: float, more: bool = True) -> list[DxpAction]:
        """The connection is gone; there will be another one unless nobody wants one."""
        self.deadline, self._since = math.inf, now
        if self._done or not (more or self.settings.stays):
            self.state = DxpState.CLOSED
            return [Quit()]
        self.state = DxpState.OFFLINE
        return []

    # What it is made of.

    @property
    def _done(self) -> bool:
        """Whether the game that is on, or was last, is the last one wanted here."""
        return self.settings.games is not None and self._number >= self.settings.games

    @property
    def _maker(self) -> PositionMaker:
        return self._load(self.settings.variant).Position

    def _new_game(self, request: frames.GameRequest, ours: Side) -> DxpGame:
        start, set_up = self.settings.start(request, self._maker)
        terms = Terms(request.minutes, request.moves)
        return DxpGame(start, terms, ours, self._names(ours), set_up, self.settings.no_progress)

    def _names(self, ours: Side) -> dict[Side, str]:
        return {side: self.settings.name if side is ours else self._opponent for side in Side}

    def _accept(self, code: frames.Acceptance) -> Send:
        return Send(codec.encode(frames.GameAccept(self.settings.name, code)))
