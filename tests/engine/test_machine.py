"""What the machine has: a container has less than the computer it runs on, and something of that is in use."""

from __future__ import annotations

from pathlib import Path

import pytest

from turkengine.engine import machine

MEBIBYTE = 1 << 20


@pytest.fixture
def groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with no file in it, in place of the system's folder of control groups, on a computer with 1 TiB."""
    groups = tuple((str(tmp_path), *names) for _, *names in machine.CONTROL_GROUPS)
    monkeypatch.setattr(machine, "CONTROL_GROUPS", groups)
    monkeypatch.setattr(machine, "_available", lambda: 1 << 40)
    monkeypatch.setattr(machine, "_physical", lambda _: 1 << 40)
    return tmp_path


@pytest.mark.parametrize(
    ("limit", "used", "idle"),
    [
        ("memory.max", "memory.current", "inactive_file"),
        ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
    ],
)
def test_free_memory_of_a_container_is_its_limit_less_what_is_used(
    groups: Path, limit: str, used: str, idle: str
) -> None:
    (groups / limit).write_text(f"{512 * MEBIBYTE}\n")
    (groups / used).write_text(f"{200 * MEBIBYTE}\n")
    assert machine.free_memory() == 312
    assert machine.memory() == 512
    (groups / "memory.stat").write_text(f"anon {99 * MEBIBYTE}\n{idle} {50 * MEBIBYTE}\nactive_file 4096\n")
    assert machine.free_memory() == 362  # files that nobody reads any more give their room at once


def test_a_container_that_is_full_leaves_the_least_size(groups: Path) -> None:
    (groups / "memory.max").write_text(f"{512 * MEBIBYTE}\n")
    (groups / "memory.current").write_text(f"{513 * MEBIBYTE}\n")
    assert machine.free_memory() == 1


def test_a_container_that_does_not_tell_what_is_used_has_its_limit(groups: Path) -> None:
    (groups / "memory.max").write_text(f"{512 * MEBIBYTE}\n")
    assert machine.free_memory() == 512


@pytest.mark.parametrize("text", ["max\n", "", f"{1 << 60}\n"])
def test_where_no_limit_is_set_the_computer_is_the_limit(groups: Path, text: str) -> None:
    (groups / "memory.max").write_text(text)
    assert machine.free_memory() == machine.memory() == 1 << 20


def test_this_machine_has_something() -> None:
    assert machine.free_memory() >= 1
    assert machine.processors() >= 1
