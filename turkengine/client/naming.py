"""Engines as they are named on a command line and in files: a kind, a colon, and what the kind needs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from turkengine.client.builtin import BuiltinClient
from turkengine.client.contract import Client
from turkengine.client.dxp import DxpClient
from turkengine.client.lines import LineClient
from turkengine.errors import OptionError, shown
from turkengine.wire.address import AddressError, address
from turkengine.wire.client_session import ClientSession
from turkengine.wire.hub1_client import Hub1ClientSession
from turkengine.wire.hub_client import HubClientSession
from turkengine.wire.uci_client import UciClientSession

TALKS: Mapping[str, type[ClientSession]] = {
    talk.dialect: talk for talk in (HubClientSession, Hub1ClientSession, UciClientSession)
}
FORMS = "builtin[:OPTION=VALUE,...], hub:COMMAND, hub1:COMMAND, uci:COMMAND, dxp:HOST:PORT"


def client_from(
    text: str, *, name: str = "", options: Mapping[str, str] | None = None, directory: Path | None = None
) -> Client:
    """The engine that `text` names, not yet started.

    Args:
        text: one of `FORMS`.
        name: what it is called here; what it calls itself if empty.
        options: set by name before the first game, for all kinds but dxp, which has no word for them.
        directory: where a program runs; the current one if None.

    Raises:
        OptionError: the text names none, or an option is wrong; the message says what would be right.
    """
    kind, colon, rest = text.strip().partition(":")
    rest, given = rest.strip(), dict(options or {})
    if directory is not None and kind not in TALKS:
        raise OptionError(f"{shown(text)} starts no program, so it takes no folder")
    if kind == "builtin":
        return BuiltinClient(name, {**_pairs(rest), **given})
    if kind in TALKS:
        if not rest:
            raise OptionError(f"{shown(text)} lacks the command; write {kind}:COMMAND, as in {kind}:turkengine hub")
        return LineClient(rest, TALKS[kind], name, given, directory)
    if kind == "dxp":
        if given:
            raise OptionError(f"{shown(text)} takes no options; set {', '.join(given)} where it is started")
        try:
            return DxpClient(address(rest), name)
        except AddressError as error:
            raise OptionError(f"{shown(text)} names no engine: {error}") from None
    said = "has no such kind" if colon else "has no kind"
    raise OptionError(f"the engine {shown(text)} {said}; write one of {FORMS}")


def _pairs(text: str) -> dict[str, str]:
    """OPTION=VALUE,..."""
    pairs: dict[str, str] = {}
    for pair in filter(None, text.split(",")):
        name, equals, value = pair.partition("=")
        if not equals:
            raise OptionError(f"{shown(pair)} is no setting of the built-in engine; write OPTION=VALUE")
        pairs[name.strip()] = value.strip()
    return pairs
