"""The Hub protocol, version 2, from the side of whoever drives an engine: the other side of `hub.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from turkengine.engine.limits import Limits
from turkengine.notation import hub, moves
from turkengine.rules.position import GamePosition
from turkengine.wire.client_session import (
    LONGEST_WORDS,
    Answered,
    ClientSession,
    Complained,
    Event,
    Found,
    Greeted,
    InStep,
    Parameter,
    Ready,
    score_of_men,
)
from turkengine.wire.history import History
from turkengine.wire.words import CommandError, arguments, one_line, quoted


class HubClientSession(ClientSession):
    """A conversation in Hub."""

    dialect: ClassVar[str] = "hub"
    variant_parameter: ClassVar[str] = "variant"
    new_game_line: ClassVar[str] = "new-game"

    def __init__(self) -> None:
        super().__init__()
        self._history = History(moves.hub)

    def setting_line(self, name: str, value: str) -> str:
        """A `set-param` line."""
        return f"set-param name={quoted(name)} value={quoted(value)}"

    def order_lines(self, position: GamePosition, limits: Limits) -> list[str]:
        """Where the game began and every move, the limits, and the order."""
        start, texts = self._history.follow(position)
        played = f' moves="{" ".join(texts)}"' if texts else ""
        return [f"pos pos={hub.write_hub(start)}{played}", *_levels(limits), f"go {_mode(limits)}"]

    def understand(self, word: str, text: str) -> Event | None:
        """A line of Hub."""
        try:
            given = {name: value or "" for name, value in arguments(text)}
        except CommandError as error:
            raise ValueError(str(error)) from None
        match word:
            case "id":
                self.name = " ".join(given[key] for key in ("name", "version") if given.get(key))[:LONGEST_WORDS]
            case "param":
                self._declare(given)
            case "wait":
                return Greeted()
            case "ready":
                return Ready()
            case "pong":
                return InStep()
            case "done":
                return Answered(given.get("move") or None, given.get("ponder") or None, self.found())
            case "error":
                return Complained(one_line(given.get("message") or text))
            case "info":
                return None
            case "name" if not self.name:  # `id` says it in this version
                self.seems = "hub1"
                raise ValueError(word)
            case _:
                raise ValueError(word)
        return None

    def read_report(self, text: str) -> Found | None:
        """The arguments of an `info` line."""
        try:
            given = {name: value or "" for name, value in arguments(text)}
            score = score_of_men(float(given["score"])) if "score" in given else None
            if score is None:
                return None
            rank = int(given.get("multipv", "1"))
            depth, nodes = (int(given[key]) if key in given else None for key in ("depth", "nodes"))
        except (CommandError, ValueError):
            return None
        return Found(depth, nodes, score, tuple(given.get("pv", "").split()), rank)

    def _declare(self, given: Mapping[str, str]) -> None:
        name = given.get("name")
        if not name:
            raise ValueError("a parameter without a name")
        low, high = (float(given[key]) if key in given else None for key in ("min", "max"))
        kind, values = given.get("type", "string"), tuple(given.get("values", "").split())
        self.declare(Parameter(name, kind, given.get("value", ""), low, high, values))


def _levels(limits: Limits) -> list[str]:
    """A line for each kind of limit, since a widely used engine takes one kind a line; they add up."""
    lines = [
        f"level {name}={value}"
        for name, value in (
            ("depth", limits.depth),
            ("nodes", limits.nodes),
            ("move-time", None if limits.move_time is None else _seconds(limits.move_time)),
        )
        if value is not None
    ]
    clock = limits.clock
    if clock is not None:
        moves_left = f"moves={clock.moves} " if clock.moves else ""
        increment = f" inc={_seconds(clock.increment)}" if clock.increment else ""
        lines.append(f"level {moves_left}time={_seconds(clock.remaining)}{increment}")
    return lines if lines and not limits.infinite else [*lines, "level infinite"]


def _mode(limits: Limits) -> str:
    if limits.ponder:
        return "ponder"
    return "analyze" if limits.analysis else "think"


def _seconds(seconds: float) -> str:
    """A time in plain digits, not in powers of ten."""
    return f"{seconds:.6f}".rstrip("0").rstrip(".")
