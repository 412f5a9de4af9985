"""What is agreed before a game over DXP: the terms of one game, and what a side wants of all of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from turkengine import __version__
from turkengine.engine.kernel_types import KernelPosition, PositionMaker
from turkengine.engine.limits import Limits
from turkengine.errors import PositionError
from turkengine.notation import hub
from turkengine.notation.fen import Setup
from turkengine.rules.variant import Side, Variant
from turkengine.wire.dxp.frames import GameRequest

SQUARES = 50  # of the game that the protocol was made for; only its start needs no description
SECONDS_WITHOUT_MINUTES = 2.0  # for each move, where no minutes are given


@dataclass(frozen=True)
class Terms:
    """What a game is played for.

    Attributes:
        minutes: of each player for the whole game; 0 for two seconds a move.
        moves: of each player, after which the game ends as it stands; 0 for no such limit.
    """

    minutes: float = 5.0
    moves: int = 75

    def __str__(self) -> str:
        time = f"{self.minutes:g} min each" if self.minutes else f"{SECONDS_WITHOUT_MINUTES:g} s a move"
        return f"{time}, {f'at most {self.moves} moves' if self.moves else 'no limit of moves'}"

    @property
    def control(self) -> str:
        """What each player may use, as a match writes it: [moves/]seconds, or the time of a move."""
        if not self.minutes:
            return f"{SECONDS_WITHOUT_MINUTES:g} s a move"
        seconds = f"{self.minutes * 60:g}"
        return f"{self.moves}/{seconds}" if self.moves else seconds


@dataclass(frozen=True)
class DxpSettings:
    """What one side wants.

    Attributes:
        variant: what is played; the other end has to be set to the same.
        name: ours, as the opponent gets to see it.
        initiate: whether we ask for the games.
        games: how many are played, None for as many as the opponent wants.
        ours: our side in every game; None for both in turn, White first (initiator), or any (follower).
        minutes, moves: what the initiator asks for, and what a follower insists on; None for the usual, or for any.
        setup: the position that the initiator's games begin with, None for the usual one.
        limits: depth, nodes and time of our own that hold beside the clock.
        no_progress: plies without progress that make a draw, where the rules leave the number open.
        patience: seconds that the opponent may stay silent, after a request or beyond its clock.
        stays: whether another opponent may come when one has had enough.
    """

    variant: Variant
    name: str = f"turkengine {__version__}"
    initiate: bool = False
    games: int | None = None
    ours: Side | None = None
    minutes: float | None = None
    moves: int | None = None
    setup: Setup | None = None
    limits: Limits = field(default_factory=Limits)
    no_progress: int | None = None
    patience: float = 30.0
    stays: bool = False

    def request(self, number: int, maker: PositionMaker) -> GameRequest:
        """The initiator's request for the game of this number."""
        ours = self.ours or (Side.WHITE if number % 2 else Side.BLACK)
        usual = Terms()
        minutes = usual.minutes if self.minutes is None else self.minutes
        moves = usual.moves if self.moves is None else self.moves
        position = None
        if self.setup is not None:
            position = hub.write_hub(maker.from_cells(self.setup.cells, self.setup.side))
        elif self.variant.board.size != SQUARES:  # so that another game at the other end is noticed at once
            position = hub.write_hub(maker.start())
        return GameRequest(self.name, ours.opponent, minutes, moves, position)

    def start(self, request: GameRequest, maker: PositionMaker) -> tuple[KernelPosition, bool]:
        """The position that the game asked for begins with, and whether it is another one than usual.

        Raises:
            PositionError: the variant has no such position.
        """
        usual = maker.start()
        if request.position is None or request.position == hub.write_hub(usual):
            return usual, False
        letters = len(request.position) - 1
        if letters != self.variant.board.size:
            raise PositionError(
                f"it sets up {letters} squares and {self.variant.name} has {self.variant.board.size}; "
                "is the other side set to the same game?"
            )
        setup = hub.parse_hub(self.variant, request.position)
        return maker.from_cells(setup.cells, setup.side), True

    def refusal(self, request: GameRequest, maker: PositionMaker) -> str | None:
        """Why a follower does not take a request, None where it does."""
        if self.ours not in (None, request.follower):
            return f"it gives us {request.follower.name.capitalize()}"
        if self.minutes not in (None, request.minutes):
            return f"it is for {request.minutes:g} minutes, not {self.minutes:g}"
        if self.moves not in (None, request.moves):
            return f"it is for {request.moves} moves, not {self.moves}"
        try:
            self.start(request, maker)
        except PositionError as error:
            return str(error)
        return None
