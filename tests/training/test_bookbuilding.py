"""Building an opening book: the same one always, the best lines first, and nothing lost by an interruption."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from engine.booking import RECIPE, at_sight, grown

from turkengine.engine import book
from turkengine.engine.book import Book, BookEntry
from turkengine.engine.kernel_types import KernelPosition, load_kernel
from turkengine.errors import BookError
from turkengine.games import CRODA, INTERNATIONAL, TURKISH, VARIANTS, Variant
from turkengine.notation import fen
from turkengine.rules.variant import Side
from turkengine.training.bookbuilding import Builder, Judge, Recipe, Searches, build
from turkengine.training.bookreading import faults, lines


def opened(path: Path, variant: Variant, entries: dict[int, BookEntry]) -> tuple[Book, KernelPosition]:
    start = load_kernel(variant).Position.start()
    book.write(path, variant, start.key, entries, {})
    return book.read(path, variant, start.key), start


class TestGrowth:
    @pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
    def test_gives_a_book_without_faults(self, variant: Variant, tmp_path: Path) -> None:
        builder = grown(variant)
        assert builder.expanded == RECIPE.positions
        known, start = opened(tmp_path / "x.book", variant, builder.entries())
        assert faults(known, start) == []
        assert sum(entry.expanded for entry in builder.entries().values()) == RECIPE.positions

    def test_is_the_same_each_time(self) -> None:
        assert grown(CRODA).entries() == grown(CRODA).entries()

    def test_goes_further_along_good_lines(self) -> None:
        """The worst first move is left at its first position where the best one has been followed."""
        builder = grown(TURKISH, replace(RECIPE, ply_cost=1, margin=1000))
        entries = builder.entries()
        start = load_kernel(TURKISH).Position.start()
        behind = sorted((entries[start.play(move).key] for move in start.legal_moves()), key=lambda entry: entry.score)
        assert behind[0].expanded
        assert not behind[-1].expanded or behind[0].score < behind[-1].score

    def test_leaves_out_what_loses_more_than_the_margin(self) -> None:
        wide, narrow = (grown(TURKISH, replace(RECIPE, margin=margin)).entries() for margin in (1000, 3))
        assert len(narrow) < len(wide)
        assert narrow.items() <= wide.items()

    def test_is_deeper_where_plies_cost_less(self) -> None:
        broad, deep = (
            max(entry.plies for entry in grown(TURKISH, replace(RECIPE, ply_cost=cost)).entries().values())
            for cost in (100, 1)
        )
        assert deep >= broad

    def test_ends_where_there_is_nothing_left(self) -> None:
        builder = Builder(TURKISH, Recipe(10**6, 500, 0, 1))
        calls = 0

        def lost(wanted: object) -> dict[int, int]:
            nonlocal calls
            calls += 1
            return at_sight(TURKISH, wanted)  # type: ignore[arg-type]

        builder._nodes[builder.start].over = True
        builder.grow(lost, lambda _: None)
        assert (builder.expanded, calls) == (0, 0)


class TestSearches:
    def test_are_the_same_whatever_was_searched_before(self) -> None:
        start, other = load_kernel(CRODA).Position.start(), load_kernel(CRODA).Position.start()
        other = other.play(other.legal_moves()[0])
        judge = Judge(CRODA, 2000)
        judge.score((other.cells, other.side.value))
        place = start.cells, start.side.value
        assert judge.score(place) == Judge(CRODA, 2000).score(place)

    def test_go_on_where_they_were_interrupted(self, tmp_path: Path) -> None:
        recipe = Recipe(positions=20, nodes=500, margin=30, ply_cost=2)
        whole, parts = tmp_path / "whole", tmp_path / "parts"
        entries = build(TURKISH, recipe, whole, 2, lambda _: None).entries()
        text = whole.read_text()
        parts.write_text(text[: len(text) // 2])  # in the middle of a line, as a crash leaves it
        assert build(TURKISH, recipe, parts, 1, lambda _: None).entries() == entries
        assert sorted(parts.read_text().splitlines()) == sorted(text.splitlines())

    def test_of_another_book_are_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "x.searches"
        Searches(TURKISH, 500, path).load()
        Searches(TURKISH, 500, path).load()
        for other in (Searches(TURKISH, 600, path), Searches(CRODA, 500, path)):
            with pytest.raises(BookError, match=r"x\.searches holds searches for another book"):
                other.load()

    @pytest.mark.parametrize("line", ["no line", "0123456789abcdef 10001", "0123456789abcdef", "12 5"])
    def test_that_are_damaged_are_told_with_the_line(self, tmp_path: Path, line: str) -> None:
        path = tmp_path / "x.searches"
        Searches(TURKISH, 500, path).load()
        path.write_text(f"{path.read_text()}0123456789abcdef -7\n{line}\n")
        with pytest.raises(BookError, match=rf"x\.searches is damaged at line 3: '{line}'"):
            Searches(TURKISH, 500, path).load()


class TestFaults:
    @pytest.fixture
    def entries(self) -> dict[int, BookEntry]:
        return grown(INTERNATIONAL).entries()

    def test_a_wrong_score_is_one(self, entries: dict[int, BookEntry], tmp_path: Path) -> None:
        key = load_kernel(INTERNATIONAL).Position.start().key
        entries[key] = entries[key]._replace(score=99)
        (fault,) = faults(*opened(tmp_path / "x.book", INTERNATIONAL, entries))
        assert fault.startswith("W:W31-50:B1-20: its score is 99, that of its moves ")

    def test_a_position_that_nothing_leads_to_is_one(self, entries: dict[int, BookEntry], tmp_path: Path) -> None:
        entries[5] = BookEntry(0, 3, False)
        assert faults(*opened(tmp_path / "x.book", INTERNATIONAL, entries)) == ["no moves lead to 1 positions"]

    def test_a_position_without_its_moves_is_one(self, entries: dict[int, BookEntry], tmp_path: Path) -> None:
        leaf = max(entries, key=lambda key: entries[key].plies)
        entries[leaf] = entries[leaf]._replace(expanded=True)
        (fault,) = faults(*opened(tmp_path / "x.book", INTERNATIONAL, entries))
        assert fault.endswith("it is said to have moves and has none")

    def test_an_end_that_loses_more_than_the_margin_is_one(self, entries: dict[int, BookEntry], tmp_path: Path) -> None:
        start = load_kernel(INTERNATIONAL).Position.start()
        leaves = [key for key, entry in entries.items() if not entry.expanded]
        worst = max(leaves, key=lambda key: entries[key].score)
        fault = f"moves to 1 positions lose more than the {RECIPE.margin} "
        for score, told in ((entries[worst].score, []), (9000, [fault])):
            entries[worst] = entries[worst]._replace(score=score)
            book.write(tmp_path / "x.book", INTERNATIONAL, start.key, entries, {"margin": RECIPE.margin})
            found = faults(book.read(tmp_path / "x.book", INTERNATIONAL, start.key), start)
            assert [line.partition("hundredths")[0] for line in found] == told

    def test_a_wrong_score_of_a_game_that_is_over_is_one(self, tmp_path: Path) -> None:
        over = load_kernel(TURKISH).Position.from_cells("w" + "e" * 63, Side.BLACK)
        known, _ = opened(tmp_path / "x.book", TURKISH, {over.key: BookEntry(-9000, 0, False)})
        assert faults(known, over) == [f"{fen.write(over)}: its score is -9000, and the game is over with -10000"]

    def test_an_empty_book_is_one(self, tmp_path: Path) -> None:
        assert "the start position is missing" in faults(*opened(tmp_path / "x.book", INTERNATIONAL, {}))


def test_openings_are_quiet_balanced_positions_each_once(tmp_path: Path) -> None:
    known, start = opened(tmp_path / "x.book", INTERNATIONAL, grown(INTERNATIONAL).entries())
    found = list(lines(known, start, 3, 20))
    assert len({position.key for _, position in found}) == len(found) > 5
    for line, position in found:
        assert len(line.split()) == 3
        assert not position.legal_moves()[0].is_capture
        entry = known.entry(position.key)
        assert entry is not None
        assert abs(entry.score) <= 20
