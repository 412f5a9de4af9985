"""What programs get wrong: every mistake is told in one line that names the argument and what it takes."""

from __future__ import annotations

import asyncio
import math
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import turkengine
from turkengine import (
    BookError,
    EndgameError,
    Engine,
    ExternalEngine,
    Game,
    Limit,
    Move,
    MoveError,
    Node,
    OptionError,
    PdnError,
    Position,
    PovScore,
    Score,
    Side,
    TurkengineError,
    VariantError,
    read_games,
    variant_named,
)

START = Position()
ELSEWHERE = Position(variant="turkish")
SCORE = PovScore(Score(35), Side.WHITE)

Case = tuple[Callable[[], object], type[Exception], str]


def times(name: str) -> list[Case]:
    clock = {} if name in ("time", "clock") else {"clock": 1}
    cases: list[Case] = [
        (
            lambda value=value: Limit(**{name: value}, **clock),
            ValueError,
            f"{name} takes seconds from 0 on, not {value}",
        )
        for value in (math.nan, math.inf, -math.inf, -1, -0.001)
    ]
    huge = f"{name} takes seconds from 0 on, not a number of hundreds of digits"
    cases.append((lambda: Limit(**{name: 10**400}, **clock), ValueError, huge))
    return cases + [
        (lambda value=value: Limit(**{name: value}, **clock), TypeError, f"{name} takes seconds from 0 on, not {said}")
        for value, said in (("1", "the str '1'"), (True, "the bool True"), ([1], "a value of the type list"))
    ]


def numbers(name: str, least: int) -> list[Case]:
    wanted = f"{name} takes a whole number from {least} on, not "
    clock = {"clock": 1} if name == "moves_to_go" else {}
    cases: list[Case] = [
        (lambda value=value: Limit(**{name: value}, **clock), TypeError, wanted + said)
        for value, said in (
            (1.0, "the float 1.0"),
            (True, "the bool True"),
            ("5", "the str '5'"),
            (math.nan, "the float"),
        )
    ]
    return [*cases, (lambda: Limit(**{name: least - 1}, **clock), ValueError, f"{wanted}{least - 1}")]


LIMITS: list[Case] = [
    *(case for name in ("time", "clock", "increment") for case in times(name)),
    *(
        case
        for name, least in (("depth", 0), ("nodes", 0), ("mate", 0), ("moves_to_go", 1))
        for case in numbers(name, least)
    ),
    (lambda: Limit(increment=1), ValueError, "increment belongs to a clock; give clock"),
    (lambda: Limit(depth=3, moves_to_go=5), ValueError, "moves_to_go belongs to a clock; give clock"),
]

POSITIONS: list[Case] = [
    (
        lambda: Position(5),
        TypeError,
        "fen takes a text as in 'W:W31-50:B1-20', or None for the start of a game, not the int 5",
    ),
    (lambda: Position(START), TypeError, "fen takes .*, not a value of the type Position"),
    (lambda: Position(b"W:W31:B1"), TypeError, "fen takes .*, not the bytes"),
    (lambda: Position(variant=5), TypeError, "variant takes a Variant, or the name of one, not the int 5"),
    (lambda: Position(variant=None), TypeError, "variant takes .*, not None"),
    (lambda: Position(variant="chess"), VariantError, "no variant is called 'chess'"),
    (lambda: variant_named(5), TypeError, "name takes a text, not a value of the type int"),
    (lambda: START.count("white"), TypeError, "side takes Side.WHITE or Side.BLACK, not the str 'white'"),
    (lambda: START.piece_at(32), TypeError, "square takes the name of a square, as in '32', not the int 32"),
    (lambda: START.parse(3228), TypeError, "text takes a move as text, as in '32-28', not the int 3228"),
    (lambda: START.explain(None), TypeError, "text takes a move as text, as in '32-28', not None"),
    (lambda: START.text("32-28"), TypeError, "move takes a Move, not the str '32-28'"),
    (lambda: START.text(Move(99, 1)), MoveError, "names squares that international has not"),
    (lambda: START.text(Move(-1, 1)), MoveError, "names squares that international has not"),
    (
        lambda: START.play((31, 27)),
        TypeError,
        "move takes a Move, or a text as in '32-28', not a value of the type tuple",
    ),
    (lambda: START.play(None), TypeError, "move takes a Move, .*, not None"),
    (lambda: START.play(ELSEWHERE.legal_moves()[0]), MoveError, "is not a legal move"),
    (lambda: START.play(Move(63, 1)), MoveError, "names squares that international has not"),
    (lambda: START.play_line("32-28"), TypeError, "moves takes a list of moves, .*, not the str '32-28'"),
    (lambda: START.play_line(5), TypeError, "moves takes a list of moves, .*, not the int 5"),
    (lambda: START.line_texts("32-28"), TypeError, "moves takes a list of values of the type Move, not the str"),
    (lambda: START.line_texts([Move(0, 49)]), MoveError, "is not a legal move"),
    (lambda: START.outcome("100"), TypeError, "no_progress takes a whole number from 0 on, not the str '100'"),
    (lambda: START.outcome(-1), ValueError, "no_progress takes a whole number from 0 on, not -1"),
    (lambda: START.perft(-1), ValueError, "depth takes a whole number from 0 to 100, not -1"),
    (lambda: START.perft(1.5), TypeError, "depth takes a whole number from 0 to 100, not the float 1.5"),
    (lambda: START.perft(10**30), ValueError, "depth takes a whole number from 0 to 100, not a number as large"),
    (lambda: START.to_svg(arrows="32-28"), TypeError, "arrows takes a list of moves, .*, not the str '32-28'"),
    (lambda: START.to_svg(arrows=[5]), TypeError, "a move or square of the drawing takes a text, .*, not the int 5"),
    (lambda: START.to_svg(arrows=[Move(99, 1)]), MoveError, "names squares that international has not"),
    (lambda: START.to_svg(arrows={"32-28": 5}), TypeError, "a colour or mark takes a text, not the int 5"),
    (
        lambda: START.to_svg(marks=["28"]),
        TypeError,
        "marks takes a dict of squares and texts, .*, not a value of the type",
    ),
    (
        lambda: START.to_svg(marks={28: "!"}),
        TypeError,
        "a move or square of the drawing takes a text, .*, not the int 28",
    ),
    (lambda: START.to_svg(marks={"28": None}), TypeError, "a colour or mark takes a text, not None"),
    (lambda: START.to_svg(size=1.5), TypeError, "size takes a whole number from 1 to 10000, not the float 1.5"),
    (lambda: START.to_png(size="9"), TypeError, "size takes a whole number from 1 to 10000, not the str '9'"),
]

GAMES: list[Case] = [
    (lambda: Game(5), TypeError, "fen takes .*, not the int 5"),
    (lambda: Game(variant=5), TypeError, "variant takes .*, not the int 5"),
    (lambda: Game(tags="White"), TypeError, "tags takes a dict of names and values, both text, not the str 'White'"),
    (lambda: Game(tags={"Round": 5}), TypeError, "the tag Round takes a text, not the int 5"),
    (lambda: Game(tags={5: "Round"}), TypeError, "a name in tags takes a text, not the int 5"),
    (lambda: Node("W:W31:B1"), TypeError, "position takes a Position, not the str"),
    (lambda: Game().add(5), TypeError, "move takes a Move, or a text as in '32-28', not the int 5"),
    (lambda: Game().add("32-28", comment=5), TypeError, "comment takes a text, not the int 5"),
    (
        lambda: Game().add("32-28", nags="!!"),
        TypeError,
        r"nags takes a list of numbers, as in \[1\] for !, not the str '!!'",
    ),
    (lambda: Game().add("32-28", nags=1), TypeError, "nags takes a list of numbers"),
    (
        lambda: Game().add("32-28", nags=["!"]),
        TypeError,
        "each of nags takes a whole number from 0 on, not the str '!'",
    ),
    (lambda: Game().add_line("32-28"), TypeError, "moves takes a list of moves, .*, not the str '32-28'"),
    (lambda: Game().set_down(5), TypeError, "fen takes a text as in .*, not the int 5"),
    (lambda: Game.read(5), TypeError, "text takes a game in PDN as text, not the int 5"),
    (lambda: Game.read(None), TypeError, "text takes a game in PDN as text, not None"),
    (lambda: Game.read("", variant=5), TypeError, "variant takes .*, not the int 5"),
    (lambda: Game.read(""), PdnError, "holds no game"),
    (lambda: read_games(5), TypeError, "source takes the path of a file, or an open one, not the int 5"),
    (lambda: read_games("games.pdn", variant="chess"), VariantError, "no variant is called 'chess'"),
    (lambda: read_games("games.pdn", on_other="print"), TypeError, "on_other takes a function"),
]

SCORES: list[Case] = [
    (lambda: PovScore(35, Side.WHITE), TypeError, r"relative takes a Score, as in Score\(35\), not the int 35"),
    (lambda: PovScore(Score(35), "white"), TypeError, "side takes Side.WHITE or Side.BLACK, not the str 'white'"),
    (lambda: SCORE.pov("white"), TypeError, "side takes Side.WHITE or Side.BLACK"),
    (lambda: SCORE.moves_to_end("white"), TypeError, "side takes Side.WHITE or Side.BLACK"),
    (lambda: SCORE.chances(5), TypeError, "variant takes a Variant, or the name of one, not the int 5"),
    (lambda: SCORE.chances("turkish", "white"), TypeError, "side takes Side.WHITE or Side.BLACK"),
]

OPTIONS: list[Case] = [
    (lambda: Engine(hash="many"), OptionError, "option hash does not take 'many'; it takes a whole number"),
    (lambda: Engine(hash=4.0), OptionError, r"option hash takes a whole number from 1 \(MiB\), not 4.0"),
    (lambda: Engine(hash=True), OptionError, "option hash takes a whole number .*, not True"),
    (lambda: Engine(hash=math.nan), OptionError, "option hash takes a whole number .*, not nan"),
    (lambda: Engine(hash=None), OptionError, "option hash takes a whole number .*, not None"),
    (lambda: Engine(hash=0), OptionError, "option hash does not take '0'"),
    (lambda: Engine(threads=-1), OptionError, "option threads does not take '-1'"),
    (lambda: Engine(book=1), OptionError, "option book does not take '1'; it takes true or false"),
    (lambda: Engine(book_file=5), OptionError, "option book-file takes a text, not 5"),
    (lambda: Engine(book_file=None), OptionError, "option book-file takes a text, not None"),
    (lambda: Engine(endgame_path=[]), OptionError, "option endgame-path takes a text, not "),
    (lambda: Engine(variant="turkish"), OptionError, "option variant means nothing to an engine of a program"),
    (lambda: Engine(clear_hash=True), OptionError, "option clear-hash means nothing to an engine of a program"),
    (lambda: Engine(colour=1), OptionError, "no option is called 'colour'"),
    (lambda: ExternalEngine(5), TypeError, "command takes a text as in 'hub:scan hub', not the int 5"),
    (lambda: ExternalEngine("scan"), OptionError, "names no protocol"),
    (lambda: ExternalEngine("hub:scan", 5), TypeError, "options takes a dict of names and values, not the int 5"),
    (lambda: ExternalEngine("hub:scan", {5: 1}), TypeError, "a name in options takes a text, not the int 5"),
    (
        lambda: ExternalEngine("hub:scan", {"hash": None}),
        TypeError,
        "the option hash takes a text, a number, .*, not None",
    ),
    (lambda: ExternalEngine("hub:scan", name=5), TypeError, "name takes a text, not the int 5"),
    (lambda: ExternalEngine("hub:scan", directory=5), TypeError, "directory takes the path of a folder, not the int 5"),
    (lambda: ExternalEngine("hub:scan", margin=-1), ValueError, "margin takes seconds from 0 on, not -1"),
    (lambda: ExternalEngine("hub:scan", margin="1"), TypeError, "margin takes seconds from 0 on, not the str '1'"),
]


@pytest.mark.parametrize(("mistake", "kind", "told"), [*LIMITS, *POSITIONS, *GAMES, *SCORES, *OPTIONS])
def test_a_mistake_is_told_in_one_line(mistake: Callable[[], object], kind: type[Exception], told: str) -> None:
    with pytest.raises(kind, match=f"^(.* )?{told}") as caught:
        mistake()
    assert type(caught.value) is kind or issubclass(kind, TurkengineError)
    assert "\n" not in str(caught.value)


ORDERS: list[Case] = [
    (lambda engine: engine.analyse("W:W31:B1", Limit(depth=1)), TypeError, "position takes a Position, not the str"),
    (
        lambda engine: engine.analyse(START.readable(), Limit(depth=1)),
        TypeError,
        "position takes a Position, not a value",
    ),
    (lambda engine: engine.analyse(None, Limit(depth=1)), TypeError, "position takes a Position, not None"),
    (lambda engine: engine.analyse(START, None), TypeError, r"limit takes a Limit, as in Limit\(time=0.5\), not None"),
    (lambda engine: engine.analyse(START, 0.5), TypeError, "limit takes a Limit, .*, not the float 0.5"),
    (lambda engine: engine.analysis(START, 0), TypeError, "limit takes a Limit, .*, not the int 0"),
    (lambda engine: engine.play(START, 0.5), TypeError, "limit takes a Limit, .*, not the float 0.5"),
    (lambda engine: engine.play(START, Limit()), ValueError, "this would never end; give a limit"),
    (
        lambda engine: engine.analyse(START, Limit(depth=1), 0),
        ValueError,
        "multipv takes a whole number from 1 to 500, not 0",
    ),
    (lambda engine: engine.analyse(START, Limit(depth=1), 501), ValueError, "multipv takes .*, not 501"),
    (lambda engine: engine.analyse(START, Limit(depth=1), 2.0), TypeError, "multipv takes .*, not the float 2.0"),
    (lambda engine: engine.analyse(START, Limit(depth=1), True), TypeError, "multipv takes .*, not the bool True"),
    (
        lambda engine: engine.analyse(START, Limit(depth=1), root_moves="32-28"),
        TypeError,
        "root_moves takes a list of moves, .*, not the str '32-28'",
    ),
    (
        lambda engine: engine.analyse(START, Limit(depth=1), root_moves=[5]),
        TypeError,
        "move takes a Move, or a text as in '32-28', not the int 5",
    ),
    (
        lambda engine: engine.analyse(START, Limit(depth=1), root_moves=[ELSEWHERE.legal_moves()[0]]),
        MoveError,
        "is not a legal move",
    ),
    (lambda engine: engine.analyse(START, Limit(depth=1)).wait("1"), TypeError, "timeout takes seconds from 0 on"),
    (lambda engine: engine.analyse(START, Limit(depth=1)).wait(-1), ValueError, "timeout takes seconds from 0 on"),
    (lambda engine: asyncio.run(engine.analyse_async(START, 1)), TypeError, "limit takes a Limit"),
    (lambda engine: asyncio.run(engine.play_async("", Limit(depth=1))), TypeError, "position takes a Position"),
]


@pytest.fixture(scope="module")
def engine():
    with Engine(hash=1) as engine:
        yield engine


@pytest.mark.parametrize(("mistake", "kind", "told"), ORDERS)
def test_a_mistaken_order_is_told_and_the_next_one_obeyed(
    engine: Engine, mistake: Callable[[Engine], object], kind: type[Exception], told: str
) -> None:
    with pytest.raises(kind, match=f"^(.* )?{told}"):
        mistake(engine)
    assert engine.analyse(START, Limit(depth=1)).done


@pytest.mark.parametrize("make", [lambda: Engine(hash=1), lambda: ExternalEngine("hub:turkengine hub")])
def test_a_closed_engine_says_so(make: Callable[[], Engine]) -> None:
    engine = make()
    engine.close()
    engine.close()
    engine.stop()
    for order in (engine.analyse, engine.analysis, engine.play):
        with pytest.raises(RuntimeError, match=r"^the engine is closed$"):
            order(START, Limit(depth=1))


def test_limits_at_the_edge_are_kept(engine: Engine) -> None:
    for limit in (Limit(time=0), Limit(depth=0), Limit(nodes=0), Limit(clock=0), Limit(nodes=10**30, depth=1)):
        assert engine.play(START, limit).move in START.legal_moves()


# Files of an engine


def test_a_book_that_cannot_be_used_is_an_error(tmp_path: Path) -> None:
    rubbish = tmp_path / "rubbish.book"
    rubbish.write_text("rubbish\n")
    with pytest.raises(BookError, match=r"rubbish.book is not an opening book of this program"):
        Engine(book_file=rubbish)
    with pytest.raises(BookError, match=r"nowhere.book: there is no such file"):
        Engine(book_file=str(tmp_path / "nowhere.book"))
    with Engine(book_file=rubbish, book=False, hash=1) as engine:
        assert engine.play(START, Limit(depth=1)).move


def test_a_book_of_another_game_is_warned_of_where_it_is_needed() -> None:
    book = Path(turkengine.__file__).parent / "games" / "turkish" / "openings.book"
    with Engine(book_file=book, hash=1) as engine:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            engine.play(ELSEWHERE, Limit(depth=1))
        with pytest.warns(RuntimeWarning, match="is a book of 'turkish', not of international; it is not used") as told:
            engine.play(START, Limit(depth=1))
        assert [warning.filename for warning in told] == [__file__]


def test_a_folder_of_endgame_tables_that_is_none_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EndgameError, match=r"option endgame-path: .*nowhere is not a folder"):
        Engine(endgame_path=tmp_path / "nowhere")


def test_a_damaged_file_of_endgame_tables_is_warned_of(tmp_path: Path) -> None:
    (tmp_path / "turkish").mkdir()
    (tmp_path / "turkish" / "MMMMvM.endgame").write_text("rubbish")
    with (
        Engine(endgame_path=tmp_path, hash=1) as engine,
        pytest.warns(RuntimeWarning, match="MMMMvM.endgame: this is not a file of endgame tables, .*; it is ignored"),
    ):
        engine.analyse(ELSEWHERE, Limit(depth=1))


def test_a_size_that_cannot_be_had_is_warned_of() -> None:
    with Engine(hash=1, threads=100_000) as engine, pytest.warns(RuntimeWarning, match="option threads: 100000 cannot"):
        engine.analyse(START, Limit(depth=1))


def test_the_home_folder_is_known_by_its_sign_in_the_names_of_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / "tables").mkdir()
    book = Path(turkengine.__file__).parent / "games" / "international" / "openings.book"
    (tmp_path / "own.book").write_bytes(book.read_bytes())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with Engine(book_file="~/own.book", endgame_path="~/tables", hash=1) as engine:
            assert engine.play(START, Limit(depth=1)).move in START.legal_moves()
