"""Files of weights that are damaged where no checksum looks: in their first line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from turkengine.errors import WeightsError
from turkengine.games import TURKISH
from turkengine.kernel.weights import path_of, read


def changed(folder: Path, **fields: Any) -> Path:
    """The weights of Turkish draughts with other fields in their first line."""
    line, _, rest = path_of(TURKISH).read_bytes().partition(b"\n")
    path = folder / "turkish.weights"
    path.write_bytes(json.dumps({**json.loads(line), **fields}).encode() + b"\n" + rest)
    return path


@pytest.mark.parametrize("value", [1e30, -1e30, float("nan"), float("inf"), "7", None, True, [], 3001])
@pytest.mark.parametrize("field", ["men", "kings", "base"])
def test_a_value_that_is_no_sensible_number_is_refused(tmp_path: Path, field: str, value: object) -> None:
    values = json.loads(path_of(TURKISH).read_bytes().partition(b"\n")[0])[field]
    path = changed(tmp_path, **{field: [value, *values[1:]]})
    with pytest.raises(WeightsError, match=r"turkish\.weights holds a value that is not a number of hundredths"):
        read(path, TURKISH)


@pytest.mark.parametrize(
    "search", [{"window": 10**30}, {"window": "16"}, {"window": 16.5}, {"window": None}, {"widow": 16}, 7, None]
)
def test_a_setting_that_is_none_is_refused(tmp_path: Path, search: object) -> None:
    with pytest.raises(WeightsError, match=r"turkish\.weights holds a setting that is none"):
        read(changed(tmp_path, search=search), TURKISH)


def test_whole_numbers_are_values_too(tmp_path: Path) -> None:
    read(changed(tmp_path, base=[0, 1, -2, 3]), TURKISH)
