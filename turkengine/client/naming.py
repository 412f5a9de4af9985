"""Engines as they are named on a command line and in files: a kind, a colon, and what the kind needs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from turkengine.client.builtin import BuiltinClient
from turkengine.client.contract import Client
from turkengine.client.dialects import TALKS as TALKS
from turkengine.client.dxp import DxpClient
from turkengine.client.lines import LineClient
from turkengine.client.process import words_of
from turkengine.errors import OptionError, shown
from turkengine.wire.address import AddressError, address

AUTO = "auto"  # a program whose dialect is found out
KINDS = ("builtin", *TALKS, AUTO, "dxp")
FORMS = "builtin[:OPTION=VALUE,...], hub:COMMAND, hub1:COMMAND, uci:COMMAND, auto:COMMAND, dxp:HOST:PORT"


def client_from(
    text: str, *, name: str = "", options: Mapping[str, str] | None = None, directory: Path | None = None
) -> Client:
    """The engine that `text` names, not yet started.

    Args:
        text: one of `FORMS`, or a command alone, if there is such a program: it is asked what it speaks.
        name: what it is called here; what it calls itself if empty.
        options: set by name before the first game, for all kinds but dxp, which has no word for them.
        directory: where a program runs; the current one if None.

    Raises:
        OptionError: the text names none, or an option is wrong; the message says what would be right.
    """
    kind, colon, rest = text.strip().partition(":")
    if kind not in KINDS and _is_program(text.strip(), directory):
        kind, rest = AUTO, text
    rest, given = rest.strip(), dict(options or {})
    if kind in TALKS or kind == AUTO:
        if not rest:
            raise OptionError(f"{shown(text)} lacks the command; write {kind}:COMMAND, as in {kind}:turkengine hub")
        return LineClient(rest, TALKS.get(kind), name, given, directory)
    if directory is not None:
        raise OptionError(f"{shown(text)} starts no program, so it takes no folder")
    if kind == "builtin":
        return BuiltinClient(name, {**_pairs(rest), **given})
    if kind == "dxp":
        if given:
            raise OptionError(f"{shown(text)} takes no options; set {', '.join(given)} where it is started")
        try:
            return DxpClient(address(rest), name)
        except AddressError as error:
            raise OptionError(f"{shown(text)} names no engine: {error}") from None
    said = "has no such kind" if colon else "has no kind"
    raise OptionError(f"the engine {shown(text)} {said}; write one of {FORMS}")


def _is_program(command: str, directory: Path | None) -> bool:
    """Whether a text begins with the name of a program that is there."""
    try:
        program = words_of(command)[0]
    except OptionError:
        return False
    return shutil.which(directory / program if directory is not None and os.sep in program else program) is not None


def _pairs(text: str) -> dict[str, str]:
    """OPTION=VALUE,..."""
    pairs: dict[str, str] = {}
    for pair in filter(None, text.split(",")):
        name, equals, value = pair.partition("=")
        if not equals:
            raise OptionError(f"{shown(pair)} is not a setting of the built-in engine; write OPTION=VALUE")
        pairs[name.strip()] = value.strip()
    return pairs
