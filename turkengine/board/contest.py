"""One game between any two players: the score sheet, the clocks, what is offered and asked. It waits for nothing.

The clocks follow from the score sheet: each is what its control gives less the seconds of its moves, and the turn under
way. So a game that is read from a file, or goes back, has the right ones, and nothing can disagree.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from turkengine.board.choices import choices, victims
from turkengine.board.wire import WireError
from turkengine.errors import AmbiguousMoveError, IllegalMoveError, MoveError
from turkengine.games import variant_named
from turkengine.match.clocks import Clock, TimeControl
from turkengine.match.game import MatchGame
from turkengine.notation import fen, moves
from turkengine.record.record import Ending, EndingKind, Incident, Played, Record
from turkengine.rules.irregularity import stand
from turkengine.rules.move import Move
from turkengine.rules.outcome import Outcome, result
from turkengine.rules.position import Position
from turkengine.rules.reason import Reason
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
    """

    kind: str
    name: str
    level: int | None = None
    taken: bool = True


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
        question: what an opponent has to choose first.
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
        self.game = MatchGame(start)
        self.players, self.control, self.irregular, self.now = dict(players), control, irregular, now
        self.draw: Side | None = None
        self.back: Side | None = None
        self.question: Question | None = None
        self.incidents: list[Incident] = []
        self.entries: list[dict[str, Any]] = []
        self.began = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S")
        self._spent, self._turn = 0.0, now()
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
        return self.control is not None and self.started and not self.over

    @property
    def between_people(self) -> bool:
        """Whether people play it against each other."""
        return all(player.kind != ENGINE for player in self.players.values())

    @property
    def engine_is_due(self) -> bool:
        """Whether an engine is to be asked for its move."""
        return not self.over and self.question is None and self.started and self.players[self.side].kind == ENGINE

    def clock(self, side: Side) -> Clock | None:
        """What a side's clock shows after its last move."""
        if self.control is None:
            return None
        clock = Clock(self.control)
        for move in self.game.moves:
            if move.side is side:
                clock.spend(move.seconds or 0.0)
        return clock

    def remaining(self, side: Side) -> float | None:
        """Seconds left, the turn under way counted; None without a clock."""
        clock = self.clock(side)
        if clock is None or clock.remaining is None:
            return None
        return clock.remaining - (self.turn_seconds() if side is self.side and not self.over else 0.0)

    def turn_seconds(self) -> float:
        """What the turn under way has taken."""
        return self._spent + (self.now() - self._turn if self.started else 0.0)

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

    def play(self, move: Move, score: int | None = None, depth: int | None = None, nodes: int | None = None) -> None:
        """Make a legal move."""
        before, side, seconds = self.game.position, self.side, round(self.turn_seconds(), 4)
        clock = self.clock(side)
        if clock is not None:
            clock.spend(seconds)
        left = clock.remaining if clock is not None else None
        shown = round(left, 4) if left is not None else None
        self.game.play(move, seconds=seconds, clock=shown, score=score, depth=depth, nodes=nodes)
        self._moved(before, move)

    def irregularity(self, text: str, what: str, article: str) -> Question | None:
        """A player has wanted to play against the rules: what his opponent is asked, None where nobody is."""
        if self.irregular == REFUSE:
            return None
        self.incidents.append(Incident(self.ply + 1, self.side, "irregularity", what, article))
        opponent = self.side.opponent
        if self.irregular == ASK and self.players[opponent].kind != ENGINE and self._after(text) is not None:
            self.question = Question(opponent, what, text, article)
        return self.question

    def settle(self, let_it_stand: bool) -> None:
        """The opponent has chosen what follows an irregular move."""
        question, self.question = self.question, None
        after = self._after(question.move) if question is not None else None
        if question is None or not let_it_stand or after is None:
            return
        before, seconds = self.game.position, round(self.turn_seconds(), 4)
        clock = self.clock(self.side)
        if clock is not None:
            clock.spend(seconds)
        left = clock.remaining if clock is not None else None
        self.game.let_stand(question.move, after, seconds, round(left, 4) if left is not None else None)
        self._moved(before, None)

    def plies_back(self, side: Side) -> int:
        """How many moves go back where a side takes its last one back, 0 where it has made none."""
        own = [place for place, move in enumerate(self.game.moves) if move.side is side]
        return len(self.game.moves) - own[-1] if own else 0

    def take_back(self, plies: int) -> None:
        """Undo moves, those that ended the game included; the clocks are those of then."""
        self.game.take_back(plies, consent=True)
        del self.entries[-plies:]
        self._settled()

    def agree(self) -> None:
        """Both players agree on a draw."""
        self.end(Ending(EndingKind.AGREEMENT, None, "draw by agreement"))

    def resign(self, side: Side) -> None:
        """A player gives up."""
        self.end(Ending(EndingKind.RESIGNED, side.opponent, f"{side.name.capitalize()} gives up"))

    def end(self, ending: Ending) -> None:
        """End the game for a reason that is not on the board."""
        self._spent, self._turn = self.turn_seconds(), self.now()
        self.game.end(ending)
        self.draw = self.back = self.question = self._legal = None

    # What is shown and kept.

    def record(self) -> Record:
        """The game so far as it goes into files."""
        start = self.game.start
        control = str(self.control) if self.control is not None else "-"
        return Record(
            variant=self.variant.name,
            white=self.players[Side.WHITE].name,
            black=self.players[Side.BLACK].name,
            fen="" if start == Position.start(self.variant) else fen.write_counted(start),
            opening="",
            controls=(control, control),
            began=self.began,
            seconds=round(sum(move.seconds or 0.0 for move in self.game.moves), 3),
            moves=tuple(self.game.moves),
            incidents=tuple(self.incidents),
            ending=self.game.ending or Ending(EndingKind.UNFINISHED, None, "broken off"),
        )

    def as_data(self) -> dict[str, Any]:
        """All of it as what JSON can hold; the turn under way has taken what it has taken."""
        asked = self.question
        return {
            "record": self.record().as_data(),
            "players": {side.value: asdict(player) for side, player in self.players.items()},
            "cells": self.game.position.cells,
            "irregular": self.irregular,
            "spent": round(self.turn_seconds(), 3),
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
        control = TimeControl.read(record.controls[0]) if record.controls[0] != "-" else None
        contest = cls(start, players, control, data["irregular"], now)
        for played in record.moves:
            contest._replay(played)
        contest.incidents, contest.began = list(record.incidents), record.began
        if record.ending.kind is not EndingKind.UNFINISHED:
            contest.game.ending = record.ending
        contest._spent = data["spent"]
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
            "clocks": {side.value: round(s, 3) if s is not None else None for side, s in left.items()},
            "at": round(time.time(), 3),
            "legal": legal,
            "complete": complete,
            "offers": {
                "draw": self.draw.value if self.draw is not None else None,
                "back": self.back.value if self.back is not None else None,
            },
            "question": {"side": asked.side.value, "text": asked.text, "move": asked.move} if asked else None,
            "ending": self.ending_data(),
            "incidents": [
                {"ply": one.ply, "side": one.side.value, "text": one.text, "article": one.article}
                for one in self.incidents
            ],
        }

    def ending_data(self) -> dict[str, Any] | None:
        """How the game has ended, None while it goes on."""
        ending = self.game.ending
        if ending is None:
            return None
        return {
            "winner": ending.winner.value if ending.winner is not None else None,
            "result": result_text(self.variant, ending),
            "kind": ending.kind.value,
            "reason": ending.reason,
            "article": ending.article,
        }

    def _replay(self, played: Played) -> None:
        before = self.game.position
        if played.fen:
            self.game.let_stand(played.text, fen.read(self.variant, played.fen), played.seconds, played.clock)
            self._moved(before, None)
            return
        move = moves.read(before, played.text)
        told = {name: getattr(played, name) for name in ("seconds", "clock", "score", "depth", "nodes")}
        self.game.play(move, **told)
        self._moved(before, move)

    def _moved(self, before: Position, move: Move | None) -> None:
        self.entries.append(entry_of(self.ply, self.game.moves[-1], before, move, self.game.position.cells))
        self._settled()

    def _settled(self) -> None:
        """Another turn: what was offered no longer counts."""
        self.draw = self.back = self.question = self._legal = None
        self._spent, self._turn = 0.0, self.now()

    def _after(self, text: str) -> Position | None:
        try:
            return stand(self.game.position, moves.attempt_of(self.game.position, text))
        except MoveError:
            return None


def entry_of(ply: int, played: Played, before: Position, move: Move | None, cells: str) -> dict[str, Any]:
    """A move as the page shows it; `move` is None where it was against the rules."""
    return {
        "ply": ply,
        "side": played.side.value,
        "text": played.text,
        "path": list(move.path) if move is not None else [],
        "captured": victims(before.variant.board, move) if move is not None else [],
        "cells": cells,
        "seconds": played.seconds,
        "clock": played.clock,
        "score": played.score if played.score is None or played.side is Side.WHITE else -played.score,
        "depth": played.depth,
        **({"fen": played.fen} if played.fen else {}),
    }


def result_text(variant: Variant, ending: Ending) -> str:
    """The result as the game writes it."""
    return result(Outcome(ending.winner, Reason.NO_MOVE), variant) if ending.kind is not EndingKind.UNFINISHED else "*"
