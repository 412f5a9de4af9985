"""The files of figures in the folder of a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from turkengine import cli, games
from turkengine.errors import VariantError


@pytest.mark.parametrize("text", ["{", "[]", "", "null", '{"a": 1}', '{"elo": "x"}', "\udcff"])
def test_a_damaged_file_of_figures_is_named(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "HERE", tmp_path)
    games.measured.cache_clear()
    (tmp_path / "croda").mkdir()
    (tmp_path / "croda" / "levels.json").write_text(text, "utf-8", "surrogateescape")
    with pytest.raises(VariantError, match=r"levels\.json is damaged: .*; put back the one"):
        games.measured(games.CRODA, "levels", elo=list)
    games.measured.cache_clear()


def test_the_command_says_in_a_line_what_is_damaged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def damaged() -> int:
        raise VariantError("levels.json is damaged")

    monkeypatch.setattr(cli, "_main", damaged)
    monkeypatch.setattr(cli.interruption, "install", lambda: None)
    assert cli.main() == cli.DAMAGED
    assert capsys.readouterr().err == "turkengine: levels.json is damaged\n"
