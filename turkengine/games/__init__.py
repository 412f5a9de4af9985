"""The games there are. Each is a folder here; none is listed anywhere else.

The folder of a game is a package: its declaration is `VARIANT`. Beside it lies what has been made for the game, all of
it optional:

* `evaluation.weights`: the numbers of the evaluation (`kernel/weights.py`); without them pieces count by hand;
* `openings.book`: an opening book (`engine/book.py`);
* `tables/`: endgame tables (`kernel/endgames.py`);
* `levels.json`, `chances.json`: how strong the weakened levels are, and what a score means for the result;
* `bench.json`: the positions of the standing measurement.

To add a game is to add its folder: see `turkengine/training/README.md`.
"""

from __future__ import annotations

import copyreg
import json
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from turkengine.errors import VariantError, shown
from turkengine.rules.variant import Variant

HERE = Path(__file__).resolve().parent


def folder_of(variant: Variant) -> Path:
    """The folder of a game."""
    return HERE / folder_name(variant)


def folder_name(variant: Variant) -> str:
    """What the folder of a game is called: its name, as Python can import it."""
    return variant.name.replace("-", "_")


@cache
def measured(variant: Variant, what: str, **kinds: type) -> dict[str, Any] | None:
    """What has been measured for a game, as its file `what`.json holds it; None where nothing has.

    Args:
        kinds: the entries that it must have.

    Raises:
        VariantError: the file is damaged.
    """
    path = folder_of(variant) / f"{what}.json"
    try:
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
        wrong = [name for name, kind in kinds.items() if not isinstance(found[name], kind)]
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        wrong = [str(error)]
    if wrong:
        raise VariantError(f"{path} is damaged: {', '.join(wrong)}; put back the one that came with the program")
    return found


def _declared() -> tuple[Variant, ...]:
    """The declarations, in the order in which lists give the games."""
    names = (path.parent.name for path in HERE.glob("*/__init__.py"))
    found: list[Variant] = [import_module(f"{__name__}.{name}").VARIANT for name in names]
    return tuple(sorted(found, key=lambda variant: (variant.place, variant.name)))


VARIANTS = _declared()


def __getattr__(name: str) -> Variant:
    """Each game also by its name in capitals: `games.TURKISH_APP`."""
    for variant in VARIANTS:
        if folder_name(variant).upper() == name:
            return variant
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_BY_NAME = {name: variant for variant in VARIANTS for name in (variant.name, *variant.aliases)}


def variant_named(name: str) -> Variant:
    """The variant of this name or alias, in any case.

    Raises:
        TypeError: this is no name.
        VariantError: no variant is called so; the message lists those there are.
    """
    if not isinstance(name, str):
        raise TypeError(f"name takes a text, not a value of the type {type(name).__name__}")
    try:
        return _BY_NAME[name.strip().lower()]
    except KeyError:
        known = ", ".join(_BY_NAME)
        raise VariantError(f"no variant is called {shown(name)}; there are {known}") from None


def _sent(variant: Variant) -> str | tuple[Any, ...]:
    """What pickle keeps: the name of one that is declared here, so that it is this very object wherever it arrives."""
    if any(variant is declared for declared in VARIANTS):
        return variant_named, (variant.name,)
    return variant.__reduce_ex__(2)


copyreg.pickle(Variant, _sent)
