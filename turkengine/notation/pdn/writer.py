"""Games as the text of a PDN 3.0 file. What is written reads back as the same value, but for the move `1-1`.

The order of the tags and the form of the moves are those of the value; `normalise` brings them into the form that the
standard asks for. Moves are numbered anew, and lines are broken between moves and between the words of comments.

Other readers are less generous than ours, so two things are never written: a number before a move of the second side
that is not the first of its line (the Python reader in widest use drops moves after `1... 19-23`), and a line break
within `[%eval 0.35]` and its like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from turkengine.errors import PdnError, shown
from turkengine.notation.pdn import tokens
from turkengine.notation.pdn.annotations import whole_words
from turkengine.notation.pdn.game import NAGS, RESULTS, Line, PdnGame, Ply, Remark, SetUp, result_named
from turkengine.rules.variant import Side

WIDTH = 80
A_DRAW, NO_DRAW = "1-1", "01-01"  # a move against the rules, from the first square to itself, and how it is no result

_MARKS = {nag: mark for mark, nag in NAGS.items() if mark != "*"}
_SETUP = re.compile(r'[WBwb?]:[^/"\s]*')
_NAME = re.compile(r"[^\W\d]\w*")


def write(game: PdnGame) -> str:
    """The game as text: its tags, an empty line, its moves, and an empty line that parts it from the next game.

    Raises:
        PdnError: the game holds what PDN has no place for: a move that is none, a line break in a tag.
    """
    tags = "".join(f'[{_name(name)} "{_escaped(name, value)}"]\n' for name, value in game.tags)
    if game.terminator not in RESULTS:
        raise PdnError(f"{shown(game.terminator)} is not a result; there are {', '.join(sorted(RESULTS))}")
    pieces = [*_line(game.line, _first_index(game)), game.terminator]
    return f"{tags}\n{_wrapped(pieces)}\n\n" if tags else f"{_wrapped(pieces)}\n\n"


def _name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise PdnError(f"{shown(name)} is not a name for a tag; it takes letters, figures and _")
    return name


def _escaped(name: str, value: str) -> str:
    if "\n" in value or "\r" in value:
        raise PdnError(f"the value of the tag {name} has a line break; a tag is one line")
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _first_index(game: PdnGame) -> int:
    """0 where the side that usually begins is to move first, else 1."""
    fields = game.tag("GameType").split(",")
    usual = fields[1].strip().upper() if len(fields) > 1 else Side.WHITE.value
    begins = (game.fen or usual).strip()[:1].upper()
    return int(begins != usual and begins in {side.value for side in Side})


def _line(line: Line, index: int) -> Iterator[str]:
    """What a line is made of, as pieces between which the text may be broken. `index` is that of its first move."""
    yield from _remarks(line.remarks, index)
    for place, ply in enumerate(line.plies, start=index):
        number, second = divmod(place, 2)
        shown_number = f"{number + 1}. " if not second else f"{number + 1}... " if place == index else ""
        yield shown_number + _move(ply)
        yield from (f"${nag}" for nag in _glyphs(ply))
        yield from _remarks(ply.remarks, place)


def _remarks(remarks: tuple[Remark, ...], index: int) -> Iterator[str]:
    for remark in remarks:
        if isinstance(remark, str):
            yield from _comment(remark)
        elif isinstance(remark, SetUp):
            yield _setup(remark)
        else:
            pieces = list(_line(remark, index)) or [""]
            pieces[0] = "(" + pieces[0]
            pieces[-1] += ")"
            yield from pieces


def _move(ply: Ply) -> str:
    text = NO_DRAW if ply.text == A_DRAW else ply.text
    _check_move(text)
    return text + (_MARKS.get(ply.nags[0], "") if ply.nags else "")


def _glyphs(ply: Ply) -> tuple[int, ...]:
    """The glyphs for which the move has no mark after it."""
    return ply.nags[1:] if ply.nags and ply.nags[0] in _MARKS else ply.nags


@lru_cache(maxsize=1 << 16)
def _check_move(text: str) -> None:
    found = tokens.TOKEN.fullmatch(text)
    if (
        found is None
        or found["move"] != text
        or result_named(text) is not None
        or any(blank in text for blank in " \t")
    ):
        raise PdnError(f"{shown(text)} is not written as a move; write squares with - or x between them")


def _comment(text: str) -> list[str]:
    """The words of a comment in braces, a command as one word.

    None that begins with a bracket begins a line, where it would be a tag.
    """
    if "}" in text:
        raise PdnError(f"a comment cannot hold }}, which would end it: {shown(text)}")
    words: list[str] = []
    for word in whole_words(text):
        if word.startswith("[") and words:
            words[-1] += " " + word
        else:
            words.append(word)
    words = words or [""]
    words[0] = "{" + words[0]
    words[-1] += "}"
    return words


def _setup(setup: SetUp) -> str:
    if not _SETUP.fullmatch(setup.fen):
        raise PdnError(f"{shown(setup.fen)} is not a position that can be set up between moves")
    return f'/FEN "{setup.fen}"/'


def _wrapped(pieces: list[str]) -> str:
    lines: list[str] = []
    words: list[str] = []
    length = -1
    for piece in pieces:
        if words and length + 1 + len(piece) > WIDTH:
            lines.append(" ".join(words))
            words, length = [], -1
        words.append(piece)
        length += 1 + len(piece)
    return "\n".join([*lines, " ".join(words)])
