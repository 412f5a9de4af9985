"""Engines as they are entered for a match: by name, kind and command, and tried before the first game.

Each is started once and asked for one move. What cannot do that is refused at once, in one line that says what it has
answered, and does not forfeit a thousand games that would be counted against it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from turkengine.client.contract import Client, ClientError, ClientFault
from turkengine.client.dialects import detected
from turkengine.client.lines import LineClient
from turkengine.client.naming import KINDS, client_from
from turkengine.errors import OptionError, TurkengineError
from turkengine.match.clocks import TimeControl
from turkengine.match.seat import Entrant
from turkengine.rules.position import Position
from turkengine.rules.variant import Variant
from turkengine.waiting import Tell

WITHOUT_PROGRAM = ("builtin", "dxp")  # kinds that start none, so have no folder
TRIAL = 20.0  # s for the one move that an engine is tried with

_NAMED = re.compile(r"(?P<name>[^:=]+)=(?P<engine>(?:builtin|hub1?|uci|auto|dxp)(?::.*)?)", re.DOTALL)
_NAMED_COMMAND = re.compile(r"(?P<name>[^:=/\\\s]+)=(?P<engine>[^=].*)", re.DOTALL)


class Called(NamedTuple):
    """An engine that has been tried.

    Attributes:
        name: what it is called.
        engine: kind and command, the dialect found out where it was not given.
    """

    name: str
    engine: str


@dataclass(frozen=True)
class Entry:
    """What somebody has entered.

    Attributes:
        engine: kind and command, as in `hub:scan hub`.
        name: what it is called in this match; what it calls itself if empty.
        options: set before the first game.
        control: what it may use.
        directory: where it runs.
    """

    engine: str
    control: TimeControl
    name: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    directory: Path | None = None

    @classmethod
    def read(cls, text: str, control: TimeControl, folders: Mapping[str, Path] | None = None) -> Entry:
        """From a kind and a command with or without a name in front, as in `old=builtin:hash=16`.

        Args:
            folders: where engines run, by their names; by an empty name that of every program which has none.

        Raises:
            OptionError: no engine is named so.
        """
        found = _NAMED.fullmatch(text.strip()) or _NAMED_COMMAND.fullmatch(text.strip())
        name, engine = (found["name"].strip(), found["engine"]) if found is not None else ("", text.strip())
        given = folders or {}
        kind = engine.partition(":")[0]
        folder = given.get(name, None if kind in WITHOUT_PROGRAM else given.get(""))
        entry = cls(engine, control, name, directory=folder)
        entry.client()
        return entry

    def client(self) -> Client:
        """A client for it, not yet started.

        Raises:
            OptionError: there is no such kind of engine, or no such option.
        """
        return client_from(self.engine, name=self.name, options=self.options, directory=self.directory)

    @property
    def command(self) -> str:
        """What starts the program, the kind left out."""
        kind, colon, rest = self.engine.partition(":")
        return rest.strip() if colon and kind in KINDS else self.engine.strip()

    @property
    def plays_one_game(self) -> bool:
        """Whether all its clients are the same program, which plays one game after the other."""
        return self.engine.partition(":")[0].strip() == "dxp"

    @property
    def description(self) -> str:
        """What it is, for comparing with what it was when the match began."""
        options = "".join(f" {name}={value}" for name, value in sorted(self.options.items()))
        return f"{self.engine}{options} ({self.control})"


def check_names(entries: Sequence[Entry]) -> list[str]:
    """The names that have been given, each once.

    Raises:
        OptionError: two engines have been given the same name.
    """
    given = [entry.name for entry in entries if entry.name]
    twice = sorted({name for name in given if given.count(name) > 1})
    if twice:
        raise OptionError(f"two engines are called {twice[0]!r}; give each a name of its own")
    return given


def called(entry: Entry, variant: Variant, tell: Tell | None = None) -> Called:
    """What an engine is called that has been started, and asked for a move.

    A program over DXP is only called: it would take the move for the beginning of a game.

    Args:
        tell: takes a line for people where it takes long.

    Raises:
        ClientError: it cannot be started, or does not answer as it has to.
    """
    with entry.client() as client:
        if isinstance(client, LineClient):
            client.on_wait = tell
        try:
            client.start(variant)
            if not entry.plays_one_game:
                client.new_game()
                _try(client, variant, entry.control)
        except ClientError as error:
            raise ClientError(error.reason, f"{error}{_otherwise(client, entry, tell)}") from None
        kind = client.dialect if isinstance(client, LineClient) else ""
        return Called(entry.name or client.name, f"{kind}:{entry.command}" if kind else entry.engine)


def _try(client: Client, variant: Variant, control: TimeControl) -> None:
    """Have a move made in the starting position.

    Raises:
        ClientError: there is none.
    """
    try:
        thought = client.think(Position.start(variant), control.trial, TRIAL)
    except ClientError as error:
        raise ClientError(error.reason, f"{error} (tried with one move before the first game)") from None
    if thought.move is None:
        raise ClientError(ClientFault.GARBAGE, f"{client.name}: it gives up at the start of a game, where it was tried")


def _otherwise(client: Client, entry: Entry, tell: Tell | None) -> str:
    """The dialect to be named instead, where an engine has not greeted in the one that was."""
    if not isinstance(client, LineClient) or not client.ungreeted:
        return ""
    try:
        spoken = detected(entry.command, entry.directory, tell).dialect
    except TurkengineError:
        return ""
    return f"; it seems to speak {spoken}, so write {spoken}:{entry.command}" if spoken != client.dialect else ""


def called_here(entries: Sequence[Entry], variant: Variant, tell: Tell | None = None) -> list[Called]:
    """What engines are called that run on this machine.

    Raises:
        ClientError: one cannot play.
    """
    return [called(entry, variant, tell) for entry in entries]


def tried(
    entries: Sequence[Entry],
    variant: Variant,
    names_of: Callable[[Sequence[Entry], Variant], list[Called]] = called_here,
) -> list[Entrant]:
    """The players of a match: each engine has been tried, and has a name that no other has.

    Args:
        names_of: tries them where they are to play, and says what they are called.

    Raises:
        ClientError: an engine cannot play.
        OptionError: two have been given the same name.
    """
    given = check_names(entries)
    entrants: list[Entrant] = []
    for entry, (own, engine) in zip(entries, names_of(entries, variant), strict=True):
        name, number = own, 1
        while name in {entrant.name for entrant in entrants} or (not entry.name and name in given):
            number += 1
            name = f"{own} ({number})"
        entrants.append(Entrant(name, replace(entry, engine=engine).client, entry.control))
    return entrants
