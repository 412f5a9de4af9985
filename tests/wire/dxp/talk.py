"""Talking to a DXP session without sockets: messages and moments in, what it wants done out."""

from __future__ import annotations

from engine.fakes import Kernel

from turkengine.engine.report import Answer
from turkengine.games import INTERNATIONAL
from turkengine.notation import moves
from turkengine.wire.actions import Quit, StartSearch, StopSearch
from turkengine.wire.dxp.actions import DxpAction, GameOver, HangUp, Send, Tell
from turkengine.wire.dxp.finished import FinishedGame
from turkengine.wire.dxp.session import DxpSession
from turkengine.wire.dxp.terms import DxpSettings

REQUEST = "R01Ann                             Z005075A"  # we play Black
REQUEST_WHITE = "R01Ann                             W005075A"  # we play White
ACCEPT = "ABob                             0"
US = "us"


class Opponent:
    """The other end, an engine that does only what the test says, and a clock that the test moves."""

    def __init__(self, **wanted: object) -> None:
        settings = {"variant": INTERNATIONAL, "name": US, **wanted}
        self.session = DxpSession(DxpSettings(**settings), Kernel)  # type: ignore[arg-type]
        self.now = 100.0
        self.actions: list[DxpAction] = []
        self.last: list[DxpAction] = []

    def call(self) -> list[str]:
        """Connect; the messages that are sent."""
        return self._take(self.session.connected(self.now))

    def say(self, *messages: str | bytes | None, after: float = 0.0) -> list[str]:
        """Send messages; those that come back."""
        self.now += after
        actions: list[DxpAction] = []
        for message in messages:
            data = message.encode("latin-1") if isinstance(message, str) else message
            actions += self.session.receive(data, self.now)
        return self._take(actions)

    def answer(self, move: str | None = None, after: float = 0.0) -> list[str]:
        """The search ends, with the first legal move where none is given."""
        self.now += after
        position = self.searched.position
        found = moves.read(position, move) if move else position.legal_moves()[0]
        return self._take(self.session.answer(Answer(found, None), self.now))

    def wait(self, seconds: float) -> list[str]:
        """Nothing happens for so long, but what the session itself has set a time for."""
        end = self.now + seconds
        actions: list[DxpAction] = []
        while self.session.deadline <= end:
            self.now = max(self.session.deadline, self.now)
            actions += self.session.timeout(self.now)
        self.now = end
        return self._take(actions)

    def leave(self, how: str = "has closed the connection") -> list[str]:
        """The connection is gone."""
        return self._take(self.session.disconnected(how, self.now))

    def interrupt(self) -> list[str]:
        """Ctrl-C."""
        return self._take(self.session.interrupt())

    @property
    def searched(self) -> StartSearch:
        """The last search asked for."""
        return [action for action in self.actions if isinstance(action, StartSearch)][-1]

    @property
    def searches(self) -> int:
        return sum(isinstance(action, StartSearch) for action in self.actions)

    @property
    def stops(self) -> int:
        return sum(isinstance(action, StopSearch) for action in self.actions)

    @property
    def records(self) -> list[FinishedGame]:
        """The games that are over."""
        return [action.record for action in self.actions if isinstance(action, GameOver)]

    @property
    def told(self) -> list[str]:
        """The lines shown."""
        return [action.line for action in self.actions if isinstance(action, Tell) and not action.detail]

    @property
    def hung_up(self) -> bool:
        """Whether the last thing done included hanging up."""
        return HangUp() in self.last

    @property
    def quit(self) -> bool:
        return Quit() in self.last

    def _take(self, actions: list[DxpAction]) -> list[str]:
        self.actions += actions
        self.last = actions
        sent = [action.data for action in actions if isinstance(action, Send)]
        assert all(data.endswith(b"\0") for data in sent)
        return [data[:-1].decode("ascii") for data in sent]
