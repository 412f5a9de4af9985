"""A game with people as a conversation: lines of text in, lines of text out, and no input or output of its own.

Whoever carries it has little to do. While `thinks` it calls `think`; else it waits for a line, not longer than
`time_left`, and hands it to `receive`, or calls `flag` when the time is over; `closed` ends it. A call lasts only where
an engine is asked for something.

What follows a move against the rules (FMJD 5.4) is decided before the game or, where it is not, by the opponent, if
that is a person. An engine takes what people wish: a move back always, a draw by its score.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass

from turkengine.client.contract import Client, ClientError, ClientFault, KeepsGame
from turkengine.engine.limits import Limits
from turkengine.errors import IllegalMoveError, MoveError, shown
from turkengine.match.clocked import KINDS
from turkengine.match.clocks import TimeControl
from turkengine.match.conduct import Policy
from turkengine.notation import fen, moves
from turkengine.notation.times import left_text
from turkengine.play import telling
from turkengine.play.live import LiveGame
from turkengine.play.telling import OVER
from turkengine.play.text_board import Look
from turkengine.play.words import agrees, control_text, ending_text, help_text, moves_text, side_name, thought_text
from turkengine.record.record import Ending, EndingKind
from turkengine.record.scoresheet import pdn_of
from turkengine.rules.position import Position
from turkengine.rules.variant import Side

EVENT = "turkengine play"
ALIASES = {
    "?": "help",
    "b": "board",
    "exit": "quit",
    "q": "quit",
    "take-back": "undo",
    "takeback": "undo",
    "y": "yes",
    "n": "no",
}
AGREEMENT = ("yes", "no")
CHOICE = (Policy.RECTIFY.value, Policy.STAND.value)
CHANGES = frozenset({"draw", "undo"})  # not while a question is open
LIKE_A_MOVE = re.compile(r"[a-z]?[0-9]", re.IGNORECASE)

Lines = list[str]


@dataclass(frozen=True)
class Question:
    """Something that only a person can answer.

    Attributes:
        asked: who.
        text: the question.
        answers: the words that answer it.
        settle: does what follows, True for the first of the words.
    """

    asked: Side
    text: str
    answers: tuple[str, str]
    settle: Callable[[bool], Lines]

    def __str__(self) -> str:
        return f"{self.text} ({' or '.join(self.answers)})"


class PlaySession:
    """One game from the greeting to the goodbye.

    Attributes:
        closed: whether it is over; then it takes no more lines.
    """

    def __init__(
        self,
        live: LiveGame,
        look: Look,
        adviser: Client,
        advice: Limits,
        keep: Callable[[str, str], None],
        irregularity: Policy | None = Policy.RECTIFY,
    ) -> None:
        """Nothing is started yet.

        Args:
            adviser: the engine that gives hints, which searches within `advice`.
            keep: writes a file: its name, the game as PDN; what it raises as OSError is shown.
            irregularity: what follows a move against the rules; None leaves it to the opponent.
        """
        self.live, self.look = live, look
        self.closed = False
        self._adviser, self._advice = adviser, advice
        self._keep, self._irregularity = keep, irregularity
        self._bottom = next((side for side in Side if live.seats[side].client is None), Side.WHITE)
        self._question: Question | None = None
        self._asked_again = False  # the engine, for the move that is due
        self._program = next((seat.client for seat in live.seats.values() if seat.client is not None), None)
        self._commands: dict[str, Callable[[], Lines]] = {
            "help": lambda: help_text(self.look.legend),
            "board": self._board,
            "flip": self._flip,
            "moves": lambda: telling.legal_moves(self.live),
            "hint": lambda: telling.hint(self.live, self._adviser, self._advice),
            "undo": self._undo,
            "draw": self._draw,
            "resign": lambda: self.resign(self.asked or self.live.game.side),
            "clock": lambda: telling.clock(self.live),
            "fen": lambda: [fen.write_counted(self.live.game.position)],
            "quit": self._quit,
        }

    # What whoever carries it needs to know.

    @property
    def thinks(self) -> bool:
        """Whether an engine is to be asked for its move."""
        waits = self.closed or self._question is not None or self.live.game.ending is not None
        return not waits and self.live.seat.client is not None

    @property
    def time_left(self) -> float | None:
        """Seconds until a person has run out of time, None where that cannot be."""
        game = self.live.game
        return self.live.remaining(game.side) if game.ending is None and self.live.seat.client is None else None

    @property
    def prompt(self) -> str:
        """What is waited for."""
        game = self.live.game
        if self._question is not None:
            return f"{side_name(self._question.asked)}: {' or '.join(self._question.answers)}?"
        if game.ending is not None:
            return "The game is over"
        left = self.live.remaining(game.side)
        return f"{side_name(game.side)} to move" + (f", {left_text(left)}" if left is not None else "")

    @property
    def pdn(self) -> str:
        """The game so far, empty where there is nothing to keep."""
        game = self.live.game
        return pdn_of(self.live.record(), EVENT) if game.moves or game.ending is not None else ""

    # What happens.

    def begin(self) -> Lines:
        """Start the engine, and greet.

        Raises:
            ClientError: it cannot be started.
        """
        if self._program is not None:
            self._program.start(self.live.game.variant)
            self._program.new_game()
        self.live.begin()
        return [*self.greeting(), *self._turn()]

    def greeting(self) -> Lines:
        """What is played, by whom, and how far it has come."""
        game = self.live.game
        players = [f"{side_name(side)} {seat.name}{_control(seat.control)}" for side, seat in self.live.seats.items()]
        gone_on = [f"The game goes on after {moves_text(len(game.moves))}."] if game.moves else []
        return [f"{game.variant.title}: {', '.join(players)}", "Write a move, or help for the commands.", *gone_on]

    def receive(self, line: str) -> Lines:
        """A person has written something."""
        text = " ".join(line.split())
        if not text:
            return []
        return [*self.flag(), *self._obey(text)]

    def flag(self) -> Lines:
        """Time has passed: perhaps somebody has run out of it."""
        if not self.live.flag():
            return []
        self._question = None
        return self._turn()

    def think(self) -> Lines:
        """Let the engine move, and wait for it."""
        side = self.live.game.side
        try:
            thought = self.live.think()
            if thought.move is None:
                self.live.game.resign(side)
                return self._turn()
        except ClientError as error:
            if error.reason is ClientFault.ILLEGAL_MOVE:
                return self._irregular(str(error), error.article or "", error.move_text or "")
            self.live.game.end(Ending(KINDS[error.reason], side.opponent, str(error), error.article or ""))
            return self._turn()
        self._asked_again = False
        text = moves.written(self.live.game.position, thought.move)
        self.live.move(thought.move, thought)
        name = self.live.seats[side].name
        return [f"{side_name(side)} ({name}) plays {text}{thought_text(thought)}", *self._turn()]

    def close(self) -> None:
        """The end of the conversation, however it comes; the engines end with it."""
        self.closed = True
        self._adviser.close()
        if self._program is not None:
            self._program.close()

    # What people write.

    def _obey(self, text: str) -> Lines:
        word, _, rest = text.partition(" ")
        word = ALIASES.get(word.lower(), word.lower())
        if word == "save":
            return self._save(rest)
        command = self._commands.get(word)
        if self._question is not None and (command is None or word in CHANGES):
            return self._answer(self._question, word if not rest else text)
        if command is not None:
            return command() if not rest else [f"{word} takes nothing after it, not {shown(rest)}"]
        if word in AGREEMENT + CHOICE:
            return ["nobody has asked anything"]
        if not LIKE_A_MOVE.match(text):
            close = difflib.get_close_matches(word, [*self._commands, "save"], 1)
            meant = f"; {close[0]} is meant, perhaps" if close else "; write a move, or help for the commands"
            return [f"{shown(text)} is not a command{meant}"]
        return self._move(text)

    def _answer(self, question: Question, word: str) -> Lines:
        meant = [answer for answer in question.answers if answer.startswith(word)]
        if len(meant) != 1:
            asked, choice = side_name(question.asked), " or ".join(question.answers)
            return [f"{shown(word)} is not an answer: {asked} writes {choice}, or resign to end the game"]
        self._question = None
        return question.settle(meant[0] == question.answers[0])

    def _ask(self, asked: Side, text: str, settle: Callable[[bool], Lines], answers: tuple[str, str]) -> Lines:
        self._question = Question(asked, text, answers, settle)
        return [str(self._question)]

    def _move(self, text: str) -> Lines:
        game = self.live.game
        if game.ending is not None:
            return [OVER]
        try:
            move = moves.read(game.position, text)
        except IllegalMoveError as error:
            return self._irregular(str(error), error.article or "", text)
        except MoveError as error:
            return [str(error)]
        side, written = game.side, moves.written(game.position, move)
        self.live.move(move)
        return [f"{side_name(side)} plays {written}", *self._turn()]

    def _turn(self) -> Lines:
        """What there is to see once it is somebody else's turn, or nobody's."""
        game = self.live.game
        if game.ending is not None:
            if self._program is not None:
                self._program.game_over(game.position)
            return [*(self._board() if self.look.always else []), ending_text(game.variant, game.ending)]
        return self._board() if self.look.always and not self.thinks else []

    # Moves against the rules.

    def _irregular(self, what: str, article: str, text: str) -> Lines:
        """The side to move has wanted to play `text`."""
        game, program = self.live.game, self.live.seat.client is not None
        self.live.note(what, article)
        policy, opponent = self._irregularity, game.side.opponent
        if policy is None and self.live.seats[opponent].client is None:
            question = f"{what}. {side_name(opponent)}, is it put right, or does it stand?"
            return self._ask(
                opponent,
                question,
                lambda right: self._follow(Policy.RECTIFY if right else Policy.STAND, what, article, text),
                CHOICE,
            )
        told = [f"{side_name(game.side)}: {what}" if program else what]
        return [*told, *self._follow(policy or Policy.RECTIFY, what, article, text)]

    def _follow(self, policy: Policy, what: str, article: str, text: str) -> Lines:
        game = self.live.game
        side, program = game.side, self.live.seat.client is not None
        if policy is Policy.RECTIFY and not (program and self._asked_again):
            self._asked_again = program
            return [f"{side_name(side)} plays another move"]
        if policy is Policy.STAND and self.live.let_stand(text):
            self._asked_again = False
            return [f"it stands: {side_name(side)} has played {text}", *self._turn()]
        game.end(Ending(EndingKind.IRREGULARITY, side.opponent, what, article))
        return self._turn()

    # The commands.

    def _board(self) -> Lines:
        return telling.board(self.live, self.look, self._bottom)

    def _flip(self) -> Lines:
        self._bottom = self._bottom.opponent
        return self._board()

    def _undo(self) -> Lines:
        game, seats = self.live.game, self.live.seats
        own = [place for place, move in enumerate(game.moves) if seats[move.side].client is None]
        if not own:
            return ["no move can be taken back; you have made none"]
        plies = len(game.moves) - own[-1]
        if self._program is None:
            side, text = game.moves[-1].side, game.moves[-1].text
            question = f"{side_name(side)} wants to take {text} back. {side_name(side.opponent)}, do you agree?"
            return self._ask(side.opponent, question, lambda agreed: self._take_back(1, agreed), AGREEMENT)
        try:
            refusal = self._refused(plies)
        except ClientError as error:  # the game can go on all the same: an engine that has failed is started again
            refusal = str(error)
        return [refusal] if refusal else self._take_back(plies, consent=True)

    def _refused(self, plies: int) -> str:
        """Why a program that keeps the game itself does not go back, empty where it does or need not be asked."""
        game = self.live.game
        if game.ending is not None or not isinstance(self._program, KeepsGame):
            return ""
        position: Position | None = game.position
        for _ in range(plies):
            position = position.previous if position is not None else None
        if position is None:
            return ""  # a move that was let stand lies between, after which its game is another one
        return self._program.take_back(position)

    def _take_back(self, plies: int, consent: bool) -> Lines:
        texts = [move.text for move in self.live.game.moves[-plies:]]
        try:
            self.live.take_back(plies, consent)
        except IllegalMoveError as error:
            return [str(error)]
        self._asked_again = False
        return [f"taken back: {', '.join(texts)}", *self._turn()]

    def _draw(self) -> Lines:
        game = self.live.game
        if game.ending is not None:
            return [OVER]
        other = game.side.opponent
        if self.live.seats[other].client is None:
            question = f"{side_name(game.side)} offers a draw. {side_name(other)}, do you agree?"
            return self._ask(other, question, self._agree, AGREEMENT)
        taken, why = agrees(game.moves, other)
        name = self.live.seats[other].name
        if not taken:
            return [f"{name} declines the draw: {why}"]
        return [f"{name} takes the draw: {why}", *self._agree(True)]

    def _agree(self, agreed: bool) -> Lines:
        if not agreed:
            return ["the draw is declined"]
        self.live.game.agree()
        return self._turn()

    @property
    def asked(self) -> Side | None:
        """Who is to answer a question, None where none is open."""
        return self._question.asked if self._question is not None else None

    def resign(self, side: Side) -> Lines:
        """A side gives up, whoever is to move."""
        game = self.live.game
        if game.ending is not None:
            return [OVER]
        game.resign(side)
        self._question = None
        if isinstance(self._program, KeepsGame):
            self._program.give_up()
        return self._turn()

    def _save(self, name: str) -> Lines:
        if not name:
            return ["save needs the name of a file, as in: save game.pdn"]
        if not (text := self.pdn):
            return ["there is nothing to save yet"]
        try:
            self._keep(name, text)
        except OSError as error:
            return [f"{name} cannot be written: {error.strerror or error}; give another file"]
        return [f"saved in {name}"]

    def _quit(self) -> Lines:
        self.closed = True
        return []


def _control(control: TimeControl | None) -> str:
    return f" ({control_text(control)})" if control is not None else ""
