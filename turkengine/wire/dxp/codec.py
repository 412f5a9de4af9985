"""The messages of DXP as bytes: a letter for the kind, fields of fixed width, and one NUL at the end.

What is written is always exact. What is read may be looser where programs differ: blanks in numbers, fractions of a
minute, line ends and blanks after a message.

    encode(GameRequest("Ann", Side.BLACK, minutes=5, moves=75))     b"R01Ann                             Z005075A" + NUL
    decode(b"M0012322800")                                          Move(seconds=12, origin=32, target=28)
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping

from turkengine.errors import TurkengineError, shown
from turkengine.rules.variant import Side
from turkengine.wire.dxp.frames import (
    Acceptance,
    BackAccept,
    BackAnswer,
    BackRequest,
    Chat,
    EndReason,
    Frame,
    GameAccept,
    GameEnd,
    GameRequest,
    MoveFrame,
)
from turkengine.wire.lines import Splitter

END = b"\0"
VERSION = 1
NAME_WIDTH = 32
LONGEST_CHAT = 126  # characters
LONGEST_FRAME = 512  # bytes that are kept of one message; no message of the protocol has more than 128
MOST_SECONDS = 9999  # that a move can carry
MOST_MINUTES = 999
MOST_MOVES = 999

_COLOURS = {"W": Side.WHITE, "Z": Side.BLACK}
_LETTERS = {side: letter for letter, side in _COLOURS.items()}
_TO_WIRE, _FROM_WIRE = str.maketrans("bB", "zZ"), str.maketrans("zZ", "bB")
_MINUTES = re.compile(r"[0-9]*\.?[0-9]*")
_SINGLE_LETTERS: dict[int, str | int] = {  # those that are no other letter with an accent
    **str.maketrans("øØłŁđĐðÐ\N{LATIN SMALL LETTER DOTLESS I}", "oOlLdDdDi"),
    **dict(zip(map(ord, "ßæÆœŒþÞ"), ("ss", "ae", "AE", "oe", "OE", "th", "Th"), strict=True)),
    **str.maketrans("\N{EN DASH}\N{EM DASH}\N{RIGHT SINGLE QUOTATION MARK}", "--'"),
}


class FrameError(TurkengineError):
    """A message that cannot be read, or a value that no message can say."""


class VersionError(FrameError):
    """A request in another version of the protocol than ours."""


class FrameSplitter(Splitter):
    """Cuts a stream of bytes into messages. One without end never takes more than its room."""

    def __init__(self, longest: int = LONGEST_FRAME) -> None:
        """Messages of more than `longest` bytes are given as None, once their end has come."""
        super().__init__(END, longest)

    def feed(self, data: bytes) -> list[bytes | None]:
        """The messages that `data` completes, without their ends; two ends together have none between them."""
        return [message for message in super().feed(data) if message != b""]


def plain(text: str) -> str:
    """A text in printable ASCII: accents are taken off, what has no such letter becomes a question mark."""
    split = unicodedata.normalize("NFKD", text.translate(_SINGLE_LETTERS))
    letters = (letter for letter in split if not unicodedata.combining(letter))
    return "".join(letter if letter.isascii() and letter.isprintable() else "?" for letter in letters)


def encode(frame: Frame) -> bytes:
    """The message with the NUL that ends it.

    Raises:
        FrameError: a number has no room in its field.
    """
    return _text(frame).encode("ascii") + END


def decode(data: bytes) -> Frame:
    """The message that `data`, without the NUL, says.

    Raises:
        VersionError: it is a request in a version that is not ours.
        FrameError: it is none; the message says which field is wrong.
    """
    text = data.decode("ascii", "replace").replace("\N{REPLACEMENT CHARACTER}", "?")
    if not text.startswith("C"):
        text = text.rstrip(" \r\n")
    reader = _READERS.get(text[:1])
    if reader is None:
        raise FrameError(f"no message begins like {shown(text)}" if text else "the message is empty")
    fields = _Fields(text)
    frame = reader(fields)
    fields.end()
    return frame


def minutes_text(minutes: float) -> str:
    """Minutes in three characters: `005`, or `2.5` and `.05`, which not every program reads.

    Raises:
        FrameError: they have no room there.
    """
    text = f"{minutes:.3f}".rstrip("0").removeprefix("0")
    if 0 <= minutes <= MOST_MINUTES and minutes == int(minutes):
        return f"{int(minutes):03}"
    if not 0 < minutes <= MOST_MINUTES or len(text) > 3:
        raise FrameError(f"{minutes:g} minutes cannot be sent; three characters as in 5, 2.5, .05 are all there is")
    return text.rjust(3, "0")


# Writing


def _text(frame: Frame) -> str:
    match frame:
        case GameRequest(name, follower, minutes, moves, position):
            setup = "A" if position is None else "B" + _position_text(position)
            moves_text = _digits("moves", moves, 3)
            return f"R{VERSION:02}{_name(name)}{_LETTERS[follower]}{minutes_text(minutes)}{moves_text}{setup}"
        case GameAccept(name, code):
            return f"A{_name(name)}{code.value}"
        case MoveFrame(seconds, origin, target, captured):
            squares = [_digits("square", square, 2) for square in (origin, target)]
            taken = [_digits("captured", len(captured), 2), *(_digits("square", one, 2) for one in sorted(captured))]
            return "".join(["M", _digits("seconds", min(seconds, MOST_SECONDS), 4), *squares, *taken])
        case GameEnd(reason, last):
            return f"E{reason.value}{int(last)}"
        case Chat(text):
            return f"C{plain(text)[:LONGEST_CHAT]}"
        case BackRequest(number, side):
            return f"B{_digits('move', number, 3)}{_LETTERS[side]}"
        case BackAccept(code):
            return f"K{code.value}"


def _name(name: str) -> str:
    return plain(name).strip()[:NAME_WIDTH].ljust(NAME_WIDTH)


def _digits(what: str, number: int, width: int) -> str:
    if not 0 <= number < 10**width:
        raise FrameError(f"{what} {number} has no room in {width} digits")
    return f"{number:0{width}}"


def _position_text(position: str) -> str:
    return _LETTERS[Side(position[0])] + position[1:].translate(_TO_WIRE)


# Reading


class _Fields:
    """A message taken apart from the left."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._at = 1

    def take(self, what: str, width: int) -> str:
        field = self.text[self._at : self._at + width]
        if len(field) < width:
            raise self.wrong(what, "is cut short")
        self._at += width
        return field

    def rest(self) -> str:
        field, self._at = self.text[self._at :], len(self.text)
        return field

    def end(self) -> None:
        if self._at < len(self.text):
            raise FrameError(f"{shown(self.text)}: {shown(self.text[self._at :])} comes after the end of the message")

    def number(self, what: str, width: int) -> int:
        digits = self.take(what, width).strip()
        if not (digits.isascii() and digits.isdecimal()):
            raise self.wrong(what, f"is {shown(digits)}, no number")
        return int(digits)

    def choice(self, what: str, values: str) -> str:
        letter = self.take(what, 1)
        if letter not in values:
            raise self.wrong(what, f"is {shown(letter)}; it takes one of {' '.join(values)}")
        return letter

    def wrong(self, what: str, fault: str) -> FrameError:
        return FrameError(f"{shown(self.text)}: the field {what!r} {fault}")


def _read_request(fields: _Fields) -> GameRequest:
    version = fields.number("version", 2)
    if version != VERSION:
        fields.rest()
        raise VersionError(f"{shown(fields.text)} asks for version {version} of the protocol; version 1 is spoken here")
    name = plain(fields.take("name", NAME_WIDTH)).strip()
    follower = _COLOURS[fields.choice("colour", "WZ")]
    minutes = _minutes(fields)
    limit = fields.take("moves", 3).strip()
    if limit and not (limit.isascii() and limit.isdecimal()):
        raise fields.wrong("moves", f"is {shown(limit)}, no number")
    position = None
    if fields.choice("position", "AB") == "B":
        side = _COLOURS[fields.choice("side to move", "WZ")]
        letters = fields.rest()
        if not letters or letters.strip("wzWZe"):
            raise fields.wrong("squares", "takes one of w z W Z e for each square")
        position = side.value + letters.translate(_FROM_WIRE)
    return GameRequest(name, follower, minutes, int(limit or 0), position)


def _minutes(fields: _Fields) -> float:
    text = fields.take("minutes", 3).strip()
    if text == "." or not _MINUTES.fullmatch(text):
        raise fields.wrong("minutes", f"is {shown(text)}, no number")
    return float(text or 0)


def _read_accept(fields: _Fields) -> GameAccept:
    name = plain(fields.take("name", NAME_WIDTH)).strip()
    return GameAccept(name, Acceptance(fields.choice("code", "0123")))


def _read_move(fields: _Fields) -> MoveFrame:
    seconds = fields.number("seconds", 4)
    origin, target = fields.number("from", 2), fields.number("to", 2)
    taken = fields.number("number captured", 2)
    captured = tuple(fields.number(f"captured square {place}", 2) for place in range(1, taken + 1))
    return MoveFrame(seconds, origin, target, captured)


def _read_end(fields: _Fields) -> GameEnd:
    reason = EndReason(fields.choice("reason", "0123"))
    return GameEnd(reason, fields.choice("stop", "01") == "1")


def _read_chat(fields: _Fields) -> Chat:
    return Chat(fields.rest()[:LONGEST_CHAT])


def _read_back(fields: _Fields) -> BackRequest:
    return BackRequest(fields.number("move", 3), _COLOURS[fields.choice("colour", "WZ")])


def _read_back_answer(fields: _Fields) -> BackAccept:
    return BackAccept(BackAnswer(fields.choice("code", "012")))


_READERS: Mapping[str, Callable[[_Fields], Frame]] = {
    "R": _read_request,
    "A": _read_accept,
    "M": _read_move,
    "E": _read_end,
    "C": _read_chat,
    "B": _read_back,
    "K": _read_back_answer,
}
