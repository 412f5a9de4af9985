"""Games played over: which moves are legal, by which rules, and where the first one is that is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from notation.reading import only, read_text

from turkengine.engine.kernel_types import load_kernel
from turkengine.errors import PositionError
from turkengine.games import CRODA, INTERNATIONAL, TURKISH, TURKISH_APP, VARIANTS, variant_named
from turkengine.notation import fen, moves
from turkengine.notation.fen import Setup
from turkengine.notation.pdn import GameKind, PdnGame, kind_of, read, replay
from turkengine.notation.pdn.kinds import OTHER_GAMES, game_number, tags_of
from turkengine.rules.move import Move
from turkengine.rules.variant import Variant

GAMES = Path(__file__).resolve().parents[1] / "data" / "pdn" / "variants.pdn"


def compiled(variant: Variant, setup: Setup | None) -> Any:
    """The kernel's position."""
    maker = load_kernel(variant).Position
    return maker.start() if setup is None else maker.from_cells(setup.cells, setup.side)


def game(text: str, **tags: str) -> PdnGame:
    return only("".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + text)


def ends(played: PdnGame, variant: Variant | None = None) -> str:
    """The position after the last legal move, as FEN."""
    return fen.write(replay(played, variant).positions[-1])


# --- By the rules of every game ---


def test_every_kind_of_game_is_played_over() -> None:
    found = [(replay(entry.game), entry.game) for entry in read(GAMES)]
    assert [(played.variant, played.inferred, played.other) for played, _ in found] == [
        (INTERNATIONAL, False, ""),
        (INTERNATIONAL, False, ""),
        (INTERNATIONAL, True, ""),
        (TURKISH, False, ""),
        (TURKISH, False, ""),
        (TURKISH, True, ""),
        (TURKISH_APP, False, ""),
        (CRODA, False, ""),
        (CRODA, True, ""),
        (None, False, "Canadian draughts"),
    ]
    for played, told in found[:-1]:
        assert not played.illegal, told.tag("Event")
        assert len(played.moves) == len(told.moves)
        assert len(played.positions) == len(told.moves) + 1


def test_the_compiled_kernel_replays_them_alike() -> None:
    for entry in read(GAMES):
        slow, fast = replay(entry.game), replay(entry.game, maker=compiled)
        assert (slow.variant, slow.moves, slow.illegal) == (fast.variant, fast.moves, fast.illegal)
        for readable, quick in zip(slow.positions, fast.positions, strict=True):
            assert (readable.cells, readable.side, readable.no_progress) == (quick.cells, quick.side, quick.no_progress)


def test_the_positions_are_those_between_the_moves() -> None:
    played = replay(game("1. 32-28 19-23 2. 28x19 14x23 *"), INTERNATIONAL)
    assert [fen.write(position) for position in played.positions] == [
        "W:W31-50:B1-20",
        "B:W28,31,33-50:B1-20",
        "W:W28,31,33-50:B1-18,20,23",
        "B:W19,31,33-50:B1-18,20",
        "W:W31,33-50:B1-13,15-18,20,23",
    ]


@pytest.mark.parametrize(
    ("variant", "position", "texts"),
    [
        (INTERNATIONAL, "W:W28,48:B12,22", ["28x8", "28x17x8", "28:17:08", "2808", "28x22x12", "28x8x12x22", "28-8"]),
        (TURKISH, "W:Wf3:Bf4,e5,a7", ["f3xd5", "f3xf5xd5", "f3xf4xe5", "f3xf4xe5xd5", "f3d5", "f3:d5", "F3-D5"]),
        (CRODA, "W:Wd6:Bd7,c8,Ke8,b7", ["d6xb6", "d6xd8xb8xb6", "d6xd7xc8xb7", "d6b6", "d6xb6xd7xc8xb7"]),
    ],
)
def test_a_capture_is_read_in_every_form(variant: Variant, position: str, texts: list[str]) -> None:
    found = {ends(game(f"1. {text} *", FEN=position), variant) for text in texts}
    assert len(found) == 1
    assert not found & {position}


def test_black_may_begin() -> None:
    played = replay(game("1... 1-6 2. 28-22 *", FEN="B:W28:B1"), INTERNATIONAL)
    assert (len(played.moves), played.fault) == (2, None)


def test_a_game_that_goes_on_after_a_third_occurrence_is_played_to_its_end() -> None:
    shuffled = "1. 50-45 1-6 2. 45-50 6-1 " * 4
    assert len(replay(game(shuffled, FEN="W:WK50:BK1"), INTERNATIONAL).moves) == 16


# --- Illegal moves ---


def test_the_first_illegal_move_is_named_with_its_ply_its_text_and_its_article() -> None:
    played = replay(game("1. 32-28 19-23 2. 37-32 23x32 *"), INTERNATIONAL)
    fault = played.fault
    assert fault is not None
    assert (fault.ply, fault.text, fault.article, fault.order, fault.in_variation) == (3, "37-32", "5.4.6", 2, False)
    assert str(fault) == "ply 3: '37-32' is not a legal move; 28x19 captures one piece and is compulsory (5.4.6)"
    assert len(played.moves) == 2


def test_a_text_that_is_no_move_of_the_board_has_no_article() -> None:
    fault = replay(game("1. 32-28 19-77 *"), INTERNATIONAL).fault
    assert fault is not None
    assert (fault.ply, fault.article) == (2, None)
    assert "'77'" in fault.reason


def test_variations_are_played_from_before_the_move_they_replace() -> None:
    text = "1. 32-28 (1. 31-27 (1. 33-29 19-24) 19-23 2. 27-21 16x27) 19-23 2. 28x19\n(2. 37-32)"
    (entry,) = read_text(f"{text} 14x23 *")
    played = replay(entry.game, INTERNATIONAL)
    assert played.fault is None
    assert [str(illegal) for illegal in played.illegal] == [
        "ply 3 in a variation: '37-32' is not a legal move; 28x19 captures one piece and is compulsory (5.4.6)"
    ]
    assert entry.line_of(played.illegal[0].order) == 2


def test_moves_behind_an_illegal_one_are_counted_and_not_judged() -> None:
    played = replay(game("1. 32-30 (1. 31-22) 19-23 (1... 1-2) 2. 9-9 *"), INTERNATIONAL)
    assert [(illegal.ply, illegal.order, illegal.in_variation) for illegal in played.illegal] == [
        (1, 0, False),
        (1, 1, True),
    ]


def test_a_position_that_cannot_be_set_up_is_a_fault_at_the_start() -> None:
    fault = replay(game("1. 32-28 *", FEN="?:W28:B1"), INTERNATIONAL).fault
    assert fault is not None
    assert (fault.ply, str(fault)) == (
        0,
        "the tag FEN: a FEN begins with the side to move, 'W:' or 'B:', not with '?'",
    )


def test_a_position_set_up_between_moves_is_played_from() -> None:
    played = replay(game('1. 32-28 19-23 /FEN "W:W28:B1"/ 2. 28-22 1-6 *'), INTERNATIONAL)
    assert (len(played.moves), played.illegal) == (4, ())
    wrong = replay(game('1. 32-28 /FEN "W:W1:B1"/ 2. 28-22 *'), INTERNATIONAL)
    assert wrong.fault is not None
    assert (wrong.fault.ply, len(wrong.moves)) == (1, 1)
    assert str(wrong.fault).startswith("ply 1: the position set up after it: ")


# --- Ambiguous moves ---

TWO_WAYS = "W:WK4:B13,20,32,37,K46"  # 4x15 takes 13 and 20 and either 32 or 37


def test_an_ambiguous_capture_is_told_by_the_rest_of_the_game() -> None:
    for reply, way in (("32-38", "37"), ("37-42", "32")):
        played = replay(game(f"1. 4x15 {reply} *", FEN=TWO_WAYS.replace(",K46", "")), INTERNATIONAL)
        assert played.illegal == ()
        taken = {INTERNATIONAL.board.names[square] for square in played.moves[0].captured}
        assert way in taken


def test_an_ambiguous_capture_that_nothing_tells_is_a_fault_with_all_its_ways() -> None:
    fault = replay(game("1. 4x15 *", FEN=TWO_WAYS), INTERNATIONAL).fault
    assert fault is not None
    assert fault.reason == "'4x15' fits several moves; write 4x27x38x15 or 4x31x42x15"


# --- Which game it is ---


def tagged(**tags: str) -> GameKind:
    return kind_of(PdnGame(tuple(tags.items())))


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_tags_of_a_variant_tell_it(variant: Variant) -> None:
    written = {name: value for name, value in tags_of(variant).items() if value is not None}
    assert tagged(**written) == GameKind(variant)


def test_the_variant_is_named_only_where_the_number_says_something_else() -> None:
    assert tags_of(INTERNATIONAL) == {"GameType": "20,W,10,10,N2,0", "Variant": None}
    assert tags_of(TURKISH) == {"GameType": "30,W,8,8,A0,0", "Variant": None}
    assert tags_of(TURKISH_APP) == {"GameType": "30,W,8,8,A0,0", "Variant": "turkish-app"}
    assert tags_of(CRODA) == {"GameType": None, "Variant": "croda"}


def test_the_number_alone_tells_the_game_whatever_follows_it() -> None:
    for value in ("20", " 20 ", "20,W,10,10,N1,0"):
        assert tagged(GameType=value) == GameKind(INTERNATIONAL)
    assert tagged(GameType="27") == GameKind(other="Canadian draughts")
    assert tagged(GameType="99") == GameKind(other="the game of GameType 99")
    assert not {game_number(variant) for variant in VARIANTS} & set(OTHER_GAMES)


def test_the_name_goes_before_the_number() -> None:
    assert tagged(GameType="20", Variant="CRODA") == GameKind(CRODA)
    assert tagged(GameType="20", Variant="Breakthrough") == GameKind(other="Breakthrough")
    assert tagged(GameType="20", Variant="Standard") == GameKind(INTERNATIONAL)


def test_a_number_that_is_none_is_a_fault() -> None:
    assert tagged(GameType="x").fault == "the tag GameType begins with the number of a game, not with 'x'"
    assert not tagged(GameType="x").is_told
    assert tagged() == tagged(GameType="?") == GameKind()


def test_a_game_without_a_tag_is_played_as_the_caller_says() -> None:
    played = replay(game("1. d3-d4 *"), CRODA)
    assert (played.variant, played.inferred) == (CRODA, False)
    assert replay(game("1. d3-d4 *", GameType="30"), CRODA).variant == TURKISH


def test_a_game_without_a_tag_is_that_of_the_first_variant_that_replays_it() -> None:
    found = [(played.variant, played.inferred) for played in map(replay, map(game, ("1. 32-28 *", "1. d3-d4 *")))]
    assert found == [(INTERNATIONAL, True), (TURKISH, True)]
    assert replay(game("1. b2-b3 *")).variant is None or replay(game("1. d3-e4 e6-e5 *")).variant == CRODA


def test_a_faulty_game_is_that_of_the_variant_that_gets_farthest() -> None:
    played = replay(game("1. 32-28 19-23 2. 37-32 *"))
    assert (played.variant, played.inferred, len(played.moves)) == (INTERNATIONAL, True, 2)
    assert played.fault is not None
    turkish = replay(game("1. a3-a4 a6-a5 2. a4xa6xa8 b6-b5 3. h3-h7 *"))
    assert (turkish.variant, len(turkish.moves)) == (TURKISH, 4)


def test_a_game_with_numbers_that_black_begins_is_one_of_english_draughts() -> None:
    played = replay(game("1. 11-15 23-19 *"))
    assert (played.variant, played.inferred, len(played.moves)) == (variant_named("english"), True, 2)


@pytest.mark.parametrize("text", ["1. 16-15 23-19 *", "1. c3-d4 d6-c5 *", "1. a3b4 *", "1. c3-d4 d6:c5 *", "*"])
def test_a_game_on_the_small_board_may_be_another_one(text: str) -> None:
    played = replay(game(text))
    assert (played.variant, played.other, played.positions) == (None, "unknown", ())


@pytest.mark.parametrize(
    ("position", "variant"),
    [("W:W31-50:B1-20", INTERNATIONAL), ("W:W32,27,24:B20,15.", None), ("W:Wa2,b2:Ba7", TURKISH), ("W:Wa1:Bb8", None)],
)
def test_a_position_without_moves_is_told_by_its_squares_alone(position: str, variant: Variant | None) -> None:
    assert replay(game("*", FEN=position)).variant == variant


# --- For callers ---


def test_every_legal_move_is_told_with_its_place_in_the_text() -> None:
    seen: list[tuple[int, str]] = []

    def note(order: int, position: Any, move: Move) -> None:
        seen.append((order, moves.short(position, move)))

    replay(game("1. 32-28 (1. 31-27 19-23) 19-23 2. 37-32 (2. 28x19) *"), INTERNATIONAL, on_move=note)
    assert seen == [(0, "32-28"), (1, "31-27"), (2, "19-23"), (3, "19-23"), (5, "28x19")]


def test_a_position_that_the_maker_refuses_is_a_fault() -> None:
    def refusing(variant: Variant, setup: Setup | None) -> Any:
        raise PositionError("not today")

    fault = replay(game("1. 32-28 *"), INTERNATIONAL, refusing).fault
    assert fault is not None
    assert str(fault) == "the tag FEN: not today"
