"""What squares are called in each game, and how its players write captures."""

from __future__ import annotations

import pytest
from rules.strategies import every_variant

from turkengine.errors import PositionError
from turkengine.games import variant_named
from turkengine.notation import fen, moves, squares
from turkengine.notation.squares import Naming
from turkengine.rules.position import Position
from turkengine.rules.variant import Variant


@pytest.mark.parametrize(
    ("game", "far_left", "near_right", "extent", "start"),
    [
        ("russian", "b8", "g1", "a1 to h8", None),
        ("english", "1", "32", "1 to 32", "B:W21-32:B1-12"),
        ("italian", "1", "32", "1 to 32", "W:W21-32:B1-12"),
        ("spanish", "32", "1", "1 to 32", "W:W1-12:B21-32"),
        ("thai", "32", "1", "1 to 32", "B:W1-8:B25-32"),
        ("spantsireti", "b8", "i1", "a1 to j8", None),
        ("armenian", "a8", "h1", "a1 to h8", None),
    ],
)
def test_the_corners_are_called(game: str, far_left: str, near_right: str, extent: str, start: str | None) -> None:
    board = variant_named(game).board
    assert board.names[board.reading_order[0]] == far_left
    assert board.names[board.reading_order[-1]] == near_right
    assert squares.extent(board) == extent
    if start is not None:
        assert fen.write(Position.start(variant_named(game))) == start


def test_dark_squares_with_letters_may_be_numbered_in_a_fen_as_servers_do() -> None:
    russian = variant_named("russian")
    assert fen.read(russian, "W:W21-32:B1-12") == Position.start(russian)
    assert fen.write(fen.read(russian, "B:WK1,29:Bh8,28")) == "B:WKb8,a1:Bh8,h2"
    with pytest.raises(PositionError, match="the range 'a1-h2' needs numbered squares"):
        fen.read(russian, "W:Wa1-h2:Bb8")


@every_variant
def test_every_name_stands_for_its_square_with_letters_and_as_numbers(variant: Variant) -> None:
    for naming in Naming:
        for square, name in enumerate(squares.names(variant.board, naming)):
            assert squares.square_named(variant.board, name) == square


@pytest.mark.parametrize("text", ["c3:e5", "c3xe5", "c3-e5", "c3e5", "C3 : E5", "22x15", "c3xe5xd4"])
def test_a_capture_is_read_as_any_game_writes_it(text: str) -> None:
    position = fen.read(variant_named("russian"), "W:Wc3:Bd4")
    assert moves.written(position, moves.read(position, text)) == "c3:e5"


def test_only_what_people_read_has_the_sign_of_the_game() -> None:
    russian = fen.read(variant_named("russian"), "W:Wh6:Bg7,c5,d2")
    (move,) = russian.legal_moves()
    assert (moves.written(russian, move), moves.landing(russian, move), moves.hub(russian, move)) == (
        "h6:e1",
        "h6xe1",
        "h6xe1xg7xc5xd2",
    )
    assert str(move) == "h6xe1"


def test_of_a_capture_begun_the_landing_squares_may_be_named() -> None:
    position = fen.read(variant_named("russian"), "W:Wh6:Bg7,c5,d2")
    assert moves.full(position, moves.read(position, "h6:f8:b4:e1")) == "h6xf8xb4xe1"
