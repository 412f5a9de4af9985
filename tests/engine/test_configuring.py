"""What of an engine can be set, and what the machine has to say to it."""

from __future__ import annotations

import pytest
from engine import fakes
from engine.listening import Listener, board, search

from turkengine.engine import machine
from turkengine.engine.core import EngineCore
from turkengine.engine.limits import Limits
from turkengine.engine.options import Options
from turkengine.errors import PositionError
from turkengine.games import CRODA
from turkengine.rules.variant import Side


class TestConfiguring:
    def test_costs_nothing_before_it_is_needed(self, engine: EngineCore, kernels: fakes.Kernels) -> None:
        assert engine.options == Options()
        assert not kernels.loaded

    def test_cuts_sizes_down_to_the_machine_and_says_so(self, engine: EngineCore) -> None:
        free = machine.free_memory()
        notes = engine.configure(Options(hash=99_999_999, threads=1024))
        hash_size, threads = engine.options.hash, engine.options.threads
        assert 0 < hash_size <= free
        assert threads <= 4 * machine.processors()
        assert notes == [
            f"option hash: 99999999 MiB cannot be had; {hash_size} MiB in force",
            f"option threads: 1024 cannot be had; {threads} in force",
        ]

    def test_never_makes_a_table_larger_than_the_kernel_can_use(
        self, engine: EngineCore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(machine, "free_memory", lambda: 1 << 24)
        assert engine.configure(Options(hash=1 << 20)) == [
            "option hash: 1048576 MiB cannot be had; 262144 MiB in force"  # 2 ** 32 clusters of 64 bytes
        ]

    def test_settles_a_size_once_however_much_is_free_later(
        self, engine: EngineCore, kernels: fakes.Kernels, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(machine, "free_memory", lambda: 1000)
        assert engine.configure(Options(hash=800)) == ["option hash: 800 MiB cannot be had; 500 MiB in force"]
        kept = kernels.searcher
        monkeypatch.setattr(machine, "free_memory", lambda: 500)
        assert engine.configure(Options(hash=800, ponder=True)) == []
        assert (engine.options.hash, kernels.searcher) == (500, kept)
        assert engine.configure(Options(hash=490)) == []  # what the old table takes is free again

    def test_tells_of_sizes_given_from_the_start_when_it_is_first_configured(self, kernels: fakes.Kernels) -> None:
        options = Options(threads=1024)
        with EngineCore(options, kernels) as engine:
            assert engine.options.threads < 1024
            assert len(engine.configure(options)) == 1

    def test_takes_a_smaller_table_where_the_memory_is_taken(
        self, engine: EngineCore, monkeypatch: pytest.MonkeyPatch, listener: Listener
    ) -> None:
        monkeypatch.setattr(fakes.Table, "largest", 20)
        assert engine.configure(Options(hash=64)) == ["option hash: 64 MiB cannot be had; 16 MiB in force"]
        search(engine, listener, Limits(depth=1))
        assert engine.options.hash == 16

    def test_keeps_the_table_as_long_as_its_size_stays(self, engine: EngineCore, kernels: fakes.Kernels) -> None:
        engine.configure(Options(hash=32))
        kept = kernels.searcher
        engine.configure(Options(hash=32, multi_pv=4))
        assert kernels.searcher is kept
        engine.configure(Options(hash=33))
        assert kernels.searcher is not kept

    def test_a_new_game_clears_what_was_learnt(self, engine: EngineCore, kernels: fakes.Kernels) -> None:
        engine.new_game()
        engine.configure(Options())
        engine.settle()
        assert (kernels.searcher.table.cleared, kernels.searcher.games) == (1, 0)
        engine.new_game()
        engine.settle()
        assert (kernels.searcher.table.cleared, kernels.searcher.games) == (2, 1)

    def test_sets_up_positions_of_the_variant_in_force(self, engine: EngineCore) -> None:
        engine.configure(Options(CRODA))
        assert engine.position().variant is CRODA
        assert engine.position(board(CRODA, w="a1"), Side.BLACK, 7).no_progress == 7
        with pytest.raises(PositionError, match="a8"):
            engine.position(board(CRODA, w="a8"))
