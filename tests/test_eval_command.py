"""`turkengine eval` as a user sees it."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner, Result

from turkengine import commands


def run(*arguments: str) -> Result:
    return CliRunner().invoke(commands.turkengine, ["eval", *arguments], prog_name="turkengine")


def test_the_start_of_the_usual_game_is_shown_without_arguments() -> None:
    shown = run()
    assert shown.exit_code == 0
    assert shown.output == run("start").output
    assert shown.output == run("W:W31-50:B1-20").output
    assert shown.output.splitlines()[-1] == "Result: none, White to move"


@pytest.mark.parametrize("variant", ["international", "turkish", "croda"])
def test_each_worth_stands_under_its_piece(variant: str) -> None:
    lines = run("--variant", variant).output.splitlines()
    ranks = [index for index, line in enumerate(lines) if " b " in line or " w " in line]
    assert len(ranks) == {"international": 8, "turkish": 4, "croda": 6}[variant]
    for rank in ranks:
        pieces, worths = lines[rank].rpartition("   ")[0], lines[rank + 1]
        assert [found.end() for found in re.finditer(r"\S+", worths)] == [
            found.end() for found in re.finditer(r"[bw]", pieces)
        ]


def test_the_last_lines_sum_up() -> None:
    *_, together, score, result = run("--variant", "turkish", "B:Wb2,Kd1:Ba6,b6").output.splitlines()
    white = float(together.split()[-1])
    assert white > 0
    assert score == f"Evaluation: {-white:+.2f} men (Black, the side to move)"
    assert result == "Result: none, Black to move"


def test_a_game_that_is_over_is_said_to_be_over() -> None:
    assert run("--variant", "turkish", "W:Wd4:B").output.splitlines()[-1].startswith("Result: White has won")


def test_programs_get_one_object_in_men() -> None:
    told = json.loads(run("--variant", "turkish", "B:Wb2,Kd1:Ba6,b6", "--json").output)
    assert (told["schema"], told["version"]) == ("turkengine-eval", 1)
    assert (told["variant"], told["fen"], told["side"]) == ("turkish", "B:Wb2,Kd1:Ba6,b6", "B")
    assert told["score"] == -told["white"]
    assert [one["square"] for one in told["pieces"]] == ["a6", "b6", "b2", "d1"]
    assert [one["piece"] for one in told["pieces"]] == ["b", "b", "w", "W"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("W:W99:B1", "turkengine: there is no square '99'; the squares are 1 to 50\n"),
        ("nothing", "turkengine: a FEN begins with the side to move, 'W:' or 'B:', not with 'nothing'\n"),
    ],
)
def test_what_is_no_position_is_refused_in_one_line(text: str, complaint: str) -> None:
    refused = run(text)
    assert (refused.exit_code, refused.output) == (2, complaint)
