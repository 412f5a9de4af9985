"""The names of `turkengine`: those that stay, and that each of them is there and documented."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import turkengine

NAMES = {
    *("VARIANTS", "Variant", "variant_named", "Side"),
    *("Position", "Move", "Outcome", "Reason", "Irregularity"),
    *("Game", "Node", "read_games"),
    *("Engine", "ExternalEngine", "Analysis", "Info", "Limit", "PlayResult"),
    *("Bound", "Score", "PovScore", "Chances"),
    *("TurkengineError", "PositionError", "MoveError", "UnreadableMoveError", "AmbiguousMoveError"),
    *("IllegalMoveError", "OptionError", "VariantError", "PdnError", "ClientError"),
    *("BookError", "EndgameError"),
    "__version__",
}


def test_the_public_names_are_those_that_were_promised() -> None:
    assert set(turkengine.__all__) == NAMES


@pytest.mark.parametrize("name", sorted(NAMES - {"__version__", "VARIANTS"}))
def test_a_public_name_is_there_and_documented(name: str) -> None:
    assert inspect.getdoc(getattr(turkengine, name))


@pytest.mark.parametrize(
    "name", ["Position", "Game", "Node", "Engine", "ExternalEngine", "Analysis", "Info", "Limit", "PovScore"]
)
def test_every_public_method_is_documented_and_typed(name: str) -> None:
    for method, value in inspect.getmembers(getattr(turkengine, name)):
        if method.startswith("_") or not (inspect.isfunction(value) or isinstance(value, property)):
            continue
        function = value.fget if isinstance(value, property) else value
        assert inspect.getdoc(value), method
        assert "return" in function.__annotations__, method


def test_type_checkers_see_the_same_names_as_programs() -> None:
    tree = ast.parse(Path(turkengine.__file__).read_text(encoding="utf-8"))
    (checked,) = [node for node in tree.body if isinstance(node, ast.If)]
    shown = {alias.asname for node in checked.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert shown == NAMES - {"__version__"}


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'turkengine' has no attribute 'Bishop'"):
        turkengine.Bishop  # noqa: B018


def test_everything_can_be_imported_with_a_star() -> None:
    script = "from turkengine import *\nprint(Position().fen())"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout == "W:W31-50:B1-20\n"
