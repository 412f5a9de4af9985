"""Which article a wrong move breaks, in every game, and what stands if the opponent does not mind."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules.irregular import cases
from rules.strategies import anywhere

from turkengine.errors import MoveError
from turkengine.games import CRODA, INTERNATIONAL, KILLER, TURKISH, TURKISH_APP, VARIANTS, variant_named
from turkengine.notation import fen, moves
from turkengine.rules.attempt import Attempt, stand
from turkengine.rules.irregularity import ARTICLES, Irregularity, explain
from turkengine.rules.position import Position
from turkengine.rules.variant import Variant

SQUARES_8X8 = (TURKISH, TURKISH_APP, CRODA, variant_named("armenian"))
SMALL_DARK = [variant for variant in VARIANTS if variant.board.dark_only and variant.board.ranks == 8]

# A man that can take two, a man that can take one, and a piece out of reach: International and the 8x8 games.
TWO_OR_ONE = {10: "W:W28,37,48:B12,22,31,K50", 8: "W:Wd4,a2,g6:Bd5,d7,g7,b8"}


def after(variant: Variant, position: str, line: str = "") -> Position:
    reached = fen.read(variant, position) if position != "start" else Position.start(variant)
    for text in line.split():
        reached = reached.play(moves.read(reached, text))
    return reached


def explained(position: Position, text: str) -> Irregularity:
    with pytest.raises(MoveError):
        moves.read(position, text)
    return explain(position, moves.attempt_of(position, text))


def test_the_list_is_complete_and_says_which_articles_take_hands() -> None:
    assert list(ARTICLES) == [f"5.4.{number}" for number in range(1, 18)]
    physical = [article.number for article in ARTICLES.values() if article.physical]
    assert physical == ["5.4.3", "5.4.10", "5.4.13", "5.4.15", "5.4.16", "5.4.17"]


INTERNATIONAL_CASES = [
    ("5.4.1", "start", "32-28", "31-27"),
    ("5.4.5", "start", "", "19-23"),
    ("5.4.7", "start", "", "32-28x19"),
    ("5.4.6", TWO_OR_ONE[10], "", "48-43"),
    ("5.4.14", TWO_OR_ONE[10], "", "28x8x12x22x48"),
    ("5.4.12", TWO_OR_ONE[10], "", "28x8x12x22x31"),
    ("5.4.12", TWO_OR_ONE[10], "", "28x8x12x31"),
    ("5.4.11", TWO_OR_ONE[10], "", "28x8x12"),
    ("5.4.9", TWO_OR_ONE[10], "", "28x17"),
    ("5.4.9", TWO_OR_ONE[10], "", "28x17x22"),
    ("5.4.9", TWO_OR_ONE[10], "", "28x22"),
    ("5.4.2", "start", "", "32-22"),
    ("5.4.2", "start", "", "32-37"),
    ("5.4.2", "start", "", "32-19"),  # onto an enemy that it cannot reach
    ("5.4.2", "start", "", "32x23"),  # a capture that jumps nothing
    ("5.4.2", "W:W32:B19,23", "", "32x23x19"),  # two that it cannot reach
    ("5.4.2", TWO_OR_ONE[10], "", "28x8x12x22x22"),
    ("5.4.8", TWO_OR_ONE[10], "", "37x26"),
    ("5.4.8", TWO_OR_ONE[10], "", "37x26x31"),
]
SMALL_BOARD_CASES = [
    ("5.4.1", "start", "a3-a4", "b3-b4"),
    ("5.4.5", "start", "", "a6-a5"),
    ("5.4.7", "start", "", "a3-a4xa6"),
    ("5.4.6", TWO_OR_ONE[8], "", "a2-a3"),
    ("5.4.14", TWO_OR_ONE[8], "", "d4xd8xd5xd7xa2"),
    ("5.4.12", TWO_OR_ONE[8], "", "d4xd8xd5xd7xg7"),
    ("5.4.12", TWO_OR_ONE[8], "", "d4xd8xd5xg7"),
    ("5.4.11", TWO_OR_ONE[8], "", "d4xd8xd5"),
    ("5.4.9", TWO_OR_ONE[8], "", "d4xd6"),
    ("5.4.9", TWO_OR_ONE[8], "", "d4xd6xd5"),
    ("5.4.9", TWO_OR_ONE[8], "", "d4xd5"),
    ("5.4.2", "start", "", "a3-a5"),
    ("5.4.2", "start", "", "b3-b2"),
    ("5.4.2", "start", "", "a3-a6"),
    ("5.4.2", "start", "", "a3xa5"),
    ("5.4.2", "W:Wa3:Ba6,a7", "", "a3xa6xa7"),
    ("5.4.2", TWO_OR_ONE[8], "", "d4xd8xd5xd7xd7"),
    ("5.4.8", TWO_OR_ONE[8], "", "g6xg8"),
    ("5.4.8", TWO_OR_ONE[8], "", "g6xg8xg7"),
]
CASES = [(variant, *case) for variant in (INTERNATIONAL, KILLER) for case in INTERNATIONAL_CASES]
CASES += [(variant, *case) for variant in SQUARES_8X8 for case in SMALL_BOARD_CASES]
CASES += [(variant, *case) for variant in SMALL_DARK for case in cases(variant)]


@pytest.mark.parametrize(
    ("variant", "article", "position", "line", "text"),
    CASES,
    ids=[f"{variant.name}-{article}-{text}" for variant, article, _, _, text in CASES],
)
def test_the_article_that_a_text_breaks(variant: Variant, article: str, position: str, line: str, text: str) -> None:
    irregularity = explained(after(variant, position, line), text)
    assert irregularity.article == article
    assert re.search(rf"\w \((4\.\d, )?{re.escape(article)}\)$", irregularity.sentence)
    assert "\n" not in irregularity.sentence


def test_every_article_that_can_arise_from_a_move_as_text_is_among_the_cases() -> None:
    arising = {article.number for article in ARTICLES.values() if not article.physical} - {"5.4.4"}
    for variant in VARIANTS:
        choice = {"5.4.8"} if not variant.capture_priority else set()  # any capture may be chosen
        assert {article for game, article, *_ in CASES if game is variant} == arising - choice


@pytest.mark.parametrize(
    ("variant", "position", "line", "text", "sentence"),
    [
        (TURKISH, "W:Wc4,a2:Bc5,h7", "", "a2-a3", "c4xc6 captures one piece and is compulsory (5.4.6)"),
        (TURKISH, "start", "a3-a4", "b3-b4", "the man on b3 is White's and it is Black's turn (5.4.1)"),
        (TURKISH, "start", "", "a6-a5", "the man on a6 is Black's and it is White's turn (5.4.5)"),
        (TURKISH, "start", "", "a3-a4xa6", "a3-a4 jumps over nothing, so a6 must stay (5.4.7)"),
        (TURKISH, TWO_OR_ONE[8], "", "d4xd6", "d4xd6 stops in mid-capture after one piece of 2 (5.4.9)"),
        (
            TURKISH,
            TWO_OR_ONE[8],
            "",
            "d4xd8xd5",
            "d4xd8 also captures on d7; all captured pieces are removed (5.4.11)",
        ),
        (
            TURKISH,
            TWO_OR_ONE[8],
            "",
            "g6xg8",
            "g6xg8 captures one piece; d4xd8 captures 2 pieces and is compulsory (5.4.8)",
        ),
        (TURKISH, "start", "", "a3-a5", "a man moves one square forward or sideways (5.4.2)"),
        (
            INTERNATIONAL,
            "W:WK48,37:B1",
            "",
            "48-26",
            "a king moves any distance diagonally forward or backward over empty squares; "
            "37 holds a piece of its own side, which cannot be jumped (4.7, 5.4.2)",
        ),
        (
            INTERNATIONAL,
            "W:WK46:B41",
            "",
            "46x37x46",
            "a king moves any distance diagonally forward or backward over empty squares, "
            "and captures by jumping over one enemy piece with an empty square beyond; "
            "41 cannot be jumped a second time (4.8, 5.4.2)",
        ),
        (
            INTERNATIONAL,
            TWO_OR_ONE[10],
            "",
            "28x8x12x22x22",
            "a man moves one square diagonally forward, and captures by jumping over "
            "an enemy piece diagonally forward or backward; "
            "a piece is captured only once (4.8, 5.4.2)",
        ),
        (INTERNATIONAL, "start", "", "28-23", "there is no piece on 28"),
        (INTERNATIONAL, "start", "", "32-37", "a man moves one square diagonally forward; 37 is not empty (5.4.2)"),
        (
            INTERNATIONAL,
            "start",
            "",
            "32-19",
            "a man moves one square diagonally forward, and captures by jumping over "
            "an enemy piece diagonally forward or backward; 19 is not empty (5.4.2)",
        ),
        (
            TURKISH,
            "start",
            "",
            "a3-a6",
            "a man moves one square forward or sideways, and captures by jumping over an enemy piece forward or "
            "sideways; a6 is not empty (5.4.2)",
        ),
        (
            CRODA,
            "start",
            "",
            "a3-a6",
            "a man moves one square straight or diagonally forward, and captures by jumping over an enemy piece "
            "forward, sideways or backward; a6 is not empty (5.4.2)",
        ),
        (
            TURKISH,
            "W:WKb1:Bb6,b7",
            "",
            "b1-c3",
            "a king moves any distance forward, sideways or backward over empty squares (5.4.2)",
        ),
        (
            INTERNATIONAL,
            TWO_OR_ONE[10],
            "",
            "28x8x12x22x48",
            "28x8 cannot capture pieces of its own side: 48 (5.4.14)",
        ),
        (
            INTERNATIONAL,
            TWO_OR_ONE[10],
            "",
            "28x8x12x31",
            "28x8 does not jump over 31, so nothing may be removed there (5.4.12)",
        ),
        (INTERNATIONAL, TWO_OR_ONE[10], "", "28x8x12x21", "there is no piece to capture on 21 (5.4.12)"),
    ],
)
def test_the_sentence(variant: Variant, position: str, line: str, text: str, sentence: str) -> None:
    assert explained(after(variant, position, line), text).sentence == sentence


def test_where_pieces_leave_at_once_nothing_is_jumped_twice() -> None:
    assert "4.8" in explained(after(CRODA, "W:WKa1:Ba3"), "a1xa4xa1").sentence
    assert "4.8" not in explained(after(TURKISH, "W:WKa1:Ba3"), "a1xa4xa1").sentence


def test_saying_that_nothing_is_removed_is_not_saying_nothing() -> None:
    position = after(INTERNATIONAL, TWO_OR_ONE[10])
    assert explain(position, Attempt(27, 7, captured=())).article == "5.4.11"


def test_an_opponents_piece_in_a_position_without_history_is_no_second_move() -> None:
    assert explained(after(TURKISH, "W:Wa3:Ba6,b6"), "a6-a5").article == "5.4.5"


def test_a_legal_move_has_no_irregularity() -> None:
    with pytest.raises(ValueError, match="28x8 is a legal move"):
        explain(after(INTERNATIONAL, TWO_OR_ONE[10]), Attempt(27, 7))


@settings(deadline=None, max_examples=200)
@given(anywhere(), st.data())
def test_whatever_is_attempted_is_explained_and_may_stand_as_a_sound_position(
    position: Position, data: st.DataObject
) -> None:
    squares = st.integers(0, position.variant.board.size - 1)
    attempt = Attempt(
        data.draw(squares),
        data.draw(st.none() | squares),
        data.draw(st.none() | st.lists(squares, max_size=3).map(tuple)),
        data.draw(st.lists(squares, max_size=2).map(tuple)),
    )
    try:
        irregularity = explain(position, attempt)
    except ValueError:
        return
    assert irregularity.article is None or irregularity.article in ARTICLES
    standing = stand(position, attempt)
    if standing is not None:
        assert fen.read(standing.variant, fen.write(standing)) == standing


# --- Letting it stand ---


def standing(variant: Variant, position: str, text: str, line: str = "") -> str | None:
    reached = after(variant, position, line)
    left = stand(reached, moves.attempt_of(reached, text))
    return None if left is None else fen.write(left)


@pytest.mark.parametrize(
    ("variant", "position", "text", "left"),
    [
        (INTERNATIONAL, TWO_OR_ONE[10], "48-43", "B:W28,37,43:B12,22,31,K50"),  # the quiet move
        (INTERNATIONAL, TWO_OR_ONE[10], "28x17", "B:W17,37,48:B12,31,K50"),  # what was jumped so far leaves
        (INTERNATIONAL, TWO_OR_ONE[10], "28x8x12", "B:W8,37,48:B22,31,K50"),  # what was listed leaves
        (INTERNATIONAL, TWO_OR_ONE[10], "28x8x12x22x48", "B:W8,37:B31,K50"),  # the own piece too
        (INTERNATIONAL, TWO_OR_ONE[10], "28-14", "B:W14,37,48:B12,22,31,K50"),  # against the way of moving
        (INTERNATIONAL, "W:W32:BK5,22", "32-3", "B:WK3:BK5,22"),  # a man is crowned where it comes to rest
        (INTERNATIONAL, "W:WK46:B41,10", "46x23x46", "B:WK46:B10"),
        (TURKISH, TWO_OR_ONE[8], "g6xg8", "B:WKg8,d4,a2:Bb8,d7,d5"),
        (TURKISH, "W:Wa3:Ba6,b6", "a6-a5", "B:Wa3:Bb6,a5"),  # White has moved a black man: Black's turn
    ],
)
def test_the_position_if_it_stands(variant: Variant, position: str, text: str, left: str) -> None:
    assert standing(variant, position, text) == left


def test_after_two_moves_in_a_row_it_is_the_other_sides_turn() -> None:
    assert standing(TURKISH, "W:Wa3,b2:Ba6,b6", "b2-b3", line="a3-a4") == "B:Wa4,b3:Ba6,b6"


@pytest.mark.parametrize(
    ("variant", "position", "text"),
    [
        (INTERNATIONAL, TWO_OR_ONE[10], "28x22"),  # no square to go to
        (INTERNATIONAL, TWO_OR_ONE[10], "28-37"),  # the square is taken
        (INTERNATIONAL, "start", "28-23"),  # no piece to move
    ],
)
def test_a_text_that_defines_no_position_cannot_stand(variant: Variant, position: str, text: str) -> None:
    assert standing(variant, position, text) is None


def test_what_stands_has_no_history() -> None:
    reached = after(INTERNATIONAL, "W:WK48,37:BK1:H7", "48-42")
    left = stand(reached, moves.attempt_of(reached, "1-2"))
    assert left is not None
    assert (left.previous, left.no_progress, left.material_plies) == (None, 0, 0)
