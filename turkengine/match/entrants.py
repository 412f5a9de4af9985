"""Engines as they are entered for a match: by name, kind and command, and tried before the first game.

An engine that cannot even be started is told at once, in one line, and not after a thousand games that it forfeits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from turkengine.client.contract import Client
from turkengine.client.naming import client_from
from turkengine.errors import OptionError
from turkengine.match.clocks import TimeControl
from turkengine.match.seat import Entrant
from turkengine.rules.variant import Variant

_NAMED = re.compile(r"(?P<name>[^:=]+)=(?P<engine>(?:builtin|hub1?|uci|dxp)(?::.*)?)", re.DOTALL)


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
    def read(cls, text: str, control: TimeControl) -> Entry:
        """From a kind and a command with or without a name in front, as in `old=builtin:hash=16`.

        Raises:
            OptionError: no engine is named so.
        """
        found = _NAMED.fullmatch(text.strip())
        name, engine = (found["name"].strip(), found["engine"]) if found is not None else ("", text.strip())
        entry = cls(engine, control, name)
        entry.client()
        return entry

    def client(self) -> Client:
        """A client for it, not yet started.

        Raises:
            OptionError: there is no such kind of engine, or no such option.
        """
        return client_from(self.engine, name=self.name, options=self.options, directory=self.directory)

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


def called(entry: Entry, variant: Variant) -> str:
    """What an engine is called, once it has been started.

    Raises:
        ClientError: it cannot be started.
    """
    with entry.client() as client:
        client.start(variant)
        return entry.name or client.name


def called_here(entries: Sequence[Entry], variant: Variant) -> list[str]:
    """What engines are called that run on this machine.

    Raises:
        ClientError: one cannot be started.
    """
    return [called(entry, variant) for entry in entries]


def tried(
    entries: Sequence[Entry],
    variant: Variant,
    names_of: Callable[[Sequence[Entry], Variant], list[str]] = called_here,
) -> list[Entrant]:
    """The players of a match: each engine has been started once, and has a name that no other has.

    Args:
        names_of: starts them where they are to play, and tells what they are called.

    Raises:
        ClientError: an engine cannot be started.
        OptionError: two have been given the same name.
    """
    given = check_names(entries)
    entrants: list[Entrant] = []
    for entry, own in zip(entries, names_of(entries, variant), strict=True):
        name, number = own, 1
        while name in {entrant.name for entrant in entrants} or (not entry.name and name in given):
            number += 1
            name = f"{own} ({number})"
        entrants.append(Entrant(name, entry.client, entry.control))
    return entrants
