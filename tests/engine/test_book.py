"""Opening books: the file, the moves in it, and when they are played."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from engine import fakes
from engine.booking import written
from engine.listening import Listener, search

from turkengine.engine import book
from turkengine.engine.book import Book, BookEntry, is_wanted
from turkengine.engine.core import EngineCore
from turkengine.engine.dice import Dice
from turkengine.engine.kernel_types import KernelPosition, load_kernel
from turkengine.engine.limits import GameClock, Limits
from turkengine.engine.options import Options
from turkengine.errors import BookError
from turkengine.games import CRODA, TURKISH, VARIANTS, Variant
from turkengine.notation import moves

WITH_A_BOOK = [variant for variant in VARIANTS if book.path_of(variant).exists()]
GAME = Limits(clock=GameClock(600.0))
HASTE = Limits(clock=GameClock(2.0))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("books") / "turkish.book", TURKISH)


@pytest.fixture(scope="module")
def opened(path: Path) -> Book:
    return book.read(path, TURKISH, start().key)


def start() -> KernelPosition:
    return load_kernel(TURKISH).Position.start()


def end_of(opened: Book) -> KernelPosition:
    """Behind the worst moves of a book."""
    position = start()
    while known := opened.moves(position):
        position = position.play(known[-1].move)
    return position


class TestTheFile:
    def test_reads_back_as_it_was_written(self, tmp_path: Path) -> None:
        entries = {
            start().key: BookEntry(7, 0, True),
            1: BookEntry(-7, 1, False),
            (1 << 64) - 1: BookEntry(-10000, 127, True),
        }
        book.write(tmp_path / "x.book", TURKISH, start().key, entries, {"nodes": 5})
        read = book.read(tmp_path / "x.book", TURKISH, start().key)
        assert {key: read.entry(key) for key in entries} == entries
        assert len(read) == 3
        assert read.entry(2) is None
        assert read.header["made"] == {"nodes": 5}

    def test_has_a_line_for_people_first(self, path: Path) -> None:
        header = json.loads(path.read_bytes().split(b"\n", 1)[0])
        assert header["format"] == "turkengine book 1"
        assert header["variant"] == "turkish"

    def test_of_another_game_is_named(self, path: Path) -> None:
        with pytest.raises(BookError, match=r"turkish\.book is a book of 'turkish', not of croda"):
            book.read(path, CRODA, load_kernel(CRODA).Position.start().key)

    def test_with_other_keys_is_named(self, path: Path) -> None:
        with pytest.raises(BookError, match="numbers positions in another way"):
            book.read(path, TURKISH, 5)

    @pytest.mark.parametrize("place", [-1, -100, 400])
    def test_with_a_byte_changed_is_damaged(self, path: Path, tmp_path: Path, place: int) -> None:
        data = bytearray(path.read_bytes())
        data[place] ^= 0x55
        (tmp_path / "x.book").write_bytes(data)
        with pytest.raises(BookError, match=r"x\.book is damaged"):
            book.read(tmp_path / "x.book", TURKISH, start().key)

    def test_cut_off_is_damaged(self, path: Path, tmp_path: Path) -> None:
        (tmp_path / "x.book").write_bytes(path.read_bytes()[:-20])
        with pytest.raises(BookError, match=r"x\.book is damaged"):
            book.read(tmp_path / "x.book", TURKISH, start().key)

    def test_that_unpacks_to_more_than_it_says_is_damaged(self, path: Path, tmp_path: Path) -> None:
        header = path.read_bytes().split(b"\n", 1)[0]
        (tmp_path / "x.book").write_bytes(header + b"\n" + zlib.compress(bytes(1 << 24)))
        with pytest.raises(BookError, match=r"x\.book is damaged"):
            book.read(tmp_path / "x.book", TURKISH, start().key)

    def test_with_something_behind_it_is_damaged(self, path: Path, tmp_path: Path) -> None:
        (tmp_path / "x.book").write_bytes(path.read_bytes() + b"more")
        with pytest.raises(BookError, match=r"x\.book is damaged: the checksum is wrong"):
            book.read(tmp_path / "x.book", TURKISH, start().key)

    @pytest.mark.parametrize("count", [-1, True, 2.0, "3", None, 1 << 27])
    def test_with_an_absurd_number_of_positions_is_damaged(self, path: Path, tmp_path: Path, count: object) -> None:
        line, _, packed = path.read_bytes().partition(b"\n")
        header = json.dumps({**json.loads(line), "positions": count}).encode()
        (tmp_path / "x.book").write_bytes(header + b"\n" + packed)
        with pytest.raises(BookError, match=r"x\.book is damaged: it does not say how many positions"):
            book.read(tmp_path / "x.book", TURKISH, start().key)

    @pytest.mark.parametrize(
        ("columns", "reason"),
        [
            ([(5, 0, 1), (4, 0, 2)], "its positions are not in ascending order"),
            ([(5, 0, 1), (5, 0, 2)], "its positions are not in ascending order"),
            ([(5, 10_001, 1)], "it holds the score 100.01, and a win is worth 100.00"),
            ([(5, -32_768, 1)], "it holds the score 327.68, and a win is worth 100.00"),
            ([(None, 0, 9)], "it has the start position at ply 9"),
        ],
    )
    def test_forged_with_a_right_checksum_is_damaged(
        self, path: Path, tmp_path: Path, columns: list[tuple[int | None, int, int]], reason: str
    ) -> None:
        data = b"".join(
            [
                *((start().key if key is None else key).to_bytes(8, "little") for key, _, _ in columns),
                *(score.to_bytes(2, "little", signed=True) for _, score, _ in columns),
                bytes(plies for _, _, plies in columns),
            ]
        )
        told = {"positions": len(columns), "crc32": f"{zlib.crc32(data):08x}"}
        header = json.dumps({**json.loads(path.read_bytes().split(b"\n", 1)[0]), **told}).encode()
        (tmp_path / "x.book").write_bytes(header + b"\n" + zlib.compress(data))
        with pytest.raises(BookError, match=rf"x\.book is damaged: {reason}; build it again"):
            book.read(tmp_path / "x.book", TURKISH, start().key)

    @pytest.mark.parametrize("content", [b"", b"\n", b"{}\n", b"[1]\n", b"\xff\xfe\n\n", b"[" * 100_000])
    def test_that_is_none_is_told(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "x.book").write_bytes(content)
        with pytest.raises(BookError, match=r"x\.book is not an opening book of this program"):
            book.read(tmp_path / "x.book", TURKISH, start().key)

    def test_that_is_not_there_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(BookError, match="there is no such file"):
            book.read(tmp_path / "x.book", TURKISH, start().key)

    def test_comes_with_the_engine_for_these_games_at_least(self) -> None:
        assert {"international", "turkish", "turkish-app", "croda"} <= {variant.name for variant in WITH_A_BOOK}

    @pytest.mark.parametrize("variant", WITH_A_BOOK, ids=lambda variant: variant.name)
    def test_comes_with_the_engine(self, variant: Variant) -> None:
        position = load_kernel(variant).Position.start()
        shipped = book.read(book.path_of(variant), variant, position.key)
        assert len(shipped) > 1000
        assert {"nodes", "expanded"} <= shipped.header["made"].keys()
        line = [known.move for known in shipped.moves(position)]
        assert set(line) <= set(position.legal_moves())


class TestMoves:
    def test_are_legal_and_come_with_the_best_first(self, opened: Book) -> None:
        known = opened.moves(start())
        assert len(known) > 2
        assert {one.move for one in known} <= set(start().legal_moves())
        assert [one.score for one in known] == sorted((one.score for one in known), reverse=True)

    def test_are_worth_what_the_position_is(self, opened: Book) -> None:
        entry = opened.entry(start().key)
        assert entry is not None
        assert opened.moves(start())[0].score == entry.score

    def test_end_where_the_book_does(self, opened: Book) -> None:
        position = end_of(opened)
        assert opened.entry(position.key) is not None
        assert opened.chosen(position, 100, 0, Dice(1)) is None

    def test_of_a_line_are_the_best_ones(self, opened: Book) -> None:
        first, second, *_ = opened.line(start(), opened.moves(start())[0].move)
        assert opened.moves(start().play(first))[0].move == second

    def test_are_all_but_the_best_left_alone_without_variety(self, opened: Book) -> None:
        assert [one.share for one in opened.moves(start(), 0)][:2] == [1.0, 0.0]

    def test_that_lose_more_than_the_variety_are_not_played(self, opened: Book) -> None:
        known = opened.moves(start(), 5)
        assert sum(one.share for one in known) == pytest.approx(1)
        assert all((one.share > 0) == (known[0].score - one.score <= 5) for one in known)
        assert [one.share for one in known] == sorted((one.share for one in known), reverse=True)

    def test_are_chosen_as_often_as_their_share_says(self, opened: Book) -> None:
        best = opened.moves(start(), 20)[0]
        found = [opened.chosen(start(), 100, 20, Dice(seed)) for seed in range(1, 600)]
        played = sum(one is not None and one.move == best.move for one in found) / len(found)
        assert played == pytest.approx(best.share, abs=0.07)

    def test_are_not_looked_for_behind_the_depth(self, opened: Book) -> None:
        move = opened.moves(start())[0].move
        assert opened.chosen(start(), 0, 0, Dice(1)) is None
        assert opened.chosen(start(), 1, 0, Dice(1)) is not None
        assert opened.chosen(start().play(move), 1, 0, Dice(1)) is None

    def test_are_not_played_where_a_position_comes_back(self) -> None:
        shipped = book.read(book.path_of(TURKISH), TURKISH, start().key)
        position = start()
        for number, text in enumerate(["a3-a4", "h6-h5", "a4-b4", "h5-g5", "b4-a4", "g5-h5"], start=1):
            position = position.play(moves.read(position, text))
            if number == 2:
                assert shipped.chosen(position, 100, 0, Dice(1)) is not None
        assert shipped.moves(position) != []
        assert shipped.chosen(position, 100, 0, Dice(1)) is None


class TestWhenItIsWanted:
    @pytest.mark.parametrize(
        "limits",
        [GAME, replace(GAME, ponder=True)],
        ids=str,
    )
    def test_in_a_game(self, limits: Limits) -> None:
        assert is_wanted(Options(), limits)

    @pytest.mark.parametrize(
        "limits",
        [
            Limits(),
            Limits(depth=5),
            Limits(nodes=1000),
            Limits(mate=2),
            Limits(infinite=True),
            Limits(move_time=1.0),
            replace(GAME, depth=5),
            replace(GAME, analysis=True),
            replace(GAME, root_moves=(start().legal_moves()[0],)),
        ],
        ids=str,
    )
    def test_not_where_the_search_is_what_somebody_asks_for(self, limits: Limits) -> None:
        assert not is_wanted(Options(), limits)

    @pytest.mark.parametrize(
        "options",
        [Options(book=False), Options(multi_pv=2), Options(skill_level=5), Options(limit_strength=True)],
        ids=["off", "several lines", "a level", "a rating"],
    )
    def test_not_by_the_options(self, options: Options) -> None:
        assert not is_wanted(options, GAME)


class TestPlaying:
    def test_is_at_once_with_the_line_of_the_book(self, path: Path, opened: Book, listener: Listener) -> None:
        with EngineCore(Options(variant=TURKISH, hash=1, book_file=str(path), book_variety=0)) as engine:
            assert engine.configure(engine.options) == []
            search(engine, listener, GAME)
        (report,) = listener.reports
        assert (report.depth, report.nodes, report.rank) == (0, 0, 1)
        assert report.score.hundredths == opened.moves(start())[0].score
        assert report.line == opened.line(start(), opened.moves(start())[0].move)
        assert listener.answer is not None
        assert (listener.answer.move, listener.answer.ponder) == report.line[:2]

    def test_is_from_a_book_in_the_home_folder_too(
        self, path: Path, opened: Book, listener: Listener, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("HOME", "USERPROFILE"):
            monkeypatch.setenv(name, str(path.parent))
        with EngineCore(Options(variant=TURKISH, hash=1, book_file=f"~/{path.name}")) as engine:
            search(engine, listener, GAME)
        assert [report.nodes for report in listener.reports] == [0]
        assert listener.answer is not None
        assert listener.answer.move in [known.move for known in opened.moves(start())]

    def test_ends_with_the_book(self, path: Path, opened: Book, listener: Listener) -> None:
        with EngineCore(Options(variant=TURKISH, hash=1, book_file=str(path))) as engine:
            search(engine, listener, HASTE, end_of(opened))
        assert listener.reports[-1].depth > 0

    def test_differs_between_games_and_is_repeated_by_a_seed(self, path: Path) -> None:
        def openings(seed: int) -> set[object]:
            found = set()
            options = Options(variant=TURKISH, hash=1, book_file=str(path), book_variety=50, seed=seed)
            with EngineCore(options) as engine:
                for _ in range(20):
                    engine.new_game()
                    listener = Listener()
                    search(engine, listener, GAME)
                    assert listener.answer is not None
                    found.add(listener.answer.move)
            return found

        assert len(openings(0)) > 1
        assert len(openings(9)) == 1

    def test_waits_for_the_end_of_pondering(self, path: Path, listener: Listener) -> None:
        with EngineCore(Options(variant=TURKISH, hash=1, book_file=str(path))) as engine:
            engine.start(engine.position(), replace(GAME, ponder=True), listener.on_report, listener.on_answer)
            assert listener.reported.wait(10)
            assert not engine.wait(0.05)
            engine.ponder_hit()
            assert engine.wait(10)
        assert listener.answer is not None

    def test_is_from_the_book_that_comes_with_the_engine(self, listener: Listener) -> None:
        with EngineCore(Options(hash=1)) as engine:
            search(engine, listener, GAME)
        assert [report.nodes for report in listener.reports] == [0]

    @pytest.mark.parametrize("limits", [Limits(depth=3), Limits(nodes=500)], ids=["depth", "nodes"])
    def test_leaves_fixed_searches_as_they_are(self, limits: Limits) -> None:
        told = []
        for options in (Options(hash=1), Options(hash=1, book=False)):
            listener = Listener()
            with EngineCore(options) as engine:
                search(engine, listener, limits)
            told.append([(report.depth, report.nodes, report.score, report.line) for report in listener.reports])
        assert told[0] == told[1]


class TestABookThatCannotBeUsed:
    def test_is_named_once_and_left_out(self, tmp_path: Path, listener: Listener) -> None:
        file = tmp_path / "x.book"
        file.write_bytes(b"nothing")
        options = Options(variant=TURKISH, hash=1, book_file=str(file))
        with EngineCore(options) as engine:
            (complaint,) = engine.configure(options)
            assert complaint.startswith(f"option book-file: {file} is not an opening book of this program")
            assert engine.configure(options) == []
            search(engine, listener, HASTE)
        assert listener.reports[-1].depth > 0

    def test_is_not_opened_where_none_is_wanted(self, tmp_path: Path) -> None:
        options = Options(hash=1, book=False, book_file=str(tmp_path / "none.book"))
        with EngineCore(options) as engine:
            assert engine.configure(options) == []

    def test_is_that_of_the_compiled_kernels_for_any_other(self, listener: Listener) -> None:
        with EngineCore(load=fakes.Kernels()) as engine:
            assert engine.configure(engine.options) == []
            search(engine, listener, HASTE)
        assert listener.reports[-1].depth > 0
