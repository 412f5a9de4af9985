"""The one registry of settings: whatever can be set anywhere is declared here and nowhere else.

The protocols print `REGISTRY` in their own manner, the command line and `turkengine.toml` (`settings.py`) read it, and
docs/options.md is made from it. An option is declared from the moment it works. `Options` is the value that passes
through the program: immutable, always complete, and every value in it one that its option takes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Literal

from turkengine.engine.ratings import strongest, weakest
from turkengine.errors import OptionError, shown
from turkengine.games import VARIANTS, variant_named
from turkengine.rules.bounds import MOST_PIECES
from turkengine.rules.variant import Variant

Kind = Literal["bool", "int", "enum", "string", "button"]
Value = bool | int | str

FULL_STRENGTH = 20  # the level at which nothing holds the engine back
MOST_BOOK_PLIES = 100
WEAKEST_ELO, STRONGEST_ELO = weakest(), strongest()  # of the levels below it, in all games

LONGEST_LIST = 140  # characters of the values that a complaint names
LONGEST_NUMBER = 18  # digits; more than any limit needs, and little enough to be read at once


@dataclass(frozen=True)
class Option:
    """One setting.

    Attributes:
        name: what it is called in Hub, in `--set` and in turkengine.toml.
        uci_name: what it is called in the UCI-like dialect.
        kind: what values it takes; a button takes none and has an effect instead.
        default: the value as a protocol prints it (bool, int or text).
        help: one line for people.
        minimum, maximum: the range of an int.
        values: the values of an enum, as the UCI-like dialect, the command line and the documents write them.
        hub_values: the same values in the same order as Hub writes them, where a game has a traditional name there.
        unit: what an int counts, empty where it is a plain number.
        clamped: a number above the maximum is not refused; the engine takes what it can have and says so.
    """

    name: str
    uci_name: str
    kind: Kind
    default: Value
    help: str
    minimum: int = 0
    maximum: int = 0
    values: tuple[str, ...] = ()
    hub_values: tuple[str, ...] = ()
    unit: str = ""
    clamped: bool = False

    @property
    def attribute(self) -> str:
        """The attribute of `Options` that holds the value."""
        return self.name.replace("-", "_")

    @property
    def takes(self) -> str:
        """What may be given, in words."""
        if self.kind == "bool":
            return "true or false"
        if self.kind == "int":
            unit = f" ({self.unit})" if self.unit else ""
            if self.clamped:
                return f"a whole number from {self.minimum}{unit}"
            return f"a whole number from {self.minimum} to {self.maximum}{unit}"
        if self.kind == "enum":
            return "one of " + ", ".join(dict.fromkeys((*self.values, *self.hub_values)))
        return "a text" if self.kind == "string" else "no value"

    def read(self, text: str) -> Value:
        """The value that `text` stands for, an enum's in the spelling of `values`.

        Raises:
            OptionError: it stands for none; the message names the option, the text and what would be right.
        """
        if self.kind == "string":
            if "\0" in text:  # no name of a file can hold it
                raise OptionError(f"option {self.name} does not take {shown(text)}; it takes a text without NUL")
            return text
        if self.kind == "button":
            return ""
        word = text.strip().lower()
        if self.kind == "bool" and word in ("true", "false"):
            return word == "true"
        if self.kind == "int" and re.fullmatch(rf"[+-]?[0-9]{{1,{LONGEST_NUMBER}}}", word):
            number = int(word)
            if self.minimum <= number and (self.clamped or number <= self.maximum):
                return number
        if self.kind == "enum":
            for spelling in (self.values, self.hub_values):
                if word in spelling:
                    return self.values[spelling.index(word)]
        takes = self.takes
        if len(takes) > LONGEST_LIST:
            takes = takes[:LONGEST_LIST].rpartition(",")[0] + " or another"
        raise OptionError(f"option {self.name} does not take {shown(text)}; it takes {takes}")


REGISTRY: tuple[Option, ...] = (
    Option(
        "variant",
        "UCI_Variant",
        "enum",
        VARIANTS[0].name,
        "The game to be played.",
        values=tuple(variant.name for variant in VARIANTS),
        hub_values=tuple(variant.hub_name or variant.name for variant in VARIANTS),
    ),
    Option(
        "hash",
        "Hash",
        "int",
        64,
        "Size of the transposition table; at most what the machine has.",
        minimum=1,
        maximum=1 << 18,  # the kernel's table is indexed by 32 bits of a key, and what each leads to has 64 bytes
        unit="MiB",
        clamped=True,
    ),
    Option(
        "threads",
        "Threads",
        "int",
        1,
        "Threads that search together; at most four for each processor.",
        minimum=1,
        maximum=256,
        clamped=True,
    ),
    Option("multi-pv", "MultiPV", "int", 1, "How many best lines are searched and shown.", minimum=1, maximum=500),
    Option("ponder", "Ponder", "bool", False, "Whether the GUI may let the engine think in the opponent's time."),
    Option(
        "move-overhead",
        "Move Overhead",
        "int",
        10,
        "Time kept back for the way between engine and clock, for each move.",
        minimum=0,
        maximum=5000,
        unit="ms",
    ),
    Option(
        "no-progress",
        "No Progress",
        "int",
        100,
        "A draw after so many plies without progress, 0 for never; where the rules leave the number open.",
        minimum=0,
        maximum=1000,
        unit="plies",
    ),
    Option(
        "contempt",
        "Contempt",
        "int",
        0,
        "What a draw counts against the side to move; above 0 it is avoided, below it is sought.",
        minimum=-500,
        maximum=500,
        unit="hundredths of a man",
    ),
    Option(
        "square-names",
        "Square Names",
        "enum",
        "algebraic",
        "How squares with letters are written in moves: a1 ... h8, or as numbers (1 is a1, or b8 on dark squares).",
        values=("algebraic", "numeric"),
        hub_values=("algebraic", "numeric"),
    ),
    Option("book", "OwnBook", "bool", True, "Whether moves of a game are played from an opening book, at once."),
    Option(
        "book-file",
        "Book File",
        "string",
        "",
        "An opening book in place of the engine's own; ~ is the home folder.",
    ),
    Option(
        "book-depth",
        "Book Depth",
        "int",
        MOST_BOOK_PLIES,
        "Positions further from the start are searched, even if they are in the book.",
        minimum=0,
        maximum=MOST_BOOK_PLIES,
        unit="plies",
    ),
    Option(
        "book-variety",
        "Book Variety",
        "int",
        10,
        "How much worse than the best a book move may be to be played now and then; 0 for the best ones only.",
        minimum=0,
        maximum=200,
        unit="hundredths of a man",
    ),
    Option(
        "endgame-path",
        "Endgame Path",
        "string",
        "",
        "Folder of endgame tables beside the engine's own; ~ is the home folder. Empty for the one they are built in.",
    ),
    Option(
        "endgame-pieces",
        "Endgame Pieces",
        "int",
        MOST_PIECES,
        "Positions of so many pieces or fewer are looked up in endgame tables, 0 for never.",
        minimum=0,
        maximum=MOST_PIECES,
    ),
    Option(
        "skill-level",
        "Skill Level",
        "int",
        FULL_STRENGTH,
        f"How well it plays in games, from a beginner's level on; {FULL_STRENGTH} is full strength.",
        minimum=0,
        maximum=FULL_STRENGTH,
    ),
    Option(
        "limit-strength",
        "UCI_LimitStrength",
        "bool",
        False,
        "Whether it plays as well as elo says, in games; skill-level does not count then.",
    ),
    Option(
        "elo",
        "UCI_Elo",
        "int",
        1500,
        f"How well it plays where limit-strength is true; {STRONGEST_ELO} is full strength at 5000 nodes a move.",
        minimum=WEAKEST_ELO,
        maximum=STRONGEST_ELO,
        unit="Elo",
    ),
    Option(
        "seed",
        "Seed",
        "int",
        0,
        "Repeats what is left to chance (book, weakened play); 0 for another choice in each game.",
        minimum=0,
        maximum=1 << 31,
    ),
    Option("clear-hash", "Clear Hash", "button", "", "Empties the transposition table."),
    Option(
        "log-file",
        "Log File",
        "string",
        "",
        "Every line in and out goes there; {pid} is the process number, ~ the home folder.",
    ),
)

_BY_NAME = {name.lower(): option for option in REGISTRY for name in (option.name, option.uci_name)}


def find_option(name: str) -> Option | None:
    """The option of this Hub or UCI-like name in any case, None where there is none."""
    return _BY_NAME.get(" ".join(name.split()).lower())


def option_named(name: str) -> Option:
    """The option of this Hub or UCI-like name, in any case.

    Raises:
        OptionError: no option is called so; the message lists those there are.
    """
    option = find_option(name)
    if option is None:
        known = ", ".join(known.name for known in REGISTRY)
        raise OptionError(f"no option is called {shown(name)}; there are {known}")
    return option


@dataclass(frozen=True)
class Options:
    """A value for every option but the buttons; what each means is said in `REGISTRY`."""

    variant: Variant = VARIANTS[0]
    hash: int = 64
    threads: int = 1
    multi_pv: int = 1
    ponder: bool = False
    move_overhead: int = 10
    no_progress: int = 100
    contempt: int = 0
    square_names: str = "algebraic"
    endgame_path: str = ""
    endgame_pieces: int = MOST_PIECES
    book: bool = True
    book_file: str = ""
    book_depth: int = MOST_BOOK_PLIES
    book_variety: int = 10
    skill_level: int = FULL_STRENGTH
    limit_strength: bool = False
    elo: int = 1500
    seed: int = 0
    log_file: str = ""

    def with_text(self, name: str, text: str) -> Options:
        """These options with one more set from text; pressing a button changes nothing here.

        Raises:
            OptionError: there is no such option, or it does not take the value.
        """
        option = option_named(name)
        value = option.read(text)
        if option.kind == "button":
            return self
        if option.attribute == "variant":
            return replace(self, variant=variant_named(str(value)))
        changed: dict[str, Any] = {option.attribute: value}
        return replace(self, **changed)

    def text(self, name: str) -> str:
        """The value of an option as text that `with_text` takes; empty for a button."""
        option = option_named(name)
        if option.kind == "button":
            return ""
        value = getattr(self, option.attribute)
        if isinstance(value, Variant):
            return value.name
        return str(value).lower() if option.kind == "bool" else str(value)
