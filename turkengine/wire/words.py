"""Text of the wire taken apart: Hub's name=value arguments, and numbers as clients really send them.

Numbers are read by what they say, not by how: `5`, a sign, `5.0` or `1e-05` where a time is meant. What no limit can
mean (infinity, a thousand digits) is refused; what is merely huge is cut to a size that every machine integer holds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from turkengine.errors import TurkengineError, shown

LARGEST = 10**15  # plies, nodes, seconds: more than any search reaches
LONGEST_NUMBER = 40  # characters
MOST_FAULTS = 4  # of one command that are named
A_MOMENT = 0.1  # s that a search lasts whose limits make no sense

_WORD = re.compile(r'(?:[^\s"]+|"[^"]*")+')
_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


class CommandError(TurkengineError):
    """A command that is known and says something that cannot be done."""


def one_line(text: str) -> str:
    """A message without line breaks and unprintable characters, whatever it repeats."""
    return "".join(letter if letter.isprintable() else " " for letter in " ".join(text.split()))


def arguments(text: str) -> list[tuple[str, str | None]]:
    """Hub's arguments in order: (name, value), with None for a word that has no `=`.

    Double quotes keep blanks together and are taken off; there is no way to write a quote in a value.

    Raises:
        CommandError: a quote is not closed.
    """
    if text.count('"') % 2:
        raise CommandError("a double quote is opened and not closed")
    found: list[tuple[str, str | None]] = []
    for word in _WORD.findall(text):
        name, equals, value = word.partition("=")
        found.append((name.replace('"', ""), value.replace('"', "") if equals else None))
    return found


def quoted(value: str) -> str:
    """A value as Hub writes it: quoted where it is empty or holds a blank, and only there."""
    return value if value and not any(letter.isspace() for letter in value) else f'"{value}"'


def whole(name: str, text: str, least: int = 0) -> int:
    """A whole number of at least `least`.

    Raises:
        CommandError: `text` is none; the message starts with `name`.
    """
    if len(text) <= LONGEST_NUMBER and _INTEGER.fullmatch(text) and int(text) >= least:
        return min(int(text), LARGEST)
    raise CommandError(f"{name} takes a whole number from {least}, not {shown(text)}")


def decimal(name: str, text: str) -> float:
    """A number of any sign.

    Raises:
        CommandError: `text` is none, or none that a computer can hold.
    """
    if len(text) <= LONGEST_NUMBER and _DECIMAL.fullmatch(text) and math.isfinite(float(text)):
        return max(-LARGEST, min(float(text), LARGEST))
    raise CommandError(f"{name} takes a number, not {shown(text)}")


def suggestion(word: str, known: Iterable[str]) -> str:
    """What to add where a word is not known: the nearest one that is, or nothing where none is near."""
    from difflib import get_close_matches  # late: only where something is wrong

    spelling = {each.lower(): each for each in known}
    near = get_close_matches(word[:LONGEST_NUMBER].lower(), spelling, n=1)
    return f"; did you mean {spelling[near[0]]}?" if near else ""


def joined(faults: Sequence[str]) -> list[str]:
    """So many of the faults of one command that a line can hold them, and the number of the others."""
    more = len(faults) - MOST_FAULTS
    return [*faults[:MOST_FAULTS], f"and {more} more"] if more > 0 else list(faults)
