"""Text of the wire taken apart: Hub's name=value arguments, and numbers as clients really send them.

Numbers are read by what they say, not by how: `5`, a sign, `5.0` or `1e-05` where a time is meant. What no limit can
mean (infinity, a thousand digits) is refused; what is merely huge is cut to a size that every machine integer holds.
"""

from __future__ import annotations

import math
import re

from turkengine.errors import TurkengineError, shown

LARGEST = 10**15  # plies, nodes, seconds: more than any search reaches
LONGEST_NUMBER = 40  # characters

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
