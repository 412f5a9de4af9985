"""What a worker of a farm does with a game: replays it, starts an engine for it, and says what has been found.

It knows nothing of the run but what it is sent. A game that is broken off ends at the next position.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass

from turkengine import __version__
from turkengine.analysis.games import played_game
from turkengine.analysis.runner import Work
from turkengine.analysis.store import Recorded
from turkengine.api.engine import BaseEngine
from turkengine.client.contract import ClientError, ClientFault
from turkengine.errors import TurkengineError, unforeseen
from turkengine.farm.cluster import UnfitWorkerError
from turkengine.notation import pdn

Maker = Callable[[], BaseEngine]


@dataclass(frozen=True)
class FarmAnswer:
    """What has come of a game.

    Attributes:
        record: what has been found, None where nothing has.
        failure: why nothing has, empty where the game was broken off.
        unstarted: whether the engine could not be started.
    """

    record: Recorded | None
    failure: str = ""
    unstarted: bool = False


class _Over(Exception):
    """The run is broken off."""


_engines: dict[str, set[BaseEngine]] = {}  # at work, by run
_over: set[str] = set()  # runs that are broken off
_lock = threading.Lock()  # guards both


async def try_worker(maker: Maker) -> str:
    """Make an engine once; the version of this program here. A program is started only with its first game.

    Raises:
        UnfitWorkerError: none can be made.
    """

    def start() -> None:
        maker().close()

    try:
        await asyncio.to_thread(start)
    except TurkengineError as error:
        raise UnfitWorkerError(str(error)) from None
    return __version__


def work_on(run: str, work: Work, maker: Maker, entry: pdn.PdnEntry, variant: str, digest: bytes) -> FarmAnswer:
    """Do something with a game.

    Args:
        run: tells runs apart that go on at the same time.
        maker: makes the engine.
        entry: the game as its file has it.
        variant: the name of the game where tags do not name it.
        digest: what the game is known by where it comes from.
    """
    from turkengine.games import variant_named

    def count() -> None:
        if run in _over:
            raise _Over

    engine: BaseEngine | None = None
    try:
        game = played_game(entry, variant_named(variant))
        if game is None or game.digest != digest:
            return FarmAnswer(None, "a worker replays this game otherwise; install the same turkengine there")
        engine = maker()
        with _lock:
            _engines.setdefault(run, set()).add(engine)
        count()
        record = work(engine, game, count)
        count()  # what was stopped may have found too little
        return FarmAnswer(record)
    except _Over:
        return FarmAnswer(None)
    except ClientError as error:
        if error.reason is not ClientFault.START:
            return FarmAnswer(None, str(error))
        return FarmAnswer(None, f"worker {_address()}: {error}", unstarted=True)
    except TurkengineError as error:
        return FarmAnswer(None, str(error))
    except Exception as error:
        return FarmAnswer(
            None, unforeseen(error) if run not in _over else ""
        )  # its engine may have been closed under it
    finally:
        if engine is not None:
            with _lock:
                _engines.get(run, set()).discard(engine)
            engine.close()


def _address() -> str:
    """Where this is."""
    from distributed import get_worker

    return str(get_worker().address)


async def break_off(run: str) -> None:
    """Have the games of a run end at once. Their engines are closed: one that is merely stopped may be just about to
    begin the next search, which nobody would end.
    """
    with _lock:
        _over.add(run)
        engines = list(_engines.pop(run, ()))
    for engine in engines:
        await asyncio.to_thread(engine.close)
