"""Clients without an engine: they play what they are told, then the first move in the order of its squares."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Self

from turkengine.client.contract import ClientError, ClientFault, Log, Thought
from turkengine.engine.limits import Limits
from turkengine.engine.score import Score
from turkengine.notation import moves
from turkengine.rules.move import Move
from turkengine.rules.position import Position
from turkengine.rules.variant import Variant

Answer = str | Thought | ClientError | None


def crash(text: str = "it has ended with status 1") -> ClientError:
    return ClientError(ClientFault.CRASH, text)


def illegal(position: Position, text: str) -> ClientError:
    """What a client raises that has been told this move."""
    try:
        moves.read(position, text)
    except moves.IllegalMoveError as error:
        return ClientError(ClientFault.ILLEGAL_MOVE, str(error), error.article, text)
    raise AssertionError(f"{text} is legal")


def first_move(position: Position) -> Move:
    return min(position.legal_moves(), key=lambda move: (move.origin, move.target, sorted(move.captured)))


class Scripted:
    """Gives the answers of its script one by one: a move as text, a whole thought, an error to raise, None to give up.

    Attributes:
        asked: (position, limits, deadline) of every question.
        ends: the last position of every game.
        dead: whether it is there to be asked.
    """

    def __init__(
        self,
        script: Iterable[Answer] = (),
        name: str = "scripted",
        seconds: float = 0.01,
        score: int | None = None,
        choose: Callable[[Position], Move] = first_move,
        fails_to_start: bool = False,
    ) -> None:
        self.name, self.seconds, self.score, self.choose = name, seconds, score, choose
        self.log: Log | None = None
        self.script = list(script)
        self.asked: list[tuple[Position, Limits, float | None]] = []
        self.games = 0
        self.ends: list[Position] = []
        self.dead = True
        self.fails_to_start = fails_to_start

    def start(self, variant: Variant) -> None:
        if self.fails_to_start:
            raise ClientError(ClientFault.START, f"{self.name} cannot be started")
        self.dead = False

    def new_game(self) -> None:
        self.games += 1
        self.dead = False

    def think(self, position: Position, limits: Limits, deadline: float | None = None) -> Thought:
        self.asked.append((position, limits, deadline))
        answer: Answer = self.script.pop(0) if self.script else self._thought(self.choose(position))
        if isinstance(answer, ClientError):
            self.dead = answer.reason is not ClientFault.ILLEGAL_MOVE
            raise answer
        if isinstance(answer, str):
            try:
                return self._thought(moves.read(position, answer))
            except moves.IllegalMoveError:
                raise illegal(position, answer) from None
        return answer if answer is not None else Thought(None)

    def game_over(self, position: Position) -> None:
        self.ends.append(position)

    def _thought(self, move: Move) -> Thought:
        score = Score(self.score) if self.score is not None else None
        return Thought(move, depth=3, nodes=100, score=score, seconds=self.seconds)

    def alive(self) -> bool:
        return not self.dead

    def close(self) -> None:
        self.dead = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def at_random(seed: int) -> Callable[[Position], Move]:
    """Chooses any move, the same ones for a seed."""
    generator = random.Random(seed)
    return lambda position: generator.choice(
        sorted(position.legal_moves(), key=lambda move: (move.origin, move.target, sorted(move.captured)))
    )
