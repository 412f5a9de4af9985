"""What the declarations say, and that each trait is read: a position in which it alone decides."""

from __future__ import annotations

import copy
import pickle
from dataclasses import fields, replace
from typing import Any

import pytest

from turkengine.errors import VariantError
from turkengine.games import CRODA, INTERNATIONAL, KILLER, TURKISH, TURKISH_APP, VARIANTS, variant_named
from turkengine.notation import fen, moves
from turkengine.rules.board import BACKWARD, DIAGONAL, FORWARD, LEFT, LETTERED_8X8, ORTHOGONAL, RIGHT
from turkengine.rules.outcome import outcome, result
from turkengine.rules.position import Position
from turkengine.rules.variant import CapturePriority, Landing, Progress, Promotion, Removal, Side, Variant

ANY, BEHIND, LAST_KING = Landing.ANY_BEYOND, Landing.DIRECTLY_BEHIND, Landing.BEHIND_LAST_KING
LATE, AT_ONCE = Removal.AFTER_MOVE, Removal.IMMEDIATE
MOST = CapturePriority.MOST_PIECES
KING_FIRST, KINGS, EARLIEST = CapturePriority.BY_KING, CapturePriority.MOST_KINGS, CapturePriority.KINGS_EARLIEST
ENDS, STOPS, GOES_ON = Promotion.WHERE_MOVE_ENDS, Promotion.ENDS_MOVE, Promotion.GOES_ON

TRAITS = ("pieces_per_side", "king_landing", "removal", "capture_priority", "promotion", "begins", "game_type")
TRUTH = {
    "international": (20, ANY, LATE, (MOST,), ENDS, Side.WHITE, "20,W,10,10,N2,0"),
    "turkish": (16, ANY, AT_ONCE, (MOST,), ENDS, Side.WHITE, "30,W,8,8,A0,0"),
    "turkish-app": (16, BEHIND, AT_ONCE, (MOST,), ENDS, Side.WHITE, "30,W,8,8,A0,0"),
    "croda": (24, ANY, LATE, (MOST,), ENDS, Side.WHITE, None),
    "killer": (20, LAST_KING, LATE, (MOST,), ENDS, Side.WHITE, None),
    "brazilian": (12, ANY, LATE, (MOST,), ENDS, Side.WHITE, "26,W,8,8,A0,0"),
    "russian": (12, ANY, LATE, (), GOES_ON, Side.WHITE, "25,W,8,8,A0,0"),
    "pool": (12, ANY, LATE, (), ENDS, Side.WHITE, "23,W,8,8,A0,0"),
    "english": (12, BEHIND, LATE, (), STOPS, Side.BLACK, "21,B,8,8,N1,0"),
    "italian": (12, BEHIND, LATE, (MOST, KING_FIRST, KINGS, EARLIEST), STOPS, Side.WHITE, "22,W,8,8,N2,1"),
    "spanish": (12, ANY, LATE, (MOST, KINGS), ENDS, Side.WHITE, "24,W,8,8,N1,1"),
    "portuguese": (12, ANY, LATE, (MOST, KINGS), ENDS, Side.WHITE, "28,W,8,8,N1,1"),
    "czech": (12, ANY, LATE, (KING_FIRST,), ENDS, Side.WHITE, "29,W,8,8,A0,0"),
    "german": (12, ANY, LATE, (), ENDS, Side.WHITE, None),
    "spantsireti": (15, ANY, LATE, (MOST,), ENDS, Side.WHITE, "41,W,10,8,A0,0"),
    "thai": (8, BEHIND, AT_ONCE, (), ENDS, Side.BLACK, "31,B,8,8,N2,0"),
    "armenian": (16, ANY, AT_ONCE, (MOST,), ENDS, Side.WHITE, None),
}
RUSSIAN, POOL, ENGLISH, ITALIAN, SPANISH, CZECH, THAI, ARMENIAN = map(
    variant_named, ("russian", "pool", "english", "italian", "spanish", "czech", "thai", "armenian")
)
EXCEPTIONS = {  # of traits in which nearly all games agree: what is usual, and who does otherwise
    "reversal_banned": (False, {"turkish": True, "turkish-app": True, "croda": True, "armenian": True}),
    "repetitions": (3, {"italian": 4}),
    "one_piece_each_draws": (False, {"turkish": True, "turkish-app": True, "armenian": True}),
    "lone_man_loses": (False, {"turkish-app": True}),
    "kings_fly": (True, {"english": False, "italian": False}),
    "men_take_kings": (True, {"italian": False}),
    "king_captures": ((), {"armenian": ORTHOGONAL}),
    "capture_sign": ("x", {"russian": ":"}),
    "king_directions": (
        DIAGONAL,
        dict.fromkeys(("turkish", "turkish-app", "croda"), ORTHOGONAL) | {"armenian": (*ORTHOGONAL, *DIAGONAL)},
    ),
}


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_each_game_declares(variant: Variant) -> None:
    assert tuple(getattr(variant, trait) for trait in TRAITS) == TRUTH[variant.name]
    usual = {trait: others.get(variant.name, value) for trait, (value, others) in EXCEPTIONS.items()}
    assert {trait: getattr(variant, trait) for trait in EXCEPTIONS} == usual


def test_the_app_differs_from_turkish_in_two_readings_of_the_text() -> None:
    names = {trait.name for trait in fields(Variant)} - {"name", "place", "title"}
    differing = {name for name in names if getattr(TURKISH, name) != getattr(TURKISH_APP, name)}
    assert differing == {"king_landing", "lone_man_loses"}


@pytest.mark.parametrize(
    ("variant", "white"),
    [
        (INTERNATIONAL, ("31", "50")),
        (TURKISH, ("a2", "h3")),
        (TURKISH_APP, ("a2", "h3")),
        (CRODA, ("a1", "h3")),
        (KILLER, ("31", "50")),
        *((game, ("a3", "g1")) for game in VARIANTS if game.board == LETTERED_8X8),
        (variant_named("spantsireti"), ("a3", "i1")),
        (variant_named("english"), ("21", "32")),
        (variant_named("italian"), ("21", "32")),
        (variant_named("spanish"), ("12", "1")),
        (variant_named("portuguese"), ("12", "1")),
        (variant_named("thai"), ("8", "1")),
        (variant_named("armenian"), ("a2", "h3")),
    ],
)
def test_white_starts_at_the_near_edge(variant: Variant, white: tuple[str, str]) -> None:
    start = Position.start(variant)
    home = [variant.board.names[square] for square, cell in enumerate(start.cells) if cell == "w"]
    assert (home[0], home[-1]) == white
    assert start.side is variant.begins
    assert start.count(Side.BLACK) == (0, variant.pieces_per_side)


def test_a_variant_is_found_by_its_name_or_alias_in_any_case() -> None:
    assert variant_named("normal") is variant_named(" International ") is INTERNATIONAL
    assert variant_named("turkish-app") is TURKISH_APP


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(VariantError, match=r"'shogi'.*international, normal, turkish, turkish-app, croda, killer, "):
        variant_named("shogi")


def legal(variant: Variant, position: str) -> set[str]:
    """The legal moves of a position in Hub form."""
    read = fen.read(variant, position)
    return {moves.hub(read, move) for move in read.legal_moves()}


@pytest.mark.parametrize("trait", ["capture_priority", "promotion"])
def test_a_value_that_nobody_has_written_the_rules_for_gives_no_moves_rather_than_wrong_ones(trait: str) -> None:
    with pytest.raises(AssertionError):
        legal(replace(CRODA, **{trait: None}), "W:Wd4:Bd5")


COUP_TURC = "B:Wd3,e1,e2,g2,f3:BKd8"
UP_AND_DOWN = "W:WKa4:Ba6,a2"
UP_OR_DOWN = "a4xa7xa6 a4xa8xa6 a4xa1xa2"

DECIDING = [  # in this position the trait alone makes the moves others: declared, changed
    (INTERNATIONAL, {"man_steps": DIAGONAL}, "W:W28:B1", "28-22 28-23", "28-22 28-23 28-32 28-33"),
    (INTERNATIONAL, {"man_captures": INTERNATIONAL.man_steps}, "W:W28:B33", "28x39x33", "28-22 28-23"),
    (INTERNATIONAL, {"king_directions": ORTHOGONAL}, "W:WK45:B23", "45x18x23 45x12x23 45x7x23 45x1x23", ""),
    (INTERNATIONAL, {"king_landing": Landing.DIRECTLY_BEHIND}, "W:WK46:B19", "46x14x19 46x10x19 46x5x19", "46x14x19"),
    (INTERNATIONAL, {"removal": Removal.IMMEDIATE}, "W:WK13:B9,11,18", "13x6x11x18", "13x6x9x11x18"),
    (TURKISH, {"man_steps": (FORWARD,)}, "W:Wd4:Bh8", "d4-d5 d4-e4 d4-c4", "d4-d5"),
    (TURKISH, {"man_captures": (BACKWARD,)}, "W:Wd4:Bd3", "d4-d5 d4-e4 d4-c4", "d4xd2xd3"),
    (TURKISH, {"king_directions": DIAGONAL}, "W:WKa1:Ba7,g7", "a1xa8xa7", "a1xh8xg7"),
    (TURKISH, {"removal": Removal.AFTER_MOVE}, COUP_TURC, "d8xe1xd3xf3xe2xg2xe1", "d8xe3xd3xf3xg2xe1"),
    (TURKISH, {"reversal_banned": False}, UP_AND_DOWN, UP_OR_DOWN, "a4xa7xa6xa2 a4xa8xa6xa2 a4xa1xa6xa2"),
    (TURKISH_APP, {"king_landing": Landing.ANY_BEYOND}, "W:WKa5:Ba6", "a5xa7xa6", "a5xa7xa6 a5xa8xa6"),
    (CRODA, {"man_steps": (FORWARD,)}, "W:Wd4:Bh8", "d4-d5 d4-e5 d4-c5", "d4-d5"),
    (CRODA, {"man_captures": (FORWARD, RIGHT, LEFT)}, "W:Wd4:Bd3", "d4xd2xd3", "d4-d5 d4-e5 d4-c5"),
    (CRODA, {"king_directions": DIAGONAL}, "W:WKa1:Ba7,g7", "a1xa8xa7", "a1xh8xg7"),
    (CRODA, {"king_landing": Landing.DIRECTLY_BEHIND}, "W:WKa5:Ba6", "a5xa7xa6 a5xa8xa6", "a5xa7xa6"),
    (
        KILLER,
        {"king_landing": Landing.ANY_BEYOND},
        "W:WK46:BK37",
        "46x32x37",
        "46x32x37 46x28x37 46x23x37 46x19x37 46x14x37 46x10x37 46x5x37",
    ),
    (CRODA, {"removal": Removal.IMMEDIATE}, COUP_TURC, "d8xe3xd3xf3xg2xe1", "d8xe1xd3xf3xe2xg2xe1"),
    (INTERNATIONAL, {"capture_priority": ()}, "W:W28:B12,22,23", "28x8x12x22", "28x8x12x22 28x19x23"),
    (RUSSIAN, {"promotion": ENDS}, "W:Wh6:Bg7,c5,d2", "h6xe1xg7xc5xd2", "h6xf8xg7"),
    (POOL, {"promotion": STOPS}, "W:Wh6:Bg7,e7", "h6xd6xe7xg7", "h6xf8xg7"),
    (
        CZECH,
        {"capture_priority": ()},
        "W:Wc3,Kg1:Bd4,f2",
        "g1xc5xd4xf2 g1xb6xd4xf2 g1xa7xd4xf2",
        "c3xe5xd4 g1xc5xd4xf2 g1xb6xd4xf2 g1xa7xd4xf2",
    ),
    (
        SPANISH,
        {"capture_priority": (MOST,)},
        "W:WK11:B15,K14",
        "11x18x14 11x21x14 11x25x14",
        "11x18x14 11x21x14 11x25x14 11x20x15 11x24x15",
    ),
    (ITALIAN, {"men_take_kings": True}, "W:W27:BK23", "27-22", "27x20x23"),
    (ENGLISH, {"kings_fly": True}, "W:WK32:B1", "32-28 32-27", "32-28 32-27 32-23 32-18 32-14 32-9 32-5"),
    (THAI, {"removal": LATE}, "W:WK18:B15,22", "18x11x22x15 18x25x22x15", "18x11x15 18x25x22"),
    (ARMENIAN, {"king_captures": ()}, "W:WKa1:Ba7,d4", "a1xa8xa7", "a1xa8xa7 a1xe5xd4 a1xf6xd4 a1xg7xd4 a1xh8xd4"),
]


@pytest.mark.parametrize(
    ("variant", "changed", "position", "declared", "otherwise"),
    DECIDING,
    ids=[f"{variant.name}-{next(iter(changed))}" for variant, changed, *_ in DECIDING],
)
def test_a_trait_alone_decides(
    variant: Variant, changed: dict[str, Any], position: str, declared: str, otherwise: str
) -> None:
    assert legal(variant, position) == set(declared.split())
    assert legal(replace(variant, **changed), position) == set(otherwise.split())


def test_where_captured_pieces_stay_the_ban_on_turning_back_changes_nothing() -> None:
    assert legal(CRODA, UP_AND_DOWN) == set(UP_OR_DOWN.split())
    assert legal(replace(CRODA, reversal_banned=False), UP_AND_DOWN) == set(UP_OR_DOWN.split())


@pytest.mark.parametrize(
    ("variant", "changed", "position", "ends"),
    [
        (TURKISH, {"one_piece_each_draws": False}, "W:Wd4:Bd6", True),
        (CRODA, {"one_piece_each_draws": True}, "W:Wd4:Bd6", False),
        (TURKISH_APP, {"lone_man_loses": False}, "B:Wa3,b3:Bg6", True),
        (TURKISH, {"lone_man_loses": True}, "B:Wa3,b3:Bg6", False),
        (INTERNATIONAL, {"material_limits": ()}, "W:WK46,K50:BK5:H10", True),
        (INTERNATIONAL, {"no_progress": CRODA.no_progress}, "W:WK46,31:BK5,K4:H50", True),
        (CRODA, {"no_progress": replace(CRODA.no_progress, plies=101)}, "W:WKa1,a3:BKh8,h6:H100", True),
    ],
)
def test_a_trait_alone_ends_the_game(variant: Variant, changed: dict[str, Any], position: str, ends: bool) -> None:
    assert (outcome(fen.read(variant, position)) is not None) == ends
    assert (outcome(fen.read(replace(variant, **changed), position)) is not None) != ends


@pytest.mark.parametrize("repetitions", [2, 3])
def test_the_declared_occurrence_draws(repetitions: int) -> None:
    position = fen.read(replace(CRODA, repetitions=repetitions), "W:WKa1:BKh8")
    for _ in range(repetitions - 1):
        for text in ("a1-a2", "h8-h7", "a2-a1", "h7-h8"):
            assert outcome(position) is None
            position = position.play(moves.read(position, text))
    end = outcome(position)
    assert end is not None
    assert end.winner is None


def test_sideways_steps_of_men_are_progress_in_one_kind_of_count_only() -> None:
    turkish = fen.read(TURKISH, "W:Wd4,Ka1:BKh8,h6:H7")
    any_move = replace(TURKISH.no_progress, progress=Progress.MAN_MOVE)
    other = fen.read(replace(TURKISH, no_progress=any_move), fen.write_counted(turkish))
    assert turkish.play(moves.read(turkish, "d4-e4")).no_progress == 8
    assert other.play(moves.read(other, "d4-e4")).no_progress == 0


@pytest.mark.parametrize(
    ("variant", "position", "score"),
    [
        (INTERNATIONAL, "W:W6:B1", "0-2"),
        (INTERNATIONAL, "W:W6:B", "2-0"),
        (INTERNATIONAL, "W:WK46:BK5:H10", "1-1"),
        (TURKISH, "W:Wd4:Bd6", "1/2-1/2"),
        (TURKISH_APP, "B:Wa3,b3:Bg6", "1-0"),
        (CRODA, "W:W:Ba7", "0-1"),
    ],
)
def test_results_are_written_as_the_game_writes_them(variant: Variant, position: str, score: str) -> None:
    end = outcome(fen.read(variant, position))
    assert end is not None
    assert result(end, variant) == score


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_a_variant_that_is_sent_arrives_as_the_same_object(variant: Variant) -> None:
    position = Position.start(variant)
    assert pickle.loads(pickle.dumps(variant)) is variant
    assert pickle.loads(pickle.dumps(position)).variant is variant
    assert copy.deepcopy(variant) is variant


def test_a_variant_that_is_not_declared_is_sent_as_it_is() -> None:
    other = replace(CRODA, repetitions=4)
    assert pickle.loads(pickle.dumps(other)) == other
