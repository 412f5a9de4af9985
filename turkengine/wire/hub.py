"""The Hub protocol, version 2, from the engine's side.

Lines of a command and name=value arguments; positions as letters, times in seconds, scores in men, speed in million
nodes a second. `protocol/hub.md` describes it for the other side.

    hub -> id, param ..., wait      set-param ...      init -> ready
    pos, level ..., go -> info ..., done

What differs from other dialects: the limits of a search come in lines of their own, which add up until `pos` or the end
of a search takes them back; and options set before `init` come into force together at `init`, or with the first search.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from turkengine import __version__
from turkengine.engine.limits import GameClock, Limits
from turkengine.engine.options import REGISTRY, Option
from turkengine.engine.report import Bound, Report
from turkengine.engine.score import WIN
from turkengine.errors import shown
from turkengine.notation import hub, moves
from turkengine.rules.move import Move
from turkengine.wire.actions import Action, NewGame, Reply
from turkengine.wire.session import AUTHOR, Session
from turkengine.wire.words import A_MOMENT, CommandError, arguments, decimal, joined, one_line, quoted, whole

COUNTRY = "International"
HELP = (
    "this is Hub 2; a game is hub, init, new-game, pos [pos:W...] [moves:'32-28 ...'], level [depth:N] [nodes:N]"
    " [move-time:S] [time:S inc:S moves:N] [infinite], go [think|ponder|analyze], stop, quit, with an equals sign where"
    " a colon stands here and double quotes for single ones; beside it set-param, ping, ponder-hit"
)


@dataclass(frozen=True)
class Level:
    """What the `level` lines since the last search have said; `infinite` too is a limit: it waits for `stop`."""

    depth: int | None = None
    nodes: int | None = None
    move_time: float | None = None
    moves: int | None = None
    time: float | None = None
    increment: float | None = None
    infinite: bool = False

    def limits(self, ponder: bool) -> Limits:
        """The same for the search; without any limit it lasts until `stop`."""
        clock = None
        if self.time is not None or self.increment is not None:
            clock = GameClock(self.time or 0.0, self.increment or 0.0, self.moves or None)
        bounded = (self.depth, self.nodes, self.move_time, clock) != (None, None, None, None)
        return Limits(
            depth=self.depth,
            nodes=self.nodes,
            move_time=self.move_time,
            clock=clock,
            infinite=self.infinite or not bounded,
            ponder=ponder,
        )


_LEVEL: Mapping[str, tuple[str, Callable[[str, str], float]]] = {  # the attribute of each argument, and its reader
    "depth": ("depth", whole),
    "nodes": ("nodes", whole),
    "moves": ("moves", whole),
    "move-time": ("move_time", decimal),
    "time": ("time", decimal),
    "inc": ("increment", decimal),
}


class HubSession(Session):
    """A conversation in Hub."""

    immediate: ClassVar[frozenset[str]] = frozenset({"ping", "ponder-hit", "stop", "quit"})
    gathers_options: ClassVar[bool] = True

    _level = Level()
    _refused = False  # a part of it made no sense

    def commands(self) -> Mapping[str, Callable[[str], list[Action]]]:
        """What obeys each command."""
        return {
            "hub": self._greet,
            "set-param": self._set_parameter,
            "init": self._initialise,
            "ping": self._pong,
            "new-game": lambda _: [NewGame()],
            "pos": self._pos,
            "level": self._add_level,
            "go": self._go,
            "ponder-hit": self._ponder_hit,
            "stop": self._stop,
            "quit": self._quit,
            "help": lambda _: [self.complaint(HELP)],
        }

    def complaint(self, message: str) -> Reply:
        """An `error` line; its value can hold neither a quote nor, for the sake of real clients, an equals sign."""
        text = one_line(message).replace('"', "'").replace("=", ":")
        return Reply(f'error message="{text}"')

    def report_line(self, report: Report) -> str | None:
        """An `info` line. Hub has no word for a bound, and a bound printed as a score would be a wrong one."""
        if report.bound is not Bound.EXACT:
            return None
        fields = [
            f"depth={report.depth}",
            f"mean-depth={report.mean_depth:.1f}",
            f"score={report.score.men:.2f}",
            f"nodes={report.nodes}",
            f"time={report.time:.3f}",
            f"nps={report.nodes_per_second / 1e6:.3f}",
        ]
        if self.options.multi_pv > 1:
            fields.append(f"multipv={report.rank}")
        if report.line:
            fields.append(f"pv={quoted(' '.join(self.variation(report.line, moves.hub)))}")
        return "info " + " ".join(fields)

    def answer_line(self, move: Move | None, ponder: Move | None) -> str:
        """A `done` line with a move, a move to ponder on where there is one, and nothing else."""
        if move is None:
            return "done"
        words = ["done", f"move={moves.hub(self.position, move, self.naming)}"]
        if ponder is not None:
            words.append(f"ponder={moves.hub(self.position.play(move), ponder, self.naming)}")
        return " ".join(words)

    def search_ended(self) -> None:
        """The level was for this search."""
        self._take_back_level()

    def lost_line(self) -> str:
        """The side to move has lost in 0 plies."""
        return f"info depth=0 mean-depth=0.0 score={-WIN / 100:.2f} nodes=0 time=0.000 nps=0.000"

    def _greet(self, _: str) -> list[Action]:
        lines = [
            f"id name=turkengine version={__version__} author={quoted(AUTHOR)} country={quoted(COUNTRY)}",
            *(self._declaration(option) for option in REGISTRY if option.kind != "button"),
            "wait",
        ]
        return [Reply(line, apart=True) for line in lines]

    def _declaration(self, option: Option) -> str:
        value = self.options.text(option.name)
        spelling = dict(zip(option.values, option.hub_values, strict=True))
        line = f"param name={option.name} value={quoted(spelling.get(value, value))} type={option.kind}"
        if option.kind == "int":
            return f"{line} min={option.minimum} max={self._maximum(option)}"
        return f'{line} values="{" ".join(option.hub_values)}"' if option.kind == "enum" else line

    def _set_parameter(self, text: str) -> list[Action]:
        given: dict[str, str] = {}
        for name, value in arguments(text):
            if value is None:
                raise CommandError(
                    f"the word {shown(name)} belongs to no argument; a value with blanks is put in quotes"
                )
            given[name] = value
        for needed in ("name", "value"):
            if needed not in given:
                raise CommandError(f"the argument {needed!r} is missing")
        return self._set_option(given["name"], given["value"])

    def _initialise(self, _: str) -> list[Action]:
        return self._when_settled(Reply("ready", apart=True))

    def _pong(self, _: str) -> list[Action]:
        return [Reply("pong")]

    def _pos(self, text: str) -> list[Action]:
        given = {name: value or "" for name, value in arguments(text)}
        maker = self._load(self.options.variant).Position
        if "pos" in given:
            setup = hub.parse_hub(self.options.variant, given["pos"])
            position = maker.from_cells(setup.cells, setup.side)
        else:
            position = maker.start()
        self._set_position(position, given.get("moves", "").split())
        self._take_back_level()
        return []

    def _add_level(self, text: str) -> list[Action]:
        """What can be used comes into force; the rest is named, and remembered for a `go` that has nothing else."""
        level, faults = self._level, []
        self._refused = True  # also where the text cannot be taken apart at all
        for name, value in arguments(text):
            try:
                if name == "infinite":
                    level = replace(level, infinite=value != "false")
                elif name in _LEVEL:
                    attribute, read = _LEVEL[name]
                    said: dict[str, Any] = {attribute: read(name, value or "")}
                    level = replace(level, **said)
            except CommandError as error:
                faults.append(str(error))
        self._level, self._refused = level, bool(faults)
        return [self.complaint(f"level: {'; '.join(joined(faults))}")] if faults else []

    def _take_back_level(self) -> None:
        self._level, self._refused = Level(), False

    def _go(self, text: str) -> list[Action]:
        """Every `go` starts a search; what cannot be taken apart is named."""
        level, said = self._level, list[Action]()
        given: list[tuple[str, str | None]] = []
        try:
            given = arguments(text)
        except CommandError as error:
            said.append(self.complaint(f"go: {error}"))
        modes = [name for name, _ in given if name in ("think", "ponder", "analyze")]
        mode = modes[-1] if modes else "think"
        if self._refused and level == Level():
            level = Level(move_time=A_MOMENT)
            said.append(self.complaint(f"go: the level made no sense, so the search lasts {A_MOMENT:g} s"))
        return [*said, *self._start(replace(level.limits(ponder=mode == "ponder"), analysis=mode == "analyze"))]
