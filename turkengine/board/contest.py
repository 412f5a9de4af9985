"""One game between any two players: the score sheet, the clocks, what is offered and asked. It waits for nothing.

The game and its clocks are a `ClockedGame`, as in matches and in the terminal. Moves that are taken back give their
time back: the clocks then follow from what is left of the score sheet.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

from turkengine.board.choices import choices
from turkengine.board.shown import ending_data, entry_of
from turkengine.board.wire import WireError
from turkengine.client.contract import Thought
from turkengine.errors import AmbiguousMoveError, IllegalMoveError, MoveError
from turkengine.games import variant_named
from turkengine.match.clocked import DATE, NO_CONTROL, ClockedGame
from turkengine.match.clocks import Clock, TimeControl
from turkengine.match.conduct import Conduct
from turkengine.notation import fen, moves
from turkengine.record.record import Ending, EndingKind, Record
from turkengine.rules.attempt import stand
from turkengine.rules.move import Move
from turkengine.rules.position import Position
from turkengine.rules.variant import Side, Variant

HERE, LINK, ENGINE = "here", "link", "engine"
REFUSE, RECTIFY, ASK = "refuse", "rectify", "ask"


@dataclass
class Player:
    """Who plays a side.

    Attributes:
        kind: in the browser that made the game, by a link, or an engine.
        level: of an engine.
        taken: whether somebody sits there.
        muted: whether he wants nothing of those who look on.
    """

    kind: str
    name: str
    level: int | None = None
    taken: bool = True
    muted: bool = False


@dataclass(frozen=True)
class Question:
    """A move against the rules that `side` may let stand."""

    side: Side
    text: str
    move: str
    article: str


class Contest:
    """A game from its first move to its end.

    Attributes:
        draw, back: the side that has offered a draw, or asks to take a move back.
        question: what an opponent has to choose first; no clock runs until then.
        entries: the moves as the page shows them.
    """

    def __init__(
        self,
        start: Position,
        players: Mapping[Side, Player],
        control: TimeControl | None = None,
        irregular: str = REFUSE,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.clocked = ClockedGame(start, dict.fromkeys(Side, control), Conduct(), now, notes_overruns=False)
        self.game = self.clocked.game
        self.players, self.control, self.irregular, self.now = dict(players), control, irregular, now
        self.draw: Side | None = None
        self.back: Side | None = None
        self.question: Question | None = None
        self.entries: list[dict[str, Any]] = []
        self._turn = now()  # when the turn began, or when the last seconds of it were taken off the clock
        self._legal: tuple[list[dict[str, Any]], bool] | None = None

    # What there is to know.

    @property
    def variant(self) -> Variant:
        """The rules that are played by."""
        return self.game.variant

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return len(self.game.moves)

    @property
    def side(self) -> Side:
        """Whose move it is."""
        return self.game.side

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.ending is not None

    @property
    def started(self) -> bool:
        """Whether every seat is taken, so that clocks may run."""
        return all(player.taken for player in self.players.values())

    @property
    def running(self) -> bool:
        """Whether a clock runs."""
        return self.control is not None and self.started and not self.over and self.question is None

    @property
    def between_people(self) -> bool:
        """Whether people play it against each other."""
        return all(player.kind != ENGINE for player in self.players.values())

    @property
    def engine_is_due(self) -> bool:
        """Whether an engine is to be asked for its move."""
        return not self.over and self.question is None and self.started and self.players[self.side].kind == ENGINE

    @property
    def clock(self) -> Clock | None:
        """That of the side to move, without the turn under way."""
        return self.clocked.clocks[self.side]

    def remaining(self, side: Side) -> float | None:
        """Seconds left, the turn under way counted; None without a clock."""
        clock = self.clocked.clocks[side]
        if clock is None or clock.remaining is None:
            return None
        return clock.remaining - (self.passed() if side is self.side and not self.over else 0.0)

    def passed(self) -> float:
        """Seconds of the turn under way that are not taken off the clock yet."""
        return self.now() - self._turn if self.started and self.question is None else 0.0

    # What happens.

    def seat_taken(self, side: Side) -> None:
        """Somebody sits down; the clocks start when everybody has."""
        if not self.players[side].taken:
            self.players[side].taken = True
            self._turn = self.now()

    def flag(self) -> bool:
        """Whether the side to move has run out of time just now; then the game is lost."""
        left = self.remaining(self.side) if self.running else None
        if left is None or left > 0:
            return False
        self.end(Ending(EndingKind.TIME, self.side.opponent, f"{self.side.name.capitalize()} is out of time"))
        return True

    def move(self, text: str) -> Move:
        """The legal move that a text names.

        Raises:
            WireError: there is none.
            IllegalMoveError: it is against the rules.
        """
        if self.over:
            raise WireError("over", "the game is over")
        try:
            return moves.read(self.game.position, text)
        except AmbiguousMoveError as error:
            raise WireError("ambiguous", str(error)) from None
        except IllegalMoveError:
            raise
        except MoveError as error:
            raise WireError("illegal", str(error)) from None

    def made(self, ply: int, text: str) -> bool:
        """Whether a text names the move that was made at a ply."""
        if self.game.moves[ply].text == text:
            return True
        try:
            return moves.read(self.game.reached(ply), text) == self.game.reached(ply + 1).move
        except MoveError:
            return False

    def play(self, move: Move, thought: Thought | None = None) -> None:
        """Make a legal move; `thought` is what an engine has said with it."""
        before = self.game.position
        self.clocked.move(move, self.passed(), thought)
        self._moved(before, move)

    def irregularity(self, text: str, what: str, article: str) -> Question | None:
        """A player has wanted to play against the rules: what his opponent is asked, None where nobody is."""
        if self.irregular == REFUSE:
            return None
        self.clocked.irregular(what, article, self.passed())
        self._turn = self.now()
        opponent = self.side.opponent
        asks = self.irregular == ASK and self.players[opponent].kind != ENGINE and not self.over
        if asks and self._can_stand(text):
            self.question = Question(opponent, what, text, article)
        return self.question

    def settle(self, let_it_stand: bool) -> None:
        """The opponent has chosen what follows an irregular move."""
        question, self.question = self.question, None
        self._turn = self.now()
        before = self.game.position
        if question is not None and let_it_stand and self.clocked.let_stand(question.move):
            self._moved(before, None)

    def plies_back(self, side: Side) -> int:
        """How many moves go back where a side takes its last one back, 0 where it has made none."""
        own = [place for place, move in enumerate(self.game.moves) if move.side is side]
        return len(self.game.moves) - own[-1] if own else 0

    def take_back(self, plies: int) -> None:
        """Undo moves, those that ended the game included; the clocks are those of then."""
        self.game.take_back(plies, consent=True)
        del self.entries[-plies:]
        self.clocked.clocks = {side: self._clock_after_moves(side) for side in Side}
        self.clocked.wasted = 0.0
        self._settled()

    def agree(self) -> None:
        """Both players agree on a draw."""
        self._over(self.game.agree)

    def resign(self, side: Side) -> None:
        """A player gives up."""
        self._over(lambda: self.game.resign(side))

    def end(self, ending: Ending) -> None:
        """End the game for a reason that is not on the board."""
        self._over(lambda: self.game.end(ending))

    # What is shown and kept.

    def record(self) -> Record:
        """The game so far as it goes into files."""
        record = self.clocked.record({side: player.name for side, player in self.players.items()})
        took = sum(move.seconds or 0.0 for move in self.game.moves) + self.clocked.wasted
        return replace(record, seconds=round(took, 3))  # the time in which no server was there does not count

    def as_data(self) -> dict[str, Any]:
        """All of it as what JSON can hold; the turn under way has taken what it has taken."""
        asked = self.question
        return {
            "record": self.record().as_data(),
            "players": {side.value: asdict(player) for side, player in self.players.items()},
            "cells": self.game.position.cells,
            "irregular": self.irregular,
            "wasted": round(self.clocked.wasted + (0.0 if self.over else self.passed()), 3),
            "draw": self.draw.value if self.draw is not None else None,
            "back": self.back.value if self.back is not None else None,
            "question": asdict(asked) | {"side": asked.side.value} if asked is not None else None,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any], now: Callable[[], float] = time.monotonic) -> Contest:
        """The game that `as_data` gave; the turn goes on from now, so that nobody pays for a server that was away."""
        record = Record.from_data(data["record"])
        variant = variant_named(record.variant)
        start = fen.read(variant, record.fen) if record.fen else Position.start(variant)
        players = {Side(side): Player(**player) for side, player in data["players"].items()}
        control = TimeControl.read(record.controls[0]) if record.controls[0] != NO_CONTROL else None
        contest = cls(start, players, control, data["irregular"], now)
        contest._restore(record, data["wasted"])
        contest.draw = Side(data["draw"]) if data["draw"] else None
        contest.back = Side(data["back"]) if data["back"] else None
        if data["question"] is not None:
            contest.question = Question(**(data["question"] | {"side": Side(data["question"]["side"])}))
        return contest

    def now_data(self) -> dict[str, Any]:
        """What changes with a move: the board, the clocks, what may be played and what is asked."""
        if self._legal is None:
            found, complete = choices(self.game.position) if not self.over else ([], True)
            self._legal = [choice.as_data(self.variant.board) for choice in found], complete
        legal, complete = self._legal
        asked, left = self.question, {side: self.remaining(side) for side in Side}
        return {
            "ply": self.ply,
            "side": self.side.value,
            "cells": self.game.position.cells,
            "fen": fen.write_counted(self.game.position),
            "running": self.running,
            "started": self.started,
            "clocks": {side.value: round(max(s, 0.0), 3) if s is not None else None for side, s in left.items()},
            "at": round(time.time(), 3),
            "legal": legal,
            "complete": complete,
            "offers": {
                "draw": self.draw.value if self.draw is not None else None,
                "back": self.back.value if self.back is not None else None,
            },
            "question": {"side": asked.side.value, "text": asked.text, "move": asked.move} if asked else None,
            "ending": ending_data(self.variant, self.game.ending),
            "incidents": [
                {"ply": one.ply, "side": one.side.value, "text": one.text, "article": one.article}
                for one in self.clocked.incidents
            ],
        }

    # Within.

    def _restore(self, record: Record, wasted: float) -> None:
        for played in record.moves:
            before = self.game.position
            if played.fen:
                self.game.let_stand(played.text, fen.read(self.variant, played.fen), played.seconds, played.clock)
                self._moved(before, None)
                continue
            move = moves.read(before, played.text)
            known = {name: getattr(played, name) for name in ("seconds", "clock", "score", "depth", "nodes")}
            self.game.play(move, **known)
            self._moved(before, move)
        self.clocked.clocks = {side: self._clock_after_moves(side) for side in Side}
        self.clocked.incidents[:] = record.incidents
        self.clocked.date = datetime.strptime(record.began, DATE).replace(tzinfo=UTC)
        if record.ending.has_result:
            self.game.ending = record.ending
        if self.clock is not None:
            self.clock.waste(wasted)
        self.clocked.wasted = wasted

    def _clock_after_moves(self, side: Side) -> Clock | None:
        """What a side's clock shows after the moves on the score sheet."""
        if self.control is None:
            return None
        clock = Clock(self.control)
        for move in self.game.moves:
            if move.side is side:
                (clock.waste if move.fen else clock.spend)(move.seconds or 0.0)
        return clock

    def _moved(self, before: Position, move: Move | None) -> None:
        self.entries.append(entry_of(self.ply, self.game.moves[-1], before, move, self.game.position.cells))
        self._settled()

    def _settled(self) -> None:
        """Another turn: what was offered no longer counts."""
        self.draw = self.back = self.question = self._legal = None
        self._turn = self.now()

    def _over(self, end: Callable[[], object]) -> None:
        """The game ends; what its last turn has taken stays taken."""
        if self.clock is not None:
            self.clock.waste(self.passed())
        self.clocked.wasted += self.passed()
        end()
        self.draw = self.back = self.question = self._legal = None

    def _can_stand(self, text: str) -> bool:
        try:
            return stand(self.game.position, moves.attempt_of(self.game.position, text)) is not None
        except MoveError:
            return False
