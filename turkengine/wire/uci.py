"""The UCI-like dialect: the chess protocol UCI with draughts positions and moves.

Squares by their names, times in milliseconds, scores in hundredths of a man or moves to the end. `protocol/uci.md`
describes it for the other side.

    uci -> id, option ..., uciok      setoption ...      isready -> readyok
    position, go -> info ..., bestmove

Nothing has to come first: at least one program starts with `position` and `go`. Beside the protocol there is what
people type: `d`, `eval`, `perft N`, `bench`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import ClassVar

from turkengine import __version__
from turkengine.engine.evaluation import evaluation
from turkengine.engine.options import REGISTRY, Option, find_option
from turkengine.engine.perft import Count
from turkengine.engine.report import Bound, Report
from turkengine.engine.score import WIN, Score
from turkengine.errors import shown
from turkengine.notation import fen, moves
from turkengine.rules.move import Move
from turkengine.wire import diagram
from turkengine.wire import evaluation as pages
from turkengine.wire.actions import Action, NewGame, Reply, StartBench, StartPerft
from turkengine.wire.session import AUTHOR, Session, State
from turkengine.wire.uci_go import MILLISECONDS, read_go
from turkengine.wire.words import CommandError, one_line, suggestion, whole

MOST_PERFT_PLIES = 100

_WORD = re.compile(r"\S+")
_MOVE = re.compile(r"[a-h]?[0-9]{1,2}(?:[-x:][a-h]?[0-9]{1,2})+")

HELP = (
    "position startpos [moves MOVE ...], position fen FEN [moves MOVE ...]: what is on the board",
    "go [depth N] [nodes N] [mate N] [movetime MS] [wtime MS btime MS winc MS binc MS movestogo N] [infinite] [ponder]"
    " [searchmoves MOVE ...]: search, until stop where nothing limits it",
    "stop, ponderhit, ucinewgame, isready, uci: as in the chess protocol UCI",
    "setoption name NAME value VALUE: the names are what uci lists; variant NAME: another game",
    "d: show the board; eval: the evaluation; perft N: count moves; bench: measure the speed; quit: leave",
)


class UciSession(Session):
    """A conversation in the UCI-like dialect."""

    immediate: ClassVar[frozenset[str]] = frozenset({"isready", "stop", "ponderhit", "quit", "debug"})

    def commands(self) -> Mapping[str, Callable[[str], list[Action]]]:
        """What obeys each command."""
        return {
            "uci": self._greet,
            "debug": lambda _: [],
            "isready": self._is_ready,
            "ucinewgame": lambda _: [NewGame()],
            "setoption": self._set_option_text,
            "variant": lambda text: self._set_known_option("variant", text),
            "position": self._set_position_text,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponder_hit,
            "quit": self._quit,
            "d": self._show,
            "eval": self._evaluate,
            "perft": self._perft,
            "bench": lambda _: self._count(StartBench()),
            "help": lambda _: [self.complaint(line) for line in HELP],
        }

    def complaint(self, message: str) -> Reply:
        """An `info string` line."""
        return Reply(f"info string {one_line(message)}")

    def unknown(self, word: str) -> list[Action]:
        """An `info string` that names it: who types, or writes a script, would wait for what never comes."""
        near = suggestion(word, self._commands) or "; help lists those that are"
        return [self.complaint(f"the command {shown(word)} is not known{near}")]

    def report_line(self, report: Report) -> str | None:
        """An `info` line, with `multipv` only where several lines were asked for."""
        words = [f"info depth {report.depth} seldepth {report.selective_depth}"]
        if self.options.multi_pv > 1:
            words.append(f"multipv {report.rank}")
        words.append(score_words(report.score))
        if report.bound is not Bound.EXACT:
            words.append(report.bound.value)
        words.append(f"nodes {report.nodes} nps {round(report.nodes_per_second)} hashfull {report.table_filled}")
        words.append(f"tbhits {report.table_hits} time {int(report.time * MILLISECONDS)}")
        if report.line:
            words += ["pv", *self.variation(report.line, moves.landing)]
        return " ".join(words)

    def current_move(self, move: Move, number: int) -> list[Action]:
        """An `info currmove` line, for people who wait."""
        return [Reply(f"info currmove {moves.landing(self.position, move, self.naming)} currmovenumber {number}")]

    def answer_line(self, move: Move | None, ponder: Move | None) -> str:
        """A `bestmove` line."""
        if move is None:
            return "bestmove (none)"
        line = f"bestmove {moves.landing(self.position, move, self.naming)}"
        if ponder is not None:
            line += f" ponder {moves.landing(self.position.play(move), ponder, self.naming)}"
        return line

    def lost_line(self) -> str:
        """The side to move has lost in 0 moves."""
        return f"info depth 0 {score_words(Score(-WIN))}"

    def count_lines(self, count: Count) -> list[str]:
        """The count below each first move, and the total."""
        below = [f"{moves.landing(self.position, move, self.naming)}: {leaves}" for move, leaves in count.by_move]
        return below + super().count_lines(count)

    def _is_ready(self, _: str) -> list[Action]:
        """At once in a search, else as soon as the table is ready."""
        ready = Reply("readyok", apart=True)
        return self._when_settled(ready) if self.state is State.IDLE else [ready]

    def _greet(self, _: str) -> list[Action]:
        lines = [
            f"id name turkengine {__version__}",
            f"id author {AUTHOR}",
            *(self._declaration(option) for option in REGISTRY),
            "uciok",
        ]
        return [Reply(line, apart=True) for line in lines]

    def _declaration(self, option: Option) -> str:
        """The default shown is the value in force, so that a GUI which sends all defaults changes nothing."""
        value = self.options.text(option.name)
        match option.kind:
            case "int":
                kind = f"spin default {value} min {option.minimum} max {self._maximum(option)}"
            case "bool":
                kind = f"check default {value}"
            case "enum":
                kind = f"combo default {value}" + "".join(f" var {choice}" for choice in option.values)
            case "string":
                kind = f"string default {value or '<empty>'}"
            case "button":
                kind = "button"
        return f"option name {option.uci_name} type {kind}"

    def _set_option_text(self, text: str) -> list[Action]:
        word, rest = (*text.split(None, 1), "", "")[:2]
        if word.lower() != "name" or not rest:
            raise CommandError("an option is set with 'setoption name N value V'")
        value_word = next((each for each in _WORD.finditer(rest) if each.start() and each[0].lower() == "value"), None)
        if value_word is None:
            return self._set_known_option(rest, "")
        value = rest[value_word.end() :].lstrip()  # kept to the letter: a file's name may hold any blanks
        return self._set_known_option(rest[: value_word.start()], "" if value == "<empty>" else value)

    def _set_known_option(self, name: str, text: str) -> list[Action]:
        if find_option(name) is None:
            near = suggestion(name.strip(), (option.uci_name for option in REGISTRY))
            raise CommandError(f"no option is called {shown(name.strip())}{near}")
        return self._set_option(name, text)

    def _set_position_text(self, text: str) -> list[Action]:
        words = text.split()
        begin = words.index("moves") if "moves" in words else len(words)
        kind, *description = words[:begin] or [""]
        maker = self._load(self.options.variant).Position
        if kind == "startpos" and description:
            _refuse_move(description[0])
            near = suggestion(description[0], ("moves",))
            raise CommandError(f"the word {shown(description[0])} is not known{near}")
        if kind == "startpos":
            position = maker.start()
        elif kind == "fen":
            for before, word in pairwise(description):
                if before[-1].isdigit():  # else it may be a range of the FEN, in which blanks mean nothing
                    _refuse_move(word)
            setup = fen.parse(self.options.variant, " ".join(description))
            position = maker.from_cells(setup.cells, setup.side, setup.no_progress, setup.material_plies)
        else:
            near = suggestion(kind, ("startpos", "fen"))
            raise CommandError(f"a position is 'startpos' or 'fen', not {shown(kind)}{near}")
        self._set_position(position, words[begin + 1 :])
        return []

    def _go(self, text: str) -> list[Action]:
        """Every `go` starts a search; what of it cannot be used is named."""
        limits, faults = read_go(text, self.position)
        return [*([self.complaint(f"go: {faults}")] if faults else []), *self._start(limits)]

    def _show(self, _: str) -> list[Action]:
        return [Reply(line) for line in diagram.lines(self.position, self.options.no_progress)]

    def _evaluate(self, _: str) -> list[Action]:
        """What the static evaluation makes of the position, piece by piece and term by term."""
        found = evaluation(self.position, self._load(self.position.variant).Position)
        return [Reply(line) for line in pages.lines(self.position, found) if line]

    def _perft(self, text: str) -> list[Action]:
        depth = min(whole("perft", text.split(None, 1)[0] if text else ""), MOST_PERFT_PLIES)
        return self._count(StartPerft(self.position, depth))


def _refuse_move(word: str) -> None:
    """A move that nothing announces would be lost, and the next search would be one of another position."""
    if _MOVE.fullmatch(word):
        raise CommandError(f"the word 'moves' is missing before {shown(word)}")


def score_words(score: Score) -> str:
    """`mate` with the winner's moves, negative for a loss; a game already won has no move to count and stays `cp`."""
    distance = score.moves_to_end
    if distance is None or score.hundredths == WIN:
        return f"score cp {score.hundredths}"
    return f"score mate {distance}"
