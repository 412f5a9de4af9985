"""What a worker of a farm does: plays a task, with engines that stay between tasks.

These functions are called on a machine that knows nothing of the match but what it is sent. A worker may play several
tasks at a time, each in a thread, and for several matches; each thread has a seat for each match. Engines end with
their match, and where nobody needs them for a while: whoever holds the match may have gone without a word.
"""

from __future__ import annotations

import asyncio
import atexit
import io
import threading
from collections.abc import Sequence

from turkengine.client.contract import ClientError
from turkengine.errors import EndgameError
from turkengine.farm.cluster import UnfitWorkerError
from turkengine.match.entrants import Called, Entry, called_here
from turkengine.match.schedule import Key
from turkengine.match.seat import Seat, Task
from turkengine.record.record import Record
from turkengine.rules.variant import Variant

PATIENCE = 60.0  # s for which engines wait for another game

Games = list[tuple[Key, Record, str]]
"""Games that are over, each with the lines exchanged with the engines."""


class _Hand(Seat):
    """The seat of one thread for one match."""

    def __init__(self) -> None:
        super().__init__()
        self.busy = False
        self.retirement: threading.Timer | None = None
        self._started: set[str] = set()

    def start(self, task: Task) -> None:
        """Start both engines, if they have never been: one that cannot be started *here* is not a fault of the engine.
        Tables have to be those of the match, or the same ending would be a win here and be played on elsewhere.
        """
        if task.conduct.tables is not None:
            task.conduct.tables.arbiter(task.beginning.variant)
        for name, client in self.engines(task).items():
            if name not in self._started:
                client.start(task.beginning.variant)
                self._started.add(name)


_hands: dict[tuple[str, int], _Hand] = {}  # by match and thread
_over: set[str] = set()  # matches that are broken off
_lock = threading.Lock()  # guards these two, and `busy`


async def try_engines(entries: Sequence[Entry], variant: Variant) -> list[Called]:
    """Try each engine; what they are called.

    Raises:
        UnfitWorkerError: one cannot be started.
    """
    try:
        return await asyncio.to_thread(called_here, entries, variant)
    except ClientError as error:
        raise UnfitWorkerError(str(error)) from None


def play_task(match: str, task: Task, logged: bool) -> Games:
    """Play the games of a task; fewer where the match is broken off.

    Args:
        match: tells matches apart that are played at the same time.
        logged: whether the lines exchanged with the engines are wanted.

    Raises:
        UnfitWorkerError: an engine cannot be started here, or other endgame tables are here than the match goes by.
    """
    from distributed import get_worker

    games: Games = []
    hand = _taken(match)
    try:
        try:
            hand.start(task)
        except (ClientError, EndgameError) as error:
            raise UnfitWorkerError(f"worker {get_worker().address}: {error}") from None
        for key in task.keys:
            log = io.StringIO() if logged else None
            record = hand.play(task, key, lambda: match in _over, log)
            if record is None:
                break
            games.append((key, record, log.getvalue() if log is not None else ""))
    finally:
        _leave(match, hand)
    return games


def break_off(match: str) -> None:
    """Have the games of a match end before the next move."""
    _over.add(match)


async def end_engines(match: str) -> None:
    """End all engines of a match, whatever they do."""
    _over.add(match)
    with _lock:
        ending = [hand for key, hand in _hands.items() if key[0] == match]
    await asyncio.to_thread(_close, ending)


def _taken(match: str) -> _Hand:
    """The seat of this thread."""
    with _lock:
        hand = _hands.setdefault((match, threading.get_ident()), _Hand())
        hand.busy = True
    if hand.retirement is not None:
        hand.retirement.cancel()
    return hand


def _leave(match: str, hand: _Hand) -> None:
    key = match, threading.get_ident()
    with _lock:
        hand.busy = False
        over = match in _over
        if over:
            _hands.pop(key, None)
    if over:
        hand.close()
        return
    hand.retirement = threading.Timer(PATIENCE, _retire, (key, hand))
    hand.retirement.daemon = True
    hand.retirement.start()


def _retire(key: tuple[str, int], hand: _Hand) -> None:
    with _lock:
        if hand.busy:
            return
        _hands.pop(key, None)
    hand.close()


def _close(hands: Sequence[_Hand]) -> None:
    for hand in hands:
        hand.close()


@atexit.register
def _close_all() -> None:
    _close(list(_hands.values()))
