"""turkengine: a draughts engine for International draughts, Turkish draughts and Croda.

    import turkengine

    with turkengine.Engine() as engine:
        position = turkengine.Position().play("32-28")
        analysis = engine.analyse(position, turkengine.Limit(time=0.1))
        print(analysis.score, position.line_texts(analysis.line))

The names of `__all__` are there for programs and stay. They are loaded when they are first used, so that the rules and
the notations work where the kernel has not been built, and the engine starts without what it does not need.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from turkengine.api.analysis import Analysis as Analysis
    from turkengine.api.analysis import Info as Info
    from turkengine.api.engine import Engine as Engine
    from turkengine.api.engine import PlayResult as PlayResult
    from turkengine.api.external import ExternalEngine as ExternalEngine
    from turkengine.api.game import Game as Game
    from turkengine.api.game import Node as Node
    from turkengine.api.game import read_games as read_games
    from turkengine.api.limit import Limit as Limit
    from turkengine.api.limit import PovScore as PovScore
    from turkengine.api.position import Position as Position
    from turkengine.client.contract import ClientError as ClientError
    from turkengine.engine.chances import Chances as Chances
    from turkengine.engine.report import Bound as Bound
    from turkengine.engine.score import Score as Score
    from turkengine.errors import AmbiguousMoveError as AmbiguousMoveError
    from turkengine.errors import BookError as BookError
    from turkengine.errors import EndgameError as EndgameError
    from turkengine.errors import IllegalMoveError as IllegalMoveError
    from turkengine.errors import MoveError as MoveError
    from turkengine.errors import OptionError as OptionError
    from turkengine.errors import PdnError as PdnError
    from turkengine.errors import PositionError as PositionError
    from turkengine.errors import TurkengineError as TurkengineError
    from turkengine.errors import UnreadableMoveError as UnreadableMoveError
    from turkengine.errors import VariantError as VariantError
    from turkengine.games import VARIANTS as VARIANTS
    from turkengine.games import variant_named as variant_named
    from turkengine.rules.irregularity import Irregularity as Irregularity
    from turkengine.rules.move import Move as Move
    from turkengine.rules.outcome import Outcome as Outcome
    from turkengine.rules.reason import Reason as Reason
    from turkengine.rules.variant import Side as Side
    from turkengine.rules.variant import Variant as Variant

_HOMES = {
    "api.analysis": ("Analysis", "Info"),
    "api.engine": ("Engine", "PlayResult"),
    "api.external": ("ExternalEngine",),
    "api.game": ("Game", "Node", "read_games"),
    "api.limit": ("Limit", "PovScore"),
    "api.position": ("Position",),
    "client.contract": ("ClientError",),
    "engine.chances": ("Chances",),
    "engine.report": ("Bound",),
    "engine.score": ("Score",),
    "errors": (
        *("AmbiguousMoveError", "BookError", "EndgameError", "IllegalMoveError", "MoveError", "OptionError"),
        *("PdnError", "PositionError", "TurkengineError", "UnreadableMoveError", "VariantError"),
    ),
    "rules.irregularity": ("Irregularity",),
    "rules.move": ("Move",),
    "rules.outcome": ("Outcome",),
    "rules.reason": ("Reason",),
    "rules.variant": ("Side", "Variant"),
    "games": ("VARIANTS", "variant_named"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> object:
    """A public name, loaded now."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
