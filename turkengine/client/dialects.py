"""Which line protocol an engine speaks: by its name, or found out by asking."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from turkengine.client.contract import ClientError, ClientFault
from turkengine.client.process import Ended, Process, words_of
from turkengine.waiting import Tell, Waiting
from turkengine.wire.client_session import ClientSession, Greeted
from turkengine.wire.hub1_client import Hub1ClientSession
from turkengine.wire.hub_client import HubClientSession
from turkengine.wire.uci_client import UciClientSession

GREETING = 10.0  # s
HESITATION = 1.5  # s for an answer in one dialect before the next is tried

TALKS: Mapping[str, type[ClientSession]] = {
    talk.dialect: talk for talk in (HubClientSession, Hub1ClientSession, UciClientSession)
}


def detected(command: str, directory: Path | None = None, tell: Tell | None = None) -> type[ClientSession]:
    """The dialect that an engine answers in.

    Args:
        tell: takes a line for people where it takes long.

    Raises:
        ClientError: with `ClientFault.START`, where it cannot be started or answers in none.
        OptionError: the command cannot be read.
    """
    waiting = Waiting(f"{command} to answer 'hub' or 'uci'", tell)
    for talks in ((HubClientSession, UciClientSession), (UciClientSession,)):
        try:
            process = Process(words_of(command), directory, lambda sign, line: None)
        except OSError as error:
            raise ClientError(ClientFault.START, f"{command} cannot be started: {error.strerror or error}") from None
        try:
            talk = _greeted(process, talks, waiting)
        except Ended as ended:  # perhaps since it was greeted in a dialect that it does not know
            told = f"{command} does not greet: {ended}"
            continue
        finally:
            process.kill()
        if talk is not None:
            return talk
        told = f"{command} answers neither 'hub' nor 'uci'"
        break
    raise ClientError(ClientFault.START, f"{told}; give the dialect if it is one of {', '.join(TALKS)}")


def _greeted(process: Process, talks: Sequence[type[ClientSession]], waiting: Waiting) -> type[ClientSession] | None:
    """The first dialect that is answered; each gets a while before the next one is tried beside it."""
    sessions: list[ClientSession] = []
    for talk in talks:
        sessions.append(talk())
        process.send(*sessions[-1].hello())
        until = time.perf_counter() + (GREETING if talk is talks[-1] else HESITATION)
        while (now := time.perf_counter()) < until:
            waiting.look(now)
            line = process.receive(min(until, waiting.due))
            for session in sessions if line is not None else ():
                assert line is not None, "or there would be no session to hear it"
                if isinstance(session.receive(line.text or ""), Greeted):
                    hub1 = isinstance(session, HubClientSession) and not session.name
                    return Hub1ClientSession if hub1 else type(session)
    return None
