"""Engines by their names: plain values that make an engine wherever they are sent."""

from __future__ import annotations

from dataclasses import dataclass

from turkengine.api.engine import BaseEngine, Engine
from turkengine.api.external import ExternalEngine

BUILTIN = "builtin"


@dataclass(frozen=True)
class EngineNamed:
    """What makes an engine.

    Attributes:
        name: `builtin`, or another one as `hub:COMMAND`, `hub1:COMMAND` or `uci:COMMAND`.
        hash: MiB of the table of ours.
    """

    name: str
    hash: int

    def __call__(self) -> BaseEngine:
        """One engine.

        Raises:
            OptionError: the name is none, or the table cannot be had.
        """
        return Engine(hash=self.hash) if self.name == BUILTIN else ExternalEngine(self.name)
